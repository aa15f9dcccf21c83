//! Rows that a program hands over one by one or in columns: what runs and judgements share.

use super::{Duplicate, Entries};
use crate::error::{Error, Place, Result, quoted};
use crate::warning::{WarningKind, Warnings};

/// Gathers rows and notes which of them are wrong; what that means is decided at the end.
#[derive(Debug)]
pub(super) struct BuilderRows {
    name: String,
    entries: Entries,
    /// The topic of the last row, which mostly is that of the next.
    last: Option<(Vec<u8>, u32)>,
    pushed: u64,
    empty: WrongRows,
    bad_number: WrongRows,
    /// More than fits.
    full: Option<Error>,
}

/// Rows that are wrong in one way.
#[derive(Debug, Default)]
struct WrongRows {
    count: u64,
    /// What is wrong with the first of them.
    first: Option<String>,
}

impl WrongRows {
    fn note(&mut self, what: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(what);
    }
}

/// What the number of a row is.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowNumber {
    pub(super) noun: &'static str,
    pub(super) expected: &'static str,
    pub(super) accepts: fn(f64) -> bool,
}

impl BuilderRows {
    pub(super) fn new(name: &str) -> BuilderRows {
        BuilderRows {
            name: name.to_string(),
            entries: Entries::new(),
            last: None,
            pushed: 0,
            empty: WrongRows::default(),
            bad_number: WrongRows::default(),
            full: None,
        }
    }

    pub(super) fn named(self, name: String) -> BuilderRows {
        BuilderRows { name, ..self }
    }

    pub(super) fn push(&mut self, topic: &[u8], doc: &[u8], value: f64, number: RowNumber) {
        self.pushed += 1;
        let row = self.pushed;
        if topic.is_empty() || doc.is_empty() {
            let what = if topic.is_empty() { "topic" } else { "document" };
            self.empty.note(|| format!("row {row} has an empty id for its {what}"));
        } else if !(number.accepts)(value) {
            self.bad_number.note(|| {
                let (topic, doc, noun) = (quoted(topic), quoted(doc), number.noun);
                format!("document {doc} of topic {topic} has the {noun} {value} (row {row})")
            });
        } else {
            let topic = match &mut self.last {
                Some((name, number)) if name.as_slice() == topic => *number,
                last => {
                    let number = self.entries.topic(topic);
                    *last = Some((topic.to_vec(), number));
                    number
                }
            };
            if let Err(error) = self.entries.push(topic, doc, value, row) {
                self.full.get_or_insert(error);
            }
        }
    }

    /// All rows, from columns of equal length.
    pub(super) fn extend<T: AsRef<[u8]>, D: AsRef<[u8]>>(
        &mut self,
        topics: &[T],
        docs: &[D],
        values: &[f64],
        number: RowNumber,
    ) -> Result<()> {
        if topics.len() != docs.len() || docs.len() != values.len() {
            return Err(Error::usage(format!(
                "found columns of {} topics, {} documents and {} {}s, expected equal lengths",
                topics.len(),
                docs.len(),
                values.len(),
                number.noun
            )));
        }
        for ((topic, doc), value) in topics.iter().zip(docs).zip(values) {
            self.push(topic.as_ref(), doc.as_ref(), *value, number);
        }
        Ok(())
    }

    /// The rows, grouped by topic, each document once; or what is wrong with the first that is.
    pub(super) fn strict(self, number: RowNumber) -> Result<(String, Entries)> {
        let (name, mut entries) = self.sound(number)?;
        entries.group();
        if let Some(Duplicate { topic, earlier, later }) = entries.first_duplicate() {
            let (topic, doc) = (entries.topic_name(topic), entries.doc(later));
            let [first, second] = [earlier, later].map(|row| entries.line(row));
            let message = format!(
                "document {} is in topic {} twice (rows {first} and {second}), expected each document once",
                quoted(doc),
                quoted(topic)
            );
            return Err(Error::duplicate(Place::file(&name), message));
        }
        Ok((name, entries))
    }

    /// The rows as they came; or what is wrong with the first that is.
    pub(super) fn sound(self, number: RowNumber) -> Result<(String, Entries)> {
        let place = || Place::file(&self.name);
        if let Some(error) = self.full {
            return Err(error);
        }
        if let Some(what) = self.empty.first {
            return Err(Error::input(place(), format!("{what}, expected ids that are not empty")));
        }
        if let Some(what) = self.bad_number.first {
            return Err(Error::input(place(), format!("{what}, expected {}", number.expected)));
        }
        Ok((self.name, self.entries))
    }

    /// The rows without those that are wrong, which are counted; of a repeated document the one
    /// with the highest number.
    pub(super) fn lenient(self, warnings: &mut Warnings) -> Result<(String, Entries)> {
        let (name, mut entries) = self.without_wrong(warnings)?;
        let dropped = entries.keep_once()?;
        if let Some(row) = dropped.first {
            let example = format!("row {row}");
            warnings.add_example(WarningKind::DuplicateDocument, dropped.count, &name, &example);
        }
        Ok((name, entries))
    }

    /// The rows as they came, without those that are wrong, which are counted.
    pub(super) fn without_wrong(self, warnings: &mut Warnings) -> Result<(String, Entries)> {
        if let Some(error) = self.full {
            return Err(error);
        }
        for (kind, WrongRows { count, first }) in
            [(WarningKind::MalformedLine, self.empty), (WarningKind::NotANumber, self.bad_number)]
        {
            if let Some(first) = first {
                warnings.add_example(kind, count, &self.name, &first);
            }
        }
        Ok((self.name, self.entries))
    }
}
