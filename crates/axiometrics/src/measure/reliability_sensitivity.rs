//! Reliability and Sensitivity of a ranking: the priority relations that it states, against those
//! of the judgements.
//!
//! The general measures are those of [`crate::organization`]. Here the system's organization is a
//! ranking, one document on each level, and the gold standard has a level for each grade above
//! zero, so only the ranks of the relevant documents matter; what was not relevant counts by its
//! number alone.

use super::def::{Cutoff, Def, Example, Span};
use super::params::{JUDGED_ONLY, Kind, Param};
use super::range::{IfBinary, NoRange, Prefix};
use super::ties::OrderedIfBinary;
use super::{Declaration, Formula, Number, Score};
use crate::curve::{Curve, LevelWeight};
use crate::data::{Hit, Judged, Needs};
use crate::number::harmonic;
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] = &[&RS_R, &RS_S, &RS_F];

enum Side {
    Reliability,
    Sensitivity,
    F,
}

struct OfRanking {
    k: u32,
    curve: Curve,
    side: Side,
}

/// A relevant document that was retrieved, as one side weighs it.
struct Place<N> {
    /// Its level in the gold standard: the number of documents with a higher grade.
    level: u32,
    weight: LevelWeight<N>,
}

impl OfRanking {
    /// The relevant documents of the top, in rank order, with the weights of the ranking or of the
    /// gold standard.
    fn places<'a, N: Number>(
        &self,
        topic: &Judged<'a, N>,
        weigh: impl Fn(&Hit<N>, u32) -> LevelWeight<N>,
    ) -> Vec<Place<N>> {
        let relevant = topic.top(self.k).filter(|hit| hit.grade > N::zero());
        let place = |hit: &'a Hit<N>| {
            let level = topic.grades.positive.partition_point(|grade| *grade > hit.grade) as u32;
            Place { level, weight: weigh(hit, level) }
        };
        relevant.map(place).collect()
    }

    fn reliability<N: Number>(&self, topic: &Judged<'_, N>) -> N {
        let c: N = self.curve.c();
        let places = self.places(topic, |hit, _| LevelWeight::at(&c, hit.rank - 1, 1));
        agreed(&places, &c, topic.retrieved.min(self.k))
    }

    fn sensitivity<N: Number>(&self, topic: &Judged<'_, N>) -> N {
        let c: N = self.curve.c();
        let places = self.places(topic, |hit, level| {
            let size =
                topic.grades.positive.partition_point(|grade| *grade >= hit.grade) as u32 - level;
            LevelWeight::at(&c, level, size)
        });
        agreed(&places, &c, topic.grades.positive.len() as u32)
    }
}

/// The weight of the relations that both sides state, by the weights of the one that holds so many
/// documents: a relevant document above one of a lower grade, and each relevant document above the
/// tail.
fn agreed<N: Number>(places: &[Place<N>], c: &N, documents: u32) -> N {
    let all = c.clone() + N::count(documents);
    let (tail, kept) = (c.clone() / all.clone(), N::count(documents) / all);
    // The sums of what stands higher in the ranking, by level of the gold standard.
    let mut higher: Vec<(u32, N, N)> = Vec::new();
    let mut total = N::zero();
    for Place { level, weight: own } in places {
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

impl Formula for OfRanking {
    fn declaration(&self) -> Declaration<'_> {
        let graded = NoRange(
            "with more than two grades each judgement changes the weights of all relations, and a better order can score less",
        );
        Declaration {
            ranges: Box::new(IfBinary { binary: Prefix, graded }),
            ties: Box::new(OrderedIfBinary),
            ..Declaration::new(Needs::POSITIVE)
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        Score::Value(match self.side {
            Side::Reliability => self.reliability(topic),
            Side::Sensitivity => self.sensitivity(topic),
            Side::F => harmonic(self.reliability(topic), self.sensitivity(topic)),
        })
    }
}

const TOP: Param = Param {
    name: Cow::Borrowed("n"),
    kind: Kind::Open { min: 0.0, max: f64::INFINITY },
    default: Some(Cow::Borrowed("30")),
    doc: "the documents at the top that carry the share w of the whole weight",
};
const SHARE: Param = Param {
    name: Cow::Borrowed("w"),
    kind: Kind::Open { min: 0.0, max: 1.0 },
    default: Some(Cow::Borrowed("0.8")),
    doc: "the share of the whole weight that the first n documents carry",
};

/// What the three have in common.
const COMMON: Def = Def {
    name: "",
    title: "",
    family: "reliability_sensitivity",
    aliases: &[],
    params: &[TOP, SHARE, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "",
    range: Span::UNIT,
    undefined: "never: 0 where nothing was retrieved or nothing is relevant",
    user_model: "",
    examples: &[],
    differs: &["no other tool has it"],
    references: &["Amigo, Gonzalo and Verdejo 2013, sections 4 and 5"],
    build: |args| build(args, Side::F),
};

fn build(args: &super::Args, side: Side) -> crate::Result<Box<dyn super::Measure>> {
    Ok(Box::new(OfRanking {
        k: args.depth(),
        curve: Curve::new(args.number("n"), args.number("w"))?,
        side,
    }))
}

const RS_R: Def = Def {
    name: "RS_R",
    title: "Reliability of a ranking",
    definition: "RS_R = the weight of the ranking's relations \"d above e\" that hold in the judgements. Rank i weighs w_i = c/((c+i-1)(c+i)), c = n(1-w)/w; the tail after N documents T = c/(c+N). A relevant document above one of a lower grade above zero gives w_i w_j (1/(1-w_i) + 1/(1-w_j)), each relevant document w_i T (1/(1-w_i) + 1/(1-T)).",
    user_model: "trusts what the ranking says: that each document is of more use than those below it, and than all that was left out",
    examples: &[Example {
        measure: "RS_R(n=10,w=0.8)",
        ranking: "1 0",
        value: 0.5793650793650794,
        working: "c = 2.5, w_1 = 2/7, T = 5/9: 2/7 * 5/9 * (7/5 + 9/4) = 73/126",
    }],
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
        working: "both relevant documents stand above the tail alike, and one was retrieved: 1/2",
    }],
    build: |args| build(args, Side::Sensitivity),
    ..COMMON
};

const RS_F: Def = Def {
    name: "RS_F",
    title: "F of Reliability and Sensitivity of a ranking",
    definition: "RS_F = 2 RS_R RS_S / (RS_R + RS_S), 0 where both are 0.",
    user_model: "wants a ranking that says nothing wrong and leaves nothing out",
    examples: &[Example {
        measure: "RS_F(n=10,w=0.8)",
        ranking: "1 0",
        value: 0.7336683417085427,
        working: "RS_R = 73/126 and RS_S = 1: 2 * 73/126 / (1 + 73/126) = 146/199",
    }],
    build: |args| build(args, Side::F),
    ..COMMON
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::data::OwnedTopic;
    use crate::data::organization::Organization;
    use crate::measure::Metric;
    use crate::organization::{Comparison, Curve, Settings, measure};

    /// The ranking as a level for each document, and the gold standard as a level for each grade.
    fn organizations(ranking: &[Option<f64>], rest: &[f64]) -> (Organization, Organization) {
        let mut system = Organization::builder();
        for document in 0..ranking.len() as u32 {
            system.level().cluster([document]).unwrap();
        }
        let grades: Vec<f64> =
            ranking.iter().map(|g| g.unwrap_or(0.0)).chain(rest.iter().copied()).collect();
        let mut gold = Organization::builder();
        for level in (1..=4).rev() {
            gold.level();
            for (document, _) in (0..).zip(&grades).filter(|(_, g)| **g == f64::from(level)) {
                gold.cluster([document]).unwrap();
            }
        }
        (gold.build(), system.build())
    }

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

    proptest! {
        #[test]
        fn is_that_of_the_organization(
            ranking in prop::collection::vec(prop::option::of(-1..5i32), 0..40),
            rest in prop::collection::vec(0..5i32, 0..10),
            top in 1..40u32,
            share in 1..10u32,
        ) {
            let ranking: Vec<Option<f64>> = ranking.into_iter().map(|g| g.map(f64::from)).collect();
            let rest: Vec<f64> = rest.into_iter().map(f64::from).collect();
            let share = f64::from(share) / 10.0;
            let (gold, system) = organizations(&ranking, &rest);
            let settings = Settings { curve: Curve::new(f64::from(top), share).unwrap(), ..Settings::default() };
            let comparison = Comparison::new(&gold, &system, &settings);
            let topic = OwnedTopic::new(&ranking, &rest);
            for (name, general) in [("RS_R", "R_priority"), ("RS_S", "S_priority"), ("RS_F", "F_priority")] {
                let metric: Metric = format!("{name}(n={top},w={share})").parse().unwrap();
                let found = metric.score(&topic.view()).value().unwrap();
                let expected = measure(general).unwrap().score(&comparison).value().unwrap();
                prop_assert!((found - expected).abs() < 1e-12, "{}: {} and {}", name, found, expected);
            }
        }
    }
}
