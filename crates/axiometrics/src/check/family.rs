//! What holds for every value of a parameter, and where a verdict changes.
//!
//! A verdict is that of a metric with its parameters. A measure that was named without them is a
//! family, of which more can be said. What is said here was derived by hand; the inequalities that
//! it rests on are given as SMT-LIB, and a test asks the laboratory on both sides of every
//! threshold.

use serde_json::json;

use crate::measure::Metric;

/// A measure for all values of a parameter.
#[derive(Debug)]
pub struct ParameterFamily {
    /// The measure.
    pub measure: &'static str,
    /// The parameter; empty for the cutoff.
    pub parameter: &'static str,
    /// What can be said.
    pub statements: &'static [FamilyStatement],
}

/// What holds for which values.
#[derive(Debug)]
pub struct FamilyStatement {
    /// The checks of which it speaks.
    pub checks: &'static [&'static str],
    /// For which values they hold, in words.
    pub holds: &'static str,
    /// Metrics of which they hold, and of which they do not.
    pub examples: [&'static [&'static str]; 2],
    /// What it rests on, as SMT-LIB that no numbers satisfy: a name and the text.
    pub lemmas: &'static [(&'static str, &'static str)],
}

/// The family of a metric whose parameter was not given.
pub fn family(metric: &Metric) -> Option<&'static ParameterFamily> {
    let name = metric.registered()?.name;
    FAMILIES.iter().find(|f| {
        f.measure == name && !metric.args().given().any(|(given, _)| given == f.parameter)
    })
}

impl ParameterFamily {
    /// The statements and what they rest on, as files.
    pub fn certificate(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        let mut told = Vec::new();
        for statement in self.statements {
            let names: Vec<String> =
                statement.lemmas.iter().map(|(name, _)| format!("lemma-{name}.smt2")).collect();
            for (name, (_, text)) in names.iter().zip(statement.lemmas) {
                files.push((
                    name.clone(),
                    format!("; expected: unsat\n(set-logic ALL)\n{text}(check-sat)\n"),
                ));
            }
            told.push(
                json!({ "checks": statement.checks, "holds": statement.holds, "lemmas": names }),
            );
        }
        let value =
            json!({ "measure": self.measure, "parameter": self.parameter, "statements": told });
        files.push(("family.json".to_string(), format!("{value:#}\n")));
        files
    }
}

const SIX: &[&str] =
    &["bounded", "monotonic", "convergent", "top-weighted", "localized", "complete"];

/// Every family, by measure.
pub const FAMILIES: &[ParameterFamily] = &[
    ParameterFamily {
        measure: "RBP",
        parameter: "p",
        statements: &[
            FamilyStatement {
                checks: SIX,
                holds: "for every p between 0 and 1",
                examples: [&["RBP(p=0.01)", "RBP(p=0.999)"], &[]],
                lemmas: &[("geometric", GEOMETRIC)],
            },
            FamilyStatement {
                checks: &["realizable"],
                holds: "for no p",
                examples: [&[], &["RBP(p=0.01)", "RBP(p=0.999)"]],
                lemmas: &[],
            },
            FamilyStatement {
                checks: &["deepness-threshold"],
                holds: "for every p between 0 and 1, since the weights have a finite sum",
                examples: [&["RBP(p=0.01)", "RBP(p=0.999)"], &[]],
                lemmas: &[],
            },
            FamilyStatement {
                checks: &["closeness-threshold"],
                holds: "if and only if p > 0.75487766..., the root of p^3 + p^2 = 1 and the inverse of the plastic number",
                examples: [&["RBP(p=0.7549)"], &["RBP(p=0.7548)"]],
                lemmas: CLOSE_GEOMETRIC,
            },
        ],
    },
    ParameterFamily {
        measure: "NPV",
        parameter: "rate",
        statements: &[
            FamilyStatement {
                checks: SIX,
                holds: "for every rate above 0: it is RBP with p = 1 / (1 + rate)",
                examples: [&["NPV(rate=0.01)", "NPV(rate=5)"], &[]],
                lemmas: &[("geometric", GEOMETRIC)],
            },
            FamilyStatement {
                checks: &["closeness-threshold"],
                holds: "if and only if rate < 0.32471795..., the plastic number less 1",
                examples: [&["NPV(rate=0.3247)"], &["NPV(rate=0.3248)"]],
                lemmas: CLOSE_GEOMETRIC,
            },
        ],
    },
    ParameterFamily {
        measure: "TBG",
        parameter: "halflife",
        statements: &[
            FamilyStatement {
                checks: SIX,
                holds: "for every halflife above 0: it is RBP with p = 2^(-cost / halflife)",
                examples: [&["TBG(halflife=10)", "TBG(halflife=5000)"], &[]],
                lemmas: &[("geometric", GEOMETRIC)],
            },
            FamilyStatement {
                checks: &["closeness-threshold"],
                holds: "if and only if halflife / cost > 2.46497...",
                examples: [&["TBG(halflife=2.465,cost=1)"], &["TBG(halflife=2.4649,cost=1)"]],
                lemmas: CLOSE_GEOMETRIC,
            },
        ],
    },
    ParameterFamily {
        measure: "INSQ",
        parameter: "T",
        statements: &[
            FamilyStatement {
                checks: SIX,
                holds: "for every T above 0",
                examples: [&["INSQ(T=0.5)", "INSQ(T=100)"], &[]],
                lemmas: &[("inverse-square", INVERSE_SQUARE)],
            },
            FamilyStatement {
                checks: &["closeness-threshold"],
                holds: "if and only if T > 2.6586051..., where it first holds at n = 3",
                examples: [&["INSQ(T=2.6587)"], &["INSQ(T=2.6586)"]],
                lemmas: CLOSE_INVERSE_SQUARE,
            },
        ],
    },
    ParameterFamily {
        measure: "INST",
        parameter: "T",
        statements: &[FamilyStatement {
            checks: &["convergent", "top-weighted"],
            holds: "for every T above 1/2; at T = 1/2 a top document first ends the reading, so the metric is realizable, and neither of these",
            examples: [&["INST(T=0.501)", "INST(T=50)"], &["INST(T=0.5)"]],
            lemmas: &[("potential", INST_POTENTIAL), ("share", INST_SHARE)],
        }],
    },
    ParameterFamily {
        measure: "BPM",
        parameter: "T",
        statements: &[FamilyStatement {
            checks: &["realizable"],
            holds: "if and only if T <= 1: then a top document is enough",
            examples: [&["BPM(T=1)@5"], &["BPM(T=2)@5"]],
            lemmas: &[],
        }],
    },
    ParameterFamily {
        measure: "P",
        parameter: "",
        statements: &[
            FamilyStatement {
                checks: &["deepness-threshold"],
                holds: "for every cutoff, since nothing below it counts",
                examples: [&["P@1", "P@1800"], &[]],
                lemmas: &[],
            },
            FamilyStatement {
                checks: &["closeness-threshold"],
                holds: "if and only if the cutoff is at least 4: two relevant documents after two others must fit",
                examples: [&["P@4"], &["P@3"]],
                lemmas: &[],
            },
        ],
    },
];

const GEOMETRIC: &str = "(declare-const p Real)
(declare-const w Real)
(assert (and (< 0 p) (< p 1) (> w 0)))
(assert (not (and (> (* p w) 0) (< (* p w) w))))
";

const INVERSE_SQUARE: &str = "(declare-const i Real)
(declare-const s Real)
(assert (and (>= i 1) (> s 0)))
(define-fun w ((i Real)) Real (/ (* s s) (* (+ i (- 1) s) (+ i (- 1) s))))
(assert (not (and (> (w i) 0) (< (w (+ i 1)) (w i)))))
";

/// With u = p^n, the weights of ranks n+1 to 2n are together u (1 - u) / (1 - p).
const CLOSE_GEOMETRIC: &[(&str, &str)] = &[
    (
        "n-2-and-3-share-the-root",
        "(declare-const p Real)
(assert (not (= (- (+ (* p p p) (* p p p p) (* p p p p p)) 1)
                (* (- (+ (* p p p) (* p p)) 1) (+ (* p p) 1)))))
",
    ),
    (
        "no-n-below-three-quarters",
        "(declare-const p Real)
(declare-const u Real)
(assert (and (< 0 p) (<= p 0.75) (> (* u (- 1 u)) (- 1 p))))
",
    ),
    (
        "not-n-4-up-to-the-root",
        "(declare-const p Real)
(assert (and (<= 0.75 p) (< p 1) (<= (+ (* p p p) (* p p)) 1)))
(assert (> (* p p p p (- 1 (* p p p p))) (- 1 p)))
",
    ),
    (
        "less-with-each-n-from-there-on",
        "(declare-const u Real)
(declare-const v Real)
(assert (and (< 0 v) (<= v u) (<= u 0.5) (> (* v (- 1 v)) (* u (- 1 u)))))
",
    ),
    (
        "p-to-the-4-is-below-one-half",
        "(declare-const p Real)
(assert (and (< 0 p) (<= (+ (* p p p) (* p p)) 1) (> (* p p p p) 0.5)))
",
    ),
];

/// s = 2 T; the weight of rank j + 1 is (s / (j + s))^2. The sum for n = 3 rises with s and passes 1
/// between 2 * 2.6586051 and 2 * 2.6586052; up to there no other n has one above 1.
const CLOSE_INVERSE_SQUARE: &[(&str, &str)] = &[
    (
        "n-3-passes-one-there",
        "(define-fun w ((j Real) (s Real)) Real (/ (* s s) (* (+ j s) (+ j s))))
(define-fun three ((s Real)) Real (+ (w 3 s) (w 4 s) (w 5 s)))
(assert (not (and (< (three 5.3172102) 1) (> (three 5.3172104) 1))))
",
    ),
    (
        "a-weight-rises-with-s",
        "(declare-const j Real)
(declare-const s Real)
(declare-const t Real)
(assert (and (>= j 1) (< 0 s) (< s t) (>= (/ s (+ j s)) (/ t (+ j t)))))
",
    ),
    (
        "not-n-2",
        "(declare-const s Real)
(define-fun w ((j Real)) Real (/ (* s s) (* (+ j s) (+ j s))))
(assert (and (= s 5.3172104) (> (+ (w 2) (w 3)) 1)))
",
    ),
    (
        "not-n-4",
        "(declare-const s Real)
(define-fun w ((j Real)) Real (/ (* s s) (* (+ j s) (+ j s))))
(assert (and (= s 5.3172104) (> (+ (w 4) (w 5) (w 6) (w 7)) 1)))
",
    ),
    (
        "terms-are-below-steps-of-a-telescope",
        "(declare-const x Real)
(assert (and (> x 1) (>= (/ 1 (* x x)) (- (/ 1 (- x 0.5)) (/ 1 (+ x 0.5))))))
",
    ),
    (
        "not-n-5-and-above",
        "(declare-const n Real)
(declare-const s Real)
(assert (and (>= n 5) (< 0 s) (<= s 5.3172104)))
(assert (> (* s s n) (* (+ n (- 0.5) s) (+ (* 2 n) (- 0.5) s))))
",
    ),
];

/// a = i + 2 T - G; the potential a^2 / (2 a - 1) bounds what is still to come.
const INST_POTENTIAL: &str = "(declare-const a Real)
(declare-const g Real)
(define-fun m ((a Real)) Real (/ (* a a) (- (* 2 a) 1)))
(define-fun c ((a Real)) Real (/ (* (- a 1) (- a 1)) (* a a)))
(assert (and (> a 1) (<= 0 g) (<= g 1)))
(assert (> (+ g (* (c (+ a 1 (- g))) (m (+ a 1 (- g))))) (m a)))
";

const INST_SHARE: &str = "(declare-const a Real)
(assert (> a 1))
(assert (> (* (/ (* 2 (- a 1)) (* a a a)) (/ (* a a) (- (* 2 a) 1)))
           (* 0.5 (- 1 (/ (* (- a 1) (- a 1)) (* a a))))))
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, Verdicts, run};

    /// Both sides of every threshold are as they are said to be.
    #[test]
    fn verdicts_change_where_it_is_said() {
        let options = CheckOptions { max_docs: 4, ..CheckOptions::default() };
        for statement in FAMILIES.iter().flat_map(|f| f.statements) {
            for (holds, metrics) in [true, false].into_iter().zip(statement.examples) {
                for metric in metrics {
                    let report = run(&metric.parse().unwrap(), &options);
                    for check in statement.checks {
                        let verdict = report.get(check).unwrap();
                        assert_eq!(
                            verdict.holds(),
                            holds,
                            "{metric} {check}: {}",
                            verdict.reason()
                        );
                        assert_eq!(verdict.is_violated(), !holds, "{metric} {check}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_family_is_a_measure_without_its_parameter() {
        let of = |text: &str| family(&text.parse().unwrap()).map(|f| f.measure);
        assert_eq!(of("RBP"), Some("RBP"));
        assert_eq!(of("RBP(p=0.8)"), None);
        assert_eq!(of("P@10"), Some("P"));
        assert_eq!(of("AP"), None);
    }
}
