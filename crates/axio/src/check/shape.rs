//! The matrix of verdicts as a reader wants it: which columns, in which order, with which rows
//! together. Moffat 2013 orders the metrics of its Table 2 by the columns from left to right, and
//! leaves it to the reader to choose others.

use axiometrics::Error;
use axiometrics::check::{CheckGroup, MetricVerdicts, Reach, reach};
use axiometrics::report::verdicts::Matrix;
use clap::Args as ClapArgs;

/// How the matrix is laid out.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "The matrix")]
pub(super) struct Shape {
    /// Only these columns, in this order, such as bounded,monotonic,realizable
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    columns: Vec<String>,
    /// Sort rows by the columns from left to right, No before Yes
    #[arg(long)]
    sort: bool,
    /// One row for metrics that agree in every column, sorted, and the number of combinations
    #[arg(long)]
    group: bool,
}

impl Shape {
    /// True if a shape was asked for.
    pub(super) fn is_given(&self) -> bool {
        !self.columns.is_empty() || self.sort || self.group
    }

    /// These matrices as they were asked for, with what is to be said of each.
    pub(super) fn apply(
        &self,
        matrices: Vec<Matrix>,
        reports: &[MetricVerdicts],
        groups: &[CheckGroup],
    ) -> axiometrics::Result<Vec<(Matrix, Vec<String>)>> {
        let known: Vec<&str> = matrices.iter().flat_map(|m| m.columns().iter().copied()).collect();
        if let Some(name) = self.columns.iter().find(|name| !known.contains(&name.as_str())) {
            return Err(Error::usage(format!("no column is named {name}"))
                .help(format!("the columns are {}", known.join(", "))));
        }
        let notes = self.notes(reports, groups);
        let shaped = |matrix: Matrix| {
            let columns: Vec<String> = match self.columns.as_slice() {
                [] => matrix.columns().iter().map(ToString::to_string).collect(),
                some => {
                    let has = |name: &&String| matrix.columns().contains(&name.as_str());
                    some.iter().filter(has).cloned().collect()
                }
            };
            // Every column is one that the matrix has.
            let matrix = matrix.select(&columns).ok().filter(|_| !columns.is_empty())?;
            let (metrics, combinations) = (matrix.len(), matrix.combinations());
            let matrix = match (self.group, self.sort) {
                (true, _) => matrix.grouped(),
                (false, true) => matrix.sorted(),
                (false, false) => matrix,
            };
            let plural =
                |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
            let count = format!(
                "{}, {} of answers",
                plural(metrics, "metric"),
                plural(combinations, "combination")
            );
            let realizable = columns.iter().any(|name| name == "realizable");
            let others = if realizable { notes.as_slice() } else { &[] };
            Some((matrix, std::iter::once(count).chain(others.iter().cloned()).collect()))
        };
        Ok(matrices.into_iter().filter_map(shaped).collect())
    }

    /// When metrics that are not realizable reach 1 all the same.
    fn notes(&self, reports: &[MetricVerdicts], groups: &[CheckGroup]) -> Vec<String> {
        if !groups.contains(&CheckGroup::Property) {
            return Vec::new();
        }
        let reached: Vec<(String, Reach)> = reports
            .iter()
            .filter_map(|report| Some((report.metric.to_string(), reach(&report.metric)?)))
            .collect();
        [Reach::AtMostRelevant, Reach::AtLeastRelevant, Reach::Exactly, Reach::Otherwise]
            .into_iter()
            .filter_map(|kind| {
                let of_kind = reached.iter().filter(|(_, reach)| *reach == kind);
                let names: Vec<&str> = of_kind.map(|(name, _)| name.as_str()).collect();
                let some = !names.is_empty();
                some.then(|| format!("1 can be reached {}: {}", kind.describe(), names.join(", ")))
            })
            .collect()
    }
}
