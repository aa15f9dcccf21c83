//! The best precision at some share of the relevant documents or any later one: interpolated
//! precision.
//!
//! As in [`Prefix`], of t relevant open documents the first t give the highest score and the last t
//! the lowest. Above the place where a ranking turns from dense to sparse, or from sparse to dense
//! ([`Candidates`]), the precision at a document does not depend on t; below it grows or falls
//! linearly in t. So the best precision is the highest of some numbers and the highest of some lines
//! ([`PrecisionLines`]), each over a stretch of the ranking.

use super::candidates::{Candidates, Dense};
use super::{Completion, Ends, Extremes, Prefix, Range, RangeAlgorithm, RangeKind, ScoreOf};

/// The mean, over some levels, of the best precision at a number of relevant documents or more.
pub struct Peaks<'a> {
    /// The lowest relevant grade.
    pub rel: f64,
    /// The numbers if so many documents are relevant, one for each level.
    pub needed: Box<dyn Fn(u32) -> Vec<usize> + Send + Sync + 'a>,
}

/// With fewer steps than this one by one is faster.
const FEW: u64 = 1 << 14;

impl RangeAlgorithm for Peaks<'_> {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        if self.rel <= 0.0 || self.rel > all.max_grade() {
            // No grade of an open document decides on its relevance.
            return Extremes(RangeKind::Exact).range(all, score);
        }
        if u64::from(all.open()) * u64::from(all.retrieved()) < FEW {
            return Prefix.range(all, score);
        }
        let candidates = Candidates::new(all, self.rel);
        let [dense, sparse] =
            [&candidates.dense, &candidates.sparse].map(|ranks| PrecisionLines::new(ranks));
        let mut ends = Ends::default();
        for side in [Dense::Above, Dense::Below] {
            let (above, below) = match side {
                Dense::Above => (&dense, &sparse),
                Dense::Below => (&sparse, &dense),
            };
            let value = |t: u32| -> f64 {
                let split = candidates.split(side, t);
                let (turn, other) = match side {
                    Dense::Above => (split.dense, split.sparse),
                    Dense::Below => (split.sparse, split.dense),
                };
                // How many more relevant documents stand above one below the turn than in the
                // ranking that it is of.
                let more = turn as f64 - other as f64;
                let best = |needed: usize| {
                    let first = needed.max(1) - 1;
                    let level = above.highest(first.min(turn), turn, 0.0);
                    let later = (first as f64 - more).max(other as f64) as usize;
                    level.max(below.highest(later, below.ranks.len(), more))
                };
                (self.needed)(split.relevant).into_iter().map(best).sum()
            };
            let numbers = u32::from(candidates.relevant == 0)..=candidates.open;
            let values = numbers.map(|t| (t, value(t)));
            let chosen = match side {
                Dense::Above => values.max_by(|a, b| a.1.total_cmp(&b.1)),
                Dense::Below => values.min_by(|a, b| a.1.total_cmp(&b.1)),
            };
            for t in chosen.map(|(t, _)| t).into_iter().chain([0]) {
                let topic = if side == Dense::Above { all.prefix(t) } else { all.suffix(t) };
                ends.add(score(&topic.view()));
            }
        }
        Range::between(ends, RangeKind::Exact)
    }
}

/// The precision at each document of a ranking, as a line: (n + x) / rank, where n relevant
/// documents stand down to it in this ranking and x more than in this ranking.
///
/// A tree over the ranking: each of its nodes has the lines of some documents that are highest
/// anywhere.
struct PrecisionLines {
    ranks: Vec<u32>,
    /// The number of leaves.
    width: usize,
    /// By node, the numbers of its highest lines, from the one that is highest for small x on.
    nodes: Vec<Vec<u32>>,
}

impl PrecisionLines {
    fn new(ranks: &[u32]) -> PrecisionLines {
        let width = ranks.len().next_power_of_two();
        let mut lines =
            PrecisionLines { ranks: ranks.to_vec(), width, nodes: vec![Vec::new(); 2 * width] };
        for i in 0..ranks.len() {
            lines.nodes[width + i] = vec![i as u32];
        }
        for node in (1..width).rev() {
            // Lines rise the less, the lower the document stands.
            let rising = lines.nodes[2 * node + 1].iter().chain(&lines.nodes[2 * node]);
            let mut highest: Vec<u32> = Vec::new();
            for line in rising {
                while let [.., a, b] = highest[..] {
                    // The middle one of three is never highest if the outer ones meet above it.
                    if lines.meet(a, *line) > lines.meet(a, b) {
                        break;
                    }
                    highest.pop();
                }
                highest.push(*line);
            }
            lines.nodes[node] = highest;
        }
        lines
    }

    fn at(&self, line: u32, x: f64) -> f64 {
        (f64::from(line + 1) + x) / f64::from(self.ranks[line as usize])
    }

    /// From which x on the second line, which rises faster, is as high as the first.
    fn meet(&self, slow: u32, fast: u32) -> f64 {
        let [slow_rank, fast_rank] = [slow, fast].map(|i| f64::from(self.ranks[i as usize]));
        let [slow_n, fast_n] = [slow, fast].map(|i| f64::from(i + 1));
        (slow_n * fast_rank - fast_n * slow_rank) / (slow_rank - fast_rank)
    }

    /// The highest line from one document to another, the last excluded; 0 if there is none.
    fn highest(&self, from: usize, to: usize, x: f64) -> f64 {
        let mut best = 0.0f64;
        let (mut from, mut to) = (from.min(to) + self.width, to + self.width);
        while from < to {
            if from % 2 == 1 {
                best = best.max(self.of_node(from, x));
                from += 1;
            }
            if to % 2 == 1 {
                to -= 1;
                best = best.max(self.of_node(to, x));
            }
            (from, to) = (from / 2, to / 2);
        }
        best
    }

    fn of_node(&self, node: usize, x: f64) -> f64 {
        let lines = &self.nodes[node];
        // The lines before the last that is highest at x meet the next one at or before x.
        let (mut first, mut last) = (0, lines.len().saturating_sub(1));
        while first < last {
            let middle = (first + last) / 2;
            if self.meet(lines[middle], lines[middle + 1]) <= x {
                first = middle + 1;
            } else {
                last = middle;
            }
        }
        lines.get(first).map_or(0.0, |line| self.at(*line, x))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::data::{Judged, OwnedTopic};
    use crate::measure::Metric;
    use crate::measure::range::Vary;
    use crate::stats::Resampling;

    /// The ranges of measures, which are sure to be found without a look at each number of relevant
    /// documents, against those found with one.
    pub(in crate::measure::range) fn agrees_with_each_number(names: &str, tops: &[usize]) {
        let mut dice = Resampling::default().stream(11);
        for case in 0..12usize {
            let top = tops[case % tops.len()];
            let judged = dice.below(3usize);
            let mut ranking: Vec<Option<f64>> = (0..500)
                .map(|_| (dice.below(4usize) < judged).then(|| dice.below(top + 1) as f64))
                .collect();
            if case % 5 == 0 {
                ranking.iter_mut().flatten().for_each(|grade| *grade = 0.0);
            }
            let unretrieved: Vec<f64> =
                (0..dice.below(5usize)).map(|_| dice.below(top + 1) as f64).collect();
            let topic = OwnedTopic::new(&ranking, &unretrieved).with_max_grade(top as f64);
            let further = dice.below(2usize) as u32 * 70;
            for name in names.split_whitespace() {
                let metric: Metric = name.parse().unwrap();
                let score = |topic: &Judged<'_>| metric.score_complete(topic);
                let mut all = Completion::new(&topic.view(), Vary::collection(further));
                assert!(all.open() * all.retrieved() >= 1 << 17);
                let found = metric.declaration().ranges.range(&mut all, &score);
                let each = Prefix.range(&mut all, &score);
                let same = match (found, each) {
                    (Some(a), Some(b)) => {
                        let near = |x: f64, y: f64| (x - y).abs() < 1e-10;
                        near(a.low, b.low) && near(a.high, b.high) && a.undefined == b.undefined
                    }
                    (None, None) => true,
                    _ => false,
                };
                assert!(same, "case {case}, {name}: {found:?}, one by one {each:?}");
            }
        }
    }

    #[test]
    fn ends_are_those_of_each_number() {
        agrees_with_each_number("IPrec@0 IPrec@0.3 IPrec@1 IPrec11 IPrec(rel=2)@0.5", &[1, 2]);
    }
}
