//! Kendall's tau of a ranking against the grades: every pair of documents counts alike, however deep.

use super::def::{Alias, Cutoff, Def, Example};
use super::params::JUDGED_ONLY;
use super::range::NoRange;
use super::structure::Form;
use super::{Declaration, Formula, Number, Score, Span};
use crate::data::{Judged, Needs};

pub(super) const DEFS: &[&Def] = &[&TAU];

struct Tau {
    k: u32,
}

/// The pairs among so many.
fn pairs(n: u64) -> f64 {
    n as f64 * (n as f64 - 1.0) / 2.0
}

/// Documents by grade, the highest first; the last are those of no use.
struct ByGrade(Vec<u64>);

impl ByGrade {
    /// So many of higher and of lower grades than this.
    fn around(&self, level: usize) -> (u64, u64) {
        (self.0[..level].iter().sum(), self.0[level + 1..].iter().sum())
    }
}

impl Formula for Tau {
    fn declaration(&self) -> Declaration<'_> {
        let why = NoRange("each judgement changes which pairs of documents are tied");
        Declaration {
            ranges: Box::new(why),
            structure: Form::Concordance.into(),
            ..Declaration::new(Needs::POSITIVE)
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let positive = topic.grades.positive;
        // Where each grade begins among the documents above 0.
        let mut starts: Vec<usize> = vec![0];
        starts.extend((1..positive.len()).filter(|&i| positive[i] != positive[i - 1]));
        starts.push(positive.len());
        starts.dedup();
        let levels = starts.len() - 1;
        let level_of = |grade: &N| {
            let above = positive.partition_point(|other| *other > *grade);
            starts.partition_point(|start| *start <= above) - 1
        };
        let sizes = |level: usize| (starts[level + 1] - starts[level]) as u64;
        let retrieved = u64::from(topic.retrieved.min(self.k));
        let mut above = ByGrade(vec![0; levels + 1]);
        // Concordant less discordant pairs, each counted with its lower document.
        let (mut excess, mut rank) = (0.0, 0);
        let mut meet = |above: &ByGrade, level: usize, count: u64| {
            let (better, worse) = above.around(level);
            excess += count as f64 * (better as f64 - worse as f64);
        };
        for hit in topic.top(self.k).filter(|hit| hit.grade > N::zero()) {
            let useless = u64::from(hit.rank) - 1 - rank;
            meet(&above, levels, useless);
            above.0[levels] += useless;
            let level = level_of(&hit.grade);
            meet(&above, level, 1);
            above.0[level] += 1;
            rank = u64::from(hit.rank);
        }
        meet(&above, levels, retrieved - rank);
        above.0[levels] += retrieved - rank;
        // What was not retrieved is below all that was, in no order.
        let found = above.0.clone();
        let missed = positive.len() as u64 - found[..levels].iter().sum::<u64>();
        for (level, found) in found[..levels].iter().enumerate() {
            meet(&above, level, sizes(level) - found);
        }
        let all = pairs(retrieved + missed);
        let tied = (0..levels).map(|level| pairs(sizes(level))).sum::<f64>() + pairs(found[levels]);
        let (by_rank, by_grade) = (all - pairs(missed), all - tied);
        if by_rank <= 0.0 || by_grade <= 0.0 {
            return Score::Undefined("no two documents differ in grade, or none in rank");
        }
        let product = N::decimal(by_rank) * N::decimal(by_grade);
        Score::Value(N::decimal(excess) / product.powf(0.5))
    }
}

const TAU: Def = Def {
    name: "Tau",
    title: "Kendall's tau of a ranking against the grades",
    family: "tau",
    aliases: &[Alias::plain("kendall_tau")],
    params: &[JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "Tau = (C - D) / sqrt((n - t)(n - u)), tau-b, over the pairs of documents that were retrieved or have a grade above 0: C have the higher grade first, D the lower one, n are all pairs, t those tied in rank and u those tied in grade. What was not retrieved comes after all that was, tied; what is not judged has grade 0.",
    range: Span::Between(-1.0, 1.0),
    undefined: "no two documents differ in grade, or none in rank",
    user_model: "none: a pair at the bottom counts as much as one at the top, so it is no measure for those who read from the top",
    examples: &[
        Example {
            measure: "Tau",
            ranking: "2 0 1",
            value: 0.3333333333333333,
            working: "2 before 0 and 2 before 1 are right, 0 before 1 is wrong, nothing ties: (2 - 1)/3",
        },
        Example {
            measure: "Tau",
            ranking: "1 0 | 1",
            value: 0.0,
            working: "1 before 0 is right, 0 before the missed one is wrong: 0",
        },
        Example {
            measure: "Tau",
            ranking: "1 1 0",
            value: 0.816496580927726,
            working: "two pairs are right, one is tied in grade: 2/sqrt(3 * 2)",
        },
    ],
    differs: &["scipy.stats.kendalltau of the negated ranks and the grades is the same"],
    references: &[
        "Kendall. The treatment of ties in ranking problems. Biometrika 33, 1945",
        "Amigo, Gonzalo and Verdejo 2013, section 2.3",
    ],
    build: |args| Ok(Box::new(Tau { k: args.depth() })),
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::data::OwnedTopic;
    use crate::measure::Metric;
    use crate::stats::kendall_tau_b;

    proptest! {
        #[test]
        fn is_tau_b_of_ranks_and_grades(
            ranking in prop::collection::vec(prop::option::of(-1..4i32), 0..30),
            rest in prop::collection::vec(0..4i32, 0..8),
        ) {
            let ranking: Vec<Option<f64>> = ranking.into_iter().map(|g| g.map(f64::from)).collect();
            let rest: Vec<f64> = rest.into_iter().map(f64::from).collect();
            let found = "Tau".parse::<Metric>().unwrap().score(&OwnedTopic::new(&ranking, &rest).view());
            let missed: Vec<f64> = rest.into_iter().filter(|g| *g > 0.0).collect();
            let mut places: Vec<f64> = (0..ranking.len()).map(|rank| -(rank as f64)).collect();
            places.extend(missed.iter().map(|_| -1e9));
            let grades: Vec<f64> =
                ranking.iter().map(|g| g.unwrap_or(0.0).max(0.0)).chain(missed).collect();
            match (found.value(), kendall_tau_b(&places, &grades).unwrap_or(None)) {
                (Some(found), Some(expected)) => prop_assert!((found - expected).abs() < 1e-12),
                (found, expected) => prop_assert_eq!(found, expected),
            }
        }
    }
}
