//! The files that come with the program, found by name from anywhere, and which of them describe
//! built-in measures.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::Component;
use crate::measure::{Args, Metric, Own};

/// Every file, by its name without `.toml`.
const TEXTS: &[(&str, &str)] = &[
    ("accuracy", include_str!("../../../../components/accuracy.toml")),
    ("adm", include_str!("../../../../components/adm.toml")),
    ("adm_literal", include_str!("../../../../components/adm_literal.toml")),
    ("ap", include_str!("../../../../components/ap.toml")),
    ("ap_at_n", include_str!("../../../../components/ap_at_n.toml")),
    ("both_ends", include_str!("../../../../components/both_ends.toml")),
    ("both_ends_seen", include_str!("../../../../components/both_ends_seen.toml")),
    ("contrary", include_str!("../../../../components/contrary.toml")),
    ("dcg", include_str!("../../../../components/dcg.toml")),
    ("dcg_over_r", include_str!("../../../../components/dcg_over_r.toml")),
    ("err", include_str!("../../../../components/err.toml")),
    ("f_at_k", include_str!("../../../../components/f_at_k.toml")),
    ("gap", include_str!("../../../../components/gap.toml")),
    ("gmap", include_str!("../../../../components/gmap.toml")),
    ("gmap_literal", include_str!("../../../../components/gmap_literal.toml")),
    ("hit", include_str!("../../../../components/hit.toml")),
    ("idcg", include_str!("../../../../components/idcg.toml")),
    ("ideal_rbp", include_str!("../../../../components/ideal_rbp.toml")),
    ("log_ap_literal", include_str!("../../../../components/log_ap_literal.toml")),
    ("logit_ap", include_str!("../../../../components/logit_ap.toml")),
    ("ndcg", include_str!("../../../../components/ndcg.toml")),
    ("nerr", include_str!("../../../../components/nerr.toml")),
    ("over", include_str!("../../../../components/over.toml")),
    ("own_order_rbp", include_str!("../../../../components/own_order_rbp.toml")),
    ("p_at_n", include_str!("../../../../components/p_at_n.toml")),
    ("precision", include_str!("../../../../components/precision.toml")),
    ("precision_literal", include_str!("../../../../components/precision_literal.toml")),
    ("priced_rbp", include_str!("../../../../components/priced_rbp.toml")),
    ("q_measure", include_str!("../../../../components/q_measure.toml")),
    ("r_prec", include_str!("../../../../components/r_prec.toml")),
    ("rbp", include_str!("../../../../components/rbp.toml")),
    ("rbp_graded", include_str!("../../../../components/rbp_graded.toml")),
    ("recall", include_str!("../../../../components/recall.toml")),
    ("recall_at_k", include_str!("../../../../components/recall_at_k.toml")),
    ("rel_p", include_str!("../../../../components/rel_p.toml")),
    ("rr", include_str!("../../../../components/rr.toml")),
    ("set_ap", include_str!("../../../../components/set_ap.toml")),
    ("set_f", include_str!("../../../../components/set_f.toml")),
    ("snap", include_str!("../../../../components/snap.toml")),
    ("sndcg", include_str!("../../../../components/sndcg.toml")),
    ("sp", include_str!("../../../../components/sp.toml")),
    ("success", include_str!("../../../../components/success.toml")),
    ("uap", include_str!("../../../../components/uap.toml")),
    ("yaap", include_str!("../../../../components/yaap.toml")),
];

/// Built-in measures, and the files that say the same in scales, similarity and averages.
const STANDING: &[(&str, &str)] = &[
    ("Accuracy", "accuracy"),
    ("AP", "ap"),
    ("DCG", "dcg"),
    ("ERR", "err"),
    ("F", "f_at_k"),
    ("GAP", "gap"),
    ("GMAP", "gmap"),
    ("HIT", "hit"),
    ("IDCG", "idcg"),
    ("logitAP", "logit_ap"),
    ("nDCG", "ndcg"),
    ("nERR", "nerr"),
    ("P", "p_at_n"),
    ("Q", "q_measure"),
    ("R", "recall_at_k"),
    ("RBP", "rbp_graded"),
    ("RelP", "rel_p"),
    ("RPrec", "r_prec"),
    ("RR", "rr"),
    ("SetAP", "set_ap"),
    ("SetF", "set_f"),
    ("SetP", "precision"),
    ("SetR", "recall"),
    ("SNAP", "snap"),
    ("SNDCG", "sndcg"),
    ("SP", "sp"),
    ("Success", "success"),
    ("UAP", "uap"),
    ("yaAP", "yaap"),
];

/// Why the other built-in measures have no such file, by family; a name stands for itself where its
/// family has several reasons.
const REASONS: &[(&str, &str)] = &[
    ("counts", "it counts documents, and does not compare two measurements"),
    ("Judged", UNJUDGED),
    ("Unjudged", UNJUDGED),
    ("Bpref", UNJUDGED),
    ("GMBpref", UNJUDGED),
    ("AUC", UNJUDGED),
    ("infAP", UNJUDGED),
    ("infNDCG", UNJUDGED),
    ("xinfAP", UNJUDGED),
    (
        "PPP",
        "a document that was not retrieved has a finite rank by it, and an infinite position in expressions",
    ),
    ("SDCG", RANKS),
    ("U", RANKS),
    ("NPV", ANOTHER_RBP),
    ("TBG", ANOTHER_RBP),
    ("INSQ", "its weights need the trigamma function, which expressions do not have"),
    ("IPrec", ROUNDS),
    ("IPrec11", ROUNDS),
    ("RPrecMult", ROUNDS),
    (
        "Utility",
        "it pays for documents that nobody judged by how many there are, which a topic's documents do not tell",
    ),
    ("Compat", "its ideal ranking has documents of one grade in the order of the run"),
];

const ANOTHER_RBP: &str = "it is RBP with another p, and RBP has a file";
const UNJUDGED: &str = "it tells unjudged documents from others, and no scale has a value for a document that nobody measured";
const RANKS: &str = "it divides by a sum over ranks, and expressions run over documents";
const ROUNDS: &str = "it rounds a number of documents, and expressions do not round";
/// For families.
const STEPS: &str = "how far its user reads depends on every rank above, and expressions run over documents, not over ranks";
const FACETS: &str = "its judgements differ by subtopic or by judge, and an assessor's measurement is one value for each document";
const PAIRS: &str =
    "it compares pairs of documents, and does not average the similarities of single ones";
const OTHER: &str = "its gains and norms are not those of a grade or of the ideal ranking";

/// The names of the files, in order.
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|(name, _)| *name)
}

/// A file by its name.
pub fn shipped(name: &str) -> Option<Arc<Component>> {
    static ALL: OnceLock<HashMap<&'static str, Arc<Component>>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let one =
            |(name, text): &(&'static str, &str)| Some((*name, Component::parse(name, text).ok()?));
        TEXTS.iter().filter_map(one).collect()
    });
    all.get(name).cloned()
}

/// The component file that describes a built-in measure, as a metric with the same parameters;
/// none if the measure has no file, or a parameter that its file has not.
pub fn standing_for(metric: &Metric) -> Option<Metric> {
    let def = metric.registered()?;
    let mut name = STANDING.iter().find(|(measure, _)| *measure == def.name)?.1;
    let usual = Args::new(def.params);
    let given = metric.args().given().filter(|(name, value)| {
        // In a world whose documents are all judged, a condensed list is the list itself.
        *name != "judged_only" && usual.value(name).as_ref() != Some(*value)
    });
    let mut changed: Vec<(&str, String)> = given.map(|(n, v)| (n, v.to_string())).collect();
    if name == "rbp_graded" && changed.iter().any(|(n, v)| *n == "rel" && v == "1") {
        changed.retain(|(n, _)| *n != "rel");
        name = "rbp";
    }
    if name == "ap" && metric.args().cutoff().is_some() {
        name = "ap_at_n";
    }
    let file = shipped(name)?;
    let mut args = Args::new(file.params());
    for (name, value) in changed {
        args.set(name, &value).ok()?;
    }
    args.set_cutoff(metric.args().cutoff());
    Metric::own_with(file, args).ok()
}

/// Why no file describes a built-in measure; none if one does.
pub fn not_expressed(metric: &Metric) -> Option<&'static str> {
    let def = metric.registered()?;
    if STANDING.iter().any(|(measure, _)| *measure == def.name) {
        return standing_for(metric).is_none().then_some("its file has no such parameter");
    }
    let of = |wanted: &str| REASONS.iter().find(|(name, _)| *name == wanted);
    let reason = of(def.name).or_else(|| of(def.family));
    Some(reason.map_or_else(
        || match def.family {
            "cwl" => STEPS,
            "diversity" | "judgement_groups" => FACETS,
            "preference" | "reliability_sensitivity" | "tau" => PAIRS,
            _ => OTHER,
        },
        |(_, why)| *why,
    ))
}
