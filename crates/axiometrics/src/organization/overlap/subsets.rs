//! How many documents lie in all clusters of a set, for the sets of a document's clusters.
//!
//! Let k and g be the numbers of clusters that two documents share here and there. Any function of
//! them is a sum of products of binomials, f(k, g) = sum of c(i, j) C(k, i) C(g, j), and the sum of
//! C(k, i) C(g, j) over all documents counts those that lie in all of i clusters here and j there,
//! for each such choice. So a sum over pairs of documents becomes one over sets of clusters.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

use super::super::arithmetic::{binomial, sign};
use super::profiles::{Profile, ProfileAgreement};

/// Above so many clusters, the sums would lose digits to cancellation, and sets be too many.
const MOST: usize = 6;

/// A step with a set costs so many steps from document to document (measured).
const COST: f64 = 4.0;

/// About how many steps a profile takes; `None` if it has too many clusters.
pub(super) fn steps(profile: &Profile<'_>) -> Option<f64> {
    let (k, l) = (profile.here.len(), profile.there.len());
    (k.max(l) <= MOST).then(|| COST * ((1u32 << k) * (1u32 << l)) as f64)
}

/// What each of these profiles agrees with among them all.
///
/// The sets here are taken one by one, each with the profiles that lie in it: how many of their
/// documents lie in a set there too need not be kept for longer.
pub(super) fn agreed(profiles: &[Profile<'_>]) -> Vec<ProfileAgreement> {
    let shares = ShareTables::new();
    let here = ProfileSets::gather(profiles, |profile| profile.here);
    let there = ProfileSets::gather(profiles, |profile| profile.there);
    let mut all: Vec<ProfileAgreement> = profiles.iter().map(ProfileAgreement::nothing).collect();
    // The weight of the documents in all of the present set here and of each there.
    let mut both = vec![0.0; there.count];
    let (starts, members) = here.members();
    for members in starts.windows(2).map(|ends| &members[ends[0] as usize..ends[1] as usize]) {
        let mut alone = 0.0;
        for &(member, _) in members {
            let mass = profiles[member as usize].mass;
            alone += mass;
            there.of(member).iter().for_each(|&other| both[other as usize] += mass);
        }
        for &(member, chosen) in members {
            let agreed = &mut all[member as usize];
            let i = chosen.count_ones() as usize;
            agreed.related += if i % 2 == 1 { alone } else { -alone };
            let (mut in_cluster, mut once) = (0.0, 0.0);
            for (also, &other) in (1u32..).zip(there.of(member)) {
                let j = also.count_ones() as usize;
                let count = both[other as usize];
                in_cluster += shares.in_cluster[i][j] * count;
                once += shares.once[i][j] * count;
            }
            agreed.all += once;
            for (at, sum) in agreed.in_clusters.iter_mut().enumerate() {
                if chosen >> at & 1 == 1 {
                    *sum += in_cluster;
                }
            }
        }
        for &(member, _) in members {
            there.of(member).iter().for_each(|&other| both[other as usize] = 0.0);
        }
    }
    all
}

/// The share of a set of i clusters here and j there in min(g, k)/k.
struct ShareTables {
    once: ShareTable,
    /// The same for documents that share one of the i clusters anyway, so that k is at least 1.
    in_cluster: ShareTable,
}

type ShareTable = [[f64; MOST + 1]; MOST + 1];

impl ShareTables {
    fn new() -> ShareTables {
        let agreement = |k: usize, g: usize| g.min(k) as f64 / k.max(1) as f64;
        let shares = |share: &dyn Fn(usize, usize) -> f64| {
            let row = |i: usize| std::array::from_fn(|j| share(i, j));
            std::array::from_fn(row)
        };
        ShareTables {
            once: shares(&|i, j| transform(i, j, agreement)),
            in_cluster: shares(&|i, j| {
                transform(i.saturating_sub(1), j, |k, g| agreement(k + 1, g))
            }),
        }
    }
}

/// The coefficient c(i, j) of a function.
fn transform(i: usize, j: usize, f: impl Fn(usize, usize) -> f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..=i {
        for g in 0..=j {
            sum += sign(i - k + j - g) * binomial(i, k) * binomial(j, g) * f(k, g);
        }
    }
    sum
}

/// The sets of each profile's clusters on one side, by number, but for the empty one.
struct ProfileSets {
    /// Where the sets of each profile begin.
    starts: Vec<u32>,
    /// The set at place b - 1 of a profile holds the clusters whose bits are set in b.
    sets: Vec<u32>,
    /// How many different sets there are.
    count: usize,
}

impl ProfileSets {
    fn gather<'p>(
        profiles: &'p [Profile<'p>],
        clusters: impl Fn(&'p Profile<'p>) -> &'p [u32],
    ) -> ProfileSets {
        // A set is known by the number of the set without its last cluster, and that cluster.
        let mut numbers: HashMap<(u32, u32), u32, Seeded> = HashMap::default();
        let (mut starts, mut sets) = (vec![0], Vec::new());
        for profile in profiles {
            let start = sets.len();
            for &cluster in clusters(profile) {
                let mut number = |without: u32| {
                    let next = numbers.len() as u32;
                    *numbers.entry((without, cluster)).or_insert(next)
                };
                let before = sets.len();
                sets.push(number(NO_SET));
                for at in start..before {
                    let set = number(sets[at]);
                    sets.push(set);
                }
            }
            starts.push(sets.len() as u32);
        }
        ProfileSets { starts, sets, count: numbers.len() }
    }

    fn of(&self, profile: u32) -> &[u32] {
        let profile = profile as usize;
        &self.sets[self.starts[profile] as usize..self.starts[profile + 1] as usize]
    }

    /// The profiles that lie in each set, with its place among theirs; and where those of each set
    /// begin.
    fn members(&self) -> (Vec<u32>, Vec<(u32, u32)>) {
        let mut starts = vec![0; self.count + 1];
        for &set in &self.sets {
            starts[set as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut members = vec![(0, 0); self.sets.len()];
        for profile in 0..self.starts.len() as u32 - 1 {
            for (place, &set) in (1..).zip(self.of(profile)) {
                members[next[set as usize] as usize] = (profile, place);
                next[set as usize] += 1;
            }
        }
        (starts, members)
    }
}

/// In place of the number of the empty set.
const NO_SET: u32 = u32::MAX;

/// Hashes a few small numbers in a few steps, by a random seed: clusters come from files that
/// strangers wrote.
#[derive(Clone)]
struct Seeded(u64);

impl Default for Seeded {
    fn default() -> Seeded {
        Seeded(RandomState::new().hash_one(0u8) | 1)
    }
}

impl BuildHasher for Seeded {
    type Hasher = Folding;

    fn build_hasher(&self) -> Folding {
        Folding { seed: self.0, state: self.0 }
    }
}

struct Folding {
    seed: u64,
    state: u64,
}

impl Hasher for Folding {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(u32::from(byte)));
    }

    fn write_u32(&mut self, number: u32) {
        let product = u128::from(self.state ^ u64::from(number)) * u128::from(self.seed);
        self.state = product as u64 ^ (product >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.state
    }
}
