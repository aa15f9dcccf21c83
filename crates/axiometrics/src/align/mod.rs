//! From lines to judged topics: which documents of a ranking matter, and at which ranks.
//!
//! The ranking itself is never built. One table per topic holds the judged documents that matter
//! and, as lines arrive, every document seen: a single look-up tells a hit from a duplicate from a
//! stranger. Ranks are worked out at the end of the topic, for the hits alone (`rank`).

mod rank;

use crate::data::{Entry, Hit, Hits, Judged, Listing, Needs, Qrels, Repeated, Repeats};
use crate::policy::{Rounding, Ties};

/// Documents with equal scores, one of which is a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tie {
    /// The first of the ranks that they share.
    pub first: u32,
    /// How many they are, at least 2.
    pub len: u32,
}

impl Tie {
    /// The last of the ranks that they share.
    pub fn last(self) -> u32 {
        self.first + self.len - 1
    }
}

/// The ties of a topic.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tied<'a> {
    /// The groups that hold a hit, by rank.
    pub(crate) groups: &'a [Tie],
    /// The hits below the depth at which the ranking is cut off, some of which another order of the
    /// group there would bring above it.
    pub(crate) below: &'a [Hit],
}

/// The choices that turn a run into judged topics.
#[derive(Debug, Clone, Copy, Default)]
pub struct Policy {
    /// What the measures need to see.
    pub needs: Needs,
    /// The order of equal scores.
    pub ties: Ties,
    /// How scores are compared.
    pub scores: Rounding,
    /// Rankings are cut off here, before anything is measured.
    pub depth: Option<u32>,
}

/// A hit before its rank is known.
#[derive(Debug, Clone, Copy)]
struct UnrankedHit {
    /// Which line of the topic.
    line: u32,
    /// Which row of the topic's judgements.
    row: u32,
}

/// Turns the documents of one topic after another into judged topics. All memory is kept from topic
/// to topic.
pub struct Aligner<'q> {
    qrels: &'q Qrels,
    policy: Policy,
    repeats: Repeats,
    candidates: Vec<UnrankedHit>,
    hits: Vec<Hit>,
    scores: Vec<f64>,
    ranker: rank::Ranker,
}

impl<'q> Aligner<'q> {
    /// An aligner for these judgements.
    pub fn new(qrels: &'q Qrels, policy: Policy) -> Aligner<'q> {
        Aligner {
            qrels,
            policy,
            repeats: Repeats::default(),
            candidates: Vec::new(),
            hits: Vec::new(),
            scores: Vec::new(),
            ranker: rank::Ranker::default(),
        }
    }

    /// The judged topic of these documents, and the ties among them, by rank; or the first document
    /// that comes twice.
    pub(crate) fn align(
        &mut self,
        topic: u32,
        documents: Listing<'_>,
    ) -> Result<(Judged<'_>, Tied<'_>), Repeated> {
        let rows = self.qrels.rows(topic);
        let matter = if self.policy.needs.judged {
            rows.len()
        } else {
            self.qrels.grades(topic).positive.len()
        };
        let rows = &rows[..matter];
        let compared = documents.compared(self.policy.scores);
        let documents = Listing { rows: &compared, ..documents };
        self.find_hits(rows, documents)?;
        let ranks = self.ranker.ranks(documents, &self.candidates, self.policy.ties);
        let depth = self.policy.depth.unwrap_or(u32::MAX);
        let hits = self.candidates.iter().zip(ranks).map(|(c, rank)| Hit {
            rank: *rank,
            doc: c.row,
            grade: rows[c.row as usize].value,
        });
        self.hits.clear();
        self.hits.extend(hits);
        self.hits.sort_unstable_by_key(|h| h.rank);
        self.scores.clear();
        if self.policy.needs.scores {
            // The rank is by score, so the scores in order are the scores by rank, however ties are
            // broken.
            self.scores.extend(documents.rows.iter().map(|d| d.value));
            self.scores.sort_unstable_by(|a, b| b.total_cmp(a));
        }
        let (hits, below) = self.hits.split_at(self.hits.partition_point(|h| h.rank <= depth));
        let tied = Tied { groups: self.ranker.ties(), below };
        Ok((self.judged(topic, hits, (documents.rows.len() as u32).min(depth)), tied))
    }

    /// Looks for a document that comes twice, if there are no judgements to align with.
    pub(crate) fn check_unjudged(&mut self, documents: Listing<'_>) -> Result<(), Repeated> {
        self.repeats.check(documents)
    }

    /// Fills the candidates.
    fn find_hits(&mut self, rows: &[Entry], documents: Listing<'_>) -> Result<(), Repeated> {
        self.candidates.clear();
        let qrels = self.qrels;
        let candidates = &mut self.candidates;
        let hit = |line: usize, row: u32| candidates.push(UnrankedHit { line: line as u32, row });
        self.repeats.look_up(rows, |row, id| qrels.doc(row) == id, documents, hit)
    }

    /// The topic as it would be with nothing retrieved.
    pub fn empty(&mut self, topic: u32) -> Judged<'_> {
        self.hits.clear();
        self.scores.clear();
        self.judged(topic, &[], 0)
    }

    fn judged<'a>(&'a self, topic: u32, hits: &'a [Hit], retrieved: u32) -> Judged<'a> {
        Judged {
            hits: Hits::new(hits),
            retrieved,
            grades: self.qrels.grades(topic),
            max_grade: self.qrels.max_grade_ref(),
            facets: self.qrels.facets(topic),
            scores: &self.scores,
        }
    }
}
