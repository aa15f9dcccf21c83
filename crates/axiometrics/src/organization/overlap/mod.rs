//! How far the pairs of documents that one side puts together are together on the other side.
//!
//! Owns: the sums behind BCubed, extended BCubed and the relatedness part of Reliability and
//! Sensitivity, which differ in their weights alone. For two documents with k common clusters here
//! and g there, the agreement is min(g, k)/k (Amigó et al. 2009).
//!
//! Documents of weight 1 that occur once on both sides are summed from the contingency table. The
//! others are [`profiles`].

mod profiles;
mod subsets;

use super::contingency::NO_LABEL;
use super::{Contingency, Sum};
use crate::data::organization::Occurrences;
use profiles::Profiles;

/// The agreement in both directions.
#[derive(Debug, Clone)]
pub struct Overlaps {
    /// The system's pairs, looked up in the gold standard.
    pub system: SideAgreement,
    /// The gold standard's pairs, looked up in the system's output.
    pub gold: SideAgreement,
}

/// The agreement of one side's pairs with the other side. A document of weight v counts as v
/// documents.
#[derive(Debug, Clone)]
pub struct SideAgreement {
    /// For each cluster, the sum of the agreement over its ordered pairs of documents, each
    /// document with itself included.
    pub by_cluster: Vec<f64>,
    /// The size of each cluster.
    pub sizes: Vec<f64>,
    /// The sum over this side's documents of their mean agreement with the documents related to
    /// them (extended BCubed).
    pub by_document: f64,
    /// How many documents this side holds.
    pub present: f64,
    /// How many documents are known and missing here.
    pub absent: f64,
}

/// What is asked of the documents.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownDocuments<'a> {
    /// Which documents are known.
    pub(super) universe: &'a [bool],
    /// The weight of each document, if they are not all 1.
    pub(super) masses: Option<&'a [f64]>,
}

impl KnownDocuments<'_> {
    fn mass(&self, document: usize) -> f64 {
        self.masses.map_or(1.0, |masses| masses[document])
    }
}

impl Overlaps {
    /// Compares the pairs of both sides, each with its own weights of documents.
    pub(super) fn of(
        (system, system_known): (&Occurrences<'_>, KnownDocuments<'_>),
        (gold, gold_known): (&Occurrences<'_>, KnownDocuments<'_>),
    ) -> Overlaps {
        Overlaps {
            system: SideAgreement::of(system, gold, system_known),
            gold: SideAgreement::of(gold, system, gold_known),
        }
    }
}

impl SideAgreement {
    fn empty(here: &Occurrences<'_>, known: KnownDocuments<'_>) -> SideAgreement {
        let mut sizes = vec![0.0; here.cluster_count()];
        let (mut present, mut absent) = (0.0, 0.0);
        for document in 0..here.documents() {
            let (clusters, mass) = (here.clusters(document), known.mass(document));
            if !clusters.is_empty() {
                present += mass;
            } else if known.universe[document] {
                absent += mass;
            }
            for &cluster in clusters {
                sizes[cluster as usize] += mass;
            }
        }
        let by_cluster = vec![0.0; sizes.len()];
        SideAgreement { by_cluster, sizes, by_document: 0.0, present, absent }
    }

    fn of(
        here: &Occurrences<'_>,
        there: &Occurrences<'_>,
        known: KnownDocuments<'_>,
    ) -> SideAgreement {
        let mut agreement = SideAgreement::empty(here, known);
        if known.masses.is_some() {
            let held: Vec<u32> = held(here).collect();
            let profiles = Profiles::of(held, here, there, |document| known.mass(document));
            agreement.add_profiles(&profiles, None);
            return agreement;
        }
        let mut repeated = Vec::new();
        let (mut labels, mut classes) =
            (vec![NO_LABEL; here.documents()], vec![NO_LABEL; here.documents()]);
        for document in 0..here.documents() {
            match (here.clusters(document), there.clusters(document)) {
                ([], _) | ([_], []) => {}
                ([cluster], [class]) => (labels[document], classes[document]) = (*cluster, *class),
                _ => repeated.push(document as u32),
            }
        }
        let table = Contingency::from_labels(&labels, &classes);
        let profiles = Profiles::of(repeated, here, there, |_| 1.0);
        let shared = profiles.shared_cells();
        let mut by_document = Sum::default();
        for (cluster, class, count) in table.cells() {
            let count = f64::from(count);
            let partners =
                count + shared.get(&(cluster as u32, class as u32)).copied().unwrap_or(0.0);
            agreement.by_cluster[cluster] += count * partners;
            by_document.add(count * partners / agreement.sizes[cluster]);
        }
        agreement.by_document = by_document.total();
        if !profiles.is_empty() {
            agreement.add_profiles(&profiles, Some(&table));
        }
        agreement
    }

    fn add_profiles(&mut self, profiles: &Profiles, table: Option<&Contingency>) {
        let agreed = profiles.agreed(&self.sizes, table);
        for (profile, agreed) in profiles.iter().zip(&agreed) {
            for (&cluster, sum) in profile.here.iter().zip(&agreed.in_clusters) {
                self.by_cluster[cluster as usize] += profile.mass * sum;
            }
            self.by_document += profile.mass * agreed.all / agreed.related;
        }
    }

    /// The same for each document alone: for each of its clusters, the sum of its agreement with
    /// the documents of the cluster, itself included.
    pub(super) fn of_documents(
        here: &Occurrences<'_>,
        there: &Occurrences<'_>,
        known: KnownDocuments<'_>,
    ) -> Vec<Vec<f64>> {
        let sizes = SideAgreement::empty(here, known).sizes;
        let held: Vec<u32> = held(here).collect();
        let profiles = Profiles::of(held, here, there, |document| known.mass(document));
        let agreed = profiles.agreed(&sizes, None);
        let mut each = vec![Vec::new(); here.documents()];
        for (profile, agreed) in profiles.iter().zip(agreed) {
            for &document in profile.documents {
                each[document as usize].clone_from(&agreed.in_clusters);
            }
        }
        each
    }
}

fn held(here: &Occurrences<'_>) -> impl Iterator<Item = u32> {
    (0..here.documents() as u32).filter(|&document| here.count(document as usize) > 0)
}
