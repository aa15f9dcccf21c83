//! Discounted cumulative gain and its normalisations.

mod buckley;

use std::borrow::Cow;

use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{self, Args, JUDGED_ONLY, Param, ParamKind};
use super::range::{self, Additive, Extremes, Gains, GradeScale, Provided, RangeAlgorithm};
use super::structure::{self, Combine, Divisor, Form, Shape, Structure, Weights};
use super::ties::{Given, Linear, Ordered, OrderedWithin, TieAlgorithm};
use super::{Declaration, Formula, NO_RELEVANT, Number, Score, ratio};
use crate::data::{Judged, Needs};
use crate::number::LastingNumber;

pub(super) const DEFS: &[&Def] = &[
    &NDCG,
    &DCG,
    &SDCG,
    &SNDCG,
    &IDCG,
    &buckley::RNDCG,
    &buckley::NDCG_REL,
    &buckley::G,
    &buckley::BIN_G,
];

/// How a grade becomes a gain and a rank a discount.
#[derive(Debug, Clone)]
pub(super) struct Discounted {
    k: u32,
    gain: DcgGain,
    /// Grades below this have no gain.
    rel: Option<f64>,
    /// Below this rank there is no discount: the original form of DCG. `None`: log2(i + 1).
    base: Option<u32>,
    weight_of_all: LastingNumber,
}

#[derive(Debug, Clone)]
enum DcgGain {
    Linear,
    Exponential,
    /// Gains by grade; a grade that is not listed is its own gain.
    Table(Vec<(f64, f64)>),
}

impl Discounted {
    pub(super) fn new(args: &Args) -> Discounted {
        let gains = args.gains("gains");
        let form = args.text("dcg");
        let gain = match form.as_str() {
            _ if !gains.is_empty() => DcgGain::Table(gains),
            "exp-log2" => DcgGain::Exponential,
            _ => DcgGain::Linear,
        };
        let base = (form == "jk").then(|| args.number("b") as u32);
        let weight_of_all = LastingNumber::default();
        Discounted { k: args.depth(), gain, rel: args.optional("rel"), base, weight_of_all }
    }

    fn needs(&self) -> Needs {
        // A table may give grade 0 a gain of its own.
        let zero_gains = matches!(&self.gain, DcgGain::Table(table) if table.iter().any(|(grade, gain)| *grade <= 0.0 && *gain != 0.0));
        Needs { judged: zero_gains, ..Needs::POSITIVE }
    }

    fn gain<N: Number>(&self, grade: &N) -> N {
        let zero = N::zero();
        match &self.gain {
            _ if *grade < zero => zero,
            _ if self.rel.is_some_and(|rel| *grade < N::decimal(rel)) => zero,
            DcgGain::Table(table) => {
                let listed = table.iter().find(|(g, _)| N::decimal(*g) == *grade);
                listed.map_or_else(|| grade.clone(), |(_, gain)| N::decimal(*gain))
            }
            _ if *grade <= zero => zero,
            DcgGain::Linear => grade.clone(),
            DcgGain::Exponential => N::int(2).powf(grade.to_f64()) - N::one(),
        }
    }

    /// Gains never fall where the grade rises up to the highest, and none is below 0. A table need
    /// not be like that; it leaves grades that it does not list as they are.
    fn grows(&self, max_grade: f64) -> bool {
        let DcgGain::Table(table) = &self.gain else { return true };
        let gain = |grade: f64| self.gain(&grade);
        let steps = table
            .iter()
            .map(|(grade, _)| *grade)
            .chain(self.rel)
            .flat_map(|grade| [grade.floor() - 1.0, grade, grade.ceil() + 1.0])
            .filter(|grade| (0.0..=max_grade).contains(grade));
        let mut steps: Vec<f64> = steps.chain([0.0, max_grade]).collect();
        steps.sort_by(f64::total_cmp);
        gain(0.0) >= 0.0 && steps.windows(2).all(|w| gain(w[0]) <= gain(w[1]))
    }

    /// A document has a gain where its grade is above 0, and only there.
    fn is_relevance(&self, max_grade: f64) -> bool {
        let gain = |grade: f64| self.gain(&grade);
        self.grows(max_grade) && gain(0.0) == 0.0 && gain(max_grade.min(1.0)) > 0.0
    }

    /// The sum, without a divisor, if what a grade is worth is neither a table nor cut off.
    fn shape(&self) -> Option<Shape> {
        if self.rel.is_some() {
            return None;
        }
        let gain = match self.gain {
            DcgGain::Linear => structure::Gain::Grade,
            DcgGain::Exponential => structure::Gain::Exponential,
            DcgGain::Table(_) => return None,
        };
        let (weights, divisor) = (self.weights(), Divisor::None);
        Some(Shape { combine: Combine::Sum, weights, gain, divisor })
    }

    /// What a gain at this rank is divided by.
    #[inline(always)]
    fn discount<N: Number>(&self, rank: u32) -> N {
        match self.base {
            None => N::log2_int(rank + 1),
            Some(b) if rank < b => N::one(),
            Some(b) => N::log2_int(rank) / N::log2_int(b),
        }
    }

    fn weights(&self) -> Weights {
        self.base.map_or(Weights::Logarithmic, Weights::LogarithmicFrom)
    }

    /// The sum of all weights, down to the cutoff.
    fn weight_of_all<N: Number>(&self) -> N {
        N::lasting(&self.weight_of_all, || {
            self.weights().sum(self.k, |rank| N::one() / self.discount(rank))
        })
    }

    /// The sum over ranked grades, down to the cutoff.
    fn sum<'a, N: Number>(&self, ranked: impl Iterator<Item = (u32, &'a N)>) -> N {
        ranked
            .take_while(|(rank, _)| *rank <= self.k)
            .fold(N::zero(), |sum, (rank, grade)| sum + self.gain(grade) / self.discount(rank))
    }

    /// DCG of the ranking.
    pub(super) fn of_ranking<N: Number>(&self, topic: &Judged<'_, N>) -> N {
        self.sum(topic.hits.iter().map(|h| (h.rank, &h.grade)))
    }

    /// The gains above 0 of grades, which are given highest first, in their best order. A gain
    /// below 0 stands nowhere in it: a document that nobody judged, of which there is no end, has a
    /// gain of 0.
    fn best_order<N: Number>(&self, grades: &[N]) -> Vec<N> {
        let mut gains: Vec<N> =
            grades.iter().map(|g| self.gain(g)).filter(|gain| *gain > N::zero()).collect();
        if matches!(self.gain, DcgGain::Table(_)) {
            // A table need not grow with the grade, so the best order is by gain.
            gains.sort_by(|a, b| b.partial_cmp(a).unwrap_or(std::cmp::Ordering::Equal));
        }
        gains
    }

    /// DCG of grades, which are given highest first, in their best order.
    fn of_best_order<N: Number>(&self, grades: &[N]) -> N {
        if matches!(self.gain, DcgGain::Table(_)) {
            return self.of_gains((1u32..).zip(&self.best_order(grades)));
        }
        self.sum((1u32..).zip(grades))
    }

    /// The sum over ranked gains, down to the cutoff.
    fn of_gains<'a, N: Number>(&self, ranked: impl Iterator<Item = (u32, &'a N)>) -> N {
        ranked
            .take_while(|(rank, _)| *rank <= self.k)
            .fold(N::zero(), |sum, (rank, gain)| sum + gain.clone() / self.discount(rank))
    }

    /// DCG of the best order of the top k, in which every document has a rank: gains below 0 come
    /// last.
    fn of_own_order<N: Number>(&self, topic: &Judged<'_, N>) -> N {
        let mut grades: Vec<N> = topic.top(self.k).map(|h| h.grade.clone()).collect();
        grades.sort_by(|a, b| b.partial_cmp(a).unwrap_or(std::cmp::Ordering::Equal));
        let best = self.of_best_order(&grades);
        let gains = grades.iter().map(|grade| self.gain(grade));
        let mut losses: Vec<N> = gains.filter(|gain| *gain < N::zero()).collect();
        losses.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        let last = topic.retrieved.min(self.k);
        let lost = (0u32..).zip(losses).fold(N::zero(), |sum, (above_last, loss)| {
            sum + loss / self.discount(last - above_last)
        });
        best + lost
    }

    /// The grades that can have a gain, highest first.
    fn judged_grades<'a, N: Number>(&self, topic: &Judged<'a, N>) -> Cow<'a, [N]> {
        let mut grades = Cow::Borrowed(topic.grades.positive);
        if self.needs().judged {
            grades.to_mut().extend(std::iter::repeat_n(N::zero(), topic.grades.zero as usize));
        }
        grades
    }

    /// The gains of the ideal ranking of all judged documents.
    fn ideal_gains<N: Number>(&self, topic: &Judged<'_, N>) -> Vec<N> {
        self.best_order(&self.judged_grades(topic))
    }

    /// DCG of the ideal ranking of all judged documents.
    pub(super) fn ideal<N: Number>(&self, topic: &Judged<'_, N>) -> N {
        self.of_best_order(&self.judged_grades(topic))
    }
}

enum Normaliser {
    None,
    /// The ideal ranking in place of the ranking itself.
    OnlyIdeal,
    /// The sum of all discounts, times the maximum gain.
    Scale,
    /// The ideal ranking of all judged documents.
    Ideal,
    /// The best permutation of the top k.
    Own,
}

struct Dcg {
    dcg: Discounted,
    normaliser: Normaliser,
}

impl Dcg {
    /// What DCG of a ranking becomes. Not for a form that looks at the top k anew.
    fn value<N: Number>(&self, topic: &Judged<'_, N>, dcg: N) -> Score<N> {
        match self.normaliser {
            Normaliser::None | Normaliser::Own => Score::Value(dcg),
            Normaliser::OnlyIdeal => Score::Value(self.dcg.ideal(topic)),
            Normaliser::Scale => {
                Score::Value(dcg / (self.dcg.weight_of_all::<N>() * self.dcg.gain(topic.max_grade)))
            }
            Normaliser::Ideal => ratio(dcg, self.dcg.ideal(topic), NO_RELEVANT),
        }
    }

    fn structure(&self) -> Structure {
        let Some(sum) = self.dcg.shape() else { return Structure::default() };
        let divisor = match self.normaliser {
            Normaliser::None => Divisor::None,
            Normaliser::Scale => Divisor::Cutoff,
            Normaliser::Ideal => Divisor::Ideal,
            Normaliser::Own => Divisor::Own,
            Normaliser::OnlyIdeal => return Form::Best(sum).into(),
        };
        Shape { divisor, ..sum }.into()
    }

    fn ranges(&self) -> Box<dyn RangeAlgorithm + '_> {
        // A gain table may fall where the grade rises, or give a grade below the highest more than
        // it.
        let grows =
            |scale: GradeScale| (!self.dcg.grows(scale.max_grade)).then_some(range::NOT_GROWING);
        match self.normaliser {
            Normaliser::None | Normaliser::Scale => Box::new(Provided::new(grows, Additive)),
            Normaliser::OnlyIdeal => {
                Box::new(Provided::new(grows, Extremes(range::RangeKind::Exact)))
            }
            Normaliser::Ideal | Normaliser::Own => {
                let gains = Gains {
                    k: self.dcg.k,
                    own: matches!(self.normaliser, Normaliser::Own),
                    gain: Box::new(|grade| self.dcg.gain(&grade)),
                    discount: Box::new(|rank| self.dcg.discount(rank)),
                    sums: Vec::new(),
                };
                Box::new(Provided::new(grows, gains))
            }
        }
    }

    fn ties(&self) -> Box<dyn TieAlgorithm + '_> {
        match self.normaliser {
            Normaliser::Own => Box::new(Given::new(
                |topic| self.dcg.grows(*topic.max_grade),
                OrderedWithin(self.dcg.k),
            )),
            Normaliser::OnlyIdeal => Box::new(Ordered),
            Normaliser::None | Normaliser::Scale | Normaliser::Ideal => Box::new(Linear {
                gain: Box::new(|_, grade| self.dcg.gain(&grade)),
                weights: Box::new(|_, ranks| {
                    let ranks = 1..=ranks.min(self.dcg.k);
                    ranks.map(|rank| 1.0 / self.dcg.discount::<f64>(rank)).collect()
                }),
                value: Box::new(|topic, dcg| self.value(topic, dcg)),
            }),
        }
    }
}

impl Formula for Dcg {
    fn declaration(&self) -> Declaration<'_> {
        Declaration {
            structure: self.structure(),
            ranges: self.ranges(),
            ties: self.ties(),
            ..Declaration::new(self.dcg.needs())
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let dcg = self.dcg.of_ranking(topic);
        if !matches!(self.normaliser, Normaliser::Own) {
            return self.value(topic, dcg);
        }
        ratio(dcg, self.dcg.of_own_order(topic), "no relevant document in the top k")
    }
}

fn build(args: &Args, normaliser: Normaliser) -> Box<Dcg> {
    Box::new(Dcg { dcg: Discounted::new(args), normaliser })
}

const FORM: Param = Param {
    name: Cow::Borrowed("dcg"),
    kind: ParamKind::Word(&["log2", "exp-log2", "jk"]),
    default: Some(Cow::Borrowed("log2")),
    doc: "log2: gain g, discount log2(i+1); exp-log2: gain 2^g - 1; jk: the original form, no discount below rank b, log_b(i) from there",
};
const BASE: Param = Param {
    name: Cow::Borrowed("b"),
    kind: ParamKind::Integer { min: 2 },
    default: Some(Cow::Borrowed("2")),
    doc: "the base of the original form (dcg=jk)",
};
const GAINS: Param = Param {
    name: Cow::Borrowed("gains"),
    kind: ParamKind::Gains,
    default: None,
    doc: "gains by grade, {1:3,2:9}; a grade that is not listed is its own gain",
};

/// No default: every grade above 0 has its gain unless a threshold is given.
const REL: Param = Param {
    default: None,
    doc: "the lowest grade with a gain, as in ranx's ndcg@10-l2; every grade above 0 if it is not given",
    ..params::REL
};

const NDCG: Def = Def {
    name: "nDCG",
    title: "Normalised discounted cumulative gain",
    family: "dcg",
    aliases: &[
        Alias::plain("NDCG"),
        Alias::plain("ndcg"),
        Alias::cut("ndcg_cut"),
        Alias::plain("ndcg_burges").implying("dcg=exp-log2"),
    ],
    params: &[FORM, GAINS, BASE, REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "nDCG@k = DCG@k / DCG@k of the ideal ranking of all judged documents.",
    range: Span::UNIT,
    undefined: "the topic has no document with a gain",
    user_model: "reads down the list with slowly fading interest, and is compared with the best possible list",
    examples: &[
        Example {
            measure: "nDCG@6",
            ranking: "1 1 1 1 1 0 | 1",
            value: 0.8922,
            working: "DCG = 1 + .6309 + .5 + .4307 + .3869 = 2.9485; the ideal adds 1/log2(7) = .3562: 2.9485/3.3047 = 0.89",
        },
        Example {
            measure: "nDCG@2",
            ranking: "0 2 | 1",
            value: 0.4796,
            working: "DCG = 2/log2(3) = 1.2619; ideal 2 + 1/log2(3) = 2.6309; 0.4796",
        },
    ],
    differs: &[
        "cwl_eval's NDCG-k@10 is not this, but SDCG@10",
        "trec_eval and ir_measures: the same; ranx `ndcg_burges` and scikit-learn-like tools use 2^g - 1: dcg=exp-log2",
        "scikit-learn averages over ties, as ties=average does",
    ],
    references: &[
        "Järvelin and Kekäläinen 2002",
        "Burges et al. 2005 (2^g - 1)",
        "Moffat 2013, section 3",
    ],
    build: |args| Ok(build(args, Normaliser::Ideal)),
};

const DCG: Def = Def {
    name: "DCG",
    title: "Discounted cumulative gain",
    family: "dcg",
    aliases: &[Alias::plain("dcg"), Alias::plain("dcg_burges").implying("dcg=exp-log2")],
    params: &[FORM, GAINS, BASE, REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "DCG@k = sum over i <= k of r_i / log2(i+1), r_i the grade of the document at rank i.",
    range: Span::Words(
        "0 upwards, without bound: it grows with k and with the number of relevant documents",
    ),
    undefined: "never",
    user_model: "reads down the list with slowly fading interest",
    examples: &[Example {
        measure: "DCG@5",
        ranking: "1 1 0 0 0",
        value: 1.6309,
        working: "1/log2(2) + 1/log2(3) = 1.63",
    }],
    differs: &["the original paper does not discount below rank b: dcg=jk"],
    references: &["Järvelin and Kekäläinen 2002", "Moffat 2013, section 2"],
    build: |args| Ok(build(args, Normaliser::None)),
};

const SDCG: Def = Def {
    name: "SDCG",
    title: "Scaled discounted cumulative gain",
    family: "dcg",
    aliases: &[Alias::printed("NDCG-k@{k}", "@={k}")],
    params: &[FORM, GAINS, BASE, REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "SDCG@k = DCG@k / sum over i <= k of 1/log2(i+1), divided by the gain of the maximum grade.",
    range: Span::UNIT,
    undefined: "never",
    user_model: "reads down to rank k with slowly fading interest",
    examples: &[
        Example {
            measure: "SDCG@5",
            ranking: "1 1 0 0 0",
            value: 0.5531,
            working: "1.6309 / (1 + .6309 + .5 + .4307 + .3869 = 2.9485) = 0.55",
        },
        Example {
            measure: "SDCG@6",
            ranking: "1 1 1 1 1 0 | 1",
            value: 0.8922,
            working: "2.9485 / 3.3047 = 0.89",
        },
    ],
    differs: &[],
    references: &["Moffat 2013, section 2 and Table 1"],
    build: |args| Ok(build(args, Normaliser::Scale)),
};

const SNDCG: Def = Def {
    name: "SNDCG",
    title: "Self-normalised discounted cumulative gain (SN-DCG)",
    family: "dcg",
    aliases: &[Alias::plain("SN-DCG")],
    params: &[FORM, GAINS, BASE, REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "SNDCG@k = DCG@k / DCG of the best permutation of the top k.",
    range: Span::UNIT,
    undefined: "no document with a gain in the top k",
    user_model: "compares the list with the best order of the same k documents",
    examples: &[Example {
        measure: "SNDCG@5",
        ranking: "1 0 1 0 0",
        value: 0.9197,
        working: "(1 + .5) / (1 + .6309) = 0.92",
    }],
    differs: &[],
    references: &["Moffat 2013, section 3 (which prints SDCG where DCG is meant) and Table 1"],
    build: |args| Ok(build(args, Normaliser::Own)),
};

const IDCG: Def = Def {
    name: "IDCG",
    title: "Discounted cumulative gain of the ideal ranking",
    family: "dcg",
    aliases: &[Alias::plain("ideal_dcg")],
    params: &[FORM, GAINS, BASE, REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "IDCG@k = DCG@k of the ideal ranking of all judged documents: what nDCG is divided by. The same for every run.",
    range: Span::Words("0 upwards"),
    undefined: "never",
    user_model: "that of DCG, with the best possible list",
    examples: &[Example {
        measure: "IDCG",
        ranking: "0 1 | 2",
        value: 2.6309,
        working: "ideal 2 1: 2/log2(2) + 1/log2(3) = 2.6309",
    }],
    differs: &[],
    references: &["Järvelin and Kekäläinen 2002"],
    build: |args| Ok(build(args, Normaliser::OnlyIdeal)),
};
