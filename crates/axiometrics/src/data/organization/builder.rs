//! Organizations from their parts, and what can be wrong with them.

use super::{Documents, HELD, Organization};

/// What is wrong with an organization that was about to be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defect {
    /// The document stands twice in one cluster.
    TwiceInCluster(u32),
    /// The document was discarded, and kept or discarded before.
    DiscardedAgain(u32),
}

impl Defect {
    /// The defect as a sentence.
    pub fn describe(&self, documents: &Documents) -> String {
        match *self {
            Defect::TwiceInCluster(document) => format!("document {} stands twice in one cluster", documents.name(document)),
            Defect::DiscardedAgain(document) => {
                format!("document {} is discarded, and kept or discarded elsewhere too", documents.name(document))
            }
        }
    }
}

/// Builds an [`Organization`] from the top. Empty clusters and empty levels vanish.
#[derive(Debug, Default)]
pub struct Builder {
    organization: Organization,
    /// For each document the last cluster that took it, [`NOWHERE`] where none did, [`DISCARDED`] for the tail.
    seen: Vec<u32>,
    /// True once some document lies in several clusters.
    overlap: bool,
}

const NOWHERE: u32 = u32::MAX;
const DISCARDED: u32 = HELD + 1;

impl Builder {
    /// An organization from memberships in any order, at least one for each cluster: documents, the cluster of each, and the level of each cluster,
    /// of which the smallest is the top. The error names the cluster too.
    ///
    /// Where no document comes twice, which is seen on the way, clusters need not be searched for duplicates.
    pub(crate) fn from_rows(documents: &[u32], clusters: &[u32], levels: &[u32]) -> Result<Builder, (u32, Defect)> {
        let mut order: Vec<u32> = (0..levels.len() as u32).collect();
        order.sort_by_key(|&cluster| levels[cluster as usize]);
        let mut next = vec![0; levels.len()];
        for &cluster in clusters {
            next[cluster as usize] += 1;
        }
        let mut organization = Organization::default();
        let mut numbers = vec![0; levels.len()];
        let mut end = 0;
        for level in order.chunk_by(|&a, &b| levels[a as usize] == levels[b as usize]) {
            for &cluster in level {
                numbers[cluster as usize] = organization.cluster_ends.len() as u32;
                end += std::mem::replace(&mut next[cluster as usize], end);
                organization.cluster_ends.push(end);
            }
            organization.level_ends.push(organization.cluster_ends.len() as u32);
        }
        organization.documents = vec![0; documents.len()];
        let mut seen = vec![NOWHERE; documents.iter().max().map_or(0, |&largest| largest as usize + 1)];
        let mut overlap = false;
        for (&document, &cluster) in documents.iter().zip(clusters) {
            let at = &mut next[cluster as usize];
            organization.documents[*at as usize] = document;
            *at += 1;
            let seen = &mut seen[document as usize];
            overlap |= *seen != NOWHERE;
            *seen = numbers[cluster as usize];
        }
        if overlap {
            let mut last = vec![NOWHERE; seen.len()];
            for (&cluster, number) in order.iter().zip(0..) {
                for &document in organization.cluster(number) {
                    if std::mem::replace(&mut last[document as usize], cluster) == cluster {
                        return Err((cluster, Defect::TwiceInCluster(document)));
                    }
                }
            }
        }
        Ok(Builder { organization, seen, overlap })
    }

    /// Starts a level below those so far.
    pub fn level(&mut self) -> &mut Builder {
        self.close_level();
        self
    }

    /// Adds a cluster to the level that was started last.
    pub fn cluster(&mut self, documents: impl IntoIterator<Item = u32>) -> Result<&mut Builder, Defect> {
        let organization = &mut self.organization;
        let before = organization.documents.len();
        let this = organization.cluster_ends.len() as u32;
        for document in documents {
            let seen = slot(&mut self.seen, document);
            match *seen {
                DISCARDED => return Err(Defect::DiscardedAgain(document)),
                last if last == this => return Err(Defect::TwiceInCluster(document)),
                last => self.overlap |= last != NOWHERE,
            }
            *seen = this;
            organization.documents.push(document);
        }
        if organization.documents.len() > before {
            organization.cluster_ends.push(organization.documents.len() as u32);
        }
        Ok(self)
    }

    /// Names a document of the tail.
    pub fn discard(&mut self, document: u32) -> Result<&mut Builder, Defect> {
        let seen = slot(&mut self.seen, document);
        if *seen != NOWHERE {
            return Err(Defect::DiscardedAgain(document));
        }
        *seen = DISCARDED;
        self.organization.discarded.push(document);
        Ok(self)
    }

    /// Notes the score of a document.
    pub fn score(&mut self, document: u32, score: f64) -> &mut Builder {
        self.organization.scores.push((document, score));
        self
    }

    /// The organization.
    pub fn build(mut self) -> Organization {
        self.close_level();
        self.organization.labels = (!self.overlap).then_some(self.seen);
        self.organization
    }

    fn close_level(&mut self) {
        let clusters = self.organization.cluster_ends.len() as u32;
        if clusters > self.organization.level_ends.last().copied().unwrap_or(0) {
            self.organization.level_ends.push(clusters);
        }
    }
}

fn slot(seen: &mut Vec<u32>, document: u32) -> &mut u32 {
    let at = document as usize;
    if at >= seen.len() {
        seen.resize(at + 1, NOWHERE);
    }
    &mut seen[at]
}
