//! What the user can choose.

use crate::choice::choices;
use crate::curve::Curve;
use crate::error::{Error, Result};

/// The parameters of the measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How weight falls with depth.
    pub curve: Curve,
    /// No tail and equal weights.
    pub finite: bool,
    /// How documents that one side lacks are treated.
    pub variant: Variant,
    /// The share of priority in the mixture, from 0 to 1; the rest is relatedness.
    pub mix: f64,
    /// The worth of a true positive, false positive, false negative and true negative.
    pub utility: [f64; 4],
    /// How many times more important recall is than precision in `f_beta`.
    pub beta: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            curve: Curve::default(),
            finite: false,
            variant: Variant::Printed,
            mix: 0.5,
            utility: [1.0, -1.0, 0.0, 0.0],
            beta: 1.0,
        }
    }
}

impl Settings {
    /// Says what is out of range.
    pub fn validate(&self) -> Result<()> {
        if !(0.0..=1.0).contains(&self.mix) {
            return Err(Error::usage(format!(
                "the mixture is {}, expected a number from 0 to 1",
                self.mix
            )));
        }
        if !(self.beta > 0.0 && self.beta.is_finite()) {
            return Err(Error::usage(format!("beta is {}, expected a number above 0", self.beta)));
        }
        if let Some(weight) = self.utility.iter().find(|weight| !weight.is_finite()) {
            return Err(Error::usage(format!("a utility weight is {weight}, expected a number")));
        }
        Ok(())
    }
}

/// Readings of the rule for the tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Variant {
    /// As the formulas are printed: a document that the other side lacks has no relation there, and
    /// none with the tail.
    #[default]
    Printed,
    /// Every document counts as rightly above the tail in the first of the two tail terms. It
    /// reproduces Table 9 of the paper best, but gives credit to junk.
    Table9,
    /// A document that the other side lacks stands in that side's tail, below all that the side
    /// holds.
    Semantic,
}

choices! {
    Variant {
        Printed "printed" "as the formulas are printed: it has no relation there, and none with the tail",
        Table9 "table9" "it counts as rightly above the tail in one term, which gives the paper's Table 9",
        Semantic "semantic" "it stands in that side's tail, below all that the side holds",
    }
}
