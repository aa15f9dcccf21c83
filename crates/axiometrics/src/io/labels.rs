//! Files with labels for grades, and small tables of a name and a number.

use std::io::{BufWriter, Write};
use std::ops::Range;

use hashbrown::HashMap;

use super::columns::Role;
use super::{Source, csv, file, lines};
use crate::data::Labels;
use crate::error::{Error, Place, Result};

/// Like the file, with grades in place of labels. In a table these are in the columns of the grade
/// or the score, which its header or `--columns` names, or else in the last column; on a TREC line
/// in the column of the grade or the score.
pub fn with_labels(source: &Source, labels: &Labels) -> Result<Source> {
    if cfg!(target_family = "wasm") {
        let mut text = Vec::new();
        write_grades(source, labels, &mut text)?;
        return Ok(Source::from_bytes(source.name(), text).like(source));
    }
    let mut writer = BufWriter::new(file::temporary()?);
    write_grades(source, labels, &mut writer)?;
    let file = writer.into_inner().map_err(|e| file::in_temporary(e.into_error()))?;
    Ok(Source::plain(source.name(), file)?.like(source))
}

fn write_grades(source: &Source, labels: &Labels, out: &mut impl Write) -> Result<()> {
    let mut columns: Option<LabelColumns> = None;
    lines::each_line(source, |line, _| {
        let bare = lines::bare(line);
        let is_row = !bare.trim_ascii().is_empty() && !bare.trim_ascii().starts_with(b"#");
        let columns = match columns.as_ref() {
            None if is_row => Some(&*columns.insert(LabelColumns::of(bare, source, labels))),
            known => known,
        };
        let mut written = 0;
        for field in columns.map(|columns| columns.of_line(bare)).unwrap_or_default() {
            if let Some(grade) = labels.grade(csv::unquoted(&bare[field.clone()])) {
                out.write_all(&bare[written..field.start])
                    .and_then(|()| write!(out, "{grade}"))
                    .map_err(file::in_temporary)?;
                written = field.end;
            }
        }
        out.write_all(&bare[written..])
            .and_then(|()| out.write_all(b"\n"))
            .map_err(file::in_temporary)
    })
}

/// Where the lines of a file have labels.
enum LabelColumns {
    /// In columns of a table with this separator.
    Table { delimiter: u8, at: Vec<usize> },
    /// In the last column of a table with this separator.
    Last { delimiter: u8 },
    /// Between spaces, in the fifth field of six and otherwise in the last one.
    Trec,
}

impl LabelColumns {
    /// Of the file that begins with this row.
    fn of(row: &[u8], source: &Source, labels: &Labels) -> LabelColumns {
        if let Some(table) = csv::table(row, source) {
            let roles = [Role::Grade, Role::Rating, Role::Score];
            let at: Vec<usize> =
                roles.into_iter().filter_map(|role| table.columns.get(role).copied()).collect();
            if !at.is_empty() {
                return LabelColumns::Table { delimiter: table.delimiter, at };
            }
        }
        // A topic, a document and a label at least.
        let ends_in_label = |delimiter: &u8| {
            let fields = delimited(row, *delimiter);
            let last = fields.last().filter(|_| fields.len() >= 3);
            last.is_some_and(|field| labels.grade(csv::unquoted(&row[field.clone()])).is_some())
        };
        match [b'\t', b',', b';', b'|'].into_iter().find(ends_in_label) {
            Some(delimiter) => LabelColumns::Last { delimiter },
            None => LabelColumns::Trec,
        }
    }

    /// The fields of a line that may be labels, from left to right.
    fn of_line(&self, line: &[u8]) -> Vec<Range<usize>> {
        match self {
            LabelColumns::Table { delimiter, at } => {
                let fields = delimited(line, *delimiter).into_iter().enumerate();
                fields.filter(|(i, _)| at.contains(i)).map(|(_, field)| field).collect()
            }
            LabelColumns::Last { delimiter } => {
                delimited(line, *delimiter).pop().into_iter().collect()
            }
            LabelColumns::Trec => {
                let mut fields = between(line, u8::is_ascii_whitespace);
                fields.retain(|field| !field.is_empty());
                // topic Q0 document rank score tag
                let at = if fields.len() == 6 { 4 } else { fields.len().wrapping_sub(1) };
                fields.get(at).cloned().into_iter().collect()
            }
        }
    }
}

/// The fields of a line of a table, without the spaces around them. A separator between quotes is a
/// part of its field.
fn delimited(line: &[u8], delimiter: u8) -> Vec<Range<usize>> {
    let mut quoted = false;
    let mut fields = between(line, |b| {
        quoted ^= *b == b'"';
        !quoted && *b == delimiter
    });
    for field in &mut fields {
        let text = &line[field.clone()];
        let start = field.start + text.len() - text.trim_ascii_start().len();
        *field = start..start + text.trim_ascii().len();
    }
    fields
}

/// The parts of a line between separators.
fn between(line: &[u8], mut separates: impl FnMut(&u8) -> bool) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut parts = Vec::new();
    for (at, byte) in line.iter().enumerate() {
        if separates(byte) {
            parts.push(start..at);
            start = at + 1;
        }
    }
    parts.push(start..line.len());
    parts
}

/// Lines of a name and a number, such as `a topic and its weight`.
pub fn read_numbers_by_name(source: &Source, expected: &str) -> Result<HashMap<Box<[u8]>, f64>> {
    let mut all = HashMap::new();
    lines::each_entry(source, |text, line, is_first| {
        let number = |field: &[u8]| std::str::from_utf8(field).ok()?.parse::<f64>().ok();
        match csv::plain_fields(text).as_slice() {
            [name, field] if number(field).is_some_and(f64::is_finite) => {
                all.insert((*name).into(), number(field).unwrap_or_default());
                Ok(())
            }
            // A header names no number.
            [_, _] if is_first => Ok(()),
            _ => Err(Error::expected(Place::line(source.name(), line), text, expected)),
        }
    })?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// The lines of a file with grades in place of labels.
    fn graded(text: &str, labels: &str, columns: Option<&str>) -> Vec<String> {
        let columns = columns.map(|columns| Arc::new(columns.parse().unwrap()));
        let source = Source::from_bytes("f", text).with_columns(columns);
        let graded = with_labels(&source, &labels.parse().unwrap()).unwrap();
        let mut lines = Vec::new();
        super::lines::each_line(&graded, |line, _| {
            lines.push(String::from_utf8_lossy(line).into_owned());
            Ok(())
        })
        .unwrap();
        lines
    }

    #[test]
    fn labels_become_grades_in_the_column_of_the_grade() {
        let cases: [(&str, &[&str]); 9] = [
            ("q 0 H H\n\nq 0 d\tP\r\nq 0 d 2\n", &["q 0 H 2", "", "q 0 d\t1", "q 0 d 2"]),
            ("q Q0 d 1 H N\nq Q0 N,P,H 2 P a,N\n", &["q Q0 d 1 2 N", "q Q0 N,P,H 2 1 a,N"]),
            ("# N\nq 0 d,1 H\n", &["# N", "q 0 d,1 2"]),
            ("q,d,P\nH,N,N\n", &["q,d,1", "H,N,0"]),
            ("q\t0\td\tVery H\nq\t0\td2\tH\n", &["q\t0\td\t3", "q\t0\td2\t2"]),
            ("a q;d;Very H\n", &["a q;d;3"]),
            (
                "qid,docno,label\nq,H,Very H\nq,N,\"Very H\"\n",
                &["qid,docno,label", "q,H,3", "q,N,3"],
            ),
            (
                "qid,relevance,docno,text\nq,H,d,\"a,H\"\n",
                &["qid,relevance,docno,text", "q,2,d,\"a,H\""],
            ),
            (
                "docno\tqid\trelevance\nH\tq\t2\nd\tq\tVery H\n",
                &["docno\tqid\trelevance", "H\tq\t2", "d\tq\t3"],
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(graded(text, "N,P,H,Very H", None), expected, "{text:?}");
        }
        let columns = Some("topic=1,doc=3,grade=2");
        assert_eq!(graded("N,H,d\nq,P,H\n", "N,P,H", columns), ["N,2,d", "q,1,H"]);
        let columns = Some("grade=how");
        assert_eq!(graded("qid,how,docno\nq,H,d\n", "N,P,H", columns), ["qid,how,docno", "q,2,d"]);
    }

    #[test]
    fn names_and_numbers() {
        let read = |text: &str| {
            read_numbers_by_name(&Source::from_bytes("w", text), "a topic and its weight")
        };
        let numbers = read("topic,weight\n1,2.5\n2,0\n").unwrap();
        assert_eq!(numbers.get(b"1".as_slice()), Some(&2.5));
        assert_eq!(numbers.len(), 2);
        let error = read("1 2\n2 x\n").unwrap_err().to_string();
        assert_eq!(error, "w:2: found \"2 x\", expected a topic and its weight");
    }
}
