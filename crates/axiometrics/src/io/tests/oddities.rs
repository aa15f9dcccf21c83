//! What real TREC files look like.

use std::io::Write;

use super::*;

const TWO: [&str; 2] = ["1 a 2.5 @1", "1 b 1.0 @2"];

#[test]
fn white_space_of_any_kind() {
    for text in [
        "1 Q0 a 1 2.5 x\n1 Q0 b 2 1 x\n",
        "1\tQ0\ta\t1\t2.5\tx\r\n1\tQ0\tb\t2\t1\tx\r\n",
        "  1   Q0 \t a  1  2.5   x  \n1 Q0 b 2 1 x",
        "1\u{b}Q0\u{c}a 1 2.5 x\n1 Q0 b 2 1 x\n",
        "\u{feff}1 Q0 a 1 2.5 x\n1 Q0 b 2 1 x\n",
        "1 Q0 a 1 2.5\n1 Q0 b 2 1\n",
        "1 Q0 a 1 2.5 x and more fields\n1 Q0 b 2 1.000 x\n",
        "1 Q0 a 1 25e-1 x\n1 Q0 b 2 +1 x\n",
    ] {
        assert_eq!(run(text).unwrap(), TWO, "{text:?}");
    }
}

#[test]
fn comments_and_blank_lines_keep_the_count() {
    assert_eq!(
        run("# a run\n\n1 Q0 a 1 2.5 x\n  \r\n  # more\n1 Q0 b#c 2 1 x\n#end").unwrap(),
        ["1 a 2.5 @3", "1 b#c 1.0 @6"]
    );
}

#[test]
fn scattered_topics_come_together() {
    assert_eq!(
        run("1 Q0 a 1 2 x\n2 Q0 a 1 1 x\n1 Q0 b 2 1 x\n").unwrap(),
        ["1 a 2.0 @1", "1 b 1.0 @3", "2 a 1.0 @2"]
    );
}

#[test]
fn a_line_of_ten_megabytes() {
    let id = "x".repeat(10 << 20);
    let text = format!("1 Q0 a 1 2.5 x\n1 Q0 {id} 2 2 x\n1 Q0 b 3 1 x\n");
    let rows = run(&text).unwrap();
    assert_eq!((rows.len(), rows[0].as_str(), rows[2].as_str()), (3, TWO[0], "1 b 1.0 @3"));
    assert_eq!(rows[1].len(), id.len() + "1  2.0 @2".len());
}

#[test]
fn ids_need_not_be_utf8() {
    let source = Source::from_bytes("a", b"1 Q0 caf\xe9 1 2.5 x\n".as_slice());
    let run = read_run(&source, RunOptions::default(), &mut Warnings::default()).unwrap();
    assert_eq!(run.documents(0).next(), Some((b"caf\xe9".as_slice(), 2.5)));
    let mut csv = Vec::new();
    write_run(&run, Format::Csv, "", &mut csv).unwrap();
    assert_eq!(csv, b"query_id,doc_id,score\n1,caf\xe9,2.5\n");
    assert!(write_run(&run, Format::Json, "", &mut Vec::new()).is_err());
}

#[test]
fn tables_know_their_lines() {
    let text = "# about\r\n\r\nqid,docno,score\r\n\r\n1,a,2.5\r\n# c\r\n1,\"b\nc\",1\r\n1,d,0.5";
    assert_eq!(run(text).unwrap(), ["1 a 2.5 @5", "1 b\nc 1.0 @7", "1 d 0.5 @9"]);
    assert_eq!(
        run(&text.replace("\r\n", "\n")).unwrap(),
        ["1 a 2.5 @5", "1 b\nc 1.0 @7", "1 d 0.5 @9"]
    );
}

#[test]
fn a_stream_is_read_more_than_once() {
    let text = b"{\"1\": {\"a\": 2.5, \"b\": 1}}\n";
    let source = Source::spool("-", &mut text.as_slice()).unwrap();
    for _ in 0..2 {
        assert_eq!(detect_run(&source).unwrap(), Format::Json);
        let run = read_run(&source, RunOptions::default(), &mut Warnings::default());
        assert_eq!(run.unwrap().len(), 2);
    }
}

#[test]
fn both_readers_of_trec_agree() {
    let text = "\u{feff}# c\n1 Q0 a 1 2.5 x\n1\tQ0 b 2 1 x\r\nbad\n2 Q0 a 1 nan x\n1 Q0 c 7 .5";
    let source = Source::from_bytes("a", text);
    let mut fast_warnings = Warnings::default();
    let rows = read_entries(&source, Content::Run, Format::Trec, true, &mut fast_warnings);
    let fast = shown(rows.unwrap().entries);
    let mut slow_warnings = Warnings::default();
    let mut gather = row::Gather::new("a", false, true, &mut slow_warnings);
    read_rows(
        &source,
        Wanted { content: Content::Run, facet: Facet::None },
        Format::Trec,
        &mut gather,
    )
    .unwrap();
    assert_eq!(shown(gather.entries), fast);
    assert_eq!(slow_warnings.list(), fast_warnings.list());
    assert_eq!(fast.len(), 3);
}

/// What a small compressed file may unfold to is not taken into memory.
#[test]
fn lines_strings_and_fields_have_a_limit() {
    let long = vec![b'x'; (64 << 20) + 10];
    for (before, behind) in [
        ("1 Q0 a 1 2.5 x\n1 Q0 ", " 1 2 x\n"),
        ("1 Q0 a 1 2.5 ", "\n"),
        ("{\"1\": {\"", "\": 1}}"),
        ("{\"qid\": \"1\", \"docno\": \"", "\", \"score\": 1}\n"),
    ] {
        let text = [before.as_bytes(), &long, behind.as_bytes()].concat();
        let error = read_run(
            &Source::from_bytes("a", text),
            RunOptions::default(),
            &mut Warnings::default(),
        )
        .unwrap_err()
        .to_string();
        assert!(error.contains("64 MB"), "{before}: {error}");
        // Lines of TREC files are numbered.
        let line = before.matches('\n').count() + 1;
        let place = if before.starts_with('1') { format!("a:{line}:") } else { "a:".into() };
        assert!(error.starts_with(&place), "{before}: {error}");
    }
    let error = zscores::read(long.as_slice(), "z").unwrap_err().to_string();
    assert!(error.contains("64 MB"), "{error}");
}

/// Fields and the items of lists take many times their text, so that there is a limit to them too.
#[test]
fn fields_and_items_have_a_limit() {
    let many = "1,".repeat(1_100_000);
    for (text, message) in [
        (
            format!("qid,docno,score\n1,a,2\n{many}"),
            "a:3: found a record of more than 1048576 fields",
        ),
        (format!("{many}\n"), "a:1: found a record of more than 1048576 fields"),
        (format!("{{\"qid\": \"1\", \"retrieved_ids\": [{many}1]}}\n"), "a:1:2097"),
        (format!("[{{\"qid\": \"1\", \"retrieved_ids\": [{many}1]}}]"), "a:1:2097"),
    ] {
        let source = Source::from_bytes("a", text.as_str());
        let format = if text.starts_with('1') { Format::Csv } else { detect_run(&source).unwrap() };
        let read = read_entries(&source, Content::Run, format, false, &mut Warnings::default());
        let error = read.map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with(message), "{}: {error}", &text[..40]);
        assert!(text.starts_with(['1', 'q']) || error.contains("more than 64 MB"), "{error}");
    }
    let features = Source::from_bytes("f", format!("a,{many}\n"));
    let error = read_features(&features, &mut Default::default()).unwrap_err().to_string();
    assert!(error.starts_with("f:1: found a record of more than 1048576 fields"), "{error}");
    // The documents of a topic are rows as they come, however many there are.
    let error = run("{\"1\": [\"a\", \"\", oops").unwrap_err().to_string();
    assert!(error.contains("expected the ids of a topic and of documents"), "{error}");
    let rows = run(&format!(
        "{{\"1\": [{}]}}",
        (0..3000).map(|i| i.to_string()).collect::<Vec<_>>().join(",")
    ))
    .unwrap();
    assert_eq!((rows.len(), rows[2999].as_str()), (3000, "1 2999 -3000.0 @1"));
}

/// The parser keeps where each field ends, so a record of separators is refused before it is read.
#[test]
fn a_record_of_separators_is_refused_early() {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(b"qid,docno,score\n1,a,2\n").unwrap();
    gz.write_all(&vec![b','; 8 << 20]).unwrap();
    let mut bytes = gz.finish().unwrap();
    bytes.truncate(bytes.len() - 9);
    let error = run_bytes(&bytes).unwrap_err().to_string();
    assert!(error.starts_with("a:3: found a record of more than 1048576 fields"), "{error}");
}

/// A file whose lines end in carriage returns alone would be one line; so would a part of one.
#[test]
fn carriage_returns_within_lines_are_named() {
    for (text, place) in [
        ("1 Q0 a 1 2 x\n1 Q0 b 1 3 x\r1 Q0 c 1 3 x\n", "a:2:13: "),
        ("qid,docno,score\n1,a,2\n1,b,2\r1,c,2\n", "a:3: "),
        ("qid\tdocno\tscore\n1\ta\t2\n1\tb\t2\r1\tc\t2\r", "a:3: "),
        (
            "{\"qid\": 1, \"docno\": \"a\", \"score\": 1}\n{\"qid\": 1, \"docno\": \"b\", \"score\": 1}\r{\"qid\": 1, \"docno\": \"c\", \"score\": 1}\n",
            "a:2:37: ",
        ),
        ("1\ta\t1\n1\tb\t2\r1\tc\t3\n", "a:2:6: "),
    ] {
        let error = run(text).unwrap_err().to_string();
        assert!(error.starts_with(place) && error.contains("carriage return"), "{text:?}: {error}");
        assert!(error.contains("help: lines end in newlines"), "{error}");
    }
    for text in ["1 0 a 1\n1 0 b 1\r1 0 c 1\n", "qid,docno,label\n1,a,2\n1,b,2\r1,c,2\n"] {
        let error = qrels(text, QrelsOptions::default()).unwrap_err().to_string();
        assert!(error.starts_with("q:") && error.contains("carriage return"), "{text:?}: {error}");
    }
    let source = |text: &str| Source::from_bytes("a", text);
    for error in [
        read_lengths(&source("a 1\nb 1\rc 1\n")).map(|_| ()),
        read_sessions(&source("s a\ns b\rs c\n")).map(|_| ()),
        read_parts(&source("s a\nt b\ru c\n")).map(|_| ()),
        read_catalogue(&source("a 1\nb 1\rc 1\n")).map(|_| ()),
        zscores::read(&b"1 map 1 1\n1 P_5 1 1 # x\r2 P_5 1 1\n"[..], "a").map(|_| ()),
        preferences::read(&b"1 g s a 1\n1 g s b 0 #\r1 g s c 0\n"[..], "a").map(|_| ()),
    ] {
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("a:2:") && error.contains("carriage return"), "{error}");
    }
    // In quotes it is a part of the field, and before the newline a part of the end.
    assert_eq!(run("qid,docno,score\r\n1,\"a\r\nb\",2\r\n").unwrap(), ["1 a\r\nb 2.0 @2"]);
}

/// Letters that other files begin with can be those of a topic.
#[test]
fn topics_that_look_like_other_files() {
    for topic in ["PAR1", "BZh9", "BZh91AY&", "PK", "7z", "ÿþ"] {
        let run = Run::from_columns(&[topic], &["a"], &[1.5]).unwrap();
        let mut text = Vec::new();
        write_run(&run, Format::Trec, "tag", &mut text).unwrap();
        let source = Source::from_bytes("a", text);
        let read = read_run(&source, RunOptions::default(), &mut Warnings::default()).unwrap();
        assert_eq!(read.topic_name(0), topic);
    }
    // What would be read as something else is not written.
    for topic in ["BZh91AY&SY", "qid,docno,x"] {
        let run = Run::from_columns(&[topic, "1"], &["a", "a"], &[1.5, 1.0]).unwrap();
        assert!(write_run(&run, Format::Trec, "tag", &mut Vec::new()).is_err(), "{topic}");
        let run = Run::from_columns(&["1", topic], &["a", "a"], &[1.5, 1.0]).unwrap();
        let mut text = Vec::new();
        write_run(&run, Format::Trec, "tag", &mut text).unwrap();
        let source = Source::from_bytes("a", text);
        let read = read_run(&source, RunOptions::default(), &mut Warnings::default()).unwrap();
        assert_eq!(read.topic_name(1), topic);
    }
}

/// Rounded, the numbers would be one id.
#[test]
fn an_id_that_is_a_large_number_keeps_its_digits() {
    let (a, b) = ("18446744073709551617", "18446744073709551616");
    for text in [
        format!(
            "{{\"qid\": {a}, \"docno\": {a}, \"score\": 1}}\n{{\"qid\": {a}, \"docno\": {b}, \"score\": 2}}"
        ),
        format!(
            "[{{\"qid\": {a}, \"docno\": {a}, \"score\": 1}}, {{\"qid\": {a}, \"docno\": {b}, \"score\": 2}}]"
        ),
        format!("{{\"qid\": {a}, \"retrieved\": [{b},{a}]}}"),
        format!("{{\"{a}\": [{b}, {a} ]}}"),
    ] {
        let run = read_run(
            &Source::from_bytes("r", text.clone()),
            RunOptions::default(),
            &mut Warnings::default(),
        );
        let run = run.unwrap();
        let mut docs: Vec<String> =
            run.documents(0).map(|(doc, _)| String::from_utf8_lossy(doc).into_owned()).collect();
        docs.sort();
        assert_eq!(
            (run.topic_bytes(0), docs),
            (a.as_bytes(), vec![b.to_string(), a.to_string()]),
            "{text}"
        );
    }
}

#[test]
fn a_field_or_a_column_of_a_row_twice_is_an_error() {
    for text in [
        "{\"qid\": 1, \"docno\": \"a\", \"score\": 1, \"score\": 2}\n",
        "[{\"qid\": 1, \"docno\": \"a\", \"score\": 1, \"score\": 2}]",
        "{\"qid\": 1, \"retrieved\": [{\"docno\": \"a\", \"score\": 1, \"score\": 2}]}\n",
        "qid,docno,score,score\n1,a,1,2\n",
        "Query-ID\tquery_id\tdocno\tscore\n1\t1\ta\t1\n",
    ] {
        let error = run(text).unwrap_err().to_string();
        assert!(error.contains("of one name for the "), "{text}: {error}");
    }
}

/// Whatever is wrong, and wherever a long text comes in: what an error repeats of it is short.
#[test]
fn errors_repeat_little_of_the_input() {
    let long = "abcdefgh".repeat(5000);
    let shapes = [
        "@",
        "1 Q0 @ 1 @ x\n",
        "1 Q0 a 1 2 x\n@",
        "1 Q0 @ 1 2 x\n1 Q0 @ 1 1 x\n",
        "@ Q0 a 1 2 x\n@ Q0 a 1 1 x\n",
        "{\"@\": 1}",
        "{\"@\": {\"@\": \"@\"}}",
        "{\"@\": @}",
        "{\"1\": {\"a\": 1}, @",
        "[{\"@\": 1}]",
        "[\"@\"]",
        "[{\"qid\": 1, \"docno\": \"a\", \"score\": \"@\"}]",
        "{\"qid\": 1, \"docno\": \"a\", \"score\": \"@\"}\n",
        "{\"qid\": 1, @\n",
        "\"@\"\n",
        "{\"qid\": 1, \"docno\": \"a\", \"score\": 1}\n\"@\"\n",
        "{\"qid\": 1}\n[\"@\"]\n",
        "{\"qid\": 1, \"docno\": \"a\", \"score\": @1}\n",
        "qid,docno,@\n1,a,1\n",
        "@,@,@\n1,a,1\n",
        "qid,docno,score\n1,a,@\n",
        "qid,docno,score\n1,@,1\n1,@,1\n",
        "qid,docno,score\n@,a,1\n@,a,1\n",
        "{\"@\": {\"a\": 1, \"a\": 2}}",
        "{\"1\": [\"@\", \"@\"]}",
        "1\ta\t@\n",
        "@\ta\t1\n@\ta\t1\n",
        "qid @ score\n1 a @\n",
        "{\"qid\": {\"@\": [\"@\"]}, \"docno\": {}, \"score\": [\"@\"]}",
    ];
    for shape in shapes {
        let text = shape.replace('@', &long);
        let source = Source::from_bytes("r", text);
        let mut warnings = Warnings::default();
        let errors = [
            read_run(&source, RunOptions::default(), &mut warnings).err(),
            read_qrels(&source, QrelsOptions::default(), &mut warnings).err(),
        ];
        for error in errors.into_iter().flatten().map(|error| error.to_string()) {
            let repeated = error.matches("abcdefgh").count() * 8;
            assert!(repeated <= 200, "{shape}: {repeated} bytes in {error}");
        }
    }
}
