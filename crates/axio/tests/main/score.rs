//! `score`, `fit` and the matrix of `check`, as a user meets them. docs/papers/moffat-2013.md has
//! more of them.

use serde_json::Value;

use crate::support::{axio, axio_in, folder, stdout};

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[args, &["--format", "json"]].concat())).unwrap()
}

#[test]
fn rankings_by_hand() {
    let found = json(&["score", "11000", "10101+2", "1-10-", "-m", "SDCG@5 AP", "--ranges"]);
    let value = |ranking: usize, measure: usize| &found["rankings"][ranking]["measures"][measure];
    let near = |value: &Value, expected: f64| {
        assert!((value.as_f64().unwrap() - expected).abs() < 1e-4, "{value} {expected}");
    };
    near(&value(0, 0)["value"], 0.5531);
    near(&value(1, 1)["value"], (1.0 + 2.0 / 3.0 + 3.0 / 5.0) / 5.0);
    // The first unjudged document is relevant, and the second is not: 11100.
    near(&value(2, 1)["range"]["high"], 1.0);
    // The second is, and the first is not: 10101.
    near(&value(2, 1)["range"]["low"], (1.0 + 2.0 / 3.0 + 3.0 / 5.0) / 3.0);
    assert_eq!(found["rankings"][2]["grades"], serde_json::json!([1.0, null, 1.0, 0.0, null]));
    assert_eq!(found["settings"]["tail"], "unknown");
    // The order of the call, whatever that of the names.
    assert_eq!(found["rankings"][0]["ranking"], "11000");
    let tsv = stdout(&["score", "[10]1", "-m", "RR P@1", "--ties", "average", "--format", "tsv"]);
    assert_eq!(tsv, "ranking\tmeasure\tvalue\n[10]1\tRR\t0.75\n[10]1\tP@1\t0.5\n");
}

#[test]
fn utilities_are_no_swapped_run() {
    // 0.7 / log2(2) + 0.3 / log2(4).
    let tsv = stdout(&["score", "0.7 0 0.3", "-m", "DCG", "--format", "tsv"]);
    assert_eq!(tsv.trim().rsplit('\t').next().unwrap().parse::<f64>().unwrap(), 0.7 + 0.3 / 2.0);
}

#[test]
fn undefined_scores_have_a_reason() {
    let text = stdout(&["score", "00", "-m", "P@2 AP"]);
    assert!(text.contains("AP of 00 is undefined: "), "{text}");
}

#[test]
fn what_is_wrong_is_told() {
    for (args, part) in [
        (&["score", "1x"][..], "found \"x\" at character 2"),
        (&["score", "+3"], "has no document"),
        (&["score", "10", "-m", "alpha_nDCG@5"], "needs subtopics"),
        (&["score", "30", "--max-grade", "2"], "the maximum grade 2 is below the grade 3"),
        (&["score", "[10]", "--ties", "range", "--ranges"], "in two calls"),
        (&["explain", "AP", "--ranking", "1y"], "found \"y\" at character 2"),
        (&["fit", "examples/web/qrels.txt"], "expected a rank from 1 on"),
        (&["fit", "examples/users/stops.csv", "-m", "AP"], "no parameter that can be fitted"),
        (&["plan", "depth", "-m", "AP"], "cannot promise anything of AP"),
        (&["plan", "depth", "--budget", "9"], "name runs"),
        (&["check", "AP", "--columns", "nonsense"], "no column is named nonsense"),
        (&["check", "AP", "--group", "--format", "json"], "are for tables"),
        (&["check", "AP", "--axiom", "x.toml", "--columns", "bounded"], "cannot be used with"),
        (&["check", "AP", "--axiom", "x.toml", "--group"], "cannot be used with"),
        (&["check", "AP", "--only", "properties", "--drop", "11"], "--drop has no effect"),
        (&["check", "AP", "--only", "constraints", "--grades", "3"], "--grades has no effect"),
        (&["check", "AP", "--draw", "--sort"], "--draw has no effect"),
        (&["check", "AP", "--draw", "--format", "csv"], "--draw has no effect"),
        (&["check", "bcubed_f", "--certificate", "x"], "--certificate has no effect"),
        (&["eval", "q", "r", "-m", "RBP(gains={1:2})"], "found the gain 2, expected 0 to 1"),
        (&["eval", "q", "r", "-m", "RBP(rel=1,gains={1:1})"], "both gains and rel"),
        (&["eval", "q", "r", "-m", "INSQ(gains={1:0.5,2:0.1})"], "and the higher grade 2 only 0.1"),
    ] {
        let called = axio(args);
        assert_eq!((called.code, called.stdout.as_str()), (2, ""), "{args:?}: {called}");
        assert!(called.stderr.contains(part), "{args:?}: {called}");
    }
}

#[test]
fn a_written_ranking_is_taken_apart() {
    let text = stdout(&["explain", "RBP(p=0.5)", "--ranking", "-10"]);
    assert!(text.starts_with("RBP(p=0.5) of topic -10\n"), "{text}");
    assert!(text.contains("score 0.25\n"), "{text}");
}

/// Rows that agree are one row, and columns are those asked for.
#[test]
fn the_matrix_is_a_tool() {
    let args = ["check", "P@5", "SDCG@5", "RR", "R@5", "--only", "properties", "--max-docs", "3"];
    let shape = ["--columns", "complete,realizable,localized", "--group", "--format", "csv"];
    let text = stdout(&[&args[..], &shape[..]].concat());
    assert_eq!(
        text,
        "metric,complete,realizable,localized\nR@5,N,N,N\n\"P@5, SDCG@5\",Y,N,Y\nRR,Y,Y,Y\n"
    );
    let people = stdout(&[&args[..], &["--sort"]].concat());
    assert!(people.contains("4 metrics, 4 combinations of answers"), "{people}");
    assert!(people.contains("1 can be reached only if k <= R: P@5, SDCG@5"), "{people}");
    assert!(people.contains("1 can be reached only if k >= R: R@5"), "{people}");
}

#[test]
fn topics_without_relevant_documents() {
    let files = folder(&[("q", b"1 0 a 1\n2 0 a 0\n"), ("r", b"1 Q0 a 1 9 x\n2 Q0 a 1 9 x\n")]);
    let mean = |policy: &[&str]| {
        let args = [&["eval", "q", "r", "-m", "AP P@1", "--format", "json"], policy].concat();
        let called = axio_in(files.path(), &args);
        assert_eq!(called.code, 0, "{called}");
        let document: Value = serde_json::from_str(&called.stdout).unwrap();
        let measures = &document["runs"][0]["measures"];
        [0, 1].map(|at| measures[at]["mean"].as_f64().unwrap())
    };
    assert_eq!(mean(&[]), [0.5, 0.5]);
    assert_eq!(mean(&["--undefined", "one"]), [1.0, 0.5]);
    assert_eq!(mean(&["--undefined", "skip"]), [1.0, 0.5]);
    assert_eq!(mean(&["--prune"]), [1.0, 1.0]);
}

#[test]
fn the_best_that_any_ranking_can_reach() {
    let files = folder(&[("q", b"1 0 a 2\n1 0 b 1\n1 0 c 0\n"), ("r", b"1 Q0 c 1 9 x\n")]);
    let called = axio_in(
        files.path(),
        &["eval", "q", "r", "-m", "P@4 nDCG@2", "--ideal", "--format", "tsv", "-v"],
    );
    let lines: Vec<&str> = called.stdout.lines().collect();
    assert_eq!(lines[3..], ["ideal\tP@4\tall\t0.5", "ideal\tnDCG@2\tall\t1"], "{called}");
    assert!(called.stderr.contains("r: 1 ranking shorter than a cutoff"), "{called}");
}

#[test]
fn a_mean_that_the_number_of_relevant_documents_decides_is_told() {
    let files = folder(&[
        ("q", b"1 0 a 1\n1 0 x 1\n2 0 b 1\n3 0 c 1\n3 0 d 1\n"),
        (
            "r",
            b"1 Q0 a 1 9 x\n1 Q0 b 2 8 x\n2 Q0 b 1 9 x\n2 Q0 c 2 8 x\n3 Q0 c 1 9 x\n3 Q0 d 2 8 x\n",
        ),
    ]);
    let told =
        |measure: &str| axio_in(files.path(), &["eval", "q", "r", "-v", "-m", measure]).stderr;
    // Topic 1 lacks x; topics 2 and 3 lack nothing, and topic 3 fills two ranks.
    let warning = "r: 2 topics where all relevant documents are found and the score is still below 1: fewer than 3 are relevant, 3 topics in all";
    assert!(told("P@3").contains(warning), "{}", told("P@3"));
    for other in ["P@2", "RPrec", "nDCG@3", "P(rel=2)@3"] {
        assert!(!told(other).contains("still below 1"), "{other}");
    }
}

#[test]
fn fractions_below_the_threshold_are_told() {
    let files = folder(&[("q", b"1 0 a 0.7\n1 0 b 1\n"), ("r", b"1 Q0 a 1 9 x\n")]);
    let told =
        |measure: &str| axio_in(files.path(), &["eval", "q", "r", "-v", "-m", measure]).stderr;
    let warning = "q: 1 judgement with a fraction below 1 for a grade: they are not relevant to AP";
    assert!(told("nDCG AP").contains(warning));
    assert!(!told("nDCG AP(rel=0.5)").contains("fraction"));
}
