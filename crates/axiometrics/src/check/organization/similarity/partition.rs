//! Partitions of a few documents.

use crate::check::organization::case::one_level;
use crate::check::shape::SplitMix;
use crate::data::organization::{Documents, Organization, notation};

/// A partition: the cluster of each document. Clusters are numbered in the order of their first
/// documents, so that equal partitions have equal numbers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Partition(Vec<u8>);

impl Partition {
    /// All partitions of so many documents, in order. The first is one cluster, the last has a
    /// cluster for each document.
    pub(super) fn all(documents: usize) -> Vec<Partition> {
        let mut all = vec![Vec::new()];
        for _ in 0..documents {
            let longer = |labels: Vec<u8>| {
                let next = labels.iter().max().map_or(0, |l| l + 1);
                (0..=next).map(move |label| [labels.clone(), vec![label]].concat())
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all.into_iter().map(Partition).collect()
    }

    /// A partition with these labels.
    fn of(labels: &[u8]) -> Partition {
        let mut seen: Vec<u8> = Vec::new();
        let mut number = |label: &u8| {
            let at = seen.iter().position(|l| l == label).unwrap_or_else(|| {
                seen.push(*label);
                seen.len() - 1
            });
            at as u8
        };
        Partition(labels.iter().map(&mut number).collect())
    }

    /// Of [`Partition::all`] the first that is this one but for the names of documents; and the
    /// places there of all others after the same change of names.
    pub(super) fn renamed(&self, all: &[Partition]) -> (usize, Vec<usize>) {
        // By the sizes of their clusters, documents of two such partitions meet one another.
        let by_size = |partition: &Partition| {
            let size = |label: u8| partition.0.iter().filter(|l| **l == label).count();
            let mut documents: Vec<usize> = (0..partition.documents()).collect();
            documents.sort_by_key(|d| (size(partition.0[*d]), partition.0[*d]));
            documents
        };
        let first = all.iter().position(|other| other.sizes() == self.sizes()).unwrap_or(0);
        let (from, to) = (by_size(self), by_size(&all[first]));
        let rename = |other: &Partition| {
            let mut labels = vec![0; from.len()];
            from.iter().zip(&to).for_each(|(a, b)| labels[*b] = other.0[*a]);
            all.binary_search(&Partition::of(&labels)).unwrap_or(0)
        };
        (first, all.iter().map(rename).collect())
    }

    /// One drawn at random: each document is put into one of a few clusters.
    pub(super) fn draw(random: &mut SplitMix, documents: usize) -> Partition {
        let clusters = random.below(documents as u64) + 1;
        let labels: Vec<u8> = (0..documents).map(|_| random.below(clusters) as u8).collect();
        Partition::of(&labels)
    }

    /// How many documents it has.
    pub(super) fn documents(&self) -> usize {
        self.0.len()
    }

    /// How many clusters it has.
    pub(super) fn clusters(&self) -> usize {
        self.0.iter().max().map_or(0, |l| usize::from(*l) + 1)
    }

    /// Neither one cluster nor a cluster for each document.
    pub(super) fn is_proper(&self) -> bool {
        self.clusters() > 1 && self.clusters() < self.documents()
    }

    /// The sizes of its clusters, the largest first.
    pub(super) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.clusters()];
        self.0.iter().for_each(|l| sizes[usize::from(*l)] += 1);
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    }

    /// Whether some pair of documents is together in both, or apart in both.
    pub(super) fn agrees(&self, other: &Partition) -> bool {
        let together = |p: &Partition, i: usize, j: usize| p.0[i] == p.0[j];
        let mut pairs = (0..self.documents()).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.any(|(i, j)| together(self, i, j) == together(other, i, j))
    }

    /// The partitions that are one step nearer to a gold standard: two clusters within one class
    /// joined, or a cluster split without parting documents of one class. No pair of documents
    /// that both treat alike is treated otherwise afterwards.
    pub(super) fn improvements(&self, gold: &Partition) -> Vec<Partition> {
        let classes = |cluster: u8| {
            let members = self.0.iter().zip(&gold.0).filter(|(l, _)| **l == cluster);
            let mut classes: Vec<u8> = members.map(|(_, class)| *class).collect();
            classes.sort_unstable();
            classes.dedup();
            classes
        };
        let count = self.clusters() as u8;
        let mut better = Vec::new();
        for a in 0..count {
            for b in 0..a {
                if let ([x], [y]) = (classes(a).as_slice(), classes(b).as_slice())
                    && x == y
                {
                    let joined: Vec<u8> =
                        self.0.iter().map(|l| if *l == a { b } else { *l }).collect();
                    better.push(Partition::of(&joined));
                }
            }
            let inside = classes(a);
            // Each way to part the classes of a cluster in two; the first class stays.
            for chosen in 1..1usize << inside.len().saturating_sub(1) {
                let leaves = |class: u8| {
                    inside
                        .iter()
                        .position(|c| *c == class)
                        .is_some_and(|at| at > 0 && chosen >> (at - 1) & 1 == 1)
                };
                let split = self.0.iter().zip(&gold.0);
                let split: Vec<u8> = split
                    .map(|(l, class)| if *l == a && leaves(*class) { count } else { *l })
                    .collect();
                better.push(Partition::of(&split));
            }
        }
        better
    }

    /// As an organization of the documents a, b, c ...
    pub(super) fn organization(&self) -> Organization {
        let mut clusters: Vec<Vec<u32>> = vec![Vec::new(); self.clusters()];
        for (document, label) in (0u32..).zip(&self.0) {
            clusters[usize::from(*label)].push(document);
        }
        one_level(&clusters)
    }

    /// In the notation of organizations.
    pub(super) fn text(&self) -> String {
        let mut names = Documents::default();
        for letter in ('a'..='z').take(self.documents()) {
            names.intern(&letter.to_string());
        }
        notation::format(&self.organization(), &names)
    }
}
