//! `axio report`: runs compared on one self-contained page.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use axiometrics::check;
use axiometrics::choice::Choice;
use axiometrics::compare::{ComparisonSettings, JointRanges};
use axiometrics::data::{Facet, Qrels};
use axiometrics::measure::Metric;
use axiometrics::report::html::{self, Origin, ReportedRun, Study, extra_metrics};
use axiometrics::score::ranges::Vary;
use axiometrics::score::{Evaluation, NamedMeasure, ScoreTable, ScoredRun};
use axiometrics::warning::Warnings;
use axiometrics::{Error, Result};

use crate::ExitCode;
use crate::args::{Measures, Policies, ScoreTableArgs, Work};
use crate::inference::{self, Inference};
use crate::output;
use crate::runs;
use crate::shell;

const DEFAULT_MEASURES: &str = "nDCG@10 AP RR P@10 R@1000 RBP(p=0.8)";

/// At most so many runs have a joint range with the baseline: it holds all their documents in
/// memory.
const JOINT: usize = 12;

const AFTER_HELP: &str = "\
Examples:
  axio report examples/web/qrels.txt examples/web/*.run -o target/report.html
  axio report examples/web/qrels.txt examples/web/*.run -o target/report.html --plots target/plots
  axio report --table examples/clusterings/scores.tsv -m 'bcubed_f purity' -o target/c.html";

/// Compare runs on one self-contained page
///
/// The page has a table of means with intervals and significance, plots by topic, the
/// recall-precision curve, the agreement of the measures, diagnostics, the properties of the
/// measures, and what is needed to make it again. It fetches nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, mut_arg("measures", |arg| arg.default_value(DEFAULT_MEASURES)))]
pub(crate) struct Args {
    /// The judgements
    #[arg(value_name = "QRELS", required_unless_present = "path")]
    qrels: Option<PathBuf>,
    /// The runs
    #[arg(value_name = "RUN", required_unless_present = "path")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    table: ScoreTableArgs,
    /// Write the page to this file
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// Write the plots to this directory too, as SVG and PNG
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// What the page is called
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The run that the others are compared with, by file or name [default: the first]
    #[arg(long, value_name = "RUN")]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    measures: Measures,
    /// Leave out the runs that cannot be read (exit code 1) instead of stopping
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    inference: Inference,
    #[command(flatten)]
    policies: Policies,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(table) = args.table.read(&args.measures, DEFAULT_MEASURES)? {
        return of_table(args, &table);
    }
    let Some(judgements) = &args.qrels else { return Err(Error::usage("no judgements").into()) };
    let metrics = args.measures.parse_labelled(&args.policies.inputs)?;
    let (named, reference) = with_reference(args)?;
    runs::refuse_repeated_stdin(named.iter().chain([judgements]))?;
    let mut warnings = Warnings::default();
    let extra = extra_metrics()?;
    let plain = metrics.iter().all(|m| m.needs().facet == Facet::None);
    let all: Vec<Metric> = metrics.iter().chain(extra.iter().filter(|_| plain)).cloned().collect();
    let qrels = runs::read_qrels(judgements, &all, &args.policies, &mut warnings)?;
    let (policies, work, keep_going) = (&args.policies, &args.work, args.keep_going);
    let mut batch = runs::batch(&qrels, &metrics, policies, work)?;
    batch.keep_going = keep_going;
    let mut also = |wanted: bool, metrics, policies: &Policies, ranges: Option<Vary>| {
        wanted.then(|| {
            let mut evaluation = Evaluation::under(&policies.choices(), &qrels, metrics);
            evaluation.ranges = ranges;
            batch.others.push(evaluation);
            batch.others.len() - 1
        })
    };
    let extras = also(plain, &extra, policies, None);
    let ties = policies.ties.opposite();
    let reversed = Policies { ties: ties.unwrap_or_default(), ..policies.clone() };
    let reversed = also(ties.is_some(), &metrics, &reversed, None);
    let few_topics = qrels.len() <= html::RANGED;
    let ranged = also(plain && few_topics, &metrics, policies, Some(Vary::default()));
    if plain && few_topics && named.len() > 1 {
        // The joint ranges are with the reference.
        let others = (0..named.len()).filter(|number| *number != reference);
        batch.keep = others.take(JOINT).chain([reference]).collect();
    }
    let scored = runs::score(&batch, &named, policies, work, &mut warnings)?;
    // A run before it may have been left out.
    let place = scored.runs.iter().position(|run| run.number == reference);
    let reference = place.ok_or_else(|| {
        Error::usage(format!(
            "the run {} that the others are compared with could not be read",
            shell::name(&named[reference])
        ))
    })?;
    let kept: Vec<usize> =
        (0..scored.runs.len()).filter(|run| scored.runs[*run].run.is_some()).collect();
    let joint = match kept.len() {
        0 | 1 => None,
        _ => Some(JointRanges::new(&qrels, policies.policy(), &scored.kept())?),
    };
    let checks = check::run_all(&metrics, &html::checked());
    let told = warnings.list();
    let settings = args.inference.settings(Some(reference), args.policies.undefined);
    let study = Study {
        title: args.title.as_deref(),
        qrels: &qrels,
        metrics: &metrics,
        runs: scored
            .runs
            .iter()
            .map(|run| ReportedRun {
                name: &run.name,
                scores: &run.scores,
                ranged: ranged.map(|other| &run.others[other]),
                extras: extras.map(|other| &run.others[other]),
                ties_reversed: reversed.map(|other| &run.others[other]),
            })
            .collect(),
        reference,
        reference_is_chosen: args.baseline.is_some(),
        joint: joint.as_ref().map(|ranges| (ranges, kept.as_slice())),
        undefined: args.policies.undefined,
        settings: settings.clone(),
        checks: &checks,
        warnings: &told,
        origin: origin(args, judgements, (&named, &scored.runs), &qrels, &settings)?,
    };
    write(args, &study)?;
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
    }
    Ok(if scored.left_out.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn write(args: &Args, study: &Study<'_>) -> anyhow::Result<()> {
    let page = study.page()?;
    if let Some(directory) = &args.plots {
        output::plots(directory, &study.figures()?)?;
    }
    output::write_atomically(&args.output, |out| {
        out.write_all(page.as_bytes()).map_err(|e| Error::io(args.output.display().to_string(), e))
    })?;
    Ok(())
}

/// The page of a table of scores: of what such a table tells.
fn of_table(args: &Args, table: &ScoreTable) -> anyhow::Result<ExitCode> {
    let own = |measure: &NamedMeasure| Metric::own(Arc::new(measure.clone()));
    let metrics = table.measures.iter().map(own).collect::<Result<Vec<Metric>>>()?;
    let systems = table.named();
    let reference = match &args.baseline {
        None => 0,
        Some(wanted) => {
            let wanted = wanted.display().to_string();
            let found = systems.iter().position(|system| system.name == wanted);
            found.ok_or_else(|| {
                let names: Vec<&str> = systems.iter().map(|system| system.name).collect();
                Error::usage(format!("the table has no system called \"{wanted}\""))
                    .help(format!("one of: {}", names.join(", ")))
            })?
        }
    };
    let settings = args.inference.settings(Some(reference), args.policies.undefined);
    let told = [
        ("version", format!("axio {}", env!("CARGO_PKG_VERSION"))),
        ("undefined scores", args.policies.undefined.name().to_string()),
        ("test", settings.test.name().to_string()),
        ("correction", settings.correction()?.name().to_string()),
        ("alpha", settings.alpha.to_string()),
        ("interval of means", settings.mean_interval.name().to_string()),
        ("resamples", settings.resampling.trials.to_string()),
        ("seed", settings.resampling.seed.to_string()),
    ];
    let path = args.table.path.clone().unwrap_or_default();
    let origin = Origin {
        command: command(shell::arguments().into_iter()),
        settings: told.map(|(name, value)| (name.to_string(), value)).to_vec(),
        files: vec![(shell::name(&path), shell::size(&path))],
    };
    let runs = systems.iter().map(|system| ReportedRun {
        name: system.name,
        scores: system.scores,
        extras: None,
        ranged: None,
        ties_reversed: None,
    });
    write(
        args,
        &Study {
            title: args.title.as_deref(),
            qrels: &table.topics,
            metrics: &metrics,
            runs: runs.collect(),
            reference,
            reference_is_chosen: args.baseline.is_some(),
            undefined: args.policies.undefined,
            settings: settings.clone(),
            joint: None,
            checks: &[],
            warnings: &[],
            origin,
        },
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The runs, and the place of the one that the others are compared with. A baseline that is not
/// among them and is no file is a slip.
fn with_reference(args: &Args) -> Result<(Vec<PathBuf>, usize)> {
    let Some(baseline) = &args.baseline else { return Ok((args.runs.clone(), 0)) };
    let (paths, reference) = inference::with_baseline(&args.runs, baseline);
    if paths.len() > args.runs.len() && !baseline.is_file() {
        let names = runs::unique_names(&args.runs);
        let error = Error::usage(format!(
            "found no run called \"{}\", expected one of the runs of the report or a file",
            baseline.display()
        ));
        return Err(error.help(format!("one of: {}", names.join(", "))));
    }
    Ok((paths, reference))
}

fn origin(
    args: &Args,
    judgements: &PathBuf,
    (named, runs): (&[PathBuf], &[ScoredRun]),
    qrels: &Qrels,
    compared: &ComparisonSettings,
) -> Result<Origin> {
    let settings = Origin::settings(qrels, &args.policies.choices(), compared)?;
    let judged = shell::size(judgements);
    let runs = runs.iter().map(|run| (&named[run.number], run.size));
    let files = [(judgements, judged)].into_iter().chain(runs);
    let files = files.map(|(path, size)| (shell::name(path), size)).collect();
    Ok(Origin { command: command(shell::arguments().into_iter()), settings, files })
}

/// The command as one could type it.
fn command(arguments: impl Iterator<Item = OsString>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=@%+".contains(c);
    let quoted = arguments.skip(1).map(|a| {
        // What is not text cannot be typed either; the page shows where it was.
        let a = a.to_string_lossy().into_owned();
        if !a.is_empty() && a.chars().all(plain) {
            a
        } else {
            format!("'{}'", a.replace('\'', "'\\''"))
        }
    });
    std::iter::once("axio".to_string()).chain(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_can_be_typed() {
        let typed = command(
            ["/usr/bin/axio", "report", "my runs/a.run", "-m", "RBP(p=0.8) AP", "it's", ""]
                .map(OsString::from)
                .into_iter(),
        );
        assert_eq!(typed, r"axio report 'my runs/a.run' -m 'RBP(p=0.8) AP' 'it'\''s' ''");
    }
}
