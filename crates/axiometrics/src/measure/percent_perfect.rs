//! Percent perfect performance: how far a ranking is on the way from a random one to the best one.

use super::counts::judged_top;
use super::def::{Alias, Cutoff, Def, Example, Span};
use super::pairs;
use super::params::{JUDGED_ONLY, Param, ParamKind, REL};
use super::range::{Summed, Terms, Totals};
use super::structure::{Form, Rise, Structure};
use super::{Declaration, Formula, NO_RELEVANT, Number, Score, ratio};
use crate::data::{Judged, Needs};
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] = &[&PPP];

struct PercentPerfect {
    rel: f64,
    /// How many documents the collection has, if the user says so.
    docs: Option<f64>,
}

impl Formula for PercentPerfect {
    fn declaration(&self) -> Declaration<'_> {
        let terms = |_| Terms {
            term: Box::new(|rank, _, _| f64::from(rank)),
            bend: None,
            value: Box::new(|totals: &Totals| {
                let found = FoundRelevant { ranks: totals.sum, seen: totals.seen };
                // Every document that was retrieved is judged there.
                self.of(&found, totals.relevant, totals.retrieved, totals.judged)
            }),
        };
        let ranges = Summed { k: u32::MAX, rel: self.rel, terms: Box::new(terms) };
        Declaration {
            ranges: Box::new(ranges),
            structure: self.structure(),
            ..Declaration::new(Needs::JUDGED)
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let rel = N::decimal(self.rel);
        let mut found = FoundRelevant { ranks: N::zero(), seen: 0 };
        for hit in topic.relevant_top(u32::MAX, &rel) {
            found.seen += 1;
            found.ranks = found.ranks + N::count(hit.rank);
        }
        let judged = judged_top(topic, u32::MAX).count() as u32;
        let known = topic.retrieved + topic.grades.judged() - judged;
        self.of(&found, topic.relevant(&rel), topic.retrieved, known)
    }
}

impl PercentPerfect {
    /// Without documents that nobody has seen it is 2 * AUC - 1.
    fn structure(&self) -> Structure {
        match self.docs {
            None => Form::Rising {
                of: Box::new(pairs::area(self.rel)),
                rise: Rise::Line { times: 2.0, plus: -1.0 },
            }
            .into(),
            Some(_) => Structure::default(),
        }
    }
}

/// The relevant documents that were retrieved.
struct FoundRelevant<N> {
    /// The sum of their ranks.
    ranks: N,
    seen: u32,
}

impl PercentPerfect {
    /// The score, by so many relevant documents in all, and so many that are known.
    fn of<N: Number>(
        &self,
        found: &FoundRelevant<N>,
        relevant: u32,
        retrieved: u32,
        known: u32,
    ) -> Score<N> {
        if relevant == 0 {
            return Score::Undefined(NO_RELEVANT);
        }
        let docs = self.docs.map_or(known, |docs| known.max(docs as u32));
        // What was not retrieved stands somewhere below the ranking, at the mean of these ranks.
        let below = (N::count(retrieved) + N::count(docs) + N::one()) / N::int(2);
        let missed = N::count(relevant - found.seen);
        let length = (found.ranks.clone() + missed * below) / N::count(relevant);
        let better_than_random = N::count(docs) + N::one() - N::int(2) * length;
        ratio(better_than_random, N::count(docs - relevant), ALL_RELEVANT)
    }
}

const ALL_RELEVANT: &str = "all documents are relevant";

const DOCS: Param = Param {
    name: Cow::Borrowed("docs"),
    kind: ParamKind::Integer { min: 1 },
    default: None,
    doc: "how many documents the collection has; where it is not given, those that were retrieved or judged",
};

const PPP: Def = Def {
    name: "PPP",
    title: "Percent perfect performance",
    family: "percent_perfect",
    aliases: &[Alias::plain("percent_perfect")],
    params: &[REL, DOCS, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "PPP = (random - ASL) / (random - best), ASL the mean rank of the relevant documents (the average search length), random = (n + 1)/2 that of a random order of n documents, best = (R + 1)/2. A relevant document that was not retrieved stands at the mean of the ranks below the ranking.",
    range: Span::BetweenWith(-1.0, 1.0, "; 0 is chance"),
    undefined: "the topic has no relevant document, or all documents are relevant",
    user_model: "looks for one relevant document, each equally likely, and counts the documents read until it is found",
    examples: &[
        Example {
            measure: "PPP",
            ranking: "1 0 1 0 0",
            value: 2.0 / 3.0,
            working: "ASL = (1 + 3)/2 = 2, random 3, best 1.5: (3 - 2)/(3 - 1.5) = 0.6667",
        },
        Example {
            measure: "PPP",
            ranking: "1 0 | 1 0",
            value: 0.25,
            working: "n = 4, the missing one is at (3 + 4)/2: ASL = (1 + 3.5)/2 = 2.25; (2.5 - 2.25)/(2.5 - 1.5) = 0.25",
        },
        Example {
            measure: "PPP(docs=10)",
            ranking: "1 0",
            value: 1.0,
            working: "ASL = best = 1, random 5.5: (5.5 - 1)/(5.5 - 1) = 1",
        },
    ],
    differs: &[
        "if all retrieved documents are judged, it is 2 * AUC - 1",
        "Losee discusses other upper bounds than the best order; the best order is taken here",
    ],
    references: &["Losee 2007", "Moffat 2013, section 3"],
    build: |args| {
        Ok(Box::new(PercentPerfect { rel: args.number("rel"), docs: args.optional("docs") }))
    },
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::data::OwnedTopic;
    use crate::measure::Metric;

    fn score(measure: &str, ranking: &[Option<f64>], rest: &[f64]) -> Option<f64> {
        let metric: Metric = measure.parse().unwrap();
        metric.score(&OwnedTopic::new(ranking, rest).view()).value()
    }

    proptest! {
        /// Two ways to count: the mean rank, and the pairs in the right order.
        #[test]
        fn it_is_twice_the_area_under_the_curve_less_one(
            ranking in prop::collection::vec(0..3i32, 0..20),
            rest in prop::collection::vec(0..3i32, 0..8),
        ) {
            let ranking: Vec<Option<f64>> =
                ranking.into_iter().map(|g| Some(f64::from(g))).collect();
            let rest: Vec<f64> = rest.into_iter().map(f64::from).collect();
            let area = score("AUC", &ranking, &rest);
            match (score("PPP", &ranking, &rest), area) {
                (Some(ppp), Some(area)) => prop_assert!((ppp - (2.0 * area - 1.0)).abs() < 1e-12),
                (ppp, area) => prop_assert_eq!(ppp.is_none(), area.is_none()),
            }
        }
    }

    #[test]
    fn a_larger_collection_makes_the_same_ranking_better() {
        let ranking = [Some(0.0), Some(1.0), Some(0.0)];
        assert_eq!(score("PPP", &ranking, &[]), Some(0.0));
        // (100 + 1)/2 = 50.5 is random, 1 the best: (50.5 - 2)/(50.5 - 1)
        let large = score("PPP(docs=100)", &ranking, &[]).unwrap();
        assert!((large - 48.5 / 49.5).abs() < 1e-15);
    }
}
