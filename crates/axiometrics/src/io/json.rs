//! JSON: `{topic: {document: number}}`, or an array of records.
//!
//! The text is read as a stream and every row reported as it comes; no tree is built. A key that
//! stands twice is two rows, so that duplicates are seen as in any other format.

use std::cell::Cell as Shared;
use std::fmt;
use std::io::{BufReader, Read};

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::jsonl::{self, CellSeed, RecordSeed};
use super::row::{self, Row, RowSink, Wanted, fix_line};
use super::window::LONGEST_LINE;
use super::{Facet, Source};
use crate::data::bytes::is_blank;
use crate::error::{Error, Place, Result};
use crate::warning::Kind;

/// Reads a file that is one JSON value.
pub(crate) fn read(source: &Source, wanted: Wanted, sink: &mut impl RowSink) -> Result<()> {
    let at = Position::default();
    let mut state = State { name: source.name(), at: &at, wanted, sink, stopped: None };
    let text = Counted { input: without_bom(source)?, at: &at, token: Token::default() };
    let mut input = serde_json::Deserializer::from_reader(text);
    let outcome = Top(&mut state).deserialize(&mut input).and_then(|()| input.end());
    match (state.stopped, outcome) {
        (Some(error), _) => Err(error),
        (None, Ok(())) => Ok(()),
        (None, Err(e)) if e.is_io() => Err(Error::io(source.name(), e.into())),
        (None, Err(e)) => {
            let place = Place::column(source.name(), e.line() as u64, e.column() as u64);
            Err(Error::input(place, jsonl::message(&e))
                .help("the file must be one JSON value: {\"topic\": {\"document\": number}} or [{\"query_id\": ..}]"))
        }
    }
}

/// The text behind a byte order mark.
fn without_bom(source: &Source) -> Result<impl Read> {
    let mut input = source.read()?;
    let mut first = Vec::new();
    input.by_ref().take(3).read_to_end(&mut first).map_err(|e| Error::io(source.name(), e))?;
    if first == b"\xef\xbb\xbf" {
        first.clear();
    }
    Ok(BufReader::with_capacity(1 << 16, std::io::Cursor::new(first).chain(input)))
}

/// Where the reader stands. The deserializer takes a byte at a time and looks ahead by none behind
/// a string, so this is where a key ends.
#[derive(Debug)]
struct Position {
    line: Shared<u64>,
    column: Shared<u64>,
}

impl Default for Position {
    fn default() -> Position {
        Position { line: Shared::new(1), column: Shared::new(0) }
    }
}

struct Counted<'p, R> {
    input: R,
    at: &'p Position,
    token: Token,
}

/// The string or number at hand, as far as it was read. The deserializer would take one of any
/// length into memory.
#[derive(Default)]
struct Token {
    len: usize,
    in_string: bool,
    escaped: bool,
}

impl Token {
    /// False if it is too long with this byte.
    fn take(&mut self, byte: u8) -> bool {
        if self.in_string {
            self.in_string = self.escaped || byte != b'"';
            self.escaped = !self.escaped && byte == b'\\';
        } else if matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':' | b'"') || is_blank(byte) {
            (self.len, self.in_string) = (0, byte == b'"');
        }
        self.len += 1;
        self.len <= LONGEST_LINE
    }
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.input.read(buf)?;
        for byte in &buf[..n] {
            if !self.token.take(*byte) {
                return Err(std::io::Error::other(
                    "found a string or a number of more than 64 MB, expected ids and numbers",
                ));
            }
            let newline = *byte == b'\n';
            self.at.line.set(self.at.line.get() + u64::from(newline));
            self.at.column.set(if newline { 0 } else { self.at.column.get() + 1 });
        }
        Ok(n)
    }
}

struct State<'s, S> {
    name: &'s str,
    at: &'s Position,
    wanted: Wanted,
    sink: &'s mut S,
    /// Why the sink wanted no more, which is told in its own words.
    stopped: Option<Error>,
}

impl<S: RowSink> State<'_, S> {
    fn place(&self) -> Place {
        Place::column(self.name, self.at.line.get(), self.at.column.get())
    }

    /// Carries an error of ours through the deserializer.
    fn pass<E: serde::de::Error>(&mut self, result: Result<()>) -> std::result::Result<(), E> {
        result.map_err(|e| {
            self.stopped = Some(e);
            E::custom("stopped")
        })
    }

    fn bad<E: serde::de::Error>(
        &mut self,
        kind: Kind,
        place: Place,
        found: &[u8],
        expected: &str,
    ) -> std::result::Result<(), E> {
        let error = Error::expected(place, found, expected).help(fix_line());
        let result = self.sink.bad(kind, error);
        self.pass(result)
    }
}

/// The whole text.
struct Top<'a, 's, S>(&'a mut State<'s, S>);

impl<'de, S: RowSink> DeserializeSeed<'de> for Top<'_, '_, S> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> std::result::Result<(), D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de, S: RowSink> Visitor<'de> for Top<'_, '_, S> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of topics or an array of records")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        if self.0.wanted.facet != Facet::None {
            let error = Error::input(
                Place::file(self.0.name),
                "found an object of topics, expected records with a subtopic each",
            );
            let error = error.help("use JSONL, CSV, TSV or TREC for judgements by subtopic");
            return self.0.pass(Err(error));
        }
        while let Some(topic) = map.next_key::<String>()? {
            map.next_value_seed(Docs { state: &mut *self.0, topic: &topic })?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut records: A) -> std::result::Result<(), A::Error> {
        while let Some(record) = records.next_element_seed(RecordSeed)? {
            let (place, wanted) = (self.0.place(), self.0.wanted);
            let result = jsonl::report(&record, &place, wanted, self.0.sink);
            self.0.pass(result)?;
        }
        Ok(())
    }
}

/// The documents of a topic.
struct Docs<'a, 's, 't, S> {
    state: &'a mut State<'s, S>,
    topic: &'t str,
}

impl<'de, S: RowSink> DeserializeSeed<'de> for Docs<'_, '_, '_, S> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> std::result::Result<(), D::Error> {
        input.deserialize_any(self)
    }
}

const DOCUMENTS: &str = "an object of documents with their numbers";

impl<S: RowSink> Docs<'_, '_, '_, S> {
    fn no_object<E: serde::de::Error>(self, found: &str) -> std::result::Result<(), E> {
        let place = self.state.place();
        self.state.bad(Kind::MalformedLine, place, found.as_bytes(), DOCUMENTS)
    }
}

impl<'de, S: RowSink> Visitor<'de> for Docs<'_, '_, '_, S> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(DOCUMENTS)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let Docs { state, topic } = self;
        let topic = topic.as_bytes();
        while let Some(doc) = map.next_key::<String>()? {
            let place = state.place();
            let cell = map.next_value_seed(CellSeed)?.unwrap_or_default();
            if topic.is_empty() || doc.is_empty() {
                state.bad(
                    Kind::MalformedLine,
                    place,
                    b"",
                    "the id of a topic and of a document",
                )?;
                continue;
            }
            let content = state.wanted.content;
            let value = cell
                .number
                .map_or_else(|| row::number(&cell.text, content), |x| row::check(x, content));
            match value {
                Ok(value) => {
                    let line = place.line.unwrap_or(0);
                    let result = state.sink.row(&Row {
                        topic,
                        doc: doc.as_bytes(),
                        value,
                        rank: None,
                        facet: b"",
                        line,
                    });
                    state.pass(result)?;
                }
                Err((kind, expected)) => state.bad(kind, place, &cell.text, expected)?,
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        self.no_object("[")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> std::result::Result<(), E> {
        self.no_object(text)
    }

    fn visit_f64<E: serde::de::Error>(self, x: f64) -> std::result::Result<(), E> {
        self.no_object(&x.to_string())
    }

    fn visit_u64<E: serde::de::Error>(self, n: u64) -> std::result::Result<(), E> {
        self.no_object(&n.to_string())
    }

    fn visit_i64<E: serde::de::Error>(self, n: i64) -> std::result::Result<(), E> {
        self.no_object(&n.to_string())
    }

    fn visit_bool<E: serde::de::Error>(self, b: bool) -> std::result::Result<(), E> {
        self.no_object(&b.to_string())
    }

    fn visit_unit<E: serde::de::Error>(self) -> std::result::Result<(), E> {
        self.no_object("null")
    }
}
