//! Which format a file has, by its first content: behind a byte order mark, blank lines and
//! comments.

use std::io::{BufRead, BufReader};

use super::columns::Role;
use super::compression::Compression;
use super::csv::TableLayout;
use super::trec::{LONE_RETURN, lone_return};
use super::{Content, Format, Source, csv};
use crate::data::bytes::is_blank;
use crate::error::{Error, Place, Result};

/// How much of the first content is looked at.
const HEAD: usize = 1 << 14;

/// The format of a file, by its content.
pub fn detect(source: &Source, content: Content) -> Result<Format> {
    if source.table().is_some() {
        return Ok(Format::Parquet);
    }
    let head = Head::of(source)?;
    head.checked(source, content)
}

/// The format of a run, by its content.
pub fn detect_run(source: &Source) -> Result<Format> {
    detect(source, Content::Run)
}

/// What a file contains and in which format, by its content.
pub fn detect_content(source: &Source) -> Result<(Content, Format)> {
    if let Some(table) = source.table() {
        return Ok((super::table::content(table), Format::Parquet));
    }
    let head = Head::of(source)?;
    let content = head.content();
    Ok((content, head.checked(source, content)?))
}

/// The tag on the first line of a TREC run, if it has one.
pub fn first_tag(source: &Source) -> Option<String> {
    let head = Head::of(source).ok()?;
    let is_trec = head.format(Content::Run) == Format::Trec;
    let mut fields = head.first_line().split(|b| is_blank(*b)).filter(|field| !field.is_empty());
    fields.nth(5).filter(|_| is_trec).map(|tag| String::from_utf8_lossy(tag).into_owned())
}

/// The first content of a file.
pub(super) struct Head<'s> {
    text: Vec<u8>,
    source: &'s Source,
    /// True if the file ends here.
    whole: bool,
}

impl<'s> Head<'s> {
    pub(super) fn of(source: &'s Source) -> Result<Head<'s>> {
        let mut input = BufReader::with_capacity(HEAD, source.look()?);
        let (mut head, mut whole) = (Vec::new(), false);
        let (mut start, mut comment) = (true, false);
        loop {
            let bytes = match input.fill_buf() {
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
                other => other.map_err(|e| Error::io(source.name(), e))?,
            };
            if bytes.is_empty() {
                whole = true;
                break;
            }
            let mut at = 0;
            if start {
                foreign(source.name(), bytes)?;
                at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
                start = false;
            }
            while head.is_empty() && at < bytes.len() {
                let byte = bytes[at];
                if comment {
                    comment = !matches!(byte, b'\n' | b'\r');
                } else if byte == b'#' {
                    comment = true;
                } else if !is_blank(byte) {
                    break;
                }
                at += 1;
            }
            head.extend_from_slice(&bytes[at..]);
            let n = bytes.len();
            input.consume(n);
            if head.len() >= HEAD {
                break;
            }
        }
        if head.is_empty() {
            let error = Error::input(
                Place::file(source.name()),
                "nothing in the file, expected a run or judgements",
            );
            return Err(error.help("the file is empty, or holds only blank lines and comments"));
        }
        Ok(Head { text: head, source, whole })
    }

    /// The text up to the end of the last whole line, or all of it if it has no more than one.
    pub(super) fn whole_lines(&self) -> &[u8] {
        match self.text.iter().rposition(|b| *b == b'\n').filter(|_| !self.whole) {
            Some(end) => &self.text[..=end],
            None => &self.text,
        }
    }

    pub(super) fn first_line(&self) -> &[u8] {
        let line = self.text.split(|b| *b == b'\n').next().unwrap_or(&[]);
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    /// The format. One of lines whose first line ends in a carriage return alone is refused; the
    /// reader of TREC files does that by itself.
    fn checked(&self, source: &Source, content: Content) -> Result<Format> {
        let format = self.format(content);
        let by_lines = !matches!(format, Format::Json | Format::Trec);
        match lone_return(self.first_line()).filter(|_| by_lines) {
            None => Ok(format),
            Some(_) => Err(Error::input(
                Place::file(source.name()),
                "found a carriage return within the first line, expected lines that end in newlines",
            )
            .help(LONE_RETURN)),
        }
    }

    fn format(&self, content: Content) -> Format {
        if let Some(json) = self.json() {
            return json.format();
        }
        let msmarco = content == Content::Run && csv::is_msmarco(self.first_line());
        match self.table() {
            Some(table) if !table.has_header && msmarco && self.source.columns().is_none() => {
                Format::MsMarco
            }
            Some(table) if table.delimiter == b'\t' => Format::Tsv,
            Some(_) => Format::Csv,
            None if msmarco => Format::MsMarco,
            None => Format::Trec,
        }
    }

    fn content(&self) -> Content {
        let qrels = if let Some(json) = self.json() {
            json.is_qrels()
        } else if let Some(TableLayout { columns, .. }) = self.table() {
            columns.get(Role::Grade).is_some()
                || columns.lists_judgements()
                || columns.get(Role::Rank).is_none()
                    && self.first_line().to_ascii_lowercase().starts_with(b"query-id\tcorpus-id")
        } else {
            self.trec_is_qrels()
        };
        if qrels { Content::Qrels } else { Content::Run }
    }

    /// The table that this is, if it is one.
    pub(super) fn table(&self) -> Option<TableLayout> {
        csv::table(self.first_line(), self.source)
    }

    /// Four fields are a judgement; five are one with a stratum, or a run without a tag, whose
    /// second field is `Q0`.
    fn trec_is_qrels(&self) -> bool {
        let fields: Vec<&[u8]> =
            self.first_line().split(|b| is_blank(*b)).filter(|f| !f.is_empty()).collect();
        let whole = |f: &[u8]| f.iter().all(|b| b.is_ascii_digit() || *b == b'-');
        match fields[..] {
            [_, _, _, _] => true,
            [_, second, _, _, fifth] => !second.eq_ignore_ascii_case(b"q0") && whole(fifth),
            _ => false,
        }
    }

    pub(super) fn json(&self) -> Option<JsonHead<'_>> {
        let open = *self.text.first()?;
        let rest = self.text[1..].trim_ascii_start();
        let head = |shape| Some(JsonHead { shape, text: &self.text, source: self.source });
        match (open, rest.first()) {
            (b'[', Some(b'{' | b']')) => head(JsonShape::Array),
            (b'{', Some(b'}')) => head(JsonShape::Topics),
            (b'{', Some(b'"')) => {
                let value = behind_key(rest)?;
                // The lists of a record have a name that says so; other lists are those of a topic.
                let key = &rest[1..rest.len() - value.len()];
                let key = &key[..key.iter().rposition(|b| *b == b'"')?];
                match value.first() {
                    Some(b'{') => head(JsonShape::Topics),
                    Some(b'[') if self.source.role(key).is_none() => head(JsonShape::Topics),
                    _ => head(JsonShape::Records),
                }
            }
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonShape {
    Topics,
    Records,
    Array,
}

pub(super) struct JsonHead<'h> {
    shape: JsonShape,
    text: &'h [u8],
    source: &'h Source,
}

impl JsonHead<'_> {
    fn format(&self) -> Format {
        if self.shape == JsonShape::Records { Format::Jsonl } else { Format::Json }
    }

    /// Records say so by their keys; in an object of topics the first number is whole if it is a
    /// grade.
    fn is_qrels(&self) -> bool {
        if self.shape == JsonShape::Topics {
            let text = self.text[1..].trim_ascii_start();
            let number = behind_key(text)
                .and_then(|docs| docs.get(1..))
                .and_then(|docs| behind_key(docs.trim_ascii_start()));
            let text = number.map_or(b"".as_slice(), |n| {
                n.split(|b| matches!(b, b',' | b'}' | b' ' | b'\n' | b'\r')).next().unwrap_or(n)
            });
            return !text.is_empty() && text.iter().all(|b| b.is_ascii_digit() || *b == b'-');
        }
        self.has_key(Role::Grade) && !self.has_key(Role::Rank)
            || self.has_key(Role::Relevant) && !self.has_key(Role::Retrieved)
    }

    /// Whether the first record has a key for this; no keys of topics are asked.
    pub(super) fn has_key(&self, role: Role) -> bool {
        if self.shape == JsonShape::Topics {
            return false;
        }
        let mut keys = self.first_record().0.into_iter();
        keys.any(|key| self.source.role(key).is_some_and(|(found, _)| found == role))
    }

    /// Whether the first record goes on past the head, so that it may have more keys.
    pub(super) fn is_cut(&self) -> bool {
        self.shape != JsonShape::Topics && !self.first_record().1
    }

    /// The keys of the first record, without those of the objects in it, as far as the text goes;
    /// and whether the record ends there.
    fn first_record(&self) -> (Vec<&[u8]>, bool) {
        let (mut keys, mut depth) = (Vec::new(), 0usize);
        let start = self.text.iter().position(|b| *b == b'{').unwrap_or(self.text.len());
        let mut rest = &self.text[start..];
        while let Some(byte) = rest.first() {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 1 => return (keys, true),
                b'}' | b']' => depth -= 1,
                b'"' => {
                    let Some(end) = string_end(rest) else { break };
                    let is_key = rest[end..].trim_ascii_start().starts_with(b":");
                    if depth == 1 && is_key {
                        keys.push(&rest[1..end - 1]);
                    }
                    rest = &rest[end..];
                    continue;
                }
                _ => {}
            }
            rest = &rest[1..];
        }
        (keys, false)
    }
}

/// Where the JSON string ends that a text begins with; `None` if the text ends before.
fn string_end(text: &[u8]) -> Option<usize> {
    let mut i = 1;
    while *text.get(i)? != b'"' {
        i += if text[i] == b'\\' { 2 } else { 1 };
    }
    Some(i + 1)
}

/// What stands behind a JSON string and a colon; `None` where the text ends before.
fn behind_key(text: &[u8]) -> Option<&[u8]> {
    let rest = text[string_end(text)?..].trim_ascii_start();
    rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start)
}

/// Refuses what is surely not text of ours.
fn foreign(name: &str, bytes: &[u8]) -> Result<()> {
    match known_as(bytes) {
        None => Ok(()),
        Some((what, help)) => Err(Error::input(
            Place::file(name),
            format!("found {what}, expected a run or judgements as text"),
        )
        .help(help)),
    }
}

/// What a file is that is surely not text of ours, and what to do about it. Where the first bytes
/// could be those of a topic, others must tell too.
fn known_as(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let near = &bytes[..bytes.len().min(64)];
    let utf16 = || near.contains(&0);
    let binary = || near.iter().any(|b| *b < b' ' && !is_blank(*b));
    Some(match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] if utf16() => ("UTF-16 text", "save the file as UTF-8"),
        [b'P', b'K', 3, 4, ..] => {
            ("a zip archive", "unpack it, or compress with gzip, zstd, lz4 or bzip2")
        }
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => {
            ("an xz file", "decompress it, or use gzip, zstd, lz4 or bzip2")
        }
        [b'P', b'A', b'R', b'1', ..] if binary() => ("a Parquet file", "export it as CSV or JSONL"),
        [0x7f, b'E', b'L', b'F', ..] => ("a program", "name a run or a file of judgements"),
        _ => return None,
    })
}

/// Whether a file that begins with these bytes is read as this content in this format.
pub(super) fn is_read_as(bytes: &[u8], content: Content, format: Format) -> bool {
    let source = Source::from_bytes("", bytes);
    Compression::of_content(bytes) == Compression::None
        && known_as(bytes).is_none()
        && Head { text: bytes.to_vec(), source: &source, whole: true }.format(content) == format
}
