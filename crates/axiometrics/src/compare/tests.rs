//! Comparisons against the statistics called by hand, and what must hold of every comparison.

use super::*;
use crate::data::Qrels;
use crate::io::{QrelsOptions, Source, read_qrels};
use crate::measure::Metric;
use crate::score::{Evaluation, Scores, System};
use crate::stats::{self, Correction, Resampling, Test};
use crate::warning::{Kind, Warnings};

const TOPICS: usize = 12;
const DOCS: usize = 20;

/// Judgements and three runs made by a fixed rule; topic 90 has no relevant document.
fn data() -> (Qrels, Vec<String>) {
    let mut judged = String::from("90 0 d1 0\n");
    let mut runs = vec![String::new(); 3];
    for topic in 0..TOPICS {
        for doc in 0..DOCS {
            if (doc * 7 + topic * 3) % 5 < 2 {
                judged += &format!("{topic} 0 d{doc} {}\n", 1 + doc % 2);
            }
            for (r, run) in runs.iter_mut().enumerate() {
                let score = (doc * (2 * r + 3) + topic * (r + 1)) % 23;
                *run += &format!("{topic} Q0 d{doc} 1 {score} r{r}\n");
            }
        }
    }
    let qrels = read_qrels(
        &Source::from_bytes("qrels", judged),
        QrelsOptions::default(),
        &mut Warnings::default(),
    )
    .unwrap();
    (qrels, runs)
}

fn scores(qrels: &Qrels, metrics: &[Metric], runs: &[String]) -> Vec<Scores> {
    let evaluation = Evaluation::new(qrels, metrics);
    runs.iter()
        .map(|r| {
            evaluation
                .run(&Source::from_bytes("run", r.as_str()), &mut Warnings::default())
                .unwrap()
        })
        .collect()
}

fn compared(measures: &str, settings: &Settings) -> (Comparison, Warnings, Vec<Scores>) {
    let (qrels, runs) = data();
    let metrics = crate::measure::parse_list(measures).unwrap();
    let scores = scores(&qrels, &metrics, &runs);
    let names = ["one", "two", "three"];
    let systems: Vec<System<'_>> =
        names.iter().zip(&scores).map(|(name, scores)| System { name, scores }).collect();
    let mut warnings = Warnings::default();
    let comparison = compare(&qrels, &metrics, &systems, settings, &mut warnings).unwrap();
    (comparison, warnings, scores)
}

fn column(scores: &Scores, column: usize) -> Vec<f64> {
    // The topic without relevant documents sorts last.
    scores.column(column).flatten().take(TOPICS).collect()
}

#[test]
fn every_number_is_that_of_the_statistics() {
    let settings = Settings::default();
    let (comparison, _, scores) = compared("P@10 RR", &settings);
    assert_eq!(comparison.measures.len(), 2);
    let mut p = Vec::new();
    for (m, measure) in comparison.measures.iter().enumerate() {
        assert_eq!(
            (measure.topics, measure.left_out.no_relevant, measure.pairs.len()),
            (TOPICS, 1, 3)
        );
        for (pair, (a, b)) in measure.pairs.iter().zip([(0, 1), (0, 2), (1, 2)]) {
            let (x, y) = (column(&scores[a], m), column(&scores[b], m));
            let t = stats::paired_test(Test::T, &x, &y, &settings.options()).unwrap();
            assert_eq!((pair.statistic, pair.p), (t.statistic, t.p));
            assert_eq!(
                pair.interval,
                stats::test_interval(Test::T, &x, &y, 0.95, &settings.options()).unwrap()
            );
            let wins = x.iter().zip(&y).filter(|(x, y)| x > y).count();
            assert_eq!((pair.wins, pair.wins + pair.ties + pair.losses), (wins, TOPICS));
            p.extend(t.p);
        }
    }
    // One family: three pairs by two measures.
    let adjusted = Correction::Holm.adjust(&p).unwrap();
    let found: Vec<f64> = comparison
        .measures
        .iter()
        .flat_map(|m| &m.pairs)
        .filter_map(|pair| pair.p_corrected)
        .collect();
    assert_eq!(found, adjusted);
    assert_eq!(comparison.measures[1].family, Family { tests: 6, pairs: 3, measures: 2 });
}

#[test]
fn a_baseline_turns_the_pairs_towards_it() {
    for test in [
        Procedure::Paired(Test::Sign),
        Procedure::Paired(Test::Randomisation),
        Procedure::Tukey,
        Procedure::RandomisedTukey,
    ] {
        let all = Settings {
            test,
            resampling: Resampling { trials: 500, seed: 3 },
            correction: Some(Correction::None),
            ..Settings::default()
        };
        let (every, ..) = compared("P@10", &all);
        let (some, ..) = compared("P@10", &Settings { baseline: Some(1), ..all });
        assert_eq!(some.baseline.as_deref(), Some("two"));
        let pairs = &some.measures[0].pairs;
        assert_eq!(
            pairs.iter().map(|p| (p.a.as_str(), p.b.as_str())).collect::<Vec<_>>(),
            [("one", "two"), ("three", "two")]
        );
        for pair in pairs {
            let other = every.measures[0].pair(&pair.a, &pair.b).unwrap();
            assert_eq!(
                (pair.p, pair.difference.abs(), pair.ties),
                (other.p, other.difference.abs(), other.ties),
                "{test:?}"
            );
            assert!(
                (pair.interval.lower..=pair.interval.upper).contains(&pair.difference),
                "{pair:?}"
            );
        }
    }
}

#[test]
fn a_family_wise_test_is_not_corrected_again() {
    for test in [Procedure::Tukey, Procedure::RandomisedTukey] {
        let (comparison, ..) = compared("P@10 RR", &Settings { test, ..Settings::default() });
        assert_eq!(comparison.settings.correction, Some(Correction::None));
        for measure in &comparison.measures {
            assert_eq!(measure.family, Family { tests: 3, pairs: 3, measures: 1 });
            assert!(measure.pairs.iter().all(|pair| pair.p == pair.p_corrected));
            // The interval leaves zero out where the test rejects.
            for pair in &measure.pairs {
                assert_eq!(
                    pair.significant,
                    pair.interval.lower > 0.0 || pair.interval.upper < 0.0,
                    "{pair:?}"
                );
            }
        }
        assert!(
            Settings { test, correction: Some(Correction::Holm), ..Settings::default() }
                .correction()
                .unwrap_err()
                .is_usage()
        );
    }
}

#[test]
fn equal_seeds_give_equal_comparisons() {
    let settings = Settings {
        test: Procedure::Paired(Test::Bootstrap),
        resampling: Resampling { trials: 300, seed: 9 },
        ..Settings::default()
    };
    let text = |settings: &Settings| serde_json::to_string(&compared("P@10", settings).0).unwrap();
    assert_eq!(text(&settings), text(&settings));
    assert_ne!(
        text(&settings),
        text(&Settings { resampling: Resampling { trials: 300, seed: 10 }, ..settings })
    );
}

#[test]
fn warnings_name_their_measure() {
    let (comparison, ..) = compared("DCG@10 P@10 GMAP", &Settings::default());
    let kinds = |name: &str| -> Vec<Kind> {
        comparison.warnings.iter().filter(|w| w.message.starts_with(name)).map(|w| w.kind).collect()
    };
    assert_eq!(kinds("DCG@10"), [Kind::TopicLeftOut, Kind::UnboundedMean]);
    assert_eq!(kinds("P@10"), [Kind::TopicLeftOut]);
    assert!(kinds("GMAP").contains(&Kind::ArithmeticMean), "{:?}", comparison.warnings);
    let left_out = comparison.warnings.iter().find(|w| w.kind == Kind::TopicLeftOut).unwrap();
    assert_eq!(
        left_out.message,
        "DCG@10: 1 topic left out of the tests (for example topic 90; 1 without relevant documents)"
    );
}

#[test]
fn ties_that_decide_are_told() {
    let (mut comparison, mut warnings, _) = compared("P@10", &Settings::default());
    let same = comparison.clone();
    warn_of_ties(&mut comparison, &same, &mut warnings);
    assert!(comparison.warnings.iter().all(|w| w.kind != Kind::TiesDecide));
    let mut other = same;
    other.measures[0].pairs[2].difference *= -1.0;
    warn_of_ties(&mut comparison, &other, &mut warnings);
    let told = comparison.warnings.iter().find(|w| w.kind == Kind::TiesDecide).unwrap();
    assert_eq!(
        told.message,
        "P@10: 1 pair decided by the order of documents with equal scores (for example two against three)"
    );
}

#[test]
fn one_system_is_refused() {
    let (qrels, runs) = data();
    let metrics = crate::measure::parse_list("P@10").unwrap();
    let scores = scores(&qrels, &metrics, &runs[..1]);
    let systems = [System { name: "one", scores: &scores[0] }];
    assert!(
        compare(&qrels, &metrics, &systems, &Settings::default(), &mut Warnings::default())
            .unwrap_err()
            .is_usage()
    );
}
