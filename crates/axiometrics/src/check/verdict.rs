//! What can be said after a check, and no more than was done.

use super::witness::{Evidence, Witness};
use crate::choice::{Choice, choices};

/// The outcome of one check of one metric; what decides it is a [`Witness`], or an instance where
/// the metric scores organizations.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Verdict<W = Witness> {
    /// It does not hold: here is a case.
    Violated {
        /// The smallest case that was met.
        witness: W,
        /// The rule that shows it, if no single case can (an unbounded metric).
        rule: Option<String>,
    },
    /// It holds if a tie counts as success, and fails if it does not: here is the tie.
    Weak {
        /// The smallest tie.
        witness: W,
    },
    /// Every case ties: it never holds, and is never reversed. Here is a tie.
    Tied {
        /// The smallest tie.
        witness: W,
    },
    /// It holds for every size.
    Proved {
        /// Why.
        rule: String,
    },
    /// No case against it exists within the bounds, and all were looked at.
    Searched(Bounds),
    /// No case against it was met in this many trials.
    Sampled {
        /// What was looked at exhaustively, before the trials.
        bounds: Bounds,
        /// How many random cases were tried.
        trials: u64,
        /// Where the random numbers start.
        seed: u64,
    },
    /// Neither a case against it nor a proof, and no search can tell: this is what was seen.
    Undecided(Bounds),
    /// No case within the bounds says anything: every comparison met an undefined score, or none
    /// was possible.
    Vacuous(Bounds),
    /// The question makes no sense for this metric, and why.
    NotApplicable(String),
}

/// What a verdict comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// Nothing speaks against it.
    Holds,
    /// A case speaks against it.
    Violated,
    /// It holds if a tie counts as success.
    Weak,
    /// Every case ties.
    Tied,
    /// Neither proved nor refuted, and no search can tell.
    Undecided,
    /// No case says anything.
    Vacuous,
    /// The question makes no sense for the metric.
    NotApplicable,
}

choices! {
    Outcome {
        Holds "holds",
        Violated "violated",
        Weak "weak",
        Tied "ties",
        Undecided "not decided",
        Vacuous "vacuous",
        NotApplicable "n/a",
    }
}

/// How a verdict is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum How {
    /// For every size, by a rule.
    Proved,
    /// By looking at all cases within bounds.
    Searched,
    /// By random cases beside those.
    Sampled,
}

choices! {
    How {
        Proved "proved",
        Searched "searched",
        Sampled "sampled",
    }
}

/// How far a search went.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bounds {
    /// The largest number of documents in a collection.
    pub docs: u32,
    /// The gains that documents could have, as text; empty if documents have none.
    pub gains: String,
    /// How many comparisons were made.
    pub cases: u64,
    /// How many were left out because a score was undefined.
    pub skipped: u64,
    /// How near ties were decided.
    pub arithmetic: Arithmetic,
    /// What else was seen.
    pub note: Option<String>,
}

/// How ties were decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Arithmetic {
    /// In rationals: a tie is a tie.
    #[default]
    Exact,
    /// In intervals of 77 digits: a tie is the same formula.
    Digits,
    /// In floating point, because the formula leaves the rationals: a difference of at most
    /// [`TOLERANCE`] is a tie.
    Tolerance,
}

/// What to say if a rule proves what a case in floating point speaks against, and no exact
/// arithmetic decides the case.
pub(super) fn disagreement(rule: &str, case: &str) -> String {
    format!(
        "a rule proves it ({rule}), but in floating point {case}, and no exact arithmetic decides this case"
    )
}

/// Scores of an irrational formula that are nearer than this are equal.
pub const TOLERANCE: f64 = 1e-12;

impl Arithmetic {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Arithmetic::Exact => "exact",
            Arithmetic::Digits => "near ties to 77 digits",
            Arithmetic::Tolerance => "ties within 1e-12",
        }
    }
}

impl<W: Evidence> Verdict<W> {
    /// A case against it, with nothing but the case.
    pub fn violated(witness: W) -> Verdict<W> {
        Verdict::Violated { witness, rule: None }
    }

    /// What it comes to.
    pub fn outcome(&self) -> Outcome {
        match self {
            Verdict::Violated { .. } => Outcome::Violated,
            Verdict::Weak { .. } => Outcome::Weak,
            Verdict::Tied { .. } => Outcome::Tied,
            Verdict::Proved { .. } | Verdict::Searched(_) | Verdict::Sampled { .. } => {
                Outcome::Holds
            }
            Verdict::Undecided(_) => Outcome::Undecided,
            Verdict::Vacuous(_) => Outcome::Vacuous,
            Verdict::NotApplicable(_) => Outcome::NotApplicable,
        }
    }

    /// The word for what it comes to.
    pub fn word(&self) -> &'static str {
        self.outcome().name()
    }

    /// How it is known.
    pub fn how(&self) -> Option<How> {
        match self {
            Verdict::Violated { rule: Some(_), .. } | Verdict::Proved { .. } => Some(How::Proved),
            Verdict::Violated { rule: None, .. }
            | Verdict::Weak { .. }
            | Verdict::Tied { .. }
            | Verdict::Searched(_)
            | Verdict::Undecided(_)
            | Verdict::Vacuous(_) => Some(How::Searched),
            Verdict::Sampled { .. } => Some(How::Sampled),
            Verdict::NotApplicable(_) => None,
        }
    }

    /// True if nothing speaks against it.
    pub fn holds(&self) -> bool {
        self.outcome() == Outcome::Holds
    }

    /// True if a case speaks against it.
    pub fn is_violated(&self) -> bool {
        self.outcome() == Outcome::Violated
    }

    /// True if it is known for every size, one way or the other.
    pub fn is_proved(&self) -> bool {
        self.how() == Some(How::Proved)
    }

    /// The case, if there is one.
    pub fn witness(&self) -> Option<&W> {
        match self {
            Verdict::Violated { witness, .. }
            | Verdict::Weak { witness }
            | Verdict::Tied { witness } => Some(witness),
            _ => None,
        }
    }

    /// How far the search went, where there was one and it found nothing.
    pub fn bounds(&self) -> Option<&Bounds> {
        match self {
            Verdict::Searched(bounds)
            | Verdict::Undecided(bounds)
            | Verdict::Vacuous(bounds)
            | Verdict::Sampled { bounds, .. } => Some(bounds),
            _ => None,
        }
    }

    /// The rule, where one decided.
    pub fn rule(&self) -> Option<&str> {
        match self {
            Verdict::Proved { rule } | Verdict::Violated { rule: Some(rule), .. } => Some(rule),
            _ => None,
        }
    }

    /// The reason in one sentence: rule, bounds or witness.
    pub fn reason(&self) -> String {
        match self {
            Verdict::Violated { witness, rule: None }
            | Verdict::Weak { witness }
            | Verdict::Tied { witness } => witness.text().to_string(),
            Verdict::Violated { witness, rule: Some(rule) } => {
                format!("{}; {rule}", witness.text())
            }
            Verdict::Proved { rule } => rule.clone(),
            Verdict::Searched(bounds) => bounds.describe(),
            Verdict::Undecided(bounds) => {
                format!("neither proved nor refuted: {}", bounds.describe())
            }
            Verdict::Sampled { bounds, trials, seed } => {
                format!("{}; then {trials} random larger cases (seed {seed})", bounds.describe())
            }
            Verdict::Vacuous(bounds) => format!("no case decides: {}", bounds.describe()),
            Verdict::NotApplicable(why) => why.clone(),
        }
    }
}

impl Bounds {
    /// In words.
    pub fn describe(&self) -> String {
        let gains =
            if self.gains.is_empty() { String::new() } else { format!(", gains {}", self.gains) };
        let mut text = format!("up to {} documents{gains}, {} cases", self.docs, self.cases);
        if self.skipped > 0 {
            text += &format!(", {} skipped as undefined", self.skipped);
        }
        text += &format!(", {}", self.arithmetic.describe());
        if let Some(note) = &self.note {
            text += &format!("; {note}");
        }
        text
    }
}
