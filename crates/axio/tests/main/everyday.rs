//! The mistakes of a first day: files in the wrong order, results over inputs, distances as scores,
//! ids that do not match; and the files that people have.

use std::path::Path;

use crate::support::{Called, axio, axio_in, folder, root};

const QRELS: &[u8] = b"1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 1\n2 0 d 0\n";
const RUN: &[u8] = b"1 Q0 a 1 0.9 tag\n1 Q0 c 2 0.8 tag\n2 Q0 d 1 0.7 tag\n2 Q0 a 2 0.6 tag\n";

fn files() -> tempfile::TempDir {
    folder(&[("q.txt", QRELS), ("b.run", RUN), ("c.run", RUN)])
}

fn refused(called: &Called, text: &str) {
    assert_eq!((called.code, called.stdout.as_str()), (2, ""), "{called}");
    assert!(called.stderr.contains(text), "{called}");
}

fn score(folder: &Path, args: &[&str]) -> f64 {
    let options = ["--format", "tsv", "-m", "nDCG@10"];
    let called = axio_in(folder, &[args, &options].concat());
    assert_eq!(called.code, 0, "{called}");
    called.stdout.trim().rsplit('\t').next().unwrap().parse().unwrap()
}

#[test]
fn swapped_files_are_recognised_in_every_command() {
    let files = files();
    for command in [
        &["eval", "b.run", "q.txt"][..],
        &["eval", "b.run", "c.run"],
        &["eval", "--lenient", "b.run", "q.txt"],
        &["compare", "b.run", "q.txt", "c.run"],
        &["report", "b.run", "q.txt", "-o", "page.html"],
        &["meta", "b.run", "q.txt", "c.run"],
        &["risk", "b.run", "q.txt", "c.run"],
        &["standardize", "b.run", "q.txt", "c.run"],
        &["plan", "judge", "b.run", "q.txt"],
        &["gate", "b.run", "q.txt", "--baseline", "c.run", "--max-drop", "AP=0.1"],
        &["explain", "AP", "b.run", "q.txt", "--topic", "1"],
        &["trec_eval", "b.run", "q.txt"],
    ] {
        let called = axio_in(files.path(), command);
        refused(&called, "the order is QRELS RUN; these look swapped");
    }
    refused(
        &axio_in(files.path(), &["eval", "q.txt", "q.txt"]),
        "q.txt is given as judgements and as a run",
    );
    let called = axio_in(files.path(), &["trec_eval", "b.run", "b.run"]);
    assert_eq!(called.code, 2, "{called}");
}

#[test]
fn swapped_json_is_recognised_by_both_files() {
    let files = folder(&[
        ("q.json", br#"{"1": {"a": 1, "b": 0, "c": 2}}"#),
        ("r.json", br#"{"1": {"a": 0.91, "b": 0.85, "c": 0.13}}"#),
    ]);
    refused(&axio_in(files.path(), &["eval", "r.json", "q.json"]), "these look swapped");
    let called = axio_in(files.path(), &["eval", "q.json", "r.json"]);
    assert_eq!(called.code, 0, "{called}");
}

#[test]
fn what_has_ranks_is_a_run_whatever_its_scores_are() {
    let files = folder(&[
        ("q.txt", b"1 0 a 0.5\n1 0 b 1\n1 0 c 0.3\n"),
        ("b.run", b"1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n1 Q0 c 3 1 x\n"),
    ]);
    let copy = std::fs::copy(files.path().join("b.run"), files.path().join("c.run"));
    copy.unwrap();
    for command in [
        &["eval", "q.txt", "b.run"][..],
        // A run that is kept in memory is the same run.
        &["compare", "q.txt", "b.run", "c.run"],
        &["eval", "q.txt", "b.run", "--duplicates", "best"],
        &["explain", "RBP", "q.txt", "b.run", "--topic", "1"],
    ] {
        let measures = if command[0] == "explain" { &[][..] } else { &["-m", "RBP"] };
        let called = axio_in(files.path(), &[command, measures].concat());
        assert_eq!(called.code, 0, "{called}");
    }
}

#[test]
fn preferences_without_their_option_are_told_of_it() {
    let files = folder(&[
        ("a.prefs", b"q j 1 a 2\nq j 1 b 1\nq j 2 a 2\nq j 2 c 1\n"),
        ("s.prefs", b"q s 1 a 2\nq s 1 c 1\nq s 2 b 1\n"),
        ("q.txt", b"q 0 a 1\nq 0 b 0\n"),
        ("strata.txt", b"q 0 a 1 1\nq 0 b 1 0\n"),
        ("b.run", b"q Q0 a 1 2.5 x\nq Q0 b 2 1.5 x\n"),
    ]);
    let told = |args: &[&str]| axio_in(files.path(), &[&["eval"], args].concat());
    refused(&told(&["a.prefs", "b.run"]), "which --preferences reads as judgements");
    refused(&told(&["q.txt", "s.prefs"]), "which --orders reads as the partial order of a system");
    let strata = told(&["strata.txt", "b.run"]);
    refused(&strata, "a stratum before the grade is read by measures such as infNDCG");
    assert!(!strata.stderr.contains("--preferences"), "{strata}");
}

#[test]
fn a_fifth_column_of_judgements_is_an_error() {
    let files = folder(&[("q.txt", b"1 0 a 1 x\n1 0 b 1\n"), ("b.run", RUN)]);
    refused(
        &axio_in(files.path(), &["eval", "q.txt", "b.run"]),
        "q.txt:1:9: found \"x\", expected the end of a line of judgements",
    );
    let called = axio_in(files.path(), &["eval", "q.txt", "b.run", "--lenient"]);
    assert!(called.code == 0 && called.stderr.contains("1 malformed line left out"), "{called}");
    for text in ["1 0 a 1 \n", "1 0 a 1\t\r\n", "1 0 a 1 # sure\n", "1 0 a 1"] {
        let files = folder(&[("q.txt", text.as_bytes()), ("b.run", RUN)]);
        let called = axio_in(files.path(), &["eval", "q.txt", "b.run"]);
        assert_eq!(called.code, 0, "{text:?}: {called}");
    }
}

#[test]
fn no_result_replaces_an_input() {
    let files = files();
    std::fs::hard_link(files.path().join("q.txt"), files.path().join("hard")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("b.run", files.path().join("soft")).unwrap();
    for command in [
        &["eval", "q.txt", "b.run", "-o", "q.txt"][..],
        &["eval", "q.txt", "b.run", "-o", "./q.txt"],
        &["eval", "q.txt", "b.run", "-o", "hard"],
        &["eval", "q.txt", "b.run", "-o", "soft"],
        &["compare", "q.txt", "b.run", "c.run", "-o", "c.run"],
        &["report", "q.txt", "b.run", "-o", "b.run"],
        &["report", "q.txt", "b.run", "--baseline", "c.run", "-o", "c.run"],
        &["meta", "q.txt", "b.run", "c.run", "-o", "b.run"],
        &["risk", "q.txt", "b.run", "c.run", "-o", "b.run"],
        &["standardize", "q.txt", "b.run", "c.run", "-o", "b.run"],
        &["plan", "judge", "q.txt", "b.run", "-o", "q.txt"],
        &["validate", "q.txt", "b.run", "-o", "b.run"],
        &["explain", "AP", "q.txt", "b.run", "--topic", "1", "-o", "b.run"],
        &["gate", "q.txt", "b.run", "--baseline", "c.run", "--min", "AP=0", "-o", "c.run"],
        &["convert", "b.run", "b.run", "--to", "trec"],
    ] {
        refused(&axio_in(files.path(), command), "would be overwritten");
    }
    for (name, bytes) in [("q.txt", QRELS), ("b.run", RUN), ("c.run", RUN)] {
        assert_eq!(std::fs::read(files.path().join(name)).unwrap(), bytes);
    }
    let called = axio_in(files.path(), &["convert", "c.run", "--in-place", "--to", "json"]);
    assert_eq!(called.code, 0, "{called}");
    assert!(std::fs::read_to_string(files.path().join("c.run")).unwrap().starts_with('{'));
}

#[test]
fn distances_are_told_and_can_be_read() {
    let distances =
        b"1 Q0 a 1 0.1 x\n1 Q0 c 2 0.2 x\n1 Q0 b 3 0.3 x\n2 Q0 a 1 0.4 x\n2 Q0 d 2 0.9 x\n";
    let files = folder(&[("q.txt", QRELS), ("b.run", distances)]);
    let called = axio_in(files.path(), &["eval", "q.txt", "b.run"]);
    assert!(called.stderr.contains("the scores seem to be distances"), "{called}");
    assert!(called.stderr.contains("--order asc"), "{called}");
    let wrong = score(files.path(), &["eval", "q.txt", "b.run"]);
    let right = score(files.path(), &["eval", "q.txt", "b.run", "--order", "asc"]);
    let called = axio_in(files.path(), &["eval", "q.txt", "b.run", "--order", "asc"]);
    assert!(!called.stderr.contains("distances"), "{called}");
    assert!(called.stdout.contains("order asc"), "{called}");
    // Topic 1: grades 1, 2, 0 against the ideal 2, 1: (1 + 2/1.585) / (2 + 1/1.585); topic 2: 1.
    let expected = ((1.0 + 2.0 / 3f64.log2()) / (2.0 + 1.0 / 3f64.log2()) + 1.0) / 2.0;
    assert!((right - expected).abs() < 1e-12 && wrong < right, "{wrong} {right}");
}

#[test]
fn ids_that_do_not_match_are_told() {
    let files = folder(&[("q.txt", QRELS), ("b.run", b"1 Q0 doc-a 1 0.9 x\n2 Q0 doc-a 1 0.9 x\n")]);
    let called = axio_in(files.path(), &["eval", "q.txt", "b.run"]);
    assert_eq!(called.code, 0, "{called}");
    assert!(
        called.stderr.contains(
            "no retrieved document is judged relevant: the run has \"doc-a\", the judgements have"
        ),
        "{called}"
    );
}

#[test]
fn coverage_stands_beside_the_table() {
    let files = folder(&[("q.txt", QRELS), ("b.run", b"1 Q0 a 1 0.9 x\n")]);
    let called = axio_in(files.path(), &["eval", "q.txt", "b.run"]);
    assert!(called.stdout.contains("2 topics (b.run covers 1 of 2), max grade 2"), "{called}");
    assert!(called.stderr.contains("b.run covers 1 of 2 judged topics, not topic 2"), "{called}");
}

#[test]
fn inputs_as_people_have_them() {
    let qrels: &[(&str, &str)] = &[
        ("q.txt", "1 0 a 1\n1 0 c 2\n2 0 a 1\n"),
        ("q.csv", "userId,movieId,rating,timestamp\n1,a,1,9\n1,c,2,9\n2,a,1,9\n"),
        ("q2.csv", "query_id;doc_id;relevance\n1;a;1\n1;c;2\n2;a;1\n"),
        ("q3.csv", "1,a,1\n1,c,2\n2,a,1\n"),
        ("q4.txt", "1 a 1\n1 c 2\n2 a 1\n"),
        ("q.json", r#"{"1": {"a": 1, "c": 2}, "2": {"a": 1}}"#),
        ("q2.json", r#"{"test": {"1": {"a": 1, "c": 2}, "2": {"a": 1}}}"#),
        ("q3.json", r#"{"1": [["a", 1], ["c", 2]], "2": ["a"]}"#),
    ];
    let runs: &[(&str, &str)] = &[
        ("b.run", "1 Q0 a 1 9 x\n1 Q0 c 2 8 x\n2 Q0 d 1 9 x\n2 Q0 a 2 8 x\n"),
        ("r.csv", "user_id,item_id,score\n1,a,9\n1,c,8\n2,d,9\n2,a,8\n"),
        ("r2.csv", "1;a;9.5\n1;c;8.5\n2;d;9.5\n2;a;8.5\n"),
        ("r.json", r#"{"1": ["a", "c"], "2": ["d", "a"]}"#),
        ("r2.json", r#"{"1": [["a", 1.5], ["c", 0.5]], "2": [["d", 1.5], ["a", 0.5]]}"#),
        (
            "r3.json",
            r#"{"1": [{"id": "a", "score": 3}, {"id": "c", "score": 2}], "2": ["d", "a"]}"#,
        ),
        (
            "mteb.json",
            r#"{"mteb_model_meta": {"model_name": "m"}, "default": {"test": {"1": {"a": 0.9, "c": 0.8}, "2": {"d": 0.9, "a": 0.8}}}}"#,
        ),
        (
            "lists.jsonl",
            "{\"query_id\": 1, \"retrieved_ids\": [\"a\", \"c\"], \"relevant_ids\": [\"a\"]}\n{\"query_id\": 2, \"retrieved_ids\": [\"d\", \"a\"], \"relevant_ids\": [\"a\"]}\n",
        ),
    ];
    let all: Vec<(&str, &[u8])> =
        qrels.iter().chain(runs).map(|(name, text)| (*name, text.as_bytes())).collect();
    let files = folder(&all);
    let expected = score(files.path(), &["eval", "q.txt", "b.run"]);
    for (qrels, _) in qrels {
        for (run, _) in runs {
            let found = score(files.path(), &["eval", qrels, run]);
            assert_eq!(found, expected, "{qrels} {run}");
        }
    }
    // One file holds both.
    let both = score(files.path(), &["eval", "lists.jsonl", "lists.jsonl"]);
    assert!((both - (1.0 + 1.0 / 3f64.log2()) / 2.0).abs() < 1e-12, "{both}");
    // So does one whose lists hold records, and one whose keys are named, in every command.
    let logs = folder(&[
        ("records.jsonl", br#"{"qid": "1", "retrieved": [{"id": "a", "score": 2}, {"id": "c", "score": 1}], "relevant": ["a"]}"#),
        ("named.jsonl", br#"{"qid": "1", "found": ["a", "c"], "right": ["a"]}"#),
        ("copy.jsonl", br#"{"qid": "1", "found": ["a", "c"], "right": ["a"]}"#),
    ]);
    assert_eq!(score(logs.path(), &["eval", "records.jsonl", "records.jsonl"]), 1.0);
    let columns = ["--columns", "retrieved=found,relevant=right"];
    for run in ["named.jsonl", "copy.jsonl"] {
        assert_eq!(
            score(logs.path(), &[&["eval", "named.jsonl", run][..], &columns].concat()),
            1.0
        );
    }
    let explain = ["explain", "AP", "named.jsonl", "named.jsonl", "--topic", "1"];
    let called = axio_in(logs.path(), &[&explain[..], &columns].concat());
    assert_eq!(called.code, 0, "{called}");
}

#[test]
fn columns_can_be_named() {
    let files = folder(&[
        ("q.txt", QRELS),
        ("r.csv", b"who,what,how\n1,a,0.9\n1,c,0.8\n2,d,0.7\n2,a,0.6\n"),
        ("n.csv", b"0.9,x,1,a\n0.8,x,1,c\n0.7,x,2,d\n0.6,x,2,a\n"),
        ("b.run", RUN),
    ]);
    let called = axio_in(files.path(), &["eval", "q.txt", "r.csv"]);
    refused(&called, "r.csv:1: unknown columns: found who, what, how; expected a run with a topic");
    refused(&called, "--columns topic=who,doc=what,score=how");
    let expected = score(files.path(), &["eval", "q.txt", "b.run"]);
    for (run, columns) in
        [("r.csv", "topic=who,doc=what,score=how"), ("n.csv", "topic=3,doc=4,score=1")]
    {
        assert_eq!(score(files.path(), &["eval", "q.txt", run, "--columns", columns]), expected);
    }
    refused(
        &axio_in(files.path(), &["eval", "q.txt", "r.csv", "--columns", "who=topic"]),
        "found \"who=topic\" among the columns",
    );
}

#[test]
fn chunks_are_scored_by_document() {
    let run = b"1 Q0 c#1 1 0.9 x\n1 Q0 c#2 2 0.8 x\n1 Q0 a#1 3 0.7 x\n2 Q0 d#1 1 0.9 x\n2 Q0 a#1 2 0.6 x\n2 Q0 a#2 3 0.5 x\n";
    let files = folder(&[
        ("q.txt", QRELS),
        ("chunks.run", run),
        ("map.tsv", b"c#1\tc\nc#2\tc\na#1\ta\na#2\ta\nd#1\td\n"),
        ("twice.run", b"1 Q0 c 1 0.2 x\n1 Q0 a 2 0.5 x\n1 Q0 c 3 0.9 x\n2 Q0 a 1 0.9 x\n"),
    ]);
    let pooled = |pool: &str| {
        score(files.path(), &["eval", "q.txt", "chunks.run", "--map", "map.tsv", "--pool", pool])
    };
    let second = 1.0 / 3f64.log2();
    // Topic 1 has the ideal order; in topic 2 a is second, unless its parts are summed.
    assert!((pooled("max") - (1.0 + second) / 2.0).abs() < 1e-12);
    assert_eq!(pooled("first"), pooled("max"));
    assert_eq!(pooled("sum"), 1.0);
    refused(&axio_in(files.path(), &["eval", "q.txt", "twice.run"]), "is in topic 1 twice");
    let duplicates =
        |how: &str| score(files.path(), &["eval", "q.txt", "twice.run", "--duplicates", how]);
    assert_eq!(duplicates("best"), 1.0);
    let first = ((1.0 + 2.0 * second) / (2.0 + second) + 1.0) / 2.0;
    assert!((duplicates("first") - first).abs() < 1e-12);
}

#[test]
fn other_tools_options_get_a_suggestion() {
    let files = files();
    for (options, suggestion) in [
        (&["--per-query"][..], "--per-topic"),
        (&["--metrics", "AP"], "--measures"),
        (&["--json"], "--format json"),
        (&["nDCG@10"], "measures go with -m: -m 'nDCG@10'"),
    ] {
        let called = axio_in(files.path(), &[&["eval", "q.txt", "b.run"], options].concat());
        refused(&called, suggestion);
    }
}

#[test]
fn columns_are_named_as_asked() {
    let files = files();
    let head = |options: &[&str]| {
        let called = axio_in(
            files.path(),
            &[&["eval", "q.txt", "b.run", "-m", "MRR@10 Ndcg@10 map", "-q"], options].concat(),
        );
        called.stdout.lines().next().unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(head(&[]), "run MRR@10 Ndcg@10 map");
    assert_eq!(head(&["--names", "canonical"]), "run RR@10 nDCG@10 AP");
    let called = axio_in(files.path(), &["eval", "q.txt", "b.run", "-m", "rbp"]);
    assert!(called.stderr.contains("note: rbp is trec_eval's, with p=0.9"), "{called}");
}

#[test]
fn rows_are_sorted_and_cut_and_turned() {
    let worse = b"1 Q0 b 1 0.9 x\n1 Q0 c 2 0.8 x\n";
    let files = folder(&[("q.txt", QRELS), ("b.run", RUN), ("worse.run", worse)]);
    let lines = |options: &[&str]| {
        let args = ["eval", "q.txt", "worse.run", "b.run", "-m", "AP", "-q", "--format", "csv"];
        let called = axio_in(files.path(), &[&args[..], options].concat());
        assert_eq!(called.code, 0, "{called}");
        called.stdout
    };
    assert!(lines(&["--sort", "AP"]).lines().nth(1).unwrap().starts_with("b.run"));
    assert_eq!(lines(&["--sort", "map", "--top", "1"]).lines().count(), 2);
    assert_eq!(lines(&["--matrix"]).lines().next(), Some("topic,worse.run,b.run"));
    let table =
        axio_in(files.path(), &["eval", "q.txt", "b.run", "--format", "matrix", "-m", "AP"]);
    assert!(table.stdout.starts_with("AP\ntopic"), "{table}");
    refused(
        &axio_in(files.path(), &["eval", "q.txt", "b.run", "--sort", "RR", "-m", "AP"]),
        "RR is not among the measures",
    );
    let tags = axio_in(files.path(), &["eval", "q.txt", "b.run", "--label", "tag", "-m", "AP"]);
    assert!(tags.stdout.contains("\ntag "), "{tags}");
}

#[test]
fn the_first_command_of_the_readme_prints_what_it_shows() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let runs = ["bm25-rm3", "bm25", "dense", "hybrid"].map(|run| format!("examples/web/{run}.run"));
    let mut args = vec!["eval", "examples/web/qrels.txt"];
    args.extend(runs.iter().map(String::as_str));
    let called = axio(&args);
    assert!(
        readme.contains(&format!("```text\n{}{}```", called.stderr, called.stdout)),
        "{called}"
    );
}

#[test]
fn recommendations_are_measured_beyond_relevance() {
    let files = folder(&[
        ("q.txt", QRELS),
        ("b.run", RUN),
        ("items.tsv", b"item\tclicks\na\t4\nb\t2\nc\t1\nd\t1\n"),
        ("features.tsv", b"a 1 0\nc 0 1\nd 1 0\n"),
    ]);
    let value = |measure: &str| {
        let called = axio_in(
            files.path(),
            &[
                "eval",
                "q.txt",
                "b.run",
                "-m",
                measure,
                "--format",
                "tsv",
                "-q",
                "--catalogue",
                "items.tsv",
                "--features",
                "features.tsv",
            ],
        );
        assert_eq!(called.code, 0, "{called}");
        called.stdout.trim().rsplit('\t').next().unwrap().parse::<f64>().unwrap()
    };
    // Tops {a, c} and {d, a}: a, c and d of four items; shown 2, 1, 1 and 0 times.
    assert_eq!(value("Coverage@2"), 0.75);
    assert_eq!(value("Gini@2"), 0.375);
    // Shares 1/2, 1/8 and 1/8: (1 + 3)/2 bits in both topics.
    assert_eq!(value("Novelty@2"), 2.0);
    assert_eq!(value("ILD@2"), 0.5);
    assert_eq!(value("HR@1 nDCG@10 ILD@2"), 0.5);
    refused(
        &axio_in(files.path(), &["eval", "q.txt", "b.run", "-m", "Coverage@2"]),
        "Coverage needs the items of the catalogue",
    );
    let explained = axio_in(files.path(), &["explain", "Coverage"]);
    assert!(explained.stdout.contains("of a catalogue of 4 items cover 3/4"), "{explained}");
}

/// In every command whose results name runs.
#[test]
fn runs_are_named_by_their_tags() {
    let files = crate::support::folder(&[
        ("qrels", b"1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 b 0\n3 0 a 1\n3 0 b 0\n"),
        ("a.run", b"1 Q0 a 1 2 first\n2 Q0 b 1 2 first\n2 Q0 a 2 1 first\n3 Q0 a 1 2 first\n"),
        ("b.run", b"1 Q0 b 1 2 second\n1 Q0 a 2 1 second\n2 Q0 a 1 2 second\n3 Q0 b 1 2 second\n"),
        ("c.run", b"1 Q0 b 1 2 third\n2 Q0 b 1 2 third\n3 Q0 a 1 2 third\n"),
        ("sessions", b"s 1\ns 2\n"),
    ]);
    for command in [
        &["eval", "qrels", "a.run", "b.run", "c.run"] as &[&str],
        &["compare", "qrels", "a.run", "b.run", "c.run"],
        &["gate", "qrels", "b.run", "c.run", "--baseline", "a.run", "--max-drop", "AP=0.5"],
        &["meta", "qrels", "a.run", "b.run", "c.run", "-m", "AP", "--pool-bias"],
        &["risk", "qrels", "a.run", "b.run", "c.run"],
        &["standardize", "qrels", "a.run", "b.run", "c.run"],
        &["session", "sessions", "qrels", "b.run", "c.run"],
    ] {
        let args = [command, &["--label", "tag"]].concat();
        let called = crate::support::axio_in(files.path(), &args);
        assert!(
            called.stdout.contains("second") && called.stdout.contains("third"),
            "{args:?} {called}"
        );
        assert!(!called.stdout.contains("b.run"), "{args:?} {called}");
    }
}

#[test]
fn warnings_name_runs_as_tables_do() {
    let files = crate::support::folder(&[
        ("qrels", b"1 0 a 1\n2 0 a 1\n"),
        ("short.gz", b"1 Q0 a 1 2 t\n"),
    ]);
    let called = crate::support::axio_in(files.path(), &["eval", "qrels", "short.gz", "-m", "AP"]);
    assert!(called.stdout.contains("short ") && called.stderr.contains("short covers"), "{called}");
    assert!(!called.stderr.contains("short.gz"), "{called}");
}
