//! Scores added up, averaged and counted.

use super::method::{FusionDef, FusionParam};

const FOX: &str = "Fox and Shaw, Combination of multiple searches, TREC-2, 1993";
const WU: &str = "Wu and Crestani, Data fusion with estimated weights, CIKM 2002";

const fn plain(name: &'static str, title: &'static str, definition: &'static str) -> FusionDef {
    FusionDef {
        name,
        title,
        definition,
        params: &[],
        weighted: false,
        reference: FOX,
        combine: |_, _| Vec::new(),
        learn: None,
    }
}

/// The sum of scores.
fn sum(scores: &[(usize, f64)]) -> f64 {
    scores.iter().map(|(_, score)| score).sum()
}

fn count(scores: &[(usize, f64)]) -> f64 {
    scores.len() as f64
}

fn median(scores: &[(usize, f64)]) -> f64 {
    let mut sorted: Vec<f64> = scores.iter().map(|(_, score)| *score).collect();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        _ if sorted.is_empty() => 0.0,
        0 => (sorted[middle - 1] + sorted[middle]) / 2.0,
        _ => sorted[middle],
    }
}

/// The methods.
pub(super) const METHODS: &[FusionDef] = &[
    FusionDef {
        combine: |topic, _| topic.by_document(sum),
        ..plain("sum", "CombSUM", "The sum of its scores; a run that lacks it adds nothing.")
    },
    FusionDef {
        combine: |topic, _| topic.by_document(|scores| sum(scores) * count(scores)),
        ..plain("mnz", "CombMNZ", "The sum of its scores times the number of runs that have it.")
    },
    FusionDef {
        params: &[FusionParam {
            name: "gamma",
            default: None,
            range: (0.0, f64::MAX),
            whole: false,
            about: "the power of the number of runs",
        }],
        reference: "Lee, Analyses of multiple evidence combination, SIGIR 1997",
        combine: |topic, settings| {
            let gamma = settings.get("gamma");
            topic.by_document(|scores| sum(scores) * count(scores).powf(gamma))
        },
        ..plain("gmnz", "CombGMNZ", "The sum of its scores times a power of the number of runs.")
    },
    FusionDef {
        combine: |topic, _| {
            topic.by_document(|scores| {
                scores.iter().map(|(_, x)| *x).fold(f64::NEG_INFINITY, f64::max)
            })
        },
        ..plain("max", "CombMAX", "The highest of its scores.")
    },
    FusionDef {
        combine: |topic, _| {
            topic.by_document(|scores| scores.iter().map(|(_, x)| *x).fold(f64::INFINITY, f64::min))
        },
        ..plain("min", "CombMIN", "The lowest of its scores, among the runs that have it.")
    },
    FusionDef {
        combine: |topic, _| topic.by_document(median),
        ..plain("med", "CombMED", "The median of its scores, among the runs that have it.")
    },
    FusionDef {
        combine: |topic, _| topic.by_document(|scores| sum(scores) / count(scores)),
        ..plain("anz", "CombANZ", "The mean of its scores, among the runs that have it.")
    },
    FusionDef {
        weighted: true,
        reference: "",
        combine: |topic, settings| {
            topic.by_document(|scores| {
                scores.iter().map(|(run, score)| settings.weight(*run) * score).sum()
            })
        },
        ..plain("wsum", "Weighted sum", "The sum of its scores, each times the weight of its run.")
    },
    FusionDef {
        weighted: true,
        reference: WU,
        combine: |topic, settings| {
            topic.by_document(|scores| {
                let weights: f64 = scores.iter().map(|(run, _)| settings.weight(*run)).sum();
                sum(scores) * weights
            })
        },
        ..plain(
            "wmnz",
            "Weighted MNZ",
            "The sum of its scores times the sum of the weights of the runs that have it.",
        )
    },
    FusionDef {
        weighted: true,
        reference: WU,
        combine: |topic, settings| {
            topic.by_document(|scores| {
                let weighted: f64 =
                    scores.iter().map(|(run, score)| score * settings.weight(*run)).sum();
                weighted * count(scores).sqrt()
            })
        },
        ..plain(
            "mixed",
            "Mixed",
            "The weighted sum of its scores times the square root of the number of runs that have it.",
        )
    },
];
