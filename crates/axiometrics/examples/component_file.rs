//! A metric from a file: scored, checked and taken apart like a built-in one.
//!
//! ```sh
//! cargo run --example component_file
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use axiometrics::check::{self, CheckOptions, Verdict, Verdicts};
use axiometrics::component::Component;
use axiometrics::{Evaluation, Metric, Qrels, Result, Run, Warnings};

/// Half of the worth of a document is lost from each rank to the next, and nothing below the k-th
/// counts.
const FILE: &str = r#"
name = "Halves"
params = { k = 10 }
cutoff = "k"
score = "sum(d in Rel where pos(d) <= k : 0.5 ^ pos(d))"
"#;

fn main() -> Result<()> {
    let metric = Metric::own(Component::parse("halves.toml", FILE)?)?;

    let qrels = Qrels::from_columns(&["q"; 2], &["a", "c"], &[1.0, 1.0])?;
    let run = Run::from_columns(&["q"; 3], &["a", "b", "c"], &[3.0, 2.0, 1.0])?;
    let metrics = [metric.clone()];
    let scores = Evaluation::new(&qrels, &metrics).score(&run, &mut Warnings::default())?;
    println!("{metric} of a, b, c: {:?}", scores.get("q", &metric.to_string()));

    // Which of Moffat's seven properties does it have?
    let options =
        CheckOptions { groups: vec![check::CheckGroup::Property], ..CheckOptions::default() };
    let report = check::run(&metric, &options);
    for finding in report.findings() {
        let said = match &finding.verdict {
            Verdict::Violated { witness, .. } => format!("no: {}", witness.text),
            Verdict::Proved { rule } => format!("yes: {rule}"),
            Verdict::Searched(bounds) => format!("yes, in {} cases", bounds.cases),
            other => format!("{other:?}"),
        };
        println!("{:13} {said}", finding.name);
    }
    Ok(())
}
