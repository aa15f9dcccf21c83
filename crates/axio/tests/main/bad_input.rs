//! Bad input: exit code 2, a message that says where and what, and nothing on standard output.

use std::io::Write;

use crate::support::{Called, axio, axio_in, folder};

fn truncated_gz() -> Vec<u8> {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for i in 0..5000u64 {
        writeln!(gz, "1 Q0 d{} {i} 0.5 x", i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).unwrap();
    }
    let mut bytes = gz.finish().unwrap();
    bytes.truncate(bytes.len() / 2);
    bytes
}

fn refused(called: &Called) {
    assert_eq!((called.code, called.stdout.as_str()), (2, ""), "{called}");
    assert!(called.stderr.starts_with("error: "), "{called}");
}

#[test]
fn runs() {
    let cases: &[(&str, &[u8])] = &[
        ("empty", b""),
        ("blank", b"\n\n"),
        ("binary", b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\n\x00\x01\x02"),
        ("binary_fields", b"1 Q0 a\x01b 1 0.5 x\n"),
        ("short_line", b"1 Q0 a 1 0.5 x\n1 Q0 b\n"),
        ("no_score", b"1 Q0 a 1 high x\n"),
        ("nan", b"1 Q0 a 1 0.5 x\n1 Q0 b 2 NaN x\n"),
        ("duplicate", b"1 Q0 a 1 0.5 x\n1 Q0 b 2 0.4 x\n1 Q0 a 3 0.3 x\n"),
        ("duplicate_in_scattered_topic", b"1 Q0 a 1 0.5 x\n2 Q0 b 2 0.4 x\n1 Q0 a 3 0.3 x\n"),
        ("other_topics", b"9 Q0 a 1 0.5 x\n"),
        ("truncated.gz", &truncated_gz()),
    ];
    let mut all = String::new();
    for (name, bytes) in cases {
        let files = folder(&[("qrels", b"1 0 a 1\n2 0 b 1\n"), (name, bytes)]);
        let called = axio_in(files.path(), &["eval", "qrels", name]);
        refused(&called);
        all += &called.stderr;
    }
    insta::assert_snapshot!("bad_runs", all);
}

#[test]
fn judgements() {
    let cases: &[(&str, &[u8])] = &[
        ("empty", b""),
        ("short_line", b"1 0 a 1\n1 0 b\n"),
        ("no_grade", b"1 0 a relevant\n"),
        ("infinite_grade", b"1 0 a inf\n"),
        ("judged_twice", b"1 0 a 1\n1 0 b 0\n1 0 a 0\n"),
    ];
    let mut all = String::new();
    for (name, bytes) in cases {
        let files = folder(&[(name, bytes), ("run", b"1 Q0 a 1 0.5 x\n")]);
        let called = axio_in(files.path(), &["eval", name, "run"]);
        refused(&called);
        all += &called.stderr;
    }
    insta::assert_snapshot!("bad_judgements", all);
}

#[test]
fn files() {
    let files = folder(&[("qrels", b"1 0 a 1\n"), ("run", b"1 Q0 a 1 0.5 x\n")]);
    std::fs::create_dir(files.path().join("directory")).unwrap();
    let mut all = String::new();
    for args in [
        ["qrels", "none"],
        ["none", "run"],
        ["qrels", "directory"],
        ["directory", "run"],
        ["-", "-"],
    ] {
        let called = axio_in(files.path(), &["eval", args[0], args[1]]);
        refused(&called);
        all += &called.stderr;
    }
    insta::assert_snapshot!("bad_files", all);
}

#[test]
fn unknown_measures_get_near_ones() {
    for (unknown, near) in
        [("nDGC@10", "nDCG@10"), ("Recal@5", "R@5"), ("RPB(p=0.9)", "RBP(p=0.9)")]
    {
        let called =
            axio(&["eval", "examples/web/qrels.txt", "examples/web/bm25.run", "-m", unknown]);
        refused(&called);
        let said = called
            .stderr
            .split("did you mean ")
            .nth(1)
            .unwrap_or("")
            .trim_end()
            .trim_end_matches('?');
        assert!(said.split(", ").any(|name| name == near), "{called}");
    }
}

#[test]
fn measures_and_options() {
    let mut all = String::new();
    for options in [
        &["-m", "xyzzy"][..],
        &["-m", "P"],
        &["-m", "RBP(p=1.5)"],
        &["-m", ""],
        &["--missing", "never"],
        &["--threads", "0"],
        &["--max-grade", "-1"],
        &["--format", "xml"],
        &["--per-topics"],
    ] {
        let called =
            axio(&[&["eval", "examples/web/qrels.txt", "examples/web/bm25.run"], options].concat());
        refused(&called);
        all += &called.stderr;
    }
    insta::assert_snapshot!("bad_options", all);
    for args in [&["eval"][..], &["evil"], &[]] {
        let called = axio(args);
        assert_eq!((called.code, called.stdout.as_str()), (2, ""), "{called}");
    }
}

/// One error after another, from every command that can meet it. [`axio_in`] follows the advice.
#[test]
fn advice_names_options_of_the_command_that_gives_it() {
    let files = folder(&[
        ("twice.run", b"1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n"),
        ("wrong.run", b"1 Q0 a 1 2 t\n1 Q0 b 2 x t\n"),
        ("odd.csv", b"one,two,three\n1,a,2\n"),
        ("short.csv", b"query_id,doc_id,score\n1,a\n"),
        ("other.run", b"2 Q0 a 1 2 t\n"),
        ("good.run", b"1 Q0 a 1 2 t\n"),
        ("qrels", b"1 0 a 1\n1 0 b 0\n"),
    ]);
    let commands: [&[&str]; 14] = [
        &["eval", "qrels", "FILE"],
        &["compare", "qrels", "good.run", "FILE"],
        &["gate", "qrels", "FILE", "--baseline", "good.run", "--min", "AP=0.1"],
        &["meta", "qrels", "good.run", "other.run", "FILE"],
        &["risk", "qrels", "good.run", "FILE"],
        &["standardize", "qrels", "good.run", "FILE"],
        &["session", "qrels", "qrels", "FILE"],
        &["report", "qrels", "FILE"],
        &["explain", "AP", "qrels", "FILE", "--topic", "1"],
        &["plan", "depth", "FILE"],
        &["fuse", "FILE", "good.run"],
        &["convert", "FILE", "out.json"],
        &["validate", "FILE"],
        &["organize", "qrels", "FILE"],
    ];
    for file in ["twice.run", "wrong.run", "odd.csv", "short.csv"] {
        for command in commands {
            let args: Vec<&str> =
                command.iter().map(|arg| if *arg == "FILE" { file } else { arg }).collect();
            axio_in(files.path(), &args);
        }
    }
    for command in ["fuse", "convert"] {
        let args: &[&str] = match command {
            "fuse" => &["fuse", "twice.run", "good.run", "--duplicates", "best"],
            _ => &["convert", "twice.run", "--to", "csv", "--duplicates", "best"],
        };
        let called = axio_in(files.path(), args);
        assert_eq!(called.code, 0, "{called}");
    }
    for (command, word, instead) in [
        (["check", "SessionDCG@10"], "sessions", "axio session"),
        (["check", "Coverage@10"], "besides their grades", "axio eval"),
        (["explain", "xyzzy"], "unknown measure", "axio measures"),
    ] {
        let called = axio(&command);
        assert_eq!(called.code, 2, "{called}");
        assert!(called.stderr.contains(word) && called.stderr.contains(instead), "{called}");
    }
}
