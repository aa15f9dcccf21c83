//! What the paper says of known measures, and every witness scored again.

use super::super::{all_subjects, subjects};
use super::*;

fn letters(name: &str) -> String {
    let letter = |f: &Finding<Instance>| match f.verdict.word() {
        "holds" => 'Y',
        "weak" => 'w',
        "violated" => 'N',
        _ => '-',
    };
    findings(&subjects(name)[0], &Clusterings::new(1)).iter().map(letter).collect()
}

/// Maximal and minimal agreement, symmetry, distance, linear complexity, monotonicity, constant
/// baseline. What the paper's tables say of NMI, variation of information, BCubed, Rand, adjusted
/// Rand and Jaccard is the same; AMI is not monotonic here, by its conventions for one cluster.
#[test]
fn the_rows_of_the_measures() {
    for (name, expected) in [
        ("purity", "NNNNYNN"),
        ("inverse_purity", "NNNNYNN"),
        ("purity_f", "YYYNYNN"),
        ("class_f", "YYNNYNN"),
        ("entropy", "NNNNYNN"),
        ("class_entropy", "NNNNYNN"),
        ("mutual_information", "NNYNYNN"),
        ("nmi", "YNYNYYN"),
        ("ami", "YNYNNNY"),
        ("homogeneity", "NNNNYNN"),
        ("completeness", "NNNNYNN"),
        ("v_measure", "YNYNYYN"),
        ("variation_of_information", "YNYYYYN"),
        ("rand", "YYYYYYN"),
        ("adjusted_rand", "YNYNYYY"),
        ("jaccard", "YNYYYwN"),
        ("fowlkes_mallows", "NNYNYwN"),
        ("edit_distance", "YYNNNNN"),
        ("bcubed_precision", "NNNNYNN"),
        ("bcubed_recall", "NNNNYNN"),
        ("bcubed_f", "YYYNYYN"),
        ("extended_bcubed_precision", "NNNNNNN"),
        ("extended_bcubed_recall", "NNNNNNN"),
        ("extended_bcubed_f", "YYYNNYN"),
    ] {
        assert_eq!(letters(name), expected, "{name}");
    }
}

#[test]
fn partitions_are_counted_by_bell() {
    assert_eq!([1, 2, 3, 4, 5].map(|n| Partition::all(n).len()), [1, 2, 5, 15, 52]);
    let four = Partition::all(4);
    assert!(four.is_sorted());
    assert_eq!((four[0].text().as_str(), four[14].clusters()), ("{a b c d}", 4));
    assert_eq!(four.iter().filter(|p| !four[0].agrees(p)).count(), 1);
}

/// Every step keeps all agreement, and from any partition the steps lead to the gold standard.
#[test]
fn steps_keep_agreement_and_lead_to_the_gold_standard() {
    let all = Partition::all(4);
    for gold in &all {
        for system in &all {
            let mut at = system.clone();
            while let Some(next) = at.improvements(gold).pop() {
                at = next;
            }
            assert_eq!(at, *gold, "{} from {}", gold.text(), system.text());
        }
    }
}

#[test]
fn names_of_documents_change_no_score() {
    let clusterings = Clusterings::new(1);
    for subject in all_subjects().iter().filter(|s| s.scores(Task::Clustering)) {
        let bench = Bench::new(subject, &clusterings);
        for (table, small) in bench.tables().iter().zip(&clusterings.small) {
            for (gold, system) in table.pairs() {
                let [a, b] = [gold, system].map(|i| &small.organizations[i]);
                let (known, direct) = (table.score(gold, system), bench.score(a, b));
                let same = match (known, direct) {
                    (Some(x), Some(y)) => (x - y).abs() < 1e-12,
                    (x, y) => x == y,
                };
                assert!(same, "{subject}, {gold}, {system}: {known:?} {direct:?}");
            }
        }
    }
}

#[test]
fn every_witness_scores_what_it_says() {
    use crate::data::organization::{Documents, notation};
    let mut seen = 0;
    for subject in all_subjects().iter().filter(|s| s.scores(Task::Clustering)) {
        let settings = subject.settings(Task::Clustering);
        for finding in findings(subject, &Clusterings::new(1)) {
            let Some(witness) = finding.verdict.witness() else { continue };
            for Scored { gold, system, score } in &witness.scored {
                let mut names = Documents::default();
                let [gold, system] =
                    [gold, system].map(|text| notation::parse(text, &mut names).unwrap());
                let again = subject.score(&settings, &gold, &system).unwrap();
                assert!((again - score).abs() < 1e-12, "{subject}, {}", finding.name);
                seen += 1;
            }
        }
    }
    assert!(seen > 50, "{seen}");
}
