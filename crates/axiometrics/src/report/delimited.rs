//! Comma- and tab-separated values: for programs, so numbers are in full and nothing is padded.

use super::number::{NOT_AVAILABLE, push_number};
use super::table::{Content, Style, Table};

/// What stands between the values of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    /// Values that need it are quoted, as RFC 4180 asks.
    Comma,
    /// Tabs and line ends within values become blanks: readers of this format know no quotes.
    Tab,
}

impl Separator {
    /// The separator itself.
    pub fn byte(self) -> u8 {
        match self {
            Separator::Comma => b',',
            Separator::Tab => b'\t',
        }
    }

    /// Appends a value. Bytes that are no UTF-8 stay as they are.
    pub fn push(self, out: &mut Vec<u8>, value: &[u8]) {
        match self {
            Separator::Comma if value.iter().any(|b| b",\"\r\n".contains(b)) => {
                out.push(b'"');
                for b in value {
                    if *b == b'"' {
                        out.push(b'"');
                    }
                    out.push(*b);
                }
                out.push(b'"');
            }
            Separator::Comma => out.extend_from_slice(value),
            Separator::Tab => {
                out.extend(value.iter().map(|b| if b"\t\r\n".contains(b) { b' ' } else { *b }))
            }
        }
    }
}

pub(super) fn render(table: &Table, separator: Separator, style: &Style) -> String {
    let mut out = Vec::new();
    let end = |out: &mut Vec<u8>, last: bool| out.push(if last { b'\n' } else { separator.byte() });
    for (i, column) in table.columns.iter().enumerate() {
        separator.push(&mut out, column.title.as_bytes());
        end(&mut out, i + 1 == table.columns.len());
    }
    for row in &table.rows {
        for (i, (cell, column)) in row.cells.iter().zip(&table.columns).enumerate() {
            match &cell.content {
                Content::Text(text) => separator.push(&mut out, text.as_bytes()),
                Content::Number(x) => push_number(&mut out, *x, column.places.and(style.places)),
                Content::Missing => out.extend_from_slice(NOT_AVAILABLE.as_bytes()),
            }
            end(&mut out, i + 1 == table.columns.len());
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::awkward;
    use super::*;

    #[test]
    fn commas() {
        insta::assert_snapshot!(render(&awkward(), Separator::Comma, &Style::default()), @r#"
        run,nDCG@10,num_ret
        bm25_rm3.run,0.51234,1000
        "検索|a,""b""",0.6,20
        50%_of_$x\y,NA,-1.5
        all,0.55617,1020
        "#);
    }

    #[test]
    fn tabs() {
        insta::assert_snapshot!(render(&awkward(), Separator::Tab, &Style::default()).replace('\t', "→"), @r#"
        run→nDCG@10→num_ret
        bm25_rm3.run→0.51234→1000
        検索|a,"b"→0.6→20
        50%_of_$x\y→NA→-1.5
        all→0.55617→1020
        "#);
    }

    #[test]
    fn what_would_end_a_value_is_guarded() {
        let push = |separator: Separator, value: &str| {
            let mut out = Vec::new();
            separator.push(&mut out, value.as_bytes());
            String::from_utf8(out).unwrap()
        };
        assert_eq!(push(Separator::Comma, "a\nb"), "\"a\nb\"");
        assert_eq!(push(Separator::Tab, "a\tb\nc"), "a b c");
    }
}
