//! JSON: `{topic: {document: number}}`, `{topic: [document, ...]}`, either of them within more
//! objects, or an array of records.
//!
//! The text is read as a stream and every row reported as it comes; no tree is built. A key that
//! stands twice is two rows, so that duplicates are seen as in any other format.

use std::cell::{Cell as Shared, RefCell};
use std::fmt;
use std::io::{BufReader, Read};

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::de::IoRead;

use super::jsonl::{self, CellSeed, RecordRoom, RecordSeed};
use super::row::{self, InputRow, RowSink, Wanted, fix_line};
use super::window::LONGEST_LINE;
use super::{Facet, Source};
use crate::data::bytes::is_blank;
use crate::error::{Error, Place, Result};
use crate::warning::WarningKind;

/// Reads a file that is one JSON value.
pub(crate) fn read(source: &Source, wanted: Wanted, sink: &mut impl RowSink) -> Result<()> {
    let at = Position::default();
    let mut state = JsonState { source, at: &at, wanted, sink, stopped: None };
    let mut input = deserializer(source.read()?, source.name(), &at)?;
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

/// Reads the text behind a byte order mark, and notes how far. It takes no long string into memory.
pub(super) fn deserializer<'p, R: Read + 'p>(
    mut input: R,
    name: &str,
    at: &'p Position,
) -> Result<serde_json::Deserializer<IoRead<impl Read + 'p>>> {
    let mut first = Vec::new();
    input.by_ref().take(3).read_to_end(&mut first).map_err(|e| Error::io(name, e))?;
    if first == b"\xef\xbb\xbf" {
        first.clear();
    }
    let input = BufReader::with_capacity(1 << 16, std::io::Cursor::new(first).chain(input));
    let input = Counted { input, at, token: JsonToken::default() };
    Ok(serde_json::Deserializer::from_reader(input))
}

/// Where the reader stands. The deserializer takes a byte at a time and looks ahead by none behind
/// a string, so this is where a key ends; and by one behind a number, which begins no other value.
#[derive(Debug)]
pub(super) struct Position {
    line: Shared<u64>,
    column: Shared<u64>,
    /// Where the last string or number begins: line and column.
    pub(super) value: Shared<(u64, u64)>,
    /// The text of the last number.
    number: RefCell<Vec<u8>>,
}

/// No number has more digits: the parser refuses larger ones.
const MOST_DIGITS: usize = 400;

impl Position {
    /// Line and column.
    pub(super) fn now(&self) -> (u64, u64) {
        (self.line.get(), self.column.get())
    }

    /// The text of the last number, if it has digits alone.
    pub(super) fn digits(&self) -> Option<Vec<u8>> {
        let number = self.number.borrow();
        let digits = number.strip_prefix(b"-").unwrap_or(&number);
        digits.iter().all(u8::is_ascii_digit).then(|| number.clone())
    }
}

impl Default for Position {
    fn default() -> Position {
        Position {
            line: Shared::new(1),
            column: Shared::new(0),
            value: Shared::new((1, 1)),
            number: RefCell::default(),
        }
    }
}

struct Counted<'p, R> {
    input: R,
    at: &'p Position,
    token: JsonToken,
}

/// The string or number at hand, as far as it was read. The deserializer would take one of any
/// length into memory.
#[derive(Default)]
struct JsonToken {
    len: usize,
    in_string: bool,
    escaped: bool,
    in_number: bool,
}

impl JsonToken {
    /// Takes one more byte, and says whether it begins a string or a number (or a word).
    fn take(&mut self, byte: u8) -> bool {
        self.len += 1;
        if self.in_string {
            self.in_string = self.escaped || byte != b'"';
            self.escaped = !self.escaped && byte == b'\\';
            return false;
        }
        let between =
            matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':' | b'"') || is_blank(byte);
        let begins = if between { byte == b'"' } else { !self.in_number };
        if between {
            (self.len, self.in_string) = (1, byte == b'"');
        }
        self.in_number = !between;
        begins
    }

    fn is_too_long(&self) -> bool {
        self.len > LONGEST_LINE
    }
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.input.read(buf)?;
        for byte in &buf[..n] {
            let begins = self.token.take(*byte);
            if self.token.is_too_long() {
                return Err(std::io::Error::other(
                    "found a string or a number of more than 64 MB, expected ids and numbers",
                ));
            }
            let newline = *byte == b'\n';
            self.at.line.set(self.at.line.get() + u64::from(newline));
            self.at.column.set(if newline { 0 } else { self.at.column.get() + 1 });
            if begins {
                self.at.value.set(self.at.now());
            }
            if self.token.in_number {
                let mut number = self.at.number.borrow_mut();
                if begins {
                    number.clear();
                }
                if number.len() < MOST_DIGITS {
                    number.push(*byte);
                }
            }
        }
        Ok(n)
    }
}

struct JsonState<'s, S> {
    source: &'s Source,
    at: &'s Position,
    wanted: Wanted,
    sink: &'s mut S,
    /// Why the sink wanted no more, which is told in its own words.
    stopped: Option<Error>,
}

impl<S: RowSink> JsonState<'_, S> {
    fn place(&self) -> Place {
        Place::column(self.source.name(), self.at.line.get(), self.at.column.get())
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
        kind: WarningKind,
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
struct Top<'a, 's, S>(&'a mut JsonState<'s, S>);

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
                Place::file(self.0.source.name()),
                "found an object of topics, expected records with a subtopic each",
            );
            let error = error.help("use JSONL, CSV, TSV or TREC for judgements by subtopic");
            return self.0.pass(Err(error));
        }
        while let Some(topic) = map.next_key::<String>()? {
            if topic == MTEB_META {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let at = self.0.at.now();
            map.next_value_seed(JsonDocs { state: &mut *self.0, above: None, key: &topic, at })?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut records: A) -> std::result::Result<(), A::Error> {
        let room = RecordRoom::with_digits(self.0.at);
        while let Some(record) =
            records.next_element_seed(RecordSeed(self.0.source, room.anew()))?
        {
            let (place, wanted) = (self.0.place(), self.0.wanted);
            let result = jsonl::report(&record, &place, wanted, self.0.sink);
            self.0.pass(result)?;
        }
        Ok(())
    }
}

/// What MTEB says of the model beside its predictions.
const MTEB_META: &str = "mteb_model_meta";

/// What stands behind a key: the documents of the topic that it names, in an object or a list; more
/// keys of the kind; or the number of the document that it names, in the topic of the key above.
struct JsonDocs<'a, 's, 'k, S> {
    state: &'a mut JsonState<'s, S>,
    above: Option<&'k str>,
    key: &'k str,
    /// Where the key ends: line and column.
    at: (u64, u64),
}

impl<'de, S: RowSink> DeserializeSeed<'de> for JsonDocs<'_, '_, '_, S> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> std::result::Result<(), D::Error> {
        input.deserialize_any(self)
    }
}

const DOCUMENTS: &str = "an object of documents with their numbers, or a list of documents";

impl<S: RowSink> JsonDocs<'_, '_, '_, S> {
    /// The number of a document, or what was found in its place.
    fn number<E: serde::de::Error>(
        self,
        number: Option<f64>,
        text: &str,
    ) -> std::result::Result<(), E> {
        let JsonDocs { state, above, key, at } = self;
        let (line, column) = state.at.value.get();
        let place = Place::column(state.source.name(), line, column);
        let Some(topic) = above else {
            return state.bad(WarningKind::MalformedLine, place, text.as_bytes(), DOCUMENTS);
        };
        if topic.is_empty() || key.is_empty() {
            let expected = "the id of a topic and of a document";
            let key_place = Place::column(state.source.name(), at.0, at.1);
            return state.bad(WarningKind::MalformedLine, key_place, b"", expected);
        }
        let content = state.wanted.content;
        let value = match number {
            Some(x) => row::check(x, content),
            None => row::number(text.as_bytes(), content),
        };
        match value {
            Ok(value) => {
                let (topic, doc) = (topic.as_bytes(), key.as_bytes());
                let line = place.line.unwrap_or(0);
                let result =
                    state.sink.row(&InputRow { topic, doc, value, rank: None, facet: b"", line });
                state.pass(result)
            }
            Err((kind, expected)) => state.bad(kind, place, text.as_bytes(), expected),
        }
    }
}

impl<'de, S: RowSink> Visitor<'de> for JsonDocs<'_, '_, '_, S> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(DOCUMENTS)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let state = &mut *self.state;
            let at = state.at.now();
            map.next_value_seed(JsonDocs { state, above: Some(self.key), key: &key, at })?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        let JsonDocs { state, key, at, .. } = self;
        let place = Place::column(state.source.name(), at.0, at.1);
        let (topic, wanted) = (key.as_bytes(), state.wanted);
        let room = RecordRoom::with_digits(state.at);
        let mut rank = 0;
        while let Some(document) = seq.next_element_seed(CellSeed(state.source, room.anew()))? {
            let document = document.unwrap_or_default();
            let result =
                jsonl::report_listed(topic, rank, &document, None, &place, wanted, state.sink);
            state.pass(result)?;
            rank += 1;
        }
        Ok(())
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> std::result::Result<(), E> {
        self.number(None, text)
    }

    fn visit_f64<E: serde::de::Error>(self, x: f64) -> std::result::Result<(), E> {
        self.number(Some(x), &format!("{x:?}"))
    }

    fn visit_u64<E: serde::de::Error>(self, n: u64) -> std::result::Result<(), E> {
        self.number(Some(n as f64), &n.to_string())
    }

    fn visit_i64<E: serde::de::Error>(self, n: i64) -> std::result::Result<(), E> {
        self.number(Some(n as f64), &n.to_string())
    }

    fn visit_bool<E: serde::de::Error>(self, b: bool) -> std::result::Result<(), E> {
        self.number(None, &b.to_string())
    }

    fn visit_unit<E: serde::de::Error>(self) -> std::result::Result<(), E> {
        self.number(None, "")
    }
}
