//! `axio explain`: what a measure is, and how it comes to its score of one ranking.

use std::path::PathBuf;

use axiometrics::Error;
use axiometrics::align::Policy;
use axiometrics::beyond::Beyond;
use axiometrics::check;
use axiometrics::component::Component;
use axiometrics::data::{Needs, Qrels, Run, Vector};
use axiometrics::effort::Effort;
use axiometrics::io;
use axiometrics::measure::{Metric, definitions};
use axiometrics::organization;
use axiometrics::policy::Ties;
use axiometrics::report::explanation::{
    AnatomyReport, AxiomLogicReport, BreakdownReport, Explanation, ScalesReport,
};
use axiometrics::score::breakdown::Breakdown;
use axiometrics::score::{self, Anatomy, Protocol};
use axiometrics::session::{SessionMeasure, parse_session_measures};
use axiometrics::warning::Warnings;

use crate::ExitCode;
use crate::args::{Label, Output, Policies};
use crate::{output, runs};

const AFTER_HELP: &str = "\
Examples:
  axio explain nDCG@10
  axio explain RBP --format json
  axio explain bcubed_f
  axio explain organize:R
  axio explain 'CWL(c=\"((i+1)/(i+2))^2\")'
  axio explain components/ap.toml
  axio explain scales
  axio explain axiom-8
  axio explain axioms
  axio explain 'RBP(p=0.5)' --ranking 1-10-
  axio explain AP@5 examples/web/qrels.txt examples/web/bm25.run --topic 201
  axio explain components/ap.toml examples/web/qrels.txt examples/web/bm25.run --topic 201";

/// Explain a measure: definition, range, user model, a worked example, how other tools differ; or
/// its score of one topic, document by document
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The measure, in any spelling, a file (`my.toml`), a measure of organizations (`bcubed_f`,
    /// `organize:R`), a property, a constraint or an axiom (`convergent`, `axiom-8`), `axioms`: what
    /// follows from them alone, or `scales`: the scales of measurement and where similarity can be
    /// defined
    metric: String,
    /// The judgements, to take a score apart
    #[arg(value_name = "QRELS", requires = "run")]
    qrels: Option<PathBuf>,
    /// The run
    #[arg(value_name = "RUN", requires = "topic")]
    run: Option<PathBuf>,
    /// The topic whose score is taken apart
    #[arg(long, value_name = "TOPIC", requires = "run")]
    topic: Option<String>,
    /// Takes the score of a written ranking apart, such as 1-10-+2: the grade of each document from
    /// the top, - for an unjudged one, +2 for relevant ones that were not retrieved
    #[arg(long, value_name = "RANKING", conflicts_with_all = ["qrels", "topic"], allow_hyphen_values = true)]
    ranking: Option<String>,
    /// No warnings
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    _pipes: crate::args::Pipes,
}

/// The prefix of measures of organizations, some of which share their names with measures of
/// rankings.
const ORGANIZE: &str = "organize:";

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.policies.inputs.label == Label::Tag {
        return Err(Error::usage("--label names runs, and an explanation names none")
            .help("leave --label out")
            .into());
    }
    if let (Some(qrels), Some(run), Some(topic)) = (&args.qrels, &args.run, &args.topic) {
        taken_apart(args, &one(&args.policies.inputs.labelled(&args.metric))?, qrels, run, topic)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(ranking) = &args.ranking {
        written(args, &one(&args.policies.inputs.labelled(&args.metric))?, ranking)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.metric == "axioms" {
        args.output.report(&AxiomLogicReport::default())?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.metric == "scales" {
        args.output.report(&ScalesReport)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(check) = check::check_named(&args.metric) {
        args.output.report(&Explanation::Check(check))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(name) = args.metric.strip_prefix(ORGANIZE) {
        let measure = organization::measure(name).ok_or_else(|| unknown(name))?;
        args.output.report(&Explanation::Organization(measure.definition()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let bare = args.metric.split('@').next().unwrap_or_default();
    if let Some(beyond) = Beyond::named(bare).filter(|_| named(&args.metric).is_err()) {
        args.output.report(&Explanation::Ranking(&beyond.at(10)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(metric) = Effort::parse(&args.metric) {
        args.output.report(&Explanation::Ranking(&metric?))?;
        return Ok(ExitCode::SUCCESS);
    }
    let head = args.metric.split(['(', '@']).next().unwrap_or_default();
    if SessionMeasure::named(head).is_some() {
        let metrics = parse_session_measures(&args.metric)?;
        args.output.report(&Explanation::Ranking(&metrics[0]))?;
        return Ok(ExitCode::SUCCESS);
    }
    match (named(&args.metric), organization::measure(&args.metric)) {
        (Err(_), Some(measure)) => {
            args.output.report(&Explanation::Organization(measure.definition()))?;
        }
        (metric, other) => {
            let metric = metric?;
            if let Some(other) = other.filter(|_| !args.quiet) {
                let name = other.definition().name;
                let title = other.definition().title;
                let text = format!("`axio explain {ORGANIZE}{name}` is about {title}");
                output::note("note", &text);
            }
            args.output.report(&Explanation::Ranking(&metric))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn unknown(name: &str) -> Error {
    let known: Vec<&str> = organization::measures().map(|m| m.definition().name).collect();
    Error::usage(format!("no measure of organizations is named {name}"))
        .help(format!("known are {}", known.join(", ")))
}

/// The score of one topic, document by document.
fn taken_apart(
    args: &Args,
    metric: &Metric,
    qrels: &PathBuf,
    run: &PathBuf,
    topic: &str,
) -> axiometrics::Result<()> {
    runs::refuse_repeated_stdin([qrels, run])?;
    let mut warnings = Warnings::default();
    let policies = &args.policies;
    let metrics = std::slice::from_ref(metric);
    let qrels = runs::read_qrels_for(Needs::JUDGED, qrels, metrics, policies, &mut warnings)?;
    let run =
        io::read_run(&policies.inputs.open_run(run)?, policies.run_options()?, &mut warnings)?;
    let (policy, protocol) = (policies.policy(), &Protocol::new(&qrels, &policies.choices()));
    let told = || {
        if !args.quiet {
            output::warnings(&warnings, true);
        }
    };
    parts(args, metric, (&qrels, &run), topic, policy, protocol, told)
}

/// The score of a ranking that is written down.
fn written(args: &Args, metric: &Metric, ranking: &str) -> axiometrics::Result<()> {
    let ranking: Vector = ranking.parse()?;
    let metrics = std::slice::from_ref(metric);
    let rankings = std::slice::from_ref(&ranking);
    let (qrels, run) = score::written(rankings, metrics, args.policies.max_grade())?;
    let mut policies = args.policies.clone();
    if policies.ties == Ties::DocidDesc {
        // No document has an id here: they come as they are written.
        policies.ties = Ties::File;
    }
    let protocol = &Protocol::new(&qrels, &policies.choices());
    let topic = &ranking.to_string();
    parts(args, metric, (&qrels, &run), topic, policies.policy(), protocol, || {})
}

/// The parts of a score, told once it is sure that there are any.
fn parts(
    args: &Args,
    metric: &Metric,
    (qrels, run): (&Qrels, &Run),
    topic: &str,
    policy: Policy,
    protocol: &Protocol,
    told: impl FnOnce(),
) -> axiometrics::Result<()> {
    if Component::of(metric).is_some() {
        let parts = &Anatomy::new(metric, qrels, run, topic, policy)?;
        told();
        args.output.report(&AnatomyReport { metric, topic, parts, protocol })
    } else {
        let parts = &Breakdown::new(metric, qrels, run, topic, policy)?;
        told();
        args.output.report(&BreakdownReport { metric, topic, parts, protocol })
    }
}

pub(crate) fn one(text: &str) -> axiometrics::Result<Metric> {
    let mut all = crate::args::metrics(text)?;
    match all.len() {
        1 => Ok(all.remove(0)),
        many => Err(Error::usage(format!("\"{text}\" stands for {many} measures, expected one"))),
    }
}

/// A name stands for its measure even if a score would need a cutoff, or a parameter that its
/// example has.
fn named(text: &str) -> axiometrics::Result<Metric> {
    let example = || {
        definitions()
            .find(|def| def.name == text)
            .and_then(|def| one(def.examples.first()?.measure).ok())
    };
    // A file's own error is about the file, and no cutoff helps.
    one(text).or_else(|error| {
        let found =
            if error.is_usage() { one(&format!("{text}@10")).ok().or_else(example) } else { None };
        found.ok_or(error)
    })
}
