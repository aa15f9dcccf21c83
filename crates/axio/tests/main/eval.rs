//! `axio eval` on the example collections.

use std::io::Write;
use std::process::Stdio;

use crate::support::{axio, axio_in, command, folder, root, stdout};

const WEB: [&str; 5] = [
    "examples/web/qrels.txt",
    "examples/web/bm25.run",
    "examples/web/bm25-rm3.run",
    "examples/web/dense.run",
    "examples/web/hybrid.run",
];
const FORMATS: [&str; 7] = ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"];

fn eval<'a>(files: &[&'a str], options: &[&'a str]) -> Vec<&'a str> {
    [&["eval"], files, options].concat()
}

#[test]
fn every_format() {
    for format in FORMATS {
        insta::assert_snapshot!(format!("web_{format}"), axio(&eval(&WEB, &["--format", format])));
        let options = ["--per-topic", "--format", format, "-m", "nDCG@10 AP"];
        insta::assert_snapshot!(format!("web_by_topic_{format}"), axio(&eval(&WEB[..2], &options)));
    }
    insta::assert_snapshot!(
        "passages",
        axio(&[
            "eval",
            "examples/passages/qrels.txt",
            "examples/passages/dense.run",
            "-m",
            "RR@10,Success@5"
        ])
    );
}

#[test]
fn policies() {
    let rm3 = ["examples/web/qrels.txt", "examples/web/bm25-rm3.run"];
    let mean = |options: &[&str]| {
        let table = stdout(&eval(
            &rm3,
            &[options, &["-m", "AP", "--format", "tsv", "--places", "6"]].concat(),
        ));
        table.lines().last().unwrap().rsplit('\t').next().unwrap().parse::<f64>().unwrap()
    };
    let zero = mean(&[]);
    // One of twenty topics is missing and one other is undefined.
    assert!((mean(&["--missing", "skip"]) - zero * 20.0 / 19.0).abs() < 2e-6);
    assert!((mean(&["--undefined", "skip"]) - zero * 20.0 / 19.0).abs() < 2e-6);
    assert!(
        (mean(&["--undefined", "skip", "--missing", "skip"]) - zero * 20.0 / 18.0).abs() < 2e-6
    );
    assert_ne!(mean(&["--ties", "docid-asc"]), zero);
    assert!(mean(&["--depth", "5"]) < zero);
    for policy in ["--missing", "--undefined"] {
        let called = axio(&eval(&rm3, &[policy, "error"]));
        assert_eq!((called.code, called.stdout.as_str()), (2, ""), "{policy}");
        assert!(
            called.stderr.contains(if policy == "--missing" {
                "topic 209"
            } else {
                "nDCG@10 for topic 205"
            }),
            "{called}"
        );
    }
    let rbp =
        |grade: &str| stdout(&eval(&rm3, &["--max-grade", grade, "-m", "RBP", "--format", "tsv"]));
    assert_ne!(rbp("3"), rbp("4"));
    insta::assert_snapshot!(axio(&eval(&rm3, &["--max-grade", "2"])));
}

#[test]
fn scores_can_be_compared_as_older_tools_do() {
    let files = folder(&[
        ("qrels", b"1 0 a 1\n1 0 b 0\n"),
        ("run", b"1 Q0 a 1 0.30000000001 x\n1 Q0 b 2 0.3 x\n"),
    ]);
    let rr = |scores: &str| {
        axio_in(
            files.path(),
            &["eval", "qrels", "run", "-m", "RR", "--scores", scores, "--format", "tsv"],
        )
        .stdout
    };
    assert_eq!(rr("f64"), "run\tmeasure\ttopic\tvalue\nrun\tRR\tall\t1\n");
    // Equal as 32-bit numbers: the higher document id goes first.
    assert_eq!(rr("f32"), "run\tmeasure\ttopic\tvalue\nrun\tRR\tall\t0.5\n");
}

#[test]
fn threads_and_the_order_of_lines_change_nothing() {
    for format in FORMATS {
        let of = |threads: &str| {
            axio(&eval(&WEB, &["--per-topic", "--format", format, "--threads", threads]))
        };
        let one = of("1");
        assert_eq!(one, of("2"));
        assert_eq!(one, of("8"));
    }
    let shuffled = |path: &str| {
        let text = std::fs::read_to_string(root().join(path)).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        // A fixed shuffle: by a hash of the line.
        lines.sort_by_key(|line| {
            line.bytes().fold(7u32, |h, b| (h ^ u32::from(b)).wrapping_mul(16_777_619))
        });
        (lines.join("\n") + "\n").into_bytes()
    };
    let files = folder(&[("qrels.txt", &shuffled(WEB[0])), ("bm25.run", &shuffled(WEB[1]))]);
    let options = ["--per-topic", "--format", "tsv"];
    let expected =
        axio_in(&root().join("examples/web"), &eval(&["qrels.txt", "bm25.run"], &options));
    assert_eq!(axio_in(files.path(), &eval(&["qrels.txt", "bm25.run"], &options)), expected);
}

/// A file that is large enough to be read in pieces, by several threads, with a piece's worth of
/// missing topics and scores that tie.
#[test]
fn a_large_file_is_scored_alike_by_any_number_of_threads() {
    let (mut qrels, mut run) = (String::new(), String::new());
    for topic in 0..450 {
        for document in 0..600 {
            let noise = (topic * 7919 + document * 104_729) % 1009;
            if noise % 13 == 0 {
                qrels += &format!("t{topic} 0 document-{noise:06}-{document} {}\n", noise % 3);
            }
            if topic % 10 != 3 {
                run += &format!(
                    "t{topic} Q0 document-{noise:06}-{document} {document} {}.5 system\n",
                    noise % 200
                );
            }
        }
    }
    assert!(run.len() > 9 << 20, "{} bytes are read in one piece", run.len());
    let files = folder(&[("qrels", qrels.as_bytes()), ("large.run", run.as_bytes())]);
    let of = |threads: &str| {
        axio_in(
            files.path(),
            &["eval", "qrels", "large.run", "--per-topic", "--format", "tsv", "--threads", threads],
        )
    };
    let one = of("1");
    assert_eq!(one.code, 0, "{}", one.stderr);
    assert_eq!(one, of("2"));
    assert_eq!(one, of("8"));
}

#[test]
fn keep_going_leaves_out_what_cannot_be_read() {
    let files = folder(&[
        ("qrels", b"1 0 a 1\n"),
        ("good.run", b"1 Q0 a 1 0.5 x\n"),
        ("bad.run", b"1 Q0 a 1 0.5 x\n1 Q0 b\n"),
    ]);
    let options = ["-m", "AP", "--keep-going"];
    insta::assert_snapshot!(
        "keep_going",
        axio_in(files.path(), &eval(&["qrels", "bad.run", "good.run", "none.run"], &options))
    );
    let json = [&options[..], &["--format", "json"]].concat();
    insta::assert_snapshot!(
        "keep_going_json",
        axio_in(files.path(), &eval(&["qrels", "bad.run", "good.run"], &json))
    );
    insta::assert_snapshot!(
        "keep_going_nothing_left",
        axio_in(files.path(), &eval(&["qrels", "bad.run"], &options))
    );
}

#[test]
fn lenient_counts_what_it_leaves_out() {
    let run = b"1 Q0 a 1 0.5 x\n1 Q0 b\n1 Q0 c 2 nan x\n1 Q0 a 3 0.4 x\n1 Q0 d 4 0.3 x\n";
    let files = folder(&[("qrels", b"1 0 a 1\n1 0 d 1\nbad line\n"), ("run", run)]);
    insta::assert_snapshot!(axio_in(
        files.path(),
        &["eval", "qrels", "run", "-m", "AP P@2", "--lenient"]
    ));
}

#[test]
fn names_output_places_and_quiet() {
    let files = folder(&[
        ("qrels", b"1 0 a 1\n1 0 b 1\n1 0 c 1\n"),
        ("x.run", b"1 Q0 a 1 0.5 x\n2 Q0 a 1 0.5 x\n"),
    ]);
    let called = axio_in(
        files.path(),
        &eval(
            &["qrels", "x.run", "./x.run", "x.run"],
            &["-m", "AP", "--places", "2", "--quiet", "--format", "csv"],
        ),
    );
    assert_eq!(
        called.to_string(),
        "exit code 0\n--- stdout\nrun,measure,topic,value\nx.run,AP,all,0.33\n./x.run,AP,all,0.33\nx.run#2,AP,all,0.33\n--- stderr\n"
    );
    let called = axio_in(
        files.path(),
        &[
            "eval",
            "qrels",
            "x.run",
            "-m",
            "AP",
            "-m",
            "AP R@5",
            "-q",
            "--format",
            "tsv",
            "-o",
            "scores.tsv",
        ],
    );
    assert_eq!((called.code, called.stdout.as_str()), (0, ""));
    let written = std::fs::read_to_string(files.path().join("scores.tsv")).unwrap();
    assert_eq!(
        written,
        "run\tmeasure\ttopic\tvalue\nx.run\tAP\tall\t0.3333333333333333\nx.run\tR@5\tall\t0.3333333333333333\n"
    );
    let called =
        axio_in(files.path(), &["eval", "qrels", "x.run", "-o", "no/such/folder.tsv", "-q"]);
    assert_eq!(
        (called.code, called.stderr.as_str()),
        (
            2,
            "error: no/such/folder.tsv: the folder no/such does not exist\n  help: create it first, or write to another place\n"
        )
    );
}

#[test]
fn standard_input_and_compressed_files() {
    let run = std::fs::read(root().join(WEB[1])).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(&run).unwrap();
    let files = folder(&[
        ("bm25.run.gz", &gz.finish().unwrap()),
        ("qrels.txt", &std::fs::read(root().join(WEB[0])).unwrap()),
    ]);
    let table = |name: &str| {
        let mut child = command(files.path(), &["eval", "qrels.txt", name, "-q"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(if name == "-" { &run } else { b"" }).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let expected = stdout(&eval(&WEB[..2], &["-q"]));
    assert_eq!(table("bm25.run.gz"), expected);
    let numbers = |table: String| {
        table
            .lines()
            .nth(2)
            .unwrap()
            .split_whitespace()
            .skip(1)
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(numbers(table("-")), numbers(expected));
    assert_eq!(axio(&["eval", "-", "-"]).code, 2);
}

#[test]
fn a_closed_pipe_is_no_error() {
    for args in [
        eval(&WEB, &["--per-topic", "--format", "tsv", "-q"]),
        vec!["measures"],
        vec!["man"],
        vec!["completions", "bash"],
        vec!["explain", "AP"],
    ] {
        let mut child =
            command(&root(), &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()),
            (Some(0), ""),
            "{args:?}"
        );
    }
}

/// Names are bytes to the file system and to the formats of runs.
#[test]
fn awkward_names() {
    let run = "r,\"x\ny|_*&\\";
    let files = folder(&[
        ("qrels", b"t\xff 0 a 1\nall 0 b 1\n"),
        (run, b"t\xff Q0 a 1 1 x\nall Q0 b 1 1 x\n"),
    ]);
    for format in FORMATS {
        let output = command(
            files.path(),
            &["eval", "qrels", run, "--per-topic", "-m", "AP", "--format", format],
        )
        .output()
        .unwrap();
        assert!(output.status.success(), "{format}: {}", String::from_utf8_lossy(&output.stderr));
        let kept = output.stdout.windows(2).any(|w| w == b"t\xff");
        assert_eq!(kept, ["tsv", "csv"].contains(&format), "{format}");
    }
}
