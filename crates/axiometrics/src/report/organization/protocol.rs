//! What one must know to get the same numbers again.

use std::fmt;

use serde::Serialize;

use crate::choice::Choice;
use crate::organization::{Mix, OrganizationSettings, Stated, Variant};
use crate::policy::{Missing, Undefined};

/// How organizations were scored.
#[derive(Debug, Clone, Serialize)]
pub struct OrganizationProtocol {
    top: f64,
    weight: f64,
    finite: bool,
    variant: Variant,
    /// The share of priority in R, S and F.
    mix: f64,
    /// The share of links.
    linked: f64,
    /// Whether the user gave it, or what the gold standard states decided.
    mix_given: bool,
    utility: [f64; 4],
    pub(super) beta: f64,
    missing: &'static str,
    undefined: &'static str,
    version: &'static str,
}

impl OrganizationProtocol {
    /// What these settings and policies come to for a gold standard that states this much.
    pub fn new(
        settings: &OrganizationSettings,
        task: Stated,
        missing: Missing,
        undefined: Undefined,
    ) -> OrganizationProtocol {
        OrganizationProtocol {
            top: settings.curve.top(),
            weight: settings.curve.weight(),
            finite: settings.finite,
            variant: settings.variant,
            mix: settings.shares(task).priority,
            linked: settings.shares(task).linked,
            mix_given: settings.mix != Mix::Stated,
            utility: settings.utility,
            beta: settings.beta,
            missing: missing.name(),
            undefined: undefined.name(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

impl fmt::Display for OrganizationProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OrganizationProtocol {
            top,
            weight,
            finite,
            variant,
            mix,
            linked,
            beta,
            missing,
            undefined,
            version,
            ..
        } = self;
        // The paper's formulas and its numbers do not agree, so whoever reads one of the two should
        // know of the other.
        let other = match variant {
            Variant::Table9 => "printed is as the formulas say",
            _ => "table9 gives the paper's numbers",
        };
        match finite {
            true => write!(f, "finite")?,
            false => write!(f, "top {top}, weight {weight}, variant {} ({other})", variant.name())?,
        }
        if *beta != 1.0 {
            write!(f, ", beta {beta}")?;
        }
        write!(f, ", mix {mix}")?;
        if *linked > 0.0 {
            write!(f, ", links {linked}")?;
        }
        write!(f, ", missing {missing}, undefined {undefined}, axio {version}")
    }
}
