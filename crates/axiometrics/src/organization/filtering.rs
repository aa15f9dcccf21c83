//! Measures of what was kept and what was discarded.

use super::definition::{Better, Definition, FILTERING, OrganizationExample, OrganizationFormula};
use super::{OrganizationComparison, OrganizationMeasure, Score};
use crate::measure::ratio;

/// The known documents by what the two sides do with them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Confusion {
    /// Kept and relevant.
    pub true_positives: f64,
    /// Kept and not relevant.
    pub false_positives: f64,
    /// Relevant and not kept.
    pub false_negatives: f64,
    /// Neither.
    pub true_negatives: f64,
}

impl Confusion {
    /// Counts the documents that either side knows. Kept means on some level.
    pub fn of(comparison: &OrganizationComparison<'_>) -> Confusion {
        let mut counts = Confusion::default();
        for (document, _) in comparison.universe().iter().enumerate().filter(|(_, known)| **known) {
            let kept = comparison.system_index().count(document) > 0;
            let relevant = comparison.gold_index().count(document) > 0;
            *match (kept, relevant) {
                (true, true) => &mut counts.true_positives,
                (true, false) => &mut counts.false_positives,
                (false, true) => &mut counts.false_negatives,
                (false, false) => &mut counts.true_negatives,
            } += 1.0;
        }
        counts
    }

    fn relevant(&self) -> f64 {
        self.true_positives + self.false_negatives
    }

    fn other(&self) -> f64 {
        self.false_positives + self.true_negatives
    }

    fn kept(&self) -> f64 {
        self.true_positives + self.false_positives
    }

    fn documents(&self) -> f64 {
        self.relevant() + self.other()
    }

    fn precision(&self) -> Score {
        ratio(self.true_positives, self.kept(), "nothing was kept")
    }

    fn recall(&self) -> Score {
        ratio(self.true_positives, self.relevant(), "nothing is relevant")
    }

    fn f_beta(&self, beta: f64) -> Score {
        let hits = (1.0 + beta * beta) * self.true_positives;
        ratio(
            hits,
            hits + beta * beta * self.false_negatives + self.false_positives,
            "nothing was kept and nothing is relevant",
        )
    }

    fn accuracy(&self) -> Score {
        ratio(self.true_positives + self.true_negatives, self.documents(), "there is no document")
    }

    fn balanced_accuracy(&self) -> Score {
        if self.relevant() == 0.0 || self.other() == 0.0 {
            return Score::Undefined("all documents are relevant, or none");
        }
        Score::Value(
            (self.true_positives / self.relevant() + self.true_negatives / self.other()) / 2.0,
        )
    }

    fn utility(&self, weights: [f64; 4]) -> f64 {
        let counts =
            [self.true_positives, self.false_positives, self.false_negatives, self.true_negatives];
        weights.iter().zip(counts).map(|(weight, count)| weight * count).sum()
    }

    fn lam(&self) -> f64 {
        let odds = |errors: f64, of: f64| (errors + 0.5) / (of - errors + 0.5);
        let both = (odds(self.false_positives, self.other())
            * odds(self.false_negatives, self.relevant()))
        .sqrt();
        both / (1.0 + both)
    }

    fn kappa(&self) -> Score {
        let n = self.documents();
        let chance = self.kept() * self.relevant() + (n - self.kept()) * self.other();
        let agreed = (self.true_positives + self.true_negatives) * n;
        ratio(agreed - chance, n * n - chance, "both sides put all documents into the same class")
    }

    fn mcc(&self) -> Score {
        let n = self.documents();
        if n == 0.0 {
            return Score::Undefined("there is no document");
        }
        let scale =
            (self.kept() * self.relevant()).sqrt() * ((n - self.kept()) * self.other()).sqrt();
        let covariance =
            self.true_positives * self.true_negatives - self.false_positives * self.false_negatives;
        Score::Value(if scale == 0.0 { 0.0 } else { covariance / scale })
    }
}

fn auc(comparison: &OrganizationComparison<'_>) -> Score {
    if comparison.system().scores().is_empty() {
        return Score::Undefined("the system gave no scores");
    }
    let universe = comparison.universe();
    let mut scores = vec![f64::NEG_INFINITY; universe.len()];
    for &(document, score) in comparison.system().scores() {
        scores[document as usize] = score;
    }
    let relevant = |document: &usize| comparison.gold_index().count(*document) > 0;
    let mut order: Vec<usize> =
        (0..universe.len()).filter(|&document| universe[document]).collect();
    order.sort_unstable_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    let (mut below, mut wins, mut positives) = (0.0, 0.0, 0.0);
    for ties in order.chunk_by(|&a, &b| scores[a] == scores[b]) {
        let hits = ties.iter().filter(|document| relevant(document)).count() as f64;
        let others = ties.len() as f64 - hits;
        wins += hits * (below + others / 2.0);
        below += others;
        positives += hits;
    }
    ratio(wins, positives * below, "all documents are relevant, or none")
}

/// The measures of this family.
pub(super) static MEASURES: &[&dyn OrganizationMeasure] = &[
    &PRECISION,
    &RECALL,
    &F1,
    &F_BETA,
    &ACCURACY,
    &BALANCED_ACCURACY,
    &UTILITY,
    &LAM,
    &KAPPA,
    &MCC,
    &AUC,
];

static PRECISION: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "precision",
        title: "Precision",
        summary: "The share of the kept documents that are relevant.",
        definition: "TP / (TP + FP)",
        range: "0 to 1",
        better: Better::Higher,
        undefined: "nothing was kept",
        example: OrganizationExample {
            gold: "1 2 3 | 4 5 6 7 8",
            system: "1 2 4 | 3 5 6 7 8",
            value: 0.6666666666666666,
            working: "1, 2 of 1, 2, 4",
        },
        references: &["Manning, Raghavan, Schütze. Introduction to Information Retrieval. 2008"],
        ..FILTERING
    },
    compute: |comparison| comparison.confusion().precision(),
};

static RECALL: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "recall",
        title: "Recall",
        summary: "The share of the relevant documents that are kept.",
        definition: "TP / (TP + FN)",
        range: "0 to 1",
        better: Better::Higher,
        undefined: "nothing is relevant",
        example: OrganizationExample {
            gold: "1 2 3 | 4 5 6 7 8",
            system: "1 2 4 | 3 5 6 7 8",
            value: 0.6666666666666666,
            working: "1, 2 of 1, 2, 3",
        },
        references: &["Manning, Raghavan, Schütze. Introduction to Information Retrieval. 2008"],
        ..FILTERING
    },
    compute: |comparison| comparison.confusion().recall(),
};

static F1: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "f1",
        title: "F1",
        summary: "Precision and recall together.",
        definition: "2 TP / (2 TP + FP + FN)",
        range: "0 to 1",
        better: Better::Higher,
        undefined: "nothing was kept and nothing is relevant",
        example: OrganizationExample {
            gold: "1 2 3 | 4 5 6 7 8",
            system: "1 2 4 | 3 5 6 7 8",
            value: 0.6666666666666666,
            working: "4 / (4 + 1 + 1)",
        },
        references: &["Manning, Raghavan, Schütze. Introduction to Information Retrieval. 2008"],
        ..FILTERING
    },
    compute: |comparison| comparison.confusion().f_beta(1.0),
};

static F_BETA: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "f_beta",
        title: "F-beta",
        summary: "Precision and recall together, recall beta times as important.",
        definition: "(1 + b^2) TP / ((1 + b^2) TP + b^2 FN + FP), with b from the settings (1 by default)",
        range: "0 to 1",
        better: Better::Higher,
        undefined: "nothing was kept and nothing is relevant",
        example: OrganizationExample {
            gold: "1 2 3 | 4 5 6 7 8",
            system: "1 2 4 | 3 5 6 7 8",
            value: 0.6666666666666666,
            working: "with b = 1: 4 / (4 + 1 + 1)",
        },
        references: &["van Rijsbergen. Information Retrieval. 1979"],
        ..FILTERING
    },
    compute: |comparison| comparison.confusion().f_beta(comparison.settings().beta),
};

static ACCURACY: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "accuracy",
        title: "Accuracy",
        summary: "The share of the documents that are treated rightly.",
        definition: "(TP + TN) / n",
        range: "0 to 1",
        better: Better::Higher,
        example: OrganizationExample {
            gold: "1 2 3 | 4 5 6 7 8",
            system: "1 2 4 | 3 5 6 7 8",
            value: 0.75,
            working: "1, 2, 5, 6, 7, 8 of 8",
        },
        references: &["Manning, Raghavan, Schütze. Introduction to Information Retrieval. 2008"],
        ..FILTERING
    },
    compute: |comparison| comparison.confusion().accuracy(),
};

static BALANCED_ACCURACY: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "balanced_accuracy",
        title: "Balanced (macro-averaged) accuracy",
        summary: "The mean of the shares of relevant and of other documents that are treated rightly.",
        definition: "(TP / (TP + FN) + TN / (TN + FP)) / 2",
        range: "0 to 1, 1/2 for whatever ignores the documents",
        better: Better::Higher,
        undefined: "all documents are relevant, or none",
        example: OrganizationExample {
            gold: "1 2 3 | 4 5 6 7 8",
            system: "1 2 4 | 3 5 6 7 8",
            value: 0.7333333333333334,
            working: "(2/3 + 4/5)/2",
        },
        references: &["Mitchell. Machine Learning. 1997"],
        ..FILTERING
    },
    compute: |comparison| comparison.confusion().balanced_accuracy(),
};

static UTILITY: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "utility",
        title: "Utility",
        summary: "What the kept documents are worth.",
        definition: "a TP + b FP + c FN + d TN, with weights from the settings (1, -1, 0, 0 by default)",
        range: "unbounded",
        better: Better::Higher,
        undefined: "never",
        example: OrganizationExample {
            gold: "1 2 3 | 4 5 6 7 8",
            system: "1 2 4 | 3 5 6 7 8",
            value: 1.0,
            working: "2 - 1",
        },
        references: &["Hull. The TREC-7 filtering track: description and analysis. TREC 1998"],
        ..FILTERING
    },
    compute: |comparison| {
        Score::Value(comparison.confusion().utility(comparison.settings().utility))
    },
};

static LAM: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "lam",
        title: "Logistic average misclassification",
        summary: "The mean, on the logistic scale, of the rates of false alarms and misses.",
        definition: "1 / (1 + exp(-(logit p + logit q)/2)), p = (FP + 1/2)/(FP + TN + 1), q = (FN + 1/2)/(TP + FN + 1)",
        range: "0 to 1, both excluded",
        better: Better::Lower,
        undefined: "never",
        example: OrganizationExample {
            gold: "1 2 3 | 4 5 6 7 8",
            system: "1 2 4 | 3 5 6 7 8",
            value: 0.3090169943749474,
            working: "p = 1.5/6, q = 1.5/4: odds 1/3 and 3/5, geometric mean 1/sqrt(5), 1/(1 + sqrt(5))",
        },
        references: &["Cormack, Lynam. TREC 2005 spam track overview. TREC 2005"],
        ..FILTERING
    },
    compute: |comparison| Score::Value(comparison.confusion().lam()),
};

static KAPPA: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "kappa",
        title: "Cohen's kappa",
        summary: "Agreement beyond chance.",
        definition: "(accuracy - e) / (1 - e), e = the accuracy to be expected of independent labels",
        range: "-1 to 1, 0 on average for whatever ignores the documents",
        better: Better::Higher,
        undefined: "both sides put all documents into the same class",
        example: OrganizationExample {
            gold: "1 2 3 | 4 5 6 7 8",
            system: "1 2 4 | 3 5 6 7 8",
            value: 0.4666666666666667,
            working: "e = (3 * 3 + 5 * 5)/64 = 17/32; (3/4 - 17/32)/(15/32)",
        },
        references: &[
            "Cohen. A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20, 1960",
        ],
        ..FILTERING
    },
    compute: |comparison| comparison.confusion().kappa(),
};

static MCC: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "mcc",
        title: "Matthews correlation coefficient",
        summary: "The correlation of kept and relevant.",
        definition: "(TP TN - FP FN) / sqrt((TP + FP)(TP + FN)(TN + FP)(TN + FN)); 0 if a factor is 0",
        range: "-1 to 1",
        better: Better::Higher,
        example: OrganizationExample {
            gold: "1 2 3 | 4 5 6 7 8",
            system: "1 2 4 | 3 5 6 7 8",
            value: 0.4666666666666667,
            working: "(2 * 4 - 1)/sqrt(3 * 3 * 5 * 5)",
        },
        references: &[
            "Matthews. Comparison of the predicted and observed secondary structure of T4 phage lysozyme. BBA 405, 1975",
        ],
        ..FILTERING
    },
    compute: |comparison| comparison.confusion().mcc(),
};

static AUC: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "auc",
        title: "Area under the ROC curve",
        summary: "The chance that a relevant document is scored above another.",
        definition: "the share of (relevant, other) pairs of documents in which the relevant one has the higher score, ties counting 1/2; documents without a score are last",
        range: "0 to 1, 1/2 for whatever ignores the documents",
        better: Better::Higher,
        undefined: "the system gave no scores; all documents are relevant, or none",
        example: OrganizationExample {
            gold: "a b | c d",
            system: "a=0.9 c=0.8 | b=0.4 d=0.1",
            value: 0.75,
            working: "a > c, a > d, b > d, not b > c: 3 of 4",
        },
        references: &[
            "Hanley, McNeil. The meaning and use of the area under a ROC curve. Radiology 143, 1982",
        ],
        ..FILTERING
    },
    compute: |comparison| auc(comparison),
};
