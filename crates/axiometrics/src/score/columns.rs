//! More columns for scores that are there already.

use super::scores::{MetricColumn, Scores};
use crate::error::Result;
use crate::measure::Score;

impl Scores {
    /// The same with more columns behind the others, each with a score for every row. Ranges are
    /// not kept: the new columns have none.
    pub(crate) fn with_columns(
        &self,
        more: impl IntoIterator<Item = MetricColumn>,
        values: &[Vec<Score>],
    ) -> Result<Scores> {
        let columns = self.columns().iter().cloned().chain(more).collect();
        let mut builder = Scores::builder_of(self.name(), columns);
        for row in 0..self.len() {
            let known = (0..self.columns().len()).filter_map(|column| self.score(row, column));
            let all: Vec<Score> = known.chain(values.iter().map(|column| column[row])).collect();
            builder.push(self.topics().get(row).unwrap_or_default(), &all)?;
        }
        let mut extended = builder.build()?;
        extended.missing = self.missing;
        extended.unjudged = self.unjudged;
        extended.coverage = self.coverage;
        extended.ties.clone_from(&self.ties);
        Ok(extended)
    }
}
