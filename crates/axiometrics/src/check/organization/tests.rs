//! The tables of the clustering and filtering constraints, and every witness recomputed from its
//! files.

use std::sync::LazyLock;

use super::*;
use crate::data::organization::DocumentCatalogue;
use crate::io::Source;
use crate::io::organization::{ReadOptions, read};
use crate::organization::Shares;

static REPORTS: LazyLock<Vec<OrganizationVerdicts>> =
    LazyLock::new(|| run_all(&all_subjects(), &CheckOptions::default()));

fn report(name: &str) -> &'static OrganizationVerdicts {
    REPORTS.iter().find(|r| r.metric() == name).unwrap()
}

fn letters(name: &str, scope: Scope) -> String {
    let findings =
        report(name).findings.iter().filter(|f| f.scope == Some(scope) && f.name != "priority");
    let letter = |f: &Finding<Instance>| match f.verdict.word() {
        "holds" => 'Y',
        "weak" => 'w',
        "violated" => 'N',
        _ => '-',
    };
    findings.map(letter).collect()
}

/// Homogeneity, completeness, rag bag, size versus quantity: printed, then general. Weak are those
/// that tie in degenerate cases only.
#[test]
fn the_clustering_rows_of_the_constraints() {
    for (name, printed, general) in [
        ("purity", "YNNN", "YNNN"),
        ("inverse_purity", "NYNY", "NNNY"),
        ("purity_f", "YYNY", "YNNY"),
        ("v_measure", "YYYY", "YwNY"),
        ("mutual_information", "YNYN", "YNNN"),
        ("rand", "YYYN", "YYNN"),
        ("adjusted_rand", "YYYN", "YwNN"),
        ("jaccard", "YYYN", "wYNN"),
        ("fowlkes_mallows", "YYYN", "wYNN"),
        ("edit_distance", "YYNY", "NYNY"),
        ("bcubed_f", "YYYY", "YYYY"),
        // Under overlap the extension fails, and Reliability and Sensitivity do not.
        ("extended_bcubed_f", "YYYY", "YYYN"),
        ("F_related", "YYYY", "YYYY"),
        ("F_related (finite)", "YYYY", "YYYY"),
        ("F", "YYYY", "YYYY"),
        // A ranking says nothing of clusters.
        ("F_priority (finite)", "NNNN", "NNNN"),
    ] {
        assert_eq!(
            (letters(name, Scope::Printed), letters(name, Scope::General)),
            (printed.to_string(), general.to_string()),
            "{name}"
        );
    }
}

#[test]
fn extended_bcubed_fails_at_two_pairs() {
    let witness = report("extended_bcubed_f").get("size-vs-quantity").unwrap().witness().unwrap();
    assert_eq!(witness.scored[0].gold, "{a1 a2 a3} {b1 b2} {b1 b2}");
    assert!(
        (witness.scored[0].score - 11.0 / 13.0).abs() < 1e-12
            && (witness.scored[1].score - 8.0 / 9.0).abs() < 1e-12
    );
}

/// Entropy and counting pairs tie where the rag bag is one larger than the clean cluster, and fail
/// beyond.
#[test]
fn rag_bags_fail_by_size() {
    for name in ["mutual_information", "v_measure", "rand", "jaccard"] {
        let witness = report(name).get("rag-bag").unwrap().witness().unwrap();
        assert_eq!(witness.scored[0].system, "{a1 a2} {b1 c1 d1}", "{name}");
        assert!((witness.scored[0].score - witness.scored[1].score).abs() < 1e-12, "{name}");
    }
}

#[test]
fn the_filtering_rows() {
    for (name, priority, behaviour) in [
        ("precision", "violated", Behaviour::Constant),
        ("recall", "violated", Behaviour::Growing),
        ("f1", "weak", Behaviour::Growing),
        ("accuracy", "holds", Behaviour::Depends),
        ("balanced_accuracy", "holds", Behaviour::Constant),
        ("utility", "holds", Behaviour::Depends),
        ("lam", "holds", Behaviour::Constant),
        ("kappa", "weak", Behaviour::Constant),
        ("mcc", "weak", Behaviour::Constant),
        ("auc", "vacuous", Behaviour::Undefined),
        ("R_priority (finite)", "weak", Behaviour::Constant),
    ] {
        let report = report(name);
        assert_eq!(report.get("priority").unwrap().word(), priority, "{name}");
        assert_eq!(report.non_informative.as_ref().unwrap().behaviour, behaviour, "{name}");
    }
}

/// Each witness again, from the files that are written for a replay.
/// The settings that the options of a replay mean.
fn replayed_settings(options: &str) -> OrganizationSettings {
    let mut settings = OrganizationSettings::default();
    let mut words = options.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "--finite" => settings.finite = true,
            "--mix" => {
                let share = words.next().unwrap().parse().unwrap();
                settings.mix = Mix::Given(Shares::of_priority(share));
            }
            other => panic!("{other}"),
        }
    }
    settings
}

#[test]
fn every_witness_replays_from_its_files() {
    let mut replayed = 0;
    for OrganizationVerdicts { subject, findings, .. } in REPORTS.iter() {
        for finding in findings {
            let Some(witness) = finding.verdict.witness() else { continue };
            let files = witness.files(subject.measure().definition().name);
            let settings = replayed_settings(&witness.options);
            let mut catalogue = DocumentCatalogue::new();
            let sides: Vec<Organization> = files[..files.len() - 1]
                .iter()
                .map(|(name, text)| {
                    let topics = read(
                        &Source::from_bytes(*name, text.as_str()),
                        &ReadOptions::default(),
                        &mut catalogue,
                    );
                    // A side that keeps nothing and discards nothing has no file to read.
                    topics.map_or_else(
                        |_| Organization::default(),
                        |mut topics| topics.pop_first().unwrap().1,
                    )
                })
                .collect();
            for (pair, output) in sides.chunks(2).zip(&witness.scored) {
                let score = subject.score(&settings, &pair[0], &pair[1]).unwrap();
                assert!(
                    (score - output.score).abs() < 1e-12,
                    "{subject}, {}: {} is {score}",
                    finding.name,
                    output.system
                );
                replayed += 1;
            }
        }
    }
    assert!(replayed > 100, "{replayed}");
}

#[test]
fn every_measure_has_a_row() {
    assert!(measures().all(|m| {
        REPORTS.iter().any(|r| r.subject.measure().definition().name == m.definition().name)
    }));
    assert!(REPORTS.iter().all(|r| !r.findings.is_empty()));
}
