//! Which documents to judge next: those whose judgement settles most of the scores of all runs.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::depth;
use super::rankings::Rankings;
use crate::data::{Facets, Grades, Hit, Hits, Judged, Qrels, id_text};
use crate::error::{Error, Result};
use crate::measure::Metric;

/// A document that was not judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// The topic.
    pub topic: String,
    /// The document.
    pub document: String,
    /// By how much its judgement shrinks the score ranges of all runs together: the sum of its
    /// weights in them.
    pub weight: f64,
    /// How many runs retrieved it.
    pub runs: usize,
}

/// What to judge next.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgePlan {
    /// The measure whose scores are to be settled.
    pub measure: String,
    /// The persistence of its user, if that is a parameter of the measure.
    pub p: Option<f64>,
    /// What one document can change does not depend on the others: the weights add up.
    pub additive: bool,
    /// The documents, the heaviest first; no more than the budget.
    pub documents: Vec<Candidate>,
    /// How many documents are not judged at all.
    pub unjudged: usize,
    /// The mean over runs and topics of the weights of their unjudged documents: the width of the
    /// range that these leave open now, if the weights add up.
    pub open: f64,
    /// The same once these documents are judged.
    pub left_open: f64,
}

/// Plans `budget` judgements. The weight of a document is what it can change in the score of its
/// ranking, (1-p) p^(i-1) at rank i for RBP(p). In a weighted precision the weights of different
/// documents add up, so the heaviest documents shrink the ranges most. If the user answers to what
/// is found, a weight is what the document alone would add to what is judged. Only judged topics
/// are planned for; a negative grade is no judgement.
pub fn judge(
    qrels: &Qrels,
    rankings: &Rankings,
    metric: &Metric,
    budget: usize,
) -> Result<JudgePlan> {
    depth::check(metric)?;
    let mut weights_of = UnjudgedWeights::new(metric, qrels);
    if !qrels.is_complete() {
        return Err(Error::usage(
            "a plan needs all judgements, but only those above zero were read",
        ));
    }
    let mut candidates = Vec::new();
    let mut scores = 0;
    for (name, rankings) in rankings.topics() {
        let Some(topic) = qrels.find(name) else { continue };
        let judged: HashMap<&[u8], f64> =
            qrels.judgements(topic).filter(|(_, grade)| *grade >= 0.0).collect();
        let mut weights: BTreeMap<&[u8], (f64, usize)> = BTreeMap::new();
        for documents in rankings {
            scores += 1;
            let grades: Vec<Option<f64>> =
                documents.iter().map(|document| judged.get(document.as_slice()).copied()).collect();
            for (rank, weight) in weights_of.of(&grades) {
                let (sum, runs) = weights.entry(&documents[rank as usize - 1]).or_default();
                *sum += weight;
                *runs += 1;
            }
        }
        let text = |bytes: &[u8]| id_text(bytes).into_owned();
        let candidate = |(doc, (weight, runs)): (&[u8], (f64, usize))| Candidate {
            topic: text(name),
            document: text(doc),
            weight,
            runs,
        };
        candidates.extend(weights.into_iter().map(candidate));
    }
    if scores == 0 {
        return Err(Error::usage("the runs and the judgements share no topic")
            .help("do they belong to one collection?"));
    }
    // Topics and documents came in order, so equal weights stay in it.
    candidates.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let unjudged = candidates.len();
    // The sum of nothing is -0 in floating point.
    let mean = |weights: &[Candidate]| {
        (weights.iter().map(|c| c.weight).sum::<f64>() + 0.0) / scores as f64
    };
    let open = mean(&candidates);
    let left_open = mean(&candidates[budget.min(unjudged)..]);
    candidates.truncate(budget);
    Ok(JudgePlan {
        measure: metric.to_string(),
        p: metric.args().optional("p"),
        additive: weights_of.by_rank.is_some(),
        documents: candidates,
        unjudged,
        open,
        left_open,
    })
}

/// What unjudged documents can change in the score of their ranking.
struct UnjudgedWeights<'m> {
    metric: &'m Metric,
    max_grade: f64,
    /// By rank, if what a document changes depends on nothing else.
    by_rank: Option<Vec<f64>>,
}

impl UnjudgedWeights<'_> {
    fn new<'m>(metric: &'m Metric, qrels: &Qrels) -> UnjudgedWeights<'m> {
        let blind = metric.user().is_some_and(|user| !user.adaptive);
        UnjudgedWeights { metric, max_grade: qrels.max_grade(), by_rank: blind.then(Vec::new) }
    }

    /// The ranks of the unjudged documents, down to the cutoff of the measure, with their weights.
    fn of(&mut self, grades: &[Option<f64>]) -> Vec<(u32, f64)> {
        let end = self.metric.depth().unwrap_or(u32::MAX);
        let open = (1..=end).zip(grades).filter(|(_, grade)| grade.is_none());
        let open: Vec<u32> = open.map(|(rank, _)| rank).collect();
        if self.by_rank.is_none() {
            let hits: Vec<Hit> = (1..)
                .zip(grades)
                .filter_map(|(rank, grade)| Some(Hit { rank, doc: 0, grade: (*grade)? }))
                .collect();
            let now = self.score(&hits);
            return open.into_iter().map(|rank| (rank, self.with(&hits, rank) - now)).collect();
        }
        let known = self.by_rank.as_ref().map_or(0, Vec::len);
        let more: Vec<f64> =
            (known as u32 + 1..=grades.len() as u32).map(|rank| self.with(&[], rank)).collect();
        let by_rank = self.by_rank.get_or_insert_default();
        by_rank.extend(more);
        open.into_iter().map(|rank| (rank, by_rank[rank as usize - 1])).collect()
    }

    /// The score if the document at this rank had the highest grade.
    fn with(&self, hits: &[Hit], rank: u32) -> f64 {
        let at = hits.partition_point(|hit| hit.rank < rank);
        let found = Hit { rank, doc: 0, grade: self.max_grade };
        let hits: Vec<Hit> =
            hits[..at].iter().chain([&found]).chain(&hits[at..]).copied().collect();
        self.score(&hits)
    }

    fn score(&self, hits: &[Hit]) -> f64 {
        let grades = Grades::new(hits.iter().map(|hit| hit.grade));
        let topic = Judged {
            hits: Hits::new(hits),
            retrieved: hits.last().map_or(0, |hit| hit.rank),
            grades: (&grades).into(),
            max_grade: &self.max_grade,
            facets: Facets::default(),
            scores: &[],
        };
        self.metric.score(&topic).value().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::Policy;
    use crate::io::{QrelsOptions, RunOptions, Source, read_qrels, read_run};
    use crate::warning::Warnings;

    #[test]
    fn by_hand() {
        let mut warnings = Warnings::default();
        let judged = Source::from_bytes("q", "1 0 a 1\n1 0 b -1\n2 0 a 0\n");
        let qrels = read_qrels(&judged, QrelsOptions::default(), &mut warnings).unwrap();
        let mut rankings = Rankings::new();
        for run in [
            "1 Q0 a 1 9 x\n1 Q0 b 2 8 x\n1 Q0 c 3 7 x\n3 Q0 z 1 1 x\n",
            "1 Q0 c 1 9 y\n2 Q0 a 1 9 y\n",
        ] {
            let source = Source::from_bytes("r", run);
            rankings.push(
                &read_run(&source, RunOptions::default(), &mut warnings).unwrap(),
                &Policy::default(),
            );
        }
        let rbp: Metric = "RBP(p=0.5)".parse().unwrap();
        let plan = judge(&qrels, &rankings, &rbp, 1).unwrap();
        // c weighs 1/8 at rank 3 of one run and 1/2 at rank 1 of the other; b, pooled but not
        // judged, 1/4. Three rankings of judged topics.
        assert_eq!(
            (plan.documents[0].document.as_str(), plan.documents[0].weight, plan.documents[0].runs),
            ("c", 0.625, 2)
        );
        assert_eq!((plan.documents.len(), plan.unjudged), (1, 2));
        assert!(
            (plan.open - 0.875 / 3.0).abs() < 1e-15 && (plan.left_open - 0.25 / 3.0).abs() < 1e-15
        );
        assert!(judge(&qrels, &Rankings::new(), &rbp, 1).unwrap_err().is_usage());
        assert!(judge(&qrels, &rankings, &"AP".parse().unwrap(), 1).unwrap_err().is_usage());
        // Only c at rank 1 of the second run is within the cutoff.
        let plan = judge(&qrels, &rankings, &"P@1".parse().unwrap(), 9).unwrap();
        assert_eq!((plan.documents.len(), plan.documents[0].weight), (1, 1.0));
        // Behind a relevant document nobody who wants one reads on: c at rank 1 alone weighs.
        let plan = judge(&qrels, &rankings, &"BPM(T=1)@3".parse().unwrap(), 9).unwrap();
        assert!(!plan.additive);
        assert_eq!((plan.documents[0].document.as_str(), plan.documents[0].weight), ("c", 1.0));
    }
}
