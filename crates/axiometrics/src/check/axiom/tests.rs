//! The verdicts that are known.

use super::subject::AxiomSubject;
use super::{AxiomSettings, EstimateReading, NAMES, RankingKind, Restrict, Single};
use crate::check::{Check, CheckGroup, CheckOptions, Finding, Verdict, all_metrics, run_all};
use crate::component::Component;
use crate::measure::{Args, Metric, Own};

pub(super) fn file(text: &str, name: &str) -> Metric {
    let component = Component::parse(name, text).unwrap();
    Metric::own(component).unwrap()
}

fn shipped(name: &str, cutoff: Option<u32>) -> Metric {
    let path = format!("{}/../../components/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let component = Component::parse(&path, &std::fs::read_to_string(&path).unwrap()).unwrap();
    let mut args = Args::new(component.params());
    args.set_cutoff(cutoff);
    Metric::own_with(component, args).unwrap()
}

/// The shipped metric with other lines at the end of its file.
fn with_average(name: &str, average: &str) -> Metric {
    let path = format!("{}/../../components/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let start = text.find("[avgQ]").unwrap();
    file(&format!("{}[avgQ]\n{average}", &text[..start]), "changed.toml")
}

const DEFAULT: AxiomSettings = AxiomSettings {
    restrict: Some(Restrict::Renumber),
    rankings: None,
    single: Single::Singleton,
    reading: EstimateReading::Order,
    drop: None,
    docs: None,
    grades: None,
    trials: None,
};
const KEEP: AxiomSettings = AxiomSettings { restrict: Some(Restrict::Keep), ..DEFAULT };

fn check(number: usize) -> &'static dyn Check {
    super::CHECKS[number - 1]
}

pub(super) fn findings(number: usize, metric: &Metric, axioms: AxiomSettings) -> Vec<Finding> {
    let options = CheckOptions { axioms, ..CheckOptions::default() };
    check(number).findings(metric, &options).unwrap()
}

/// What came of an axiom; with documents left out, unless the settings say otherwise.
fn axiom(number: usize, metric: &Metric, settings: AxiomSettings) -> Verdict {
    finding(number, metric, settings).verdict
}

pub(super) fn finding(number: usize, metric: &Metric, settings: AxiomSettings) -> Finding {
    let restrict = Some(settings.restrict.unwrap_or_default());
    let rankings = Some(settings.rankings.unwrap_or_default());
    let mut found = findings(number, metric, AxiomSettings { restrict, rankings, ..settings });
    assert_eq!(found.len(), 1);
    found.remove(0)
}

#[test]
fn weights_of_the_assessor_keep_axiom_13_and_those_of_the_system_do_not() {
    let own = axiom(13, &with_average("recall", "agg = \"mean\"\nweight = \"R\"\n"), DEFAULT);
    assert!(own.is_proved(), "{own:?}");
    let systems = with_average("precision", "agg = \"mean\"\nweight = \"count(d in Ret)\"\n");
    let found = axiom(13, &systems, DEFAULT);
    assert!(found.is_violated(), "{found:?}");
}

#[track_caller]
fn violated(number: usize, metric: &Metric, settings: AxiomSettings, part: &str) {
    let verdict = axiom(number, metric, settings);
    assert!(
        verdict.is_violated() && verdict.reason().contains(part),
        "{metric}, axiom {number}: {verdict:?}"
    );
}

#[track_caller]
fn proved(number: usize, metric: &Metric, settings: AxiomSettings) {
    let verdict = axiom(number, metric, settings);
    assert!(matches!(verdict, Verdict::Proved { .. }), "{metric}, axiom {number}: {verdict:?}");
}

#[test]
fn document_monotonicity() {
    violated(12, &shipped("precision", None), DEFAULT, "");
    proved(12, &shipped("recall", None), DEFAULT);
    proved(12, &shipped("adm", None), DEFAULT);
    for (name, cutoff) in [("p_at_n", Some(2)), ("rbp", None), ("ndcg", None)] {
        proved(12, &shipped(name, cutoff), KEEP);
        violated(12, &shipped(name, cutoff), DEFAULT, "");
    }
    violated(12, &shipped("ap", None), DEFAULT, "");
    violated(12, &"nDCG".parse().unwrap(), DEFAULT, "");
}

/// The printed case: alpha (N,N,R), sigma (N,R,R), sigma' (R,R,R), D = {3}, D' = {1,2}.
#[test]
fn the_printed_case_of_precision() {
    let metric = shipped("precision", None);
    let subject = AxiomSubject::new(&metric, DEFAULT, Restrict::Renumber);
    let (alpha, sigma, other) = ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]);
    let scores =
        |sigma: &[f64]| [0b100, 0b011, 0b111].map(|set| subject.score(&alpha, sigma, set).unwrap());
    assert_eq!(scores(&sigma), [1.0, 0.0, 0.5]);
    assert_eq!(scores(&other), [1.0, 0.0, 1.0 / 3.0]);
}

#[test]
fn average_precision_with_kept_ranks_fails_at_six() {
    let verdict = axiom(12, &shipped("ap", None), KEEP);
    assert!(verdict.is_violated() && verdict.reason().contains("{1,2,3,4,5,6}"), "{verdict:?}");
}

#[test]
fn query_monotonicity() {
    proved(13, &shipped("ap", None), DEFAULT);
    violated(13, &with_average("ap", "agg = \"gmean\""), DEFAULT, "");
    let median = finding(13, &with_average("ap", "agg = \"median\""), DEFAULT);
    assert!(
        median.parts.iter().all(|part| part.verdict.is_violated()) && median.parts.len() == 3,
        "{:?}",
        median.verdict
    );
    violated(13, &with_average("precision", "agg = \"mean\"\nundefined = \"skip\""), DEFAULT, "");
    proved(13, &with_average("recall", "agg = \"mean\"\nundefined = \"skip\""), DEFAULT);
}

#[test]
fn similarity() {
    let ap = shipped("ap", None);
    violated(2, &ap, DEFAULT, "");
    violated(3, &ap, DEFAULT, "");
    for name in ["precision", "recall", "adm"] {
        (1..=3).for_each(|n| proved(n, &shipped(name, None), DEFAULT));
    }
}

#[test]
fn effects() {
    for number in [8, 9] {
        let verdict = axiom(number, &shipped("adm", None), DEFAULT);
        assert_eq!(verdict.word(), "ties", "{verdict:?}");
    }
    proved(10, &shipped("adm", None), DEFAULT);
    // Two documents of a ranking have the same rank only if both were left out.
    let full = AxiomSettings { rankings: Some(RankingKind::Full), ..DEFAULT };
    assert_eq!(axiom(10, &shipped("ap", None), full).word(), "vacuous");
    proved(10, &shipped("ap", None), DEFAULT);
}

#[test]
fn range() {
    violated(11, &shipped("p_at_n", Some(2)), DEFAULT, "b: the ideal alpha (N");
    let (alpha, sigma) = ([1.0, 0.0], [1.0, 2.0]);
    let p_at_2 = shipped("p_at_n", Some(2));
    assert_eq!(
        AxiomSubject::new(&p_at_2, DEFAULT, Restrict::Keep).score(&alpha, &sigma, 0b11),
        Some(0.5)
    );
    violated(11, &shipped("rbp", None), DEFAULT, "b: ");
    let full = AxiomSettings { rankings: Some(RankingKind::Full), ..DEFAULT };
    violated(11, &shipped("ap", None), full, "c: ");
    assert!(axiom(11, &shipped("ap", None), DEFAULT).holds());
    let both: Vec<(Option<&str>, &str)> = findings(11, &shipped("ap", None), DEFAULT)
        .iter()
        .map(|f| (f.version(), f.verdict.word()))
        .collect();
    assert_eq!(both, [(Some("full"), "violated"), (Some("partial"), "holds")]);
    assert!(axiom(11, &shipped("adm", None), DEFAULT).is_violated());
}

#[test]
fn binary_scales_say_nothing_of_degrees() {
    for number in 5..=7 {
        assert_eq!(
            axiom(number, &shipped("recall", None), DEFAULT).word(),
            "vacuous",
            "axiom {number}"
        );
    }
    assert!(axiom(5, &shipped("adm", None), DEFAULT).holds());
    let literal = AxiomSettings { reading: EstimateReading::Literal, ..DEFAULT };
    assert!(axiom(5, &shipped("adm", None), literal).holds());
}

/// A metric on two numbers for each document: the sum of a term.
fn summed(term: &str) -> Metric {
    let scales = "[alpha]\nscale = \"interval\"\nrange = [0, 1]\n[sigma]\nscale = \"interval\"\nrange = [0, 1]\n";
    let text = format!(
        "{scales}[sim]\nexpr = \"1 - abs(s - a)\"\n[avgD]\nover = \"D\"\nagg = \"sum\"\nterm = \"{term}\"\nempty = \"zero\"\n"
    );
    file(&text, "summed.toml")
}

/// A metric on two categories with another similarity.
fn similar(sim: &str) -> Metric {
    let levels = "scale = \"ranked-categories\"\nlevels = [\"N\", \"R\"]\n";
    file(
        &format!(
            "[alpha]\n{levels}[sigma]\n{levels}[sim]\nexpr = \"{sim}\"\n[avgD]\nover = \"D\"\nagg = \"mean\"\n"
        ),
        "similar.toml",
    )
}

#[test]
fn every_axiom_passes_one_metric_and_fails_another() {
    let accuracy = || similar("if(a == s, 1, 0)");
    let contribution = AxiomSettings { single: Single::Contribution, ..KEEP };
    let table: [(Metric, AxiomSettings, Metric, AxiomSettings); 13] = [
        // Only the ideal ranking tells documents of equal alpha and sigma apart.
        (accuracy(), DEFAULT, similar("ideal(d)"), DEFAULT),
        (accuracy(), DEFAULT, shipped("ap", None), DEFAULT),
        (accuracy(), DEFAULT, shipped("ap", None), DEFAULT),
        // On the document alone a metric sees nothing but its alpha and sigma; what the document
        // adds to a sum can depend on the others.
        (accuracy(), DEFAULT, shipped("ap", None), contribution),
        (shipped("adm", None), DEFAULT, summed("1"), DEFAULT),
        (shipped("adm", None), DEFAULT, summed("1"), DEFAULT),
        (shipped("adm", None), DEFAULT, summed("1"), DEFAULT),
        (summed("s"), DEFAULT, summed("1 - s"), DEFAULT),
        (summed("a"), DEFAULT, summed("1 - a"), DEFAULT),
        (shipped("adm", None), DEFAULT, summed("s * ideal(d)"), DEFAULT),
        (accuracy(), DEFAULT, shipped("rbp", None), DEFAULT),
        (shipped("recall", None), DEFAULT, shipped("precision", None), DEFAULT),
        (shipped("ap", None), DEFAULT, with_average("ap", "agg = \"max\""), DEFAULT),
    ];
    for (number, (pass, reading, fail, other)) in (1..).zip(&table) {
        assert!(
            axiom(number, pass, *reading).holds(),
            "{number}: {:?}",
            axiom(number, pass, *reading)
        );
        assert!(
            axiom(number, fail, *other).is_violated(),
            "{number}: {:?}",
            axiom(number, fail, *other)
        );
    }
}

#[test]
fn every_registered_measure_has_thirteen_rows() {
    let axioms = AxiomSettings { docs: Some(3), trials: Some(10), ..DEFAULT };
    let reports = run_all(
        &all_metrics(),
        &CheckOptions { groups: vec![CheckGroup::Axiom], axioms, ..CheckOptions::default() },
    );
    assert_eq!(reports.len(), crate::measure::definitions().count());
    for report in &reports {
        let names: Vec<&str> = report.findings.iter().map(|f| f.name).collect();
        let mut once = names.clone();
        once.dedup();
        assert_eq!(once, NAMES, "{}", report.metric);
        for f in &report.findings {
            assert!(
                !f.verdict.reason().contains("a rule proves it"),
                "{}, {}: {:?}",
                report.metric,
                f.name,
                f.verdict
            );
            let stated = matches!(&f.verdict, Verdict::NotApplicable(why) if !why.is_empty());
            assert_eq!(
                f.premises.is_none(),
                stated,
                "{}, {}: {:?}",
                report.metric,
                f.name,
                f.verdict
            );
        }
    }
}

#[test]
fn both_restrictions_are_told_where_they_differ() {
    let both = AxiomSettings { restrict: None, ..DEFAULT };
    let words = |number: usize, metric: &Metric| -> Vec<(Option<Restrict>, &'static str)> {
        findings(number, metric, both).iter().map(|f| (f.restrict, f.verdict.word())).collect()
    };
    let rbp = shipped("rbp", None);
    assert_eq!(
        words(12, &rbp),
        [(Some(Restrict::Renumber), "violated"), (Some(Restrict::Keep), "holds")]
    );
    assert_eq!(words(4, &rbp), [(None, "holds")]);
    assert_eq!(words(12, &shipped("precision", None)), [(None, "violated")]);
}

#[test]
fn bounds_can_be_raised() {
    let bounds = |settings: AxiomSettings| {
        axiom(4, &"RBP".parse().unwrap(), settings)
            .bounds()
            .map(|b| (b.docs, b.gains.clone()))
            .unwrap()
    };
    assert_eq!(bounds(DEFAULT), (4, "{0, 1, 2, 3}, all rankings of some or all".to_string()));
    assert_eq!(
        bounds(AxiomSettings { docs: Some(5), grades: Some(3), ..DEFAULT }),
        (5, "{0, 1, 2}, all rankings of some or all".to_string())
    );
    let adm = axiom(
        4,
        &shipped("adm", None),
        AxiomSettings { docs: Some(2), grades: Some(5), ..DEFAULT },
    );
    assert_eq!(adm.bounds().unwrap().gains, "{0, 1/4, 1/2, 3/4, 1}, systems {0, 1/4, 1/2, 3/4, 1}");
    // No bound is so high that the search would not end.
    assert!(
        axiom(
            1,
            &shipped("adm", None),
            AxiomSettings { docs: Some(8), grades: Some(9), ..DEFAULT }
        )
        .holds()
    );
}

/// A cutoff ends the search of small worlds before it matters: random worlds go beyond it.
#[test]
fn a_cutoff_is_reached() {
    violated(12, &"P@10".parse().unwrap(), DEFAULT, "b: ");
    violated(12, &shipped("p_at_n", None), DEFAULT, "b: ");
}

/// A built-in measure is judged by its own components, so the file has the same verdicts.
#[test]
fn a_measure_and_its_file_have_equal_verdicts() {
    let settings = AxiomSettings { docs: Some(3), trials: Some(20), ..AxiomSettings::default() };
    for (measure, name, cutoff) in [
        ("SetP", "precision", None),
        ("SetR", "recall", None),
        ("AP", "ap", None),
        ("logitAP", "logit_ap", None),
        ("GMAP", "gmap", None),
        ("P@2", "p_at_n", Some(2)),
        ("nDCG", "ndcg", None),
        ("RBP(rel=1)", "rbp", None),
    ] {
        let words = |metric: &Metric, number: usize| -> Vec<(Option<&str>, &str)> {
            let found = findings(number, metric, settings);
            found.iter().map(|f| (f.version(), f.verdict.word())).collect()
        };
        for number in 1..=13 {
            let (own, file) = (measure.parse().unwrap(), shipped(name, cutoff));
            assert_eq!(words(&own, number), words(&file, number), "{measure}, axiom {number}");
        }
    }
}

/// What the search must not miss: cutoffs beyond small worlds, grades between none and all, parts
/// whose neighbours have failed.
#[test]
fn searches_go_far_enough() {
    assert!(!axiom(9, &"P@10".parse().unwrap(), KEEP).holds());
    let gains = |metric: &str, number| {
        let verdict = axiom(number, &metric.parse().unwrap(), KEEP);
        verdict.bounds().map(|b| b.gains.clone())
    };
    assert!(gains("nDCG", 4).unwrap().starts_with("{0, 1, 2, 3}"));
    let twelve = finding(12, &"AP".parse().unwrap(), KEEP);
    assert!(twelve.parts[2].verdict.is_violated(), "{:?}", twelve.parts[2]);
}

#[test]
fn conditions_are_needed() {
    use super::Condition;
    let over = shipped("over", None);
    let without = |drop| AxiomSettings { drop: Some(drop), ..DEFAULT };
    assert!(axiom(5, &over, DEFAULT).holds());
    assert!(axiom(5, &over, without(Condition::Five)).is_violated());
    // With the whole ranking in view, a document may lose what its neighbour gains.
    assert!(!axiom(8, &shipped("adm", None), without(Condition::Eleven)).holds());
}

/// A metric of numbers between 0 and 1 on both sides.
fn of_numbers(rest: &str) -> Metric {
    let scales =
        ["alpha", "sigma"].map(|side| format!("[{side}]\nscale = 'interval'\nrange = [0, 1]\n"));
    file(&format!("{}[sim]\nexpr = '1 - abs(a - s)'\n{rest}", scales.concat()), "numbers.toml")
}

#[test]
fn a_sum_that_is_zero_but_for_rounding_is_zero() {
    // 2.25 - 5 * 0.45 is 0, but not in floats, in which scores beyond all bounds come out.
    let metric = of_numbers(
        "[avgD]\nexpr = 'sum(d in D : alpha(d) - sigma(d)) / sum(d in D : alpha(d) - 0.45)'",
    );
    for number in [10, 13] {
        let verdict = axiom(number, &metric, DEFAULT);
        assert!(verdict.is_proved(), "axiom {number}: {}", verdict.reason());
    }
}

#[test]
fn numbers_that_a_metric_speaks_of_are_among_the_values_of_its_scales() {
    // A system that says 0.35 has no score, and the other one has.
    let metric = of_numbers(
        "[avgD]\nover = 'D'\nagg = 'sum'\nterm = 'sim / (s - 0.35)'\n[avgQ]\nundefined = 'skip'",
    );
    assert!(axiom(13, &metric, DEFAULT).is_violated());
}

#[test]
fn what_was_not_tried_below_a_cutoff_is_not_decided() {
    // P@10 fails below rank 10; so does P@500 below rank 500, where no search comes.
    assert!(axiom(12, &"P@10".parse().unwrap(), DEFAULT).is_violated());
    let far = axiom(12, &"P@500".parse().unwrap(), DEFAULT);
    assert!(matches!(far, Verdict::Undecided(_)), "{}", far.reason());
    assert!(far.reason().contains("nothing was tried below its cutoff, rank 500"));
    assert!(axiom(12, &"P@500".parse().unwrap(), KEEP).is_proved());
}

/// No axiom of a shipped file is left vacuous if more values of its scales decide it.
#[test]
fn no_axiom_of_a_shipped_file_is_vacuous_for_want_of_values() {
    use rayon::prelude::*;
    let metrics: Vec<Metric> = crate::component::shipped_names()
        .filter_map(|name| Metric::own(crate::component::shipped(name)?).ok())
        .collect();
    assert!(metrics.len() > 30);
    // Of a binary scale there are no more values.
    let has_more = |metric: &&Metric| {
        AxiomSubject::new(metric, AxiomSettings::default(), Restrict::default()).has_finer_grids()
    };
    let metrics: Vec<&Metric> = metrics.iter().filter(has_more).collect();
    metrics.par_iter().with_max_len(1).for_each(|metric| {
        for number in 1..=NAMES.len() {
            for usual in findings(number, metric, AxiomSettings::default()) {
                if !matches!(usual.verdict, Verdict::Vacuous(_)) {
                    continue;
                }
                for grades in [5, 9] {
                    let settings =
                        AxiomSettings { grades: Some(grades), ..AxiomSettings::default() };
                    for finer in findings(number, metric, settings) {
                        assert!(
                            matches!(finer.verdict, Verdict::Vacuous(_)),
                            "{metric}, axiom {number}, {grades} values: {:?}",
                            finer.verdict
                        );
                    }
                }
            }
        }
    });
    let literal = shipped("adm_literal", None);
    assert!(axiom(7, &literal, DEFAULT).is_violated());
}
