//! The scores of a whole run from those of the topics that it shares with the judgements.

use std::sync::Arc;

use super::{Evaluation, Partial};
use crate::align::{Aligner, Tied};
use crate::data::{Names, id_text};
use crate::error::{Error, Place, Result};
use crate::policy::Missing;
use crate::remedy::Remedy;
use crate::score::cells::Cells;
use crate::score::extent::Cutoffs;
use crate::score::scores::{MetricColumn, Scores, UndefinedCell};
use crate::warning::{WarningKind, Warnings};

/// A topic that has no row.
const NO_ROW: u32 = u32::MAX;

/// These rows of a table, in this order. They are copied even if they are all there is: to exchange
/// them in place waits for memory at every step.
fn in_order(values: Vec<f64>, width: usize, rows: &[u32]) -> Vec<f64> {
    if values.len() == rows.len() * width && rows.is_sorted() {
        return values;
    }
    let mut ordered = Vec::with_capacity(rows.len() * width);
    for row in rows {
        ordered.extend_from_slice(&values[*row as usize * width..][..width]);
    }
    ordered
}

impl Evaluation<'_> {
    /// The scores of a run, which must share a topic with the judgements.
    pub(super) fn complete(
        &self,
        name: &str,
        partial: Partial,
        warnings: &mut Warnings,
    ) -> Result<Scores> {
        if partial.topics.is_empty() {
            let error = Error::input(Place::file(name), "no topic in common with the judgements");
            return Err(match partial.unjudged.iter().min() {
                Some(topic) => {
                    let topic = id_text(topic);
                    let judged = self
                        .qrels
                        .topics()
                        .first()
                        .map_or(String::new(), |t| self.qrels.topic_name(*t));
                    error
                        .help(format!("the run has topic \"{topic}\", the judgements have \"{judged}\": do they belong to one collection?"))
                }
                None => Error::input(Place::file(name), "the run is empty")
                    .help("an empty file is no ranking; was the run written at all?"),
            });
        }
        self.filled(name, partial, warnings)
    }

    /// Fills in the missing topics and sorts by name.
    pub(super) fn filled(
        &self,
        name: &str,
        partial: Partial,
        warnings: &mut Warnings,
    ) -> Result<Scores> {
        let mut cells = Cells::new(self);
        let width = cells.layout().width();
        // Of each topic its row among the partial scores, and then among all.
        let mut at = vec![NO_ROW; self.qrels.len()];
        for (row, topic) in (0..).zip(&partial.topics) {
            at[*topic as usize] = row;
        }
        if partial.coverage.judged == 0 && partial.coverage.retrieved > 0 {
            warnings.add_example(WarningKind::NothingJudged, 1, name, &self.ids_of_both(&partial));
        }
        if let Some((count, grade)) = self.qrels.looks_like_scores().filter(|(n, _)| *n >= 10) {
            let example = grade.to_string();
            warnings.add_example(WarningKind::ScoresAsGrades, count as u64, "judgements", &example);
        }
        let missing = at.iter().filter(|row| **row == NO_ROW).count();
        if missing > 0 {
            let first = self.qrels.topics().iter().find(|t| at[**t as usize] == NO_ROW);
            let first =
                first.map_or(String::new(), |t| format!("topic {}", self.qrels.topic_name(*t)));
            if self.missing == Missing::Error {
                let error = Error::input(
                    Place::file(name),
                    format!("{missing} judged topics are missing from the run, among them {first}"),
                );
                return Err(error.help(Remedy::missing()));
            }
            let (all, covered) = (self.qrels.len(), self.qrels.len() - missing);
            let example = format!("the run covers {covered} of {all} judged topics, not {first}");
            warnings.add_example(WarningKind::MissingTopic, missing as u64, name, &example);
        }
        if let Some(example) = partial.unjudged.iter().min() {
            let example = format!("topic {}", id_text(example));
            warnings.add_example(
                WarningKind::UnjudgedTopic,
                partial.unjudged.len() as u64,
                name,
                &example,
            );
        }
        // Runs that keep all topics share their names.
        let all = (missing == 0 || self.missing != Missing::Skip) && !self.prune;
        let mut topics = Names::default();
        let mut values = partial.values;
        // The rows of the topics in order; those that are missing come behind the others.
        let (mut rows, mut next) = (Vec::with_capacity(at.len()), partial.topics.len() as u32);
        let mut aligner = Aligner::new(self.qrels, self.policy);
        for topic in self.qrels.topics() {
            let mut row = std::mem::replace(&mut at[*topic as usize], NO_ROW);
            let pruned = self.prune && self.qrels.grades(*topic).positive.is_empty();
            if pruned || row == NO_ROW && self.missing == Missing::Skip {
                continue;
            }
            if row == NO_ROW {
                let empty = aligner.empty(*topic);
                cells.push(*topic, &empty, Tied::default(), &mut values);
                row = next;
                next += 1;
            }
            at[*topic as usize] = rows.len() as u32;
            rows.push(row);
            if !all {
                topics.push(self.qrels.topic_bytes(*topic));
            }
        }
        let values = in_order(values, width, &rows);
        let topics = if all { self.qrels.names() } else { Arc::new(topics) };
        let layout = cells.layout();
        let reasons = partial.undefined.into_iter().chain(cells.finish().1);
        let mut reasons: Vec<UndefinedCell> = reasons
            .map(|(topic, column, why)| UndefinedCell { row: at[topic as usize], column, why })
            .filter(|reason| reason.row != NO_ROW)
            .collect();
        reasons.sort_unstable_by_key(|reason| (reason.row, reason.column));
        let columns = self.metrics.iter().map(MetricColumn::from).collect();
        let mut scores = Scores::new(name, columns, topics, values, reasons, layout);
        scores.missing = missing;
        scores.unjudged = partial.unjudged.len();
        scores.coverage = self.policy().needs.judged.then_some(partial.coverage);
        scores.ties = partial.ties;
        self.diagnose(&scores, warnings)?;
        partial.extent.warn(Cutoffs::new(self.metrics), name, warnings);
        Ok(scores)
    }

    /// A document of the run, and one of the judgements.
    fn ids_of_both(&self, partial: &Partial) -> String {
        let example = partial.example.as_ref();
        let judged = example.and_then(|(topic, _)| self.qrels.judgements(*topic).next());
        match (example, judged) {
            (Some((_, run)), Some((judged, _))) => format!(
                "the run has \"{}\", the judgements have \"{}\"",
                id_text(run),
                id_text(judged)
            ),
            _ => "the run has documents that the judgements lack".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// All rows in any order, and some of them.
        #[test]
        fn rows_come_in_the_order_that_is_asked_for(
            rows in Just((0..40u32).collect::<Vec<_>>()).prop_shuffle(),
            sorted in any::<bool>(),
            left_out in 0usize..4,
            width in 0usize..4,
        ) {
            let values: Vec<f64> = (0..rows.len() * width).map(|cell| cell as f64).collect();
            let mut rows = rows[left_out..].to_vec();
            if sorted {
                rows.sort_unstable();
            }
            let asked = rows.iter().flat_map(|row| (0..width).map(move |cell| *row as usize * width + cell));
            let asked: Vec<f64> = asked.map(|cell| cell as f64).collect();
            prop_assert_eq!(in_order(values, width, &rows), asked);
        }
    }
}
