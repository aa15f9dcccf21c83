//! The judged documents of a run, kept: for those who score a ranking more than once, under other
//! judgements.

use std::sync::{Mutex, PoisonError};

use super::evaluate::Evaluation;
use crate::data::{Hit, Judged, Run};
use crate::error::Result;

/// One topic of a run, empty if the run lacks it.
#[derive(Debug, Default, Clone)]
pub(crate) struct Ranking {
    pub(crate) hits: Vec<Hit>,
    pub(crate) retrieved: u32,
    /// The scores from the top, if the policy asks for them.
    pub(crate) scores: Vec<f64>,
}

impl Evaluation<'_> {
    /// The ranking of each topic of the judgements.
    pub(crate) fn rankings(&self, run: &Run) -> Result<Vec<Ranking>> {
        let ranked = Mutex::new(vec![Ranking::default(); self.qrels.len()]);
        let keep = |topic: u32, judged: &Judged<'_>, _: &mut Vec<f64>| {
            let ranking = Ranking {
                hits: judged.hits.iter().copied().collect(),
                retrieved: judged.retrieved,
                scores: judged.scores.to_vec(),
            };
            ranked.lock().unwrap_or_else(PoisonError::into_inner)[topic as usize] = ranking;
        };
        self.rows_of(run, &keep)?;
        Ok(ranked.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}
