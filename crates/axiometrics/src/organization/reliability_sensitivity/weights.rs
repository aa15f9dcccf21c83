//! How much a document counts by its depth.

use crate::curve::LevelWeight;

/// The weights of one side.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    pub(super) levels: Vec<LevelWeight>,
    /// The weight of the tail, 0 where there is none.
    pub(super) tail: f64,
    /// The weight of all occurrences.
    pub(super) kept: f64,
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
