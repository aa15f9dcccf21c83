//! trec_eval's preference files.
//!
//! One statement a line, five fields between white space: topic, judgement group, judgement subgroup, document, level. Empty lines and lines that
//! begin with `#` are skipped, and so is what follows a field that begins with `#` after the fifth.

use std::io::BufRead;

use crate::data::preferences::{Preferences, Statement};
use crate::error::{Error, Place, Result};

/// Reads a preference file; `file` is its name in errors.
pub fn read(mut input: impl BufRead, file: &str) -> Result<Preferences> {
    let mut statements = Vec::new();
    let mut buffer = Vec::new();
    for line in 1.. {
        buffer.clear();
        if input.read_until(b'\n', &mut buffer).map_err(|e| Error::io(file, e))? == 0 {
            break;
        }
        if let Some(statement) = statement(&buffer, file, line)? {
            statements.push(statement);
        }
    }
    Preferences::new(statements, file)
}

fn statement(text: &[u8], file: &str, line: u64) -> Result<Option<Statement>> {
    let mut fields = fields(text);
    let Some((_, topic)) = fields.next().filter(|f| !f.1.starts_with(b"#")) else { return Ok(None) };
    let missing = |what: &str| Error::expected(Place::column(file, line, text.trim_ascii_end().len() as u64 + 1), b"", what);
    let mut next = |what: &str| fields.next().ok_or_else(|| missing(what));
    let group = next("a judgement group")?.1;
    let subgroup = next("a judgement subgroup")?.1;
    let document = next("a document")?.1;
    let (column, level) = next("a level")?;
    let parsed = std::str::from_utf8(level).ok().and_then(|t| t.parse::<f64>().ok()).filter(|x| x.is_finite() && *x >= 0.0);
    let parsed = parsed.ok_or_else(|| Error::expected(Place::column(file, line, column), level, "a level: a number of at least 0"))?;
    if let Some((column, rest)) = fields.next().filter(|f| !f.1.starts_with(b"#")) {
        return Err(Error::expected(Place::column(file, line, column), rest, "the end of the line after five fields"));
    }
    Ok(Some(Statement {
        topic: topic.to_vec(),
        group: group.to_vec(),
        subgroup: subgroup.to_vec(),
        document: document.to_vec(),
        level: parsed,
        line: Some(line),
    }))
}

/// The fields of a line, each with its column.
fn fields(text: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let mut start = 0;
    text.split(u8::is_ascii_whitespace).filter_map(move |field| {
        let column = start as u64 + 1;
        start += field.len() + 1;
        (!field.is_empty()).then_some((column, field))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_fields_and_skips_comments() {
        let text = b"# a comment\n\n1 g s  a\t2.5\n1 g s b 0 # why\r\n2 g s c#3 1";
        let all = read(&text[..], "a").unwrap();
        let ids: Vec<&[u8]> = all.topics().iter().map(|t| t.id()).collect();
        assert_eq!(ids, [b"1", b"2"]);
        assert_eq!(all.topic(b"1").unwrap().groups()[0].len(), 2);
        assert_eq!(all.topic(b"2").unwrap().documents(), [b"c#3"]);
    }

    #[test]
    fn says_where_a_line_is_wrong() {
        for (text, expected) in [
            ("1 g s a 1\n1 g s b", "f:2:8: found nothing, expected a level"),
            ("1 g s a  x", "f:1:10: found \"x\", expected a level"),
            ("1 g s a -1", "f:1:9: found \"-1\", expected a level"),
            ("1 g s a NaN", "f:1:9: found \"NaN\""),
            ("1 g s a 1 2", "f:1:11: found \"2\", expected the end"),
            ("1", "f:1:2: found nothing, expected a judgement group"),
        ] {
            let e = read(text.as_bytes(), "f").unwrap_err().to_string();
            assert!(e.starts_with(expected), "{e}");
        }
    }
}
