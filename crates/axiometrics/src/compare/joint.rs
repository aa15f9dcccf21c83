//! What unjudged documents could do to the differences of runs.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use crate::align::Policy;
use crate::data::{Entries, Hit, Judged, Needs, Qrels};
use crate::error::{Error, Result};
use crate::io::{self, Source};
use crate::measure::Metric;
use crate::score::Evaluation;
use crate::score::ranges::{Range, SharedDocument, Vary, difference};
use crate::warning::Warnings;

/// The rankings of some runs with every document that one of them retrieved, so that an unjudged document is the same one in all of them.
pub struct JointRanges {
    /// The judgements, and what was retrieved and not judged with a grade below 0: pooled, but not assessed.
    pooled: Qrels,
    /// Run by run, the ranking of each topic.
    rankings: Vec<Vec<Ranking>>,
}

/// One topic of a run, empty where the run lacks it.
#[derive(Default, Clone)]
struct Ranking {
    hits: Vec<Hit>,
    retrieved: u32,
}

/// The grade of a document that nobody judged.
const UNJUDGED: f64 = -1.0;

impl JointRanges {
    /// Reads the runs, which must have been read without an error before. The judgements must be complete.
    pub fn new(qrels: &Qrels, policy: Policy, lenient: bool, runs: &[Source]) -> Result<JointRanges> {
        let pooled = pool(qrels, lenient, runs)?;
        let mut evaluation = Evaluation::new(&pooled, &[]);
        evaluation.policy = Policy { needs: Needs::JUDGED, ..policy };
        evaluation.lenient = lenient;
        let mut rankings = Vec::with_capacity(runs.len());
        for run in runs {
            let ranked = Mutex::new(vec![Ranking::default(); pooled.len()]);
            let keep = |topic: u32, judged: &Judged<'_>, _: &mut Vec<f64>| {
                let ranking = Ranking { hits: judged.hits.to_vec(), retrieved: judged.retrieved };
                ranked.lock().unwrap_or_else(PoisonError::into_inner)[topic as usize] = ranking;
            };
            evaluation.rows(run, &keep, &mut Warnings::default())?;
            rankings.push(ranked.into_inner().unwrap_or_else(PoisonError::into_inner));
        }
        Ok(JointRanges { pooled, rankings })
    }

    /// The lowest and the highest that the mean difference of two runs over these topics can be, the first less the second; `None` where the measure has no
    /// range. Runs are numbered as they were given, topics as in the judgements.
    pub fn mean_difference(&self, metric: &Metric, a: usize, b: usize, topics: &[u32]) -> Option<(f64, f64)> {
        let (mut low, mut high) = (0.0, 0.0);
        for topic in topics {
            let range = self.difference(metric, a, b, *topic)?;
            low += range.low;
            high += range.high;
        }
        let n = topics.len() as f64;
        (n > 0.0).then(|| (low / n, high / n))
    }

    fn difference(&self, metric: &Metric, a: usize, b: usize, topic: u32) -> Option<Range> {
        let max_grade = self.pooled.max_grade();
        let [of_a, of_b] = [a, b].map(|run| &self.rankings[run][topic as usize]);
        let judged = |ranking: &'_ Ranking| (ranking.retrieved, self.pooled.grades(topic), self.pooled.facets(topic));
        let view = |ranking| {
            let (retrieved, grades, facets) = judged(ranking);
            Judged { hits: &ranking.hits, retrieved, grades, max_grade: &max_grade, facets, scores: &[] }
        };
        difference(metric, &view(of_a), &view(of_b), &shared(&of_a.hits, &of_b.hits), Vary::Retrieved)
    }
}

/// The unjudged documents of two rankings, with their rank in each.
fn shared(a: &[Hit], b: &[Hit]) -> Vec<SharedDocument> {
    let unjudged = |hits: &[Hit]| {
        let mut found: Vec<(u32, u32)> = hits.iter().filter(|h| h.grade < 0.0).map(|h| (h.doc, h.rank)).collect();
        found.sort_unstable();
        found
    };
    let (a, b) = (unjudged(a), unjudged(b));
    let rank_in = |hits: &[(u32, u32)], doc: u32| hits.binary_search_by_key(&doc, |(doc, _)| *doc).ok().map(|at| hits[at].1);
    let mut all: Vec<SharedDocument> = a.iter().map(|(doc, rank)| SharedDocument { in_a: Some(*rank), in_b: rank_in(&b, *doc) }).collect();
    let only_b = b.iter().filter(|(doc, _)| rank_in(&a, *doc).is_none());
    all.extend(only_b.map(|(_, rank)| SharedDocument { in_a: None, in_b: Some(*rank) }));
    all
}

/// The judgements with all that the runs retrieved. Topics keep their numbers.
fn pool(qrels: &Qrels, lenient: bool, runs: &[Source]) -> Result<Qrels> {
    if !qrels.is_complete() {
        return Err(Error::usage("joint ranges need all judgements, but only those above zero were read"));
    }
    let mut pooled = Entries::new();
    let mut known: HashSet<(u32, Vec<u8>)> = HashSet::new();
    for topic in 0..qrels.len() as u32 {
        let number = pooled.topic(qrels.topic_bytes(topic));
        for (doc, grade) in qrels.judgements(topic) {
            known.insert((number, doc.to_vec()));
            pooled.push(number, doc, grade, 0)?;
        }
    }
    for run in runs {
        let mut entries = io::read_run(run, io::detect_run(run)?, lenient, &mut Warnings::default())?;
        entries.group();
        for topic in 0..entries.topic_count() as u32 {
            let Some(number) = qrels.find(entries.topic_name(topic)) else { continue };
            for row in entries.rows(topic) {
                let doc = entries.doc(row);
                if known.insert((number, doc.to_vec())) {
                    pooled.push(number, doc, UNJUDGED, 0)?;
                }
            }
        }
    }
    let mut pooled = Qrels::new(pooled).map_err(|d| Error::usage(format!("document {} stands twice in topic {}", d.doc, d.topic)))?;
    pooled.set_max_grade(qrels.max_grade());
    Ok(pooled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{QrelsOptions, read_qrels};

    fn qrels(text: &str) -> Qrels {
        read_qrels(&Source::from_bytes("qrels", text), QrelsOptions::default(), &mut Warnings::default()).unwrap()
    }

    fn mean(metric: &Metric, judged: &str, run: &str) -> f64 {
        let judged = qrels(judged);
        let metrics = [metric.clone()];
        let scores = Evaluation::new(&judged, &metrics).run(&Source::from_bytes("run", run), &mut Warnings::default()).unwrap();
        scores.column(0).flatten().sum::<f64>() / scores.topics.len() as f64
    }

    /// Every completion of the unjudged documents, by writing it into the judgements and scoring both runs.
    #[test]
    fn as_all_completions() {
        let judged = "1 0 a 2\n1 0 b 0\n2 0 a 1\n2 0 c 0\n";
        let runs = [
            "1 Q0 x 1 9 r\n1 Q0 a 2 8 r\n1 Q0 y 3 7 r\n2 Q0 a 1 9 r\n2 Q0 x 2 8 r\n",
            "1 Q0 b 1 9 r\n1 Q0 x 2 8 r\n1 Q0 z 3 7 r\n2 Q0 x 1 9 r\n2 Q0 a 2 8 r\n",
        ];
        let open = ["1 0 x", "1 0 y", "1 0 z", "2 0 x"];
        let sources = runs.map(|r| Source::from_bytes("run", r));
        let qrels = qrels(judged);
        let joint = JointRanges::new(&qrels, Policy::default(), false, &sources).unwrap();
        for (name, exact) in [("P@2", true), ("DCG@3", true), ("nDCG@3", false), ("AP", false), ("RR", false)] {
            let metric: Metric = name.parse().unwrap();
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for code in 0..3usize.pow(open.len() as u32) {
                let grades = (0..open.len()).map(|i| format!("{} {}\n", open[i], code / 3usize.pow(i as u32) % 3));
                let completed = judged.to_string() + &grades.collect::<String>();
                let difference = mean(&metric, &completed, runs[0]) - mean(&metric, &completed, runs[1]);
                (low, high) = (low.min(difference), high.max(difference));
            }
            let (from, to) = joint.mean_difference(&metric, 0, 1, qrels.topics()).unwrap();
            match exact {
                true => assert!((from - low).abs() < 1e-12 && (to - high).abs() < 1e-12, "{name}: {from} to {to}, not {low} to {high}"),
                false => assert!(from <= low + 1e-12 && to >= high - 1e-12, "{name}: {from} to {to} does not hold {low} to {high}"),
            }
            // Where both runs hold the same unjudged documents in their top two, judging them changes nothing.
            assert_eq!(from < to, name != "P@2", "{name}");
        }
    }
}
