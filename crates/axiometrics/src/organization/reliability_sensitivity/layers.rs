//! The levels of each document.

use crate::data::organization::Occurrences;

/// For each document the levels of its occurrences, ascending.
#[derive(Debug, Clone)]
pub(super) struct Layers {
    starts: Vec<u32>,
    levels: Vec<u32>,
    count: usize,
}

impl Layers {
    /// The levels as they are.
    pub(super) fn open(index: &Occurrences<'_>) -> Layers {
        Layers::build(index, index.level_count(), |_| false)
    }

    /// The levels with one more at the end, for the known documents that this side lacks, if there
    /// are any.
    pub(super) fn closed(index: &Occurrences<'_>, universe: &[bool]) -> Layers {
        let absent = |document: usize| universe[document] && index.count(document) == 0;
        let any = (0..index.documents()).any(absent);
        Layers::build(index, index.level_count() + usize::from(any), absent)
    }

    fn build(index: &Occurrences<'_>, count: usize, last: impl Fn(usize) -> bool) -> Layers {
        let mut starts = Vec::with_capacity(index.documents() + 1);
        let mut levels = Vec::new();
        starts.push(0);
        for document in 0..index.documents() {
            levels.extend(index.levels(document));
            if last(document) {
                levels.push(count as u32 - 1);
            }
            starts.push(levels.len() as u32);
        }
        Layers { starts, levels, count }
    }

    /// The number of levels.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The number of documents that can be asked for.
    pub(super) fn documents(&self) -> usize {
        self.starts.len() - 1
    }

    /// The levels of a document.
    pub(super) fn of(&self, document: usize) -> &[u32] {
        &self.levels[self.starts[document] as usize..self.starts[document + 1] as usize]
    }

    /// The weight of the occurrences of each level.
    pub(super) fn sizes(&self, mass: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut sizes = vec![0.0; self.count];
        for document in 0..self.documents() {
            for &level in self.of(document) {
                sizes[level as usize] += mass(document);
            }
        }
        sizes
    }
}
