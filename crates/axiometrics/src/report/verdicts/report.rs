//! The verdicts of some metrics in every format.

use serde::Serialize;

use super::{
    Matrix, by_group, detail, drawings, html, matrices, organization_detail, page, to_json,
};
use crate::check::family::family;
use crate::check::organization::OrganizationVerdicts;
use crate::check::{CheckOptions, MetricVerdicts};
use crate::report::{OutputFormat, Style, Table};

/// More metrics than this are shown as a matrix, not one by one.
const IN_DETAIL: usize = 3;

/// The verdicts of some metrics.
pub struct VerdictReport<'r> {
    /// Metrics of rankings.
    pub rankings: &'r [MetricVerdicts],
    /// Measures of organizations.
    pub organizations: &'r [OrganizationVerdicts],
    /// What was asked.
    pub options: &'r CheckOptions,
    /// The matrices that somebody asked for, each with its notes, instead of ours.
    pub shaped: Option<Vec<(Matrix, Vec<String>)>>,
    /// Witnesses are drawn below tables for a terminal.
    pub draw: bool,
}

impl VerdictReport<'_> {
    fn few(&self) -> bool {
        self.rankings.len() + self.organizations.len() <= IN_DETAIL
    }

    fn matrices(&self) -> Vec<Matrix> {
        matrices(self.rankings, self.organizations, &self.options.groups)
    }

    /// One table of all, as programs and papers want it.
    fn joined(&self) -> Table {
        let all = match &self.shaped {
            Some(shaped) => shaped.iter().map(|(matrix, _)| matrix.clone()).collect(),
            None => self.matrices(),
        };
        Matrix::joined(all).table()
    }

    /// The tables of each metric, its witnesses drawn, and what holds for its parameters.
    fn details(&self) -> Vec<(Vec<Table>, String, String)> {
        let rankings = self.rankings.iter().map(|report| {
            let tables = by_group(report, detail(report));
            (tables, drawings(report), of_family(report))
        });
        let organizations = self.organizations.iter().map(|report| {
            let tables = by_group(report, organization_detail(report));
            (tables, drawings(report), String::new())
        });
        rankings.chain(organizations).collect()
    }

    /// Text for people, tables and what stands between them.
    fn prose(&self, format: OutputFormat, style: &Style) -> String {
        let render = |tables: &[Table]| -> String {
            tables.iter().map(|t| t.render(format, style)).collect::<Vec<_>>().join("\n")
        };
        let draw = self.draw && format == OutputFormat::Table;
        let bullet = if format == OutputFormat::Markdown { "- " } else { "  " };
        let one = |(tables, drawn, family): (Vec<Table>, String, String)| {
            let mut out = render(&tables);
            if draw && !drawn.is_empty() {
                out += &format!("\n{}\n", drawn.trim_end());
            }
            out + &family.replace(POINT, bullet)
        };
        if self.few() {
            return self.details().into_iter().map(one).collect::<Vec<_>>().join("\n");
        }
        let tables: Vec<Table> = self.matrices().iter().map(Matrix::table).collect();
        let drawn = self.details().into_iter().map(|(_, drawn, _)| drawn);
        let drawn = drawn.filter(|drawn| draw && !drawn.is_empty());
        std::iter::once(render(&tables)).chain(drawn).collect::<Vec<_>>().join("\n")
    }
}

/// What stands before a point of a list.
const POINT: &str = "\u{2022} ";

/// What can be said of a measure for every value of a parameter that was not given.
fn of_family(report: &MetricVerdicts) -> String {
    let Some(family) = family(&report.metric) else { return String::new() };
    let parameter = if family.parameter.is_empty() { "cutoff" } else { family.parameter };
    let asked = |checks: &[&str]| report.findings.iter().any(|f| checks.contains(&f.name));
    let lines: String = family
        .statements
        .iter()
        .filter(|statement| asked(statement.checks))
        .map(|statement| format!("{POINT}{}: {}\n", statement.checks.join(", "), statement.holds))
        .collect();
    if lines.is_empty() {
        return lines;
    }
    format!("\n{} by its {parameter}:\n{lines}", family.measure)
}

impl crate::report::Report for VerdictReport<'_> {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        if let Some(shaped) = &self.shaped {
            let table = |(matrix, notes): &(Matrix, Vec<String>)| {
                let mut table = matrix.table();
                let (first, others) = notes.split_at(notes.len().min(1));
                table.footnotes.splice(0..0, first.iter().cloned());
                table.footnotes.extend_from_slice(others);
                table
            };
            return shaped.iter().map(table).collect();
        }
        if self.few() {
            return self.details().into_iter().flat_map(|(tables, ..)| tables).collect();
        }
        self.matrices().iter().map(Matrix::table).collect()
    }

    fn rows(&self) -> Table {
        self.joined()
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        to_json(self.rankings, self.organizations)
    }

    fn own_form(&self, format: OutputFormat, style: &Style) -> Option<String> {
        if self.shaped.is_some() {
            return None;
        }
        match format {
            OutputFormat::Html => {
                Some(html(self.rankings, self.organizations, &self.options.groups))
            }
            OutputFormat::Latex => Some(self.joined().render(format, style)),
            OutputFormat::Markdown if !self.few() => {
                Some(page(self.rankings, self.organizations, self.options))
            }
            OutputFormat::Table | OutputFormat::Markdown => Some(self.prose(format, style)),
            _ => None,
        }
    }
}
