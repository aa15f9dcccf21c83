//! The names of closed sets of choices.
//!
//! Command line, JSON, Python and web offer the same words for the same policies because they all read this list.

use crate::align::{Scores, Ties};
use crate::error::{Error, Result};
use crate::io::organization::Format as OrganizationFormat;
use crate::organization::Variant;
use crate::score::{Missing, Undefined};

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
    Ties {
        DocidDesc "docid-desc" "by document id, descending, as trec_eval does",
        DocidAsc "docid-asc" "by document id, ascending",
        File "file" "as they stand in the file",
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
    }
}
