//! A measure of one's own in Rust: one formula, scored on runs and decided by the laboratory.
//!
//! ```sh
//! cargo run --example own_measure
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use std::sync::Arc;

use axiometrics::check::{self, CheckOptions, Verdict, Verdicts};
use axiometrics::data::{Judged, Needs};
use axiometrics::measure::{
    Args, Declaration, Def, Formula, Measure, NO_RELEVANT, Number, Own, Param, Score,
};
use axiometrics::{Evaluation, Metric, Qrels, Result, Run, Warnings};

/// The rank of the last relevant document, as a share: R over that rank, 0 if one is missing. A
/// user who needs every relevant document reads down to it.
struct LastRelevant;

impl Formula for LastRelevant {
    fn declaration(&self) -> Declaration<'_> {
        // Documents with a grade above zero are all that the formula looks at.
        Declaration::new(Needs::POSITIVE)
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let relevant = topic.grades.positive.len() as u32;
        let found = topic.hits.iter().count() as u32;
        match topic.hits.iter().last() {
            _ if relevant == 0 => Score::Undefined(NO_RELEVANT),
            Some(last) if found == relevant => {
                Score::Value(N::count(relevant) / N::count(last.rank))
            }
            _ => Score::Value(N::zero()),
        }
    }
}

/// What the measure says about itself.
struct Definition;

impl Own for Definition {
    fn def(&self) -> Def<'_> {
        Def {
            definition: "R over the rank of the last relevant document, 0 if one is missing",
            ..Def::own("LastRelevant", "How soon everything relevant was seen")
        }
    }

    fn params(&self) -> Arc<[Param]> {
        Arc::new([])
    }

    fn build(self: Arc<Self>, _: &Args) -> Result<Arc<dyn Measure>> {
        Ok(Arc::new(LastRelevant))
    }
}

fn main() -> Result<()> {
    let metric = Metric::own(Arc::new(Definition))?;

    let qrels = Qrels::from_columns(&["q"; 2], &["a", "c"], &[1.0, 1.0])?;
    let run = Run::from_columns(&["q"; 3], &["a", "b", "c"], &[3.0, 2.0, 1.0])?;
    let metrics = [metric.clone()];
    let scores = Evaluation::new(&qrels, &metrics).score(&run, &mut Warnings::default())?;
    println!(
        "{metric} of a, b, c, where a and c are relevant: {:?}",
        scores.get("q", "LastRelevant")
    );

    // The same formula, in exact arithmetic, decides the seven properties.
    let options =
        CheckOptions { groups: vec![check::CheckGroup::Property], ..CheckOptions::default() };
    for finding in check::run(&metric, &options).findings() {
        let said = match &finding.verdict {
            Verdict::Violated { witness, .. } => format!("no: {}", witness.text),
            other => format!("{other:?}"),
        };
        println!("{:13} {said}", finding.name);
    }
    Ok(())
}
