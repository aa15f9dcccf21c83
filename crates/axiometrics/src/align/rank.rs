//! The ranks of the hits, without sorting what need not be sorted.
//!
//! A file in descending order has its ranks already, but for ties. In any other file the rank of a
//! hit is one more than the number of better scores: for few hits counting beats sorting. Ties are
//! settled only in the groups of equal scores that hold a hit, and each group once.

use super::{Tie, UnrankedHit};
use crate::data::Listing;
use crate::policy::Ties;

/// Counting costs n for each hit and sorting n log n once, at about this many times the price per
/// step.
const COUNTING: usize = 8;

/// Working memory, kept from topic to topic.
#[derive(Debug, Default)]
pub(super) struct Ranker {
    ranks: Vec<u32>,
    /// The lines of one group of equal scores, or of the whole topic, in their order.
    order: Vec<u32>,
    /// The rank of each line.
    places: Vec<u32>,
    scores: Vec<f64>,
    /// The candidates that share their score with another line.
    tied: Vec<TiedCandidate>,
    ties: Vec<Tie>,
}

/// A candidate in a group of equal scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct TiedCandidate {
    group: Tie,
    line: u32,
    /// Which of the candidates it is.
    candidate: u32,
}

impl Ranker {
    /// The rank of each candidate.
    pub(super) fn ranks(
        &mut self,
        documents: Listing<'_>,
        candidates: &[UnrankedHit],
        ties: Ties,
    ) -> &[u32] {
        self.ranks.clear();
        self.ties.clear();
        let rows = documents.rows;
        if candidates.is_empty()
            || documents.descending
            || rows.is_sorted_by(|a, b| a.value >= b.value)
        {
            self.in_order(documents, candidates, ties);
        } else if candidates.len() <= COUNTING * rows.len().ilog2() as usize {
            self.by_counting(documents, candidates, ties);
        } else {
            self.by_sorting(documents, candidates, ties);
        }
        &self.ranks
    }

    /// The groups of equal scores that hold one of the candidates ranked last, by rank.
    pub(super) fn ties(&self) -> &[Tie] {
        &self.ties
    }

    /// Scores descend already. Candidates come in the order of lines, so each group of equal scores
    /// is settled once.
    fn in_order(&mut self, documents: Listing<'_>, candidates: &[UnrankedHit], ties: Ties) {
        let all = documents.rows;
        let mut rest = candidates;
        let mut settled = 0;
        while let Some(first) = rest.first() {
            let line = first.line as usize;
            let tied = |other: &usize| all[*other].value == all[line].value;
            let mut start = line;
            while start > settled && tied(&(start - 1)) {
                start -= 1;
            }
            let end = line + 1 + (line + 1..all.len()).take_while(tied).count();
            let members = rest.partition_point(|c| (c.line as usize) < end);
            if end - start == 1 {
                self.ranks.push(line as u32 + 1);
            } else {
                self.ties.push(Tie { first: start as u32 + 1, len: (end - start) as u32 });
                self.order.clear();
                self.order.extend(start as u32..end as u32);
                self.order.sort_unstable_by(|a, b| documents.compare_tied(ties, *a, *b));
                self.places.clear();
                self.places.resize(end - start, 0);
                for (place, line) in self.order.iter().enumerate() {
                    self.places[*line as usize - start] = (start + place + 1) as u32;
                }
                self.ranks
                    .extend(rest[..members].iter().map(|c| self.places[c.line as usize - start]));
            }
            rest = &rest[members..];
            settled = end;
        }
    }

    /// Few hits: count the better scores, gather the equal ones.
    fn by_counting(&mut self, documents: Listing<'_>, candidates: &[UnrankedHit], ties: Ties) {
        self.scores.clear();
        self.scores.extend(documents.rows.iter().map(|d| d.value));
        self.tied.clear();
        let scores = self.scores.as_slice();
        for (candidate, UnrankedHit { line, .. }) in (0..).zip(candidates) {
            // Plain counts, which the compiler turns into wide comparisons.
            let own = scores[*line as usize];
            let (better, equal) = scores.iter().fold((0, 0), |(better, equal), score| {
                (better + usize::from(*score > own), equal + usize::from(*score == own))
            });
            self.ranks.push(better as u32 + 1);
            if equal > 1 {
                let group = Tie { first: better as u32 + 1, len: equal as u32 };
                self.tied.push(TiedCandidate { group, line: *line, candidate });
            }
        }
        self.tied.sort_unstable();
        for members in self.tied.chunk_by(|a, b| a.group == b.group) {
            let TiedCandidate { group, line, .. } = members[0];
            let own = scores[line as usize];
            self.ties.push(group);
            self.order.clear();
            self.order.extend((0..scores.len() as u32).filter(|l| scores[*l as usize] == own));
            self.order.sort_unstable_by(|a, b| documents.compare_tied(ties, *a, *b));
            // Members come by line, so that each is found where the search for it ends.
            for (place, line) in (0..).zip(&self.order) {
                if let Ok(member) = members.binary_search_by_key(line, |m| m.line) {
                    self.ranks[members[member].candidate as usize] = group.first + place;
                }
            }
        }
    }

    /// Many hits: sort once.
    fn by_sorting(&mut self, documents: Listing<'_>, candidates: &[UnrankedHit], ties: Ties) {
        let rows = documents.rows;
        self.order.clear();
        self.order.extend(0..rows.len() as u32);
        self.order.sort_unstable_by(|a, b| documents.compare(ties, *a, *b));
        self.places.clear();
        self.places.resize(rows.len(), 0);
        for (rank, line) in (1..).zip(&self.order) {
            self.places[*line as usize] = rank;
        }
        self.ranks.extend(candidates.iter().map(|c| self.places[c.line as usize]));
        // The ranks of the hits, ascending, so that each group is looked at once.
        self.places.clear();
        self.places.extend_from_slice(&self.ranks);
        self.places.sort_unstable();
        let score = |place: usize| rows[self.order[place] as usize].value;
        let mut settled = 0;
        for rank in &self.places {
            let place = *rank as usize - 1;
            if place < settled {
                continue;
            }
            let tied = |other: &usize| score(*other) == score(place);
            let start = place - (settled..place).rev().take_while(tied).count();
            settled = place + 1 + (place + 1..rows.len()).take_while(tied).count();
            if settled - start > 1 {
                self.ties.push(Tie { first: start as u32 + 1, len: (settled - start) as u32 });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::shape::SplitMix;
    use crate::data::Run;

    /// What is in front of a line: by its score, then by the rule for ties, then by the file.
    fn in_front(ids: &[String], scores: &[f64], ties: Ties, line: usize) -> usize {
        (0..ids.len())
            .filter(|other| match scores[*other].total_cmp(&scores[line]) {
                std::cmp::Ordering::Equal => match ties {
                    Ties::DocidAsc => ids[*other] < ids[line],
                    Ties::File => *other < line,
                    _ => ids[*other] > ids[line],
                },
                order => order.is_gt(),
            })
            .count()
    }

    /// Few hits and many, in files that are in order and in files that are not, with few and with
    /// many equal scores: the three ways to a rank lead to the same one.
    #[test]
    fn a_rank_is_one_more_than_what_is_in_front() {
        let mut random = SplitMix::new(5);
        let mut ranker = Ranker::default();
        for trial in 0..600 {
            let n = 1 + random.below(if trial % 10 == 0 { 300 } else { 12 }) as usize;
            let different = 1 + random.below(2 * n as u64);
            let mut scores: Vec<f64> = (0..n).map(|_| random.below(different) as f64).collect();
            if trial % 3 == 0 {
                scores.sort_by(|a, b| b.total_cmp(a));
            }
            let ids: Vec<String> =
                (0..n).map(|line| format!("d{}", (line * 7919) % 1009)).collect();
            let run = Run::from_columns(&vec!["q"; n], &ids, &scores).unwrap();
            let share = 1 + random.below(4);
            let candidates: Vec<UnrankedHit> = (0..n as u32)
                .filter(|_| random.below(4) < share)
                .map(|line| UnrankedHit { line, row: 0 })
                .collect();
            for ties in [Ties::DocidDesc, Ties::DocidAsc, Ties::File] {
                let ranks = ranker.ranks(run.listing(0), &candidates, ties).to_vec();
                let expected: Vec<u32> = candidates
                    .iter()
                    .map(|c| in_front(&ids, &scores, ties, c.line as usize) as u32 + 1)
                    .collect();
                assert_eq!(ranks, expected, "{ids:?} {scores:?} {ties:?}");
                let mut groups: Vec<Tie> = candidates
                    .iter()
                    .map(|c| scores[c.line as usize])
                    .map(|own| Tie {
                        first: scores.iter().filter(|s| **s > own).count() as u32 + 1,
                        len: scores.iter().filter(|s| **s == own).count() as u32,
                    })
                    .filter(|tie| tie.len > 1)
                    .collect();
                groups.sort_unstable();
                groups.dedup();
                assert_eq!(ranker.ties(), groups, "{ids:?} {scores:?} {ties:?}");
            }
        }
    }
}
