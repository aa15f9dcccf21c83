//! What must hold for every function of the module: finite scores, however odd, give an answer that
//! makes sense.

use proptest::prelude::*;

use super::*;
use crate::choice::Choice;

fn odd_score() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => 0.0f64..1.0,
        3 => (0u8..4).prop_map(|v| f64::from(v) / 3.0),
        1 => prop::sample::select(vec![0.0, -0.0, 1e90, -1e90, 1e-300, 5e-324, -1e-13, 1.0 + 1e-13, 1e15]),
    ]
}

fn odd_rows() -> impl Strategy<Value = Vec<Vec<f64>>> {
    (2usize..5, 1usize..40).prop_flat_map(|(systems, topics)| {
        prop::collection::vec(prop::collection::vec(odd_score(), topics), systems)
    })
}

fn is_probability(p: Option<f64>) -> bool {
    p.is_none_or(|p| (0.0..=1.0).contains(&p))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn tests_and_intervals(rows in odd_rows(), confidence in 0.01f64..0.999) {
        let resampling = Resampling { trials: 150, seed: 1 };
        for zero_method in [ZeroMethod::Wilcox, ZeroMethod::Pratt] {
            let options = TestOptions { resampling, zero_method };
            for &test in Test::ALL {
                let result = paired_test(test, &rows[0], &rows[1], &options).unwrap();
                prop_assert!(is_probability(result.p) && !result.statistic.is_nan(), "{:?} {:?}", test, result);
                prop_assert!(result.p.is_some() || result.note.is_some());
                let interval = test_interval(test, &rows[0], &rows[1], confidence, &options).unwrap();
                prop_assert!(interval.lower <= interval.upper, "{:?} {:?}", test, interval);
            }
        }
        for &kind in MeanInterval::ALL {
            let interval = mean_interval(kind, &rows[0], confidence, resampling).unwrap();
            prop_assert!(interval.lower <= interval.upper, "{:?} {:?}", kind, interval);
        }
        effect_size(&rows[0], &rows[1]).unwrap();
    }

    #[test]
    fn families_of_systems(rows in odd_rows()) {
        let scores = ScoreMatrix::new(rows).unwrap();
        let resampling = Resampling { trials: 150, seed: 1 };
        let mut families = vec![randomised_tukey(&scores, resampling).unwrap()];
        families.extend(Test::ALL.iter().map(|test| all_pairs(*test, &scores, &TestOptions { resampling, ..Default::default() }).unwrap()));
        match two_way_anova(&scores) {
            Ok(anova) => {
                prop_assert!(is_probability(anova.systems.p) && is_probability(anova.topics.p));
                families.push(tukey_hsd(&scores).unwrap());
            }
            Err(error) => prop_assert!(error.is_usage() && scores.topics() == 1),
        }
        for family in families {
            prop_assert_eq!(family.len(), scores.systems() * (scores.systems() - 1) / 2);
            let p: Vec<f64> = family.iter().filter_map(|pair| pair.result.p).collect();
            for &correction in Correction::ALL {
                prop_assert!(correction.adjust(&p).unwrap().into_iter().all(|p| is_probability(Some(p))));
            }
        }
    }

    #[test]
    fn correlations(rows in odd_rows()) {
        for coefficient in [pearson, spearman, kendall_tau_a, kendall_tau_b, tau_ap, tau_ap_symmetric, tau_ap_b] {
            let value = coefficient(&rows[0], &rows[1]).unwrap();
            prop_assert!(value.is_none_or(|v| v.abs() <= 1.0 + 1e-12), "{:?}", value);
        }
    }
}
