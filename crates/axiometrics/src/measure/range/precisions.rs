//! The sum of precisions, for each number of relevant open documents, in one pass from the top and
//! one from the bottom.

use super::counts::Openness;
use super::{
    Completion, Ends, JointTopic, Jointly, Range, RangeAlgorithm, RangeKind, ScoreOf, paired,
};
use crate::measure::{Score, Tail};

/// A function of the sum of precisions at the relevant documents of the top k, in which it never
/// falls; of how many these are, and how many there are in all. For a fixed number of relevant
/// documents the score never rises if one of them moves down.
pub struct Precisions<'a> {
    /// The cutoff.
    pub k: u32,
    /// The lowest relevant grade.
    pub rel: f64,
    /// The function: the sum, relevant in the top k, relevant in all.
    pub value: Box<dyn Fn(f64, u32, u32) -> Score + Send + Sync + 'a>,
    /// Proportional to the sum, whatever is relevant in the top k.
    pub linear: bool,
    /// What is kept from topic to topic. Begin with the default.
    pub tables: Tables,
}

impl RangeAlgorithm for Precisions<'_> {
    fn range(&mut self, all: &mut Completion, _score: &ScoreOf<'_>) -> Option<Range> {
        let mut tables = std::mem::take(&mut self.tables);
        let ends = ends(self, all, &mut tables);
        self.tables = tables;
        Range::between(ends, RangeKind::Exact)
    }

    fn difference(
        &mut self,
        joint: &mut JointTopic<'_>,
        _score: &ScoreOf<'_>,
        _tail: &Tail<'_>,
    ) -> Jointly {
        if !(self.linear && self.rel > 0.0 && self.rel <= joint.a.max_grade()) {
            return Jointly::Apart;
        }
        let mut tables = std::mem::take(&mut self.tables);
        let range = paired::range(self, joint, &mut tables);
        self.tables = tables;
        range.into()
    }
}

/// What is kept from topic to topic, because it costs a division or a call.
#[derive(Debug, Default)]
pub struct Tables {
    /// One over each rank.
    inverses: Vec<f64>,
    /// What a sum is multiplied by, for each number of relevant documents, if the score is
    /// proportional to it.
    factors: Vec<f64>,
}

/// Numbers of relevant documents beyond this are not worth a place in a table.
const LARGEST: u32 = 1 << 16;

impl Tables {
    /// One over each rank, down to this one at least.
    pub(super) fn inverses(&mut self, rank: u32) -> &[f64] {
        while self.inverses.len() <= rank as usize {
            self.inverses.push(1.0 / self.inverses.len() as f64);
        }
        &self.inverses
    }

    /// What a sum is multiplied by where so many documents are relevant, up to this number; NaN
    /// if the score is undefined.
    pub(super) fn factors<'t>(
        &'t mut self,
        rule: &'t Precisions<'_>,
        most: u32,
    ) -> impl Fn(u32) -> f64 + 't {
        let factor =
            |relevant: u32| (rule.value)(1.0, relevant, relevant).value().unwrap_or(f64::NAN);
        while self.factors.len() <= most.min(LARGEST) as usize {
            self.factors.push(factor(self.factors.len() as u32));
        }
        let known = &self.factors[..];
        move |relevant| known.get(relevant as usize).copied().unwrap_or_else(|| factor(relevant))
    }
}

fn ends(rule: &Precisions<'_>, all: &Completion, tables: &mut Tables) -> Ends {
    let open = Openness::new(all, rule.k, rule.rel);
    // If an open document cannot but be relevant, it is as good as judged.
    let certain = open.certain.1 > 0;
    let possible = open.inside + open.outside > 0;
    // What can be relevant in the top k.
    let inverses = tables.inverses(all.retrieved());
    let documents: Vec<(f64, bool)> = all
        .documents()
        .take_while(|(hit, _)| hit.rank <= rule.k)
        .filter(|(hit, open)| if *open { certain || possible } else { hit.grade >= rule.rel })
        .map(|(hit, open)| (inverses[hit.rank as usize], open && !certain))
        .collect();
    let judged = documents.iter().filter(|(_, open)| !open).count() as u32;
    let relevant = all.judged_grades().relevant(&rule.rel) + open.certain.1;
    let mut ends = Ends::default();
    let mut add = |sum: f64, t: u32, outside: u32| {
        ends.add((rule.value)(sum, judged + t, relevant + t + outside))
    };
    if rule.linear {
        // The score is proportional to the sum: one product says which t to look at.
        let factor = tables.factors(rule, relevant + open.inside + open.outside);
        let (mut high, mut low) = ((f64::NEG_INFINITY, 0.0, 0), (f64::INFINITY, 0.0, 0));
        from_top(&documents, |t, sum| {
            let score = sum * factor(relevant + t);
            if score > high.0 {
                high = (score, sum, t);
            }
            if t == 0 {
                add(sum, 0, 0);
                add(sum, 0, open.outside.min(1));
            }
        });
        from_bottom(&documents, |t, sum| {
            let score = sum * factor(relevant + t + open.outside);
            if score < low.0 {
                low = (score, sum, t);
            }
        });
        if high.0.is_finite() {
            add(high.1, high.2, 0);
        }
        if low.0.is_finite() {
            add(low.1, low.2, open.outside);
        }
        return ends;
    }
    from_top(&documents, |t, sum| {
        add(sum, t, 0);
        if t == 0 {
            add(sum, 0, open.outside.min(1));
        }
    });
    // Lowest: all outside the top k first.
    from_bottom(&documents, |t, sum| add(sum, t, open.outside));
    ends
}

/// The sum of precisions at relevant documents if the first t open ones are relevant, for each
/// t. The documents are given by one over their rank and whether they are open; the others are
/// relevant.
pub(super) fn from_top(documents: &[(f64, bool)], mut tell: impl FnMut(u32, f64)) {
    let judged: Vec<f64> =
        documents.iter().filter(|(_, open)| !open).map(|(inverse, _)| *inverse).collect();
    // Below the last document that was made relevant the judged ones follow, each with t more above
    // it.
    let mut below = vec![(0.0, 0.0); judged.len() + 1];
    for (i, inverse) in judged.iter().enumerate().rev() {
        below[i] = (below[i + 1].0 + (i + 1) as f64 * inverse, below[i + 1].1 + inverse);
    }
    let (mut sum, mut seen, mut t) = (0.0, 0usize, 0u32);
    tell(0, below[0].0);
    for (inverse, open) in documents {
        if *open {
            t += 1;
        } else {
            seen += 1;
        }
        sum += (seen as f64 + f64::from(t)) * inverse;
        if *open {
            tell(t, sum + below[seen].0 + f64::from(t) * below[seen].1);
        }
    }
}

/// The same if the last t open ones are relevant.
pub(super) fn from_bottom(documents: &[(f64, bool)], mut tell: impl FnMut(u32, f64)) {
    let mut above = vec![0.0];
    for (inverse, _) in documents.iter().filter(|(_, open)| !open) {
        above.push(above[above.len() - 1] + above.len() as f64 * inverse);
    }
    // Each document that joins pushes those below it up by one.
    let (mut counted, mut inverses, mut seen, mut t) = (0.0, 0.0, above.len() - 1, 0);
    tell(0, above[seen]);
    for (inverse, is_open) in documents.iter().rev() {
        inverses += inverse;
        counted += inverses;
        if *is_open {
            t += 1;
            tell(t, above[seen] + counted + seen as f64 * inverses);
        } else {
            seen -= 1;
        }
    }
}
