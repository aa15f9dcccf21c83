//! The grades of judged topics, laid out for scoring.

use std::ops::Range;

use super::GradesRef;
use super::entries::Entry;

/// The grades of one topic after another.
#[derive(Debug, Clone, Default)]
pub(crate) struct GradesByTopic {
    topics: Vec<TopicInfo>,
    ideals: Ideals,
    /// The highest grade so far; 0 if none is above.
    highest: f64,
}

#[derive(Debug, Default, Clone)]
struct TopicInfo {
    positive: Range<u32>,
    zero: u32,
    negative: u32,
}

/// Judgements of a topic that were counted and not kept.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Unkept {
    pub(crate) zero: u32,
    pub(crate) negative: u32,
}

impl GradesByTopic {
    /// Adds the next topic. Its rows are put in order: first those above zero, highest first, then
    /// zero, then below.
    pub(crate) fn add(&mut self, rows: &mut [Entry], unkept: Unkept) {
        let above = partition(rows, |r| r.value > 0.0);
        let zero = partition(&mut rows[above..], |r| r.value == 0.0);
        let negative = rows.len() - above - zero;
        let positive = self.ideals.add(&mut rows[..above]);
        self.highest = rows.first().map_or(self.highest, |best| self.highest.max(best.value));
        self.topics.push(TopicInfo {
            positive,
            zero: zero as u32 + unkept.zero,
            negative: negative as u32 + unkept.negative,
        });
    }

    /// How many topics were added.
    pub(crate) fn len(&self) -> usize {
        self.topics.len()
    }

    /// The highest grade, 1 if none is above zero.
    pub(super) fn highest(&self) -> f64 {
        if self.highest > 0.0 { self.highest } else { 1.0 }
    }

    /// The grades above zero of all topics.
    pub(super) fn positive(&self) -> &[f64] {
        &self.ideals.grades
    }

    /// The grades of a topic.
    #[inline]
    pub(super) fn of(&self, topic: u32) -> GradesRef<'_> {
        let info = &self.topics[topic as usize];
        GradesRef {
            positive: &self.positive()[info.positive.start as usize..info.positive.end as usize],
            zero: info.zero,
            negative: info.negative,
        }
    }
}

/// The grades above zero, highest first, of one topic after another.
#[derive(Debug, Clone, Default)]
struct Ideals {
    grades: Vec<f64>,
    /// A stretch of one grade and behind it one of a lower grade. Topics that know no other grades
    /// share it, from somewhere in the one to somewhere in the other; if judgements have one or two
    /// grades, all topics do.
    shared: [Level; 2],
    start: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Level {
    grade: f64,
    len: u32,
}

impl Ideals {
    /// Sorts the rows of a topic, all above zero, and says where their grades are.
    fn add(&mut self, rows: &mut [Entry]) -> Range<u32> {
        if !rows.is_sorted_by(|a, b| a.value >= b.value) {
            rows.sort_unstable_by(|a, b| b.value.total_cmp(&a.value));
        }
        let [Some(best), Some(last)] = [rows.first(), rows.last()].map(|row| row.map(|r| r.value))
        else {
            return 0..0;
        };
        let mut high = rows.partition_point(|row| row.value == best) as u32;
        let mut low = rows.len() as u32 - high;
        if rows[high as usize..].iter().any(|row| row.value != last) {
            let start = self.grades.len() as u32;
            self.grades.extend(rows.iter().map(|row| row.value));
            return start..self.grades.len() as u32;
        }
        let [above, below] = self.shared;
        if low == 0 && best == below.grade {
            (high, low) = (0, high);
        } else if best != above.grade || low > 0 && last != below.grade {
            self.shared = [best, last].map(|grade| Level { grade, len: 0 });
        }
        self.share(high, low)
    }

    /// So many of the higher grade that is shared and so many of the lower one.
    fn share(&mut self, high: u32, low: u32) -> Range<u32> {
        let [above, below] = &mut self.shared;
        if above.len < high || below.len < low {
            (above.len, below.len) = (above.len.max(high), below.len.max(low));
            self.start = self.grades.len() as u32;
            for level in self.shared {
                self.grades.extend(std::iter::repeat_n(level.grade, level.len as usize));
            }
        }
        let start = self.start + self.shared[0].len - high;
        start..start + high + low
    }
}

/// Moves the rows that pass to the front and counts them.
fn partition(rows: &mut [Entry], pass: impl Fn(&Entry) -> bool) -> usize {
    // Nearly always all of them pass, or all that do come first.
    let passed = rows.iter().take_while(|row| pass(row)).count();
    let mut front = passed;
    for i in passed..rows.len() {
        if pass(&rows[i]) {
            rows.swap(front, i);
            front += 1;
        }
    }
    front
}
