//! Every kind of case that a constraint covers is tried: a metric that fails in these cases only
//! does not have the constraint.

use crate::check::{CheckGroup, CheckOptions, Lab, Scope, checks};
use crate::component::Component;
use crate::measure::Metric;

/// What the conditions of the formulas read: relevant documents that were retrieved, documents that
/// were retrieved, irrelevant documents of the collection.
const FOUND: &str = "count(d in Ret where gain(d) > 0)";
const RETRIEVED: &str = "count(d in Ret)";
const IRRELEVANT: &str = "count(d in D where gain(d) == 0)";
const TOP_IS_RELEVANT: &str = "exists(d in Ret where pos(d) == 1 and gain(d) > 0)";

fn holds(score: &str, constraint: &str, scope: Scope) -> bool {
    let score = score
        .replace("FOUND", FOUND)
        .replace("RETRIEVED", RETRIEVED)
        .replace("MISSED", &format!("(R - {FOUND})"))
        .replace("SPARE", &format!("({IRRELEVANT} - {RETRIEVED} + {FOUND})"))
        .replace("TOP_IS_RELEVANT", TOP_IS_RELEVANT);
    let file = Component::parse("own.toml", &format!("score = \"{score}\"")).unwrap();
    let metric = Metric::own(file).unwrap();
    let lab = Lab::new(&metric, &CheckOptions::default()).unwrap();
    let check = checks(&[CheckGroup::Constraint])
        .find(|c| c.name() == constraint && c.scope() == Some(scope))
        .unwrap();
    check.decide(&lab).holds()
}

/// A constraint, a formula that has it, one that does not, and the cases in which a metric fails
/// that is the first formula elsewhere.
type Row = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// Around one relevant document on top of 2n, in a collection with n: more relevant ones that were
/// not retrieved, irrelevant ones that were not, irrelevant ones at the end.
const AROUND: &[&str] = &[
    "FOUND == 1 and 2 * R > RETRIEVED and TOP_IS_RELEVANT",
    "SPARE > 0 and TOP_IS_RELEVANT",
    "2 * R < RETRIEVED and TOP_IS_RELEVANT",
];

const ROWS: [Row; 6] = [
    (
        "priority",
        "sum(d in Ret : gain(d) / pos(d))",
        "FOUND",
        &["MISSED > 0", "SPARE > 0", "MISSED > 0 and SPARE > 0", "FOUND > 2 and MISSED == 1"],
    ),
    (
        "deepness",
        "sum(d in Ret : gain(d) / pos(d))",
        "sum(d in Ret : gain(d) * (2000 - pos(d)))",
        &["MISSED > 0", "SPARE > 0", "MISSED > 0 and SPARE > 0", "FOUND > 2 and MISSED == 1"],
    ),
    // Three neighbours: 100 over 010 gains no more than 010 over 001 after a relevant document, and
    // in no two pairs of neighbours.
    (
        "deepness",
        "sum(d in Ret : gain(d) / pos(d))",
        "1 + (2000 - sum(d in Ret : gain(d) * pos(d))) / 10000",
        &["FOUND == 2 and TOP_IS_RELEVANT"],
    ),
    ("deepness-threshold", "sum(d in Ret : gain(d) * 0.5^pos(d))", "-1", AROUND),
    ("closeness-threshold", "FOUND", "1000000", AROUND),
    (
        "confidence",
        "if(FOUND == 0, 0, 1 / RETRIEVED)",
        "RETRIEVED",
        &[
            "FOUND == 0",
            "FOUND == 0 and MISSED > 0",
            "MISSED > 0",
            "SPARE > 1",
            "MISSED > 0 and SPARE > 1",
        ],
    ),
];

#[test]
fn a_metric_that_fails_in_one_kind_of_case_does_not_have_the_constraint() {
    for (constraint, good, bad, cases) in ROWS {
        assert!(holds(good, constraint, Scope::General), "{constraint}: {good}");
        for case in cases {
            let score = format!("if({case}, {bad}, {good})");
            assert!(!holds(&score, constraint, Scope::General), "{constraint}: {score}");
        }
    }
}

/// Of confidence any ranking is a printed instance, if nothing else is in the collection.
#[test]
fn the_printed_instance_has_only_the_documents_that_it_names() {
    for (constraint, good, bad, cases) in ROWS {
        for case in cases {
            let score = format!("if({case}, {bad}, {good})");
            let printed = constraint == "confidence" && *case == "FOUND == 0";
            assert_eq!(
                !holds(&score, constraint, Scope::Printed),
                printed,
                "{constraint}: {score}"
            );
        }
    }
}
