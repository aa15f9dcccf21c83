//! The verdicts of checks: the matrices, one metric in detail, a page, HTML, JSON.

mod groups;
mod html;
mod json;
mod matrix;
mod report;
mod table6;

use std::fmt::Write as _;

use super::OutputFormat;
use super::layout::Markup;
use super::markdown::Markdown;
use super::table::{Cell, Column, Style, Table};
use crate::check::organization::{OrganizationVerdicts, statements, worlds as organization_worlds};
use crate::check::{
    CheckGroup, CheckOptions, Evidence, Finding, MetricVerdicts, Scope, StructureOutcome, Verdict,
    Verdicts, checks, diversity, theorem,
};
use crate::choice::Choice;
use crate::organization::Task;
pub use groups::by_group;
pub use html::html;
pub use json::to_json;
#[cfg(feature = "html")]
pub(super) use matrix::letter;
pub use matrix::{Matrix, MatrixSection, matrices};
pub use report::VerdictReport;

/// One metric of rankings: every check with its verdict and the reason.
pub fn detail(report: &MetricVerdicts) -> Table {
    let mut table = findings(report);
    if let StructureOutcome::Refuted(state) = &report.structure {
        table.footnotes.push(format!(
            "the structure that the measure declares is not its own: see {}",
            state.ranking()
        ));
    }
    table.footnotes.extend(report.contradiction());
    if let Some(shown) = demonstration(report) {
        table.footnotes.push(format!(
            "theorem: no metric is monotonic, convergent and realizable. Here: {shown}"
        ));
    }
    table
}

/// The same for a measure of organizations.
pub fn organization_detail(report: &OrganizationVerdicts) -> Table {
    let mut table = findings(report);
    if let Some(told) = &report.non_informative {
        let text = format!(
            "filterings that know nothing, from a tenth kept to nine tenths: {} ({})",
            told.behaviour.name(),
            told.text
        );
        table.footnotes.push(text);
    }
    table
}

fn findings<R: Verdicts>(report: &R) -> Table {
    let versions = report.findings().iter().any(|f| f.version().is_some());
    // Constraints have a scope; the two versions of an axiom stand under the same heading.
    let titles = ["check", "scope", "verdict", "how", "why"];
    let mut table = Table::new(
        titles.into_iter().filter(|t| versions || *t != "scope").map(Column::text).collect(),
    );
    table.caption = Some(report.metric());
    let mut names: Vec<&'static str> = report.findings().iter().map(|f| f.name).collect();
    names.dedup();
    table.footnotes.extend(matrix::axiom_titles(names.into_iter()));
    for f in report.findings() {
        let scope = versions.then(|| Cell::text(f.version().unwrap_or("")));
        let verdict = [
            f.verdict.word().to_string(),
            f.verdict.how().map_or("", Choice::name).to_string(),
            f.reason(),
        ];
        table.push(
            std::iter::once(Cell::text(f.name))
                .chain(scope)
                .chain(verdict.map(Cell::text))
                .collect(),
        );
    }
    table
}

/// The theorem on this metric, if its properties were asked for.
fn demonstration(report: &MetricVerdicts) -> Option<String> {
    report
        .findings
        .iter()
        .any(|f| f.group == CheckGroup::Property)
        .then(|| theorem::demonstrate(&report.metric))?
        .map(|d| d.text)
}

/// All witnesses of a metric, drawn.
pub fn drawings<R: Verdicts>(report: &R) -> String {
    let mut out = String::new();
    for f in report.findings() {
        if let Some(witness) = f.verdict.witness() {
            let scope = f.version().map_or(String::new(), |v| format!(" ({v})"));
            let _ = writeln!(
                out,
                "{}, {}{scope}: {}\n{}",
                report.metric(),
                f.name,
                witness.text(),
                witness.draw()
            );
        }
    }
    out
}

/// A page in Markdown: what is asked, the matrices, and the witness of every No.
pub fn page(
    rankings: &[MetricVerdicts],
    organizations: &[OrganizationVerdicts],
    options: &CheckOptions,
) -> String {
    let what = match options.groups.as_slice() {
        [CheckGroup::Property] => "Numeric properties of the measures",
        [CheckGroup::Constraint] => "Formal constraints on the measures",
        [CheckGroup::Axiom] => "Axioms on the measures",
        _ => "Properties of the measures",
    };
    let mut out = format!(
        "# {what}\n\nMade by `axio check all`; `axio check METRIC` gives the reasons of one metric.\n"
    );
    for matrix in matrices(rankings, organizations, &options.groups) {
        let section = matrix.section;
        let _ = writeln!(out, "\n## {}\n\n{}", section.title(), introduction(section, options));
        out.push_str(
            &matrix.with_bounds().table().render(OutputFormat::Markdown, &Style::default()),
        );
        if options.groups.contains(&CheckGroup::Constraint) {
            out.push_str(&worlds(section));
        }
    }
    if options.groups.contains(&CheckGroup::Constraint) {
        out.push_str(&table6::section(rankings, organizations).unwrap_or_default());
    }
    out.push_str(&conditions(rankings));
    out.push_str("\n## Witnesses\n\n");
    rankings.iter().for_each(|report| out.push_str(&witnesses(report)));
    organizations.iter().for_each(|report| out.push_str(&witnesses(report)));
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// The cases that are searched for each constraint.
fn worlds(section: MatrixSection) -> String {
    let worlds = match section {
        MatrixSection::Organizations(task) => organization_worlds(task),
        MatrixSection::Diversity => diversity::worlds(),
        MatrixSection::Rankings | MatrixSection::Joined => checks(&[CheckGroup::Constraint])
            .filter(|c| c.scope() == Some(Scope::General))
            .map(|c| (c.name(), c.worlds()))
            .collect(),
    };
    let mut table = Table::new(["constraint", "cases that are searched"].map(Column::text).into());
    for (name, cases) in worlds {
        table.push([Cell::text(name), Cell::text(cases)].into());
    }
    let table = table.render(OutputFormat::Markdown, &Style::default());
    match section {
        MatrixSection::Rankings | MatrixSection::Joined => format!(
            "\n{table}\nBoth rankings of a case are of one collection, whose documents are all judged. The printed instance has only the documents that it names: of \
             confidence, any ranking of a collection in which only the appended document was not retrieved.\n"
        ),
        _ => format!("\n{table}"),
    }
}

/// Which measures have what only under a condition.
fn conditions(rankings: &[MetricVerdicts]) -> String {
    let found = rankings.iter().flat_map(|report| {
        let conditional = |f: &Finding| Some((f.name, f.condition?));
        report.findings.iter().filter_map(conditional).map(|(n, c)| (n, c, report.metric()))
    });
    let mut by_condition: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for (name, condition, metric) in found {
        match by_condition.iter_mut().find(|(n, c, _)| (*n, *c) == (name, condition)) {
            Some((.., metrics)) => metrics.push(metric),
            None => by_condition.push((name, condition, vec![metric])),
        }
    }
    let line = |(name, condition, metrics): &(&str, &str, Vec<String>)| {
        format!("\n{} are {name} {}.\n", metrics.join(", "), prose(condition))
    };
    by_condition.iter().map(line).collect()
}

/// What the columns of a matrix ask, and how far to trust them.
fn introduction(section: MatrixSection, options: &CheckOptions) -> String {
    let statements: Vec<(&str, &str)> = match section {
        MatrixSection::Organizations(task) => statements(task, &options.groups).collect(),
        MatrixSection::Diversity => diversity::statements(),
        MatrixSection::Rankings | MatrixSection::Joined => checks(&options.groups)
            .filter(|c| c.scope() != Some(Scope::Printed))
            .map(|c| (c.name(), c.statement()))
            .collect(),
    };
    let mut out: String = statements
        .iter()
        .map(|(name, statement)| format!("- **{name}**: {}\n", prose(statement)))
        .collect();
    match section {
        MatrixSection::Diversity => out.push_str(
            "\nThe first five are asked of topics with one subtopic. The others are searched on all rankings of a few documents that serve some of two or \
             three subtopics; `{a,b}` is a document that serves a and b, and what was not retrieved comes after the bar. Constraints: Amigó, Spina and \
             Carrillo-de-Albornoz (2018).\n",
        ),
        MatrixSection::Rankings | MatrixSection::Joined
            if options.groups == [CheckGroup::Axiom] => out.push_str(
            "\nA Yes that is not proved is as good as its bounds, which `axio check METRIC --only axioms` tells for each axiom: all judgements and systems on three to five \
             documents, then random ones of up to eight, or of two more than a cutoff lets through. In a system's ranking `-` is a document that was left out.\n",
        ),
        MatrixSection::Rankings | MatrixSection::Joined => {
            out.push_str(
                "\nA Yes that is not proved is as good as its bounds, which stand beside it: all \
                 collections of up to so many documents, and some longer rankings. A cutoff is \
                 ignored for properties: they speak of every depth k. A ranking is written \
                 `top k|rest`.\n",
            );
            if options.groups.contains(&CheckGroup::Property) {
                let _ = writeln!(out, "\nNo row can have all seven: {}.", prose(theorem::STATEMENT));
            }
        }
        MatrixSection::Organizations(Task::Filtering) => out.push_str(
            "- **non-informative**: what becomes of the score of an output that keeps the same share of relevant and irrelevant documents when that share grows; neither good nor bad\n\
             \nAll collections of up to ten documents are looked at. Kept documents stand before the bar.\n",
        ),
        MatrixSection::Organizations(_) => {
            if options.groups.contains(&CheckGroup::Constraint) {
                out.push_str(
                    "\nDocuments are named after their class in the gold standard. No verdict is proved: small contexts are all looked at, larger ones are drawn at random.\n",
                );
            }
            if options.groups.contains(&CheckGroup::Property) {
                out.push_str(
                    "\nProperties of a similarity of two clusterings: Gösgens, Tikhonov and Prokhorenkova (2021). All pairs of clusterings of up to five documents are \
                     looked at, for monotonicity larger ones too.\n",
                );
            }
            out.push_str("\nReliability and Sensitivity are checked with a tail and in a closed collection (finite).\n");
        }
    }
    out
}

/// A bar means something in tables only.
fn prose(text: &str) -> String {
    Markdown.escape(text).replace("\\|", "|")
}

fn witnesses<R: Verdicts>(report: &R) -> String {
    // The general scope includes the printed one; a failure is told once.
    let told = |f: &Finding<R::Witness>| {
        f.scope == Some(Scope::General)
            && report.scoped(f.name, Scope::Printed).is_some_and(Verdict::is_violated)
    };
    let shown = report.findings().iter().filter(|f| f.verdict.witness().is_some() && !told(f));
    let name = |f: &Finding<R::Witness>| {
        let version = f.restrict.map(Choice::name).or(f.rankings.map(Choice::name));
        version.map_or(f.name.to_string(), |v| format!("{} ({v})", f.name))
    };
    let mut lines: Vec<String> =
        shown.map(|f| format!("- {}: {}", name(f), prose(&f.verdict.reason()))).collect();
    if let Some(Verdict::NotApplicable(why)) = report.findings().first().map(|f| &f.verdict) {
        lines.push(format!("- n/a: {}", prose(why)));
    }
    if lines.is_empty() {
        String::new()
    } else {
        format!("**{}**\n\n{}\n\n", prose(&report.metric()), lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::organization::{all_subjects, run_all as run_organizations};
    use crate::check::{all_metrics, run, run_all};
    use serde_json::json;

    fn asking(group: CheckGroup) -> CheckOptions {
        CheckOptions { groups: vec![group], ..CheckOptions::default() }
    }

    #[test]
    fn the_docs_are_current() {
        for (file, options) in [
            ("properties.md", asking(CheckGroup::Property)),
            ("constraints.md", asking(CheckGroup::Constraint)),
        ] {
            let path =
                std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(file);
            let made = page(
                &run_all(&all_metrics(), &options),
                &run_organizations(&all_subjects(), &options),
                &options,
            );
            if std::env::var_os("UPDATE_DOCS").is_some() {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(&path, &made).unwrap();
            }
            let kept = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(kept == made, "docs/{file} is out of date: run the tests with UPDATE_DOCS=1");
        }
    }

    #[test]
    fn json_has_the_schema() {
        let report = run(&"P@5".parse().unwrap(), &CheckOptions::default());
        let purity = run_organizations(
            &crate::check::organization::subjects("purity"),
            &CheckOptions::default(),
        );
        let json = to_json(std::slice::from_ref(&report), &purity);
        let verdicts = json["metrics"][0]["verdicts"].as_array().unwrap();
        assert_eq!(json["metrics"][0]["metric"], "P@5");
        assert_eq!(verdicts[0]["name"], "bounded");
        assert_eq!(
            (&verdicts[0]["verdict"], &verdicts[0]["how"]),
            (&json!("holds"), &json!("proved"))
        );
        assert_eq!(
            verdicts[1]["witness"]["states"],
            json!([{"gains":[1.0,0.0],"k":1,"score":1.0},{"gains":[1.0,0.0],"k":2,"score":0.5}])
        );
        assert_eq!(
            (&verdicts[7]["group"], &verdicts[7]["scope"]),
            (&json!("constraint"), &json!("printed"))
        );
        let of_clustering = json["metrics"][1]["verdicts"].as_array().unwrap();
        let rag_bag = of_clustering.iter().find(|v| v["name"] == "rag-bag").unwrap();
        assert_eq!(
            (&rag_bag["group"], &rag_bag["name"], &rag_bag["scope"]),
            (&json!("constraint"), &json!("rag-bag"), &json!("printed"))
        );
        assert_eq!(rag_bag["witness"]["states"][0]["system"], json!("{a1 a2 a3 a4} {b1 c1 d1 e1}"));
    }

    #[test]
    fn the_matrix_marks_what_fails_in_context_only() {
        let options = CheckOptions::default();
        let reports = run_all(&["RR", "AP"].map(|m| m.parse().unwrap()), &options);
        let all = matrices(&reports, &[], &options.groups);
        let text = all[0].table().render(OutputFormat::Csv, &Style::default());
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(
            rows[0],
            "metric,bounded,monotonic,convergent,top-weighted,localized,complete,realizable,priority,deepness,deepness-threshold,closeness-threshold,confidence"
        );
        assert_eq!(rows[1], "RR,Y,Y,N,N,Y,Y,Y,Nc,Nc,Y,N,N");
        assert_eq!(rows[2], "AP,Y,Y,Y,Y,N,N,N,Y,Nc,N,y,N");
    }

    #[test]
    fn one_row_for_a_measure_of_several_tasks() {
        let options = asking(CheckGroup::Constraint);
        let reports = run_organizations(&crate::check::organization::subjects("F"), &options);
        let joined = Matrix::joined(matrices(&[], &reports, &options.groups)).table();
        assert_eq!((joined.rows.len(), joined.columns.len()), (2, 7));
    }

    #[test]
    fn html_tells_why() {
        let options = asking(CheckGroup::Constraint);
        let page = html(
            &[],
            &run_organizations(&crate::check::organization::subjects("purity"), &options),
            &options.groups,
        );
        assert!(
            page.starts_with("<!doctype html>") && page.contains("<h2>Clusterings</h2>"),
            "{page}"
        );
        assert!(page.contains("<td title=\"against {a1 a2}, {a1 a2} scores 1, no better than a1 a2 with 1\">N</td>"), "{page}");
    }
}
