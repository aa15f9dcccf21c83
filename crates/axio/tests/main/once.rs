//! Every command opens and reads each of its files once, so that all of them can be pipes.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Called, axio, command, folder, root};

const QRELS: &str = "examples/web/qrels.txt";
const BM25: &str = "examples/web/bm25.run";
const DENSE: &str = "examples/web/dense.run";
const HYBRID: &str = "examples/web/hybrid.run";

/// Calls the command in the root of the repository with a file as its standard input.
fn piped(args: &[&str], input: &str) -> Called {
    let mut child = command(&root(), args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let bytes = std::fs::read(root().join(input)).unwrap();
    // Who refuses standard input does not read it.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
    let called = child.wait_with_output().unwrap().into();
    writer.join().unwrap();
    called
}

/// The commands that take one run from standard input, with what they print for the same file.
#[test]
fn one_run_may_be_standard_input() {
    for args in [
        &["eval", QRELS, BM25, "-m", "AP", "--format", "csv", "-q"][..],
        &["compare", QRELS, BM25, DENSE, "-m", "AP RBP", "-q", "--format", "json"],
        &["compare", QRELS, BM25, DENSE, "-m", "AP", "-q", "--show", "joint"],
        &["meta", QRELS, BM25, DENSE, HYBRID, "-m", "AP RR", "--resamples", "50", "-q"],
        &[
            "meta",
            QRELS,
            BM25,
            DENSE,
            HYBRID,
            "-m",
            "AP RR",
            "--resamples",
            "50",
            "-q",
            "--pool-bias",
            "--show",
            "pool-bias",
        ],
        &["plan", "topics", QRELS, BM25, DENSE, "--delta", "0.02", "-m", "AP"],
        &["plan", "judge", QRELS, BM25, DENSE, "--budget", "5"],
        &["plan", "depth", "--residual", "0.001", BM25, DENSE],
        &["risk", QRELS, DENSE, BM25, "-m", "AP", "-q"],
        &["standardize", QRELS, BM25, DENSE, "-m", "AP", "-q"],
        &["explain", "AP@5", QRELS, BM25, "--topic", "201"],
        &["validate", QRELS, BM25],
        &["convert", BM25, "--to", "jsonl"],
        &["trec_eval", QRELS, BM25],
    ] {
        let file = axio(args);
        let with_stdin: Vec<&str> =
            args.iter().map(|arg| if *arg == BM25 { "-" } else { *arg }).collect();
        let called = piped(&with_stdin, BM25);
        assert_eq!(called.code, file.code, "{args:?}: {called}\n{file}");
        // A table names the run by its file.
        let named = |text: &str| text.replace(BM25, "-").replace("bm25.run", "-");
        let words = |text: &str| {
            named(text).split_whitespace().map(str::to_string).collect::<Vec<String>>()
        };
        let rules = |text: &str| words(text).into_iter().filter(|w| !w.contains("──")).collect();
        let (expected, found): (Vec<String>, Vec<String>) =
            (rules(&file.stdout), rules(&called.stdout));
        assert_eq!(found, expected, "{args:?}");
    }
}

/// The reader of a table goes to and fro in its file, which a pipe does not allow.
#[cfg(feature = "parquet")]
#[test]
fn a_table_may_be_standard_input() {
    let folder = folder(&[]);
    let table = folder.path().join("bm25.parquet");
    let table = table.to_str().unwrap();
    assert_eq!(axio(&["convert", BM25, table]).code, 0);
    let scores = |called: Called| {
        assert_eq!(called.code, 0, "{called}");
        called.stdout.lines().map(|line| line.split_once('\t').unwrap().1.to_string()).collect()
    };
    let args = |run| ["eval", QRELS, run, "-m", "AP", "--format", "tsv", "--per-topic", "-q"];
    let (piped, text): (Vec<String>, Vec<String>) =
        (scores(piped(&args("-"), table)), scores(axio(&args(BM25))));
    assert_eq!(piped, text);
}

#[test]
fn a_report_may_be_made_of_standard_input() {
    let folder = folder(&[]);
    let page = folder.path().join("r.html");
    let called = piped(&["report", QRELS, "-", DENSE, "-o", page.to_str().unwrap()], BM25);
    assert_eq!(called.code, 0, "{called}");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("dense.run") && page.contains("<svg"));
}

/// A pipe with a name can be opened once: whoever opens it again waits for a writer that never
/// comes.
#[cfg(unix)]
#[test]
fn every_command_opens_each_file_once() {
    let folder = folder(&[]);
    for (number, args) in [
        &["eval", QRELS, BM25, DENSE, "-m", "AP nDCG@10 Bpref"][..],
        &["eval", QRELS, BM25, "-m", "AP", "--ranges", "--per-topic"],
        &["compare", QRELS, BM25, DENSE, "-m", "AP RBP"],
        &["meta", QRELS, BM25, DENSE, HYBRID, "-m", "AP RR", "--resamples", "50", "--pool-bias"],
        &["plan", "topics", QRELS, BM25, DENSE, "--delta", "0.02", "-m", "AP"],
        &["plan", "judge", QRELS, BM25, DENSE, "--budget", "5"],
        &["plan", "depth", "--residual", "0.001", BM25, DENSE],
        &["risk", QRELS, DENSE, BM25, "-m", "AP"],
        &["standardize", QRELS, BM25, DENSE, "-m", "AP"],
        &["explain", "AP@5", QRELS, BM25, "--topic", "201"],
        &["validate", QRELS, BM25, DENSE],
        &["validate", BM25, "--qrels", QRELS],
        &["convert", BM25, "--to", "jsonl"],
        &["report", QRELS, BM25, DENSE, "-o", "/dev/null"],
        &["trec_eval", QRELS, BM25],
        &["trec_eval", "-R", "qrels_prefs", "-m", "prefs_simp", QRELS, BM25],
    ]
    .iter()
    .enumerate()
    {
        let pipe = |file: &str| folder.path().join(format!("{number}-{}", file.replace('/', "-")));
        let files: Vec<&str> =
            args.iter().copied().filter(|a| a.starts_with("examples/")).collect();
        for file in &files {
            assert!(Command::new("mkfifo").arg(pipe(file)).status().unwrap().success());
        }
        let args: Vec<String> = args
            .iter()
            .map(|arg| match arg.starts_with("examples/") {
                true => pipe(arg).to_str().unwrap().to_string(),
                false => arg.to_string(),
            })
            .collect();
        let writers: Vec<_> = files
            .iter()
            .map(|file| (root().join(file), pipe(file)))
            .map(|(from, to)| {
                std::thread::spawn(move || {
                    std::fs::write(to, std::fs::read(from).unwrap()).unwrap()
                })
            })
            .collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let mut child =
            command(&root(), &args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > Duration::from_secs(300) {
                child.kill().unwrap();
                panic!("{args:?} waits for a file that it has read before");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        assert!(status.success(), "{args:?}");
        writers.into_iter().for_each(|writer| writer.join().unwrap());
    }
}
