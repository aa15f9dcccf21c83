//! The verdicts as a self-contained page in HTML: the matrices, with the reason behind each cell,
//! and the witnesses drawn.

use std::fmt::Write as _;

use super::{drawings, matrices};
use crate::check::organization::OrganizationVerdicts;
use crate::check::{CheckGroup, MetricVerdicts};
pub(super) use crate::report::webpage::escape;

/// The page.
pub fn html(
    rankings: &[MetricVerdicts],
    organizations: &[OrganizationVerdicts],
    groups: &[CheckGroup],
) -> String {
    let mut out = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Verdicts</title>\n<style>\
body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:center}\
td:first-child,th:first-child{text-align:left}</style>\n</head>\n<body>\n<h1>Verdicts</h1>\n",
    );
    for matrix in matrices(rankings, organizations, groups) {
        let legend = escape(&matrix.section.legend());
        let _ = write!(out, "<h2>{}</h2>\n{}", matrix.section.title(), matrix.html());
        let _ = writeln!(out, "<p>{legend}</p>");
    }
    let drawn = rankings.iter().map(|r| (r.metric.to_string(), drawings(r)));
    let drawn = drawn.chain(organizations.iter().map(|r| (r.subject.to_string(), drawings(r))));
    for (metric, drawing) in drawn.filter(|(_, drawing)| !drawing.is_empty()) {
        let _ = writeln!(
            out,
            "<details><summary>{}</summary>\n<pre>{}</pre>\n</details>",
            escape(&metric),
            escape(&drawing)
        );
    }
    out.push_str("</body>\n</html>\n");
    out
}
