//! The verdicts that are known.

use super::{Restrict, Settings, Single, decide};
use crate::check::Verdict;
use crate::component::Component;
use crate::measure::{Args, Metric};

fn file(text: &str, name: &str) -> Metric {
    let component = Component::parse(name, text).unwrap();
    Metric::from_component(component, Args::new(component.def().params)).unwrap()
}

fn shipped(name: &str, cutoff: Option<u32>) -> Metric {
    let path = format!("{}/../../components/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let component = Component::parse(&path, &std::fs::read_to_string(&path).unwrap()).unwrap();
    let mut args = Args::new(component.def().params);
    args.set_cutoff(cutoff);
    Metric::from_component(component, args).unwrap()
}

/// The shipped metric with other lines at the end of its file.
fn with_average(name: &str, average: &str) -> Metric {
    let path = format!("{}/../../components/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let start = text.find("[avgQ]").unwrap();
    file(&format!("{}[avgQ]\n{average}", &text[..start]), "changed.toml")
}

const KEEP: Settings = Settings { restrict: Restrict::Keep, single: Single::Singleton, reading: super::Reading::Order };

fn axiom(number: usize, metric: &Metric, settings: Settings) -> Verdict {
    decide(number, metric, settings, 1)
}

#[track_caller]
fn violated(number: usize, metric: &Metric, settings: Settings, part: &str) {
    let verdict = axiom(number, metric, settings);
    assert!(verdict.is_violated() && verdict.reason().contains(part), "{metric}, axiom {number}: {verdict:?}");
}

#[track_caller]
fn proved(number: usize, metric: &Metric, settings: Settings) {
    let verdict = axiom(number, metric, settings);
    assert!(matches!(verdict, Verdict::Proved { .. }), "{metric}, axiom {number}: {verdict:?}");
}

#[test]
fn document_monotonicity() {
    let default = Settings::default();
    violated(12, &shipped("precision", None), default, "");
    proved(12, &shipped("recall", None), default);
    proved(12, &shipped("adm", None), default);
    for (name, cutoff) in [("p_at_n", Some(2)), ("rbp", None), ("ndcg", None)] {
        proved(12, &shipped(name, cutoff), KEEP);
        violated(12, &shipped(name, cutoff), default, "");
    }
    violated(12, &shipped("ap", None), default, "");
    violated(12, &"nDCG".parse().unwrap(), default, "");
}

/// The printed case: alpha (N,N,R), sigma (N,R,R), sigma' (R,R,R), D = {3}, D' = {1,2}.
#[test]
fn the_printed_case_of_precision() {
    let metric = shipped("precision", None);
    let subject = super::Subject::new(&metric, Settings::default());
    let (alpha, sigma, other) = ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]);
    let scores = |sigma: &[f64]| [0b100, 0b011, 0b111].map(|set| subject.score(&alpha, sigma, set).unwrap());
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
    let default = Settings::default();
    proved(13, &shipped("ap", None), default);
    violated(13, &with_average("ap", "agg = \"gmean\""), default, "");
    violated(13, &with_average("ap", "agg = \"median\""), default, "");
    violated(13, &with_average("precision", "agg = \"mean\"\nundefined = \"skip\""), default, "");
    proved(13, &with_average("recall", "agg = \"mean\"\nundefined = \"skip\""), default);
}

#[test]
fn similarity() {
    let default = Settings::default();
    let ap = shipped("ap", None);
    violated(2, &ap, default, "");
    violated(3, &ap, default, "");
    for name in ["precision", "recall", "adm"] {
        (1..=3).for_each(|n| proved(n, &shipped(name, None), default));
    }
}

#[test]
fn effects() {
    let default = Settings::default();
    for number in [8, 9] {
        let verdict = axiom(number, &shipped("adm", None), default);
        assert_eq!(verdict.word(), "weak", "{verdict:?}");
    }
    proved(10, &shipped("adm", None), default);
    assert_eq!(axiom(10, &shipped("ap", None), default).word(), "vacuous");
}

#[test]
fn range() {
    let default = Settings::default();
    violated(11, &shipped("p_at_n", Some(2)), default, "b: the ideal alpha (N");
    violated(11, &shipped("rbp", None), default, "b: ");
    violated(11, &shipped("ap", None), default, "c: ");
    violated(11, &shipped("ap", None), default, "it holds where documents may be left out");
    assert!(axiom(11, &shipped("adm", None), default).is_violated());
}

#[test]
fn binary_scales_say_nothing_of_degrees() {
    for number in 5..=7 {
        assert_eq!(axiom(number, &shipped("recall", None), Settings::default()).word(), "vacuous", "axiom {number}");
    }
    assert!(axiom(5, &shipped("adm", None), Settings::default()).holds());
    let literal = Settings { reading: super::Reading::Literal, ..Settings::default() };
    assert!(axiom(5, &shipped("adm", None), literal).holds());
}
