//! Measures that match clusters with classes.

use super::definition::{
    AMIGO_2009, Better, CLUSTERING, Definition, OrganizationFormula, THREE_AND_ONE,
};
use super::{Contingency, OrganizationMeasure, Score, harmonic};

fn purity(table: &Contingency) -> f64 {
    let largest =
        |cluster| table.row(cluster).iter().map(|&(_, count)| u64::from(count)).max().unwrap_or(0);
    (0..table.system_sizes().len()).map(largest).sum::<u64>() as f64 / table.documents() as f64
}

fn inverse_purity(table: &Contingency) -> f64 {
    let mut largest = vec![0; table.gold_sizes().len()];
    for (_, class, count) in table.cells() {
        largest[class] = count.max(largest[class]);
    }
    largest.iter().map(|&count| u64::from(count)).sum::<u64>() as f64 / table.documents() as f64
}

fn class_f(table: &Contingency) -> f64 {
    let mut best = vec![0.0f64; table.gold_sizes().len()];
    for (cluster, class, count) in table.cells() {
        let sizes = f64::from(table.system_sizes()[cluster]) + f64::from(table.gold_sizes()[class]);
        best[class] = best[class].max(2.0 * f64::from(count) / sizes);
    }
    best.iter().zip(table.gold_sizes()).map(|(f, &size)| f * f64::from(size)).sum::<f64>()
        / table.documents() as f64
}

/// The measures of this family.
pub(super) static MEASURES: &[&dyn OrganizationMeasure] =
    &[&PURITY, &INVERSE_PURITY, &PURITY_F, &CLASS_F];

static PURITY: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "purity",
        title: "Purity",
        summary: "The share of documents in the commonest class of their cluster.",
        definition: "sum over clusters of the largest cell / n",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.75, "{a b c} holds 2 of one class, d 1: 3/4"),
        references: &[AMIGO_2009],
        ..CLUSTERING
    },
    compute: |comparison| {
        comparison
            .contingency()
            .map_or_else(|undefined| undefined, |table| Score::Value(purity(table)))
    },
};

static INVERSE_PURITY: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "inverse_purity",
        title: "Inverse purity",
        summary: "The share of documents in the commonest cluster of their class.",
        definition: "sum over classes of the largest cell / n",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.75, "{a b} has 2 in one cluster, {c d} 1: 3/4"),
        references: &[AMIGO_2009],
        ..CLUSTERING
    },
    compute: |comparison| {
        comparison
            .contingency()
            .map_or_else(|undefined| undefined, |table| Score::Value(inverse_purity(table)))
    },
};

static PURITY_F: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "purity_f",
        title: "F of purity and inverse purity",
        summary: "Purity and inverse purity together.",
        definition: "the harmonic mean of purity and inverse purity",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.75, "both are 3/4"),
        references: &[AMIGO_2009],
        ..CLUSTERING
    },
    compute: |comparison| {
        comparison.contingency().map_or_else(
            |undefined| undefined,
            |table| Score::Value(harmonic(purity(table), inverse_purity(table))),
        )
    },
};

static CLASS_F: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "class_f",
        title: "F by class",
        summary: "How well each class is found as one cluster.",
        definition: "sum over classes of size/n * the best F of precision and recall that a cluster reaches for the class",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(
            0.7333333333333333,
            "{a b}: F = 4/5 with {a b c}; {c d}: F = 2/3 with d; mean 11/15",
        ),
        references: &["van Rijsbergen. Information Retrieval. 1979", AMIGO_2009],
        ..CLUSTERING
    },
    compute: |comparison| {
        comparison
            .contingency()
            .map_or_else(|undefined| undefined, |table| Score::Value(class_f(table)))
    },
};
