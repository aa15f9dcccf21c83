//! Documents that the gold standard holds under another topic.
//!
//! Without a tail, the topics of a gold standard are finite collections. A document that a system
//! puts into one topic and the gold standard into others alone is no part of the first collection:
//! it is no wrong statement about it, and is left out. The published values of RepLab 2013 follow
//! this rule; there, 462 such tweets occur in the three systems.

use std::collections::HashSet;

use crate::data::organization::{DocumentCatalogue, Documents, Organization, Organizations};

/// The names of the gold standard's documents, topic by topic.
pub(crate) struct GoldNames<'a> {
    catalogue: &'a DocumentCatalogue,
    all: HashSet<&'a str>,
}

impl<'a> GoldNames<'a> {
    pub(crate) fn of(gold: &Organizations, catalogue: &'a DocumentCatalogue) -> GoldNames<'a> {
        let mut all = HashSet::new();
        if gold.len() > 1 {
            for (topic, organization) in gold {
                if let Some(documents) = catalogue.get(topic) {
                    all.extend(known(organization).map(|document| documents.name(document)));
                }
            }
        }
        GoldNames { catalogue, all }
    }

    /// The system's organization of a topic without the documents of other topics, and how many
    /// those were; `None` if there are none.
    pub(crate) fn without_foreign(
        &self,
        topic: &str,
        gold: &Organization,
        system: &Organization,
    ) -> Option<(Organization, usize)> {
        if self.all.is_empty() {
            return None;
        }
        let documents: &Documents = self.catalogue.get(topic)?;
        let mut foreign = vec![false; system.bound().max(gold.bound())];
        for document in known(system) {
            foreign[document as usize] = self.all.contains(documents.name(document));
        }
        for document in known(gold) {
            foreign[document as usize] = false;
        }
        let count = foreign.iter().filter(|&&foreign| foreign).count();
        (count > 0).then(|| (system.filtered(|document| !foreign[document as usize]), count))
    }
}

fn known(organization: &Organization) -> impl Iterator<Item = u32> + '_ {
    let held = (0..organization.clusters()).flat_map(|cluster| organization.cluster(cluster));
    held.chain(organization.discarded()).copied()
}
