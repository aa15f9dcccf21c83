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
    findings(&subjects(name)[0], 1).iter().map(letter).collect()
}

/// Maximal and minimal agreement, symmetry, distance, linear complexity, monotonicity, constant
/// baseline.
#[test]
fn the_rows_of_the_measures() {
    let expected: &[(&str, &str)] = &[];
    let found: Vec<(String, String)> = all_subjects()
        .iter()
        .filter(|s| s.scores(Task::Clustering) && !s.is_finite())
        .map(|s| s.measure().definition().name)
        .map(|name| (name.to_string(), letters(name)))
        .collect();
    let expected: Vec<(String, String)> =
        expected.iter().map(|(n, l)| (n.to_string(), l.to_string())).collect();
    assert_eq!(found, expected);
}

#[test]
fn partitions_are_counted_by_bell() {
    assert_eq!([1, 2, 3, 4, 5].map(|n| Partition::all(n).len()), [1, 2, 5, 15, 52]);
    let four = Partition::all(4);
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
                assert_eq!(next.improvements(&at).len(), next.improvements(&at).len());
                at = next;
            }
            assert_eq!(at, *gold, "{} from {}", gold.text(), system.text());
        }
    }
}

#[test]
fn every_witness_scores_what_it_says() {
    use crate::data::organization::{Documents, notation};
    let mut seen = 0;
    for subject in all_subjects().iter().filter(|s| s.scores(Task::Clustering)) {
        let settings = subject.settings(Task::Clustering);
        for finding in findings(subject, 1) {
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
