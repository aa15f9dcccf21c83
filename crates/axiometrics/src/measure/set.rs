//! The retrieved documents as a set: no cutoff, no order.

use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{JUDGED_ONLY, Param, ParamKind, REL};
use super::precision::{BETA, f_formula, f_measure, relevant_seen};
use super::range::{Corners, Counts};
use super::structure;
use super::ties::OrderedWithin;
use super::{Declaration, Formula, NO_RELEVANT, Number, Score, ratio};
use crate::data::{Judged, Needs};
use crate::error::Error;
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] = &[&SET_PRECISION, &SET_RECALL, &SET_F, &SET_AP, &UTILITY];

const NOTHING_RETRIEVED: &str = "nothing was retrieved";

enum SetForm {
    Precision,
    /// Precision as a share of the best that a set of this size could have.
    RelativePrecision,
    Recall,
    F {
        beta: f64,
    },
    /// Precision times recall.
    AveragePrecision,
}

struct SetMeasure {
    rel: f64,
    form: SetForm,
}

impl Formula for SetMeasure {
    fn declaration(&self) -> Declaration<'_> {
        Declaration {
            structure: self.form().into(),
            ranges: Box::new(self.counts()),
            ties: Box::new(self.counts()),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        self.value(
            relevant_seen(topic, u32::MAX, self.rel),
            topic.retrieved,
            topic.relevant(&N::decimal(self.rel)),
        )
    }
}

impl SetMeasure {
    fn form(&self) -> structure::Form {
        let (value, needs_relevant) = match self.form {
            SetForm::Precision => ("h / k".to_string(), false),
            SetForm::RelativePrecision => ("h / min(k, R)".to_string(), true),
            SetForm::Recall => ("h / R".to_string(), true),
            SetForm::F { beta } => (f_formula(beta), true),
            SetForm::AveragePrecision => ("h^2 / (k * R)".to_string(), true),
        };
        structure::Form::Count { rel: self.rel, value, needs_relevant }
    }

    fn counts(&self) -> Counts<'_> {
        let value =
            Box::new(|seen, retrieved, relevant| self.value(f64::from(seen), retrieved, relevant));
        let linear = !matches!(self.form, SetForm::AveragePrecision);
        Counts { k: u32::MAX, rel: self.rel, value, linear }
    }

    fn value<N: Number>(&self, seen: N, retrieved: u32, relevant: u32) -> Score<N> {
        match self.form {
            SetForm::Precision => ratio(seen, N::count(retrieved), NOTHING_RETRIEVED),
            SetForm::RelativePrecision if retrieved == 0 => Score::Undefined(NOTHING_RETRIEVED),
            SetForm::RelativePrecision => {
                ratio(seen, N::count(relevant.min(retrieved)), NO_RELEVANT)
            }
            SetForm::Recall => ratio(seen, N::count(relevant), NO_RELEVANT),
            SetForm::F { beta } => f_measure(seen, retrieved, relevant, beta),
            SetForm::AveragePrecision if retrieved == 0 => Score::Undefined(NOTHING_RETRIEVED),
            SetForm::AveragePrecision => {
                ratio(seen.clone() * seen, N::count(retrieved) * N::count(relevant), NO_RELEVANT)
            }
        }
    }
}

const RELATIVE: Param = Param {
    name: Cow::Borrowed("relative"),
    kind: ParamKind::Flag,
    default: Some(Cow::Borrowed("false")),
    doc: "divide by the best precision that a set of this size could have: by min(retrieved, R)",
};

const SET_PRECISION: Def = Def {
    name: "SetP",
    title: "Precision of the retrieved set",
    family: "set",
    aliases: &[
        Alias::plain("set_P"),
        Alias::plain("SetRelP").implying("relative=true"),
        Alias::plain("set_relative_P").implying("relative=true"),
    ],
    params: &[REL, RELATIVE, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "SetP = relevant retrieved / retrieved; relative=true divides by min(retrieved, R) instead.",
    range: Span::UNIT,
    undefined: "nothing was retrieved; with relative=true also if the topic has no relevant document",
    user_model: "reads everything that was retrieved and counts how much of it is relevant",
    examples: &[
        Example {
            measure: "SetP",
            ranking: "1 0 0 1 | 1",
            value: 0.5,
            working: "two of four retrieved are relevant: 0.5",
        },
        Example {
            measure: "SetP(relative=true)",
            ranking: "1 0 0 1 | 1",
            value: 2.0 / 3.0,
            working: "2 / min(4, 3) = 2/3",
        },
    ],
    differs: &["trec_eval gives 0 if nothing was retrieved"],
    references: &[
        "van Rijsbergen 1979, Information Retrieval, chapter 7",
        "trec_eval's set_P and set_relative_P",
    ],
    build: |args| {
        let form =
            if args.flag("relative") { SetForm::RelativePrecision } else { SetForm::Precision };
        Ok(Box::new(SetMeasure { rel: args.number("rel"), form }))
    },
};

const SET_RECALL: Def = Def {
    name: "SetR",
    title: "Recall of the retrieved set",
    family: "set",
    aliases: &[Alias::plain("set_recall")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "SetR = relevant retrieved / R, R the number of relevant documents of the topic.",
    range: Span::UNIT,
    undefined: "the topic has no relevant document",
    user_model: "reads everything that was retrieved and asks what share of all relevant documents is among it",
    examples: &[Example {
        measure: "SetR",
        ranking: "1 0 0 1 | 1",
        value: 2.0 / 3.0,
        working: "two of three relevant documents: 2/3",
    }],
    differs: &["trec_eval gives 0 if the topic has no relevant document"],
    references: &[
        "van Rijsbergen 1979, Information Retrieval, chapter 7",
        "trec_eval's set_recall",
    ],
    build: |args| Ok(Box::new(SetMeasure { rel: args.number("rel"), form: SetForm::Recall })),
};

const SET_F: Def = Def {
    name: "SetF",
    title: "F of the retrieved set",
    family: "set",
    aliases: &[Alias::plain("set_F")],
    params: &[BETA, REL, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "SetF = (1 + beta^2) P R / (beta^2 P + R), P and R the precision and recall of the retrieved set; 0 if nothing relevant was retrieved.",
    range: Span::UNIT,
    undefined: "the topic has no relevant document, or beta is 0 and nothing was retrieved",
    user_model: "reads everything that was retrieved, and finds recall beta times as important as precision",
    examples: &[
        Example {
            measure: "SetF",
            ranking: "1 0 0 1 | 1",
            value: 4.0 / 7.0,
            working: "P = 1/2, R = 2/3: 2 * (1/3) / (7/6) = 4/7 = 0.5714",
        },
        Example {
            measure: "SetF(beta=2)",
            ranking: "1 0 0 1 | 1",
            value: 0.625,
            working: "P = 1/2, R = 2/3: 5 * (1/3) / (4 * 1/2 + 2/3) = (5/3) / (8/3) = 0.625",
        },
    ],
    differs: &[
        "trec_eval's set_F.x has x = beta^2: set_F.4 is SetF(beta=2)",
        "ir_measures hands beta to trec_eval as x: its SetF(beta=2) is SetF(beta=1.4142) here",
    ],
    references: &["van Rijsbergen 1979, Information Retrieval, chapter 7"],
    build: |args| {
        Ok(Box::new(SetMeasure {
            rel: args.number("rel"),
            form: SetForm::F { beta: args.number("beta") },
        }))
    },
};

const SET_AP: Def = Def {
    name: "SetAP",
    title: "Average precision of the retrieved set",
    family: "set",
    aliases: &[Alias::plain("set_map")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "SetAP = P * R, the precision and the recall of the retrieved set: AP where every relevant document had the precision of the whole set.",
    range: Span::UNIT,
    undefined: "the topic has no relevant document, or nothing was retrieved",
    user_model: "that of AP, for results without an order",
    examples: &[Example {
        measure: "SetAP",
        ranking: "1 0 0 1 | 1",
        value: 1.0 / 3.0,
        working: "1/2 * 2/3 = 1/3",
    }],
    differs: &["trec_eval gives 0 if this is undefined"],
    references: &["trec_eval's set_map"],
    build: |args| {
        Ok(Box::new(SetMeasure { rel: args.number("rel"), form: SetForm::AveragePrecision }))
    },
};

/// The worth of one document in each cell of the contingency table.
struct Utility {
    rel: f64,
    relevant_retrieved: f64,
    other_retrieved: f64,
    relevant_missed: f64,
    other_left: f64,
    docs: u32,
}

impl Formula for Utility {
    fn declaration(&self) -> Declaration<'_> {
        let Utility { relevant_retrieved: a, other_retrieved: b, relevant_missed: c, .. } = self;
        let (d, docs) = (self.other_left, self.docs);
        let left =
            if d == 0.0 { String::new() } else { format!(" + ({d}) * ({docs} - k - R + h)") };
        let missed = if *c == 0.0 { String::new() } else { format!(" + ({c}) * (R - h)") };
        let value = format!("({a}) * h + ({b}) * (k - h){missed}{left}");
        Declaration {
            structure: structure::Form::Count { rel: self.rel, value, needs_relevant: false }
                .into(),
            // Every document whose relevance is open adds or takes the same, in its own cell of the
            // table.
            ranges: Box::new(Corners),
            ties: Box::new(OrderedWithin(u32::MAX)),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let hit: N = relevant_seen(topic, u32::MAX, self.rel);
        let noise = N::count(topic.retrieved) - hit.clone();
        let missed = N::count(topic.relevant(&N::decimal(self.rel))) - hit.clone();
        let left = N::count(self.docs) - hit.clone() - noise.clone() - missed.clone();
        let cells = [
            (self.relevant_retrieved, hit),
            (self.other_retrieved, noise),
            (self.relevant_missed, missed),
            (self.other_left, left),
        ];
        Score::Value(
            cells
                .into_iter()
                .fold(N::zero(), |sum, (worth, count)| sum + N::decimal(worth) * count),
        )
    }
}

const fn worth(name: &'static str, default: &'static str, doc: &'static str) -> Param {
    Param {
        name: Cow::Borrowed(name),
        kind: ParamKind::Number { min: f64::NEG_INFINITY, max: f64::INFINITY },
        default: Some(Cow::Borrowed(default)),
        doc,
    }
}

const UTILITY: Def = Def {
    name: "Utility",
    title: "Linear utility of the retrieved set",
    family: "set",
    aliases: &[Alias::plain("utility")],
    params: &[
        worth("a", "1", "the worth of a relevant document that was retrieved"),
        worth("b", "-1", "the worth of any other document that was retrieved"),
        worth("c", "0", "the worth of a relevant document that was not retrieved"),
        worth("d", "0", "the worth of any other document that was not retrieved; needs docs"),
        Param {
            name: Cow::Borrowed("docs"),
            kind: ParamKind::Integer { min: 0 },
            default: None,
            doc: "how many documents the collection has; asked for where d is not 0",
        },
        REL,
        JUDGED_ONLY,
    ],
    cutoff: Cutoff::Never,
    definition: "Utility = a * relevant retrieved + b * other retrieved + c * relevant not retrieved + d * other not retrieved.",
    range: Span::Words("any number"),
    undefined: "never",
    user_model: "gains by each relevant document and pays for each other one",
    examples: &[
        Example {
            measure: "Utility",
            ranking: "1 0 1 | 1",
            value: 1.0,
            working: "2 relevant - 1 other = 1",
        },
        Example {
            measure: "Utility(a=3,b=-2,c=-1,d=0.5,docs=10)",
            ranking: "1 0 1 | 1",
            value: 6.0,
            working: "3*2 - 2*1 - 1*1 + 0.5*(10 - 2 - 1 - 1) = 6 - 2 - 1 + 3 = 6",
        },
    ],
    differs: &[
        "trec_eval takes the size of the collection as -N, and writes the four as utility.1,-1,0,0",
    ],
    references: &["the TREC filtering track; trec_eval's utility"],
    build: |args| {
        let docs = args.optional("docs");
        if args.number("d") != 0.0 && docs.is_none() {
            return Err(Error::usage(
                "Utility: d is not 0, so the size of the collection is needed",
            )
            .help("write docs=N"));
        }
        Ok(Box::new(Utility {
            rel: args.number("rel"),
            relevant_retrieved: args.number("a"),
            other_retrieved: args.number("b"),
            relevant_missed: args.number("c"),
            other_left: args.number("d"),
            docs: docs.unwrap_or(0.0) as u32,
        }))
    },
};
