//! What one must know to get the same numbers again.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::choice::Choice;
use crate::data::Qrels;
use crate::policy::{
    BelowEnd, Duplicates, Missing, Order, Policies, Pool, Rounding, Ties, Undefined,
};

/// The choices that scores rest on, as they were in force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Protocol {
    /// The highest grade that judges could give.
    pub max_grade: f64,
    /// How documents with equal scores were ordered.
    pub ties: Ties,
    /// What was done about missing topics.
    pub missing: Missing,
    /// What summaries did with undefined scores.
    pub undefined: Undefined,
    /// How scores were compared.
    pub scores: Rounding,
    /// Where rankings were cut off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Which end of the scores is the better one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub order: Order,
    /// What was done about repeated documents.
    #[serde(default, skip_serializing_if = "is_default")]
    pub duplicates: Duplicates,
    /// How the parts of documents were put together, if runs retrieved parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<Pool>,
    /// Topics without a relevant document were left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pruned: bool,
    /// What stands below the end of a ranking, if scores have ranges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<BelowEnd>,
    /// What the topics were weighted by, if they do not all weigh the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// The version of the library.
    pub version: Cow<'static, str>,
}

fn is_default<T: Default + PartialEq>(choice: &T) -> bool {
    *choice == T::default()
}

impl Protocol {
    /// The protocol of scores by these judgements under these policies.
    pub fn new(qrels: &Qrels, policies: &Policies) -> Protocol {
        let Policies { missing, undefined, ties, scores, depth, order, duplicates, pool, .. } =
            *policies;
        Protocol {
            max_grade: qrels.max_grade(),
            ties,
            missing,
            undefined,
            scores,
            depth,
            order,
            duplicates,
            pool,
            pruned: policies.prune,
            tail: None,
            weights: None,
            version: Cow::Borrowed(env!("CARGO_PKG_VERSION")),
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, "")
    }
}

impl Protocol {
    /// In words, with a remark on the maximum grade.
    pub fn describe(&self, max_grade: &str) -> String {
        let mut text = String::new();
        // A string takes everything.
        let _ = self.write(&mut text, max_grade);
        text
    }

    fn write(&self, f: &mut impl fmt::Write, remark: &str) -> fmt::Result {
        let Protocol { max_grade, ties, missing, undefined, scores, depth, .. } = self;
        write!(
            f,
            "max grade {max_grade}{remark}, ties {}, missing {}, undefined {}, scores {}",
            ties.name(),
            missing.name(),
            undefined.name(),
            scores.name()
        )?;
        if let Some(depth) = depth {
            write!(f, ", depth {depth}")?;
        }
        if !is_default(&self.order) {
            write!(f, ", order {}", self.order.name())?;
        }
        if !is_default(&self.duplicates) {
            write!(f, ", duplicates {}", self.duplicates.name())?;
        }
        if let Some(pool) = self.pool {
            write!(f, ", pool {}", pool.name())?;
        }
        if self.pruned {
            write!(f, ", topics without a relevant document left out")?;
        }
        if let Some(tail) = self.tail {
            write!(f, ", tail {}", tail.name())?;
        }
        if let Some(weights) = &self.weights {
            write!(f, ", topics weighted by {weights}")?;
        }
        write!(f, ", axio {}", self.version)
    }
}
