//! Files of lengths: lines of a document, its length and, if others repeat it, the name of the group
//! of those that say the same.

use super::{Source, csv, lines};
use crate::data::Lengths;
use crate::error::{Error, Place, Result};

/// The lengths of documents.
pub fn read_lengths(source: &Source) -> Result<Lengths> {
    let mut lengths = Lengths::default();
    lines::each_entry(source, |text, line, is_first| {
        let number = |field: &[u8]| {
            std::str::from_utf8(field)
                .ok()?
                .parse::<f64>()
                .ok()
                .filter(|x| x.is_finite() && *x >= 0.0)
        };
        let fields = csv::plain_fields(text);
        let (id, size, group) = match fields.as_slice() {
            [id, size] => (id, number(size), None),
            [id, size, group] => (id, number(size), Some(*group).filter(|group| !group.is_empty())),
            _ => (&text, None, None),
        };
        match size {
            Some(size) => lengths.insert(id, size, group),
            // A header says nothing of documents.
            None if is_first => {}
            None => {
                let place = Place::line(source.name(), line);
                let expected = "a document, its length of at least 0 and perhaps its group";
                return Err(Error::expected(place, text, expected));
            }
        }
        Ok(())
    })?;
    if lengths.is_empty() {
        let place = Place::file(source.name());
        let message = "nothing in the file, expected a document and its length on each line";
        return Err(Error::input(place, message));
    }
    Ok(lengths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_groups() {
        let text = "doc,length,group\na,10,x\nb,20\nc,5,x\n";
        let lengths = read_lengths(&Source::from_bytes("l", text)).unwrap();
        let of = |id: &str| lengths.of(id.as_bytes()).map(|known| (known.size, known.group));
        assert_eq!(
            (of("a"), of("b"), of("c")),
            (Some((10.0, Some(0))), Some((20.0, None)), Some((5.0, Some(0))))
        );
        assert_eq!(of("d"), None);
        let error = read_lengths(&Source::from_bytes("l", "a 1\nb -1\n")).unwrap_err().to_string();
        assert!(error.starts_with("l:2: found \"b -1\", expected a document"), "{error}");
    }
}
