//! What is known of long stretches of documents that all have one gain, walked once.
//!
//! An expression has no closed form, so its ranks are walked one by one. A check asks for the same
//! stretch thousands of times, of the same expression at many cutoffs, and of stretches that differ
//! in their first ranks alone: so a stretch is cut at [`MARK`], and what lies behind is kept.

use std::cell::RefCell;
use std::collections::HashMap;

/// A long stretch is cut at the multiples of this rank.
pub(super) const MARK: u32 = 1024;

/// So many expressions are kept, and so many stretches of each.
const EXPRESSIONS: usize = 64;
const STRETCHES: usize = 4096;

/// From one rank to another, all of this gain, below documents of this total.
#[derive(Debug, Clone, Copy)]
pub(super) struct EvenStretch {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) gain: f64,
    pub(super) total: f64,
}

/// How many documents are read by a user who reads the first, and how probable it is that the last
/// is not the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadStretch {
    pub(super) read: f64,
    pub(super) through: f64,
}

type KnownStretches = HashMap<(u32, u32, u64, u64), ReadStretch>;

thread_local! {
    static KNOWN: RefCell<HashMap<String, KnownStretches>> = RefCell::default();
}

/// A stretch of an expression: what is known, or else what a walk finds.
pub(super) fn remembered(
    expression: &str,
    stretch: EvenStretch,
    walk: impl FnOnce() -> ReadStretch,
) -> ReadStretch {
    let EvenStretch { from, to, gain, total } = stretch;
    let key = (from, to, gain.to_bits(), total.to_bits());
    let found = |known: &HashMap<String, KnownStretches>| known.get(expression)?.get(&key).copied();
    if let Some(known) = KNOWN.with_borrow(found) {
        return known;
    }
    let walked = walk();
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= EXPRESSIONS && !known.contains_key(expression) {
            known.clear();
        }
        let stretches = known.entry(expression.to_string()).or_default();
        if stretches.len() >= STRETCHES {
            stretches.clear();
        }
        stretches.insert(key, walked);
    });
    walked
}
