//! Scores under ties: the expected one over all orders of tied documents, and the lowest and the
//! highest.
//!
//! A tied group is a stretch of ranks whose documents may stand in any order. A measure declares
//! what it knows of these orders ([`TieAlgorithm`]): a closed form of the expected score, and which
//! orders have the lowest and the highest. Without it orders are counted out if they are few, and
//! sampled from a fixed seed if they are many. A ranking that is cut off within a group keeps its
//! first documents, so the order decides which of the group are retrieved at all.

mod cascade;
mod counts;
mod extremes;
mod first;
mod linear;
mod orders;
mod pairs;
mod precisions;
mod sampled;

use super::Score;
use super::range::Range;
use crate::data::Judged;
pub use cascade::Cascade;
pub(crate) use extremes::place;
pub use extremes::{Given, Ordered, OrderedIfBinary, OrderedWithin};
pub use linear::Linear;
pub use orders::Orders;
pub use pairs::PairSum;

/// What a number becomes in a topic.
pub type InTopic<'a, A, B> = Box<dyn Fn(&Judged<'_>, A) -> B + Send + Sync + 'a>;

/// What a measure knows of the orders of tied documents.
pub trait TieAlgorithm: Send {
    /// The expected score over all orders, in closed form. `None` if there is none for these.
    fn expected(&self, _orders: &Orders<'_>) -> Option<Score> {
        None
    }

    /// Which orders have the lowest and the highest score.
    fn extremes(&self, _orders: &Orders<'_>) -> Known {
        Known::Nothing
    }
}

/// What is known of the orders with the lowest and the highest score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Known {
    /// They are those by grade, the worst or the best first.
    Sorted,
    /// The same, once it is settled which documents of a group stand in the top k.
    SortedWithin(u32),
    /// Nothing.
    Nothing,
}

/// Nothing is known of the orders.
#[derive(Debug, Clone, Copy)]
pub struct AnyOrder;

impl TieAlgorithm for AnyOrder {}

/// An expected score.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// The score.
    pub score: Score,
    /// Its standard error, if it was sampled.
    pub error: Option<f64>,
}

impl Orders<'_> {
    /// The expected score over all orders. Undefined orders are left out. Topics have streams of
    /// random numbers of their own.
    pub fn expected(&self, known: &dyn TieAlgorithm, stream: usize) -> Expected {
        if self.groups.is_empty() {
            return Expected { score: self.score_of_run(), error: None };
        }
        let closed = if self.condense { None } else { known.expected(self) };
        match closed {
            Some(score) => Expected { score, error: None },
            None => self.average(stream),
        }
    }

    /// The lowest and the highest score of any order; `None` if all are undefined.
    pub fn range(&self, known: &dyn TieAlgorithm, stream: usize) -> Option<Range> {
        if self.groups.is_empty() {
            return self.score_of_run().value().map(Range::point);
        }
        extremes::range(self, known, stream)
    }
}
