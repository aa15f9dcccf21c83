//! Average precision for graded judgements: the Q-measure, graded average precision, and average
//! precision by utility.

use super::average_precision::NORM;
use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{JUDGED_ONLY, Param, ParamKind, REL};
use super::range::{Blended, NoRange, ThresholdsRange};
use super::structure::{Combine, Divisor, Form, Gain, Shape, Structure, Weights};
use super::ties::Ordered;
use super::utility::{self, Utilities};
use super::{Declaration, Formula, NO_RELEVANT, Number, Score, ratio};
use crate::data::{Judged, Needs};
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] = &[&Q, &GAP, &UAP];

struct QMeasure {
    k: u32,
    beta: f64,
    rel: f64,
    /// Divide by min(R, k).
    by_cutoff: bool,
    /// What each grade is worth, if the user says so.
    worth: Option<Utilities>,
}

impl QMeasure {
    /// Precision blended with the share of the ideal gain, at a relevant document.
    fn term<N: Number>(&self, seen: u32, gain: N, rank: u32, ideal: N) -> N {
        let beta = N::decimal(self.beta);
        (N::count(seen) + beta.clone() * gain) / (N::count(rank) + beta * ideal)
    }

    fn gain<N: Number>(&self, grade: &N) -> N {
        match &self.worth {
            Some(worth) => worth.of(grade),
            None => grade.clone().max(N::zero()),
        }
    }

    fn divisor(&self, relevant: u32) -> u32 {
        if self.by_cutoff { relevant.min(self.k) } else { relevant }
    }

    fn structure(&self) -> Structure {
        // Every document with a gain is to be relevant.
        let plain = self.worth.is_none() && self.rel > 0.0 && self.rel <= 1.0 && !self.by_cutoff;
        let beta = self.beta;
        match (plain, beta == 0.0) {
            (false, _) => Structure::default(),
            (true, true) => Form::seen(self.rel, "(r + 1) / i", "R").into(),
            (true, false) => Form::Gathered {
                gain: Gain::Grade,
                term: format!("(C + {beta} * G) / (i + {beta} * I)"),
                divisor: "R".to_string(),
            }
            .into(),
        }
    }

    fn blended(&self) -> Blended<'_> {
        Blended {
            k: self.k,
            rel: self.rel,
            term: Box::new(|seen, gain, rank, ideal| self.term(seen, gain, rank, ideal)),
            divisor: Box::new(|relevant| self.divisor(relevant)),
            gain: Box::new(|grade| self.gain(&grade)),
            gainless: self.beta == 0.0,
        }
    }
}

impl Formula for QMeasure {
    fn declaration(&self) -> Declaration<'_> {
        Declaration {
            structure: self.structure(),
            ranges: Box::new(self.blended()),
            ties: Box::new(self.blended()),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let rel = N::decimal(self.rel);
        let mut ideal = topic.grades.positive.iter();
        let (mut ideal_rank, mut ideal_gain) = (0, N::zero());
        let (mut seen, mut gain, mut sum) = (0, N::zero(), N::zero());
        for hit in topic.top(self.k) {
            gain = gain + self.gain(&hit.grade);
            if hit.grade < rel {
                continue;
            }
            seen += 1;
            while ideal_rank < hit.rank {
                let Some(next) = ideal.next() else { break };
                ideal_gain = ideal_gain + self.gain(next);
                ideal_rank += 1;
            }
            sum = sum + self.term(seen, gain.clone(), hit.rank, ideal_gain.clone());
        }
        ratio(sum, N::count(self.divisor(topic.relevant(&rel))), NO_RELEVANT)
    }
}

const BLEND: Param = Param {
    name: Cow::Borrowed("beta"),
    kind: ParamKind::Number { min: 0.0, max: 1e9 },
    default: Some(Cow::Borrowed("1")),
    doc: "the weight of the cumulated gain; 0 gives average precision",
};

const Q: Def = Def {
    name: "Q",
    title: "Q-measure",
    family: "graded_average_precision",
    aliases: &[Alias::plain("Q-measure"), Alias::plain("QMeasure")],
    params: &[BLEND, REL, NORM, utility::GAINS, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "Q@k = (1/R) * sum over i <= k of b_i * (C_i + beta * cg_i) / (i + beta * cg*_i), C_i the relevant documents down to rank i, cg_i the sum of their grades, cg*_i that of the ideal ranking. norm=min divides by min(R,k).",
    range: Span::UNIT,
    undefined: "the topic has no relevant document",
    user_model: "that of AP, where precision is blended with the gain so far as a share of the best gain possible",
    examples: &[
        Example {
            measure: "Q",
            ranking: "1 0 2",
            value: 0.75,
            working: "ideal 2 1: rank 1: (1 + 1)/(1 + 2) = 2/3; rank 3: (2 + 3)/(3 + 3) = 5/6; (2/3 + 5/6)/2 = 0.75",
        },
        Example {
            measure: "Q(beta=0)",
            ranking: "1 0 2",
            value: 5.0 / 6.0,
            working: "average precision: (1/1 + 2/3)/2 = 5/6",
        },
    ],
    differs: &["NTCIREVAL gives each grade its own gain; here it is the grade, or as gains= says"],
    references: &["Sakai 2004", "Sakai and Robertson 2008"],
    build: |args| {
        let by_cutoff = args.text("norm") == "min";
        Ok(Box::new(QMeasure {
            k: args.depth(),
            beta: args.number("beta"),
            rel: args.number("rel"),
            by_cutoff,
            worth: Utilities::given(args, &[])?,
        }))
    },
};

struct GradedAveragePrecision {
    k: u32,
    /// What each grade is worth, if the user says so.
    worth: Option<Utilities>,
}

impl GradedAveragePrecision {
    fn gain<N: Number>(&self, grade: &N) -> N {
        self.worth.as_ref().map_or_else(|| grade.clone(), |worth| worth.of(grade))
    }
}

impl Formula for GradedAveragePrecision {
    fn declaration(&self) -> Declaration<'_> {
        Declaration {
            ranges: Box::new(ThresholdsRange {
                k: self.k,
                gain: Box::new(|grade| self.gain(&grade)),
            }),
            ties: Box::new(Ordered),
            structure: match self.worth {
                None => {
                    Form::Thresholds { gain: Gain::Grade, term: "(r + 1) / i".to_string() }.into()
                }
                Some(_) => Structure::default(),
            },
            ..Declaration::new(Needs::POSITIVE)
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        // How often each grade was seen: few grades, so the cost stays with the hits.
        let mut levels: Vec<(N, u32)> = Vec::new();
        let mut sum = N::zero();
        for hit in topic.top(self.k).filter(|h| h.grade > N::zero()) {
            let gain = self.gain(&hit.grade);
            match levels.iter_mut().find(|(level, _)| *level == gain) {
                Some((_, count)) => *count += 1,
                None => levels.push((gain.clone(), 1)),
            }
            let shared = levels.iter().fold(N::zero(), |s, (level, count)| {
                s + level.clone().min(gain.clone()) * N::count(*count)
            });
            sum = sum + shared / N::count(hit.rank);
        }
        let all = topic.grades.positive.iter().fold(N::zero(), |s, grade| s + self.gain(grade));
        ratio(sum, all, NO_RELEVANT)
    }
}

const GAP: Def = Def {
    name: "GAP",
    title: "Graded average precision",
    family: "graded_average_precision",
    aliases: &[Alias::plain("gap")],
    params: &[utility::GAINS, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "GAP@k = sum over n <= k of (1/n) * sum over m <= n of min(g_m, g_n), divided by the sum of all grades of the topic: average precision, averaged over where the user draws the line between relevant and not.",
    range: Span::UNIT,
    undefined: "the topic has no document of a grade above 0",
    user_model: "that of AP, by a reader who finds grade 1 relevant, or only grade 2, ..., each with the same weight",
    examples: &[
        Example {
            measure: "GAP",
            ranking: "1 0 2",
            value: 2.0 / 3.0,
            working: "rank 1: 1; rank 3: (min(1,2) + min(2,2))/3 = 1; (1 + 1)/(1 + 2) = 0.6667",
        },
        Example {
            measure: "GAP(gains={1:0.2,2:1})",
            ranking: "1 0 2",
            value: 0.5,
            working: "rank 1: 0.2; rank 3: (0.2 + 1)/3 = 0.4; (0.2 + 0.4)/(0.2 + 1) = 0.5",
        },
    ],
    differs: &[
        "the paper lets each threshold have its own weight, which is a gain here: gains={1:0.2,2:1} gives the steps from 0 to 1 and from 1 to 2 the weights 0.2 and 0.8",
    ],
    references: &["Robertson, Kanoulas and Yilmaz 2010"],
    build: |args| {
        let worth = Utilities::given(args, &[])?;
        Ok(Box::new(GradedAveragePrecision { k: args.depth(), worth }))
    },
};

struct UtilityAveragePrecision {
    k: u32,
    /// What each grade is worth, if the user says so; its share of the highest grade otherwise.
    worth: Option<Utilities>,
}

impl UtilityAveragePrecision {
    fn gain<N: Number>(&self, topic: &Judged<'_, N>, grade: &N) -> N {
        match &self.worth {
            Some(worth) => worth.of(grade),
            None => grade.clone() / topic.max_grade.clone(),
        }
    }
}

impl Formula for UtilityAveragePrecision {
    fn declaration(&self) -> Declaration<'_> {
        let why =
            NoRange("how a grade in between changes both its sum and its divisor is not known");
        let shape = Shape {
            combine: Combine::Cumulated,
            weights: Weights::Reciprocal,
            gain: Gain::Scaled,
            divisor: Divisor::Gains,
        };
        let structure = if self.worth.is_none() { shape.into() } else { Structure::default() };
        Declaration { ranges: Box::new(why), structure, ..Declaration::new(Needs::POSITIVE) }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let (mut gathered, mut sum) = (N::zero(), N::zero());
        for hit in topic.top(self.k).filter(|h| h.grade > N::zero()) {
            let gain = self.gain(topic, &hit.grade);
            gathered = gathered + gain.clone();
            sum = sum + gain * gathered.clone() / N::count(hit.rank);
        }
        let grades = topic.grades.positive.iter();
        let all = grades.fold(N::zero(), |s, grade| s + self.gain(topic, grade));
        ratio(sum, all, NO_RELEVANT)
    }
}

const UAP: Def = Def {
    name: "UAP",
    title: "Average precision by utility",
    family: "graded_average_precision",
    aliases: &[Alias::plain("utility_ap")],
    params: &[utility::GAINS, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "UAP@k = (1/U) * sum over i <= k of r_i * (r_1 + ... + r_i) / i, U the sum of the gains of all documents of the topic, r = grade / maximum grade or as gains= says. With relevant or not it is AP.",
    range: Span::UNIT,
    undefined: "the topic has no document of a grade above 0",
    user_model: "that of AP with amounts for numbers: wants some part of all the utility there is, each amount equally likely, reads until that much is gathered, and cares for the utility per document read",
    examples: &[
        Example {
            measure: "UAP",
            ranking: "1 0 2",
            value: 0.5,
            working: "r = 1/2, 0, 1; U = 3/2: 1/2 * 1/2 + 1 * (3/2)/3 = 0.25 + 0.5; 0.75 / 1.5 = 0.5",
        },
        Example {
            measure: "UAP(gains={1:0.2,2:1})",
            ranking: "1 0 2",
            value: 0.3667,
            working: "0.2 * 0.2 + 1 * 1.2/3 = 0.44; 0.44 / 1.2 = 0.3667",
        },
    ],
    differs: &[
        "The formula is ours. It rests on the user that Dupret and Piwowarski describe, who gathers utility and ends the search when there is enough: every amount up to all there is being equally likely, it is the expected utility per document read at the rank where the amount is reached. They learn what a grade is worth from clicks, and let a user pass over a relevant document with some probability; here `gains` says the worth, and nothing is passed over",
    ],
    references: &["Dupret and Piwowarski 2010", "Moffat 2013, section 2"],
    build: |args| {
        let worth = Utilities::given(args, &[])?;
        Ok(Box::new(UtilityAveragePrecision { k: args.depth(), worth }))
    },
};
