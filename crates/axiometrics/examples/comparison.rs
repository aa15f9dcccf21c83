//! Which of three systems is better, and how sure is that?
//!
//! ```sh
//! cargo run --example comparison
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use axiometrics::compare::{self, ComparisonSettings};
use axiometrics::io::{self, QrelsOptions, RunOptions, Source};
use axiometrics::report::comparison;
use axiometrics::report::{OutputFormat, Style};
use axiometrics::score::System;
use axiometrics::{Evaluation, Result, Warnings, measure};

fn main() -> Result<()> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/web");
    let mut warnings = Warnings::default();
    let qrels = io::read_qrels(
        &Source::open(format!("{folder}/qrels.txt"))?,
        QrelsOptions::default(),
        &mut warnings,
    )?;
    let metrics = measure::parse_list("nDCG@10 AP")?;
    let evaluation = Evaluation::new(&qrels, &metrics);

    let names = ["bm25", "dense", "hybrid"];
    let mut scores = Vec::new();
    for name in names {
        // A file is read once; what comes of it can be scored as often as one likes.
        let source = Source::open(format!("{folder}/{name}.run"))?;
        let run = io::read_run(&source, RunOptions::default(), &mut warnings)?;
        scores.push(evaluation.score(&run, &mut warnings)?);
    }
    let systems: Vec<System<'_>> =
        names.iter().zip(&scores).map(|(name, scores)| System { name, scores }).collect();

    let settings = ComparisonSettings::default();
    let compared = compare::compare(&qrels, &metrics, &systems, &settings, &mut warnings)?;
    for measure in &compared.measures {
        for table in [comparison::means(&compared, measure), comparison::pairs(&compared, measure)]
        {
            println!("{}", table.render(OutputFormat::Table, &Style::default()));
        }
    }
    Ok(())
}
