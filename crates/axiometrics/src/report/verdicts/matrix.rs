//! Metrics by checks, a letter for each verdict.

use super::super::table::{Cell, Column, Table};
use super::html;
use crate::check::organization::{OrganizationVerdicts, statements};
use crate::check::{
    CheckGroup, Evidence, MetricVerdicts, RankingKind, Restrict, Scope, Verdict, Verdicts, checks,
    diversity,
};
use crate::choice::Choice;
use crate::organization::Task;

/// What the letters mean.
const LEGEND: &str = "Y: proved for every size. y: no case against it within the bounds of the search. N: violated, with a witness. ";

const OTHERS: &str = "w: weak, never reversed, but it ties. ?: not decided, neither proved nor refuted. -: no case decides. n/a: makes no sense for this metric.";

/// What the words in the column of filterings that know nothing mean.
const NON_INFORMATIVE: &str = " constant, growing, falling, depends (on how much is relevant), undefined: what becomes of the score of a filtering that knows nothing as it keeps more.";

/// What the letters of axioms mean beside these.
const TIES: &str = "t: every case ties, so it never holds and is never reversed.";
const FULL: &str = "Nf: violated if systems rank all documents; the letter after it is for systems that may leave some out.";

/// What two letters in one cell mean.
const BOTH: &str = "N/Y: the first by ranks that are counted anew, the second by ranks that are kept, if these differ.";

/// What kind of metrics the rows of a matrix are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatrixSection {
    /// Measures of rankings.
    Rankings,
    /// Measures of rankings by subtopic.
    Diversity,
    /// Measures of organizations, for one task.
    Organizations(Task),
    /// All in one.
    Joined,
}

impl MatrixSection {
    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            MatrixSection::Rankings => "Rankings",
            MatrixSection::Diversity => "Diversity",
            MatrixSection::Organizations(Task::Clustering) => "Clusterings",
            MatrixSection::Organizations(Task::Filtering) => "Filterings",
            MatrixSection::Organizations(_) => "Organizations",
            MatrixSection::Joined => "Verdicts",
        }
    }

    /// What the letters in its cells mean.
    pub fn legend(self) -> String {
        let printed = "Nc: the printed instance holds, among other documents it is violated. ";
        let among = match self {
            MatrixSection::Organizations(Task::Filtering) => "",
            _ => printed,
        };
        let words = match self {
            MatrixSection::Organizations(Task::Filtering) => NON_INFORMATIVE,
            _ => "",
        };
        format!("{LEGEND}{among}{OTHERS}{words}")
    }
}

/// Metrics by checks. A constraint has one column for both its scopes.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// What kind of metrics the rows are.
    pub section: MatrixSection,
    pub(super) columns: Vec<&'static str>,
    pub(super) rows: Vec<(String, Vec<Letter>)>,
}

/// A cell: what is shown, and what lies behind it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::report) struct Letter {
    /// One mark, two if the verdict depends on how ranks or rankings are taken, none if nothing was
    /// asked.
    marks: Vec<VerdictMark>,
    pub(in crate::report) why: String,
    /// How many documents the largest collections had, of all those that were searched.
    bound: Option<u32>,
    /// The bound is shown beside the mark.
    shows_bound: bool,
}

impl Letter {
    /// Nothing speaks against it, though it may tie.
    pub(super) fn holds(&self) -> bool {
        matches!(self.marks[..], [VerdictMark::Proved | VerdictMark::Searched | VerdictMark::Weak])
    }

    /// A case speaks against it, of rankings that are taken one way at least.
    pub(super) fn is_violated(&self) -> bool {
        use VerdictMark::{Violated, ViolatedInContext, ViolatedInFull};
        matches!(self.marks.first(), Some(Violated | ViolatedInContext | ViolatedInFull))
    }

    /// What is shown.
    pub(in crate::report) fn text(&self) -> String {
        let marks: Vec<&str> = self.marks.iter().map(|mark| mark.text()).collect();
        match self.bound.filter(|_| self.shows_bound) {
            Some(bound) => format!("{} {bound}", marks.join("/")),
            None => marks.join("/"),
        }
    }
}

/// A verdict in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum VerdictMark {
    Proved,
    Searched,
    Violated,
    /// The printed instance holds, but not among other documents.
    ViolatedInContext,
    /// By systems that rank all documents.
    ViolatedInFull,
    Weak,
    Tied,
    Undecided,
    Vacuous,
    NotApplicable,
    /// What becomes of the score of a filtering that knows nothing.
    Behaviour(&'static str),
}

impl VerdictMark {
    fn of<W: Evidence>(verdict: &Verdict<W>) -> VerdictMark {
        match verdict {
            Verdict::Violated { .. } => VerdictMark::Violated,
            Verdict::Weak { .. } => VerdictMark::Weak,
            Verdict::Tied { .. } => VerdictMark::Tied,
            Verdict::Proved { .. } => VerdictMark::Proved,
            Verdict::Searched(_) | Verdict::Sampled { .. } => VerdictMark::Searched,
            Verdict::Undecided(_) => VerdictMark::Undecided,
            Verdict::Vacuous(_) => VerdictMark::Vacuous,
            Verdict::NotApplicable(_) => VerdictMark::NotApplicable,
        }
    }

    fn text(self) -> &'static str {
        match self {
            VerdictMark::Proved => "Y",
            VerdictMark::Searched => "y",
            VerdictMark::Violated => "N",
            VerdictMark::ViolatedInContext => "Nc",
            VerdictMark::ViolatedInFull => "Nf",
            VerdictMark::Weak => "w",
            VerdictMark::Tied => "t",
            VerdictMark::Undecided => "?",
            VerdictMark::Vacuous => "-",
            VerdictMark::NotApplicable => "n/a",
            VerdictMark::Behaviour(word) => word,
        }
    }
}

/// The matrices of all metrics: rankings, diversity, clusterings, filterings. None without rows.
pub fn matrices(
    rankings: &[MetricVerdicts],
    organizations: &[OrganizationVerdicts],
    groups: &[CheckGroup],
) -> Vec<Matrix> {
    // Of diversity there are constraints; all else is asked of other rankings.
    let by_subtopic = |r: &&MetricVerdicts| {
        diversity::applies(&r.metric) && groups.contains(&CheckGroup::Constraint)
    };
    let names = checks(groups).map(|c| c.name());
    let others = rankings.iter().filter(|r| !by_subtopic(r));
    let diverse = rankings.iter().filter(by_subtopic);
    let constraints = diversity::statements().into_iter().map(|(name, _)| name).collect();
    let mut all = vec![
        Matrix::new(MatrixSection::Rankings, others, unique(names)),
        Matrix::new(MatrixSection::Diversity, diverse, constraints),
    ];
    for task in [Task::Clustering, Task::Filtering] {
        let reports = organizations.iter().filter(|r| r.subject.scores(task));
        let names = statements(task, groups).map(|(name, _)| name).collect();
        let mut matrix = Matrix::new(MatrixSection::Organizations(task), reports.clone(), names);
        if task == Task::Filtering && groups.contains(&CheckGroup::Constraint) {
            matrix.columns.push("non-informative");
            for ((_, letters), report) in matrix.rows.iter_mut().zip(reports) {
                let told = report.non_informative.as_ref().map(|n| Letter {
                    marks: vec![VerdictMark::Behaviour(n.behaviour.name())],
                    why: n.text.clone(),
                    ..Letter::default()
                });
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
        section: MatrixSection,
        reports: impl Iterator<Item = &'r R>,
        columns: Vec<&'static str>,
    ) -> Matrix {
        let row = |report: &R| {
            (report.metric(), columns.iter().map(|name| letter(report, name)).collect())
        };
        Matrix { section, rows: reports.map(row).collect(), columns }
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
        Matrix { section: MatrixSection::Joined, columns, rows }
    }

    /// The same with these columns alone, in this order. The error is a name that no column has.
    pub fn select(&self, columns: &[String]) -> Result<Matrix, String> {
        let place = |name: &String| {
            let found = self.columns.iter().position(|column| column == name);
            found.ok_or_else(|| name.clone())
        };
        let places: Vec<usize> = columns.iter().map(place).collect::<Result<_, _>>()?;
        let row = |(name, letters): &(String, Vec<Letter>)| {
            (name.clone(), places.iter().map(|at| letters[*at].clone()).collect())
        };
        Ok(Matrix {
            section: self.section,
            columns: places.iter().map(|at| self.columns[*at]).collect(),
            rows: self.rows.iter().map(row).collect(),
        })
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[&'static str] {
        &self.columns
    }

    /// The same with its rows sorted by the columns from left to right, No before Yes, as the rows
    /// of Moffat's Table 2 are.
    #[must_use]
    pub fn sorted(mut self) -> Matrix {
        self.rows.sort_by_cached_key(|(_, letters)| combination(letters));
        self
    }

    /// The same with one row for metrics that agree in every column, sorted.
    #[must_use]
    pub fn grouped(self) -> Matrix {
        let mut groups: Vec<(String, Vec<Letter>)> = Vec::new();
        for (name, letters) in self.sorted_rows() {
            match groups.last_mut() {
                Some((names, known)) if combination(known) == combination(&letters) => {
                    *names += ", ";
                    *names += &name;
                    for (known, letter) in known.iter_mut().zip(letters) {
                        // Some of them are only searched.
                        if known.marks == [VerdictMark::Proved]
                            && letter.marks == [VerdictMark::Searched]
                        {
                            *known = letter;
                        }
                    }
                }
                _ => groups.push((name, letters)),
            }
        }
        Matrix { section: self.section, columns: self.columns, rows: groups }
    }

    fn sorted_rows(&self) -> Vec<(String, Vec<Letter>)> {
        self.clone().sorted().rows
    }

    /// How many different combinations of answers the rows have.
    pub fn combinations(&self) -> usize {
        let all = self.rows.iter().map(|(_, letters)| combination(letters));
        all.collect::<std::collections::BTreeSet<_>>().len()
    }

    /// How many metrics there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The same with the bounds of each search beside its letter.
    pub(super) fn with_bounds(mut self) -> Matrix {
        for letter in self.rows.iter_mut().flat_map(|(_, letters)| letters) {
            letter.shows_bound = true;
        }
        self
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
                    .chain(letters.iter().map(|l| Cell::text(l.text())))
                    .collect(),
            );
        }
        table.footnotes.push(self.section.legend());
        let letters = || self.rows.iter().flat_map(|(_, letters)| letters);
        let has = |mark: VerdictMark| letters().any(|letter| letter.marks.contains(&mark));
        let by_ranks = |l: &Letter| l.marks.len() > 1 && l.marks[0] != VerdictMark::ViolatedInFull;
        let meant = [
            (letters().any(by_ranks), BOTH),
            (has(VerdictMark::Tied), TIES),
            (has(VerdictMark::ViolatedInFull), FULL),
        ];
        let meant = meant.into_iter().filter(|(met, _)| *met);
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
        let cell = |l: &Letter| format!("<td title=\"{}\">{}</td>", html::escape(&l.why), l.text());
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
        return Letter {
            marks: vec![VerdictMark::of(renumbered), VerdictMark::of(kept)],
            why: format!("renumber: {}; keep: {}", renumbered.reason(), kept.reason()),
            ..Letter::default()
        };
    }
    if let (Some(full), Some(partial)) =
        (report.ranked(name, RankingKind::Full), report.ranked(name, RankingKind::Partial))
    {
        let in_full =
            if full.is_violated() { VerdictMark::ViolatedInFull } else { VerdictMark::of(full) };
        return Letter {
            marks: vec![in_full, VerdictMark::of(partial)],
            why: format!(
                "full rankings: {}; with documents left out: {}",
                full.reason(),
                partial.reason()
            ),
            ..Letter::default()
        };
    }
    let Some(verdict) = report.get(name) else { return Letter::default() };
    let in_context =
        verdict.is_violated() && report.scoped(name, Scope::Printed).is_some_and(Verdict::holds);
    Letter {
        marks: vec![if in_context {
            VerdictMark::ViolatedInContext
        } else {
            VerdictMark::of(verdict)
        }],
        why: verdict.reason(),
        bound: verdict.bounds().filter(|_| verdict.holds()).map(|bounds| bounds.docs),
        shows_bound: false,
    }
}

/// The answers of a row, so that No comes before Yes; how a Yes is known plays no part.
fn combination(letters: &[Letter]) -> Vec<(u8, String)> {
    let answer = |letter: &Letter| match letter.marks[..] {
        [VerdictMark::Proved | VerdictMark::Searched] => (2, String::new()),
        [VerdictMark::Violated] => (0, String::new()),
        _ => (1, letter.text()),
    };
    letters.iter().map(answer).collect()
}

/// The names of the axioms among these checks, in one line; none if none is.
pub(super) fn axiom_titles(names: impl Iterator<Item = &'static str>) -> Option<String> {
    let asked: Vec<&str> = names.collect();
    let titles: Vec<String> = checks(&[CheckGroup::Axiom])
        .filter(|c| asked.contains(&c.name()))
        .filter_map(|c| Some(format!("{} {}", c.name(), c.title()?)))
        .collect();
    (!titles.is_empty())
        .then(|| format!("{}. `explain axiom-1` and so on state them.", titles.join(", ")))
}
