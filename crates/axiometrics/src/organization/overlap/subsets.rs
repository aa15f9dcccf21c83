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
const COST: f64 = 16.0;

/// The documents by sets of clusters.
pub(super) struct Subsets {
    here: SetNumbers,
    there: SetNumbers,
    /// How many documents lie in all of a set here.
    alone: HashMap<u32, f64, Seeded>,
    /// The same, and in all of a set there.
    both: HashMap<(u32, u32), f64, Seeded>,
    /// The share of a set of i clusters here and j there in min(g, k)/k.
    once: ShareTable,
    /// The same for documents that share one of the i clusters anyway, so that k is at least 1.
    in_cluster: ShareTable,
}

type ShareTable = [[f64; MOST + 1]; MOST + 1];

impl Subsets {
    pub(super) fn new() -> Subsets {
        let agreement = |k: usize, g: usize| g.min(k) as f64 / k.max(1) as f64;
        let shares = |share: &dyn Fn(usize, usize) -> f64| {
            let row = |i: usize| std::array::from_fn(|j| share(i, j));
            std::array::from_fn(row)
        };
        Subsets {
            here: SetNumbers::default(),
            there: SetNumbers::default(),
            alone: HashMap::default(),
            both: HashMap::default(),
            once: shares(&|i, j| transform(i, j, agreement)),
            in_cluster: shares(&|i, j| {
                transform(i.saturating_sub(1), j, |k, g| agreement(k + 1, g))
            }),
        }
    }

    /// About how many steps a profile takes; `None` if it has too many clusters.
    pub(super) fn steps(profile: &Profile<'_>) -> Option<f64> {
        let (k, l) = (profile.here.len(), profile.there.len());
        (k.max(l) <= MOST).then(|| COST * ((1u32 << k) * (1u32 << l)) as f64)
    }

    pub(super) fn add(&mut self, profile: &Profile<'_>) {
        let here = self.here.subsets(profile.here);
        let there = self.there.subsets(profile.there);
        for &set in &here[1..] {
            *self.alone.entry(set).or_insert(0.0) += profile.mass;
            for &other in &there[1..] {
                *self.both.entry((set, other)).or_insert(0.0) += profile.mass;
            }
        }
    }

    /// What a profile agrees with among all that were added, of which it is one.
    pub(super) fn agreed(&mut self, profile: &Profile<'_>) -> ProfileAgreement {
        let here = self.here.subsets(profile.here);
        let there = self.there.subsets(profile.there);
        let mut agreed = ProfileAgreement {
            in_clusters: vec![0.0; profile.here.len()],
            ..ProfileAgreement::default()
        };
        for (chosen, set) in here.iter().enumerate().skip(1) {
            let i = chosen.count_ones() as usize;
            let alone = self.alone.get(set).copied().unwrap_or(0.0);
            agreed.related += if i % 2 == 1 { alone } else { -alone };
            let (mut in_cluster, mut all) = (0.0, 0.0);
            for (also, other) in there.iter().enumerate().skip(1) {
                let j = also.count_ones() as usize;
                let count = self.both.get(&(*set, *other)).copied().unwrap_or(0.0);
                in_cluster += self.in_cluster[i][j] * count;
                all += self.once[i][j] * count;
            }
            agreed.all += all;
            for (at, sum) in agreed.in_clusters.iter_mut().enumerate() {
                if chosen >> at & 1 == 1 {
                    *sum += in_cluster;
                }
            }
        }
        agreed
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

/// Numbers for sets of clusters: 0 is the empty one, and each other is known by the number of the
/// set without its last cluster, and that cluster.
#[derive(Default)]
struct SetNumbers(HashMap<(u32, u32), u32, Seeded>);

impl SetNumbers {
    /// The numbers of all sets of these clusters; the set at place b holds the clusters whose bits
    /// are set in b.
    fn subsets(&mut self, clusters: &[u32]) -> Vec<u32> {
        let mut sets = vec![0];
        for &cluster in clusters {
            for at in 0..sets.len() {
                let next = self.0.len() as u32 + 1;
                sets.push(*self.0.entry((sets[at], cluster)).or_insert(next));
            }
        }
        sets
    }
}

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
