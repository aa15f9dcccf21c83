//! The clustering constraints, as printed in the paper, for the measures whose verdicts are known.

use crate::data::organization::{Documents, Organization, notation};
use crate::organization::{Better, Comparison, Settings, measure};

/// The quality of a system whose documents are named after their classes: `{a1 a2 b1} c1`.
fn quality(name: &str, system: &str) -> f64 {
    let mut documents = Documents::default();
    let system = notation::parse(system, &mut documents).unwrap();
    let mut classes: std::collections::BTreeMap<&str, Vec<u32>> = Default::default();
    for document in 0..documents.len() as u32 {
        classes.entry(&documents.name(document)[..1]).or_default().push(document);
    }
    let mut gold = Organization::builder();
    for class in classes.into_values() {
        gold.cluster(class).unwrap();
    }
    let (gold, settings) = (gold.build(), Settings::default());
    let measure = measure(name).unwrap();
    let value = measure.score(&Comparison::new(&gold, &system, &settings)).value().unwrap();
    if measure.definition().better == Better::Lower { -value } else { value }
}

#[test]
fn known_verdicts() {
    let homogeneity = ["{a1 a2 a3} {b1 b2}", "{a1 a2 a3 b1 b2}"];
    let completeness = ["{a1 a2 a3 a4 a5}", "{a1 a2 a3} {a4 a5}"];
    // Two more singletons than the other cluster has documents.
    let rag_bag = ["{a1 a2} {b1 c1 d1 e1}", "{a1 a2 b1} {c1 d1 e1}"];
    let size = ["{a1 a2 a3 a4} a5 {b1 b2} {c1 c2} {d1 d2} {e1 e2}", "{a1 a2 a3 a4 a5} b1 b2 c1 c2 d1 d2 e1 e2"];
    let verdicts = [
        ("purity", [true, false, false, false]),
        ("inverse_purity", [false, true, false, true]),
        ("v_measure", [true, true, false, true]),
        ("mutual_information", [true, false, false, false]),
        ("rand", [true, true, false, false]),
        ("adjusted_rand", [true, true, false, false]),
        ("jaccard", [true, true, false, false]),
        ("fowlkes_mallows", [true, true, false, false]),
        ("edit_distance", [true, true, false, true]),
        ("bcubed_f", [true, true, true, true]),
        ("F_related", [true, true, true, true]),
    ];
    for (name, expected) in verdicts {
        let found = [&homogeneity, &completeness, &rag_bag, &size].map(|[good, bad]| quality(name, good) > quality(name, bad) + 1e-12);
        assert_eq!(found, expected, "{name}");
    }
}

/// Under overlap, extended BCubed prefers one error less in a big cluster to many in small ones; Reliability and Sensitivity do not.
#[test]
fn size_versus_quantity_under_overlap() {
    let mut documents = Documents::default();
    let gold = notation::parse("{a b c} {d e} {d e}", &mut documents).unwrap();
    let one = notation::parse("{a b} c {d e} {d e}", &mut documents).unwrap();
    let many = notation::parse("{a b c} d e d e", &mut documents).unwrap();
    let settings = Settings { finite: true, ..Settings::default() };
    let score = |name: &str, system| measure(name).unwrap().score(&Comparison::new(&gold, system, &settings)).value().unwrap();
    assert!((score("extended_bcubed_f", &one) - 11.0 / 13.0).abs() < 1e-12);
    assert!((score("extended_bcubed_f", &many) - 8.0 / 9.0).abs() < 1e-12);
    assert!(score("F_related", &one) > score("F_related", &many));
}
