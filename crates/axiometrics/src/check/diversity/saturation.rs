//! When enough is enough.

use std::cmp::Ordering;

use super::ranking::{A, SubtopicRanking, compare};
use super::{DiversityConstraint, witness};
use crate::check::search::SearchTally;
use crate::check::{Arithmetic, Bounds, Verdict};
use crate::measure::Metric;

/// So many documents of the subtopic are tried; fewer if the measure does not look further.
const MOST: usize = 64;

pub(super) struct Saturation;

impl DiversityConstraint for Saturation {
    fn name(&self) -> &'static str {
        "saturation"
    }
    fn statement(&self) -> &'static str {
        "after some number of documents of a subtopic, above the cutoff, one more does not raise the score"
    }
    fn worlds(&self) -> String {
        format!(
            "n documents of one subtopic and one more that was not retrieved, for every n up to {MOST} or to one less than the cutoff"
        )
    }
    fn decide(&self, metric: &Metric) -> Verdict {
        // What is below a cutoff never raises the score, which is not meant.
        let most = metric.args().cutoff().map_or(MOST, |k| (k as usize - 1).min(MOST));
        let mut tally = SearchTally::default();
        let pair = |n: usize| {
            [SubtopicRanking::new(&vec![A; n], &[A]), SubtopicRanking::new(&vec![A; n + 1], &[])]
        };
        let mut tried = None;
        for n in 1..=most {
            let [before, after] = pair(n);
            match compare(metric, &mut tally, &after, &before) {
                Some(Ordering::Greater) => tried = Some(n),
                // What a document adds can be less than floats tell apart: such a tie is none.
                Some(_) if tally.last == Arithmetic::Tolerance => break,
                Some(_) => {
                    let note = format!("{}, {}", before.told(metric), after.told(metric));
                    return Verdict::Proved { rule: format!("n = {n}: {note}") };
                }
                None => {}
            }
        }
        let bounds = Bounds {
            docs: most as u32 + 1,
            cases: tally.cases,
            skipped: tally.skipped,
            arithmetic: tally.arithmetic,
            ..Bounds::default()
        };
        let Some(n) = tried else {
            // The second document already adds nothing, as far as floats tell.
            let tied = tally.cases > 0;
            return if tied { Verdict::Searched(bounds) } else { Verdict::Vacuous(bounds) };
        };
        let [before, after] = pair(1);
        let text = format!(
            "{}, {}, and each document more up to {} raises the score",
            before.told(metric),
            after.told(metric),
            n + 1
        );
        Verdict::violated(witness(text))
    }
}
