//! How the scores of topics become one number.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

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
    /// True if topics do not all weigh the same. It has no value then without the weights.
    fn is_weighted(&self) -> bool {
        false
    }
    /// True if it is the arithmetic mean, so that topics can be given weights.
    fn is_mean(&self) -> bool {
        false
    }
    /// The summary of scores with the weights of their topics.
    fn of_weighted(
        &self,
        scores: &mut dyn Iterator<Item = (Option<f64>, f64)>,
        otherwise: Undefined,
    ) -> Option<f64> {
        self.of(&mut scores.map(|(score, _)| score), otherwise)
    }
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
    /// True if topics do not all weigh the same.
    pub(crate) fn is_weighted(&self) -> bool {
        matches!(self, Aggregate::Own(own) if own.is_weighted())
    }

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
        let mut gathered = Gathered::default();
        scores.into_iter().for_each(|score| self.gather(&mut gathered, score, undefined));
        self.summary(&gathered, undefined)
    }

    /// Adds the score of a topic, which is `None` if it is undefined.
    #[inline(always)]
    pub fn gather(&self, gathered: &mut Gathered, score: Option<f64>, undefined: Undefined) {
        if let Aggregate::Own(_) = self {
            return gathered.all.push(score);
        }
        let x = match score.or(undefined.value()) {
            Some(x) => x,
            None => return gathered.refused |= undefined != Undefined::Skip,
        };
        match self {
            Aggregate::GeometricMean => gathered.sum += x.max(GEOMETRIC_FLOOR).ln(),
            Aggregate::Mean | Aggregate::Sum => gathered.sum += x,
            _ => gathered.all.push(Some(x)),
        }
    }

    /// The summary of what was gathered under the same policy for undefined scores.
    pub fn summary(&self, gathered: &Gathered, undefined: Undefined) -> Option<f64> {
        let Gathered { sum, all, refused } = gathered;
        match self {
            Aggregate::Own(own) => own.of(&mut all.iter().copied(), undefined),
            _ if *refused => None,
            Aggregate::Sum => Some(sum.total()),
            Aggregate::GeometricMean => sum.mean().map(f64::exp),
            Aggregate::Mean => sum.mean(),
            _ => self.of_all(all.iter().copied().flatten().collect()),
        }
    }

    /// The averages that need all scores at once.
    fn of_all(&self, mut kept: Vec<f64>) -> Option<f64> {
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

/// The scores of topics as far as a summary needs them: an exact sum, or all of them. What was
/// gathered of some topics and what was gathered of others merge into what is gathered of all, so
/// that machines can share the topics and still agree to the last bit.
///
/// ```
/// use axiometrics::measure::{Aggregate, Gathered};
/// use axiometrics::policy::Undefined;
///
/// let [mut one, mut other] = [Gathered::default(), Gathered::default()];
/// Aggregate::Mean.gather(&mut one, Some(0.25), Undefined::Skip);
/// Aggregate::Mean.gather(&mut other, None, Undefined::Skip);
/// Aggregate::Mean.gather(&mut other, Some(0.75), Undefined::Skip);
/// one.merge(other);
/// assert_eq!(Aggregate::Mean.summary(&one, Undefined::Skip), Some(0.5));
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Gathered {
    sum: ExactSum,
    #[serde(with = "bits")]
    all: Vec<Option<f64>>,
    /// There was an undefined score, and the policy refuses them.
    refused: bool,
}

impl Gathered {
    /// Adds what was gathered elsewhere, for the same summary.
    pub fn merge(&mut self, other: Gathered) {
        self.sum += &other.sum;
        self.all.extend(other.all);
        self.refused |= other.refused;
    }

    /// The scores that were kept as they are.
    pub(crate) fn all(&self) -> impl Iterator<Item = f64> + '_ {
        self.all.iter().copied().flatten()
    }
}

/// Numbers as their bits, which no format rounds, and NaN for none.
mod bits {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(all: &[Option<f64>], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(all.iter().map(|x| x.unwrap_or(f64::NAN).to_bits()))
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(
        from: D,
    ) -> Result<Vec<Option<f64>>, D::Error> {
        let all = Vec::<u64>::deserialize(from)?;
        Ok(all.into_iter().map(f64::from_bits).map(|x| (!x.is_nan()).then_some(x)).collect())
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
    fn parts_are_gathered_sent_and_merged() {
        let scores = [Some(0.1), None, Some(0.7), Some(0.2), Some(1e-7), Some(0.3)];
        for (name, average) in AVERAGES {
            for undefined in [Undefined::Zero, Undefined::One, Undefined::Skip, Undefined::Error] {
                let parts = scores.chunks(2).map(|part| {
                    let mut own = Gathered::default();
                    part.iter().for_each(|score| average.gather(&mut own, *score, undefined));
                    let sent = serde_json::to_string(&own).unwrap();
                    serde_json::from_str::<Gathered>(&sent).unwrap()
                });
                let mut whole = Gathered::default();
                parts.for_each(|part| whole.merge(part));
                let found = average.summary(&whole, undefined).map(f64::to_bits);
                let expected = average.of(scores, undefined).map(f64::to_bits);
                assert_eq!(found, expected, "{name} {undefined:?}");
            }
        }
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
