//! Hostile inputs: each target takes any bytes, and panics only if something is wrong with us.
//!
//! Owns: what is fed with the bytes, and what must hold of the result. Does not own: where the bytes
//! come from, which is cargo-fuzz's coverage-guided search, or the seeded mutations of `main.rs`.

use std::io::Write;

use axiometrics::component::Component;
use axiometrics::data::organization::DocumentCatalogue;
use axiometrics::data::{OwnedTopic, Qrels};
use axiometrics::io::{
    Content, Limits, QrelsOptions, RunOptions, Source, detect, organization, preferences,
    read_qrels, read_run, write_run, zscores,
};
use axiometrics::measure::{Metric, parse_list};
use axiometrics::score::Evaluation;
use axiometrics::score::ranges::{Ranger, Vary};
use axiometrics::warning::Warnings;
use axiometrics::work::Work;

/// A target: what it is called, what it does, and words that its inputs are made of.
pub struct Target {
    /// The name, also of its corpus.
    pub name: &'static str,
    /// Panics if something is wrong.
    pub run: fn(&[u8]),
    /// Pieces that mutations insert.
    pub words: &'static [&'static str],
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target { name: "run", run, words: LINES },
    Target { name: "qrels", run: qrels, words: LINES },
    Target { name: "organization", run: organization, words: LINES },
    Target { name: "records", run: records, words: LINES },
    Target { name: "compressed", run: compressed, words: &["\u{1f}", "(", "BZh9", "M"] },
    Target { name: "parquet", run: parquet, words: &["PAR1", "\u{15}", "\u{0}", "\u{7f}"] },
    Target { name: "paths", run: paths, words: LINES },
    Target { name: "measures", run: measures, words: MEASURES },
    Target { name: "expressions", run: expressions, words: EXPRESSIONS },
    Target { name: "components", run: components, words: EXPRESSIONS },
    Target { name: "trec_eval", run: trec_eval, words: TREC_EVAL },
];

const LINES: &[&str] = &[
    "\n", "\r\n", "\r", "\t", " ", "\u{b}", "\u{feff}", "#", "1", "0", "-1", "1e999", "nan", "0.5",
    "Q0", "t1", "d1", "\"", "{", "}", "[", "]", ",", ":", "null", "true", "\\u0000", "\u{0}",
    "topic", "doc", "grade", "query_id", "doc_id", "score", "cluster", "level",
];
const MEASURES: &[&str] = &[
    "nDCG",
    "AP",
    "RBP",
    "@",
    "@10",
    "@4294967295",
    "(",
    ")",
    "p=0.8",
    "rel=",
    "=",
    ",",
    "'",
    "{",
    "}",
    ":",
    "gains={0:1}",
    "P.5,10",
    "ndcg_cut_10",
    "map@100-l2",
    "CWL(c='",
    "1e308",
    "-0",
    " ",
    "judged_only=true",
    "Q(beta=",
    "IPrec@0.5",
];
const TREC_EVAL: &[&str] = &[
    "map",
    "P.5,10",
    "ndcg_cut.",
    "rbp.p=0.8",
    "set_F.",
    "iprec_at_recall.0.5",
    "utility.1,-1,0,0",
    "ndcg.1=2,2=7",
    "official",
    "all_trec",
    "relstring.",
    ",",
    "=",
    ".",
    " ",
    "1e308",
    "-1",
    "nan",
    "99999999999",
    "0",
    "Rprec_mult.",
    "success.1",
    "rbp.1=0.5,p=0.9",
    "11pt_avg.",
    "prefs",
];
const EXPRESSIONS: &[&str] = &[
    "i",
    "g",
    "G",
    "k",
    "+",
    "-",
    "*",
    "/",
    "^",
    "(",
    ")",
    "<",
    "<=",
    "==",
    "and",
    "or",
    "not ",
    "if(",
    "min(",
    "sum(x in D",
    " where ",
    " : ",
    "pos(x)",
    "gain(x)",
    "1e308",
    "0",
    "'R'",
    "log2(",
    "exists(x in Rel)",
    "name = ",
    "[metric]\n",
    "score = \"",
    "\"\n",
    "term = ",
];

/// A file as a run: recognised, read strictly and leniently; what was read is written and read back.
pub fn run(data: &[u8]) {
    let source = Source::from_bytes("run", data);
    for lenient in [false, true] {
        let options = RunOptions { lenient, ..RunOptions::default() };
        let Ok(run) = read_run(&source, options, &mut Warnings::default()) else { continue };
        let mut text = Vec::new();
        if write_run(&run, axiometrics::io::Format::Json, "tag", &mut text).is_err() {
            continue;
        }
        let again = Source::from_bytes("again", text);
        let read = read_run(&again, RunOptions::default(), &mut Warnings::default());
        assert!(read.is_ok_and(|read| read.len() == run.len()), "what is written is read back");
    }
}

/// A file as judgements, by every facet and in both passes.
pub fn qrels(data: &[u8]) {
    let source = Source::from_bytes("qrels", data);
    for positive_only in [false, true] {
        for lenient in [false, true] {
            let options = QrelsOptions { lenient, positive_only, ..QrelsOptions::default() };
            let _ = read_qrels(&source, options, &mut Warnings::default());
        }
    }
    let _ = detect(&source, Content::Qrels);
}

/// A file as clusterings, filterings and rankings with levels.
pub fn organization(data: &[u8]) {
    let source = Source::from_bytes("organization", data);
    let options = organization::ReadOptions::default();
    let _ = organization::read(&source, &options, &mut DocumentCatalogue::default());
}

/// A file as preferences and as z-scores.
pub fn records(data: &[u8]) {
    let _ = preferences::read(data, "preferences");
    let _ = zscores::read(data, "zscores");
}

/// Bytes that begin as each kind of compressed file does.
pub fn compressed(data: &[u8]) {
    let magics: [&[u8]; 5] =
        [b"", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"BZh91AY&SY"];
    let [first, rest @ ..] = data else { return };
    let magic = magics[usize::from(*first) % magics.len()];
    let source = Source::from_bytes("run", [magic, rest].concat());
    let _ = read_run(&source, RunOptions::default(), &mut Warnings::default());
}

/// A Parquet file as a run and as judgements. The first four bytes say which of the others are
/// left out of its pages, so that the file still ends as it should.
pub fn parquet(data: &[u8]) {
    let Some(([a, b, cut, zeros], file)) = data.split_first_chunk() else { return };
    let at = 4 + usize::from(u16::from_le_bytes([*a, *b])) % file.len().max(1);
    let mut file = file.to_vec();
    // As many zeros take the place of the bytes, so that nothing else moves.
    let end = (at + usize::from(*cut)).min(file.len());
    if at < end {
        file[at..end].rotate_left(usize::from(*zeros) % (end - at));
        file[end - usize::from(*zeros) % (end - at)..end].fill(0);
    }
    let Ok(source) = axiometrics_arrow::from_bytes("run", file) else { return };
    let _ = read_run(&source, RunOptions::default(), &mut Warnings::default());
    let _ = read_qrels(&source, QrelsOptions::default(), &mut Warnings::default());
}

/// What comes of a run: scores, bit for bit, and warnings; or the error.
type Outcome = Result<(Vec<(String, Option<u64>)>, Vec<String>), String>;

fn outcome(evaluation: &Evaluation<'_>, source: &Source, whole: bool) -> Outcome {
    let mut warnings = Warnings::default();
    let scores = if whole {
        let options = RunOptions { lenient: evaluation.lenient, ..RunOptions::default() };
        read_run(source, options, &mut warnings)
            .and_then(|run| evaluation.score(&run, &mut warnings))
    } else {
        evaluation.run(source, &mut warnings)
    };
    let scores = scores.map_err(|e| e.to_string())?;
    let row = |row: usize| (scores.topic(row).into_owned(), scores.value(row, 0).map(f64::to_bits));
    let told = warnings.list().into_iter().map(|w| w.message).collect();
    Ok(((0..scores.len()).map(row).collect(), told))
}

/// One text, every path: in memory, in a file and compressed, whole or topic by topic, under small
/// limits and on several threads; the scores, the warnings and the errors are the same.
pub fn paths(data: &[u8]) {
    let [window, piece, text @ ..] = data else { return };
    let mut limits = Limits::default();
    limits.window = 4 + usize::from(*window);
    limits.smallest_for_threads = 1 + u64::from(*piece);
    limits.smallest_piece = 1 + u64::from(*piece);
    limits.largest_in_memory = 300;
    let topics: Vec<String> = (0..40).map(|i| format!("t{}", i / 8)).collect();
    let documents: Vec<String> = (0..40).map(|i| format!("d{}", i % 8)).collect();
    let grades: Vec<f64> = (0..40).map(|i| f64::from(i % 3)).collect();
    let Ok(judged) = Qrels::from_columns(&topics, &documents, &grades) else { return };
    let Ok(metrics) = parse_list("nDCG") else { return };
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let Ok(packed) = gz.write_all(text).and_then(|()| gz.finish()) else { return };
    let Ok(spooled) = Source::spool("run", &mut &*text) else { return };
    let ways = [
        Source::from_bytes("run", text).with_limits(limits),
        spooled.with_limits(limits),
        Source::from_bytes("run", packed).with_limits(limits),
    ];
    // A text that is taken for a compressed file is not one when it is compressed once more.
    if ways[0].is_compressed() {
        return;
    }
    let mut evaluation = Evaluation::new(&judged, &metrics);
    for lenient in [false, true] {
        evaluation.lenient = lenient;
        evaluation.work = Work::alone();
        let expected = outcome(&evaluation, &Source::from_bytes("run", text), true);
        for source in &ways {
            assert_eq!(outcome(&evaluation, source, true), expected);
            for threads in [1, 3] {
                evaluation.work = Work::alone().with_threads(threads);
                assert_eq!(outcome(&evaluation, source, false), expected);
            }
        }
    }
}

/// Small topics that every measure is asked about.
fn topics() -> [OwnedTopic; 2] {
    [
        OwnedTopic::new(&[Some(1.0), None, Some(0.0), Some(2.0)], &[1.0, 0.0]),
        OwnedTopic::new(&[None], &[]),
    ]
}

/// The score of a metric, and its range, which holds it unless unjudged documents change more.
fn measured(metric: &Metric) {
    for topic in topics() {
        let score = metric.score(&topic.view()).value();
        assert!(score.is_none_or(|score| !score.is_nan()), "{metric}: not a number");
        if let Ok(range) = Ranger::new(metric).range(&topic.view(), Vary::default()) {
            assert!(range.low <= range.high, "{metric}: {range:?}");
        }
    }
}

/// A text as a list of measures: each prints as what parses to it again.
pub fn measures(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(metrics) = parse_list(text) else { return };
    for metric in metrics.iter().take(8) {
        let printed = metric.to_string();
        let again = printed.parse::<Metric>();
        assert!(again.is_ok_and(|again| again.to_string() == printed), "{printed}");
        measured(metric);
    }
}

/// A text as an expression of a reader, in a measure.
///
/// The sum over a list without end asks a reader who hardly tires at up to a million ranks, so most
/// readers get a list of a hundred; one in sixteen, by the length of the text, reads on for ever.
pub fn expressions(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if text.contains('\'') {
        return;
    }
    let end = if text.len() % 16 == 5 { "" } else { "@100" };
    if let Ok(metric) = format!("CWL(c='{text}'){end}").parse::<Metric>() {
        measured(&metric);
    }
}

/// Words as the measures of trec_eval that its drop-in is asked for.
pub fn trec_eval(data: &[u8]) {
    use axiometrics::trec_eval::{Evaluator, TrecSettings};
    let Ok(text) = std::str::from_utf8(data) else { return };
    let words: Vec<&str> = text.split_whitespace().collect();
    let Ok(evaluator) = Evaluator::named(&words, TrecSettings::default()) else { return };
    let judged = Qrels::from_columns(&["1", "1", "1"], &["a", "b", "c"], &[2.0, 0.0, 1.0]);
    let run = read_run(
        &Source::from_bytes("run", "1 Q0 a 1 2 x\n1 Q0 d 2 1 x\n1 Q0 b 3 1 x\n"),
        RunOptions::default(),
        &mut Warnings::default(),
    );
    if let (Ok(judged), Ok(run)) = (judged, run) {
        assert!(evaluator.score(&judged, &run).is_ok(), "{text}");
    }
}

/// A text as the file of a metric.
pub fn components(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = Component::parse("metric.toml", text);
}
