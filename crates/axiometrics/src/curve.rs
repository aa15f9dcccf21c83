//! How weight falls with depth, and what becomes of documents that one side lacks (Amigo, Gonzalo
//! and Verdejo 2013): shared by the measures of rankings and of organizations.

use crate::choice::choices;
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

    /// The weight of one document at a rank, from 1, or of one that begins at this depth: c/((c + i -
    /// 1)(c + i)).
    pub fn weight_of_rank(&self, rank: f64) -> f64 {
        LevelWeight::at(&self.c(), rank - 1.0, 1.0).weight
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
    /// W: the weight of all other levels, the tail included.
    pub(crate) others: N,
    /// w/W; 0 if there are no other levels.
    pub(crate) normed: N,
}

impl<N: Number> LevelWeight<N> {
    /// The paper's weight, w = c/((c + a)(c + a + m)) with a occurrences above and m on the level.
    pub(crate) fn at(c: &N, above: N, size: N) -> LevelWeight<N> {
        let before = c.clone() + above.clone();
        let behind = before.clone() + size;
        let weight = c.clone() / (before.clone() * behind.clone());
        // W = 1 - m w as the sum of what is above and what is below: nothing cancels if one level
        // holds nearly all.
        let others = above / before + c.clone() / behind;
        LevelWeight { normed: weight.clone() / others.clone(), others, weight }
    }
}

/// Readings of the paper's rule for documents that one side lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Variant {
    /// As the formulas are printed: a document that the other side lacks has no relation there, and
    /// none with the tail.
    #[default]
    Printed,
    /// Every document counts as rightly above the tail in the first of the two tail terms. It
    /// gives the paper's numbers (Table 9, the cut point of section 4.4.1), but also credit to junk.
    Table9,
    /// A document that the other side lacks is in that side's tail, below all that the side holds.
    Semantic,
}

choices! {
    Variant {
        Printed "printed" "as the formulas are printed: it has no relation there, and none with the tail",
        Table9 "table9" "it counts as rightly above the tail in one term, which gives the paper's numbers",
        Semantic "semantic" "it is in that side's tail, below all that the side holds",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_have_names() {
        crate::choice::tests::names_lead_back::<Variant>();
    }
}
