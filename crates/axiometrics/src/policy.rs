//! The choices that a person makes about an evaluation, each with a default and a name.
//!
//! They are apart from the code that follows them so that every part of the library, and every
//! shell around it, can speak of them. [`Policies`] is all of them together.

use crate::choice::choices;

/// What is done about a judged topic that a run does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Missing {
    /// It is scored as an empty ranking.
    #[default]
    Zero,
    /// It is left out.
    Skip,
    /// It is an error.
    Error,
}

/// What a summary does with an undefined score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Undefined {
    /// Counts it as zero.
    #[default]
    Zero,
    /// Counts it as one: where nothing can be found, any ranking is the best there is.
    One,
    /// Leaves it out.
    Skip,
    /// Refuses to give a summary.
    Error,
}

impl Undefined {
    /// What an undefined score counts as; `None` if it does not count.
    pub fn value(self) -> Option<f64> {
        match self {
            Undefined::Zero => Some(0.0),
            Undefined::One => Some(1.0),
            Undefined::Skip | Undefined::Error => None,
        }
    }
}

/// How documents with equal scores are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Ties {
    /// By document id, descending in byte order, as trec_eval does.
    #[default]
    DocidDesc,
    /// By document id, ascending.
    DocidAsc,
    /// As they come in the file.
    File,
    /// The expected score over all orders.
    Average,
    /// As `DocidDesc`, with the lowest and the highest score that any order has.
    Range,
}

impl Ties {
    /// The order that differs most from this one; `None` if ids do not decide.
    pub fn opposite(self) -> Option<Ties> {
        match self {
            Ties::DocidDesc => Some(Ties::DocidAsc),
            Ties::DocidAsc => Some(Ties::DocidDesc),
            Ties::File | Ties::Average | Ties::Range => None,
        }
    }
}

/// How scores are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Rounding {
    /// As 64-bit numbers, as trec_eval 10 does.
    #[default]
    F64,
    /// Rounded to 32 bits first, as older versions and pytrec_eval do. Some scores that differ
    /// then tie.
    F32,
}

/// Which end of a run's scores is the better one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Order {
    /// High scores are better.
    #[default]
    Desc,
    /// Low scores are better, as distances are. They are read as their negatives.
    Asc,
}

/// What is done about a document that a topic of a run has more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Duplicates {
    /// It is an error.
    #[default]
    Error,
    /// Its first row in the file counts.
    First,
    /// Its best score counts.
    Best,
}

/// The score of a document whose parts a run retrieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Pool {
    /// That of its best part.
    #[default]
    Max,
    /// That of the part that comes first in the file.
    First,
    /// The sum over its parts.
    Sum,
}

/// What stands below the end of a ranking, for the range of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum BelowEnd {
    /// Documents that nobody judged: down to the cutoff, or for ever if the user of the measure may
    /// read on for ever.
    #[default]
    Unknown,
    /// Nothing: the list has ended.
    None,
}

/// All choices that turn runs into scores.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Policies {
    /// What is done about missing topics.
    pub missing: Missing,
    /// What summaries do with undefined scores.
    pub undefined: Undefined,
    /// How documents with equal scores are ordered.
    pub ties: Ties,
    /// How scores are compared.
    pub scores: Rounding,
    /// The highest grade that judges could give; the highest in the judgements if it is `None`.
    pub max_grade: Option<f64>,
    /// Rankings are cut off here first.
    pub depth: Option<u32>,
    /// Wrong lines are counted and left out instead of being errors.
    pub lenient: bool,
    /// Which end of the scores is the better one.
    pub order: Order,
    /// What is done about repeated documents.
    pub duplicates: Duplicates,
    /// How the parts of documents were put together, if runs retrieve parts.
    pub pool: Option<Pool>,
    /// Topics without a relevant document are left out, by every measure alike.
    pub prune: bool,
}

choices! {
    Missing {
        Zero "zero" "score it as an empty ranking",
        Skip "skip" "leave it out",
        Error "error" "refuse the run",
    }
    Undefined {
        Zero "zero" "count it as 0 in the summary",
        One "one" "count it as 1 in the summary: no ranking could be better",
        Skip "skip" "leave it out of the summary",
        Error "error" "refuse the run",
    }
    Ties {
        DocidDesc "docid-desc" "by document id, descending, as trec_eval does",
        DocidAsc "docid-asc" "by document id, ascending",
        File "file" "as they come in the file",
        Average "average" "the expected score over all orders of tied documents",
        Range "range" "as docid-desc, with the lowest and the highest score of all orders",
    }
    Order {
        Desc "desc" "high scores are better",
        Asc "asc" "low scores are better, as distances are",
    }
    Duplicates {
        Error "error" "refuse the run",
        First "first" "the first row of the file counts",
        Best "best" "the best score counts",
    }
    Pool {
        Max "max" "the score of its best part",
        First "first" "the score of the part that comes first in the file",
        Sum "sum" "the sum over its parts",
    }
    Rounding {
        F64 "f64" "as 64-bit numbers, as trec_eval 10 does",
        F32 "f32" "rounded to 32 bits first, as trec_eval 9 and pytrec_eval do",
    }
    BelowEnd {
        Unknown "unknown" "unjudged documents, as far down as the measure reads",
        None "none" "nothing: the list has ended",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::tests::names_lead_back;

    #[test]
    fn names_lead_back_to_their_choice() {
        names_lead_back::<Missing>();
        names_lead_back::<Undefined>();
        names_lead_back::<Ties>();
        names_lead_back::<Rounding>();
        names_lead_back::<Order>();
        names_lead_back::<Duplicates>();
        names_lead_back::<Pool>();
        names_lead_back::<BelowEnd>();
    }
}
