//! One metric in many spellings has one set of verdicts: rounding decides none of them.

use super::shape::SplitMix;
use super::*;
use crate::component::Component;

fn file(score: &str) -> Metric {
    let text = format!("score = \"{score}\"");
    Metric::own(Component::parse("mine.toml", &text).expect(score)).expect(score)
}

/// Ways to write p^i, which is the discount of RBP times a constant, each with its p.
fn discounts() -> Vec<(String, f64)> {
    let mut all: Vec<(String, f64)> = Vec::new();
    for (base, p) in [("2", 0.5), ("4", 0.25), ("5", 0.2), ("10", 0.1)] {
        let ways = [
            format!("{base}^(-pos(d))"),
            format!("(1 / {base})^pos(d)"),
            format!("1 / {base}^pos(d)"),
            format!("{p}^(pos(d) - 1)"),
            format!("{base}^(1 - pos(d)) / 3"),
            format!("1000000 * {base}^(-pos(d))"),
            format!("0.000000000001 * {base}^(-pos(d))"),
        ];
        all.extend(ways.map(|way| (way, p)));
    }
    // 3 has no decimal inverse; roots and powers of e leave the rationals.
    all.push(("3^(-pos(d))".to_string(), 1.0 / 3.0));
    all.push(("(1 / 3)^pos(d)".to_string(), 1.0 / 3.0));
    all.push(("2^(-pos(d) / 2)".to_string(), 0.5f64.sqrt()));
    all.push(("2.718281828459045^(-pos(d))".to_string(), (-1.0f64).exp()));
    all
}

/// The spellings of RBP, with the measure of the registry: as it is, and cut off. (Without a cutoff
/// a quotient of weights and a product over the documents above are not nothing for a document that
/// was not retrieved.)
fn spellings() -> Vec<(Metric, Metric)> {
    let rbp = |p: f64| -> Metric { format!("RBP(p={p})").parse().unwrap() };
    let whole = |(weight, p): (String, f64)| {
        (file(&format!("sum(d in D : gain(d) / max_grade * {weight})")), rbp(p))
    };
    let cut = |(weight, p): (&str, f64)| {
        let sum = format!("sum(d in D where pos(d) <= k : gain(d) / max_grade * {weight})");
        (file(&sum).at(7).unwrap(), rbp(p).at(7).unwrap())
    };
    let cuts = [
        ("2^(-pos(d))", 0.5),
        ("10^(-pos(d))", 0.1),
        ("3^(-2 * pos(d)) / 3^(-pos(d))", 1.0 / 3.0),
        ("product(x in D where pos(x) <= pos(d) : 1 / 2)", 0.5),
        ("product(x in D where pos(x) < pos(d) : 0.1)", 0.1),
        ("2.718281828459045^(-pos(d))", (-1.0f64).exp()),
    ];
    discounts().into_iter().map(whole).chain(cuts.into_iter().map(cut)).collect()
}

/// No verdict says the opposite of the registered measure's, and those that a search decides are
/// the same. (What needs a rule about the family of weights may be left open for a file.)
#[test]
fn a_discount_has_the_verdicts_of_rbp_however_it_is_written() {
    let options = CheckOptions::default();
    let (files, registered): (Vec<Metric>, Vec<Metric>) = spellings().into_iter().unzip();
    let mut known = registered.clone();
    known.sort_by_key(Metric::to_string);
    known.dedup_by_key(|metric| metric.to_string());
    let known = run_all(&known, &options);
    for (report, registered) in run_all(&files, &options).iter().zip(&registered) {
        let formula = crate::component::definition_of(&report.metric);
        assert_eq!(report.contradiction(), None, "{formula}");
        let like = known.iter().find(|r| r.metric == *registered).unwrap();
        for (own, like) in report.findings.iter().zip(&like.findings) {
            let rule_of_weights = ["bounded", "deepness-threshold", "closeness-threshold"];
            let open =
                rule_of_weights.contains(&own.name) && own.verdict.outcome() == Outcome::Undecided;
            assert!(
                open || own.verdict.outcome() == like.verdict.outcome(),
                "{formula}, {}: {} ({}), but {registered} has {} ({})",
                own.name,
                own.verdict.word(),
                own.verdict.reason(),
                like.verdict.word(),
                like.verdict.reason()
            );
        }
    }
}

/// Weights as a designer types them, down to far below what a float adds: positive and falling, so
/// the sum has the properties of a discount.
#[test]
fn tiny_weights_are_weights() {
    let mut dice = SplitMix::new(11);
    let options = CheckOptions::default();
    let metrics: Vec<Metric> = (0..12)
        .map(|_| {
            let mut exponent = 0;
            let digits = |dice: &mut SplitMix| 1 + dice.below(8);
            let cases: Vec<String> = (1..=6)
                .map(|rank| {
                    exponent += 1 + dice.below(9);
                    format!("if(pos(d) == {rank}, {} * 10^(-{exponent}), ", digits(&mut dice))
                })
                .collect();
            let last = format!("10^(-{exponent} - pos(d))");
            let weight = format!("{}{last}{}", cases.concat(), ")".repeat(cases.len()));
            file(&format!("sum(d in D : gain(d) / max_grade * {weight})"))
        })
        .collect();
    for report in run_all(&metrics, &options) {
        let formula = crate::component::definition_of(&report.metric);
        assert_eq!(report.contradiction(), None, "{formula}");
        for name in ["monotonic", "convergent", "top-weighted", "localized", "complete", "priority"]
        {
            let verdict = report.get(name).unwrap();
            assert!(verdict.holds(), "{formula}, {name}: {}", verdict.reason());
        }
        assert!(report.get("realizable").unwrap().is_violated(), "{formula}");
    }
}

/// A divisor that only a float takes for zero leaves no score undefined.
#[test]
fn a_divisor_too_small_for_a_float_is_not_zero() {
    let best = "sum(d in D : gain(d) * 10^(-pos(d)))";
    let report = run(&file(&format!("{best} / ({best})")), &CheckOptions::default());
    for name in ["localized", "complete"] {
        if let Some(witness) = report.get(name).unwrap().witness() {
            assert!(witness.states.iter().all(|s| s.gains.len() < 100), "{}", witness.text);
        }
    }
}

/// A declared structure that agrees with the scores and yet proves too much: the case counts, as it
/// was decided without rounding, and the message says which of the two is wrong.
#[test]
fn a_proof_that_a_case_refutes_is_withdrawn() {
    let lab = Lab::new(&"RBP".parse().unwrap(), &CheckOptions::default()).unwrap();
    let witness = || Witness {
        states: Vec::new(),
        text: "a case".to_string(),
        max_grade: 1.0,
        worlds: Vec::new(),
    };
    let verdict = |tally: &search::SearchTally| {
        lab.settle(Some("a rule"), Some(witness()), tally, || Verdict::Vacuous(Bounds::default()))
    };
    let mut rounded = search::SearchTally::default();
    rounded.clearly(1.0, 2.0);
    assert!(matches!(verdict(&rounded), Verdict::Undecided(_)));
    assert!(!matches!(lab.declaration(), StructureOutcome::Contradicted { .. }));
    assert!(verdict(&search::SearchTally::default()).is_violated());
    assert!(matches!(lab.declaration(), StructureOutcome::Contradicted { .. }));
    let report = MetricVerdicts {
        metric: "RBP".parse().unwrap(),
        domain: None,
        structure: lab.declaration(),
        findings: Vec::new(),
    };
    let told = report.contradiction().unwrap();
    assert!(
        !told.contains("internal error") && told.contains("Exact arithmetic decided"),
        "{told}"
    );
}
