//! Measures that cannot be computed as they were asked for.

use std::fmt;

use crate::error::Error;

/// Why a list of measures cannot be computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// What kind of mistake it is.
    pub kind: Mistake,
    message: String,
}

/// The mistakes that trec_eval tells apart by its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mistake {
    /// There is no such measure.
    Unknown,
    /// The parameters of a measure have no meaning.
    Parameters,
    /// The measure does not fit the judgements, or has too few parameters.
    Calculation,
}

impl Refused {
    pub(super) fn unknown(message: String) -> Refused {
        Refused { kind: Mistake::Unknown, message }
    }

    pub(super) fn parameters(message: String) -> Refused {
        Refused { kind: Mistake::Parameters, message }
    }

    pub(super) fn calculation(message: String) -> Refused {
        Refused { kind: Mistake::Calculation, message }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Error {
        Error::usage(refused.message)
    }
}
