//! What is asked of a comparison.

use serde::{Serialize, Serializer};

use crate::choice::{Choice, choices};
use crate::error::{Error, Result};
use crate::policy::Undefined;
use crate::stats::{Correction, MeanInterval, Resampling, Test, TestOptions, ZeroMethod};

/// A test of pairs of systems: one pair at a time, or all at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Procedure {
    /// A paired test of two systems, to be corrected for the number of tests.
    Paired(Test),
    /// Tukey's honestly significant difference after a two-way analysis of variance.
    Tukey,
    /// The randomised version of it.
    RandomisedTukey,
}

impl Default for Procedure {
    fn default() -> Procedure {
        Procedure::Paired(Test::default())
    }
}

impl Procedure {
    /// True if the p-values hold for all pairs of a measure together.
    pub fn is_family_wise(self) -> bool {
        !matches!(self, Procedure::Paired(_))
    }
}

impl Serialize for Procedure {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Which tests count as one family for the correction of p-values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum FamilyScope {
    /// The pairs of each measure.
    #[default]
    Measure,
    /// The pairs of all measures.
    All,
}

choices! {
    FamilyScope {
        Measure "measure" "the pairs of each measure are a family",
        All "all" "the pairs of all measures are one family",
    }
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Values {
    /// The scores as they are.
    #[default]
    Scores,
    /// The rank of each score among all distinct scores of the measure, over systems and topics: the
    /// distance of neighbouring values is 1, whatever it was.
    PooledRanks,
    /// The rank of each score among the systems on the same topic, as in Friedman's test.
    TopicRanks,
}

choices! {
    Values {
        Scores "scores" "the scores as they are",
        PooledRanks "pooled" "ranks among the distinct scores of all systems and topics",
        TopicRanks "topics" "ranks among the systems on each topic",
    }
}

/// How systems are compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonSettings {
    /// The test.
    pub test: Procedure,
    /// How p-values are corrected for their number; `None` for Holm's way if the test is not
    /// family-wise already.
    #[serde(serialize_with = "by_name")]
    pub correction: Option<Correction>,
    /// Which tests the correction counts as one family.
    pub family: FamilyScope,
    /// What is compared.
    pub values: Values,
    /// What the summaries of an evaluation do with undefined scores; no test uses those.
    pub undefined: Undefined,
    /// From this corrected p-value down a difference is called significant. Intervals have the
    /// confidence 1 - alpha.
    pub alpha: f64,
    /// Resamples and their seed, if the test or the interval takes any.
    pub resampling: Resampling,
    /// What Wilcoxon's test does with equal scores.
    pub zero_method: ZeroMethod,
    /// How the interval of a system's mean is made.
    pub mean_interval: MeanInterval,
    /// The system that all others are compared with; all pairs if absent.
    pub baseline: Option<usize>,
}

impl Default for ComparisonSettings {
    fn default() -> ComparisonSettings {
        ComparisonSettings {
            test: Procedure::default(),
            correction: None,
            family: FamilyScope::default(),
            values: Values::default(),
            undefined: Undefined::default(),
            alpha: 0.05,
            resampling: Resampling::default(),
            zero_method: ZeroMethod::default(),
            mean_interval: MeanInterval::default(),
            baseline: None,
        }
    }
}

/// By the name it is asked for by. What a comparison keeps is settled, so the default is never
/// written for anything else.
fn by_name<S: Serializer>(
    correction: &Option<Correction>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(correction.unwrap_or_default().name())
}

impl ComparisonSettings {
    /// The correction in force. A second one on top of a family-wise test is refused.
    pub fn correction(&self) -> Result<Correction> {
        match (self.test.is_family_wise(), self.correction) {
            (false, correction) => Ok(correction.unwrap_or_default()),
            (true, None | Some(Correction::None)) => Ok(Correction::None),
            (true, Some(correction)) => {
                let message = format!(
                    "the test {} holds for all pairs already, and {} would correct it again",
                    self.test.name(),
                    correction.name()
                );
                Err(Error::usage(message).help("leave the correction out"))
            }
        }
    }

    /// What the paired tests take.
    pub fn options(&self) -> TestOptions {
        TestOptions { resampling: self.resampling, zero_method: self.zero_method }
    }
}

impl Choice for Procedure {
    const ALL: &'static [Self] = &[
        Procedure::Paired(Test::T),
        Procedure::Paired(Test::Wilcoxon),
        Procedure::Paired(Test::Sign),
        Procedure::Paired(Test::Randomisation),
        Procedure::Paired(Test::Bootstrap),
        Procedure::Tukey,
        Procedure::RandomisedTukey,
    ];

    fn name(self) -> &'static str {
        match self {
            Procedure::Paired(test) => test.name(),
            Procedure::Tukey => "tukey",
            Procedure::RandomisedTukey => "randomised-tukey",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Procedure::Paired(test) => test.meaning(),
            Procedure::Tukey => {
                "Tukey's HSD after a two-way analysis of variance, all pairs at once"
            }
            Procedure::RandomisedTukey => {
                "Tukey's HSD by permuting systems within topics, all pairs at once"
            }
        }
    }
}
