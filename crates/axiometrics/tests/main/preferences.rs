//! trec_eval's own tests of its preference measures, and the counts against a look at every pair.

use std::collections::BTreeMap;

use axiometrics::data::Preferences;
use axiometrics::data::preferences::Statement;
use axiometrics::io::preferences;
use axiometrics::measure::Aggregate;
use axiometrics::measure::preference::{PREFERENCES, PrefsCounts, preference_counts};
use proptest::prelude::*;

use crate::trec;

/// For preferences, and only there, trec_eval breaks ties by ascending document id.
fn run(results: &str) -> BTreeMap<&str, Vec<&str>> {
    trec::ranked(results, |a, b| a.cmp(b))
}

/// Every number of trec_eval's output, at its own precision.
fn compare(all: &Preferences, run: &BTreeMap<&str, Vec<&str>>, expected: &str, numbers: usize) {
    let counts: BTreeMap<&str, PrefsCounts> = run
        .iter()
        .filter_map(|(id, ranking)| {
            Some((*id, preference_counts(all.topic(id.as_bytes())?, ranking)))
        })
        .collect();
    let mut compared = 0;
    for line in expected.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let Some(def) = PREFERENCES.iter().find(|d| d.name == fields[0]) else {
            assert!(["runid", "num_q"].contains(&fields[0]), "{line}");
            continue;
        };
        let sum = || counts.values().map(def.score).sum::<f64>();
        let ours = match (fields[1], &def.aggregate) {
            ("all", Aggregate::Sum) => sum(),
            ("all", _) => sum() / counts.len() as f64,
            (id, _) => (def.score)(&counts[id]),
        };
        let places = if def.aggregate == Aggregate::Sum { 0 } else { 4 };
        assert_eq!(format!("{ours:.places$}"), fields[2], "{line}");
        compared += 1;
    }
    assert_eq!(compared, numbers);
}

#[test]
#[ignore = "needs ../shared/data: trec_eval's numbers for preferences"]
fn trec_evals_numbers_for_preferences() {
    let folder = trec::data("trec_eval");
    let results = trec::text(&folder.join("prefs.results.test"));
    let expected = trec::text(&folder.join("out.test.prefs"));
    for file in ["prefs.test", "prefs.comment.test"] {
        let all = preferences::read(trec::text(&folder.join(file)).as_bytes(), file).unwrap();
        compare(&all, &run(&results), &expected, 14 * 25);
    }
}

#[test]
#[ignore = "needs ../shared/data: trec_eval's numbers for preferences from judgements"]
fn trec_evals_numbers_for_plain_judgements() {
    let folder = trec::data("trec_eval");
    let results = trec::text(&folder.join("results.test"));
    let text = trec::text(&folder.join("qrels.test"));
    let qrels = trec::qrels(&text);
    let judgements = qrels.iter().flat_map(|(id, rows)| {
        rows.iter().map(|r| (id.as_bytes(), r.1.as_bytes(), r.0.as_bytes(), r.2))
    });
    let all = Preferences::from_judgements(judgements, "qrels.test").unwrap();
    compare(&all, &run(&results), &trec::text(&folder.join("out.test.qrels_prefs")), 14 * 4);
}

type Line = (u8, u8, u8, u8);

/// Statements that may contradict each other: (group, subgroup, document, level).
fn statements() -> impl Strategy<Value = Vec<Line>> {
    let key = (0u8..3, 0u8..2, 0u8..8);
    proptest::collection::btree_map(key, 0u8..4, 1..24)
        .prop_map(|m| m.into_iter().map(|((g, s, d), l)| (g, s, d, l)).collect())
}

/// All preferred pairs of a group, by joining pairs until nothing new comes; `None` where one
/// contradicts itself.
fn pairs(lines: &[Line], group: u8) -> Option<Vec<(u8, u8)>> {
    let mut pairs: Vec<(u8, u8)> = Vec::new();
    for a in lines.iter().filter(|a| a.0 == group) {
        if lines.iter().any(|b| b.0 == group && b.2 == a.2 && (a.3 > 0) != (b.3 > 0)) {
            return None;
        }
        pairs.extend(
            lines.iter().filter(|b| b.0 == group && b.1 == a.1 && a.3 > b.3).map(|b| (a.2, b.2)),
        );
    }
    loop {
        let joined: Vec<(u8, u8)> = pairs
            .iter()
            .flat_map(|a| pairs.iter().filter(move |b| a.1 == b.0).map(move |b| (a.0, b.1)))
            .filter(|p| !pairs.contains(p))
            .collect();
        if joined.is_empty() {
            break;
        }
        pairs.extend(joined);
        pairs.sort_unstable();
        pairs.dedup();
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs.iter().all(|p| p.0 != p.1).then_some(pairs)
}

proptest! {
    #[test]
    fn counts_are_those_of_all_pairs(lines in statements(), ranking in Just((0u8..9).collect::<Vec<_>>()).prop_shuffle(), depth in 0usize..9) {
        let statement = |&(group, subgroup, document, level): &Line| Statement {
            topic: b"t".to_vec(), group: vec![group], subgroup: vec![subgroup], document: vec![document], level: level.into(), line: None,
        };
        let all = Preferences::new(lines.iter().map(statement).collect(), "f");
        let groups: Vec<u8> = (0..3).filter(|g| lines.iter().any(|l| l.0 == *g)).collect();
        let by_group: Vec<Option<Vec<(u8, u8)>>> = groups.iter().map(|g| pairs(&lines, *g)).collect();
        if by_group.iter().any(Option::is_none) {
            prop_assert!(all.is_err());
            return Ok(());
        }
        let retrieved: Vec<[u8; 1]> = ranking[..depth].iter().map(|d| [*d]).collect();
        let counts = preference_counts(&all.unwrap().topics()[0], &retrieved);
        let rank = |d: u8| retrieved.iter().position(|r| r[0] == d);
        let fulfilled = |p: &(u8, u8)| match (rank(p.0), rank(p.1)) {
            (Some(a), Some(b)) => a < b,
            (a, _) => a.is_some(),
        };
        let both = |p: &(u8, u8)| rank(p.0).is_some() && rank(p.1).is_some();
        let any = |p: &(u8, u8)| rank(p.0).is_some() || rank(p.1).is_some();
        for (of, counted) in by_group.iter().flatten().zip(&counts.groups) {
            let number = |keep: &dyn Fn(&(u8, u8)) -> bool| of.iter().filter(|p| keep(p)).count() as u64;
            prop_assert_eq!(counted.tally.possible(), number(&|_| true));
            prop_assert_eq!(counted.tally.seen(), number(&any));
            prop_assert_eq!(counted.tally.fulfilled(), number(&fulfilled));
            prop_assert_eq!(counted.tally.possible_retrieved, number(&both));
            prop_assert_eq!(counted.tally.fulfilled_retrieved, number(&|p| both(p) && fulfilled(p)));
        }
        let mut votes: BTreeMap<(u8, u8), (f64, f64)> = BTreeMap::new();
        for p in by_group.iter().flatten().flatten() {
            let vote = votes.entry((p.0.min(p.1), p.0.max(p.1))).or_default();
            *vote = (vote.0 + f64::from(u8::from(fulfilled(p))), vote.1 + 1.0);
        }
        let mean = |keep: &dyn Fn(&(u8, u8)) -> bool| {
            let kept: Vec<f64> = votes.iter().filter(|(p, _)| keep(p)).map(|(_, v)| v.0 / v.1).collect();
            if kept.is_empty() { 0.0 } else { kept.iter().sum::<f64>() / kept.len() as f64 }
        };
        for (name, expected) in [("prefs_pair", mean(&|_| true)), ("prefs_pair_imp", mean(&any)), ("prefs_pair_ret", mean(&both))] {
            let ours = (PREFERENCES.iter().find(|d| d.name == name).unwrap().score)(&counts);
            prop_assert!((ours - expected).abs() < 1e-12, "{name}: {ours}, not {expected}");
        }
    }
}
