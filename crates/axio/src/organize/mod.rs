//! `axio organize`: clustering, filtering, ranking and their mixture against a gold standard.

mod input;

use std::path::PathBuf;

use axiometrics::choice::Choice;
use axiometrics::component::{Component, standing_for};
use axiometrics::data::organization::Organizations;
use axiometrics::io::organization::OrganizationFormat;
use axiometrics::measure::Metric;
use axiometrics::organization::reliability_sensitivity::{by_document, explain};
use axiometrics::organization::{
    Curve, Mix, OrganizationComparison, OrganizationMeasure, OrganizationSettings, Shares, Variant,
    measure, measures,
};
use axiometrics::policy::{Missing, Undefined};
use axiometrics::report::organization::{
    CurveReport, Difference, OrganizationProtocol, OrganizationReport, OrganizationTable,
    OrganizedSystem, OrganizedTopic,
};
use axiometrics::score::OrganizationEvaluation;
use axiometrics::warning::{WarningKind, Warnings};
use axiometrics::{Error, Result};

use crate::ExitCode;
use crate::args::{Output, Work, choice};
use crate::shell;
use crate::{output, runs};

const AFTER_HELP: &str = "\
Examples:
  axio organize examples/organization/gold.tsv examples/organization/broken.tsv
  axio organize examples/organization/gold.tsv examples/organization/mixed.json --explain=5
  axio organize examples/organization/gold.tsv examples/organization/*.json --finite -m bcubed_f
  axio organize --notation 'd1 {d2 d3} / d4' 'mine: d1 d2 / {d3 d4}' --show documents
  axio organize --curve=5 --top 30 --weight 0.8";

/// Score organizations of documents (clusters, selections, rankings) against a gold standard
///
/// A file is a table with a header (topic, doc, level, cluster), labels (topic doc label [score]),
/// JSON, or a TREC qrels or run file; the format is recognised by content. The measures are
/// Reliability, Sensitivity and F, and the classic ones of clustering and filtering.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The gold standard
    #[arg(value_name = "GOLD", required_unless_present = "curve")]
    gold: Option<PathBuf>,
    /// The systems' outputs
    #[arg(value_name = "SYSTEM", required_unless_present = "curve")]
    systems: Vec<PathBuf>,
    /// GOLD and SYSTEM are no files but organizations in one line, 'd1 {d2 d3} / d4 | d5': levels
    /// between slashes, clusters in braces, what is discarded after a bar; 'name: ...' names a system
    #[arg(short, long)]
    notation: bool,
    /// What to show
    #[arg(long, value_parser = choice::<OrganizationTable>(), default_value = OrganizationTable::default().name(), value_name = "WHAT")]
    show: OrganizationTable,
    /// Measures and metrics from files, separated by spaces or commas; may be repeated [default: all
    /// measures]
    #[arg(short, long, value_name = "MEASURES")]
    measures: Vec<String>,
    /// The scores of each topic, besides the mean
    #[arg(long)]
    per_topic: bool,
    /// Which relations were lost and which invented, the N heaviest of each topic
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10", require_equals = true)]
    explain: Option<usize>,
    /// Only this topic
    #[arg(long, value_name = "TOPIC")]
    topic: Option<String>,
    /// Leave out the systems that cannot be read (exit code 1) instead of stopping
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    work: Work,
    /// The weights of the first N ranks, the tail and the thresholds for --top and --weight; needs no
    /// files
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10", require_equals = true, conflicts_with_all = ["gold", "systems"], help_heading = "Parameters")]
    curve: Option<u32>,
    /// The documents at the top that carry --weight of the whole weight
    #[arg(long, default_value_t = 10.0, value_name = "N", help_heading = "Parameters")]
    top: f64,
    /// The share of the whole weight that the first --top documents carry
    #[arg(long, default_value_t = 0.8, value_name = "W", help_heading = "Parameters")]
    weight: f64,
    /// No tail of discarded documents, and equal weights: each topic is a closed collection
    #[arg(long, help_heading = "Parameters")]
    finite: bool,
    /// What becomes of a document that the other side lacks
    #[arg(long, value_parser = choice::<Variant>(), default_value = Variant::default().name(), value_name = "VARIANT", help_heading = "Parameters")]
    variant: Variant,
    /// The share of priority in R, S and F, the rest being relatedness; or two or three numbers to
    /// whose proportion priority, relatedness and links are mixed, such as 2,1,1 [default: in each
    /// topic, equal shares of the kinds of relations that its gold standard states]
    #[arg(long, value_parser = mixture, value_name = "M", help_heading = "Parameters")]
    mix: Option<Shares>,
    /// The worth of true positives, false positives, false negatives and true negatives
    #[arg(long, value_parser = utility, default_value = "1,-1,0,0", allow_hyphen_values = true, value_name = "TP,FP,FN,TN", help_heading = "Parameters")]
    utility: [f64; 4],
    /// Sensitivity is B times as important as Reliability in F, and recall as precision in f_beta
    /// [default: 1]
    #[arg(long, value_name = "B", help_heading = "Parameters")]
    beta: Option<f64>,
    /// The cost of reading the description of a cluster, in documents, for hierarchy_quality
    #[arg(long, default_value_t = 1.0, value_name = "K", help_heading = "Parameters")]
    description_cost: f64,
    /// What to do about a topic of the gold standard that a system lacks
    #[arg(long, value_parser = choice::<Missing>(), default_value = Missing::default().name(), value_name = "POLICY", help_heading = "Policies")]
    missing: Missing,
    /// What to do about a score that is undefined
    #[arg(long, value_parser = choice::<Undefined>(), default_value = Undefined::Skip.name(), value_name = "POLICY", help_heading = "Policies")]
    undefined: Undefined,
    /// The label of the documents that are kept, if labels are names
    #[arg(long, value_name = "LABEL", help_heading = "Policies")]
    positive: Option<String>,
    /// The format of the files, if it is not to be recognised
    #[arg(long, value_parser = choice::<OrganizationFormat>(), value_name = "FORMAT", help_heading = "Policies")]
    input_format: Option<OrganizationFormat>,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(ranks) = args.curve {
        let curve = Curve::new(args.top, args.weight)?;
        args.output.report(&CurveReport::new(&curve, ranks)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.work.handle().threads()).build();
    let pool = pool.map_err(|error| Error::usage(format!("no threads to work with: {error}")))?;
    let here = shell::here();
    pool.install(|| here.within(|| organize(args)))
}

fn organize(args: &Args) -> anyhow::Result<ExitCode> {
    let settings = settings(args)?;
    let (measures, files) = chosen(args)?;
    let mut input = input::Input::of(args)?;
    let gold = input.gold()?;
    let mut warnings = Warnings::default();
    let mut systems = Vec::new();
    for (at, (name, file)) in input.systems().into_iter().enumerate() {
        let scored = input.system(at).and_then(|system| {
            let mut evaluation =
                OrganizationEvaluation::new(&gold, input.catalogue(), &measures, &settings);
            (evaluation.missing, evaluation.undefined) = (args.missing, args.undefined);
            evaluation.files = &files;
            score(&evaluation, name, &file, &system, args, &mut warnings)
        });
        match scored {
            Ok(system) => systems.push(system),
            Err(error) if args.keep_going => {
                output::error(&error);
                warnings.add_example(
                    WarningKind::RunLeftOut,
                    1,
                    &file,
                    error.to_string().lines().next().unwrap_or(""),
                );
            }
            Err(error) => return Err(error.into()),
        }
    }
    if systems.is_empty() {
        return Err(Error::usage("no system is left to score")
            .help("each of them has its own error above")
            .into());
    }
    let left_out = systems.len() < args.systems.len();
    let report = OrganizationReport {
        show: args.show,
        systems: &systems,
        protocol: OrganizationProtocol::new(&settings, &gold, args.missing, args.undefined),
        warnings: warnings.list(),
        per_topic: args.per_topic,
        undefined: args.undefined,
        explained: args.explain.is_some(),
    };
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
        if args.output.format.has_lines() {
            output::note("settings", &report.protocol.to_string());
        }
    }
    args.output.report(&report)?;
    Ok(if left_out { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn score(
    evaluation: &OrganizationEvaluation<'_>,
    name: String,
    file: &str,
    system: &Organizations,
    args: &Args,
    warnings: &mut Warnings,
) -> Result<OrganizedSystem> {
    let visit = |topic: &str, comparison: &OrganizationComparison<'_>| {
        let documents = evaluation.catalogue.get(topic);
        let explained = args.explain.zip(documents);
        let by_document_of = (args.show == OrganizationTable::Documents).then_some(documents);
        OrganizedTopic {
            differences: explained
                .map(|(limit, names)| Difference::of(&explain(comparison, limit), names)),
            documents: by_document_of
                .flatten()
                .map(|names| (by_document(comparison), names.clone())),
            relations: (args.show == OrganizationTable::Mix).then(|| *comparison.relations()),
        }
    };
    let (scores, topics) = evaluation.system_with(file, system, warnings, visit)?;
    Ok(OrganizedSystem { name, scores, topics })
}

fn settings(args: &Args) -> Result<OrganizationSettings> {
    let curve = Curve::new(args.top, args.weight)?;
    let beta = args.beta.unwrap_or(1.0);
    let settings = OrganizationSettings {
        curve,
        finite: args.finite,
        variant: args.variant,
        mix: args.mix.map_or(Mix::Stated, Mix::Given),
        utility: args.utility,
        beta,
        description_cost: args.description_cost,
    };
    settings.validate()?;
    Ok(settings)
}

/// One share of priority, or the parts of two or three kinds of relations.
fn mixture(text: &str) -> std::result::Result<Shares, String> {
    let numbers: std::result::Result<Vec<f64>, _> =
        text.split(',').map(|number| number.trim().parse()).collect();
    let right = |parts: &[f64]| parts.iter().all(|part| *part >= 0.0 && part.is_finite());
    let shares = match numbers.as_deref() {
        Ok(&[share]) if (0.0..=1.0).contains(&share) => Some(Shares::of_priority(share)),
        Ok(&[a, b]) if right(&[a, b]) => Shares::in_proportion([a, b, 0.0]),
        Ok(&[a, b, c]) if right(&[a, b, c]) => Shares::in_proportion([a, b, c]),
        _ => None,
    };
    shares.ok_or_else(|| {
        "expected a number from 0 to 1, or two or three numbers from 0 with commas between them"
            .to_string()
    })
}

/// Four numbers with commas between them.
fn utility(text: &str) -> std::result::Result<[f64; 4], String> {
    let numbers: std::result::Result<Vec<f64>, _> =
        text.split(',').map(|number| number.trim().parse()).collect();
    numbers
        .ok()
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| "expected four numbers: TP,FP,FN,TN".to_string())
}

/// The measures that were asked for, each once, or all; F-beta only with a beta. Besides them the
/// metrics from files, those that describe measures of rankings included.
fn chosen(args: &Args) -> Result<(Vec<&'static dyn OrganizationMeasure>, Vec<Metric>)> {
    if args.measures.is_empty() {
        let all = measures()
            .filter(|measure| args.beta.is_some() || measure.definition().name != "f_beta");
        return Ok((all.collect(), Vec::new()));
    }
    let mut chosen: Vec<&'static dyn OrganizationMeasure> = Vec::new();
    let mut files: Vec<Metric> = Vec::new();
    for name in args.measures.iter().flat_map(|names| names_in(names)) {
        let Some(measure) = measure(name) else {
            for file in file_of(name)? {
                if files.iter().all(|known| known.to_string() != file.to_string()) {
                    files.push(file);
                }
            }
            continue;
        };
        if chosen.iter().all(|known| known.definition().name != name) {
            chosen.push(measure);
        }
    }
    if chosen.is_empty() && files.is_empty() {
        return Err(
            Error::usage("found no measure in -m, expected at least one").help("write -m 'R S F'")
        );
    }
    Ok((chosen, files))
}

/// The names in a list, which spaces and commas separate, but not those within brackets.
fn names_in(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let separates = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0 && [' ', ','].contains(&c)
    };
    list.split(separates).filter(|name| !name.is_empty()).collect()
}

/// Metrics from files by their path or name, and measures of rankings that a file describes.
fn file_of(name: &str) -> Result<Vec<Metric>> {
    let unknown = || {
        let known: Vec<&str> = measures().map(|measure| measure.definition().name).collect();
        let error = Error::usage(format!("no measure of organizations is named {name}"));
        error.help(format!(
            "known are {}; or name the file of a metric, such as my.toml",
            known.join(", ")
        ))
    };
    let metrics = match crate::args::metrics(name) {
        Ok(metrics) => metrics,
        Err(error) if name.contains(".toml") => return Err(error),
        Err(_) => return Err(unknown()),
    };
    let file = |metric: Metric| match Component::of(&metric) {
        Some(_) => Ok(metric),
        None => standing_for(&metric).ok_or_else(unknown),
    };
    metrics.into_iter().map(file).collect()
}
