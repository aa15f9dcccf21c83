//! How long documents are, and which of them say the same.

use hashbrown::HashMap;

/// The lengths of documents.
#[derive(Debug, Clone, Default)]
pub struct Lengths {
    documents: HashMap<Box<[u8]>, Length>,
    groups: HashMap<Box<[u8]>, u32>,
}

/// What is known of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Length {
    /// Its length, in whatever unit the file has.
    pub size: f64,
    /// The documents of one group repeat each other.
    pub group: Option<u32>,
}

impl Lengths {
    /// Says how long a document is, and the name of its group if others repeat it.
    pub fn insert(&mut self, id: &[u8], size: f64, group: Option<&[u8]>) {
        let next = self.groups.len() as u32;
        let group = group.map(|name| *self.groups.entry(name.into()).or_insert(next));
        self.documents.insert(id.into(), Length { size, group });
    }

    /// What is known of a document.
    pub fn of(&self, id: &[u8]) -> Option<Length> {
        self.documents.get(id).copied()
    }

    /// True if nothing is known.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }
}
