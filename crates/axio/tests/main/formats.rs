//! `axio convert` and `axio validate` from outside: what goes where, and the exit codes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::support::{axio_in, folder};

const QRELS: &str = "301 0 d1 2\n301 0 d2 0\n301 0 d3 1\n302 0 d1 1\n302 0 d4 -1\n";
const RUN: &str = "301 Q0 d1 1 9.5 demo\n301 Q0 d3 2 8.25 demo\n301 Q0 d7 3 8.25 demo\n301 Q0 d2 4 8.75 demo\n302 Q0 d4 1 3 demo\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.file("qrels.txt", QRELS);
        folder.file("run.txt", RUN);
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn axio(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_axio"))
            .current_dir(self.0.path())
            .args(arguments)
            .output()
            .unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn said(output: &Output) -> String {
    format!(
        "exit {}\n{}{}",
        output.status.code().unwrap(),
        text(&output.stdout),
        text(&output.stderr)
    )
}

fn count(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

#[test]
fn convert_there_and_back() {
    let folder = Folder::new();
    for name in ["a.json", "a.jsonl.gz", "a.csv.zst", "a.tsv.lz4", "a.trec.bz2"] {
        assert_eq!(said(&folder.axio(&["convert", "run.txt", name])), "exit 0\n", "{name}");
        let back = folder.axio(&["convert", "--to", "trec", "--tag", "demo", name]);
        let want = "301 Q0 d1 1 9.5 demo\n301 Q0 d2 2 8.75 demo\n301 Q0 d7 3 8.25 demo\n301 Q0 d3 4 8.25 demo\n302 Q0 d4 1 3.0 demo\n";
        assert_eq!(text(&back.stdout), want, "{name}");
        assert_eq!(said(&folder.axio(&["convert", "qrels.txt", name])), "exit 0\n", "{name}");
        assert_eq!(text(&folder.axio(&["convert", "--to", "trec", name]).stdout), QRELS, "{name}");
    }
}

#[test]
fn convert_reads_standard_input() {
    let folder = Folder::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_axio"))
        .args(["convert", "--to", "beir", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .current_dir(folder.0.path())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(QRELS.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        text(&output.stdout),
        "query-id\tcorpus-id\tscore\n301\td1\t2\n301\td2\t0\n301\td3\t1\n302\td1\t1\n302\td4\t-1\n"
    );
}

#[test]
fn a_failed_conversion_leaves_nothing() {
    let folder = Folder::new();
    folder.file("bad.txt", &format!("{RUN}302 Q0 d5 2 high demo\n"));
    folder.file("odd.csv", "qid,docno,score\n1,a,1\n1,b c,2\n");
    folder.file("there.json", "mine");
    let before = count(folder.0.path());
    insta::assert_snapshot!(said(&folder.axio(&["convert", "bad.txt", "there.json"])), @r#"
    exit 2
    error: bad.txt:6:13: found "high", expected a number for the score
      help: correct the line, or leave such lines out with --lenient
    "#);
    insta::assert_snapshot!(said(&folder.axio(&["convert", "odd.csv", "--to", "trec"])), @r#"
    exit 2
    error: the id "b c" cannot be written: the format trec has no place for ids with white space or control characters
      help: use json, jsonl, csv or tsv
    "#);
    insta::assert_snapshot!(said(&folder.axio(&["convert", "run.txt"])), @r"
    exit 2
    error: standard output has no format
      help: give one with --to, for example --to trec
    ");
    assert_eq!(std::fs::read_to_string(folder.path("there.json")).unwrap(), "mine");
    assert_eq!(count(folder.0.path()), before);
    insta::assert_snapshot!(said(&folder.axio(&["convert", "--lenient", "bad.txt", "--to", "msmarco"])), @"
    exit 0
    301	d1	1
    301	d2	2
    301	d7	3
    301	d3	4
    302	d4	1
    warning: bad.txt: 1 malformed line left out (first at line 6)
      help: correct the file; without --lenient the first such line is an error
    ");
}

#[test]
fn validate_tells_what_and_where() {
    let folder = Folder::new();
    insta::assert_snapshot!(said(&folder.axio(&["validate", "qrels.txt", "run.txt"])), @r#"
    exit 0
    qrels.txt:5: warning: document "d4" has the negative grade -1 (help: negative grades count as unjudged; give --max-grade if higher grades are meant)
    qrels.txt: qrels (trec), 2 topics, 5 judgements: 1 finding (1 grade-out-of-range)
    run.txt:4: warning: topic 301: rank 3 has the score 8.25, rank 4 the higher score 8.75 (help: scores decide and ranks are ignored; correct the scores if the ranks are right)
    run.txt:2: warning: topic 301: 2 documents share their score with another, 2 of them in the top 10 (help: equal scores are ordered by descending document id, not as in the file; give distinct scores, or use `axio eval --ties file`)
    run.txt:5: warning: topic 302: 1 unjudged among the first 1 (help: scores are uncertain here; `axio eval --ranges` shows how uncertain; or judge more documents)
    run.txt: run (trec), 2 topics, 5 documents, 40.0% of the top 10 unjudged: 3 findings (1 rank-contradicts-score, 1 ties, 1 unjudged-top)
    "#);
}

#[test]
fn validate_exit_codes() {
    let folder = Folder::new();
    folder.file("clean.txt", "1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n");
    let code = |arguments: &[&str]| folder.axio(arguments).status.code().unwrap();
    assert_eq!(code(&["validate", "run.txt"]), 0);
    assert_eq!(code(&["validate", "run.txt", "--fail-on", "warning"]), 1);
    assert_eq!(code(&["validate", "clean.txt", "--fail-on", "warning"]), 0);
    let unreadable = folder.axio(&["validate", "run.txt", "no such file"]);
    assert_eq!((unreadable.status.code(), unreadable.stdout.len()), (Some(2), 0));
    assert_eq!(
        text(&unreadable.stderr),
        "error: no such file: no such file\n  help: no file here has a similar name\n"
    );
}

#[test]
fn validate_in_json() {
    let folder = Folder::new();
    folder.file(
        "many.txt",
        &(0..7).map(|t| format!("{t} Q0 a 1 1 x\n{t} Q0 b 2 1 x\n")).collect::<String>(),
    );
    let found = |arguments: &[&str]| {
        let json: serde_json::Value =
            serde_json::from_slice(&folder.axio(arguments).stdout).unwrap();
        let ties = &json["files"][0]["findings"][0];
        (ties["check"].clone(), ties["count"].clone(), ties["instances"].as_array().unwrap().len())
    };
    assert_eq!(found(&["validate", "--format", "json", "many.txt"]), ("ties".into(), 7.into(), 5));
    assert_eq!(
        found(&["validate", "--format", "json", "--all", "many.txt"]),
        ("ties".into(), 7.into(), 7)
    );
    let text = text(&folder.axio(&["validate", "many.txt"]).stdout);
    assert!(
        text.contains("many.txt: warning: 2 more of ties (help: see them with --all)\n"),
        "{text}"
    );
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_is_read_and_written() {
    let folder = Folder::new();
    for (from, to) in [("run.txt", "run.parquet"), ("qrels.txt", "qrels.pq")] {
        assert_eq!(said(&folder.axio(&["convert", from, to])), "exit 0\n", "{from}");
    }
    let texts = ["run.parquet", "run.txt"]
        .map(|name| text(&folder.axio(&["convert", "--to", "trec", "--tag", "demo", name]).stdout));
    assert_eq!(texts[0], texts[1]);
    // A table of judgements has no order of lines to keep: relevant documents come first.
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    let back = text(&folder.axio(&["convert", "--to", "trec", "qrels.pq"]).stdout);
    assert_eq!(sorted(&back), sorted(QRELS));
    let scores = |qrels: &str, run: &str| {
        let called = folder.axio(&["eval", qrels, run, "-m", "AP nDCG@5", "--format", "json"]);
        text(&called.stdout).replace(".parquet", ".txt").replace(".pq", ".txt")
    };
    assert_eq!(scores("qrels.pq", "run.parquet"), scores("qrels.txt", "run.txt"));
    let zipped = folder.axio(&["convert", "run.txt", "run.parquet.gz"]);
    assert_eq!(zipped.status.code(), Some(2));
    let facet = folder.axio(&["convert", "qrels.txt", "q.parquet", "--facet", "subtopic"]);
    assert_eq!(facet.status.code(), Some(2));
}

/// One table that lists what was retrieved and what is relevant, as pandas writes it.
#[test]
fn cells_of_a_table_may_hold_lists() {
    let json = "query_id,retrieved_ids,relevant_ids\n1,\"[\"\"a\"\", \"\"b\"\"]\",\"[\"\"b\"\"]\"\n2,\"[\"\"c\"\"]\",\"[\"\"c\"\"]\"\n";
    let python = "query_id\tretrieved_ids\trelevant_ids\n1\t['a', 'b']\t['b']\n2\t['c']\t['c']\n";
    for text in [json, python] {
        let files = folder(&[("log", text.as_bytes()), ("bad", b"qid,retrieved\n1,a b\n")]);
        let called = axio_in(
            files.path(),
            &["eval", "log", "log", "-m", "RR", "--format", "csv", "--per-topic"],
        );
        assert_eq!(called.code, 0, "{called}");
        assert!(called.stdout.contains("log,RR,1,0.5\nlog,RR,2,1\n"), "{called}");
        let bad = axio_in(files.path(), &["eval", "log", "bad"]);
        assert!(
            bad.code == 2 && bad.stderr.contains("bad:2: found \"a b\", expected a list"),
            "{bad}"
        );
    }
}
