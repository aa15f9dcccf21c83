//! What one must know to get the same numbers again.

use std::fmt;

use axiometrics::choice::Choice;
use axiometrics::data::Qrels;
use axiometrics::policy::{Missing, Undefined};
use axiometrics::policy::{Rounding, Ties};
use serde::{Serialize, Serializer};

use crate::args::Policies;

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Settings {
    pub(crate) max_grade: f64,
    #[serde(serialize_with = "by_name")]
    pub(crate) ties: Ties,
    #[serde(serialize_with = "by_name")]
    pub(crate) missing: Missing,
    #[serde(serialize_with = "by_name")]
    pub(crate) undefined: Undefined,
    #[serde(serialize_with = "by_name")]
    pub(crate) scores: Rounding,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<u32>,
    pub(crate) version: &'static str,
}

impl Settings {
    pub(crate) fn new(qrels: &Qrels, policies: &Policies) -> Settings {
        Settings {
            max_grade: qrels.max_grade(),
            ties: policies.ties,
            missing: policies.missing,
            undefined: policies.undefined,
            scores: policies.scores,
            depth: policies.depth,
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

fn by_name<T: Choice, S: Serializer>(choice: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(choice.name())
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { max_grade, ties, missing, undefined, scores, depth, version } = self;
        write!(
            f,
            "max grade {max_grade}, ties {}, missing {}, undefined {}",
            ties.name(),
            missing.name(),
            undefined.name()
        )?;
        write!(f, ", scores {}", scores.name())?;
        if let Some(depth) = depth {
            write!(f, ", depth {depth}")?;
        }
        write!(f, ", axio {version}")
    }
}
