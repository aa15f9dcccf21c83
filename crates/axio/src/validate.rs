//! `axio validate`: the linter's findings, for people and for programs.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use axiometrics::io::{Content, Facet, Format, Source};
use axiometrics::validate::{Lint, Options, Report};
use clap::ValueEnum;

use crate::convert::{contents, facets, formats, recognise};
use crate::output;

const AFTER_HELP: &str = "\
Examples:
  axio validate examples/web/qrels.txt examples/web/bm25.run
  axio validate examples/web/*.run --format json";

/// Check runs and judgements for what their authors may not have meant
///
/// Looks for malformed lines, NaN, repeated documents, ties, ranks that contradict scores, grades
/// out of range, topics without relevant documents, topics missing on one side, and unjudged
/// documents in the top ten. What a file holds is recognised by its content; runs are compared with
/// the first judgements among the files.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Judgements and runs; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The judgements that runs are compared with; otherwise the first among the files
    #[arg(long)]
    qrels: Option<PathBuf>,
    /// The format of the files; otherwise it is recognised by content
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    from: Option<Format>,
    /// What the files hold; otherwise it is recognised by content
    #[arg(long = "as", value_name = "KIND", value_parser = contents())]
    content: Option<Content>,
    /// The second key of judgements: `stratum` is for files whose grade is the fifth column
    #[arg(long, value_name = "KEY", value_parser = facets())]
    facet: Option<Facet>,
    /// The highest grade that is meant
    #[arg(long, value_name = "GRADE", default_value_t = 10.0)]
    max_grade: f64,
    /// Print all findings, not only the first five of a kind and file
    #[arg(long)]
    all: bool,
    /// How to print the findings
    #[arg(long, value_enum, default_value_t = Layout::Text)]
    format: Layout,
    /// Exit with code 1 if there is a finding
    #[arg(long, value_name = "WHAT")]
    fail_on: Option<FailOn>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Layout {
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Warning,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let sources: Vec<Source> =
        args.files.iter().map(Source::open).collect::<axiometrics::Result<_>>()?;
    let kinds: Vec<(Content, Format)> = sources
        .iter()
        .map(|s| recognise(s, args.content, args.from))
        .collect::<axiometrics::Result<_>>()?;
    let shown = if args.all { usize::MAX } else { Options::default().shown };
    let facet = args.facet.unwrap_or_default();
    let read = |source: &Source, (content, format): (Content, Format)| {
        Lint::read(source, content, format, facet, shown)
    };
    // The judgements among the files are read once, for themselves and for the runs.
    let runs = kinds.iter().any(|(content, _)| *content == Content::Run);
    let among = kinds.iter().position(|(content, _)| *content == Content::Qrels);
    let among = among.filter(|_| runs && args.qrels.is_none());
    let mut judgements = among.map(|at| read(&sources[at], kinds[at])).transpose()?;
    let qrels = match (&args.qrels, &judgements) {
        (Some(path), _) => {
            let source = Source::open(path)?;
            let kind = recognise(&source, Some(Content::Qrels), None)?;
            Some(read(&source, kind)?.qrels()?)
        }
        (None, Some(judgements)) => Some(judgements.qrels()?),
        (None, None) => None,
    };
    let mut reports: Vec<Report> = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let known = if among == Some(at) { judgements.take() } else { None };
        let lint = known.map_or_else(|| read(source, kinds[at]), Ok)?;
        reports.push(lint.check(qrels.as_ref(), args.max_grade));
    }
    let text = match args.format {
        Layout::Text => reports.iter().map(text).collect(),
        Layout::Json => {
            serde_json::to_string_pretty(&serde_json::json!({ "files": reports }))? + "\n"
        }
    };
    output::stdout(text.as_bytes())?;
    let failed =
        args.fail_on == Some(FailOn::Warning) && reports.iter().any(|r| !r.findings.is_empty());
    Ok(if failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    for found in report.findings.iter() {
        for finding in &found.instances {
            let line = finding.line.map_or(String::new(), |line| format!(":{line}"));
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "{}{line}: warning: {} (help: {})",
                report.file, finding.message, found.help
            );
        }
        let more = found.count - found.instances.len() as u64;
        if more > 0 {
            let _ = writeln!(
                text,
                "{}: warning: {more} more of {} (help: see them with --all)",
                report.file,
                found.check.name()
            );
        }
    }
    text + &summary(report)
}

fn summary(report: &Report) -> String {
    let rows = if report.kind == "run" { "document" } else { "judgement" };
    let (topics, rows) =
        (counted(report.topics as u64, "topic"), counted(report.rows as u64, rows));
    let mut text =
        format!("{}: {} ({}), {topics}, {rows}", report.file, report.kind, report.format);
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
