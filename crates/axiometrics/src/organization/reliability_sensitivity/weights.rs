//! How much a document counts by its depth.

use crate::measure::Number;

/// The weights of one side.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    pub(super) levels: Vec<LevelWeight>,
    /// The weight of the tail, 0 where there is none.
    pub(super) tail: f64,
    /// The weight of all occurrences.
    pub(super) kept: f64,
}

/// The weight of each occurrence of a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LevelWeight<N = f64> {
    /// w: the share of the whole.
    pub(crate) weight: N,
    /// w/W: the same divided by the weight of all that stands on other levels; 0 where nothing
    /// does.
    pub(crate) normed: N,
}

impl<N: Number> LevelWeight<N> {
    /// The paper's weight, w = c/((c + a)(c + a + m)) with a occurrences above and m on the level.
    pub(crate) fn at(c: &N, above: u32, size: u32) -> LevelWeight<N> {
        let before = c.clone() + N::count(above);
        let behind = before.clone() + N::count(size);
        let weight = c.clone() / (before.clone() * behind.clone());
        // W = 1 - m w as the sum of what is above and what is below: nothing cancels where one
        // level holds nearly all.
        let others = N::count(above) / before + c.clone() / behind;
        LevelWeight { normed: weight.clone() / others, weight }
    }
}

impl Weights {
    /// The paper's weights, and a tail that takes the rest.
    pub(super) fn with_tail(sizes: &[u32], c: f64) -> Weights {
        let mut above = 0;
        let levels = sizes.iter().map(|&size| {
            above += size;
            LevelWeight::at(&c, above - size, size)
        });
        let levels = levels.collect();
        let occurrences = f64::from(above);
        Weights { levels, tail: c / (c + occurrences), kept: occurrences / (c + occurrences) }
    }

    /// The same weight for every occurrence, and no tail.
    pub(super) fn equal(sizes: &[u32]) -> Weights {
        let all: f64 = sizes.iter().map(|&size| f64::from(size)).sum();
        let levels = sizes.iter().map(|&size| {
            let others = all - f64::from(size);
            LevelWeight {
                weight: 1.0 / all,
                normed: if others == 0.0 { 0.0 } else { 1.0 / others },
            }
        });
        Weights { levels: levels.collect(), tail: 0.0, kept: 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_carries_its_share() {
        let weights = Weights::with_tail(&[1; 10], 2.5);
        let top: f64 = weights.levels.iter().map(|level| level.weight).sum();
        assert!((top - 0.8).abs() < 1e-12);
        assert!((top + weights.tail - 1.0).abs() < 1e-12);
        let shared = Weights::with_tail(&[4, 6], 2.5);
        assert!(
            (4.0 * shared.levels[0].weight + 6.0 * shared.levels[1].weight - 0.8).abs() < 1e-12
        );
    }
}
