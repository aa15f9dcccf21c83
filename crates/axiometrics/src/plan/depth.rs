//! How deep to judge for a given uncertainty of a score, and how certain a score is at a depth.

use serde::Serialize;

use crate::data::OwnedTopic;
use crate::error::{Error, Result};
use crate::measure::Metric;
use crate::score::ranges::{Ranger, Vary};

/// A depth at which judging can stop.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Depth {
    /// The measure.
    pub measure: String,
    /// The persistence of its user, if that is a parameter of the measure.
    pub p: Option<f64>,
    /// The uncertainty that was asked for; `None` if the budget decided.
    pub residual: Option<f64>,
    /// Judge so many documents of each ranking.
    pub depth: u32,
    /// What then is left open of each score, at most.
    pub reached: f64,
}

/// No ranking is judged deeper.
const DEEPEST: u32 = 1_000_000;

/// What is left open of a score by rankings that are judged down to a depth, at most: the residual.
///
/// A weighted precision leaves the weight of the ranks below open, whatever was found above. If the
/// user answers to what is found, the residual is that of a ranking in which nothing was relevant,
/// or all of it, whichever is larger.
pub fn residual(metric: &Metric, depth: u32) -> Result<f64> {
    let mut ranger = Ranger::new(metric);
    let mut most = 0.0f64;
    for grade in [0.0, 1.0] {
        let topic = OwnedTopic::<f64>::new(&vec![Some(grade); depth as usize], &[]);
        let range = ranger.range(&topic.view(), Vary::default()).map_err(|absent| {
            Error::usage(format!("{metric} has no residual: {}", absent.reason()))
        })?;
        most = most.max(range.high - range.low);
    }
    Ok(most)
}

/// The least depth at which the residual is no more than this.
pub fn depth(metric: &Metric, most: f64) -> Result<Depth> {
    if !(most > 0.0 && most < 1.0) {
        return Err(Error::usage(format!(
            "residual is {most}, expected more than 0 and less than 1"
        )));
    }
    check(metric)?;
    // Rounding must not ask for a rank more: 0.5^3 is 0.125.
    let enough =
        |depth: u32| -> Result<bool> { Ok(residual(metric, depth)? <= most * (1.0 + 1e-12)) };
    let mut high = 1;
    while !enough(high)? {
        if high >= DEEPEST {
            return Err(Error::usage(format!(
                "{metric} leaves more than {most} open at any depth up to {DEEPEST}"
            ))
            .help("ask for a larger residual, or for a measure whose user reads less far"));
        }
        high = (high * 2).min(DEEPEST);
    }
    let mut low = high / 2;
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if enough(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(Depth { residual: Some(most), ..at(metric, high)? })
}

/// What is known at a depth.
pub fn at(metric: &Metric, depth: u32) -> Result<Depth> {
    check(metric)?;
    Ok(Depth {
        measure: metric.to_string(),
        p: metric.args().optional("p"),
        residual: None,
        depth,
        reached: residual(metric, depth)?,
    })
}

/// A plan needs a score that what nobody retrieved does not change, from 0 to 1.
pub(super) fn check(metric: &Metric) -> Result<()> {
    let score = |unretrieved: &[f64]| {
        let topic = OwnedTopic::<f64>::new(&[Some(1.0), Some(0.0)], unretrieved);
        metric.score(&topic.view()).value()
    };
    let topic = OwnedTopic::<f64>::new(&[Some(0.0)], &[]);
    let bounded = metric.def().range.bounds() == Some((0.0, 1.0));
    if score(&[]) == score(&[1.0; 3]) && metric.score(&topic.view()).value() == Some(0.0) && bounded
    {
        return Ok(());
    }
    Err(Error::usage(format!(
        "a plan cannot promise anything of {metric}: it depends on documents that nobody retrieved, \
         or has no bound"
    ))
    .help("weighted precision can be planned for: RBP, INSQ, INST, CWL, SDCG@k, P@k"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn least(metric: &str, most: f64) -> u32 {
        depth(&metric.parse().unwrap(), most).unwrap().depth
    }

    #[test]
    fn by_hand() {
        assert_eq!(least("RBP(p=0.5)", 0.125), 3);
        // 0.8^20 = 0.0115, 0.8^21 = 0.0092
        assert_eq!(least("RBP(p=0.8)", 0.01), 21);
        assert_eq!(least("RBP(p=0.1)", 0.9), 1);
        assert_eq!(least("CWL(c='0.8')", 0.01), 21);
        // Of 10 documents two may be left.
        assert_eq!(least("P@10", 0.2), 8);
        // 1/log2(6) of 2.9485 is 0.1312.
        assert_eq!((least("SDCG@5", 0.13), least("SDCG@5", 0.14)), (5, 4));
        // The next relevant document is at rank 5 at best.
        assert_eq!(least("RR", 0.2), 4);
        for metric in ["AP", "nDCG@10", "DCG@10", "R@10"] {
            assert!(depth(&metric.parse().unwrap(), 0.1).unwrap_err().is_usage(), "{metric}");
        }
        assert!(depth(&"RBP".parse().unwrap(), f64::NAN).unwrap_err().is_usage());
        assert!(depth(&"RBP(p=0.99999999)".parse().unwrap(), 1e-9).unwrap_err().is_usage());
    }

    /// The tail of the inverse squares, summed term by term.
    #[test]
    fn the_residual_is_the_weight_below() {
        let metric = "INSQ(T=1)".parse().unwrap();
        let weight = |i: u32| f64::from(i + 1).powi(-2);
        let all: f64 = (1..4_000_000).rev().map(weight).sum();
        for depth in [1, 5, 40] {
            let below: f64 = (depth + 1..4_000_000).rev().map(weight).sum();
            assert!((residual(&metric, depth).unwrap() - below / all).abs() < 1e-6, "{depth}");
        }
    }

    proptest! {
        #[test]
        fn it_is_the_least(p in 0.01f64..0.99, most in 1e-4f64..0.99) {
            let found = least(&format!("RBP(p={p})"), most);
            prop_assert!(p.powi(found as i32) <= most * (1.0 + 1e-9));
            prop_assert!(found == 1 || p.powi(found as i32 - 1) > most * (1.0 - 1e-9));
        }
    }
}
