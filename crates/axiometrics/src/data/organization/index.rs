//! An organization seen from its documents.

use super::{HELD, Organization};

/// For each document the clusters that hold it, ascending; and the level of each cluster.
#[derive(Debug, Clone)]
pub struct Occurrences<'a> {
    documents: usize,
    held: ClustersHeld<'a>,
    levels: Vec<u32>,
}

/// Which clusters hold the documents.
#[derive(Debug, Clone)]
enum ClustersHeld<'a> {
    /// One each, or none: above [`HELD`], or behind the end.
    Once(&'a [u32]),
    /// Any number.
    Often { starts: Vec<u32>, clusters: Vec<u32>, overlap: bool },
}

impl<'a> Occurrences<'a> {
    /// Turns an organization round. `documents` is at least [`Organization::bound`].
    pub fn of(organization: &'a Organization, documents: usize) -> Occurrences<'a> {
        let documents = documents.max(organization.bound());
        let held = match &organization.labels {
            Some(labels) => ClustersHeld::Once(labels),
            None => often(organization, documents),
        };
        let mut levels = vec![0; organization.clusters()];
        for level in 0..organization.levels() {
            levels[organization.level(level)].fill(level as u32);
        }
        Occurrences { documents, held, levels }
    }

    /// The number of documents that can be asked for.
    pub fn documents(&self) -> usize {
        self.documents
    }

    /// The clusters that hold a document, ascending.
    #[inline]
    pub fn clusters(&self, document: usize) -> &[u32] {
        match &self.held {
            ClustersHeld::Once(labels) => labels
                .get(document)
                .filter(|&&label| label <= HELD)
                .map_or(&[], std::slice::from_ref),
            ClustersHeld::Often { starts, clusters, .. } => {
                &clusters[starts[document] as usize..starts[document + 1] as usize]
            }
        }
    }

    /// The levels of a document's occurrences, ascending.
    pub fn levels(&self, document: usize) -> impl Iterator<Item = u32> + '_ {
        self.clusters(document).iter().map(|&cluster| self.levels[cluster as usize])
    }

    /// How often a document occurs.
    #[inline]
    pub fn count(&self, document: usize) -> u32 {
        self.clusters(document).len() as u32
    }

    /// True if some document occurs more than once.
    pub fn overlap(&self) -> bool {
        matches!(self.held, ClustersHeld::Often { overlap: true, .. })
    }

    /// The cluster of each document, if each lies in one.
    pub(crate) fn labels(&self) -> Option<&[u32]> {
        match &self.held {
            ClustersHeld::Once(labels) => labels
                .get(..self.documents)
                .filter(|labels| labels.iter().all(|&label| label <= HELD)),
            ClustersHeld::Often { .. } => None,
        }
    }

    /// The number of clusters.
    pub fn cluster_count(&self) -> usize {
        self.levels.len()
    }

    /// The number of levels.
    pub fn level_count(&self) -> usize {
        self.levels.last().map_or(0, |&last| last as usize + 1)
    }

    /// The level of a cluster.
    pub fn level_of(&self, cluster: usize) -> usize {
        self.levels[cluster] as usize
    }
}

fn often(organization: &Organization, documents: usize) -> ClustersHeld<'static> {
    let mut starts = vec![0u32; documents + 1];
    for &document in &organization.documents {
        starts[document as usize + 1] += 1;
    }
    let overlap = starts.iter().any(|&count| count > 1);
    for at in 0..documents {
        starts[at + 1] += starts[at];
    }
    let mut next = starts.clone();
    let mut clusters = vec![0; organization.documents.len()];
    for cluster in 0..organization.clusters() {
        for &document in organization.cluster(cluster) {
            let at = &mut next[document as usize];
            clusters[*at as usize] = cluster as u32;
            *at += 1;
        }
    }
    ClustersHeld::Often { starts, clusters, overlap }
}
