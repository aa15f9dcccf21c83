//! Documents that lie in the same clusters on both sides, and what they agree with.
//!
//! Two ways lead there. Pair by pair, a profile meets the profiles that share a cluster with it. Set
//! by set, it asks how many documents lie in all clusters of a set here and of one there
//! ([`subsets`]); that takes 2^k 2^l steps for a document in k clusters here and l there, however
//! many documents share them. Each profile goes the way that is shorter for it, so n documents with
//! few clusters each take O(n) steps. With many clusters each, a document is a set of clusters, and
//! no way is known to tell in much less than n^2 steps whether some two of n such sets are disjoint
//! (the orthogonal vectors conjecture says that there is none).

use std::collections::HashMap;

use super::super::Contingency;
use super::subsets;
use crate::data::organization::Occurrences;

/// Documents in the same clusters on both sides.
pub(super) struct Profile<'a> {
    pub(super) here: &'a [u32],
    pub(super) there: &'a [u32],
    /// The weight of its documents.
    pub(super) mass: f64,
    pub(super) documents: &'a [u32],
}

/// All profiles of some documents.
pub(super) struct Profiles<'a> {
    here: &'a Occurrences<'a>,
    there: &'a Occurrences<'a>,
    /// The documents, those of a profile together.
    documents: Vec<u32>,
    /// Where the documents of each profile end.
    ends: Vec<usize>,
    masses: Vec<f64>,
}

/// What a document of a profile agrees with.
#[derive(Debug, Clone)]
pub(super) struct ProfileAgreement {
    /// For each cluster that holds it, the sum of its agreement with the documents of the cluster.
    pub(super) in_clusters: Vec<f64>,
    /// The sum over the documents that share a cluster with it, each taken once.
    pub(super) all: f64,
    /// How many documents these are.
    pub(super) related: f64,
}

impl ProfileAgreement {
    pub(super) fn nothing(profile: &Profile<'_>) -> ProfileAgreement {
        let in_clusters = vec![0.0; profile.here.len()];
        ProfileAgreement { in_clusters, all: 0.0, related: 0.0 }
    }
}

impl<'a> Profiles<'a> {
    pub(super) fn of(
        mut documents: Vec<u32>,
        here: &'a Occurrences<'a>,
        there: &'a Occurrences<'a>,
        mass: impl Fn(usize) -> f64,
    ) -> Profiles<'a> {
        let clusters =
            |&document: &u32| (here.clusters(document as usize), there.clusters(document as usize));
        documents.sort_unstable_by_key(|document| (clusters(document), *document));
        let (mut ends, mut masses) = (Vec::new(), Vec::new());
        for group in documents.chunk_by(|a, b| clusters(a) == clusters(b)) {
            ends.push(ends.last().copied().unwrap_or(0) + group.len());
            masses.push(group.iter().map(|&document| mass(document as usize)).sum());
        }
        Profiles { here, there, documents, ends, masses }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Profile<'_>> {
        (0..self.ends.len()).map(|number| self.get(number))
    }

    fn get(&self, number: usize) -> Profile<'_> {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        let documents = &self.documents[start..self.ends[number]];
        let (here, there) = documents.first().map_or((&[][..], &[][..]), |&first| {
            (self.here.clusters(first as usize), self.there.clusters(first as usize))
        });
        Profile { here, there, mass: self.masses[number], documents }
    }

    /// How many documents of the profiles lie in both a cluster here and a class there.
    pub(super) fn shared_cells(&self) -> HashMap<(u32, u32), f64> {
        let mut cells = HashMap::new();
        for profile in self.iter() {
            for &cluster in profile.here {
                for &class in profile.there {
                    *cells.entry((cluster, class)).or_insert(0.0) += profile.mass;
                }
            }
        }
        cells
    }

    /// The agreement of every profile with the others, with itself, and with the documents of the
    /// table; clusters have these sizes, in which other documents may count.
    pub(super) fn agreed(
        &self,
        sizes: &[f64],
        table: Option<&Contingency>,
    ) -> Vec<ProfileAgreement> {
        let here = Members::gather(self, |profile| profile.here);
        let there = Members::gather(self, |profile| profile.there);
        let shorter = |profile: &Profile<'_>| {
            let steps = here.meetings(profile.here) + there.meetings(profile.there);
            subsets::steps(profile).is_some_and(|sets| sets < steps)
        };
        let by_sets: Vec<bool> = self.iter().map(|profile| shorter(&profile)).collect();
        self.agreed_by(&by_sets, [&here, &there], sizes, table)
    }

    /// The same, set by set for some profiles and pair by pair for the others.
    fn agreed_by(
        &self,
        by_sets: &[bool],
        [here, there]: [&Members; 2],
        sizes: &[f64],
        table: Option<&Contingency>,
    ) -> Vec<ProfileAgreement> {
        // The documents of each cluster that are in no profile.
        let mut rest = sizes.to_vec();
        for profile in self.iter() {
            for &cluster in profile.here {
                rest[cluster as usize] -= profile.mass;
            }
        }
        let chosen = self.iter().zip(by_sets).filter(|(_, by_sets)| **by_sets);
        let chosen: Vec<Profile<'_>> = chosen.map(|(profile, _)| profile).collect();
        let mut among_chosen = subsets::agreed(&chosen).into_iter();
        let cells: HashMap<(u32, u32), f64> = table
            .into_iter()
            .flat_map(Contingency::cells)
            .map(|(x, g, count)| ((x as u32, g as u32), f64::from(count)))
            .collect();
        let mut agreed: Vec<ProfileAgreement> = self
            .iter()
            .zip(by_sets)
            .map(|(profile, &by_sets)| {
                let known = if by_sets { among_chosen.next() } else { None };
                let mut agreed = known.unwrap_or_else(|| ProfileAgreement::nothing(&profile));
                // Those that occur once share one cluster at most, here and there.
                for (&cluster, sum) in profile.here.iter().zip(&mut agreed.in_clusters) {
                    let once: f64 =
                        profile.there.iter().filter_map(|&g| cells.get(&(cluster, g))).sum();
                    *sum += once;
                    agreed.all += once;
                    agreed.related += rest[cluster as usize];
                }
                agreed
            })
            .collect();
        self.meet(here, there, by_sets, &mut agreed);
        agreed
    }

    /// Adds what the profiles that go pair by pair have in common with all others.
    fn meet(
        &self,
        here: &Members,
        there: &Members,
        by_sets: &[bool],
        agreed: &mut [ProfileAgreement],
    ) {
        // How many clusters each profile shares with the present one, here and there.
        let mut common = vec![(0u32, 0u32); self.ends.len()];
        for (number, profile) in self.iter().enumerate().filter(|(number, _)| !by_sets[*number]) {
            for &member in here.all(profile.here) {
                common[member as usize].0 += 1;
            }
            for &member in there.all(profile.there) {
                common[member as usize].1 += 1;
            }
            for (at, &cluster) in profile.here.iter().enumerate() {
                for &member in here.of(cluster) {
                    let member = member as usize;
                    let (k, g) = common[member];
                    let k = f64::from(k);
                    let share = f64::from(g).min(k) / k;
                    let other = self.get(member);
                    // A partner in k common clusters is met k times, and is one related document.
                    agreed[number].in_clusters[at] += other.mass * share;
                    agreed[number].all += other.mass * share / k;
                    agreed[number].related += other.mass / k;
                    if by_sets[member] {
                        let place = other.here.partition_point(|&c| c < cluster);
                        agreed[member].in_clusters[place] += profile.mass * share;
                        agreed[member].all += profile.mass * share / k;
                        agreed[member].related += profile.mass / k;
                    }
                }
            }
            for &member in here.all(profile.here).chain(there.all(profile.there)) {
                common[member as usize] = (0, 0);
            }
        }
    }
}

/// The profiles of each cluster.
struct Members {
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Members {
    fn gather<'p>(
        profiles: &'p Profiles<'_>,
        clusters: impl Fn(&Profile<'p>) -> &'p [u32],
    ) -> Members {
        let mut starts = vec![0u32];
        for profile in profiles.iter() {
            for &cluster in clusters(&profile) {
                starts.resize(starts.len().max(cluster as usize + 2), 0);
                starts[cluster as usize + 1] += 1;
            }
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut members = vec![0; starts.last().map_or(0, |&end| end as usize)];
        for (number, profile) in (0..).zip(profiles.iter()) {
            for &cluster in clusters(&profile) {
                members[next[cluster as usize] as usize] = number;
                next[cluster as usize] += 1;
            }
        }
        Members { starts, members }
    }

    fn of_range(&self, cluster: u32) -> std::ops::Range<usize> {
        match (self.starts.get(cluster as usize), self.starts.get(cluster as usize + 1)) {
            (Some(&start), Some(&end)) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    fn of(&self, cluster: u32) -> &[u32] {
        &self.members[self.of_range(cluster)]
    }

    fn all<'s>(&'s self, clusters: &'s [u32]) -> impl Iterator<Item = &'s u32> {
        clusters.iter().flat_map(|&cluster| self.of(cluster))
    }

    /// How many profiles one meets in these clusters.
    fn meetings(&self, clusters: &[u32]) -> f64 {
        clusters.iter().map(|&cluster| self.of(cluster).len() as f64).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::organization::Organization;

    /// Clusters that share about half of the documents of each other.
    fn dense(clusters: &[u32]) -> Organization {
        let mut builder = Organization::builder();
        builder.level();
        for cluster in clusters {
            builder.cluster((0..32).filter(|document| cluster >> document & 1 == 1)).unwrap();
        }
        builder.build()
    }

    /// Many documents in six clusters each on both sides: set by set is a matter of 2^12 steps for
    /// each, and of no more room than their sets take.
    #[test]
    fn many_documents_in_many_clusters() {
        let side = |salt: u64| {
            let mut builder = Organization::builder();
            builder.level();
            for cluster in 0..120u64 {
                // A document lies in one cluster of each twenty.
                let held = |document: &u32| {
                    let mixed = (u64::from(*document) + 1)
                        .wrapping_mul(salt + 2 * (cluster / 20))
                        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    (mixed >> 40) % 20 == cluster % 20
                };
                builder.cluster((0..4000).filter(held)).unwrap();
            }
            builder.build()
        };
        let (here, there) = (side(0x5851_f42d), side(0x14057b7e));
        let (here, there) = (Occurrences::of(&here, 4000), Occurrences::of(&there, 4000));
        let profiles = Profiles::of((0..4000).collect(), &here, &there, |_| 1.0);
        let members = [
            Members::gather(&profiles, |profile| profile.here),
            Members::gather(&profiles, |profile| profile.there),
        ];
        let sizes: Vec<f64> = (0..120).map(|c| members[0].of(c).len() as f64).collect();
        let by = |by_sets: bool| {
            let by_sets = vec![by_sets; profiles.ends.len()];
            profiles.agreed_by(&by_sets, [&members[0], &members[1]], &sizes, None)
        };
        for (pair, set) in by(false).iter().zip(&by(true)) {
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * a;
            assert!(near(pair.all, set.all) && near(pair.related, set.related), "{pair:?} {set:?}");
        }
    }

    proptest! {
        /// Whichever way each profile goes, the sums are the same.
        #[test]
        fn sets_are_pairs(
            (here, there) in (prop::collection::vec(any::<u32>(), 1..5), prop::collection::vec(any::<u32>(), 1..5)),
            choice in any::<u64>(),
        ) {
            let (here, there) = (dense(&here), dense(&there));
            let documents = here.bound().max(there.bound());
            let (here, there) = (Occurrences::of(&here, documents), Occurrences::of(&there, documents));
            let held = (0..documents as u32).filter(|&d| here.count(d as usize) > 0).collect();
            let profiles = Profiles::of(held, &here, &there, |document| (document % 3 + 1) as f64);
            let mut sizes = vec![0.0; here.cluster_count()];
            for profile in profiles.iter() {
                profile.here.iter().for_each(|&cluster| sizes[cluster as usize] += profile.mass);
            }
            let members = [
                Members::gather(&profiles, |profile| profile.here),
                Members::gather(&profiles, |profile| profile.there),
            ];
            let members = [&members[0], &members[1]];
            let all = |by_sets: &dyn Fn(usize) -> bool| {
                let by_sets: Vec<bool> = (0..profiles.ends.len()).map(by_sets).collect();
                profiles.agreed_by(&by_sets, members, &sizes, None)
            };
            let pairs = all(&|_| false);
            for other in [all(&|_| true), all(&|number| choice >> (number % 64) & 1 == 1)] {
                for (pair, set) in pairs.iter().zip(&other) {
                    let sums = |agreed: &ProfileAgreement| {
                        let mut sums = agreed.in_clusters.clone();
                        sums.extend([agreed.all, agreed.related]);
                        sums
                    };
                    for (pair, set) in sums(pair).into_iter().zip(sums(set)) {
                        prop_assert!((pair - set).abs() < 1e-9, "{} {}", pair, set);
                    }
                }
            }
        }
    }
}
