//! How much a document counts by its depth.

use crate::curve::LevelWeight;

/// The weights of one side. They are for a document of weight 1; one of weight v counts as v such
/// documents.
#[derive(Debug, Clone)]
pub(super) struct SideWeights {
    pub(super) levels: Vec<LevelWeight>,
    /// The weight of the tail, 0 if there is none.
    pub(super) tail: f64,
    /// The weight of all occurrences.
    pub(super) kept: f64,
}

impl SideWeights {
    /// The paper's weights, and a tail that takes the rest.
    pub(super) fn with_tail(sizes: &[f64], c: f64) -> SideWeights {
        let mut above = 0.0;
        let mut levels = Vec::with_capacity(sizes.len());
        for &size in sizes {
            levels.push(LevelWeight::at(&c, above, size));
            above += size;
        }
        SideWeights { levels, tail: c / (c + above), kept: above / (c + above) }
    }

    /// The same weight for every document, and no tail.
    pub(super) fn equal(sizes: &[f64]) -> SideWeights {
        let all: f64 = sizes.iter().sum();
        let levels = sizes.iter().map(|&size| {
            let others = all - size;
            LevelWeight {
                weight: 1.0 / all,
                others: others / all,
                normed: if others == 0.0 { 0.0 } else { 1.0 / others },
            }
        });
        SideWeights { levels: levels.collect(), tail: 0.0, kept: 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_carries_its_share() {
        let weights = SideWeights::with_tail(&[1.0; 10], 2.5);
        let top: f64 = weights.levels.iter().map(|level| level.weight).sum();
        assert!((top - 0.8).abs() < 1e-12);
        assert!((top + weights.tail - 1.0).abs() < 1e-12);
        let shared = SideWeights::with_tail(&[4.0, 6.0], 2.5);
        assert!(
            (4.0 * shared.levels[0].weight + 6.0 * shared.levels[1].weight - 0.8).abs() < 1e-12
        );
        assert!((shared.levels[1].others - (1.0 - 6.0 * shared.levels[1].weight)).abs() < 1e-12);
    }
}
