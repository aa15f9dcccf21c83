//! What is said about input that is wrong, word for word.

use std::io::Write;

use super::*;

fn run_error(text: &str) -> String {
    run(text).map_or_else(|e| e.to_string(), |rows| format!("read {rows:?}"))
}

fn qrels_error(text: &str) -> String {
    qrels(text, QrelsOptions::default()).map_or_else(|e| e.to_string(), |(q, _)| format!("read {:?}", judgements(&q)))
}

fn table(inputs: &[&str], said: fn(&str) -> String) -> String {
    inputs.iter().map(|text| format!("{text:?}\n  {}\n", said(text).replace('\n', "\n  "))).collect()
}

#[test]
fn bad_runs() {
    let inputs = [
        "",
        "\n# only a comment\n",
        "1 Q0 a 1\n",
        "1 Q0 a 1 2.5 x\n1 Q0 b 2 high x\n",
        "1 Q0 a 1 NaN x\n",
        "1 Q0 a\0 1 2.5 x\n",
        "{\"1\": {\"a\": 1.5,\n \"b\": oops}}",
        "{\"1\": {\"a\": 1.5,\n \"b\": \"high\"}}",
        "{\"1\": {\"a\": 1.5, \"b\": NaN}}",
        "{\"1\": {\"a\": null}}",
        "{\"1\": {\"a\": [1]}}",
        "{\"1\": {\"a\": 1.5}, \"2\": 7}",
        "{\"1\": {\"a\": 1.5}} {}",
        "{\"1\": {\"a\": 1.5",
        "{\"\": {\"a\": 1.5}}",
        "[{\"qid\": 1, \"docno\": \"a\"}]",
        "{\"qid\": 1, \"docno\": \"a\", \"score\": 1}\n{\"qid\": 1}\n",
        "{\"qid\": 1, \"docno\": \"a\", \"score\": \"NaN\"}\n",
        "{\"qid\": 1, \"docno\": {}, \"score\": 1}\n",
        "{\"qid\": 1, \"docno\": \"a\", \"score\": 1}\n\n{\"qid\": 1,\n",
        "qid,docno,label\n1,a,2\n",
        "qid,docno,score\n1,a,2\n1,b\n",
        "qid,docno,score\n1,a,2\n1,b,high\n",
        "qid,docno,score\n1,,2\n",
        "qid,docno,rank\n1,a,first\n",
        "1\ta\t1\n1\tb\t0\n",
        "1\ta\t1\n1\tb\n",
        "PK\u{3}\u{4}rest",
    ];
    insta::assert_snapshot!(table(&inputs, run_error), @"");
}

#[test]
fn bad_judgements() {
    let inputs = [
        "1 0 a\n",
        "1 0 a one\n",
        "1 0 a inf\n",
        "1 0 a nan\n",
        "1 0 a 1\n1 0 b 1\n1 0 a 0\n",
        "{\"1\": {\"a\": 1, \"b\": 0, \"a\": 1}}",
        "{}",
        "qid,docno,label\n1,a,inf\n",
        "query-id\tcorpus-id\tscore\n1\ta\tx\n",
        "qid,docno,rank\n1,a,1\n",
    ];
    insta::assert_snapshot!(table(&inputs, qrels_error), @"");
}

#[test]
fn facets_that_are_not_there() {
    let said = |text: &str| {
        let options = QrelsOptions { facet: Facet::Stratum, ..Default::default() };
        qrels(text, options).map_or_else(|e| e.to_string(), |(q, _)| format!("read {:?}", judgements(&q)))
    };
    insta::assert_snapshot!(table(&["1 0 a 1\n", "{\"1\": {\"a\": 1}}", "qid,docno,label\n1,a,1\n", "1 0 a s 1\n1 0 a s 0\n"], said), @"");
}

#[test]
fn files_that_are_no_text() {
    let text = "301 Q0 a 1 2.5 x\n".repeat(5000).into_bytes();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(&text).unwrap();
    let mut bz = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    bz.write_all(&text).unwrap();
    let mut lz = lz4_flex::frame::FrameEncoder::new(Vec::new());
    lz.write_all(&text).unwrap();
    let zst = zstd::encode_all(text.as_slice(), 1).unwrap();
    let mut said = String::new();
    for (name, bytes) in [("gz", gz.finish().unwrap()), ("bz2", bz.finish().unwrap()), ("lz4", lz.finish().unwrap()), ("zst", zst)] {
        let half = &bytes[..bytes.len() - 9];
        said += &format!("{name}: {}\n", run_bytes(half).unwrap_err());
    }
    for bytes in [b"\xff\xfe1\0 \0".as_slice(), b"\x7fELF\x02\x01", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\x1f\x8b\x08\x00nonsense"] {
        said += &format!("{}\n", run_bytes(bytes).unwrap_err());
    }
    let folder = tempfile::tempdir().unwrap();
    let error = Source::open(folder.path()).and_then(|s| detect_run(&s)).unwrap_err().to_string();
    said += &error.replace(&folder.path().display().to_string(), "folder");
    said += "\n";
    said += &Source::open("no such file").and_then(|s| detect_run(&s)).unwrap_err().to_string();
    insta::assert_snapshot!(said, @"");
}

#[test]
fn what_cannot_be_written() {
    let said = |topic: &str, doc: &str, score: f64, format: Format| {
        let mut entries = Entries::new();
        let topic = entries.topic(topic.as_bytes());
        entries.push(topic, doc.as_bytes(), score, 1).unwrap();
        write_run(&mut entries, format, "tag", &mut Vec::new()).unwrap_err().to_string()
    };
    let all = [
        said("1", "a b", 1.0, Format::Trec),
        said("#1", "a", 1.0, Format::Trec),
        said("{1", "a", 1.0, Format::Trec),
        said("1", "", 1.0, Format::Trec),
        said("1", "a\tb", 1.0, Format::MsMarco),
        said("1", "a", f64::INFINITY, Format::Json),
    ];
    insta::assert_snapshot!(all.join("\n"), @"");
}

#[test]
fn lenient_reading_counts_what_it_leaves_out() {
    let texts = [
        "1 Q0 a 1 2.5 x\n1 Q0 b 2 high x\n1 Q0 c 3 nan x\n",
        "{\"1\": {\"a\": 2.5,\n\"b\": \"high\",\n\"c\": \"nan\"}}",
        "{\"qid\": 1, \"docno\": \"a\", \"score\": 2.5}\n{\"qid\": 1\n{\"qid\": 1, \"docno\": \"c\", \"score\": \"nan\"}\n",
        "qid,docno,score\n1,a,2.5\n1,b\n1,c,nan\n",
    ];
    for (header, text) in [0, 0, 0, 1].into_iter().zip(texts) {
        let source = Source::from_bytes("a", text);
        let mut warnings = Warnings::default();
        let rows = shown(read_run(&source, detect_run(&source).unwrap(), true, &mut warnings).unwrap());
        assert_eq!(rows, [format!("1 a 2.5 @{}", 1 + header)]);
        let messages: Vec<String> = warnings.list().into_iter().map(|w| w.message).collect();
        let want = [
            format!("a: 1 malformed line left out (first at line {})", 2 + header),
            format!("a: 1 score that is not a number left out (first at line {})", 3 + header),
        ];
        assert_eq!(messages, want, "{text}");
    }
}
