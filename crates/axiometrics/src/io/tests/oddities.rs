//! What real TREC files look like.

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
