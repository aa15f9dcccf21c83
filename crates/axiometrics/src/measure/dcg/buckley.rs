//! Buckley's experimental gain measures, as trec_eval computes them: nDCG averaged over points, and
//! gain discounted by what was missed.

use super::{Discounted, GAINS};
use crate::data::{Judged, Needs};
use crate::measure::def::{Alias, Cutoff, Def, Example, Span};
use crate::measure::params::{JUDGED_ONLY, REL};
use crate::measure::range::{
    Averaged, GradeScale, IfBinary, NOT_GROWING, OfTopic, Opposed, Provided, RangeAlgorithm,
    Sorted, Summed, Terms,
};
use crate::measure::structure::{Form, Points, Structure};
use crate::measure::ties::{Given, Ordered, OrderedWithin};
use crate::measure::{Declaration, Formula, NO_RELEVANT, Number, Score, ratio};

/// Why some gains leave no range.
const NOT_RELEVANCE: &str =
    "the gains do not grow with the grade, or give grade 0 a gain, or grade 1 none";

impl Discounted {
    /// An algorithm for gains that say which documents are relevant.
    fn if_relevance<'a>(&'a self, then: impl RangeAlgorithm + 'a) -> Box<dyn RangeAlgorithm + 'a> {
        let refusal =
            |scale: GradeScale| (!self.is_relevance(scale.max_grade)).then_some(NOT_RELEVANCE);
        Box::new(Provided::new(refusal, then))
    }

    /// What is declared of nDCG averaged over some ranks.
    fn averaged(&self, points: Points) -> Structure {
        self.shape()
            .map_or_else(Structure::default, |shape| Form::Averaged { shape, points }.into())
    }
}

/// The gains above 0 of all judged documents, highest first, with the DCG of the ideal ranking down
/// to each.
struct IdealGains<N> {
    gains: Vec<N>,
    dcg: Vec<N>,
}

impl<N: Number> IdealGains<N> {
    fn new(form: &Discounted, topic: &Judged<'_, N>) -> IdealGains<N> {
        let gains: Vec<N> =
            form.ideal_gains(topic).into_iter().take_while(|gain| *gain > N::zero()).collect();
        let mut sum = N::zero();
        let ranked = (1u32..).zip(&gains);
        let dcg = ranked.map(|(rank, gain)| {
            sum = sum.clone() + gain.clone() / form.discount(rank);
            sum.clone()
        });
        IdealGains { dcg: dcg.collect(), gains }
    }

    /// Ideal DCG of the first n documents.
    fn at(&self, n: u32) -> N {
        match (n as usize).min(self.dcg.len()) {
            0 => N::zero(),
            n => self.dcg[n - 1].clone(),
        }
    }
}

/// nDCG averaged over the points where the ideal ranking changes its gain.
struct AtLevels {
    form: Discounted,
}

impl Formula for AtLevels {
    fn declaration(&self) -> Declaration<'_> {
        let grows = |scale: GradeScale| (!self.form.grows(scale.max_grade)).then_some(NOT_GROWING);
        Declaration {
            // How many documents have each grade says which ranks it averages over, and what each
            // gain is divided by: the higher it stands, the less.
            ranges: Box::new(Provided::new(grows, Sorted)),
            ties: Box::new(Given::new(|topic| self.form.grows(*topic.max_grade), Ordered)),
            structure: self.form.averaged(Points::Levels),
            ..Declaration::new(self.form.needs())
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let ideal = IdealGains::new(&self.form, topic);
        let all = ideal.gains.len() as u32;
        if all == 0 {
            return Score::Undefined(NO_RELEVANT);
        }
        let mut points: Vec<u32> =
            (1..all).filter(|n| ideal.gains[*n as usize - 1] != ideal.gains[*n as usize]).collect();
        points.push(all);
        // The end of the ranking is one more point. (trec_eval passes over it if it is just one
        // rank behind the last level.)
        if topic.retrieved > all + 1 {
            points.push(topic.retrieved);
        }
        let mut hits = topic.hits.iter().peekable();
        let (mut dcg, mut sum) = (N::zero(), N::zero());
        for point in &points {
            while let Some(hit) = hits.next_if(|h| h.rank <= *point) {
                dcg = dcg + self.form.gain(&hit.grade) / self.form.discount(hit.rank);
            }
            sum = sum + dcg.clone() / ideal.at(*point);
        }
        Score::Value(sum / N::count(points.len() as u32))
    }
}

pub(super) const RNDCG: Def = Def {
    name: "Rndcg",
    title: "nDCG averaged over the levels of the ideal ranking",
    family: "dcg",
    aliases: &[],
    params: &[GAINS, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "The mean of nDCG@n over the ranks n behind which the ideal ranking changes its gain: with 5 documents of gain 3 and 3 of gain 1, n = 5 and 8. The end of the ranking is one more point if it is at least two ranks further down.",
    range: Span::UNIT,
    undefined: "the topic has no document with a gain",
    user_model: "that of nDCG, asked at points that mean the same for every topic",
    examples: &[Example {
        measure: "Rndcg",
        ranking: "0 2 1",
        value: 0.2398,
        working: "ideal 2 1: n = 1: 0/2; n = 2: (2 * .6309) / (2 + .6309) = .4796; the end, rank 3, is one behind: (0 + .4796)/2 = 0.2398",
    }],
    differs: &["trec_eval gives 0 if this is undefined"],
    references: &["trec_eval's Rndcg"],
    build: |args| Ok(Box::new(AtLevels { form: Discounted::new(args) })),
};

/// nDCG averaged over the documents with a gain.
struct AtRelevant {
    form: Discounted,
}

impl Formula for AtRelevant {
    fn declaration(&self) -> Declaration<'_> {
        let of_parts =
            || -> OfTopic<'_> { Box::new(|topic, missing| self.of_parts(topic, Some(missing))) };
        let graded = Opposed { by_count: true, low: Some(of_parts()), high: Some(of_parts()) };
        let discount = Box::new(|rank| self.form.discount(rank));
        Declaration {
            ranges: self.form.if_relevance(IfBinary { binary: Averaged { discount }, graded }),
            structure: self.form.averaged(Points::Relevant),
            ..Declaration::new(self.form.needs())
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        self.of_parts(topic, None)
    }
}

impl AtRelevant {
    /// The score of a topic of whose relevant documents so many were not retrieved: all that are
    /// not among the hits, but where a range takes these and the collection from different
    /// judgements.
    fn of_parts<N: Number>(&self, topic: &Judged<'_, N>, missing: Option<u32>) -> Score<N> {
        let ideal = IdealGains::new(&self.form, topic);
        let all = ideal.gains.len() as u32;
        if all == 0 {
            return Score::Undefined(NO_RELEVANT);
        }
        let (mut dcg, mut sum, mut seen) = (N::zero(), N::zero(), 0);
        for hit in topic.hits.iter() {
            let gain = self.form.gain(&hit.grade);
            let relevant = gain > N::zero();
            dcg = dcg + gain / self.form.discount(hit.rank);
            if relevant {
                seen += 1;
                sum = sum + dcg.clone() / ideal.at(hit.rank);
            }
        }
        // A document that was not retrieved is met at the end of the ranking.
        let missing = missing.unwrap_or_else(|| all - seen);
        sum = sum + N::count(missing) * dcg / ideal.at(all);
        Score::Value(sum / N::count(all))
    }
}

pub(super) const NDCG_REL: Def = Def {
    name: "ndcg_rel",
    title: "nDCG averaged over the relevant documents",
    family: "dcg",
    aliases: &[],
    params: &[GAINS, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "The mean over all documents with a gain of nDCG at their rank; for one that was not retrieved, of nDCG of the whole ranking.",
    range: Span::UNIT,
    undefined: "the topic has no document with a gain",
    user_model: "that of nDCG, by a reader who stops at a relevant document, each equally likely",
    examples: &[Example {
        measure: "ndcg_rel",
        ranking: "1 0 1 | 1",
        value: 0.8026,
        working: "rank 1: 1; rank 3: (1 + .5)/(1 + .6309 + .5) = .7039; not retrieved: .7039; (1 + .7039 + .7039)/3 = 0.8026",
    }],
    differs: &["trec_eval gives 0 if this is undefined"],
    references: &["trec_eval's ndcg_rel"],
    build: |args| Ok(Box::new(AtRelevant { form: Discounted::new(args) })),
};

struct NormalisedGain {
    form: Discounted,
}

impl NormalisedGain {
    /// Where every gain is that of grade 1.
    fn summed(&self) -> Summed<'_> {
        let gain = self.form.gain(&1.0);
        let term = move |rank: u32, above: f64, relevant: f64| {
            let ideal = relevant.min(f64::from(rank));
            let cost = f64::from(rank) + (gain.max(1.0) - 1.0) * ideal;
            gain / (2.0 + (cost - gain * (above + 1.0)).max(0.0)).log2()
        };
        Summed {
            k: u32::MAX,
            rel: 1.0,
            terms: Box::new(move |_| Terms {
                term: Box::new(term),
                bend: Some(|rank, _, relevant| relevant - f64::from(rank)),
                value: Box::new(move |totals| {
                    ratio(totals.sum, gain * f64::from(totals.relevant), NO_RELEVANT)
                }),
            }),
        }
    }
}

impl Formula for NormalisedGain {
    fn declaration(&self) -> Declaration<'_> {
        let graded = Opposed::default();
        let structure = self.form.shape().map_or_else(Structure::default, |shape| {
            let (term, divisor) = ("g / log2(2 + J - G)".to_string(), "T".to_string());
            Form::Gathered { gain: shape.gain, term, divisor }.into()
        });
        Declaration {
            structure,
            ranges: self.form.if_relevance(IfBinary { binary: self.summed(), graded }),
            ..Declaration::new(self.form.needs())
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let ideal = IdealGains::new(&self.form, topic).gains;
        let best = ideal.iter().fold(N::zero(), |sum, gain| sum + gain.clone());
        // The cost of a rank is the gain that it should hold, at least 1.
        let (mut cost, mut costed) = (N::zero(), 0);
        let (mut gained, mut sum) = (N::zero(), N::zero());
        for hit in topic.hits.iter() {
            let gain = self.form.gain(&hit.grade);
            if gain.is_zero() {
                continue;
            }
            while costed < hit.rank && (costed as usize) < ideal.len() {
                cost = cost + ideal[costed as usize].clone().max(N::one());
                costed += 1;
            }
            cost = cost + N::count(hit.rank - costed);
            costed = hit.rank;
            gained = gained + gain.clone();
            // Below 0 only where a range takes the ranking and the ideal from different judgements.
            let missed = (cost.clone() - gained.clone()).max(N::zero());
            sum = sum + gain * N::int(2).ln() / (N::int(2) + missed).ln();
        }
        ratio(sum, best, NO_RELEVANT)
    }
}

pub(super) const G: Def = Def {
    name: "G",
    title: "Normalised gain",
    family: "dcg",
    aliases: &[],
    params: &[GAINS, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "G = sum over ranks i of gain_i / log2(2 + cost_i - gained_i), divided by the sum of all gains above 0; gained_i is the gain down to rank i, cost_i the same of the ideal ranking where each rank counts at least 1.",
    range: Span::UNIT,
    undefined: "the topic has no document with a gain",
    user_model: "forgives a low rank where the documents above were worth their place",
    examples: &[Example {
        measure: "G",
        ranking: "0 2 1",
        value: 0.6309,
        working: "ideal 2 1, cost 2, 3, 4: rank 2: 2/log2(2 + 3 - 2) = 1.2619; rank 3: 1/log2(2 + 4 - 3) = .6309; 1.8928/3 = 0.6309",
    }],
    differs: &["trec_eval gives 0 if this is undefined"],
    references: &["trec_eval's G"],
    build: |args| Ok(Box::new(NormalisedGain { form: Discounted::new(args) })),
};

struct BinaryGain {
    rel: f64,
}

impl Formula for BinaryGain {
    fn declaration(&self) -> Declaration<'_> {
        Declaration {
            structure: Form::seen(self.rel, "1 / log2(2 + n)", "R").into(),
            ranges: Box::new(Summed {
                k: u32::MAX,
                rel: self.rel,
                terms: Box::new(|_| Terms {
                    term: Box::new(|rank, above, _| 1.0 / (f64::from(rank + 1) - above).log2()),
                    bend: None,
                    value: Box::new(|totals| {
                        ratio(totals.sum, f64::from(totals.relevant), NO_RELEVANT)
                    }),
                }),
            }),
            ties: Box::new(OrderedWithin(u32::MAX)),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let rel = N::decimal(self.rel);
        let ranked = topic.relevant_top(u32::MAX, &rel).zip(1u32..);
        let sum = ranked
            .fold(N::zero(), |sum, (hit, seen)| sum + N::one() / N::log2_int(2 + hit.rank - seen));
        ratio(sum, N::count(topic.relevant(&rel)), NO_RELEVANT)
    }
}

pub(super) const BIN_G: Def = Def {
    name: "binG",
    title: "Binary normalised gain",
    family: "dcg",
    aliases: &[Alias::plain("BinG")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "binG = (1/R) * sum over retrieved relevant documents of 1 / log2(2 + n), n the documents above it that are not relevant.",
    range: Span::UNIT,
    undefined: "the topic has no relevant document",
    user_model: "tires of documents that are not relevant, not of those that are",
    examples: &[Example {
        measure: "binG",
        ranking: "1 0 0 1 | 1",
        value: 0.5,
        working: "n = 0: 1/log2(2) = 1; n = 2: 1/log2(4) = 0.5; 1.5/3 = 0.5",
    }],
    differs: &["trec_eval gives 0 if the topic has no relevant document"],
    references: &["trec_eval's binG"],
    build: |args| Ok(Box::new(BinaryGain { rel: args.number("rel") })),
};
