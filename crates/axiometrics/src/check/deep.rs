//! Rankings far beyond the tables of small collections, where trouble may be: below many documents
//! of no use, among many useful ones, at a rank or a number of documents that the metric speaks of.
//!
//! A few documents vary in every way, in the middle of a [`Context`] that stays: the same table as
//! that of small collections, so that every check looks at both alike. A case that is met there is
//! made as small as it can be by leaving out documents around it; no smaller one of its kind is
//! left, but others may be smaller.

use super::domain::Levels;
use super::landmarks::Landmarks;
use super::shape::SplitMix;

/// What stands above and below the documents that vary.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Context {
    pub before: Vec<f64>,
    pub after: Vec<f64>,
}

/// How many documents stand on one side, or on both: a few, as in small topics; then ever more.
const SIZES: [u32; 5] = [2, 12, 50, 320, 1000];
const GRADED_SIZES: [u32; 3] = [2, 15, 400];
/// On both sides, each of these beside each.
const BESIDE: u32 = 15;
/// Random contexts, of up to as many documents on each side.
const RANDOM: u64 = 16;
const RANDOM_DOCS: u64 = 8;

/// How many documents vary.
pub(super) fn window(levels: &Levels) -> u32 {
    if levels.gains().len() == 2 { 4 } else { 3 }
}

/// The contexts of a search, short ones first.
pub(super) fn contexts(levels: &Levels, landmarks: &Landmarks, seed: u64) -> Vec<Context> {
    let graded = levels.gains().len() > 2;
    let mut sizes: Vec<u32> = if graded { GRADED_SIZES.to_vec() } else { SIZES.to_vec() };
    // The documents that vary stand about the rank that the metric speaks of.
    let apart = landmarks.sizes.iter().map(|n| n.saturating_sub(2)).filter(|n| *n > 0);
    sizes.extend(apart.clone());
    sizes.retain(|n| *n <= landmarks.reach);
    sizes.sort_unstable();
    sizes.dedup();
    let block = |gain: f64, n: u32| vec![gain; n as usize];
    let above = [0.0, levels.top()];
    let below = levels.gains();
    let mut all = Vec::new();
    for &n in &sizes {
        all.extend(above.map(|x| Context { before: block(x, n), after: Vec::new() }));
        all.extend(below.iter().map(|y| Context { before: Vec::new(), after: block(*y, n) }));
        for &m in sizes.iter().filter(|m| **m == n || (n <= BESIDE && **m <= BESIDE)) {
            for x in above {
                all.extend(
                    below.iter().map(|y| Context { before: block(x, n), after: block(*y, m) }),
                );
            }
        }
    }
    // As many documents in all as the metric speaks of, half of them on each side.
    for half in apart.filter(|n| *n <= landmarks.reach).map(|n| n / 2) {
        let top = levels.top();
        all.push(Context { before: block(top, half), after: block(top, half) });
    }
    let mut random = SplitMix::new(seed);
    let gains = levels.gains();
    let mut draw = |n: u64| -> Vec<f64> {
        (0..n).map(|_| gains[random.below(gains.len() as u64) as usize]).collect()
    };
    let mut lengths = SplitMix::new(seed.wrapping_add(1));
    for _ in 0..RANDOM {
        let (before, after) = (lengths.below(RANDOM_DOCS), lengths.below(RANDOM_DOCS) + 1);
        all.push(Context { before: draw(before), after: draw(after) });
    }
    all.retain(|c| c.len() <= landmarks.reach as usize);
    all.sort_by_key(Context::len);
    all.dedup();
    all
}

impl Context {
    /// How many documents stand around.
    pub(super) fn len(&self) -> usize {
        self.before.len() + self.after.len()
    }

    /// How many of them are useful.
    pub(super) fn useful(&self) -> usize {
        self.before.iter().chain(&self.after).filter(|g| **g > 0.0).count()
    }

    /// True if none of them is.
    pub(super) fn is_useless(&self) -> bool {
        self.useful() == 0
    }

    /// The same with fewer documents: many fewer first, then one.
    pub(super) fn smaller(&self) -> impl Iterator<Item = Context> + use<'_> {
        let chunks =
            |n: usize| std::iter::successors(Some(n), |n| Some(n / 2)).take_while(|n| *n > 0);
        let above = chunks(self.before.len())
            .map(|n| Context { before: self.before[n..].to_vec(), after: self.after.clone() });
        let below = chunks(self.after.len()).map(|n| Context {
            before: self.before.clone(),
            after: self.after[..self.after.len() - n].to_vec(),
        });
        // Of equal neighbours it does not matter which one goes.
        let singles = |gains: &[f64]| -> Vec<usize> {
            (1..gains.len()).filter(|i| gains[*i] != gains[i - 1]).collect()
        };
        let without = |gains: &[f64], i: usize| {
            let mut left = gains.to_vec();
            left.remove(i);
            left
        };
        let one_above = singles(&self.before)
            .into_iter()
            .map(move |i| Context { before: without(&self.before, i), after: self.after.clone() });
        let one_below = singles(&self.after)
            .into_iter()
            .map(move |i| Context { before: self.before.clone(), after: without(&self.after, i) });
        above.chain(below).chain(one_above).chain(one_below)
    }
}
