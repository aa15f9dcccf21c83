//! What one must know to get the same numbers again.

use std::fmt;

use axiometrics::choice::Choice;
use axiometrics::organization::Settings;
use axiometrics::policy::{Missing, Undefined};
use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub(super) struct Told {
    top: f64,
    weight: f64,
    finite: bool,
    variant: &'static str,
    mix: f64,
    utility: [f64; 4],
    beta: f64,
    missing: &'static str,
    undefined: &'static str,
    version: &'static str,
}

impl Told {
    pub(super) fn new(settings: &Settings, missing: Missing, undefined: Undefined) -> Told {
        Told {
            top: settings.curve.top(),
            weight: settings.curve.weight(),
            finite: settings.finite,
            variant: settings.variant.name(),
            mix: settings.mix,
            utility: settings.utility,
            beta: settings.beta,
            missing: missing.name(),
            undefined: undefined.name(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Told { top, weight, finite, variant, mix, missing, undefined, version, .. } = self;
        match finite {
            true => write!(f, "finite")?,
            false => write!(f, "top {top}, weight {weight}, variant {variant}")?,
        }
        write!(f, ", mix {mix}, missing {missing}, undefined {undefined}, axio {version}")
    }
}
