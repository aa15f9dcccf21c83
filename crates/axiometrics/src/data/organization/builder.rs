//! Organizations from their parts, and what can be wrong with them.

use super::{Documents, HELD, Organization};

/// What is wrong with an organization that was about to be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Defect {
    /// The document is in one cluster twice.
    TwiceInCluster(u32),
    /// The document was discarded, and kept or discarded before.
    DiscardedAgain(u32),
    /// The document is linked, and is on no level.
    LinkedNowhere(u32),
    /// The document has two weights.
    WeightedTwice(u32),
}

impl Defect {
    /// The document that it is about.
    pub fn document(&self) -> u32 {
        let (Defect::TwiceInCluster(document)
        | Defect::DiscardedAgain(document)
        | Defect::LinkedNowhere(document)
        | Defect::WeightedTwice(document)) = *self;
        document
    }

    /// The defect as a sentence.
    pub fn describe(&self, documents: &Documents) -> String {
        let name = documents.name(self.document());
        match self {
            Defect::TwiceInCluster(_) => format!("document {name} is in one cluster twice"),
            Defect::DiscardedAgain(_) => {
                format!("document {name} is discarded, and kept or discarded elsewhere too")
            }
            Defect::LinkedNowhere(_) => format!("document {name} is linked, and is on no level"),
            Defect::WeightedTwice(_) => format!("document {name} has two different weights"),
        }
    }
}

/// Builds an [`Organization`] from the top. Empty clusters and empty levels vanish.
#[derive(Debug, Default)]
pub struct Builder {
    organization: Organization,
    /// For each document the last cluster that took it, [`NOWHERE`] if none did, [`DISCARDED`]
    /// for the tail.
    seen: Vec<u32>,
    /// True once some document lies in several clusters.
    overlap: bool,
}

const NOWHERE: u32 = u32::MAX;
const DISCARDED: u32 = HELD + 1;

impl Builder {
    /// An organization from memberships in any order, at least one for each cluster: documents, the
    /// cluster of each, and the level of each cluster, of which the smallest is the top. The error
    /// names the cluster too.
    ///
    /// If no document comes twice, which is seen on the way, clusters need not be searched for
    /// duplicates, and `clusters` may be used up.
    pub(crate) fn from_rows(
        documents: &Numbers,
        clusters: &mut Vec<u32>,
        levels: &[u32],
    ) -> Result<Builder, (u32, Defect)> {
        let mut order: Vec<u32> = (0..levels.len() as u32).collect();
        order.sort_by_key(|&cluster| levels[cluster as usize]);
        let mut next = vec![0; levels.len()];
        for &cluster in clusters.iter() {
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
        organization.documents = vec![0; clusters.len()];
        let mut put = |document: u32, cluster: u32| {
            let at = &mut next[cluster as usize];
            organization.documents[*at as usize] = document;
            *at += 1;
        };
        let number = |cluster: u32| numbers[cluster as usize];
        match documents {
            Numbers::Counted(_) => {
                for (&cluster, document) in clusters.iter().zip(0..) {
                    put(document, cluster);
                }
                let seen = std::mem::take(clusters).into_iter().map(number).collect();
                Ok(Builder { organization, seen, overlap: false })
            }
            Numbers::Listed(documents) => {
                let mut seen =
                    vec![
                        NOWHERE;
                        documents.iter().max().map_or(0, |&largest| largest as usize + 1)
                    ];
                let mut overlap = false;
                for (&document, &cluster) in documents.iter().zip(clusters.iter()) {
                    put(document, cluster);
                    overlap |=
                        std::mem::replace(&mut seen[document as usize], number(cluster)) != NOWHERE;
                }
                let builder = Builder { organization, seen, overlap };
                if overlap { builder.without_duplicates(&order) } else { Ok(builder) }
            }
        }
    }

    /// Looks for a document twice in one cluster; `names` tells how the caller numbers the
    /// clusters.
    fn without_duplicates(self, names: &[u32]) -> Result<Builder, (u32, Defect)> {
        let mut last = vec![NOWHERE; self.seen.len()];
        for (number, &name) in names.iter().enumerate() {
            for &document in self.organization.cluster(number) {
                if std::mem::replace(&mut last[document as usize], name) == name {
                    return Err((name, Defect::TwiceInCluster(document)));
                }
            }
        }
        Ok(self)
    }

    /// Starts a level below those so far.
    pub fn level(&mut self) -> &mut Builder {
        self.close_level();
        self
    }

    /// Adds a cluster to the level that was started last.
    pub fn cluster(
        &mut self,
        documents: impl IntoIterator<Item = u32>,
    ) -> Result<&mut Builder, Defect> {
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

    /// Notes the weight of a document: it counts as so many documents. Finite and above 0.
    pub fn weigh(&mut self, document: u32, weight: f64) -> &mut Builder {
        self.organization.weights.push((document, weight));
        self
    }

    /// Links a document to another. Both are in clusters that were added before.
    pub fn link(&mut self, from: u32, to: u32) -> Result<&mut Builder, Defect> {
        let held = |document: u32| {
            self.seen.get(document as usize).is_some_and(|&cluster| cluster <= HELD)
        };
        if let Some(&nowhere) = [from, to].iter().find(|&&document| !held(document)) {
            return Err(Defect::LinkedNowhere(nowhere));
        }
        self.organization.links.push((from, to));
        Ok(self)
    }

    /// The organization.
    pub fn build(mut self) -> Organization {
        self.close_level();
        self.organization.labels = (!self.overlap).then_some(self.seen);
        self.organization.links.sort_unstable();
        self.organization.links.dedup();
        // The last weight of a document counts.
        let weights = &mut self.organization.weights;
        weights.reverse();
        weights.sort_by_key(|(document, _)| *document);
        weights.dedup_by_key(|(document, _)| *document);
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

/// Numbers in the order of rows. They are mostly 0, 1, 2 and so on, and then need no room.
#[derive(Debug)]
pub(crate) enum Numbers {
    /// So many, each the number of its row.
    Counted(u32),
    /// Any.
    Listed(Vec<u32>),
}

impl Numbers {
    /// Adds the numbers of the rows that follow.
    pub(crate) fn extend(&mut self, more: &[u32]) {
        match self {
            Numbers::Counted(count)
                if more.iter().copied().eq(*count..*count + more.len() as u32) =>
            {
                *count += more.len() as u32
            }
            Numbers::Counted(count) => {
                *self = Numbers::Listed((0..*count).chain(more.iter().copied()).collect())
            }
            Numbers::Listed(list) => list.extend_from_slice(more),
        }
    }

    /// The rows that have a number.
    pub(crate) fn rows(&self, number: u32) -> Vec<usize> {
        match self {
            Numbers::Counted(count) => {
                (number < *count).then_some(number as usize).into_iter().collect()
            }
            Numbers::Listed(list) => (0..list.len()).filter(|&row| list[row] == number).collect(),
        }
    }
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers::Counted(0)
    }
}
