//! Which documents to judge next: those whose judgement settles most of the scores of all runs.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::rankings::Rankings;
use crate::data::{Qrels, id_text};
use crate::error::{Error, Result};

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
    /// The persistence of the user whose scores are to be settled.
    pub p: f64,
    /// The documents, the heaviest first; no more than the budget.
    pub documents: Vec<Candidate>,
    /// How many documents are not judged at all.
    pub unjudged: usize,
    /// The mean over runs and topics of the width of RBP's range that unjudged documents leave open
    /// now.
    pub open: f64,
    /// The same once these documents are judged.
    pub left_open: f64,
}

/// Plans `budget` judgements. A document at rank i can change RBP(p) of its ranking by (1-p)
/// p^(i-1); weights of different documents add up, so the heaviest documents shrink the ranges
/// most. Only judged topics are planned for; a negative grade is no judgement.
pub fn judge(qrels: &Qrels, rankings: &Rankings, p: f64, budget: usize) -> Result<JudgePlan> {
    if !(p > 0.0 && p < 1.0) {
        return Err(Error::usage(format!("p is {p}, expected more than 0 and less than 1")));
    }
    if !qrels.is_complete() {
        return Err(Error::usage(
            "a plan needs all judgements, but only those above zero were read",
        ));
    }
    let mut candidates = Vec::new();
    let mut scores = 0;
    for (name, rankings) in rankings.topics() {
        let Some(topic) = qrels.find(name) else { continue };
        let judged: HashSet<&[u8]> = qrels
            .judgements(topic)
            .filter(|(_, grade)| *grade >= 0.0)
            .map(|(doc, _)| doc)
            .collect();
        let mut weights: BTreeMap<&[u8], (f64, usize)> = BTreeMap::new();
        for documents in rankings {
            scores += 1;
            let mut weight = 1.0 - p;
            for document in documents {
                if !judged.contains(document.as_slice()) {
                    let (sum, runs) = weights.entry(document).or_default();
                    *sum += weight;
                    *runs += 1;
                }
                weight *= p;
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
    let open = candidates.iter().map(|c| c.weight).sum::<f64>() / scores as f64;
    let left_open = candidates.iter().skip(budget).map(|c| c.weight).sum::<f64>() / scores as f64;
    candidates.truncate(budget);
    Ok(JudgePlan { p, documents: candidates, unjudged, open, left_open })
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
        let plan = judge(&qrels, &rankings, 0.5, 1).unwrap();
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
        assert!(judge(&qrels, &Rankings::new(), 0.5, 1).unwrap_err().is_usage());
        assert!(judge(&qrels, &rankings, 1.5, 1).unwrap_err().is_usage());
    }
}
