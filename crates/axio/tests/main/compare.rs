//! `compare`, `meta` and `plan`, as a user meets them. Their numbers are checked from outside in
//! `tests/python/test_compare.py`.

use crate::support::{axio, axio_in, folder};

const WEB: [&str; 4] = [
    "examples/web/bm25.run",
    "examples/web/bm25-rm3.run",
    "examples/web/dense.run",
    "examples/web/hybrid.run",
];

fn with_web<'a>(command: &[&'a str], options: &[&'a str]) -> Vec<&'a str> {
    [command, &["examples/web/qrels.txt"], &WEB, options].concat()
}

#[test]
fn comparisons_for_people() {
    let call = |options: &[&str]| axio(&with_web(&["compare"], options)).to_string();
    insta::assert_snapshot!("compare_table", call(&["-m", "AP DCG@10"]));
    insta::assert_snapshot!("compare_latex", call(&["-m", "AP", "--format", "latex", "-q"]));
    insta::assert_snapshot!(
        "compare_baseline",
        call(&["-m", "AP RR", "--baseline", "bm25.run", "--show", "means", "-q"])
    );
    insta::assert_snapshot!(
        "compare_joint",
        call(&["-m", "RBP P@5", "--baseline", "bm25.run", "--show", "joint", "-q"])
    );
    insta::assert_snapshot!(
        "compare_means_csv",
        call(&["-m", "AP", "--show", "means", "--format", "csv", "--places", "4", "-q"])
    );
}

#[test]
fn measures_for_people() {
    insta::assert_snapshot!(
        "meta_table",
        axio(&with_web(&["meta"], &["-m", "AP P@10 RR", "--resamples", "500"]))
    );
}

/// What programs get: one table in CSV, and all of it in JSON.
#[test]
fn joint_ranges_for_programs() {
    let call = |options: &[&str]| axio(&with_web(&["compare"], options)).stdout;
    let csv = call(&["-m", "P@5", "--baseline", "bm25.run", "--format", "csv", "-q"]);
    let json: serde_json::Value = serde_json::from_str(&call(&[
        "-m",
        "P@5",
        "--baseline",
        "bm25.run",
        "--format",
        "json",
        "-q",
    ]))
    .unwrap();
    let pair = &json["measures"][0]["pairs"][0];
    let (low, high) =
        (pair["joint"]["low"].as_f64().unwrap(), pair["joint"]["high"].as_f64().unwrap());
    let difference = pair["difference"].as_f64().unwrap();
    assert!(low <= difference + 1e-12 && difference <= high + 1e-12);
    assert!(csv.lines().nth(1).unwrap().contains(&format!(",{low},{high},exact,")), "{csv}");
    assert_eq!(json["measures"][0]["spacing"]["equal"], true);
    let without: serde_json::Value =
        serde_json::from_str(&call(&["-m", "P@5", "--joint", "never", "--format", "json", "-q"]))
            .unwrap();
    assert!(without["measures"][0]["pairs"][0]["joint"].is_null());
}

#[test]
fn pool_bias() {
    let options = [
        "-m",
        "AP",
        "--resamples",
        "100",
        "--pool-bias",
        "--pool-depth",
        "10",
        "--show",
        "pool-bias",
        "-q",
    ];
    insta::assert_snapshot!("meta_pool_bias", axio(&with_web(&["meta"], &options)));
    insta::assert_snapshot!(
        "meta_teams",
        axio(&with_web(
            &["meta"],
            &[&options[..], &["--team-prefix", "-", "--format", "csv", "--places", "4"]].concat()
        ))
    );
    // bm25.run and bm25-rm3.run are of one team by this file, and what they share is theirs alone.
    let files = folder(&[(
        "teams",
        b"bm25.run sparse\nbm25-rm3.run sparse\ndense.run dense\nhybrid.run both\n",
    )]);
    let teams = files.path().join("teams").display().to_string();
    let json: serde_json::Value = serde_json::from_str(
        &axio(&with_web(
            &["meta"],
            &[&options[..], &["--teams", &teams, "--format", "json"]].concat(),
        ))
        .stdout,
    )
    .unwrap();
    let found = json["pool_bias"]["teams"].as_array().unwrap();
    assert_eq!(
        found.iter().map(|t| t["team"].as_str().unwrap()).collect::<Vec<_>>(),
        ["sparse", "dense", "both"]
    );
    assert_eq!(found[0]["measures"][0]["runs"].as_array().unwrap().len(), 2);
}

/// A measure that is undefined on every topic is left out with the reason, wherever several are
/// looked at; alone it is an error.
#[test]
fn an_undefined_measure_does_not_stop_the_others() {
    let why = "it is undefined on every topic of bm25.run: the topic has no relevant document";
    for (command, options) in [
        (&["meta"][..], &["--resamples", "100", "--pool-bias"][..]),
        (&["compare"], &[]),
        (&["plan", "topics"], &["--delta", "0.05"]),
    ] {
        let call =
            |measures: &str| axio(&with_web(command, &[&["-m", measures, "-v"], options].concat()));
        let both = call("AP AUC(rel=9) RR");
        assert_eq!(both.code, 0, "{command:?}: {both}");
        assert!(both.stderr.contains(why), "{command:?}: {both}");
        assert!(both.stdout.contains("RR"), "{command:?}: {both}");
        let alone = call("AUC(rel=9)");
        assert_eq!(alone.code, 2, "{command:?}: {alone}");
        assert!(alone.stderr.contains(why), "{command:?}: {alone}");
    }
    // The other measures' numbers are what they are without it.
    let call = |measures: &str| {
        let options = ["-m", measures, "--resamples", "100", "--format", "json", "-q"];
        let text = axio(&with_web(&["meta"], &options)).stdout;
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    };
    let (with, without) = (call("AP AUC(rel=9) RR"), call("AP RR"));
    assert_eq!(with["not_measured"][0]["measure"], "AUC(rel=9)");
    for part in ["measures", "agreement", "against", "topics"] {
        assert_eq!(with[part], without[part], "{part}");
    }
}

/// A measure without joint ranges says why, alone and beside others.
#[test]
fn missing_joint_ranges_have_a_reason() {
    let call = |options: &[&str]| axio(&with_web(&["compare"], options));
    let why = "UAP has no joint range: how a grade in between changes both its sum and its divisor is not known";
    let alone = call(&["-m", "UAP", "--show", "joint"]);
    assert_eq!(alone.code, 2, "{alone}");
    assert!(alone.stderr.contains(why), "{alone}");
    let beside = call(&["-m", "UAP AP", "--show", "joint"]);
    assert!(beside.code == 0 && beside.stdout.contains(why), "{beside}");
    for format in ["tsv", "csv", "jsonl", "latex"] {
        let rows = call(&["-m", "UAP AP", "--joint", "always", "--format", format]);
        assert!(rows.code == 0 && rows.stderr.contains(why), "{rows}");
    }
    let json = call(&["-m", "UAP AP", "--joint", "always", "--format", "json", "-q"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let [uap, ap] = [0, 1].map(|i| &json["measures"][i]["no_joint"]);
    assert!(uap.as_str().is_some_and(|told| why.ends_with(told)) && ap.is_null(), "{uap} {ap}");
}

/// Numbers that JSON cannot hold are told, in every form and by every command.
#[test]
fn infinite_scores_have_a_reason() {
    let files = folder(&[
        ("q", b"1 0 a 1\n1 0 b 1\n2 0 a 1\n3 0 a 1\n"),
        ("r", b"1 Q0 b 1 9 r\n1 Q0 a 1 8 r\n2 Q0 a 1 2 r\n3 Q0 a 1 2 r\n"),
        ("s", b"1 Q0 b 1 9 r\n2 Q0 a 1 2 r\n3 Q0 x 1 2 r\n"),
    ]);
    let why = "r: 1 infinite score (for example Utility(a=1e308) for topic 1)";
    for args in [
        &["eval", "q", "r", "--format", "jsonl"][..],
        &["eval", "q", "r", "--format", "json"],
        &["eval", "q", "r", "--per-topic"],
        &["risk", "q", "r", "s", "--format", "json"],
        &["standardize", "q", "r", "s", "--format", "json"],
    ] {
        let called = axio_in(files.path(), &[args, &["-m", "Utility(a=1e308) P@1", "-v"]].concat());
        assert_eq!(called.code, 0, "{args:?}: {called}");
        assert!(called.stderr.contains(why), "{args:?}: {called}");
        if args.contains(&"json") && args[0] == "eval" {
            assert!(called.stdout.contains(why), "{called}");
        }
    }
    let called =
        axio_in(files.path(), &["compare", "q", "r", "s", "-m", "Utility(a=1e308) P@1", "-v"]);
    assert_eq!(called.code, 0, "{called}");
    assert!(
        called
            .stderr
            .contains("Utility(a=1e308): the runs cannot be compared by it: inf is not a score"),
        "{called}"
    );
}

#[test]
fn agreement_is_drawn() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().display().to_string();
    let called = axio(&with_web(
        &["meta"],
        &[
            "-m",
            "AP P@10 RR",
            "--resamples",
            "100",
            "--plots",
            &folder,
            "--show",
            "agreement",
            "--format",
            "csv",
            "-q",
        ],
    ));
    assert_eq!(called.stdout.lines().count(), 1 + 3 * 9, "{called}");
    for name in ["agreement-tau-b", "agreement-tau-AP-b", "agreement-RBO"] {
        let svg = std::fs::read_to_string(out.path().join(format!("{name}.svg"))).unwrap();
        assert!(
            roxmltree::Document::parse(&svg)
                .unwrap()
                .descendants()
                .any(|n| n.text().is_some_and(|t| t.contains("tau") || t.contains("RBO")))
        );
        assert!(
            std::fs::read(out.path().join(format!("{name}.png"))).unwrap().starts_with(b"\x89PNG")
        );
    }
}

#[test]
fn plans_for_people() {
    insta::assert_snapshot!(
        "plan_depth",
        axio(&[
            "plan",
            "depth",
            "--p",
            "0.8",
            "--residual",
            "0.01",
            "--topics",
            "50",
            "--systems",
            "10"
        ])
    );
    insta::assert_snapshot!(
        "plan_topics",
        axio(&["plan", "topics", "--delta", "0.02", "--sd", "0.1"])
    );
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
        &with_web(&["compare"], &["--joint", "always", "--ties", "average"]),
        &with_web(&["compare"], &["--show", "joint", "--joint", "never"]),
        &with_web(&["meta"], &["--against", "nDCG"]),
        &with_web(&["meta"], &["--show", "pool-bias"]),
        &with_web(&["meta"], &["--pool-depth", "3"]),
        &with_web(&["meta"], &["--pool-bias", "--teams", "none such"]),
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
    insta::assert_snapshot!(
        "compare_degenerate",
        axio_in(files.path(), &["compare", "qrels", "good", "bad", "-m", "P@1"])
    );
}
