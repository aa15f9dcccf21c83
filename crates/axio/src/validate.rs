//! `axio validate`: the linter's findings, for people and for programs.

use std::path::PathBuf;

use anyhow::Result;
use axiometrics::io::{Content, Facet, Format, Source};
use axiometrics::report::validation::ValidationReport;
use axiometrics::validate::{Lint, LintOptions};
use clap::ValueEnum;

use crate::ExitCode;
use crate::args::{Output, choice};
use crate::convert::{facets, formats, recognise};
use crate::shell;

const AFTER_HELP: &str = "\
Examples:
  axio validate examples/web/qrels.txt examples/web/bm25.run
  axio validate examples/web/*.run --format json";

/// Check runs and judgements for what their authors may not have meant
///
/// Looks for malformed lines, NaN, repeated documents, ties, ranks that contradict scores, grades
/// out of range, topics without relevant documents, topics missing on one side, unjudged documents
/// in the top ten, and with --cutoff rankings that end above it. What a file holds is recognised by its content; runs are compared with
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
    #[arg(long = "as", value_name = "KIND", value_parser = choice::<Content>())]
    content: Option<Content>,
    /// The second key of judgements: `stratum` is for files whose grade is the fifth column
    #[arg(long, value_name = "KEY", value_parser = facets())]
    facet: Option<Facet>,
    /// The highest grade that is meant
    #[arg(long, value_name = "GRADE", default_value_t = 10.0)]
    max_grade: f64,
    /// Rankings with fewer documents than this are found, as for a measure at that cutoff
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    cutoff: Option<u32>,
    /// Print all findings, not only the first five of a kind and file
    #[arg(long)]
    all: bool,
    /// Exit with code 1 if there is a finding
    #[arg(long, value_name = "WHAT")]
    fail_on: Option<FailOn>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    _pipes: crate::args::Pipes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Warning,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let sources: Vec<Source> =
        args.files.iter().map(shell::open).collect::<axiometrics::Result<_>>()?;
    let kinds: Vec<(Content, Format)> = sources
        .iter()
        .map(|s| recognise(s, args.content, args.from))
        .collect::<axiometrics::Result<_>>()?;
    let shown = if args.all { usize::MAX } else { LintOptions::default().shown };
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
            let source = shell::open(path)?;
            let kind = recognise(&source, Some(Content::Qrels), None)?;
            Some(read(&source, kind)?.qrels()?)
        }
        (None, Some(judgements)) => Some(judgements.qrels()?),
        (None, None) => None,
    };
    let mut report = ValidationReport { files: Vec::new() };
    for (at, source) in sources.iter().enumerate() {
        let known = if among == Some(at) { judgements.take() } else { None };
        let lint = known.map_or_else(|| read(source, kinds[at]), Ok)?;
        report.files.push(lint.check(&LintOptions {
            qrels: qrels.as_ref(),
            max_grade: args.max_grade,
            cutoff: args.cutoff,
            ..LintOptions::default()
        }));
    }
    args.output.report(&report)?;
    let failed = args.fail_on == Some(FailOn::Warning) && !report.is_empty();
    Ok(if failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
