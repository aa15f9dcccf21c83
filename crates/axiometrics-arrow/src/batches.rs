//! Record batches as a table of the library.

use arrow_array::RecordBatch;
use axiometrics::io::table::{CellPlace, ColumnNumbers, TableRow, TableSource};
use axiometrics::io::{self, QrelsOptions, RunOptions, Source};
use axiometrics::{Error, Place, Qrels, Result, Run, Warnings};

use crate::cells::{Ids, Numbers};

/// Record batches of one schema, in memory.
#[derive(Debug)]
pub struct Batches {
    name: String,
    batches: Vec<RecordBatch>,
}

impl Batches {
    /// Batches under a name for messages. An error if their schemas differ.
    pub fn new(name: impl Into<String>, batches: Vec<RecordBatch>) -> Result<Batches> {
        let name = name.into();
        let differ = batches.windows(2).any(|pair| pair[0].schema() != pair[1].schema());
        if differ {
            return Err(Error::usage(format!("{name}: the record batches have different schemas")));
        }
        Ok(Batches { name, batches })
    }
}

/// The names of a batch's columns.
pub(crate) fn names(batch: &RecordBatch) -> Vec<String> {
    batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
}

impl TableSource for Batches {
    fn names(&self) -> Vec<String> {
        self.batches.first().map(names).unwrap_or_default()
    }

    fn rows(
        &self,
        columns: ColumnNumbers,
        see: &mut dyn FnMut(Result<TableRow<'_>>) -> Result<()>,
    ) -> Result<()> {
        let mut before = 0;
        for batch in &self.batches {
            batch_rows(&self.name, batch, columns, before, see)?;
            before += batch.num_rows() as u64;
        }
        Ok(())
    }

    fn size(&self) -> u64 {
        self.batches.iter().map(|batch| batch.get_array_memory_size() as u64).sum()
    }
}

/// Shows the rows of one batch, behind so many others.
pub(crate) fn batch_rows(
    table: &str,
    batch: &RecordBatch,
    columns: ColumnNumbers,
    before: u64,
    see: &mut dyn FnMut(Result<TableRow<'_>>) -> Result<()>,
) -> Result<()> {
    let names = names(batch);
    let column = |at: usize| (batch.column(at).as_ref(), names[at].as_str());
    let ids = |at: usize| -> Result<Ids<'_>> {
        let (array, name) = column(at);
        Ids::of(array, table, name)
    };
    if columns.listed.is_some() {
        let (array, name) = column(columns.doc);
        let message = format!("column \"{name}\" is of type {}", array.data_type());
        return Err(Error::input(Place::file(table), message)
            .help("give a row for each document, or a Parquet file of lists"));
    }
    let topics = ids(columns.topic)?;
    let docs = ids(columns.doc)?;
    let facets = columns.facet.map(ids).transpose()?;
    let (values, value_name) = column(columns.value);
    let values = Numbers::of(values, table, value_name)?;
    let [mut topic_text, mut doc_text, mut facet_text] = [const { Vec::new() }; 3];
    for row in 0..batch.num_rows() {
        let cell = |at: usize| CellPlace {
            table: table.to_string(),
            column: names[at].clone(),
            row: before + row as u64 + 1,
        };
        let stored =
            (topics.get(row, &mut topic_text), docs.get(row, &mut doc_text), values.get(row));
        see(match stored {
            (Some(_), Some(_), Some(Err((found, expected)))) => {
                Err(cell(columns.value).wrong(&found, expected))
            }
            (Some(topic), Some(doc), Some(Ok(value))) => {
                let facet = facets.as_ref().and_then(|facets| facets.get(row, &mut facet_text));
                Ok(TableRow {
                    topic,
                    doc,
                    value,
                    facet: facet.unwrap_or_default(),
                    row: before + row as u64 + 1,
                })
            }
            (None, ..) => Err(cell(columns.topic).wrong("null", "the id of a topic")),
            (_, None, _) => Err(cell(columns.doc).wrong("null", "the id of a document")),
            (.., None) => Err(cell(columns.value).wrong("null", "a number")),
        })?;
    }
    Ok(())
}

/// Batches as an input of the library, for all that reads runs or judgements.
pub fn source(name: &str, batches: Vec<RecordBatch>) -> Result<Source> {
    Ok(Source::from_table(name, Box::new(Batches::new(name, batches)?)))
}

/// The run in some batches.
pub fn read_run(
    name: &str,
    batches: Vec<RecordBatch>,
    options: RunOptions,
    warnings: &mut Warnings,
) -> Result<Run> {
    io::read_run(&source(name, batches)?, options, warnings)
}

/// The judgements in some batches.
pub fn read_qrels(
    name: &str,
    batches: Vec<RecordBatch>,
    options: QrelsOptions,
    warnings: &mut Warnings,
) -> Result<Qrels> {
    io::read_qrels(&source(name, batches)?, options, warnings)
}
