//! The measures of the C/W/L family.

use super::expressed::CWL;
use super::models::{
    Constant, Foraging, Geometric, Harmonic, InverseSquare, LinearAttention, Logistic, Satisfied,
    Target, Tireless,
};
use super::{Cwl, DEPTH, GAINS, MAX_REL, MIN_REL, VALUE};
use crate::measure::def::{Alias, Cutoff, Def, Example, Span};
use crate::measure::params::{Args, JUDGED_ONLY, Param, ParamKind};
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] =
    &[&INSQ, &INST, &BPM, &TBG, &U, &NPV, &NERR8, &NERR9, &NERR10, &NERR11, &IFT, &CWL];

/// The goal, with its own least value and default.
const fn goal(kind: ParamKind, default: &'static str) -> Param {
    Param {
        name: Cow::Borrowed("T"),
        kind,
        default: Some(Cow::Borrowed(default)),
        doc: "the gain that the user wants in all",
    }
}

const GOAL: Param = goal(ParamKind::Open { min: 0.0, max: 1e9 }, "1");

const INSQ: Def = Def {
    name: "INSQ",
    title: "Inverse squares",
    family: "cwl",
    aliases: &[Alias::plain("insq"), Alias::printed("INSQ-T={T}", "T={T},depth=1000")],
    params: &[GOAL, MIN_REL, MAX_REL, GAINS, DEPTH, VALUE, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "INSQ = sum of W(i) r_i, W(i) = (i + 2T - 1)^-2 / trigamma(2T), r_i = grade / maximum grade; C(i) = ((i + 2T - 1) / (i + 2T))^2.",
    range: Span::UNIT,
    undefined: "never, unless min_rel reaches the maximum grade",
    user_model: "wants a gain of T and is the more patient the larger it is; having read far, reads further",
    examples: &[Example {
        measure: "INSQ(T=1)",
        ranking: "1 0 1",
        value: 0.4845,
        working: "(1/2^2 + 1/4^2) / trigamma(2) = 0.3125 / (pi^2/6 - 1) = 0.3125 / 0.6449 = 0.4845",
    }],
    differs: &[
        "cwl_eval, and ir_measures through it, ends the list at rank 1000, which is 0.2 to 0.6 percent higher: depth=1000",
    ],
    references: &["Moffat, Scholer and Thomas 2012"],
    build: |args| Cwl::endless(InverseSquare { goal: args.number("T"), adapts: false }, args),
};

const INST: Def = Def {
    name: "INST",
    title: "Inverse squares with a goal that adapts",
    family: "cwl",
    aliases: &[Alias::plain("inst"), Alias::printed("INST-T={T}", "T={T},depth=1000")],
    params: &[
        goal(ParamKind::Number { min: 0.5, max: 1e9 }, "1"),
        MIN_REL,
        MAX_REL,
        GAINS,
        DEPTH,
        VALUE,
        JUDGED_ONLY,
    ],
    cutoff: Cutoff::Optional,
    definition: "INST = sum of W(i) r_i, C(i) = ((i - 1 + T + T_i) / (i + T + T_i))^2, T_i = T - sum of r_j over j <= i, r_i = grade / maximum grade.",
    range: Span::UNIT,
    undefined: "never, unless min_rel reaches the maximum grade",
    user_model: "wants a gain of T, and reads on the less the more of it was found",
    examples: &[Example {
        measure: "INST(T=1)",
        ranking: "1",
        value: 0.6079,
        working: "C(1) = (1/2)^2, then C(i) = (i/(i+1))^2, so V(i) = 1/i^2: 1 / (1 + 1/4 + 1/9 + ...) = 6/pi^2 = 0.6079",
    }],
    differs: &[
        "cwl_eval, and ir_measures through it, ends the list at rank 1000: depth=1000",
        "cwl_eval's total gain leaves out the users who would read on behind its last rank; with depth they stop there here",
    ],
    references: &[
        "Moffat, Bailey, Scholer and Thomas 2015",
        "Bailey, Moffat, Scholer and Thomas 2015",
    ],
    build: |args| Cwl::endless(InverseSquare { goal: args.number("T"), adapts: true }, args),
};

const BPM: Def = Def {
    name: "BPM",
    title: "Bejeweled player model, static",
    family: "cwl",
    aliases: &[Alias::plain("bpm"), Alias::printed("BPM-Static-T={T}-K={K}", "T={T},@={K}")],
    params: &[GOAL, MIN_REL, MAX_REL, GAINS, VALUE, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "BPM@k = the mean gain of the documents read: down to rank k, or to the first rank where the gains add up to T.",
    range: Span::UNIT,
    undefined: "never, unless min_rel reaches the maximum grade",
    user_model: "reads until a gain of T is found or k documents are read",
    examples: &[Example {
        measure: "BPM(T=1)@4",
        ranking: "0 1 1 1",
        value: 0.5,
        working: "the goal is reached at rank 2: 1 gain in 2 documents",
    }],
    differs: &[
        "cwl_eval adds up fractions of grades in floating point and may miss by one rounding that the goal is reached; here grades are added up first",
        "cwl_eval also has a dynamic form, in which the goal moves; its limit of cost never does",
    ],
    references: &["Zhang, Liu, Li, Zhang, Xu and Ma 2017"],
    build: |args| Cwl::down_to_cutoff(Target { goal: args.number("T") }, args),
};

const COST: Param = Param {
    name: Cow::Borrowed("cost"),
    kind: ParamKind::Open { min: 0.0, max: f64::INFINITY },
    default: Some(Cow::Borrowed("1")),
    doc: "what reading one document costs, in the same unit",
};

const TBG: Def = Def {
    name: "TBG",
    title: "Time-biased gain",
    family: "cwl",
    aliases: &[Alias::plain("tbg"), Alias::printed("TBG-H@{H}", "halflife={H},depth=1000")],
    params: &[
        Param {
            name: Cow::Borrowed("halflife"),
            kind: ParamKind::Open { min: 0.0, max: f64::INFINITY },
            default: Some(Cow::Borrowed("224")),
            doc: "after how much time half of the users have left",
        },
        COST,
        MIN_REL,
        MAX_REL,
        GAINS,
        DEPTH,
        VALUE,
        JUDGED_ONLY,
    ],
    cutoff: Cutoff::Optional,
    definition: "TBG = sum of W(i) r_i, C = 2^(-cost/halflife), where every document costs the same time; r_i = grade / maximum grade.",
    range: Span::UNIT,
    undefined: "never, unless min_rel reaches the maximum grade",
    user_model: "leaves as time passes; half of all users are gone after each half-life",
    examples: &[Example {
        measure: "TBG(halflife=1)",
        ranking: "1 0 1",
        value: 0.625,
        working: "C = 1/2: (1 + 1/4) / (1 + 1/2 + 1/4 + ...) = 1.25 / 2",
    }],
    differs: &[
        "the paper's gain is not divided by the documents read, and times depend on a document's length: value=total, and no lengths here",
        "cwl_eval ends the list at rank 1000: depth=1000",
    ],
    references: &["Smucker and Clarke 2012"],
    build: |args| {
        Cwl::endless(
            Geometric { c: Constant::HalfLife(args.number("cost") / args.number("halflife")) },
            args,
        )
    },
};

const U: Def = Def {
    name: "U",
    title: "U-measure",
    family: "cwl",
    aliases: &[Alias::plain("U-measure"), Alias::printed("U-L@{L}", "L={L},depth=999")],
    params: &[
        Param {
            name: Cow::Borrowed("L"),
            kind: ParamKind::Open { min: 0.0, max: f64::INFINITY },
            default: Some(Cow::Borrowed("1000")),
            doc: "the length of text, or cost, after which nobody reads on",
        },
        COST,
        MIN_REL,
        MAX_REL,
        GAINS,
        DEPTH,
        VALUE,
        JUDGED_ONLY,
    ],
    cutoff: Cutoff::Optional,
    definition: "U = sum of W(i) r_i, W(i) proportional to max(0, 1 - (i-1) * cost / L), where every document has the same length; r_i = grade / maximum grade.",
    range: Span::UNIT,
    undefined: "never, unless min_rel reaches the maximum grade",
    user_model: "reads with attention that fades in a straight line with the length of text read",
    examples: &[Example {
        measure: "U(L=4)",
        ranking: "1 0 1",
        value: 0.6,
        working: "weights 1, 0.75, 0.5, 0.25: (1 + 0.5) / 2.5 = 0.6",
    }],
    differs: &[
        "the paper counts positions in the text that was read, at the end of each part, and does not divide by the sum of weights",
        "cwl_eval ends the list at rank 1000, to which it gives no weight: depth=999",
    ],
    references: &["Sakai and Dou 2013"],
    build: |args| {
        Cwl::endless(LinearAttention { length: args.number("L") / args.number("cost") }, args)
    },
};

const NPV: Def = Def {
    name: "NPV",
    title: "Net present value",
    family: "cwl",
    aliases: &[Alias::plain("npv"), Alias::printed("NPV-r@{r}", "rate={r},depth=1000")],
    params: &[
        Param {
            name: Cow::Borrowed("rate"),
            kind: ParamKind::Open { min: 0.0, max: f64::INFINITY },
            default: Some(Cow::Borrowed("0.1")),
            doc: "by how much the next document is worth less than this one",
        },
        MIN_REL,
        MAX_REL,
        GAINS,
        DEPTH,
        VALUE,
        JUDGED_ONLY,
    ],
    cutoff: Cutoff::Optional,
    definition: "NPV = sum of W(i) r_i, C = 1 / (1 + rate): RBP with p = 1 / (1 + rate), seen as the discounting of later gains.",
    range: Span::UNIT,
    undefined: "never, unless min_rel reaches the maximum grade",
    user_model: "prefers a gain now to one later, as with money",
    examples: &[Example {
        measure: "NPV(rate=1)",
        ranking: "1 0 1",
        value: 0.625,
        working: "C = 1/2: (1 + 1/4) / 2 = 0.625",
    }],
    differs: &["cwl_eval ends the list at rank 1000: depth=1000"],
    references: &["Azzopardi, Thomas and Moffat 2019, cwl_eval"],
    build: |args| Cwl::endless(Geometric { c: Constant::Discount(args.number("rate")) }, args),
};

const NERR8: Def = Def {
    name: "NERR8",
    title: "Not (but nearly) expected reciprocal rank, equation 8",
    family: "cwl",
    aliases: &[Alias::printed("NERR-EQ8@k={k}", "@={k}")],
    params: &[MIN_REL, MAX_REL, GAINS, VALUE, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "NERR8@k = sum of W(i) r_i, C(i) = 1 - r_i above rank k and 0 at it, r_i = grade / maximum grade.",
    range: Span::UNIT,
    undefined: "never, unless min_rel reaches the maximum grade",
    user_model: "reads down to rank k and is satisfied by each document with the probability of its gain",
    examples: &[Example {
        measure: "NERR8@3",
        ranking: "1 0 2",
        value: 0.5,
        working: "V = 1, 1/2, 1/2: (1 * 1/2 + 1/2 * 1) / 2 = 0.5",
    }],
    differs: &["nERR is another measure: ERR divided by that of the ideal ranking"],
    references: &["Azzopardi, Mackenzie and Moffat 2021, equation 8"],
    build: |args| Cwl::down_to_cutoff(Satisfied(Tireless), args),
};

const NERR9: Def = Def {
    name: "NERR9",
    title: "Not (but nearly) expected reciprocal rank, equation 9",
    family: "cwl",
    aliases: &[Alias::printed("NERR-EQ9@k={k}", "@={k}")],
    params: &[MIN_REL, MAX_REL, GAINS, VALUE, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "NERR9@k = sum of W(i) r_i, C(i) = i/(i+1) * (1 - r_i) above rank k and 0 at it, r_i = grade / maximum grade.",
    range: Span::UNIT,
    undefined: "never, unless min_rel reaches the maximum grade",
    user_model: "that of NERR8, who also tires as the reciprocal rank does",
    examples: &[Example {
        measure: "NERR9@3",
        ranking: "1 0 2",
        value: 0.4706,
        working: "V = 1, 1/2 * 1/2, 2/3 * 1/4 = 1, 1/4, 1/6: (1/2 + 1/6) / (17/12) = 8/17 = 0.4706",
    }],
    differs: &["nERR is another measure: ERR divided by that of the ideal ranking"],
    references: &["Azzopardi, Mackenzie and Moffat 2021, equation 9"],
    build: |args| Cwl::down_to_cutoff(Satisfied(Harmonic), args),
};

const NERR10: Def = Def {
    name: "NERR10",
    title: "Not (but nearly) expected reciprocal rank, equation 10",
    family: "cwl",
    aliases: &[Alias::printed("NERR-EQ10@phi={phi}", "p={phi},depth=1000")],
    params: &[
        Param {
            name: Cow::Borrowed("p"),
            kind: ParamKind::Open { min: 0.0, max: 1.0 },
            default: Some(Cow::Borrowed("0.9")),
            doc: "the probability of going on where the document did not satisfy",
        },
        MIN_REL,
        MAX_REL,
        GAINS,
        DEPTH,
        VALUE,
        JUDGED_ONLY,
    ],
    cutoff: Cutoff::Optional,
    definition: "NERR10 = sum of W(i) r_i, C(i) = p * (1 - r_i), r_i = grade / maximum grade.",
    range: Span::UNIT,
    undefined: "never, unless min_rel reaches the maximum grade",
    user_model: "that of RBP, who also stops if a document satisfies",
    examples: &[Example {
        measure: "NERR10(p=0.5)",
        ranking: "1 0 2",
        value: 0.4545,
        working: "V = 1, 1/4, 1/8, and 0 behind the last: (1/2 + 1/8) / (11/8) = 5/11 = 0.4545",
    }],
    differs: &["cwl_eval ends the list at rank 1000: depth=1000"],
    references: &["Azzopardi, Mackenzie and Moffat 2021, equation 10"],
    build: |args| {
        Cwl::endless(Satisfied(Geometric { c: Constant::Decimal(args.number("p")) }), args)
    },
};

const NERR11: Def = Def {
    name: "NERR11",
    title: "Not (but nearly) expected reciprocal rank, equation 11",
    family: "cwl",
    aliases: &[Alias::printed("NERR-EQ11@T={T}", "T={T},depth=1000")],
    params: &[GOAL, MIN_REL, MAX_REL, GAINS, DEPTH, VALUE, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "NERR11 = sum of W(i) r_i, C(i) = ((i + 2T - 1) / (i + 2T))^2 * (1 - r_i), r_i = grade / maximum grade.",
    range: Span::UNIT,
    undefined: "never, unless min_rel reaches the maximum grade",
    user_model: "that of INSQ, who also stops if a document satisfies",
    examples: &[Example {
        measure: "NERR11(T=1)",
        ranking: "1 0 2",
        value: 0.4639,
        working: "V = 1, 4/9 * 1/2, 9/16 * 2/9 = 1, 2/9, 1/8, and 0 behind the last: (1/2 + 1/8) / 1.3472 = 0.4639",
    }],
    differs: &["cwl_eval ends the list at rank 1000: depth=1000"],
    references: &["Azzopardi, Mackenzie and Moffat 2021, equation 11"],
    build: |args| {
        Cwl::endless(Satisfied(InverseSquare { goal: args.number("T"), adapts: false }), args)
    },
};

const fn positive(name: &'static str, default: &'static str, doc: &'static str) -> Param {
    Param {
        name: Cow::Borrowed(name),
        kind: ParamKind::Number { min: 0.0, max: f64::INFINITY },
        default: Some(Cow::Borrowed(default)),
        doc,
    }
}

const fn ease(name: &'static str, doc: &'static str) -> Param {
    Param {
        name: Cow::Borrowed(name),
        kind: ParamKind::Open { min: 0.0, max: f64::INFINITY },
        default: Some(Cow::Borrowed("0.9")),
        doc,
    }
}

fn logistic(args: &Args, level: &str, b: &str, rationality: &str) -> Logistic {
    Logistic { level: args.number(level), b: args.number(b), rationality: args.number(rationality) }
}

const IFT: Def = Def {
    name: "IFT",
    title: "Information foraging",
    family: "cwl",
    aliases: &[
        Alias::plain("IFT-C1").implying("form=goal"),
        Alias::plain("IFT-C2").implying("form=rate"),
        Alias::plain("IFT-C1-C2").implying("form=both"),
        Alias::printed("IFT-C1-T={T}-b1={b1}-R1={R1}", "form=goal,T={T},b1={b1},R1={R1}"),
        Alias::printed("IFT-C2-A={A}-b2={b2}-R2={R2}", "form=rate,A={A},b2={b2},R2={R2}"),
        Alias::printed(
            "IFT-C1-C2-T={T}-b1={b1}-R1={R1}-A={A}-b2={b2}-R2={R2}",
            "form=both,T={T},b1={b1},R1={R1},A={A},b2={b2},R2={R2}",
        ),
    ],
    params: &[
        goal(ParamKind::Open { min: 0.0, max: 1e9 }, "2"),
        ease("b1", "how easily the goal is forgotten: the larger, the longer the search"),
        positive("R1", "10", "how strictly the user keeps to the goal; 0: not at all"),
        positive("A", "0.2", "the rate of gain, per document, that the user expects"),
        ease("b2", "how easily a low rate ends the search: the larger, the sooner"),
        positive("R2", "10", "how strictly the user keeps to the rate; 0: not at all"),
        Param {
            name: Cow::Borrowed("form"),
            kind: ParamKind::Word(&["goal", "rate", "both"]),
            default: Some(Cow::Borrowed("both")),
            doc: "what the user heeds: the goal (C1), the rate (C2) or both",
        },
        MIN_REL,
        MAX_REL,
        GAINS,
        Param {
            name: Cow::Borrowed("depth"),
            kind: ParamKind::Integer { min: 1 },
            default: Some(Cow::Borrowed("1000")),
            doc: "the user stops here at the latest",
        },
        VALUE,
        JUDGED_ONLY,
    ],
    cutoff: Cutoff::Optional,
    definition: "IFT = sum of W(i) r_i, C(i) = C1 * C2 with C1 = 1 - 1 / (1 + b1 e^((T - y) R1)) and C2 = 1 / (1 + b2 e^((A - y/i) R2)), y the gain so far; form=goal is C1 alone, form=rate C2 alone.",
    range: Span::UNIT,
    undefined: "never, unless min_rel reaches the maximum grade",
    user_model: "forages: leaves when enough was found, and when too little is found per document",
    examples: &[Example {
        measure: "IFT(form=goal,b1=1,R1=0)",
        ranking: "1 0 1",
        value: 0.625,
        working: "with R1 = 0 the goal plays no part: C = 1 - 1/2; (1 + 1/4) / 2 = 0.625",
    }],
    differs: &["cwl_eval has no defaults and three classes for the three forms"],
    references: &["Azzopardi, Thomas and Craswell 2018"],
    build: |args| {
        let form = args.text("form");
        let goal = (form != "rate").then(|| logistic(args, "T", "b1", "R1"));
        let rate = (form != "goal").then(|| logistic(args, "A", "b2", "R2"));
        Cwl::endless(Foraging { goal, rate }, args)
    },
};
