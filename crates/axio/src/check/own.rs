//! Axioms of one's own, from files.

use std::path::PathBuf;

use axiometrics::check::axiom::OwnAxiom;
use axiometrics::check::{CheckOptions, Verdict};
use axiometrics::io;
use axiometrics::measure::Metric;

/// A file of an axiom is a few lines.
const LARGEST: u64 = 1 << 16;

/// The axioms of some files, and the verdicts of metrics on them.
pub(super) struct Decided {
    pub(super) axioms: Vec<OwnAxiom>,
    pub(super) verdicts: Vec<(String, Vec<Verdict>)>,
}

impl Decided {
    /// Whether one is violated.
    pub(super) fn violated(&self) -> bool {
        self.verdicts.iter().flat_map(|(_, all)| all).any(Verdict::is_violated)
    }
}

/// Decides the axioms of these files for the metrics.
pub(super) fn decide(
    files: &[PathBuf],
    metrics: &[Metric],
    options: &CheckOptions,
) -> axiometrics::Result<Decided> {
    let mut axioms = Vec::new();
    for path in files {
        let name = path.display().to_string();
        axioms.push(OwnAxiom::parse(&name, &io::read_text(&name, LARGEST, "an axiom")?)?);
    }
    let of = |metric: &Metric| {
        let decide = |axiom: &OwnAxiom| axiom.decide(metric, options.axioms, options.seed);
        (metric.to_string(), axioms.iter().map(decide).collect())
    };
    let verdicts = metrics.iter().map(of).collect();
    Ok(Decided { axioms, verdicts })
}
