//! The documents that can be relevant, if only "relevant or not" matters.
//!
//! If the first t open documents are relevant, a ranking is dense down to the last of them, all
//! that can be relevant is, and sparse below: only what was judged relevant is. If the last t
//! are, it is sparse above and dense below. So what is known of the dense and of the sparse ranking
//! as a whole tells of each t.

use super::Completion;

/// The retrieved documents that can be relevant.
pub(super) struct Candidates {
    /// Their ranks.
    pub(super) dense: Vec<u32>,
    /// The ranks of those judged relevant.
    pub(super) sparse: Vec<u32>,
    /// How many come before each open one: in the dense ranking and in the sparse one.
    before: Vec<(usize, usize)>,
    /// How many were judged relevant, retrieved or not.
    pub(super) relevant: u32,
    /// How many are open, retrieved or not.
    pub(super) open: u32,
}

/// Which part of a ranking is dense.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dense {
    /// The top: the first t open documents are relevant.
    Above,
    /// The bottom: the last t are.
    Below,
}

/// A ranking that is dense in one part: the dense and the sparse ranking above and below a place.
pub(super) struct SplitRanking {
    /// How many documents of each ranking stand above.
    pub(super) dense: usize,
    pub(super) sparse: usize,
    /// How many documents are relevant in all.
    pub(super) relevant: u32,
}

impl Candidates {
    /// The candidates where documents of this grade are relevant, which an open one may have.
    pub(super) fn new(all: &Completion, rel: f64) -> Candidates {
        let (mut dense, mut sparse, mut before) = (Vec::new(), Vec::new(), Vec::new());
        for (hit, open) in all.documents() {
            if open {
                before.push((dense.len(), sparse.len()));
            } else if hit.grade >= rel {
                sparse.push(hit.rank);
            } else {
                continue;
            }
            dense.push(hit.rank);
        }
        let relevant = all.judged_grades().relevant(&rel);
        Candidates { dense, sparse, before, relevant, open: all.open() }
    }

    /// The ranking with t relevant open documents.
    pub(super) fn split(&self, side: Dense, t: u32) -> SplitRanking {
        let relevant = self.relevant + t;
        // The first open document, from the top, that is not as those above it.
        let turn = match side {
            Dense::Above => t,
            Dense::Below => self.open - t,
        };
        let end = (self.dense.len(), self.sparse.len());
        let (dense, sparse) = self.before.get(turn as usize).copied().unwrap_or(end);
        SplitRanking { dense, sparse, relevant }
    }
}
