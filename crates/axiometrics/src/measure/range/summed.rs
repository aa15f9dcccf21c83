//! Ends of a sum over the relevant documents, each term of the rank, of how many relevant documents
//! stand above, and of how many there are in all.
//!
//! As in [`Prefix`], of t relevant open documents the first t give the highest score and the last t
//! the lowest. Where t grows, each document's term changes smoothly, but for a bend here and there:
//! so all sums are found together ([`Sums`]), in n log n steps in place of n for each t. They only
//! choose which t to look at; the score there is the measure's own.

use super::smooth::Sums;
use super::{Completion, Ends, Prefix, Range, RangeAlgorithm, RangeKind, ScoreOf};
use crate::measure::Score;

/// A sum over the relevant documents of the top k. For a fixed number of relevant documents the
/// score never rises if one of them moves down, and only "relevant or not" matters.
pub struct Summed<'a> {
    /// The cutoff.
    pub k: u32,
    /// The lowest relevant grade.
    pub rel: f64,
    /// What is summed, for numbers of documents no larger than this one.
    pub terms: Box<dyn Fn(u32) -> Terms<'a> + Send + Sync + 'a>,
}

/// What is summed, and what becomes of the sum.
pub struct Terms<'a> {
    /// The term of a relevant document: its rank, the relevant ones above it, and those in all. It
    /// is smooth in the last two, which need not be whole numbers.
    pub term: Box<dyn Fn(u32, f64, f64) -> f64 + 'a>,
    /// A function of the same, linear in the last two: where its sign changes, the term has a bend.
    pub bend: Option<fn(u32, f64, f64) -> f64>,
    /// The score, by which one t is preferred to another.
    pub value: Box<dyn Fn(&Totals) -> Score + 'a>,
}

/// What is known of a completion as a whole.
#[derive(Debug, Clone, Copy)]
pub struct Totals {
    /// The sum.
    pub sum: f64,
    /// The relevant documents of the top k.
    pub seen: u32,
    /// The relevant documents in all.
    pub relevant: u32,
    /// The judged documents in all.
    pub judged: u32,
    /// The retrieved documents.
    pub retrieved: u32,
}

/// With fewer steps than this one by one is faster.
const FEW: u64 = 1 << 17;

impl RangeAlgorithm for Summed<'_> {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        if u64::from(all.open()) * u64::from(all.retrieved()) < FEW {
            return Prefix.range(all, score);
        }
        range(self, all, score)
    }
}

fn range(rule: &Summed<'_>, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
    let mut ends = Ends::default();
    let open = all.open();
    // If no grade decides on relevance, none changes the score.
    let [first, last] = if rule.rel > 0.0 && rule.rel <= all.max_grade() {
        let relevant = all.judged_grades().relevant(&rule.rel);
        let terms = (rule.terms)(all.retrieved().max(relevant.saturating_add(open)));
        let chosen = SummedTopic { rule, terms: &terms, relevant, all };
        let [high, low] = [chosen.extreme(RelevantEnd::First), chosen.extreme(RelevantEnd::Last)];
        ends.undefined = high.undefined || low.undefined;
        [high.t, low.t]
    } else {
        [Some(0), Some(open)]
    };
    // The ends may be undefined if all but one t is.
    let prefixes = [Some(0), first, Some(open)].into_iter().flatten();
    prefixes.for_each(|t| ends.add(score(&all.prefix(t).view())));
    last.into_iter().for_each(|t| ends.add(score(&all.suffix(t).view())));
    Range::between(ends, RangeKind::Exact)
}

/// Which of the open documents are relevant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RelevantEnd {
    First,
    Last,
}

/// The t with the best score if the first are relevant, or the worst if the last are.
struct Extreme {
    t: Option<u32>,
    undefined: bool,
}

struct SummedTopic<'c, 'a> {
    rule: &'c Summed<'a>,
    terms: &'c Terms<'a>,
    /// The relevant judged documents.
    relevant: u32,
    all: &'c Completion,
}

impl SummedTopic<'_, '_> {
    fn extreme(&self, side: RelevantEnd) -> Extreme {
        let open = self.all.open();
        let mut sums = Sums::new(open as usize + 1);
        // Relevant and open so far, in the top k.
        let (mut judged, mut opened) = (0u32, 0u32);
        for (hit, is_open) in self.all.documents().take_while(|(hit, _)| hit.rank <= self.rule.k) {
            if !is_open && hit.grade < self.rule.rel {
                continue;
            }
            let above = f64::from(judged);
            let beyond = f64::from(opened);
            let all_above = above + beyond;
            match side {
                // By t, the open documents that are relevant.
                RelevantEnd::First if is_open => {
                    self.add(&mut sums, side, hit.rank, [opened + 1, open], (all_above, 0.0));
                }
                RelevantEnd::First => {
                    self.add(&mut sums, side, hit.rank, [0, opened], (above, 1.0));
                    self.add(&mut sums, side, hit.rank, [opened + 1, open], (all_above, 0.0));
                }
                // By the number of open documents that are not.
                RelevantEnd::Last => {
                    self.add(&mut sums, side, hit.rank, [0, opened], (all_above, -1.0));
                    if !is_open {
                        self.add(&mut sums, side, hit.rank, [opened + 1, open], (above, 0.0));
                    }
                }
            }
            if is_open { opened += 1 } else { judged += 1 }
        }
        let mut extreme = Extreme { t: None, undefined: false };
        let mut best = f64::NEG_INFINITY;
        for (x, sum) in (0..=open).zip(sums.values()) {
            let (t, seen) = match side {
                RelevantEnd::First => (x, judged + x.min(opened)),
                RelevantEnd::Last => (open - x, judged + opened - x.min(opened)),
            };
            let totals = Totals {
                sum,
                seen,
                relevant: self.relevant + t,
                judged: self.all.judged_grades().judged() + open,
                retrieved: self.all.retrieved(),
            };
            match (self.terms.value)(&totals) {
                Score::Undefined(_) => extreme.undefined = true,
                Score::Value(score) => {
                    let score = if side == RelevantEnd::First { score } else { -score };
                    if score > best {
                        (best, extreme.t) = (score, Some(t));
                    }
                }
            }
        }
        extreme
    }

    /// Adds a document's term from one number to another, where the relevant documents above it are
    /// so many and so many more for each one.
    fn add(
        &self,
        sums: &mut Sums,
        side: RelevantEnd,
        rank: u32,
        [from, to]: [u32; 2],
        (above, each): (f64, f64),
    ) {
        if from > to {
            return;
        }
        let (least, most) = (f64::from(self.relevant), f64::from(self.all.open()));
        let at = |x: f64| {
            let relevant = least + if side == RelevantEnd::First { x } else { most - x };
            (above + each * x, relevant)
        };
        let term = |x: f64| {
            let (above, relevant) = at(x);
            (self.terms.term)(rank, above, relevant)
        };
        let bend = self.terms.bend.and_then(|bend| {
            let [first, last] = [from, to].map(|x| {
                let (above, relevant) = at(f64::from(x));
                bend(rank, above, relevant)
            });
            // The last number before the sign changes.
            (first * last < 0.0)
                .then(|| from + (f64::from(to - from) * first / (first - last)) as u32)
                .filter(|x| *x < to)
        });
        match bend {
            Some(x) => {
                sums.add(from, x, term);
                sums.add(x + 1, to, term);
            }
            None => sums.add(from, to, term),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::peaks::tests::agrees_with_each_number;

    #[test]
    fn ends_are_those_of_each_number() {
        let any = "Bpref Bpref(rel=2) AUC Accuracy Accuracy@40 infAP binG Q(beta=0,rel=2) \
            PPP PPP(docs=9000,rel=2)";
        agrees_with_each_number(any, &[1, 2]);
        let binary = "G Q Q(beta=9) Q(norm=min)@30 Compat Compat(p=0.5) \
            Compat(p=0.999,normalize=false) nERR nERR@20 nERR(max_rel=4) G(gains={1:3}) \
            G(gains={1:0.5}) RS_R RS_R(n=3,w=0.5)@40 RS_S RS_S@90 RS_F RS_F@200 RS_F(beta=4) \
            RS_R(variant=table9) RS_S(variant=table9) RS_S(variant=table9)@60 \
            RS_F(variant=table9,n=200)@300 RS_F(gains={1:0.3}) RS_F(gains={1:0})";
        agrees_with_each_number(binary, &[1]);
    }
}
