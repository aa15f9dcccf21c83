//! Catalogues: lines of an item and, if it is known, how often people chose it; and lines of an item
//! and the numbers that describe it.

use super::{Source, csv, lines};
use crate::data::Catalogue;
use crate::error::{Error, Place, Result};

/// The items of a catalogue: an id per line and, if it is known, its number of interactions.
pub fn read_catalogue(source: &Source) -> Result<Catalogue> {
    let mut catalogue = Catalogue::default();
    each(source, |id, numbers, place| {
        match numbers {
            [] => catalogue.insert(id, None),
            [count] if *count >= 0.0 => catalogue.insert(id, Some(*count)),
            _ => {
                let message = "expected an item and its number of interactions, of at least 0";
                return Err(Error::input(place, message));
            }
        }
        Ok(())
    })?;
    if catalogue.is_empty() {
        let place = Place::file(source.name());
        return Err(Error::input(place, "nothing in the file, expected an item on each line"));
    }
    Ok(catalogue)
}

/// What items are like: an id per line and as many numbers for each.
pub fn read_features(source: &Source, catalogue: &mut Catalogue) -> Result<()> {
    let mut width = None;
    each(source, |id, numbers, place| {
        let expected = *width.get_or_insert(numbers.len());
        if numbers.is_empty() || numbers.len() != expected {
            let found = numbers.len();
            let message = format!("found {found} numbers behind the item, expected {expected}");
            return Err(Error::input(place, message).help("all items have equally many features"));
        }
        catalogue.describe(id, numbers.to_vec());
        Ok(())
    })
}

fn each(source: &Source, mut see: impl FnMut(&[u8], &[f64], Place) -> Result<()>) -> Result<()> {
    lines::each_entry(source, |text, line, is_first| {
        let fields = csv::plain_fields(text);
        let Some((id, rest)) = fields.split_first() else { return Ok(()) };
        if fields.len() > csv::MOST_FIELDS {
            return Err(csv::too_many_fields(source.name(), line));
        }
        let number = |field: &&[u8]| {
            std::str::from_utf8(field).ok()?.parse::<f64>().ok().filter(|x| x.is_finite())
        };
        let numbers: Option<Vec<f64>> = rest.iter().map(number).collect();
        let place = Place::line(source.name(), line);
        match numbers {
            Some(numbers) => see(id, &numbers, place),
            // A header says nothing of items.
            None if is_first => Ok(()),
            None => Err(Error::expected(place, text, "an item and numbers")),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_a_popularity_and_features() {
        let text = "item,count\na,6\nb,2\nc,0\nd\n";
        let mut catalogue = read_catalogue(&Source::from_bytes("c", text)).unwrap();
        assert_eq!((catalogue.len(), catalogue.share(b"a")), (4, Some(0.75)));
        assert_eq!((catalogue.share(b"d"), catalogue.number(b"c")), (None, Some(2)));
        read_features(&Source::from_bytes("f", "a 1 0\nb 0 1\n"), &mut catalogue).unwrap();
        assert_eq!(catalogue.features(b"b"), Some([0.0, 1.0].as_slice()));
        for (text, message) in [
            ("a 1\nb x\n", "f:2: found \"b x\", expected an item and numbers"),
            ("a 1 2\nb 1\n", "f:2: found 1 numbers behind the item, expected 2"),
        ] {
            let read = read_features(&Source::from_bytes("f", text), &mut catalogue);
            assert!(read.unwrap_err().to_string().starts_with(message));
        }
    }
}
