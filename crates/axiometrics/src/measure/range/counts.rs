//! Functions of counts: of t relevant open documents, as many as possible or as few as possible
//! stand in the top k, which may depend on t.

use super::joint::less;
use super::{Completion, Ends, JointTopic, Jointly, Range, RangeAlgorithm, RangeKind, ScoreOf};
use crate::measure::{Score, Tail};

/// A function of how many relevant documents are in the top k, how many were retrieved, and how
/// many there are in all. It never falls in the first, nor if one more of the top k is relevant,
/// which adds to the last too.
pub struct Counts<'a> {
    /// The cutoff.
    pub k: u32,
    /// The lowest relevant grade.
    pub rel: f64,
    /// The function: relevant in the top k, retrieved, relevant in all.
    pub value: Box<dyn Fn(u32, u32, u32) -> Score + Send + Sync + 'a>,
    /// Linear in the first.
    pub linear: bool,
}

/// A function of how many relevant documents stand down to a rank, never falling in it, if the rank
/// depends on how many there are in all.
pub struct MovingCutoff<'a> {
    /// The lowest relevant grade.
    pub rel: f64,
    /// The rank, of the number of relevant documents.
    pub depth: Box<dyn Fn(u32) -> u32 + Send + Sync + 'a>,
    /// The function: relevant down to the rank, relevant in all.
    pub value: Box<dyn Fn(u32, u32) -> Score + Send + Sync + 'a>,
}

impl RangeAlgorithm for Counts<'_> {
    fn range(&mut self, all: &mut Completion, _score: &ScoreOf<'_>) -> Option<Range> {
        Range::between(ends(self, all), RangeKind::Exact)
    }

    fn difference(
        &mut self,
        joint: &mut JointTopic<'_>,
        _score: &ScoreOf<'_>,
        _tail: &Tail<'_>,
    ) -> Jointly {
        if self.linear { difference(self, joint).into() } else { Jointly::Apart }
    }
}

impl RangeAlgorithm for MovingCutoff<'_> {
    fn range(&mut self, all: &mut Completion, _score: &ScoreOf<'_>) -> Option<Range> {
        Range::between(moving(self, all), RangeKind::Exact)
    }
}

/// How the open documents lie around the cutoff, and which of them can be relevant.
pub(super) struct Openness {
    /// Open in the top k.
    pub(super) inside: u32,
    /// Open elsewhere.
    pub(super) outside: u32,
    /// Relevant whatever their grade, in the top k and in all.
    pub(super) certain: (u32, u32),
}

impl Openness {
    pub(super) fn new(all: &Completion, k: u32, rel: f64) -> Openness {
        let inside = all.open_ranks().take_while(|rank| *rank <= k).count() as u32;
        let outside = all.open() - inside;
        if rel <= 0.0 {
            Openness { inside: 0, outside: 0, certain: (inside, inside + outside) }
        } else if rel > all.max_grade() {
            Openness { inside: 0, outside: 0, certain: (0, 0) }
        } else {
            Openness { inside, outside, certain: (0, 0) }
        }
    }

    /// How many documents of the top k are relevant whatever the open ones are.
    pub(super) fn seen(&self, all: &Completion, rule: &Counts<'_>) -> u32 {
        let top = all.documents().take_while(|(hit, _)| hit.rank <= rule.k);
        top.filter(|(hit, open)| !open && hit.grade >= rule.rel).count() as u32 + self.certain.0
    }
}

fn ends(rule: &Counts<'_>, all: &Completion) -> Ends {
    let open = Openness::new(all, rule.k, rule.rel);
    let seen = open.seen(all, rule);
    let relevant = all.judged_grades().relevant(&rule.rel) + open.certain.1;
    let mut ends = Ends::default();
    let mut add = |inside: u32, outside: u32| {
        ends.add((rule.value)(seen + inside, all.retrieved(), relevant + inside + outside))
    };
    // The value goes one way in the documents of the top k that become relevant, and in those
    // outside it: their ends will do, but for 0, where it may be undefined.
    let ways = |all: u32| [0, 1.min(all), all];
    for outside in ways(open.outside) {
        ways(open.inside).into_iter().for_each(|inside| add(inside, outside));
    }
    ends
}

fn moving(rule: &MovingCutoff<'_>, all: &Completion) -> Ends {
    let open = Openness::new(all, u32::MAX, rule.rel);
    let possible = open.inside + open.outside;
    // Down to each rank: relevant whatever the open documents are, and open.
    let mut down_to = vec![(0, 0)];
    for (hit, is_open) in all.documents() {
        let (mut seen, mut unknown) = down_to[down_to.len() - 1];
        match is_open {
            true if possible > 0 => unknown += 1,
            true => seen += u32::from(open.certain.1 > 0),
            false => seen += u32::from(hit.grade >= rule.rel),
        }
        down_to.push((seen, unknown));
    }
    let relevant = all.judged_grades().relevant(&rule.rel) + open.certain.1;
    let mut ends = Ends::default();
    for t in 0..=possible {
        let (seen, unknown) = down_to[((rule.depth)(relevant + t) as usize).min(down_to.len() - 1)];
        for shown in [t.min(unknown), t.saturating_sub(possible - unknown)] {
            ends.add((rule.value)(seen + shown, relevant + t));
        }
    }
    ends
}

/// Of t relevant documents, those that only one run shows in its top k are taken first, those that
/// only the other shows last. Between the rest, which both show or neither, a linear function has
/// its ends if as many or as few as possible are shown.
fn difference(rule: &Counts<'_>, JointTopic { a, b, unjudged }: &JointTopic<'_>) -> Option<Range> {
    let shows = |rank: Option<u32>| rank.is_some_and(|rank| rank <= rule.k);
    let count = |a: bool, b: bool| {
        unjudged.iter().filter(|d| shows(d.in_a) == a && shows(d.in_b) == b).count() as u32
    };
    let (both, only_a, only_b) = (count(true, true), count(true, false), count(false, true));
    let neither = a.open() - both - only_a - only_b;
    let [open_a, open_b] = [a, b].map(|all| Openness::new(all, rule.k, rule.rel));
    let (seen_a, seen_b) = (open_a.seen(a, rule), open_b.seen(b, rule));
    let relevant = a.judged_grades().relevant(&rule.rel) + open_a.certain.1;
    let mut ends = Ends::default();
    for t in 0..=open_a.inside + open_a.outside {
        for (first, last, swapped) in [(only_a, only_b, false), (only_b, only_a, true)] {
            let first = first.min(t);
            let last = (t - first).saturating_sub(both + neither).min(last);
            let rest = t - first - last;
            let (x, y) = if swapped { (last, first) } else { (first, last) };
            for shown in [rest.saturating_sub(neither), rest.min(both)] {
                let value_a = (rule.value)(seen_a + x + shown, a.retrieved(), relevant + t);
                let value_b = (rule.value)(seen_b + y + shown, b.retrieved(), relevant + t);
                ends.add(less(value_a, value_b));
            }
        }
    }
    Range::between(ends, RangeKind::Exact)
}
