//! Document organizations: levels of clusters of documents.
//!
//! Owns: [`Organization`] (one topic of one side), [`Documents`] (the names of a topic's
//! documents), [`DocumentCatalogue`] (the documents of all topics, shared by gold and systems) and
//! the one-line [`notation`]. Does not own: files, which are `io`'s, and scores.
//!
//! ```
//! use axiometrics::data::organization::{Documents, Organization, notation};
//!
//! let mut documents = Documents::default();
//! let gold: Organization = notation::parse("d1 {d2 d3} / {d4 d5} | d6", &mut documents).unwrap();
//! assert_eq!(gold.levels(), 2);
//! assert_eq!(gold.occurrences(), 5);
//! assert_eq!(notation::format(&gold, &documents), "d1 {d2 d3} / {d4 d5} | d6");
//! ```

mod builder;
mod documents;
mod index;
pub mod notation;
mod table;
mod write;

use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) use builder::Numbers;
pub use builder::{Builder, Defect};
pub use documents::Documents;
pub use index::Occurrences;
pub use write::{WriteFormat, write};

/// The topic of organizations that name none.
pub const ONLY_TOPIC: &str = "1";

/// The documents of every topic. Gold and systems are read into one catalogue, so that their
/// document numbers agree.
pub type DocumentCatalogue = BTreeMap<String, Documents>;

/// The organizations of one side, by topic, sorted bytewise.
pub type Organizations = BTreeMap<String, Organization>;

/// An ordered list of levels (top priority first), each a list of clusters, each a set of
/// documents; then the discarded documents.
///
/// After the last level follows an implicit, unlimited tail. [`discarded`](Organization::discarded)
/// names the documents of the tail that are known: a filter's negatives, the documents that were
/// judged not relevant. They are no occurrences.
#[derive(Debug, Clone, Default)]
pub struct Organization {
    /// The document of each occurrence, level by level, cluster by cluster.
    documents: Vec<u32>,
    /// Where each cluster ends in `documents`.
    cluster_ends: Vec<u32>,
    /// Where each level ends in `cluster_ends`.
    level_ends: Vec<u32>,
    discarded: Vec<u32>,
    scores: Vec<(u32, f64)>,
    /// Sorted by document.
    weights: Vec<(u32, f64)>,
    /// Sorted.
    links: Vec<(u32, u32)>,
    /// The cluster of each document, above [`HELD`] for one that lies in none; kept if it fell off
    /// and no document lies in several.
    labels: Option<Vec<u32>>,
}

/// What separates the documents that one links to, in tables.
pub(crate) const LINK: char = ';';

/// The largest number that a cluster can have. The numbers above mark documents that lie in none.
const HELD: u32 = u32::MAX - 2;

impl PartialEq for Organization {
    fn eq(&self, other: &Organization) -> bool {
        let Organization {
            documents,
            cluster_ends,
            level_ends,
            discarded,
            scores,
            weights,
            links,
            labels: _,
        } = other;
        self.documents == *documents
            && self.cluster_ends == *cluster_ends
            && self.level_ends == *level_ends
            && self.discarded == *discarded
            && self.scores == *scores
            && self.weights == *weights
            && self.links == *links
    }
}

impl Organization {
    /// A builder, which takes levels from the top.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// An organization of document numbers: levels, clusters, documents.
    pub fn from_levels(levels: &[&[&[u32]]]) -> Result<Organization, Defect> {
        let mut builder = Organization::builder();
        for level in levels {
            builder.level();
            for cluster in *level {
                builder.cluster(cluster.iter().copied())?;
            }
        }
        Ok(builder.build())
    }

    /// A clustering of the documents 0, 1, 2 and so on, given the cluster of each. Labels should be
    /// dense: memory grows with the largest.
    pub fn from_labels(labels: &[u32]) -> Organization {
        let mut starts =
            vec![0u32; labels.iter().max().map_or(0, |&largest| largest as usize + 1) + 1];
        for &label in labels {
            starts[label as usize + 1] += 1;
        }
        for label in 1..starts.len() {
            starts[label] += starts[label - 1];
        }
        let mut documents = vec![0; labels.len()];
        for (&label, document) in labels.iter().zip(0..) {
            let at = &mut starts[label as usize];
            documents[*at as usize] = document;
            *at += 1;
        }
        // Each start has moved to the end of its cluster; the last was the number of all.
        starts.pop();
        starts.dedup();
        starts.retain(|&end| end > 0);
        let level_ends = if starts.is_empty() { Vec::new() } else { vec![starts.len() as u32] };
        Organization { documents, cluster_ends: starts, level_ends, ..Organization::default() }
    }

    /// The number of levels, the tail not counted.
    pub fn levels(&self) -> usize {
        self.level_ends.len()
    }

    /// The number of clusters, singletons included.
    pub fn clusters(&self) -> usize {
        self.cluster_ends.len()
    }

    /// The number of occurrences: (document, cluster) memberships.
    pub fn occurrences(&self) -> usize {
        self.documents.len()
    }

    /// The clusters of a level, as numbers that [`cluster`](Organization::cluster) takes.
    pub fn level(&self, level: usize) -> Range<usize> {
        span(&self.level_ends, level)
    }

    /// The documents of a cluster.
    pub fn cluster(&self, cluster: usize) -> &[u32] {
        &self.documents[span(&self.cluster_ends, cluster)]
    }

    /// The known documents of the tail.
    pub fn discarded(&self) -> &[u32] {
        &self.discarded
    }

    /// Scores of documents, if the source gave any.
    pub fn scores(&self) -> &[(u32, f64)] {
        &self.scores
    }

    /// Weights of documents, if the source gave any: for how many documents each counts.
    pub fn weights(&self) -> &[(u32, f64)] {
        &self.weights
    }

    /// Pairs of documents that are linked, from the first to the second: a relation besides levels
    /// and clusters, which means what the source wants it to mean.
    pub fn links(&self) -> &[(u32, u32)] {
        &self.links
    }

    /// The number of occurrences of each level.
    pub fn level_sizes(&self) -> Vec<u32> {
        let mut sizes = Vec::with_capacity(self.levels());
        let mut before = 0;
        for &clusters in &self.level_ends {
            let end = if clusters == 0 { 0 } else { self.cluster_ends[clusters as usize - 1] };
            sizes.push(end - before);
            before = end;
        }
        sizes
    }

    /// The same with only the documents that `keep` accepts. Clusters and levels that become empty
    /// vanish.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(u32) -> bool) -> Organization {
        let mut result = Organization::default();
        for level in 0..self.levels() {
            for cluster in self.level(level) {
                let before = result.documents.len();
                result.documents.extend(
                    self.cluster(cluster).iter().copied().filter(|&document| keep(document)),
                );
                if result.documents.len() > before {
                    result.cluster_ends.push(result.documents.len() as u32);
                }
            }
            let clusters = result.cluster_ends.len() as u32;
            if clusters > result.level_ends.last().copied().unwrap_or(0) {
                result.level_ends.push(clusters);
            }
        }
        result.discarded =
            self.discarded.iter().copied().filter(|&document| keep(document)).collect();
        result.scores =
            self.scores.iter().copied().filter(|&(document, _)| keep(document)).collect();
        result.weights =
            self.weights.iter().copied().filter(|&(document, _)| keep(document)).collect();
        result.links =
            self.links.iter().copied().filter(|&(from, to)| keep(from) && keep(to)).collect();
        result
    }

    /// One more than the largest document number in use, 0 if there is none.
    pub fn bound(&self) -> usize {
        let scored = self.scores.iter().chain(&self.weights).map(|(document, _)| document);
        self.documents
            .iter()
            .chain(&self.discarded)
            .chain(scored)
            .max()
            .map_or(0, |&largest| largest as usize + 1)
    }
}

fn span(ends: &[u32], i: usize) -> Range<usize> {
    let start = if i == 0 { 0 } else { ends[i - 1] };
    start as usize..ends[i] as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_levels_and_clusters_vanish() {
        let organization =
            Organization::from_levels(&[&[], &[&[], &[1, 2], &[2]], &[], &[&[3]]]).unwrap();
        assert_eq!(
            (organization.levels(), organization.clusters(), organization.occurrences()),
            (2, 3, 4)
        );
        assert_eq!(organization.level_sizes(), [3, 1]);
        assert_eq!(organization.level(1), 2..3);
        assert_eq!(organization.cluster(1), [2]);
        assert_eq!(organization.bound(), 4);
        assert_eq!(
            organization.filtered(|document| document != 3),
            Organization::from_levels(&[&[&[1, 2], &[2]]]).unwrap()
        );
        assert_eq!(
            organization.filtered(|document| document != 2),
            Organization::from_levels(&[&[&[1]], &[&[3]]]).unwrap()
        );
    }

    #[test]
    fn labels_are_clusters() {
        let expected = Organization::from_levels(&[&[&[1, 3], &[0, 4], &[2]]]).unwrap();
        assert_eq!(Organization::from_labels(&[4, 2, 7, 2, 4]), expected);
        assert_eq!(Organization::from_labels(&[]), Organization::default());
    }

    #[test]
    fn defects_are_found() {
        assert_eq!(Organization::from_levels(&[&[&[1, 2, 1]]]), Err(Defect::TwiceInCluster(1)));
        let mut builder = Organization::builder();
        builder.cluster([4]).unwrap();
        assert_eq!(builder.discard(4).err(), Some(Defect::DiscardedAgain(4)));
        builder.discard(5).unwrap();
        assert_eq!(builder.cluster([5]).err(), Some(Defect::DiscardedAgain(5)));
    }
}
