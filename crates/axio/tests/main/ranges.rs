//! Ranges, ties and scores taken apart, on a topic small enough for a pencil.

use serde_json::Value;

use crate::support::{axio, axio_in, folder};

const QRELS: &[u8] = b"t 0 d1 1\nt 0 d3 1\nt 0 d4 0\nt 0 d9 1\n";
/// d2 and d5 are unjudged.
const RUN: &[u8] = b"t Q0 d1 1 5 x\nt Q0 d2 2 4 x\nt Q0 d3 3 3 x\nt Q0 d4 4 2 x\nt Q0 d5 5 1 x\n";
/// Four documents of one score, of which d1 is relevant.
const TIED: &[u8] = b"t Q0 d1 1 1 x\nt Q0 d2 2 1 x\nt Q0 d4 3 1 x\nt Q0 d5 4 1 x\n";

fn files() -> tempfile::TempDir {
    folder(&[("qrels", QRELS), ("run", RUN), ("tied", TIED)])
}

fn json(args: &[&str]) -> Value {
    let called = axio_in(files().path(), args);
    assert_eq!(called.code, 0, "{called}");
    serde_json::from_str(&called.stdout).unwrap()
}

/// Low, high and kind of each measure.
fn ranges(args: &[&str]) -> Vec<(f64, f64, String)> {
    let document = json(&[&["eval", "qrels", "run", "--format", "json"], args].concat());
    let measures = document["runs"][0]["measures"].as_array().unwrap().clone();
    measures
        .iter()
        .map(|m| {
            (
                m["range"]["low"].as_f64().unwrap(),
                m["range"]["high"].as_f64().unwrap(),
                m["range"]["kind"].as_str().unwrap().into(),
            )
        })
        .collect()
}

/// The measure has ranges, but this ranking ends too far above its cutoff.
#[test]
fn cutoffs_far_below_the_end_are_the_reason() {
    let why = "the cutoff lies more than a million ranks below the end of a ranking";
    let asked = ["eval", "qrels", "run", "-m", "P@4294967295 AP", "--ranges"];
    let table = axio_in(files().path(), &asked);
    assert!(table.stdout.contains(&format!("P@4294967295 has no range: {why}")), "{table}");
    let document = json(&[&asked[..], &["--format", "json"]].concat());
    let [deep, ap] = [0, 1].map(|i| &document["runs"][0]["measures"][i]);
    assert_eq!((deep["no_range"].as_str(), &deep["range"]), (Some(why), &Value::Null));
    assert!(ap["no_range"].is_null() && ap["range"].is_object());
}

#[test]
fn ends_by_hand() {
    let found = ranges(&["-m", "RBP(p=0.5) P@5 AP nDCG@3 nERR", "--ranges"]);
    // d2 adds 0.25, d5 1/32, and all below rank 5 another 1/32.
    assert_eq!(found[0], (0.625, 0.9375, "limit".into()));
    assert_eq!(found[1], (0.4, 0.8, "exact".into()));
    // Low: no other relevant document, (1 + 2/3)/3. High: both, (1 + 1 + 1 + 4/5)/5.
    assert!(
        (found[2].0 - 5.0 / 9.0).abs() < 1e-12 && (found[2].1 - 0.76).abs() < 1e-12,
        "{found:?}"
    );
    assert!(
        (found[3].0 - 1.5 / (1.5 + 1.0 / 3f64.log2())).abs() < 1e-12
            && (found[3].1 - 1.0).abs() < 1e-12,
        "{found:?}"
    );
    // nERR, of p = 1/2: (1/2 + 1/12)/(1/2 + 1/8 + 1/24) if neither is relevant; if both are,
    // the ideal has five.
    let (all, ideal) = (
        0.5 + 0.25 / 2.0 + 0.125 / 3.0 + 0.0625 / 5.0,
        0.5 + 0.25 / 2.0 + 0.125 / 3.0 + 0.0625 / 4.0 + 0.03125 / 5.0,
    );
    assert!(
        (found[4].0 - 0.875).abs() < 1e-12 && (found[4].1 - all / ideal).abs() < 1e-12,
        "{found:?}"
    );
    assert_eq!(found[4].2, "exact");
    // Ten more relevant documents in the collection.
    let found = ranges(&["-m", "AP P@5", "--ranges", "collection=10"]);
    assert!(
        (found[0].0 - (5.0 / 3.0) / 13.0).abs() < 1e-12 && (found[0].1 - 0.76).abs() < 1e-12,
        "{found:?}"
    );
    assert_eq!(found[1], (0.4, 0.8, "exact".into()));
}

/// Three grades: GAP is exact, ndcg_rel a bound, and Reliability has no range, which JSON explains.
/// All of them see further documents of the collection.
#[test]
fn more_grades() {
    let folder = folder(&[("qrels", b"t 0 d1 1\nt 0 d3 2\nt 0 d4 0\n"), ("run", RUN)]);
    let measures = |vary: &str| {
        let called = axio_in(
            folder.path(),
            &[
                "eval",
                "qrels",
                "run",
                "-m",
                "GAP ndcg_rel INST IFT RS_R",
                "--ranges",
                vary,
                "--format",
                "json",
            ],
        );
        let document: Value = serde_json::from_str(&called.stdout).unwrap();
        document["runs"][0]["measures"].as_array().unwrap().clone()
    };
    let end = |measure: &Value, which: &str| measure["range"][which].as_f64().unwrap();
    let retrieved = measures("retrieved");
    // Low: d5 alone of grade 2, (1 + 3/3 + 5/5)/5. High: d2 alone, (1 + 3/2 + 5/3)/5.
    assert!((end(&retrieved[0], "low") - 0.6).abs() < 1e-12, "{}", retrieved[0]);
    assert!((end(&retrieved[0], "high") - 5.0 / 6.0).abs() < 1e-12, "{}", retrieved[0]);
    let kinds: Vec<&str> =
        retrieved[..4].iter().map(|m| m["range"]["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["exact", "bound", "searched", "bound"]);
    assert!(
        retrieved[4]["range"].is_null()
            && retrieved[4]["no_range"].as_str().unwrap().contains("more than two grades")
    );
    // The two parts of the range are all of it.
    for measure in &retrieved[..4] {
        let parts = end(measure, "unjudged") + end(measure, "tail");
        assert!((end(measure, "high") - end(measure, "low") - parts).abs() < 1e-12, "{measure}");
    }
    // Both users may read on below the end.
    assert!(end(&retrieved[2], "tail") > 0.0 && end(&retrieved[3], "tail") > 0.0);
    let more = measures("collection=3");
    // Three more of grade 2 that were not retrieved, and nothing else: 2/9.
    assert!((end(&more[0], "low") - 2.0 / 9.0).abs() < 1e-12, "{}", more[0]);
    assert!(end(&more[1], "low") <= end(&retrieved[1], "low"));
    assert_eq!(more[2]["range"], retrieved[2]["range"]);
}

#[test]
fn every_format_has_the_ends() {
    let folder = files();
    for format in ["table", "tsv", "jsonl", "json", "markdown"] {
        let called = axio_in(
            folder.path(),
            &[
                "eval",
                "qrels",
                "run",
                "-m",
                "P@5 RBP(p=0.5) BPM@3 NumRet",
                "--ranges",
                "--per-topic",
                "--format",
                format,
            ],
        );
        insta::assert_snapshot!(format!("ranges_{format}"), called);
    }
}

#[test]
fn ties_by_hand() {
    let called = |ties: &str| {
        axio_in(
            files().path(),
            &["eval", "qrels", "tied", "-m", "RR P@1", "--ties", ties, "--format", "tsv", "-q"],
        )
        .stdout
    };
    let mean = (1.0 + 0.5 + 1.0 / 3.0 + 0.25) / 4.0;
    assert_eq!(
        called("average"),
        format!("run\tmeasure\ttopic\tvalue\ntied\tRR\tall\t{mean}\ntied\tP@1\tall\t0.25\n")
    );
    assert_eq!(
        called("range"),
        "run\tmeasure\ttopic\tvalue\tlow\thigh\ntied\tRR\tall\t0.25\t0.25\t1\ntied\tP@1\tall\t0\t0\t1\n"
    );
    let warned = axio_in(files().path(), &["eval", "qrels", "tied", "-v", "-m", "RR P@1"]).stderr;
    assert!(
        warned.contains(
            "tied: the order of tied documents could change 2 means by more than 0.001: P@1 by as much as +1.0000, RR by as much as +0.7500"
        ),
        "{warned}"
    );
    let refused = axio_in(
        files().path(),
        &["eval", "qrels", "tied", "--ties", "range", "--ranges", "retrieved"],
    );
    assert_eq!(refused.code, 2, "{refused}");
}

/// A ranking that is cut off in a tie: one of four tied documents is relevant, and two of them are
/// kept.
#[test]
fn a_depth_within_a_tie() {
    let called = |ties: &str| {
        let options = ["--ties", ties, "--depth", "2", "--format", "tsv", "-q"];
        axio_in(
            files().path(),
            &[&["eval", "qrels", "tied", "-m", "RR SetP"], &options[..]].concat(),
        )
        .stdout
    };
    assert_eq!(
        called("average"),
        "run\tmeasure\ttopic\tvalue\ntied\tRR\tall\t0.375\ntied\tSetP\tall\t0.25\n"
    );
    assert_eq!(
        called("range"),
        "run\tmeasure\ttopic\tvalue\tlow\thigh\ntied\tRR\tall\t0\t0\t1\ntied\tSetP\tall\t0\t0\t0.5\n"
    );
}

/// Sixteen tied documents of four grades have too many orders to count: the expected score comes
/// with its standard error, whatever the threads.
#[test]
fn sampled_orders_come_with_their_error() {
    let folder = tempfile::tempdir().unwrap();
    let lines = |f: &dyn Fn(usize, usize) -> String| {
        (0..3).flat_map(|t| (0..16).map(move |d| f(t, d))).collect::<String>()
    };
    std::fs::write(folder.path().join("qrels"), lines(&|t, d| format!("{t} 0 d{d} {}\n", d % 4)))
        .unwrap();
    std::fs::write(folder.path().join("run"), lines(&|t, d| format!("{t} Q0 d{d} 1 1 r\n")))
        .unwrap();
    let call = |more: &[&str]| {
        axio_in(
            folder.path(),
            &[&["eval", "qrels", "run", "-m", "Compat AP", "--ties", "average"], more].concat(),
        )
    };
    let json: serde_json::Value =
        serde_json::from_str(&call(&["--format", "json", "--per-topic"]).stdout).unwrap();
    let [compat, ap] = [0, 1].map(|i| json["runs"][0]["measures"][i].clone());
    let errors: Vec<f64> =
        (0..3).map(|t| compat["standard_errors"][t.to_string()].as_f64().unwrap()).collect();
    assert!(errors.iter().all(|e| *e > 0.0 && *e < 0.01));
    let mean = errors.iter().map(|e| e * e).sum::<f64>().sqrt() / 3.0;
    assert!((compat["standard_error"].as_f64().unwrap() - mean).abs() < 1e-15);
    assert_eq!((ap.get("standard_error"), ap.get("standard_errors")), (None, None));
    assert_ne!(compat["topics"]["0"], compat["topics"]["1"]);
    let table = call(&[]);
    assert!(
        table.stdout.contains(
            "Compat of run: orders of tied documents were sampled in 3 of 3 topics, standard error"
        ),
        "{table}"
    );
    assert!(
        table.stderr.contains("3 expected scores from a sample of the orders of tied documents"),
        "{table}"
    );
    assert_eq!(
        call(&["--threads", "1", "--format", "tsv"]).stdout,
        call(&["--threads", "8", "--format", "tsv"]).stdout
    );
}

#[test]
fn scores_taken_apart() {
    insta::assert_snapshot!(axio_in(
        files().path(),
        &["explain", "RBP(p=0.5)", "qrels", "run", "--topic", "t"]
    ));
    let parts = json(&["explain", "AP", "qrels", "run", "--topic", "t", "--format", "json"]);
    let eval = json(&["eval", "qrels", "run", "-m", "AP", "--format", "json"]);
    assert_eq!(parts["score"], eval["runs"][0]["measures"][0]["mean"]);
    assert_eq!(parts["documents"].as_array().unwrap().last().unwrap()["total"], parts["score"]);
    assert_eq!(axio_in(files().path(), &["explain", "AP", "qrels", "run", "--topic", "u"]).code, 2);
    assert_eq!(axio(&["explain", "AP", "examples/web/qrels.txt"]).code, 2);
}
