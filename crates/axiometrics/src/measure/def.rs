//! What a measure says about itself.
//!
//! A [`Def`] is data in the measure's own file. The parser, the help, `explain`, the docs and every
//! other face read only this.

use std::fmt;

use super::Measure;
use super::params::{Args, Param};
use crate::error::{Error, Result};

/// The definition of one measure: constants of the program for a registered measure, or a view of
/// what a user's own measure says.
#[derive(Debug, Clone, Copy)]
pub struct Def<'a> {
    /// The name, as ir_measures spells it if it has the measure.
    pub name: &'a str,
    /// What the name stands for.
    pub title: &'a str,
    /// The family, which is the file it lives in.
    pub family: &'static str,
    /// Other spellings.
    pub aliases: &'static [Alias],
    /// The parameters, the first of which may be given without its name.
    pub params: &'a [Param],
    /// Whether the measure takes `@k`.
    pub cutoff: Cutoff,
    /// What is computed, in one or two sentences with the formula.
    pub definition: &'a str,
    /// The values it can take.
    pub range: Span<'a>,
    /// When it has no value.
    pub undefined: &'a str,
    /// The person whose satisfaction it models.
    pub user_model: &'a str,
    /// Examples worked by hand; a test computes each.
    pub examples: &'static [Example],
    /// How other tools differ.
    pub differs: &'static [&'static str],
    /// Where it was published.
    pub references: &'static [&'static str],
    /// Makes the measure from its parameters.
    pub build: fn(&Args) -> Result<Box<dyn Measure>>,
}

/// The values that a measure can take for one topic.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Span<'a> {
    /// From one number to another.
    Between(f64, f64),
    /// One of two numbers.
    Either(f64, f64),
    /// From one number to another, and what else there is to say.
    BetweenWith(f64, f64, &'a str),
    /// What no two numbers say.
    Words(&'a str),
}

impl<'a> Def<'a> {
    /// The beginnings of a definition for a measure that a user defines: everything else can be
    /// said with `..Def::own(name, title)`.
    pub const fn own(name: &'a str, title: &'a str) -> Def<'a> {
        Def {
            name,
            title,
            family: "own",
            aliases: &[],
            params: &[],
            cutoff: Cutoff::Never,
            definition: title,
            range: Span::Words("what its formula gives"),
            undefined: "its formula says so",
            user_model: "not stated",
            examples: &[],
            differs: &[],
            references: &[],
            build: |_| Err(Error::usage("a measure of one's own is made by its own definition")),
        }
    }
}

impl Span<'_> {
    /// From 0 to 1.
    pub const UNIT: Span<'static> = Span::Between(0.0, 1.0);

    /// The least and the greatest score, if they are numbers that hold for every topic.
    pub fn bounds(&self) -> Option<(f64, f64)> {
        match *self {
            Span::Between(low, high)
            | Span::Either(low, high)
            | Span::BetweenWith(low, high, _) => Some((low, high)),
            Span::Words(_) => None,
        }
    }
}

impl fmt::Display for Span<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Span::Between(low, high) => write!(f, "{} to {}", short(*low), short(*high)),
            Span::Either(low, high) => write!(f, "{} or {}", short(*low), short(*high)),
            Span::BetweenWith(low, high, rest) => {
                write!(f, "{} to {}{rest}", short(*low), short(*high))
            }
            Span::Words(words) => f.write_str(words),
        }
    }
}

/// To four places.
fn short(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

/// Another spelling of a measure.
#[derive(Debug)]
pub struct Alias {
    /// The spelling, without parameters.
    pub spelling: &'static str,
    /// Parameters that it implies, as text (`"p=0.9"`), or nothing.
    pub implies: &'static str,
    /// What a number glued to the spelling means: `P_10`, `map_cut.10,20`, `rbp.95`.
    pub suffix: Suffix,
}

impl Alias {
    /// A plain synonym.
    pub const fn plain(spelling: &'static str) -> Alias {
        Alias { spelling, implies: "", suffix: Suffix::None }
    }

    /// A synonym whose glued number is the cutoff.
    pub const fn cut(spelling: &'static str) -> Alias {
        Alias { spelling, implies: "", suffix: Suffix::Cutoff }
    }

    /// A synonym whose glued number is a parameter.
    pub const fn param(spelling: &'static str, param: &'static str) -> Alias {
        Alias { spelling, implies: "", suffix: Suffix::Param(param) }
    }

    /// What another tool prints for the measure, with its parameters inside: the spelling is
    /// `INST-T={T}`, and `implies` says what becomes of each number: `T={T},depth=1000`. The cutoff
    /// is called `@` there: `@={k}`.
    pub const fn printed(spelling: &'static str, implies: &'static str) -> Alias {
        Alias { spelling, implies, suffix: Suffix::Printed }
    }

    /// The same with parameters implied.
    #[must_use]
    pub const fn implying(self, implies: &'static str) -> Alias {
        Alias { implies, ..self }
    }
}

/// What a number glued to a spelling means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Suffix {
    /// Nothing may be glued.
    None,
    /// The cutoff.
    Cutoff,
    /// A parameter.
    Param(&'static str),
    /// Nothing: the spelling has places for numbers, `{T}`.
    Printed,
}

/// Whether a measure takes `@k`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cutoff {
    /// It looks at the whole ranking always.
    Never,
    /// With and without.
    Optional,
    /// Only with.
    Required,
    /// The text after the `@` is this parameter, which must be given: `IPrec@0.1` is at a recall,
    /// not at a rank.
    Param(&'static str),
}

/// A worked example. The ranking is written grade by grade from the top, `-` for an unjudged
/// document; judged documents that were not retrieved follow after `|`.
#[derive(Debug)]
pub struct Example {
    /// The measure, with its parameters.
    pub measure: &'static str,
    /// The ranking: `"1 0 - 1 | 1 2"`. For measures by facet, each document is a set of
    /// `facet:grade` without spaces: `"{a:1,b:1} {} | {a:1}"`; facets are numbered in byte order of
    /// their names.
    pub ranking: &'static str,
    /// The value, to four places at least.
    pub value: f64,
    /// How one gets there with a pencil.
    pub working: &'static str,
}
