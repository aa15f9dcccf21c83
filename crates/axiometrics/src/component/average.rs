//! How the scores of topics become one number, for metrics from files.

use super::compile::{Code, Program};
use super::machine::Machine;
use super::measurement::Docs;
use crate::score::Undefined;

/// An average over topics.
#[derive(Debug, Clone)]
pub struct Average {
    pub(super) kind: Kind,
    /// What it does with undefined scores, where the file says so.
    pub(super) undefined: Option<Undefined>,
}

#[derive(Debug, Clone)]
pub(super) enum Kind {
    Mean,
    /// Scores below the floor are raised to it; without one a zero makes all zero.
    GeometricMean(Option<f64>),
    HarmonicMean,
    Median,
    Min,
    Max,
    /// `back` of the mean of `f`, both functions of x.
    Quasi {
        program: Program,
        f: Code,
        back: Option<Code>,
    },
}

/// One average per file: it is the same where it is the same one.
impl PartialEq for Average {
    fn eq(&self, other: &Average) -> bool {
        std::ptr::eq(self, other)
    }
}
impl Eq for Average {}

impl Average {
    /// The summary of these scores, `None` being an undefined one; `None` where there is none. The file's own word on undefined scores comes before `otherwise`.
    pub fn of(&self, scores: impl Iterator<Item = Option<f64>>, otherwise: Undefined) -> Option<f64> {
        let undefined = self.undefined.unwrap_or(otherwise);
        let mut kept = Vec::new();
        for score in scores {
            match (score, undefined) {
                (Some(x), _) => kept.push(x),
                (None, Undefined::Zero) => kept.push(0.0),
                (None, Undefined::Skip) => {}
                (None, Undefined::Error) => return None,
            }
        }
        if kept.is_empty() {
            return None;
        }
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / kept.len() as f64;
        let value = match &self.kind {
            Kind::Mean => mean(&mut kept.iter().copied()),
            Kind::GeometricMean(floor) => mean(&mut kept.iter().map(|x| x.max(floor.unwrap_or(0.0)).ln())).exp(),
            Kind::HarmonicMean => 1.0 / mean(&mut kept.iter().map(|x| 1.0 / x)),
            Kind::Median => {
                kept.sort_by(f64::total_cmp);
                (kept[(kept.len() - 1) / 2] + kept[kept.len() / 2]) / 2.0
            }
            Kind::Min => kept.iter().copied().fold(f64::INFINITY, f64::min),
            Kind::Max => kept.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Kind::Quasi { program, f, back } => {
                let at = |code: &Code, x: f64| Machine::new(program, &Docs::new(1.0), &[x]).value(code);
                let inner = mean(&mut kept.iter().map(|x| at(f, *x)));
                back.as_ref().map_or(inner, |back| at(back, inner))
            }
        };
        (!value.is_nan()).then_some(value)
    }

    /// Whether it is a strictly increasing function of a mean of finite values, which alone gives axiom 13.
    pub fn is_quasi_linear(&self) -> bool {
        matches!(self.kind, Kind::Mean | Kind::Quasi { back: None, .. })
    }

    /// What the file says of undefined scores.
    pub fn undefined(&self) -> Option<Undefined> {
        self.undefined
    }
}
