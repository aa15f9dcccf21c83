//! Measures from information theory, in nats.

use super::definition::{
    AMIGO_2009, Better, CLUSTERING, Definition, OrganizationFormula, THREE_AND_ONE,
};
use super::{Contingency, OrganizationComparison, OrganizationMeasure, Score, harmonic};

/// The entropies of clusters and classes.
#[derive(Debug, Clone, Copy)]
pub struct Information {
    /// H(gold).
    pub gold: f64,
    /// H(system).
    pub system: f64,
    /// H(gold | system).
    pub gold_given_system: f64,
    /// H(system | gold).
    pub system_given_gold: f64,
    /// I(gold; system).
    pub mutual: f64,
}

impl Information {
    /// The entropies of a table that holds a document.
    pub fn of(table: &Contingency) -> Information {
        let n = table.documents() as f64;
        let log_n = n.ln();
        let logs =
            |sizes: &[u32]| sizes.iter().map(|&size| f64::from(size).ln()).collect::<Vec<f64>>();
        let (log_system, log_gold) = (logs(table.system_sizes()), logs(table.gold_sizes()));
        // Most cells are small, and none holds more than all documents.
        let small = logs(&(0..=table.documents().min(1023) as u32).collect::<Vec<u32>>());
        let (mut mutual, mut gold_given_system, mut system_given_gold) = (0.0, 0.0, 0.0);
        for (x, g, count) in table.cells() {
            let log = small.get(count as usize).copied().unwrap_or_else(|| f64::from(count).ln());
            let count = f64::from(count);
            mutual += count * ((log + log_n) - (log_system[x] + log_gold[g]));
            gold_given_system += count * (log_system[x] - log);
            system_given_gold += count * (log_gold[g] - log);
        }
        let entropy = |sizes: &[u32], logs: &[f64]| {
            sizes
                .iter()
                .zip(logs)
                .filter(|(size, _)| **size > 0)
                .map(|(&size, log)| f64::from(size) * (log_n - log))
                .sum::<f64>()
                / n
        };
        Information {
            gold: entropy(table.gold_sizes(), &log_gold),
            system: entropy(table.system_sizes(), &log_system),
            gold_given_system: gold_given_system / n,
            system_given_gold: system_given_gold / n,
            mutual: (mutual / n).max(0.0),
        }
    }

    /// The share of the classes' entropy that the clusters explain.
    pub fn homogeneity(&self) -> f64 {
        if self.gold == 0.0 { 1.0 } else { self.mutual / self.gold }
    }

    /// The share of the clusters' entropy that the classes explain.
    pub fn completeness(&self) -> f64 {
        if self.system == 0.0 { 1.0 } else { self.mutual / self.system }
    }
}

/// The mutual information to be expected of random clusters of the same sizes (the hypergeometric
/// model of Vinh et al. 2010).
///
/// A term depends on two sizes alone, so each pair of *distinct* sizes is computed once: there are
/// at most sqrt(2n) sizes on a side. Each distribution is walked outwards from its mode until the
/// probabilities no longer count, and normalised by its own sum, which needs no factorials and
/// keeps all digits.
pub fn expected_mutual_information(table: &Contingency) -> f64 {
    let n = table.documents();
    let (system, gold) = (distinct(table.system_sizes()), distinct(table.gold_sizes()));
    let mut total = 0.0;
    for &(a, rows) in &system {
        for &(b, columns) in &gold {
            total += rows * columns * expected_cell(a, b, n);
        }
    }
    total
}

/// Sizes and how many clusters have them.
fn distinct(sizes: &[u32]) -> Vec<(u64, f64)> {
    let mut sizes: Vec<u32> = sizes.iter().copied().filter(|&size| size > 0).collect();
    sizes.sort_unstable();
    sizes.chunk_by(|a, b| a == b).map(|equal| (u64::from(equal[0]), equal.len() as f64)).collect()
}

/// The expectation of k/n ln(kn/(ab)), where k is the common part of random sets of a and b among n
/// documents.
fn expected_cell(a: u64, b: u64, n: u64) -> f64 {
    let low = (a + b).saturating_sub(n);
    let high = a.min(b);
    let mode =
        ((u128::from(a + 1) * u128::from(b + 1) / u128::from(n + 2)) as u64).clamp(low, high);
    let (a_, b_, n_) = (a as f64, b as f64, n as f64);
    let shift = n_.ln() - a_.ln() - b_.ln();
    let information = |k: f64| if k == 0.0 { 0.0 } else { k / n_ * (k.ln() + shift) };
    const NEGLIGIBLE: f64 = 1e-19;
    let (mut mass, mut sum) = (1.0, information(mode as f64));
    let mut weight = 1.0;
    for k in mode..high {
        let k = k as f64;
        weight *= (a_ - k) * (b_ - k) / ((k + 1.0) * (n_ - a_ - b_ + k + 1.0));
        mass += weight;
        sum += weight * information(k + 1.0);
        if weight < NEGLIGIBLE * mass {
            break;
        }
    }
    weight = 1.0;
    for k in (low..mode).rev() {
        let k = k as f64;
        weight *= (k + 1.0) * (n_ - a_ - b_ + k + 1.0) / ((a_ - k) * (b_ - k));
        mass += weight;
        sum += weight * information(k);
        if weight < NEGLIGIBLE * mass {
            break;
        }
    }
    sum / mass
}

fn adjusted(table: &Contingency, information: &Information) -> f64 {
    if table.identical() {
        return 1.0;
    }
    let clusters = |sizes: &[u32]| sizes.iter().filter(|&&size| size > 0).count();
    if clusters(table.system_sizes()) == 1 || clusters(table.gold_sizes()) == 1 {
        return 0.0;
    }
    let expected = expected_mutual_information(table);
    let largest = (information.gold + information.system) / 2.0;
    if largest == expected { 0.0 } else { (information.mutual - expected) / (largest - expected) }
}

fn from(comparison: &OrganizationComparison<'_>, value: fn(&Information) -> f64) -> Score {
    comparison
        .information()
        .map_or_else(|undefined| undefined, |information| Score::Value(value(information)))
}

const ROSENBERG: &str = "Rosenberg, Hirschberg. V-measure: a conditional entropy-based external cluster evaluation measure. EMNLP-CoNLL 2007";
const VINH: &str =
    "Vinh, Epps, Bailey. Information theoretic measures for clusterings comparison. JMLR 11, 2010";

/// The measures of this family.
pub(super) static MEASURES: &[&dyn OrganizationMeasure] = &[
    &ENTROPY,
    &CLASS_ENTROPY,
    &MUTUAL_INFORMATION,
    &NMI,
    &AMI,
    &HOMOGENEITY,
    &COMPLETENESS,
    &V_MEASURE,
    &VARIATION_OF_INFORMATION,
];

static ENTROPY: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "entropy",
        title: "Entropy",
        summary: "How mixed the clusters are.",
        definition: "H(gold | system): the mean over documents of -ln of the share of their class in their cluster",
        range: "0 to ln(number of classes)",
        better: Better::Lower,
        example: THREE_AND_ONE.with(
            0.47738562622110975,
            "cluster {a b c}: ln 3 - 2/3 ln 2 = 0.6365 for 3 of 4 documents; d: 0",
        ),
        references: &[AMIGO_2009],
        ..CLUSTERING
    },
    compute: |comparison| from(comparison, |i| i.gold_given_system),
};

static CLASS_ENTROPY: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "class_entropy",
        title: "Class entropy",
        summary: "How scattered the classes are.",
        definition: "H(system | gold): the mean over documents of -ln of the share of their cluster in their class",
        range: "0 to ln(number of clusters)",
        better: Better::Lower,
        example: THREE_AND_ONE
            .with(0.34657359027997264, "class {a b}: 0; class {c d}: ln 2 for 2 of 4 documents"),
        references: &[AMIGO_2009],
        ..CLUSTERING
    },
    compute: |comparison| from(comparison, |i| i.system_given_gold),
};

static MUTUAL_INFORMATION: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "mutual_information",
        title: "Mutual information",
        summary: "What clusters and classes tell about each other.",
        definition: "I(gold; system) = H(gold) - H(gold | system), in nats",
        range: "0 to the smaller of both entropies",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.21576155433883565, "ln 2 - 0.4774"),
        references: &[AMIGO_2009],
        ..CLUSTERING
    },
    compute: |comparison| from(comparison, |i| i.mutual),
};

static NMI: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "nmi",
        title: "Normalised mutual information",
        summary: "Mutual information on a scale from 0 to 1.",
        definition: "2 I(gold; system) / (H(gold) + H(system)); 1 if both entropies are 0",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.3437110184854508, "2 * 0.2158 / (0.6931 + 0.5623)"),
        references: &[VINH],
        ..CLUSTERING
    },
    compute: |comparison| {
        from(comparison, |i| {
            if i.gold + i.system == 0.0 { 1.0 } else { 2.0 * i.mutual / (i.gold + i.system) }
        })
    },
};

static AMI: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "ami",
        title: "Adjusted mutual information",
        summary: "Mutual information beyond that of random clusters of the same sizes.",
        definition: "(I - E[I]) / ((H(gold) + H(system))/2 - E[I]), E over random clusters of the same sizes; 1 for equal partitions, 0 if one side is a single cluster",
        range: "at most 1, 0 on average for random clusters",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.0, "every 3 + 1 split of two pairs is alike, so E[I] = I"),
        references: &[VINH],
        ..CLUSTERING
    },
    compute: |comparison| match (comparison.contingency(), comparison.information()) {
        (Ok(table), Ok(information)) => Score::Value(adjusted(table, information)),
        (Err(undefined), _) | (_, Err(undefined)) => undefined,
    },
};

static HOMOGENEITY: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "homogeneity",
        title: "Homogeneity",
        summary: "Whether clusters hold one class each.",
        definition: "I(gold; system) / H(gold); 1 if H(gold) = 0",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.31127812445913283, "0.2158 / 0.6931"),
        references: &[ROSENBERG],
        ..CLUSTERING
    },
    compute: |comparison| from(comparison, Information::homogeneity),
};

static COMPLETENESS: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "completeness",
        title: "Completeness",
        summary: "Whether classes lie in one cluster each.",
        definition: "I(gold; system) / H(system); 1 if H(system) = 0",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.3836885465963443, "0.2158 / 0.5623"),
        references: &[ROSENBERG],
        ..CLUSTERING
    },
    compute: |comparison| from(comparison, Information::completeness),
};

static V_MEASURE: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "v_measure",
        title: "V-measure",
        summary: "Homogeneity and completeness together.",
        definition: "the harmonic mean of homogeneity and completeness",
        range: "0 to 1",
        better: Better::Higher,
        example: THREE_AND_ONE.with(0.3437110184854508, "2 * 0.3113 * 0.3837 / (0.3113 + 0.3837)"),
        references: &[ROSENBERG],
        ..CLUSTERING
    },
    compute: |comparison| from(comparison, |i| harmonic(i.homogeneity(), i.completeness())),
};

static VARIATION_OF_INFORMATION: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "variation_of_information",
        title: "Variation of information",
        summary: "The distance between two partitions in information.",
        definition: "H(gold | system) + H(system | gold)",
        range: "0 to ln(number of documents)",
        better: Better::Lower,
        example: THREE_AND_ONE.with(0.8239592165010824, "0.4774 + 0.3466"),
        references: &["Meila. Comparing clusterings by the variation of information. COLT 2003"],
        ..CLUSTERING
    },
    compute: |comparison| from(comparison, |i| i.gold_given_system + i.system_given_gold),
};
