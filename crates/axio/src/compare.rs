//! `axio compare`: which differences between runs are real.

use std::path::PathBuf;

use axiometrics::Error;
use axiometrics::choice::Choice;
use axiometrics::compare::{self, Changes, Comparison, JointRanges, Values};
use axiometrics::data::{Facet, Needs, Run};
use axiometrics::measure::Metric;
use axiometrics::policy::Ties;
use axiometrics::report::{Format, Table, comparison};
use axiometrics::score::{Evaluation, Protocol};
use axiometrics::warning::Warnings;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use crate::ExitCode;
use crate::args::{Measures, Output, Policies, Work};
use crate::inference::{self, Inference};
use crate::output;
use crate::runs;
use crate::shell;

const DEFAULT_MEASURES: &str = "nDCG@10 AP RR P@10 RBP(p=0.8)";

const AFTER_HELP: &str = "\
Examples:
  axio compare examples/web/qrels.txt examples/web/*.run
  axio compare examples/web/qrels.txt examples/web/*.run --baseline bm25.run -m 'nDCG@10 AP'
  axio compare examples/web/qrels.txt examples/web/*.run -m AP --test tukey --format latex
  axio compare examples/web/qrels.txt examples/web/*.run -m RBP --show joint
  axio compare examples/web/qrels.txt examples/web/*.run -m 'AP P@10' --on-ranks --show changes";

/// Compare runs: means with intervals, ranks and letters; differences with p-values and effect sizes
///
/// Topics are matched by id. Those without relevant documents or with an undefined score are left
/// out of the tests and counted.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, mut_arg("measures", |arg| arg.default_value(DEFAULT_MEASURES)))]
pub(crate) struct Args {
    /// The judgements
    #[arg(value_name = "QRELS")]
    qrels: PathBuf,
    /// The runs
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    measures: Measures,
    /// Compare every run with this one, by file or name, instead of all pairs
    #[arg(long, value_name = "RUN")]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    inference: Inference,
    /// Which differences hold whatever the unjudged documents are
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    joint: JointRangesWhen,
    /// Compare once more with ranks instead of scores, and say what changes
    #[arg(long, value_parser = ranks(), num_args = 0..=1, default_missing_value = Values::PooledRanks.name(), value_name = "RANKS")]
    on_ranks: Option<Values>,
    /// Which tables [default: all, without the pairs of more than 12 systems; means in LaTeX; pairs
    /// in CSV, TSV and JSON lines]
    #[arg(long, value_enum, value_name = "TABLE")]
    show: Option<Show>,
    /// Whether notes stand below the tables
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    notes: Notes,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

/// The ranks that may take the place of scores.
fn ranks() -> impl TypedValueParser<Value = Values> {
    let offered = [Values::PooledRanks, Values::TopicRanks]
        .map(|values| PossibleValue::new(values.name()).help(values.meaning()));
    PossibleValuesParser::new(offered).try_map(|name| Values::from_name(&name))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Show {
    /// The means of the systems, with their intervals, ranks and letters
    Means,
    /// The differences of pairs
    Pairs,
    /// What unjudged documents could do to the differences; pairs for programs
    Joint,
    /// What changes under --on-ranks
    Changes,
}

/// Whether notes stand below tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Notes {
    /// Below tables for a terminal and in Markdown
    #[default]
    Auto,
    /// In LaTeX too
    Always,
    /// Nowhere
    Never,
}

/// Whether joint ranges are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum JointRangesWhen {
    /// If the runs are few and not large
    #[default]
    Auto,
    /// However much memory it takes
    Always,
    /// Never
    Never,
}

/// At most so many runs, of so many bytes together, have joint ranges unasked: all their documents
/// are held in memory.
const FEW_RUNS: usize = 12;
const FEW_BYTES: u64 = 64 << 20;
/// The shortest lines of a run have about so many bytes.
const LINE: u64 = 16;

/// The pairs of more systems than this are shown only if they are asked for.
const FEW_SYSTEMS: usize = 12;

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    comparison: &'a Comparison,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_ranks: Option<&'a Changes>,
    evaluation: &'a Protocol,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = args.measures.parse()?;
    if args.show == Some(Show::Changes) && args.on_ranks.is_none() {
        return Err(Error::usage("--show changes needs --on-ranks").into());
    }
    let (paths, baseline) = match &args.baseline {
        Some(baseline) => {
            let (paths, at) = inference::with_baseline(&args.runs, baseline);
            (paths, Some(at))
        }
        None => (args.runs.clone(), None),
    };
    runs::refuse_repeated_stdin(paths.iter().chain([&args.qrels]))?;
    let mut warnings = Warnings::default();
    let joint = wants_joint(args, &metrics, &paths)?;
    let needs = if joint { Needs::JUDGED } else { Needs::POSITIVE };
    let qrels = runs::read_qrels_for(needs, &args.qrels, &metrics, &args.policies, &mut warnings)?;
    let (policies, work) = (&args.policies, &args.work);
    let mut batch = runs::batch(&qrels, &metrics, policies, work);
    if joint {
        batch.keep = (0..paths.len()).collect();
    }
    if let Some(ties) = policies.ties.opposite() {
        let reversed = Policies { ties, ..policies.clone() };
        batch.others.push(Evaluation::under(&reversed.choices(), &qrels, &metrics));
    }
    let scored = runs::score(&batch, &paths, work, &mut warnings)?;
    let settings = args.inference.settings(baseline, args.policies.undefined);
    let mut comparison =
        compare::compare(&qrels, &metrics, &scored.systems(), &settings, &mut warnings)?;
    if !batch.others.is_empty() && scored.differ(0, metrics.len()) {
        let mut told = Warnings::default();
        let systems = scored.other_systems(0);
        let other = compare::compare(&qrels, &metrics, &systems, &settings, &mut told)?;
        compare::warn_of_ties(&mut comparison, &other, &mut warnings);
    }
    let kept = scored.kept();
    if joint && (few_documents(&kept) || asks_joint(args)) {
        let ranges = JointRanges::new(&qrels, policies.policy(), &kept)?;
        let all: Vec<usize> = (0..paths.len()).collect();
        compare::add_joint(
            &mut comparison,
            &qrels,
            &metrics,
            &scored.systems(),
            (&ranges, &all),
            &mut warnings,
        )?;
    }
    let changes = match args.on_ranks {
        Some(values) => {
            let settings = compare::Settings { values, ..settings.clone() };
            let told = &mut Warnings::default();
            let other = compare::compare(&qrels, &metrics, &scored.systems(), &settings, told)?;
            Some(compare::changes(&comparison, &other)?)
        }
        None => None,
    };
    let evaluation = Protocol::new(&qrels, &args.policies.choices());
    let results = Results { comparison: &comparison, changes: changes.as_ref(), evaluation };
    let text = results.render(args)?;
    if !args.work.quiet {
        output::warnings(&warnings);
    }
    args.output.write(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Whether joint ranges were asked for, not only allowed.
fn asks_joint(args: &Args) -> bool {
    args.joint == JointRangesWhen::Always || args.show == Some(Show::Joint)
}

/// Whether joint ranges are wanted and can be found, as far as is known before the runs are read.
fn wants_joint(args: &Args, metrics: &[Metric], paths: &[PathBuf]) -> axiometrics::Result<bool> {
    let refusal = if metrics.iter().any(|m| m.needs().facet != Facet::None) {
        "a document has more than one grade under subtopics, groups and strata"
    } else if matches!(args.policies.ties, Ties::Average | Ties::Range) {
        "they are found on one order of each ranking, not on the average or the range of several"
    } else {
        ""
    };
    let asked = asks_joint(args);
    match (args.joint, refusal) {
        (JointRangesWhen::Never, _) if asked => {
            return Err(Error::usage("--show joint and --joint never exclude each other"));
        }
        (JointRangesWhen::Never, _) => return Ok(false),
        (_, why) if asked && !why.is_empty() => {
            return Err(Error::usage(format!("there are no joint ranges here: {why}")));
        }
        _ => {}
    }
    // A missing file is told when it is read, and what comes through a pipe is counted then.
    let files = shell::files();
    let size = |path: &PathBuf| files.size(path);
    let few = paths.len() <= FEW_RUNS && paths.iter().map(size).sum::<u64>() <= FEW_BYTES;
    Ok(refusal.is_empty() && (few || asked))
}

/// Whether the runs turned out not to be large.
fn few_documents(runs: &[&Run]) -> bool {
    runs.iter().map(|run| run.len() as u64).sum::<u64>() * LINE <= FEW_BYTES
}

/// All that there is to tell.
struct Results<'a> {
    comparison: &'a Comparison,
    changes: Option<&'a Changes>,
    evaluation: Protocol,
}

impl Results<'_> {
    fn render(&self, args: &Args) -> anyhow::Result<String> {
        let Results { comparison, changes, evaluation } = self;
        let style = args.output.style();
        let format = args.output.format;
        match format {
            Format::Jsonl => return Ok(self.json_lines(args)?),
            Format::Json => {
                let document = Document { comparison, on_ranks: *changes, evaluation };
                return Ok(serde_json::to_string_pretty(&document)? + "\n");
            }
            _ => {}
        }
        if format == Format::Latex && args.show.is_none_or(|show| show == Show::Means) {
            let notes = if args.notes == Notes::Always { self.notes() } else { Vec::new() };
            return Ok(comparison::latex(comparison, &notes, &style));
        }
        let mut tables = if format.has_lines() { vec![self.rows(args)] } else { self.tables(args) };
        if tables.is_empty() {
            let message = "none of these measures has a range under unjudged documents";
            return Err(Error::usage(message).into());
        }
        if args.notes == Notes::Never || (args.notes == Notes::Auto && format == Format::Latex) {
            tables.iter_mut().for_each(|table| table.footnotes.clear());
        }
        let rendered: Vec<String> =
            tables.iter().map(|table| table.render(format, &style)).collect();
        Ok(rendered.join("\n"))
    }

    /// What holds for all tables.
    fn notes(&self) -> Vec<String> {
        let mut notes = comparison::method(self.comparison);
        if self.changes.is_none() {
            notes.push("--on-ranks says what changes if ranks are averaged instead".to_string());
        }
        notes.push(self.evaluation.to_string());
        notes
    }

    fn tables(&self, args: &Args) -> Vec<Table> {
        let compared = self.comparison;
        let wanted = |table: Show| args.show.is_none_or(|show| show == table);
        let few = compared.baseline.is_some() || compared.systems.len() <= FEW_SYSTEMS;
        let pairs = args.show.is_some() || few;
        let mut tables = Vec::new();
        if wanted(Show::Means) {
            tables.extend(compared.measures.iter().map(|m| comparison::means(compared, m)));
            if let Some(last) = tables.last_mut() {
                last.footnotes.extend(self.notes());
                if !pairs {
                    let count = compared.measures[0].pairs.len();
                    last.footnotes.push(format!("--show pairs shows the {count} pairs"));
                }
            }
        }
        for measure in compared.measures.iter().filter(|_| pairs) {
            tables.extend(wanted(Show::Pairs).then(|| comparison::pairs(compared, measure)));
            tables.extend(comparison::joint(compared, measure).filter(|_| wanted(Show::Joint)));
        }
        if let Some(changes) = self.changes.filter(|_| wanted(Show::Changes)) {
            tables.extend(comparison::changes(compared, changes));
        }
        tables
    }

    /// One table for programs.
    fn rows(&self, args: &Args) -> Table {
        match (args.show, self.changes) {
            (Some(Show::Means), _) => comparison::mean_rows(self.comparison),
            (Some(Show::Changes), Some(changes)) => comparison::change_rows(changes),
            _ => comparison::pair_rows(self.comparison),
        }
    }

    fn json_lines(&self, args: &Args) -> serde_json::Result<String> {
        let mut text = String::new();
        let mut line = |measure: &str, topics: Option<usize>, row: serde_json::Value| {
            let mut object = serde_json::json!({ "measure": measure });
            if let Some(topics) = topics {
                object["topics"] = topics.into();
            }
            object["row"] = row;
            text += &format!("{object}\n");
        };
        if let (Some(Show::Changes), Some(changes)) = (args.show, self.changes) {
            for measure in &changes.measures {
                for change in &measure.changed {
                    line(&measure.measure, None, serde_json::to_value(change)?);
                }
            }
            return Ok(text);
        }
        for measure in &self.comparison.measures {
            let rows: Vec<serde_json::Value> = match args.show {
                Some(Show::Means) => {
                    measure.systems.iter().map(serde_json::to_value).collect::<Result<_, _>>()?
                }
                _ => measure.pairs.iter().map(serde_json::to_value).collect::<Result<_, _>>()?,
            };
            rows.into_iter().for_each(|row| line(&measure.measure, Some(measure.topics), row));
        }
        Ok(text)
    }
}
