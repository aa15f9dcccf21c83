//! Verdicts against bounds computed by hand, and what must hold of every gate.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::choice::Choice;
use crate::stats::{Resampling, random::Random};

/// No measure has a range.
const NO_RANGE: FindPossible<'static> = &|_, _| None;

/// Scores of topics 0, 1, ... by one measure.
fn side(name: &str, scores: &[Option<f64>]) -> TopicScores {
    let topics = |i: usize| format!("{i:04}");
    TopicScores {
        name: name.to_string(),
        measures: BTreeMap::from([(
            "AP".to_string(),
            scores.iter().enumerate().map(|(i, score)| (topics(i), *score)).collect(),
        )]),
        judgements: Some((0..scores.len()).map(|i| (topics(i), "j".to_string())).collect()),
        ..TopicScores::default()
    }
}

fn defined(scores: &[f64]) -> Vec<Option<f64>> {
    scores.iter().copied().map(Some).collect()
}

fn one(old: &TopicScores, new: &TopicScores, limit: Limit, settings: &GateSettings) -> LimitCheck {
    let gate = gate(Some(old), new, &[("AP".to_string(), limit)], settings, NO_RANGE).unwrap();
    assert_eq!(gate.verdict, gate.checks[0].verdict);
    gate.checks[0].clone()
}

/// Differences with the mean 0 and the standard deviation 0.1: ten topics, bounds
/// -+ `scipy.stats.t.isf(0.05, 9)` / sqrt(10) = 0.057968...
#[test]
fn bounds_by_hand() {
    let half = 0.1 * (9.0f64 / 10.0).sqrt();
    let old = vec![0.5; 10];
    let shifted = |shift: f64| -> TopicScores {
        let sign = |i: usize| if i.is_multiple_of(2) { half } else { -half };
        let new: Vec<f64> = (0..10).map(|i| 0.5 + shift + sign(i)).collect();
        side("new", &defined(&new))
    };
    let old = side("old", &defined(&old));
    let of = |shift: f64, limit| one(&old, &shifted(shift), limit, &GateSettings::default());
    let check = of(0.0, Limit::MaxDrop(0.05));
    let bounds = check.bounds.clone().unwrap();
    assert!((bounds.upper - 0.057967_6).abs() < 1e-6, "{bounds:?}");
    assert!((bounds.lower + bounds.upper).abs() < 1e-12 && (bounds.confidence - 0.9).abs() < 1e-12);
    // (1.6449 + 0.8416) 0.1 / 0.05 = 4.973, squared 24.73.
    assert_eq!((check.verdict, check.topics_needed), (LimitVerdict::Undecided, Some(25)));
    assert_eq!(of(0.0, Limit::MaxDrop(0.058)).verdict, LimitVerdict::Pass);
    assert_eq!(of(-0.1, Limit::MaxDrop(0.05)).verdict, LimitVerdict::Undecided);
    assert_eq!(of(-0.12, Limit::MaxDrop(0.05)).verdict, LimitVerdict::Fail);
    // Not significantly worse: even if worse.
    assert_eq!(of(-0.05, Limit::MaxDrop(0.0)).verdict, LimitVerdict::Pass);
    assert_eq!(of(-0.06, Limit::MaxDrop(0.0)).verdict, LimitVerdict::Fail);
    // The mean against a least one.
    assert_eq!(of(0.0, Limit::Min(0.44)).verdict, LimitVerdict::Pass);
    assert_eq!(of(0.0, Limit::Min(0.45)).verdict, LimitVerdict::Undecided);
    assert_eq!(of(0.0, Limit::Min(0.55)).verdict, LimitVerdict::Undecided);
    let low = of(0.0, Limit::Min(0.56));
    assert_eq!((low.verdict, low.baseline_mean), (LimitVerdict::Fail, None));
}

#[test]
fn sentences() {
    let old = side("old", &defined(&[0.5, 0.6, 0.7, 0.4, 0.3, 0.2]));
    let new = side("new", &defined(&[0.4, 0.5, 0.65, 0.3, 0.2, 0.15]));
    let told = |limit| one(&old, &new, limit, &GateSettings::default()).sentence(0.05);
    insta::assert_snapshot!(told(Limit::MaxDrop(0.01)), @"AP: 0.4500 became 0.3667 (-0.0833) on 6 topics; the difference is at most -0.0621 with 95% confidence: a drop by more than 0.01");
    insta::assert_snapshot!(told(Limit::MaxDrop(0.2)), @"AP: 0.4500 became 0.3667 (-0.0833) on 6 topics; the difference is at least -0.1046 with 95% confidence: no drop by more than 0.2");
    insta::assert_snapshot!(told(Limit::MaxDrop(0.08)), @"AP: 0.4500 became 0.3667 (-0.0833) on 6 topics; the difference is between -0.1046 and -0.0621: a drop by more than 0.08 can neither be shown nor be ruled out; these topics would tell if nothing had changed in truth, so the true difference is likely near the limit");
    insta::assert_snapshot!(told(Limit::MaxDrop(0.0)), @"AP: 0.4500 became 0.3667 (-0.0833) on 6 topics; the difference is at most -0.0621 with 95% confidence: significantly worse");
    insta::assert_snapshot!(told(Limit::Min(0.1)), @"AP: 0.3667 on 6 topics; the mean is at least 0.2113 with 95% confidence, above 0.1");
    insta::assert_snapshot!(told(Limit::Min(0.6)), @"AP: 0.3667 on 6 topics; the mean is at most 0.5220 with 95% confidence, below 0.6");
    insta::assert_snapshot!(told(Limit::Min(0.4)), @"AP: 0.3667 on 6 topics; the mean is between 0.2113 and 0.5220: whether it is above 0.4 cannot be told; about 199 topics would tell, if the true mean is that of these topics");
    let few = side("few", &defined(&[0.4, 0.5]));
    let gate = one(&old, &few, Limit::MaxDrop(0.1), &GateSettings::default());
    insta::assert_snapshot!(gate.sentence(0.05), @"AP: 0.5500 became 0.4500 (-0.1000) on 2 topics; fewer than 5 topics decide nothing");
    assert_eq!(one(&old, &new, Limit::MaxDrop(0.1), &GateSettings::default()).dropped.len(), 5);
}

/// Four topics decide nothing, however clear they are.
#[test]
fn few_topics_decide_nothing() {
    for (topics, verdict) in [(4, LimitVerdict::Undecided), (5, LimitVerdict::Fail)] {
        let (old, new): (Vec<f64>, Vec<f64>) =
            (0..topics).map(|i| (0.9 + f64::from(i) / 1000.0, 0.1)).unzip();
        let (old, new) = (side("old", &defined(&old)), side("new", &defined(&new)));
        for limit in [Limit::MaxDrop(0.1), Limit::MaxDrop(0.0), Limit::Min(0.5)] {
            let check = one(&old, &new, limit, &GateSettings::default());
            assert_eq!(check.verdict, verdict, "{topics} {limit:?}");
        }
    }
}

/// Topics that came, went or were judged anew are left out, and too many of them leave it undecided.
#[test]
fn changes_of_topics() {
    let scores: Vec<f64> = (0..100).map(|i| f64::from(i % 10) / 10.0).collect();
    let old = side("old", &defined(&scores));
    let mut new = side("new", &defined(&scores));
    let verdict = |new: &TopicScores, allow_changes| {
        let settings = GateSettings { allow_changes, ..GateSettings::default() };
        gate(Some(&old), new, &[("AP".to_string(), Limit::MaxDrop(0.01))], &settings, NO_RANGE)
            .unwrap()
    };
    assert_eq!(verdict(&new, false).verdict, LimitVerdict::Pass);
    // One came, one went, two were judged anew, one is undefined now: 5 of 101.
    let topics = new.measures.get_mut("AP").unwrap();
    topics.insert("new".to_string(), Some(0.0));
    topics.remove("0007");
    topics.insert("0009".to_string(), None);
    for topic in ["0003", "0004"] {
        topics.insert(topic.to_string(), Some(0.0));
        new.judgements.as_mut().unwrap().insert(topic.to_string(), "k".to_string());
    }
    let found = verdict(&new, false);
    assert_eq!(found.verdict, LimitVerdict::Pass);
    assert_eq!(found.checks[0].topics, 96);
    assert_eq!(
        found.changes,
        TopicChanges {
            topics: 101,
            appeared: vec!["new".to_string()],
            vanished: vec!["0007".to_string()],
            judged_anew: vec!["0003".to_string(), "0004".to_string()],
            judgements_known: true,
        }
    );
    assert_eq!(found.checks[0].one_sided, ["0009"]);
    // 6 of 101 are too many.
    new.measures.get_mut("AP").unwrap().insert("0010".to_string(), None);
    let found = verdict(&new, false);
    assert_eq!((found.verdict, found.checks[0].reason), (LimitVerdict::Undecided, Reason::Changes));
    assert_eq!(verdict(&new, true).verdict, LimitVerdict::Pass);
    // Without fingerprints nobody knows.
    new.judgements = None;
    assert!(!verdict(&new, true).changes.judgements_known);
    // Topics without relevant documents, and those that are undefined on both sides, are no change.
    let mut new = side("new", &defined(&scores));
    let mut old = old.clone();
    let without = (0..30).map(|i| format!("{i:04}")).collect();
    new.without_relevant.insert("AP".to_string(), without);
    for side in [&mut old, &mut new] {
        side.measures.get_mut("AP").unwrap().insert("0099".to_string(), None);
    }
    let check = one(&old, &new, Limit::MaxDrop(0.01), &GateSettings::default());
    assert_eq!((check.verdict, check.topics, check.left_out), (LimitVerdict::Pass, 69, 31));
}

#[test]
fn all_checks_must_pass() {
    use LimitVerdict::{Fail, Pass, Undecided};
    for (all, verdict) in [
        (&[Pass, Pass][..], Pass),
        (&[Pass, Undecided], Undecided),
        (&[Undecided, Fail, Pass], Fail),
        (&[], Pass),
    ] {
        assert_eq!(LimitVerdict::of_all(all.iter().copied()), verdict);
    }
    let old = side("old", &defined(&[0.5; 8]));
    let limits = [("AP".to_string(), Limit::MaxDrop(0.1)), ("AP".to_string(), Limit::Min(0.9))];
    let found = gate(Some(&old), &old, &limits, &GateSettings::default(), NO_RANGE).unwrap();
    assert_eq!(found.checks.iter().map(|c| c.verdict).collect::<Vec<_>>(), [Pass, Fail]);
    assert!(
        found.family().starts_with("2 checks") && found.family().contains("0.1 "),
        "{}",
        found.family()
    );
}

#[test]
fn refuses_nonsense() {
    let old = side("old", &defined(&[0.5; 8]));
    let of = |measure: &str, limit, alpha| {
        let settings = GateSettings { alpha, ..GateSettings::default() };
        gate(Some(&old), &old, &[(measure.to_string(), limit)], &settings, NO_RANGE).unwrap_err()
    };
    assert!(of("RR", Limit::Min(0.1), 0.05).to_string().contains("scored by AP"));
    for error in [
        of("AP", Limit::MaxDrop(-0.1), 0.05),
        of("AP", Limit::MaxDrop(f64::NAN), 0.05),
        of("AP", Limit::Min(f64::INFINITY), 0.05),
        of("AP", Limit::Min(0.1), 0.5),
        gate(Some(&old), &old, &[], &GateSettings::default(), NO_RANGE).unwrap_err(),
    ] {
        assert!(error.is_usage(), "{error}");
    }
}

const JSON: &str = r#"{
  "runs": [
    {"name": "one", "measures": [{"measure": "AP", "mean": 0.5, "topics": {"1": 0.5, "2": null}, "undefined": ["2"]}]},
    {"name": "two", "measures": [{"measure": "AP", "mean": 0.5, "topics": {"1": 0.25, "2": null}, "undefined": []}]}
  ],
  "judgements": {"1": "00", "2": "01"},
  "settings": {"ties": "docid-desc", "max_grade": 3.0, "version": "0.0.9"},
  "warnings": []
}"#;

#[test]
fn an_earlier_evaluation_is_read() {
    assert!(
        StoredEvaluation::is_one(JSON.as_bytes())
            && StoredEvaluation::is_one(b"\xef\xbb\xbf {\"runs\" :\n[ {")
    );
    for other in
        ["{\"runs\": [\"d1\"]}", "{\"runs\": {\"d\": 1}}", "1 Q0 d 1 2 x", "", "{\"a\": [{"]
    {
        assert!(!StoredEvaluation::is_one(other.as_bytes()), "{other}");
    }
    let stored = StoredEvaluation::parse("base.json", JSON.as_bytes()).unwrap();
    let one = stored.run("base.json", "one").unwrap();
    assert_eq!(one.measures["AP"]["1"], Some(0.5));
    assert_eq!(
        (one.measures["AP"]["2"], one.judgements.as_ref().unwrap()["2"].as_str()),
        (None, "01")
    );
    assert!(stored.run("base.json", "three").unwrap_err().to_string().contains("one, two"));
    let now =
        serde_json::json!({"ties": "docid-asc", "max_grade": 3.0, "version": "1.0.0", "depth": 5});
    assert_eq!(
        stored.other_settings(now.as_object().unwrap()),
        [
            ("ties".to_string(), "docid-desc".to_string(), "docid-asc".to_string()),
            ("depth".to_string(), "none".to_string(), "5".to_string())
        ]
    );
    let broken = StoredEvaluation::parse("base.json", b"{\"runs\": [\n{]").unwrap_err();
    assert!(broken.is_input() && broken.to_string().starts_with("base.json:2:"), "{broken}");
    let bare = r#"{"runs": [{"name": "x", "measures": [{"measure": "AP", "mean": 1}]}]}"#;
    assert!(
        StoredEvaluation::parse("b", bare.as_bytes())
            .unwrap_err()
            .to_string()
            .contains("no scores of topics")
    );
}

/// At the edge of the margin, where a wrong pass is likeliest, no more than alpha of the runs pass;
/// and with no difference at all, no more than alpha fail.
#[test]
fn errors_are_as_rare_as_promised() {
    const EXPERIMENTS: u64 = 2000;
    let share = |shift: f64, limit: Limit, verdict: LimitVerdict| {
        let count = (0..EXPERIMENTS).filter(|experiment| {
            let mut random = Random::new(3, *experiment);
            let mut uniform = || random.below(1u64 << 30) as f64 / (1u64 << 30) as f64;
            let old: Vec<f64> = (0..30).map(|_| uniform()).collect();
            let new: Vec<f64> =
                old.iter().map(|x| x + shift + 0.3 * (uniform() + uniform() - 1.0)).collect();
            let sides = (side("old", &defined(&old)), side("new", &defined(&new)));
            one(&sides.0, &sides.1, limit, &GateSettings::default()).verdict == verdict
        });
        count.count() as f64 / EXPERIMENTS as f64
    };
    // Three standard errors of a share of 5%.
    let most = 0.05 + 3.0 * (0.05 * 0.95 / EXPERIMENTS as f64).sqrt();
    assert!(share(-0.05, Limit::MaxDrop(0.05), LimitVerdict::Pass) <= most);
    assert!(share(0.0, Limit::MaxDrop(0.0), LimitVerdict::Fail) <= most);
    assert!(share(-0.05, Limit::MaxDrop(0.05), LimitVerdict::Fail) <= most);
    // The number of topics that is told has the power it is told for: the spread is 0.3 sqrt(1/6).
    let needed = ((1.644_853_6 + 0.841_621_2) * 0.3 / 6.0f64.sqrt() / 0.05f64).powi(2).ceil();
    assert_eq!(needed, 38.0);
    assert!(share(0.0, Limit::MaxDrop(0.05 * (38.0f64 / 30.0).sqrt()), LimitVerdict::Pass) > 0.76);
}

proptest! {
    /// Every test of pairs gives bounds, and a wider margin never makes a verdict worse.
    #[test]
    fn a_wider_margin_is_no_stricter(
        scores in prop::collection::vec((0.0f64..1.0, 0.0f64..1.0), 5..25),
        which in 0usize..5,
        margins in (0.001f64..0.5, 0.001f64..0.5),
    ) {
        let (old, new): (Vec<f64>, Vec<f64>) = scores.into_iter().unzip();
        let (old, new) = (side("old", &defined(&old)), side("new", &defined(&new)));
        let options = TestOptions { resampling: Resampling { trials: 200, seed: 1 }, ..TestOptions::default() };
        let settings = GateSettings { test: Test::ALL[which], options, ..GateSettings::default() };
        let (narrow, wide) = (margins.0.min(margins.1), margins.0.max(margins.1));
        let narrow = one(&old, &new, Limit::MaxDrop(narrow), &settings);
        let wide = one(&old, &new, Limit::MaxDrop(wide), &settings);
        prop_assert!(wide.verdict <= narrow.verdict);
        let strict = one(&old, &new, Limit::MaxDrop(0.0), &settings);
        prop_assert!(strict.verdict != LimitVerdict::Undecided);
    }
}

/// The same drop on every topic has no variance, and no topic is needed to show it; rounding is no
/// drop.
#[test]
fn a_constant_drop_is_shown_and_rounding_is_none() {
    for test in <Test as Choice>::ALL {
        let settings = GateSettings { test: *test, ..GateSettings::default() };
        let of = |new: f64, limit| {
            let (old, new) = ([0.1 + 0.2; 10].map(Some), [new; 10].map(Some));
            one(&side("old", &old), &side("new", &new), limit, &settings).verdict
        };
        assert_eq!(of(0.25, Limit::MaxDrop(0.0)), LimitVerdict::Fail, "{test:?}");
        assert_eq!(of(0.25, Limit::MaxDrop(0.04)), LimitVerdict::Fail, "{test:?}");
        assert_eq!(of(0.25, Limit::MaxDrop(0.06)), LimitVerdict::Pass, "{test:?}");
        assert_eq!(of(0.3, Limit::MaxDrop(0.0)), LimitVerdict::Pass, "{test:?}");
        assert_eq!(of(0.25, Limit::Min(0.2)), LimitVerdict::Pass, "{test:?}");
        assert_eq!(of(0.25, Limit::Min(0.3)), LimitVerdict::Fail, "{test:?}");
    }
}

/// A verdict against the side with fewer judgements stands only if the other end of the ranges gives
/// it too; one in its favour stands, and so does one between sides that are judged alike.
#[test]
fn verdicts_that_unjudged_documents_could_turn() {
    use LimitVerdict::{Fail, Pass, Undecided};
    let share = |side: TopicScores, judged| TopicScores { judged_at_10: judged, ..side };
    let scores = |shift: f64| -> Vec<Option<f64>> {
        (0..12).map(|i| Some(0.4 + shift + f64::from(i % 3) / 50.0)).collect()
    };
    let worse = [0.0, -0.2];
    let better = [0.0, 0.2];
    for ([old, new], baseline, run, range, expected) in [
        (worse, Some(0.9), Some(0.2), Some((-0.3, 0.3)), (Undecided, Reason::Unjudged)),
        // Not even that would help.
        (worse, Some(0.9), Some(0.2), Some((-0.3, -0.1)), (Fail, Reason::Bounds)),
        (worse, Some(0.9), Some(0.2), Some((-0.3, -0.04)), (Undecided, Reason::Unjudged)),
        (worse, Some(0.9), Some(0.2), None, (Fail, Reason::Bounds)),
        (worse, Some(0.9), Some(0.8), Some((-0.3, 0.3)), (Fail, Reason::Bounds)),
        (worse, Some(0.3), Some(0.25), Some((-0.3, 0.3)), (Fail, Reason::Bounds)),
        (worse, Some(0.2), Some(0.9), Some((-0.3, 0.3)), (Fail, Reason::Bounds)),
        (worse, None, Some(0.2), Some((-0.3, 0.3)), (Undecided, Reason::Unjudged)),
        (worse, None, Some(0.5), Some((-0.3, 0.3)), (Fail, Reason::Bounds)),
        (worse, Some(0.9), None, Some((-0.3, 0.3)), (Fail, Reason::Bounds)),
        (better, Some(0.9), Some(0.2), Some((-0.3, 0.3)), (Pass, Reason::Bounds)),
        (better, Some(0.2), Some(0.9), Some((-0.3, 0.3)), (Undecided, Reason::Unjudged)),
        (better, Some(0.2), Some(0.9), Some((0.1, 0.3)), (Pass, Reason::Bounds)),
    ] {
        let old = share(side("old", &scores(old)), baseline);
        let new = share(side("new", &scores(new)), run);
        let limits = [("AP".to_string(), Limit::MaxDrop(0.05))];
        let possible = |_: &str, _: Limit| -> Option<PossibleScores> {
            Some((0..12).map(|i| (format!("{i:04}"), range.unwrap_or_default())).collect())
                .filter(|_| range.is_some())
        };
        let decided = |allow_unjudged| {
            let settings = GateSettings { allow_unjudged, ..GateSettings::default() };
            let found = gate(Some(&old), &new, &limits, &settings, &possible).unwrap();
            (found.checks[0].verdict, found.checks[0].reason)
        };
        let case = format!("{baseline:?} {run:?} {range:?}");
        assert_eq!(decided(false), expected, "{case}");
        assert_eq!(decided(true).1, Reason::Bounds, "{case}");
    }
    let lone = share(side("new", &scores(-0.2)), Some(0.2));
    let limits = [("AP".to_string(), Limit::Min(0.5))];
    let possible = |_: &str, _: Limit| -> Option<PossibleScores> {
        Some((0..12).map(|i| (format!("{i:04}"), (0.2, 0.75))).collect())
    };
    let found = gate(None, &lone, &limits, &GateSettings::default(), &possible).unwrap();
    let check = &found.checks[0];
    assert_eq!((check.verdict, check.reason), (Undecided, Reason::Unjudged));
    insta::assert_snapshot!(check.sentence(0.05), @"AP: 0.2200 on 12 topics; not enough judgements to tell: Judged@10 is 0.20 for the run; judging its unjudged documents could make the mean 0.7500");
    let drop = [("AP".to_string(), Limit::MaxDrop(0.5))];
    let error = gate(None, &lone, &drop, &GateSettings::default(), &possible).unwrap_err();
    assert!(error.is_usage() && error.to_string().contains("needs a baseline"), "{error}");
}
