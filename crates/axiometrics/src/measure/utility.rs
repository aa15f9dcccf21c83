//! Utilities: what a document of each grade is worth to the user, from 0 to 1.
//!
//! Judges give grades; what a grade is worth is another matter (Moffat 2013, section 2). Measures
//! that see a grade as a share of the highest one take `gains={1:0.1,2:0.3,3:0.7,4:1}` instead.

use std::borrow::Cow;

use super::Number;
use super::params::{Args, Param, ParamKind};
use crate::data::{Grades, Hit, Hits, Judged};
use crate::error::{Error, Result};

/// Gains by grade: from 0 to 1, and none lower than that of a lower grade.
#[derive(Debug, Clone)]
pub(super) struct Utilities(Vec<(f64, f64)>);

/// The parameter.
pub(super) const GAINS: Param = Param {
    name: Cow::Borrowed("gains"),
    kind: ParamKind::Gains,
    default: None,
    doc: "what each grade is worth, from 0 to 1: {1:0.1,2:0.3,3:0.7,4:1}; a grade that is not listed is worth what the next lower one is",
};

impl Utilities {
    /// Those that the user gave, if any, unless a parameter that says otherwise was given too.
    pub(super) fn given(args: &Args, against: &[&str]) -> Result<Option<Utilities>> {
        let table = args.gains("gains");
        if table.is_empty() {
            return Ok(None);
        }
        if let Some(other) = against.iter().find(|name| args.optional(name).is_some()) {
            return Err(Error::usage(format!("both gains and {other} say what a grade is worth"))
                .help(format!("leave gains or {other} out")));
        }
        for (grade, gain) in &table {
            if !(0.0..=1.0).contains(gain) {
                return Err(Error::usage(format!("found the gain {gain}, expected 0 to 1"))
                    .help("a gain is what a document is worth to the user; 1 is the most"));
            }
            if *grade <= 0.0 && *gain != 0.0 {
                return Err(Error::usage(format!("found the gain {gain} of grade {grade}"))
                    .help("a document that is not relevant is worth nothing"));
            }
        }
        if let Some(w) = table.windows(2).find(|w| w[0].1 > w[1].1) {
            let ((low, more), (high, less)) = (w[0], w[1]);
            return Err(Error::usage(format!(
                "grade {low} is worth {more}, and the higher grade {high} only {less}"
            ))
            .help("a better document is worth no less"));
        }
        Ok(Some(Utilities(table)))
    }

    /// What a grade is worth.
    pub(super) fn of<N: Number>(&self, grade: &N) -> N {
        let listed = self.0.iter().rev().find(|(listed, _)| N::decimal(*listed) <= *grade);
        listed.map_or(N::zero(), |(_, gain)| N::decimal(*gain))
    }

    /// The same topic with gains for grades.
    pub(super) fn topic<N: Number>(&self, topic: &Judged<'_, N>) -> Worth<N> {
        let hit = |hit: &Hit<N>| Hit { grade: self.of(&hit.grade), ..hit.clone() };
        let grades = topic.grades.positive.iter().map(|grade| self.of(grade));
        Worth { hits: topic.hits.iter().map(hit).collect(), grades: Grades::new(grades) }
    }
}

/// A topic with gains for grades.
pub(super) struct Worth<N> {
    hits: Vec<Hit<N>>,
    grades: Grades<N>,
}

impl<N: Number> Worth<N> {
    /// As a measure sees it.
    pub(super) fn view<'a>(&'a self, topic: &Judged<'a, N>) -> Judged<'a, N> {
        Judged { hits: Hits::new(&self.hits), grades: (&self.grades).into(), ..*topic }
    }
}
