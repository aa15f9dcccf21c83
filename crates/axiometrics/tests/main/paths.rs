//! The paths through the reader agree: whatever the order of lines, the format or the number of
//! threads, a run has one set of scores, and it is that of a ranking sorted the plain way.

use std::collections::BTreeMap;

use axiometrics::data::{OwnedTopic, Qrels};
use axiometrics::io::{QrelsOptions, Source, read_qrels};
use axiometrics::measure::{Metric, Score, parse_list};
use axiometrics::score::Evaluation;
use axiometrics::warning::Warnings;
use proptest::prelude::*;

/// (topic, document, score) and (topic, document, grade), each document once in its topic.
type Rows = Vec<(u8, u16, i32)>;

fn rows(values: std::ops::Range<i32>, most: usize) -> impl Strategy<Value = Rows> {
    let keys = proptest::collection::btree_map((0u8..6, 0u16..60), values, 1..most);
    keys.prop_map(|map| map.into_iter().map(|((topic, doc), value)| (topic, doc, value)).collect())
        .prop_shuffle()
}

fn trec(rows: &[(u8, u16, i32)]) -> String {
    written(rows, 0)
}

/// Ids of several lengths: short, longer than a word or two, longer than the reader has in sight.
fn topic_id(topic: u8) -> String {
    format!("t{topic}{}", "-topic".repeat([0, 5, 12][usize::from(topic / 2 % 3)]))
}

fn doc_id(doc: u16) -> String {
    format!("doc{doc}{}", "x".repeat([0, 0, 3, 0, 9, 0, 58, 59][usize::from(doc % 8)]))
}

/// The ways in which lines of a run are written.
const HANDS: u8 = 15;
/// From here on scores are so large, or so small, that only their last digits differ.
const FAR: u8 = 13;

/// The lines in one of those ways; in the last before [`FAR`], each line in another.
fn written(rows: &[(u8, u16, i32)], hand: u8) -> String {
    let line = |(i, (topic, doc, score)): (usize, &(u8, u16, i32))| {
        let (topic, doc, score) = (topic_id(*topic), doc_id(*doc), f64::from(*score) / 4.0);
        match if hand == FAR - 1 { (i * 7 + i / 5) as u8 % hand } else { hand } {
            0 => format!("{topic} Q0 {doc} 1 {score} x\n"),
            1 => format!("{topic} Q0 {doc} {i} {score:.2} a-tag\n"),
            2 => format!(
                "{topic} Q0 {doc} {i} {score:.6} a-tag-that-goes-on-beyond-what-is-looked-at\n"
            ),
            3 => format!("{topic} Q0 {doc} {i} {score:.13} x\n"),
            4 => format!("{topic} Q0 {doc} {i} {score:e} x\n"),
            5 => format!("{topic}\tQ0\t{doc}\t{i}\t{score:.3}\ta tag of words\r\n"),
            6 => format!("{topic} Q0 {doc} {i} {score:.2}\n"),
            7 => format!("{topic} Q0 {doc}  {i} {score:.2} x\n"),
            8 => format!("{topic} Q0 {doc} {i} {score:.2} {}\n", "tag".repeat(1 + i % 3)),
            9 => format!("{topic} Q0 {doc} {i} {score:.2} a-tag-of-some-length\n"),
            10 => format!("{topic} Q0 {doc} {i} {score:.2} a-tag-of-more-than-thirty-two-bytes\n"),
            13 => format!("{topic} Q0 {doc} {i} {:.4} x\n", 1e6 + score),
            14 => format!("{topic} Q0 {doc} {i} {:.3} a-tag\n", score - 2e6),
            _ => format!("{topic}  Q0 {doc} {i}  {score:.2} x\n"),
        }
    };
    rows.iter().enumerate().map(line).collect()
}

fn json(rows: &[(u8, u16, i32)]) -> String {
    let mut topics: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for (topic, doc, score) in rows {
        topics.entry(topic_id(*topic)).or_default().insert(doc_id(*doc), f64::from(*score) / 4.0);
    }
    serde_json::to_string(&topics).unwrap()
}

fn scores(qrels: &Qrels, metrics: &[Metric], text: String) -> Option<Vec<Vec<Option<f64>>>> {
    let source = Source::from_bytes("run", text);
    let scores = Evaluation::new(qrels, metrics).run(&source, &mut Warnings::default()).ok()?;
    Some((0..metrics.len()).map(|column| scores.column(column).collect()).collect())
}

/// Sorted the plain way, by score and then by document id, both descending.
fn naive(qrels: &Rows, run: &Rows, metrics: &[Metric]) -> Vec<Vec<Option<f64>>> {
    let mut topics: Vec<u8> = qrels.iter().map(|r| r.0).collect();
    topics.sort_by_key(|t| topic_id(*t));
    topics.dedup();
    let highest = f64::from(qrels.iter().map(|r| r.2).max().unwrap_or(0)).max(1.0);
    metrics
        .iter()
        .map(|metric| {
            topics
                .iter()
                .map(|topic| {
                    let grades: BTreeMap<u16, f64> = qrels
                        .iter()
                        .filter(|r| r.0 == *topic)
                        .map(|r| (r.1, f64::from(r.2)))
                        .collect();
                    let mut ranking: Vec<(i32, String, u16)> = run
                        .iter()
                        .filter(|r| r.0 == *topic)
                        .map(|r| (r.2, doc_id(r.1), r.1))
                        .collect();
                    ranking.sort();
                    ranking.reverse();
                    let ranked: Vec<Option<f64>> =
                        ranking.iter().map(|r| grades.get(&r.2).copied()).collect();
                    let seen: Vec<u16> = ranking.iter().map(|r| r.2).collect();
                    let rest: Vec<f64> = grades
                        .iter()
                        .filter(|(doc, _)| !seen.contains(doc))
                        .map(|(_, g)| *g)
                        .collect();
                    match metric
                        .score(&OwnedTopic::new(&ranked, &rest).with_max_grade(highest).view())
                    {
                        Score::Value(x) => Some(x),
                        Score::Undefined(_) => None,
                    }
                })
                .collect()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_path_is_the_plain_ranking(judged in rows(-1..4, 120), run in rows(-50..50, 200), coarse in 1..20, hand in 0..HANDS, all_judged in any::<bool>()) {
        // Many ties, or few.
        let run: Rows = run.into_iter().map(|(topic, doc, score)| (topic, doc, score / coarse)).collect();
        let names = if all_judged { "nDCG@5 AP RR@3 P@4 Bpref infAP Judged@5 RBP ERR@10" } else { "nDCG@5 AP RR@3 P@4 R@7 RBP ERR@10 Q" };
        let metrics = parse_list(names).unwrap();
        let text: String = judged.iter().map(|(topic, doc, grade)| format!("{} 0 {} {grade}\n", topic_id(*topic), doc_id(*doc))).collect();
        let options = QrelsOptions { positive_only: !all_judged, ..QrelsOptions::default() };
        let scattered = read_qrels(&Source::from_bytes("qrels", text.clone()), options, &mut Warnings::default()).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        let grouped = read_qrels(&Source::from_bytes("qrels", lines.join("\n")), options, &mut Warnings::default()).unwrap();

        // Grouped by topic, with documents in any order; sorted by score as well; and in no order
        // at all.
        let mut by_topic = run.clone();
        by_topic.sort_by_key(|r| r.0);
        let mut by_score = by_topic.clone();
        by_score.sort_by_key(|r| (r.0, -r.2));
        let expected = naive(&judged, &run, &metrics);
        let in_common = run.iter().any(|r| judged.iter().any(|j| j.0 == r.0));
        // Sorted but for one line.
        let mut risen = by_score.clone();
        let last = risen.len() - 1;
        risen.swap(last / 2, last);
        risen.sort_by_key(|r| r.0);
        for qrels in [&scattered, &grouped] {
            for text in [written(&run, hand), written(&by_topic, hand), written(&by_score, hand), written(&risen, hand), json(&run)] {
                let found = scores(qrels, &metrics, text);
                prop_assert_eq!(found.is_some(), in_common);
                if let Some(found) = found {
                    prop_assert_eq!(&found, &expected);
                }
            }
        }
    }

    #[test]
    fn a_document_that_stands_twice_is_found_on_every_path(run in rows(0..9, 60), again in any::<prop::sample::Index>(), place in any::<prop::sample::Index>()) {
        let mut run = run;
        let (topic, doc, score) = run[again.index(run.len())];
        let place = place.index(run.len() + 1);
        run.insert(place, (topic, doc, score - 1));
        let qrels = format!("{} 0 {} 1\nt9 0 x 1\n", topic_id(topic), doc_id(doc));
        let qrels = read_qrels(&Source::from_bytes("qrels", qrels), QrelsOptions::default(), &mut Warnings::default()).unwrap();
        let metrics = parse_list("AP").unwrap();
        let mut grouped = run.clone();
        grouped.sort_by_key(|r| r.0);
        for (rows, noted) in [(&run, false), (&run, true), (&grouped, false), (&grouped, true)] {
            // Comments between the lines make their numbers others than those of the rows.
            let remark = |row: usize| noted && row % 7 == 3;
            let text: String = trec(rows).lines().enumerate().map(|(i, line)| format!("{}{line}\n", if remark(i) { "# no row\n" } else { "" })).collect();
            let line = |row: usize| row + 1 + (0..=row).filter(|i| remark(*i)).count();
            let found: Vec<usize> = (0..rows.len()).filter(|i| (rows[*i].0, rows[*i].1) == (topic, doc)).map(line).collect();
            let said = (format!("run:{}:", found[1]), format!("(first on line {})", found[0]));
            let error = Evaluation::new(&qrels, &metrics).run(&Source::from_bytes("run", text.clone()), &mut Warnings::default());
            let error = error.unwrap_err().to_string();
            prop_assert!(error.contains(&said.0) && error.contains(&said.1) && error.contains(" twice (first on line "), "{}", error);
            let judged: String = text.lines().map(|line| line.replace(" Q0 ", " 0 ").replace(" x", "") + "\n").collect();
            let judged = judged.replace(" 1 ", " ");
            for positive_only in [false, true] {
                let options = QrelsOptions { positive_only, ..QrelsOptions::default() };
                let error = read_qrels(&Source::from_bytes("run", judged.clone()), options, &mut Warnings::default()).unwrap_err().to_string();
                prop_assert!(error.contains(&said.0) && error.contains(&said.1) && error.contains("judged twice"), "{}", error);
            }
        }
    }
}

/// Scores are compared as text where lines look alike, and what is no number must not pass for one.
#[test]
fn a_score_that_nearly_looks_like_those_before_is_an_error() {
    let qrels = read_qrels(
        &Source::from_bytes("qrels", "1 0 a 1\n"),
        QrelsOptions::default(),
        &mut Warnings::default(),
    )
    .unwrap();
    let metrics = parse_list("AP").unwrap();
    for bad in ["2/30", "2-30", "x.30", "2.3x", "2.:0", "2./0", "-.-0", "2.3\u{7f}"] {
        let text = format!("1 Q0 a 1 2.50 x\n1 Q0 b 2 2.40 x\n1 Q0 c 3 {bad} x\n1 Q0 d 4 2.20 x\n");
        let error = Evaluation::new(&qrels, &metrics)
            .run(&Source::from_bytes("run", text), &mut Warnings::default())
            .unwrap_err();
        assert!(error.to_string().starts_with("run:3:10: "), "{bad}: {error}");
    }
}

/// Where a field is empty, the fields behind it must not be taken for it.
#[test]
fn a_line_that_lacks_a_field_is_an_error_wherever_it_stands() {
    let qrels = read_qrels(
        &Source::from_bytes("qrels", "1 0 a 1\n"),
        QrelsOptions::default(),
        &mut Warnings::default(),
    )
    .unwrap();
    let metrics = parse_list("AP").unwrap();
    let usual = |i: usize| format!("1 Q0 doc{i} {i} {:.2} x", 9.0 - i as f64 / 10.0);
    for before in 1..5 {
        for (form, bad) in [8.05, 8.2, 7.0].into_iter().flat_map(|score| {
            ["1 Q0 doc ", "1 Q0  9"].map(|head| (score, format!("{head} {score:.2} x")))
        }) {
            let text: Vec<String> =
                (1..=before).map(usual).chain([bad]).chain((before + 1..9).map(usual)).collect();
            let error = Evaluation::new(&qrels, &metrics)
                .run(&Source::from_bytes("run", text.join("\n")), &mut Warnings::default())
                .unwrap_err();
            assert!(
                error.to_string().starts_with(&format!("run:{}:", before + 1)),
                "{before} {form}: {error}"
            );
        }
    }
}

/// White space separates fields; other control characters are an error, also where they stand in
/// place of a blank.
#[test]
fn a_control_character_is_no_blank() {
    let judged = "1 0 a 1\n1 0 b 1\n1 0 c\u{1}1\n";
    for positive_only in [false, true] {
        let options = QrelsOptions { positive_only, ..QrelsOptions::default() };
        let error =
            read_qrels(&Source::from_bytes("qrels", judged), options, &mut Warnings::default())
                .unwrap_err();
        assert!(error.to_string().starts_with("qrels:3:"), "{error}");
    }
    let qrels = read_qrels(
        &Source::from_bytes("qrels", "1 0 a 1\n"),
        QrelsOptions::default(),
        &mut Warnings::default(),
    )
    .unwrap();
    for bad in ["c\u{1}3 2.30 x", "c 3\u{1}2.30 x", "c 3 2.30\u{1}x"] {
        let text = format!("1 Q0 a 1 2.50 x\n1 Q0 b 2 2.40 x\n1 Q0 {bad}\n1 Q0 d 4 2.20 x\n");
        let metrics = parse_list("AP").unwrap();
        let error = Evaluation::new(&qrels, &metrics)
            .run(&Source::from_bytes("run", text), &mut Warnings::default())
            .unwrap_err();
        assert!(error.to_string().starts_with("run:3:"), "{bad:?}: {error}");
    }
    // Nobody reads tags.
    let tagged = Source::from_bytes("run", "1 Q0 a 1 2.50 x\u{1}\n1  Q0 b 2 2.40 x\u{1} y\n");
    assert!(
        Evaluation::new(&qrels, &parse_list("AP").unwrap())
            .run(&tagged, &mut Warnings::default())
            .is_ok()
    );
}

#[test]
fn pieces_of_a_large_file_make_the_same_whole() {
    let mut text = String::new();
    for topic in 0..400 {
        for doc in 0..600 {
            text.push_str(&format!(
                "t{topic} Q0 document-{:05} {doc} {:.3} a-long-tag-of-a-run\n",
                (doc * 7919 + topic) % 10_000,
                100.0 - f64::from(doc) / 8.0
            ));
        }
    }
    let judged: String = (0..400)
        .flat_map(|t| {
            (0..40).map(move |d| {
                format!("t{t} 0 document-{:05} {}\n", (d * 97 * 7919 + t) % 10_000, d % 3)
            })
        })
        .collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &text).unwrap();
    let qrels = read_qrels(
        &Source::from_bytes("qrels", judged),
        QrelsOptions { lenient: true, ..QrelsOptions::default() },
        &mut Warnings::default(),
    )
    .unwrap();
    let metrics = parse_list("nDCG@10 AP RR P@10 R@100 Bpref").unwrap();
    let source = Source::open(file.path()).unwrap();
    let mut all = Vec::new();
    for threads in [1, 2, 3, 8] {
        let mut evaluation = Evaluation::new(&qrels, &metrics);
        evaluation.work = axiometrics::work::Work::alone().with_threads(threads);
        let scores = evaluation.run(&source, &mut Warnings::default()).unwrap();
        let columns: Vec<Vec<Option<f64>>> =
            (0..metrics.len()).map(|c| scores.column(c).collect()).collect();
        all.push((scores.topics().clone(), columns));
    }
    assert!(text.len() > 9 << 20, "{} bytes are one piece", text.len());
    assert!(all.windows(2).all(|w| w[0] == w[1]));
}
