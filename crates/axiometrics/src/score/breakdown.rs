//! A score taken apart: what each document of one ranking adds to it.
//!
//! The running total at a rank is the score of the ranking that ends there, so the last one is the
//! score itself, whatever the measure.

mod running;

use serde::Serialize;

use super::ranges::{Absent, Range, Ranger, Vary};
use crate::align::{Aligner, Policy};
use crate::data::{Judged, Needs, Qrels, Run, id_text};
use crate::error::{Error, Result};
use crate::measure::structure::Combine;
use crate::measure::user::Walk;
use crate::measure::{Metric, Score};
use crate::policy::Ties;
use crate::remedy::{Remedy, Setting};
use running::{EACH, Running};

/// The score of one topic, document by document.
#[derive(Debug, Clone)]
pub struct Breakdown {
    /// The documents in the order of the ranking, from the top.
    pub lines: Vec<RankLine>,
    /// Those below, if the ranking is too long to take all of it apart.
    pub rest: Option<Rest>,
    /// The score, as `eval` has it.
    pub score: Score,
    /// What the products of gain and weight are divided by, if the measure is a sum of these.
    pub normaliser: Option<f64>,
    /// The range of the score, or why it has none.
    pub range: std::result::Result<Range, Absent>,
    /// The user whom the measure models, if it models one.
    pub user: Option<Reader>,
}

/// The documents that a score is not taken apart for.
#[derive(Debug, Clone, Serialize)]
pub struct Rest {
    /// How many they are.
    pub documents: u32,
    /// What they add to the score together; `None` if that is undefined.
    pub contribution: Option<f64>,
}

/// One document.
#[derive(Debug, Clone, Serialize)]
pub struct RankLine {
    /// Its rank.
    pub rank: u32,
    /// Its id.
    pub document: String,
    /// The score that the run gave it.
    pub score: f64,
    /// Its grade; `None` if it is unjudged.
    pub grade: Option<f64>,
    /// What the grade is worth to the measure.
    pub gain: Option<f64>,
    /// What the rank, and what stands above, makes of a gain.
    pub weight: Option<f64>,
    /// What the document adds to the running total; `None` if that is undefined.
    pub contribution: Option<f64>,
    /// The score of the ranking down to here.
    pub total: Option<f64>,
    /// By how much the score would change, were this unjudged document of the highest grade; `None`
    /// for a judged one.
    pub if_relevant: Option<f64>,
    /// C, W and L of the user model, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<ReadingAtRank>,
}

/// What a user does at one rank.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ReadingAtRank {
    /// C: the probability of reading on.
    pub continuation: f64,
    /// W: the share of attention.
    pub weight: f64,
    /// L: the probability that this is the last document read.
    pub last: f64,
}

/// What a user does in all.
#[derive(Debug, Clone, Serialize)]
pub struct Reader {
    /// C(i), as a formula.
    pub continuation: String,
    /// How many documents are read, on average.
    pub documents: f64,
    /// The gain per document read, which many measures have for their score.
    pub utility: f64,
    /// The gain in all.
    pub total_utility: f64,
    /// What reading one document costs.
    pub cost: f64,
    /// What reading costs in all.
    pub total_cost: f64,
    /// How many relevant documents were retrieved, and how many there are, if the score is the
    /// utility times this share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<(u32, u32)>,
}

impl Breakdown {
    /// Takes the score of one topic of a run apart.
    pub fn new(
        metric: &Metric,
        qrels: &Qrels,
        run: &Run,
        topic: &str,
        policy: Policy,
    ) -> Result<Breakdown> {
        aligned(metric, qrels, run, topic, policy, |judged, document| {
            Breakdown::of_topic(metric, judged, document)
        })
    }

    /// The same of a judged topic, with the id and the score of the document at each rank.
    fn of_topic(
        metric: &Metric,
        topic: &Judged<'_>,
        document: impl Fn(u32) -> (String, f64),
    ) -> Breakdown {
        // In a cascade no rank has a weight of its own.
        let shape = metric.structure().shape.filter(|s| s.combine != Combine::Cascade);
        let score = metric.score(topic);
        let Running { totals, if_relevant } = Running::of(metric, topic, score, EACH);
        let mut cumulated = 0.0;
        let mut lines = Vec::with_capacity(if_relevant.len());
        let k = metric.args().cutoff().unwrap_or(u32::MAX);
        let user = metric.user();
        let walk = user.as_ref().and_then(|user| user.walk(topic, topic.retrieved));
        for ((rank, ends), if_relevant) in (1..).zip(totals.windows(2)).zip(if_relevant) {
            let (document, run_score) = document(rank);
            let hit = topic.hits.at(rank).filter(|h| h.grade >= 0.0);
            let (before, total) = (ends[0], ends[1]);
            let gain = shape
                .map(|s| hit.map_or(0.0, |h| s.gain.of(h.grade, *topic.max_grade)))
                .or(walk.as_ref().map(|w| w.gain(rank)));
            cumulated += gain.unwrap_or(0.0);
            let weight = shape.map(|s| match s.combine {
                _ if rank > k => 0.0,
                Combine::Cumulated => s.weights.at(rank) * cumulated,
                _ => s.weights.at(rank),
            });
            lines.push(RankLine {
                rank,
                document,
                score: run_score,
                grade: hit.map(|h| h.grade),
                gain,
                weight,
                contribution: total.map(|t| t - before.unwrap_or(0.0)),
                total,
                if_relevant,
                user: walk.as_ref().map(|walk| reading(walk, rank)),
            });
        }
        let additive = shape.is_some_and(|s| s.combine != Combine::Best);
        let largest = lines
            .iter()
            .filter_map(|l| Some((l.gain? * l.weight?, l.contribution?)))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let normaliser = largest
            .filter(|(product, part)| additive && *product > 0.0 && *part > 0.0)
            .map(|(product, part)| product / part);
        let explains = |n: &f64| {
            lines.iter().all(|l| {
                l.gain
                    .zip(l.weight)
                    .zip(l.contribution)
                    .is_some_and(|((g, w), c)| (g * w / n - c).abs() < 1e-9)
            })
        };
        let normaliser = normaliser.filter(explains);
        let user = user.zip(walk).map(|(user, walk)| Reader {
            continuation: user.continuation,
            documents: walk.documents,
            utility: walk.utility(),
            total_utility: walk.total_utility(),
            cost: user.cost,
            total_cost: user.cost * walk.documents,
            found: found(metric, topic, score, walk.utility()),
        });
        let range = Ranger::new(metric).range(topic, Vary::default());
        let rest = (lines.len() < topic.retrieved as usize).then(|| Rest {
            documents: topic.retrieved - lines.len() as u32,
            contribution: score
                .value()
                .map(|all| all - lines.last().and_then(|line| line.total).unwrap_or(0.0)),
        });
        Breakdown { lines, rest, score, normaliser, range, user }
    }
}

/// The relevant documents that were retrieved, and all of them, if the score is the utility of its
/// user times this share: the user of AP knows nothing of those that were not retrieved.
fn found(metric: &Metric, topic: &Judged<'_>, score: Score, utility: f64) -> Option<(u32, u32)> {
    let rel = metric.args().optional("rel")?;
    let retrieved = topic.hits.iter().filter(|hit| hit.grade >= rel).count() as u32;
    let all = topic.grades.positive.iter().filter(|grade| **grade >= rel).count() as u32;
    let share = f64::from(retrieved) / f64::from(all);
    let explains = (utility * share - score.value()?).abs() < 1e-9;
    (retrieved < all && explains && utility > 0.0).then_some((retrieved, all))
}

/// So many topics are named if the one asked for is not there.
const TOPICS_NAMED: usize = 5;

/// Aligns one topic of a run with its judgements, for one who looks at it with the id and the score
/// of the document at each rank.
pub(crate) fn aligned<T>(
    metric: &Metric,
    qrels: &Qrels,
    run: &Run,
    topic: &str,
    policy: Policy,
    look: impl FnOnce(&Judged<'_>, &dyn Fn(u32) -> (String, f64)) -> T,
) -> Result<T> {
    if matches!(policy.ties, Ties::Average | Ties::Range) {
        return Err(Error::usage("one order of the documents is taken apart, not all of them")
            .help(
                Remedy::from("choose ")
                    .option("", Setting::Ties(Ties::DocidDesc), "")
                    .option(", ", Setting::Ties(Ties::DocidAsc), "")
                    .option(" or ", Setting::Ties(Ties::File), ""),
            ));
    }
    let missing = |what: &str| {
        let shared = qrels.topics().iter().filter(|t| run.find(qrels.topic_bytes(**t)).is_some());
        let named: Vec<String> = shared.take(TOPICS_NAMED).map(|t| qrels.topic_name(*t)).collect();
        let help = if named.is_empty() {
            "they have no topic in common".to_string()
        } else {
            format!("both have topics {}", named.join(", "))
        };
        Error::usage(format!("topic \"{topic}\" is not in the {what}")).help(help)
    };
    let judged_topic = qrels.find(topic.as_bytes()).ok_or_else(|| missing("judgements"))?;
    let run_topic = run.find(topic.as_bytes()).ok_or_else(|| missing("run"))?;
    let policy =
        Policy { needs: metric.needs().union(Needs::JUDGED).union(policy.needs), ..policy };
    let mut aligner = Aligner::new(qrels, policy);
    // A run has each document of a topic once.
    let aligned = aligner.align(judged_topic, run.listing(run_topic));
    let (judged, _) = aligned.map_err(|_| Error::usage("a document came twice in its topic"))?;
    let ranking = run.ranking(run_topic, policy.ties, policy.scores);
    Ok(look(&judged, &|rank| {
        let (doc, score) = ranking[rank as usize - 1];
        (id_text(doc).into_owned(), score)
    }))
}

/// What the user does at a rank.
fn reading(walk: &Walk, rank: u32) -> ReadingAtRank {
    ReadingAtRank {
        continuation: walk.continuation(rank),
        weight: walk.weight(rank),
        last: walk.last(rank),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::definitions;
    use crate::measure::tests::topic;

    /// Whatever the measure, the last running total is the score, bit for bit, and contributions
    /// add up to it.
    #[test]
    fn totals_are_scores() {
        for def in definitions() {
            for example in def.examples {
                let metric: Metric = example.measure.parse().unwrap();
                let topic = topic(example.ranking);
                let parts =
                    Breakdown::of_topic(&metric, &topic.view(), |rank| (rank.to_string(), 0.0));
                if let (Some(last), Score::Value(score)) = (parts.lines.last(), &parts.score) {
                    assert_eq!(last.total, Some(*score), "{}", example.measure);
                }
            }
        }
    }

    #[test]
    fn nothing_weighs_below_the_cutoff() {
        let topic = topic("1 1 1");
        let parts = Breakdown::of_topic(&"P@2".parse().unwrap(), &topic.view(), |rank| {
            (rank.to_string(), 0.0)
        });
        let weights: Vec<f64> = parts.lines.iter().filter_map(|l| l.weight).collect();
        assert_eq!(weights, [1.0, 1.0, 0.0]);
        let contributions: Vec<f64> = parts.lines.iter().filter_map(|l| l.contribution).collect();
        assert_eq!(contributions, [0.5, 0.5, 0.0]);
        assert_eq!(parts.normaliser, Some(2.0));
        assert!(parts.rest.is_none());
    }

    /// The best document alone counts for RR, so its parts are no sum, even if there is but one.
    #[test]
    fn only_a_sum_has_a_normaliser() {
        let normaliser = |metric: &str| {
            let (metric, topic) = (metric.parse().unwrap(), topic("0 1 0"));
            Breakdown::of_topic(&metric, &topic.view(), |rank| (rank.to_string(), 0.0)).normaliser
        };
        assert_eq!((normaliser("RR"), normaliser("P@2")), (None, Some(2.0)));
    }

    /// The documents at ranks 2 and 4 are in the pool and not judged. Each is given the highest grade
    /// in the judgements, and all is scored anew, by every measure that has a score for both.
    #[test]
    fn a_document_of_the_pool_counts_as_if_it_had_been_judged_relevant() {
        let documents = ["c", "b", "a", "e", "d"];
        let run = Run::from_columns(&["1"; 5], &documents, &[5.0, 4.0, 3.0, 2.0, 1.0]).unwrap();
        let parts = |metric: &Metric, b: f64, e: f64| {
            let grades = [0.0, b, 1.0, e, 1.0];
            let qrels = Qrels::from_columns(&["1"; 5], &documents, &grades).unwrap();
            Breakdown::new(metric, &qrels, &run, "1", Policy::default()).ok()
        };
        let mut compared = 0;
        for def in definitions() {
            for example in def.examples {
                let metric: Metric = example.measure.parse().unwrap();
                let Some(before) = parts(&metric, -1.0, -1.0) else { continue };
                for (rank, b, e) in [(2, 1.0, -1.0), (4, -1.0, 1.0)] {
                    let after = parts(&metric, b, e).unwrap();
                    let Some((x, y)) = before.score.value().zip(after.score.value()) else {
                        continue;
                    };
                    let found = before.lines[rank - 1].if_relevant.unwrap();
                    assert!((found - (y - x)).abs() < 1e-12, "{metric} {rank}: {found}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 100, "{compared}");
    }

    #[test]
    fn by_hand() {
        let topic = topic("1 - 1 0 | 1");
        let parts = Breakdown::of_topic(&"RBP(p=0.5)".parse().unwrap(), &topic.view(), |rank| {
            (rank.to_string(), 0.0)
        });
        let contributions: Vec<f64> = parts.lines.iter().filter_map(|l| l.contribution).collect();
        assert_eq!(contributions, [0.5, 0.0, 0.125, 0.0]);
        assert_eq!(parts.lines[1].if_relevant, Some(0.25));
        assert_eq!(parts.normaliser, Some(2.0));
        let user = parts.user.unwrap();
        assert_eq!((user.documents, user.utility, user.total_utility), (2.0, 0.625, 1.25));
        let at = parts.lines[1].user.unwrap();
        assert_eq!((at.continuation, at.weight, at.last), (0.5, 0.25, 0.25));
        let range = parts.range.unwrap();
        assert_eq!((range.low, range.high, range.tail), (0.625, 0.9375, 0.0625));
        let parts = Breakdown::of_topic(&"AP".parse().unwrap(), &topic.view(), |rank| {
            (rank.to_string(), 0.0)
        });
        let totals: Vec<f64> = parts.lines.iter().filter_map(|l| l.total).collect();
        assert_eq!(
            totals,
            [1.0 / 3.0, 1.0 / 3.0, (1.0 + 2.0 / 3.0) / 3.0, (1.0 + 2.0 / 3.0) / 3.0]
        );
        assert!((parts.normaliser.unwrap() - 3.0).abs() < 1e-12);
    }

    /// So many documents, of which those at these ranks are relevant and those at others, if there
    /// are any, judged and not relevant.
    fn long(metric: &str, documents: usize, relevant: &[usize], others: &[usize]) -> Breakdown {
        let ids: Vec<String> = (1..=documents).map(|rank| format!("d{rank}")).collect();
        let of = |ranks: &[usize], grade: f64| {
            ranks.iter().map(|rank| (ids[rank - 1].clone(), grade)).collect::<Vec<_>>()
        };
        let judged = [of(relevant, 1.0), of(others, 0.0)].concat();
        let (docs, grades): (Vec<String>, Vec<f64>) = judged.into_iter().unzip();
        let qrels = Qrels::from_columns(&vec!["1"; docs.len()], &docs, &grades).unwrap();
        let scores: Vec<f64> = (0..documents).rev().map(|score| score as f64).collect();
        let run = Run::from_columns(&vec!["1"; documents], &ids, &scores).unwrap();
        Breakdown::new(&metric.parse().unwrap(), &qrels, &run, "1", Policy::default()).unwrap()
    }

    /// All ranks of a long ranking are answered if the measure is a sum, also if nothing is found
    /// and no open document counts.
    #[test]
    fn sums_are_taken_apart_to_the_end() {
        let parts = long("AP", 1005, &[2, 1003], &[]);
        assert!(parts.rest.is_none());
        let totals: Vec<f64> = [1, 2, 1002, 1003, 1005]
            .map(|rank: usize| parts.lines[rank - 1].total.unwrap())
            .to_vec();
        let all = (0.5 + 2.0 / 1003.0) / 2.0;
        for (found, expected) in totals.iter().zip([0.0, 0.25, 0.25, all, all]) {
            assert!((found - expected).abs() < 1e-12, "{totals:?}");
        }
        let nothing = long("P@2", 1005, &[1004], &[1, 2]);
        assert_eq!((nothing.lines.len(), nothing.score), (1005, Score::Value(0.0)));
        assert_eq!(nothing.lines[2].if_relevant, Some(0.0));
    }

    /// Relevant documents at ranks 2 and 1003 of 1005. The best order of the first thousand has one
    /// relevant document, that of all has two.
    #[test]
    fn what_is_below_the_thousandth_rank_is_told_together() {
        let parts = long("SNDCG@2000", 1005, &[2, 1003], &[]);
        let rest = parts.rest.unwrap();
        assert_eq!((parts.lines.len(), rest.documents), (1000, 5));
        let (second, last) = (1.0 / 3f64.log2(), 1.0 / 1004f64.log2());
        let expected = (second + last) / (1.0 + second) - second;
        assert!((rest.contribution.unwrap() - expected).abs() < 1e-12, "{rest:?}, not {expected}");
    }
}
