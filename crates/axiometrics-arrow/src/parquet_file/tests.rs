//! Files that expand without end, and files that are damaged.

use std::sync::Arc;

use axiometrics::io::{RunOptions, read_run};
use axiometrics::{Result, Run, Warnings};
use parquet::basic::{Compression, Encoding, GzipLevel, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::from_bytes;

/// How a file is written.
#[derive(Clone, Copy)]
struct Writing {
    /// None for a dictionary.
    encoding: Option<Encoding>,
    compression: Compression,
    version: WriterVersion,
}

const DICTIONARY: Writing = Writing {
    encoding: None,
    compression: Compression::UNCOMPRESSED,
    version: WriterVersion::PARQUET_1_0,
};

/// A run in a file: each call of `rows` gives topics and documents of further rows, none at the end.
fn written(
    writing: Writing,
    optional: bool,
    mut rows: impl FnMut(usize) -> (Vec<ByteArray>, Vec<ByteArray>),
) -> Vec<u8> {
    let repetition = if optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let field = |(name, physical, logical): (&str, Physical, Option<LogicalType>)| {
        let field = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        Arc::new(field.with_logical_type(logical).build().unwrap())
    };
    let text = Some(LogicalType::String);
    let fields = [
        ("qid", Physical::BYTE_ARRAY, text.clone()),
        ("docno", Physical::BYTE_ARRAY, text),
        ("score", Physical::DOUBLE, None),
    ];
    let schema = Type::group_type_builder("schema").with_fields(fields.map(field).into());
    let mut properties = WriterProperties::builder()
        .set_compression(writing.compression)
        .set_writer_version(writing.version)
        .set_dictionary_page_size_limit(1 << 30)
        .set_data_page_size_limit(1 << 30)
        .set_data_page_row_count_limit(1 << 24);
    if let Some(encoding) = writing.encoding {
        properties = properties.set_dictionary_enabled(false);
        for column in ["qid", "docno"] {
            properties = properties.set_column_encoding(column.into(), encoding);
        }
    }
    let schema = Arc::new(schema.build().unwrap());
    let mut file =
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
    for part in 0.. {
        let (topics, docs) = rows(part);
        if topics.is_empty() {
            break;
        }
        let levels = optional.then(|| vec![1; topics.len()]);
        // Far below the top they are all the same, so that a dictionary makes them small.
        let scores: Vec<f64> = (0..topics.len()).map(|i| -(i.min(1 << 12) as f64)).collect();
        let mut group = file.next_row_group().unwrap();
        for texts in [&topics, &docs] {
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(texts, levels.as_deref(), None).unwrap();
            column.close().unwrap();
        }
        let mut column = group.next_column().unwrap().unwrap();
        assert!(matches!(column.untyped(), ColumnWriter::DoubleColumnWriter(_)));
        column.typed::<DoubleType>().write_batch(&scores, levels.as_deref(), None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    file.into_inner().unwrap()
}

fn read(bytes: Vec<u8>) -> Result<Run> {
    read_run(&from_bytes("r", bytes)?, RunOptions::default(), &mut Warnings::default())
}

/// The most memory that this process has had, in megabytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok())
        .map_or(0, |kilobytes| kilobytes >> 10)
}

fn ids(rows: usize) -> Vec<ByteArray> {
    (0..rows).map(|i| ByteArray::from(format!("{i}").into_bytes())).collect()
}

fn same(id: &ByteArray, rows: usize) -> Vec<ByteArray> {
    vec![id.clone(); rows]
}

/// One group of rows.
fn once<R>(mut rows: impl FnMut() -> (Vec<R>, Vec<R>)) -> impl FnMut(usize) -> (Vec<R>, Vec<R>) {
    move |part| if part == 0 { rows() } else { (Vec::new(), Vec::new()) }
}

#[test]
fn files_that_expand_without_end_are_refused_before_they_fill_memory() {
    let id = |len: usize| ByteArray::from(vec![b'x'; len]);
    let (one, short, long, huge) = (id(1), id(50_000), id(1 << 20), id(12 << 20));
    let shared = Writing { encoding: Some(Encoding::DELTA_BYTE_ARRAY), ..DICTIONARY };
    let files = [
        (
            "an id of 50 KB",
            written(DICTIONARY, false, once(|| (ids(20_000), same(&short, 20_000)))),
        ),
        ("an id of 1 MB", written(DICTIONARY, true, once(|| (ids(2000), same(&long, 2000))))),
        (
            "strings that share 1 MB",
            written(shared, false, once(|| (ids(2000), same(&long, 2000)))),
        ),
        ("strings that share 12 MB", written(shared, false, once(|| (ids(20), same(&huge, 20))))),
        (
            "rows of one value",
            written(DICTIONARY, false, |part| {
                let rows = if part < 8 { 1 << 20 } else { 0 };
                (same(&one, rows), same(&one, rows))
            }),
        ),
    ];
    let before = peak();
    for (name, bytes) in files {
        assert!(bytes.len() < 64 << 20, "{name}: {} bytes", bytes.len());
        let error = read(bytes).unwrap_err().to_string();
        let refused = error
            == "r: expands to more than 100 times its size, which no run or \
                                judgements do; if it is meant, write it as plain text first"
            || error.contains("DELTA_BYTE_ARRAY has more than 8 MB");
        assert!(refused, "{name}: {error}");
        // Other tests share the process unless each has its own.
        let used = peak() - before;
        assert!(std::env::var_os("NEXTEST").is_none() || used < 450, "{name}: {used} MB");
    }
}

#[test]
fn pages_that_expand_without_end_are_refused() {
    let long = ByteArray::from(vec![b'x'; 500_000]);
    for compression in [Compression::GZIP(GzipLevel::default()), Compression::LZ4_RAW] {
        let plain = Writing { encoding: Some(Encoding::PLAIN), compression, ..DICTIONARY };
        let bytes = written(plain, false, once(|| (ids(300), same(&long, 300))));
        assert!(bytes.len() < 1 << 20);
        let error = read(bytes).unwrap_err().to_string();
        assert!(error.contains("expands to more than 100 times its size"), "{error}");
    }
}

#[test]
fn pages_of_every_encoding_and_compression_are_read() {
    let expected: Vec<String> = (0..500).map(|i| format!("{i}")).collect();
    for writing in every_writing() {
        for optional in [false, true] {
            let bytes = written(writing, optional, once(|| (ids(500), ids(500))));
            let run = read(bytes).unwrap();
            let topics: Vec<_> =
                run.topics().map(|t| String::from_utf8_lossy(run.topic_bytes(t)).into()).collect();
            assert_eq!((topics, run.len()), (expected.clone(), 500));
        }
    }
}

fn every_writing() -> impl Iterator<Item = Writing> {
    use Compression as C;
    let encodings = [
        None,
        Some(Encoding::PLAIN),
        Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
        Some(Encoding::DELTA_BYTE_ARRAY),
    ];
    let compressions =
        [C::UNCOMPRESSED, C::SNAPPY, C::GZIP(GzipLevel::default()), C::LZ4, C::LZ4_RAW];
    let versions = [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0];
    encodings.into_iter().flat_map(move |encoding| {
        compressions.into_iter().flat_map(move |compression| {
            versions.map(|version| Writing { encoding, compression, version })
        })
    })
}

/// Every byte is changed, and pages lose bytes: whatever comes of it is a run or an error.
#[test]
fn damaged_files_are_errors_that_name_the_file() {
    let mut caught = 0;
    for writing in every_writing() {
        let bytes = written(writing, true, once(|| (ids(12), ids(12))));
        let changed = (4..bytes.len() - 8).flat_map(|at| {
            [0x01, 0x10, 0x7f, 0x80].map(|flip| {
                let mut changed = bytes.clone();
                changed[at] ^= flip;
                changed
            })
        });
        let cut = (4..bytes.len() / 2).map(|at| [&bytes[..at], &bytes[at + 1..]].concat());
        for damaged in changed.chain(cut) {
            let Err(error) = read(damaged) else { continue };
            let error = error.to_string();
            assert!(error.starts_with("r:"), "{error}");
            caught += usize::from(error.contains("does not hold what its header says"));
        }
    }
    assert!(caught > 0, "no damage made the decoder panic, so that none was caught");
}

#[test]
fn columns_of_lists_are_runs_and_judgements() {
    use axiometrics::io::{QrelsOptions, detect_content, holds_both, read_qrels};
    let list = |name: &str| {
        format!(
            "optional group {name} (LIST) {{ repeated group list {{ optional binary element (STRING); }} }}"
        )
    };
    let schema = format!(
        "message schema {{ required binary qid (STRING); {} {} }}",
        list("retrieved_ids"),
        list("relevant_ids")
    );
    let schema = Arc::new(parquet::schema::parser::parse_message_type(&schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let texts =
        |texts: &[&str]| texts.iter().map(|text| ByteArray::from(*text)).collect::<Vec<_>>();
    // Values, whether there is one (3), null (2), an empty list (1) or none (0), and where lists begin.
    type Levels = Option<[&'static [i16]; 2]>;
    let columns: [(Vec<ByteArray>, Levels); 3] = [
        (texts(&["1", "2", "3"]), None),
        (texts(&["a", "b", "c"]), Some([&[3, 3, 1, 3], &[0, 1, 0, 0]])),
        (texts(&["b", "c", "d"]), Some([&[3, 0, 3, 3], &[0, 0, 0, 1]])),
    ];
    let mut file = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    let mut group = file.next_row_group().unwrap();
    for (values, levels) in &columns {
        let mut column = group.next_column().unwrap().unwrap();
        let [there, begins] = levels.map_or([None, None], |levels| levels.map(Some));
        column.typed::<ByteArrayType>().write_batch(values, there, begins).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    let source = from_bytes("r", file.into_inner().unwrap()).unwrap();
    assert!(holds_both(&source));
    assert_eq!(detect_content(&source).unwrap().0, axiometrics::io::Content::Run);
    let run = read_run(&source, RunOptions::default(), &mut Warnings::default()).unwrap();
    let documents = |topic| {
        let text = |doc: &[u8]| String::from_utf8_lossy(doc).into_owned();
        run.documents(topic).map(|(doc, score)| (text(doc), score)).collect::<Vec<_>>()
    };
    assert_eq!(documents(0), [("a".to_string(), -1.0), ("b".to_string(), -2.0)]);
    assert_eq!(documents(1), [("c".to_string(), -1.0)]);
    let qrels = read_qrels(&source, QrelsOptions::default(), &mut Warnings::default()).unwrap();
    assert_eq!((qrels.len(), qrels.judgement_count(), qrels.max_grade()), (2, 3, 1.0));
}
