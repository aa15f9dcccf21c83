//! The links of one side, and how many of them the other side states too.

use super::super::Sum;
use super::side::StatedSide;

/// For each document the weight of the documents that it links to, and of those among them that the
/// other side links it to as well.
#[derive(Debug)]
pub(super) struct Links {
    ends: Vec<(f64, f64)>,
    /// The weight of the documents that have links.
    pub(super) linking: f64,
    /// How many of the links are right: each document with links counts by its weight, and spreads
    /// it over its links by the weights of their ends.
    pub(super) reliability: f64,
}

impl Links {
    /// Looks the links of one side up in those of the other; `None` if neither has any.
    pub(super) fn agreed(side: &StatedSide<'_>, other: &StatedSide<'_>) -> Option<Links> {
        if side.links.is_empty() && other.links.is_empty() {
            return None;
        }
        let mut ends = vec![(0.0, 0.0); side.layers.documents()];
        for link in side.links {
            let weight = side.weight(link.1 as usize);
            let sums = &mut ends[link.0 as usize];
            sums.0 += weight;
            sums.1 += if other.links.binary_search(link).is_ok() { weight } else { 0.0 };
        }
        let (mut right, mut all) = (Sum::default(), Sum::default());
        for (document, (stated, agreed)) in ends.iter().enumerate() {
            if *stated > 0.0 {
                let weight = side.weight(document);
                all.add(weight);
                right.add(weight * agreed / stated);
            }
        }
        // A side that links nothing says nothing wrong.
        let linking = all.total();
        let reliability = if linking > 0.0 { right.total() / linking } else { 1.0 };
        Some(Links { ends, linking, reliability })
    }

    /// The weight of the documents that one links to, and of those that are agreed.
    pub(super) fn of(&self, document: usize) -> (f64, f64) {
        self.ends[document]
    }
}
