//! When a metric can reach its highest score: the notes of Moffat's Table 2.

use super::states::Probe;
use crate::measure::Metric;

/// At which depths k the best ranking of a collection with R relevant documents has the highest
/// score that the metric has on any collection, at any depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reach {
    /// Always.
    Always,
    /// Only if k <= R.
    AtMostRelevant,
    /// Only if k >= R.
    AtLeastRelevant,
    /// Only if k = R.
    Exactly,
    /// There is no highest score, or no ranking reaches it.
    Never,
    /// In other cases.
    Otherwise,
}

impl Reach {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Reach::Always => "at every depth k",
            Reach::AtMostRelevant => "only if k <= R",
            Reach::AtLeastRelevant => "only if k >= R",
            Reach::Exactly => "only if k = R",
            Reach::Never => "never",
            Reach::Otherwise => "only at some depths",
        }
    }
}

/// So many documents, relevant ones and ranks are looked at.
const DOCS: usize = 5;

/// When a metric reaches 1, by all rankings of a few documents of binary gain; `None` if its
/// properties cannot be asked for, or if it has no highest score of 1.
pub fn reach(metric: &Metric) -> Option<Reach> {
    if metric.def().range.bounds()?.1 != 1.0 {
        return None;
    }
    let probe = Probe::new(metric).ok()?;
    let best = |relevant: usize, k: u32| -> Option<f64> {
        let rankings = (0u32..1 << DOCS).filter(|code| code.count_ones() as usize == relevant);
        let gains =
            |code: u32| -> Vec<f64> { (0..DOCS).map(|at| f64::from(code >> at & 1)).collect() };
        rankings.filter_map(|code| probe.score(&gains(code), k, 1.0)).reduce(f64::max)
    };
    let mut cases = Vec::new();
    for relevant in 1..=DOCS - 1 {
        for k in 1..=DOCS as u32 - 1 {
            let reached = best(relevant, k)? >= 1.0 - 1e-9;
            cases.push((k as usize, relevant, reached));
        }
    }
    let is = |rule: fn(usize, usize) -> bool| cases.iter().all(|(k, r, yes)| rule(*k, *r) == *yes);
    Some(if is(|_, _| true) {
        Reach::Always
    } else if is(|_, _| false) {
        Reach::Never
    } else if is(|k, r| k <= r) {
        Reach::AtMostRelevant
    } else if is(|k, r| k >= r) {
        Reach::AtLeastRelevant
    } else if is(|k, r| k == r) {
        Reach::Exactly
    } else {
        Reach::Otherwise
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes e and f of Table 2, and the last column.
    #[test]
    fn the_notes_of_the_table() {
        for (metric, reached) in [
            ("P@5", Reach::AtMostRelevant),
            ("SDCG@5", Reach::AtMostRelevant),
            ("R@5", Reach::AtLeastRelevant),
            ("AP", Reach::AtLeastRelevant),
            ("nDCG@5", Reach::Always),
            ("RPrec", Reach::Always),
            ("RR", Reach::Always),
            ("HIT@5", Reach::Always),
            ("SNAP@5", Reach::Always),
            ("RBP", Reach::Never),
            ("F@5", Reach::Exactly),
        ] {
            assert_eq!(reach(&metric.parse().unwrap()), Some(reached), "{metric}");
        }
        assert_eq!(reach(&"DCG@5".parse().unwrap()), None);
    }
}
