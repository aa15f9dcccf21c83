//! Ranks made into scores, whatever the scores of the runs were.

use super::method::{FusionDef, FusionParam, MethodSettings};
use super::topic::{Ranked, Topic};

const MOURAO: &str = "Mourao, Martins and Magalhaes, Multimodal medical information retrieval with unsupervised \
     rank fusion, Computerized Medical Imaging and Graphics 39, 2015";
const ASLAM: &str = "Aslam and Montague, Models for metasearch, SIGIR 2001";

const fn base(name: &'static str, title: &'static str, definition: &'static str) -> FusionDef {
    FusionDef {
        name,
        title,
        definition,
        params: &[],
        weighted: false,
        reference: MOURAO,
        combine: |_, _| Vec::new(),
        learn: None,
    }
}

/// The sum over runs of what a rank, from 0, is worth.
fn sum_of(topic: &Topic<'_>, worth: impl Fn(f64) -> f64) -> Vec<f64> {
    topic
        .rescored(|_, rank, _, _| worth(rank as f64))
        .by_document(|scores| scores.iter().map(|(_, score)| score).sum())
}

/// The sum of inverse squares of ranks, times something of the number of runs.
fn inverse_squares(topic: &Topic<'_>, factor: impl Fn(f64) -> f64) -> Vec<f64> {
    topic.rescored(|_, rank, _, _| 1.0 / ((rank + 1) as f64).powi(2)).by_document(|scores| {
        scores.iter().map(|(_, score)| score).sum::<f64>() * factor(scores.len() as f64)
    })
}

/// Points by rank, from the number of all documents down; those that a run lacks share its points
/// that are left.
fn borda(topic: &Topic<'_>, settings: &MethodSettings<'_>) -> Vec<f64> {
    let all = topic.documents.len();
    let mut points = vec![0.0; all];
    for (run, list) in topic.lists.iter().enumerate() {
        let weight = settings.weight(run);
        let left = weight * (all - list.len() + 1) as f64 / 2.0;
        let mut met = vec![false; all];
        for (rank, Ranked { document, .. }) in list.iter().enumerate() {
            points[*document as usize] += weight * (all - rank) as f64;
            met[*document as usize] = true;
        }
        points.iter_mut().zip(met).filter(|(_, met)| !met).for_each(|(sum, _)| *sum += left);
    }
    points
}

/// The methods.
pub(super) const METHODS: &[FusionDef] = &[
    FusionDef {
        params: &[FusionParam {
            name: "k",
            default: Some(60.0),
            range: (0.0, f64::MAX),
            whole: false,
            about: "the larger, the less the first ranks stand out",
        }],
        reference: "Cormack, Clarke and Buettcher, Reciprocal rank fusion outperforms Condorcet \
                    and individual rank learning methods, SIGIR 2009",
        combine: |topic, settings| {
            let k = settings.get("k");
            sum_of(topic, |rank| 1.0 / (k + rank + 1.0))
        },
        ..base("rrf", "Reciprocal rank fusion", "The sum of 1 / (k + rank) over runs.")
    },
    FusionDef {
        combine: |topic, _| inverse_squares(topic, |runs| runs),
        ..base(
            "isr",
            "Inverse square rank",
            "The sum of 1 / rank^2 over runs, times the number of runs that have it.",
        )
    },
    FusionDef {
        combine: |topic, _| inverse_squares(topic, f64::ln),
        ..base(
            "log_isr",
            "Logarithmic ISR",
            "The sum of 1 / rank^2 over runs, times the logarithm of the number of runs that have \
             it: 0 for a document of one run.",
        )
    },
    FusionDef {
        params: &[FusionParam {
            name: "sigma",
            default: Some(0.01),
            range: (0.0, 1.0),
            whole: false,
            about: "added to the number of runs, so that its logarithm is not 0 for one run",
        }],
        combine: |topic, settings| {
            let sigma = settings.get("sigma");
            inverse_squares(topic, |runs| (runs + sigma).ln())
        },
        ..base(
            "logn_isr",
            "Logarithmic ISR, never 0",
            "The sum of 1 / rank^2 over runs, times ln(number of runs that have it + sigma).",
        )
    },
    FusionDef {
        params: &[FusionParam {
            name: "phi",
            default: None,
            range: (0.0, 1.0),
            whole: false,
            about: "the probability of going on to the next rank",
        }],
        reference: "Bailey, Moffat, Scholer and Thomas, Retrieval consistency in the presence of \
                    query variations, SIGIR 2017",
        combine: |topic, settings| {
            let phi = settings.get("phi");
            sum_of(topic, |rank| (1.0 - phi) * phi.powf(rank))
        },
        ..base(
            "rbc",
            "Rank-biased centroid",
            "The sum of (1 - phi) phi^(rank - 1) over runs: the weights of rank-biased precision.",
        )
    },
    FusionDef {
        reference: ASLAM,
        combine: borda,
        ..base(
            "bordafuse",
            "Borda count",
            "Points by rank over runs: n for the first of n documents of all runs, n - 1 for the \
             second; the documents that a run lacks share its points that are left.",
        )
    },
    FusionDef {
        weighted: true,
        reference: ASLAM,
        combine: borda,
        ..base("w_bordafuse", "Weighted Borda count", "Borda points, times the weight of the run.")
    },
];
