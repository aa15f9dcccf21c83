//! `axio score`: the scores of rankings that are written down, as in papers.

use axiometrics::Error;
use axiometrics::choice::Choice;
use axiometrics::data::Vector;
use axiometrics::policy::{self, BelowEnd, Ties};
use axiometrics::report::VectorsReport;
use axiometrics::score::ranges::Vary;
use axiometrics::score::{Evaluation, Protocol, written};
use axiometrics::warning::{WarningKind, Warnings};

use crate::ExitCode;
use crate::args::{Measures, Output, choice, positive};
use crate::eval::further;
use crate::output;

const DEFAULT_MEASURES: &str = "P@5 AP nDCG@5 RBP(p=0.8)";

const AFTER_HELP: &str = "\
A ranking is the grade of each document from the top. - is an unjudged document, +2 two relevant
documents that were not retrieved (+2:3: of grade 3), and brackets hold documents with equal scores.
Grades of more than one digit stand apart, and grades behind | were not retrieved: '0.7 - 10 | 2'.
All rankings share one scale of grades. If one begins with -, write -- before the rankings.

Examples:
  axio score 11000 10101+2 1-10- -m 'SDCG@5 RBP(p=0.8)'
  axio score 1-10- -m 'P@5 RBP(p=0.8)' --ranges
  axio score 10100 -m 'P@10 RBP(p=0.8)' --ranges --tail none
  axio score '[101]0+1' -m 'AP RR' --ties average";

/// Score rankings that are written down: axio score 11000 -m SDCG@5
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, mut_arg("measures", |arg| arg.default_value(DEFAULT_MEASURES)))]
pub(crate) struct Args {
    /// The rankings
    #[arg(value_name = "RANKING", required = true)]
    rankings: Vec<String>,
    #[command(flatten)]
    measures: Measures,
    /// The lowest and the highest score that any judgement of the unjudged documents could give: of
    /// those retrieved, or of N more in the collection too
    #[arg(long, value_name = "retrieved|collection=N", value_parser = further, num_args = 0..=1, default_missing_value = "retrieved")]
    ranges: Option<u32>,
    /// What stands below the end of a ranking, for --ranges
    #[arg(long, value_parser = choice::<BelowEnd>(), default_value = BelowEnd::default().name(), value_name = "RULE")]
    tail: BelowEnd,
    /// How documents in brackets are ordered
    #[arg(long, value_parser = ["file", "average", "range"], default_value = "file", value_name = "ORDER")]
    ties: String,
    /// The highest grade that judges could give [default: the highest in the rankings, at least 1]
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    max_grade: Option<f64>,
    /// No warnings
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = args.measures.parse()?;
    let rankings: Vec<Vector> =
        args.rankings.iter().map(|text| text.parse()).collect::<axiometrics::Result<_>>()?;
    let ties = Ties::from_name(&args.ties).map_err(Error::from)?;
    if ties == Ties::Range && args.ranges.is_some() {
        return Err(Error::usage(
            "--ranges and --ties range both ask for the low and high of a score",
        )
        .help("ask for them in two calls")
        .into());
    }
    let (qrels, run) = written(&rankings, &metrics, args.max_grade)?;
    let policies = policy::Policies { ties, ..policy::Policies::default() };
    let mut evaluation = Evaluation::under(&policies, &qrels, &metrics);
    evaluation.ranges = args.ranges.map(|further| Vary { further, below: args.tail });
    let mut warnings = Warnings::default();
    let scores = &evaluation.score(&run, &mut warnings)?;
    let protocol =
        &Protocol { tail: args.ranges.map(|_| args.tail), ..Protocol::new(&qrels, &policies) };
    let report =
        VectorsReport { rankings: &rankings, qrels: &qrels, metrics: &metrics, scores, protocol };
    if !args.quiet {
        // The table tells of undefined scores, and whoever writes `-` knows what is unjudged.
        let told = |kind: WarningKind| {
            !matches!(kind, WarningKind::UndefinedScore | WarningKind::UnjudgedDocument)
        };
        output::warnings_of(&warnings, told);
    }
    args.output.report(&report)?;
    Ok(ExitCode::SUCCESS)
}
