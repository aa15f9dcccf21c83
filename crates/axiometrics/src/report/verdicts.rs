//! The verdicts of checks: the matrix, one metric in detail, a page, JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::layout::Markup;
use super::markdown::Markdown;
use super::table::{Cell, Column, Dialect, Style, Table};
use crate::check::{Check, Declaration, Finding, Group, Options, Report, Scope, State, Verdict, checks, theorem};

/// What the letters of a matrix mean.
pub const LEGEND: &str = "Y: proved for every size. y: no case against it within the bounds of the search. N: violated, with a witness. \
Nc: the printed instance holds, among other documents it is violated. w: never reversed, sometimes tied. -: no case decides. n/a: makes no sense for this metric.";

/// Metrics by checks. A constraint has one column for both its scopes.
pub fn matrix(reports: &[Report], groups: &[Group]) -> Table {
    let names = columns(groups);
    let mut table = Table::new(std::iter::once("metric").chain(names.iter().copied()).map(Column::text).collect());
    for report in reports {
        let cells = names.iter().map(|name| Cell::text(summary(report, name).0));
        table.push(std::iter::once(Cell::text(report.metric.to_string())).chain(cells).collect());
    }
    table.footnotes.push(LEGEND.to_string());
    table
}

fn columns(groups: &[Group]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = checks(groups).map(|c| c.name()).collect();
    names.dedup();
    names
}

/// The letter for a check of either scope, and the reason.
fn summary(report: &Report, name: &str) -> (&'static str, String) {
    let Some(verdict) = report.get(name) else { return ("", String::new()) };
    let in_context = verdict.is_violated() && report.scoped(name, Scope::Printed).is_some_and(Verdict::holds);
    (if in_context { "Nc" } else { letter(verdict) }, verdict.reason())
}

fn letter(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Violated { .. } => "N",
        Verdict::Weak { .. } => "w",
        Verdict::Proved { .. } => "Y",
        Verdict::Searched(_) | Verdict::Sampled { .. } => "y",
        Verdict::Vacuous(_) => "-",
        Verdict::NotApplicable(_) => "n/a",
    }
}

/// One metric: every check with its verdict and the reason.
pub fn detail(report: &Report) -> Table {
    let scoped = report.findings.iter().any(|f| f.scope.is_some());
    let titles = ["check", "scope", "verdict", "how", "why"].into_iter().filter(|t| scoped || *t != "scope");
    let mut table = Table::new(titles.map(Column::text).collect());
    for f in &report.findings {
        let scope = scoped.then(|| f.scope.map_or("", Scope::word));
        let texts = [Some(f.name), scope, Some(f.verdict.word()), Some(f.verdict.how().unwrap_or(""))];
        let mut cells: Vec<Cell> = texts.into_iter().flatten().map(Cell::text).collect();
        cells.push(Cell::text(f.verdict.reason()));
        table.push(cells);
    }
    if let Declaration::Refuted(state) = &report.structure {
        table.footnotes.push(format!("the structure that the measure declares is not its own: see {}", state.ranking()));
    }
    if let Some(shown) = demonstration(report) {
        table.footnotes.push(format!("theorem: no metric is monotonic, convergent and realizable. Here: {shown}"));
    }
    table
}

/// The theorem on this metric, where its properties were asked for.
fn demonstration(report: &Report) -> Option<String> {
    report.findings.iter().any(|f| f.group == Group::Property).then(|| theorem::demonstrate(&report.metric))?.map(|d| d.text)
}

/// All witnesses of a metric, drawn.
pub fn drawings(report: &Report) -> String {
    let mut out = String::new();
    for f in &report.findings {
        if let Some(witness) = f.verdict.witness() {
            let scope = f.scope.map_or(String::new(), |s| format!(" ({})", s.word()));
            let _ = writeln!(out, "{}, {}{scope}: {}\n{}", report.metric, f.name, witness.text, witness.draw());
        }
    }
    out
}

/// A page in Markdown: what is asked, the matrix, and the witness of every No.
pub fn page(reports: &[Report], options: &Options) -> String {
    let what = match options.groups.as_slice() {
        [Group::Property] => "Numeric properties of the measures",
        [Group::Constraint] => "Formal constraints on the measures",
        [Group::Axiom] => "Axioms on the measures",
        _ => "Properties of the measures",
    };
    // A bar means something in tables only.
    let md = |text: &str| Markdown.escape(text).replace("\\|", "|");
    let mut out = format!(
        "# {what}\n\nMade by `axio check all`; `axio check METRIC` gives the reasons of one metric. A metric has the property when:\n\n"
    );
    let mut seen: Vec<&str> = Vec::new();
    for check in checks(&options.groups).filter(|c: &&dyn Check| c.scope() != Some(Scope::Printed)) {
        seen.push(check.name());
        let _ = writeln!(out, "- **{}**: {}", check.name(), md(check.statement()));
    }
    let _ = writeln!(
        out,
        "\nA Yes that is not proved is as good as its bounds: all collections of up to {} documents. A cutoff is ignored for properties: they speak of every depth k. \
         A ranking is written `top k|rest`.",
        options.max_docs
    );
    if options.groups.contains(&Group::Property) {
        let _ = writeln!(out, "\nNo row can have all seven: {}.", md(theorem::STATEMENT));
    }
    let _ = writeln!(out, "\n{}\n## Witnesses\n", matrix(reports, &options.groups).render(Dialect::Markdown, &Style::default()));
    for report in reports {
        let mut lines: Vec<String> = Vec::new();
        for f in &report.findings {
            // The general scope includes the printed one; a failure is told once.
            let told = f.scope == Some(Scope::General) && report.scoped(f.name, Scope::Printed).is_some_and(Verdict::is_violated);
            if f.verdict.is_violated() && !told {
                lines.push(format!("- {}: {}", f.name, md(&f.verdict.reason())));
            }
        }
        if let Some(Verdict::NotApplicable(why)) = report.findings.first().map(|f| &f.verdict) {
            lines.push(format!("- n/a: {}", md(why)));
        }
        if !lines.is_empty() {
            let _ = writeln!(out, "**{}**\n\n{}\n", md(&report.metric.to_string()), lines.join("\n"));
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// A self-contained page in HTML: the matrix, with the reason behind each cell, and the witnesses drawn.
pub fn html(reports: &[Report], groups: &[Group]) -> String {
    let mut out = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Verdicts</title>\n<style>\
body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:center}\
td:first-child,th:first-child{text-align:left}</style>\n</head>\n<body>\n<h1>Verdicts</h1>\n",
    );
    let names = columns(groups);
    let heads: String = std::iter::once(&"metric").chain(&names).map(|name| format!("<th>{name}</th>")).collect();
    let _ = writeln!(out, "<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>");
    for report in reports {
        let cells =
            names.iter().map(|name| summary(report, name)).map(|(letter, why)| format!("<td title=\"{}\">{letter}</td>", escape(&why)));
        let _ = writeln!(out, "<tr><td>{}</td>{}</tr>", escape(&report.metric.to_string()), cells.collect::<String>());
    }
    let _ = writeln!(out, "</tbody>\n</table>\n<p>{}</p>", escape(LEGEND));
    for report in reports {
        let drawn = drawings(report);
        if !drawn.is_empty() {
            let metric = report.metric.to_string();
            let _ = writeln!(out, "<details><summary>{}</summary>\n<pre>{}</pre>\n</details>", escape(&metric), escape(&drawn));
        }
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// A text that HTML reads as a text.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The stable schema of `axio check --format json`.
pub fn to_json(reports: &[Report]) -> Value {
    let metrics: Vec<Value> = reports.iter().map(report_json).collect();
    json!({ "metrics": metrics })
}

fn report_json(report: &Report) -> Value {
    let structure = match &report.structure {
        Declaration::Absent => "absent",
        Declaration::Verified(_) => "verified",
        Declaration::Refuted(_) => "refuted",
    };
    json!({
        "metric": report.metric.to_string(),
        "structure": structure,
        "verdicts": report.findings.iter().map(finding_json).collect::<Vec<_>>(),
        "theorem": demonstration(report),
    })
}

fn finding_json(f: &Finding) -> Value {
    let mut out = json!({ "group": f.group.word(), "name": f.name });
    if let Some(scope) = f.scope {
        out["scope"] = scope.word().into();
    }
    out["verdict"] = f.verdict.word().into();
    out["how"] = f.verdict.how().into();
    out["rule"] = f.verdict.rule().into();
    out["bounds"] = f.verdict.bounds().map_or(Value::Null, |b| {
        json!({
            "max_docs": b.docs,
            "gains": b.gains,
            "cases": b.cases,
            "skipped": b.skipped,
            "arithmetic": b.arithmetic.describe(),
            "note": b.note,
        })
    });
    if let Verdict::Sampled { trials, seed, .. } = &f.verdict {
        out["bounds"]["trials"] = (*trials).into();
        out["bounds"]["seed"] = (*seed).into();
    }
    if let Verdict::NotApplicable(why) = &f.verdict {
        out["reason"] = why.as_str().into();
    }
    let state = |s: &State| json!({ "gains": s.gains, "k": s.k, "score": s.score });
    out["witness"] = f.verdict.witness().map_or(
        Value::Null,
        |w| json!({ "states": w.states.iter().map(state).collect::<Vec<_>>(), "text": w.text, "max_grade": w.max_grade }),
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{all_metrics, run, run_all};

    fn properties() -> Options {
        Options { groups: vec![Group::Property], ..Options::default() }
    }

    #[test]
    fn the_docs_are_current() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/properties.md");
        let made = page(&run_all(&all_metrics(), &properties()), &properties());
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &made).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == made, "docs/properties.md is out of date: run the tests with UPDATE_DOCS=1");
    }

    #[test]
    fn json_has_the_schema() {
        let report = run(&"P@5".parse().unwrap(), &Options::default());
        let json = to_json(std::slice::from_ref(&report));
        let verdicts = json["metrics"][0]["verdicts"].as_array().unwrap();
        assert_eq!(json["metrics"][0]["metric"], "P@5");
        assert_eq!(verdicts[0]["name"], "bounded");
        assert_eq!((&verdicts[0]["verdict"], &verdicts[0]["how"]), (&json!("holds"), &json!("proved")));
        assert_eq!(verdicts[1]["witness"]["states"], json!([{"gains":[1.0,0.0],"k":1,"score":1.0},{"gains":[1.0,0.0],"k":2,"score":0.5}]));
        assert_eq!((&verdicts[7]["group"], &verdicts[7]["scope"]), (&json!("constraint"), &json!("printed")));
    }

    #[test]
    fn html_is_one_page_with_the_reasons_behind_the_cells() {
        let report = run(&"RBP".parse().unwrap(), &properties());
        let page = html(std::slice::from_ref(&report), &[Group::Property]);
        assert!(
            page.contains("<td title=\"the best ranking of its collection at k = 1, 1|, scores 0.2, below the 0.36 of 11|\">N</td>"),
            "{page}"
        );
        assert!(page.contains("<pre>RBP, realizable: "), "{page}");
        assert_eq!(escape("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
    }

    #[test]
    fn the_matrix_marks_what_fails_in_context_only() {
        let options = Options::default();
        let reports = run_all(&["RR", "AP"].map(|m| m.parse().unwrap()), &options);
        let text = matrix(&reports, &options.groups).render(Dialect::Csv, &Style::default());
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(
            rows[0],
            "metric,bounded,monotonic,convergent,top-weighted,localized,complete,realizable,priority,deepness,deepness-threshold,closeness-threshold,confidence"
        );
        assert_eq!(rows[1], "RR,Y,Y,N,N,Y,Y,Y,Nc,Nc,Y,N,N");
        assert_eq!(rows[2], "AP,Y,Y,Y,Y,N,N,N,Y,Nc,N,y,N");
    }
}
