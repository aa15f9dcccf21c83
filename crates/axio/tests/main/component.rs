//! Metrics from files, as commands see them.

use crate::support::{axio, axio_in, folder, root, stdout};

const QRELS: &str = "examples/web/qrels.txt";
const RUN: &str = "examples/web/bm25.run";

/// Each topic's score by a file is that by the built-in measure.
#[test]
fn a_file_scores_a_run_as_the_built_in_measure_does() {
    let scores = |measure: &str| -> Vec<(String, f64)> {
        let out = stdout(&["eval", QRELS, RUN, "--per-topic", "--format", "tsv", "--quiet", "-m", measure]);
        let rows = out.lines().skip(1).map(|l| l.split('\t').collect::<Vec<_>>());
        rows.map(|f| (f[2].to_string(), f[3].parse().unwrap_or(f64::NAN))).collect()
    };
    for (file, built_in) in [
        ("components/ap.toml", "AP"),
        ("components/ap_at_n.toml@5", "AP@5"),
        ("components/p_at_n.toml@5", "P@5"),
        ("components/rbp.toml(p=0.5)", "RBP(p=0.5,rel=1)"),
        ("components/ndcg.toml", "nDCG"),
        ("components/gmap.toml", "GMAP"),
        ("components/precision.toml", "SetP"),
        ("components/err.toml", "ERR"),
    ] {
        let (ours, theirs) = (scores(file), scores(built_in));
        assert!(ours.len() > 5 && ours.len() == theirs.len(), "{file}");
        for (a, b) in ours.iter().zip(&theirs) {
            assert!(a.0 == b.0 && ((a.1 - b.1).abs() < 1e-12 || (a.1.is_nan() && b.1.is_nan())), "{file} {a:?}, {built_in} {b:?}");
        }
    }
}

#[test]
fn a_file_is_explained_and_checked() {
    let page = stdout(&["explain", "components/ap.toml"]);
    assert!(page.starts_with("components/ap.toml \u{2014} AP\n") && page.contains("agg = \"mean\""), "{page}");
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&["check", "components/recall.toml", "--max-docs", "3", "--format", "json"])).unwrap();
    let verdicts = json["metrics"][0]["verdicts"].as_array().unwrap();
    let of = |name: &str| &verdicts.iter().find(|v| v["name"] == name).unwrap()["verdict"];
    assert_eq!((of("monotonic"), of("axiom-12"), of("axiom-13")), (&"holds".into(), &"holds".into(), &"holds".into()));
    assert_eq!(verdicts.iter().filter(|v| v["group"] == "axiom").count(), 13);
}

#[test]
fn scales_are_a_matrix() {
    let text = stdout(&["explain", "scales"]);
    assert!(text.contains("nominal-unrelated") && text.contains("ranked-categories"), "{text}");
    let markdown = stdout(&["explain", "scales", "--format", "markdown"]);
    assert!(markdown.contains("| x"), "{markdown}");
}

#[test]
fn a_bad_file_is_refused_with_line_column_and_caret() {
    let files = folder(&[("bad.toml", b"name = \"bad\"\nscore = \"sum(d in D : gain(e))\"\n")]);
    let qrels = root().join(QRELS);
    let run = root().join(RUN);
    let called = axio_in(files.path(), &["eval", qrels.to_str().unwrap(), run.to_str().unwrap(), "-m", "bad.toml"]);
    assert_eq!((called.code, called.stdout.as_str()), (2, ""), "{called}");
    assert!(called.stderr.contains("bad.toml:2:28: no document \"e\" here") && called.stderr.contains("  ^"), "{called}");
    assert_eq!(axio(&["check", "no-such-file.toml"]).code, 2);
}
