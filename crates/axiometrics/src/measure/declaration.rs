//! What a measure declares of itself besides its formula.

use super::range::{NO_ALGORITHM, NoRange, RangeAlgorithm};
use super::structure::Structure;
use super::ties::{AnyOrder, TieAlgorithm};
use super::{Aggregate, User};
use crate::data::{Judged, Needs};

/// What a measure declares of itself besides its formula, once and in one place.
///
/// It is made for each use, not for each topic; it may borrow from the measure.
pub struct Declaration<'a> {
    /// What the formula reads of the judgements. It sees nothing else.
    pub needs: Needs,
    /// How topics are summarised.
    pub aggregate: Aggregate,
    /// The structure of the formula, for the laboratory to verify.
    pub structure: Structure,
    /// How the lowest and the highest score under any judgement of the unjudged documents are
    /// found.
    pub ranges: Box<dyn RangeAlgorithm + 'a>,
    /// What is known of the orders of tied documents.
    pub ties: Box<dyn TieAlgorithm + 'a>,
    /// What lies below the end of a ranking.
    pub tail: Tail<'a>,
    /// The user whom the measure models, if that does not follow from its structure.
    pub user: Option<User<'a>>,
}

impl Declaration<'_> {
    /// A measure that needs this, whose topics are averaged, and of which nothing else is known.
    pub fn new(needs: Needs) -> Self {
        Declaration {
            needs,
            aggregate: Aggregate::Mean,
            structure: Structure::default(),
            ranges: Box::new(NoRange(NO_ALGORITHM)),
            ties: Box::new(AnyOrder),
            tail: Tail::None,
            user: None,
        }
    }
}

/// What a measure makes of the ranks below the end of a ranking.
#[non_exhaustive]
pub enum Tail<'a> {
    /// It does not look there, or no farther than its cutoff.
    None,
    /// It looks there down to this rank.
    Until(u32),
    /// It looks there without end: what becomes of a score if every document there has the highest
    /// grade.
    Endless(WithTail<'a>),
}

/// The score of a topic, which is given as it is, with the richest tail; `None` if that is no
/// different.
pub type WithTail<'a> = Box<dyn Fn(&Judged<'_>, f64) -> Option<f64> + Send + Sync + 'a>;

impl Tail<'_> {
    /// The score, which is given as it is, if every document below the end of the ranking had the
    /// highest grade; `None` if the measure does not look there.
    pub fn with(&self, topic: &Judged<'_>, score: f64) -> Option<f64> {
        match self {
            Tail::None | Tail::Until(_) => None,
            Tail::Endless(with) => with(topic, score),
        }
    }
}
