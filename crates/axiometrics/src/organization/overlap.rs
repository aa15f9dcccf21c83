//! How far the pairs of documents that one side puts together are together on the other side.
//!
//! Owns: the sums behind BCubed, extended BCubed and the relatedness part of Reliability and
//! Sensitivity, which differ in their weights alone. For two documents with k common clusters here
//! and g there, the agreement is min(g, k)/k (Amigó et al. 2009).
//!
//! Documents that occur once on both sides are summed from the contingency table. The others are
//! grouped by profile (the clusters that hold them on either side), and each profile meets only the
//! profiles that share a cluster with it.

use std::collections::HashMap;

use super::contingency::NO_LABEL;
use super::{Contingency, Sum};
use crate::data::organization::Occurrences;

/// The agreement in both directions.
#[derive(Debug, Clone)]
pub struct Overlaps {
    /// The system's pairs, looked up in the gold standard.
    pub system: Agreement,
    /// The gold standard's pairs, looked up in the system's output.
    pub gold: Agreement,
}

/// The agreement of one side's pairs with the other side.
#[derive(Debug, Clone)]
pub struct Agreement {
    /// For each cluster, the sum of the agreement over its ordered pairs of documents, each
    /// document with itself included.
    pub by_cluster: Vec<f64>,
    /// The size of each cluster.
    pub sizes: Vec<u32>,
    /// The sum over this side's documents of their mean agreement with the documents related to
    /// them (extended BCubed).
    pub by_document: f64,
    /// How many documents this side holds.
    pub present: u64,
    /// How many documents are known and missing here.
    pub absent: u64,
}

impl Overlaps {
    /// Compares the pairs of both sides; `universe` tells which documents are known.
    pub fn of(system: &Occurrences<'_>, gold: &Occurrences<'_>, universe: &[bool]) -> Overlaps {
        Overlaps {
            system: Agreement::of(system, gold, universe),
            gold: Agreement::of(gold, system, universe),
        }
    }
}

impl Agreement {
    fn of(here: &Occurrences<'_>, there: &Occurrences<'_>, universe: &[bool]) -> Agreement {
        let mut sizes = vec![0u32; here.cluster_count()];
        let mut profiles = Profiles::default();
        let (mut labels, mut classes) =
            (vec![NO_LABEL; here.documents()], vec![NO_LABEL; here.documents()]);
        let (mut present, mut absent) = (0, 0);
        for document in 0..here.documents() {
            let (mine, theirs) = (here.clusters(document), there.clusters(document));
            match (mine, theirs) {
                ([], _) => absent += u64::from(universe[document]),
                ([cluster], [class]) => (labels[document], classes[document]) = (*cluster, *class),
                ([_], []) => {}
                _ => profiles.add(mine, theirs),
            }
            present += u64::from(!mine.is_empty());
            for &cluster in mine {
                sizes[cluster as usize] += 1;
            }
        }
        let table = Contingency::from_labels(&labels, &classes);
        let mut agreement = Agreement {
            by_cluster: vec![0.0; sizes.len()],
            sizes,
            by_document: 0.0,
            present,
            absent,
        };
        let shared = profiles.shared_cells();
        let mut by_document = Sum::default();
        for (cluster, class, count) in table.cells() {
            let partners =
                count + shared.get(&(cluster as u32, class as u32)).copied().unwrap_or(0);
            let sum = f64::from(count) * f64::from(partners);
            agreement.by_cluster[cluster] += sum;
            by_document.add(sum / f64::from(agreement.sizes[cluster]));
        }
        agreement.by_document = by_document.total();
        if !profiles.list.is_empty() {
            agreement.add_profiles(&profiles, &table);
        }
        agreement
    }

    fn add_profiles(&mut self, profiles: &Profiles, table: &Contingency) {
        let single: HashMap<(u32, u32), u32> =
            table.cells().map(|(x, g, count)| ((x as u32, g as u32), count)).collect();
        let here = Members::of(profiles, |profile| &profile.here);
        let there = Members::of(profiles, |profile| &profile.there);
        let mut singles: Vec<u32> = self.sizes.clone();
        for (cluster, members) in &here.0 {
            singles[*cluster as usize] -=
                members.iter().map(|&member| profiles.list[member].count).sum::<u32>();
        }
        let mut common = vec![(0u32, 0u32); profiles.list.len()];
        for profile in &profiles.list {
            for member in profile.here.iter().flat_map(|cluster| here.members(*cluster)) {
                common[*member].0 += 1;
            }
            for member in profile.there.iter().flat_map(|class| there.members(*class)) {
                common[*member].1 += 1;
            }
            let (mut related, mut sum) = (0.0, 0.0);
            for &cluster in &profile.here {
                let once: u32 =
                    profile.there.iter().filter_map(|&class| single.get(&(cluster, class))).sum();
                let mut in_cluster = f64::from(once);
                related += f64::from(singles[cluster as usize]);
                sum += f64::from(once);
                for &member in here.members(cluster) {
                    let (k, g) = common[member];
                    let weight =
                        f64::from(profiles.list[member].count) * f64::from(g.min(k)) / f64::from(k);
                    in_cluster += weight;
                    // A partner in k common clusters is met k times here, and is one related
                    // document.
                    related += f64::from(profiles.list[member].count) / f64::from(k);
                    sum += weight / f64::from(k);
                }
                self.by_cluster[cluster as usize] += f64::from(profile.count) * in_cluster;
            }
            self.by_document += f64::from(profile.count) * sum / related;
            for member in profile.here.iter().flat_map(|cluster| here.members(*cluster)) {
                common[*member] = (0, 0);
            }
            for member in profile.there.iter().flat_map(|class| there.members(*class)) {
                common[*member] = (0, 0);
            }
        }
    }
}

/// Documents that lie in the same clusters on both sides.
#[derive(Debug)]
struct Profile {
    here: Vec<u32>,
    there: Vec<u32>,
    count: u32,
}

#[derive(Debug, Default)]
struct Profiles {
    list: Vec<Profile>,
    numbers: HashMap<(Vec<u32>, Vec<u32>), usize>,
}

impl Profiles {
    fn add(&mut self, here: &[u32], there: &[u32]) {
        let number =
            *self.numbers.entry((here.to_vec(), there.to_vec())).or_insert(self.list.len());
        if number == self.list.len() {
            self.list.push(Profile { here: here.to_vec(), there: there.to_vec(), count: 0 });
        }
        self.list[number].count += 1;
    }

    /// How many documents of the profiles lie in both a cluster here and a class there.
    fn shared_cells(&self) -> HashMap<(u32, u32), u32> {
        let mut cells = HashMap::new();
        for profile in &self.list {
            for &cluster in &profile.here {
                for &class in &profile.there {
                    *cells.entry((cluster, class)).or_insert(0) += profile.count;
                }
            }
        }
        cells
    }
}

/// The profiles of each cluster.
struct Members(HashMap<u32, Vec<usize>>);

impl Members {
    fn of(profiles: &Profiles, clusters: impl Fn(&Profile) -> &Vec<u32>) -> Members {
        let mut members: HashMap<u32, Vec<usize>> = HashMap::new();
        for (number, profile) in profiles.list.iter().enumerate() {
            for &cluster in clusters(profile) {
                members.entry(cluster).or_default().push(number);
            }
        }
        Members(members)
    }

    fn members(&self, cluster: u32) -> &[usize] {
        self.0.get(&cluster).map_or(&[], Vec::as_slice)
    }
}
