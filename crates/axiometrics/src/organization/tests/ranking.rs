//! Rankings as organizations: the measures of rankings are the general ones.

use proptest::prelude::*;

use crate::choice::Choice;
use crate::data::OwnedTopic;
use crate::data::organization::Organization;
use crate::measure::Metric;
use crate::organization::{Curve, OrganizationComparison, OrganizationSettings, Variant, measure};

/// The ranking as a level for each document, and the gold standard as a level for each grade.
fn organizations(ranking: &[Option<f64>], rest: &[f64]) -> (Organization, Organization) {
    let mut system = Organization::builder();
    for document in 0..ranking.len() as u32 {
        system.level().cluster([document]).unwrap();
    }
    let grades: Vec<f64> =
        ranking.iter().map(|g| g.unwrap_or(0.0)).chain(rest.iter().copied()).collect();
    let mut gold = Organization::builder();
    for level in (1..=4).rev() {
        gold.level();
        for (document, _) in (0..).zip(&grades).filter(|(_, g)| **g == f64::from(level)) {
            gold.cluster([document]).unwrap();
        }
    }
    (gold.build(), system.build())
}

proptest! {
    #[test]
    fn is_that_of_the_organization(
        ranking in prop::collection::vec(prop::option::of(-1..5i32), 0..40),
        rest in prop::collection::vec(0..5i32, 0..10),
        top in 1..40u32,
        share in 1..10u32,
        beta in 1..5u32,
    ) {
        let ranking: Vec<Option<f64>> = ranking.into_iter().map(|g| g.map(f64::from)).collect();
        let rest: Vec<f64> = rest.into_iter().map(f64::from).collect();
        let (share, beta) = (f64::from(share) / 10.0, f64::from(beta) / 2.0);
        let (gold, system) = organizations(&ranking, &rest);
        let curve = Curve::new(f64::from(top), share).unwrap();
        let topic = OwnedTopic::new(&ranking, &rest);
        for &variant in Variant::ALL {
            let settings = OrganizationSettings { curve, variant, beta, ..OrganizationSettings::default() };
            let comparison = OrganizationComparison::new(&gold, &system, &settings);
            let general = |name: &str| measure(name).unwrap().score(&comparison).value().unwrap();
            for (name, kind) in [("RS_R", "R_priority"), ("RS_S", "S_priority"), ("RS_F", "F_priority")] {
                let beta = if name == "RS_F" { format!(",beta={beta}") } else { String::new() };
                let metric: Metric = format!("{name}(n={top},w={share},variant={}{beta})", variant.name()).parse().unwrap();
                let found = metric.score(&topic.view()).value().unwrap();
                prop_assert!((found - general(kind)).abs() < 1e-12, "{}: {} and {}", metric, found, general(kind));
                // Nothing is clustered, so priority is all that counts.
                prop_assert_eq!(general(kind), general(&kind[..1]));
                prop_assert_eq!(general(kind), general(&format!("{}_joint", &kind[..1])));
            }
        }
    }
}
