//! Judgement budgets: how deep to judge, how many topics to have, which documents to judge next
//! (Moffat 2013, section 5).
//!
//! Owns: the arithmetic of plans over rankings that are given. Does not own: files, and the
//! statistics of power ([`crate::stats`]).

mod depth;
mod judge;
mod rankings;
mod relevant;
mod topics;

pub use depth::{Depth, at, depth, residual};
pub use judge::{Candidate, JudgePlan, judge};
pub use rankings::{RankedDocuments, Rankings};
pub use relevant::{PoolTrend, RelevantPlan, TopicRelevant, relevant};
pub use topics::{TopicPlan, difference_deviation, topics};
