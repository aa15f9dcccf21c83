//! Whether a declared structure is that of the measure.

use super::domain::Levels;
use super::states::Probe;
use super::witness::State;
use super::{StructureOutcome, form};
use crate::measure::structure::{Combine, Divisor, Form, Gain, Shape};

/// All collections of up to this many documents are compared ...
const SMALL: u32 = 4;
/// ... and this many rankings of as many documents, so that weights below the small ranks are seen
/// too.
const DEEP: u64 = 128;
const DEEP_DOCS: u64 = 96;

/// Compares a shape with the measure's scores, over the gains that the checks use.
pub(super) fn verify(shape: &Shape, probe: &Probe, levels: &[Levels]) -> StructureOutcome {
    compare(|v, k, top| predict(shape, v, k, top), ShapeExtent::FULL, probe, levels)
}

/// Compares a form with the measure's scores. A reader who is written out is slow, and sums without
/// end are known to nine digits.
pub(super) fn verify_form(form: &Form, probe: &Probe, levels: &[Levels]) -> StructureOutcome {
    let extent =
        if matches!(form, Form::Reader { .. }) { ShapeExtent::FEW } else { ShapeExtent::FULL };
    match form::predictor(form) {
        Some(predict) => compare(predict, extent, probe, levels),
        None => StructureOutcome::Absent,
    }
}

/// How much is compared.
struct ShapeExtent {
    small: u32,
    deep: u64,
    near: f64,
}

impl ShapeExtent {
    const FULL: ShapeExtent = ShapeExtent { small: SMALL, deep: DEEP, near: 1e-9 };
    const FEW: ShapeExtent = ShapeExtent { small: 2, deep: 4, near: 1e-7 };
}

fn compare(
    predict: impl Fn(&[f64], u32, f64) -> Option<f64>,
    extent: ShapeExtent,
    probe: &Probe,
    all_levels: &[Levels],
) -> StructureOutcome {
    let mut states = 0;
    for levels in all_levels {
        let top = levels.top();
        let mut agrees = |v: &[f64], k: u32| -> Option<State> {
            states += 1;
            let score = probe.score(v, k, top);
            let same = match (predict(v, k, top), score) {
                (Some(a), Some(b)) => (a - b).abs() <= extent.near * a.abs().max(1.0),
                (None, None) => true,
                _ => false,
            };
            (!same).then(|| State { gains: v.to_vec(), k, score })
        };
        let gains = levels.gains();
        for d in 1..=extent.small {
            for code in 0..gains.len().pow(d) {
                let v: Vec<f64> =
                    (0..d).map(|i| gains[code / gains.len().pow(i) % gains.len()]).collect();
                if let Some(state) = (1..=d).find_map(|k| agrees(&v, k)) {
                    return StructureOutcome::Refuted(state);
                }
            }
        }
        let mut random = SplitMix::new(7);
        for _ in 0..extent.deep {
            let d = random.below(DEEP_DOCS) + 1;
            let share = random.below(4) + 1;
            let v: Vec<f64> = (0..d)
                .map(|_| {
                    if random.below(4) < share {
                        gains[random.below(gains.len() as u64) as usize]
                    } else {
                        0.0
                    }
                })
                .collect();
            let k = random.below(d) as u32 + 1;
            if let Some(state) = agrees(&v, k) {
                return StructureOutcome::Refuted(state);
            }
        }
    }
    StructureOutcome::Verified(states)
}

/// The dividend of the collection's best ranking, down to k.
pub(super) fn of_best(shape: &Shape, v: &[f64], k: u32, max_grade: f64) -> f64 {
    let mut best = v.to_vec();
    best.sort_by(|a, b| b.total_cmp(a));
    dividend(shape, &best[..k as usize], max_grade)
}

/// The score that the shape gives to (v, k).
fn predict(shape: &Shape, v: &[f64], k: u32, max_grade: f64) -> Option<f64> {
    let mut ideal = v.to_vec();
    ideal.sort_by(|a, b| b.total_cmp(a));
    let (k, top) = (k as usize, max_grade);
    let dividend = |v: &[f64]| dividend(shape, v, top);
    let divisor = match shape.divisor {
        Divisor::None => 1.0,
        Divisor::Endless => shape.weights.tail(0)?,
        Divisor::Cutoff => dividend(&vec![top; k]),
        Divisor::Ideal => dividend(&ideal[..k]),
        Divisor::Whole => dividend(&ideal),
        Divisor::Gains => v.iter().map(|g| shape.gain.of(*g, top)).sum(),
        Divisor::Own => {
            let mut own = v[..k].to_vec();
            own.sort_by(|a, b| b.total_cmp(a));
            dividend(&own)
        }
    };
    (divisor > 0.0).then(|| dividend(&v[..k]) / divisor)
}

fn dividend(shape: &Shape, v: &[f64], max_grade: f64) -> f64 {
    let gains = v.iter().map(|g| shape.gain.of(*g, max_grade));
    let weighted = (1u32..).zip(gains).map(|(rank, gain)| (shape.weights.at(rank), gain));
    match shape.combine {
        Combine::Sum => weighted.map(|(w, g)| w * g).sum(),
        Combine::Best => weighted.map(|(w, g)| w * g).fold(0.0, f64::max),
        Combine::Cascade => {
            let mut reach = 1.0;
            weighted.fold(0.0, |sum, (w, g)| {
                let sum = sum + reach * w * g;
                reach *= 1.0 - g;
                sum
            })
        }
        Combine::Cumulated => {
            let mut seen = 0.0;
            weighted.fold(0.0, |sum, (w, g)| {
                seen += g;
                sum + w * g * seen
            })
        }
    }
}

/// True if a better grade is a larger gain, on these levels.
pub(super) fn gain_grows(gain: Gain, levels: &[Levels]) -> bool {
    let below_one = |l: &Levels| gain != Gain::Satisfaction || gain.of(l.top(), l.top()) < 1.0;
    levels.iter().all(|l| {
        let gain = |grade: f64| gain.of(grade, l.top());
        below_one(l) && l.gains().windows(2).all(|w| gain(w[0]) < gain(w[1]))
    })
}

/// A small generator of repeatable random numbers: SplitMix64 (Steele, Lea and Flood 2014).
pub(crate) struct SplitMix(u64);

impl SplitMix {
    pub(crate) fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// A number below n, which is not zero.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}
