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

/// These rows of a table, each of which is named once; in place if they are all there is, since the
/// table may be large.
fn in_order(mut values: Vec<f64>, width: usize, mut rows: Vec<u32>) -> Vec<f64> {
    let cells = |row: u32| row as usize * width..(row as usize + 1) * width;
    // Without measures there is nothing to put in order.
    let Some(all) = values.len().checked_div(width) else { return values };
    if rows.len() < all {
        return rows.into_iter().flat_map(|row| &values[cells(row)]).copied().collect();
    }
    for start in 0..rows.len() as u32 {
        // A cycle of rows, each of which takes the place of the one before. What stands at its place
        // names itself from then on.
        let mut to = start;
        loop {
            let from = std::mem::replace(&mut rows[to as usize], to);
            if from == start || from == to {
                break;
            }
            for (a, b) in cells(to).zip(cells(from)) {
                values.swap(a, b);
            }
            to = from;
        }
    }
    values
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
        let values = in_order(values, width, rows);
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
            left_out in 0usize..4,
            width in 0usize..4,
        ) {
            let values: Vec<f64> = (0..rows.len() * width).map(|cell| cell as f64).collect();
            let rows = rows[left_out..].to_vec();
            let asked = rows.iter().flat_map(|row| (0..width).map(move |cell| *row as usize * width + cell));
            let asked: Vec<f64> = asked.map(|cell| cell as f64).collect();
            prop_assert_eq!(in_order(values, width, rows), asked);
        }
    }
}
