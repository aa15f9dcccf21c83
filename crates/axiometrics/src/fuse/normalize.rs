//! Scales on which the scores of different runs can be brought together.

use super::topic::{Ranked, Topic};
use crate::choice::choices;
use crate::data::by_score;

/// How the scores of a ranking are brought to a common scale, topic by topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Normalization {
    /// From 0, the lowest score, to 1, the highest.
    #[default]
    MinMax,
    /// The same upside down, for distances, of which the lowest is the best.
    MinMaxInverted,
    /// Divided by the highest score.
    Max,
    /// Moved so that the lowest is 0, and divided so that they add up to 1.
    Sum,
    /// Zero mean and unit variance.
    Zmuv,
    /// By rank: 1 for the first, 1/n for the last of n.
    Rank,
    /// By rank among the documents of all runs; those that a run lacks share what is left.
    Borda,
    /// As they are.
    None,
}

choices! {
    Normalization {
        MinMax "min-max" "from 0 for the lowest score to 1 for the highest",
        MinMaxInverted "min-max-inverted" "the same upside down, for distances",
        Max "max" "divided by the highest score",
        Sum "sum" "moved to 0 at the lowest, divided so that they add up to 1",
        Zmuv "zmuv" "mean 0 and variance 1",
        Rank "rank" "by rank, from 1 down to 1/n",
        Borda "borda" "by rank among the documents of all runs",
        None "none" "as they are",
    }
}

/// What a range of scores is divided by at least, so that equal scores are no division by zero.
const SMALLEST: f64 = 1e-9;

impl Normalization {
    pub(super) fn apply(self, mut topic: Topic<'_>) -> Topic<'_> {
        let all = topic.documents.len();
        for list in &mut topic.lists {
            match self {
                Normalization::None => {}
                Normalization::Borda => borda(list, all),
                _ => self.rescale(list),
            }
            if matches!(self, Normalization::MinMaxInverted | Normalization::Borda) {
                list.sort_by(|a, b| by_score(a.score, b.score));
            }
        }
        topic
    }

    /// The list is not empty of meaning if it is empty: then there is nothing to do.
    fn rescale(self, list: &mut [Ranked]) {
        let scores = || list.iter().map(|ranked| ranked.score);
        let n = list.len() as f64;
        let (low, high) =
            (scores().fold(f64::INFINITY, f64::min), scores().fold(f64::NEG_INFINITY, f64::max));
        let (zero, unit) = match self {
            Normalization::MinMax => (low, high - low),
            Normalization::MinMaxInverted => (high, high - low),
            Normalization::Max => (0.0, high),
            Normalization::Sum => (low, scores().sum::<f64>() - low * n),
            Normalization::Zmuv => {
                let mean = scores().sum::<f64>() / n;
                let variance = scores().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
                (mean, variance.sqrt())
            }
            _ => (0.0, 1.0),
        };
        let unit = unit.max(SMALLEST);
        for (rank, ranked) in list.iter_mut().enumerate() {
            ranked.score = match self {
                Normalization::Rank => 1.0 - rank as f64 / n,
                Normalization::MinMaxInverted => (zero - ranked.score) / unit,
                _ => (ranked.score - zero) / unit,
            };
        }
    }
}

/// Points by rank for documents that are ranked, and what is left, shared out, for the others.
fn borda(list: &mut Vec<Ranked>, all: usize) {
    let (n, ranked) = (all as f64, list.len());
    let mut met = vec![false; all];
    for (rank, entry) in list.iter_mut().enumerate() {
        met[entry.document as usize] = true;
        entry.score = 1.0 - rank as f64 / n;
    }
    let left = 0.5 - (ranked as f64 - 1.0) / (2.0 * n);
    let missing = (0..all as u32).filter(|document| !met[*document as usize]);
    list.extend(missing.map(|document| Ranked { document, score: left }));
}
