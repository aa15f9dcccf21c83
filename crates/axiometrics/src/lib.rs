//! Measure retrieval systems, and measure the measures.
//!
//! Axiometrics scores rankings by every measure that trec_eval, ir_measures, ranx and cwl_eval
//! have, says how far unjudged documents and ties could move each score, compares systems with
//! honest statistics, and decides which formal properties a measure has. Everything works on values
//! in memory; [`io`] reads and writes files.
//!
//! # Score a run
//!
//! ```
//! use axiometrics::{Evaluation, Qrels, Run, Warnings, measure};
//! use axiometrics::policy::Undefined;
//!
//! let qrels = Qrels::from_columns(&["q1", "q1", "q2"], &["d1", "d3", "d2"], &[1.0, 1.0, 1.0])?;
//! let run = Run::from_columns(
//!     &["q1", "q1", "q1", "q2"],
//!     &["d1", "d2", "d3", "d9"],
//!     &[0.9, 0.8, 0.7, 0.5],
//! )?;
//! let metrics = measure::parse_list("AP RR nDCG@10")?;
//! let scores = Evaluation::new(&qrels, &metrics).score(&run, &mut Warnings::default())?;
//!
//! assert_eq!(scores.get("q1", "RR").and_then(|score| score.value()), Some(1.0));
//! assert_eq!(scores.summary("RR", Undefined::Zero)?, Some(0.5));
//! # Ok::<(), axiometrics::Error>(())
//! ```
//!
//! # Decide a property
//!
//! ```
//! use axiometrics::check::{self, CheckOptions, Verdict, Verdicts};
//!
//! // May the score of a ranking fall as one reads on?
//! let report = check::run(&"P@5".parse()?, &CheckOptions::default());
//! let Some(Verdict::Violated { witness, .. }) = report.get("monotonic") else { panic!() };
//! assert_eq!(witness.text, "1|0 scores 1, and one rank deeper 10| scores 0.5: a decrease");
//! # Ok::<(), axiometrics::Error>(())
//! ```
//!
//! # Compare two systems
//!
//! ```
//! use axiometrics::compare::{self, ComparisonSettings};
//! use axiometrics::score::System;
//! use axiometrics::{Evaluation, Qrels, Run, Warnings, measure};
//!
//! let topics: Vec<String> = (0..12).map(|t| t.to_string()).collect();
//! let judged: Vec<(&str, &str)> =
//!     topics.iter().flat_map(|t| [(t.as_str(), "a"), (t.as_str(), "b")]).collect();
//! let (topic, doc): (Vec<&str>, Vec<&str>) = judged.into_iter().unzip();
//! let qrels = Qrels::from_columns(&topic, &doc, &vec![1.0; topic.len()])?;
//! // One system puts a relevant document first on two topics of three, the other on one of three.
//! let system = |good: usize| {
//!     let mut run = Run::builder().named(format!("system {good}"));
//!     for (t, topic) in topics.iter().enumerate() {
//!         let first = if t % 3 < good { "a" } else { "x" };
//!         run.push(topic, first, 2.0);
//!         run.push(topic, "b", 1.0);
//!     }
//!     run.build()
//! };
//! let metrics = measure::parse_list("AP")?;
//! let mut warnings = Warnings::default();
//! let evaluation = Evaluation::new(&qrels, &metrics);
//! let one = evaluation.score(&system(1)?, &mut warnings)?;
//! let two = evaluation.score(&system(2)?, &mut warnings)?;
//! let systems = [System { name: "one", scores: &one }, System { name: "two", scores: &two }];
//! let comparison =
//!     compare::compare(&qrels, &metrics, &systems, &ComparisonSettings::default(), &mut warnings)?;
//! assert_eq!(comparison.measures[0].topics, 12);
//! let pair = &comparison.measures[0].pairs[0];
//! assert_eq!((pair.wins, pair.ties, pair.losses), (0, 8, 4));
//! # Ok::<(), axiometrics::Error>(())
//! ```
//!
//! # The map
//!
//! Modules import in one direction, and a test keeps it so: [`data`] holds judgements, runs and
//! organizations; [`io`] reads and writes them; [`align`] finds the documents that matter;
//! [`measure`], [`organization`] and [`component`] define measures; [`score`] applies them to runs;
//! [`trec_eval`] has NIST's names for them; [`fuse`] makes several runs into one; [`check`] decides their properties; [`compare`], [`meta`] and [`plan`] work on scores;
//! [`report`] lays everything out for people and programs.

pub mod align;
pub mod beyond;
pub mod check;
pub mod choice;
pub mod compare;
pub mod component;
pub mod curve;
pub mod data;
pub mod effort;
pub mod error;
pub mod expression;
pub mod fit;
pub mod fuse;
pub mod io;
pub mod measure;
pub mod meta;
pub mod number;
pub mod organization;
pub mod plan;
pub mod policy;
pub mod remedy;
pub mod report;
pub mod score;
pub mod session;
pub mod stats;
pub mod trec_eval;
pub mod validate;
pub mod warning;
pub mod work;

pub use data::{Qrels, Run};
pub use error::{Error, Place, Result};
pub use measure::Metric;
pub use score::{Evaluation, Scores};
pub use warning::Warnings;

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
