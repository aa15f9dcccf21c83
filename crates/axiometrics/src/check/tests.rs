//! The laboratory as a whole: the paper's table, the constraints' table, the theorem, and every
//! witness recomputed.

use std::sync::LazyLock;

use super::*;
use crate::check::lattice::Property;
use crate::data::OwnedTopic;

/// All checks of all registered measures, once for all tests.
static REGISTRY: LazyLock<Vec<MetricVerdicts>> =
    LazyLock::new(|| run_all(&all_metrics(), &CheckOptions::default()));

fn report(metric: &str) -> MetricVerdicts {
    run(&metric.parse().unwrap(), &CheckOptions::default())
}

/// Moffat's Table 2: bounded, monotonic, convergent, top-weighted, localized, complete, realizable.
const TABLE_2: [(&str, &str); 13] = [
    ("DCG@5", "NYYYYYN"),
    ("SP", "NYYYYYN"),
    ("RPrec", "YNNNNNY"),
    ("SNDCG@5", "YNNYYNY"),
    ("SNAP", "YNNYYNY"),
    ("P@5", "YNYNYYN"),
    ("nDCG", "YNYYNNY"),
    ("SDCG@5", "YNYYYYN"),
    ("HIT@5", "YYNNYYY"),
    ("RR", "YYNNYYY"),
    ("R@5", "YYYNNNN"),
    ("AP", "YYYYNNN"),
    ("RBP", "YYYYYYN"),
];

#[test]
fn all_ninety_one_cells_of_the_papers_table() {
    for (metric, cells) in TABLE_2 {
        let options =
            CheckOptions { groups: vec![CheckGroup::Property], ..CheckOptions::default() };
        let report = run(&metric.parse().unwrap(), &options);
        let found: String =
            report.findings.iter().map(|f| if f.verdict.holds() { 'Y' } else { 'N' }).collect();
        assert_eq!(found, cells, "{metric}");
        for f in &report.findings {
            assert!(
                f.verdict.holds() || f.verdict.witness().is_some(),
                "{metric}, {}: no witness",
                f.name
            );
        }
    }
}

#[test]
fn the_papers_yes_is_proved() {
    for (metric, _) in TABLE_2 {
        for f in report(metric)
            .findings
            .iter()
            .filter(|f| f.group == CheckGroup::Property && f.verdict.holds())
        {
            assert_eq!(f.verdict.how(), Some(How::Proved), "{metric}, {}", f.name);
        }
    }
}

/// A witness is worth what its states are worth: each score again, from a topic built the plain
/// way.
#[test]
fn every_witness_scores_what_it_says() {
    for MetricVerdicts { metric, findings, .. } in REGISTRY.iter() {
        // Those of diversity are about topics with one subtopic, which these topics are not.
        if diversity::applies(metric) {
            continue;
        }
        for finding in findings {
            let Some(witness) = finding.verdict.witness() else { continue };
            for state in &witness.states {
                let (top, rest) = state.gains.split_at(state.k as usize);
                let ranking: Vec<Option<f64>> = top.iter().copied().map(Some).collect();
                let topic = OwnedTopic::new(&ranking, rest).with_max_grade(witness.max_grade);
                let cut = if finding.group == CheckGroup::Property {
                    metric.at(state.k).unwrap()
                } else {
                    metric.clone()
                };
                let score = cut.score(&topic.view()).value();
                let same = match (score, state.score) {
                    (Some(a), Some(b)) => (a - b).abs() < 1e-12,
                    (a, b) => a.is_none() && b.is_none(),
                };
                assert!(
                    same,
                    "{metric}, {}: {} is {score:?}, not {:?}",
                    finding.name,
                    state.ranking(),
                    state.score
                );
            }
        }
    }
}

/// And once more through the files: written, read back and evaluated as `axio eval` does it.
#[test]
fn every_witness_replays_from_its_files() {
    use crate::score::Evaluation;
    use crate::warning::Warnings;
    let mut replayed = 0;
    for MetricVerdicts { metric, findings, .. } in REGISTRY.iter() {
        // Those of diversity are about topics with one subtopic, which these topics are not.
        if diversity::applies(metric) {
            continue;
        }
        for finding in findings {
            let Some(witness) = finding.verdict.witness().filter(|w| w.states.len() < 4) else {
                continue;
            };
            let at = |s: &State| {
                if finding.group == CheckGroup::Property {
                    metric.at(s.k).unwrap()
                } else {
                    metric.clone()
                }
            };
            let files = witness.files(|s| at(s).to_string());
            let metrics: Vec<Metric> = witness.states.iter().map(at).collect();
            let mut warnings = Warnings::default();
            let needs =
                metrics.iter().fold(crate::data::Needs::POSITIVE, |n, m| n.union(m.needs()));
            let mut qrels = crate::io::read_qrels(
                &crate::io::Source::from_bytes("qrels.txt", files[0].1.clone()),
                crate::io::QrelsOptions { positive_only: !needs.judged, ..Default::default() },
                &mut warnings,
            )
            .unwrap();
            qrels.set_max_grade(witness.max_grade);
            let run = crate::io::Source::from_bytes("witness.run", files[1].1.clone());
            let scores = Evaluation::new(&qrels, &metrics).run(&run, &mut warnings).unwrap();
            for (i, state) in witness.states.iter().enumerate() {
                let row = scores.row_of((i + 1).to_string().as_bytes()).unwrap();
                let same = match (scores.value(row, i), state.score) {
                    (Some(a), Some(b)) => (a - b).abs() < 1e-12,
                    (a, b) => a.is_none() && b.is_none(),
                };
                assert!(
                    same,
                    "{metric}, {}: {} is {:?}, not {:?}",
                    finding.name,
                    state.ranking(),
                    scores.value(row, i),
                    state.score
                );
                replayed += 1;
            }
        }
    }
    assert!(replayed > 100, "{replayed}");
}

#[test]
fn witnesses_are_the_smallest() {
    for (metric, property, rankings) in [
        ("SNAP", "convergent", "10|1 11|0"),
        ("P@5", "monotonic", "1|0 10|"),
        ("P@5", "top-weighted", "01| 10|"),
        ("P@5", "realizable", "10| 1|"),
        ("R@5", "localized", "1| 1|1"),
        ("AP", "complete", "0|"),
        ("RR", "convergent", "10|1 11|0"),
        ("nDCG", "monotonic", "1|01 10|1"),
    ] {
        let report = report(metric);
        let witness = report.get(property).unwrap().witness().unwrap();
        let found: Vec<String> = witness.states.iter().map(State::ranking).collect();
        assert_eq!(found.join(" "), rankings, "{metric}, {property}: {}", witness.text);
    }
}

/// Priority, deepness, deepness threshold, closeness threshold, confidence: printed, then general.
#[test]
fn the_ranking_rows_of_the_constraints() {
    for (metric, printed, general) in [
        ("AP", "YYNYN", "YNNYN"),
        ("Q", "YYNYN", "YNNYN"),
        ("DCG", "YYNYN", "YYNYN"),
        ("nDCG", "YYNYN", "YYNYN"),
        ("P@10", "NNYYN", "NNYYN"),
        ("RR", "YYYNN", "NNYNN"),
        ("RBP(p=0.8)", "YYYYN", "YYYYN"),
        ("RBP(p=0.95)", "YYYYN", "YYYYN"),
        ("RBP(p=0.5)", "YYYNN", "YYYNN"),
        ("RBP(p=0.754)", "YYYNN", "YYYNN"),
        ("RBP(p=0.755)", "YYYYN", "YYYYN"),
    ] {
        let report = report(metric);
        for (scope, cells) in [(Scope::Printed, printed), (Scope::General, general)] {
            let found: String = report
                .findings
                .iter()
                .filter(|f| f.group == CheckGroup::Constraint && f.scope == Some(scope))
                .map(|f| if f.verdict.holds() { 'Y' } else { 'N' })
                .collect();
            assert_eq!(found, cells, "{metric}, {}", scope.name());
        }
    }
}

#[test]
fn no_verdict_contradicts_the_theorem() {
    for report in REGISTRY.iter() {
        let metric = &report.metric;
        let holds = theorem::EXCLUDED.map(|p| report.of(p).is_some_and(Verdict::holds));
        assert_ne!(holds, [true; 3], "{metric}");
        if let Some(shown) = theorem::demonstrate(metric) {
            assert!(!report.of(shown.gives_up).unwrap().holds(), "{metric}: {}", shown.text);
        }
    }
}

/// Rules and searches are independent: a search that refutes what a rule proves refutes the
/// declaration.
#[test]
fn no_registered_declaration_is_refuted() {
    for MetricVerdicts { metric, structure, .. } in REGISTRY.iter() {
        assert!(
            matches!(structure, StructureOutcome::Absent | StructureOutcome::Verified(_)),
            "{metric}: {structure:?}"
        );
    }
}

#[test]
fn every_registered_measure_has_a_row() {
    assert_eq!(REGISTRY.len(), definitions().count());
    for MetricVerdicts { metric, findings, .. } in REGISTRY.iter() {
        // The axioms have rows of their own, in their tests.
        let checks =
            CHECKS.iter().flat_map(|g| g.iter()).filter(|c| c.group() != CheckGroup::Axiom);
        // Measures of diversity have constraints of their own, and three of those of rankings, each
        // as printed and in general.
        let expected = if diversity::applies(metric) {
            let properties = checks.filter(|c| c.group() == CheckGroup::Property).count();
            properties + 2 * 3 + (diversity::statements().len() - 3)
        } else {
            checks.count()
        };
        assert_eq!(findings.len(), expected, "{metric}");
    }
}

/// What a user does who knows at which depth he stops is no proof for other depths.
#[test]
fn users_who_know_the_depth_are_not_proved_by_one() {
    for metric in ["CWL(c='i<k')@10", "CWL(c='i<k')@1", "CWL(c='if(i<k,1,0)')@10"] {
        let found = report(metric);
        assert!(matches!(found.structure, StructureOutcome::Verified(_)), "{:?}", found.structure);
        assert!(found.of(Property::Realizable).unwrap().is_violated(), "{metric}");
    }
}

/// A measure whose divisor is a sum down to the cutoff is decided as any other. (A test of time that
/// runs for minutes, or hours, where it is not.)
#[test]
fn deep_cutoffs_are_decided() {
    for (metric, group) in [
        ("SDCG", CheckGroup::Property),
        ("NERR9", CheckGroup::Property),
        ("ERR_IA", CheckGroup::Constraint),
    ] {
        let options = CheckOptions { groups: vec![group], ..CheckOptions::default() };
        let verdicts = |cut: &str| run(&format!("{metric}{cut}").parse().unwrap(), &options);
        for (near, deep) in verdicts("@100").findings.iter().zip(verdicts("@4294967295").findings) {
            // Properties are those at every depth; what is told of a cutoff may be left open below it.
            if group == CheckGroup::Property {
                assert_eq!(near.verdict.word(), deep.verdict.word(), "{metric} {}", near.name);
            }
        }
    }
}
