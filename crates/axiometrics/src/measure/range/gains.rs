//! Discounted gain over that of the best order: nDCG and its self-normalised form.
//!
//! Gain is cut into steps. A document of gain v takes part in every step up to v, so that both sums
//! are sums over steps of a number of documents: those of the ranking at their ranks, those of the
//! best order at the first ranks, with weight W(n) for n of them.
//! - Lowest: the last t open documents have the top grade, the others 0.
//! - Highest: a quotient, so Dinkelbach's method. For the quotient x found so far, each step takes
//!   the first t open documents, so that their discounts less x W(n + t) are highest over all
//!   steps; what they make is the next x. Grades between 0 and the top are needed.

use super::{Completion, JointTopic, Jointly, Range, RangeAlgorithm, RangeKind, ScoreOf, nested};
use crate::measure::Tail;

/// Discounted gain over that of the best order. Gains never fall if the grade rises.
pub struct Gains<'a> {
    /// The cutoff.
    pub k: u32,
    /// Divided by the best order of the top k, not of all judged documents.
    pub own: bool,
    /// The gain of a grade.
    pub gain: Box<dyn Fn(f64) -> f64 + Send + Sync + 'a>,
    /// What a gain at a rank is divided by.
    pub discount: Box<dyn Fn(u32) -> f64 + Send + Sync + 'a>,
    /// Sums of discounts, kept from topic to topic. Begin with none.
    pub sums: Vec<f64>,
}

impl RangeAlgorithm for Gains<'_> {
    fn range(&mut self, all: &mut Completion, _score: &ScoreOf<'_>) -> Option<Range> {
        let mut sums = std::mem::take(&mut self.sums);
        let range = range(self, all, &mut sums);
        self.sums = sums;
        range
    }

    fn difference(
        &mut self,
        joint: &mut JointTopic<'_>,
        _score: &ScoreOf<'_>,
        _tail: &Tail<'_>,
    ) -> Jointly {
        if self.own {
            return Jointly::Apart;
        }
        let mut sums = std::mem::take(&mut self.sums);
        let range = difference(self, joint, &mut sums);
        self.sums = sums;
        range.into()
    }
}

/// A step of gain between two grades that an open document may have: the height of each of its
/// parts, and the number of judged documents that reach over it, as judged gains may lie between.
pub(super) type GainBlock = Vec<(f64, u32)>;

/// The steps of a collection.
struct GainSteps<'a> {
    blocks: Vec<GainBlock>,
    /// What the best order has of gains that every open document has.
    fixed: f64,
    /// The sum of the first n discounts, as far as the cutoff.
    sums: &'a [f64],
    /// The gain of grade 0.
    lowest: f64,
}

impl<'a> GainSteps<'a> {
    /// The steps if these grades were judged and so many documents are open. `sums` is kept from
    /// topic to topic.
    fn new(
        rule: &Gains<'_>,
        judged: &[f64],
        zeros: u32,
        open: u32,
        max_grade: f64,
        sums: &'a mut Vec<f64>,
    ) -> GainSteps<'a> {
        let lowest = (rule.gain)(0.0);
        let mut gains: Vec<f64> =
            judged.iter().map(|grade| (rule.gain)(*grade)).filter(|gain| *gain > 0.0).collect();
        gains.extend(std::iter::repeat_n(lowest, if lowest > 0.0 { zeros as usize } else { 0 }));
        gains.sort_by(|a, b| b.total_cmp(a));
        let needed = (gains.len() + open as usize).min(rule.k as usize);
        if sums.is_empty() {
            sums.push(0.0);
        }
        while sums.len() <= needed {
            sums.push(sums[sums.len() - 1] + 1.0 / (rule.discount)(sums.len() as u32));
        }
        let mut steps = GainSteps {
            blocks: blocks(&rule.gain, judged, max_grade, &gains),
            fixed: 0.0,
            sums: &sums[..=needed],
            lowest,
        };
        steps.fixed =
            parts(&gains, 0.0, lowest).iter().map(|(height, n)| height * steps.sum(n + open)).sum();
        steps
    }

    fn sum(&self, n: u32) -> f64 {
        self.sums[(n as usize).min(self.sums.len() - 1)]
    }

    /// The best order if so many open documents reach over each step.
    fn ideal(&self, counts: impl Iterator<Item = u32>) -> f64 {
        let steps = self.blocks.iter().zip(counts).map(|(block, t)| {
            block.iter().map(|(height, n)| height * self.sum(n + t)).sum::<f64>()
        });
        self.fixed + steps.sum::<f64>()
    }

    /// The best order if so many open documents have the top grade.
    fn ideal_of_tops(&self, t: u32) -> f64 {
        self.ideal(std::iter::repeat_n(t, self.blocks.len()))
    }

    /// How much higher the top gain is than the lowest.
    fn span(&self) -> f64 {
        self.blocks.iter().flatten().map(|(height, _)| height).sum()
    }

    /// More tops no longer change the best order.
    fn is_full(&self, t: u32, k: u32) -> bool {
        let highest = self.blocks.last().and_then(|block| block.last()).map_or(0, |(_, n)| *n);
        u64::from(highest) + u64::from(t) >= u64::from(k)
    }

    /// The highest quotient, where a sum is `base` when all open documents have the lowest gain,
    /// and these are the weights of the open ones, highest first. `None` if the ideal is 0 even
    /// if all of them have the top grade.
    fn highest(&self, base: f64, weights: &[f64]) -> Option<f64> {
        let mut prefix = vec![0.0];
        for weight in weights {
            prefix.push(prefix[prefix.len() - 1] + weight);
        }
        let heights: Vec<f64> =
            self.blocks.iter().map(|block| block.iter().map(|(height, _)| height).sum()).collect();
        nested::highest(self.blocks.len(), weights.len() as u32, (base, self.fixed), |step, t| {
            let ideal = self.blocks[step].iter().map(|(height, n)| height * self.sum(n + t)).sum();
            (heights[step] * prefix[t as usize], ideal)
        })
    }
}

/// The judged documents of the top k, summed, and the weights of the open ones there.
fn ranking(rule: &Gains<'_>, all: &Completion) -> (f64, Vec<f64>) {
    let judged =
        all.documents().take_while(|(hit, _)| hit.rank <= rule.k).filter(|(_, open)| !open);
    let sum = judged.map(|(hit, _)| (rule.gain)(hit.grade) / (rule.discount)(hit.rank)).sum();
    (
        sum,
        all.open_ranks()
            .take_while(|rank| *rank <= rule.k)
            .map(|rank| 1.0 / (rule.discount)(rank))
            .collect(),
    )
}

fn range(rule: &Gains<'_>, all: &Completion, sums: &mut Vec<f64>) -> Option<Range> {
    let (sum, weights) = ranking(rule, all);
    let steps;
    let outside;
    if rule.own {
        // The top k is the collection.
        let grades: Vec<f64> = all
            .documents()
            .take_while(|(hit, _)| hit.rank <= rule.k)
            .filter(|(_, open)| !open)
            .map(|(hit, _)| hit.grade)
            .collect();
        let zeros = grades.iter().filter(|grade| **grade == 0.0).count() as u32;
        let positive: Vec<f64> = grades.into_iter().filter(|grade| *grade > 0.0).collect();
        steps = GainSteps::new(rule, &positive, zeros, weights.len() as u32, all.max_grade(), sums);
        outside = 0;
    } else {
        let judged = all.judged_grades();
        steps =
            GainSteps::new(rule, judged.positive, judged.zero, all.open(), all.max_grade(), sums);
        outside = all.open() - weights.len() as u32;
    }
    let base = sum + steps.lowest * weights.iter().sum::<f64>();
    // Lowest. What stands outside the top k costs nothing to make relevant, so all of it is.
    let (mut low, mut gained) = (None, base);
    for t in 0..=weights.len() as u32 {
        if t > 0 {
            gained += steps.span() * weights[weights.len() - t as usize];
        }
        let best = steps.ideal_of_tops(outside + t);
        if best > 0.0 {
            low = Some(low.map_or(gained / best, |low: f64| low.min(gained / best)));
        }
        if steps.is_full(outside + t, rule.k) {
            break;
        }
    }
    let low = low?;
    // If nothing open is in the top k and nothing is relevant so far, what is outside makes the
    // score 0.
    let high = steps.highest(base, &weights).unwrap_or(low);
    Range::of_ends(low, high, RangeKind::Exact, steps.ideal_of_tops(0) <= 0.0)
}

/// The range of a difference: both are divided by the same ideal.
fn difference(
    rule: &Gains<'_>,
    JointTopic { a, b, unjudged }: &JointTopic<'_>,
    sums: &mut Vec<f64>,
) -> Option<Range> {
    let judged = a.judged_grades();
    let steps = GainSteps::new(rule, judged.positive, judged.zero, a.open(), a.max_grade(), sums);
    let (sum_a, sum_b) = (ranking(rule, a).0, ranking(rule, b).0);
    let weight = |rank: Option<u32>| {
        rank.filter(|rank| *rank <= rule.k).map_or(0.0, |rank| 1.0 / (rule.discount)(rank))
    };
    let mut changes: Vec<f64> = unjudged.iter().map(|d| weight(d.in_a) - weight(d.in_b)).collect();
    // Further documents of the collection stand in neither.
    changes.resize(a.open() as usize, 0.0);
    let base = sum_a - sum_b + steps.lowest * changes.iter().sum::<f64>();
    let mut end = |sign: f64| {
        changes.sort_by(|x, y| (sign * y).total_cmp(&(sign * x)));
        let weights: Vec<f64> = changes.iter().map(|change| sign * change).collect();
        steps.highest(sign * base, &weights).map(|high| sign * high)
    };
    let (high, low) = (end(1.0)?, end(-1.0)?);
    Range::of_ends(low, high, RangeKind::Exact, steps.ideal_of_tops(0) <= 0.0)
}

/// The steps between the gains that an open document may have: those of the whole grades from 0 to
/// the highest. Between two judged gains every grade does the same, so only the whole grades next
/// to a judged one are looked at.
pub(super) fn blocks(
    gain: impl Fn(f64) -> f64,
    judged: &[f64],
    max_grade: f64,
    gains: &[f64],
) -> Vec<GainBlock> {
    let mut grades = vec![0.0, max_grade];
    let mut last = f64::NAN;
    for grade in judged {
        if *grade != last {
            grades.extend([grade.floor() - 1.0, grade.floor(), grade.ceil(), grade.ceil() + 1.0]);
            last = *grade;
        }
    }
    grades.retain(|grade| (0.0..=max_grade).contains(grade));
    let mut values: Vec<f64> = grades.into_iter().map(gain).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values.windows(2).map(|w| parts(gains, w[0], w[1])).collect()
}

/// The parts of the step from one gain to another: their heights, and how many of the gains, which
/// come highest first, reach over each.
fn parts(gains: &[f64], from: f64, to: f64) -> Vec<(f64, u32)> {
    let mut parts = Vec::new();
    let mut at = from;
    while at < to {
        let above = gains.partition_point(|gain| *gain > at);
        let next = if above == 0 { to } else { gains[above - 1].min(to) };
        parts.push((next - at, above as u32));
        at = next;
    }
    parts
}
