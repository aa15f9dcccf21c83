//! `axio gate`, as a person and a server that builds and tests meet it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Called, axio, root, stdout};

const QRELS: &str = "examples/web/qrels.txt";
const BM25: &str = "examples/web/bm25.run";
const HYBRID: &str = "examples/web/hybrid.run";
const DENSE: &str = "examples/web/dense.run";

fn gate(run: &str, baseline: &str, options: &[&str]) -> Called {
    axio(&[&["gate", QRELS, run, "--baseline", baseline, "-q"], options].concat())
}

#[test]
fn the_three_verdicts() {
    let limits = ["--max-drop", "nDCG@10=0.01", "--min", "AP=0.3"];
    insta::assert_snapshot!("gate_pass", gate(HYBRID, BM25, &limits));
    insta::assert_snapshot!("gate_fail", gate(BM25, HYBRID, &limits));
    insta::assert_snapshot!(
        "gate_undecided",
        gate(DENSE, BM25, &["--max-drop", "AP=0.001", "--min", "AP=0.48"])
    );
    let code = |run, baseline, options: &[&str]| gate(run, baseline, options).code;
    assert_eq!(code(DENSE, HYBRID, &["--max-drop", "RR=0.01"]), 1);
    assert_eq!(code(DENSE, HYBRID, &["--max-drop", "RR=0.01", "--undecided", "pass"]), 0);
    // A failed gate is no pass, whatever undecided means.
    assert_eq!(code(BM25, HYBRID, &["--max-drop", "AP=0.01", "--undecided", "pass"]), 1);
    // Not significantly worse, by any of the tests.
    for test in ["t", "wilcoxon", "sign", "randomisation", "bootstrap"] {
        assert_eq!(code(HYBRID, BM25, &["--max-drop", "AP=0", "--test", test]), 0, "{test}");
        assert_eq!(code(BM25, HYBRID, &["--max-drop", "AP=0", "--test", test]), 1, "{test}");
    }
}

#[test]
fn for_pull_requests_and_servers() {
    let limits = ["--max-drop", "nDCG@10=0.01", "--min", "RBP(p=0.8)=0.9"];
    let of = |format: &str| gate(DENSE, BM25, &[&limits[..], &["--format", format]].concat());
    insta::assert_snapshot!("gate_markdown", of("markdown"));
    insta::assert_snapshot!("gate_github", of("github"));
    let xml = of("junit").stdout;
    insta::assert_snapshot!("gate_junit", xml);
    let document = roxmltree::Document::parse(&xml).unwrap();
    let cases: Vec<_> = document.descendants().filter(|n| n.has_tag_name("testcase")).collect();
    assert_eq!(cases.len(), 2);
    assert_eq!(document.descendants().filter(|n| n.has_tag_name("failure")).count(), 1);
    let json: serde_json::Value = serde_json::from_str(&of("json").stdout).unwrap();
    assert_eq!(
        (&json["verdict"], &json["runs"][0]["checks"][0]["verdict"]),
        (&"fail".into(), &"pass".into())
    );
}

/// Several results of one call.
#[test]
fn more_than_one_format() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let called = gate(
        HYBRID,
        BM25,
        &[
            "--max-drop",
            "AP=0.01",
            "--format",
            "github",
            "--also",
            &format!("junit={}", file("gate.xml")),
            "--also",
            &format!("markdown={}", file("gate.md")),
            "--also",
            &format!("json={}", file("gate.json")),
        ],
    );
    assert!(called.code == 0 && called.stdout.starts_with("::notice "), "{called}");
    for (name, begins) in [("gate.xml", "<?xml"), ("gate.md", "### "), ("gate.json", "{")] {
        assert!(fs::read_to_string(file(name)).unwrap().starts_with(begins), "{name}");
    }
}

fn evaluation(folder: &Path, name: &str, runs: &[&str], options: &[&str]) -> String {
    let path = folder.join(name).display().to_string();
    let call = [&["eval", QRELS], runs, options, &["--format", "json", "-q", "-o", &path]].concat();
    stdout(&call);
    path
}

/// An earlier evaluation gives the verdict that its run gives.
#[test]
fn the_baseline_may_be_an_earlier_evaluation() {
    let folder = tempfile::tempdir().unwrap();
    let measures = ["-m", "nDCG@10 AP P@10", "--per-topic"];
    let one = evaluation(folder.path(), "one.json", &[BM25], &measures);
    let many = evaluation(folder.path(), "many.json", &[HYBRID, BM25, DENSE], &measures);
    let limits = ["--max-drop", "nDCG@10=0.01", "--max-drop", "P@10=0", "--format", "json"];
    let checks = |called: Called| -> serde_json::Value {
        let json: serde_json::Value = serde_json::from_str(&called.stdout).unwrap();
        json["runs"][0]["checks"].clone()
    };
    let of_run = checks(gate(DENSE, BM25, &limits));
    assert_eq!(checks(gate(DENSE, &one, &limits)), of_run);
    let named = [&limits[..], &["--baseline-run", "bm25.run"]].concat();
    assert_eq!(checks(gate(DENSE, &many, &named)), of_run);
    // The run of the same name, if none is named: itself.
    let own = checks(gate(DENSE, &many, &limits));
    assert_eq!((&own[0]["difference"], &own[0]["verdict"]), (&0.0.into(), &"pass".into()));
}

/// Topics that came, went, or were judged anew are told.
#[test]
fn changes_of_topics_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let base = evaluation(folder.path(), "base.json", &[BM25], &["-m", "AP", "--per-topic"]);
    let judged = fs::read_to_string(root().join(QRELS)).unwrap();
    let kept: String = judged
        .lines()
        .filter(|line| {
            !(line.starts_with("204 ") || line.starts_with("203 ") && line.ends_with(" 2"))
        })
        .flat_map(|line| [line, "\n"])
        .collect();
    let qrels = folder.path().join("qrels.txt");
    fs::write(&qrels, kept + "999 0 d 1\n").unwrap();
    let qrels = qrels.display().to_string();
    let call = |options: &[&str]| {
        let fixed = ["gate", &qrels, HYBRID, "--baseline", &base, "--max-drop", "AP=0.01"];
        axio(&[&fixed[..], options].concat())
    };
    let told = call(&["-q"]);
    insta::assert_snapshot!("gate_changes", told);
    assert_eq!(call(&["--allow-changes", "-q"]).code, 0);
    assert!(call(&[]).stderr.contains("--allow-changes"));
}

#[test]
fn bad_usage_leaves_standard_output_empty() {
    let folder = tempfile::tempdir().unwrap();
    let bare = evaluation(folder.path(), "bare.json", &[BM25], &["-m", "AP"]);
    let full = evaluation(folder.path(), "full.json", &[BM25, DENSE], &["-m", "AP", "--per-topic"]);
    let broken = folder.path().join("broken.json");
    fs::write(&broken, "{\"runs\": [\n{\"name\": 3}]}").unwrap();
    let broken = broken.display().to_string();
    let before = fs::read(&full).unwrap();
    let limit = ["--max-drop", "AP=0.01"];
    let cases: &[(&str, &[&str], &str)] = &[
        (BM25, &[], "expected --max-drop or --min"),
        (BM25, &["--max-drop", "AP"], "found no number"),
        (BM25, &["--max-drop", "AP=x"], "found \"x\""),
        (BM25, &["--max-drop", "AP=-1"], "found -1"),
        (BM25, &["--max-drop", "AP=nan"], "found NaN"),
        (BM25, &["--max-drop", "RBP(p=0.8)"], "found no number"),
        (BM25, &["--max-drop", "nDGC@10=0.1"], "did you mean nDCG"),
        (BM25, &["--max-drop", "AP=0.1", "--alpha", "0.5"], "below 0.5"),
        (BM25, &["--max-drop", "AP=0.1", "--also", "junit"], "FORMAT=FILE"),
        (BM25, &["--max-drop", "AP=0.1", "--also", "yaml=x"], "one of the formats"),
        ("none such", &limit, "none such"),
        (&bare, &limit, "no scores of topics"),
        (&broken, &limit, "broken.json:2:"),
        (&full, &["--max-drop", "RR=0.1", "--baseline-run", "bm25.run"], "scored by AP"),
        (&full, &limit, "--baseline-run says which"),
        (
            &full,
            &["--max-drop", "AP=0.1", "--baseline-run", "bm25.run", "--ties", "docid-asc"],
            "--ties docid-desc",
        ),
        (
            &full,
            &["--max-drop", "AP=0.1", "--baseline-run", "bm25.run", "-o", &full],
            "one of the inputs",
        ),
    ];
    for (baseline, options, expected) in cases {
        let called = gate(HYBRID, baseline, options);
        assert_eq!((called.code, called.stdout.as_str()), (2, ""), "{options:?}: {called}");
        assert!(called.stderr.contains(expected), "{expected}: {called}");
    }
    assert_eq!(fs::read(&full).unwrap(), before);
}

/// The workflow in the documentation is the file in the examples, and its step runs.
#[test]
fn the_example_workflow_runs() {
    let workflow = fs::read_to_string(root().join("examples/gate/workflow.yml")).unwrap();
    let page = fs::read_to_string(root().join("docs/gate.md")).unwrap();
    assert!(
        page.contains(&format!("```yaml\n{workflow}```")),
        "docs/gate.md shows another workflow"
    );
    let script = |step: &str| -> String {
        let (_, after) = workflow.split_once(&format!("- name: {step}\n")).unwrap();
        let (_, block) = after.split_once("run: |\n").unwrap();
        let lines = block.lines().take_while(|line| line.starts_with("          "));
        lines.flat_map(|line| [line.trim_start(), "\n"]).collect()
    };
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: &str, to: &str| fs::copy(root().join(from), folder.path().join(to)).unwrap();
    copy(QRELS, "judgements.txt");
    copy(BM25, "main.run");
    let program = Path::new(env!("CARGO_BIN_EXE_axio")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let summary = folder.path().join("summary.md");
    let shell = |script: &str| -> Called {
        Command::new("sh")
            .args(["-ec", script])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env("GITHUB_STEP_SUMMARY", &summary)
            .output()
            .unwrap()
            .into()
    };
    // What the page says about making the baseline.
    let keep = page.lines().find(|line| line.starts_with("axio eval judgements.txt")).unwrap();
    let kept = shell(keep);
    assert_eq!(kept.code, 0, "{kept}");
    let bm25 = fs::read_to_string(root().join(BM25)).unwrap();
    let upside_down: String = bm25
        .lines()
        .map(|line| {
            let field: Vec<&str> = line.split_whitespace().collect();
            format!("{} Q0 {} 1 -{} bad\n", field[0], field[2], field[4])
        })
        .collect();
    let hybrid = fs::read_to_string(root().join(HYBRID)).unwrap();
    for (new, code, level) in
        [(hybrid, 0, "::notice "), (bm25, 0, "::notice "), (upside_down, 1, "::error ")]
    {
        fs::write(folder.path().join("new.run"), new).unwrap();
        let called = shell(&script("Hold the run against the baseline"));
        assert_eq!(called.code, code, "{called}");
        assert!(called.stdout.contains(level), "{called}");
        assert!(fs::read_to_string(&summary).unwrap().starts_with("### "));
        let xml = fs::read_to_string(folder.path().join("gate.xml")).unwrap();
        roxmltree::Document::parse(&xml).unwrap();
    }
}
