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

/// One relevant document on top against n relevant ones after n irrelevant ones, by plain loops; then
/// the verdict, which a rule gives for every n.
#[test]
fn n_deep_documents_are_no_worse_than_one_on_top_for_sums_that_never_fade() {
    let score = |metric: &Metric, relevant: &dyn Fn(usize) -> bool, n: usize| {
        let ranking: Vec<Option<f64>> =
            (1..=2 * n).map(|rank| Some(f64::from(u8::from(relevant(rank))))).collect();
        let found = (1..=2 * n).filter(|rank| relevant(*rank)).count();
        let mut rest = vec![1.0; n - found];
        rest.extend(vec![0.0; found - 1]);
        metric.score(&OwnedTopic::new(&ranking, &rest).view()).value().unwrap()
    };
    for name in
        ["Q", "Q(beta=10)", "AUC", "GAP", "yaAP", "logitAP", "SetP", "SetR", "SetF", "SetAP"]
    {
        let metric: Metric = name.parse().unwrap();
        for n in (3..40).chain([100, 1000]) {
            let one = score(&metric, &|rank| rank == 1, n);
            let deep = score(&metric, &|rank| rank > n, n);
            assert!(deep >= one - 1e-12, "{name}, {n}: {deep} {one}");
        }
        let report = report(name);
        for scope in [Scope::Printed, Scope::General] {
            let verdict = report.scoped("deepness-threshold", scope).unwrap();
            assert!(verdict.is_violated() && verdict.is_proved(), "{name}: {}", verdict.reason());
        }
    }
    // By hand: the mean of 2 j / (2 n + j) comes to 2 - 4 ln 1.5.
    let q = score(&"Q".parse().unwrap(), &|rank| rank > 100_000, 100_000);
    assert!((q - (2.0 - 4.0 * 1.5f64.ln())).abs() < 1e-5, "{q}");
    // Sums that fade still have it.
    for name in ["RBP", "ERR", "RR", "Q@10", "P@10"] {
        assert!(report(name).get("deepness-threshold").unwrap().holds(), "{name}");
    }
}

fn file(text: &str) -> Metric {
    let component = crate::component::Component::parse("mine.toml", text).unwrap();
    Metric::own(component).unwrap()
}

/// Whatever the parts of a formula are, a choice between two numbers is one of them.
#[test]
fn expressions_with_two_ends_are_bounded() {
    for (score, bounded) in [
        ("if(exists(d in Rel where pos(d) == 1), 1, 0)", true),
        ("min(1, count(d in Rel where pos(d) <= 10) / 3)", true),
        ("max(0, 1 - sum(d in D : gain(d) / pos(d)))", true),
        ("1 / (1 + count(d in Rel where pos(d) <= 10))", true),
        // Of no more documents than any topic has, but not of one constant.
        ("count(d in Rel) / 4294967296", false),
        ("max(1, sum(d in D : gain(d)))", false),
        ("min(1, 2 - sum(d in D : gain(d)))", false),
    ] {
        let report = run(&file(&format!("score = \"{score}\"")), &CheckOptions::default());
        let verdict = report.get("bounded").unwrap();
        assert_eq!(matches!(verdict, Verdict::Proved { .. }), bounded, "{score}: {verdict:?}");
    }
}

/// By default the highest grade judged anywhere divides the gains, so a document that was not
/// retrieved changes the score; and the verdict that the top k alone decides says so.
#[test]
fn localized_names_the_maximum_grade_that_it_takes_for_granted() {
    let score = |metric: &Metric, rest: &[f64]| {
        metric.score(&OwnedTopic::new(&[Some(1.0), Some(0.0)], rest).view()).value()
    };
    let mut conditional = Vec::new();
    for MetricVerdicts { metric, findings, .. } in REGISTRY.iter() {
        let localized = findings.iter().find(|f| f.name == "localized").unwrap();
        if !localized.verdict.holds() || diversity::applies(metric) {
            assert_eq!(localized.condition, None, "{metric}");
            continue;
        }
        let scales = score(metric, &[0.0]) != score(metric, &[2.0]);
        assert_eq!(localized.condition.is_some(), scales, "{metric}");
        if scales {
            assert!(localized.reason().contains("for a fixed maximum grade"), "{metric}");
            conditional.push(metric.def().name);
        }
    }
    for name in ["RBP", "ERR", "HIT", "SDCG"] {
        assert!(conditional.contains(&name), "{name}: {conditional:?}");
    }
    for f in report("RBP").findings.iter().filter(|f| f.name != "localized") {
        assert_eq!(f.condition, None, "{}", f.name);
    }
}

/// An irrelevant document more raises the score of rankings of 17 to 191 documents, beyond the sizes
/// that are all tried.
#[test]
fn confidence_fails_far_below_the_top() {
    let metric: Metric = "RS_F(n=800,variant=table9)".parse().unwrap();
    let score = |n: usize| {
        let ranking: Vec<Option<f64>> =
            (0..n).map(|at| Some(f64::from(u8::from(at == 0)))).collect();
        metric.score(&OwnedTopic::new(&ranking, &[]).view()).value().unwrap()
    };
    let rises = |n: &usize| score(n + 1) > score(*n);
    assert!((17..192).all(|n| rises(&n)) && (1..17).chain(192..400).all(|n| !rises(&n)));
    let report = report("RS_F(n=800,variant=table9)");
    for scope in [Scope::Printed, Scope::General] {
        let verdict = report.scoped("confidence", scope).unwrap();
        assert!(verdict.is_violated(), "{}", verdict.reason());
    }
}
