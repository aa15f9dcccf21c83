//! BCubed precision, recall and F, and their extension to overlapping clusters.

use super::definition::{
    AMIGO_2009, Better, CLUSTERING, Definition, OrganizationExample, OrganizationFormula,
    THREE_AND_ONE,
};
use super::{OrganizationComparison, OrganizationMeasure, Score, SideAgreement, Sum, harmonic};

impl SideAgreement {
    /// The mean over occurrences of the agreement within their clusters. Documents that this side
    /// lacks count 1: it says nothing wrong of them. Without overlap this is BCubed; `None` if
    /// there is no document at all.
    pub fn mean_by_occurrence(&self) -> Option<f64> {
        let sum = Sum::of(
            self.by_cluster
                .iter()
                .zip(&self.sizes)
                .filter(|(_, size)| **size > 0.0)
                .map(|(agreement, size)| agreement / size),
        );
        mean(sum, self.sizes.iter().sum(), self.absent)
    }
}

fn mean(sum: f64, held: f64, absent: f64) -> Option<f64> {
    (held + absent > 0.0).then(|| (sum + absent) / (held + absent))
}

const EMPTY: Score = Score::Undefined("there is no document");

fn precision(comparison: &OrganizationComparison<'_>) -> Score {
    comparison.overlaps().system.mean_by_occurrence().map_or(EMPTY, Score::Value)
}

fn recall(comparison: &OrganizationComparison<'_>) -> Score {
    comparison.overlaps().gold.mean_by_occurrence().map_or(EMPTY, Score::Value)
}

fn extended(agreement: &SideAgreement) -> Score {
    mean(agreement.by_document, agreement.present, agreement.absent).map_or(EMPTY, Score::Value)
}

fn f(precision: Score, recall: Score) -> Score {
    match (precision, recall) {
        (Score::Value(precision), Score::Value(recall)) => {
            Score::Value(harmonic(precision, recall))
        }
        (undefined @ Score::Undefined(_), _) | (_, undefined) => undefined,
    }
}

/// The measures of this family.
pub(super) static MEASURES: &[&dyn OrganizationMeasure] = &[
    &BCUBED_PRECISION,
    &BCUBED_RECALL,
    &BCUBED_F,
    &EXTENDED_BCUBED_PRECISION,
    &EXTENDED_BCUBED_RECALL,
    &EXTENDED_BCUBED_F,
];

static BCUBED_PRECISION: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "bcubed_precision",
        title: "BCubed precision",
        summary: "The mean share of a document's cluster that is of its class.",
        definition: "mean over documents of the share of their cluster that belongs to their class; a document that the system lacks counts 1, one that the gold standard lacks 0",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.6666666666666666, "a, b: 2/3; c: 1/3; d: 1; mean 8/12"),
        references: &[
            "Bagga, Baldwin. Entity-based cross-document coreferencing using the vector space model. COLING-ACL 1998",
            AMIGO_2009,
        ],
        ..CLUSTERING
    },
    compute: |comparison| {
        comparison.contingency().map_or_else(|undefined| undefined, |_| precision(comparison))
    },
};

static BCUBED_RECALL: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "bcubed_recall",
        title: "BCubed recall",
        summary: "The mean share of a document's class that is in its cluster.",
        definition: "mean over documents of the share of their class that lies in their cluster; a document that the gold standard lacks counts 1, one that the system lacks 0",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.75, "a, b: 1; c, d: 1/2; mean 3/4"),
        references: &[
            "Bagga, Baldwin. Entity-based cross-document coreferencing using the vector space model. COLING-ACL 1998",
            AMIGO_2009,
        ],
        ..CLUSTERING
    },
    compute: |comparison| {
        comparison.contingency().map_or_else(|undefined| undefined, |_| recall(comparison))
    },
};

static BCUBED_F: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "bcubed_f",
        title: "BCubed F",
        summary: "BCubed precision and recall together.",
        definition: "the harmonic mean of BCubed precision and recall",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.7058823529411765, "2 * 2/3 * 3/4 / (2/3 + 3/4) = 12/17"),
        references: &[
            "Bagga, Baldwin. Entity-based cross-document coreferencing using the vector space model. COLING-ACL 1998",
            AMIGO_2009,
        ],
        ..CLUSTERING
    },
    compute: |comparison| {
        comparison
            .contingency()
            .map_or_else(|undefined| undefined, |_| f(precision(comparison), recall(comparison)))
    },
};

static EXTENDED_BCUBED_PRECISION: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "extended_bcubed_precision",
        title: "Extended BCubed precision",
        summary: "BCubed precision when documents may lie in several clusters.",
        definition: "mean over documents of the mean over the documents related to them (themselves included) of min(common clusters, common classes) / common clusters",
        range: "0 to 1",
        better: Better::Higher,
        example: OrganizationExample {
            gold: "{a b} {a c}",
            system: "{a b c}",
            value: 0.7777777777777778,
            working: "a: with a, b, c 1 each; b: 1, 1, c 0; c: likewise; mean (1 + 2/3 + 2/3)/3",
        },
        undefined: "there is no document",
        references: &[AMIGO_2009],
        ..CLUSTERING
    },
    compute: |comparison| extended(&comparison.overlaps().system),
};

static EXTENDED_BCUBED_RECALL: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "extended_bcubed_recall",
        title: "Extended BCubed recall",
        summary: "BCubed recall when documents may lie in several clusters.",
        definition: "mean over documents of the mean over the documents of their classes of min(common clusters, common classes) / common classes",
        range: "0 to 1",
        better: Better::Higher,
        example: OrganizationExample {
            gold: "{a b} {a c}",
            system: "{a b c}",
            value: 0.9444444444444444,
            working: "a: with itself 1/2, with b and c 1, so 5/6; b: 1; c: 1; mean 17/18",
        },
        undefined: "there is no document",
        references: &[AMIGO_2009],
        ..CLUSTERING
    },
    compute: |comparison| extended(&comparison.overlaps().gold),
};

static EXTENDED_BCUBED_F: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "extended_bcubed_f",
        title: "Extended BCubed F",
        summary: "Extended BCubed precision and recall together.",
        definition: "the harmonic mean of extended BCubed precision and recall",
        range: "0 to 1",
        better: Better::Higher,
        example: OrganizationExample {
            gold: "{a b} {a c}",
            system: "{a b c}",
            value: 0.853046594982079,
            working: "2 * 7/9 * 17/18 / (7/9 + 17/18) = 238/279",
        },
        undefined: "there is no document",
        references: &[AMIGO_2009],
        ..CLUSTERING
    },
    compute: |comparison| {
        f(extended(&comparison.overlaps().system), extended(&comparison.overlaps().gold))
    },
};
