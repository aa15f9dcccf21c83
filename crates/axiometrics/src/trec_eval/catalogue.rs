//! The list of trec_eval's measures and of its nicknames, which are data.
//!
//! In an expression `{l}` stands for the lowest relevant grade (`-l`), `{x}` for one parameter, and
//! `{j}` for the choice to leave unjudged documents out (`-J`) of each judgement group.

use super::names::{MeasureKind, TrecMeasure};

const CUTOFFS: &[i64] = &[5, 10, 15, 20, 30, 100, 200, 500, 1000];
const RECALLS: &[f64] = &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
const MULTIPLES: &[f64] = &[0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0];

/// The levels of recall of the eleven-point average.
pub(super) const ELEVEN: &[f64] = RECALLS;

const fn measure(name: &'static str, kind: MeasureKind, about: &'static str) -> TrecMeasure {
    TrecMeasure { name, kind, about }
}

const fn preference(name: &'static str) -> TrecMeasure {
    measure(name, MeasureKind::Preference, "")
}

/// Precision interpolated at a level of recall, which trec_eval 9 counts in a way of its own.
pub(super) const INTERPOLATED_PRECISION: &str = "IPrec(rel={l})@{x}";

/// All of them, in the order in which they are printed.
pub const MEASURES: &[TrecMeasure] = &[
    measure(
        "runid",
        MeasureKind::RunTag,
        "The tag in the last column of the run, from its last line. Summary only.",
    ),
    measure(
        "num_q",
        MeasureKind::Topics,
        "How many topics the summary is about: those of run and judgements both, with -c all judged ones.",
    ),
    measure(
        "num_ret",
        MeasureKind::Count("NumRet"),
        "How many documents were retrieved. The summary is the sum.",
    ),
    measure(
        "num_rel",
        MeasureKind::Count("NumRel(rel={l})"),
        "How many relevant documents the topic has. The summary is the sum.",
    ),
    measure(
        "num_rel_ret",
        MeasureKind::Count("NumRet(rel={l})"),
        "How many relevant documents were retrieved. The summary is the sum.",
    ),
    measure(
        "map",
        MeasureKind::Single("AP(rel={l})"),
        "Average precision: the mean over all relevant documents of the precision at their ranks, 0 for one not retrieved.",
    ),
    measure(
        "gm_map",
        MeasureKind::Geometric("AP(rel={l})"),
        "The geometric mean of average precision over topics, each counted as 0.00001 at least. Summary only.",
    ),
    measure(
        "Rprec",
        MeasureKind::Single("RPrec(rel={l})"),
        "Precision at rank R, where R is the number of relevant documents of the topic.",
    ),
    measure(
        "bpref",
        MeasureKind::Single("Bpref(rel={l})"),
        "Binary preference: how seldom judged non-relevant documents stand above relevant ones. Unjudged documents play no part.",
    ),
    measure(
        "recip_rank",
        MeasureKind::Single("RR(rel={l})"),
        "One divided by the rank of the first relevant document.",
    ),
    measure(
        "iprec_at_recall",
        MeasureKind::Levels(INTERPOLATED_PRECISION, RECALLS, 0.0..=1.0),
        "Interpolated precision: the highest precision at this level of recall or a higher one. Parameters: levels of recall, as in iprec_at_recall.0,.1,.5",
    ),
    measure(
        "P",
        MeasureKind::Cutoffs("P(rel={l})@{x}", CUTOFFS),
        "Precision: the share of relevant documents in the first k ranks, always divided by k. Parameters: cutoffs, as in P.5,10",
    ),
    measure(
        "relstring",
        MeasureKind::Grades,
        "The grades of the first 10 documents, a character each: a digit, > above 9, - for an unjudged document, . for a pooled one without assessment. Per topic only. Parameter: how many, as in relstring.20",
    ),
    measure(
        "recall",
        MeasureKind::Cutoffs("R(rel={l})@{x}", CUTOFFS),
        "Recall: the share of the relevant documents that stands in the first k ranks. Parameters: cutoffs.",
    ),
    measure(
        "infAP",
        MeasureKind::Single("infAP(rel={l})"),
        "Inferred average precision: AP estimated when only a sample of the pool was judged, the rest having a grade below 0.",
    ),
    measure(
        "gm_bpref",
        MeasureKind::Geometric("Bpref(rel={l})"),
        "The geometric mean of bpref over topics, each counted as 0.00001 at least. Summary only.",
    ),
    measure(
        "Rprec_mult",
        MeasureKind::Levels("RPrecMult(m={x},rel={l})", MULTIPLES, f64::MIN_POSITIVE..=f64::MAX),
        "Precision at multiples of R, the number of relevant documents. Parameters: the multiples, as in Rprec_mult.0.5,1,2",
    ),
    measure(
        "utility",
        MeasureKind::Utility,
        "A weighted sum of four counts: relevant retrieved, other retrieved, relevant not retrieved, other not retrieved; -N gives the size of the collection for the last. Parameters: the four weights, utility.1,-1,0,0 if none are given",
    ),
    measure(
        "11pt_avg",
        MeasureKind::MeanOfLevels(INTERPOLATED_PRECISION),
        "The mean of interpolated precision over levels of recall, eleven from 0 to 1. Parameters: other levels, as in 11pt_avg.0.2,0.5,0.8",
    ),
    measure(
        "binG",
        MeasureKind::Single("binG(rel={l})"),
        "G with binary gains: the mean over relevant documents of 1 / log2(2 + other documents above).",
    ),
    measure(
        "G",
        MeasureKind::Gains("G"),
        "Gain discounted by the gain that was missed on the way, as a share of all gain. Parameters: gains by grade, as in G.1=3,2=9",
    ),
    measure(
        "dcg",
        MeasureKind::Gains("DCG"),
        "Discounted cumulative gain, with gain / log2(rank + 1). Parameters: gains by grade, as in dcg.1=3,2=9",
    ),
    measure(
        "ideal_dcg",
        MeasureKind::Gains("IDCG"),
        "The discounted cumulative gain of the ideal ranking. Parameters: gains by grade.",
    ),
    measure(
        "ndcg",
        MeasureKind::Gains("nDCG"),
        "Discounted cumulative gain as a share of that of the ideal ranking. Parameters: gains by grade, as in ndcg.1=3,2=9; other grades are their own gains",
    ),
    measure(
        "ndcg_rel",
        MeasureKind::Gains("ndcg_rel"),
        "nDCG averaged over the ranks of the documents with a gain. Parameters: gains by grade.",
    ),
    measure(
        "Rndcg",
        MeasureKind::GainsOfRelevant("Rndcg"),
        "nDCG averaged over the ranks behind which the ideal ranking changes its gain. Parameters: gains by grade.",
    ),
    measure(
        "ndcg_cut",
        MeasureKind::Cutoffs("nDCG@{x}", CUTOFFS),
        "nDCG of the first k ranks. Parameters: cutoffs, as in ndcg_cut.10,20",
    ),
    measure(
        "map_cut",
        MeasureKind::Cutoffs("AP(rel={l})@{x}", CUTOFFS),
        "Average precision of the first k ranks, divided by all relevant documents. Parameters: cutoffs.",
    ),
    measure(
        "relative_P",
        MeasureKind::Cutoffs("RelP(rel={l})@{x}", CUTOFFS),
        "Precision at k as a share of the best that there could be: divided by min(k, R). Parameters: cutoffs.",
    ),
    measure(
        "success",
        MeasureKind::Cutoffs("Success(rel={l})@{x}", &[1, 5, 10]),
        "1 if a relevant document is in the first k ranks, else 0. Parameters: cutoffs.",
    ),
    measure(
        "set_P",
        MeasureKind::Single("SetP(rel={l})"),
        "Precision of the retrieved set: relevant retrieved / retrieved.",
    ),
    measure(
        "set_relative_P",
        MeasureKind::Single("SetP(rel={l},relative=true)"),
        "Precision of the retrieved set as a share of the best for a set of its size.",
    ),
    measure(
        "set_recall",
        MeasureKind::Single("SetR(rel={l})"),
        "Recall of the retrieved set: relevant retrieved / relevant.",
    ),
    measure(
        "set_map",
        MeasureKind::Single("SetAP(rel={l})"),
        "Precision times recall of the retrieved set.",
    ),
    measure(
        "set_F",
        MeasureKind::SetF,
        "The F measure of the retrieved set, (x + 1) P R / (x P + R). Parameter: x, the square of what is usually called beta; 1 if none is given",
    ),
    measure(
        "num_nonrel_judged_ret",
        MeasureKind::Count("NumNonrelRet(rel={l})"),
        "How many retrieved documents were judged not relevant. The summary is the sum.",
    ),
    preference("prefs_num_prefs_poss"),
    preference("prefs_num_prefs_ful"),
    preference("prefs_num_prefs_ful_ret"),
    preference("prefs_simp"),
    preference("prefs_pair"),
    preference("prefs_avgjg"),
    preference("prefs_avgjg_Rnonrel"),
    preference("prefs_simp_ret"),
    preference("prefs_pair_ret"),
    preference("prefs_avgjg_ret"),
    preference("prefs_avgjg_Rnonrel_ret"),
    preference("prefs_simp_imp"),
    preference("prefs_pair_imp"),
    preference("prefs_avgjg_imp"),
    measure(
        "map_avgjg",
        MeasureKind::Group(&MeasureKind::Single("AvgJG(measure='AP(rel={l}{j})')")),
        "Average precision for each judgement group alone, averaged over the groups. Needs -R qrels_jg.",
    ),
    measure(
        "P_avgjg",
        MeasureKind::Group(&MeasureKind::Cutoffs("AvgJG(measure='P(rel={l}{j})@{x}')", CUTOFFS)),
        "Precision for each judgement group alone, averaged. Needs -R qrels_jg. Parameters: cutoffs.",
    ),
    measure(
        "Rprec_mult_avgjg",
        MeasureKind::Group(&MeasureKind::Levels(
            "AvgJG(measure='RPrecMult(m={x},rel={l}{j})')",
            MULTIPLES,
            f64::MIN_POSITIVE..=f64::MAX,
        )),
        "Precision at multiples of R for each judgement group alone, averaged. Needs -R qrels_jg. Parameters: the multiples.",
    ),
    measure(
        "yaap",
        MeasureKind::Single("yaAP(rel={l})"),
        "Yet another average precision: ln((1 + S) / (1 + R - S)), S the sum of the precisions at relevant documents.",
    ),
    measure(
        "rbp",
        MeasureKind::Rbp,
        "Rank-biased precision: (1 - p) times the sum of gain * p^(rank - 1). Gains are grades, divided by the topic's highest if that is above 1. Parameters: p (0.9 if it is not given) and gains by grade, as in rbp.p=0.8,1=0.5,2=1",
    ),
    measure(
        "rbp_resid",
        MeasureKind::Residual,
        "How much rbp could grow if every unjudged document, and every one below the end of the ranking, had the highest gain. Parameter: p, as in rbp_resid.p=0.8",
    ),
    measure(
        "unj",
        MeasureKind::Cutoffs("Unjudged@{x}", &[5, 10, 20]),
        "The share of unjudged documents in the first k ranks. Parameters: cutoffs.",
    ),
];

/// Names that stand for several measures.
pub const NICKNAMES: &[(&str, &[&str])] = &[
    ("official", OFFICIAL),
    (
        "set",
        &[
            "runid",
            "num_q",
            "num_ret",
            "num_rel",
            "num_rel_ret",
            "utility",
            "set_P",
            "set_recall",
            "set_relative_P",
            "set_map",
            "set_F",
        ],
    ),
    ("all_trec", ALL_TREC),
    ("all_prefs", ALL_PREFS),
    (
        "prefs",
        &[
            "runid",
            "num_q",
            "prefs_num_prefs_poss",
            "prefs_num_prefs_ful",
            "prefs_num_prefs_ful_ret",
            "prefs_simp",
            "prefs_pair",
            "prefs_avgjg",
        ],
    ),
    ("qrels_jg", &["runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"]),
];

const OFFICIAL: &[&str] = &[
    "runid",
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
    "iprec_at_recall",
    "P",
];

const ALL_TREC: &[&str] = &[
    "runid",
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
    "iprec_at_recall",
    "P",
    "relstring",
    "recall",
    "infAP",
    "gm_bpref",
    "Rprec_mult",
    "utility",
    "11pt_avg",
    "binG",
    "G",
    "ndcg",
    "ndcg_rel",
    "Rndcg",
    "ndcg_cut",
    "map_cut",
    "relative_P",
    "success",
    "set_P",
    "set_relative_P",
    "set_recall",
    "set_map",
    "set_F",
    "num_nonrel_judged_ret",
    "rbp",
    "rbp_resid",
    "unj",
];

const ALL_PREFS: &[&str] = &[
    "runid",
    "num_q",
    "prefs_num_prefs_poss",
    "prefs_num_prefs_ful",
    "prefs_num_prefs_ful_ret",
    "prefs_simp",
    "prefs_pair",
    "prefs_avgjg",
    "prefs_avgjg_Rnonrel",
    "prefs_simp_ret",
    "prefs_pair_ret",
    "prefs_avgjg_ret",
    "prefs_avgjg_Rnonrel_ret",
    "prefs_simp_imp",
    "prefs_pair_imp",
    "prefs_avgjg_imp",
];
