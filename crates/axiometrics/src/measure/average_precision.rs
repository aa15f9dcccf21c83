//! Average precision and its kin: sums of the precision at each relevant document.

use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{Args, JUDGED_ONLY, Param, ParamKind, REL};
use super::range::{Precisions, Tables};
use super::structure::{self, Combine, Gain, Shape, Structure, Weights};
use super::user::{self, User, Walk};
use super::{Aggregate, Declaration, Formula, NO_RELEVANT, Number, Score, ratio};
use crate::data::{Judged, Needs};
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] =
    &[&AVERAGE_PRECISION, &SUM_OF_PRECISIONS, &SELF_NORMALISED, &GMAP, &LOGIT_AP, &YAAP];

/// The sum of the precisions at the relevant documents of the top k, and how many those are.
fn sum_of_precisions<N: Number>(topic: &Judged<'_, N>, k: u32, rel: f64) -> (N, u32) {
    let mut sum = N::zero();
    let mut seen = 0;
    for hit in topic.relevant_top(k, &N::decimal(rel)) {
        seen += 1;
        sum = sum + N::count(seen) / N::count(hit.rank);
    }
    (sum, seen)
}

/// What the sum of precisions is turned into.
enum ApForm {
    Sum,
    Over(PrecisionDivisor),
    Geometric,
    Logit,
    /// ln((1 + S) / (1 + R - S))
    YaAp,
}

enum PrecisionDivisor {
    Relevant,
    RelevantOrCutoff,
    Seen,
}

struct AveragePrecision {
    k: u32,
    rel: f64,
    form: ApForm,
}

/// AP is clipped to this far from 0 and 1 before its logit is taken.
const CLIP: f64 = 1e-5;

/// The largest logit that is left.
const LARGEST_LOGIT: f64 = 11.512_915_464_920_228;

impl Formula for AveragePrecision {
    fn declaration(&self) -> Declaration<'_> {
        let geometric = matches!(self.form, ApForm::Geometric);
        Declaration {
            aggregate: if geometric { Aggregate::GeometricMean } else { Aggregate::Mean },
            structure: self.structure(),
            ranges: Box::new(self.precisions()),
            ties: Box::new(self.precisions()),
            user: matches!(self.form, ApForm::Over(_)).then(|| self.user()),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let (sum, seen) = sum_of_precisions(topic, self.k, self.rel);
        self.value(sum, seen, topic.relevant(&N::decimal(self.rel)))
    }
}

impl AveragePrecision {
    fn precisions(&self) -> Precisions<'_> {
        let value = Box::new(|sum, seen, relevant| self.value(sum, seen, relevant));
        let linear = !matches!(
            self.form,
            ApForm::Over(PrecisionDivisor::Seen) | ApForm::Logit | ApForm::YaAp
        );
        Precisions { k: self.k, rel: self.rel, value, linear, tables: Tables::default() }
    }

    fn structure(&self) -> Structure {
        let divisor = match self.form {
            ApForm::Sum => structure::Divisor::None,
            ApForm::Over(PrecisionDivisor::Relevant) | ApForm::Geometric => {
                structure::Divisor::Whole
            }
            ApForm::Over(PrecisionDivisor::RelevantOrCutoff) => structure::Divisor::Ideal,
            ApForm::Over(PrecisionDivisor::Seen) => structure::Divisor::Own,
            ApForm::Logit => {
                return self.rising("R", structure::Rise::ClippedLogit(CLIP));
            }
            ApForm::YaAp => {
                return self.rising("1", structure::Rise::Ln("(1 + z) / (1 + R - z)".to_string()));
            }
        };
        let shape = Shape {
            combine: Combine::Cumulated,
            weights: Weights::Reciprocal,
            gain: Gain::Threshold(self.rel),
            divisor,
        };
        shape.into()
    }

    fn rising(&self, divisor: &str, rise: structure::Rise) -> Structure {
        let of = structure::Form::seen(self.rel, "(r + 1) / i", divisor);
        structure::Form::Rising { of: Box::new(of), rise }.into()
    }

    fn user(&self) -> User<'_> {
        User {
            continuation: "(b_(i+1) / (i+1) + b_(i+2) / (i+2) + ...) / (b_i / i + b_(i+1) / (i+1) + ...)".to_string(),
            weight: Some("(b_i / i + b_(i+1) / (i+1) + ...) / the number of relevant documents in the ranking".to_string()),
            adaptive: true,
            cost: 1.0,
            walk: Box::new(|topic, ranks| self.walk(topic, ranks)),
        }
    }

    /// The user whose attention W(i) is the sum of b_j / j over the ranks j from i on, as a share:
    /// the gain per document is then the mean of the precisions at the relevant documents of the
    /// ranking.
    fn walk(&self, topic: &Judged<'_>, ranks: u32) -> Option<Walk> {
        let relevant: Vec<u32> =
            topic.relevant_top(self.k, &self.rel).map(|hit| hit.rank).collect();
        let ends = (ranks + 1).max(relevant.last().copied().unwrap_or(0)) as usize;
        let mut attention = vec![0.0; ends];
        for rank in &relevant {
            attention[*rank as usize - 1] = 1.0 / f64::from(*rank);
        }
        for i in (1..ends).rev() {
            attention[i - 1] += attention[i];
        }
        attention.truncate(ranks as usize + 1);
        let all = attention[0];
        let gains =
            user::gains(topic, ranks, self.k, |grade| f64::from(u8::from(grade >= self.rel)));
        (all > 0.0).then(|| {
            attention.iter_mut().for_each(|a| *a /= all);
            Walk::new(attention, gains, relevant.len() as f64 / all)
        })
    }

    /// The score of a sum of precisions at so many relevant documents, of so many in all.
    fn value<N: Number>(&self, sum: N, seen: u32, relevant: u32) -> Score<N> {
        let average = |divisor: u32| ratio(sum.clone(), N::count(divisor), NO_RELEVANT);
        match &self.form {
            ApForm::Sum => Score::Value(sum),
            ApForm::Over(PrecisionDivisor::Relevant) | ApForm::Geometric => average(relevant),
            ApForm::Over(PrecisionDivisor::RelevantOrCutoff) => average(relevant.min(self.k)),
            ApForm::Over(PrecisionDivisor::Seen) => {
                ratio(sum, N::count(seen), "no relevant document in the top k")
            }
            ApForm::Logit => average(relevant).map(|ap| {
                let ap = ap.max(N::decimal(CLIP)).min(N::one() - N::decimal(CLIP));
                (ap.clone() / (N::one() - ap)).ln()
            }),
            // S = R * AP is the sum itself, so a topic without relevant documents gives ln(1/1) =
            // 0.
            ApForm::YaAp => Score::Value(
                ((N::one() + sum.clone()) / (N::one() + N::count(relevant) - sum)).ln(),
            ),
        }
    }
}

fn build(args: &Args, form: ApForm) -> Box<AveragePrecision> {
    Box::new(AveragePrecision { k: args.depth(), rel: args.number("rel"), form })
}

/// What divides the sum of precisions.
pub(super) const NORM: Param = Param {
    name: Cow::Borrowed("norm"),
    kind: ParamKind::Word(&["rel", "min"]),
    default: Some(Cow::Borrowed("rel")),
    doc: "what divides the sum: rel is R, the number of relevant documents; min is the smaller of R and k",
};

const AVERAGE_PRECISION: Def = Def {
    name: "AP",
    title: "Average precision",
    family: "average_precision",
    aliases: &[
        Alias::plain("MAP"),
        Alias::plain("map"),
        Alias::cut("map_cut"),
        Alias::plain("TrAP"),
    ],
    params: &[REL, NORM, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "AP@k = (1/R) * sum over i <= k of b_i * P@i; AP without a cutoff goes through the whole ranking. norm=min divides by min(R,k). The mean over topics is MAP.",
    range: Span::UNIT,
    undefined: "the topic has no relevant document",
    user_model: "Robertson's: picks one of the relevant documents, each equally likely, reads down to it, and cares for the precision there, 0 if it was not retrieved. C, W and L belong to another user, whose gain per document read is AP divided by the share of relevant documents that were retrieved: that one ends at the relevant document of rank i with a probability in proportion to 1/i",
    examples: &[
        Example {
            measure: "AP",
            ranking: "1 0 1 0 | 1",
            value: 5.0 / 9.0,
            working: "(1/1 + 2/3) / 3 = 0.5556",
        },
        Example {
            measure: "AP(norm=min)@2",
            ranking: "1 0 1 | 1",
            value: 0.5,
            working: "(1/1) / min(3, 2) = 0.5",
        },
    ],
    differs: &[
        "trec_eval gives 0 if the topic has no relevant document",
        "some recommender tools divide AP@k by min(R,k): norm=min",
        "cwl_eval's AP divides by the relevant documents that were retrieved; its TrAP is this AP if gains are 0 and 1",
    ],
    references: &[
        "Buckley and Voorhees 2005",
        "Robertson 2008 (the user)",
        "Moffat 2013, section 2",
    ],
    build: |args| {
        let divisor = if args.text("norm") == "min" {
            PrecisionDivisor::RelevantOrCutoff
        } else {
            PrecisionDivisor::Relevant
        };
        Ok(build(args, ApForm::Over(divisor)))
    },
};

const SUM_OF_PRECISIONS: Def = Def {
    name: "SP",
    title: "Sum of precisions",
    family: "average_precision",
    aliases: &[],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "SP@k = sum over i <= k of b_i * P@i: AP before it is divided.",
    range: Span::Words("0 to k"),
    undefined: "never",
    user_model: "that of AP, without knowing how many relevant documents there are",
    examples: &[Example {
        measure: "SP@4",
        ranking: "1 0 1 0 | 1",
        value: 5.0 / 3.0,
        working: "1/1 + 2/3 = 1.6667",
    }],
    differs: &[],
    references: &["Aslam, Pavlu and Yilmaz 2006", "Moffat 2013, section 3"],
    build: |args| Ok(build(args, ApForm::Sum)),
};

const SELF_NORMALISED: Def = Def {
    name: "SNAP",
    title: "Self-normalised average precision (SN-AP)",
    family: "average_precision",
    aliases: &[Alias::plain("SN-AP"), Alias::plain("SNAP")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "SNAP@k = SP@k / R_k, R_k the number of relevant documents in the top k: AP divided by what was seen.",
    range: Span::UNIT,
    undefined: "no relevant document in the top k",
    user_model: "that of AP, by a reader who does not know what the ranking missed",
    examples: &[Example {
        measure: "SNAP@5",
        ranking: "1 0 0 0 1 | 1",
        value: 0.7,
        working: "(1/1 + 2/5) / 2 = 0.7",
    }],
    differs: &["several recommender tools call this AP"],
    references: &["Moffat 2013, section 3"],
    build: |args| Ok(build(args, ApForm::Over(PrecisionDivisor::Seen))),
};

const GMAP: Def = Def {
    name: "GMAP",
    title: "Geometric mean average precision",
    family: "average_precision",
    aliases: &[Alias::plain("gm_map")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "AP per topic; the summary is the geometric mean, with values below 0.00001 raised to 0.00001.",
    range: Span::BetweenWith(0.0, 1.0, " per topic; the summary is at least 0.00001"),
    undefined: "the topic has no relevant document",
    user_model: "that of AP, with the emphasis on the topics that do badly",
    examples: &[Example {
        measure: "GMAP",
        ranking: "1 0 1 0 | 1",
        value: 5.0 / 9.0,
        working: "one topic: its AP, 0.5556",
    }],
    differs: &["trec_eval's gm_map counts a topic without relevant documents as 0.00001"],
    references: &["Robertson 2006, On GMAP and other transformations"],
    build: |args| Ok(build(args, ApForm::Geometric)),
};

const LOGIT_AP: Def = Def {
    name: "logitAP",
    title: "Logit of average precision",
    family: "average_precision",
    aliases: &[],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "ln(AP / (1 - AP)), AP clipped to [0.00001, 0.99999]; the mean over topics.",
    range: Span::Between(-LARGEST_LOGIT, LARGEST_LOGIT),
    undefined: "the topic has no relevant document",
    user_model: "that of AP, with both ends of the scale stretched",
    examples: &[Example {
        measure: "logitAP",
        ranking: "1 0 1 0 | 1",
        value: 0.2231,
        working: "AP = 5/9; ln((5/9) / (4/9)) = ln 1.25 = 0.2231",
    }],
    differs: &[],
    references: &["Robertson 2006", "Cormack and Lynam 2006"],
    build: |args| Ok(build(args, ApForm::Logit)),
};

const YAAP: Def = Def {
    name: "yaAP",
    title: "Yet another average precision",
    family: "average_precision",
    aliases: &[Alias::plain("yaap")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "ln((1 + S) / (1 + R - S)), S = R * AP the sum of precisions; the mean over topics.",
    range: Span::Words("-ln(1+R) to ln(1+R)"),
    undefined: "never: 0 if the topic has no relevant document",
    user_model: "that of AP, on a scale whose differences mean the same at both ends",
    examples: &[Example {
        measure: "yaAP",
        ranking: "1 0 1 0 | 1",
        value: 0.1335,
        working: "S = 5/3, R = 3; ln((8/3) / (7/3)) = ln(8/7) = 0.1335",
    }],
    differs: &[],
    references: &["Robertson, in trec_eval's m_yaap"],
    build: |args| Ok(build(args, ApForm::YaAp)),
};
