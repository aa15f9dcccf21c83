//! Comparisons against the statistics called by hand, and what must hold of every comparison.

use super::*;
use crate::choice::Choice;
use crate::data::Qrels;
use crate::io::{QrelsOptions, Source, read_qrels};
use crate::measure::Metric;
use crate::score::{Evaluation, Scores, System};
use crate::stats::{self, Correction, Resampling, Test};
use crate::warning::{WarningKind, Warnings};

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

fn compared(measures: &str, settings: &ComparisonSettings) -> (Comparison, Warnings, Vec<Scores>) {
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
    let settings = ComparisonSettings::default();
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
    // A family per measure, or one of three pairs by two measures.
    let corrected = |comparison: &Comparison| -> Vec<f64> {
        let pairs = comparison.measures.iter().flat_map(|m| &m.pairs);
        pairs.filter_map(|pair| pair.p_corrected).collect()
    };
    let adjusted = |p: &[f64]| Correction::Holm.adjust(p).unwrap();
    assert_eq!(corrected(&comparison), [adjusted(&p[..3]), adjusted(&p[3..])].concat());
    assert_eq!(comparison.measures[1].family, Family { tests: 3, pairs: 3, measures: 1 });
    let (all, ..) =
        compared("P@10 RR", &ComparisonSettings { family: FamilyScope::All, ..settings });
    assert_eq!(corrected(&all), adjusted(&p));
    assert_eq!(all.measures[1].family, Family { tests: 6, pairs: 3, measures: 2 });
}

/// Letters and ranks say what the pairs say, whatever the test. With a baseline, which is not all
/// pairs, there are neither; without a correction of the chance of any error there are no ranks.
#[test]
fn letters_and_ranks_follow_from_the_decisions() {
    let resampling = Resampling { trials: 500, seed: 3 };
    let base = ComparisonSettings { alpha: 0.3, resampling, ..ComparisonSettings::default() };
    for test in Procedure::ALL {
        for correction in [None, Some(Correction::BenjaminiHochberg), Some(Correction::None)] {
            for baseline in [None, Some(1)] {
                if test.is_family_wise() && correction == Some(Correction::BenjaminiHochberg) {
                    continue;
                }
                let settings =
                    ComparisonSettings { test: *test, correction, baseline, ..base.clone() };
                let (comparison, ..) = compared("P@10 RR", &settings);
                for measure in &comparison.measures {
                    if baseline.is_some() {
                        assert_eq!(measure.grouping, None);
                        assert!(measure.systems.iter().all(|s| s.letters.is_none()));
                        assert!(measure.systems.iter().all(|s| s.ranks.is_none()));
                        continue;
                    }
                    let correction = settings.correction().unwrap();
                    let expected = Grouping { test: *test, correction, tests: 3 };
                    assert_eq!(measure.grouping, Some(expected));
                    let with_ranks = test.is_family_wise() || correction == Correction::Holm;
                    assert!(measure.systems.iter().all(|s| s.ranks.is_some() == with_ranks));
                    agree(&measure.systems, &measure.pairs);
                }
            }
        }
    }
}

fn agree(systems: &[SystemMean], pairs: &[Pair]) {
    let (mut better, mut worse) = ([0; 3], [0; 3]);
    let place = |name: &str| systems.iter().position(|s| s.name == name).unwrap();
    for pair in pairs {
        let (a, b) = (place(&pair.a), place(&pair.b));
        let [own, other] = [a, b].map(|system| systems[system].letters.clone().unwrap());
        let share = own.chars().any(|letter| other.contains(letter));
        assert_eq!(share, !pair.significant, "{pair:?}");
        match pair.direction() {
            1 => (worse[a] += 1, better[b] += 1),
            -1 => (better[a] += 1, worse[b] += 1),
            _ => ((), ()),
        };
    }
    for (at, system) in systems.iter().enumerate() {
        let found = system.ranks.map(|ranks| (ranks.best, ranks.worst));
        assert!(found.is_none_or(|found| found == (1 + better[at], 3 - worse[at])));
        assert!(system.letters.as_ref().is_some_and(|letters| !letters.is_empty()));
    }
}

/// Two systems are all the pairs there are, whichever is the baseline.
#[test]
fn two_systems_with_a_baseline_are_all_pairs() {
    let (qrels, runs) = data();
    let metrics = crate::measure::parse_list("P@10").unwrap();
    let scores = scores(&qrels, &metrics, &runs);
    let systems = [0, 1].map(|i| System { name: ["one", "two"][i], scores: &scores[i] });
    for baseline in [None, Some(0), Some(1)] {
        let settings =
            ComparisonSettings { baseline, alpha: 0.999, ..ComparisonSettings::default() };
        let found =
            compare(&qrels, &metrics, &systems, &settings, &mut Warnings::default()).unwrap();
        let measure = &found.measures[0];
        assert_eq!(measure.grouping.map(|grouping| grouping.test), Some(Procedure::default()));
        assert!(measure.pairs[0].significant);
        let ranks = measure.by_mean().into_iter().map(|system| system.ranks.unwrap());
        let ranks: Vec<(usize, usize)> = ranks.map(|ranks| (ranks.best, ranks.worst)).collect();
        assert_eq!(ranks, [(1, 1), (2, 2)], "{baseline:?}");
        let letters =
            measure.by_mean().into_iter().map(|system| system.letters.as_deref().unwrap());
        assert_eq!(letters.collect::<Vec<_>>(), ["a", "b"]);
    }
}

/// A measure that is undefined everywhere is told with the reason; the others are compared.
#[test]
fn an_undefined_measure_does_not_stop_the_others() {
    let settings = ComparisonSettings { family: FamilyScope::All, ..ComparisonSettings::default() };
    let (comparison, warnings, _) = compared("P@10 AP(rel=9) RR", &settings);
    let names: Vec<&str> = comparison.measures.iter().map(|m| m.measure.as_str()).collect();
    assert_eq!(names, ["P@10", "RR"]);
    assert_eq!((comparison.measures[1].column, comparison.measures[1].family.tests), (2, 6));
    assert_eq!(comparison.measure(2).unwrap().measure, "RR");
    assert!(comparison.measure(1).is_none());
    let [not] = comparison.not_compared.as_slice() else { panic!("{:?}", comparison.not_compared) };
    assert_eq!(not.measure, "AP(rel=9)");
    assert_eq!(
        not.reason,
        "it is undefined on every topic of one: the topic has no relevant document"
    );
    let told = warnings.list().into_iter().find(|w| w.kind == WarningKind::MeasureLeftOut).unwrap();
    assert!(told.message.contains(&not.reason), "{}", told.message);
    let (alone, ..) = compared("P@10 RR", &settings);
    for (with, without) in comparison.measures.iter().zip(&alone.measures) {
        assert_eq!(
            serde_json::to_string(&with.pairs).unwrap(),
            serde_json::to_string(&without.pairs).unwrap()
        );
    }
    let (qrels, runs) = data();
    let metrics = crate::measure::parse_list("AP(rel=9)").unwrap();
    let scores = scores(&qrels, &metrics, &runs);
    let systems: Vec<System<'_>> =
        scores.iter().map(|scores| System { name: "run", scores }).collect();
    let error = compare(&qrels, &metrics, &systems, &settings, &mut Warnings::default());
    assert!(error.unwrap_err().to_string().contains("AP(rel=9): it is undefined on every topic"));
}

/// P@10 of a topic without relevant documents is 0: an evaluation counts it, a comparison does not.
#[test]
fn the_means_of_an_evaluation_are_shown_beside_other_ones() {
    let (comparison, _, scores) = compared("P@10 num_ret", &ComparisonSettings::default());
    let measure = &comparison.measures[0];
    let share = TOPICS as f64 / (TOPICS + 1) as f64;
    for (system, scores) in measure.systems.iter().zip(&scores) {
        let all: f64 = scores.column(0).flatten().sum();
        assert!((system.eval_mean.unwrap() - all / (TOPICS + 1) as f64).abs() < 1e-12);
        assert!((system.eval_mean.unwrap() - share * system.mean).abs() < 1e-12);
    }
    assert_eq!(
        measure.eval_differs.as_deref().unwrap(),
        "an evaluation takes all topics of a run and counts an undefined score as 0; left out here: 1 without relevant documents"
    );
    assert_eq!(
        (measure.left_out_topics.as_slice(), measure.topics_seen()),
        (&["90".to_string()][..], TOPICS + 1)
    );
    assert!(comparison.measures[1].eval_differs.as_deref().unwrap().contains("the sum"));
    let ranks = ComparisonSettings { values: Values::PooledRanks, ..ComparisonSettings::default() };
    let (on_ranks, ..) = compared("P@10", &ranks);
    assert!(on_ranks.measures[0].systems.iter().all(|s| s.eval_mean.is_none()));
}

/// Ranks of an equally spaced measure all of whose values occur change nothing; of another they can.
#[test]
fn what_ranks_change() {
    let settings = ComparisonSettings { alpha: 0.3, ..ComparisonSettings::default() };
    let (scores, ..) = compared("P@10 nDCG@3", &settings);
    for values in [Values::PooledRanks, Values::TopicRanks] {
        let (ranks, ..) =
            compared("P@10 nDCG@3", &ComparisonSettings { values, ..settings.clone() });
        let found = changes(&scores, &ranks).unwrap();
        assert_eq!(found.values, values);
        for (at, measure) in found.measures.iter().enumerate() {
            for (before, after) in scores.measures[at].pairs.iter().zip(&ranks.measures[at].pairs) {
                let same = before.significant == after.significant
                    && before.difference.signum() == after.difference.signum();
                let told = measure.changed.iter().any(|c| c.a == before.a && c.b == before.b);
                assert_eq!(told, !same, "{before:?} {after:?}");
            }
        }
    }
    assert!(changes(&scores, &scores).unwrap().measures.iter().all(|m| m.changed.is_empty()));
    let mut turned = scores.clone();
    let pair = &mut turned.measures[0].pairs[0];
    (pair.difference, pair.significant) = (-pair.difference, false);
    (pair.interval.lower, pair.interval.upper) = (-pair.interval.upper, -pair.interval.lower);
    let told = changes(&scores, &turned).unwrap().measures[0].changed.clone();
    let expected =
        if scores.measures[0].pairs[0].significant { Changed::Lost } else { Changed::OrderOnly };
    assert_eq!(told.iter().map(|c| c.change).collect::<Vec<_>>(), [expected]);
}

/// The sign test can find the system better that has the lower mean.
#[test]
fn the_direction_is_that_of_the_test() {
    let rows = vec![vec![0.6; 10], [vec![0.5; 9], vec![3.0]].concat()];
    let scores = stats::ScoreMatrix::new(rows).unwrap();
    let options = ComparisonSettings::default().options();
    let test = stats::paired_test(Test::Sign, &scores.rows()[0], &scores.rows()[1], &options);
    assert!(test.unwrap().p.unwrap() < 0.05 && scores.means()[0] < scores.means()[1]);
    let interval =
        stats::test_interval(Test::Sign, &scores.rows()[0], &scores.rows()[1], 0.95, &options);
    let (comparison, ..) = compared("P@10", &ComparisonSettings::default());
    let mut pair = comparison.measures[0].pairs[0].clone();
    (pair.interval, pair.significant, pair.difference) = (interval.unwrap(), true, -0.15);
    assert_eq!((pair.direction(), pair.direction_of(&pair.b.clone())), (1, -1));
    pair.significant = false;
    assert_eq!(pair.direction(), 0);
}

#[test]
fn a_baseline_turns_the_pairs_towards_it() {
    for test in [
        Procedure::Paired(Test::Sign),
        Procedure::Paired(Test::Randomisation),
        Procedure::Tukey,
        Procedure::RandomisedTukey,
    ] {
        let all = ComparisonSettings {
            test,
            resampling: Resampling { trials: 500, seed: 3 },
            correction: Some(Correction::None),
            ..ComparisonSettings::default()
        };
        let (every, ..) = compared("P@10", &all);
        let (some, ..) = compared("P@10", &ComparisonSettings { baseline: Some(1), ..all });
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
        let (comparison, ..) =
            compared("P@10 RR", &ComparisonSettings { test, ..ComparisonSettings::default() });
        assert_eq!(comparison.settings.correction, Some(Correction::None));
        for measure in &comparison.measures {
            assert_eq!(measure.family, Family { tests: 3, pairs: 3, measures: 1 });
            assert!(measure.pairs.iter().all(|pair| pair.p == pair.p_corrected));
            // The interval leaves zero out if the test rejects.
            for pair in &measure.pairs {
                assert_eq!(
                    pair.significant,
                    pair.interval.lower > 0.0 || pair.interval.upper < 0.0,
                    "{pair:?}"
                );
            }
        }
        assert!(
            ComparisonSettings {
                test,
                correction: Some(Correction::Holm),
                ..ComparisonSettings::default()
            }
            .correction()
            .unwrap_err()
            .is_usage()
        );
    }
}

#[test]
fn equal_seeds_give_equal_comparisons() {
    let settings = ComparisonSettings {
        test: Procedure::Paired(Test::Bootstrap),
        resampling: Resampling { trials: 300, seed: 9 },
        ..ComparisonSettings::default()
    };
    let text = |settings: &ComparisonSettings| {
        serde_json::to_string(&compared("P@10", settings).0).unwrap()
    };
    assert_eq!(text(&settings), text(&settings));
    assert_ne!(
        text(&settings),
        text(&ComparisonSettings { resampling: Resampling { trials: 300, seed: 10 }, ..settings })
    );
}

#[test]
fn warnings_name_their_measure() {
    let (comparison, ..) = compared("DCG@10 P@10 GMAP", &ComparisonSettings::default());
    let kinds = |name: &str| -> Vec<WarningKind> {
        comparison.warnings.iter().filter(|w| w.message.starts_with(name)).map(|w| w.kind).collect()
    };
    assert_eq!(kinds("DCG@10"), [WarningKind::TopicLeftOut, WarningKind::UnboundedMean]);
    assert_eq!(kinds("P@10"), [WarningKind::TopicLeftOut]);
    assert!(kinds("GMAP").contains(&WarningKind::ArithmeticMean), "{:?}", comparison.warnings);
    let left_out =
        comparison.warnings.iter().find(|w| w.kind == WarningKind::TopicLeftOut).unwrap();
    assert_eq!(
        left_out.message,
        "DCG@10: 1 topic left out of the tests (for example topic 90; 1 without relevant documents)"
    );
}

#[test]
fn ties_that_decide_are_told() {
    let (mut comparison, mut warnings, _) = compared("P@10", &ComparisonSettings::default());
    let same = comparison.clone();
    warn_of_ties(&mut comparison, &same, &mut warnings);
    assert!(comparison.warnings.iter().all(|w| w.kind != WarningKind::TiesDecide));
    let mut other = same;
    other.measures[0].pairs[2].difference *= -1.0;
    warn_of_ties(&mut comparison, &other, &mut warnings);
    let told = comparison.warnings.iter().find(|w| w.kind == WarningKind::TiesDecide).unwrap();
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
        compare(
            &qrels,
            &metrics,
            &systems,
            &ComparisonSettings::default(),
            &mut Warnings::default()
        )
        .unwrap_err()
        .is_usage()
    );
}

/// Scores of ten topics, each the same number.
fn flat(score: f64) -> Scores {
    let mut builder = Scores::builder("run", &["P@1"]);
    for topic in 0..10 {
        builder.push(format!("{topic}"), &[crate::measure::Score::Value(score)]).unwrap();
    }
    builder.build().unwrap()
}

/// A difference that is the same on every topic has no variance, and is certain nevertheless; one of
/// zero, or of rounding, is none.
#[test]
fn a_constant_difference_decides_pairs_letters_and_ranks() {
    let judged: String = (0..10).map(|topic| format!("{topic} 0 a 1\n")).collect();
    let source = Source::from_bytes("qrels", judged);
    let qrels = read_qrels(&source, QrelsOptions::default(), &mut Warnings::default()).unwrap();
    let metrics = crate::measure::parse_list("P@1").unwrap();
    let scores = [0.3, 0.1 + 0.2, 1.0].map(flat);
    let names = ["poor", "same", "good"];
    let systems: Vec<System<'_>> =
        names.iter().zip(&scores).map(|(name, scores)| System { name, scores }).collect();
    for test in Procedure::ALL {
        for baseline in [None, Some(0)] {
            let settings =
                ComparisonSettings { test: *test, baseline, ..ComparisonSettings::default() };
            let told = &mut Warnings::default();
            let found = compare(&qrels, &metrics, &systems, &settings, told).unwrap();
            let measure = &found.measures[0];
            let all = if test.is_family_wise() { 3 } else { measure.pairs.len() };
            assert_eq!(measure.family.tests, all, "{test:?}");
            for pair in &measure.pairs {
                let differ = pair.a == "good" || pair.b == "good";
                assert_eq!(pair.significant, differ, "{pair:?}");
                let at_most = if differ { 0.01 } else { 1.0 };
                assert!(pair.p.is_some_and(|p| p <= at_most && (differ || p == 1.0)), "{pair:?}");
                let effect = pair.effect_size.unwrap().hedges_g;
                assert_eq!(
                    effect,
                    if differ { pair.difference.signum() * f64::INFINITY } else { 0.0 }
                );
                if *test != Procedure::RandomisedTukey {
                    let ends = [pair.interval.lower, pair.interval.upper];
                    let near = |end: &f64| (end - pair.difference).abs() < 1e-9;
                    assert!(ends.iter().all(near), "{test:?} {pair:?}");
                }
                if matches!(test, Procedure::Paired(Test::T) | Procedure::Tukey) && differ {
                    assert_eq!(pair.p, Some(0.0));
                }
            }
            if baseline.is_none() {
                let letters = measure.systems.iter().map(|s| s.letters.as_deref().unwrap());
                assert_eq!(letters.collect::<Vec<_>>(), ["b", "b", "a"], "{test:?}");
                let ranks = measure.systems.iter().map(|s| s.ranks.unwrap());
                let ranks: Vec<_> = ranks.map(|ranks| (ranks.best, ranks.worst)).collect();
                assert_eq!(ranks, [(2, 3), (2, 3), (1, 1)], "{test:?}");
            }
        }
    }
}
