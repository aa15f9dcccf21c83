//! `compare`, `meta` and `plan`, as a user meets them. Their numbers are checked from outside in `tests/python/test_compare.py`.

use crate::support::{axio, axio_in, folder};

const WEB: [&str; 4] = ["examples/web/bm25.run", "examples/web/bm25-rm3.run", "examples/web/dense.run", "examples/web/hybrid.run"];

fn with_web<'a>(command: &[&'a str], options: &[&'a str]) -> Vec<&'a str> {
    [command, &["examples/web/qrels.txt"], &WEB, options].concat()
}

#[test]
fn comparisons_for_people() {
    let call = |options: &[&str]| axio(&with_web(&["compare"], options)).to_string();
    insta::assert_snapshot!("compare_table", call(&["-m", "AP DCG@10"]));
    insta::assert_snapshot!("compare_latex", call(&["-m", "AP", "--format", "latex", "-q"]));
    insta::assert_snapshot!("compare_baseline", call(&["-m", "AP RR", "--baseline", "bm25.run", "--show", "means", "-q"]));
    insta::assert_snapshot!("compare_means_csv", call(&["-m", "AP", "--show", "means", "--format", "csv", "--places", "4", "-q"]));
}

#[test]
fn measures_for_people() {
    insta::assert_snapshot!("meta_table", axio(&with_web(&["meta"], &["-m", "AP P@10 RR", "--resamples", "500"])));
}

#[test]
fn plans_for_people() {
    insta::assert_snapshot!(
        "plan_depth",
        axio(&["plan", "depth", "--p", "0.8", "--residual", "0.01", "--topics", "50", "--systems", "10"])
    );
    insta::assert_snapshot!("plan_topics", axio(&["plan", "topics", "--delta", "0.02", "--sd", "0.1"]));
    insta::assert_snapshot!("plan_judge", axio(&with_web(&["plan", "judge"], &["--budget", "3"])));
}

#[test]
fn bad_usage_leaves_standard_output_empty() {
    let cases: &[&[&str]] = &[
        &["compare", "examples/web/qrels.txt", "examples/web/bm25.run"],
        &with_web(&["compare"], &["--test", "tukey", "--correction", "holm"]),
        &with_web(&["compare"], &["--alpha", "1.5"]),
        &with_web(&["compare"], &["--resamples", "0", "--test", "bootstrap"]),
        &with_web(&["compare"], &["--baseline", "none such"]),
        &with_web(&["meta"], &["--against", "nDCG"]),
        &["meta", "examples/web/qrels.txt", "examples/web/bm25.run", "examples/web/dense.run"],
        &["plan", "depth", "--p", "1"],
        &["plan", "topics", "--delta", "0.1"],
        &["plan", "topics", "--delta", "0.1", "--sd", "0"],
        &["plan", "topics", "--delta", "0.1", "examples/web/qrels.txt", "examples/web/bm25.run"],
        &["plan", "judge", "examples/web/qrels.txt"],
    ];
    for case in cases {
        let called = axio(case);
        assert_eq!((called.code, called.stdout.as_str()), (2, ""), "{case:?}: {called}");
        assert!(called.stderr.starts_with("error: "), "{called}");
    }
}

/// Few topics, a topic without relevant documents, a constant difference: each is told.
#[test]
fn what_a_reader_must_know_is_said() {
    let files = folder(&[
        ("qrels", b"1 0 a 1\n2 0 a 1\n3 0 a 0\n"),
        ("good", b"1 Q0 a 1 2 x\n2 Q0 a 1 2 x\n3 Q0 a 1 2 x\n"),
        ("bad", b"2 Q0 b 1 2 x\n1 Q0 b 1 2 x\n3 Q0 a 1 2 x\n"),
    ]);
    insta::assert_snapshot!("compare_degenerate", axio_in(files.path(), &["compare", "qrels", "good", "bad", "-m", "P@1"]));
}
