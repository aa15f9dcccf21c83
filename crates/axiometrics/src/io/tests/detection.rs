use super::*;
use crate::choice::Choice;
use crate::io::Reading;

/// The first content of a file, what it contains and its format.
const TABLE: &[(&str, Content, Format)] = &[
    ("301 Q0 d1 1 2.5 tag\n", Content::Run, Format::Trec),
    ("301 Q0 d1 1 2.5\n", Content::Run, Format::Trec),
    ("301\tQ0\td1\t1\t2.5\ttag\r\n", Content::Run, Format::Trec),
    ("301 0 d1 1\n", Content::Qrels, Format::Trec),
    ("301 0 d1 3 1\n", Content::Qrels, Format::Trec),
    ("301 Q0 d1 3 1\n", Content::Run, Format::Trec),
    ("{a} Q0 d1 1 2.5 tag\n", Content::Run, Format::Trec),
    ("[a] 0 d1 1\n", Content::Qrels, Format::Trec),
    ("{\"q\": {\"d\": 1.5}}", Content::Run, Format::Json),
    ("{\"q\": {\"d\": 1}}", Content::Qrels, Format::Json),
    ("{\n \"q\\\"\": {\n \"d\": -1,\n", Content::Qrels, Format::Json),
    ("{}", Content::Run, Format::Json),
    ("[{\"qid\": \"1\", \"docno\": \"d\", \"label\": 1}]", Content::Qrels, Format::Json),
    ("[{\"qid\": \"1\", \"docno\": \"d\", \"score\": 1}]", Content::Run, Format::Json),
    ("{\"query_id\": \"1\", \"doc_id\": \"d\", \"score\": 1.0}\n", Content::Run, Format::Jsonl),
    ("{\"query_id\": 1, \"doc_id\": \"d\", \"relevance\": 1}\n", Content::Qrels, Format::Jsonl),
    ("query_id,doc_id,score\n1,d,2\n", Content::Run, Format::Csv),
    ("qid,docno,label\n1,d,2\n", Content::Qrels, Format::Csv),
    ("\"topic\",\"docno\",\"rank\"\n", Content::Run, Format::Csv),
    ("qid\tquery\tdocid\tdocno\trank\tscore\n", Content::Run, Format::Tsv),
    ("query-id\tcorpus-id\tscore\n1\td\t1\n", Content::Qrels, Format::Tsv),
    ("1048585\t7187158\t1\n", Content::Run, Format::MsMarco),
];

#[test]
fn formats_are_recognised_by_content() {
    for (text, content, format) in TABLE {
        for before in ["", "\u{feff}", "\n \n\t\n", "# a comment\n# another\n\n"] {
            let source = Source::from_bytes("a", format!("{before}{text}"));
            assert_eq!(
                detect_content(&source).unwrap(),
                (*content, *format),
                "{before:?} {text:?}"
            );
            assert_eq!(detect(&source, *content).unwrap(), *format, "{text:?}");
        }
    }
}

#[test]
fn a_long_comment_hides_nothing() {
    let text = format!("#{}\n{{\"q\": {{\"d\": 1.5}}}}", "x".repeat(1 << 20));
    assert_eq!(detect_run(&Source::from_bytes("a", text)).unwrap(), Format::Json);
}

#[test]
fn the_same_run_reads_the_same_in_every_format() {
    let texts = [
        "1 Q0 a 1 2.5 x\n1 Q0 b 2 1 x\n",
        "{\"1\": {\"a\": 2.5,\n\"b\": 1}}",
        "{\"qid\": \"1\", \"docno\": \"a\", \"score\": 2.5}\n{\"qid\": 1, \"docno\": \"b\", \"score\": \"1\"}\n",
        "[{\"topic\": \"1\", \"doc_id\": \"a\", \"score\": 2.5, \"text\": [1, {}]},\n{\"doc_id\": \"b\", \"topic\": 1, \"score\": 1}]",
    ];
    for text in texts {
        assert_eq!(run(text).unwrap(), ["1 a 2.5 @1", "1 b 1.0 @2"], "{text}");
    }
    for text in [
        "query_id,doc_id,score\n1,a,2.5\n1,\"b\",1\n",
        "\u{feff}Score\tQID\tdocno\tdocid\r\n2.5\t1\ta\t8\r\n1.0\t1\tb\t9\r\n",
    ] {
        assert_eq!(run(text).unwrap(), ["1 a 2.5 @2", "1 b 1.0 @3"], "{text}");
    }
    for text in ["1\ta\t1\n1\tb\t2\n", "1\ta\t1\r\n1\tb\t2"] {
        assert_eq!(
            run(text).unwrap(),
            ["1 a -1.0 @1", "1 b -2.0 @2"],
            "a rank is a negative score"
        );
    }
    assert_eq!(run("qid,docno,rank\n1,a,1\n1,b,2\n").unwrap(), ["1 a -1.0 @2", "1 b -2.0 @3"]);
}

#[test]
fn judgements_with_facets_read_the_same_in_every_format() {
    let want = ["1 a 2 [s1=1 s2=2]", "1 b 0 [s1=0]"];
    let iteration = QrelsOptions { facet: Facet::Iteration, ..Default::default() };
    for text in [
        "1 s1 a 1\n1 s2 a 2\n1 s1 b 0\n",
        "qid,docno,label,subtopic\n1,a,1,s1\n1,a,2,s2\n1,b,0,s1\n",
        "{\"qid\":1,\"docno\":\"a\",\"label\":1,\"iteration\":\"s1\"}\n{\"qid\":1,\"docno\":\"a\",\"label\":2,\"iteration\":\"s2\"}\n{\"qid\":1,\"docno\":\"b\",\"label\":0,\"iteration\":\"s1\"}\n",
    ] {
        assert_eq!(judgements(&qrels(text, iteration).unwrap().0), want, "{text}");
    }
    let stratum = QrelsOptions { facet: Facet::Stratum, ..Default::default() };
    let text = "1 0 a s1 1\n1 0 a s2 2\n1 0 b s1 0\n";
    assert_eq!(judgements(&qrels(text, stratum).unwrap().0), want);
}

#[test]
fn lenient_judgements_keep_the_highest_grade() {
    let lenient = QrelsOptions { lenient: true, ..Default::default() };
    let (q, warnings) =
        qrels("1 0 a 1\n1 0 b 0\n1 0 a 3\n2 0 a 1\n1 0 a 2\nnonsense\n", lenient).unwrap();
    assert_eq!(judgements(&q), ["1 a 3 []", "1 b 0 []", "2 a 1 []"]);
    let messages: Vec<String> = warnings.list().into_iter().map(|w| w.message).collect();
    assert_eq!(
        messages,
        [
            "q: 1 malformed line left out (first at line 6)",
            "q: 2 repeated documents counted once (first at line 3)"
        ]
    );
    let facets = QrelsOptions { facet: Facet::Iteration, ..lenient };
    let (q, warnings) = qrels("1 s a 1\n1 t a 0\n1 s a 3\n", facets).unwrap();
    assert_eq!(judgements(&q), ["1 a 3 [s=3 t=0]"]);
    assert_eq!(warnings.list()[0].message, "q: 1 repeated document counted once (first at line 3)");
}

/// A run of twelve documents per topic, with ties, is scored the same from every format and
/// compression.
#[test]
fn scores_do_not_depend_on_the_format() {
    let q = qrels("1 0 d3 2\n1 0 d5 1\n1 0 d11 1\n2 0 d3 3\n2 0 d7 0\n", QrelsOptions::default())
        .unwrap()
        .0;
    let text: String = (0..24)
        .map(|i| {
            format!("{} Q0 d{} {i} {} tag\n", 1 + i / 12, i % 12, f64::from((i * 7 % 12) / 2) / 3.0)
        })
        .collect();
    let metrics = crate::measure::parse_list("nDCG@10 AP RR@10").unwrap();
    let scores = |source: &Source| {
        let scores = crate::score::Evaluation::new(&q, &metrics)
            .run(source, &mut Warnings::default())
            .unwrap();
        (0..2)
            .flat_map(|row| (0..3).map(move |column| (row, column)))
            .map(|(r, c)| scores.value(r, c))
            .collect::<Vec<_>>()
    };
    let source = Source::from_bytes("run", text);
    let want = scores(&source);
    assert!(want.iter().all(|x| x.is_some_and(|x| x > 0.0)));
    let folder = tempfile::tempdir().unwrap();
    for to in Format::ALL.iter().copied().filter(|f| f.is_text() && *f != Format::MsMarco) {
        for suffix in ["", ".gz", ".zst", ".lz4", ".bz2"] {
            let path = folder.path().join(format!("run{suffix}"));
            let conversion = Conversion {
                content: Content::Run,
                from: Format::Trec,
                to,
                lenient: false,
                reading: Reading::default(),
                facet: Facet::None,
                tag: "x".to_string(),
            };
            write_atomically(&path, |w| convert(&source, &conversion, w, &mut Warnings::default()))
                .unwrap();
            assert_eq!(scores(&Source::open(&path).unwrap()), want, "{to}{suffix}");
        }
    }
}
