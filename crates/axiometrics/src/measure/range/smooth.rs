//! Sums of many smooth functions at every whole number, without a look at each function there.
//!
//! The numbers are cut into blocks of 16, these are joined in pairs, the pairs in pairs, and so on.
//! A function that is added over a stretch of numbers goes to the largest blocks within it over
//! which a polynomial follows it to all digits that matter: there its values at a dozen points are
//! added to those of others. If none does, it is added number by number. So a function costs the
//! logarithm of its stretch, not its length. What is near a pole ends up in small blocks by itself,
//! because the polynomial of each block is compared with the function before it is believed.

use std::f64::consts::PI;

/// The smallest blocks, which are not joined.
const LEAF: usize = 16;
/// The points of each block.
const POINTS: usize = 12;
/// A polynomial follows a function whose values it misses by no more than this share of the
/// largest.
const CLOSE: f64 = 1e-13;
/// What is smaller than this is nothing.
const NOTHING: f64 = 1e-18;
/// Where polynomials are compared with functions, between the points; blocks reach from -1 to 1.
const COMPARED: [f64; 3] = [-1.0, 0.061, 1.0];

/// Sums of functions at the numbers from 0 on.
pub(super) struct Sums {
    /// How many numbers there are.
    numbers: usize,
    /// What was added number by number.
    single: Vec<f64>,
    /// The values at the points of each block, level by level from the smallest that are joined.
    levels: Vec<Vec<[f64; POINTS]>>,
    points: [f64; POINTS],
    /// How the value at each place of comparison follows from those at the points.
    compared: [[f64; POINTS]; COMPARED.len()],
}

impl Sums {
    /// Nothing, at so many numbers.
    pub(super) fn new(numbers: usize) -> Sums {
        let points = std::array::from_fn(|j| (PI * (2 * j + 1) as f64 / (2 * POINTS) as f64).cos());
        let mut levels = Vec::new();
        let mut width = 2 * LEAF;
        while width / 2 < numbers {
            levels.push(vec![[0.0; POINTS]; numbers.div_ceil(width)]);
            width *= 2;
        }
        Sums {
            numbers,
            single: vec![0.0; numbers],
            levels,
            compared: COMPARED.map(|place| weights(&points, place)),
            points,
        }
    }

    /// Adds a function from one number to another, both included.
    pub(super) fn add(&mut self, from: u32, to: u32, function: impl Fn(f64) -> f64) {
        let (from, to) = (from as usize, (to as usize + 1).min(self.numbers));
        if from < to {
            self.descend(self.levels.len(), 0, from..to, &function);
        }
    }

    /// Adds to one block, or to those that it was joined from. Level 0 is that of the smallest.
    fn descend(
        &mut self,
        level: usize,
        block: usize,
        stretch: std::ops::Range<usize>,
        function: &impl Fn(f64) -> f64,
    ) {
        let start = block * (LEAF << level);
        let end = start + (LEAF << level);
        if stretch.end <= start || end <= stretch.start {
            return;
        }
        if level == 0 {
            for number in stretch.start.max(start)..stretch.end.min(end) {
                self.single[number] += function(number as f64);
            }
            return;
        }
        if stretch.start <= start && end <= stretch.end {
            let half = (end - 1 - start) as f64 / 2.0;
            let at = |place: f64| function(start as f64 + half * (1.0 + place));
            let values = self.points.map(at);
            let largest = values.iter().fold(0.0f64, |largest, v| largest.max(v.abs()));
            let follows = self.compared.iter().zip(COMPARED).all(|(weights, place)| {
                let polynomial: f64 = weights.iter().zip(&values).map(|(w, v)| w * v).sum();
                (polynomial - at(place)).abs() <= CLOSE * largest + NOTHING
            });
            if follows {
                let sums = &mut self.levels[level - 1][block];
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
                return;
            }
        }
        self.descend(level - 1, 2 * block, stretch.clone(), function);
        self.descend(level - 1, 2 * block + 1, stretch, function);
    }

    /// The sums at all numbers.
    pub(super) fn values(mut self) -> Vec<f64> {
        for (level, blocks) in self.levels.iter().enumerate() {
            let width = (2 * LEAF) << level;
            for offset in 0..width.min(self.numbers) {
                let weights = weights(&self.points, 2.0 * offset as f64 / (width - 1) as f64 - 1.0);
                for (number, values) in (offset..self.numbers).step_by(width).zip(blocks) {
                    let value: f64 = weights.iter().zip(values).map(|(w, v)| w * v).sum();
                    self.single[number] += value;
                }
            }
        }
        self.single
    }
}

/// How the value of a polynomial at a place follows from those at the points (Lagrange's formula in
/// its barycentric form, for Chebyshev's points).
fn weights(points: &[f64; POINTS], place: f64) -> [f64; POINTS] {
    if let Some(at) = points.iter().position(|point| *point == place) {
        return std::array::from_fn(|j| if j == at { 1.0 } else { 0.0 });
    }
    let parts: [f64; POINTS] = std::array::from_fn(|j| {
        let sine = (PI * (2 * j + 1) as f64 / (2 * POINTS) as f64).sin();
        (if j % 2 == 0 { sine } else { -sine }) / (place - points[j])
    });
    let all: f64 = parts.iter().sum();
    parts.map(|part| part / all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Resampling;

    #[test]
    fn sums_are_those_number_by_number() {
        let mut dice = Resampling::default().stream(3);
        for numbers in [1, 15, 16, 17, 33, 500, 1000] {
            let mut sums = Sums::new(numbers);
            let mut plain = vec![0.0; numbers];
            for i in 0..200usize {
                let (a, b) = (dice.below(numbers) as u32, dice.below(numbers) as u32);
                let (from, to) = (a.min(b), a.max(b));
                // Poles next to the stretch, kinks outside of it, and decay.
                let function = |x: f64| match i % 4 {
                    0 => 1.0 / (2.0 + f64::from(to) - x).log2(),
                    1 => (x + 3.0) / (f64::from(i as u32) + 0.5 * x),
                    2 => 0.5f64.powf(x) / 7.0,
                    _ => 3.0 - 2.0 * x,
                };
                sums.add(from, to, function);
                (from..=to).for_each(|x| plain[x as usize] += function(f64::from(x)));
            }
            for (found, sum) in sums.values().iter().zip(&plain) {
                assert!((found - sum).abs() <= 1e-11 * (1.0 + sum.abs()), "{found} {sum}");
            }
        }
    }
}
