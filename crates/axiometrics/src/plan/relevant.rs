//! How many relevant documents there are besides those that were judged.
//!
//! Recall, AP and nDCG divide by R, and a pool finds a part of R only. Two estimates of the rest:
//! what few runs found says how much none found (Chao 1987), and how fast new relevant documents
//! became rare from rank to rank says how many would have come below (Zobel 1998).

use hashbrown::{HashMap, HashSet};
use serde::Serialize;

use super::rankings::{RankedDocuments, Rankings};
use crate::data::{Qrels, id_text};
use crate::error::{Error, Result};

/// What is known of R and what is likely.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RelevantPlan {
    /// Topic by topic.
    pub topics: Vec<TopicRelevant>,
    /// What deeper pools would find, over all topics; `None` if the judged depth is too small or
    /// holds nothing relevant.
    pub trend: Option<PoolTrend>,
}

/// The relevant documents of a topic.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TopicRelevant {
    /// The topic.
    pub topic: String,
    /// How many are known: R of the judgements.
    pub known: usize,
    /// How many of these exactly one run retrieved.
    pub once: usize,
    /// How many exactly two did.
    pub twice: usize,
    /// How many there are, at least, by the runs' overlap.
    pub estimate: f64,
}

/// New relevant documents from rank to rank: `scale * rank^slope` at each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PoolTrend {
    /// Down to here every run was judged.
    pub depth: u32,
    /// How many relevant documents stand there.
    pub found: usize,
    /// What is expected at rank 1.
    pub scale: f64,
    /// How fast that falls.
    pub slope: f64,
    /// The depth of a deeper pool.
    pub deeper: u32,
    /// How many more it would find.
    pub more: f64,
}

/// Estimates R. `depth` is how deep all runs were judged; it is found if nothing is said. `deeper`
/// is the depth of the pool that one might have.
pub fn relevant(
    qrels: &Qrels,
    rankings: &Rankings,
    rel: f64,
    depth: Option<u32>,
    deeper: u32,
) -> Result<RelevantPlan> {
    let mut topics = Vec::new();
    let mut judged_depth = u32::MAX;
    let mut first_ranks: Vec<u32> = Vec::new();
    for (name, runs) in rankings.topics() {
        let Some(topic) = qrels.find(name) else { continue };
        let grades: HashMap<&[u8], f64> = qrels.judgements(topic).collect();
        let relevant = |id: &[u8]| grades.get(id).is_some_and(|grade| *grade >= rel);
        let mut counts: HashMap<&[u8], (usize, u32)> = HashMap::new();
        for ranking in runs {
            for (rank, id) in (1..).zip(ranking).filter(|(_, id)| relevant(id)) {
                let (runs, first) = counts.entry(id.as_slice()).or_insert((0, rank));
                *runs += 1;
                *first = rank.min(*first);
            }
            judged_depth = judged_depth.min(fully_judged(ranking, &grades));
        }
        first_ranks.extend(counts.values().map(|(_, first)| *first));
        let found_by = |n: usize| counts.values().filter(|(runs, _)| *runs == n).count();
        let known = grades.values().filter(|grade| **grade >= rel).count();
        let (once, twice) = (found_by(1), found_by(2));
        let missing = (once * once.saturating_sub(1)) as f64 / (2 * (twice + 1)) as f64;
        let estimate = (counts.len() as f64 + missing).max(known as f64);
        let topic = id_text(name).into_owned();
        topics.push(TopicRelevant { topic, known, once, twice, estimate });
    }
    if topics.is_empty() {
        return Err(Error::usage("the runs have no topic that was judged")
            .help("check that runs and judgements belong together"));
    }
    let depth = depth.unwrap_or(judged_depth);
    Ok(RelevantPlan { topics, trend: trend(&first_ranks, depth, deeper) })
}

/// The rank down to which every document was judged; beyond every rank if all of them were.
fn fully_judged(ranking: &RankedDocuments, grades: &HashMap<&[u8], f64>) -> u32 {
    let judged = |id: &[u8]| grades.get(id).is_some_and(|grade| *grade >= 0.0);
    let open = ranking.iter().position(|id| !judged(id));
    open.map_or(u32::MAX, |rank| rank as u32)
}

/// The power law under which these first ranks are the likeliest.
fn trend(first_ranks: &[u32], depth: u32, deeper: u32) -> Option<PoolTrend> {
    let deepest = first_ranks.iter().copied().max()?;
    let depth = depth.min(deepest.max(2));
    let within: Vec<f64> = first_ranks
        .iter()
        .filter(|rank| **rank <= depth)
        .map(|rank| f64::from(*rank).ln())
        .collect();
    let different: HashSet<u64> = within.iter().map(|x| x.to_bits()).collect();
    if depth < 2 || different.len() < 2 {
        return None;
    }
    let mean = within.iter().sum::<f64>() / within.len() as f64;
    let sums = |slope: f64| {
        (1..=depth).fold((0.0, 0.0), |(all, logs), rank| {
            let x = f64::from(rank);
            let weight = x.powf(slope);
            (all + weight, logs + weight * x.ln())
        })
    };
    // The mean logarithm of a rank grows with the slope.
    let (mut low, mut high) = (-STEEPEST, STEEPEST);
    for _ in 0..100 {
        let slope = (low + high) / 2.0;
        let (all, logs) = sums(slope);
        if logs / all < mean { low = slope } else { high = slope }
    }
    let slope = (low + high) / 2.0;
    let scale = within.len() as f64 / sums(slope).0;
    let more = (depth + 1..=deeper).map(|rank| scale * f64::from(rank).powf(slope)).sum();
    Some(PoolTrend { depth, found: within.len(), scale, slope, deeper, more })
}

/// No count of documents falls faster than with this power of the rank.
const STEEPEST: f64 = 20.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::Policy;
    use crate::data::Run;

    fn plan(deeper: u32) -> RelevantPlan {
        let documents = ["a", "b", "c", "d", "e", "x"];
        let grades = [1.0, 1.0, 1.0, 1.0, 1.0, 0.0];
        let qrels = Qrels::from_columns(&["1"; 6], &documents, &grades).unwrap();
        let mut rankings = Rankings::new();
        for run in [["a", "b", "c"], ["a", "d", "x"], ["b", "a", "z"]] {
            let run = Run::from_columns(&["1"; 3], &run, &[3.0, 2.0, 1.0]).unwrap();
            rankings.push(&run, &Policy::default());
        }
        relevant(&qrels, &rankings, 1.0, None, deeper).unwrap()
    }

    #[test]
    fn overlap_by_hand() {
        // a is in three runs, b in two, c and d in one: 4 + 2 * 1 / (2 * 2) = 4.5; 5 are known.
        let topic = &plan(10).topics[0];
        assert_eq!((topic.known, topic.once, topic.twice), (5, 2, 1));
        assert_eq!(topic.estimate, 5.0);
    }

    #[test]
    fn a_trend_gives_back_what_it_was_fitted_to() {
        // z is unjudged at rank 3, so the runs are judged to rank 2: a and b first at 1, d at 2.
        let trend = plan(4).trend.unwrap();
        assert_eq!((trend.depth, trend.found), (2, 3));
        // 2 at rank 1 and 1 at rank 2: 2 * rank^-1
        assert!((trend.scale - 2.0).abs() < 1e-9 && (trend.slope + 1.0).abs() < 1e-9);
        assert!((trend.more - (2.0 / 3.0 + 0.5)).abs() < 1e-9);
    }
}
