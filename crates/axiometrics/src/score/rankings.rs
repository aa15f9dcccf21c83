//! The judged documents of a run, kept: for those who score a ranking more than once, under other
//! judgements.

use std::sync::{Mutex, PoisonError};

use super::evaluate::Evaluation;
use crate::data::{Hit, Judged};
use crate::error::Result;
use crate::io::Source;
use crate::warning::Warnings;

/// One topic of a run, empty where the run lacks it.
#[derive(Debug, Default, Clone)]
pub(crate) struct Ranking {
    pub(crate) hits: Vec<Hit>,
    pub(crate) retrieved: u32,
    /// The scores from the top, where the policy asks for them.
    pub(crate) scores: Vec<f64>,
}

impl Evaluation<'_> {
    /// The ranking of each topic of the judgements. The run must have been read without an error
    /// before.
    pub(crate) fn rankings(&self, run: &Source) -> Result<Vec<Ranking>> {
        let ranked = Mutex::new(vec![Ranking::default(); self.qrels.len()]);
        let keep = |topic: u32, judged: &Judged<'_>, _: &mut Vec<f64>| {
            let ranking = Ranking {
                hits: judged.hits.iter().copied().collect(),
                retrieved: judged.retrieved,
                scores: judged.scores.to_vec(),
            };
            ranked.lock().unwrap_or_else(PoisonError::into_inner)[topic as usize] = ranking;
        };
        self.rows(run, &keep, &mut Warnings::default())?;
        Ok(ranked.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}
