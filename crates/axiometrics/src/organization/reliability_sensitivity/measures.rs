//! Reliability, Sensitivity and F as registered measures.

use super::super::definition::{AMIGO_2013, CLUSTERING, Definition, Example, Formula};
use super::super::{OrganizationMeasure, Score, Task};

const RELATIONS: Definition = Definition {
    task: Task::Organization,
    range: "0 to 1",
    undefined: "never",
    references: &[AMIGO_2013],
    ..CLUSTERING
};

const ONE_TOO_MANY: Example = Example { gold: "a", system: "a / b", ..CLUSTERING.example };

/// The measures of this family.
pub(in super::super) static MEASURES: &[&dyn OrganizationMeasure] =
    &[&R_PRIORITY, &S_PRIORITY, &F_PRIORITY, &R_RELATED, &S_RELATED, &F_RELATED, &R, &S, &F];

static R_PRIORITY: Formula = Formula {
    definition: Definition {
        name: "R_priority",
        title: "Reliability of priority",
        summary: "How many of the system's statements *d above e* hold in the gold standard.",
        definition: "sum over x, y of the system on different levels of P(x, y) w(x) w(y)/W(x), plus the relations with the tail",
        example: ONE_TOO_MANY.with(
            0.5793650793650794,
            "w(a) = 2/7, T = 5/9, W(a) = 5/7; a above b is not in the gold standard; the tail gives 2/7 * 5/9 * (7/5 + 9/4) = 73/126",
        ),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().priority.reliability),
};

static S_PRIORITY: Formula = Formula {
    definition: Definition {
        name: "S_priority",
        title: "Sensitivity of priority",
        summary: "How many of the gold standard's statements *d above e* hold in the system's output.",
        definition: "R_priority with the sides exchanged",
        example: ONE_TOO_MANY
            .with(1.0, "only a above the tail is stated, and the system states it"),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().priority.sensitivity),
};

static F_PRIORITY: Formula = Formula {
    definition: Definition {
        name: "F_priority",
        title: "F of priority",
        summary: "R_priority and S_priority together.",
        definition: "the harmonic mean of R_priority and S_priority",
        example: ONE_TOO_MANY.with(0.7336683417085427, "2 * 73/126 / (1 + 73/126) = 146/199"),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().priority.f()),
};

static R_RELATED: Formula = Formula {
    definition: Definition {
        name: "R_related",
        title: "Reliability of relatedness",
        summary: "How many of the system's statements *d with e* hold in the gold standard.",
        definition: "sum over x of the system of w(x) times the mean agreement of its cluster, plus the tail",
        example: ONE_TOO_MANY.with(
            0.8412698412698413,
            "a with itself: 2/7; b is not in the gold standard: 0; tail 5/9; 53/63",
        ),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().related.reliability),
};

static S_RELATED: Formula = Formula {
    definition: Definition {
        name: "S_related",
        title: "Sensitivity of relatedness",
        summary: "How many of the gold standard's statements *d with e* hold in the system's output.",
        definition: "R_related with the sides exchanged",
        example: ONE_TOO_MANY.with(1.0, "a with itself 2/7, tail 5/7"),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().related.sensitivity),
};

static F_RELATED: Formula = Formula {
    definition: Definition {
        name: "F_related",
        title: "F of relatedness",
        summary: "R_related and S_related together.",
        definition: "the harmonic mean of R_related and S_related",
        example: ONE_TOO_MANY.with(0.9137931034482759, "2 * 53/63 / (1 + 53/63) = 53/58"),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().related.f()),
};

static R: Formula = Formula {
    definition: Definition {
        name: "R",
        title: "Reliability",
        summary: "How many of the system's relations hold in the gold standard.",
        definition: "m R_priority + (1 - m) R_related, with m from the settings (1/2 by default)",
        example: ONE_TOO_MANY.with(0.7103174603174603, "(73/126 + 53/63)/2 = 179/252"),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().mixed.reliability),
};

static S: Formula = Formula {
    definition: Definition {
        name: "S",
        title: "Sensitivity",
        summary: "How many of the gold standard's relations hold in the system's output.",
        definition: "m S_priority + (1 - m) S_related, with m from the settings (1/2 by default)",
        example: ONE_TOO_MANY.with(1.0, "both are 1"),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().mixed.sensitivity),
};

static F: Formula = Formula {
    definition: Definition {
        name: "F",
        title: "F of Reliability and Sensitivity",
        summary: "Reliability and Sensitivity together.",
        definition: "the harmonic mean of R and S",
        example: ONE_TOO_MANY.with(0.8306264501160093, "2 * 179/252 / (1 + 179/252) = 358/431"),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().mixed.f()),
};
