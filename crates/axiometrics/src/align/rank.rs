//! The ranks of the hits, without sorting what need not be sorted.
//!
//! A file in descending order has its ranks already, but for ties. In any other file the rank of a
//! hit is one more than the number of better scores: for few hits counting beats sorting. Ties are
//! settled only in the groups of equal scores that hold a hit.

use super::{Candidate, Tie};
use crate::data::{Entry, Ids, Listing};
use crate::policy::Ties;

/// Counting costs n for each hit and sorting n log n once, at about this many times the price per
/// step.
const COUNTING: usize = 8;

/// Working memory, kept from topic to topic.
#[derive(Debug, Default)]
pub(super) struct Ranker {
    ranks: Vec<u32>,
    order: Vec<u32>,
    group: Vec<u32>,
    scores: Vec<f64>,
    ties: Vec<Tie>,
}

impl Ranker {
    /// The rank of each candidate.
    pub(super) fn ranks(
        &mut self,
        listing: Listing<'_>,
        candidates: &[Candidate],
        ties: Ties,
    ) -> &[u32] {
        self.ranks.clear();
        self.ties.clear();
        let Listing { rows: retrieved, ids, descending } = listing;
        let documents = Documents { retrieved, ids, ties };
        if candidates.is_empty() || descending || retrieved.is_sorted_by(|a, b| a.value >= b.value)
        {
            self.in_order(&documents, candidates);
        } else if candidates.len() <= COUNTING * retrieved.len().ilog2() as usize {
            self.by_counting(&documents, candidates);
        } else {
            self.by_sorting(&documents, candidates);
        }
        self.ties.sort_unstable();
        self.ties.dedup();
        &self.ranks
    }

    /// The groups of equal scores that hold one of the candidates ranked last, by rank.
    pub(super) fn ties(&self) -> &[Tie] {
        &self.ties
    }

    /// Lines already stand by descending score. Candidates come in the order of lines, so each
    /// group of equal scores is settled once.
    fn in_order(&mut self, documents: &Documents<'_>, candidates: &[Candidate]) {
        let all = documents.retrieved;
        let mut rest = candidates;
        let mut settled = 0;
        while let Some(first) = rest.first() {
            let line = first.line as usize;
            let tied = |other: &usize| all[*other].value == all[line].value;
            let start = line - (settled..line).rev().take_while(tied).count();
            let end = line + 1 + (line + 1..all.len()).take_while(tied).count();
            let members = rest.partition_point(|c| (c.line as usize) < end);
            if end - start == 1 {
                self.ranks.push(line as u32 + 1);
            } else {
                self.ties.push(Tie { first: start as u32 + 1, len: (end - start) as u32 });
                self.group.clear();
                self.group.extend(start as u32..end as u32);
                documents.order_group(&mut self.group);
                self.order.clear();
                self.order.resize(end - start, 0);
                for (place, line) in self.group.iter().enumerate() {
                    self.order[*line as usize - start] = (start + place + 1) as u32;
                }
                self.ranks
                    .extend(rest[..members].iter().map(|c| self.order[c.line as usize - start]));
            }
            rest = &rest[members..];
            settled = end;
        }
    }

    /// Few hits: count the better scores, gather the equal ones.
    fn by_counting(&mut self, documents: &Documents<'_>, candidates: &[Candidate]) {
        self.scores.clear();
        self.scores.extend(documents.retrieved.iter().map(|d| d.value));
        let scores = self.scores.as_slice();
        for c in candidates {
            // Two plain counts, which the compiler turns into wide comparisons.
            let own = scores[c.line as usize];
            let better = scores.iter().filter(|s| **s > own).count();
            let equal = scores.iter().filter(|s| **s == own).count();
            self.group.clear();
            if equal > 1 {
                self.ties.push(Tie { first: better as u32 + 1, len: equal as u32 });
                self.group.extend((0..scores.len() as u32).filter(|l| scores[*l as usize] == own));
                documents.order_group(&mut self.group);
            } else {
                self.group.push(c.line);
            }
            let place = self.group.iter().position(|l| *l == c.line).unwrap_or(0);
            self.ranks.push((better + place + 1) as u32);
        }
    }

    /// Many hits: sort once.
    fn by_sorting(&mut self, documents: &Documents<'_>, candidates: &[Candidate]) {
        self.order.clear();
        self.order.extend(0..documents.retrieved.len() as u32);
        self.order.sort_unstable_by(|a, b| documents.compare(*a, *b));
        let mut rank_of = vec![0u32; documents.retrieved.len()];
        for (i, line) in self.order.iter().enumerate() {
            rank_of[*line as usize] = i as u32 + 1;
        }
        self.ranks.extend(candidates.iter().map(|c| rank_of[c.line as usize]));
        let score = |place: usize| documents.retrieved[self.order[place] as usize].value;
        for rank in &self.ranks {
            let place = *rank as usize - 1;
            let start =
                place - (0..place).rev().take_while(|other| score(*other) == score(place)).count();
            let len = 1
                + (start + 1..self.order.len())
                    .take_while(|other| score(*other) == score(place))
                    .count();
            if len > 1 {
                self.ties.push(Tie { first: start as u32 + 1, len: len as u32 });
            }
        }
    }
}

/// All lines by rank.
pub(super) fn order(Listing { rows: retrieved, ids, .. }: Listing<'_>, ties: Ties) -> Vec<u32> {
    let documents = Documents { retrieved, ids, ties };
    let mut order: Vec<u32> = (0..retrieved.len() as u32).collect();
    order.sort_unstable_by(|a, b| documents.compare(*a, *b));
    order
}

struct Documents<'a> {
    retrieved: &'a [Entry],
    ids: Ids<'a>,
    ties: Ties,
}

impl Documents<'_> {
    fn compare(&self, a: u32, b: u32) -> std::cmp::Ordering {
        let (x, y) = (self.retrieved[a as usize].value, self.retrieved[b as usize].value);
        // Scores are never NaN here, and -0.0 equals 0.0, which `total_cmp` would deny.
        y.partial_cmp(&x).unwrap_or(std::cmp::Ordering::Equal).then_with(|| self.compare_tied(a, b))
    }

    fn compare_tied(&self, a: u32, b: u32) -> std::cmp::Ordering {
        let id = |line: u32| self.ids.of(&self.retrieved[line as usize]);
        match self.ties {
            Ties::DocidDesc | Ties::Average | Ties::Range => id(b).cmp(id(a)),
            Ties::DocidAsc => id(a).cmp(id(b)),
            Ties::File => a.cmp(&b),
        }
    }

    fn order_group(&self, group: &mut [u32]) {
        if group.len() > 1 {
            group.sort_unstable_by(|a, b| self.compare_tied(*a, *b));
        }
    }
}
