//! `axio gate`, as a person and a server that builds and tests meet it.

use std::collections::HashSet;
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
    // Documents that are judged as not relevant, and no others.
    let judgements = fs::read_to_string(root().join(QRELS)).unwrap();
    let useless: String = judgements
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|fields| fields[3] == "0")
        .enumerate()
        .map(|(at, fields)| format!("{} Q0 {} 1 -{at} bad\n", fields[0], fields[2]))
        .collect();
    let hybrid = fs::read_to_string(root().join(HYBRID)).unwrap();
    for (new, code, level) in
        [(hybrid, 0, "::notice "), (bm25, 0, "::notice "), (useless, 1, "::error ")]
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

/// The judgements of the first documents of a run, and nothing else.
fn pool(folder: &Path, run: &str, depth: usize) -> String {
    let text = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let ranked = text(run);
    let pooled: HashSet<(&str, &str)> = ranked
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .filter(|fields| fields[3].parse::<usize>().unwrap() <= depth)
        .map(|fields| (fields[0], fields[2]))
        .collect();
    let judged = text(QRELS);
    let kept = judged.lines().filter(|line| {
        let fields: Vec<&str> = line.split(' ').collect();
        pooled.contains(&(fields[0], fields[2]))
    });
    let path = folder.join("pool.txt").display().to_string();
    fs::write(&path, kept.flat_map(|line| [line, "\n"]).collect::<String>()).unwrap();
    path
}

/// Judgements that were pooled from the old retriever cannot tell that a new one is worse: nobody
/// judged 85% of its documents. With the judgements of both it is better.
#[test]
fn a_run_outside_the_pool_is_undecided() {
    let folder = tempfile::tempdir().unwrap();
    let pooled = pool(folder.path(), BM25, 10);
    let measures = ["-m", "nDCG@10 P@5 AP RBP(p=0.8)", "--per-topic", "--format", "json", "-q"];
    let stored = stdout(&[&["eval", &pooled, BM25][..], &measures].concat());
    let kept = folder.path().join("base.json").display().to_string();
    fs::write(&kept, stored).unwrap();
    for limit in [
        &["--max-drop", "nDCG@10=0.01"][..],
        &["--max-drop", "P@5=0.01"],
        &["--max-drop", "AP=0"],
        &["--max-drop", "RBP(p=0.8)=0.01"],
        &["--min", "nDCG@10=0.6"],
    ] {
        for baseline in [BM25, &kept] {
            let call = |run: &str, options: &[&str]| {
                axio(&[&["gate", &pooled, run, "-b", baseline, "-q"], limit, options].concat())
            };
            let told = call(DENSE, &[]);
            assert_eq!(told.code, 1, "{limit:?}: {told}");
            let part = "not enough judgements to tell: Judged@10 is 0.15 for the run, 0.99 for the baseline";
            let one_line = told.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(one_line.contains(part), "{limit:?}: {told}");
            let json: serde_json::Value =
                serde_json::from_str(&call(DENSE, &["--format", "json"]).stdout).unwrap();
            let check = &json["runs"][0]["checks"][0];
            assert_eq!(
                (&check["verdict"], &check["reason"]),
                (&"undecided".into(), &"unjudged".into())
            );
            // If unjudged documents are to count as not relevant, it fails.
            let failed = call(DENSE, &["--allow-unjudged"]);
            assert!(failed.stdout.contains(": fail"), "{limit:?}: {failed}");
            assert_eq!(call(DENSE, &["--undecided", "pass"]).code, 0);
        }
    }
    // The old retriever fails as ever, and so does one that ranks its documents the wrong way round.
    let reversed = fs::read_to_string(root().join(BM25)).unwrap();
    let reversed: String = reversed
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split(' ').collect();
            let rank: i32 = fields[3].parse().unwrap();
            let score = if rank <= 10 { rank } else { -rank };
            format!("{} Q0 {} {rank} {score} x\n", fields[0], fields[2])
        })
        .collect();
    let worse = folder.path().join("worse.run").display().to_string();
    fs::write(&worse, reversed).unwrap();
    let failed = axio(&["gate", &pooled, &worse, "-b", BM25, "--max-drop", "nDCG@5=0.01", "-q"]);
    assert!(failed.code == 1 && failed.stdout.contains(": fail"), "{failed}");
    let passed = axio(&["gate", &pooled, BM25, "-b", DENSE, "--max-drop", "nDCG@10=0.01"]);
    assert!(passed.stdout.contains("not enough judgements to tell"), "{passed}");
    // With the judgements of both there is no doubt.
    let passed = axio(&["gate", QRELS, DENSE, "-b", BM25, "--max-drop", "nDCG@10=0.01", "-q"]);
    assert_eq!(passed.code, 0, "{passed}");
}

/// The other commands say which run is outside the pool, and nothing if all are in it.
#[test]
fn unjudged_documents_that_could_decide_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let pooled = pool(folder.path(), BM25, 10);
    let part = "could decide: Judged@10 of dense.run is 0.15, of bm25.run 0.99";
    let limit = ["--max-drop", "nDCG@10=0.01", "-b"];
    for (command, options) in [
        ("eval", &["-m", "nDCG@10"][..]),
        ("compare", &["-m", "nDCG@10"]),
        ("compare", &["-m", "nDCG@10", "--joint", "never"]),
        ("gate", &limit),
    ] {
        for (qrels, expected) in [(pooled.as_str(), true), (QRELS, false)] {
            let runs = if command == "gate" { [DENSE, BM25] } else { [BM25, DENSE] };
            let arguments = match command {
                "gate" => [&[command, qrels, runs[0]], options, &[runs[1]]].concat(),
                _ => [&[command, qrels, runs[0], runs[1]], options].concat(),
            };
            let called = axio(&arguments);
            let one_line = called.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(one_line.contains(part), expected, "{arguments:?}: {called}");
        }
    }
}

#[test]
fn means_need_no_baseline() {
    let called = axio(&["gate", QRELS, DENSE, HYBRID, "--min", "AP=0.3", "-q"]);
    assert_eq!(called.code, 0, "{called}");
    assert!(called.stdout.starts_with("dense.run: pass\n"), "{called}");
    let json = stdout(&["gate", QRELS, DENSE, "--min", "AP=0.3", "--format", "json", "-q"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["runs"][0]["baseline"], serde_json::Value::Null);
    for (limits, part) in [
        (&["--max-drop", "AP=0.1", "--min", "AP=0.3"][..], "--max-drop needs a baseline"),
        (&["--max-drop", "AP=0.1"], "--baseline <BASE>"),
        (&[], "--baseline <BASE>"),
    ] {
        let called = axio(&[&["gate", QRELS, DENSE][..], limits].concat());
        assert!(called.code == 2 && called.stderr.contains(part), "{limits:?}: {called}");
    }
}

#[test]
fn a_run_against_itself_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.run").display().to_string();
    fs::copy(root().join(DENSE), &copy).unwrap();
    let kept = evaluation(folder.path(), "kept.json", &[DENSE], &["-m", "AP", "--per-topic"]);
    for (baseline, same) in [(DENSE, true), (&copy, true), (&kept, true), (BM25, false)] {
        let called = axio(&["gate", QRELS, DENSE, "-b", baseline, "--max-drop", "AP=0.1"]);
        let one_line = called.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        let told = one_line.contains("every score of dense.run is that of the baseline");
        assert_eq!(told, same, "{baseline}: {called}");
    }
}

/// What was asked for is what is printed, and programs find both names.
#[test]
fn measures_are_named_as_they_were_asked_for() {
    for arguments in [
        &["compare", QRELS, DENSE, BM25, "-m", "hit_rate@5 RR"][..],
        &["gate", QRELS, DENSE, "-b", BM25, "--max-drop", "hit_rate@5=0.1", "--min", "RR=0.1"],
    ] {
        for format in ["table", "markdown", "latex", "csv"] {
            let text = stdout(&[arguments, &["--format", format, "-q"]].concat());
            let name = if format == "latex" { "hit\\_rate@5" } else { "hit_rate@5" };
            assert!(text.contains(name), "{format}: {text}");
        }
        let json = stdout(&[arguments, &["--format", "json", "-q"]].concat());
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let first = match arguments[0] {
            "compare" => &json["measures"][0],
            _ => &json["runs"][0]["checks"][0],
        };
        let both = (&first["measure"], &first["asked"]);
        assert_eq!(both, (&"Success@5".into(), &"hit_rate@5".into()));
    }
}

/// The settings of an earlier evaluation that the error names, given to the gate, are accepted.
#[test]
fn advice_on_other_settings_can_be_followed() {
    let folder = tempfile::tempdir().unwrap();
    for (then, now) in [
        (&["--prune"][..], &[][..]),
        (&["--ties", "file", "--depth", "5"], &[]),
        (&["--undefined", "skip", "--prune"], &["--depth", "7"]),
        (&[], &["--prune", "--ties", "file"]),
        (&["--max-grade", "5", "--order", "asc", "--duplicates", "best"], &[]),
        (&["--ranges", "--scores", "f32"], &[]),
    ] {
        let measures = ["-m", "AP", "--per-topic"];
        let kept = evaluation(folder.path(), "kept.json", &[BM25], &[&measures, then].concat());
        let gate = ["gate", QRELS, DENSE, "-b", &kept, "--max-drop", "AP=0.5", "-q"];
        let refused = axio(&[&gate[..], now].concat());
        assert_eq!(refused.code, 2, "{then:?} {now:?}: {refused}");
        let advice = refused.stderr.rsplit("help: ").next().unwrap();
        let options = advice.split(" scores as then").next().unwrap();
        // "no --depth" takes an option back, with its value if it has one.
        let mut given: Vec<&str> = now.to_vec();
        for option in options.split(" and ") {
            match option.strip_prefix("no ") {
                None => {
                    let name = option.split(' ').next().unwrap();
                    if let Some(at) = given.iter().position(|known| *known == name) {
                        given.drain(at..at + 2);
                    }
                    given.extend(option.split(' '));
                }
                Some(taken) => {
                    let at = given.iter().position(|known| *known == taken).unwrap();
                    let len = if taken == "--prune" { 1 } else { 2 };
                    given.drain(at..at + len);
                }
            }
        }
        let called = axio(&[&gate[..], &given].concat());
        assert!(called.code < 2, "{given:?}: {called}");
    }
}

#[cfg(feature = "parquet")]
#[test]
fn the_baseline_may_be_a_parquet_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bm25.parquet").display().to_string();
    stdout(&["convert", BM25, &path]);
    let verdict = |baseline: &str| {
        let json = gate(DENSE, baseline, &["--max-drop", "AP=0.1", "--format", "json"]);
        let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
        json["runs"][0]["checks"].clone()
    };
    assert_eq!(verdict(&path), verdict(BM25));
}

#[test]
fn measures_of_a_catalogue_are_referred_to_eval() {
    for arguments in [
        &["compare", QRELS, DENSE, BM25, "-m", "AP Coverage@10"][..],
        &["gate", QRELS, DENSE, "-b", BM25, "--max-drop", "Coverage@10=0.1"],
        &["gate", QRELS, DENSE, "--min", "TimeTBG=0.1"],
    ] {
        let called = axio(arguments);
        assert!(
            called.code == 2
                && called.stderr.contains("`axio eval --per-topic --format tsv` scores it"),
            "{called}"
        );
    }
}
