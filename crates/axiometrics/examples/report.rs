//! One self-contained page with tables and plots, from scores in memory.
//!
//! ```sh
//! cargo run --example report --features html > report.html
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use axiometrics::check::{self, CheckOptions};
use axiometrics::compare::ComparisonSettings;
use axiometrics::policy::Undefined;
use axiometrics::report::html::{Origin, ReportedRun, Study, extra_metrics};
use axiometrics::{Evaluation, Qrels, Result, Run, Warnings, measure};

fn main() -> Result<()> {
    // Twenty topics with five relevant documents each; one system finds them sooner.
    let topics: Vec<String> = (1..=20).map(|topic| format!("t{topic}")).collect();
    let mut judged = Qrels::builder();
    for topic in &topics {
        for document in 0..30 {
            judged.push(topic, format!("d{document}"), f64::from(u8::from(document % 6 == 0)));
        }
    }
    let qrels = judged.build()?;
    let system = |name: &str, noise: usize| {
        let mut run = Run::builder().named(name);
        for (t, topic) in topics.iter().enumerate() {
            for document in 0..30 {
                let luck = (document * 7 + t * noise) % 30;
                let score = if document % 6 == 0 { 10 + luck / noise } else { luck };
                run.push(topic, format!("d{document}"), score as f64);
            }
        }
        run.build()
    };

    let metrics = measure::parse_list("nDCG@10 AP")?;
    let extras = extra_metrics()?;
    let mut warnings = Warnings::default();
    let mut scored = Vec::new();
    for (name, noise) in [("careful", 3), ("hasty", 7)] {
        let run = system(name, noise)?;
        let scores = Evaluation::new(&qrels, &metrics).score(&run, &mut warnings)?;
        let more = Evaluation::new(&qrels, &extras).score(&run, &mut warnings)?;
        scored.push((name, scores, more));
    }
    let runs = scored.iter().map(|(name, scores, extras)| ReportedRun {
        name,
        scores,
        extras: Some(extras),
        ranged: None,
        ties_reversed: None,
    });
    let study = Study {
        title: None,
        qrels: &qrels,
        metrics: &metrics,
        runs: runs.collect(),
        reference: 1,
        reference_is_chosen: true,
        undefined: Undefined::Zero,
        settings: ComparisonSettings { baseline: Some(1), ..ComparisonSettings::default() },
        joint: None,
        checks: &check::run_all(&metrics, &CheckOptions::default()),
        warnings: &warnings.list(),
        origin: Origin { command: "an example".to_string(), ..Origin::default() },
    };
    println!("{}", study.page()?);
    Ok(())
}
