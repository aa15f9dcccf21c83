//! Where a metric may change its ways: the numbers that it speaks of.
//!
//! A search over a fixed list of gains and small collections never meets what happens at grade 7 or
//! at rank 1000. A metric's parameters, and the constants of its formula, say where to look.

use crate::component::Component;
use crate::measure::Metric;
use crate::measure::params::Value;

/// The numbers of a metric.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Landmarks {
    /// Grades that it may treat apart, ascending.
    pub grades: Vec<f64>,
    /// Ranks, or numbers of documents, that it may treat apart, ascending.
    pub sizes: Vec<u32>,
    /// The gains that it declares to be written over, if it does.
    pub declared: Vec<f64>,
    /// The longest rankings that are searched.
    pub reach: u32,
    /// The longest ranking of which a score can be had at all.
    pub affordable: u32,
}

/// Grades above this are not tried.
const HIGHEST: f64 = 1000.0;
/// So many of each kind are tried.
const MOST: usize = 6;
/// The longest rankings that are tried.
pub(super) const REACH: u32 = 1100;
/// The same for metrics whose cost grows faster than the ranking.
const COSTLY_REACH: u32 = 64;
/// What one score may cost, in steps.
const STEPS: f64 = 1e6;

impl Landmarks {
    /// The same, where rankings are not searched beyond a length.
    pub(super) fn within(self, reach: Option<u32>) -> Landmarks {
        Landmarks { reach: self.reach.min(reach.unwrap_or(u32::MAX)), ..self }
    }

    pub(super) fn of(metric: &Metric) -> Landmarks {
        let args = metric.args();
        let mut numbers: Vec<f64> = Vec::new();
        let mut grades: Vec<f64> = Vec::new();
        for value in args.effective().into_iter().flatten() {
            match value {
                Value::Number(x) => numbers.push(x),
                Value::Gains(gains) => grades.extend(gains.iter().map(|(grade, _)| *grade)),
                Value::Text(_) | Value::Flag(_) => {}
            }
        }
        numbers.extend(args.cutoff().map(f64::from));
        let mut affordable = u32::MAX;
        let mut declared = Vec::new();
        if let Some(component) = Component::of(metric) {
            numbers.extend(component.numbers());
            declared = component.gains().to_vec();
            let power = component.nesting().max(1);
            affordable = (STEPS.powf(1.0 / f64::from(power)) as u32).max(8);
        }
        // A measure that looks at every judged document may look at every pair of them, and one of
        // diversity looks for the best order of them.
        // (What a formula from a file costs is known by its nesting.)
        let judged = metric.needs().judged && Component::of(metric).is_none();
        let costly = judged || super::diversity::is_of_diversity(metric);
        let reach = affordable.min(if costly { COSTLY_REACH } else { REACH });
        grades.extend(numbers.iter().copied().filter(|x| *x >= 1.0));
        let sizes = numbers
            .iter()
            .filter(|x| **x >= 2.0 && **x <= f64::from(reach))
            .map(|x| x.ceil() as u32)
            .collect();
        Landmarks {
            grades: few(grades.into_iter().filter(|g| *g > 0.0 && *g <= HIGHEST).collect()),
            sizes: few(sizes),
            declared,
            reach,
            affordable,
        }
    }
}

/// A few different ones, ascending.
fn few<T: PartialOrd + Copy>(mut all: Vec<T>) -> Vec<T> {
    all.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    all.dedup_by(|a, b| a == b);
    all.truncate(MOST);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_constants_are_landmarks() {
        let of = |name: &str| Landmarks::of(&name.parse().unwrap());
        assert!([3.0, 7.0].iter().all(|g| of("nDCG(gains={3:0,7:2})").grades.contains(g)));
        assert_eq!(of("P@10").sizes, [10]);
        let text = "score = \"sum(d in D : if(gain(d) == 4, 0, gain(d)) / pos(d)) - R / 300\"";
        let file = Component::parse("x.toml", text).unwrap();
        let own = Landmarks::of(&Metric::own(file).unwrap());
        assert!(own.grades.contains(&4.0) && own.grades.contains(&300.0), "{own:?}");
        assert_eq!(own.sizes, [4, 300]);
    }
}
