//! How the weights of ranks fall, and what they add up to.

use crate::number::Number;

/// A family of weights by rank: all positive, none increasing, w(1) = 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Weights {
    /// 1
    Constant,
    /// 1 / i
    Reciprocal,
    /// 1 / log2(i + 1)
    Logarithmic,
    /// 1 up to rank b, then log(b) / log(i), b at least 2
    LogarithmicFrom(u32),
    /// p^(i-1), 0 < p < 1
    Geometric(f64),
    /// (s / (i - 1 + s))^2, s > 0
    InverseSquare(f64),
}

impl Weights {
    /// The weight of a rank, 1 at the top.
    pub fn at(self, rank: u32) -> f64 {
        self.between_ranks(f64::from(rank))
    }

    /// The same, between ranks too.
    fn between_ranks(self, x: f64) -> f64 {
        match self {
            Weights::Constant => 1.0,
            Weights::Reciprocal => 1.0 / x,
            Weights::Logarithmic => 1.0 / (x + 1.0).log2(),
            Weights::LogarithmicFrom(b) if x <= f64::from(b) => 1.0,
            Weights::LogarithmicFrom(b) => f64::from(b).log2() / x.log2(),
            Weights::Geometric(p) => p.powf(x - 1.0),
            Weights::InverseSquare(s) => (s / (x - 1.0 + s)).powi(2),
        }
    }

    /// Each weight is smaller than the one before.
    pub fn strictly_decreasing(self) -> bool {
        !matches!(self, Weights::Constant | Weights::LogarithmicFrom(_))
    }

    /// The loss from each rank to the next shrinks.
    pub fn strictly_convex(self) -> bool {
        self.strictly_decreasing()
    }

    /// The sum of the weights below a rank, if it is finite.
    pub fn tail(self, rank: u32) -> Option<f64> {
        match self {
            Weights::Geometric(p) => Some(p.powf(f64::from(rank)) / (1.0 - p)),
            Weights::InverseSquare(s) => Some(s * s * (f64::from(rank) + s).trigamma()),
            _ => None,
        }
    }

    /// The sum of the weights down to a rank, given each of them.
    pub(crate) fn sum<N: Number>(self, to: u32, weight: impl FnMut(u32) -> N) -> N {
        self.fading(0.0, to, weight)
    }

    /// The same where each rank loses a share of what the one above it has, besides; not for a
    /// family that is flat down to a deep rank, if the share is above 0.
    pub(crate) fn fading<N: Number>(
        self,
        lost: f64,
        to: u32,
        mut weight: impl FnMut(u32) -> N,
    ) -> N {
        let flat = match self {
            Weights::Constant if lost == 0.0 => to,
            Weights::LogarithmicFrom(b) if lost == 0.0 => b.saturating_sub(1).min(to),
            _ => 0,
        };
        // The first weights may be rationals; the others are as many as anybody cares to type.
        let counted = to.min(flat.saturating_add(COUNTED));
        let mut sum = N::count(flat);
        for rank in flat..counted {
            sum = sum + weight(rank + 1);
        }
        if counted == to {
            return sum;
        }
        let left = |x: f64| ((x - 1.0) * (-lost).ln_1p()).exp();
        let rest = sum_of_smooth(|x| left(x) * self.between_ranks(x), counted, to).max(NOTHING);
        // What fades away fast is known by its size alone, which no sum in floating point shows.
        let error = if rest > 1e-6 { 1e-12 } else { 3.0 };
        let [family, parameter] = match self {
            Weights::Constant => [0.0; 2],
            Weights::Reciprocal => [1.0, 0.0],
            Weights::Logarithmic => [2.0, 0.0],
            Weights::LogarithmicFrom(b) => [3.0, f64::from(b)],
            Weights::Geometric(p) => [4.0, p],
            Weights::InverseSquare(s) => [5.0, s],
        };
        let of = [N::decimal(family), N::decimal(parameter), N::decimal(lost), N::count(to)];
        sum + N::estimate(rest, error, &of)
    }
}

/// Weights are added one by one down to so many ranks.
const COUNTED: u32 = 1 << 14;

/// Below this a sum is not told from nothing.
const NOTHING: f64 = 1e-290;

/// The sum of a smooth function over the whole numbers above one that is counted, up to another:
/// the integral between the halves, less the first correction of Euler and Maclaurin for midpoints.
/// The next one is below 1e-16.
fn sum_of_smooth(f: impl Fn(f64) -> f64, above: u32, to: u32) -> f64 {
    let slope = |x: u32| f(f64::from(x) + 1.0) - f(f64::from(x));
    let (mut low, end) = (f64::from(above) + 0.5, f64::from(to) + 0.5);
    let mut sum = (slope(above) - slope(to)) / 24.0;
    while low < end {
        let high = (low * 1.25).min(end);
        sum += integral(&f, low, high);
        low = high;
    }
    sum
}

/// The nodes and weights of Gauss and Legendre for ten points (Abramowitz and Stegun, table 25.4).
const GAUSS: [[f64; 2]; 5] = [
    [0.148_874_338_981_631_22, 0.295_524_224_714_752_87],
    [0.433_395_394_129_247_2, 0.269_266_719_309_996_35],
    [0.679_409_568_299_024_4, 0.219_086_362_515_982_04],
    [0.865_063_366_688_984_5, 0.149_451_349_150_580_6],
    [0.973_906_528_517_171_7, 0.066_671_344_308_688_14],
];

fn integral(f: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let (middle, half) = (low.midpoint(high), (high - low) / 2.0);
    let both = |x: f64| f(middle - half * x) + f(middle + half * x);
    half * GAUSS.iter().map(|[x, weight]| weight * both(*x)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{Exact, precisely};

    /// The formula against the sum rank by rank, beyond the ranks that are counted.
    #[test]
    fn sums_down_to_deep_ranks() {
        let last = 100_000;
        for weights in [
            Weights::Constant,
            Weights::Reciprocal,
            Weights::Logarithmic,
            Weights::LogarithmicFrom(2),
            Weights::LogarithmicFrom(7),
            Weights::LogarithmicFrom(40_000),
            Weights::LogarithmicFrom(200_000),
            Weights::Geometric(0.8),
            Weights::Geometric(0.999_999),
            Weights::InverseSquare(2.0),
            Weights::InverseSquare(1e5),
        ] {
            for lost in [0.0f64, 1e-9, 1e-5, 1e-3, 0.01, 0.5, 1.0] {
                if lost > 0.0 && matches!(weights, Weights::LogarithmicFrom(40_000)) {
                    continue;
                }
                let left = |rank: u32| ((f64::from(rank) - 1.0) * (-lost).ln_1p()).exp();
                let weight = |rank: u32| {
                    if rank == 1 { weights.at(1) } else { left(rank) * weights.at(rank) }
                };
                let one_by_one: f64 = (1..=last).map(weight).sum();
                let found: f64 = weights.fading(lost, last, weight);
                let apart = (found / one_by_one - 1.0).abs();
                assert!(apart < 1e-13, "{weights:?} {lost}: {found} {one_by_one}");
            }
        }
    }

    /// Where the sum is known otherwise.
    #[test]
    fn sums_down_to_the_deepest_rank() {
        let last = u32::MAX;
        let sum = |weights: Weights| weights.sum(last, |rank| weights.at(rank));
        assert_eq!(sum(Weights::Constant), f64::from(last));
        assert_eq!(sum(Weights::LogarithmicFrom(u32::MAX)), f64::from(last));
        let harmonic = f64::reciprocals(0, last);
        assert!((sum(Weights::Reciprocal) - harmonic).abs() < 1e-13 * harmonic);
        assert!((sum(Weights::Geometric(0.75)) - 4.0).abs() < 1e-13);
        assert!((sum(Weights::InverseSquare(1.0)) - 1f64.trigamma()).abs() < 1e-9);
    }

    /// What is precise holds the sum one by one, as long as that is the same formula or not.
    #[test]
    fn precise_sums_are_not_too_narrow() {
        for lost in [0.0, 1e-4, 0.005, 0.02] {
            precisely(|| {
                let keep = Exact::one() - Exact::decimal(lost);
                let last = COUNTED + 40;
                let weight = |gain: &mut Exact, rank: u32| {
                    let here = gain.clone() / Exact::count(rank);
                    *gain = gain.clone() * keep.clone();
                    here
                };
                let mut gain = Exact::one();
                let one_by_one =
                    (1..=last).fold(Exact::zero(), |sum, rank| sum + weight(&mut gain, rank));
                let mut gain = Exact::one();
                let found = Weights::Reciprocal.fading(lost, last, |rank| weight(&mut gain, rank));
                // Neither is known to be the larger.
                assert!(found.partial_cmp(&one_by_one).is_none(), "{lost}");
            });
        }
    }
}
