//! The measures of filtering against their definitions.

use proptest::prelude::*;

use crate::data::organization::Organization;
use crate::organization::{Confusion, OrganizationComparison, OrganizationSettings, measure};

/// Documents on one level, each alone, and those that are discarded.
fn filtered(kept: impl Iterator<Item = bool>, scores: &[(u32, f64)]) -> Organization {
    let mut builder = Organization::builder();
    builder.level();
    for (document, kept) in (0..).zip(kept) {
        if kept {
            builder.cluster([document]).unwrap();
        } else {
            builder.discard(document).unwrap();
        }
    }
    for &(document, score) in scores {
        builder.score(document, score);
    }
    builder.build()
}

/// What has no value is `None`; so is a share of nothing.
fn share(part: f64, whole: f64) -> Option<f64> {
    (whole != 0.0).then(|| part / whole)
}

proptest! {
    /// Of all pairs of a relevant document and another, a tie counting as half.
    #[test]
    fn the_area_is_the_share_of_pairs_in_order(
        documents in prop::collection::vec((any::<bool>(), any::<bool>(), prop::option::of(0..5u32)), 1..14)
    ) {
        let scores: Vec<(u32, f64)> = (0..)
            .zip(&documents)
            .filter_map(|(document, (_, _, score))| score.map(|score| (document, f64::from(score))))
            .collect();
        let gold = filtered(documents.iter().map(|(relevant, ..)| *relevant), &[]);
        let system = filtered(documents.iter().map(|(_, kept, _)| *kept), &scores);
        let (mut pairs, mut won) = (0.0, 0.0);
        for (_, _, score) in documents.iter().filter(|(relevant, ..)| *relevant) {
            for (_, _, other) in documents.iter().filter(|(relevant, ..)| !relevant) {
                pairs += 1.0;
                won += if score > other { 1.0 } else if score == other { 0.5 } else { 0.0 };
            }
        }
        let expected = share(won, pairs).filter(|_| !scores.is_empty());
        let settings = OrganizationSettings::default();
        let comparison = OrganizationComparison::new(&gold, &system, &settings);
        let found = measure("auc").unwrap().score(&comparison);
        prop_assert_eq!(found.value(), expected);
    }

    #[test]
    fn counts_make_the_measures(
        counts in prop::array::uniform4(0..5u32),
        beta in prop_oneof![Just(0.5), Just(1.0), Just(2.0)],
        utility in prop::array::uniform4(-3..4i32),
    ) {
        // Each document by whether it is kept and whether it is relevant.
        let kinds = [(true, true), (true, false), (false, true), (false, false)];
        let documents: Vec<(bool, bool)> = kinds
            .into_iter()
            .zip(counts)
            .flat_map(|(kind, count)| std::iter::repeat_n(kind, count as usize))
            .collect();
        let system = filtered(documents.iter().map(|(kept, _)| *kept), &[]);
        let gold = filtered(documents.iter().map(|(_, relevant)| *relevant), &[]);
        let settings =
            OrganizationSettings { beta, utility: utility.map(f64::from), ..Default::default() };
        let comparison = OrganizationComparison::new(&gold, &system, &settings);
        let [tp, fp, misses, tn] = counts.map(f64::from);
        prop_assert_eq!(
            *comparison.confusion(),
            Confusion {
                true_positives: tp,
                false_positives: fp,
                false_negatives: misses,
                true_negatives: tn,
            }
        );
        let n = tp + fp + misses + tn;
        let (kept, relevant, other) = (tp + fp, tp + misses, fp + tn);
        let (precision, recall) = (share(tp, kept), share(tp, relevant));
        let accuracy = share(tp + tn, n);
        let f = |beta: f64| share(
            (1.0 + beta * beta) * tp,
            (1.0 + beta * beta) * tp + beta * beta * misses + fp,
        );
        let logit = |p: f64| (p / (1.0 - p)).ln();
        let of_both = logit((fp + 0.5) / (other + 1.0)) + logit((misses + 0.5) / (relevant + 1.0));
        let chance = share(kept * relevant + (n - kept) * other, n * n);
        let kappa = accuracy
            .zip(chance)
            .filter(|(_, chance)| *chance < 1.0)
            .map(|(accuracy, chance)| (accuracy - chance) / (1.0 - chance));
        let scale = kept * relevant * other * (n - kept);
        let mcc = if scale == 0.0 { 0.0 } else { (tp * tn - fp * misses) / scale.sqrt() };
        let worth: f64 = utility.into_iter().zip(counts).map(|(w, n)| f64::from(w) * f64::from(n)).sum();
        for (name, expected) in [
            ("precision", precision),
            ("recall", recall),
            ("f1", f(1.0)),
            ("f_beta", f(beta)),
            ("accuracy", accuracy),
            ("balanced_accuracy", recall.zip(share(tn, other)).map(|(a, b)| (a + b) / 2.0)),
            ("utility", Some(worth)),
            ("lam", Some(1.0 / (1.0 + (-of_both / 2.0).exp()))),
            ("kappa", kappa),
            ("mcc", (n > 0.0).then_some(mcc)),
        ] {
            match (measure(name).unwrap().score(&comparison).value(), expected) {
                (Some(found), Some(expected)) => {
                    prop_assert!((found - expected).abs() < 1e-12, "{} {} {}", name, found, expected);
                }
                (found, expected) => prop_assert_eq!(found, expected, "{}", name),
            }
        }
    }
}
