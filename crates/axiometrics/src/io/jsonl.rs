//! JSON records: an object per row with the usual keys, or one per topic with lists of documents.
//! One per line is JSONL; an array of them is a form of JSON.

use std::cell::Cell;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::columns::{ByRole, RecordField, Role, WrongFields};
use super::json::{self, Position};
use super::row::{self, InputRow, RowSink, Wanted, fix_line};
use super::trec::refuse_lone_return;
use super::window::LONGEST_LINE;
use super::{Content, Source};
use crate::error::{Error, Place, Result};
use crate::warning::WarningKind;

/// Reads a file of one record per line.
pub(crate) fn read(source: &Source, wanted: Wanted, sink: &mut impl RowSink) -> Result<()> {
    let room = RecordRoom::default();
    each(source, |text, line| {
        let mut input = serde_json::Deserializer::from_slice(text);
        let mut record = RecordSeed(source, room.anew())
            .deserialize(&mut input)
            .and_then(|record| input.end().map(|()| record));
        if room.lacks_digits.get() {
            record = with_digits(source, text)?;
        }
        match record {
            Ok(record) => report(&record, &Place::line(source.name(), line), wanted, sink),
            Err(e) => {
                let place = Place::column(source.name(), line, e.column() as u64);
                let told = || Error::input(place, message(&e)).help(fix_line());
                // A carriage return between records is a blank to the parser.
                let error = refuse_lone_return(text, source.name(), line).err();
                sink.bad(WarningKind::MalformedLine, error.unwrap_or_else(told))
            }
        }
    })
}

/// Reads a record once more, by a reader that knows the digits of its numbers.
fn with_digits(source: &Source, text: &[u8]) -> Result<serde_json::Result<Record>> {
    let at = Position::default();
    let room = RecordRoom::with_digits(&at);
    let mut input = json::deserializer(text, source.name(), &at)?;
    Ok(RecordSeed(source, room.anew()).deserialize(&mut input))
}

fn each(source: &Source, mut each: impl FnMut(&[u8], u64) -> Result<()>) -> Result<()> {
    super::lines::each_line(source, |text, line| {
        let text = super::lines::bare(text).trim_ascii();
        if text.is_empty() || text.starts_with(b"#") { Ok(()) } else { each(text, line) }
    })
}

/// What is wrong, without the place, which we know better.
pub(crate) fn message(e: &serde_json::Error) -> String {
    let text = e.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
    // It repeats a string of any length that it did not expect, between what it is and what it
    // expected.
    const LONGEST: usize = 300;
    if text.len() <= LONGEST {
        return text.to_string();
    }
    let bounds = || text.char_indices().map(|(at, _)| at);
    let head = bounds().take_while(|at| *at <= 100).last().unwrap_or(0);
    let tail = bounds().find(|at| *at + 100 >= text.len()).unwrap_or(text.len());
    format!("{}…{}", &text[..head], &text[tail..])
}

/// Makes a row of a record.
pub(crate) fn report(
    record: &Record,
    place: &Place,
    wanted: Wanted,
    sink: &mut impl RowSink,
) -> Result<()> {
    let line = place.line.unwrap_or(0);
    if let Some(role) = record.repeated() {
        let error = Error::input(place.clone(), twice(role));
        return sink.bad(WarningKind::MalformedLine, error.help(fix_line()));
    }
    if let Some((topic, list, numbers)) = listed(record, wanted) {
        return report_list(topic, list, numbers, place, wanted, sink);
    }
    let chosen = match record.choose(wanted) {
        Ok(chosen) => chosen,
        Err(missing) => {
            let error = Error::input(
                place.clone(),
                format!(
                    "found a record without {missing}, expected all of {}",
                    wanted.content.keys()
                ),
            );
            return sink.bad(WarningKind::MalformedLine, error.help(fix_line()));
        }
    };
    match chosen
        .row(wanted.content, line, |cell| RecordField { text: &cell.text, number: cell.number })
    {
        Ok(row) => sink.row(&row),
        Err(WrongFields { kind, found, expected }) => {
            sink.bad(kind, Error::expected(place.clone(), found, expected).help(fix_line()))
        }
    }
}

fn twice(role: &str) -> String {
    format!("found two fields of one name for the {role} in a record, expected one")
}

/// The topic, the documents and their numbers, of a record that lists documents.
fn listed(record: &Record, wanted: Wanted) -> Option<(&[u8], &[JsonValue], &[JsonValue])> {
    let topic = record.get(Role::Topic)?;
    let (own, numbers) = match wanted.content {
        Content::Run => (Role::Retrieved, Role::Score),
        Content::Qrels => (Role::Relevant, Role::Grade),
    };
    let list = |role| record.get(role).and_then(|cell: &JsonValue| cell.list.as_deref());
    let documents = list(own).or_else(|| list(Role::Doc))?;
    let numbers = list(numbers).filter(|numbers| numbers.len() == documents.len());
    Some((&topic.text, documents, numbers.unwrap_or_default()))
}

/// Makes rows of a list of documents: in a run they come best first, among judgements all are
/// relevant, unless each has a number of its own.
pub(crate) fn report_list(
    topic: &[u8],
    documents: &[JsonValue],
    numbers: &[JsonValue],
    place: &Place,
    wanted: Wanted,
    sink: &mut impl RowSink,
) -> Result<()> {
    for (at, document) in documents.iter().enumerate() {
        report_listed(topic, at, document, numbers.get(at), place, wanted, sink)?;
    }
    Ok(())
}

/// Makes a row of a document that stands in a list behind so many others.
pub(crate) fn report_listed(
    topic: &[u8],
    at: usize,
    document: &JsonValue,
    number: Option<&JsonValue>,
    place: &Place,
    wanted: Wanted,
    sink: &mut impl RowSink,
) -> Result<()> {
    let line = place.line.unwrap_or(0);
    let content = wanted.content;
    let rank = at as f64 + 1.0;
    let (doc, given) = match document.list.as_deref() {
        // A pair of a document and its number.
        Some([doc, number]) => (doc, Some(number)),
        Some(_) => (document, None),
        None => (document, number),
    };
    if topic.is_empty() || doc.text.is_empty() {
        let expected = "the ids of a topic and of documents";
        let error = Error::expected(place.clone(), b"", expected).help(fix_line());
        return sink.bad(WarningKind::MalformedLine, error);
    }
    let value = match given {
        Some(cell) => {
            cell.number.map_or_else(|| row::number(&cell.text, content), |x| row::check(x, content))
        }
        None if content == Content::Run => Ok(-rank),
        None => Ok(1.0),
    };
    match value {
        Ok(value) => {
            let rank = given.is_none().then_some(rank).filter(|_| content == Content::Run);
            sink.row(&InputRow { topic, doc: &doc.text, value, rank, facet: b"", line })
        }
        Err((kind, expected)) => {
            let found = given.map_or(b"".as_slice(), |cell| &cell.text);
            sink.bad(kind, Error::expected(place.clone(), found, expected).help(fix_line()))
        }
    }
}

/// What the values of a record share.
#[derive(Debug, Default)]
pub(crate) struct RecordRoom<'p> {
    /// How much memory they may still take: a list of short numbers takes many times its text.
    left: Cell<usize>,
    /// Where the digits of a number are that is too large for 64 bits.
    digits: Option<&'p Position>,
    /// There was such a number, and its digits are not known.
    lacks_digits: Cell<bool>,
}

impl<'p> RecordRoom<'p> {
    /// For a reader that notes the digits of numbers.
    pub(crate) fn with_digits(at: &'p Position) -> RecordRoom<'p> {
        RecordRoom { digits: Some(at), ..RecordRoom::default() }
    }

    /// All of it, for the next record.
    pub(crate) fn anew(&self) -> &RecordRoom<'p> {
        self.left.set(LONGEST_LINE);
        self.lacks_digits.set(false);
        self
    }

    /// A number that the parser takes for a fraction, as the text of an id. One that has digits alone
    /// keeps them: rounded, it would be the same id as others.
    fn text(&self, number: f64) -> Vec<u8> {
        let rounded = || format!("{number:?}").into_bytes();
        if number.abs() < i64::MAX as f64 || number.fract() != 0.0 {
            return rounded();
        }
        match self.digits {
            None => {
                self.lacks_digits.set(true);
                rounded()
            }
            Some(at) => at.digits().unwrap_or_else(rounded),
        }
    }

    /// Takes the room of a value with so much text.
    fn take<E: serde::de::Error>(&self, text: usize) -> std::result::Result<(), E> {
        let left = self.left.get().checked_sub(size_of::<JsonValue>() + text);
        self.left.set(left.ok_or_else(|| {
            E::custom("found a record that takes more than 64 MB, expected shorter lists; write a record for each document")
        })?);
        Ok(())
    }
}

/// The fields of a record that have a role.
pub(crate) type Record = ByRole<JsonValue>;

/// A scalar: its text, and its number if it is one; or a list, of scalars or of pairs.
#[derive(Debug, Default)]
pub(crate) struct JsonValue {
    pub(crate) text: Vec<u8>,
    pub(crate) number: Option<f64>,
    pub(crate) list: Option<Vec<JsonValue>>,
}

impl JsonValue {
    /// A record of a list, as the pair of its document and its number.
    fn of_record(record: &mut Record) -> JsonValue {
        let mut take = |role| record.take(role);
        let doc = take(Role::Doc).or_else(|| take(Role::Topic)).unwrap_or_default();
        let number = [Role::Score, Role::Grade, Role::Rating].into_iter().find_map(take);
        match number {
            Some(number) => JsonValue { list: Some(vec![doc, number]), ..JsonValue::default() },
            None => doc,
        }
    }
}

/// Reads an object, keeping the fields that have a role.
#[derive(Clone, Copy)]
pub(crate) struct RecordSeed<'s>(pub(crate) &'s Source, pub(crate) &'s RecordRoom<'s>);

impl<'de> DeserializeSeed<'de> for RecordSeed<'_> {
    type Value = Record;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> std::result::Result<Record, D::Error> {
        input.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RecordSeed<'_> {
    type Value = Record;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object such as {\"query_id\": \"1\", \"doc_id\": \"d\", \"score\": 2.5}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Record, A::Error> {
        let mut record = Record::default();
        while let Some(role) = map.next_key_seed(RoleSeed(self.0))? {
            match role {
                None => drop(map.next_value::<IgnoredAny>()?),
                Some((role, plainness)) => {
                    if let Some(cell) = map.next_value_seed(CellSeed(self.0, self.1))? {
                        record.offer(role, plainness, cell);
                    }
                }
            }
        }
        Ok(record)
    }
}

/// What a key is for.
struct RoleSeed<'s>(&'s Source);

impl<'de> DeserializeSeed<'de> for RoleSeed<'_> {
    type Value = Option<(Role, usize)>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        input: D,
    ) -> std::result::Result<Self::Value, D::Error> {
        input.deserialize_str(self)
    }
}

impl Visitor<'_> for RoleSeed<'_> {
    type Value = Option<(Role, usize)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> std::result::Result<Self::Value, E> {
        Ok(self.0.role(key.as_bytes()))
    }
}

/// Reads a scalar or a list; null is as good as absent.
#[derive(Clone, Copy)]
pub(crate) struct CellSeed<'s>(pub(crate) &'s Source, pub(crate) &'s RecordRoom<'s>);

impl<'de> DeserializeSeed<'de> for CellSeed<'_> {
    type Value = Option<JsonValue>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        input: D,
    ) -> std::result::Result<Option<JsonValue>, D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for CellSeed<'_> {
    type Value = Option<JsonValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, a number, or a list of documents")
    }

    fn visit_str<E: serde::de::Error>(
        self,
        text: &str,
    ) -> std::result::Result<Option<JsonValue>, E> {
        self.1.take(text.len())?;
        Ok(Some(JsonValue { text: text.as_bytes().to_vec(), ..JsonValue::default() }))
    }

    fn visit_u64<E: serde::de::Error>(self, n: u64) -> std::result::Result<Option<JsonValue>, E> {
        self.1.take(0)?;
        Ok(Some(JsonValue { text: n.to_string().into_bytes(), number: Some(n as f64), list: None }))
    }

    fn visit_i64<E: serde::de::Error>(self, n: i64) -> std::result::Result<Option<JsonValue>, E> {
        self.1.take(0)?;
        Ok(Some(JsonValue { text: n.to_string().into_bytes(), number: Some(n as f64), list: None }))
    }

    fn visit_f64<E: serde::de::Error>(self, x: f64) -> std::result::Result<Option<JsonValue>, E> {
        self.1.take(0)?;
        Ok(Some(JsonValue { text: self.1.text(x), number: Some(x), list: None }))
    }

    fn visit_unit<E: serde::de::Error>(self) -> std::result::Result<Option<JsonValue>, E> {
        self.1.take(0)?;
        Ok(None)
    }

    fn visit_bool<E: serde::de::Error>(
        self,
        value: bool,
    ) -> std::result::Result<Option<JsonValue>, E> {
        self.1.take(0)?;
        let number = Some(f64::from(u8::from(value)));
        Ok(Some(JsonValue { text: value.to_string().into_bytes(), number, list: None }))
    }

    fn visit_seq<A: SeqAccess<'de>>(
        self,
        mut seq: A,
    ) -> std::result::Result<Option<JsonValue>, A::Error> {
        self.1.take(0)?;
        let mut list = Vec::new();
        while let Some(cell) = seq.next_element_seed(self)? {
            list.push(cell.unwrap_or_default());
        }
        Ok(Some(JsonValue { list: Some(list), ..JsonValue::default() }))
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        map: A,
    ) -> std::result::Result<Option<JsonValue>, A::Error> {
        self.1.take(0)?;
        let mut record = RecordSeed(self.0, self.1).visit_map(map)?;
        if let Some(role) = record.repeated() {
            return Err(serde::de::Error::custom(twice(role)));
        }
        Ok(Some(JsonValue::of_record(&mut record)))
    }
}
