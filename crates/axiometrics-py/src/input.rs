//! What a run or judgements can be made of.
//!
//! A dict is visited once, through the interpreter's own interface: the bytes of an id are read
//! where they stand, and no Python object is made. Everything is checked on the way, and what is
//! wrong is named by its topic and document.

use std::path::PathBuf;
use std::sync::Arc;

#[cfg(feature = "arrow")]
use arrow_array::RecordBatch;
use axiometrics::choice::Choice;
use axiometrics::data::{Parts, QrelsBuilder, RunBuilder};
use axiometrics::error::quoted;
use axiometrics::io::{self, Facet, Format, QrelsOptions, Reading, RunOptions, Source};
use axiometrics::score::Stream;
use axiometrics::warning::Warnings;
use axiometrics::work::Work;
use axiometrics::{Error, Place};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString,
    PyTuple,
};

use crate::data::{Qrels, Run};
use crate::error::{OrRaise, exception, usage};
use crate::watch::watched;

/// What somebody handed over.
pub(crate) enum Given<'py> {
    Path(PathBuf),
    /// The content of a file-like object, with its name if it has one.
    Bytes(Option<String>, Vec<u8>),
    Dict(Bound<'py, PyDict>),
    /// A table of another library.
    #[cfg_attr(
        not(feature = "arrow"),
        expect(dead_code, reason = "there are no tables without it")
    )]
    Batches(Batches),
    Run(Arc<axiometrics::Run>),
    Qrels(Bound<'py, Qrels>),
    /// Rows of topic, document and number.
    Rows(Bound<'py, PyAny>),
}

#[cfg(feature = "arrow")]
type Batches = Vec<RecordBatch>;
#[cfg(not(feature = "arrow"))]
type Batches = std::convert::Infallible;

impl Given<'_> {
    /// What messages call it, if it has no name of its own.
    pub(crate) fn usual_name(&self, usual: &str) -> Option<String> {
        let has_none = matches!(self, Given::Batches(_) | Given::Bytes(None, _));
        has_none.then(|| usual.to_string())
    }
}

/// Recognises what was handed over, by what it is and not by what it could be turned into.
pub(crate) fn given<'py>(source: &Bound<'py, PyAny>) -> PyResult<Given<'py>> {
    let py = source.py();
    if let Ok(run) = source.cast::<Run>() {
        return Ok(Given::Run(run.get().data.clone()));
    }
    if let Ok(qrels) = source.cast::<Qrels>() {
        return Ok(Given::Qrels(qrels.clone()));
    }
    if let Ok(dict) = source.cast::<PyDict>() {
        return Ok(Given::Dict(dict.clone()));
    }
    #[cfg(feature = "arrow")]
    if let Some(batches) = crate::arrow::batches(source)? {
        return Ok(Given::Batches(batches));
    }
    if source.cast::<PyString>().is_ok() || source.hasattr("__fspath__")? {
        return Ok(Given::Path(source.extract()?));
    }
    if source.cast::<PyBytes>().is_ok() {
        return Ok(Given::Bytes(None, source.extract()?));
    }
    if source.hasattr("read")? {
        let name = source.getattr("name").ok().and_then(|name| name.extract::<String>().ok());
        let content = source.call_method0("read")?;
        let bytes = match content.cast::<PyString>() {
            Ok(text) => text.to_str()?.as_bytes().to_vec(),
            Err(_) => content.extract()?,
        };
        return Ok(Given::Bytes(name, bytes));
    }
    if source.try_iter().is_ok() && source.cast::<PyByteArray>().is_err() {
        return Ok(Given::Rows(source.clone()));
    }
    let kind = source.get_type().name()?;
    Err(usage(
        py,
        format!(
            "found an object of type {kind}, expected a path, a dict of dicts, a table or rows of topic, document and number"
        ),
    ))
}

/// Where rows go.
pub(crate) trait Sink {
    fn push(&mut self, topic: &[u8], doc: &[u8], value: f64);

    /// All rows of a topic were pushed, if they come together.
    fn end_topic(&mut self, _topic: &[u8]) -> axiometrics::Result<()> {
        Ok(())
    }
}

impl Sink for RunBuilder {
    fn push(&mut self, topic: &[u8], doc: &[u8], value: f64) {
        RunBuilder::push(self, topic, doc, value);
    }
}

impl Sink for QrelsBuilder {
    fn push(&mut self, topic: &[u8], doc: &[u8], value: f64) {
        QrelsBuilder::push(self, topic, doc, value);
    }
}

impl Sink for Stream<'_> {
    #[inline]
    fn push(&mut self, _topic: &[u8], doc: &[u8], value: f64) {
        Stream::push(self, doc, value);
    }

    fn end_topic(&mut self, topic: &[u8]) -> axiometrics::Result<()> {
        Stream::end_topic(self, topic)
    }
}

/// Counts what it sees and keeps nothing.
#[derive(Default)]
struct Visitor {
    bytes: usize,
    sum: f64,
}

impl Sink for Visitor {
    #[inline]
    fn push(&mut self, _topic: &[u8], doc: &[u8], value: f64) {
        self.bytes += doc.len() + usize::from(doc.first().copied().unwrap_or(0));
        self.sum += value;
    }
}

/// Visits a dict of dicts and keeps nothing of it: what any use of it costs at least.
#[pyfunction]
pub(crate) fn visit(dict: &Bound<'_, PyDict>) -> PyResult<(usize, f64)> {
    let mut visitor = Visitor::default();
    visit_dict(dict, What::Run, "run", &mut visitor)?;
    Ok((visitor.bytes, visitor.sum))
}

/// What the numbers of a dict are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Run,
    Qrels,
}

impl What {
    fn number(self) -> &'static str {
        match self {
            What::Run => "score",
            What::Qrels => "grade",
        }
    }

    /// The number of a document in a list without numbers: a ranking from the top, or relevant
    /// documents.
    fn implied(self, place: usize) -> f64 {
        match self {
            What::Run => -(place as f64),
            What::Qrels => 1.0,
        }
    }
}

/// So many documents are taken out of a dict before any of them is looked at. Ids and scores lie all
/// over the memory, and so the processor waits for many of them at once, not for one after the other.
const TOGETHER: usize = 64;

/// Shows the rows of a dict of topics to a sink.
pub(crate) fn visit_dict(
    dict: &Bound<'_, PyDict>,
    what: What,
    name: &str,
    sink: &mut impl Sink,
) -> PyResult<()> {
    let py = dict.py();
    for (topic, documents) in dict.iter() {
        py.check_signals()?;
        with_id(&topic, |topic| {
            visit_topic(topic, &documents, what, name, sink)?;
            sink.end_topic(topic).or_raise(py)
        })
        .ok_or_else(|| wrong_id(name, None, &topic))??;
    }
    Ok(())
}

fn visit_topic(
    topic: &[u8],
    documents: &Bound<'_, PyAny>,
    what: What,
    name: &str,
    sink: &mut impl Sink,
) -> PyResult<()> {
    let py = documents.py();
    if let Ok(documents) = documents.cast::<PyDict>() {
        let mut entries = documents.iter();
        let mut some = Vec::with_capacity(TOGETHER);
        loop {
            some.extend(entries.by_ref().take(TOGETHER));
            if some.is_empty() {
                return Ok(());
            }
            for (doc, value) in some.drain(..) {
                let number =
                    number(&value).ok_or_else(|| wrong_number(name, what, topic, &doc, &value))?;
                with_id(&doc, |doc| sink.push(topic, doc, number))
                    .ok_or_else(|| wrong_id(name, Some(topic), &doc))?;
            }
        }
    }
    let listed = documents.cast::<PyList>().is_ok()
        || documents.cast::<PyTuple>().is_ok()
        || documents.cast::<PySet>().is_ok() && what == What::Qrels
        || documents.cast::<PyFrozenSet>().is_ok() && what == What::Qrels;
    if !listed {
        let kind = documents.get_type().name()?;
        let message = format!(
            "topic {} has an object of type {kind}, expected a dict of documents and {}s, or a list of documents",
            quoted(topic),
            what.number()
        );
        return Err(exception(py, &Error::input(Place::file(name), message)));
    }
    for (place, row) in documents.try_iter()?.enumerate() {
        let row = row?;
        let pair = row.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
        let (doc, number) = match pair {
            Some(pair) => {
                let (doc, value) = (pair.get_item(0)?, pair.get_item(1)?);
                let number =
                    number(&value).ok_or_else(|| wrong_number(name, what, topic, &doc, &value))?;
                (doc, number)
            }
            None => (row, what.implied(place)),
        };
        with_id(&doc, |doc| sink.push(topic, doc, number))
            .ok_or_else(|| wrong_id(name, Some(topic), &doc))?;
    }
    Ok(())
}

/// The bytes of an id: a text, bytes or a whole number. `None` if it is none of these.
#[inline]
pub(crate) fn with_id<T>(id: &Bound<'_, PyAny>, use_it: impl FnOnce(&[u8]) -> T) -> Option<T> {
    match id.cast::<PyString>() {
        Ok(text) => text.to_str().ok().map(|text| use_it(text.as_bytes())),
        Err(_) => other_id(id).map(|id| use_it(&id)),
    }
}

#[cold]
fn other_id(id: &Bound<'_, PyAny>) -> Option<Vec<u8>> {
    if let Ok(bytes) = id.cast::<PyBytes>() {
        return Some(bytes.as_bytes().to_vec());
    }
    let whole = id.cast::<PyInt>().is_ok() && id.cast::<PyBool>().is_err();
    whole.then(|| id.str().ok()?.to_str().ok().map(|text| text.as_bytes().to_vec())).flatten()
}

/// A number that is a float, or is as good as one. Texts are not.
#[inline]
pub(crate) fn number(value: &Bound<'_, PyAny>) -> Option<f64> {
    match value.cast_exact::<PyFloat>() {
        Ok(float) => Some(float.value()),
        Err(_) => value.extract::<f64>().ok(),
    }
}

#[cold]
fn wrong_number(
    name: &str,
    what: What,
    topic: &[u8],
    doc: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> PyErr {
    let message = format!(
        "document {} of topic {} has the {} {}, expected a number",
        shown(doc),
        quoted(topic),
        what.number(),
        shown(value)
    );
    exception(doc.py(), &Error::input(Place::file(name), message))
}

#[cold]
fn wrong_id(name: &str, topic: Option<&[u8]>, id: &Bound<'_, PyAny>) -> PyErr {
    let place = match topic {
        Some(topic) => format!("a document of topic {} has", quoted(topic)),
        None => "a topic has".to_string(),
    };
    let message = format!("{place} the id {}, expected a text", shown(id));
    exception(id.py(), &Error::input(Place::file(name), message))
}

/// An object as a message shows it.
fn shown(object: &Bound<'_, PyAny>) -> String {
    let text = object.repr().and_then(|text| Ok(text.to_str()?.to_string()));
    let text = text.unwrap_or_else(|_| "an object".to_string());
    text.chars().take(60).collect()
}

/// Shows rows of topic, document and number: tuples, or the named tuples of ir_datasets and
/// ir_measures.
fn visit_rows(
    rows: &Bound<'_, PyAny>,
    what: What,
    name: &str,
    sink: &mut impl Sink,
) -> PyResult<()> {
    let py = rows.py();
    let attribute = match what {
        What::Run => "score",
        What::Qrels => "relevance",
    };
    for (at, row) in rows.try_iter()?.enumerate() {
        let row = row?;
        if at % 1024 == 0 {
            py.check_signals()?;
        }
        let named = || -> PyResult<[Bound<'_, PyAny>; 3]> {
            Ok([row.getattr("query_id")?, row.getattr("doc_id")?, row.getattr(attribute)?])
        };
        let fields = named().ok().or_else(|| {
            let row = row.cast::<PyTuple>().ok().filter(|row| row.len() == 3)?;
            Some([row.get_item(0).ok()?, row.get_item(1).ok()?, row.get_item(2).ok()?])
        });
        let Some([topic, doc, value]) = fields else {
            let message = format!(
                "row {} is {}, expected topic, document and {}",
                at + 1,
                shown(&row),
                what.number()
            );
            return Err(exception(py, &Error::input(Place::file(name), message)));
        };
        let pushed = with_id(&topic, |topic| -> PyResult<()> {
            let number =
                number(&value).ok_or_else(|| wrong_number(name, what, topic, &doc, &value))?;
            with_id(&doc, |doc| sink.push(topic, doc, number))
                .ok_or_else(|| wrong_id(name, Some(topic), &doc))
        });
        pushed.ok_or_else(|| wrong_id(name, None, &topic))??;
    }
    Ok(())
}

/// A run in memory, made of anything that a run can be made of.
pub(crate) fn run(
    source: &Bound<'_, PyAny>,
    name: Option<String>,
    lenient: bool,
    reading: &Reading,
    warnings: &mut Warnings,
) -> PyResult<Arc<axiometrics::Run>> {
    let py = source.py();
    let mut builder = |name: &str, fill: &dyn Fn(&mut RunBuilder) -> PyResult<()>| {
        let mut builder = axiometrics::Run::builder().named(name);
        fill(&mut builder)?;
        reading.run(builder, lenient, warnings).map(Arc::new).or_raise(py)
    };
    let unnamed = || name.clone().unwrap_or_else(|| "run".to_string());
    match given(source)? {
        Given::Run(run) if reading.is_plain() => Ok(run),
        Given::Run(run) => builder(run.name(), &|sink| {
            for topic in run.topics() {
                for (doc, score) in run.documents(topic) {
                    sink.push(run.topic_bytes(topic), doc, score);
                }
            }
            Ok(())
        }),
        Given::Dict(dict) => {
            let name = unnamed();
            builder(&name, &|sink| visit_dict(&dict, What::Run, &name, sink))
        }
        Given::Rows(rows) => {
            let name = unnamed();
            builder(&name, &|sink| visit_rows(&rows, What::Run, &name, sink))
        }
        Given::Qrels(_) => Err(usage(py, "found judgements, expected a run")),
        given @ (Given::Path(_) | Given::Bytes(..) | Given::Batches(_)) => {
            let reading = reading.clone();
            let (run, met) = in_background(py, given, name, move |source, warnings| {
                let options = RunOptions { lenient, reading, ..RunOptions::default() };
                io::read_run(source, options, warnings).map(Arc::new)
            })?;
            warnings.extend(met);
            Ok(run)
        }
    }
}

/// Judgements in memory, made of anything that they can be made of.
pub(crate) fn qrels(
    source: &Bound<'_, PyAny>,
    lenient: bool,
    facet: Facet,
    warnings: &mut Warnings,
) -> PyResult<Arc<axiometrics::Qrels>> {
    let py = source.py();
    let mut builder = |fill: &dyn Fn(&mut QrelsBuilder) -> PyResult<()>| {
        let mut builder = axiometrics::Qrels::builder();
        fill(&mut builder)?;
        let qrels = if lenient { builder.build_lenient(warnings) } else { builder.build() };
        qrels.map(Arc::new).or_raise(py)
    };
    match given(source)? {
        Given::Qrels(qrels) => Ok(qrels.get().data.clone()),
        Given::Dict(dict) => builder(&|sink| visit_dict(&dict, What::Qrels, "qrels", sink)),
        Given::Rows(rows) => builder(&|sink| visit_rows(&rows, What::Qrels, "qrels", sink)),
        Given::Run(_) => Err(usage(py, "found a run, expected judgements")),
        given @ (Given::Path(_) | Given::Bytes(..) | Given::Batches(_)) => {
            let name = given.usual_name("qrels");
            let (qrels, met) = in_background(py, given, name, move |source, warnings| {
                let options = QrelsOptions { lenient, facet, ..QrelsOptions::default() };
                io::read_qrels(source, options, warnings).map(Arc::new)
            })?;
            warnings.extend(met);
            Ok(qrels)
        }
    }
}

/// Which document each part belongs to: a dict from parts to documents, or a file.
pub(crate) fn parts(given_parts: &Bound<'_, PyAny>) -> PyResult<Parts> {
    let py = given_parts.py();
    match given(given_parts)? {
        Given::Dict(dict) => {
            let mut parts = Parts::default();
            for (part, document) in dict.iter() {
                with_id(&part, |part| with_id(&document, |document| parts.insert(part, document)))
                    .flatten()
                    .ok_or_else(|| {
                        let (part, document) = (shown(&part), shown(&document));
                        let message = "expected texts, from a part to its document";
                        usage(py, format!("map: found {part}: {document}, {message}"))
                    })?;
            }
            Ok(parts)
        }
        given @ (Given::Path(_) | Given::Bytes(..)) => {
            source(given, None).and_then(|source| io::read_parts(&source)).or_raise(py)
        }
        _ => Err(usage(py, "map: expected a dict from parts to documents, or a file")),
    }
}

/// A source of what is in a file, or was.
pub(crate) fn source(given: Given<'_>, name: Option<String>) -> axiometrics::Result<Source> {
    match given {
        Given::Path(path) => axio::open(path),
        Given::Bytes(own, bytes) => {
            let name = name.or(own).unwrap_or_else(|| "file".to_string());
            Ok(Source::from_bytes(name, bytes))
        }
        #[cfg(feature = "arrow")]
        Given::Batches(batches) => {
            axiometrics_arrow::source(&name.unwrap_or_else(|| "run".to_string()), batches)
        }
        _ => Err(Error::usage("this is no file")),
    }
}

fn in_background<T: Send + 'static>(
    py: Python<'_>,
    given: Given<'_>,
    name: Option<String>,
    read: impl FnOnce(&Source, &mut Warnings) -> axiometrics::Result<T> + Send + 'static,
) -> PyResult<(T, Warnings)> {
    let work = Work::default();
    let source = source(given, name).or_raise(py)?.watched(&work);
    let handle = work.clone();
    let result = watched(py, &work, None, move || {
        let mut warnings = Warnings::default();
        handle.or_cancelled(read(&source, &mut warnings)).map(|read| (read, warnings))
    })?;
    result.or_raise(py)
}

/// A format by its name.
pub(crate) fn format(py: Python<'_>, name: &str) -> PyResult<Format> {
    Format::from_name(&name.to_ascii_lowercase()).map_err(Error::from).or_raise(py)
}

/// A member of a closed set by its name.
pub(crate) fn choice<T: Choice>(py: Python<'_>, option: &str, name: &str) -> PyResult<T> {
    T::from_name(name).map_err(|unknown| usage(py, format!("{option}: {unknown}")))
}

/// The second key of judgements by its name.
pub(crate) fn facet(py: Python<'_>, name: Option<&str>) -> PyResult<Facet> {
    match name {
        None => Ok(Facet::None),
        Some("iteration" | "subtopic") => Ok(Facet::Iteration),
        Some("stratum") => Ok(Facet::Stratum),
        Some(other) => Err(usage(
            py,
            format!("facet: found \"{other}\", expected one of iteration, subtopic, stratum"),
        )),
    }
}
