//! Runs of a few lines, of which everything can be said by hand: scores, ranges, and the warnings at
//! the edge between warning and silence.

use std::sync::Arc;

use super::*;
use crate::io::QrelsOptions;
use crate::io::source::Limits;
use crate::measure::{Args, Declaration, Def, Formula, Measure, Own, Param, Score};
use crate::number::Number;
use crate::policy::Ties;
use crate::score::ranges::Range;

struct Case {
    judged: &'static str,
    run: &'static str,
    measures: &'static [&'static str],
    ranges: bool,
    ties: Ties,
}

const CASE: Case = Case {
    judged: "1 0 a 1\n2 0 a 1\n",
    run: "1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n2 Q0 a 1 2 x\n2 Q0 b 2 1 x\n",
    measures: &["P@2", "RR"],
    ranges: false,
    ties: Ties::DocidDesc,
};

impl Case {
    fn scored(&self) -> (Scores, Warnings) {
        let source = Source::from_bytes("q", self.judged);
        let options = QrelsOptions::default();
        let qrels = io::read_qrels(&source, options, &mut Warnings::default()).unwrap();
        let metrics: Vec<Metric> = self.measures.iter().map(|m| m.parse().unwrap()).collect();
        let mut evaluation = Evaluation::new(&qrels, &metrics);
        evaluation.ranges = self.ranges.then(Vary::default);
        evaluation.policy.ties = self.ties;
        let mut warnings = Warnings::default();
        let scores = evaluation.run(&Source::from_bytes("r", self.run), &mut warnings).unwrap();
        (scores, warnings)
    }

    fn told(&self, kind: WarningKind) -> Option<String> {
        self.scored().1.example_of(kind).map(str::to_string)
    }
}

#[test]
fn a_ranking_that_ends_at_the_cutoff_is_not_short() {
    assert_eq!(CASE.told(WarningKind::ShortRanking), None);
    let short = Case { run: "1 Q0 a 1 2 x\n2 Q0 a 1 2 x\n2 Q0 b 2 1 x\n", ..CASE };
    let expected = "of 2 fewer than 2 documents";
    assert_eq!(short.told(WarningKind::ShortRanking).as_deref(), Some(expected));
}

#[test]
fn a_score_is_capped_if_nothing_is_left_to_find() {
    let expected = "fewer than 2 are relevant, 2 topics in all";
    assert_eq!(CASE.told(WarningKind::CappedScore).as_deref(), Some(expected));
    let half_found = "1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n2 Q0 c 1 2 x\n2 Q0 b 2 1 x\n";
    assert_eq!(Case { run: half_found, ..CASE }.told(WarningKind::CappedScore), None);
    let enough = "1 0 a 1\n1 0 b 1\n2 0 a 1\n2 0 b 1\n";
    assert_eq!(Case { judged: enough, ..CASE }.told(WarningKind::CappedScore), None);
}

#[test]
fn the_first_document_of_the_first_topic_is_told_if_nothing_was_found() {
    assert_eq!(CASE.told(WarningKind::NothingJudged), None);
    let nothing = "2 Q0 c 1 2 x\n1 Q0 z 1 2 x\n1 Q0 b 2 1 x\n";
    let expected = "the run has \"b\", the judgements have \"a\"";
    let told = Case { run: nothing, ..CASE }.told(WarningKind::NothingJudged);
    assert_eq!(told.as_deref(), Some(expected));
    let ordered = "1 Q0 z 1 2 x\n1 Q0 b 2 1 x\n2 Q0 c 1 2 x\n";
    let told = Case { run: ordered, ..CASE }.told(WarningKind::NothingJudged);
    assert_eq!(told.as_deref(), Some(expected));
    // Found in the second topic alone.
    let something = "1 Q0 z 1 2 x\n2 Q0 a 1 2 x\n";
    assert_eq!(Case { run: something, ..CASE }.told(WarningKind::NothingJudged), None);
}

#[test]
fn ties_are_told_by_what_they_could_do() {
    assert_eq!(CASE.told(WarningKind::Ties), None);
    let run = "1 Q0 a 1 1 x\n1 Q0 b 2 1 x\n2 Q0 a 1 2 x\n2 Q0 b 2 1 x\n";
    let tied = Case { run, measures: &["P@2", "RR", "P@1"], ..CASE };
    let (scores, warnings) = tied.scored();
    // b comes first: half a reciprocal rank and a whole precision less, in one topic of two.
    assert_eq!(scores.value(0, 1), Some(0.5));
    let expected = "P@1 by as much as +0.5000, RR by as much as +0.2500";
    assert_eq!(warnings.example_of(WarningKind::Ties), Some(expected));
}

#[test]
fn ranges_of_several_measures_are_each_their_own() {
    let run = "1 Q0 z 1 2 x\n1 Q0 a 2 1 x\n2 Q0 a 1 2 x\n3 Q0 z 1 1 x\n";
    let case = Case { run, measures: &["P@1", "RR", "AP"], ranges: true, ..CASE };
    let (scores, warnings) = case.scored();
    let ends = |row, column| scores.range(row, column).map(|range| (range.low, range.high));
    // Topic 1: z may be relevant, and then there are two relevant documents, both at the top.
    assert_eq!([0, 1, 2].map(|column| scores.value(0, column)), [Some(0.0), Some(0.5), Some(0.5)]);
    assert_eq!(ends(0, 0), Some((0.0, 1.0)));
    assert_eq!(ends(0, 1), Some((0.5, 1.0)));
    assert_eq!(ends(0, 2), Some((0.5, 1.0)));
    // Topic 2: nothing is open.
    assert_eq!([0, 1, 2].map(|column| ends(1, column)), [Some((1.0, 1.0)); 3]);
    assert_eq!((ends(0, 3), ends(2, 0)), (None, None));
    // Of the topic without judgements nothing is counted: three documents, one of them unjudged.
    let expected = "33.3% of the top 10, 33.3% of all";
    assert_eq!(warnings.example_of(WarningKind::UnjudgedDocument), Some(expected));
    assert_eq!((scores.missing, scores.unjudged), (0, 1));
    let plain = Case { ranges: false, ..case }.scored().0;
    assert_eq!((plain.has_ranges(), plain.range(0, 0)), (false, None));
}

#[test]
fn without_ties_a_range_over_orders_is_the_score() {
    let run = "1 Q0 a 1 1 x\n1 Q0 b 2 1 x\n2 Q0 a 1 2 x\n2 Q0 b 2 1 x\n";
    let (scores, _) = Case { run, ties: Ties::Range, ..CASE }.scored();
    let ends = |row, column| scores.range(row, column).map(|Range { low, high, .. }| (low, high));
    assert_eq!((ends(0, 0), ends(0, 1)), (Some((0.5, 0.5)), Some((0.5, 1.0))));
    assert_eq!((ends(1, 0), ends(1, 1)), (Some((0.5, 0.5)), Some((1.0, 1.0))));
}

#[test]
fn parts_add_up_what_they_counted() {
    let part = |run| Case { run, ..CASE }.scored().0;
    let first = part("1 Q0 a 1 1 x\n7 Q0 a 1 1 x\n8 Q0 a 1 1 x\n");
    assert_eq!((first.missing, first.unjudged), (1, 2));
    let judged = "3 0 a 1\n4 0 a 1\n5 0 a 1\n";
    let second = Case { judged, run: "3 Q0 a 1 1 x\n9 Q0 a 1 1 x\n", ..CASE }.scored().0;
    assert_eq!((second.missing, second.unjudged), (2, 1));
    let whole = first.merge(second).unwrap();
    assert_eq!((whole.len(), whole.missing, whole.unjudged), (5, 3, 3));
}

#[test]
fn half_of_the_topics_may_be_capped() {
    let judged = "1 0 a 1\n2 0 a 1\n2 0 b 1\n";
    assert_eq!(Case { judged, ..CASE }.told(WarningKind::CappedScore), None);
    let judged = "1 0 a 1\n2 0 a 1\n3 0 a 1\n3 0 b 1\n";
    let run =
        "1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n2 Q0 a 1 2 x\n2 Q0 b 2 1 x\n3 Q0 a 1 2 x\n3 Q0 b 2 1 x\n";
    assert!(Case { judged, run, ..CASE }.told(WarningKind::CappedScore).is_some());
    let one = Case { judged: "1 0 a 1\n", run: "1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n", ..CASE };
    assert_eq!(one.told(WarningKind::CappedScore), None);
}

#[test]
fn a_run_that_was_judged_by_itself_is_told() {
    let own =
        |judged| Case { judged, measures: &["nDCG@2"], ..CASE }.told(WarningKind::SelfNormalised);
    assert_eq!(own("1 0 a 1\n2 0 a 1\n2 0 b 0\n").as_deref(), Some("nDCG@2 is SNDCG@2"));
    // A relevant document that was not found; more judged than the cutoff; nothing relevant; one
    // topic alone.
    for judged in [
        "1 0 a 1\n1 0 z 1\n2 0 a 1\n",
        "1 0 a 1\n1 0 y 0\n1 0 z 0\n2 0 a 1\n",
        "1 0 a 1\n2 0 a 0\n",
        "1 0 a 1\n",
    ] {
        assert_eq!(own(judged), None, "{judged}");
    }
}

#[test]
fn unjudged_documents_are_told_if_scores_have_ranges() {
    assert_eq!(CASE.told(WarningKind::UnjudgedDocument), None);
    let all = "1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 b 0\n";
    let judged = Case { judged: all, ranges: true, ..CASE };
    assert_eq!(judged.told(WarningKind::UnjudgedDocument), None);
}

#[test]
fn four_effects_of_ties_are_told_and_others_counted() {
    let run = "1 Q0 a 1 1 x\n1 Q0 b 2 1 x\n2 Q0 a 1 1 x\n2 Q0 b 2 1 x\n";
    let told = |measures| {
        let told = Case { run, measures, ..CASE }.told(WarningKind::Ties).unwrap();
        told.split(", ").last().map(str::to_string).unwrap()
    };
    assert_eq!(told(&["P@1", "R@1", "Success@1", "RR"]), "RR by as much as +0.5000");
    let five = told(&["P@1", "R@1", "Success@1", "RR", "nDCG"]);
    assert_eq!(five, "and 1 other mean by smaller amounts");
}

#[test]
fn parts_of_a_file_become_the_whole() {
    let part = |topics: &[u32], unjudged: &[u8]| {
        let mut part = Partial::new(4);
        part.topics = topics.to_vec();
        topics.iter().for_each(|topic| part.seen[*topic as usize] = true);
        part.unjudged.insert(unjudged.to_vec());
        part.ties = vec![(0.5, 0.25)];
        part.coverage = Coverage { retrieved: 7, judged: 5, top: 3, top_judged: 2 };
        part
    };
    let mut whole = Partial::new(4);
    assert!(whole.merge(part(&[0, 2], b"x")));
    assert!(whole.merge(part(&[1], b"y")));
    assert_eq!((whole.topics.as_slice(), whole.unjudged.len()), (&[0, 2, 1][..], 2));
    assert_eq!(whole.ties, [(1.0, 0.5)]);
    assert_eq!(whole.coverage, Coverage { retrieved: 14, judged: 10, top: 6, top_judged: 4 });
    let twice = Coverage { retrieved: 7, judged: 5, top: 3, top_judged: 2 };
    assert_eq!(twice.and(twice), whole.coverage);
    // A topic that comes again, whether it is judged or not.
    assert!(!whole.merge(part(&[3, 2], b"z")));
    let mut whole = Partial::new(4);
    assert!(whole.merge(part(&[0], b"x")));
    assert!(!whole.merge(part(&[1], b"x")));
}

#[test]
fn the_earlier_line_is_told_first() {
    let bad = |line| Error::input(Place::line("r", line), "found nothing");
    let told = |a, b| earlier(Some(bad(a)), bad(b)).place().and_then(|place| place.line);
    assert_eq!((told(3, 5), told(5, 3)), (Some(3), Some(3)));
    assert_eq!(earlier(None, bad(7)).place().and_then(|place| place.line), Some(7));
}

#[test]
fn missing_topics_are_counted_and_one_is_named() {
    assert_eq!(CASE.told(WarningKind::MissingTopic), None);
    let judged = "1 0 a 1\n2 0 a 1\n3 0 a 1\n4 0 a 1\n";
    let told = Case { judged, run: "1 Q0 a 1 1 x\n3 Q0 a 1 1 x\n4 Q0 a 1 1 x\n", ..CASE };
    let expected = "the run covers 3 of 4 judged topics, not topic 2";
    assert_eq!(told.told(WarningKind::MissingTopic).as_deref(), Some(expected));
}

/// Also if some topics have no row.
#[test]
fn an_undefined_score_keeps_its_reason() {
    let source = Source::from_bytes("q", "1 0 a 1\n2 0 a 0\n3 0 a 1\n4 0 a 0\n");
    let qrels = io::read_qrels(&source, QrelsOptions::default(), &mut Warnings::default()).unwrap();
    let metrics = ["AP".parse::<Metric>().unwrap()];
    let run = Source::from_bytes("r", "3 Q0 a 1 1 x\n4 Q0 a 1 1 x\n2 Q0 a 1 1 x\n");
    let mut evaluation = Evaluation::new(&qrels, &metrics);
    let scored = |evaluation: &Evaluation<'_>| {
        let scores = evaluation.run(&run, &mut Warnings::default()).unwrap();
        let of_topic = |row| (scores.topic(row).to_string(), scores.score(row, 0).unwrap());
        (0..scores.len()).map(of_topic).collect::<Vec<_>>()
    };
    let expected = |topic: &str| {
        let alone = crate::data::OwnedTopic::new(&[Some(0.0)], &[]);
        (topic.to_string(), metrics[0].score(&alone.view()))
    };
    assert!(matches!(expected("2").1, crate::measure::Score::Undefined(_)));
    let all = scored(&evaluation);
    assert_eq!((all.len(), &all[1], &all[3]), (4, &expected("2"), &expected("4")));
    evaluation.missing = Missing::Skip;
    let skipped = scored(&evaluation);
    assert_eq!((skipped.len(), &skipped[0], &skipped[2]), (3, &expected("2"), &expected("4")));
    // Topics without a relevant document are left out, and the others keep their names.
    evaluation.prune = true;
    let value = crate::measure::Score::Value;
    assert_eq!(scored(&evaluation), [("3".to_string(), value(1.0))]);
    evaluation.missing = Missing::Zero;
    let both = [("1".to_string(), value(0.0)), ("3".to_string(), value(1.0))];
    assert_eq!(scored(&evaluation), both);
}

#[test]
fn ties_may_take_and_add() {
    let run = "1 Q0 a 1 1 x\n1 Q0 b 2 1 x\n2 Q0 a 1 1 x\n2 Q0 b 2 1 x\n";
    // b comes first, which is right in the first topic alone.
    let tied = Case { judged: "1 0 b 1\n2 0 a 1\n", run, measures: &["P@1"], ..CASE };
    let told = tied.told(WarningKind::Ties);
    assert_eq!(told.as_deref(), Some("P@1 by -0.5000 to +0.5000"));
    let measures = &["P@1", "R@1", "Success@1", "RR", "nDCG", "AP", "RBP"];
    let told = Case { run, measures, ..CASE }.told(WarningKind::Ties).unwrap();
    assert!(told.ends_with(", and 3 other means by smaller amounts"), "{told}");
}

#[test]
fn unjudged_documents_are_counted() {
    let documents = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let line = |(rank, document)| format!("1 Q0 {document} {rank} {} x\n", 100 - rank);
    let run: String = (1..).zip(documents).map(line).collect();
    let judged = "1 0 a 1\n1 0 b 0\n1 0 k 0\n";
    let case = Case { judged, run: run.leak(), ranges: true, ..CASE };
    let told = case.scored().1.entries().find(|told| told.0 == WarningKind::UnjudgedDocument);
    let (_, _, count, example) = told.unwrap();
    assert_eq!((count, &*example), (9, "80.0% of the top 10, 75.0% of all"));
}

/// A part of a run may lie beyond the judgements, and then nothing is said about documents.
#[test]
fn a_part_without_judged_topics_retrieved_nothing() {
    let qrels = Qrels::from_columns(&["1"], &["a"], &[1.0]).unwrap();
    let metrics = ["P@1".parse::<Metric>().unwrap()];
    let run = Run::from_columns(&["9"], &["a"], &[1.0]).unwrap();
    let mut warnings = Warnings::default();
    let evaluation = Evaluation::new(&qrels, &metrics);
    assert_eq!(evaluation.score_part(&run, &mut warnings).unwrap().value(0, 0), Some(0.0));
    assert_eq!(warnings.example_of(WarningKind::NothingJudged), None);
}

/// The judgements of one file and the run of another, exchanged.
#[test]
fn a_run_in_the_place_of_judgements_is_refused() {
    let grades: Vec<f64> = (0..12).map(|n| 0.3 + f64::from(n)).collect();
    let documents: Vec<String> = (0..12).map(|n| format!("d{n}")).collect();
    let like_scores = Qrels::from_columns(&["1"; 12], &documents, &grades).unwrap();
    let usual = Qrels::from_columns(&["1"; 12], &documents, &[1.0; 12]).unwrap();
    let like_grades = Run::from_columns(&["1"; 12], &documents, &[1.0; 12]).unwrap();
    let ranked = Run::from_columns(&["1"; 12], &documents, &grades).unwrap();
    let refused = |qrels: &Qrels, measures: &[&str], run: &Run| {
        let metrics: Vec<Metric> = measures.iter().map(|m| m.parse().unwrap()).collect();
        Evaluation::new(qrels, &metrics).score(run, &mut Warnings::default()).is_err()
    };
    assert!(refused(&like_scores, &["AP"], &like_grades));
    assert!(refused(&like_scores, &[], &like_grades));
    assert!(!refused(&like_scores, &["AP"], &ranked));
    assert!(!refused(&usual, &["AP"], &like_grades));
}

#[test]
fn runs_are_read_as_the_evaluation_says() {
    let qrels = Qrels::from_columns(&["1"], &["a"], &[1.0]).unwrap();
    let lenient = Evaluation { lenient: true, ..Evaluation::new(&qrels, &[]) };
    assert!(lenient.run_options().lenient);
    assert!(!Evaluation::new(&qrels, &[]).run_options().lenient);
}

/// Thirty tied documents of three grades have more orders than can be counted; one document has one.
#[test]
fn scores_of_sampled_orders_have_an_error_and_so_has_their_mean() {
    let tied = |topic: u32| (0..30).map(move |d| format!("{topic} Q0 d{d} 1 1 x\n"));
    let run: String = tied(1).chain(tied(2)).collect();
    let run = run + "3 Q0 d0 1 1 x\n4 Q0 d0 1 1 x\n";
    let graded = |topic: u32| (0..30).map(move |d| format!("{topic} 0 d{d} {}\n", (d + topic) % 3));
    let judged: String = graded(1).chain(graded(2)).collect();
    let judged = judged + "3 0 d0 1\n4 0 d0 0\n";
    let qrels = Source::from_bytes("q", judged);
    let qrels = io::read_qrels(&qrels, QrelsOptions::default(), &mut Warnings::default()).unwrap();
    let metrics: Vec<Metric> = ["P@5", "Compat"].iter().map(|m| m.parse().unwrap()).collect();
    let mut evaluation = Evaluation::new(&qrels, &metrics);
    evaluation.policy.ties = Ties::Average;
    let run = Source::from_bytes("r", run);
    let mut warnings = Warnings::default();
    let scores = evaluation.run(&run, &mut warnings).unwrap();
    let errors: Vec<f64> = (0..2).map(|row| scores.standard_error(row, 1).unwrap()).collect();
    assert!(errors.iter().all(|error| *error > 0.0 && *error < 0.1), "{errors:?}");
    assert_eq!((scores.sampled(0), scores.sampled(1), scores.sampled(2)), (0, 2, 0));
    let worst = if errors[0] > errors[1] { 0 } else { 1 };
    let expected = format!("Compat for topic {}, standard error {:.1e}", worst + 1, errors[worst]);
    assert_eq!(warnings.example_of(WarningKind::SampledOrders), Some(expected.as_str()));
    assert_eq!((scores.value(2, 1), scores.value(3, 1)), (Some(1.0), None));
    assert!((2..4).all(|row| scores.standard_error(row, 1).is_none()));
    let sum = errors[0].hypot(errors[1]);
    for (undefined, topics) in [(Undefined::Zero, 4.0), (Undefined::Skip, 3.0)] {
        let found = scores.mean_standard_error(1, undefined).unwrap();
        assert!((found - sum / topics).abs() < 1e-15, "{found}");
        assert_eq!(scores.mean_standard_error(0, undefined), None);
    }
}

/// Between topics that have a ranking, and before and behind them.
#[test]
fn missing_topics_have_rows_of_their_own() {
    let judged = "1 0 a 1\n2 0 a 1\n3 0 a 1\n4 0 a 1\n5 0 a 1\n";
    let run = "2 Q0 a 1 2 x\n4 Q0 b 1 2 x\n4 Q0 a 2 1 x\n";
    let (scores, _) = Case { judged, run, measures: &["RR"], ..CASE }.scored();
    let found: Vec<Option<f64>> = scores.column(0).collect();
    assert_eq!(found, [0.0, 1.0, 0.0, 0.5, 0.0].map(Some));
}

/// A document judged not relevant stands above both relevant ones, which only bpref sees.
#[test]
fn every_measure_sees_what_it_needs_whatever_comes_before_it() {
    let judged = "1 0 a 1\n1 0 b 0\n1 0 c 1\n";
    let run = "1 Q0 b 1 3 x\n1 Q0 a 2 2 x\n1 Q0 c 3 1 x\n";
    let measures = &["bpref", "RR", "bpref(rel=1)", "P@1"];
    let (scores, _) = Case { judged, run, measures, ..CASE }.scored();
    let found: Vec<Option<f64>> = (0..4).map(|column| scores.value(0, column)).collect();
    assert_eq!(found, [0.0, 0.5, 0.0, 0.0].map(Some));
}

/// Of twelve documents those at ranks 3, 10 and 11 are judged.
#[test]
fn the_tenth_document_is_one_of_the_top_10() {
    let run: String = (1..=12).map(|d| format!("1 Q0 d{d} {d} {} x\n", 100 - d)).collect();
    let judged = "1 0 d3 1\n1 0 d10 1\n1 0 d11 1\n";
    let (scores, _) = Case { judged, run: run.leak(), ranges: true, ..CASE }.scored();
    let expected = Coverage { retrieved: 12, judged: 3, top: 10, top_judged: 2 };
    assert_eq!(scores.coverage, Some(expected));
}

/// The highest grade is the example.
#[test]
fn ten_judgements_that_look_like_scores_are_told() {
    for (judgements, told) in [(9, None), (10, Some("9.5")), (11, Some("10.5"))] {
        let lines = |line: fn(u32) -> String| (0..judgements).map(line).collect::<String>().leak();
        let judged = lines(|d| format!("1 0 d{d} {d}.5\n"));
        let run = lines(|d| format!("1 Q0 d{d} 1 {d}.25 x\n"));
        let found = Case { judged, run, ..CASE }.told(WarningKind::ScoresAsGrades);
        assert_eq!(found.as_deref(), told, "{judgements}");
    }
}

#[test]
fn a_measure_that_needs_all_judgements_is_refused_if_some_were_not_read() {
    let options = QrelsOptions { positive_only: true, ..QrelsOptions::default() };
    let judged = Source::from_bytes("q", "1 0 a 1\n1 0 b 0\n");
    let qrels = io::read_qrels(&judged, options, &mut Warnings::default()).unwrap();
    let run = Run::from_columns(&["1", "1"], &["b", "a"], &[2.0, 1.0]).unwrap();
    let file = Source::from_bytes("r", "1 Q0 b 1 2 x\n1 Q0 a 2 1 x\n");
    for (measure, allowed) in [("AP", true), ("bpref", false)] {
        let metrics = [measure.parse::<Metric>().unwrap()];
        let evaluation = Evaluation::new(&qrels, &metrics);
        assert_eq!(evaluation.score(&run, &mut Warnings::default()).is_ok(), allowed, "{measure}");
        assert_eq!(evaluation.run(&file, &mut Warnings::default()).is_ok(), allowed, "{measure}");
    }
}

/// Also if another measure of the evaluation makes them visible.
#[test]
fn documents_judged_not_relevant_are_not_taken_for_found_ones() {
    let judged = "1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 b 0\n";
    let told = Case { judged, measures: &["nDCG@2", "bpref"], ..CASE };
    assert_eq!(told.told(WarningKind::SelfNormalised).as_deref(), Some("nDCG@2 is SNDCG@2"));
}

/// The lines descend, so that their order is known without their numbers. The first two scores of the
/// first run are one number of 32 bits, and the later id comes first.
#[test]
fn scores_are_rounded_if_their_order_is_known_from_the_text() {
    let near = "1 Q0 a 1 1.00000001 x\n1 Q0 b 2 1.00000000 x\n1 Q0 c 3 0.50000000 x\n";
    let apart = "1 Q0 a 1 3.0 x\n1 Q0 b 2 2.0 x\n1 Q0 c 3 1.0 x\n";
    let qrels = Qrels::from_columns(&["1"], &["a"], &[1.0]).unwrap();
    let metrics = ["RR".parse::<Metric>().unwrap()];
    for (run, rounding, expected) in [
        (near, Rounding::F64, 1.0),
        (near, Rounding::F32, 0.5),
        (apart, Rounding::F64, 1.0),
        (apart, Rounding::F32, 1.0),
    ] {
        let mut evaluation = Evaluation::new(&qrels, &metrics);
        evaluation.policy.scores = rounding;
        let source = Source::from_bytes("r", run);
        let scores = evaluation.run(&source, &mut Warnings::default()).unwrap();
        assert_eq!(scores.value(0, 0), Some(expected), "{rounding:?}: {run}");
    }
}

/// A measure of the scores of a run.
struct SumOfScores;

impl Formula for SumOfScores {
    fn declaration(&self) -> Declaration<'_> {
        Declaration::new(Needs { scores: true, ..Needs::POSITIVE })
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let scores = topic.scores.iter();
        Score::Value(scores.fold(N::zero(), |sum, score| sum + N::decimal(*score)))
    }
}

impl Own for SumOfScores {
    fn def(&self) -> Def<'_> {
        Def::own("SumOfScores", "the sum of the scores")
    }

    fn params(&self) -> Arc<[Param]> {
        Arc::from([])
    }

    fn build(self: Arc<Self>, _args: &Args) -> Result<Arc<dyn Measure>> {
        Ok(Arc::new(SumOfScores))
    }
}

#[test]
fn a_measure_of_the_scores_sees_those_of_the_file() {
    let qrels = Qrels::from_columns(&["1"], &["a"], &[1.0]).unwrap();
    let metrics = [Metric::own(Arc::new(SumOfScores)).unwrap()];
    let run = Source::from_bytes("r", "1 Q0 a 1 3.5 x\n1 Q0 b 2 2.5 x\n1 Q0 c 3 1.5 x\n");
    let scores = Evaluation::new(&qrels, &metrics).run(&run, &mut Warnings::default()).unwrap();
    assert_eq!(scores.value(0, 0), Some(7.5));
}

/// What stands in a row behind the scores is none of them.
#[test]
fn a_column_that_is_not_there_has_no_scores() {
    let (scores, _) = Case { ranges: true, ..CASE }.scored();
    assert_eq!((scores.columns().len(), scores.value(0, 1)), (2, Some(1.0)));
    for column in [2, 3, 100] {
        assert_eq!((scores.score(0, column), scores.value(0, column)), (None, None), "{column}");
        assert!(scores.column(column).all(|score| score.is_none()), "{column}");
    }
}

/// Every topic, and so every piece of the file, has a document twice, of which the first counts.
#[test]
fn documents_that_come_twice_are_told_if_a_file_is_read_in_pieces() {
    let topics: Vec<String> = (0..50).map(|topic| topic.to_string()).collect();
    let qrels = Qrels::from_columns(&topics, &["a"; 50], &[1.0; 50]).unwrap();
    let lines = |t: &String| format!("{t} Q0 b 1 3 x\n{t} Q0 a 2 2 x\n{t} Q0 b 3 1 x\n");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), topics.iter().map(lines).collect::<String>()).unwrap();
    let limits = Limits { smallest_for_threads: 1, smallest_piece: 1, ..Limits::default() };
    let source = Source::open(file.path()).unwrap().with_limits(limits);
    let metrics = ["RR".parse::<Metric>().unwrap()];
    for threads in [1, 2] {
        let work = Work::alone().with_threads(threads);
        let evaluation = Evaluation { lenient: true, work, ..Evaluation::new(&qrels, &metrics) };
        let mut warnings = Warnings::default();
        let scores = evaluation.run(&source, &mut warnings).unwrap();
        assert_eq!(scores.summary("RR", Undefined::Zero).unwrap(), Some(0.5));
        let told: Vec<_> =
            warnings.list().into_iter().map(|told| (told.kind, told.count)).collect();
        assert_eq!(told, [(WarningKind::DuplicateDocument, 50)], "{threads} threads");
    }
}
