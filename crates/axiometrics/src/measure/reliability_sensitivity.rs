//! Reliability and Sensitivity of a ranking: the priority relations that it states, against those
//! of the judgements.
//!
//! The general measures are those of [`crate::organization`]. Here the system's organization is a
//! ranking, one document on each level, and the gold standard has a level for each grade above
//! zero, so only the ranks of the relevant documents matter; what was not relevant counts by its
//! number alone.

use super::def::{Cutoff, Def, Example, Span};
use super::params::{JUDGED_ONLY, Param, ParamKind};
use super::range::{
    Completion, IfBinary, NoRange, Range, RangeAlgorithm, ScoreOf, Summed, Terms, Totals,
};
use super::structure::{Form, Side, Structure};
use super::ties::OrderedIfBinary;
use super::utility::{self, Utilities};
use super::{Declaration, Formula, Number, Score};
use crate::choice::Choice;
use crate::curve::{Curve, LevelWeight, Variant};
use crate::data::{Hit, Judged, Needs};
use crate::number::f_beta;
use std::borrow::Cow;

/// The family of Reliability, Sensitivity and their F.
pub const FAMILY: &str = "reliability_sensitivity";

pub(super) const DEFS: &[&Def] = &[&RS_R, &RS_S, &RS_F];

struct OfRanking {
    k: u32,
    curve: Curve,
    variant: Variant,
    side: Side,
    /// What each grade is worth, if the user says so: grades of one worth are one level.
    worth: Option<Utilities>,
}

/// A relevant document that was retrieved, as one side weighs it.
struct WeighedDocument<N> {
    /// Its level in the gold standard: the number of documents with a higher grade.
    level: u32,
    weight: LevelWeight<N>,
}

/// Documents of one level that the other side lacks.
struct Lacking<N> {
    count: u32,
    weight: LevelWeight<N>,
    /// How many of the places are on higher levels.
    below: usize,
}

impl OfRanking {
    /// The relevant documents of the top, in rank order, with the weights of the ranking or of the
    /// gold standard.
    fn places<'a, N: Number>(
        &self,
        topic: &Judged<'a, N>,
        weigh: impl Fn(&Hit<N>, u32) -> LevelWeight<N>,
    ) -> Vec<WeighedDocument<N>> {
        let relevant = topic.top(self.k).filter(|hit| hit.grade > N::zero());
        let place = |hit: &'a Hit<N>| {
            let level = topic.grades.positive.partition_point(|grade| *grade > hit.grade) as u32;
            WeighedDocument { level, weight: weigh(hit, level) }
        };
        relevant.map(place).collect()
    }

    fn reliability<N: Number>(&self, topic: &Judged<'_, N>) -> N {
        let c: N = self.curve.c();
        let at = |rank: u32| LevelWeight::at(&c, N::count(rank - 1), N::one());
        let places = self.places(topic, |hit, _| at(hit.rank));
        let retrieved = topic.retrieved.min(self.k);
        let total = agreed(&places, &c, retrieved);
        if self.variant == Variant::Printed {
            return total;
        }
        let mut relevant = topic.top(self.k).filter(|hit| hit.grade > N::zero()).peekable();
        let mut below = 0;
        let irrelevant = (1..=retrieved).filter_map(|rank| {
            if relevant.next_if(|hit| hit.rank == rank).is_some() {
                below += 1;
                return None;
            }
            Some(Lacking { count: 1, weight: at(rank), below })
        });
        total + self.of_lacking(irrelevant, &places, &c, retrieved)
    }

    fn sensitivity<N: Number>(&self, topic: &Judged<'_, N>) -> N {
        let c: N = self.curve.c();
        let positive = topic.grades.positive;
        // The levels with their sizes and weights; a level is the number of documents above it.
        let mut above = 0;
        let levels: Vec<(u32, u32, LevelWeight<N>)> = positive
            .chunk_by(|a, b| a == b)
            .map(|equal| {
                let (level, size) = (above, equal.len() as u32);
                above += size;
                (level, size, LevelWeight::at(&c, N::count(level), N::count(size)))
            })
            .collect();
        let weight = |level: u32| {
            let at = levels.partition_point(|(known, ..)| *known < level);
            levels[at].2.clone()
        };
        let mut places = self.places(topic, |_, level| weight(level));
        let total = agreed(&places, &c, positive.len() as u32);
        if self.variant == Variant::Printed {
            return total;
        }
        places.sort_by_key(|place| place.level);
        let missed = levels.iter().map(|(level, size, weight)| {
            let below = places.partition_point(|place| place.level < *level);
            let found = places.partition_point(|place| place.level <= *level) - below;
            Lacking { count: size - found as u32, weight: weight.clone(), below }
        });
        total + self.of_lacking(missed, &places, &c, positive.len() as u32)
    }

    /// What the variant adds for the documents that the other side lacks; the places are in the order
    /// of their levels.
    fn of_lacking<N: Number>(
        &self,
        lacking: impl Iterator<Item = Lacking<N>>,
        places: &[WeighedDocument<N>],
        c: &N,
        documents: u32,
    ) -> N {
        let tail = c.clone() / (c.clone() + N::count(documents));
        let mut total = N::zero();
        let (mut seen, mut weight, mut normed) = (0, N::zero(), N::zero());
        for Lacking { count, weight: own, below } in lacking {
            total = total
                + N::count(count)
                    * match self.variant {
                        Variant::Printed => N::zero(),
                        Variant::Table9 => tail.clone() * own.normed,
                        // Below all that the other side holds, as it is below these here.
                        Variant::Semantic => {
                            for place in &places[seen..below] {
                                weight = weight + place.weight.weight.clone();
                                normed = normed + place.weight.normed.clone();
                            }
                            seen = below;
                            own.weight * normed.clone() + own.normed * weight.clone()
                        }
                    };
        }
        total
    }
}

/// The weight of the relations that both sides state, by the weights of the one that holds so many
/// documents: a relevant document above one of a lower grade, and each relevant document above the
/// tail.
fn agreed<N: Number>(places: &[WeighedDocument<N>], c: &N, documents: u32) -> N {
    let all = c.clone() + N::count(documents);
    let (tail, kept) = (c.clone() / all.clone(), N::count(documents) / all);
    // The sums of what is higher in the ranking, by level of the gold standard.
    let mut higher: Vec<(u32, N, N)> = Vec::new();
    let mut total = N::zero();
    for WeighedDocument { level, weight: own } in places {
        let (mut weight, mut normed) = (N::zero(), N::zero());
        for (_, w, u) in higher.iter().filter(|(above, ..)| above < level) {
            weight = weight + w.clone();
            normed = normed + u.clone();
        }
        total = total + own.weight.clone() * normed + own.normed.clone() * weight;
        total = total + tail.clone() * (own.normed.clone() + own.weight.clone() / kept.clone());
        match higher.iter_mut().find(|(known, ..)| known == level) {
            Some((_, w, u)) => {
                *w = w.clone() + own.weight.clone();
                *u = u.clone() + own.normed.clone();
            }
            None => higher.push((*level, own.weight.clone(), own.normed.clone())),
        }
    }
    total
}

/// Ends if every relevant document is on one level: then there is no relation between two of them,
/// and what is left are sums over them (as in [`Summed`], which asks the measure itself in the end).
#[derive(Clone, Copy)]
struct Binary<'a>(&'a OfRanking);

impl RangeAlgorithm for Binary<'_> {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        let Binary(rule) = *self;
        let retrieved = all.retrieved().min(rule.k);
        let terms = move |_| rule.of_one_level(retrieved);
        Summed { k: rule.k, rel: 1.0, terms: Box::new(terms) }.range(all, score)
    }
}

impl OfRanking {
    /// What so many documents of the top make of one level of relevant ones: Reliability is a sum by
    /// rank, Sensitivity follows from how many were found.
    fn of_one_level(&self, retrieved: u32) -> Terms<'_> {
        let c: f64 = self.curve.c();
        let documents = f64::from(retrieved);
        let (tail, of_all) = (c / (c + documents), c / documents);
        let lacking = self.variant == Variant::Table9;
        let at = move |rank: u32| LevelWeight::at(&c, f64::from(rank - 1), 1.0);
        // A document that the judgements lack keeps the first of its two tail terms there.
        let always: f64 =
            if lacking { (1..=retrieved).map(|rank| tail * at(rank).normed).sum() } else { 0.0 };
        let term = move |rank: u32| {
            let LevelWeight { weight, normed, .. } = at(rank);
            weight * of_all + if lacking { 0.0 } else { tail * normed }
        };
        let sensitivity = move |totals: &Totals| {
            let [found, all] = [totals.seen, totals.relevant].map(f64::from);
            if totals.relevant == 0 {
                return 0.0;
            }
            found / all + if lacking { (all - found) / (c + all) } else { 0.0 }
        };
        let value = move |totals: &Totals| {
            let reliability = always + totals.sum;
            match self.side {
                Side::Reliability => reliability,
                Side::Sensitivity => sensitivity(totals),
                Side::F { beta } => f_beta(reliability, sensitivity(totals), beta),
            }
        };
        Terms {
            term: Box::new(move |rank, _, _| term(rank)),
            bend: None,
            value: Box::new(move |totals| Score::Value(value(totals))),
        }
    }
}

impl OfRanking {
    fn structure(&self) -> Structure {
        if self.variant != Variant::Printed || self.worth.is_some() {
            return Structure::default();
        }
        Form::Relations { side: self.side, c: self.curve.c() }.into()
    }
}

impl Formula for OfRanking {
    fn declaration(&self) -> Declaration<'_> {
        let declared = Declaration::new(Needs::POSITIVE);
        if self.variant == Variant::Semantic {
            let why = NoRange(
                "with variant=semantic a relevant document that moves up can lower the score: those above it were rightly above the irrelevant one that it passes",
            );
            return Declaration { ranges: Box::new(why), ..declared };
        }
        let graded = NoRange(
            "with more than two grades each judgement changes the weights of all relations, and a better order can score less",
        );
        Declaration {
            structure: self.structure(),
            ranges: Box::new(IfBinary { binary: Binary(self), graded }),
            ties: Box::new(OrderedIfBinary),
            ..declared
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let mapped = self.worth.as_ref().map(|worth| worth.topic(topic));
        let topic = &mapped.as_ref().map_or(*topic, |mapped| mapped.view(topic));
        Score::Value(match self.side {
            Side::Reliability => self.reliability(topic),
            Side::Sensitivity => self.sensitivity(topic),
            Side::F { beta } => {
                f_beta(self.reliability(topic), self.sensitivity(topic), N::decimal(beta))
            }
        })
    }
}

const TOP: Param = Param {
    name: Cow::Borrowed("n"),
    kind: ParamKind::Open { min: 0.0, max: f64::INFINITY },
    default: Some(Cow::Borrowed("30")),
    doc: "the documents at the top that carry the share w of the whole weight",
};
const SHARE: Param = Param {
    name: Cow::Borrowed("w"),
    kind: ParamKind::Open { min: 0.0, max: 1.0 },
    default: Some(Cow::Borrowed("0.8")),
    doc: "the share of the whole weight that the first n documents carry",
};

const VARIANT: Param = Param {
    name: Cow::Borrowed("variant"),
    kind: ParamKind::Word(&["printed", "table9", "semantic"]),
    default: Some(Cow::Borrowed("printed")),
    doc: "what becomes of a document that the other side lacks: printed has no relation there, as the formulas say; table9 gives it one term, as the paper's numbers do; semantic puts it into that side's tail",
};
const BETA: Param = Param {
    name: Cow::Borrowed("beta"),
    kind: ParamKind::Open { min: 0.0, max: f64::INFINITY },
    default: Some(Cow::Borrowed("1")),
    doc: "how many times as important Sensitivity is as Reliability",
};

/// Only the order of gains matters here.
const LEVELS: Param = Param {
    doc: "what each grade is worth, from 0 to 1: {1:0,2:1,3:1}; grades of one worth are one level, those worth 0 are not relevant",
    ..utility::GAINS
};

/// What the three have in common.
const COMMON: Def = Def {
    name: "",
    title: "",
    family: FAMILY,
    aliases: &[],
    params: &[TOP, SHARE, VARIANT, LEVELS, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "",
    range: Span::UNIT,
    undefined: "never: 0 if nothing was retrieved or nothing is relevant",
    user_model: "",
    examples: &[],
    differs: &["no other tool has it"],
    references: &["Amigo, Gonzalo and Verdejo 2013, sections 3.3 and 4.4"],
    build: |args| build(args, Side::Reliability),
};

fn build(args: &super::Args, side: Side) -> crate::Result<Box<dyn super::Measure>> {
    Ok(Box::new(OfRanking {
        k: args.depth(),
        curve: Curve::new(args.number("n"), args.number("w"))?,
        variant: Variant::from_name(&args.text("variant"))?,
        side,
        worth: Utilities::given(args, &[])?,
    }))
}

const RS_R: Def = Def {
    name: "RS_R",
    title: "Reliability of a ranking",
    definition: "RS_R = the weight of the ranking's relations \"d above e\" that hold in the judgements. Rank i weighs w_i = c/((c+i-1)(c+i)), c = n(1-w)/w; the tail after N documents T = c/(c+N). A relevant document above one of a lower grade above zero gives w_i w_j (1/(1-w_i) + 1/(1-w_j)), each relevant document w_i T (1/(1-w_i) + 1/(1-T)). With variant=table9 every document gives w_i T/(1-w_i); with variant=semantic a relevant document above an irrelevant one gives what one above a lower grade does.",
    user_model: "trusts what the ranking says: that each document is of more use than those below it, and than all that was left out",
    examples: &[
        Example {
            measure: "RS_R(n=10,w=0.8)",
            ranking: "1 0",
            value: 0.5793650793650794,
            working: "c = 2.5, w_1 = 2/7, T = 5/9: 2/7 * 5/9 * (7/5 + 9/4) = 73/126",
        },
        Example {
            measure: "RS_R(n=10,w=0.8,variant=table9)",
            ranking: "1 0",
            value: 0.6841868823000898,
            working: "w_2 = 10/63 adds 10/63 * 5/9 * 63/53 = 50/477: 73/126 + 50/477 = 1523/2226",
        },
    ],
    build: |args| build(args, Side::Reliability),
    ..COMMON
};

const RS_S: Def = Def {
    name: "RS_S",
    title: "Sensitivity of a ranking",
    definition: "RS_S = the weight of the judgements' relations \"d above e\" that hold in the ranking: as RS_R with the sides exchanged. The gold standard has a level for each grade above zero; a document with a documents of higher grades and m of its own grade weighs c/((c+a)(c+a+m)).",
    user_model: "knows which documents are of more use than others, and asks how much of that the ranking shows",
    examples: &[Example {
        measure: "RS_S(n=10,w=0.8)",
        ranking: "1 0 | 1",
        value: 0.5,
        working: "both relevant documents are above the tail alike, and one was retrieved: 1/2",
    }],
    build: |args| build(args, Side::Sensitivity),
    ..COMMON
};

const RS_F: Def = Def {
    name: "RS_F",
    title: "F of Reliability and Sensitivity of a ranking",
    params: &[TOP, SHARE, VARIANT, BETA, LEVELS, JUDGED_ONLY],
    definition: "RS_F = (1 + b^2) RS_R RS_S / (b^2 RS_R + RS_S), 0 if both are 0; with b = 1, the default, the harmonic mean of RS_R and RS_S.",
    user_model: "wants a ranking that says nothing wrong and leaves nothing out",
    examples: &[
        Example {
            measure: "RS_F(n=10,w=0.8)",
            ranking: "1 0",
            value: 0.7336683417085427,
            working: "RS_R = 73/126 and RS_S = 1: 2 * 73/126 / (1 + 73/126) = 146/199",
        },
        Example {
            measure: "RS_F(n=10,w=0.8,beta=2)",
            ranking: "1 0",
            value: 0.8732057416267942,
            working: "5 * 73/126 / (4 * 73/126 + 1) = 365/418",
        },
    ],
    build: |args| build(args, Side::F { beta: args.number("beta") }),
    ..COMMON
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::OwnedTopic;
    use crate::measure::Metric;

    /// With more than two levels of gold, swapping neighbours so that the better one comes first
    /// can lower the score, because the other relations of both documents change their weights. The
    /// values are those of the definition in rational arithmetic.
    #[test]
    fn graded_gold_breaks_priority_in_a_few_cases() {
        for (measure, rankings, scores) in [
            ("RS_R(n=10)", ["2 2 1", "2 1 2"], [0.8825995807127882, 0.8905998719439465]),
            ("RS_F(n=10)", ["2 2 2 1 0", "2 2 1 2 0"], [0.7926131164379893, 0.7926744840119005]),
        ] {
            let metric: Metric = measure.parse().unwrap();
            for (ranking, expected) in rankings.into_iter().zip(scores) {
                let found =
                    metric.score(&crate::measure::tests::topic(ranking).view()).value().unwrap();
                assert!((found - expected).abs() < 1e-12, "{measure} of {ranking}: {found}");
            }
        }
    }

    /// The words of the parameter are the names of the variants.
    #[test]
    fn every_variant_can_be_named() {
        let names: Vec<&str> = Variant::ALL.iter().map(|variant| variant.name()).collect();
        assert!(matches!(VARIANT.kind, ParamKind::Word(words) if words == names));
    }

    /// Section 4.4.1 of the paper: with n = 30, one relevant document on top is better than m after m
    /// irrelevant ones from m = 20 on, and m = 30 is its example. Both hold with the variant of Table
    /// 9, and neither with the formulas as printed.
    #[test]
    fn the_papers_cut_point_is_that_of_table_9() {
        let better = |metric: &Metric, n: usize| {
            let score = |relevant: &dyn Fn(usize) -> bool| {
                let grade = |i| Some(f64::from(u8::from(relevant(i))));
                let ranking: Vec<Option<f64>> = (0..2 * n).map(grade).collect();
                // Both rank the same collection, with n relevant documents.
                let found = (0..2 * n).filter(|i| relevant(*i)).count();
                let topic = OwnedTopic::new(&ranking, &vec![1.0; n - found]);
                metric.score(&topic.view()).value().unwrap()
            };
            score(&|i| i == 0) > score(&|i| i >= n)
        };
        for (variant, r, f) in [("printed", 18, 45), ("table9", 20, 30)] {
            for (name, cut) in [("RS_R", r), ("RS_F", f)] {
                let metric: Metric =
                    format!("{name}(n=30,w=0.8,variant={variant})").parse().unwrap();
                assert!((2..cut).all(|n| !better(&metric, n)), "{metric}");
                assert!((cut..100).all(|n| better(&metric, n)), "{metric}");
            }
        }
    }
}
