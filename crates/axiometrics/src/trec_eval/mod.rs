//! Measures by the names that NIST's trec_eval 10 gives them, with its semantics.
//!
//! Owns the names, the nicknames and the parameters, and what differs from the measures of the
//! library under them: a score without a value is 0, geometric means are logarithms until they are
//! summarised, topics that the run lacks are left out. Options, help and printing belong to the
//! command.
//!
//! ```
//! use axiometrics::trec_eval::{Evaluator, TrecSettings, TrecValue};
//! use axiometrics::{Qrels, Run};
//!
//! let qrels = Qrels::from_columns(&["1", "1", "2"], &["a", "b", "a"], &[1.0, 2.0, 1.0])?;
//! let run = Run::from_columns(&["1", "1"], &["x", "b"], &[2.0, 1.0])?;
//! let evaluator = Evaluator::named(&["map", "ndcg_cut_5,10", "num_q"], TrecSettings::default())?;
//! assert_eq!(evaluator.names(), ["num_q", "map", "ndcg_cut_5", "ndcg_cut_10"]);
//!
//! let table = evaluator.score(&qrels, &run)?;
//! assert_eq!(table.len(), 1); // The run lacks topic 2.
//! assert_eq!(table.get("1", "map"), Some(TrecValue::Number(0.25)));
//! assert_eq!(table.summary("num_q"), Some(TrecValue::Number(1.0)));
//! # Ok::<(), axiometrics::Error>(())
//! ```

mod catalogue;
mod columns;
mod graded;
mod names;
pub mod number;
mod preferences;
mod refused;
mod table;

pub use catalogue::{MEASURES, NICKNAMES};
pub use columns::TrecSummary;
pub use names::{Basis, ChosenMeasure, Spelling, TrecMeasure, chosen};
pub use refused::{Mistake, Refused};
pub use table::{TrecScores, TrecValue};

use crate::choice::{Choice, choices};
use crate::data::{Qrels, Run};
use crate::error::Result;
use crate::io::Source;
use crate::policy::Rounding;
use columns::{LineContent, TrecLine};

/// The choices that trec_eval's options make. The default ones are its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrecSettings {
    /// The lowest grade that counts as relevant (`-l`).
    pub level: i64,
    /// Unjudged documents are taken out of the ranking first (`-J`).
    pub judged_only: bool,
    /// Topics that the run lacks count, as empty rankings (`-c`).
    pub complete: bool,
    /// How many documents the collection has (`-N`).
    pub collection: i64,
    /// Rankings end here (`-M`).
    pub depth: Option<i64>,
    /// The only topic to look at.
    pub topic: Option<Vec<u8>>,
    /// How scores are compared: as 32-bit numbers by pytrec_eval.
    pub scores: Rounding,
    /// Whose rules are followed, if they have changed.
    pub release: Release,
}

/// Releases of trec_eval that do not agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Release {
    /// As in pytrec_eval: a share r of R relevant documents is r * R + 0.9 of them, rounded down.
    Nine,
    /// It is r * R of them, rounded to the nearest.
    #[default]
    Ten,
}

impl Default for TrecSettings {
    fn default() -> TrecSettings {
        TrecSettings {
            level: 1,
            judged_only: false,
            complete: false,
            collection: 0,
            depth: None,
            topic: None,
            scores: Rounding::F64,
            release: Release::Ten,
        }
    }
}

/// The formats of judgements that `-R` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Judgements {
    /// A grade for each document.
    #[default]
    Qrels,
    /// Several judges: the second column of the file names the judgement group.
    Groups,
    /// Levels of preference within groups and subgroups.
    Preferences,
    /// Grades read as preferences within a group.
    QrelsAsPreferences,
}

choices! {
    Judgements {
        Qrels "qrels",
        Groups "qrels_jg",
        Preferences "prefs",
        QrelsAsPreferences "qrels_prefs",
    }
}

impl Judgements {
    fn basis(self) -> Basis {
        match self {
            Judgements::Qrels => Basis::Grades,
            Judgements::Groups => Basis::Groups,
            Judgements::Preferences | Judgements::QrelsAsPreferences => Basis::Preferences,
        }
    }
}

/// Scores runs by measures of trec_eval.
#[derive(Debug)]
pub struct Evaluator {
    lines: Vec<TrecLine>,
    judgements: Judgements,
    settings: TrecSettings,
}

impl Evaluator {
    /// An evaluator of these measures, which must fit the judgements.
    pub fn new(
        chosen: &[ChosenMeasure],
        judgements: Judgements,
        settings: TrecSettings,
    ) -> std::result::Result<Evaluator, Refused> {
        let mut lines = Vec::new();
        // trec_eval reads the parameters of all measures before it calculates any.
        let mut incalculable = None;
        for one in chosen {
            let basis = one.measure.basis();
            match columns::lines(one, &settings) {
                Ok(_) if basis != Basis::Any && basis != judgements.basis() => {
                    let message = format!(
                        "Can't calculate measure '{}' from judgements of format {}",
                        one.measure.name,
                        judgements.name()
                    );
                    incalculable.get_or_insert(Refused::calculation(message));
                }
                Ok(of_measure) => lines.extend(of_measure),
                Err(refused) if refused.kind == Mistake::Calculation => {
                    incalculable.get_or_insert(refused);
                }
                Err(refused) => return Err(refused),
            }
        }
        match incalculable {
            Some(refused) => Err(refused),
            None => Ok(Evaluator { lines, judgements, settings }),
        }
    }

    /// An evaluator of the measures that these texts name, whose parameters follow a dot or an
    /// underscore; of trec_eval's official ones if there is no text.
    pub fn named<S: AsRef<str>>(measures: &[S], settings: TrecSettings) -> Result<Evaluator> {
        let chosen = chosen(measures, Spelling::DotOrUnderscore)?;
        Ok(Evaluator::new(&chosen, Judgements::Qrels, settings)?)
    }

    /// The names of the scores, in trec_eval's order.
    pub fn names(&self) -> Vec<&str> {
        self.lines.iter().map(|line| line.name.as_str()).collect()
    }

    /// How a score is summarised over topics; `None` if it is no number of a topic.
    pub fn summary_kind(&self, column: usize) -> Option<TrecSummary> {
        match self.lines.get(column)?.what {
            LineContent::Number(_, summary) => Some(summary),
            _ => None,
        }
    }

    /// Scores a run in memory. The judgements must be grades; there may be no topic in common.
    pub fn score(&self, qrels: &Qrels, run: &Run) -> Result<TrecScores<'_>> {
        graded::of_run(self, qrels, run)
    }

    /// Scores the run in one file by the judgements in another, as trec_eval reads them.
    pub fn score_files(&self, qrels: &Source, run: &Source) -> Result<TrecScores<'_>> {
        match self.judgements {
            Judgements::Qrels | Judgements::Groups => graded::of_files(self, qrels, run),
            Judgements::Preferences | Judgements::QrelsAsPreferences => {
                preferences::of_files(self, qrels, run)
            }
        }
    }

    /// True if there is a topic that is to be left out because another one is to be looked at.
    fn skips(&self, topic: &[u8]) -> bool {
        self.settings.topic.as_ref().is_some_and(|only| only != topic)
    }
}
