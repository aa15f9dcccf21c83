//! `axio fuse` as a user meets it.

use std::fs;

use tempfile::TempDir;

use crate::support::{Called, axio};

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let files = [
        ("one", "1 Q0 a 1 4 x\n1 Q0 b 2 3 x\n1 Q0 c 3 0 x\n"),
        ("two", "1 Q0 b 1 2 x\n1 Q0 d 2 1 x\n2 Q0 a 1 1 x\n"),
        ("qrels", "1 0 a 1\n1 0 b 1\n"),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn fuse(args: &[&str]) -> Called {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (one, two, qrels) = (path("one"), path("two"), path("qrels"));
    let mut all = vec!["fuse", &one, &two];
    all.extend(args.iter().map(|arg| match *arg {
        "QRELS" => qrels.as_str(),
        "ONE" => one.as_str(),
        "TWO" => two.as_str(),
        other => other,
    }));
    axio(&all)
}

#[test]
fn a_fused_run_is_a_run() {
    // Topic 2 is in one run alone.
    assert_eq!(
        fuse(&["--method", "sum", "--norm", "none"]).stdout,
        "1 Q0 b 1 5 sum\n1 Q0 a 2 4 sum\n1 Q0 d 3 1 sum\n1 Q0 c 4 0 sum\n2 Q0 a 1 1 sum\n"
    );
    assert_eq!(
        fuse(&["--depth", "1", "--to", "csv", "--method", "isr"]).stdout,
        "query_id,doc_id,score\n1,b,2.5\n2,a,1\n"
    );
    let learned = fuse(&["-m", "mapfuse", "--qrels", "QRELS", "--training", "ONE", "TWO"]).stdout;
    // MAP of the first is 1, of the second 1/2: b has 1/2 + 1/2.
    assert!(learned.starts_with("1 Q0 b 1 1 mapfuse\n1 Q0 a 2 1 mapfuse\n"), "{learned}");
}

#[test]
fn what_is_missing_is_said() {
    for (args, message) in [
        (&["--method", "wsum"][..], "a weight for each run"),
        (&["--method", "posfuse"], "--qrels and --training"),
        (&["--method", "rrf(k=x)"], "k=x"),
        (&["--method", "rfr"], "did you mean rrf?"),
        (&["--norm", "maxx"], "min-max"),
    ] {
        let called = fuse(args);
        assert_eq!(called.code, 2, "{called}");
        assert!(called.stderr.contains(message), "{called}");
    }
    let listed = axio(&["fuse", "--methods"]);
    assert!(listed.code == 0 && listed.stdout.contains("Reciprocal rank fusion"), "{listed}");
}
