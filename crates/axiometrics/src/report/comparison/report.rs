//! A comparison in every format.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::{change_rows, changes, joint, latex, mean_rows, means, method, pair_rows, pairs};
use crate::choice::choices;
use crate::compare::{Changes, Comparison};
use crate::remedy::Setting;
use crate::report::format::{OutputFormat, Rendering};
use crate::report::lines;
use crate::report::model::Report;
use crate::report::table::{Style, Table};
use crate::score::Protocol;

/// The tables of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ComparisonTable {
    /// The means of the systems.
    Means,
    /// The differences of pairs.
    Pairs,
    /// What unjudged documents could do.
    Joint,
    /// What changes on ranks.
    Changes,
}

choices! {
    ComparisonTable {
        Means "means" "the means of the systems, with their intervals, ranks and letters",
        Pairs "pairs" "the differences of pairs",
        Joint "joint" "what unjudged documents could do to the differences; pairs for programs",
        Changes "changes" "what changes if ranks take the place of scores",
    }
}

/// Whether notes stand below tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Notes {
    /// If the format is not LaTeX.
    #[default]
    Auto,
    /// In LaTeX too.
    Always,
    /// Nowhere.
    Never,
}

choices! {
    Notes {
        Auto "auto" "below tables for a terminal and in Markdown",
        Always "always" "in LaTeX too",
        Never "never" "nowhere",
    }
}

/// The pairs of more systems than this are shown only if they are asked for.
const FEW_SYSTEMS: usize = 12;

/// A comparison in every format.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ComparisonReport<'a> {
    /// What was found.
    #[serde(flatten)]
    pub comparison: &'a Comparison,
    /// What changes on ranks, if that was asked for.
    #[serde(rename = "on_ranks", skip_serializing_if = "Option::is_none")]
    pub changes: Option<&'a Changes>,
    /// How the runs were scored, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<&'a Protocol>,
    /// The only table to show. If it is `None`: for people all, for programs the pairs.
    #[serde(skip)]
    pub only: Option<ComparisonTable>,
    /// Whether notes stand below the tables.
    #[serde(skip)]
    pub notes: Notes,
}

impl ComparisonReport<'_> {
    /// What holds for all tables.
    fn all_notes(&self, style: &Style) -> Vec<String> {
        let mut notes = method(self.comparison);
        let on_ranks = Setting::Named("on_ranks");
        if self.changes.is_none() && style.voice.has(on_ranks) {
            let option = style.voice.setting(on_ranks);
            notes.push(format!("{option} says what changes if ranks are averaged instead"));
        }
        notes.extend(self.evaluation.map(Protocol::to_string));
        notes
    }

    /// The measures without joint ranges, each with the reason.
    pub fn without_joint_ranges(&self) -> impl Iterator<Item = String> {
        let measures = self.comparison.measures.iter();
        measures.filter_map(|measure| {
            let why = measure.no_joint.as_ref()?;
            Some(format!("{} has no joint range: {why}", measure.title()))
        })
    }

    fn wants(&self, table: ComparisonTable) -> bool {
        self.only.is_none_or(|only| only == table)
    }

    /// A line of JSON for each row, under the name of its measure.
    fn json_lines(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut line = |measure: &str, topics: Option<usize>, row: Value| {
            let mut object = json!({ "measure": measure });
            if let Some(topics) = topics {
                object["topics"] = topics.into();
            }
            object["row"] = row;
            writeln!(out, "{object}")
        };
        if let (Some(ComparisonTable::Changes), Some(changes)) = (self.only, self.changes) {
            for measure in &changes.measures {
                for change in &measure.changed {
                    line(&measure.measure, None, serde_json::to_value(change)?)?;
                }
            }
            return Ok(());
        }
        for measure in &self.comparison.measures {
            let rows: Vec<Value> = match self.only {
                Some(ComparisonTable::Means) => {
                    measure.systems.iter().map(serde_json::to_value).collect::<Result<_, _>>()?
                }
                _ => measure.pairs.iter().map(serde_json::to_value).collect::<Result<_, _>>()?,
            };
            for row in rows {
                line(&measure.measure, Some(measure.topics), row)?;
            }
        }
        Ok(())
    }
}

impl Report for ComparisonReport<'_> {
    fn tables(&self, style: &Style) -> Vec<Table> {
        let compared = self.comparison;
        let few = compared.baseline.is_some() || compared.systems.len() <= FEW_SYSTEMS;
        let with_pairs = self.only.is_some() || few;
        let mut tables = Vec::new();
        if self.wants(ComparisonTable::Means) {
            tables.extend(compared.measures.iter().map(|m| means(compared, m)));
            if let Some(last) = tables.last_mut() {
                last.footnotes.extend(self.all_notes(style));
                let show = Setting::Word("show", "pairs");
                if !with_pairs && style.voice.has(show) {
                    let count = compared.measures[0].pairs.len();
                    let option = style.voice.setting(show);
                    last.footnotes.push(format!("{option} shows the {count} pairs"));
                }
            }
        }
        for measure in compared.measures.iter().filter(|_| with_pairs) {
            let wants = |table| self.wants(table);
            tables.extend(wants(ComparisonTable::Pairs).then(|| pairs(compared, measure)));
            tables.extend(joint(compared, measure).filter(|_| wants(ComparisonTable::Joint)));
        }
        if let Some(last) = tables.last_mut().filter(|_| self.wants(ComparisonTable::Joint)) {
            last.footnotes.extend(self.without_joint_ranges());
        }
        if let Some(found) = self.changes.filter(|_| self.wants(ComparisonTable::Changes)) {
            tables.extend(changes(compared, found));
        }
        if self.notes == Notes::Never {
            tables.iter_mut().for_each(|table| table.footnotes.clear());
        }
        tables
    }

    fn rows(&self) -> Table {
        match (self.only, self.changes) {
            (Some(ComparisonTable::Means), _) => mean_rows(self.comparison),
            (Some(ComparisonTable::Changes), Some(changes)) => change_rows(changes),
            _ => pair_rows(self.comparison),
        }
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        self
    }

    /// A table to submit has no notes unless they are asked for.
    fn own_form(&self, format: OutputFormat, style: &Style) -> Option<String> {
        if format != OutputFormat::Latex {
            return None;
        }
        let always = self.notes == Notes::Always;
        if self.wants(ComparisonTable::Means) {
            let notes = if always { self.all_notes(style) } else { Vec::new() };
            return Some(latex(self.comparison, &notes, style));
        }
        let mut tables = self.tables(style);
        if !always {
            tables.iter_mut().for_each(|table| table.footnotes.clear());
        }
        let rendered: Vec<String> = tables.iter().map(|t| t.render(format, style)).collect();
        Some(rendered.join("\n"))
    }

    fn write_rows(
        &self,
        format: OutputFormat,
        style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format.form() {
            _ if format == OutputFormat::Jsonl => self.json_lines(out),
            Rendering::Lines(form) => lines::write(form, &self.rows(), style, out),
            _ => Ok(()),
        }
    }
}
