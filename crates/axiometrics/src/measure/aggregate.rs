//! How the scores of topics become one number.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use crate::number::ExactSum;
use crate::policy::Undefined;

/// How the scores of topics become one number.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Aggregate {
    /// The arithmetic mean.
    #[default]
    Mean,
    /// The geometric mean, with scores below 0.00001 raised to it.
    GeometricMean,
    /// The sum: counts of documents.
    Sum,
    /// The median: the mean of the two in the middle of an even number.
    Median,
    /// The harmonic mean, 0 if a score is not above 0.
    HarmonicMean,
    /// The lowest score.
    Minimum,
    /// The highest score.
    Maximum,
    /// What a file says.
    Own(Arc<dyn Summary>),
}

/// Scores below this count as this in a geometric mean.
pub const GEOMETRIC_FLOOR: f64 = 1e-5;

/// A summary that a user defines.
pub trait Summary: Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The summary of these scores, of which `None` is an undefined one; `None` if there is none.
    /// Its own rule for undefined scores comes before `otherwise`.
    fn of(
        &self,
        scores: &mut dyn Iterator<Item = Option<f64>>,
        otherwise: Undefined,
    ) -> Option<f64>;
    /// What it does with undefined scores, if it has a rule of its own.
    fn undefined(&self) -> Option<Undefined>;
    /// Its name.
    fn name(&self) -> &str;
}

impl PartialEq for Aggregate {
    fn eq(&self, other: &Aggregate) -> bool {
        match (self, other) {
            (Aggregate::Own(a), Aggregate::Own(b)) => Arc::ptr_eq(a, b),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl Eq for Aggregate {}

impl Aggregate {
    /// What the summary is called.
    pub fn name(&self) -> &str {
        match self {
            Aggregate::Mean => "mean",
            Aggregate::GeometricMean => "geometric mean",
            Aggregate::Sum => "sum",
            Aggregate::Median => "median",
            Aggregate::HarmonicMean => "harmonic mean",
            Aggregate::Minimum => "minimum",
            Aggregate::Maximum => "maximum",
            Aggregate::Own(own) => own.name(),
        }
    }

    /// Many scores as one, of which `None` is an undefined one. The order of the scores plays no
    /// part: sums are exact and round once. `None` if no score is left to summarise, or if
    /// undefined scores are refused and there is one.
    pub fn of(
        &self,
        scores: impl IntoIterator<Item = Option<f64>>,
        undefined: Undefined,
    ) -> Option<f64> {
        let mut scores = scores.into_iter();
        if let Aggregate::Own(own) = self {
            return own.of(&mut scores, undefined);
        }
        if matches!(
            self,
            Aggregate::Median | Aggregate::HarmonicMean | Aggregate::Minimum | Aggregate::Maximum
        ) {
            return self.of_all(scores, undefined);
        }
        let mut sum = ExactSum::default();
        for score in scores {
            let x = match score.or(undefined.value()) {
                Some(x) => x,
                None if undefined == Undefined::Skip => continue,
                None => return None,
            };
            sum += if *self == Aggregate::GeometricMean { x.max(GEOMETRIC_FLOOR).ln() } else { x };
        }
        match self {
            Aggregate::Sum => Some(sum.total()),
            Aggregate::GeometricMean => sum.mean().map(f64::exp),
            _ => sum.mean(),
        }
    }

    /// The averages that need all scores at once.
    fn of_all(
        &self,
        scores: impl Iterator<Item = Option<f64>>,
        undefined: Undefined,
    ) -> Option<f64> {
        let mut kept = Vec::new();
        for score in scores {
            match score.or(undefined.value()) {
                Some(x) => kept.push(x),
                None if undefined == Undefined::Skip => {}
                None => return None,
            }
        }
        kept.sort_by(f64::total_cmp);
        let (lowest, highest) = (*kept.first()?, *kept.last()?);
        Some(match self {
            Aggregate::Minimum => lowest,
            Aggregate::Maximum => highest,
            Aggregate::HarmonicMean if lowest <= 0.0 => 0.0,
            Aggregate::HarmonicMean => {
                1.0 / kept.iter().map(|x| 1.0 / x).collect::<ExactSum>().mean()?
            }
            _ => (kept[(kept.len() - 1) / 2] + kept[kept.len() / 2]) / 2.0,
        })
    }

    /// The average that a person asks of a measure by name.
    pub(super) fn named(name: &str) -> Option<Aggregate> {
        AVERAGES.iter().find(|(known, _)| *known == name).map(|(_, average)| average.clone())
    }
}

/// The averages of the parameter `avg`.
pub(super) const AVERAGES: &[(&str, Aggregate)] = &[
    ("mean", Aggregate::Mean),
    ("median", Aggregate::Median),
    ("gmean", Aggregate::GeometricMean),
    ("hmean", Aggregate::HarmonicMean),
    ("min", Aggregate::Minimum),
    ("max", Aggregate::Maximum),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Metric;

    #[test]
    fn averages_by_hand() {
        let scores = [Some(0.2), None, Some(0.8), Some(0.4)];
        let of = |name: &str, undefined| Aggregate::named(name)?.of(scores, undefined);
        assert_eq!(of("median", Undefined::Skip), Some(0.4));
        assert!((of("median", Undefined::Zero).unwrap() - 0.3).abs() < 1e-15);
        assert_eq!(of("median", Undefined::One), Some((0.4 + 0.8) / 2.0));
        assert_eq!(of("median", Undefined::Error), None);
        // 3 / (5 + 1.25 + 2.5)
        assert!((of("hmean", Undefined::Skip).unwrap() - 3.0 / 8.75).abs() < 1e-15);
        assert_eq!(of("hmean", Undefined::Zero), Some(0.0));
        assert_eq!(
            (of("min", Undefined::Skip), of("max", Undefined::Skip)),
            (Some(0.2), Some(0.8))
        );
        assert!((of("gmean", Undefined::Skip).unwrap() - 0.064f64.cbrt()).abs() < 1e-15);
        assert_eq!(Aggregate::Median.of([], Undefined::Zero), None);
    }

    #[test]
    fn any_measure_takes_an_average() {
        let metric: Metric = "DCG(avg=median)@10".parse().unwrap();
        assert_eq!(
            (metric.to_string().as_str(), metric.aggregate()),
            ("DCG(avg=median)@10", Aggregate::Median)
        );
        assert_ne!(metric, "DCG@10".parse().unwrap());
        assert_eq!(metric.at(5).unwrap().to_string(), "DCG(avg=median)@5");
        let error = "AP(avg=mode)".parse::<Metric>().unwrap_err().to_string();
        assert!(error.contains("median"), "{error}");
        assert!("GMAP(avg=mean)".parse::<Metric>().is_err());
    }
}
