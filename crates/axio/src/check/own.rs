//! Axioms of one's own, from files.

use std::path::PathBuf;

use axiometrics::check::axiom::OwnAxiom;
use axiometrics::check::{CheckOptions, Verdict};
use axiometrics::io;
use axiometrics::measure::Metric;
use axiometrics::report::explanation::OwnAxiomReport;
use axiometrics::report::{Format, Report, Style};

/// A file of an axiom is a few lines.
const LARGEST: u64 = 1 << 16;

/// Decides the axioms of these files for the metrics, in a format for people or programs; and
/// whether one is violated.
pub(super) fn decide(
    files: &[PathBuf],
    metrics: &[Metric],
    options: &CheckOptions,
    format: Format,
    style: &Style,
) -> axiometrics::Result<(String, bool)> {
    let mut axioms = Vec::new();
    for path in files {
        let name = path.display().to_string();
        axioms.push(OwnAxiom::parse(&name, &io::read_text(&name, LARGEST, "an axiom")?)?);
    }
    let of = |metric: &Metric| {
        let decide = |axiom: &OwnAxiom| axiom.decide(metric, options.axioms, options.seed);
        (metric.to_string(), axioms.iter().map(decide).collect())
    };
    let verdicts: Vec<(String, Vec<Verdict>)> = metrics.iter().map(of).collect();
    let violated = verdicts.iter().flat_map(|(_, all)| all).any(Verdict::is_violated);
    let report = OwnAxiomReport { axioms: &axioms, verdicts };
    Ok((report.render(format, style), violated))
}
