//! Text for programs that people may show: what a terminal or a spreadsheet would act on.

use std::borrow::Cow;
use std::io::{Result, Write};

use crate::data::text::{acts, safe_json};

/// A value of CSV or TSV on which neither a terminal nor a spreadsheet acts: characters that would
/// act are written as `\u{1b}`, and a value that begins as a formula does gets an apostrophe before
/// it, unless it is a number. Tabs and ends of lines are the format's.
pub(super) fn cell(value: &[u8]) -> Cow<'_, [u8]> {
    let plain = value.iter().all(|b| (b' '..=b'~').contains(b));
    let formula = matches!(value, [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r', _, ..])
        && !std::str::from_utf8(value).is_ok_and(|text| text.parse::<f64>().is_ok());
    if plain && !formula {
        return Cow::Borrowed(value);
    }
    let mut out = if formula { vec![b'\''] } else { Vec::new() };
    for chunk in value.utf8_chunks() {
        for c in chunk.valid().chars() {
            if acts(c) && !matches!(c, '\t' | '\r' | '\n') {
                out.extend_from_slice(c.escape_unicode().to_string().as_bytes());
            } else {
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        out.extend_from_slice(chunk.invalid());
    }
    Cow::Owned(out)
}

/// Passes on JSON, so escaped. Each piece that is written must hold whole characters.
pub(super) struct JsonWriter<'w>(pub(super) &'w mut dyn Write);

impl Write for JsonWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        match std::str::from_utf8(bytes).map(safe_json) {
            Ok(Cow::Owned(escaped)) => self.0.write_all(escaped.as_bytes())?,
            Ok(Cow::Borrowed(_)) | Err(_) => self.0.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, Column, OutputFormat, Style, Table};

    const HOSTILE: [&str; 5] =
        ["=cmd|' /C calc'!A0", "+1+cmd", "@SUM(A1)", "-2+3", "a\u{1b}[2J\u{9b}31m\u{202e}b"];

    fn table() -> Table {
        let mut table = Table::new(vec![Column::text("id"), Column::text("other")]);
        HOSTILE.iter().for_each(|id| table.push(vec![Cell::text(*id), Cell::text("-1.5")]));
        table
    }

    #[test]
    fn neither_terminals_nor_spreadsheets_act_on_what_is_written() {
        let table = table();
        for format in [OutputFormat::Csv, OutputFormat::Tsv] {
            let text = table.render(format, &Style::default());
            assert!(
                !text.contains(|c: char| crate::data::text::acts(c) && c != '\t' && c != '\n'),
                "{text:?}"
            );
            for line in text.lines() {
                assert!(!line.starts_with(['=', '+', '-', '@']), "{line}");
                assert!(!line.starts_with("\"="), "{line}");
            }
            assert!(text.contains("\\u{1b}[2J\\u{9b}31m\\u{202e}b"), "{text}");
            let raw = table.render(format, &Style { raw: true, ..Style::default() });
            HOSTILE.iter().for_each(|id| assert!(raw.contains(id), "{raw:?}"));
        }
        // Numbers are numbers, also where they are ids.
        assert!(table.render(OutputFormat::Csv, &Style::default()).contains(",-1.5\n"));
    }

    #[test]
    fn json_says_the_same_with_every_acting_character_escaped() {
        let table = table();
        for format in [OutputFormat::Json, OutputFormat::Jsonl] {
            let text = table.render(format, &Style::default());
            assert!(!text.contains(|c: char| crate::data::text::acts(c) && c != '\n'), "{text:?}");
            let last = text.lines().rev().find(|line| line.contains("202e")).unwrap();
            let last = last.trim().trim_end_matches(',');
            if format == OutputFormat::Jsonl {
                let row: serde_json::Value = serde_json::from_str(last).unwrap();
                assert_eq!(row["id"], HOSTILE[4]);
            }
        }
        let document: serde_json::Value =
            serde_json::from_str(&table.render(OutputFormat::Json, &Style::default())).unwrap();
        assert!(document.to_string().contains(&serde_json::json!(HOSTILE[4]).to_string()));
    }
}
