//! The names of closed sets of choices.
//!
//! Command line, JSON, Python and web offer the same words for the same policies because they all
//! read this list.

use crate::align::{Scores, Ties};
use crate::check::axiom::{Reading, Restrict, Single};
use crate::compare::Procedure;
use crate::error::{Error, Result};
use crate::io::organization::Format as OrganizationFormat;
use crate::organization::Variant;
use crate::score::{Missing, Undefined};
use crate::stats::{Correction, MeanInterval, Test};

/// A closed set whose members have names.
pub trait Choice: Copy + Send + Sync + 'static {
    /// Every member, the default first.
    const ALL: &'static [Self];

    /// The word for it.
    fn name(self) -> &'static str;

    /// What it means, in a few words.
    fn meaning(self) -> &'static str;

    /// The member with this name.
    fn from_name(name: &str) -> Result<Self> {
        Self::ALL.iter().copied().find(|c| c.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|c| c.name()).collect();
            Error::usage(format!("found \"{name}\", expected one of {}", names.join(", ")))
        })
    }
}

macro_rules! choices {
    ($($set:ident { $($member:ident $name:literal $meaning:literal,)+ })+) => {
        $(impl Choice for $set {
            const ALL: &'static [Self] = &[$($set::$member),+];

            fn name(self) -> &'static str {
                match self { $($set::$member => $name),+ }
            }

            fn meaning(self) -> &'static str {
                match self { $($set::$member => $meaning),+ }
            }
        })+
    };
}

choices! {
    Missing {
        Zero "zero" "score it as an empty ranking",
        Skip "skip" "leave it out",
        Error "error" "refuse the run",
    }
    Undefined {
        Zero "zero" "count it as 0 in the summary",
        Skip "skip" "leave it out of the summary",
        Error "error" "refuse the run",
    }
    Restrict {
        Renumber "renumber" "documents of a subset get the positions from 1 on",
        Keep "keep" "they keep their positions",
    }
    Single {
        Singleton "singleton" "the score where there is no other document",
        Contribution "contribution" "what the document adds to the sum",
        CeterisParibus "ceteris-paribus" "the score of all documents, where nothing else changes",
    }
    Reading {
        Order "order" "where the system's value is above or below the assessor's",
        Literal "literal" "where the paper's inequalities between similarities hold",
    }
    Ties {
        DocidDesc "docid-desc" "by document id, descending, as trec_eval does",
        DocidAsc "docid-asc" "by document id, ascending",
        File "file" "as they stand in the file",
        Average "average" "the expected score over all orders of tied documents",
        Range "range" "as docid-desc, with the lowest and the highest score of all orders",
    }
    Scores {
        F64 "f64" "as 64-bit numbers, as trec_eval 10 does",
        F32 "f32" "rounded to 32 bits first, as trec_eval 9 and pytrec_eval do",
    }
    Variant {
        Printed "printed" "as the formulas are printed: it has no relation there, and none with the tail",
        Table9 "table9" "it counts as rightly above the tail in one term, which gives the paper's Table 9",
        Semantic "semantic" "it stands in that side's tail, below all that the side holds",
    }
    OrganizationFormat {
        Table "table" "rows under a header with some of topic, doc, level, cluster",
        Filtering "filtering" "topic, document, label and perhaps a score",
        Json "json" "nested lists of levels, clusters and documents",
        Qrels "qrels" "TREC judgements: grades become levels",
        Diversity "diversity" "TREC judgements by subtopic: subtopics become overlapping clusters",
        Run "run" "a TREC run: ranks become levels",
    }
}

impl Choice for Procedure {
    const ALL: &'static [Self] = &[
        Procedure::Paired(Test::T),
        Procedure::Paired(Test::Wilcoxon),
        Procedure::Paired(Test::Sign),
        Procedure::Paired(Test::Randomisation),
        Procedure::Paired(Test::Bootstrap),
        Procedure::Tukey,
        Procedure::RandomisedTukey,
    ];

    fn name(self) -> &'static str {
        match self {
            Procedure::Paired(test) => test.name(),
            Procedure::Tukey => "tukey",
            Procedure::RandomisedTukey => "randomised-tukey",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Procedure::Paired(Test::T) => "Student's paired t-test",
            Procedure::Paired(Test::Wilcoxon) => "Wilcoxon's signed-rank test",
            Procedure::Paired(Test::Sign) => "the sign test",
            Procedure::Paired(Test::Randomisation) => {
                "Fisher's randomisation test, exact up to 30 topics"
            }
            Procedure::Paired(Test::Bootstrap) => "the studentized bootstrap test",
            Procedure::Tukey => {
                "Tukey's HSD after a two-way analysis of variance, all pairs at once"
            }
            Procedure::RandomisedTukey => {
                "Tukey's HSD by permuting systems within topics, all pairs at once"
            }
        }
    }
}

// These two name their members themselves; what is added is the order of the offer and the meaning.
impl Choice for Correction {
    const ALL: &'static [Self] = &[
        Correction::Holm,
        Correction::Bonferroni,
        Correction::BenjaminiHochberg,
        Correction::None,
    ];

    fn name(self) -> &'static str {
        Correction::name(self)
    }

    fn meaning(self) -> &'static str {
        match self {
            Correction::Holm => "Holm's step-down procedure: the chance of any false discovery",
            Correction::Bonferroni => "times the number of tests",
            Correction::BenjaminiHochberg => {
                "Benjamini and Hochberg: the share of false discoveries"
            }
            Correction::None => "p-values as they are",
        }
    }
}

impl Choice for MeanInterval {
    const ALL: &'static [Self] = &MeanInterval::ALL;

    fn name(self) -> &'static str {
        MeanInterval::name(self)
    }

    fn meaning(self) -> &'static str {
        match self {
            MeanInterval::T => "Student's t",
            MeanInterval::Percentile => "percentiles of bootstrapped means",
            MeanInterval::Bca => "the same, bias-corrected and accelerated",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trips<T: Choice + Default + PartialEq + std::fmt::Debug>() {
        assert_eq!(T::ALL[0], T::default());
        for choice in T::ALL {
            assert_eq!(T::from_name(choice.name()).unwrap(), *choice);
        }
        assert!(T::from_name("none such").unwrap_err().to_string().contains(T::ALL[0].name()));
    }

    #[test]
    fn names_lead_back_to_their_choice() {
        round_trips::<Missing>();
        round_trips::<Undefined>();
        round_trips::<Ties>();
        round_trips::<Scores>();
        round_trips::<Variant>();
        round_trips::<Procedure>();
        round_trips::<Correction>();
        round_trips::<MeanInterval>();
    }
}
