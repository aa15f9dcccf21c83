//! What is said about input that is wrong, word for word.

use std::io::Write;

use super::*;

fn run_error(text: &str) -> String {
    run(text).map_or_else(|e| e.to_string(), |rows| format!("read {rows:?}"))
}

fn qrels_error(text: &str) -> String {
    qrels(text, QrelsOptions::default())
        .map_or_else(|e| e.to_string(), |(q, _)| format!("read {:?}", judgements(&q)))
}

fn table(inputs: &[&str], said: fn(&str) -> String) -> String {
    inputs
        .iter()
        .map(|text| format!("{text:?}\n  {}\n", said(text).replace('\n', "\n  ")))
        .collect()
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
    insta::assert_snapshot!(table(&inputs, run_error), @r#"
    ""
      a: nothing in the file, expected a run or judgements
        help: the file is empty, or holds only blank lines and comments
    "\n# only a comment\n"
      a: nothing in the file, expected a run or judgements
        help: the file is empty, or holds only blank lines and comments
    "1 Q0 a 1\n"
      a:1:9: found "1 Q0 a 1", expected a line of a run: topic Q0 document rank score tag
        help: correct the line, or leave such lines out with lenient
    "1 Q0 a 1 2.5 x\n1 Q0 b 2 high x\n"
      a:2:10: found "high", expected a number for the score
        help: correct the line, or leave such lines out with lenient
    "1 Q0 a 1 NaN x\n"
      a:1:10: found "NaN", expected a number for the score
        help: correct the line, or leave such lines out with lenient
    "1 Q0 a\0 1 2.5 x\n"
      a:1:7: found "\0 1 2.5 x", expected text without control characters
        help: is this a text file? compressed files are recognised by their content: gzip, zstd, lz4, bzip2
    "{\"1\": {\"a\": 1.5,\n \"b\": oops}}"
      a:2:7: expected value
        help: the file must be one JSON value: {"topic": {"document": number}} or [{"query_id": ..}]
    "{\"1\": {\"a\": 1.5,\n \"b\": \"high\"}}"
      a:2:7: found "high", expected a number for the score
        help: correct the line, or leave such lines out with lenient
    "{\"1\": {\"a\": 1.5, \"b\": NaN}}"
      a:1:23: expected value
        help: the file must be one JSON value: {"topic": {"document": number}} or [{"query_id": ..}]
    "{\"1\": {\"a\": null}}"
      a:1:13: found nothing, expected a number for the score
        help: correct the line, or leave such lines out with lenient
    "{\"1\": {\"a\": [1]}}"
      read ["a 1 -1.0 @1"]
    "{\"1\": {\"a\": 1.5}, \"2\": 7}"
      a:1:24: found "7", expected an object of documents with their numbers, or a list of documents
        help: correct the line, or leave such lines out with lenient
    "{\"1\": {\"a\": 1.5}} {}"
      a:1:19: trailing characters
        help: the file must be one JSON value: {"topic": {"document": number}} or [{"query_id": ..}]
    "{\"1\": {\"a\": 1.5"
      a:1:15: EOF while parsing an object
        help: the file must be one JSON value: {"topic": {"document": number}} or [{"query_id": ..}]
    "{\"\": {\"a\": 1.5}}"
      a:1:9: found nothing, expected the id of a topic and of a document
        help: correct the line, or leave such lines out with lenient
    "[{\"qid\": 1, \"docno\": \"a\"}]"
      a:1:25: found a record without a score or a rank, expected all of query_id, doc_id and score
        help: correct the line, or leave such lines out with lenient
    "{\"qid\": 1, \"docno\": \"a\", \"score\": 1}\n{\"qid\": 1}\n"
      a:2: found a record without a document (doc_id, docno or corpus-id), expected all of query_id, doc_id and score
        help: correct the line, or leave such lines out with lenient
    "{\"qid\": 1, \"docno\": \"a\", \"score\": \"NaN\"}\n"
      a:1: found "NaN", expected a number for the score
        help: correct the line, or leave such lines out with lenient
    "{\"qid\": 1, \"docno\": {}, \"score\": 1}\n"
      a:1: found nothing, expected the id of a document
        help: correct the line, or leave such lines out with lenient
    "{\"qid\": 1, \"docno\": \"a\", \"score\": 1}\n\n{\"qid\": 1,\n"
      a:3:10: EOF while parsing a value
        help: correct the line, or leave such lines out with lenient
    "qid,docno,label\n1,a,2\n"
      a:1: unknown columns: found qid, docno, label; expected a run with a score or a rank
        help: name them in the header, or say which is which with columns topic=qid,doc=docno,score=label
    "qid,docno,score\n1,a,2\n1,b\n"
      a:3: found 2 fields, expected 3 as in the header
        help: quote fields that contain the separator or a quote; lenient leaves such lines out
    "qid,docno,score\n1,a,2\n1,b,high\n"
      a:3: found "high", expected a number for the score
        help: correct the line, or leave such lines out with lenient
    "qid,docno,score\n1,,2\n"
      a:2: found nothing, expected the id of a document
        help: correct the line, or leave such lines out with lenient
    "qid,docno,rank\n1,a,first\n"
      a:2: found "first", expected a number for the rank
        help: correct the line, or leave such lines out with lenient
    "1\ta\t1\n1\tb\t0\n"
      a:2:5: found "0", expected a whole number from 1 for the rank
        help: correct the line, or leave such lines out with lenient
    "1\ta\t1\n1\tb\n"
      a:2:1: found "1\tb", expected three fields between tabs: topic document rank
        help: correct the line, or leave such lines out with lenient
    "PK\u{3}\u{4}rest"
      a: found a zip archive, expected a run or judgements as text
        help: unpack it, or compress with gzip, zstd, lz4 or bzip2
    "#);
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
    insta::assert_snapshot!(table(&inputs, qrels_error), @r#"
    "1 0 a\n"
      q:1:6: found "1 0 a", expected a line of judgements: topic iteration document grade
        help: correct the line, or leave such lines out with lenient
    "1 0 a one\n"
      q:1:7: found "one", expected a number for the grade
        help: correct the line, or leave such lines out with lenient
    "1 0 a inf\n"
      q:1:7: found "inf", expected a finite grade
        help: correct the line, or leave such lines out with lenient
    "1 0 a nan\n"
      q:1:7: found "nan", expected a number for the grade
        help: correct the line, or leave such lines out with lenient
    "1 0 a 1\n1 0 b 1\n1 0 a 0\n"
      q:3: document "a" is judged twice in topic 1 (first on line 1), expected one judgement
        help: remove one of the lines; judgements by subtopic or by judgement group need a measure that reads them, such as alpha_nDCG@10
    "{\"1\": {\"a\": 1, \"b\": 0, \"a\": 1}}"
      q:1: document "a" is judged twice in topic 1 (first on line 1), expected one judgement
        help: remove one of the lines; judgements by subtopic or by judgement group need a measure that reads them, such as alpha_nDCG@10
    "{}"
      q: no judgements in the file, expected lines of: topic iteration document grade
    "qid,docno,label\n1,a,inf\n"
      q:2: found "inf", expected a finite grade
        help: correct the line, or leave such lines out with lenient
    "query-id\tcorpus-id\tscore\n1\ta\tx\n"
      q:2: found "x", expected a number for the grade
        help: correct the line, or leave such lines out with lenient
    "qid,docno,rank\n1,a,1\n"
      q: found a run (qid,docno,rank), expected judgements
        help: the order is QRELS RUN; these look swapped
    "#);
}

#[test]
fn facets_that_are_not_there() {
    let said = |text: &str| {
        let options = QrelsOptions { facet: Facet::Stratum, ..Default::default() };
        qrels(text, options)
            .map_or_else(|e| e.to_string(), |(q, _)| format!("read {:?}", judgements(&q)))
    };
    insta::assert_snapshot!(table(&["1 0 a 1\n", "{\"1\": {\"a\": 1}}", "qid,docno,label\n1,a,1\n", "1 0 a s 1\n1 0 a s 0\n"], said), @r#"
    "1 0 a 1\n"
      q:1:8: found "1 0 a 1", expected a line of judgements: topic iteration document stratum grade
        help: correct the line, or leave such lines out with lenient
    "{\"1\": {\"a\": 1}}"
      q: found an object of topics, expected records with a subtopic each
        help: use JSONL, CSV, TSV or TREC for judgements by subtopic
    "qid,docno,label\n1,a,1\n"
      q:1: unknown columns: found qid, docno, label; expected judgements with a stratum
        help: name them in the header, or say which is which with columns topic=qid,doc=docno,grade=label
    "1 0 a s 1\n1 0 a s 0\n"
      q:2: document "a" is judged twice in topic 1 (first on line 1), expected one judgement
        help: remove one of the lines; both are for the same subtopic, judgement group or stratum
    "#);
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
    for (name, bytes) in [
        ("gz", gz.finish().unwrap()),
        ("bz2", bz.finish().unwrap()),
        ("lz4", lz.finish().unwrap()),
        ("zst", zst),
    ] {
        let half = &bytes[..bytes.len() - 9];
        said += &format!("{name}: {}\n", run_bytes(half).unwrap_err());
    }
    for bytes in [
        b"\xff\xfe1\0 \0".as_slice(),
        b"\x7fELF\x02\x01",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\x1f\x8b\x08\x00nonsense",
    ] {
        said += &format!("{}\n", run_bytes(bytes).unwrap_err());
    }
    let folder = tempfile::tempdir().unwrap();
    let error = Source::open(folder.path()).and_then(|s| detect_run(&s)).unwrap_err().to_string();
    said += &error.replace(&folder.path().display().to_string(), "folder");
    said += "\n";
    said += &Source::open("no such file").and_then(|s| detect_run(&s)).unwrap_err().to_string();
    insta::assert_snapshot!(said, @r#"
    gz: a: ends in the middle of its data: the file is truncated or damaged
    bz2: a: ends in the middle of its data: the file is truncated or damaged
    lz4: a: ends in the middle of its data: the file is truncated or damaged
    zst: a: ends in the middle of its data: the file is truncated or damaged
    a: found UTF-16 text, expected a run or judgements as text
      help: save the file as UTF-8
    a: found a program, expected a run or judgements as text
      help: name a run or a file of judgements
    a:1:6: found "�PNG\r", expected a line of a run: topic Q0 document rank score tag
      help: correct the line, or leave such lines out with lenient
    a: ends in the middle of its data: the file is truncated or damaged
    folder: is a directory, expected a file
    no such file: no such file
      help: no file here has a similar name
    "#);
}

#[test]
fn what_cannot_be_written() {
    let said = |topic: &str, doc: &str, score: f64, format: Format| {
        let run = Run::from_columns(&[topic], &[doc], &[score]).unwrap();
        write_run(&run, format, "tag", &mut Vec::new()).unwrap_err().to_string()
    };
    let all = [
        said("1", "a b", 1.0, Format::Trec),
        said("#1", "a", 1.0, Format::Trec),
        said("{1", "a", 1.0, Format::Trec),
        said("1", "a\tb", 1.0, Format::MsMarco),
        said("1", "a", f64::INFINITY, Format::Json),
    ];
    insta::assert_snapshot!(all.join("\n"), @r##"
    the id "a b" cannot be written: the format trec has no place for ids with white space or control characters
      help: use json, jsonl, csv or tsv
    the id "#1" cannot be written: the format trec has no place for topics that begin with #, which begins a comment
      help: use json, jsonl, csv or tsv
    the id "{1" cannot be written: the format trec has no place for topics that begin with a brace, a bracket or a byte order mark, which begin other formats
      help: use json, jsonl, csv or tsv
    the id "a\tb" cannot be written: the format msmarco has no place for ids with white space or control characters
      help: use json, jsonl, csv or tsv
    the score inf of document "a" cannot be written: JSON has only finite numbers
      help: use trec, csv or tsv
    "##);
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
        let format = detect_run(&source).unwrap();
        let rows = read_entries(&source, Content::Run, format, true, &mut warnings).unwrap();
        let rows = shown(rows.entries);
        assert_eq!(rows, [format!("1 a 2.5 @{}", 1 + header)]);
        let messages: Vec<String> = warnings.list().into_iter().map(|w| w.message).collect();
        let want = [
            format!("a: 1 malformed line left out (first at line {})", 2 + header),
            format!("a: 1 score that is not a number left out (first at line {})", 3 + header),
        ];
        assert_eq!(messages, want, "{text}");
    }
}
