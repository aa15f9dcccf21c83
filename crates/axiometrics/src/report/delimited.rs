//! Comma- and tab-separated values: for programs, so numbers are in full and nothing is padded.

use super::guarded;
use super::lines::Lines;
use super::number::NOT_AVAILABLE;
use super::table::Column;

/// Values that need it are quoted, as RFC 4180 asks.
pub(super) const COMMAS: Delimited =
    Delimited { separator: b',', push: push_quoted, is_raw: false };

/// Tabs and line ends within values become blanks: readers of this format know no quotes.
pub(super) const TABS: Delimited =
    Delimited { separator: b'\t', push: push_blanked, is_raw: false };

const RAW_COMMAS: Delimited = Delimited { is_raw: true, ..COMMAS };
const RAW_TABS: Delimited = Delimited { is_raw: true, ..TABS };

/// Values with a separator between them, under a line of titles.
pub(super) struct Delimited {
    separator: u8,
    push: fn(&[u8], &mut Vec<u8>),
    /// Values are written as they are, whoever acts on them.
    is_raw: bool,
}

fn push_quoted(value: &[u8], out: &mut Vec<u8>) {
    if !value.iter().any(|b| b",\"\r\n".contains(b)) {
        return out.extend_from_slice(value);
    }
    out.push(b'"');
    for b in value {
        if *b == b'"' {
            out.push(b'"');
        }
        out.push(*b);
    }
    out.push(b'"');
}

fn push_blanked(value: &[u8], out: &mut Vec<u8>) {
    let blanked = |b: &u8| matches!(b, b'\t' | b'\r' | b'\n');
    if !value.iter().any(blanked) {
        return out.extend_from_slice(value);
    }
    out.extend(value.iter().map(|b| if blanked(b) { b' ' } else { *b }));
}

impl Lines for Delimited {
    fn head(&self, columns: &[Column], out: &mut Vec<u8>) {
        for (place, column) in columns.iter().enumerate() {
            self.before(place, "", out);
            self.text(column.title.as_bytes(), out);
        }
        out.extend_from_slice(self.end());
    }

    fn before(&self, place: usize, _key: &str, out: &mut Vec<u8>) {
        if place > 0 {
            out.push(self.separator);
        }
    }

    fn text(&self, text: &[u8], out: &mut Vec<u8>) {
        let text = if self.is_raw { text.into() } else { guarded::cell(text) };
        (self.push)(&text, out);
    }

    fn list(&self, texts: &[String], out: &mut Vec<u8>) {
        self.text(texts.join(" ").as_bytes(), out);
    }

    fn flag(&self, flag: bool, out: &mut Vec<u8>) {
        out.extend_from_slice(if flag { b"yes" } else { b"no" });
    }

    fn holds_infinity(&self) -> bool {
        true
    }

    fn missing(&self) -> &'static [u8] {
        NOT_AVAILABLE.as_bytes()
    }

    fn end(&self) -> &'static [u8] {
        b"\n"
    }

    fn raw(&self) -> &'static dyn Lines {
        if self.separator == COMMAS.separator { &RAW_COMMAS } else { &RAW_TABS }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::awkward;
    use super::super::{OutputFormat, Style};
    use super::*;

    #[test]
    fn commas() {
        insta::assert_snapshot!(awkward().render(OutputFormat::Csv, &Style::default()), @r#"
        run,nDCG@10,num_ret
        bm25_rm3.run,0.51234,1000
        "検索|a,""b""",0.6,20
        50%_of_$x\y,NA,-1.5
        all,0.55617,1020
        "#);
    }

    #[test]
    fn tabs() {
        let text = awkward().render(OutputFormat::Tsv, &Style::default()).replace('\t', "→");
        insta::assert_snapshot!(text, @r#"
        run→nDCG@10→num_ret
        bm25_rm3.run→0.51234→1000
        検索|a,"b"→0.6→20
        50%_of_$x\y→NA→-1.5
        all→0.55617→1020
        "#);
    }

    #[test]
    fn what_would_end_a_value_is_guarded() {
        let push = |format: Delimited, value: &str| {
            let mut out = Vec::new();
            format.text(value.as_bytes(), &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(push(COMMAS, "a\nb"), "\"a\nb\"");
        assert_eq!(push(TABS, "a\tb\nc"), "a b c");
    }
}
