//! What a linter found in files, in every format.

use std::fmt::Write;

use serde::Serialize;

use super::format::OutputFormat;
use super::model::Report;
use super::safe::safe;
use super::table::{Cell, Column, Style, Table};
use crate::choice::Choice;
use crate::io::Content;
use crate::remedy::{Remedy, Setting};
use crate::validate::Validation;

/// The findings in several files.
#[derive(Debug, Clone, Serialize)]
pub struct ValidationReport {
    /// File by file.
    pub files: Vec<Validation>,
}

impl ValidationReport {
    /// True if nothing was found in any file.
    pub fn is_empty(&self) -> bool {
        self.files.iter().all(|file| file.findings.is_empty())
    }

    fn findings(&self, help: impl Fn(&Remedy) -> String) -> Table {
        let mut table = Table::new(vec![
            Column::text("file"),
            Column::number("line").exact(),
            Column::text("check"),
            Column::text("finding"),
            Column::text("help"),
        ]);
        for file in &self.files {
            for found in file.findings.iter() {
                for finding in &found.instances {
                    table.push(vec![
                        Cell::text(&file.file),
                        Cell::number(finding.line.map(|line| line as f64)),
                        Cell::text(found.check.name()),
                        Cell::text(&finding.message),
                        Cell::text(help(&found.help)),
                    ]);
                }
            }
        }
        table
    }
}

impl Report for ValidationReport {
    fn tables(&self, style: &Style) -> Vec<Table> {
        let mut findings = self.findings(|help| help.worded(style.voice));
        findings.caption = Some("Findings".to_string());
        let texts = ["file", "kind", "format"].map(Column::text);
        let counts = ["topics", "rows", "findings"].map(|title| Column::number(title).exact());
        let mut files = Table::new(texts.into_iter().chain(counts).collect());
        for file in &self.files {
            let texts = [file.file.as_str(), file.kind.name(), file.format.name()].map(Cell::text);
            let counts = [file.topics as f64, file.rows as f64, file.findings.total() as f64];
            files.push(texts.into_iter().chain(counts.map(Cell::number)).collect());
        }
        files.caption = Some("Files".to_string());
        if findings.rows.is_empty() { vec![files] } else { vec![findings, files] }
    }

    fn rows(&self) -> Table {
        self.findings(Remedy::to_string)
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        self
    }

    /// On a terminal a line per finding, as compilers have it, and one per file.
    fn own_form(&self, format: OutputFormat, style: &Style) -> Option<String> {
        let lines = || self.files.iter().map(|file| lines(file, style)).collect();
        (format == OutputFormat::Table).then(lines)
    }
}

fn lines(report: &Validation, style: &Style) -> String {
    let mut text = String::new();
    let file = safe(&report.file);
    for found in report.findings.iter() {
        for finding in &found.instances {
            let line = finding.line.map_or(String::new(), |line| format!(":{line}"));
            let (message, help) = (safe(&finding.message), found.help.worded(style.voice));
            // Writing to a string does not fail.
            let _ = writeln!(text, "{file}{line}: warning: {message} (help: {help})");
        }
        let more = found.count - found.instances.len() as u64;
        if more > 0 {
            let all = style.voice.setting(Setting::Named("all"));
            let check = found.check.name();
            let _ = writeln!(
                text,
                "{file}: warning: {more} more of {check} (help: see them with {all})"
            );
        }
    }
    text + &summary(report)
}

fn summary(report: &Validation) -> String {
    let rows = match report.kind {
        Content::Run => "document",
        Content::Qrels => "judgement",
    };
    let (topics, rows) =
        (counted(report.topics as u64, "topic"), counted(report.rows as u64, rows));
    let file = safe(&report.file);
    let mut text = format!("{file}: {} ({}), {topics}, {rows}", report.kind, report.format);
    if let Some(share) = report.unjudged_in_top_10 {
        let _ = write!(text, ", {:.1}% of the top 10 unjudged", 100.0 * share);
    }
    let kinds: Vec<String> =
        report.findings.iter().map(|f| format!("{} {}", f.count, f.check.name())).collect();
    let _ = match report.findings.total() {
        0 => writeln!(text, ": no findings"),
        n => writeln!(text, ": {} ({})", counted(n, "finding"), kinds.join(", ")),
    };
    text
}

fn counted(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
