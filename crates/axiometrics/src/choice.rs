//! The names of closed sets of choices.
//!
//! Command line, JSON, Python and web offer the same words for the same policies because they all read this list.

use crate::align::{Scores, Ties};
use crate::check::axiom::{Reading, Restrict, Single};
use crate::error::{Error, Result};
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
    }
    Scores {
        F64 "f64" "as 64-bit numbers, as trec_eval 10 does",
        F32 "f32" "rounded to 32 bits first, as trec_eval 9 and pytrec_eval do",
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
    }
}
