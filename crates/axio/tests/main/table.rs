//! Tables of scores in place of judgements and runs.

use serde_json::Value;

use crate::support::{axio, axio_in, folder, stdout};

const QRELS: &str = "examples/web/qrels.txt";
// The one run that lacks a topic is left out, so that both ways see the same topics.
const RUNS: [&str; 3] =
    ["examples/web/bm25.run", "examples/web/dense.run", "examples/web/hybrid.run"];
const SCORES: &str = "examples/clusterings/scores.tsv";

/// The scores of the runs as a table, in a folder of its own.
fn table(measures: &str) -> (tempfile::TempDir, String) {
    let mut args = vec!["eval", QRELS];
    args.extend(RUNS);
    args.extend(["-m", measures, "--per-topic", "--format", "tsv", "-q"]);
    let files = folder(&[("scores.tsv", stdout(&args).as_bytes())]);
    let path = files.path().join("scores.tsv").display().to_string();
    (files, path)
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[args, &["--format", "json", "-q"]].concat())).unwrap()
}

/// `-m` takes the spellings of the table.
#[test]
fn a_table_of_scores_says_what_the_runs_say() {
    let (_files, path) = table("AP P@10");
    let runs: Vec<&str> = [QRELS].iter().chain(&RUNS).copied().collect();
    let both = |command: &[&str], more: &[&str]| {
        let direct = json(&[command, &runs, more].concat());
        (direct, json(&[command, &["--table", &path], more].concat()))
    };
    // Topic 205 has no relevant document: its AP is undefined, so AP alone sees equal topics.
    let (direct, told) = both(&["compare"], &["-m", "AP", "--joint", "never"]);
    for field in ["pairs", "systems"] {
        let of = |document: &Value| document["measures"][0][field].clone();
        assert_eq!(of(&told), of(&direct), "{field}");
    }
    let (direct, told) = both(&["meta"], &["-m", "AP", "--resamples", "50"]);
    assert_eq!(told["agreement"], direct["agreement"]);
    for field in ["strictness", "robustness", "discriminative_power", "halves"] {
        assert_eq!(told["measures"][0][field], direct["measures"][0][field], "{field}");
    }
    for command in ["risk", "standardize"] {
        let (direct, told) = both(&[command], &["-m", "AP P@10"]);
        assert_eq!(told, direct, "{command}");
    }
}

/// What `organize` writes is read back, and a small entropy is a good one.
#[test]
fn organizations_are_compared_by_their_scores() {
    let systems = ["careful", "coarse", "fine", "noisy"]
        .map(|name| format!("examples/clusterings/{name}.tsv"));
    let mut args = vec!["organize", "examples/clusterings/gold.tsv"];
    args.extend(systems.iter().map(String::as_str));
    let measures = "bcubed_f purity inverse_purity entropy v_measure";
    args.extend(["--finite", "-m", measures, "--per-topic", "--format", "tsv", "-q"]);
    let written = stdout(&args);
    let shipped = std::fs::read_to_string(crate::support::root().join(SCORES)).unwrap();
    assert_eq!(written, shipped, "the table in the examples is what organize writes");

    let found = json(&["meta", "--table", SCORES, "--resamples", "50"]);
    let matrix = &found["agreement"][0]["matrix"];
    let names: Vec<&str> = found["measures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["measure"].as_str().unwrap())
        .collect();
    let at = |name: &str| names.iter().position(|known| *known == name).unwrap();
    // Purity and entropy both punish mixed clusters, inverse purity punishes broken classes.
    let agree = |a: &str, b: &str| matrix[at(a)][at(b)].as_f64().unwrap();
    assert!(agree("purity", "entropy") > 0.5, "{matrix}");
    assert!(agree("purity", "entropy") > agree("purity", "inverse_purity"), "{matrix}");
}

/// The entropy of `fine` is 0 on every topic, and that of `noisy` the largest.
#[test]
fn where_less_is_better_the_least_is_first() {
    let found = json(&["compare", "--table", SCORES, "-m", "entropy"]);
    let systems = found["measures"][0]["systems"].as_array().unwrap();
    let of = |name: &str| systems.iter().find(|s| s["name"] == name).unwrap();
    assert_eq!(of("fine.tsv")["ranks"]["best"], 1, "{found}");
    assert_eq!(of("fine.tsv")["letters"], "a", "{found}");
    assert_eq!(of("noisy.tsv")["ranks"]["worst"], 4, "{found}");
    let pairs = found["measures"][0]["pairs"].as_array().unwrap();
    let pair = pairs.iter().find(|p| p["a"] == "fine.tsv" && p["b"] == "noisy.tsv").unwrap();
    assert_eq!((&pair["wins"], &pair["losses"]), (&Value::from(12), &Value::from(0)), "{pair}");
    for test in ["tukey", "randomised-tukey"] {
        let found = json(&["compare", "--table", SCORES, "-m", "entropy", "--test", test]);
        let systems = found["measures"][0]["systems"].as_array().unwrap();
        let fine = systems.iter().find(|s| s["name"] == "fine.tsv").unwrap();
        assert_eq!(fine["ranks"]["best"], 1, "{test}: {found}");
    }
    let table = stdout(&["compare", "--table", SCORES, "-m", "entropy", "-q"]);
    let place = |name: &str| table.find(name).unwrap();
    assert!(place("fine.tsv") < place("careful.tsv"), "{table}");
    assert!(place("coarse.tsv") < place("noisy.tsv"), "{table}");
    assert!(table.contains("in their cluster; the smaller the better\n"), "{table}");

    let risks = json(&["risk", "--table", SCORES, "-m", "entropy"]);
    let fine = risks["risks"].as_array().unwrap().iter().find(|r| r["run"] == "fine.tsv").unwrap();
    assert!(fine["urisk"].as_f64().unwrap() > 0.0, "{fine}");
    assert_eq!((&fine["wins"], &fine["losses"]), (&Value::from(9), &Value::from(0)), "{fine}");

    let measures = "entropy purity";
    let marked = ["standardize", "--table", SCORES, "-m", measures, "--format", "markdown"];
    let table = stdout(&marked);
    let fine = table.lines().find(|line| line.contains("fine.tsv")).unwrap();
    assert_eq!(fine.matches("**").count(), 4, "{table}");
    assert!(table.contains("entropy: the smaller the better"), "{table}");
}

#[test]
fn what_a_table_lacks_is_told() {
    let lacks = axio(&["compare", "--table", SCORES, "-m", "ndcg"]);
    assert_eq!(lacks.code, 2, "{lacks}");
    assert!(lacks.stderr.contains("holds no score by ndcg"), "{lacks}");
    assert!(lacks.stderr.contains("its measures are bcubed_f, entropy"), "{lacks}");
    let nobody = axio(&["compare", "--table", SCORES, "--baseline", "me"]);
    assert!(nobody.stderr.contains("the table has no system me"), "{nobody}");
    let files = folder(&[("t.tsv", b"system\ttopic\tvalue\na\t1\t0.5\n")]);
    let header = axio_in(files.path(), &["risk", "--table", "t.tsv"]);
    assert!(header.stderr.contains("t.tsv:1: the header names no column measure"), "{header}");
    let both = axio(&["compare", QRELS, RUNS[0], "--table", SCORES]);
    assert_eq!((both.code, both.stdout.as_str()), (2, ""), "{both}");
}
