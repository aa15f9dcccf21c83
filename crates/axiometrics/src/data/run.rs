//! A run: for each topic the documents that a system retrieved, with their scores.

use super::builder::{BuilderRows, RowNumber};
use super::{Duplicate, Entries, Listing, id_text};
use crate::error::{Error, Place, Result};
use crate::policy::{Rounding, Ties};
use crate::remedy::{Remedy, Setting};
use crate::warning::{WarningKind, Warnings};

/// A run, built in memory or read from a file.
///
/// Ids are any bytes that are not empty. A score is any number; an infinite one is the highest or
/// the lowest there is, as it is for trec_eval. NaN has no place in an order, so it is refused, and
/// each document is in a topic once.
///
/// ```
/// use axiometrics::data::Run;
/// use axiometrics::policy::{Rounding, Ties};
///
/// let mut run = Run::builder();
/// run.push("301", "d1", 2.5).push("301", "d 2", 9.0).push("302", "d1", 1.0);
/// let run = run.build()?;
/// let topic = run.find(b"301").unwrap();
/// let ranking = run.ranking(topic, Ties::default(), Rounding::default());
/// assert_eq!(ranking, [(b"d 2".as_slice(), 9.0), (b"d1".as_slice(), 2.5)]);
///
/// let same = Run::from_columns(&["301", "301", "302"], &["d1", "d 2", "d1"], &[2.5, 9.0, 1.0])?;
/// assert_eq!((same.len(), same.topic_count()), (3, 2));
///
/// let twice = Run::from_columns(&["301", "301"], &["d1", "d1"], &[2.0, 1.0]).unwrap_err();
/// assert!(twice.to_string().contains("document \"d1\" is in topic \"301\" twice"));
/// # Ok::<(), axiometrics::Error>(())
/// ```
#[derive(Debug)]
pub struct Run {
    name: String,
    tag: Option<Vec<u8>>,
    /// Grouped by topic.
    entries: Entries,
    /// The file has ranks, which judgements never have.
    ranked: bool,
}

/// The name of a run that was given none.
const UNNAMED: &str = "run";

const SCORE: RowNumber =
    RowNumber { noun: "score", expected: "a number", accepts: |score| !score.is_nan() };

/// Builds a [`Run`] row by row.
#[derive(Debug)]
pub struct RunBuilder(BuilderRows);

impl RunBuilder {
    /// The name of the run in messages.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> RunBuilder {
        RunBuilder(self.0.named(name.into()))
    }

    /// Adds a document to a topic. Topics may come in any order.
    pub fn push(
        &mut self,
        topic: impl AsRef<[u8]>,
        doc: impl AsRef<[u8]>,
        score: f64,
    ) -> &mut RunBuilder {
        self.0.push(topic.as_ref(), doc.as_ref(), score, SCORE);
        self
    }

    /// The run. Empty ids, scores that are NaN and repeated documents are errors.
    pub fn build(self) -> Result<Run> {
        let (name, entries) = self.0.strict(SCORE)?;
        Ok(Run { name, tag: None, entries, ranked: false })
    }

    /// The run without the rows that are wrong, which are counted in `warnings`. Of a document that
    /// a topic has more than once, the highest score counts.
    pub fn build_lenient(self, warnings: &mut Warnings) -> Result<Run> {
        let (name, entries) = self.0.lenient(warnings)?;
        Ok(Run { name, tag: None, entries, ranked: false })
    }

    /// The name and the rows as they came, in which documents may be repeated.
    pub(crate) fn rows(self, lenient: bool, warnings: &mut Warnings) -> Result<(String, Entries)> {
        if lenient { self.0.without_wrong(warnings) } else { self.0.sound(SCORE) }
    }
}

/// Topics, documents and scores.
impl<T: AsRef<[u8]>, D: AsRef<[u8]>> Extend<(T, D, f64)> for RunBuilder {
    fn extend<I: IntoIterator<Item = (T, D, f64)>>(&mut self, rows: I) {
        for (topic, doc, score) in rows {
            self.push(topic, doc, score);
        }
    }
}

impl Run {
    /// A run with no rows yet.
    pub fn builder() -> RunBuilder {
        RunBuilder(BuilderRows::new(UNNAMED))
    }

    /// A run from columns of equal length.
    pub fn from_columns<T: AsRef<[u8]>, D: AsRef<[u8]>>(
        topics: &[T],
        docs: &[D],
        scores: &[f64],
    ) -> Result<Run> {
        let mut rows = BuilderRows::new(UNNAMED);
        rows.extend(topics, docs, scores, SCORE)?;
        RunBuilder(rows).build()
    }

    /// A run from the rows of a file, whose scores are numbers. A document that a topic has twice
    /// is an error, or counted.
    pub(crate) fn from_file(
        name: &str,
        mut entries: Entries,
        lenient: bool,
        warnings: &mut Warnings,
    ) -> Result<Run> {
        if lenient {
            let dropped = entries.keep_once()?;
            if let Some(line) = dropped.first {
                warnings.add(WarningKind::DuplicateDocument, dropped.count, name, line);
            }
        } else {
            entries.group();
            if let Some(error) = first_duplicate(name, &entries) {
                return Err(error);
            }
        }
        Ok(Run { name: name.to_string(), tag: None, entries, ranked: false })
    }

    /// The name in messages: the file's, for a run that was read from one.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn tagged(self, tag: Option<Vec<u8>>) -> Run {
        Run { tag, ..self }
    }

    /// The same run, from a file with ranks or without.
    pub(crate) fn with_ranks(self, ranked: bool) -> Run {
        Run { ranked, ..self }
    }

    /// Whether the file of the run has ranks, so that its numbers are no grades.
    pub(crate) fn has_ranks(&self) -> bool {
        self.ranked
    }

    /// The tag that a TREC file gives the run, in the last column of its last line.
    pub fn tag(&self) -> Option<&[u8]> {
        self.tag.as_deref()
    }

    /// How many documents there are, in all topics together.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if there is no document.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many topics there are.
    pub fn topic_count(&self) -> usize {
        self.entries.topic_count()
    }

    /// The topics, in the order they came.
    pub fn topics(&self) -> std::ops::Range<u32> {
        0..self.topic_count() as u32
    }

    /// A topic's name, as text.
    pub fn topic_name(&self, topic: u32) -> String {
        id_text(self.topic_bytes(topic)).into_owned()
    }

    /// A topic's name.
    pub fn topic_bytes(&self, topic: u32) -> &[u8] {
        self.entries.topic_name(topic)
    }

    /// A topic by its name.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        self.entries.topics.find(name)
    }

    /// The documents of a topic with their scores, in the order they came.
    pub fn documents(&self, topic: u32) -> impl ExactSizeIterator<Item = (&[u8], f64)> {
        self.entries.rows(topic).iter().map(|row| (self.entries.doc(row), row.value))
    }

    /// The documents of a topic with their scores, best first.
    pub fn ranking(&self, topic: u32, ties: Ties, scores: Rounding) -> Vec<(&[u8], f64)> {
        let rows = self.entries.rows(topic);
        let order = self.listing(topic).order(ties, scores);
        let document = |row: &u32| {
            let row = &rows[*row as usize];
            (self.entries.doc(row), row.value)
        };
        order.iter().map(document).collect()
    }

    pub(crate) fn listing(&self, topic: u32) -> Listing<'_> {
        self.entries.listing(topic)
    }
}

/// What to say of the first document of a file that its topic has twice. The rows are grouped.
pub(crate) fn first_duplicate(name: &str, entries: &Entries) -> Option<Error> {
    let Duplicate { topic, earlier, later } = entries.first_duplicate()?;
    let [first, second] = [earlier, later].map(|row| entries.line(row));
    Some(duplicate(name, entries.topic_name(topic), entries.doc(later), second, first))
}

/// What to say of a document that a topic of a file has twice.
fn duplicate(name: &str, topic: &[u8], doc: &[u8], line: u64, first: u64) -> Error {
    let (topic, doc) = (id_text(topic), id_text(doc));
    Error::duplicate(
        Place::line(name, line),
        format!("document \"{doc}\" is in topic {topic} twice (first on line {first}), expected each document once"),
    )
    .help(
        Remedy::from("remove one of the lines").option(
            ", or let the better one of each count with ",
            Setting::Word("duplicates", "best"),
            "",
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_wrong_names_topic_and_document() {
        let error = |rows: &[(&str, &str, f64)]| {
            let mut run = Run::builder().named("mine");
            run.extend(rows.iter().copied());
            run.build().unwrap_err().to_string()
        };
        insta::assert_snapshot!(
            error(&[("1", "a", 1.0), ("2", "b\t", f64::NAN)]),
            @r#"mine: document "b\t" of topic "2" has the score NaN (row 2), expected a number"#
        );
        insta::assert_snapshot!(
            error(&[("1", "", 1.0)]),
            @"mine: row 1 has an empty id for its document, expected ids that are not empty"
        );
        insta::assert_snapshot!(
            error(&[("1", "a", 1.0), ("2", "a", 1.0), ("1", "a", 2.0)]),
            @r#"mine: document "a" is in topic "1" twice (rows 1 and 3), expected each document once"#
        );
        assert!(Run::from_columns(&["1"], &["a", "b"], &[1.0]).unwrap_err().is_usage());
        assert!(Run::builder().build().unwrap().is_empty());
    }

    #[test]
    fn lenient_building_counts_what_it_leaves_out() {
        let mut run = Run::builder();
        run.push("1", "a", 1.0).push("1", "b", f64::NAN).push("", "c", 1.0);
        run.push("2", "x", 5.0).push("1", "a", 3.0).push("1", "a", 2.0).push("1", "d", 2.0);
        let mut warnings = Warnings::default();
        let run = run.build_lenient(&mut warnings).unwrap();
        let told: Vec<String> = warnings.list().into_iter().map(|w| w.message).collect();
        assert_eq!(
            told,
            [
                "run: 1 malformed line left out (for example row 3 has an empty id for its topic)",
                "run: 1 score that is not a number left out (for example document \"b\" of topic \"1\" has the score NaN (row 2))",
                "run: 2 repeated documents counted once (for example row 5)",
            ]
        );
        let documents: Vec<(&[u8], f64)> = run.documents(0).collect();
        assert_eq!(documents, [(b"a".as_slice(), 3.0), (b"d".as_slice(), 2.0)]);
    }

    #[test]
    fn infinite_scores_are_the_ends_of_a_ranking() {
        let run = Run::from_columns(
            &[b"1"; 5],
            &["a", "b", "c", "d", "e"],
            &[f64::NEG_INFINITY, 0.0, f64::INFINITY, -0.0, f64::INFINITY],
        );
        let run = run.unwrap();
        let ids = |ties| -> Vec<u8> {
            run.ranking(0, ties, Rounding::F64).iter().map(|(id, _)| id[0]).collect()
        };
        assert_eq!(ids(Ties::DocidDesc), b"ecdba");
        assert_eq!(ids(Ties::DocidAsc), b"cebda");
        assert_eq!(ids(Ties::File), b"cebda");
    }

    #[test]
    fn scores_are_compared_as_the_policy_says() {
        let run = Run::from_columns(&["1"; 2], &["a", "b"], &[1.0 + 1e-12, 1.0]).unwrap();
        let first = |scores| run.ranking(0, Ties::DocidDesc, scores)[0];
        assert_eq!(first(Rounding::F64).0, b"a");
        assert_eq!(first(Rounding::F32), (b"b".as_slice(), 1.0));
    }

    proptest! {
        /// Whatever the order of rows, a run holds what was pushed.
        #[test]
        fn rows_come_back(rows in proptest::collection::btree_map(("[a-c ]{1,2}", "[a-z é]{1,9}"), -5i32..5, 0..80), scattered in any::<bool>()) {
            let mut rows: Vec<((String, String), i32)> = rows.into_iter().collect();
            if scattered {
                rows.sort_by_key(|((_, doc), _)| doc.clone());
            }
            let mut builder = Run::builder();
            builder.extend(rows.iter().map(|((topic, doc), score)| (topic, doc, f64::from(*score))));
            let run = builder.build().unwrap();
            let mut found: Vec<((String, String), i32)> = Vec::new();
            for topic in run.topics() {
                prop_assert_eq!(run.find(run.topic_bytes(topic)), Some(topic));
                let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
                found.extend(run.documents(topic).map(|(doc, score)| ((run.topic_name(topic), text(doc)), score as i32)));
                let mut expected: Vec<(i32, Vec<u8>)> = run.documents(topic).map(|(doc, score)| (score as i32, doc.to_vec())).collect();
                expected.sort();
                expected.reverse();
                let ranked: Vec<(i32, Vec<u8>)> = run.ranking(topic, Ties::DocidDesc, Rounding::F64).into_iter().map(|(doc, score)| (score as i32, doc.to_vec())).collect();
                prop_assert_eq!(ranked, expected);
            }
            prop_assert_eq!(found.len(), run.len());
            found.sort();
            rows.sort();
            prop_assert_eq!(found, rows);
        }
    }
}
