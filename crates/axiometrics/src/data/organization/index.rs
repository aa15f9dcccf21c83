//! An organization seen from its documents.

use super::Organization;

/// For each document the clusters that hold it, ascending; and the level of each cluster.
#[derive(Debug, Clone)]
pub struct Occurrences {
    starts: Vec<u32>,
    clusters: Vec<u32>,
    levels: Vec<u32>,
    repeated: bool,
}

impl Occurrences {
    /// Turns an organization round. `documents` is at least [`Organization::bound`].
    pub fn of(organization: &Organization, documents: usize) -> Occurrences {
        let documents = documents.max(organization.bound());
        let mut starts = vec![0u32; documents + 1];
        for &document in &organization.documents {
            starts[document as usize + 1] += 1;
        }
        let repeated = starts.iter().any(|&count| count > 1);
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
        let mut levels = vec![0; organization.clusters()];
        for level in 0..organization.levels() {
            levels[organization.level(level)].fill(level as u32);
        }
        Occurrences { starts, clusters, levels, repeated }
    }

    /// The number of documents that can be asked for.
    pub fn documents(&self) -> usize {
        self.starts.len() - 1
    }

    /// The clusters that hold a document, ascending.
    pub fn clusters(&self, document: usize) -> &[u32] {
        &self.clusters[self.starts[document] as usize..self.starts[document + 1] as usize]
    }

    /// The levels of a document's occurrences, ascending.
    pub fn levels(&self, document: usize) -> impl Iterator<Item = u32> + '_ {
        self.clusters(document).iter().map(|&cluster| self.levels[cluster as usize])
    }

    /// How often a document occurs.
    pub fn count(&self, document: usize) -> u32 {
        self.starts[document + 1] - self.starts[document]
    }

    /// True where some document occurs more than once.
    pub fn overlap(&self) -> bool {
        self.repeated
    }

    /// The number of clusters.
    pub fn cluster_count(&self) -> usize {
        self.levels.len()
    }

    /// The level of a cluster.
    pub fn level_of(&self, cluster: usize) -> usize {
        self.levels[cluster] as usize
    }
}
