//! The sum of precisions, over every threshold of relevance, over how many documents reach it:
//! graded average precision.
//!
//! At one threshold the sum is highest if the first t open documents reach it and lowest if
//! the last t do, so that both are sums over steps of grade of a number of documents. What is open
//! outside the top k only adds to the divisor: none of it for the highest score, all of it for the
//! lowest.

use super::precisions::{from_bottom, from_top};
use super::{Completion, Range, RangeAlgorithm, RangeKind, ScoreOf, gains, nested};

/// The sum of precisions over every threshold of relevance, over how many documents reach it.
pub struct ThresholdsRange<'a> {
    /// The cutoff.
    pub k: u32,
    /// What a grade is worth, no less than any lower grade.
    pub gain: Box<dyn Fn(f64) -> f64 + Send + Sync + 'a>,
}

impl RangeAlgorithm for ThresholdsRange<'_> {
    fn range(&mut self, all: &mut Completion, _score: &ScoreOf<'_>) -> Option<Range> {
        range(self, all)
    }
}

fn range(ThresholdsRange { k, gain }: &ThresholdsRange<'_>, all: &Completion) -> Option<Range> {
    let k = *k;
    let grades = all.judged_grades().positive;
    let judged: Vec<f64> = grades.iter().map(|grade| gain(*grade)).filter(|g| *g > 0.0).collect();
    let blocks = gains::blocks(gain, grades, all.max_grade(), &judged);
    let inside = all.open_ranks().take_while(|rank| *rank <= k).count() as u32;
    let outside = all.open() - inside;
    let mut top = vec![vec![0.0; inside as usize + 1]; blocks.len()];
    let mut bottom = top.clone();
    for (step, block) in blocks.iter().enumerate() {
        for (height, n) in block {
            // The lowest of the n judged grades that reach over this part.
            let lowest = n.checked_sub(1).map_or(f64::INFINITY, |last| judged[last as usize]);
            let documents = all
                .documents()
                .take_while(|(hit, _)| hit.rank <= k)
                .filter(|(hit, open)| *open || gain(hit.grade) >= lowest);
            let documents: Vec<(f64, bool)> =
                documents.map(|(hit, open)| (1.0 / f64::from(hit.rank), open)).collect();
            from_top(&documents, |t, sum| top[step][t as usize] += height * sum);
            from_bottom(&documents, |t, sum| bottom[step][t as usize] += height * sum);
        }
    }
    let divisor = |step: usize, t: u32| {
        blocks[step].iter().map(|(height, n)| height * f64::from(n + t)).sum::<f64>()
    };
    let low = nested::highest(blocks.len(), inside, (0.0, 0.0), |step, t| {
        (-bottom[step][t as usize], divisor(step, outside + t))
    });
    let low = 0.0 - low?;
    let high = nested::highest(blocks.len(), inside, (0.0, 0.0), |step, t| {
        (top[step][t as usize], divisor(step, t))
    });
    // If nothing open is in the top k and nothing is relevant so far, what is outside makes the
    // score 0.
    Range::of_ends(low, high.unwrap_or(low), RangeKind::Exact, judged.is_empty())
}
