//! Proved bounds for readers who answer to all that they have gained: the probability of reading on
//! at a rank lies between its ends over the totals that the reader may have there, and the bounds
//! are those of a reader who may choose it anew at each rank. For gain per document read that is a
//! quotient, so Dinkelbach's method.

use super::{Completion, Range, RangeAlgorithm, RangeKind, ScoreOf};

/// What is told of a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Told {
    /// Gain per document read.
    Rate,
    /// Gain in all.
    Total,
    /// Documents read.
    Depth,
}

/// A reader whose probability of going on depends on the rank and on all that was gained.
pub struct ReadingRange<'a> {
    /// The last rank whose gain counts.
    pub last: u32,
    /// The gain of a grade, from 0 to 1, if the second is the highest grade.
    pub gain: Box<dyn Fn(f64, f64) -> f64 + Send + Sync + 'a>,
    /// The lowest and the highest probability of going on behind a rank, where the total lies
    /// between two.
    pub on: Box<dyn Fn(u32, [f64; 2]) -> [f64; 2] + Send + Sync + 'a>,
    /// How many documents are read from a rank on, at least and at most, if none has a gain and the
    /// total lies between two.
    pub rest: Box<dyn Fn(u32, [f64; 2]) -> [f64; 2] + Send + Sync + 'a>,
    /// What the score is.
    pub told: Told,
    /// The reader may go on for ever, and then every gain makes it less likely.
    pub endless: bool,
}

impl RangeAlgorithm for ReadingRange<'_> {
    fn range(&mut self, all: &mut Completion, _score: &ScoreOf<'_>) -> Option<Range> {
        range(self, all)
    }

    fn reads_on(&self) -> bool {
        self.endless
    }
}

/// One rank: the gain of the document there, and the probability of reading on, each from the
/// lowest to the highest.
struct ReadingRank {
    gain: [f64; 2],
    on: [f64; 2],
}

fn range(rule: &ReadingRange<'_>, all: &Completion) -> Option<Range> {
    let mut total = [0.0, 0.0];
    let mut places = Vec::new();
    for (hit, open) in all.documents().take_while(|(hit, _)| hit.rank <= rule.last) {
        let gain = if open {
            [0.0, all.max_grade()].map(|grade| (rule.gain)(grade, all.max_grade()))
        } else {
            [(rule.gain)(hit.grade, all.max_grade()); 2]
        };
        total = [total[0] + gain[0], total[1] + gain[1]];
        places.push(ReadingRank { gain, on: (rule.on)(hit.rank, total) });
    }
    // What is read behind them, by who reads on there.
    let rest = (rule.rest)(places.len() as u32 + 1, total);
    let end = |high: bool| match rule.told {
        Told::Total => walk(&places, rest, high, (1.0, 0.0)).0,
        Told::Depth => walk(&places, rest, high, (0.0, 1.0)).1,
        Told::Rate => {
            let mut best: Option<f64> = None;
            loop {
                let (gained, read) = walk(&places, rest, high, (1.0, -best.unwrap_or(0.0)));
                let rate = gained / read;
                match best {
                    Some(known) if (high && rate <= known) || (!high && rate >= known) => {
                        return known;
                    }
                    _ => best = Some(rate),
                }
            }
        }
    };
    let (low, high) = (end(false), end(true));
    // Behind the end of the ranking no document has more than the top gain, and none makes the
    // reader go on more willingly than none at all would.
    let reach: f64 = places.iter().map(|place| place.on[1]).product();
    let tail = if rule.endless && rule.told == Told::Total { reach * rest[1] } else { 0.0 };
    Some(Range { low, high: high + tail, tail, kind: RangeKind::Bound, undefined: false })
}

/// What is gained and read if the reader's choices make the weighted sum of both as high, or as
/// low, as it can be.
fn walk(
    places: &[ReadingRank],
    rest: [f64; 2],
    high: bool,
    (gain, read): (f64, f64),
) -> (f64, f64) {
    let more = |sum: f64| usize::from((sum > 0.0) == high);
    let worth = |sums: (f64, f64)| gain * sums.0 + read * sums.1;
    places.iter().rev().fold((0.0, rest[more(read)]), |behind, place| {
        let on = place.on[more(worth(behind))];
        (place.gain[more(gain)] + on * behind.0, 1.0 + on * behind.1)
    })
}
