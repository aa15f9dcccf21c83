//! Files with labels for grades, and small tables of a name and a number.

use std::io::{BufWriter, Write};

use hashbrown::HashMap;

use super::{Source, csv, file, lines};
use crate::data::Labels;
use crate::error::{Error, Place, Result};

/// The same file with grades in place of labels. Of a TREC line these stand in the column of the
/// grade or score; in other tables, in the last column.
pub fn with_labels(source: &Source, labels: &Labels) -> Result<Source> {
    if cfg!(target_family = "wasm") {
        let mut text = Vec::new();
        write_grades(source, labels, &mut text)?;
        return Ok(Source::from_bytes(source.name(), text));
    }
    let mut writer = BufWriter::new(file::temporary()?);
    write_grades(source, labels, &mut writer)?;
    let file = writer.into_inner().map_err(|e| file::in_temporary(e.into_error()))?;
    Source::plain(source.name(), file)
}

fn write_grades(source: &Source, labels: &Labels, out: &mut impl Write) -> Result<()> {
    lines::each_line(source, |line, _| {
        let bare = lines::bare(line);
        let delimited = [b',', b'\t', b';'].into_iter().find(|d| bare.contains(d));
        let is_between = |b: &u8| delimited.map_or(b.is_ascii_whitespace(), |d| *b == d);
        let mut fields = (bare.split(is_between).filter(|f| !f.is_empty())).fuse();
        let value = match (delimited, fields.by_ref().take(6).collect::<Vec<_>>()) {
            // topic Q0 document rank score tag
            (None, few) if few.len() == 6 && fields.next().is_none() => few.get(4).copied(),
            (_, few) => fields.last().or(few.last().copied()),
        };
        let graded = value.and_then(|label| Some((label, labels.grade(label.trim_ascii())?)));
        match graded {
            Some((label, grade)) => {
                // The field is a part of the line, so it begins somewhere in it.
                let at = label.as_ptr() as usize - bare.as_ptr() as usize;
                let (before, behind) = (&bare[..at], &bare[at + label.len()..]);
                out.write_all(before)
                    .and_then(|()| write!(out, "{grade}"))
                    .and_then(|()| out.write_all(behind))
            }
            None => out.write_all(bare),
        }
        .and_then(|()| out.write_all(b"\n"))
        .map_err(file::in_temporary)
    })
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
    use super::*;

    #[test]
    fn labels_become_grades_where_grades_stand() {
        let labels: Labels = "N P H".parse().unwrap();
        let text = "q 0 H H\nq 0 d\tP\r\nq Q0 d 1 H N\nq,d,P\nq 0 d 2\n";
        let graded = with_labels(&Source::from_bytes("f", text), &labels).unwrap();
        let mut lines = Vec::new();
        super::lines::each_line(&graded, |line, _| {
            lines.push(String::from_utf8_lossy(line).into_owned());
            Ok(())
        })
        .unwrap();
        assert_eq!(lines, ["q 0 H 2", "q 0 d\t1", "q Q0 d 1 2 N", "q,d,1", "q 0 d 2"]);
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
