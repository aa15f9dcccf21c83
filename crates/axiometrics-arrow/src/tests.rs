//! Every type of column, what is wrong with a cell, and scores that do not depend on batches.

use std::sync::Arc;

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, DictionaryArray, Float32Array, Float64Array, Int32Array,
    Int64Array, LargeStringArray, RecordBatch, StringArray, StringViewArray, UInt64Array,
};
use axiometrics::choice::Choice;
use axiometrics::io::{QrelsOptions, RunOptions};
use axiometrics::measure::parse_list;
use axiometrics::policy::{Missing, Policies, Undefined};
use axiometrics::{Evaluation, Qrels, Run, Warnings};
use proptest::prelude::*;

use crate::*;

fn batch<const N: usize>(columns: [(&str, ArrayRef); N]) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true)))
        .unwrap()
}

fn run_of(topics: ArrayRef, docs: ArrayRef, scores: ArrayRef) -> axiometrics::Result<Run> {
    let batch = batch([("qid", topics), ("docno", docs), ("score", scores)]);
    read_run("r", vec![batch], RunOptions::default(), &mut Warnings::default())
}

fn rows(run: &Run) -> Vec<(String, String, f64)> {
    let text = |id: &[u8]| String::from_utf8_lossy(id).into_owned();
    run.topics()
        .flat_map(|t| run.documents(t).map(move |(d, x)| (text(run.topic_bytes(t)), text(d), x)))
        .collect()
}

#[test]
fn ids_and_numbers_of_every_type() {
    let texts = ["1", "1", "2"];
    let ids: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(texts.to_vec())),
        Arc::new(LargeStringArray::from(texts.to_vec())),
        Arc::new(StringViewArray::from(texts.to_vec())),
        Arc::new(BinaryArray::from(texts.map(str::as_bytes).to_vec())),
        Arc::new(texts.into_iter().collect::<DictionaryArray<Int8Type>>()),
        Arc::new(DictionaryArray::<Int32Type>::new(
            Int32Array::from(vec![1, 1, 0]),
            Arc::new(Int64Array::from(vec![2, 1])),
        )),
        Arc::new(Int64Array::from(vec![1, 1, 2])),
        Arc::new(UInt64Array::from(vec![1, 1, 2])),
    ];
    let docs: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "a"]));
    let numbers: Vec<ArrayRef> = vec![
        Arc::new(Float64Array::from(vec![3.0, 2.0, 1.0])),
        Arc::new(Float32Array::from(vec![3.0, 2.0, 1.0])),
        Arc::new(Int32Array::from(vec![3, 2, 1])),
        Arc::new(UInt64Array::from(vec![3, 2, 1])),
    ];
    let expected = [("1", "a", 3.0), ("1", "b", 2.0), ("2", "a", 1.0)]
        .map(|(topic, doc, score)| (topic.to_string(), doc.to_string(), score));
    for topics in &ids {
        for scores in &numbers {
            let run = run_of(topics.clone(), docs.clone(), scores.clone()).unwrap();
            assert_eq!(rows(&run), expected, "{}", topics.data_type());
        }
    }
    // The largest numbers are ids as they are.
    let large: ArrayRef = Arc::new(UInt64Array::from(vec![u64::MAX, u64::MAX, 0]));
    let run = run_of(large, docs, numbers[0].clone()).unwrap();
    assert_eq!(run.topic_bytes(0), u64::MAX.to_string().as_bytes());
}

#[test]
fn what_is_wrong_names_column_and_row() {
    let ids: ArrayRef = Arc::new(StringArray::from(vec!["1", "1"]));
    let docs: ArrayRef = Arc::new(StringArray::from(vec!["a", "b"]));
    let scores: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0]));
    let said = |topics: &ArrayRef, docs: &ArrayRef, scores: &ArrayRef| {
        let error = run_of(topics.clone(), docs.clone(), scores.clone()).unwrap_err().to_string();
        error.lines().next().unwrap().to_string()
    };
    let null: ArrayRef = Arc::new(StringArray::from(vec![Some("1"), None]));
    let null_key: ArrayRef =
        Arc::new([Some("a"), None].into_iter().collect::<DictionaryArray<Int8Type>>());
    let null_score: ArrayRef = Arc::new(Float64Array::from(vec![None, Some(1.0)]));
    let nan: ArrayRef = Arc::new(Float64Array::from(vec![1.0, f64::NAN]));
    let boolean: ArrayRef = Arc::new(BooleanArray::from(vec![true, false]));
    assert_eq!(
        said(&null, &docs, &scores),
        r#"r:2: column "qid", row 2: found null, expected the id of a topic"#
    );
    assert_eq!(
        said(&ids, &null_key, &scores),
        r#"r:2: column "docno", row 2: found null, expected the id of a document"#
    );
    assert_eq!(
        said(&ids, &docs, &null_score),
        r#"r:1: column "score", row 1: found null, expected a number"#
    );
    assert_eq!(
        said(&ids, &docs, &nan),
        r#"r:2: column "score", row 2: found NaN, expected a number for the score"#
    );
    assert_eq!(
        said(&ids, &docs, &boolean),
        r#"r: column "score" is of type Boolean, expected numbers"#
    );
    assert_eq!(
        said(&scores, &docs, &scores),
        r#"r: column "qid" is of type Float64, expected ids: strings or whole numbers"#
    );
    let large: ArrayRef = Arc::new(Int64Array::from(vec![1 << 53, (1 << 53) + 1]));
    assert_eq!(
        said(&ids, &docs, &large),
        "r:2: column \"score\", row 2: found 9007199254740993, expected a number that a double \
         holds exactly, as all up to 2^53"
    );
    let exact: ArrayRef = Arc::new(Int64Array::from(vec![1 << 53, 1 << 60]));
    assert_eq!(run_of(ids.clone(), docs.clone(), exact).unwrap().len(), 2);
    let repeated = batch([("qid", ids.clone()), ("docno", docs.clone()), ("score", nan.clone())]);
    let repeated = RecordBatch::try_new(
        Arc::new(arrow_schema::Schema::new(
            repeated
                .schema()
                .fields()
                .iter()
                .chain([&repeated.schema().fields()[1]])
                .cloned()
                .collect::<Vec<_>>(),
        )),
        [repeated.columns(), std::slice::from_ref(&docs)].concat(),
    );
    let error =
        read_run("r", vec![repeated.unwrap()], RunOptions::default(), &mut Warnings::default());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("found two columns of one name for the document"), "{error}");
    let twice: ArrayRef = Arc::new(StringArray::from(vec!["a", "a"]));
    assert!(said(&ids, &twice, &scores).contains(r#"document "a" is in topic 1 twice"#));
    let error = read_run(
        "r",
        vec![batch([("qid", ids.clone()), ("text", docs.clone())])],
        RunOptions::default(),
        &mut Warnings::default(),
    );
    assert!(error.unwrap_err().to_string().contains("a document (doc_id"));
    let other = batch([("qid", ids)]);
    assert!(source("r", vec![batch([("docno", docs)]), other]).is_err());
}

#[test]
fn runs_and_judgements_come_back() {
    let run = Run::from_columns(&["2", "1", "1"], &["é", "a", "b"], &[0.5, 1.0, 2.0]).unwrap();
    let written = run_batch(&run).unwrap();
    let read =
        read_run("r", vec![written], RunOptions::default(), &mut Warnings::default()).unwrap();
    let mut expected = rows(&run);
    expected.swap(1, 2);
    assert_eq!(rows(&read), expected);
    let qrels = Qrels::from_columns(&["2", "1"], &["a", "b"], &[2.0, 0.0]).unwrap();
    let written = qrels_batch(&qrels).unwrap();
    let read =
        read_qrels("q", vec![written], QrelsOptions::default(), &mut Warnings::default()).unwrap();
    assert_eq!((read.len(), read.max_grade(), read.judgement_count()), (2, 2.0, 2));
    let bytes = Run::from_columns(&["1"], &[b"\xff"], &[1.0]).unwrap();
    assert!(run_batch(&bytes).unwrap_err().to_string().contains(r"\xff"));
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_files_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.parquet");
    let text: ArrayRef = Arc::new(StringArray::from(vec!["x"; 40_000]));
    let topics: ArrayRef = Arc::new(Int64Array::from_iter_values((0..40_000).map(|i| i / 100)));
    let docs: ArrayRef = Arc::new(Int64Array::from_iter_values(0..40_000));
    let scores: ArrayRef = Arc::new(Float64Array::from_iter_values((0..40_000).map(f64::from)));
    // Columns in another order, and one that is not looked at.
    let written = batch([("text", text), ("score", scores), ("docno", docs), ("query_id", topics)]);
    std::fs::write(&path, to_parquet(&written).unwrap()).unwrap();
    assert!(begins_parquet(&std::fs::read(&path).unwrap()));
    let opened = open(&path).unwrap();
    let mut warnings = Warnings::default();
    let from_file =
        axiometrics::io::read_run(&opened, RunOptions::default(), &mut warnings).unwrap();
    let from_batch = read_run("r", vec![written], RunOptions::default(), &mut warnings).unwrap();
    assert_eq!(from_file.len(), 40_000);
    assert_eq!(rows(&from_file), rows(&from_batch));
    let held = crate::from_bytes("run", std::fs::read(&path).unwrap()).unwrap();
    let held = axiometrics::io::read_run(&held, RunOptions::default(), &mut warnings).unwrap();
    assert_eq!(rows(&held), rows(&from_batch));
    // Cut short, and no Parquet at all.
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let error = open(&path).unwrap_err().to_string();
    assert!(error.contains("run.parquet: the Parquet file cannot be read"), "{error}");
    // The letters that it begins with can be those of a topic.
    for text in
        ["1 Q0 a 1 1 x\n", "PAR1 Q0 a 1 1 x\n", "PAR1\t0\ta\t1\n", "PAR1\u{b}0 a 1\n", "PAR1"]
    {
        assert!(!begins_parquet(text.as_bytes()), "{text}");
    }
}

/// Another program wrote one run twice, its pages compressed by Snappy and by zstd.
#[cfg(feature = "parquet")]
#[test]
fn parquet_pages_that_zstd_compressed() {
    let read = |name: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/tests");
        let opened = open(&path.join(name)).unwrap();
        let run =
            axiometrics::io::read_run(&opened, RunOptions::default(), &mut Warnings::default());
        rows(&run.unwrap())
    };
    let run = read("bm25.parquet");
    assert_eq!(run.len(), 1000);
    assert_eq!(read("bm25-zstd.parquet"), run);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_is_written_of_strings_and_numbers_alone() {
    let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true]));
    let error = to_parquet(&batch([("flag", flags)])).unwrap_err().to_string();
    assert!(error.contains("\"flag\" is of type Boolean"), "{error}");
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None]));
    assert!(to_parquet(&batch([("text", texts)])).is_err());
}

#[test]
fn tables_as_csv() {
    let ids: ArrayRef = Arc::new(StringArray::from(vec![Some("a \"b\", c"), None, Some("d")]));
    let levels: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.0), Some(2.5), None]));
    let whole: ArrayRef = Arc::new(Int64Array::from(vec![-1, 0, 1]));
    let table = batch([("doc", ids), ("level", levels), ("n", whole)]);
    let text = to_csv("t", &[table.slice(0, 2), table.slice(2, 1)]).unwrap();
    let expected = "doc,level,n\n\"a \"\"b\"\", c\",1,-1\n\"\",2.5,0\nd,\"\",1\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
    let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true]));
    assert!(to_csv("t", &[batch([("flag", flags)])]).is_err());
}

/// Rows of a topic: document, grade, score.
type Rows = Vec<(u8, Option<u8>, Option<i8>)>;

fn union(topics: &[(usize, Rows)]) -> RecordBatch {
    let (mut ids, mut docs, mut grades, mut scores) = (vec![], vec![], vec![], vec![]);
    for (topic, rows) in topics {
        for (doc, grade, score) in rows {
            ids.push(topic.to_string());
            docs.push(doc.to_string());
            grades.push(grade.map(f64::from));
            scores.push(score.map(f64::from));
        }
    }
    batch([
        ("topic", Arc::new(StringArray::from(ids))),
        ("doc", Arc::new(StringArray::from(docs))),
        ("grade", Arc::new(Float64Array::from(grades))),
        ("score", Arc::new(Float64Array::from(scores))),
    ])
}

fn topics() -> impl Strategy<Value = Vec<(usize, Rows)>> {
    let rows = proptest::collection::btree_map(any::<u8>(), (0..4u8, any::<i8>(), 0..3u8), 1..12);
    proptest::collection::vec(rows, 1..12).prop_map(|topics| {
        let row = |(doc, (grade, score, kind)): (u8, (u8, i8, u8))| {
            (doc, (kind != 0).then_some(grade), (kind != 1).then_some(score))
        };
        let rows = |rows: std::collections::BTreeMap<_, _>| rows.into_iter().map(row).collect();
        topics.into_iter().map(rows).enumerate().collect()
    })
}

/// The judgements and the run of the same topics.
fn apart(topics: &[(usize, Rows)]) -> (Qrels, Run) {
    let (mut qrels, mut run) = (Qrels::builder(), Run::builder());
    for (topic, rows) in topics {
        for (doc, grade, score) in rows {
            if let Some(grade) = grade {
                qrels.push(topic.to_string(), doc.to_string(), f64::from(*grade));
            }
            if let Some(score) = score {
                run.push(topic.to_string(), doc.to_string(), f64::from(*score));
            }
        }
    }
    (qrels.build().unwrap(), run.build().unwrap())
}

const MEASURES: &str = "AP nDCG@3 ERR RBP Bpref NumRet";

proptest! {
    /// However rows are cut into batches, the scores are those of the whole, bit for bit.
    #[test]
    fn batches_make_no_difference(
        topics in topics(),
        cuts in proptest::collection::vec(1usize..9, 1..20),
        skip in any::<bool>(),
    ) {
        let whole = union(&topics);
        let (qrels, run) = apart(&topics);
        let metrics = parse_list(MEASURES).unwrap();
        let missing = if skip { Missing::Skip } else { Missing::Zero };
        let policies = Policies { missing, ..Policies::default() };
        let expected = Evaluation::under(&policies, &qrels, &metrics)
            .score_part(&run, &mut Warnings::default())
            .unwrap();
        let mut scorer =
            GroupScorer::new(metrics.clone(), policies, qrels.max_grade()).unwrap();
        let (mut parts, mut start) = (Vec::new(), 0);
        for length in cuts.iter().cycle() {
            let length = (*length).min(whole.num_rows() - start);
            if length == 0 {
                break;
            }
            parts.extend(scorer.push(&whole.slice(start, length)).unwrap());
            start += length;
        }
        parts.extend(scorer.finish().unwrap());
        let found = parts
            .into_iter()
            .map(|scored| scored.scores)
            .reduce(|a, b| a.merge(b).unwrap())
            .unwrap();
        prop_assert_eq!(found.len(), expected.len());
        for row in 0..expected.len() {
            for column in 0..metrics.len() {
                let bits = |x: Option<f64>| x.map(f64::to_bits);
                let at = found.row_of(expected.topic(row).as_bytes()).unwrap();
                prop_assert_eq!(bits(found.value(at, column)), bits(expected.value(row, column)));
            }
        }
        for column in 0..metrics.len() {
            let mean = |scores: &axiometrics::Scores| {
                scores.summary_of(column, Undefined::Zero).unwrap().map(f64::to_bits)
            };
            prop_assert_eq!(mean(&found), mean(&expected));
        }
    }

    /// Summaries and their ranges are put together of parts that were sent, as scores or as tables
    /// of scores, and are those of the whole to the last bit.
    #[test]
    fn parts_add_up_to_the_summaries(
        topics in topics(),
        skip in any::<bool>(),
        undefined in prop_oneof![Just(Undefined::Zero), Just(Undefined::One), Just(Undefined::Skip)],
    ) {
        let (qrels, run) = apart(&topics);
        let metrics = parse_list("AP,nDCG@3,P@2,R@5,GMAP,AP(avg=median),Rprec").unwrap();
        let missing = if skip { Missing::Skip } else { Missing::Zero };
        let policies = Policies { missing, undefined, ..Policies::default() };
        let mut evaluation = Evaluation::under(&policies, &qrels, &metrics);
        evaluation.ranges = Some(Default::default());
        let expected = evaluation.score_part(&run, &mut Warnings::default()).unwrap();
        let names = [String::new()];
        let new = || Totals::new(&metrics, undefined, missing, &names);
        let (mut whole, mut of_tables) = (new(), new());
        for part in topics.chunks(2) {
            let mut scorer = GroupScorer::new(metrics.clone(), policies, qrels.max_grade())
                .unwrap()
                .with_ranges(Default::default());
            let mut scored = scorer.push(&union(part)).unwrap();
            scored.extend(scorer.finish().unwrap());
            of_tables.push_batch(&scorer.batch(&scored).unwrap()).unwrap();
            let mut totals = new();
            scored.iter().for_each(|one| totals.push(one).unwrap());
            totals.warn(scorer.warnings.clone());
            of_tables.push_batch(&scorer.warning_rows().unwrap()).unwrap();
            whole.merge(&totals.to_bytes().unwrap()).unwrap();
        }
        let common = run.topics().any(|topic| qrels.find(run.topic_bytes(topic)).is_some());
        for totals in [whole, of_tables] {
            let finished = totals.finish();
            prop_assert_eq!(finished.is_ok(), common);
            let Ok((found, warnings)) = finished else { continue };
            let told: Vec<_> = warnings.list().into_iter().map(|w| (w.kind.name(), w.count)).collect();
            let missing = expected.missing as u64;
            prop_assert_eq!(told.contains(&("missing-topic", missing)), missing > 0);
            for (column, (value, range)) in found[0].iter().enumerate() {
                let bits = |x: Option<f64>| x.map(f64::to_bits);
                prop_assert_eq!(bits(*value), bits(expected.summary_value(column, undefined)));
                let ends = expected.summary_range(column, undefined).map(|r| (r.low, r.high));
                prop_assert_eq!(*range, ends, "{}", metrics[column]);
            }
        }
    }
}

#[test]
fn rows_that_are_wrong_are_no_numbers() {
    let scorer = || GroupScorer::new(parse_list("AP").unwrap(), Policies::default(), 1.0).unwrap();
    let said = |topics: &[(usize, Rows)]| {
        let mut scorer = scorer();
        let pushed = scorer.push(&union(topics)).and_then(|_| scorer.finish());
        pushed.unwrap_err().to_string().lines().next().unwrap().to_string()
    };
    assert_eq!(
        said(&[(1, vec![(1, Some(1), None)]), (2, vec![(1, None, None)])]),
        r#"batch: topic "2", document "1": found null in column "score", expected a score here, or a grade"#
    );
    let again = [(1, vec![(1, Some(1), None)]), (2, vec![(1, Some(1), None)])];
    let again = [again[0].clone(), again[1].clone(), again[0].clone()];
    assert_eq!(said(&again), r#"batch: topic "1" comes again after others"#);
    let twice = said(&[(1, vec![(1, None, Some(1)), (1, None, Some(2))])]);
    assert!(twice.contains(r#"document "1" is in topic "1" twice"#), "{twice}");
    let above = said(&[(1, vec![(1, Some(2), None)])]);
    assert!(above.contains(r#"topic "1", document "1": the grade 2 is above"#), "{above}");
    let diversity = parse_list("alpha-nDCG@5").unwrap();
    assert!(GroupScorer::new(diversity, Policies::default(), 1.0).is_err());
}

#[test]
fn wrong_rows_are_named_or_counted() {
    let text = |values: Vec<Option<&str>>| Arc::new(StringArray::from(values)) as ArrayRef;
    let number = |values: Vec<Option<f64>>| Arc::new(Float64Array::from(values)) as ArrayRef;
    let good = (Some("1"), Some("a"), Some(1.0), None, true);
    let found = (Some("1"), Some("a"), None, Some(2.0), false);
    let wrong = [
        (
            (Some("1"), Some("b"), None, Some(f64::NAN), false),
            "topic \"1\", document \"b\": found NaN in column \"score\", expected a number for the score",
        ),
        (
            (Some("1"), Some("b"), None, None, false),
            "topic \"1\", document \"b\": found null in column \"score\", expected a number for the score",
        ),
        (
            (Some("1"), Some("b"), None, None, true),
            "topic \"1\", document \"b\": found null in column \"grade\", expected a number for the grade",
        ),
        (
            (Some("1"), None, None, Some(1.0), false),
            "topic \"1\", document null: found null in column \"doc\", expected the id of a document",
        ),
        (
            (Some("1"), Some(""), None, Some(1.0), false),
            "topic \"1\", document \"\": found an empty id in column \"doc\", expected the id of a document",
        ),
        (
            (None, Some("b"), None, Some(1.0), false),
            "topic null, document \"b\": found null in column \"topic\", expected the id of a topic",
        ),
        (
            (Some("1"), Some("b"), Some(f64::INFINITY), None, true),
            "topic \"1\", document \"b\": found inf in column \"grade\", expected a finite grade",
        ),
    ];
    for (row, said) in wrong {
        let rows = [good, row, found];
        let whole = batch([
            ("topic", text(rows.iter().map(|r| r.0).collect())),
            ("doc", text(rows.iter().map(|r| r.1).collect())),
            ("grade", number(rows.iter().map(|r| r.2).collect())),
            ("score", number(rows.iter().map(|r| r.3).collect())),
            ("judged", Arc::new(BooleanArray::from(rows.map(|r| r.4).to_vec()))),
        ]);
        let scored = |lenient: bool| {
            let policies = Policies { lenient, ..Policies::default() };
            let mut scorer = GroupScorer::new(parse_list("RR").unwrap(), policies, 1.0).unwrap();
            let mut all = scorer.push(&whole)?;
            all.extend(scorer.finish()?);
            Ok((all, scorer.warnings))
        };
        let error =
            scored(false).map(|_| ()).map_err(|error: axiometrics::Error| error.to_string());
        assert_eq!(error.unwrap_err().lines().next().unwrap(), format!("batch: {said}"));
        let (all, warnings) = scored(true).unwrap();
        let value = all.iter().find_map(|one| one.scores.get("1", "RR"));
        assert_eq!(value.unwrap().value(), Some(1.0), "{said}");
        let told = warnings.list();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].count == 1 && told[0].message.contains(said), "{}", told[0].message);
    }
}

#[test]
fn several_runs_share_the_judgements() {
    let text = |values: Vec<Option<&str>>| Arc::new(StringArray::from(values)) as ArrayRef;
    let number = |values: Vec<Option<f64>>| Arc::new(Float64Array::from(values)) as ArrayRef;
    let columns = || {
        [
            ("topic", text(vec![Some("1"), Some("1"), Some("2"), Some("2")])),
            ("doc", text(vec![Some("a"), Some("a"), Some("a"), Some("a")])),
            ("grade", number(vec![Some(1.0), None, Some(1.0), None])),
            ("score", number(vec![None, Some(1.0), None, Some(1.0)])),
            ("system", text(vec![None, Some("x"), None, Some("y")])),
        ]
    };
    let mut scorer = GroupScorer::new(parse_list("AP").unwrap(), Policies::default(), 1.0)
        .unwrap()
        .with_runs("system", vec!["x".into(), "y".into()]);
    let mut all = scorer.push(&batch(columns())).unwrap();
    all.extend(scorer.finish().unwrap());
    let told: Vec<(String, String, Option<f64>)> = all
        .iter()
        .map(|one| (one.run.clone(), one.scores.topic(0).into_owned(), one.scores.value(0, 0)))
        .collect();
    let expected = [("x", "1", 1.0), ("y", "1", 0.0), ("x", "2", 0.0), ("y", "2", 1.0)]
        .map(|(run, topic, value)| (run.to_string(), topic.to_string(), Some(value)));
    assert_eq!(told, expected);
    let table = scorer.batch(&all).unwrap();
    assert_eq!((table.num_rows(), table.num_columns()), (4, 5));
    let mut unknown = GroupScorer::new(parse_list("AP").unwrap(), Policies::default(), 1.0)
        .unwrap()
        .with_runs("system", vec!["x".into()]);
    let error = unknown.push(&batch(columns())).and_then(|_| unknown.finish()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains(r#"found "y" in column "system", expected the name of one of the runs"#)
    );
}
