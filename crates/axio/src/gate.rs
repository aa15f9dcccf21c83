//! `axio gate`: whether a change may pass, for servers that build and test.

use std::cell::OnceCell;
use std::io::Read;
use std::path::{Path, PathBuf};

use axiometrics::choice::Choice;
use axiometrics::compare::gate::{
    self, Gate, Limit, LimitVerdict, Reason, StoredEvaluation, TopicScores,
};
use axiometrics::data::Qrels;
use axiometrics::measure::Metric;
use axiometrics::report::gate::GateReport;
use axiometrics::report::{self, OutputFormat, Report, Style};
use axiometrics::score::{Protocol, ScoredRun, warn_of_unjudged};
use axiometrics::stats::{Test, TestOptions};
use axiometrics::warning::{WarningKind, Warnings};
use axiometrics::{Error, Place, Result};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::{Map, Value};

mod unjudged;

use self::unjudged::Unjudged;
use crate::ExitCode;
use crate::args::{Policies, Work, choice};
use crate::files;
use crate::inference::Resamples;
use crate::output;
use crate::runs;
use crate::shell;

const AFTER_HELP: &str = "\
Exit codes: 0 all checks pass; 1 one fails, or topics or judgements are too few to tell (0 with
--undecided pass); 2 bad usage or bad input.

Examples:
  axio gate examples/web/qrels.txt examples/web/h*.run -b examples/web/bm25.run --max-drop AP=0.01
  axio gate examples/web/qrels.txt examples/web/h*.run --min AP=0.4 -q";

/// Decide whether runs may replace a baseline: pass, fail, or undecided
///
/// A gate is undecided if topics or judgements are too few to tell. The baseline is a run, or the
/// JSON that `axio eval --per-topic --format json` wrote earlier. A drop is ruled out or shown with
/// one-sided bounds of the paired differences, each with the error alpha.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The judgements
    #[arg(value_name = "QRELS")]
    qrels: PathBuf,
    /// The runs that are to pass
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// What they are compared with: a run, or the JSON of an earlier evaluation. --min needs none
    #[arg(short, long, value_name = "BASE", required_unless_present = "min")]
    baseline: Option<PathBuf>,
    /// Which run of the earlier evaluation [default: the one with the same name, or the only one]
    #[arg(long, value_name = "NAME")]
    baseline_run: Option<String>,
    /// The measure may drop by so much at most; 0: it may not be significantly worse. May be repeated
    #[arg(long, value_name = "MEASURE=X")]
    max_drop: Vec<String>,
    /// The mean must be at least so high. May be repeated
    #[arg(long, value_name = "MEASURE=X")]
    min: Vec<String>,
    /// The chance of each error: to let a run pass that drops too far, and to fail one that does not
    #[arg(long, default_value_t = 0.05, value_name = "ALPHA", value_parser = below_half)]
    alpha: f64,
    /// The test whose interval gives the bounds
    #[arg(long, value_parser = choice::<Test>(), default_value = Test::default().name(), value_name = "TEST")]
    test: Test,
    #[command(flatten)]
    resamples: Resamples,
    /// Decide even if more than 5% of the topics appeared, vanished or were judged anew
    #[arg(long)]
    allow_changes: bool,
    /// Decide even if unjudged documents could: they count as not relevant
    #[arg(long)]
    allow_unjudged: bool,
    /// Whether an undecided gate lets the run pass
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    undecided: Undecided,
    /// How the result is written
    #[arg(long, value_parser = format(), default_value = "table", value_name = "FORMAT", help_heading = "Output")]
    format: Format,
    /// Write the result to a file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Write it in another format too, such as markdown=summary.md or junit=gate.xml. May be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = also, help_heading = "Output")]
    also: Vec<(Format, PathBuf)>,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    policies: Policies,
}

/// What an undecided gate does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Undecided {
    /// Stop the run: exit code 1
    #[default]
    Fail,
    /// Let it pass: exit code 0
    Pass,
}

/// The formats of the result: those of every command, and two for the machines that build and test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Common(OutputFormat),
    Junit,
    Github,
}

const MACHINES: [(&str, Format, &str); 2] = [
    ("junit", Format::Junit, "JUnit XML"),
    ("github", Format::Github, "annotations of GitHub's runners"),
];

impl Format {
    fn from_name(name: &str) -> Option<Format> {
        let machine = MACHINES.iter().find(|(known, ..)| *known == name).map(|(_, f, _)| *f);
        let name = if name == "text" { "table" } else { name };
        machine.or_else(|| OutputFormat::from_name(name).ok().map(Format::Common))
    }
}

fn format() -> impl TypedValueParser<Value = Format> {
    let common = OutputFormat::ALL.iter().map(|format| {
        let offered = PossibleValue::new(format.name()).help(format.meaning());
        if *format == OutputFormat::Table { offered.alias("text") } else { offered }
    });
    let machines = MACHINES.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(common.chain(machines))
        .map(|name| Format::from_name(&name).unwrap_or(Format::Common(OutputFormat::Table)))
}

fn below_half(text: &str) -> std::result::Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x: &f64| *x > 0.0 && *x < 0.5)
        .ok_or_else(|| "expected a number above 0 and below 0.5".to_string())
}

fn also(text: &str) -> std::result::Result<(Format, PathBuf), String> {
    let expected = || "expected FORMAT=FILE, such as junit=gate.xml".to_string();
    let (format, file) = text.split_once('=').ok_or_else(expected)?;
    let format = Format::from_name(format).ok_or_else(|| {
        let common = OutputFormat::ALL.iter().map(|format| format.name());
        let names: Vec<&str> = common.chain(MACHINES.iter().map(|(name, ..)| *name)).collect();
        format!("expected one of the formats {}", names.join(", "))
    })?;
    if file.is_empty() { Err(expected()) } else { Ok((format, PathBuf::from(file))) }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (metrics, limits) = limits(args)?;
    runs::refuse_repeated_stdin(args.runs.iter().chain([&args.qrels]).chain(&args.baseline))?;
    refuse_overwriting(args)?;
    let mut warnings = Warnings::default();
    let needs = runs::needs(&metrics);
    let qrels = runs::read_qrels_for(needs, &args.qrels, &metrics, &args.policies, &mut warnings)?;
    let stored = args.baseline.as_deref().map(stored).transpose()?.flatten();
    let mut paths = args.runs.clone();
    if stored.is_none() {
        paths.extend(args.baseline.clone());
    }
    let mut batch = runs::batch(&qrels, &metrics, &args.policies, &args.work)?;
    // What comes through a pipe cannot be read again.
    batch.keep = (0..paths.len()).filter(|run| shell::size(&paths[*run]) == 0).collect();
    let scored = runs::score(&batch, &paths, &args.policies, &args.work, &mut warnings)?;
    warn_of_unjudged(&qrels, &scored.systems(), &mut warnings);
    let mut sides: Vec<TopicScores> =
        scored.runs.iter().map(|run| side(run, &qrels, &metrics)).collect();
    let baseline = match &stored {
        None if args.baseline.is_some() => sides.pop(),
        None => None,
        Some(stored) => {
            same_settings(args, stored, &Protocol::new(&qrels, &args.policies.choices()))?;
            None
        }
    };
    let settings = gate::GateSettings {
        alpha: args.alpha,
        test: args.test,
        options: TestOptions { resampling: args.resamples.resampling(), ..TestOptions::default() },
        allow_changes: args.allow_changes,
        allow_unjudged: args.allow_unjudged,
    };
    let file = args.baseline.as_deref().map(shell::name).unwrap_or_default();
    let mut gates = Vec::with_capacity(sides.len());
    for (number, side) in sides.iter().enumerate() {
        let base = match (&baseline, &stored) {
            (None, Some(stored)) => {
                Some(stored.run(&file, args.baseline_run.as_deref().unwrap_or(&side.name))?)
            }
            (baseline, _) => baseline.as_ref(),
        };
        let mut pair = vec![number];
        pair.extend(baseline.is_some().then_some(sides.len()));
        let open = Unjudged {
            policies: &args.policies,
            qrels: &qrels,
            metrics: &metrics,
            paths: &paths,
            scored: &scored,
        };
        let ranges = OnceCell::new();
        let possible = |measure: &str, limit: Limit| {
            let ranges =
                ranges.get_or_init(|| if needs.judged { open.ranges(&pair) } else { None });
            open.possible(ranges.as_ref()?, base, measure, limit)
        };
        let mut gate = gate::gate(base, side, &limits, &settings, &possible)?;
        for check in &mut gate.checks {
            let metric = metrics.iter().find(|metric| metric.to_string() == check.measure);
            check.asked = metric.map(Metric::title).filter(|title| *title != check.measure);
        }
        if gate.same_scores {
            let baseline = gate.baseline.as_deref().unwrap_or_default();
            warnings.add_example(WarningKind::SameScores, 1, &gate.run, baseline);
        }
        gates.push(gate);
    }
    for (format, path) in &args.also {
        let text = render(args, *format, &gates, &Style::default());
        write_file(path, &text)?;
    }
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
    }
    for (reason, help) in [
        (Reason::Changes, "--allow-changes decides on the topics that are left"),
        (
            Reason::Unjudged,
            "judge more documents of the run; --allow-unjudged counts them as not relevant",
        ),
    ] {
        let rests = |gate: &Gate| gate.checks.iter().any(|check| check.reason == reason);
        if !args.work.quiet && gates.iter().any(rests) {
            output::note("help", help);
        }
    }
    shell::also(&mut |name| {
        let text = |format| render(args, format, &gates, &Style::default()).into_bytes();
        Ok(Format::from_name(name).map(text))
    })?;
    let style = if args.output.is_none() { output::terminal_style() } else { Style::default() };
    let text = render(args, args.format, &gates, &style);
    match &args.output {
        Some(path) => write_file(path, &text)?,
        None => output::stdout(text.as_bytes())?,
    }
    Ok(match LimitVerdict::of_all(gates.iter().map(|gate| gate.verdict)) {
        LimitVerdict::Pass => ExitCode::SUCCESS,
        LimitVerdict::Undecided if args.undecided == Undecided::Pass => ExitCode::SUCCESS,
        LimitVerdict::Undecided | LimitVerdict::Fail => ExitCode::from(1),
    })
}

/// Measures, and limits by the name of their measure.
type Limits = (Vec<Metric>, Vec<(String, Limit)>);

/// The measures, each once, and what is asked of them.
fn limits(args: &Args) -> Result<Limits> {
    let (mut metrics, mut limits): Limits = (Vec::new(), Vec::new());
    let drops = args.max_drop.iter().map(|text| ("--max-drop", text));
    for (option, text) in drops.chain(args.min.iter().map(|text| ("--min", text))) {
        let wrong = |found: &str| {
            let least = if option == "--min" { "a number" } else { "a number of at least 0" };
            Error::usage(format!(
                "{option} {text}: found {found}, expected {least} behind the last ="
            ))
            .help(format!("write {option} nDCG@10=0.01"))
        };
        // Parameters of a measure have the sign, too: RBP(p=0.8)=0.01.
        let (measure, number) = text
            .rsplit_once('=')
            .filter(|(_, x)| !x.contains(')'))
            .ok_or_else(|| wrong("no number"))?;
        let number: f64 = number.trim().parse().map_err(|_| wrong(&format!("{number:?}")))?;
        if !number.is_finite() || (option == "--max-drop" && number < 0.0) {
            return Err(wrong(&number.to_string()));
        }
        let limit = if option == "--min" { Limit::Min(number) } else { Limit::MaxDrop(number) };
        for metric in crate::args::metrics(&args.policies.inputs.labelled(measure))? {
            let name = metric.to_string();
            if metrics.iter().all(|known| known.to_string() != name) {
                metrics.push(metric);
            }
            limits.push((name, limit));
        }
    }
    if args.baseline.is_none() && !args.max_drop.is_empty() {
        return Err(Error::usage("--max-drop needs a baseline, expected --baseline BASE")
            .help("name the run or the evaluation that the runs may not fall below"));
    }
    if limits.is_empty() {
        return Err(Error::usage("found no limit, expected --max-drop or --min")
            .help("write --max-drop nDCG@10=0.01, or --min nDCG@10=0.4"));
    }
    Ok((metrics, limits))
}

fn side(run: &ScoredRun, qrels: &Qrels, metrics: &[Metric]) -> TopicScores {
    TopicScores::new(&run.name, qrels, metrics, &run.scores)
}

/// The baseline, if it is an earlier evaluation.
fn stored(path: &Path) -> Result<Option<StoredEvaluation>> {
    /// Enough for the first field and a mark before it.
    const BEGINNING: u64 = 256;
    const LARGEST: u64 = 256 << 20;
    // Standard input cannot be read twice; a run can come that way.
    if path.as_os_str() == "-" {
        return Ok(None);
    }
    let source = shell::open(path)?;
    if source.is_table() {
        return Ok(None);
    }
    let read = |most: u64| -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        source
            .read()?
            .take(most)
            .read_to_end(&mut bytes)
            .map_err(|e| Error::io(source.name(), e))?;
        Ok(bytes)
    };
    if !StoredEvaluation::is_one(&read(BEGINNING)?) {
        return Ok(None);
    }
    let bytes = read(LARGEST + 1)?;
    if bytes.len() as u64 > LARGEST {
        let message = "the evaluation is larger than 256 MiB, which is more than is read";
        return Err(Error::input(Place::file(source.name()), message)
            .help("evaluate the baseline with the measures of the gate alone"));
    }
    StoredEvaluation::parse(source.name(), &bytes).map(Some)
}

/// Scores that were made in another way cannot be compared.
fn same_settings(args: &Args, stored: &StoredEvaluation, now: &Protocol) -> Result<()> {
    let now: Map<String, Value> = match serde_json::to_value(now) {
        Ok(Value::Object(map)) => map,
        _ => return Ok(()),
    };
    let other = stored.other_settings(&now);
    if other.is_empty() {
        return Ok(());
    }
    let told: Vec<String> = other
        .iter()
        .map(|(name, then, now)| format!("{} {then}, now {now}", name.replace('_', " ")))
        .collect();
    let file = args.baseline.as_deref().map(shell::name).unwrap_or_default();
    let message = format!("{file} was scored in another way: {}", told.join("; "));
    let again = "evaluate the baseline again";
    let options: Option<Vec<String>> =
        other.iter().map(|(name, then, _)| as_option(name, then)).collect();
    Err(Error::usage(message).help(match options {
        None => again.to_string(),
        Some(options) => format!("{} scores as then; or {again}", options.join(" and ")),
    }))
}

/// How a setting of an earlier evaluation is asked for, if it can be.
fn as_option(name: &str, then: &str) -> Option<String> {
    Some(match (name, then) {
        ("pruned", "true") => "--prune".to_string(),
        ("pruned", _) => "no --prune".to_string(),
        ("weights", _) => return None,
        (_, "none") => format!("no --{}", name.replace('_', "-")),
        // A map of parts comes with it.
        ("pool", _) => format!("--map FILE --pool {then}"),
        _ => format!("--{} {then}", name.replace('_', "-")),
    })
}

/// A result must not replace what it was made of.
fn refuse_overwriting(args: &Args) -> Result<()> {
    let inputs: Vec<PathBuf> =
        args.runs.iter().chain([&args.qrels]).chain(&args.baseline).cloned().collect();
    let outputs = args.output.iter().chain(args.also.iter().map(|(_, path)| path));
    outputs.into_iter().try_for_each(|path| files::refuse_overwriting(path, &inputs))
}

fn render(args: &Args, format: Format, gates: &[Gate], style: &Style) -> String {
    match format {
        Format::Common(format) => GateReport(gates).render(format, style),
        Format::Junit => report::gate::junit(gates, args.undecided == Undecided::Pass),
        Format::Github => report::gate::annotations(gates),
    }
}

fn write_file(path: &Path, text: &str) -> Result<()> {
    output::write_atomically(path, |out| {
        out.write_all(text.as_bytes()).map_err(|e| Error::io(path.display().to_string(), e))
    })
}
