//! Users fitted to people: which parameter of a measure makes its user stop where people stopped.
//!
//! Owns: the likelihood of observed last ranks under the user of a measure, its maximum and the
//! interval around it. Does not own: the users ([`crate::measure::user`]), files.
//!
//! A user reads down the list and stops behind rank i with the probability L(i). What was observed
//! are last ranks, or that somebody read at least so far. The estimate is the parameter under which
//! that is most likely; its interval holds the parameters that a likelihood ratio test does not
//! reject at 5%.

mod observation;

use serde::Serialize;

pub use observation::{Observation, Observations};

use crate::data::OwnedTopic;
use crate::error::{Error, Result};
use crate::measure::Metric;
use crate::measure::user::Walk;

/// A user fitted to what was observed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fit {
    /// The measure with the fitted parameter.
    pub measure: String,
    /// The parameter.
    pub parameter: &'static str,
    /// Its estimate.
    pub value: f64,
    /// The lower end of the interval; `None` if it is open.
    pub low: Option<f64>,
    /// The upper end of the interval; `None` if it is open.
    pub high: Option<f64>,
    /// The logarithm of the likelihood at the estimate.
    pub log_likelihood: f64,
    /// Akaike's information criterion: the lower, the better the measure describes the people.
    pub aic: f64,
    /// How many documents this user reads, on average, of a list without anything relevant.
    pub documents: Option<f64>,
}

/// A parameter that can be fitted.
struct Free {
    measure: &'static str,
    parameter: &'static str,
    low: f64,
    high: f64,
}

/// The users with one number to fit.
const FREE: &[Free] = &[
    Free { measure: "RBP", parameter: "p", low: 1e-6, high: 1.0 - 1e-9 },
    Free { measure: "INSQ", parameter: "T", low: 1e-3, high: 1e5 },
    Free { measure: "INST", parameter: "T", low: 0.5, high: 1e5 },
    Free { measure: "TBG", parameter: "halflife", low: 1e-3, high: 1e9 },
    Free { measure: "NPV", parameter: "rate", low: 1e-9, high: 1e6 },
];

/// Half of the 95% quantile of chi squared with one degree of freedom.
const DROP: f64 = 1.920_729_410_347_062;

/// Fits the user of a measure.
pub fn fit(metric: &Metric, observed: &Observations) -> Result<Fit> {
    let name = metric.def().name.to_string();
    let Some(free) = FREE.iter().find(|free| free.measure == name) else {
        let known: Vec<&str> = FREE.iter().map(|free| free.measure).collect();
        return Err(Error::usage(format!("{metric} has no parameter that can be fitted"))
            .help(format!("fit one of {}", known.join(", "))));
    };
    let with = |value: f64| free.set(metric, value);
    with(free.between(0.5))?;
    let likelihood = |at: f64| -> f64 {
        with(free.between(at)).map_or(f64::NEG_INFINITY, |metric| log_likelihood(&metric, observed))
    };
    let best = maximum(&likelihood);
    let most = likelihood(best);
    if !most.is_finite() {
        return Err(Error::usage(format!(
            "no {} of {name} explains what was observed",
            free.parameter
        ))
        .help("a measure with a cutoff or a depth has no user who reads farther"));
    }
    let inside = |at: f64| likelihood(at) >= most - DROP;
    let end = |side: f64| (!inside(side)).then(|| free.between(edge(best, side, inside)));
    let value = free.between(best);
    let fitted = with(value)?;
    let nothing = OwnedTopic::<f64>::new(&[], &[]);
    let documents = fitted.user().and_then(|user| Some(user.walk(&nothing.view(), 0)?.documents));
    Ok(Fit {
        measure: free.set(metric, rounded(value))?.to_string(),
        parameter: free.parameter,
        value,
        low: end(0.0),
        high: end(1.0),
        log_likelihood: most,
        aic: 2.0 - 2.0 * most,
        documents: documents.filter(|n| n.is_finite()),
    })
}

impl Free {
    /// The parameter at a place from 0 to 1 of its scale: the odds of a probability, else the
    /// number, grow by the same factor with each step.
    fn between(&self, at: f64) -> f64 {
        let scale = |x: f64| if self.high < 1.0 { (x / (1.0 - x)).ln() } else { x.ln() };
        let x = scale(self.low) + at * (scale(self.high) - scale(self.low));
        let value = if self.high < 1.0 { 1.0 / (1.0 + (-x).exp()) } else { x.exp() };
        value.clamp(self.low, self.high)
    }

    /// The measure with this value of the parameter.
    fn set(&self, metric: &Metric, value: f64) -> Result<Metric> {
        let kept = metric.args().given().filter(|(name, _)| *name != self.parameter);
        let mut given: Vec<String> = kept.map(|(name, value)| format!("{name}={value}")).collect();
        given.push(format!("{}={value}", self.parameter));
        let cutoff = metric.args().cutoff().map_or(String::new(), |k| format!("@{k}"));
        format!("{}({}){cutoff}", self.measure, given.join(",")).parse()
    }
}

/// Six digits are more than any number of people can tell.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// The place of the highest value, if there is one hill: by the golden section.
fn maximum(value: &impl Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (0.0, 1.0);
    let (mut a, mut b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut at_a, mut at_b) = (value(a), value(b));
    for _ in 0..80 {
        if at_a < at_b {
            (low, a, at_a) = (a, b, at_b);
            b = low + GOLDEN * (high - low);
            at_b = value(b);
        } else {
            (high, b, at_b) = (b, a, at_a);
            a = high - GOLDEN * (high - low);
            at_a = value(a);
        }
    }
    (low + high) / 2.0
}

/// Where the inside ends, between a place in it and one that is not.
fn edge(mut inside: f64, mut outside: f64, is_inside: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..60 {
        let middle = (inside + outside) / 2.0;
        if is_inside(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

/// How likely it is that users stop as was observed.
fn log_likelihood(metric: &Metric, observed: &Observations) -> f64 {
    let Some(user) = metric.user() else { return f64::NEG_INFINITY };
    let mut sum = 0.0;
    for (ranking, seen) in observed.by_ranking() {
        let deepest = seen.iter().map(|observation| observation.rank).max().unwrap_or(0);
        let topic = ranking.topic(observed.max_grade());
        let Some(walk) = user.walk(&topic.view(), deepest) else { return f64::NEG_INFINITY };
        sum +=
            seen.iter().map(|seen| f64::from(seen.count) * chance(&walk, seen).ln()).sum::<f64>();
    }
    sum
}

/// The probability of what one user was seen to do.
fn chance(walk: &Walk, seen: &Observation) -> f64 {
    if seen.at_least { walk.weight(seen.rank) * walk.documents } else { walk.last(seen.rank) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(measure: &str, text: &str) -> Fit {
        fit(&measure.parse().unwrap(), &text.parse().unwrap()).unwrap()
    }

    /// The geometric distribution: p is 1 - 1/mean, and the likelihood is known in closed form.
    #[test]
    fn persistence_by_hand() {
        let found = fitted("RBP", "rank,count\n1,4\n2,3\n3,2\n7,1\n");
        let (n, sum) = (10.0, 4.0 + 6.0 + 6.0 + 7.0);
        let p: f64 = 1.0 - n / sum;
        assert!((found.value - p).abs() < 1e-7, "{found:?}");
        let log = n * (1.0 - p).ln() + (sum - n) * p.ln();
        assert!((found.log_likelihood - log).abs() < 1e-9);
        assert!((found.documents.unwrap() - sum / n).abs() < 1e-5);
        // Both ends lie where the likelihood ratio says.
        for end in [found.low.unwrap(), found.high.unwrap()] {
            let there = n * (1.0 - end).ln() + (sum - n) * end.ln();
            assert!((log - there - DROP).abs() < 1e-6, "{end}");
        }
        assert!(found.low.unwrap() < p && p < found.high.unwrap());
        // TBG with one time unit per document is the same user: p = 2^(-1/halflife).
        let tbg = fitted("TBG(cost=1)", "1\n1\n1\n1\n2\n2\n2\n3\n3\n7\n");
        assert!((tbg.log_likelihood - log).abs() < 1e-6, "{tbg:?}");
        assert!((2f64.powf(-1.0 / tbg.value) - p).abs() < 1e-5);
    }

    /// Somebody who read at least down to rank r has not stopped above it: p^(r-1).
    #[test]
    fn readers_who_were_not_seen_to_stop() {
        let found = fitted("RBP", "rank\n1\n2\n5+\n");
        // The likelihood is (1-p)^2 p (p^4), its maximum p = 5/7.
        assert!((found.value - 5.0 / 7.0).abs() < 1e-7, "{found:?}");
    }

    /// Ranks drawn from a user lead back to it.
    #[test]
    fn a_simulated_user_is_found_again() {
        let mut dice = crate::stats::Resampling::default().stream(3);
        let metric: Metric = "INSQ(T=2)".parse().unwrap();
        let nothing = OwnedTopic::<f64>::new(&[], &[]);
        let walk = metric.user().unwrap().walk(&nothing.view(), 2000).unwrap();
        let mut text = String::from("rank\n");
        for _ in 0..3000 {
            let mut left = dice.below(1_000_000usize) as f64 / 1e6;
            let rank = (1..2000).find(|rank| {
                left -= walk.last(*rank);
                left < 0.0
            });
            text += &rank.map_or("2000+\n".to_string(), |rank| format!("{rank}\n"));
        }
        let found = fitted("INSQ", &text);
        assert!(found.low.unwrap() < 2.0 && 2.0 < found.high.unwrap(), "{found:?}");
        // The user that it was drawn from explains it better than another family does.
        assert!(found.aic < fitted("RBP", &text).aic);
    }

    /// INST looks at what was found: by hand at T = 1 on 1 0: L(1) = 1 - (1/2)^2.
    #[test]
    fn users_who_answer_to_what_is_found() {
        let observed: Observations = "rank,count,ranking\n1,3,10\n2,1,10\n".parse().unwrap();
        let one = log_likelihood(&"INST(T=1)".parse().unwrap(), &observed);
        let (c1, c2) = (0.25f64, (2.0f64 / 3.0).powi(2) * 0.0 + (2.0f64 / 3.0).powi(2));
        let expected = 3.0 * (1.0 - c1).ln() + (c1 * (1.0 - c2)).ln();
        assert!((one - expected).abs() < 1e-12, "{one} {expected}");
        assert!(fit(&"INST".parse().unwrap(), &observed).is_ok());
    }

    #[test]
    fn what_cannot_be_fitted_is_told() {
        let observed: Observations = "1\n2\n".parse().unwrap();
        assert!(fit(&"AP".parse().unwrap(), &observed).unwrap_err().is_usage());
        let all_first: Observations = "1\n1\n".parse().unwrap();
        let found = fit(&"RBP".parse().unwrap(), &all_first).unwrap();
        assert!(found.low.is_none() && found.value < 1e-4 && found.high.is_some());
    }
}
