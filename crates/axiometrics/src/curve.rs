//! How weight falls with depth (Amigo, Gonzalo and Verdejo 2013): shared by the measures of
//! rankings and of organizations.

use crate::error::{Error, Result};
use crate::number::Number;

/// "The first `top` documents carry `weight` of the whole": the weight of depth falls as 1/x^2 from
/// there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    top: f64,
    weight: f64,
}

impl Default for Curve {
    /// The first 10 documents carry 0.8 of the weight.
    fn default() -> Curve {
        Curve { top: 10.0, weight: 0.8 }
    }
}

impl Curve {
    /// A curve, for `top` > 0 and 0 < `weight` < 1.
    pub fn new(top: f64, weight: f64) -> Result<Curve> {
        if !(top > 0.0 && top.is_finite()) {
            return Err(Error::usage(format!(
                "the top is {top} documents, expected a number above 0"
            )));
        }
        if !(weight > 0.0 && weight < 1.0) {
            return Err(Error::usage(format!(
                "the weight of the top is {weight}, expected a number between 0 and 1, both excluded"
            )));
        }
        Ok(Curve { top, weight })
    }

    /// The constant of the curve, c = n (1 - W)/W.
    pub fn c<N: Number>(&self) -> N {
        N::decimal(self.top) * (N::one() - N::decimal(self.weight)) / N::decimal(self.weight)
    }

    /// The number of documents that carry the weight.
    pub fn top(&self) -> f64 {
        self.top
    }

    /// The weight that they carry.
    pub fn weight(&self) -> f64 {
        self.weight
    }
}

/// The weight of each occurrence of a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LevelWeight<N = f64> {
    /// w: the share of the whole.
    pub(crate) weight: N,
    /// w/W: the same divided by the weight of all other levels; 0 if there are
    /// none.
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
