//! Topics with lists of documents.

use axiometrics::io::table::{CellPlace, ListedValues, TableRow};
use axiometrics::{Error, Place, Result};

use super::column::Column;
use super::guard::{Expansions, guarded};
use super::{BATCH, ROW, broken};

/// The columns of a row group that are read.
pub(super) struct Lists {
    pub(super) topics: Column,
    pub(super) docs: Column,
    pub(super) listed: ListedValues,
}

impl Lists {
    /// Shows all documents, after so many rows of other groups, and says how many rows there are.
    pub(super) fn show(
        mut self,
        name: &str,
        before: u64,
        expansions: &Expansions,
        see: &mut dyn FnMut(Result<TableRow<'_>>) -> Result<()>,
    ) -> Result<u64> {
        let mut done = 0;
        loop {
            let Lists { topics, docs, listed } = &mut self;
            let rows = guarded(name, || topics.fill(BATCH))?;
            if guarded(name, || docs.fill(BATCH))? != rows {
                let message = "the Parquet file cannot be read: its columns differ in length";
                return Err(Error::input(Place::file(name), message));
            }
            if rows == 0 {
                return Ok(done);
            }
            expansions.rows.take(ROW * docs.levels() as u64).map_err(|e| broken(name, &e))?;
            for _ in 0..rows {
                done += 1;
                let row = before + done;
                let wrong = |column: &Column, expected: &str| {
                    let column = column.name().to_string();
                    Err(CellPlace { table: name.to_string(), column, row }.wrong("null", expected))
                };
                topics.next();
                let mut at = 0;
                while docs.next_listed(at == 0) {
                    see(match (topics.id(), docs.id()) {
                        (Some(topic), Some(doc)) => {
                            let value = listed.value(at);
                            Ok(TableRow { topic, doc, value, facet: b"", row })
                        }
                        (None, _) => wrong(topics, "the id of a topic"),
                        (_, None) => wrong(docs, "the id of a document"),
                    })?;
                    at += 1;
                }
            }
        }
    }
}
