//! Methods and scales by hand.

use super::*;
use crate::data::{Qrels, Run};
use crate::policy::{Rounding, Ties};
use proptest::prelude::*;

fn run(rows: &[(&str, f64)]) -> Run {
    let mut run = Run::builder();
    run.extend(rows.iter().map(|(document, score)| ("q", *document, *score)));
    run.build().unwrap()
}

/// The fused scores of two runs, by document.
fn fused(fusion: &Fusion) -> Vec<(String, f64)> {
    let one = run(&[("a", 4.0), ("b", 3.0), ("c", 0.0)]);
    let two = run(&[("b", 2.0), ("d", 1.0)]);
    let fused = fusion.fuse(&[&one, &two]).unwrap();
    let mut all: Vec<(String, f64)> =
        fused.documents(0).map(|(id, x)| (String::from_utf8_lossy(id).into_owned(), x)).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

#[track_caller]
fn check(fusion: Fusion, expected: [f64; 4]) {
    let found = fused(&fusion);
    assert_eq!(found.iter().map(|(id, _)| id.as_str()).collect::<String>(), "abcd");
    for ((id, found), expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{}: {id} {found} {expected}", fusion.def().name);
    }
}

fn plain(text: &str) -> Fusion {
    Fusion::named(text).unwrap().on_scale(Normalization::None)
}

#[test]
fn scores_are_combined() {
    check(plain("sum"), [4.0, 5.0, 0.0, 1.0]);
    check(plain("mnz"), [4.0, 10.0, 0.0, 1.0]);
    check(plain("gmnz(gamma=2)"), [4.0, 20.0, 0.0, 1.0]);
    check(plain("max"), [4.0, 3.0, 0.0, 1.0]);
    check(plain("min"), [4.0, 2.0, 0.0, 1.0]);
    check(plain("med"), [4.0, 2.5, 0.0, 1.0]);
    check(plain("anz"), [4.0, 2.5, 0.0, 1.0]);
    check(plain("wsum").with_weights([0.5, 2.0]), [2.0, 5.5, 0.0, 2.0]);
    check(plain("wmnz").with_weights([0.5, 2.0]), [2.0, 12.5, 0.0, 2.0]);
    check(plain("mixed").with_weights([0.5, 2.0]), [2.0, 5.5 * 2f64.sqrt(), 0.0, 2.0]);
}

#[test]
fn ranks_are_combined() {
    check(plain("rrf"), [1.0 / 61.0, 1.0 / 62.0 + 1.0 / 61.0, 1.0 / 63.0, 1.0 / 62.0]);
    check(plain("isr"), [1.0, 2.5, 1.0 / 9.0, 0.25]);
    check(plain("log_isr"), [0.0, 1.25 * 2f64.ln(), 0.0, 0.0]);
    let ln = |x: f64| x.ln();
    check(plain("logn_isr(sigma=0.5)"), [ln(1.5), 1.25 * ln(2.5), ln(1.5) / 9.0, ln(1.5) / 4.0]);
    check(plain("rbc(phi=0.5)"), [0.5, 0.25 + 0.5, 0.125, 0.25]);
    // Of 4 documents the first run leaves d one point, the second leaves a and c 1.5 each.
    check(plain("bordafuse"), [5.5, 7.0, 3.5, 4.0]);
    check(plain("w_bordafuse").with_weights([2.0, 0.0]), [8.0, 6.0, 4.0, 2.0]);
}

#[test]
fn majorities_order_documents() {
    // a over b by one run, b over a by the other: the first run's order stays. b over c by both.
    check(plain("condorcet"), [4.0, 3.0, 2.0, 1.0]);
    check(plain("w_condorcet").with_weights([1.0, 2.0]), [2.0, 4.0, 1.0, 3.0]);
}

#[test]
fn scales() {
    let scaled = |scale| Fusion::named("sum").unwrap().on_scale(scale);
    check(scaled(Normalization::MinMax), [1.0, 0.75 + 1.0, 0.0, 0.0]);
    check(scaled(Normalization::MinMaxInverted), [0.0, 0.25, 1.0, 1.0]);
    check(scaled(Normalization::Max), [1.0, 0.75 + 1.0, 0.0, 0.5]);
    check(scaled(Normalization::Sum), [4.0 / 7.0, 3.0 / 7.0 + 1.0, 0.0, 0.0]);
    check(scaled(Normalization::Rank), [1.0, 2.0 / 3.0 + 1.0, 1.0 / 3.0, 0.5]);
    check(scaled(Normalization::Borda), [1.0 + 0.375, 0.75 + 1.0, 0.5 + 0.375, 0.25 + 0.75]);
    // Mean 7/3, variance 26/9; mean 3/2, variance 1/4.
    let deviation = (26.0f64 / 9.0).sqrt();
    check(
        scaled(Normalization::Zmuv),
        [5.0 / 3.0 / deviation, 2.0 / 3.0 / deviation + 1.0, -7.0 / 3.0 / deviation, -1.0],
    );
}

#[test]
fn what_is_learned_of_judged_runs() {
    // Topic 1: relevant at ranks 1 and 3 of 3. Topic 2: at rank 2 of 2, and one never found.
    let qrels = Qrels::from_columns(
        &["1", "1", "1", "2", "2"],
        &["a", "c", "b", "b", "z"],
        &[1.0, 2.0, 0.0, 1.0, 1.0],
    );
    let qrels = qrels.unwrap();
    let judged = Run::from_columns(
        &["1", "1", "1", "2", "2"],
        &["a", "b", "c", "x", "b"],
        &[3.0, 2.0, 1.0, 2.0, 1.0],
    );
    let judged = judged.unwrap();
    let learn = |text: &str| {
        let fusion = plain(text);
        let learned = fusion.learn(&qrels, &[&judged, &judged]).unwrap();
        (learned.0[0].clone(), fusion.with_learned(learned))
    };
    let (map, fusion) = learn("mapfuse");
    assert_eq!(map, [((1.0 + 2.0 / 3.0) / 2.0 + 0.5 / 2.0) / 2.0]);
    check(fusion, [map[0], 1.5 * map[0], map[0] / 3.0, map[0] / 2.0]);
    let (probs, fusion) = learn("posfuse");
    assert_eq!(probs, [0.5, 0.5, 1.0]);
    check(fusion, [0.5, 1.0, 1.0, 0.5]);
    let (_, fusion) = learn("slidefuse(w=1)");
    check(fusion, [0.5, 2.0 / 3.0 + 0.5, 0.75, 0.5]);
    // Segments of two ranks and of one: 1/2 and 1; of one rank and one: 0 and 1.
    let (probs, fusion) = learn("probfuse(segments=2)");
    assert_eq!(probs, [0.25, 1.0]);
    check(fusion, [0.25, 0.25 + 0.25, 0.5, 0.5]);
    let (probs, fusion) = learn("segfuse");
    assert_eq!((probs[0], probs[1], probs.len()), ((2.0 / 5.0 + 1.0 / 5.0) / 2.0, 0.0, 10));
    check(fusion, [0.3 * 5.0, 0.3 * 4.0 + 0.3 * 3.0, 0.3, 0.3 * 2.0]);
    let (odds, fusion) = learn("bayesfuse");
    let (first, least) = ((0.3f64 / 0.7).ln(), (0.001f64 / 0.999).ln());
    assert!((odds[4] - first).abs() < 1e-12 && (odds[5] - least).abs() < 1e-12);
    assert_eq!(odds.len(), 1000);
    check(fusion, [first + least, 2.0 * first, first + least, first + least]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let (one, two) = (run(&[("a", 1.0)]), run(&[("b", 1.0)]));
    let said = |fusion: Result<Fusion, crate::Error>| {
        let error = fusion.and_then(|fusion| fusion.fuse(&[&one, &two])).unwrap_err();
        error.to_string().lines().next().unwrap_or_default().to_string()
    };
    insta::assert_snapshot!(said(Fusion::named("rff")), @r#"no method of fusion is called "rff""#);
    insta::assert_snapshot!(said(Fusion::named("rrf(j=1)")), @r#"rrf has no parameter "j""#);
    insta::assert_snapshot!(
        said(Fusion::named("rbc(phi=2)")),
        @"found phi=2 for rbc, expected a number from 0 to 1"
    );
    insta::assert_snapshot!(said(Fusion::named("rbc")), @"rbc needs a value of phi");
    insta::assert_snapshot!(
        said(Fusion::named("wsum")),
        @"wsum needs a weight for each run: found 0 weights and 2 runs"
    );
    insta::assert_snapshot!(
        said(Fusion::named("rrf").map(|f| f.with_weights([1.0, 2.0]))),
        @"rrf has no weights"
    );
    insta::assert_snapshot!(
        said(Fusion::named("posfuse")),
        @"posfuse learns from judged runs before it can fuse"
    );
    let infinite = run(&[("a", f64::INFINITY), ("b", 1.0)]);
    let error = Fusion::named("sum").unwrap().fuse(&[&infinite, &two]).unwrap_err().to_string();
    assert!(error.contains("fuse by rank"), "{error}");
    assert!(Fusion::named("sum").unwrap().fuse(&[&one]).is_err());
}

#[test]
fn names_are_unique_and_every_method_says_what_it_is() {
    let mut names: Vec<&str> = methods().map(|def| def.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(methods().all(|def| !def.title.is_empty() && def.definition.ends_with('.')));
    crate::choice::tests::names_lead_back::<Normalization>();
}

/// Runs of a topic, in which any document may be missing.
fn any_run() -> impl Strategy<Value = Run> {
    proptest::collection::btree_map("[a-h]", 0..6i32, 1..8).prop_map(|rows| {
        let rows: Vec<(String, f64)> = rows.into_iter().map(|(id, x)| (id, f64::from(x))).collect();
        let rows: Vec<(&str, f64)> = rows.iter().map(|(id, x)| (id.as_str(), *x)).collect();
        run(&rows)
    })
}

proptest! {
    /// No document loses to the one behind it, whatever circles majorities make.
    #[test]
    fn condorcet_never_puts_a_loser_above(runs in proptest::collection::vec(any_run(), 2..6)) {
        let runs: Vec<&Run> = runs.iter().collect();
        let fused = plain("condorcet").fuse(&runs).unwrap();
        let order: Vec<&[u8]> = fused
            .ranking(0, Ties::default(), Rounding::F64)
            .into_iter()
            .map(|(id, _)| id)
            .collect();
        let place = |run: &Run, id: &[u8]| {
            let ranking = run.ranking(0, Ties::default(), Rounding::F64);
            ranking.iter().position(|(other, _)| *other == id).unwrap_or(usize::MAX)
        };
        for pair in order.windows(2) {
            let votes = |a: &[u8], b: &[u8]| {
                runs.iter().filter(|run| place(run, a) < place(run, b)).count()
            };
            prop_assert!(votes(pair[0], pair[1]) >= votes(pair[1], pair[0]));
        }
    }

    /// Every document of every run is in the result once, by every method that needs no training.
    #[test]
    fn nothing_is_lost(runs in proptest::collection::vec(any_run(), 2..5)) {
        let runs: Vec<&Run> = runs.iter().collect();
        let mut expected: Vec<&[u8]> =
            runs.iter().flat_map(|run| run.documents(0).map(|(id, _)| id)).collect();
        expected.sort_unstable();
        expected.dedup();
        for def in methods().filter(|def| !def.is_trained()) {
            let params: Vec<String> = def
                .params
                .iter()
                .map(|param| format!("{}={}", param.name, param.default.unwrap_or(0.5)))
                .collect();
            let mut fusion = Fusion::named(&format!("{}({})", def.name, params.join(","))).unwrap();
            if def.weighted {
                fusion = fusion.with_weights(vec![0.5; runs.len()]);
            }
            let fused = fusion.fuse(&runs).unwrap();
            let mut found: Vec<&[u8]> = fused.documents(0).map(|(id, _)| id).collect();
            found.sort_unstable();
            prop_assert_eq!(&found, &expected, "{}", def.name);
        }
    }
}
