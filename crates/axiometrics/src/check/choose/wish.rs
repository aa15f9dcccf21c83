//! What somebody needs of a metric.

use crate::check::Verdicts;
use crate::check::lattice::Property;
use crate::choice::Choice;
use crate::error::{Error, Result};
use crate::remedy::{Remedy, Setting};

/// What somebody needs of a metric.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wishes {
    /// Properties, constraints and axioms that it must have.
    pub want: Vec<String>,
    /// Those that it must not have.
    pub not: Vec<String>,
    /// It must tell grades apart.
    pub graded: bool,
    /// It must be scored at this depth.
    pub depth: Option<u32>,
    /// Judgements are incomplete: it must not ask for the number of all relevant documents.
    pub incomplete: bool,
    /// Scores will be averaged over topics: they must be on one scale.
    pub average: bool,
}

/// One wish.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Wish {
    /// It has this property.
    Has(&'static str),
    /// It does not have it.
    Lacks(&'static str),
    /// It tells grades apart.
    Graded,
    /// It can be scored at this depth.
    Depth(u32),
}

impl Wish {
    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Wish::Has(name) => (*name).to_string(),
            Wish::Lacks(name) => format!("not {name}"),
            Wish::Graded => "graded".to_string(),
            Wish::Depth(k) => format!("scored at depth {k}"),
        }
    }

    /// The check that decides it, if one does.
    pub(super) fn check(&self) -> Option<&'static str> {
        match self {
            Wish::Has(name) | Wish::Lacks(name) => Some(name),
            Wish::Graded | Wish::Depth(_) => None,
        }
    }

    /// Why a metric does not fulfil a wish about its verdicts, if so.
    pub(super) fn unmet<R: Verdicts>(&self, report: &R) -> Option<String> {
        match self {
            Wish::Has(name) => report.get(name).filter(|v| !v.holds()).map(|v| v.reason()),
            Wish::Lacks(name) => report
                .get(name)
                .filter(|v| v.holds())
                .map(|v| format!("{}: {}", v.how().map_or("", Choice::name), v.reason())),
            Wish::Graded | Wish::Depth(_) => None,
        }
    }
}

/// The wishes one by one. A need for averages asks for one scale, incomplete judgements for a score
/// that does not depend on what was not seen.
pub(super) fn expand(wishes: &Wishes, names: &[&'static str]) -> Result<Vec<Wish>> {
    let mut all: Vec<Wish> = Vec::new();
    let known = |name: &String| {
        names.iter().copied().find(|n| n == name).ok_or_else(|| unknown(name, names))
    };
    for name in &wishes.want {
        all.push(Wish::Has(known(name)?));
    }
    if wishes.average {
        all.push(Wish::Has(Property::Bounded.name()));
    }
    if wishes.incomplete {
        all.push(Wish::Has(Property::Localized.name()));
    }
    for name in &wishes.not {
        let name = known(name)?;
        if all.contains(&Wish::Has(name)) {
            let remedy = Remedy::from("remove one of the two")
                .option("; ", Setting::Named("average"), " implies bounded")
                .option(", ", Setting::Named("incomplete"), " implies localized");
            let message = format!("{name} is both asked for and excluded");
            return Err(Error::usage(message).help(remedy));
        }
        all.push(Wish::Lacks(name));
    }
    if wishes.graded {
        all.push(Wish::Graded);
    }
    all.extend(wishes.depth.map(Wish::Depth));
    let mut unique: Vec<Wish> = Vec::new();
    for wish in all {
        if !unique.contains(&wish) {
            unique.push(wish);
        }
    }
    Ok(unique)
}

/// Refuses needs that only measures of plain rankings can meet.
pub(super) fn refuse_other_needs(wishes: &Wishes) -> Result<()> {
    if wishes.graded || wishes.depth.is_some() || wishes.incomplete || wishes.average {
        return Err(Error::usage(
            "grades, depth, incomplete judgements and averages are asked of measures of rankings only",
        )
        .help("name properties and constraints that the measure must have"));
    }
    Ok(())
}

/// How similar a name must be to be suggested.
const NEAR: f64 = 0.8;

fn unknown(name: &str, names: &[&'static str]) -> Error {
    let near = names
        .iter()
        .map(|n| (strsim::jaro_winkler(name, n), *n))
        .filter(|(similarity, _)| *similarity > NEAR)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let mut list = names.to_vec();
    list.dedup();
    let known = format!("known are {}", list.join(", "));
    let help = match near {
        Some((_, near)) => format!("did you mean {near}? {known}"),
        None => known,
    };
    Error::usage(format!("unknown property \"{name}\"")).help(help)
}
