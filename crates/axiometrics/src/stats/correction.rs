//! Corrections for testing many hypotheses.

use crate::choice::choices;
use crate::{Error, Result};

/// How p-values of one family are adjusted for their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Correction {
    /// As they are.
    None,
    /// Times their number: controls the chance of any false rejection.
    Bonferroni,
    /// Holm's step-down version of Bonferroni (1979): the same guarantee, never larger.
    #[default]
    Holm,
    /// Benjamini and Hochberg's step-up procedure (1995): controls the expected share of false
    /// rejections.
    BenjaminiHochberg,
}

choices! {
    Correction {
        Holm "holm" "Holm's step-down procedure: the chance of any false discovery",
        Bonferroni "bonferroni" "times the number of tests",
        BenjaminiHochberg "bh" "Benjamini and Hochberg: the share of false discoveries",
        None "none" "p-values as they are",
    }
}

impl Correction {
    /// The adjusted p-values, in the order given.
    pub fn adjust(self, p: &[f64]) -> Result<Vec<f64>> {
        if let Some(bad) = p.iter().find(|p| !(0.0..=1.0).contains(*p)) {
            return Err(Error::usage(format!("{bad} is not a p-value: expected 0 to 1"))
                .help("leave out tests that are not defined"));
        }
        let family = p.len();
        let scaled = |p: f64, factor: f64| (p * factor).min(1.0);
        let mut ascending: Vec<usize> = (0..family).collect();
        ascending.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
        let mut adjusted = p.to_vec();
        match self {
            Correction::None => {}
            Correction::Bonferroni => {
                adjusted.iter_mut().for_each(|p| *p = scaled(*p, family as f64))
            }
            Correction::Holm => {
                let mut largest: f64 = 0.0;
                for (before, &i) in ascending.iter().enumerate() {
                    largest = largest.max(scaled(p[i], (family - before) as f64));
                    adjusted[i] = largest;
                }
            }
            Correction::BenjaminiHochberg => {
                let mut smallest: f64 = 1.0;
                for (before, &i) in ascending.iter().enumerate().rev() {
                    smallest = smallest.min(scaled(p[i], family as f64 / (before + 1) as f64));
                    adjusted[i] = smallest;
                }
            }
        }
        Ok(adjusted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;
    use proptest::prelude::*;

    #[test]
    fn choices_have_their_names_and_a_meaning_each() {
        let mut meanings: Vec<&str> = Vec::new();
        for correction in <Correction as Choice>::ALL {
            let name = Choice::name(*correction);
            assert_eq!(Correction::from_name(name).unwrap(), *correction);
            assert!(!meanings.contains(&correction.meaning()));
            meanings.push(correction.meaning());
        }
    }

    /// `statsmodels.stats.multitest.multipletests(p, method=m)[1]` for bonferroni, holm, fdr_bh
    #[test]
    fn reference_values() {
        let p = [0.01, 0.04, 0.03, 0.005, 0.8, 0.03];
        for (correction, expected) in [
            (Correction::None, p),
            (Correction::Bonferroni, [0.06, 0.24, 0.18, 0.03, 1.0, 0.18]),
            (Correction::Holm, [0.05, 0.12, 0.12, 0.03, 0.8, 0.12]),
            (
                Correction::BenjaminiHochberg,
                [0.030000000000000002, 0.048, 0.045, 0.030000000000000002, 0.8, 0.045],
            ),
        ] {
            for (found, expected) in correction.adjust(&p).unwrap().iter().zip(expected) {
                assert!((found - expected).abs() < 1e-15, "{correction:?}: {found} {expected}");
            }
        }
    }

    #[test]
    fn odd_families() {
        for &correction in Correction::ALL {
            assert_eq!(correction.adjust(&[]).unwrap(), Vec::<f64>::new());
            assert_eq!(correction.adjust(&[0.3]).unwrap(), [0.3]);
            assert_eq!(Correction::from_name(correction.name()).unwrap(), correction);
            for bad in [f64::NAN, -0.1, 1.1] {
                assert!(correction.adjust(&[0.5, bad]).unwrap_err().is_usage());
            }
        }
    }

    proptest! {
        #[test]
        fn corrections_keep_order_and_are_ordered(p in prop::collection::vec(0.0f64..=1.0, 1..30)) {
            use Correction::{BenjaminiHochberg, Bonferroni, Holm, None};
            let [none, bonferroni, holm, bh] =
                [None, Bonferroni, Holm, BenjaminiHochberg].map(|c| c.adjust(&p).unwrap());
            for i in 0..p.len() {
                prop_assert!(none[i] <= bh[i] && bh[i] <= holm[i] && holm[i] <= bonferroni[i] && bonferroni[i] <= 1.0);
                for j in 0..p.len() {
                    if p[i] <= p[j] {
                        prop_assert!(holm[i] <= holm[j] && bh[i] <= bh[j]);
                    }
                }
            }
        }
    }
}
