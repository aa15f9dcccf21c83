//! Metrics from files, as commands see them.

use crate::support::{axio, axio_in, folder, root, stdout};

const QRELS: &str = "examples/web/qrels.txt";
const RUN: &str = "examples/web/bm25.run";

/// Each topic's score by a file is that by the built-in measure.
#[test]
fn a_file_scores_a_run_as_the_built_in_measure_does() {
    let scores = |measure: &str| -> Vec<(String, f64)> {
        let out = stdout(&[
            "eval",
            QRELS,
            RUN,
            "--per-topic",
            "--format",
            "tsv",
            "--quiet",
            "-m",
            measure,
        ]);
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
            assert!(
                a.0 == b.0 && ((a.1 - b.1).abs() < 1e-12 || (a.1.is_nan() && b.1.is_nan())),
                "{file} {a:?}, {built_in} {b:?}"
            );
        }
    }
}

#[test]
fn a_file_is_explained_and_checked() {
    let page = stdout(&["explain", "components/ap.toml"]);
    assert!(
        page.starts_with("components/ap.toml \u{2014} AP\n") && page.contains("agg = \"mean\""),
        "{page}"
    );
    for component in [
        "scale(alpha): ranked-categories",
        "scale(sigma): strict",
        "sim: if(a == 'R'",
        "avgD: mean over Rel of",
        "avgQ: mean",
    ] {
        assert!(page.contains(component), "{component}: {page}");
    }
    let json: serde_json::Value = serde_json::from_str(&stdout(&[
        "check",
        "components/recall.toml",
        "--max-docs",
        "3",
        "--format",
        "json",
    ]))
    .unwrap();
    let verdicts = json["metrics"][0]["verdicts"].as_array().unwrap();
    let of = |name: &str| &verdicts.iter().find(|v| v["name"] == name).unwrap()["verdict"];
    assert_eq!(
        (of("monotonic"), of("axiom-12"), of("axiom-13")),
        (&"holds".into(), &"holds".into(), &"holds".into())
    );
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
    let called = axio_in(
        files.path(),
        &["eval", qrels.to_str().unwrap(), run.to_str().unwrap(), "-m", "bad.toml"],
    );
    assert_eq!((called.code, called.stdout.as_str()), (2, ""), "{called}");
    assert!(
        called.stderr.contains("bad.toml:2:28: no document \"e\" here")
            && called.stderr.contains("  ^"),
        "{called}"
    );
    assert_eq!(axio(&["check", "no-such-file.toml"]).code, 2);
}

/// What the documents add is the score that `eval` gives, whatever the average over documents.
#[test]
fn a_score_is_taken_apart() {
    let files = [
        "ap",
        "ap_at_n",
        "ndcg",
        "p_at_n",
        "precision",
        "r_prec",
        "rbp",
        "recall",
        "err",
        "dcg_over_r",
    ];
    for file in files.map(|name| format!("components/{name}.toml")) {
        let json: serde_json::Value = serde_json::from_str(&stdout(&[
            "explain", &file, QRELS, RUN, "--topic", "203", "--format", "json",
        ]))
        .unwrap();
        let scores =
            stdout(&["eval", QRELS, RUN, "--per-topic", "--format", "tsv", "--quiet", "-m", &file]);
        let line = scores.lines().find(|l| l.split('\t').nth(2) == Some("203")).unwrap();
        let score: f64 = line.split('\t').nth(3).unwrap().parse().unwrap();
        assert_eq!(json["score"].as_f64(), Some(score), "{file}");
        let documents = json["documents"].as_array().unwrap();
        let sum: f64 = documents.iter().map(|d| d["contribution"].as_f64().unwrap()).sum();
        assert!((sum - score).abs() < 1e-12 && score > 0.0, "{file}: {sum}, not {score}");
        let terms: f64 = documents
            .iter()
            .filter_map(|d| Some(d["term"].as_f64()? * d["documents"].as_f64()?))
            .sum();
        assert!(
            (terms / json["norm"].as_f64().unwrap_or(1.0) - score).abs() < 1e-12,
            "{file}: {terms}"
        );
    }
    let text = stdout(&["explain", "components/rr.toml", QRELS, RUN, "--topic", "203"]);
    assert!(text.contains("score = max of terms"), "{text}");
    let text = stdout(&["explain", "components/yaap.toml", QRELS, RUN, "--topic", "203"]);
    assert!(text.contains("one expression over all documents"), "{text}");
}

/// The summary, too, if topics are undefined: 205 has no relevant document.
#[test]
fn a_file_summarises_a_run_as_the_built_in_measure_does() {
    for undefined in ["zero", "skip"] {
        let mean = |measure: &str| -> f64 {
            let out = stdout(&[
                "eval",
                QRELS,
                RUN,
                "--undefined",
                undefined,
                "--format",
                "tsv",
                "--quiet",
                "-m",
                measure,
            ]);
            out.lines().last().unwrap().split('\t').next_back().unwrap().parse().unwrap()
        };
        for (file, built_in) in [
            ("logit_ap", "logitAP"),
            ("gmap", "GMAP"),
            ("yaap", "yaAP"),
            ("ap", "AP"),
            ("err", "ERR"),
        ] {
            let (ours, theirs) = (mean(&format!("components/{file}.toml")), mean(built_in));
            assert!(
                (ours - theirs).abs() < 1e-12,
                "{file} {ours}, {built_in} {theirs}, undefined {undefined}"
            );
        }
    }
}

/// Documents of one score share a position, and each has its own name.
#[test]
fn tied_documents_are_told_apart_by_name() {
    let files = folder(&[
        ("weak.toml", b"score = \"sum(d in D : gain(d) * pos(d))\"\n[sigma]\nscale = \"weak\"\n"),
        ("q.txt", b"1 0 a 1\n1 0 b 1\n1 0 c 0\n"),
        ("a.run", b"1 Q0 a 1 5 x\n1 Q0 c 2 5 x\n1 Q0 b 3 4 x\n"),
    ]);
    let called = axio_in(files.path(), &["explain", "weak.toml", "q.txt", "a.run", "--topic", "1"]);
    let row = |document: &str| {
        let rows = called.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        rows.into_iter().find(|row| row.get(1) == Some(&document)).unwrap_or_default()
    };
    assert_eq!(row("a")[..4], ["1", "a", "1", "1"], "{called}");
    assert_eq!(row("c")[..4], ["1", "c", "0", "1"], "{called}");
    assert_eq!(row("b")[..4], ["3", "b", "1", "3"], "{called}");
}
