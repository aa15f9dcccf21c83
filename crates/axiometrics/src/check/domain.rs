//! Over which gains a metric is checked.
//!
//! The rule is automatic and looks at the scores, not at the name: a metric that sees no more than
//! a threshold is binary; one whose scores stay the same (or scale along) when all grades are
//! multiplied is graded, and takes fractions; every other one takes whole grades.

use super::states::Probe;
use crate::measure::Metric;
use crate::measure::structure::Domain;

/// The gains of one search: four at most, 0 first, ascending. The last is the maximum grade.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Levels {
    gains: [f64; 4],
    len: usize,
}

impl Levels {
    const fn two(top: f64) -> Levels {
        Levels { gains: [0.0, top, top, top], len: 2 }
    }

    const fn four(gains: [f64; 4]) -> Levels {
        Levels { gains, len: 4 }
    }

    /// The gains, ascending.
    pub(super) fn gains(&self) -> &[f64] {
        &self.gains[..self.len]
    }

    /// The highest gain.
    pub(super) fn top(&self) -> f64 {
        self.gains[self.len - 1]
    }

    /// How many bits hold one gain's number.
    pub(super) fn bits(&self) -> u32 {
        if self.len == 2 { 1 } else { 2 }
    }

    /// As a set: `{0, 1/4, 1/2, 1}`.
    pub(super) fn describe(&self) -> String {
        let texts: Vec<String> = self.gains().iter().map(|g| super::witness::gain(*g)).collect();
        format!("{{{}}}", texts.join(", "))
    }
}

/// The threshold of binary relevance in force, 1 where the metric has none.
fn threshold(metric: &Metric) -> f64 {
    metric.args().optional("rel").unwrap_or(1.0)
}

/// Relevant or not, for this metric: 0 and the lowest grade that counts in full.
pub(super) fn binary(metric: &Metric) -> Levels {
    Levels::two(threshold(metric).max(1.0))
}

/// The gains on which a metric's properties are searched.
pub(super) fn levels(metric: &Metric, domain: Domain) -> Vec<Levels> {
    match domain {
        Domain::Binary => vec![binary(metric)],
        Domain::Graded => vec![Levels::two(1.0), Levels::four([0.0, 0.25, 0.5, 1.0])],
        Domain::Integer => vec![Levels::two(1.0), Levels::four([0.0, 1.0, 2.0, 3.0])],
    }
}

/// The domain that a metric declares, or that its scores show.
pub(super) fn of(metric: &Metric, probe: &Probe) -> Domain {
    metric.structure().domain.unwrap_or_else(|| {
        if sees_only_a_threshold(metric, probe) {
            Domain::Binary
        } else if scales(probe) {
            Domain::Graded
        } else {
            Domain::Integer
        }
    })
}

/// The size of the collections on which the rule looks: with three documents every formula of the
/// registry shows its domain.
const DOCS: usize = 3;

fn sees_only_a_threshold(metric: &Metric, probe: &Probe) -> bool {
    let rel = threshold(metric);
    let (low, high) = if rel > 0.0 { (rel / 2.0, rel * 2.0) } else { (1.0, 2.0) };
    let grades = [0.0, low, rel.max(1.0), high.max(3.0)];
    let top = grades[3];
    all(&grades).all(|v| {
        let flat: Vec<f64> = v.iter().map(|g| if *g >= rel { top } else { 0.0 }).collect();
        depths(&v).all(|k| same(probe.score(&v, k, top), probe.score(&flat, k, top), 1.0))
    })
}

fn scales(probe: &Probe) -> bool {
    let whole = [0.0, 1.0, 2.0, 4.0];
    let by = |factor: f64| {
        all(&whole).all(|v| {
            let parts: Vec<f64> = v.iter().map(|g| g / 4.0).collect();
            depths(&v).all(|k| same(probe.score(&v, k, 4.0), probe.score(&parts, k, 1.0), factor))
        })
    };
    by(1.0) || by(4.0)
}

fn depths(v: &[f64]) -> impl Iterator<Item = u32> + use<> {
    1..=v.len() as u32
}

fn same(a: Option<f64>, b: Option<f64>, factor: f64) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - factor * b).abs() <= 1e-9,
        (None, None) => true,
        _ => false,
    }
}

/// All rankings of up to [`DOCS`] documents with these grades.
fn all(grades: &[f64; 4]) -> impl Iterator<Item = Vec<f64>> + use<> {
    let grades = *grades;
    (1..=DOCS).flat_map(move |d| {
        (0..4usize.pow(d as u32))
            .map(move |code| (0..d).map(|i| grades[code >> (2 * i) & 3]).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scores_show_the_domain() {
        for (metric, domain) in [
            ("AP", Domain::Binary),
            ("AP(rel=2)", Domain::Binary),
            ("P@10", Domain::Binary),
            ("RR", Domain::Binary),
            ("yaAP", Domain::Binary),
            ("RBP", Domain::Graded),
            ("RBP(rel=1)", Domain::Binary),
            ("HIT@10", Domain::Graded),
            ("DCG@10", Domain::Graded),
            ("nDCG@10", Domain::Graded),
            ("SDCG@10", Domain::Graded),
            ("nDCG(dcg=exp-log2)@10", Domain::Integer),
            ("nDCG(gains={1:1,2:5})@10", Domain::Integer),
        ] {
            let metric: Metric = metric.parse().unwrap();
            assert_eq!(of(&metric, &Probe::new(&metric).unwrap()), domain, "{metric}");
        }
    }
}
