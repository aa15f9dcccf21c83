//! trec_eval's preference files.
//!
//! One statement a line, five fields between white space: topic, judgement group, judgement
//! subgroup, document, level. Empty lines and lines that begin with `#` are skipped, and so is what
//! follows a field that begins with `#` after the fifth.

use std::io::BufRead;

use super::fields::{Line, lines};
use crate::data::preferences::{Preferences, Statement};
use crate::error::Result;

/// Reads a preference file; `file` is its name in errors.
pub fn read(input: impl BufRead, file: &str) -> Result<Preferences> {
    let mut statements = Vec::new();
    lines(input, file, |mut line: Line<'_>| {
        let topic = line.next("a topic")?.to_vec();
        let group = line.next("a judgement group")?.to_vec();
        let subgroup = line.next("a judgement subgroup")?.to_vec();
        let document = line.next("a document")?.to_vec();
        let level = line.number("a level", 0.0)?;
        line.end()?;
        statements.push(Statement {
            topic,
            group,
            subgroup,
            document,
            level,
            line: Some(line.number),
        });
        Ok(())
    })?;
    Preferences::new(statements, file)
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
