//! Every reader reads what its writer wrote, through every compression.

use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::choice::Choice;

const SUFFIXES: [&str; 5] = ["", ".gz", ".zst", ".lz4", ".bz2"];

/// Ids that every format can hold.
const PLAIN: &str = "[a-zA-Z0-9_./:#,;'\"é漢🦀{}-]{1,12}";
/// Ids that need quoting.
const ODD: &str = "[a-z \t\n\r#,\"'\\\\é{}-]{1,8}";

type Rows = Vec<(String, String, f64)>;

/// Distinct (topic, document) pairs with a number each, few topics, grouped by topic.
fn rows(
    ids: &'static str,
    number: impl Strategy<Value = f64> + Clone + 'static,
) -> impl Strategy<Value = Rows> {
    let docs = prop::collection::btree_map(ids, number, 1..8);
    prop::collection::btree_map(ids, docs, 1..4).prop_map(|topics| {
        topics
            .into_iter()
            .flat_map(|(t, docs)| docs.into_iter().map(move |(d, x)| (t.clone(), d, x)))
            .collect()
    })
}

fn run_of(rows: &Rows) -> Run {
    let mut run = Run::builder();
    run.extend(rows.iter().map(|(topic, doc, value)| (topic, doc, *value)));
    run.build().unwrap()
}

fn read_back(source: &Source, format: Format) -> Rows {
    let options = RunOptions { format: Some(format), ..RunOptions::default() };
    let run = read_run(source, options, &mut Warnings::default()).unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut rows: Rows = run
        .topics()
        .flat_map(|topic| run.documents(topic).map(move |row| (topic, row)))
        .map(|(topic, (doc, value))| (text(run.topic_bytes(topic)), text(doc), value))
        .collect();
    rows.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    rows
}

fn of_qrels(q: &Qrels) -> Rows {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut rows: Rows = q
        .topics()
        .iter()
        .flat_map(|t| q.judgements(*t).map(move |(d, g)| (text(q.topic_bytes(*t)), text(d), g)))
        .collect();
    rows.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    rows
}

fn starts_well(rows: &Rows) -> bool {
    rows.iter().all(|(t, ..)| !t.starts_with(['#', '{', '[']))
}

/// Writes a run and reads it again, its format recognised by content.
fn run_survives(rows: &Rows, format: Format, suffix: &str, folder: &Path) -> Rows {
    let path = folder.join(format!("run{suffix}"));
    write_atomically(&path, |w| write_run(&run_of(rows), format, "tag", w)).unwrap();
    let source = Source::open(&path).unwrap();
    let detected = detect_run(&source).unwrap();
    assert!(
        detected == format || (format, detected) == (Format::Beir, Format::Tsv),
        "{format} was taken for {detected}"
    );
    read_back(&source, detected)
}

fn qrels_survive(rows: &Rows, format: Format, suffix: &str, folder: &Path) -> Rows {
    let path = folder.join(format!("qrels{suffix}"));
    let mut q = Qrels::builder();
    q.extend(rows.iter().map(|(topic, doc, value)| (topic, doc, *value)));
    let q = q.build().unwrap();
    write_atomically(&path, |w| write_qrels(&q, Facet::None, format, w)).unwrap();
    of_qrels(
        &read_qrels(
            &Source::open(&path).unwrap(),
            QrelsOptions::default(),
            &mut Warnings::default(),
        )
        .unwrap(),
    )
}

fn score() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![
        any::<f64>().prop_filter("a finite number", |x| x.is_finite()),
        (-9i32..9).prop_map(f64::from),
        Just(0.1 + 0.2)
    ]
}

fn grade() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![(-2i32..5).prop_map(f64::from), Just(0.5), Just(1e300)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn plain_ids_survive_every_format(run in rows(PLAIN, score()), judged in rows(PLAIN, grade())) {
        let folder = tempfile::tempdir().unwrap();
        for format in [Format::Trec, Format::Json, Format::Jsonl, Format::Csv, Format::Tsv, Format::Beir] {
            for suffix in SUFFIXES {
                if format != Format::Trec || starts_well(&run) {
                    prop_assert_eq!(&run_survives(&run, format, suffix, folder.path()), &run);
                }
                if format != Format::Trec || starts_well(&judged) {
                    prop_assert_eq!(&qrels_survive(&judged, format, suffix, folder.path()), &judged);
                }
            }
        }
    }

    #[test]
    fn odd_ids_survive_where_they_can_be_quoted(run in rows(ODD, score()), judged in rows(ODD, grade())) {
        let folder = tempfile::tempdir().unwrap();
        for format in [Format::Json, Format::Jsonl, Format::Csv, Format::Tsv, Format::Beir] {
            prop_assert_eq!(&run_survives(&run, format, "", folder.path()), &run);
            prop_assert_eq!(&qrels_survive(&judged, format, "", folder.path()), &judged);
        }
    }

    #[test]
    fn trec_refuses_or_keeps_any_id(run in rows(ODD, score())) {
        let mut text = Vec::new();
        if write_run(&run_of(&run), Format::Trec, "tag", &mut text).is_ok() {
            let source = Source::from_bytes("a", text);
            prop_assert_eq!(detect_run(&source).unwrap(), Format::Trec);
            prop_assert_eq!(read_back(&source, Format::Trec), run);
        } else {
            let odd = |id: &String| id.bytes().any(|b| b <= b' ');
            prop_assert!(run.iter().any(|(t, d, _)| odd(t) || odd(d)) || !starts_well(&run));
        }
    }

    #[test]
    fn msmarco_keeps_the_order(run in rows("[0-9]{1,9}", (0i32..99).prop_map(f64::from))) {
        let mut text = Vec::new();
        write_run(&run_of(&run), Format::MsMarco, "", &mut text).unwrap();
        let source = Source::from_bytes("a", text);
        prop_assert_eq!(detect_run(&source).unwrap(), Format::MsMarco);
        let order = |rows: Rows| {
            let mut rows = rows;
            rows.sort_by(|a, b| a.0.cmp(&b.0).then(b.2.total_cmp(&a.2)).then(b.1.cmp(&a.1)));
            rows.into_iter().map(|(t, d, _)| (t, d)).collect::<Vec<_>>()
        };
        prop_assert_eq!(order(read_back(&source, Format::MsMarco)), order(run));
    }

    #[test]
    fn any_bytes_are_read_or_refused(text in prop::collection::vec(any::<u8>(), 0..200), start in "(|\\{|\\[\\{|\\{\"a\":|qid,docno,score\n|1\ta\t1\n)") {
        let source = Source::from_bytes("a", [start.as_bytes(), &text].concat());
        for &format in Format::ALL {
            for lenient in [false, true] {
                let _ = read_run(&source, RunOptions { lenient, format: Some(format), ..RunOptions::default() }, &mut Warnings::default());
                for facet in [Facet::None, Facet::Iteration, Facet::Stratum] {
                    let _ = read_qrels(&source, QrelsOptions { lenient, format: Some(format), facet, ..QrelsOptions::default() }, &mut Warnings::default());
                }
            }
        }
        let _ = detect_content(&source);
    }
}

#[test]
fn facets_survive() {
    let texts = [
        (Facet::Iteration, "1 s1 a 1\n1 s2 a 2\n1 s1 b 0\n2 s1 a -1\n"),
        (Facet::Stratum, "1 0 a s1 1\n1 0 b s2 2\n2 0 a s1 0.5\n"),
    ];
    for (facet, text) in texts {
        let options = QrelsOptions { facet, ..Default::default() };
        let q = qrels(text, options).unwrap().0;
        for format in [Format::Trec, Format::Jsonl, Format::Csv, Format::Tsv] {
            let mut written = Vec::new();
            write_qrels(&q, facet, format, &mut written).unwrap();
            let written = String::from_utf8(written).unwrap();
            assert_eq!(
                judgements(&qrels(&written, options).unwrap().0),
                judgements(&q),
                "{format}\n{written}"
            );
            if format == Format::Trec {
                assert_eq!(written, text);
            }
        }
        assert!(write_qrels(&q, facet, Format::Json, &mut Vec::new()).is_err());
    }
}

#[test]
fn infinite_scores_survive_where_they_can_be_written() {
    let rows: Rows =
        vec![("1".into(), "a".into(), f64::INFINITY), ("1".into(), "b".into(), f64::NEG_INFINITY)];
    let folder = tempfile::tempdir().unwrap();
    for format in [Format::Trec, Format::Csv, Format::Tsv, Format::Beir] {
        assert_eq!(run_survives(&rows, format, "", folder.path()), rows);
    }
    for format in [Format::Json, Format::Jsonl] {
        assert!(write_run(&run_of(&rows), format, "", &mut Vec::new()).is_err());
    }
}
