//! A list of names in little memory.

use std::borrow::Cow;

use super::id_text;

/// Names, one behind the other: any bytes, such as the ids of topics.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    bytes: Vec<u8>,
    /// Where each name ends.
    ends: Vec<usize>,
}

impl Names {
    /// Adds a name at the end.
    pub fn push(&mut self, name: &[u8]) {
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len());
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many bytes they have in all.
    pub(crate) fn text_len(&self) -> usize {
        self.bytes.len()
    }

    /// A name by its place.
    pub fn get(&self, at: usize) -> Option<&[u8]> {
        let end = *self.ends.get(at)?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start..end])
    }

    /// A name as text, as [`id_text`] writes it; empty if there is no such name.
    pub fn text(&self, at: usize) -> Cow<'_, str> {
        self.get(at).map_or(Cow::Borrowed(""), id_text)
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|at| self.get(at).unwrap_or_default())
    }

    /// The place of a name in a list that is sorted by bytes.
    pub fn find_sorted(&self, name: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle).is_some_and(|other| other < name) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (self.get(low) == Some(name)).then_some(low)
    }
}

impl<'n> FromIterator<&'n [u8]> for Names {
    fn from_iter<I: IntoIterator<Item = &'n [u8]>>(names: I) -> Names {
        let names = names.into_iter();
        let ends = Vec::with_capacity(names.size_hint().0);
        let mut all = Names { bytes: Vec::new(), ends };
        names.for_each(|name| all.push(name));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_they_are() {
        let names: Names = ["", "1", "10", "9"].into_iter().map(str::as_bytes).collect();
        for (at, name) in names.iter().enumerate() {
            assert_eq!(names.find_sorted(name), Some(at));
        }
        assert_eq!(names.find_sorted(b"2"), None);
        assert_eq!(names.find_sorted(b"99"), None);
        assert_eq!((names.get(4), names.text(9)), (None, "".into()));
    }
}
