//! One input, one result: whatever the path through the reader, the limits under which it reads and
//! the number of threads, the scores, the warnings and the errors are the same.

use std::io::Write;

use axiometrics::data::Qrels;
use axiometrics::io::{Limits, QrelsOptions, RunOptions, Source, read_qrels, read_run};
use axiometrics::measure::{Metric, parse_list};
use axiometrics::score::Evaluation;
use axiometrics::warning::Warnings;
use proptest::prelude::*;

/// A line of a run, usual or not.
#[derive(Debug, Clone)]
enum Line {
    Row { topic: u8, doc: u16, score: i32, hand: u8 },
    Odd(u8),
}

fn lines(most: usize) -> impl Strategy<Value = Vec<Line>> {
    let row = (0u8..7, 0u16..400, -40i32..40, 0u8..12)
        .prop_map(|(topic, doc, score, hand)| Line::Row { topic, doc, score, hand });
    let odd = (0u8..ODD.len() as u8).prop_map(Line::Odd);
    // Mostly one way of writing, as in real files.
    (proptest::collection::vec(prop_oneof![60 => row, 1 => odd], 1..most), 0u8..14, any::<bool>())
        .prop_map(|(mut lines, common, grouped)| {
            for line in &mut lines {
                if let Line::Row { hand, .. } = line
                    && common < 12
                    && *hand > 0
                {
                    *hand = common;
                }
            }
            if grouped {
                lines.sort_by_key(
                    |line| if let Line::Row { topic, .. } = line { *topic } else { 3 },
                );
            }
            lines
        })
}

/// What is no usual line: comments, blanks, and what is wrong in all ways that we know.
const ODD: [&str; 14] = [
    "# a comment",
    "",
    "  \t ",
    "t1 Q0 d1 1",
    "t1 Q0 d2 1 high x",
    "t2 Q0 d3 1 nan x",
    "t3 Q0 d4 1 inf x",
    "t1 Q0 d5 1 2.5 x\rt1 Q0 d6 2 2.4 x",
    "t1 Q0 d7 1 2.5\r1",
    "t4 Q0 d\u{1}8 1 2.5 x",
    "\u{feff}",
    "\u{feff}# a comment",
    "t5 Q0 d9 1 2.5 x\r\r",
    "nonsense",
];

fn text(lines: &[Line]) -> String {
    let line = |(i, line): (usize, &Line)| match line {
        Line::Odd(odd) => format!("{}\n", ODD[usize::from(*odd)]),
        Line::Row { topic, doc, score, hand } => {
            // Ids of several lengths, among them longer than the reader has in sight.
            let topic =
                format!("t{topic}{}", "-".repeat([0, 0, 0, 9, 70][usize::from(*topic % 5)]));
            let doc = format!("d{doc}{}", "x".repeat([0, 0, 0, 0, 9, 61][usize::from(*doc % 6)]));
            let score = f64::from(*score) / 4.0;
            match hand {
                0 | 1 => format!("{topic} Q0 {doc} {i} {score:.2} tag\n"),
                2 => format!("{topic} Q0 {doc} {i} {score:.2} tag\r\n"),
                3 => format!("{topic}\tQ0\t{doc}\t{i}\t{score:.6}\ta tag of words\n"),
                4 => format!("{topic} {} {doc} {i} {score:.2} tag\n", i % 3),
                5 => format!("\u{feff}{topic} Q0 {doc} {i} {score:.2} tag\n"),
                6 => format!("{topic}\u{b}Q0 {doc}\u{c}{i} {score} tag\n"),
                7 => format!("  {topic} Q0 {doc} {i}  {score:e}\n"),
                8 => format!("{topic} Q0 {doc} {i} {score:.2}\n"),
                9 => format!("{topic} Q0 {doc} {i} {score:.13} {}\n", "long-tag-".repeat(9)),
                10 => format!("{topic} Q0 {doc} {i} {} tag\n", -0.0 * score),
                _ => format!("{topic} Q0 {doc} {i} {:.3} tag\n", 1e6 + score),
            }
        }
    };
    lines.iter().enumerate().map(line).collect()
}

/// Scores, bit for bit, and warnings; or the error.
type Outcome = Result<(Vec<(String, Vec<Option<u64>>)>, Vec<String>), String>;

fn outcome(evaluation: &Evaluation<'_>, source: &Source, in_memory: bool) -> Outcome {
    let mut warnings = Warnings::default();
    let scores = if in_memory {
        let options = RunOptions { lenient: evaluation.lenient, ..RunOptions::default() };
        read_run(source, options, &mut warnings)
            .and_then(|run| evaluation.score(&run, &mut warnings))
    } else {
        evaluation.run(source, &mut warnings)
    };
    let scores = scores.map_err(|e| e.to_string())?;
    let row = |row: usize| {
        let bits = |column| scores.value(row, column).map(f64::to_bits);
        (scores.topic(row).into_owned(), (0..evaluation.metrics.len()).map(bits).collect())
    };
    let told = warnings.list().into_iter().map(|w| w.message).collect();
    Ok(((0..scores.len()).map(row).collect(), told))
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(text).unwrap();
    gz.finish().unwrap()
}

/// The same text read in every way.
fn ways(text: &str, limits: Limits) -> Vec<(String, Source)> {
    let mut tiny = limits;
    (tiny.window, tiny.largest_in_memory) = (4, 100);
    let mut all = Vec::new();
    for (name, limits) in [("usual", Limits::default()), ("small", limits), ("tiny", tiny)] {
        let bytes = text.as_bytes();
        let in_memory = Source::from_bytes("run", bytes);
        all.push((format!("{name} limits, in memory"), in_memory.with_limits(limits)));
        let in_file = Source::spool("run", &mut &*bytes).unwrap();
        all.push((format!("{name} limits, in a file"), in_file.with_limits(limits)));
        let compressed = Source::from_bytes("run", gzip(bytes));
        all.push((format!("{name} limits, compressed"), compressed.with_limits(limits)));
    }
    all
}

fn check(qrels: &Qrels, metrics: &[Metric], text: &str, limits: Limits, lenient: bool) {
    let mut evaluation = Evaluation::new(qrels, metrics);
    evaluation.lenient = lenient;
    let expected = outcome(&evaluation, &Source::from_bytes("run", text), true);
    for (way, source) in ways(text, limits) {
        let found = outcome(&evaluation, &source, true);
        assert_eq!(found, expected, "{way}, lenient {lenient}, as a run\n{text}");
        for threads in [1, 2, 5] {
            evaluation.work = axiometrics::work::Work::alone().with_threads(threads);
            let found = outcome(&evaluation, &source, false);
            assert_eq!(found, expected, "{way}, lenient {lenient}, {threads} threads\n{text}");
        }
    }
}

fn judged() -> Qrels {
    let mut qrels = Qrels::builder();
    for topic in ["t0", "t1", "t2", "t3---------", "t5", "t6"] {
        qrels.extend((0..40).map(|i| (topic, format!("d{}", i * 6), f64::from(i % 4 - 1))));
    }
    qrels.build().unwrap()
}

/// A file that is grouped by topic is read in pieces to its end, though documents come again in it.
#[test]
fn repeated_documents_of_a_grouped_file_are_counted_on_every_path() {
    let line = |n: u32| {
        // In every topic, and so in every piece, the last document is the first one again.
        let (topic, rank) = (n / 20, n % 20);
        let doc = rank % 19;
        format!("t{topic} Q0 d{} {rank} {} tag\n", 6 * doc, 40 - rank)
    };
    let text: String = (0..240).map(line).collect();
    let metrics = parse_list("nDCG@5 AP Bpref").unwrap();
    let mut limits = Limits::default();
    (limits.window, limits.smallest_for_threads, limits.smallest_piece) = (150, 1, 400);
    for lenient in [true, false] {
        check(&judged(), &metrics, &text, limits, lenient);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_path_has_one_result(lines in lines(300), window in 4usize..200, piece in 1u64..400) {
        let metrics = parse_list("nDCG@5 AP Bpref").unwrap();
        let mut limits = Limits::default();
        (limits.window, limits.smallest_for_threads, limits.smallest_piece) = (window, piece, piece);
        limits.largest_in_memory = 2000;
        let text = text(&lines);
        for lenient in [false, true] {
            check(&judged(), &metrics, &text, limits, lenient);
        }
    }
}

/// The paths are those that the limits ask for: a file that threads share is read in pieces, and a
/// scattered one in parts, so that the test above tests what it says.
#[test]
fn errors_are_those_of_the_earliest_line() {
    let metrics = parse_list("AP").unwrap();
    let qrels = judged();
    let mut limits = Limits::default();
    (limits.smallest_for_threads, limits.smallest_piece, limits.largest_in_memory) = (1, 1, 100);
    // A repeated document in line 3, another one in line 6, a line that is none behind them.
    let repeated = "t0 Q0 a 1 9 x\nt1 Q0 b 1 8 x\nt1 Q0 b 2 7 x\nt0 Q0 c 2 6 x\nt2 Q0 d 1 5 x\nt0 Q0 a 3 4 x\n";
    let broken = format!("{repeated}t2 Q0 e 2\n");
    for (text, expected) in
        [(repeated, "run:3: document \"b\" is in topic t1 twice"), (&broken, "run:7:")]
    {
        check(&qrels, &metrics, text, limits, false);
        let evaluation = Evaluation::new(&qrels, &metrics);
        let error = outcome(&evaluation, &Source::from_bytes("run", text), false).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
}

/// Files with byte order marks, one behind the other: the marks are no part of a topic.
#[test]
fn byte_order_marks_are_passed_over_on_every_line() {
    let qrels = Qrels::from_columns(&["1", "2"], &["a", "a"], &[1.0, 1.0]).unwrap();
    let metrics = parse_list("AP").unwrap();
    let text = "\u{feff}1 Q0 a 1 9 x\n1 Q0 b 2 8 x\n\u{feff}2 Q0 b 1 9 x\n2 Q0 a 2 8 x\n";
    let mut limits = Limits::default();
    (limits.smallest_for_threads, limits.smallest_piece) = (1, 1);
    check(&qrels, &metrics, text, limits, false);
    let evaluation = Evaluation::new(&qrels, &metrics);
    let scores = evaluation.run(&Source::from_bytes("run", text), &mut Warnings::default());
    assert_eq!(scores.unwrap().column(0).collect::<Vec<_>>(), [Some(1.0), Some(0.5)]);
    let marked = Source::from_bytes("q", "\u{feff}1 0 a 1\n\u{feff}2 0 a 1\n");
    for positive_only in [false, true] {
        let options = QrelsOptions { positive_only, ..QrelsOptions::default() };
        let qrels = read_qrels(&marked, options, &mut Warnings::default()).unwrap();
        assert_eq!(
            qrels.topics().iter().map(|t| qrels.topic_name(*t)).collect::<Vec<_>>(),
            ["1", "2"]
        );
    }
}

/// A file whose lines end in carriage returns alone is refused with the reason.
#[test]
fn lines_that_end_in_carriage_returns_alone() {
    let qrels = Qrels::from_columns(&["1"], &["a"], &[1.0]).unwrap();
    let metrics = parse_list("AP").unwrap();
    for text in [
        "1 Q0 a 1 9 x\r1 Q0 b 2 8 x\r",
        "1 Q0 a 1 9\r1 Q0 b 2 8\r",
        "1 Q0 b 1 9 x\n1 Q0 a 2 8 x\r1 Q0 c 3 7 x\n",
        "1 Q0 b 1 9 x\n1 Q0 c 2 8 x\n1 Q0 a 3 7\r1\n1 Q0 d 4 6 x\n",
        "# made by hand\r1 Q0 a 1 9 x\r",
    ] {
        let evaluation = Evaluation::new(&qrels, &metrics);
        let error = outcome(&evaluation, &Source::from_bytes("run", text), false).unwrap_err();
        assert!(error.contains("carriage return"), "{text:?}: {error}");
    }
    for text in ["1 0 a 1\r1 0 b 0\r", "1 0 a 1\n1 0 b 0\r1 0 c 1\n"] {
        for positive_only in [false, true] {
            let options = QrelsOptions { positive_only, ..QrelsOptions::default() };
            let source = Source::from_bytes("q", text);
            let error = read_qrels(&source, options, &mut Warnings::default()).unwrap_err();
            assert!(error.to_string().contains("carriage return"), "{text:?}: {error}");
        }
    }
}
