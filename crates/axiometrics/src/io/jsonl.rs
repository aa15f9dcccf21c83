//! JSON records: an object per row with the usual keys. One per line is JSONL; an array of them is
//! a form of JSON.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};

use super::Source;
use super::columns::{self, ByRole, Field, Role, Wrong};
use super::row::{RowSink, Wanted, fix_line};
use crate::error::{Error, Place, Result};
use crate::warning::Kind;

/// Reads a file of one record per line.
pub(crate) fn read(source: &Source, wanted: Wanted, sink: &mut impl RowSink) -> Result<()> {
    each(source, |text, line| {
        let mut input = serde_json::Deserializer::from_slice(text);
        let record =
            RecordSeed.deserialize(&mut input).and_then(|record| input.end().map(|()| record));
        match record {
            Ok(record) => report(&record, &Place::line(source.name(), line), wanted, sink),
            Err(e) => {
                let place = Place::column(source.name(), line, e.column() as u64);
                sink.bad(Kind::MalformedLine, Error::input(place, message(&e)).help(fix_line()))
            }
        }
    })
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
    text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_string()
}

/// Makes a row of a record.
pub(crate) fn report(
    record: &Record,
    place: &Place,
    wanted: Wanted,
    sink: &mut impl RowSink,
) -> Result<()> {
    let line = place.line.unwrap_or(0);
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
            return sink.bad(Kind::MalformedLine, error.help(fix_line()));
        }
    };
    match chosen.row(wanted.content, line, |cell| Field { text: &cell.text, number: cell.number }) {
        Ok(row) => sink.row(&row),
        Err(Wrong { kind, found, expected }) => {
            sink.bad(kind, Error::expected(place.clone(), found, expected).help(fix_line()))
        }
    }
}

/// The fields of a record that have a role.
pub(crate) type Record = ByRole<Cell>;

/// A scalar: its text, and its number where it is one.
#[derive(Debug, Default)]
pub(crate) struct Cell {
    pub(crate) text: Vec<u8>,
    pub(crate) number: Option<f64>,
}

/// Reads an object, keeping the fields that have a role.
pub(crate) struct RecordSeed;

impl<'de> DeserializeSeed<'de> for RecordSeed {
    type Value = Record;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> std::result::Result<Record, D::Error> {
        input.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RecordSeed {
    type Value = Record;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object such as {\"query_id\": \"1\", \"doc_id\": \"d\", \"score\": 2.5}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Record, A::Error> {
        let mut record = Record::default();
        while let Some(role) = map.next_key_seed(RoleSeed)? {
            match role {
                None => drop(map.next_value::<IgnoredAny>()?),
                Some((role, plainness)) => {
                    if let Some(cell) = map.next_value_seed(CellSeed)? {
                        record.offer(role, plainness, cell);
                    }
                }
            }
        }
        Ok(record)
    }
}

/// What a key is for.
struct RoleSeed;

impl<'de> DeserializeSeed<'de> for RoleSeed {
    type Value = Option<(Role, usize)>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        input: D,
    ) -> std::result::Result<Self::Value, D::Error> {
        input.deserialize_str(self)
    }
}

impl Visitor<'_> for RoleSeed {
    type Value = Option<(Role, usize)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> std::result::Result<Self::Value, E> {
        Ok(columns::role(key.as_bytes()))
    }
}

/// Reads a scalar; null is as good as absent.
pub(crate) struct CellSeed;

impl<'de> DeserializeSeed<'de> for CellSeed {
    type Value = Option<Cell>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        input: D,
    ) -> std::result::Result<Option<Cell>, D::Error> {
        input.deserialize_any(self)
    }
}

impl Visitor<'_> for CellSeed {
    type Value = Option<Cell>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a number")
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<Option<Cell>, E> {
        Ok(Some(Cell { text: text.as_bytes().to_vec(), number: None }))
    }

    fn visit_u64<E>(self, n: u64) -> std::result::Result<Option<Cell>, E> {
        Ok(Some(Cell { text: n.to_string().into_bytes(), number: Some(n as f64) }))
    }

    fn visit_i64<E>(self, n: i64) -> std::result::Result<Option<Cell>, E> {
        Ok(Some(Cell { text: n.to_string().into_bytes(), number: Some(n as f64) }))
    }

    fn visit_f64<E>(self, x: f64) -> std::result::Result<Option<Cell>, E> {
        Ok(Some(Cell { text: format!("{x:?}").into_bytes(), number: Some(x) }))
    }

    fn visit_unit<E>(self) -> std::result::Result<Option<Cell>, E> {
        Ok(None)
    }
}
