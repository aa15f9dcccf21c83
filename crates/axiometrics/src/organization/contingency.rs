//! How the clusters of a system and the classes of a gold standard share their documents.
//!
//! Owns: the sparse table of counts, built in linear time. The measures of partitions read it and
//! nothing else.

use crate::data::organization::Occurrences;

/// The label of a document that is to be left out of the table.
pub const NO_LABEL: u32 = u32::MAX;

/// A sparse table: rows are the system's clusters, columns the gold classes, cells the documents in
/// both.
#[derive(Debug, Clone)]
pub struct Contingency {
    documents: u64,
    row_ends: Vec<usize>,
    cells: Vec<(u32, u32)>,
    system_sizes: Vec<u32>,
    gold_sizes: Vec<u32>,
}

impl Contingency {
    /// The table of two labellings of the same documents. Labels number the clusters of each side
    /// from 0; a document with [`NO_LABEL`] on either side is left out. Labels should be dense:
    /// memory grows with the largest.
    pub fn from_labels(system: &[u32], gold: &[u32]) -> Contingency {
        let both = || system.iter().zip(gold).filter(|&(&x, &g)| x != NO_LABEL && g != NO_LABEL);
        let (mut system_sizes, mut gold_sizes) = (Vec::new(), Vec::new());
        for (&x, &g) in both() {
            count(&mut system_sizes, x);
            count(&mut gold_sizes, g);
        }
        // A counting sort by cluster, then one scratch counter per class: linear, and no hashing.
        let mut next = Vec::with_capacity(system_sizes.len());
        let mut total = 0;
        for &size in &system_sizes {
            next.push(total);
            total += size as usize;
        }
        let mut sorted = vec![0; total];
        for (&x, &g) in both() {
            let at = &mut next[x as usize];
            sorted[*at] = g;
            *at += 1;
        }
        let mut counts = vec![0u32; gold_sizes.len()];
        let mut seen = Vec::new();
        let (mut cells, mut row_ends) = (Vec::new(), Vec::with_capacity(system_sizes.len()));
        let mut start = 0;
        for end in next {
            for &g in &sorted[start..end] {
                if counts[g as usize] == 0 {
                    seen.push(g);
                }
                counts[g as usize] += 1;
            }
            cells.extend(seen.drain(..).map(|g| (g, std::mem::take(&mut counts[g as usize]))));
            row_ends.push(cells.len());
            start = end;
        }
        Contingency { documents: total as u64, row_ends, cells, system_sizes, gold_sizes }
    }

    /// The table of two partitions of their documents, `None` if a document lies in several
    /// clusters. A document that one side lacks is a cluster of its own there.
    pub fn of_partitions(system: &Occurrences<'_>, gold: &Occurrences<'_>) -> Option<Contingency> {
        if system.overlap() || gold.overlap() {
            return None;
        }
        if let (Some(system), Some(gold)) = (system.labels(), gold.labels()) {
            return Some(Contingency::from_labels(system, gold));
        }
        let present: Vec<bool> = (0..system.documents())
            .map(|document| system.count(document) + gold.count(document) > 0)
            .collect();
        Some(Contingency::from_labels(
            &closed_labels(system, &present),
            &closed_labels(gold, &present),
        ))
    }

    /// The number of documents.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// The sizes of the system's clusters.
    pub fn system_sizes(&self) -> &[u32] {
        &self.system_sizes
    }

    /// The sizes of the gold classes.
    pub fn gold_sizes(&self) -> &[u32] {
        &self.gold_sizes
    }

    /// The cells of a cluster that are not 0: class and count.
    pub fn row(&self, cluster: usize) -> &[(u32, u32)] {
        &self.cells
            [if cluster == 0 { 0 } else { self.row_ends[cluster - 1] }..self.row_ends[cluster]]
    }

    /// All cells that are not 0: cluster, class, count.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize, u32)> + '_ {
        (0..self.row_ends.len()).flat_map(|cluster| {
            self.row(cluster).iter().map(move |&(class, count)| (cluster, class as usize, count))
        })
    }

    /// True if clusters and classes are the same sets.
    pub fn identical(&self) -> bool {
        self.cells()
            .all(|(x, g, count)| count == self.system_sizes[x] && count == self.gold_sizes[g])
    }
}

fn count(sizes: &mut Vec<u32>, label: u32) {
    let at = label as usize;
    if at >= sizes.len() {
        sizes.resize(at + 1, 0);
    }
    sizes[at] += 1;
}

/// The cluster of each document that is present, new clusters for those that this side lacks.
fn closed_labels(side: &Occurrences<'_>, present: &[bool]) -> Vec<u32> {
    let mut labels: Vec<u32> = (0..present.len())
        .map(|document| side.clusters(document).first().copied().unwrap_or(NO_LABEL))
        .collect();
    let lacking =
        labels.iter_mut().zip(present).filter(|(label, present)| **label == NO_LABEL && **present);
    for ((label, _), fresh) in lacking.zip(side.cluster_count() as u32..) {
        *label = fresh;
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_leaves_out() {
        let table =
            Contingency::from_labels(&[1, 0, 1, 1, NO_LABEL, 0], &[0, 1, 0, 1, 2, NO_LABEL]);
        assert_eq!(table.documents(), 4);
        assert_eq!(table.system_sizes(), [1, 3]);
        assert_eq!(table.gold_sizes(), [2, 2]);
        assert_eq!(table.cells().collect::<Vec<_>>(), [(0, 1, 1), (1, 0, 2), (1, 1, 1)]);
        assert!(!table.identical());
        assert!(Contingency::from_labels(&[0, 1, 1], &[1, 0, 0]).identical());
    }
}
