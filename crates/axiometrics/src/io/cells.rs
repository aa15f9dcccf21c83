//! Cells of a table that hold lists of documents: `["d1", "d2"]` as JSON has it, or
//! `['d1', 'd2']` as Python prints it.

use serde::de::DeserializeSeed;

use super::Source;
use super::json::{self, Position};
use super::jsonl::{CellSeed, JsonValue, RecordRoom};

/// The items of a cell; `None` if it holds no list. An empty cell is an empty list.
pub(super) fn list(source: &Source, cell: &[u8]) -> Option<Vec<JsonValue>> {
    let cell = cell.trim_ascii();
    if cell.is_empty() {
        return Some(Vec::new());
    }
    parsed(source, cell).or_else(|| parsed(source, &as_json(cell)?))
}

fn parsed(source: &Source, text: &[u8]) -> Option<Vec<JsonValue>> {
    let at = Position::default();
    let room = RecordRoom::with_digits(&at);
    let mut input = json::deserializer(text, source.name(), &at).ok()?;
    let value = CellSeed(source, room.anew()).deserialize(&mut input).ok()?;
    input.end().ok()?;
    value?.list
}

/// A list as Python prints it in JSON: quotes of both kinds, tuples, and no commas in an array.
fn as_json(cell: &[u8]) -> Option<Vec<u8>> {
    if !matches!(cell, [b'[' | b'(', ..]) {
        return None;
    }
    let mut out = Vec::with_capacity(cell.len() + 16);
    let mut rest = cell;
    while let [byte, behind @ ..] = rest {
        rest = behind;
        let begins = !matches!(byte, b']' | b')' | b',' | b' ' | b'\t' | b'\r' | b'\n');
        if begins && !matches!(out.last(), None | Some(b'[' | b',')) {
            out.push(b',');
        }
        match byte {
            b'[' | b'(' => out.push(b'['),
            b']' | b')' => {
                // A tuple of one item has a comma behind it.
                if out.last() == Some(&b',') {
                    out.pop();
                }
                out.push(b']');
            }
            b'\'' | b'"' => rest = quoted(*byte, rest, &mut out)?,
            b',' => out.push(b','),
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => {
                let end = rest
                    .iter()
                    .position(|b| {
                        matches!(b, b'[' | b']' | b'(' | b')' | b',') || b.is_ascii_whitespace()
                    })
                    .unwrap_or(rest.len());
                out.push(*byte);
                out.extend_from_slice(&rest[..end]);
                rest = &rest[end..];
            }
        }
    }
    Some(out)
}

/// Appends a quoted text as JSON, and says what follows it.
fn quoted<'c>(quote: u8, mut rest: &'c [u8], out: &mut Vec<u8>) -> Option<&'c [u8]> {
    out.push(b'"');
    loop {
        let (byte, behind) = rest.split_first()?;
        rest = behind;
        match byte {
            _ if *byte == quote => break,
            b'\\' => {
                let (escaped, behind) = rest.split_first()?;
                rest = behind;
                match escaped {
                    b'\'' => out.push(b'\''),
                    b'\\' | b'"' | b'n' | b't' | b'r' => out.extend_from_slice(&[b'\\', *escaped]),
                    // Of the others Python prints \x and \u; the text would not be the id.
                    _ => return None,
                }
            }
            b'"' => out.extend_from_slice(b"\\\""),
            _ => out.push(*byte),
        }
    }
    out.push(b'"');
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_json_and_of_python_are_the_same() {
        let ids = |cell: &str| {
            let items = list(&Source::from_bytes("t", ""), cell.as_bytes())?;
            Some(
                items
                    .into_iter()
                    .map(|item| String::from_utf8(item.text).unwrap())
                    .collect::<Vec<_>>(),
            )
        };
        for cell in [
            "[\"a\", \"b c\"]",
            "['a', 'b c']",
            "('a', 'b c')",
            "['a' 'b c']",
            "['a'\n \"b c\"]",
            " [ 'a' ,'b c' ] ",
        ] {
            assert_eq!(ids(cell).unwrap(), ["a", "b c"], "{cell}");
        }
        assert_eq!(ids("['it\\'s', \"x\\\\y\"]").unwrap(), ["it's", "x\\y"]);
        assert_eq!(ids("['say \"a\"']").unwrap(), ["say \"a\""]);
        assert_eq!(ids("[1, 2]").unwrap(), ["1", "2"]);
        assert_eq!(ids("[1 2]").unwrap(), ["1", "2"]);
        assert_eq!(ids("('a',)").unwrap(), ["a"]);
        assert_eq!(ids("[18446744073709551617]").unwrap(), ["18446744073709551617"]);
        for cell in ["", "[]", " "] {
            assert_eq!(ids(cell).unwrap(), Vec::<String>::new(), "{cell}");
        }
        for cell in ["a", "a, b", "['a'", "['a\\x41']", "['a', 'b'] c", "[a]", "{'a': 1}"] {
            assert_eq!(ids(cell), None, "{cell}");
        }
    }
}
