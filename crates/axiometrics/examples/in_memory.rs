//! Score rankings that are in memory: no file, no command.
//!
//! ```sh
//! cargo run --example in_memory
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use axiometrics::measure::{self, Score};
use axiometrics::policy::{Ties, Undefined};
use axiometrics::{Evaluation, Qrels, Result, Run, Warnings};

fn main() -> Result<()> {
    // Judgements: topic, document, grade. Ids are any bytes.
    let mut judged = Qrels::builder();
    for (topic, document, grade) in [
        ("how to tie a tie", "knots.html", 3.0),
        ("how to tie a tie", "fashion.html", 1.0),
        ("how to tie a tie", "rope.html", 0.0),
        ("weather tomorrow", "forecast.html", 2.0),
    ] {
        judged.push(topic, document, grade);
    }
    let qrels = judged.build()?;

    // A ranking is documents with scores; the highest score comes first.
    let mut ranked = Run::builder().named("first try");
    for (topic, document, score) in [
        ("how to tie a tie", "rope.html", 7.5),
        ("how to tie a tie", "knots.html", 7.5),
        ("how to tie a tie", "fashion.html", 1.0),
        ("weather tomorrow", "climate.html", 3.0),
    ] {
        ranked.push(topic, document, score);
    }
    let run = ranked.build()?;

    let metrics = measure::parse_list("nDCG@10 RR AP")?;
    let mut warnings = Warnings::default();
    let mut evaluation = Evaluation::new(&qrels, &metrics);
    // Two documents have the same score: take the expected score over both orders.
    evaluation.policy.ties = Ties::Average;
    let scores = evaluation.score(&run, &mut warnings)?;

    for (row, topic) in scores.topics().iter().enumerate() {
        println!("{}", String::from_utf8_lossy(topic));
        for (column, metric) in scores.columns().iter().enumerate() {
            match scores.score(row, column) {
                Some(Score::Value(x)) => println!("  {:8} {x:.4}", metric.name),
                Some(Score::Undefined(why)) => println!("  {:8} undefined: {why}", metric.name),
                None => {}
            }
        }
    }
    let mean = scores.summary("nDCG@10", Undefined::Zero)?;
    println!("mean nDCG@10 {:.4}", mean.unwrap_or(f64::NAN));
    for warning in warnings.list() {
        println!("warning: {}; {}", warning.message, warning.remedy);
    }
    Ok(())
}
