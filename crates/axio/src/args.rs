//! The options that several subcommands share.
//!
//! A subcommand is a file with `pub(crate) struct Args` and
//! `pub(crate) fn run(&Args) -> anyhow::Result<ExitCode>`, and a line in [`crate::command`].

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axiometrics::Error;
use axiometrics::align::Policy;
use axiometrics::beyond::Beyond;
use axiometrics::choice::Choice;
use axiometrics::component::read_component;
use axiometrics::data::Labels;
use axiometrics::effort::Effort;
use axiometrics::io::{self, Columns, Reading, RunOptions, Source};
use axiometrics::measure::{self, Def, Metric};
use axiometrics::organization;
use axiometrics::policy::{self, Duplicates, Missing, Order, Pool, Rounding, Ties, Undefined};
use axiometrics::report::OutputFormat;
use axiometrics::score::ScoreTable;
use axiometrics::session::SessionMeasure;
use axiometrics::work;
use clap::ValueEnum;
use clap::builder::{
    PossibleValue, PossibleValuesParser, TypedValueParser, UnknownArgumentValueParser,
};

use crate::shell;

/// An option of other tools, which gets a suggestion.
pub(crate) fn elsewhere(name: &'static str, ours: &'static str) -> clap::Arg {
    clap::Arg::new(name)
        .long(name)
        .hide(true)
        .action(clap::ArgAction::SetTrue)
        .value_parser(UnknownArgumentValueParser::suggest_arg(ours))
}

/// Which measures. A subcommand sets its own default:
/// `mut_arg("measures", |arg| arg.default_value("nDCG@10 AP"))`.
#[derive(Debug, clap::Args)]
#[command(arg(elsewhere("metrics", "--measures")), arg(elsewhere("metric", "--measures")))]
pub(crate) struct Measures {
    /// Measures, such as 'nDCG@10 AP RBP(p=0.8)' or a file, my.toml; may be repeated.
    /// `axio measures` lists them
    #[arg(short, long = "measures", value_name = "MEASURES")]
    measures: Vec<String>,
}

impl Measures {
    /// The measures asked for, each once, and apart from them those that look at documents.
    pub(crate) fn parted(&self, inputs: &Inputs) -> axiometrics::Result<PartedMeasures> {
        let mut parted = PartedMeasures::default();
        let mut rest: Vec<String> = Vec::new();
        for token in self.measures.iter().flat_map(|text| text.split_whitespace()) {
            let bare = token.trim_matches(',');
            match (Beyond::parse(bare), Effort::parse(bare)) {
                (Some(metric), _) => parted.beyond.push(metric?),
                (None, Some(metric)) => parted.effort.push(metric?),
                (None, None) => rest.push(token.to_string()),
            }
        }
        if !rest.is_empty() || parted.of_documents() == 0 {
            parted.metrics = Measures { measures: vec![rest.join(" ")] }.parse_labelled(inputs)?;
        }
        Ok(parted)
    }

    /// The measures asked for, each once, where the labels of grades may stand for grades.
    pub(crate) fn parse_labelled(&self, inputs: &Inputs) -> axiometrics::Result<Vec<Metric>> {
        let numbered = |text: &String| inputs.labelled(text);
        Measures { measures: self.measures.iter().map(numbered).collect() }.parse()
    }

    /// The measures asked for, each once.
    pub(crate) fn parse(&self) -> axiometrics::Result<Vec<Metric>> {
        let mut all: Vec<Metric> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for text in &self.measures {
            for metric in metrics(text)? {
                let name = metric.to_string();
                if !names.contains(&name) {
                    names.push(name);
                    all.push(metric);
                }
            }
        }
        if all.is_empty() {
            return Err(axiometrics::Error::usage("found no measure in -m, expected at least one")
                .help("write -m 'nDCG@10 AP'"));
        }
        Ok(all)
    }
}

/// Measures by what they look at.
#[derive(Debug, Default)]
pub(crate) struct PartedMeasures {
    /// Of ranked grades.
    pub(crate) metrics: Vec<Metric>,
    /// Of the documents of a catalogue.
    pub(crate) beyond: Vec<Metric>,
    /// Of documents with their lengths.
    pub(crate) effort: Vec<Metric>,
}

impl PartedMeasures {
    /// How many look at documents.
    pub(crate) fn of_documents(&self) -> usize {
        self.beyond.len() + self.effort.len()
    }
}

/// Scores that were computed already, in place of judgements and runs.
#[derive(Debug, clap::Args)]
pub(crate) struct ScoreTableArgs {
    /// Take the scores of this file instead of judgements and runs: a table with the columns system
    /// (or run), topic, measure and value, such as `axio eval` and `axio organize` write with
    /// `--per-topic --format tsv`; -m names some of its measures
    #[arg(long = "table", value_name = "SCORES", conflicts_with_all = ["qrels", "runs"])]
    pub(crate) path: Option<PathBuf>,
}

impl ScoreTableArgs {
    /// The table, if one was named. `unasked` is what -m says if the user does not.
    pub(crate) fn read(
        &self,
        measures: &Measures,
        unasked: &str,
    ) -> axiometrics::Result<Option<ScoreTable>> {
        let Some(path) = &self.path else { return Ok(None) };
        let mut only: Vec<String> = Vec::new();
        for text in measures.measures.iter().filter(|text| *text != unasked) {
            only.extend(text.split_whitespace().map(str::to_string));
        }
        ScoreTable::read(&shell::open(path)?, &only).map(Some)
    }
}

/// Reads a list of measures, in which a name that ends in `.toml` is a file.
pub(crate) fn metrics(text: &str) -> axiometrics::Result<Vec<Metric>> {
    let words: Vec<Cow<'_, str>> = text.split_whitespace().map(spelled_out).collect();
    measure::parse_list_with(&words.join(" "), &mut read_component)
        .map_err(|error| words.iter().find_map(|word| of_another_command(word)).unwrap_or(error))
}

/// The error of a measure that `axio measures` lists, and that another command scores.
fn of_another_command(word: &str) -> Option<Error> {
    let head = word.trim_matches(',').split(['(', '@']).next()?;
    let own = |def: &Def| def.name == head || def.aliases.iter().any(|a| a.spelling == head);
    if measure::definitions().any(own) {
        return None;
    }
    let (of, command) = if SessionMeasure::named(head).is_some() {
        ("sessions", "session")
    } else if Beyond::named(head).is_some() || Effort::named(head).is_some() {
        ("what is known of documents besides their grades", "eval")
    } else if organization::measure(head).is_some() {
        ("clusterings and filterings", "organize")
    } else {
        return None;
    };
    let error = Error::usage(format!("{head} is a measure of {of}, expected one of rankings"));
    let scores = match command {
        "eval" => "`axio eval --per-topic --format tsv` scores it, and `axio compare --table` \
                   compares the scores"
            .to_string(),
        _ => format!("`axio {command}` scores it"),
    };
    Some(error.help(format!("{scores}; `axio explain {head}` describes it")))
}

/// trec_eval's names for several measures, and its F, whose number is the square of beta.
fn spelled_out(word: &str) -> Cow<'_, str> {
    const OFFICIAL: &str = "num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank \
        iprec_at_recall.0.0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1.0 P.CUTOFFS";
    const ALL_TREC: &str = "recall.CUTOFFS infAP gm_bpref \
        Rprec_mult.0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0 utility 11pt_avg binG G ndcg ndcg_rel \
        Rndcg ndcg_cut.CUTOFFS map_cut.CUTOFFS relative_P.CUTOFFS success.1,5,10 set_P \
        set_relative_P set_recall set_map set_F num_nonrel_judged_ret rbp Unjudged@5 Unjudged@10 \
        Unjudged@20";
    const CUTOFFS: &str = "5,10,15,20,30,100,200,500,1000";
    let squared = || word.strip_prefix("set_F").and_then(|rest| rest.strip_prefix(['.', '_']));
    match word {
        "official" => OFFICIAL.replace("CUTOFFS", CUTOFFS).into(),
        "all_trec" => format!("{OFFICIAL} {ALL_TREC}").replace("CUTOFFS", CUTOFFS).into(),
        _ => match squared().and_then(|x| x.parse::<f64>().ok()).filter(|x| *x > 0.0) {
            Some(x) => format!("SetF(beta={})", x.sqrt()).into(),
            None => word.into(),
        },
    }
}

/// How runs become scores.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Policies")]
pub(crate) struct Policies {
    /// What to do about a judged topic that the run lacks
    #[arg(long, value_parser = choice::<Missing>(), default_value = Missing::default().name(), value_name = "POLICY")]
    pub(crate) missing: Missing,
    /// What to do about a score that is undefined
    #[arg(long, value_parser = choice::<Undefined>(), default_value = Undefined::default().name(), value_name = "POLICY")]
    pub(crate) undefined: Undefined,
    /// How documents with equal scores are ordered
    #[arg(long, value_parser = choice::<Ties>(), default_value = Ties::default().name(), value_name = "ORDER")]
    pub(crate) ties: Ties,
    /// How scores are compared
    #[arg(long, value_parser = choice::<Rounding>(), default_value = Rounding::default().name(), value_name = "TYPE")]
    pub(crate) scores: Rounding,
    /// The highest grade that judges could give [default: that of --labels, or the highest in the
    /// judgements]
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) max_grade: Option<f64>,
    /// Cut every ranking off at this depth first
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// Count lines that are wrong and leave them out, instead of stopping at the first
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Leave out topics without a relevant document, by every measure alike
    #[arg(long)]
    pub(crate) prune: bool,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

/// How runs are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Label {
    /// By their files
    #[default]
    File,
    /// By the tag in the last column of a TREC run
    Tag,
}

/// How files become runs.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct Inputs {
    /// Which scores are better
    #[arg(long, value_parser = choice::<Order>(), default_value = Order::default().name(), value_name = "ORDER")]
    order: Order,
    /// What to do about a document that a topic of a run has more than once
    #[arg(long, value_parser = choice::<Duplicates>(), default_value = Duplicates::default().name(), value_name = "POLICY")]
    duplicates: Duplicates,
    /// The runs retrieve parts: a file with a part and its document on each line
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// The score of a document whose parts a run retrieved [default: max]
    #[arg(long, value_parser = choice::<Pool>(), value_name = "HOW", requires = "map")]
    pool: Option<Pool>,
    /// What the columns of tables are called, such as topic=user_id,doc=item_id,score=rating, or
    /// their numbers if there is no header
    #[arg(long, value_name = "ROLE=NAME,...")]
    columns: Option<Columns>,
    /// How runs are named
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub(crate) label: Label,
    /// Labels in place of grades, the lowest first: with N,P,R,H the label H is grade 3, and 3 is
    /// the highest grade whether or not a document has it. LABEL=GRADE gives a label its grade.
    /// gains={P:0.3,H:1} and rel=R may name labels, and runs may have them for scores
    #[arg(long, value_name = "LABEL,...", default_value = "", hide_default_value = true)]
    labels: Labels,
    /// Labels in place of the scores of runs, if these have a scale of their own: A=0,B=0,C=1,D=1
    /// says that A and B agree with the lower grade of two [default: those of --labels]
    #[arg(long, value_name = "LABEL,...", default_value = "", hide_default_value = true)]
    run_labels: Labels,
}

impl Inputs {
    /// Opens judgements whose columns and grades are called so.
    pub(crate) fn open(&self, path: impl AsRef<Path>) -> axiometrics::Result<Source> {
        self.open_with(path, &self.labels)
    }

    /// Opens a run whose columns and scores are called so.
    pub(crate) fn open_run(&self, path: impl AsRef<Path>) -> axiometrics::Result<Source> {
        let own = !self.run_labels.is_empty();
        self.open_with(path, if own { &self.run_labels } else { &self.labels })
    }

    fn open_with(&self, path: impl AsRef<Path>, labels: &Labels) -> axiometrics::Result<Source> {
        let source = shell::open(path)?.with_columns(self.columns.clone().map(Arc::new));
        if labels.is_empty() { Ok(source) } else { io::with_labels(&source, labels) }
    }

    /// A list of measures with grades in place of labels.
    pub(crate) fn labelled(&self, measures: &str) -> String {
        self.labels.in_measures(measures)
    }

    /// How the rows of files become runs.
    pub(crate) fn reading(&self) -> axiometrics::Result<Reading> {
        let parts = match &self.map {
            Some(path) => Some(Arc::new(io::read_parts(&shell::open(path)?)?)),
            None => None,
        };
        let (order, duplicates) = (self.order, self.duplicates);
        Ok(Reading { order, duplicates, parts, pool: self.pool.unwrap_or_default() })
    }
}

impl Policies {
    /// The highest grade, if the user said it or declared a scale of labels.
    pub(crate) fn max_grade(&self) -> Option<f64> {
        self.max_grade.or_else(|| self.inputs.labels.max_grade())
    }

    /// As the library wants them.
    pub(crate) fn choices(&self) -> policy::Policies {
        policy::Policies {
            missing: self.missing,
            undefined: self.undefined,
            ties: self.ties,
            scores: self.scores,
            max_grade: self.max_grade(),
            depth: self.depth,
            lenient: self.lenient,
            prune: self.prune,
            order: self.inputs.order,
            duplicates: self.inputs.duplicates,
            pool: self.inputs.map.as_ref().map(|_| self.inputs.pool.unwrap_or_default()),
        }
    }

    /// How runs are read.
    pub(crate) fn run_options(&self) -> axiometrics::Result<RunOptions> {
        let reading = self.inputs.reading()?;
        Ok(RunOptions { lenient: self.lenient, reading, ..RunOptions::default() })
    }

    /// How rankings are made of runs.
    pub(crate) fn policy(&self) -> Policy {
        Policy { ties: self.ties, scores: self.scores, depth: self.depth, ..Policy::default() }
    }
}

/// How results are written.
#[derive(Debug, clap::Args)]
#[command(
    next_help_heading = "Output",
    arg(elsewhere("json", "--format json")),
    arg(elsewhere("csv", "--format csv")),
    arg(elsewhere("latex", "--format latex"))
)]
pub(crate) struct Output {
    /// How results are written
    #[arg(long, value_parser = choice::<OutputFormat>(), default_value = OutputFormat::default().name(), value_name = "FORMAT")]
    pub(crate) format: OutputFormat,
    /// Decimal places [default: 4 in tables for people, all elsewhere]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=100))]
    pub(crate) places: Option<u8>,
    /// Write results to a file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Names and ids in CSV and TSV as they are, even if a terminal or a spreadsheet acts on them
    #[arg(long)]
    pub(crate) raw: bool,
}

/// How much is read from pipes.
#[derive(Debug, clap::Args)]
pub(crate) struct Pipes {
    /// The most that is copied from a pipe, such as 500MB [default: 64GB]
    // It is read by the shell, before the command begins.
    #[arg(long = "max-spool", id = "max_spool", value_name = "SIZE", value_parser = size)]
    _max_spool: Option<u64>,
}

/// How the work is done and how much is said about it.
#[derive(Debug, clap::Args)]
pub(crate) struct Work {
    /// How many threads may work [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[command(flatten)]
    _pipes: Pipes,
    /// No warnings, no settings, no progress bar
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Every warning with its help, file by file
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

impl Work {
    /// The handle of the work.
    pub(crate) fn handle(&self) -> work::Work {
        let work = shell::work().unwrap_or_default();
        match self.threads {
            Some(threads) => work.with_threads(usize::from(threads)),
            None => work,
        }
    }
}

/// Offers the members of a closed set by name.
pub(crate) fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    choice_among(|_: T| true)
}

/// Offers some of them.
pub(crate) fn choice_among<T: Choice>(
    is_offered: impl Fn(T) -> bool,
) -> impl TypedValueParser<Value = T> {
    let offered = T::ALL.iter().filter(|c| is_offered(**c));
    let offered = offered.map(|c| PossibleValue::new(c.name()).help(c.meaning()));
    PossibleValuesParser::new(offered).try_map(|name| T::from_name(&name))
}

/// A number of bytes: 1000000, 500MB, 64GB.
fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => u32::MAX,
    };
    let bytes = digits.trim_end().parse::<u64>().ok();
    bytes
        .and_then(|bytes| bytes.checked_mul(1u64.checked_shl(shift)?))
        .ok_or_else(|| "expected a number of bytes, such as 500MB or 64GB".to_string())
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x: &f64| x.is_finite() && *x > 0.0)
        .ok_or_else(|| "expected a number above 0".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [("7", 7), ("500MB", 500 << 20), ("64 gb", 64 << 30), ("1KiB", 1024)] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "GB", "-1", "1.5GB", "5 XB", "99999999999TB"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_of_trec_eval_are_spelled_out() {
        assert_eq!(metrics("official").unwrap().len(), 29);
        assert_eq!(metrics("all_trec AP").unwrap().len(), 98);
        let metric = &metrics("set_F.0.25").unwrap()[0];
        assert_eq!(metric.to_string(), "SetF(beta=0.5)");
        assert!(metrics("my_set_F").is_err());
    }
}
