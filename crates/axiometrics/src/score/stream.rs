//! A run that a program hands over topic by topic, scored as it comes and never kept.

use super::evaluate::{Evaluation, Scorer};
use super::scores::Scores;
use crate::data::bytes::Hashing;
use crate::data::{Entry, IdList, Ids, Listing, Repeats, id_text};
use crate::error::{Error, Place, Result, quoted};
use crate::warning::{WarningKind, Warnings};

/// Scores a run topic by topic, in the memory of one topic. The scores, the warnings and the errors
/// are those of [`Evaluation::score`] on the same documents.
///
/// ```
/// use axiometrics::{Evaluation, Qrels, Warnings, measure};
/// use axiometrics::policy::Undefined;
///
/// let qrels = Qrels::from_columns(&["q1", "q2"], &["d1", "d2"], &[1.0, 1.0])?;
/// let metrics = measure::parse_list("RR")?;
/// let evaluation = Evaluation::new(&qrels, &metrics);
/// let mut stream = evaluation.stream("mine")?;
/// stream.push("d9", 2.0);
/// stream.push("d1", 1.0);
/// stream.end_topic("q1")?;
/// stream.push("d2", 0.5);
/// stream.end_topic("q2")?;
/// let scores = stream.finish(&mut Warnings::default())?;
/// assert_eq!(scores.summary("RR", Undefined::Zero)?, Some(0.75));
/// # Ok::<(), axiometrics::Error>(())
/// ```
pub struct Stream<'e> {
    scorer: Scorer<'e>,
    name: &'e str,
    /// The documents of the topic at hand.
    rows: Vec<Entry>,
    ids: IdList,
    hashing: Hashing,
    /// The first document of the topic that has no place in a ranking.
    wrong: Option<WrongDocument>,
    dropped: Warnings,
    full: Option<Error>,
}

/// A document that has no place in a ranking.
enum WrongDocument {
    Empty,
    NotANumber(Vec<u8>, f64),
}

impl<'a> Evaluation<'a> {
    /// A run of this name, to be handed over topic by topic.
    pub fn stream<'e>(&'e self, name: &'e str) -> Result<Stream<'e>> {
        self.check_needs()?;
        Ok(Stream {
            scorer: Scorer::new(self, name),
            name,
            rows: Vec::new(),
            ids: IdList::default(),
            hashing: Hashing::default(),
            wrong: None,
            dropped: Warnings::default(),
            full: None,
        })
    }
}

impl Stream<'_> {
    /// Adds a document to the topic at hand.
    #[inline]
    pub fn push(&mut self, doc: impl AsRef<[u8]>, score: f64) {
        let doc = doc.as_ref();
        if doc.is_empty() || score.is_nan() {
            return self.refuse(doc, score);
        }
        match self.ids.push(doc) {
            Ok(start) => {
                self.rows.push(Entry::new(self.hashing.of(doc, 0, doc.len()), score, start));
            }
            Err(error) => self.full = Some(error),
        }
    }

    #[cold]
    fn refuse(&mut self, doc: &[u8], score: f64) {
        let wrong = if doc.is_empty() {
            WrongDocument::Empty
        } else {
            WrongDocument::NotANumber(doc.to_vec(), score)
        };
        if self.scorer.is_lenient() {
            let (kind, example) = match &wrong {
                WrongDocument::Empty => {
                    (WarningKind::MalformedLine, "an empty id of a document".to_string())
                }
                WrongDocument::NotANumber(doc, score) => (
                    WarningKind::NotANumber,
                    format!("document {} has the score {score}", quoted(doc)),
                ),
            };
            self.dropped.add_example(kind, 1, self.name, &example);
        } else {
            self.wrong.get_or_insert(wrong);
        }
    }

    /// Scores the documents that were added since the last topic, as the ranking of this one. A
    /// topic without documents is as one that never came.
    pub fn end_topic(&mut self, topic: impl AsRef<[u8]>) -> Result<()> {
        let topic = topic.as_ref();
        let result = self.score_topic(topic);
        self.rows.clear();
        self.ids.clear();
        self.wrong = None;
        result
    }

    fn score_topic(&mut self, topic: &[u8]) -> Result<()> {
        let place = || Place::file(self.name);
        if let Some(error) = self.full.take() {
            return Err(error);
        }
        match &self.wrong {
            Some(WrongDocument::Empty) => {
                let message = format!(
                    "topic {} has an empty id for a document, expected ids that are not empty",
                    quoted(topic)
                );
                return Err(Error::input(place(), message));
            }
            Some(WrongDocument::NotANumber(doc, score)) => {
                let message = format!(
                    "document {} of topic {} has the score {score}, expected a number",
                    quoted(doc),
                    quoted(topic)
                );
                return Err(Error::input(place(), message));
            }
            None if self.rows.is_empty() => return Ok(()),
            None if topic.is_empty() => {
                return Err(Error::input(place(), "found an empty id for a topic"));
            }
            None => {}
        }
        let documents = Listing { rows: &self.rows, ids: Ids::List(&self.ids), descending: false };
        self.scorer.topic(topic, documents).map_err(|_| {
            if let Err(error) = self.scorer.check_work() {
                return error;
            }
            match Repeats::default().check(documents) {
                Err(repeated) => Error::duplicate(
                    place(),
                    format!(
                        "document {} is in topic {} twice, expected each document once",
                        quoted(documents.id(repeated.second)),
                        quoted(topic)
                    ),
                ),
                Ok(()) => Error::duplicate(
                    place(),
                    format!(
                        "topic {} comes twice, expected its documents together",
                        id_text(topic)
                    ),
                ),
            }
        })
    }

    /// The scores of all topics.
    pub fn finish(self, warnings: &mut Warnings) -> Result<Scores> {
        warnings.extend(self.dropped);
        self.scorer.finish(self.name, warnings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Qrels, Run};
    use crate::measure::parse_list;
    use crate::policy::Undefined;
    use proptest::prelude::*;

    fn judged() -> Qrels {
        let topics: Vec<String> = (0..20).map(|n| format!("t{}", n / 4)).collect();
        let docs: Vec<String> = (0..20).map(|n| format!("d{}", n % 7)).collect();
        let grades: Vec<f64> = (0..20).map(|n| f64::from(n % 3)).collect();
        Qrels::from_columns(&topics, &docs, &grades).unwrap()
    }

    proptest! {
        /// Handed over or kept, a run has the same scores and the same warnings.
        #[test]
        fn streams_score_as_runs_do(
            topics in proptest::collection::btree_map(0u8..8, proptest::collection::btree_map(0u8..12, 0i8..4, 0..9), 1..8),
        ) {
            let qrels = judged();
            let metrics = parse_list("AP nDCG@5 bpref RR").unwrap();
            let evaluation = Evaluation::new(&qrels, &metrics);
            let mut run = Run::builder();
            let mut stream = evaluation.stream("run").unwrap();
            for (topic, documents) in &topics {
                for (doc, score) in documents {
                    run.push(format!("t{topic}"), format!("d{doc}"), f64::from(*score));
                    stream.push(format!("d{doc}"), f64::from(*score));
                }
                stream.end_topic(format!("t{topic}")).unwrap();
            }
            let (mut told, mut met) = (Warnings::default(), Warnings::default());
            let kept = evaluation.score(&run.build().unwrap(), &mut told);
            let streamed = stream.finish(&mut met);
            prop_assert_eq!(told.list(), met.list());
            match (kept, streamed) {
                (Ok(kept), Ok(streamed)) => {
                    prop_assert_eq!(kept.topics(), streamed.topics());
                    for column in 0..metrics.len() {
                        let bits = |s: &Scores| s.summary_value(column, Undefined::Zero).map(f64::to_bits);
                        prop_assert_eq!(bits(&kept), bits(&streamed));
                        prop_assert!(kept.column(column).eq(streamed.column(column)));
                    }
                }
                (kept, streamed) => {
                    prop_assert_eq!(kept.unwrap_err().to_string(), streamed.unwrap_err().to_string());
                }
            }
        }
    }

    #[test]
    fn what_is_wrong_names_topic_and_document() {
        let (qrels, metrics) = (judged(), parse_list("AP").unwrap());
        let evaluation = Evaluation::new(&qrels, &metrics);
        let mut stream = evaluation.stream("mine").unwrap();
        stream.push("a", f64::NAN);
        let error = stream.end_topic("t1").unwrap_err().to_string();
        assert_eq!(
            error,
            "mine: document \"a\" of topic \"t1\" has the score NaN, expected a number"
        );
        stream.push("", 1.0);
        assert!(
            stream
                .end_topic("t1")
                .unwrap_err()
                .to_string()
                .contains("topic \"t1\" has an empty id")
        );
        stream.push("a", 1.0);
        stream.push("a", 2.0);
        let error = stream.end_topic("t1").unwrap_err();
        assert!(
            error.is_duplicate()
                && error.to_string().contains("document \"a\" is in topic \"t1\" twice")
        );
        stream.push("a", 1.0);
        stream.end_topic("t2").unwrap();
        stream.push("a", 1.0);
        assert!(stream.end_topic("t2").unwrap_err().to_string().contains("topic t2 comes twice"));
        stream.push("a", 1.0);
        assert!(stream.end_topic("").is_err());
    }

    #[test]
    fn lenient_streams_count_what_they_leave_out() {
        let (qrels, metrics) = (judged(), parse_list("AP").unwrap());
        let mut evaluation = Evaluation::new(&qrels, &metrics);
        evaluation.lenient = true;
        let mut stream = evaluation.stream("mine").unwrap();
        for (doc, score) in [("a", f64::NAN), ("", 1.0), ("d1", 1.0), ("d1", 2.0)] {
            stream.push(doc, score);
        }
        stream.end_topic("t1").unwrap();
        let mut warnings = Warnings::default();
        stream.finish(&mut warnings).unwrap();
        let kinds: Vec<WarningKind> = warnings.list().iter().map(|w| w.kind).collect();
        assert_eq!(
            &kinds[..3],
            [WarningKind::MalformedLine, WarningKind::NotANumber, WarningKind::DuplicateDocument]
        );
    }

    #[test]
    fn a_stream_that_is_no_longer_wanted_says_so() {
        let (qrels, metrics) = (judged(), parse_list("AP").unwrap());
        let evaluation = Evaluation::new(&qrels, &metrics);
        let mut stream = evaluation.stream("mine").unwrap();
        evaluation.work.cancel();
        stream.push("a", 1.0);
        assert!(stream.end_topic("t1").unwrap_err().is_cancelled());
    }
}
