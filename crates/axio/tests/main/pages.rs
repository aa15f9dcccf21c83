//! `axio measures` and `axio explain`.

use crate::support::{axio, stdout};

#[test]
fn measures_are_found_by_any_word() {
    let all = stdout(&["measures"]);
    for name in ["nDCG", "AP", "RBP", "Success"] {
        assert!(all.contains(name), "{all}");
    }
    let found = |words: &[&str]| -> Vec<String> {
        let table = stdout(&[&["measures", "--format", "tsv"], words].concat());
        table.lines().skip(1).filter_map(|l| l.split('\t').next()).map(str::to_string).collect()
    };
    assert!(found(&["hit_rate"]).contains(&"Success".to_string()));
    assert!(found(&["moffat", "zobel"]).contains(&"RBP".to_string()));
    assert!(!found(&["zobel"]).contains(&"P".to_string()));
    assert!(found(&["bcubed", "clustering"]).contains(&"bcubed_f".to_string()));
    let called = axio(&["measures", "xyzzy"]);
    assert_eq!((called.code, called.stdout.as_str()), (2, ""));
    insta::assert_snapshot!(
        "measures_json",
        stdout(&["measures", "rank-biased", "--format", "json"])
    );
}

#[test]
fn a_measure_is_explained_in_any_spelling() {
    let text = stdout(&["explain", "nDCG@10"]);
    for heading in [
        "Definition",
        "Range",
        "Undefined when",
        "User model",
        "Parameters",
        "Example by hand",
        "Differs from",
        "Spellings",
        "References",
    ] {
        assert!(text.contains(&format!("\n{heading}\n  ")), "{heading}: {text}");
    }
    assert_eq!(stdout(&["explain", "ndcg_cut_10"]), text);
    // A name alone, although a score would need a cutoff.
    assert!(stdout(&["explain", "P"]).starts_with("P — "));
    insta::assert_snapshot!("explain_text", stdout(&["explain", "AP"]));
    insta::assert_snapshot!("explain_markdown", stdout(&["explain", "AP", "--format", "markdown"]));
    insta::assert_snapshot!("explain_json", stdout(&["explain", "AP", "--format", "json"]));
    let organized = stdout(&["explain", "purity"]);
    assert!(
        organized.starts_with("purity — ")
            && organized.contains("axio organize GOLD SYSTEM -m purity"),
        "{organized}"
    );
    let document: serde_json::Value =
        serde_json::from_str(&stdout(&["explain", "purity", "--format", "json"])).unwrap();
    assert_eq!(
        (&document["family"], &document["better"]),
        (&"clustering".into(), &"higher".into())
    );
    let unknown = axio(&["explain", "nDGC"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (2, ""));
    assert!(unknown.stderr.contains("did you mean nDCG"), "{unknown}");
}

#[test]
fn a_topic_that_is_not_there_is_answered_with_those_that_are() {
    let answer = axio(&[
        "explain",
        "AP",
        "examples/web/qrels.txt",
        "examples/web/bm25.run",
        "--topic",
        "999",
    ]);
    assert_eq!((answer.code, answer.stdout.as_str()), (2, ""));
    assert!(answer.stderr.contains("topic \"999\" is not in the judgements"), "{}", answer.stderr);
    assert!(
        answer.stderr.contains("help: both have topics 201, 202, 203, 204, 205"),
        "{}",
        answer.stderr
    );
}
