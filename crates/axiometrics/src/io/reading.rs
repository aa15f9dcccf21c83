//! How the rows of a file become a run: which scores are better, what repeated documents count for,
//! and which document a retrieved part belongs to.

use std::sync::Arc;

use super::{Source, columns, csv, lines};
use crate::data::{Entries, Parts, Run, RunBuilder, id_text};
use crate::error::{Error, Place, Result};
use crate::policy::{Duplicates, Order, Pool};
use crate::warning::{WarningKind, Warnings};

/// How the rows of a file become a run.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Which end of the scores is the better one.
    pub order: Order,
    /// What is done about repeated documents.
    pub duplicates: Duplicates,
    /// The documents of the parts that the run retrieves, if it does not retrieve documents.
    pub parts: Option<Arc<Parts>>,
    /// The score of a document whose parts were retrieved.
    pub pool: Pool,
}

impl Reading {
    /// True if a run is read as it is.
    pub fn is_plain(&self) -> bool {
        self.order == Order::Desc && self.duplicates == Duplicates::Error && self.parts.is_none()
    }

    /// The run of rows that a program hands over, under the same choices as one that is read.
    ///
    /// ```
    /// use axiometrics::io::Reading;
    /// use axiometrics::policy::{Duplicates, Order};
    /// use axiometrics::{Run, Warnings};
    ///
    /// let mut rows = Run::builder();
    /// rows.push("1", "a", 0.7).push("1", "a", 0.2).push("1", "b", 0.5);
    /// let reading =
    ///     Reading { order: Order::Asc, duplicates: Duplicates::Best, ..Reading::default() };
    /// let run = reading.run(rows, false, &mut Warnings::default())?;
    /// assert_eq!(run.documents(0).map(|(_, score)| score).collect::<Vec<_>>(), [-0.2, -0.5]);
    /// # Ok::<(), axiometrics::Error>(())
    /// ```
    pub fn run(&self, rows: RunBuilder, lenient: bool, warnings: &mut Warnings) -> Result<Run> {
        if self.is_plain() {
            return if lenient { rows.build_lenient(warnings) } else { rows.build() };
        }
        let (name, entries) = rows.rows(lenient, warnings)?;
        let entries = self.settle(&name, entries, warnings)?;
        Run::from_file(&name, entries, lenient, warnings)
    }

    /// The rows as the run has them: each document of a topic once, unless repeated ones are
    /// errors, and high scores better.
    pub(crate) fn settle(
        &self,
        name: &str,
        entries: Entries,
        warnings: &mut Warnings,
    ) -> Result<Entries> {
        let pool = match (&self.parts, self.duplicates) {
            (Some(_), _) => Some(self.pool),
            (None, Duplicates::First) => Some(Pool::First),
            (None, Duplicates::Best) => Some(Pool::Max),
            (None, Duplicates::Error) => None,
        };
        let mut entries = match pool {
            None => entries,
            Some(pool) => {
                let pooled = entries.pooled(self.parts.as_deref(), pool, self.order)?;
                if let Some(line) = pooled.dropped.first.filter(|_| self.parts.is_none()) {
                    warnings.add(WarningKind::DuplicateDocument, pooled.dropped.count, name, line);
                }
                if let Some(first) = &pooled.first_unknown {
                    let first = format!("\"{}\"", id_text(first));
                    warnings.add_example(WarningKind::UnknownPart, pooled.unknown, name, &first);
                }
                pooled.entries
            }
        };
        if self.order == Order::Asc {
            entries.map_values(|score| -score);
        }
        Ok(entries)
    }
}

/// The documents of parts: lines of a part and its document, between tabs, commas or blanks.
pub fn read_parts(source: &Source) -> Result<Parts> {
    let mut parts = Parts::default();
    lines::each_entry(source, |text, line, is_first| {
        let fields = csv::plain_fields(text);
        let place = || Place::line(source.name(), line);
        let [part, document] = fields[..] else {
            return Err(Error::expected(place(), text, "two fields: part document")
                .help("separate them by a tab, a comma or a blank"));
        };
        // A header says nothing of parts.
        if is_first && columns::role(part).is_some() && columns::role(document).is_some() {
            return Ok(());
        }
        if let Some(other) = parts.insert(part, document) {
            let (part, other, document) = (id_text(part), id_text(&other), id_text(document));
            return Err(Error::duplicate(
                place(),
                format!(
                    "found \"{part}\" as a part of \"{document}\" and before of \"{other}\", expected one document for each part"
                ),
            ));
        }
        Ok(())
    })?;
    if parts.is_empty() {
        return Err(Error::input(
            Place::file(source.name()),
            "nothing in the file, expected lines of: part document",
        ));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_between_tabs_commas_and_blanks() {
        for text in [
            "p1\ta\np2\tb b\n",
            "chunk_id,doc_id\np1,a\np2,\"b b\"\n",
            "\u{feff}p1\ta\r\n\n# x\np2\tb b",
        ] {
            let parts = read_parts(&Source::from_bytes("map.tsv", text)).unwrap();
            assert_eq!(parts.len(), 2, "{text:?}");
            assert_eq!(parts.document(b"p1"), Some(b"a".as_slice()));
            assert_eq!(parts.document(b"p2"), Some(b"b b".as_slice()));
        }
        assert_eq!(read_parts(&Source::from_bytes("m", "p1 a\n")).unwrap().len(), 1);
        for (text, message) in [
            ("p1\n", "m:1: found \"p1\", expected two fields: part document"),
            ("p a\np b\n", "m:2: found \"p\" as a part of \"b\" and before of \"a\""),
            ("# x\n", "m: nothing in the file, expected lines of: part document"),
        ] {
            let error = read_parts(&Source::from_bytes("m", text)).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
