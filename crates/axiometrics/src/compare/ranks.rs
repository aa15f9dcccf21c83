//! Confidence sets of ranks.

use serde::Serialize;

use super::decisions::Decisions;

/// The ranks that a system may have, from the best to the worst; 1 is the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RankSet {
    /// One more than the systems that are significantly better.
    pub best: usize,
    /// The number of systems less those that are significantly worse.
    pub worst: usize,
}

/// The ranks that each system may have.
///
/// If no decision is wrong, the true rank of every system lies in its set: what was found to be
/// better stands above it, what was found to be worse below. So if the decisions are all right with
/// probability 1 - alpha at least, the sets hold all true ranks at once with that probability.
pub fn rank_sets(decisions: &Decisions) -> Vec<RankSet> {
    let systems = decisions.systems();
    let set = |system: usize| {
        let count = |is: &dyn Fn(usize) -> bool| (0..systems).filter(|other| is(*other)).count();
        RankSet {
            best: 1 + count(&|other| decisions.is_better(other, system)),
            worst: systems - count(&|other| decisions.is_better(system, other)),
        }
    };
    (0..systems).map(set).collect()
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;
    use crate::stats::random::Random;
    use crate::stats::{self, Correction, Resampling, ScoreMatrix, Test, TestOptions};

    #[test]
    fn by_hand() {
        // 0 beats 1 and 2; 1 and 2 cannot be told apart; nothing is known of 3.
        let decisions = Decisions::new(4, |a, b| match (a, b) {
            (0, 1 | 2) => Ordering::Greater,
            _ => Ordering::Equal,
        });
        let sets: Vec<(usize, usize)> =
            rank_sets(&decisions).iter().map(|set| (set.best, set.worst)).collect();
        assert_eq!(sets, [(1, 2), (2, 4), (2, 4), (1, 4)]);
        assert!(rank_sets(&Decisions::new(0, |_, _| Ordering::Equal)).is_empty());
        assert_eq!(
            rank_sets(&Decisions::new(1, |_, _| Ordering::Equal)),
            [RankSet { best: 1, worst: 1 }]
        );
    }

    /// A standard normal number, nearly: twelve uniform ones.
    fn normal(random: &mut Random) -> f64 {
        (0..12).map(|_| random.below(1u64 << 40) as f64 / (1u64 << 40) as f64).sum::<f64>() - 6.0
    }

    /// Experiments with known means: how often do all sets hold the true ranks at once? Systems of
    /// equal means may have any of the ranks that they share.
    fn coverage(
        means: &[f64],
        spreads: &[f64],
        decide: &dyn Fn(&ScoreMatrix, u64) -> Decisions,
    ) -> f64 {
        const EXPERIMENTS: u64 = 300;
        const TOPICS: usize = 25;
        let count = |is: &dyn Fn(f64) -> bool| means.iter().filter(|mean| is(**mean)).count();
        let true_ranks: Vec<(usize, usize)> = means
            .iter()
            .map(|own| (1 + count(&|m| m > *own), means.len() - count(&|m| m < *own)))
            .collect();
        let covered = (0..EXPERIMENTS).filter(|experiment| {
            let mut random = Random::new(11, *experiment);
            let topics: Vec<f64> = (0..TOPICS).map(|_| normal(&mut random)).collect();
            let rows = means.iter().zip(spreads).map(|(mean, spread)| {
                topics.iter().map(|topic| mean + topic + spread * normal(&mut random)).collect()
            });
            let scores = ScoreMatrix::new(rows.collect()).unwrap();
            let sets = rank_sets(&decide(&scores, *experiment));
            sets.iter()
                .zip(&true_ranks)
                .all(|(set, (best, worst))| set.best <= *best && *worst <= set.worst)
        });
        covered.count() as f64 / EXPERIMENTS as f64
    }

    fn decided(systems: usize, pairs: &[stats::PairResult], p: &[f64]) -> Decisions {
        let mut of = pairs.iter().zip(p);
        Decisions::new(systems, |a, b| {
            let (pair, p) = of.next().unwrap();
            assert_eq!((pair.a, pair.b), (a, b));
            if *p > 0.05 { Ordering::Equal } else { pair.difference.total_cmp(&0.0) }
        })
    }

    /// At the level 0.05, all ranks are held in 95% of experiments, less three standard errors of
    /// 300 experiments; and the sets are not everything: distant systems are told apart.
    #[test]
    fn all_true_ranks_are_held_at_once() {
        let randomised = |scores: &ScoreMatrix, seed: u64| {
            let pairs = stats::randomised_tukey(scores, Resampling { trials: 199, seed }).unwrap();
            let p: Vec<f64> = pairs.iter().map(|pair| pair.result.p.unwrap()).collect();
            decided(scores.systems(), &pairs, &p)
        };
        let tukey = |scores: &ScoreMatrix, _| {
            let pairs = stats::tukey_hsd(scores).unwrap();
            let p: Vec<f64> = pairs.iter().map(|pair| pair.result.p.unwrap()).collect();
            decided(scores.systems(), &pairs, &p)
        };
        let holm = |scores: &ScoreMatrix, _| {
            let pairs = stats::all_pairs(Test::T, scores, &TestOptions::default()).unwrap();
            let p: Vec<f64> = pairs.iter().map(|pair| pair.result.p.unwrap()).collect();
            decided(scores.systems(), &pairs, &Correction::Holm.adjust(&p).unwrap())
        };
        let least = 0.95 - 3.0 * (0.95 * 0.05 / 300.0f64).sqrt();
        for means in [[0.0; 5], [0.0, 0.0, 0.0, 1.5, 1.5], [0.0, 0.1, 0.2, 0.3, 0.4]] {
            type Way<'w> = &'w dyn Fn(&ScoreMatrix, u64) -> Decisions;
            let ways: [(&str, Way<'_>); 3] =
                [("randomised", &randomised), ("tukey", &tukey), ("holm", &holm)];
            for (name, decide) in ways {
                let held = coverage(&means, &[1.0; 5], decide);
                assert!(held >= least, "{name} {means:?}: {held}");
            }
        }
        // Tests of single pairs stand unequal spreads; a common error of all pairs does not.
        let held = coverage(&[0.0; 5], &[0.2, 0.2, 1.0, 1.0, 3.0], &holm);
        assert!(held >= least, "{held}");
        let far = ScoreMatrix::new(vec![vec![0.0, 0.1, 0.2, 0.0], vec![5.0, 5.2, 5.1, 5.3]]);
        let sets = rank_sets(&holm(&far.unwrap(), 1));
        assert_eq!((sets[0].best, sets[1].worst), (2, 1));
    }
}
