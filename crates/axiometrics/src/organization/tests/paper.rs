//! Table 9 of the paper, and the reductions that its text states.

use crate::data::organization::{Documents, Organization, notation};
use crate::organization::{
    Mix, OrganizationComparison, OrganizationSettings, Shares, Variant, measure,
};

const GOLD: &str = "d1 {d2 d3 d4} / {d4 d5} {d6 d7} / {d6 d7}";

fn score(names: [&str; 4], gold: &str, system: &str, settings: &OrganizationSettings) -> [f64; 4] {
    let mut documents = Documents::default();
    let gold = notation::parse(gold, &mut documents).unwrap();
    let system = notation::parse(system, &mut documents).unwrap();
    let comparison = OrganizationComparison::new(&gold, &system, settings);
    names.map(|name| measure(name).unwrap().score(&comparison).value().unwrap())
}

#[test]
fn table_9() {
    let names = ["R_priority", "S_priority", "R_related", "S_related"];
    // The values of the variants printed and table9, to four places, which were worked out apart
    // from this program.
    let table = [
        (GOLD, [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]),
        (
            "d1 {d2 d3 d4} / {d4 d5} {d6 d7} / d6 d7",
            [1.0, 1.0, 1.0, 0.9722],
            [1.0, 1.0, 1.0, 0.9722],
        ),
        (
            "d1 {d2 d3} d4 / {d4 d5} {d6 d7} / {d6 d7}",
            [1.0, 1.0, 1.0, 0.7949],
            [1.0, 1.0, 1.0, 0.7949],
        ),
        (
            "d1 {d3 d4} / {d4 d5} {d6 d7} / {d6 d7}",
            [1.0, 0.7752, 1.0, 0.7436],
            [1.0, 0.8552, 1.0, 0.7436],
        ),
        (
            "d1 {d3 d4} / {d4 d5} {d6 d7} / {d6 d7 d8}",
            [0.9434, 0.7752, 0.9649, 0.7436],
            [0.9479, 0.8552, 0.9649, 0.7436],
        ),
        (
            "{d6 d7} / {d4 d5} {d6 d7} / d1 {d2 d3 d4}",
            [0.6386, 0.5897, 1.0, 1.0],
            [0.6386, 0.5897, 1.0, 1.0],
        ),
    ];
    for (system, printed, table9) in table {
        for (variant, expected) in [(Variant::Printed, printed), (Variant::Table9, table9)] {
            let found = score(
                names,
                GOLD,
                system,
                &OrganizationSettings { variant, ..OrganizationSettings::default() },
            );
            for (found, expected) in found.iter().zip(expected) {
                assert!(
                    (found - expected).abs() < 5e-5,
                    "{system} {variant:?}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn a_document_that_the_gold_standard_lacks_is_below_the_others_in_semantic() {
    let settings =
        OrganizationSettings { variant: Variant::Semantic, ..OrganizationSettings::default() };
    let [r, ..] = score(
        ["R_priority", "S_priority", "R", "S"],
        GOLD,
        "d1 {d3 d4} / {d4 d5} {d6 d7} / {d6 d7 d8}",
        &settings,
    );
    assert!((r - 0.9902).abs() < 5e-5);
}

#[test]
fn finite_filtering_is_the_product_of_precisions_and_of_recalls() {
    let finite = OrganizationSettings { finite: true, ..OrganizationSettings::default() };
    let names = ["R_priority", "S_priority", "precision", "recall"];
    let [r, s, precision, recall] = score(names, "1 2 3 | 4 5 6 7 8", "1 2 4 | 3 5 6 7 8", &finite);
    assert!((r - precision * 4.0 / 5.0).abs() < 1e-12);
    assert!((s - recall * 4.0 / 5.0).abs() < 1e-12);
    for trivial in ["1 2 3 4 5 6 7 8", "| 1 2 3 4 5 6 7 8"] {
        let names = ["R_priority", "S_priority", "F_priority", "R_priority"];
        assert_eq!(score(names, "1 2 3 | 4 5 6 7 8", trivial, &finite), [0.0; 4]);
    }
}

/// F of a filtering is the paper's R*S (section 4.3): keeping all or nothing is worth nothing, and
/// less than any real output.
#[test]
fn f_of_a_filtering_is_that_of_priority() {
    let finite = OrganizationSettings { finite: true, ..OrganizationSettings::default() };
    let gold = "1 2 3 | 4 5 6 7 8";
    for names in [["R", "S", "F", "F_priority"], ["R_joint", "S_joint", "F_joint", "F_priority"]] {
        let [r, s, f, of_priority] = score(names, gold, "1 2 4 | 3 5 6 7 8", &finite);
        assert!((r - 8.0 / 15.0).abs() < 1e-12 && (s - 8.0 / 15.0).abs() < 1e-12);
        assert_eq!(f, of_priority);
        for trivial in ["1 2 3 4 5 6 7 8", "| 1 2 3 4 5 6 7 8"] {
            assert_eq!(score(names, gold, trivial, &finite), [0.0; 4]);
        }
    }
}

/// A mixture that the user gives is obeyed, whatever the sides state.
#[test]
fn a_given_mixture_is_obeyed() {
    let names = ["F", "R", "R_priority", "R_related"];
    for finite in [false, true] {
        for share in [0.0, 0.3, 1.0] {
            let mix = Mix::Given(Shares::of_priority(share));
            let settings = OrganizationSettings { finite, mix, ..OrganizationSettings::default() };
            for (gold, system) in [
                ("1 2 3 | 4 5 6", "| 1 2 3 4 5 6"),
                ("{a b} {c d}", "{a b c} d"),
                ("a / b", "b / a"),
                ("{a b} / c", "a / {b c}"),
            ] {
                let [_, mixed, priority, related] = score(names, gold, system, &settings);
                let expected = share * priority + (1.0 - share) * related;
                assert!((mixed - expected).abs() < 1e-12, "{gold} {system} {settings:?}");
            }
        }
    }
}

/// Without a tail, a system that orders nothing where the gold standard does finds none of the
/// priorities; that is not left out of the mixture.
#[test]
fn a_system_without_levels_misses_the_priorities() {
    let finite = OrganizationSettings { finite: true, ..OrganizationSettings::default() };
    let names = ["S", "S_priority", "S_related", "F_priority"];
    assert_eq!(score(names, "{a b} / c", "{a b} c", &finite), [0.5, 0.0, 1.0, 0.0]);
}

#[test]
fn finite_clustering_uses_relatedness_alone() {
    let finite = OrganizationSettings { finite: true, ..OrganizationSettings::default() };
    let found = score(["R", "R_related", "S", "S_related"], "{a b} {c d}", "{a b c} d", &finite);
    for (found, expected) in found.into_iter().zip([2.0 / 3.0, 2.0 / 3.0, 0.75, 0.75]) {
        assert!((found - expected).abs() < 1e-12);
    }
}

#[test]
fn empty_sides() {
    let settings = OrganizationSettings::default();
    assert_eq!(
        score(["R_priority", "R_related", "S_priority", "F_priority"], "a / b", "", &settings)[..2],
        [0.0, 1.0]
    );
    assert_eq!(
        score(["S_priority", "S_related", "R_priority", "F_priority"], "", "a / b", &settings)[..2],
        [0.0, 1.0]
    );
}

/// Priority, deepness and confidence for a binary gold standard and strict rankings, all rankings
/// of up to seven documents.
#[test]
fn ranking_constraints_hold_for_binary_gold() {
    let settings = OrganizationSettings::default();
    for relevant in 1..4u32 {
        let gold = Organization::from_levels(&[&[&(0..relevant).collect::<Vec<_>>()]]).unwrap();
        let r = |ranking: &[bool]| {
            let (mut hits, mut misses) = (0..relevant, 100..);
            let mut builder = Organization::builder();
            for &hit in ranking {
                let document = if hit { hits.next() } else { misses.next() };
                builder.level().cluster(document).unwrap();
            }
            let system = builder.build();
            OrganizationComparison::new(&gold, &system, &settings).relations().priority
        };
        for length in 1..=7usize {
            let rankings = (0..1u32 << length)
                .map(|bits| (0..length).map(|at| bits >> at & 1 == 1).collect::<Vec<bool>>());
            for ranking in rankings
                .filter(|ranking| ranking.iter().filter(|hit| **hit).count() <= relevant as usize)
            {
                let before = r(&ranking);
                let mut longer = ranking.clone();
                longer.push(false);
                // With nothing found R is 0 on both sides: nothing is left to lower.
                let found = ranking.contains(&true);
                assert!(
                    r(&longer).reliability < before.reliability || !found,
                    "confidence {ranking:?}"
                );
                let mut effects = Vec::new();
                for at in 0..length - 1 {
                    let mut pair = ranking.clone();
                    (pair[at], pair[at + 1]) = (true, false);
                    if pair.iter().filter(|hit| **hit).count()
                        != ranking.iter().filter(|hit| **hit).count()
                        || pair == ranking
                    {
                        continue;
                    }
                    let after = r(&pair);
                    assert!(after.reliability > before.reliability, "priority {ranking:?} {at}");
                    if ranking.iter().filter(|hit| **hit).count() == 1 {
                        effects.push(after.reliability - before.reliability);
                    }
                }
                assert!(effects.is_sorted_by(|a, b| a > b), "{ranking:?} {effects:?}");
            }
        }
    }
}
