//! Forms of graded gains.

use super::{Predict, seen};
use crate::check::shape::of_best;
use crate::expression::Function;
use crate::measure::structure::{Gain, Points, Shape};

pub(super) fn gathered(gain: Gain, term: &str, divisor: &str) -> Option<Predict> {
    let term = Function::parse(term, &["i", "C", "g", "G", "I", "J"]).ok()?;
    let divisor = Function::parse(divisor, &["R", "T"]).ok()?;
    Some(Box::new(move |v, k, top| {
        let gains: Vec<f64> = v.iter().map(|grade| gain.of(*grade, top)).collect();
        let mut ideal: Vec<f64> = gains.iter().copied().filter(|g| *g > 0.0).collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        let all = [ideal.len() as f64, ideal.iter().sum()];
        let divisor = divisor.at(&all).filter(|d| *d > 0.0)?;
        let ideal_at = |i: usize| ideal.get(i).copied().unwrap_or(0.0);
        let (mut number, mut gathered, mut best, mut cost, mut sum) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (i, g) in gains[..k as usize].iter().enumerate() {
            best += ideal_at(i);
            cost += ideal_at(i).max(1.0);
            if *g > 0.0 {
                number += 1.0;
                gathered += g;
                sum += term.at(&[i as f64 + 1.0, number, *g, gathered, best, cost])?;
            }
        }
        Some(sum / divisor)
    }))
}

pub(super) fn thresholds(gain: Gain, term: &str) -> Option<Predict> {
    let [term, rest, divisor] = [term, "0", "1"].map(str::to_string);
    let binary = seen(1.0, [&term, &rest, &divisor])?;
    Some(Box::new(move |v, k, top| {
        let gains: Vec<f64> = v.iter().map(|grade| gain.of(*grade, top)).collect();
        let mut lines = gains.clone();
        lines.sort_by(f64::total_cmp);
        lines.dedup();
        let (mut below, mut sum) = (0.0, 0.0);
        for line in lines.into_iter().filter(|line| *line > 0.0) {
            let relevant: Vec<f64> =
                gains.iter().map(|g| f64::from(u8::from(*g >= line))).collect();
            sum += (line - below) * binary(&relevant, k, 1.0)?;
            below = line;
        }
        let all: f64 = gains.iter().sum();
        (all > 0.0).then_some(sum / all)
    }))
}

pub(super) fn averaged(shape: Shape, points: Points) -> Predict {
    Box::new(move |v, k, top| {
        let gain = |grade: f64| shape.gain.of(grade, top);
        let mut ideal: Vec<f64> = v.iter().map(|g| gain(*g)).filter(|g| *g > 0.0).collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        let all = ideal.len() as u32;
        (all > 0).then_some(())?;
        let weighted = |grades: &[f64]| -> f64 {
            (1u32..).zip(grades).map(|(rank, g)| shape.weights.at(rank) * gain(*g)).sum()
        };
        let share = |found: u32, of: u32| {
            let best = of_best(&shape, v, of.min(v.len() as u32), top);
            weighted(&v[..found.min(k) as usize]) / best
        };
        Some(match points {
            Points::Levels => {
                let changes = |n: &u32| ideal[*n as usize - 1] != ideal[*n as usize];
                let mut ranks: Vec<u32> = (1..all).filter(changes).chain([all]).collect();
                if k > all + 1 {
                    ranks.push(k);
                }
                ranks.iter().map(|n| share(*n, *n)).sum::<f64>() / ranks.len() as f64
            }
            Points::Relevant => {
                let seen: Vec<u32> =
                    (1..=k).filter(|rank| gain(v[*rank as usize - 1]) > 0.0).collect();
                let found: f64 = seen.iter().map(|rank| share(*rank, *rank)).sum();
                let missed = f64::from(all) - seen.len() as f64;
                (found + missed * share(k, all)) / f64::from(all)
            }
        })
    })
}
