//! Reliability, Sensitivity and F as registered measures.

use super::super::definition::{
    AMIGO_2013, CLUSTERING, Definition, OrganizationExample, OrganizationFormula,
};
use super::super::{OrganizationComparison, OrganizationMeasure, Score, Task};
use super::RelationScores;

const RELATIONS: Definition = Definition {
    task: Task::Organization,
    range: "0 to 1",
    undefined: "never",
    references: &[AMIGO_2013],
    ..CLUSTERING
};

const ONE_TOO_MANY: OrganizationExample =
    OrganizationExample { gold: "a", system: "a / b", ..CLUSTERING.example };

const BROKEN: OrganizationExample =
    OrganizationExample { gold: "{a b}", system: "a / b", ..CLUSTERING.example };

/// The measures of this family.
pub(in super::super) static MEASURES: &[&dyn OrganizationMeasure] = &[
    &R_PRIORITY,
    &S_PRIORITY,
    &F_PRIORITY,
    &R_RELATED,
    &S_RELATED,
    &F_RELATED,
    &R_LINKED,
    &S_LINKED,
    &F_LINKED,
    &R_JOINT,
    &S_JOINT,
    &F_JOINT,
    &R,
    &S,
    &F,
];

static R_PRIORITY: OrganizationFormula = OrganizationFormula {
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

static S_PRIORITY: OrganizationFormula = OrganizationFormula {
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

static F_PRIORITY: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "F_priority",
        title: "F of priority",
        summary: "R_priority and S_priority together.",
        definition: "the harmonic mean of R_priority and S_priority",
        example: ONE_TOO_MANY.with(0.7336683417085427, "2 * 73/126 / (1 + 73/126) = 146/199"),
        ..RELATIONS
    },
    compute: |comparison| {
        Score::Value(comparison.relations().priority.f(comparison.settings().beta))
    },
};

static R_RELATED: OrganizationFormula = OrganizationFormula {
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

static S_RELATED: OrganizationFormula = OrganizationFormula {
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

static F_RELATED: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "F_related",
        title: "F of relatedness",
        summary: "R_related and S_related together.",
        definition: "the harmonic mean of R_related and S_related",
        example: ONE_TOO_MANY.with(0.9137931034482759, "2 * 53/63 / (1 + 53/63) = 53/58"),
        ..RELATIONS
    },
    compute: |comparison| {
        Score::Value(comparison.relations().related.f(comparison.settings().beta))
    },
};

const NO_LINKS: Score = Score::Undefined("neither side links documents");

fn linked(comparison: &OrganizationComparison<'_>, value: impl Fn(RelationScores) -> f64) -> Score {
    comparison.relations().linked.map_or(NO_LINKS, |pair| Score::Value(value(pair)))
}

const LINKS: OrganizationExample = OrganizationExample {
    gold: "a b c ~ a>b a>c",
    system: "a b c ~ a>b b>c",
    ..CLUSTERING.example
};

static R_LINKED: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "R_linked",
        title: "Reliability of links",
        summary: "How many of the system's links hold in the gold standard.",
        definition: "the mean over the system's documents with links, by their weights, of the share of their links that the gold standard has too, by the weights of the documents at the other ends; 1 if there are none",
        undefined: "neither side links documents",
        example: LINKS.with(0.5, "a and b weigh the same; a>b is right, b>c is not"),
        ..RELATIONS
    },
    compute: |comparison| linked(comparison, |pair| pair.reliability),
};

static S_LINKED: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "S_linked",
        title: "Sensitivity of links",
        summary: "How many of the gold standard's links hold in the system's output.",
        definition: "R_linked with the sides exchanged",
        undefined: "neither side links documents",
        example: LINKS.with(0.5, "of a's links, a>b is found and a>c is not"),
        ..RELATIONS
    },
    compute: |comparison| linked(comparison, |pair| pair.sensitivity),
};

static F_LINKED: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "F_linked",
        title: "F of links",
        summary: "R_linked and S_linked together.",
        definition: "the harmonic mean of R_linked and S_linked; with beta, F-beta",
        undefined: "neither side links documents",
        example: LINKS.with(0.5, "both are 1/2"),
        ..RELATIONS
    },
    compute: |comparison| linked(comparison, |pair| pair.f(comparison.settings().beta)),
};

static R_JOINT: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "R_joint",
        title: "Reliability of all relations",
        summary: "How many of the system's relations hold in the gold standard, whatever their kind.",
        definition: "sum over x of the system of w(x) times the share of its relations, those above, below and in its cluster together, that hold in the gold standard; each counts by the weight of its other end, the tail too. Kinds that have no share in the mixture are left out",
        example: BROKEN.with(
            0.909297052154195,
            "w(a) = 2/7, w(b) = 10/63, T = 5/9; a: b is wrong, itself and the tail right, 53/63; b: 5/7; the tail: 1; 2/7 * 53/63 + 10/63 * 5/7 + 5/9 = 401/441",
        ),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().joint.reliability),
};

static S_JOINT: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "S_joint",
        title: "Sensitivity of all relations",
        summary: "How many of the gold standard's relations hold in the system's output, whatever their kind.",
        definition: "R_joint with the sides exchanged",
        example: BROKEN.with(
            0.9012345679012346,
            "w(a) = w(b) = 2/9, T = 5/9; both: the tail and itself right, the other wrong, 7/9; 2 * 2/9 * 7/9 + 5/9 = 73/81",
        ),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().joint.sensitivity),
};

static F_JOINT: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "F_joint",
        title: "F of all relations",
        summary: "R_joint and S_joint together.",
        definition: "the harmonic mean of R_joint and S_joint; with beta, F-beta",
        example: BROKEN
            .with(0.9052478584902743, "2 * 401/441 * 73/81 / (401/441 + 73/81) = 29273/32337"),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().joint.f(comparison.settings().beta)),
};

static R: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "R",
        title: "Reliability",
        summary: "How many of the system's relations hold in the gold standard.",
        definition: "p R_priority + q R_related + r R_linked, with shares from the settings; by default equal shares of the kinds of relations that the gold standard states",
        example: BROKEN
            .with(0.9412997903563941, "R_priority = 421/477, R_related = 1, equal shares: 449/477"),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().mixed.reliability),
};

static S: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "S",
        title: "Sensitivity",
        summary: "How many of the gold standard's relations hold in the system's output.",
        definition: "p S_priority + q S_related + r S_linked, with the shares of R",
        example: BROKEN
            .with(0.8888888888888888, "S_priority = 1, S_related = 7/9, equal shares: 8/9"),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().mixed.sensitivity),
};

static F: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "F",
        title: "F of Reliability and Sensitivity",
        summary: "Reliability and Sensitivity together; of a filtering or a ranking the paper's R*S.",
        definition: "the harmonic mean of R and S; with beta, (1 + b^2) R S / (b^2 R + S)",
        example: BROKEN.with(0.9143438971617666, "2 * 449/477 * 8/9 / (449/477 + 8/9)"),
        ..RELATIONS
    },
    compute: |comparison| Score::Value(comparison.relations().mixed.f(comparison.settings().beta)),
};
