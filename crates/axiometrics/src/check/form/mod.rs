//! The scores that a declared form gives, for comparison with the measure's own.

mod graded;
mod pairs;

use std::cell::RefCell;
use std::collections::HashMap;

use crate::expression::Function;
use crate::measure::Metric;
use crate::measure::structure::{CountingDepth, Divisor, Form, Gain, Rise};

/// The score of the state (v, k), for gains up to a maximum.
pub(super) type Predict = Box<dyn Fn(&[f64], u32, f64) -> Option<f64>>;

/// What a form says of scores; `None` if its expressions cannot be read.
pub(super) fn predictor(form: &Form) -> Option<Predict> {
    match form {
        Form::Seen { rel, term, rest, divisor } => seen(*rel, [term, rest, divisor]),
        Form::Discounted { weight, gain, divisor } => discounted(weight, *gain, *divisor),
        Form::Best(shape) => {
            let shape = *shape;
            Some(Box::new(move |v, k, top| Some(super::shape::of_best(&shape, v, k, top))))
        }
        Form::Interpolated { rel, recalls } => Some(interpolated(*rel, recalls.clone())),
        Form::Count { rel, value, needs_relevant } => count(*rel, value, *needs_relevant),
        Form::Share { rel, depth } => Some(share(*rel, *depth)),
        Form::Reader { continuation, ends, .. } => Some(reader(continuation.clone(), *ends)),
        Form::Rising { of, rise } => rising(of, rise),
        Form::Gathered { gain, term, divisor } => graded::gathered(*gain, term, divisor),
        Form::Thresholds { gain, term } => graded::thresholds(*gain, term),
        Form::Averaged { shape, points } => Some(graded::averaged(*shape, *points)),
        Form::Concordance => Some(pairs::concordance()),
        Form::Overlap { p, normalised } => Some(pairs::overlap(*p, *normalised)),
        Form::Relations { side, c } => Some(pairs::relations(*side, *c)),
    }
}

/// How many of these are relevant, and how many are not.
fn split(v: &[f64], rel: f64) -> [f64; 2] {
    let relevant = v.iter().filter(|g| **g >= rel).count();
    [relevant as f64, (v.len() - relevant) as f64]
}

fn seen(rel: f64, parts: [&String; 3]) -> Option<Predict> {
    const NAMES: [&str; 7] = ["i", "r", "n", "h", "o", "R", "N"];
    let [term, rest, divisor] = parts.map(|text| Function::parse(text, &NAMES).ok());
    let (term, rest, divisor) = (term?, rest?, divisor?);
    Some(Box::new(move |v, k, _| {
        let ([all, others], [h, o]) = (split(v, rel), split(&v[..k as usize], rel));
        let whole = [0.0, 0.0, 0.0, h, o, all, others];
        let divisor = divisor.at(&whole).filter(|d| *d > 0.0)?;
        let mut sum = rest.at(&whole)?;
        for (at, _) in v[..k as usize].iter().enumerate().filter(|(_, g)| **g >= rel) {
            let [r, n] = split(&v[..at], rel);
            sum += term.at(&[at as f64 + 1.0, r, n, h, o, all, others])?;
        }
        Some(sum / divisor)
    }))
}

fn discounted(weight: &str, gain: Gain, divisor: Divisor) -> Option<Predict> {
    let weight = Function::parse(weight, &["i"]).ok()?;
    let sum = move |v: &[f64], max_grade: f64| -> Option<f64> {
        let terms = (1u32..).zip(v).filter(|(_, grade)| **grade != 0.0);
        terms.map(|(i, g)| Some(weight.at(&[f64::from(i)])? * gain.of(*g, max_grade))).sum()
    };
    Some(Box::new(move |v, k, top| {
        let seen = &v[..k as usize];
        let mut ideal = v.to_vec();
        ideal.sort_by(|a, b| b.total_cmp(a));
        let divisor = match divisor {
            Divisor::None => 1.0,
            Divisor::Cutoff => sum(&vec![top; k as usize], top)?,
            Divisor::Ideal => sum(&ideal[..k as usize], top)?,
            Divisor::Whole => sum(&ideal, top)?,
            Divisor::Gains => v.iter().map(|g| gain.of(*g, top)).sum(),
            Divisor::Endless | Divisor::Own => return None,
        };
        (divisor > 0.0).then_some(sum(seen, top)? / divisor)
    }))
}

fn interpolated(rel: f64, recalls: Vec<f64>) -> Predict {
    Box::new(move |v, k, _| {
        let [all, _] = split(v, rel);
        (all > 0.0).then_some(())?;
        let precisions: Vec<f64> = (1..=k as usize)
            .filter(|rank| v[rank - 1] >= rel)
            .map(|rank| split(&v[..rank], rel)[0] / rank as f64)
            .collect();
        let best = |recall: &f64| {
            let needed = (recall * all).round() as usize;
            precisions.iter().skip(needed.max(1) - 1).fold(0.0, |a: f64, b| a.max(*b))
        };
        Some(recalls.iter().map(best).sum::<f64>() / recalls.len() as f64)
    })
}

fn count(rel: f64, value: &str, needs_relevant: bool) -> Option<Predict> {
    let value = Function::parse(value, &["h", "k", "R", "N"]).ok()?;
    Some(Box::new(move |v, k, _| {
        let [all, others] = split(v, rel);
        let [h, _] = split(&v[..k as usize], rel);
        (all > 0.0 || !needs_relevant).then_some(())?;
        value.at(&[h, f64::from(k), all, others])
    }))
}

fn share(rel: f64, depth: CountingDepth) -> Predict {
    Box::new(move |v, k, _| {
        let [all, _] = split(v, rel);
        (all > 0.0).then_some(())?;
        let n = match depth {
            CountingDepth::CutoffOrRelevant => all.min(f64::from(k)),
            CountingDepth::Multiple(m) => (m * all + 0.9).floor(),
        };
        let [h, _] = split(&v[..(k as usize).min(n as usize)], rel);
        (n > 0.0).then_some(h / n)
    })
}

/// The reader whose C is written out. To read it adds up a sum without end, so it is read once for
/// each k.
fn reader(continuation: String, ends: bool) -> Predict {
    let known: RefCell<HashMap<u32, Option<Metric>>> = RefCell::default();
    let read = move |k: u32| -> Option<Metric> {
        let c = if ends { format!("if(i < {k}, {continuation}, 0)") } else { continuation.clone() };
        format!("CWL(c='{c}')@{k}").parse().ok()
    };
    Box::new(move |v, k, max_grade| {
        let metric = known.borrow_mut().entry(k).or_insert_with(|| read(k)).clone()?;
        super::states::score(&metric, v, k, max_grade)
    })
}

fn rising(of: &Form, rise: &Rise) -> Option<Predict> {
    let z = predictor(of)?;
    let rel = match of {
        Form::Seen { rel, .. } | Form::Count { rel, .. } | Form::Share { rel, .. } => *rel,
        _ => return None,
    };
    Some(match rise {
        Rise::Ln(text) => {
            let of = Function::parse(text, &["z", "R"]).ok()?;
            Box::new(move |v, k, top| {
                let z = z(v, k, top)?;
                of.at(&[z, split(v, rel)[0]]).filter(|x| *x > 0.0).map(f64::ln)
            })
        }
        Rise::Line { times, plus } => {
            let (times, plus) = (*times, *plus);
            Box::new(move |v, k, top| Some(times * z(v, k, top)? + plus))
        }
        Rise::ClippedLogit(clip) => {
            let clip = *clip;
            Box::new(move |v, k, top| {
                let z = z(v, k, top)?.clamp(clip, 1.0 - clip);
                Some((z / (1.0 - z)).ln())
            })
        }
    })
}
