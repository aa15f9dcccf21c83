//! Functions of counts: of t relevant open documents, as many as possible or as few as possible
//! stand in the top k, which may depend on t.

use super::{Completion, Ends};
use crate::measure::range::{Counts, MovingCutoff};

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

pub(super) fn ends(rule: &Counts<'_>, all: &Completion) -> Ends {
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

pub(super) fn moving(rule: &MovingCutoff<'_>, all: &Completion) -> Ends {
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
