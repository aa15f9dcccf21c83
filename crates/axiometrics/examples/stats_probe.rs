//! Answers statistical questions, so that other software can check the answers.
//!
//! Reads JSON objects from standard input and prints one JSON answer a line. What is asked shows in
//! the fields:
//!
//! ```text
//! {"test": "t", "a": [0.1, 0.5, 0.4], "b": [0.2, 0.3, 0.1]}
//! {"pairs": "randomisation", "scores": [[0.1, 0.5], [0.2, 0.3], [0.9, 0.4]], "trials": 1000, "seed": 7}
//! {"correlation": "kendall_tau_b", "x": [1, 2, 3], "y": [1, 3, 2]}
//! ```
//!
//! An error becomes `{"error": "..."}`.

use std::io::{BufRead, Write};

use axiometrics::choice::Choice;
use axiometrics::stats::{
    Correction, MeanInterval, PairedDesign, Resampling, ScoreMatrix, StudentizedRange, Test,
    TestOptions, ZeroMethod, all_pairs, effect_size, kendall_tau_a, kendall_tau_b, mean_interval,
    paired_test, pearson, power, randomised_tukey, rbo, spearman, tau_ap, tau_ap_b,
    tau_ap_symmetric, test_interval, topics_needed, tukey_hsd, two_way_anova, wins_ties_losses,
};
use axiometrics::{Error, Result};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Question {
    Test {
        test: String,
        a: Vec<f64>,
        b: Vec<f64>,
        confidence: Option<f64>,
        zero_method: Option<String>,
        trials: Option<usize>,
        seed: Option<u64>,
    },
    Mean {
        mean: String,
        x: Vec<f64>,
        confidence: f64,
        trials: Option<usize>,
        seed: Option<u64>,
    },
    Pairs {
        pairs: String,
        scores: Vec<Vec<f64>>,
        trials: Option<usize>,
        seed: Option<u64>,
    },
    Correction {
        correction: String,
        p: Vec<f64>,
    },
    Correlation {
        correlation: String,
        x: Vec<f64>,
        y: Vec<f64>,
    },
    Rbo {
        rbo: f64,
        x: Vec<String>,
        y: Vec<String>,
    },
    Power {
        topics: usize,
        difference: f64,
        standard_deviation: f64,
        alpha: f64,
    },
    Topics {
        power: f64,
        difference: f64,
        standard_deviation: f64,
        alpha: f64,
    },
    Range {
        q: Vec<f64>,
        groups: usize,
        df: f64,
    },
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer =
            serde_json::from_str(&line?).map_err(|e| Error::usage(e.to_string())).and_then(answer);
        writeln!(out, "{}", answer.unwrap_or_else(|e| json!({ "error": e.to_string() })))?;
    }
    Ok(())
}

fn answer(question: Question) -> Result<Value> {
    Ok(match question {
        Question::Test { test, a, b, confidence, zero_method, trials, seed } => {
            let test = Test::from_name(&test)?;
            let zero_method =
                zero_method.map_or(Ok(Default::default()), |name| ZeroMethod::from_name(&name))?;
            let options = TestOptions { resampling: resampling(trials, seed), zero_method };
            json!({
                "result": paired_test(test, &a, &b, &options)?,
                "interval": confidence.map(|c| test_interval(test, &a, &b, c, &options)).transpose()?,
                "effect": effect_size(&a, &b)?,
                "counts": wins_ties_losses(&a, &b)?,
            })
        }
        Question::Mean { mean, x, confidence, trials, seed } => {
            let kind = MeanInterval::from_name(&mean)?;
            json!(mean_interval(kind, &x, confidence, resampling(trials, seed))?)
        }
        Question::Pairs { pairs, scores, trials, seed } => {
            let scores = ScoreMatrix::new(scores)?;
            let resampling = resampling(trials, seed);
            let results = match pairs.as_str() {
                "tukey_hsd" => tukey_hsd(&scores)?,
                "randomised_tukey" => randomised_tukey(&scores, resampling)?,
                test => all_pairs(
                    Test::from_name(test)?,
                    &scores,
                    &TestOptions { resampling, ..Default::default() },
                )?,
            };
            json!({ "pairs": results, "anova": two_way_anova(&scores).ok() })
        }
        Question::Correction { correction, p } => {
            json!(Correction::from_name(&correction)?.adjust(&p)?)
        }
        Question::Correlation { correlation, x, y } => {
            let coefficient = match correlation.as_str() {
                "pearson" => pearson,
                "spearman" => spearman,
                "kendall_tau_a" => kendall_tau_a,
                "kendall_tau_b" => kendall_tau_b,
                "tau_ap" => tau_ap,
                "tau_ap_b" => tau_ap_b,
                "tau_ap_symmetric" => tau_ap_symmetric,
                other => return Err(Error::usage(format!("no correlation is called \"{other}\""))),
            };
            json!(coefficient(&x, &y)?)
        }
        Question::Rbo { rbo: p, x, y } => json!(rbo(&x, &y, p)?),
        Question::Power { topics, difference, standard_deviation, alpha } => {
            json!(power(&PairedDesign { difference, standard_deviation, alpha }, topics)?)
        }
        Question::Topics { power, difference, standard_deviation, alpha } => {
            json!(topics_needed(&PairedDesign { difference, standard_deviation, alpha }, power)?)
        }
        Question::Range { q, groups, df } => {
            let distribution = StudentizedRange::new(groups, df)?;
            json!(q.into_iter().map(|q| distribution.upper(q)).collect::<Vec<_>>())
        }
    })
}

fn resampling(trials: Option<usize>, seed: Option<u64>) -> Resampling {
    let default = Resampling::default();
    Resampling { trials: trials.unwrap_or(default.trials), seed: seed.unwrap_or(default.seed) }
}
