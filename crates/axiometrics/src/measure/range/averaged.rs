//! Discounted gain averaged over the relevant documents, each time over that of the best order, for
//! grades 0 and 1.
//!
//! As in [`Prefix`], of t relevant open documents the first t give the highest score and the last t
//! the lowest. Down to a relevant document the ranking gains what the dense or the sparse ranking
//! does ([`Candidates`]), up to a difference that is the same for all below the place where one
//! becomes the other: so each t costs a few look-ups in sums over both rankings. They only choose
//! which t to look at; the score there is the measure's own.

use super::candidates::{Candidates, Dense, SplitRanking};
use super::{Completion, Ends, Prefix, Range, RangeAlgorithm, RangeKind, ScoreOf};

/// The mean over all relevant documents of the discounted gain down to each, over that of the best
/// order; for one that was not retrieved, of the whole ranking.
pub struct Averaged<'a> {
    /// What a gain at a rank is divided by.
    pub discount: Box<dyn Fn(u32) -> f64 + Send + Sync + 'a>,
}

/// With fewer steps than this one by one is faster.
const FEW: u64 = 1 << 14;

impl RangeAlgorithm for Averaged<'_> {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        if u64::from(all.open()) * u64::from(all.retrieved()) < FEW {
            return Prefix.range(all, score);
        }
        let candidates = Candidates::new(all, 1.0);
        let most = all.retrieved().max(candidates.relevant.saturating_add(candidates.open));
        let mut best = vec![0.0];
        for rank in 1..=most {
            best.push(best[best.len() - 1] + 1.0 / (self.discount)(rank));
        }
        let [dense, sparse] = [&candidates.dense, &candidates.sparse]
            .map(|ranks| RankingSums::new(ranks, &best, |rank| 1.0 / (self.discount)(rank)));
        let mut ends = Ends::default();
        for side in [Dense::Above, Dense::Below] {
            let value = |t: u32| {
                let split = candidates.split(side, t);
                let (above, below) = match side {
                    Dense::Above => ((&dense, split.dense), (&sparse, split.sparse)),
                    Dense::Below => ((&sparse, split.sparse), (&dense, split.dense)),
                };
                mean(&split, above, below, &best)
            };
            // The score of no relevant document is undefined.
            let numbers = u32::from(candidates.relevant == 0)..=candidates.open;
            let chosen = match side {
                Dense::Above => numbers.max_by(|a, b| value(*a).total_cmp(&value(*b))),
                Dense::Below => numbers.min_by(|a, b| value(*a).total_cmp(&value(*b))),
            };
            for t in chosen.into_iter().chain([0]) {
                let topic = if side == Dense::Above { all.prefix(t) } else { all.suffix(t) };
                ends.add(score(&topic.view()));
            }
        }
        Range::between(ends, RangeKind::Exact)
    }
}

/// Sums over the first documents of a ranking, from none to all of them.
struct RankingSums {
    ranks: Vec<u32>,
    sums: Vec<GainSums>,
}

/// Of some documents at the top of a ranking.
#[derive(Debug, Clone, Copy, Default)]
struct GainSums {
    /// What they gain.
    gain: f64,
    /// The gain down to each, summed; and the same over the best gain down to its rank.
    gains: f64,
    shares: f64,
    /// One over the best gain down to the rank of each, summed.
    inverses: f64,
}

impl RankingSums {
    fn new(ranks: &[u32], best: &[f64], weight: impl Fn(u32) -> f64) -> RankingSums {
        let mut sums = vec![GainSums::default()];
        for rank in ranks {
            let last = sums[sums.len() - 1];
            let gain = last.gain + weight(*rank);
            let inverse = 1.0 / best[*rank as usize];
            sums.push(GainSums {
                gain,
                gains: last.gains + gain,
                shares: last.shares + gain * inverse,
                inverses: last.inverses + inverse,
            });
        }
        RankingSums { ranks: ranks.to_vec(), sums }
    }

    /// Over the documents from one place to another, of the gain down to each and so much more, over
    /// the best gain there of so many relevant documents.
    fn sum(&self, from: usize, to: usize, more: f64, relevant: u32, best: &[f64]) -> f64 {
        // Below the rank of the last relevant document the best order gains no more.
        let full = self.ranks.partition_point(|rank| *rank <= relevant).clamp(from, to);
        let [from, full, to] = [from, full, to].map(|place| (place as f64, self.sums[place]));
        let growing = full.1.shares - from.1.shares + more * (full.1.inverses - from.1.inverses);
        let rest = to.1.gains - full.1.gains + more * (to.0 - full.0);
        growing + rest / best[relevant as usize]
    }
}

/// The score of a ranking that is one above a place and another below it.
fn mean(
    split: &SplitRanking,
    above: (&RankingSums, usize),
    below: (&RankingSums, usize),
    best: &[f64],
) -> f64 {
    let relevant = split.relevant;
    let more = above.0.sums[above.1].gain - below.0.sums[below.1].gain;
    let end = below.0.ranks.len();
    let sum = above.0.sum(0, above.1, 0.0, relevant, best)
        + below.0.sum(below.1, end, more, relevant, best);
    let missing = f64::from(relevant) - (above.1 + end - below.1) as f64;
    let whole = (below.0.sums[end].gain + more) / best[relevant as usize];
    (sum + missing * whole) / f64::from(relevant)
}

#[cfg(test)]
mod tests {
    use super::super::peaks::tests::agrees_with_each_number;

    #[test]
    fn ends_are_those_of_each_number() {
        agrees_with_each_number("ndcg_rel ndcg_rel(gains={1:3})", &[1]);
    }
}
