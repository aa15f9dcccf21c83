//! Measures that count pairs of documents, from the sizes of the cells: no pair is ever formed.

use super::definition::{
    AMIGO_2009, Better, CLUSTERING, Definition, OrganizationFormula, THREE_AND_ONE,
};
use super::{Contingency, OrganizationMeasure, Score};

/// The unordered pairs of documents, by how the two sides treat them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pairs {
    /// Together on both sides.
    pub together: f64,
    /// Together in the system's output alone.
    pub system_only: f64,
    /// Together in the gold standard alone.
    pub gold_only: f64,
    /// Apart on both sides.
    pub apart: f64,
}

impl Pairs {
    /// Counts the pairs of a table.
    pub fn of(table: &Contingency) -> Pairs {
        let pairs = |size: u32| u128::from(size) * u128::from(size.saturating_sub(1)) / 2;
        let together: u128 = table.cells().map(|(_, _, count)| pairs(count)).sum();
        let system: u128 = table.system_sizes().iter().map(|&size| pairs(size)).sum();
        let gold: u128 = table.gold_sizes().iter().map(|&size| pairs(size)).sum();
        let n = u128::from(table.documents());
        let all = n * n.saturating_sub(1) / 2;
        Pairs {
            together: together as f64,
            system_only: (system - together) as f64,
            gold_only: (gold - together) as f64,
            apart: (all + together - system - gold) as f64,
        }
    }

    fn rand(&self) -> f64 {
        let differ = self.system_only + self.gold_only;
        if differ == 0.0 {
            1.0
        } else {
            (self.together + self.apart) / (self.together + self.apart + differ)
        }
    }

    fn adjusted_rand(&self) -> f64 {
        let Pairs { together, system_only, gold_only, apart } = *self;
        if system_only == 0.0 && gold_only == 0.0 {
            return 1.0;
        }
        let expected = (together + gold_only) * (gold_only + apart)
            + (together + system_only) * (system_only + apart);
        2.0 * (together * apart - gold_only * system_only) / expected
    }

    fn jaccard(&self) -> f64 {
        let either = self.together + self.system_only + self.gold_only;
        if either == 0.0 { 1.0 } else { self.together / either }
    }

    fn fowlkes_mallows(&self) -> f64 {
        let Pairs { together, system_only, gold_only, .. } = *self;
        if together == 0.0 {
            0.0
        } else {
            (together / (together + system_only)).sqrt()
                * (together / (together + gold_only)).sqrt()
        }
    }
}

/// The measures of this family.
pub(super) static MEASURES: &[&dyn OrganizationMeasure] =
    &[&RAND, &ADJUSTED_RAND, &JACCARD, &FOWLKES_MALLOWS];

static RAND: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "rand",
        title: "Rand index",
        summary: "The share of pairs of documents that both sides treat alike.",
        definition: "(pairs together on both sides + pairs apart on both sides) / all pairs; 1 if there is no pair",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.5, "ab is together and ad, bd apart on both sides: 3 of 6"),
        references: &[
            "Rand. Objective criteria for the evaluation of clustering methods. JASA 66, 1971",
        ],
        ..CLUSTERING
    },
    compute: |comparison| {
        comparison
            .contingency()
            .map_or_else(|undefined| undefined, |table| Score::Value(Pairs::of(table).rand()))
    },
};

static ADJUSTED_RAND: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "adjusted_rand",
        title: "Adjusted Rand index",
        summary: "The Rand index beyond that of random clusters of the same sizes.",
        definition: "2 (TP TN - FN FP) / ((TP + FN)(FN + TN) + (TP + FP)(FP + TN)) over pairs; 1 if no pair is treated differently",
        range: "-0.5 to 1, 0 on average for random clusters",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.0, "TP = 1, TN = 2, FP = 2, FN = 1: 1 * 2 - 1 * 2 = 0"),
        references: &["Hubert, Arabie. Comparing partitions. Journal of Classification 2, 1985"],
        ..CLUSTERING
    },
    compute: |comparison| {
        comparison.contingency().map_or_else(
            |undefined| undefined,
            |table| Score::Value(Pairs::of(table).adjusted_rand()),
        )
    },
};

static JACCARD: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "jaccard",
        title: "Jaccard coefficient of pairs",
        summary: "The share of the pairs together on either side that are together on both.",
        definition: "TP / (TP + FP + FN) over pairs; 1 if no pair is together on either side",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.25, "ab of ab, ac, bc, cd"),
        references: &[AMIGO_2009],
        ..CLUSTERING
    },
    compute: |comparison| {
        comparison
            .contingency()
            .map_or_else(|undefined| undefined, |table| Score::Value(Pairs::of(table).jaccard()))
    },
};

static FOWLKES_MALLOWS: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "fowlkes_mallows",
        title: "Fowlkes-Mallows index",
        summary: "Precision and recall of pairs together.",
        definition: "TP / sqrt((TP + FP)(TP + FN)) over pairs; 0 if TP = 0",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.408248290463863, "1 / sqrt(3 * 2)"),
        references: &[
            "Fowlkes, Mallows. A method for comparing two hierarchical clusterings. JASA 78, 1983",
        ],
        ..CLUSTERING
    },
    compute: |comparison| {
        comparison.contingency().map_or_else(
            |undefined| undefined,
            |table| Score::Value(Pairs::of(table).fowlkes_mallows()),
        )
    },
};
