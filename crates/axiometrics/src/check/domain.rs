//! Over which gains a metric is checked.
//!
//! The rule is automatic and looks at the scores, not at the name: a metric that sees no more than
//! a threshold is binary; one whose scores stay the same (or scale along) when all grades are
//! multiplied is graded, and takes fractions; every other one takes whole grades, and those that it
//! speaks of. A file may declare its gains instead.

use super::landmarks::Landmarks;
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

    const fn three(low: f64, top: f64) -> Levels {
        Levels { gains: [0.0, low, top, top], len: 3 }
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

/// The threshold of binary relevance in force, 1 if the metric has none.
fn threshold(metric: &Metric) -> f64 {
    metric.args().optional("rel").unwrap_or(1.0)
}

/// Relevant or not, for this metric: 0 and the lowest grade that counts in full.
pub(super) fn binary(metric: &Metric) -> Levels {
    let declared = Landmarks::of(metric).declared;
    let top = declared.last().copied().unwrap_or_else(|| threshold(metric).max(1.0));
    Levels::two(top)
}

/// The gains on which a metric's properties are searched.
pub(super) fn levels(metric: &Metric, domain: Domain) -> Vec<Levels> {
    let landmarks = Landmarks::of(metric);
    if !landmarks.declared.is_empty() {
        return declared(&landmarks.declared);
    }
    match domain {
        Domain::Binary => vec![binary(metric)],
        Domain::Graded => vec![Levels::two(1.0), Levels::four([0.0, 0.25, 0.5, 1.0])],
        Domain::Integer => {
            let mut all = vec![Levels::two(1.0), Levels::four([0.0, 1.0, 2.0, 3.0])];
            let apart = landmarks.grades.iter().filter(|g| !WHOLE.contains(g));
            for [below, at, above] in apart.map(|g| around(*g)) {
                let set = Levels::four([0.0, below, at, above]);
                if !all.contains(&set) {
                    all.push(set);
                }
            }
            all
        }
    }
}

/// Grades of the usual set, with what lies around each of them.
const WHOLE: [f64; 2] = [1.0, 2.0];

/// A grade with one below and one above.
fn around(grade: f64) -> [f64; 3] {
    let below = if grade > 1.0 { (grade - 1.0).ceil().min(grade - 0.5) } else { grade / 2.0 };
    [below, grade, (grade + 1.0).floor().max(grade + 0.5)]
}

/// Sets of a file's own gains: all of them, a few at a time, each beside its neighbours.
fn declared(gains: &[f64]) -> Vec<Levels> {
    let Some(&top) = gains.last() else { return Vec::new() };
    let mut all = vec![Levels::two(top)];
    if let [low, high] = gains {
        all.push(Levels::three(*low, *high));
    }
    all.extend(gains.windows(3).map(|w| Levels::four([0.0, w[0], w[1], w[2]])));
    if gains.len() > 3 {
        all.push(Levels::four([0.0, gains[0], gains[gains.len() / 2], top]));
    }
    all
}

/// The domain that a metric declares, or that its scores show.
pub(super) fn of(metric: &Metric, probe: &Probe) -> Domain {
    metric.structure().domain.unwrap_or_else(|| {
        let grades = Landmarks::of(metric).grades;
        if sees_only_a_threshold(metric, probe, &grades) {
            Domain::Binary
        } else if scales(probe, &grades) {
            Domain::Graded
        } else {
            Domain::Integer
        }
    })
}

/// The size of the collections on which the rule looks: with three documents every formula of the
/// registry shows its domain.
const DOCS: usize = 3;

fn sees_only_a_threshold(metric: &Metric, probe: &Probe, apart: &[f64]) -> bool {
    let rel = threshold(metric);
    let (low, high) = if rel > 0.0 { (rel / 2.0, rel * 2.0) } else { (1.0, 2.0) };
    let grades = [0.0, low, rel.max(1.0), high.max(3.0)];
    let sees_only = |counts: &dyn Fn(f64) -> bool| {
        sets(grades, apart).all(|grades| {
            let top = grades[3];
            all(&grades).all(|v| {
                let flat: Vec<f64> = v.iter().map(|g| if counts(*g) { top } else { 0.0 }).collect();
                depths(&v).all(|k| same(probe.score(&v, k, top), probe.score(&flat, k, top), 1.0))
            })
        })
    };
    // To a formula over the relevant documents, every gain above 0 is relevant.
    sees_only(&|g| g >= rel) || sees_only(&|g| g > 0.0)
}

fn scales(probe: &Probe, apart: &[f64]) -> bool {
    let by = |factor: f64| {
        let usual = [[0.0, 1.0, 2.0, 4.0], [0.0, 1.0, 2.0, 3.0]].into_iter();
        usual.chain(sets([0.0, 1.0, 2.0, 4.0], apart)).all(|grades| {
            all(&grades).all(|v| {
                let parts: Vec<f64> = v.iter().map(|g| g / factor).collect();
                depths(&v).all(|k| {
                    let part = probe.score(&parts, k, grades[3] / factor);
                    let whole = probe.score(&v, k, grades[3]);
                    same(whole, part, 1.0) || same(whole, part, factor)
                })
            })
        })
    };
    // One rule for all rankings, not another for each.
    let consistent = |factor: f64| {
        all(&[0.0, 1.0, 2.0, 4.0]).all(|v| {
            let parts: Vec<f64> = v.iter().map(|g| g / 4.0).collect();
            depths(&v).all(|k| same(probe.score(&v, k, 4.0), probe.score(&parts, k, 1.0), factor))
        })
    };
    (consistent(1.0) || consistent(4.0)) && by(4.0) && by(3.0)
}

/// These grades, and those around each that is treated apart.
fn sets(grades: [f64; 4], apart: &[f64]) -> impl Iterator<Item = [f64; 4]> {
    let more = apart.iter().map(|g| {
        let [below, at, above] = around(*g);
        [0.0, below, at, above]
    });
    std::iter::once(grades).chain(more)
}

fn depths(v: &[f64]) -> impl Iterator<Item = u32> + use<> {
    1..=v.len() as u32
}

fn same(a: Option<f64>, b: Option<f64>, factor: f64) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - factor * b).abs() <= 1e-9 * a.abs().max(1.0),
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
    use crate::component::Component;

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
            ("nDCG(gains={3:0})", Domain::Integer),
            ("nDCG(gains={9:0})", Domain::Integer),
        ] {
            let metric: Metric = metric.parse().unwrap();
            assert_eq!(of(&metric, &Probe::new(&metric).unwrap()), domain, "{metric}");
        }
    }

    fn file(text: &str) -> Metric {
        Metric::own(Component::parse("x.toml", text).unwrap()).unwrap()
    }

    /// A grade that a formula treats apart is among those that are tried.
    #[test]
    fn grades_apart_are_tried() {
        let own = file("score = \"sum(d in D : if(gain(d) == 6, 0, gain(d)) / pos(d))\"");
        let domain = of(&own, &Probe::new(&own).unwrap());
        assert_eq!(domain, Domain::Integer);
        let tried: Vec<String> = levels(&own, domain).iter().map(Levels::describe).collect();
        assert_eq!(tried, ["{0, 1}", "{0, 1, 2, 3}", "{0, 5, 6, 7}"]);
        assert_eq!(around(2.5), [2.0, 2.5, 3.0]);
        assert_eq!(around(1.0), [0.5, 1.0, 2.0]);
    }

    #[test]
    fn a_file_may_declare_its_gains() {
        let own = file("gains = [0, 1, 3, 7, 15]\nscore = \"sum(d in D : gain(d) / pos(d))\"");
        let domain = of(&own, &Probe::new(&own).unwrap());
        let tried: Vec<String> = levels(&own, domain).iter().map(Levels::describe).collect();
        assert_eq!(tried, ["{0, 15}", "{0, 1, 3, 7}", "{0, 3, 7, 15}", "{0, 1, 7, 15}"]);
        assert_eq!(binary(&own).describe(), "{0, 15}");
    }
}
