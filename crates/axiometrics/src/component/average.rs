//! How the scores of topics become one number, for metrics from files.

use crate::expression::machine::Machine;
use crate::expression::measurement::Docs;
use crate::expression::program::{Code, Program};
use crate::measure::Summary;
use crate::number::{ExactSum, Number};
use crate::policy::Undefined;

/// An average over topics.
#[derive(Debug, Clone)]
pub struct Average {
    pub(super) kind: Averaging,
    /// What it does with undefined scores, if the file says so.
    pub(super) undefined: Option<Undefined>,
    /// Topics do not all weigh the same.
    pub(super) weighted: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Averaging {
    Mean,
    /// Scores below the floor are raised to it; without one a zero makes all zero.
    GeometricMean(Option<f64>),
    HarmonicMean,
    Median,
    Sum,
    Min,
    Max,
    /// `back` of the mean of `f`, both functions of x.
    Quasi {
        program: Program,
        f: Code,
        back: Option<Code>,
        /// `f` has a finite value for every number.
        finite: bool,
    },
}

impl Summary for Average {
    /// An undefined score that counts as zero is a zero on the scale of the summary: after `f`, if
    /// nothing leads back.
    fn of(
        &self,
        scores: &mut dyn Iterator<Item = Option<f64>>,
        otherwise: Undefined,
    ) -> Option<f64> {
        if self.weighted {
            return None;
        }
        self.of_weighted(&mut scores.map(|score| (score, 1.0)), otherwise)
    }

    /// The same of topics with weights; without any, all weigh 1.
    fn of_weighted(
        &self,
        scores: &mut dyn Iterator<Item = (Option<f64>, f64)>,
        otherwise: Undefined,
    ) -> Option<f64> {
        let undefined = self.undefined.unwrap_or(otherwise);
        let leads_back = !matches!(self.kind, Averaging::Quasi { back: None, .. });
        let (mut kept, mut weights) = (Vec::new(), ExactSum::default());
        let mut sum = ExactSum::default();
        let mut keep = |x: f64, weight: f64| {
            kept.push(x);
            // What weighs nothing counts for nothing, be it infinite.
            if weight > 0.0 {
                sum += weight * x;
            }
            weights += weight;
        };
        for (score, weight) in scores {
            match (score, undefined) {
                (Some(x), _) => keep(self.transformed(x), weight),
                (None, Undefined::Skip) => {}
                (None, Undefined::Error) => return None,
                (None, Undefined::Zero | Undefined::One) => {
                    let value = undefined.value().unwrap_or(0.0);
                    keep(if leads_back { self.transformed(value) } else { value }, weight);
                }
            }
        }
        let mean = match self.weighted {
            false => sum.mean()?,
            true => Some(weights.total()).filter(|all| *all > 0.0).map(|all| sum.total() / all)?,
        };
        let value = match &self.kind {
            Averaging::Mean | Averaging::Quasi { back: None, .. } => mean,
            Averaging::GeometricMean(_) => mean.exp(),
            Averaging::HarmonicMean => 1.0 / mean,
            Averaging::Quasi { program, back: Some(back), .. } => at(program, back, mean),
            Averaging::Sum => sum.total(),
            Averaging::Median => {
                kept.sort_by(f64::total_cmp);
                (kept[(kept.len() - 1) / 2] + kept[kept.len() / 2]) / 2.0
            }
            Averaging::Min => kept.iter().copied().fold(f64::INFINITY, f64::min),
            Averaging::Max => kept.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        };
        (!value.is_nan()).then_some(value)
    }

    fn undefined(&self) -> Option<Undefined> {
        self.undefined
    }

    fn name(&self) -> &str {
        match self.kind {
            Averaging::Mean if self.weighted => "weighted mean",
            Averaging::Sum if self.weighted => "weighted sum",
            Averaging::GeometricMean(_) if self.weighted => "weighted geometric mean",
            Averaging::HarmonicMean if self.weighted => "weighted harmonic mean",
            Averaging::Quasi { .. } if self.weighted => "weighted quasi-mean",
            Averaging::Mean => "mean",
            Averaging::GeometricMean(_) => "geometric mean",
            Averaging::HarmonicMean => "harmonic mean",
            Averaging::Median => "median",
            Averaging::Sum => "sum",
            Averaging::Min => "minimum",
            Averaging::Max => "maximum",
            Averaging::Quasi { .. } => "quasi-mean",
        }
    }

    fn is_weighted(&self) -> bool {
        self.weighted
    }

    fn is_mean(&self) -> bool {
        matches!(self.kind, Averaging::Mean) && !self.weighted
    }
}

impl Average {
    /// What is averaged in place of a score.
    fn transformed(&self, x: f64) -> f64 {
        match &self.kind {
            Averaging::GeometricMean(floor) => x.max(floor.unwrap_or(0.0)).ln(),
            Averaging::HarmonicMean => 1.0 / x,
            Averaging::Quasi { program, f, .. } => at(program, f, x),
            Averaging::Mean
            | Averaging::Sum
            | Averaging::Median
            | Averaging::Min
            | Averaging::Max => x,
        }
    }

    /// The average over one topic, which is the score itself but for a floor and for another scale.
    pub(crate) fn of_one<N: Number>(&self, x: N) -> N {
        match &self.kind {
            Averaging::GeometricMean(Some(floor)) => x.max(N::decimal(*floor)),
            Averaging::Quasi { program, f, back, .. } => {
                let there = at(program, f, x);
                back.as_ref().map_or(there.clone(), |back| at(program, back, there))
            }
            _ => x,
        }
    }

    /// Whether two scores of one topic always stand in the order of their averages. A floor, and
    /// perhaps a function of the user's own, makes different scores equal.
    pub(crate) fn keeps_order(&self) -> bool {
        !matches!(self.kind, Averaging::GeometricMean(Some(_)) | Averaging::Quasi { .. })
    }

    /// Whether it is a mean or a sum of values that are finite for certain, or an increasing function
    /// of a mean: that alone gives axiom 13.
    pub fn is_mean_of_finite(&self) -> bool {
        match &self.kind {
            Averaging::Mean | Averaging::Sum => true,
            Averaging::GeometricMean(floor) => floor.is_some_and(|floor| floor > 0.0),
            Averaging::Quasi { finite, back: None, .. } => *finite,
            _ => false,
        }
    }
}

/// A function of x.
fn at<N: Number>(program: &Program, code: &Code, x: N) -> N {
    Machine::new(program, &Docs::new(N::one()), &[x]).value(code)
}
