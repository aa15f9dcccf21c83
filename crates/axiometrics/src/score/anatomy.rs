//! A score taken apart: what each document is on the scales of a metric from a file, and what it
//! adds.

use serde::Serialize;

use super::breakdown::aligned;
use crate::align::Policy;
use crate::component::Component;
use crate::data::{Judged, Qrels, Run};
use crate::error::{Error, Result};
use crate::expression::Docs;
use crate::measure::{Metric, Score};

/// The score of one topic, document by document.
#[derive(Debug, Clone)]
pub struct Anatomy {
    /// The documents of the ranking, then those that were judged and not retrieved, alike ones
    /// together.
    pub lines: Vec<DocumentLine>,
    /// How terms become the score: sum, mean, min or max; `None` if the file gives the score as
    /// one expression that is no sum.
    pub agg: Option<&'static str>,
    /// What the sum of the terms is divided by.
    pub norm: Option<f64>,
    /// The score, as `eval` has it.
    pub score: Score,
}

/// One document, or several that were not retrieved and are alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentLine {
    /// Its rank, `None` if it was not retrieved.
    pub rank: Option<u32>,
    /// Its id, `None` if it was not retrieved.
    pub document: Option<String>,
    /// How many documents the line stands for.
    pub documents: u32,
    /// What the assessor says: a level or a number.
    pub alpha: String,
    /// What the system says: a rank, a level or a number.
    pub sigma: String,
    /// What alpha is worth.
    pub gain: f64,
    /// The similarity of the two, if the metric has one.
    pub sim: Option<f64>,
    /// What is averaged, `None` for a document that is not averaged over; of several documents that
    /// of each.
    pub term: Option<f64>,
    /// What it adds to the score, if that is a sum; of several documents that of all.
    pub contribution: Option<f64>,
}

impl Anatomy {
    /// Takes the score of one topic of a run apart.
    pub fn new(
        metric: &Metric,
        qrels: &Qrels,
        run: &Run,
        topic: &str,
        policy: Policy,
    ) -> Result<Anatomy> {
        let file = Component::of(metric)
            .ok_or_else(|| Error::usage(format!("{metric} is no metric from a file")))?;
        aligned(metric, qrels, run, topic, policy, |judged, document| {
            Anatomy::of_topic(metric, file, judged, |rank| document(rank).0)
        })
    }

    fn of_topic(
        metric: &Metric,
        file: &Component,
        topic: &Judged<'_>,
        document: impl Fn(u32) -> String,
    ) -> Anatomy {
        let agg = file.agg();
        let mut anatomy =
            Anatomy { lines: Vec::new(), agg, norm: None, score: metric.score(topic) };
        let Ok(mut docs) = Docs::of_topic(topic, file.alpha(), file.sigma(), true) else {
            return anatomy;
        };
        let measure = file.measure(metric.args());
        let sims = measure.similarities(&mut docs);
        let (terms, norm) = measure.terms(&mut docs).unwrap_or_default();
        let sums = file.is_sum() && anatomy.score.value().is_some();
        anatomy.norm = norm;
        for d in 0..docs.len() {
            let rank = docs.pos[d].is_finite().then_some(docs.pos[d] as u32);
            let place = docs.ranks.get(d).copied().unwrap_or(rank);
            let term = terms.get(d).copied().flatten();
            let line = DocumentLine {
                rank,
                document: place.map(&document),
                documents: 1,
                alpha: file.alpha().text(docs.alpha[d]),
                sigma: if file.sigma().scale.is_order() && rank.is_none() {
                    "-".to_string()
                } else {
                    file.sigma().text(docs.sigma[d])
                },
                gain: docs.gain[d],
                sim: sims.as_ref().map(|sims| sims[d]),
                term,
                contribution: sums.then(|| term.unwrap_or(0.0) / norm.unwrap_or(1.0)),
            };
            anatomy.add(line);
        }
        anatomy
    }

    /// One more document; one that was not retrieved joins its like.
    fn add(&mut self, line: DocumentLine) {
        if let Some(last) =
            self.lines.last_mut().filter(|l| line.rank.is_none() && l.rank.is_none())
        {
            let alike = last.alpha == line.alpha
                && last.sigma == line.sigma
                && last.sim == line.sim
                && last.term == line.term;
            if alike && last.gain == line.gain {
                last.documents += 1;
                last.contribution = last.contribution.zip(line.contribution).map(|(a, b)| a + b);
                return;
            }
        }
        self.lines.push(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Args, Own};

    const TERM: &str = "if(pos(d) <= 10, gain(d) / pos(d), 0)";

    fn anatomy(agg: &str, gain: &str, term: &str) -> Anatomy {
        let text = format!(
            "name = \"mine\"\n[alpha]\nscale = \"ranked-categories\"\nlevels = [\"N\", \"R\", \"H\"]\ngain = {gain}\n[sigma]\nscale = \"strict\"\n[avgD]\nover = \"D\"\nagg = \"{agg}\"\nterm = \"{term}\"\n"
        );
        let file = Component::parse("mine.toml", &text).unwrap();
        let args = Args::new(file.params());
        let metric = Metric::own_with(file, args).unwrap();
        let qrels =
            Qrels::from_columns(&["1"; 5], &["a", "b", "c", "d", "e"], &[2.0, 0.0, 1.0, 1.0, 2.0]);
        let run = Run::from_columns(&["1", "1"], &["a", "b"], &[2.0, 1.0]).unwrap();
        Anatomy::new(&metric, &qrels.unwrap(), &run, "1", Policy::default()).unwrap()
    }

    fn lines(agg: &str) -> Vec<DocumentLine> {
        anatomy(agg, "[0, 1, 2]", TERM).lines
    }

    #[test]
    fn contributions_add_up_to_the_score() {
        for agg in ["sum", "mean"] {
            let parts = anatomy(agg, "[0, 1, 2]", "gain(d)");
            let sum: f64 = parts.lines.iter().filter_map(|line| line.contribution).sum();
            let score = parts.score.value().unwrap();
            assert!(score > 0.0 && (sum - score).abs() < 1e-12, "{agg}: {sum} {score}");
        }
    }

    #[test]
    fn documents_of_other_levels_stay_apart_if_their_gains_are_equal() {
        let parts = anatomy("sum", "[0, 1, 1]", TERM);
        assert!(parts.lines.iter().all(|line| line.documents <= 2), "{:?}", parts.lines);
    }

    #[test]
    fn only_what_was_retrieved_has_a_place_in_the_order() {
        let lines = lines("sum");
        assert!(lines.iter().all(|line| (line.sigma == "-") == line.rank.is_none()), "{lines:?}");
    }

    #[test]
    fn documents_that_were_not_retrieved_join_their_like() {
        let told: Vec<_> =
            lines("sum").iter().map(|l| (l.rank, l.documents, l.gain, l.contribution)).collect();
        assert_eq!(
            told,
            [
                (Some(1), 1, 2.0, Some(2.0)),
                (Some(2), 1, 0.0, Some(0.0)),
                (None, 1, 2.0, Some(0.0)),
                (None, 2, 1.0, Some(0.0)),
            ]
        );
    }

    #[test]
    fn only_a_sum_has_contributions() {
        assert!(lines("mean").iter().all(|line| line.contribution.is_some()));
        assert!(lines("max").iter().all(|line| line.contribution.is_none()));
    }

    /// All that is said of both is the same but the rank.
    #[test]
    fn a_retrieved_document_stays_apart_from_one_that_is_not() {
        let mut parts = anatomy("sum", "[0, 1, 2]", TERM);
        let found = parts.lines[0].clone();
        parts.lines = vec![found.clone()];
        parts.add(DocumentLine { rank: None, ..found.clone() });
        parts.add(found);
        let told: Vec<_> = parts.lines.iter().map(|line| (line.rank, line.documents)).collect();
        assert_eq!(told, [(Some(1), 1), (None, 1), (Some(1), 1)]);
    }
}
