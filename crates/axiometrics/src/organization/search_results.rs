//! Measures of clustered search results, and of levels against levels.

use super::definition::{Better, Definition, FILTERING, OrganizationExample, OrganizationFormula};
use super::{OrganizationComparison, OrganizationMeasure, Score};
use crate::data::organization::Occurrences;
use crate::stats::kendall_tau_b;

/// The measures of this family.
pub(super) static MEASURES: &[&dyn OrganizationMeasure] =
    &[&BEST_CLUSTER_PRECISION, &BEST_CLUSTER_RECALL, &KENDALL_TAU];

/// The cluster with the most relevant documents: how many those are, and how many it holds. Of
/// several, the smallest.
fn best_cluster(comparison: &OrganizationComparison<'_>) -> Option<(u32, usize)> {
    let (system, gold) = (comparison.system(), comparison.gold_index());
    let of_cluster = |cluster: usize| {
        let members = system.cluster(cluster);
        let relevant = members.iter().filter(|&&d| gold.count(d as usize) > 0).count();
        (relevant as u32, members.len())
    };
    (0..system.clusters())
        .map(of_cluster)
        .max_by_key(|&(relevant, size)| (relevant, usize::MAX - size))
}

fn best_cluster_precision(comparison: &OrganizationComparison<'_>) -> Score {
    match best_cluster(comparison) {
        Some((relevant, size)) => Score::Value(f64::from(relevant) / size as f64),
        None => Score::Undefined("the system has no cluster"),
    }
}

fn best_cluster_recall(comparison: &OrganizationComparison<'_>) -> Score {
    let gold = comparison.gold_index();
    let relevant = (0..gold.documents()).filter(|&document| gold.count(document) > 0).count();
    match best_cluster(comparison) {
        _ if relevant == 0 => Score::Undefined("nothing is relevant"),
        Some((found, _)) => Score::Value(f64::from(found) / relevant as f64),
        None => Score::Value(0.0),
    }
}

/// Tau-b of the levels of the known documents; each counts with its highest level, and what a side
/// does not hold is below all that it holds.
fn kendall_tau(comparison: &OrganizationComparison<'_>) -> Score {
    let (system, gold) = (comparison.system_index(), comparison.gold_index());
    let universe = comparison.universe();
    let known = || (0..universe.len()).filter(|&document| universe[document]);
    let level = |side: &Occurrences<'_>, document: usize| {
        f64::from(side.levels(document).next().unwrap_or(u32::MAX))
    };
    let x: Vec<f64> = known().map(|document| level(system, document)).collect();
    let y: Vec<f64> = known().map(|document| level(gold, document)).collect();
    match kendall_tau_b(&x, &y) {
        Ok(Some(tau)) => Score::Value(tau),
        _ => Score::Undefined("one of the sides orders no two documents"),
    }
}

const SEARCH_RESULTS: Definition =
    Definition { range: "0 to 1", better: Better::Higher, ..FILTERING };

static BEST_CLUSTER_PRECISION: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "best_cluster_precision",
        title: "Precision of the best cluster",
        summary: "How much of what one reads is relevant, if one opens the right cluster.",
        definition: "of the system's cluster with the most relevant documents (the smallest of several), the share that is relevant; relevant is what the gold standard keeps on any level",
        undefined: "the system has no cluster",
        example: OrganizationExample {
            gold: "a b c d",
            system: "{a b x} {c y} d",
            value: 0.6666666666666666,
            working: "{a b x} has two relevant documents of three",
        },
        references: &[HEARST_1996],
        ..SEARCH_RESULTS
    },
    compute: best_cluster_precision,
};

static BEST_CLUSTER_RECALL: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "best_cluster_recall",
        title: "Recall of the best cluster",
        summary: "How much of what is relevant one finds, if one opens the right cluster.",
        definition: "the share of the relevant documents that the system's cluster with the most of them holds",
        undefined: "nothing is relevant",
        example: OrganizationExample {
            gold: "a b c d",
            system: "{a b x} {c y} d",
            value: 0.5,
            working: "{a b x} has two of four",
        },
        references: &[HEARST_1996],
        ..SEARCH_RESULTS
    },
    compute: best_cluster_recall,
};

static KENDALL_TAU: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "kendall_tau",
        title: "Kendall's tau of the levels",
        summary: "How far the two sides order the documents alike, every pair counting the same.",
        definition: "tau-b of the levels of all known documents on both sides: (C - D)/sqrt((n - t)(n - u)), with the tail as the last level; a document on several levels counts with the highest",
        range: "-1 to 1",
        undefined: "one of the sides orders no two documents",
        example: OrganizationExample {
            gold: "a / b | c",
            system: "a / c / b",
            value: 0.3333333333333333,
            working: "a above b and a above c are right, c above b is wrong: (2 - 1)/3",
        },
        references: &["Kendall. The treatment of ties in ranking problems. Biometrika 33, 1945"],
        ..SEARCH_RESULTS
    },
    compute: kendall_tau,
};

const HEARST_1996: &str = "Hearst, Pedersen. Reexamining the cluster hypothesis: Scatter/Gather on retrieval results. SIGIR 1996";
