//! Metrics by checks, a letter for each verdict.

use super::super::table::{Cell, Column, Table};
use super::html;
use crate::check::organization::{OrganizationReport, statements};
use crate::check::{
    Evidence, Group, Rankings, Report, Restrict, Scope, Verdict, Verdicts, checks, diversity,
};
use crate::organization::Task;

/// What the letters mean.
pub const LEGEND: &str = "Y: proved for every size. y: no case against it within the bounds of the search. N: violated, with a witness. \
Nc: the printed instance holds, among other documents it is violated. w: weak, never reversed, but it ties. -: no case decides. \
n/a: makes no sense for this metric.";

/// What the letters of axioms mean beside these.
const TIES: &str = "t: every case ties, so it never holds and is never reversed.";
const FULL: &str = "Nf: violated if systems rank all documents; the letter after it is for systems that may leave some out.";

/// What two letters in one cell mean.
const BOTH: &str = "N/Y: the first by ranks that are counted anew, the second by ranks that are kept, where these differ.";

/// Metrics by checks. A constraint has one column for both its scopes.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// What kind of metric the rows are.
    pub title: &'static str,
    pub(super) columns: Vec<&'static str>,
    pub(super) rows: Vec<(String, Vec<Letter>)>,
}

/// A cell: what is shown, and what lies behind it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::report) struct Letter {
    pub(in crate::report) text: String,
    pub(in crate::report) why: String,
}

/// The matrices of all metrics: rankings, diversity, clusterings, filterings. None without rows.
pub fn matrices(
    rankings: &[Report],
    organizations: &[OrganizationReport],
    groups: &[Group],
) -> Vec<Matrix> {
    // Of diversity there are constraints; all else is asked of other rankings.
    let by_subtopic =
        |r: &&Report| diversity::applies(&r.metric) && groups.contains(&Group::Constraint);
    let names = checks(groups).map(|c| c.name());
    let others = rankings.iter().filter(|r| !by_subtopic(r));
    let diverse = rankings.iter().filter(by_subtopic);
    let constraints = diversity::statements().into_iter().map(|(name, _)| name).collect();
    let mut all = vec![
        Matrix::new("Rankings", others, unique(names)),
        Matrix::new("Diversity", diverse, constraints),
    ];
    for (title, task) in [("Clusterings", Task::Clustering), ("Filterings", Task::Filtering)] {
        let reports = organizations.iter().filter(|r| r.subject.scores(task));
        let names = statements(task, groups).map(|(name, _)| name).collect();
        let mut matrix = Matrix::new(title, reports.clone(), names);
        if task == Task::Filtering && groups.contains(&Group::Constraint) {
            matrix.columns.push("non-informative");
            for ((_, letters), report) in matrix.rows.iter_mut().zip(reports) {
                let told = report
                    .non_informative
                    .as_ref()
                    .map(|n| Letter { text: n.behaviour.word().to_string(), why: n.text.clone() });
                letters.push(told.unwrap_or_default());
            }
        }
        all.push(matrix);
    }
    all.retain(|matrix| !matrix.rows.is_empty() && !matrix.columns.is_empty());
    all
}

fn unique(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut all = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

impl Matrix {
    fn new<'r, R: Verdicts + 'r>(
        title: &'static str,
        reports: impl Iterator<Item = &'r R>,
        columns: Vec<&'static str>,
    ) -> Matrix {
        let row = |report: &R| {
            (report.metric(), columns.iter().map(|name| letter(report, name)).collect())
        };
        Matrix { title, rows: reports.map(row).collect(), columns }
    }

    /// All matrices as one, with empty cells: for programs and papers, which want one table.
    /// Metrics of several kinds have one row.
    pub fn joined(matrices: Vec<Matrix>) -> Matrix {
        let columns = unique(matrices.iter().flat_map(|m| m.columns.iter().copied()));
        let mut rows: Vec<(String, Vec<Letter>)> = Vec::new();
        for matrix in matrices {
            for (name, letters) in matrix.rows {
                let at = rows.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
                    rows.push((name, vec![Letter::default(); columns.len()]));
                    rows.len() - 1
                });
                for (column, letter) in matrix.columns.iter().zip(letters) {
                    if let Some(place) = columns.iter().position(|c| c == column) {
                        rows[at].1[place] = letter;
                    }
                }
            }
        }
        Matrix { title: "Verdicts", columns, rows }
    }

    /// As a table.
    pub fn table(&self) -> Table {
        let mut table = Table::new(
            std::iter::once("metric")
                .chain(self.columns.iter().copied())
                .map(Column::text)
                .collect(),
        );
        for (name, letters) in &self.rows {
            table.push(
                std::iter::once(Cell::text(name))
                    .chain(letters.iter().map(|l| Cell::text(&l.text)))
                    .collect(),
            );
        }
        table.footnotes.push(LEGEND.to_string());
        if self
            .rows
            .iter()
            .flat_map(|(_, letters)| letters)
            .any(|l| l.text.contains('/') && l.text != "n/a" && !l.text.starts_with("Nf"))
        {
            table.footnotes.push(BOTH.to_string());
        }
        let has = |wanted: &str| {
            let letters = self.rows.iter().flat_map(|(_, letters)| letters);
            letters.into_iter().any(|l| l.text.split('/').any(|letter| letter == wanted))
        };
        let meant = [("t", TIES), ("Nf", FULL)].into_iter().filter(|(letter, _)| has(letter));
        table.footnotes.extend(meant.map(|(_, meaning)| meaning.to_string()));
        table.footnotes.extend(axiom_titles(self.columns.iter().copied()));
        table
    }

    /// As a `table` element whose cells tell why when the pointer rests on them.
    pub(super) fn html(&self) -> String {
        let head: String = std::iter::once("metric")
            .chain(self.columns.iter().copied())
            .map(|c| format!("<th>{}</th>", html::escape(c)))
            .collect();
        let cell = |l: &Letter| format!("<td title=\"{}\">{}</td>", html::escape(&l.why), l.text);
        let row = |(name, letters): &(String, Vec<Letter>)| {
            format!(
                "<tr><td>{}</td>{}</tr>\n",
                html::escape(name),
                letters.iter().map(cell).collect::<String>()
            )
        };
        let body: String = self.rows.iter().map(row).collect();
        format!("<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n")
    }
}

pub(in crate::report) fn letter<R: Verdicts>(report: &R, name: &str) -> Letter {
    if let (Some(renumbered), Some(kept)) =
        (report.restricted(name, Restrict::Renumber), report.restricted(name, Restrict::Keep))
    {
        let text = format!("{}/{}", mark(renumbered), mark(kept));
        return Letter {
            text,
            why: format!("renumber: {}; keep: {}", renumbered.reason(), kept.reason()),
        };
    }
    if let (Some(full), Some(partial)) =
        (report.ranked(name, Rankings::Full), report.ranked(name, Rankings::Partial))
    {
        let full_mark = if full.is_violated() { "Nf" } else { mark(full) };
        return Letter {
            text: format!("{full_mark}/{}", mark(partial)),
            why: format!(
                "full rankings: {}; with documents left out: {}",
                full.reason(),
                partial.reason()
            ),
        };
    }
    let Some(verdict) = report.get(name) else { return Letter::default() };
    let in_context =
        verdict.is_violated() && report.scoped(name, Scope::Printed).is_some_and(Verdict::holds);
    Letter {
        text: if in_context { "Nc" } else { mark(verdict) }.to_string(),
        why: verdict.reason(),
    }
}

fn mark<W: Evidence>(verdict: &Verdict<W>) -> &'static str {
    match verdict {
        Verdict::Violated { .. } => "N",
        Verdict::Weak { .. } => "w",
        Verdict::Tied { .. } => "t",
        Verdict::Proved { .. } => "Y",
        Verdict::Searched(_) | Verdict::Sampled { .. } => "y",
        Verdict::Vacuous(_) => "-",
        Verdict::NotApplicable(_) => "n/a",
    }
}

/// The names of the axioms among these checks, in one line; none if none is.
pub(super) fn axiom_titles(names: impl Iterator<Item = &'static str>) -> Option<String> {
    let asked: Vec<&str> = names.collect();
    let titles: Vec<String> = checks(&[Group::Axiom])
        .filter(|c| asked.contains(&c.name()))
        .filter_map(|c| Some(format!("{} {}", c.name(), c.title()?)))
        .collect();
    (!titles.is_empty())
        .then(|| format!("{}. `explain axiom-1` and so on state them.", titles.join(", ")))
}
