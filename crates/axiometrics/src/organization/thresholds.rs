//! Where "one relevant document on top" beats "n relevant ones after n others" (Amigó, Gonzalo,
//! Verdejo 2013, sections 2.3 and 4.4.1), for a measure with its parameters.

use crate::data::OwnedTopic;
use crate::measure::Metric;

/// Where the two rankings change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Thresholds {
    /// The largest n for which n relevant documents after n others are better: up to there the user
    /// is sure to look. None if there is none.
    pub closeness: Option<usize>,
    /// The n from which on one on top is better: down there the user never looks. None if there is
    /// none up to [`LARGEST`](Thresholds::LARGEST).
    pub deepness: Option<usize>,
}

impl Thresholds {
    /// No larger n is tried.
    pub const LARGEST: usize = 1 << 16;

    /// Finds them. The better of the two rankings changes at most twice as n grows: the one on top
    /// is better for n = 1 (or equal), then perhaps n after n, then perhaps the one again.
    pub fn of(metric: &Metric) -> Thresholds {
        let one_is_better = |n: usize| score(metric, n, |i| i == 0) > score(metric, n, |i| i >= n);
        let Some(first) = (1..=SMALL).find(|&n| is_deep_better(metric, n)) else {
            let never = (1..=SMALL).rev().take_while(|&n| one_is_better(n)).last();
            return Thresholds { closeness: None, deepness: never };
        };
        let mut low = first;
        let mut high = first;
        while !one_is_better(high) {
            low = high;
            if high == Thresholds::LARGEST {
                return Thresholds { closeness: Some(high), deepness: None };
            }
            high = (high * 2).min(Thresholds::LARGEST);
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if one_is_better(middle) { high = middle } else { low = middle }
        }
        let closeness = (first..=low).rev().find(|&n| is_deep_better(metric, n));
        Thresholds { closeness, deepness: Some(high) }
    }
}

/// If n after n is better at all, it is for a small n.
const SMALL: usize = 64;

fn is_deep_better(metric: &Metric, n: usize) -> bool {
    score(metric, n, |i| i >= n) > score(metric, n, |i| i == 0)
}

/// The score of 2n documents, of a collection with n relevant ones.
fn score(metric: &Metric, n: usize, relevant: impl Fn(usize) -> bool) -> f64 {
    let ranking: Vec<Option<f64>> =
        (0..2 * n).map(|i| Some(if relevant(i) { 1.0 } else { 0.0 })).collect();
    let found = (0..2 * n).filter(|&i| relevant(i)).count();
    let topic = OwnedTopic::new(&ranking, &vec![1.0; n - found]);
    metric.score(&topic.view()).value().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three of six documents, and three in the collection in either case.
    #[test]
    fn both_rankings_miss_none_but_what_they_must() {
        let ap: Metric = "AP".parse().unwrap();
        assert_eq!(score(&ap, 3, |i| i == 0), 1.0 / 3.0);
        let deep = (1.0 / 4.0 + 2.0 / 5.0 + 3.0 / 6.0) / 3.0;
        assert!((score(&ap, 3, |i| i >= 3) - deep).abs() < 1e-15);
    }

    #[test]
    fn are_those_of_every_n() {
        for text in [
            "RS_R(n=30)",
            "RS_R(n=30,variant=table9)",
            "RS_F(n=30)",
            "RS_F(n=30,variant=table9)",
            "RS_R(n=20,variant=table9)",
            "RS_R(n=10)",
            "RS_F(n=10,variant=table9)",
            "RBP(p=0.8)",
            "RBP(p=0.5)",
            "P@10",
        ] {
            let metric: Metric = text.parse().unwrap();
            let found = Thresholds::of(&metric);
            let closeness = (1..200).rev().find(|&n| is_deep_better(&metric, n));
            let one = |n: usize| score(&metric, n, |i| i == 0) > score(&metric, n, |i| i >= n);
            let deepness = (1..200).rev().take_while(|&n| one(n)).last();
            assert_eq!(found, Thresholds { closeness, deepness }, "{text}");
        }
        let paper: Metric = "RS_R(n=30,variant=table9)".parse().unwrap();
        assert_eq!(Thresholds::of(&paper), Thresholds { closeness: Some(19), deepness: Some(20) });
        // By hand: 0.8^n (1 - 0.8^n) is above 1 - 0.8 for n from 2 to 5; of the top ten two are relevant
        // for n = 8, one for n = 9, none from then on.
        for (text, closeness, deepness) in [("RBP(p=0.8)", 5, 6), ("P@10", 8, 10)] {
            let expected = Thresholds { closeness: Some(closeness), deepness: Some(deepness) };
            assert_eq!(Thresholds::of(&text.parse().unwrap()), expected, "{text}");
        }
        let never: Metric = "DCG".parse().unwrap();
        assert_eq!(Thresholds::of(&never).deepness, None);
    }
}
