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
        "1 Q0 b 1 5.0 sum\n1 Q0 a 2 4.0 sum\n1 Q0 d 3 1.0 sum\n1 Q0 c 4 0.0 sum\n2 Q0 a 1 1.0 sum\n"
    );
    assert_eq!(
        fuse(&["--depth", "1", "--to", "csv", "--method", "isr"]).stdout,
        "query_id,doc_id,score\n1,b,2.5\n2,a,1.0\n"
    );
    let learned = fuse(&["-m", "mapfuse", "--qrels", "QRELS", "--training", "ONE", "TWO"]).stdout;
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (file, qrels) = (path("learned.json"), path("qrels"));
    let training = ["--qrels", &qrels, "--training", &path("one"), &path("two")];
    let only = axio(&[&["fuse", "--learn", "-m", "mapfuse", "-o", &file][..], &training].concat());
    assert_eq!((only.code, fs::read_to_string(&file).unwrap().as_str()), (0, "[[1.0],[0.5]]\n"));
    assert_eq!(fuse(&["-m", "mapfuse", "--learned", &file]).stdout, learned);
    // MAP of the first is 1, of the second 1/2: b has 1/2 + 1/2.
    assert!(learned.starts_with("1 Q0 b 1 1.0 mapfuse\n1 Q0 a 2 1.0 mapfuse\n"), "{learned}");
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
