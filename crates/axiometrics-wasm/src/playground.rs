//! Rankings that are written down: their scores, and a score taken apart.

use axiometrics::Result;
use axiometrics::component::Component;
use axiometrics::data::Vector;
use axiometrics::policy::{Policies, Ties};
use axiometrics::report::VectorsReport;
use axiometrics::report::explanation::{AnatomyReport, BreakdownReport};
use axiometrics::score::breakdown::Breakdown;
use axiometrics::score::ranges::Vary;
use axiometrics::score::{Anatomy, Evaluation, Protocol, written};
use axiometrics::warning::Warnings;
use serde_json::{Value, json};

use crate::measures::{Measures, document};
use crate::request;
use crate::told;

/// The document of `axio score`, and what is wrong with the measures that it leaves out.
pub(crate) fn score(measures: &mut Measures, asked: &request::Score) -> Result<Value> {
    let rankings: Vec<Vector> =
        asked.rankings.iter().map(|text| text.parse()).collect::<Result<_>>()?;
    let (mut metrics, mut texts, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for text in &asked.measures {
        match measures.of_grades(text) {
            Ok(metric) => {
                metrics.push(metric);
                texts.push(text);
            }
            Err(error) => errors.push(json!({ "text": text, "error": told(&error) })),
        }
    }
    let (qrels, run) = written(&rankings, &metrics, asked.reading.max_grade)?;
    let policies = Policies { ties: asked.reading.ties, ..Policies::default() };
    let mut evaluation = Evaluation::under(&policies, &qrels, &metrics);
    // A score has one range: that of the orders of tied documents, if it is asked for.
    let ranges = asked.ranges && policies.ties != Ties::Range;
    evaluation.ranges = ranges.then_some(Vary { further: 0, below: asked.tail });
    let scores = &evaluation.score(&run, &mut Warnings::default())?;
    let protocol =
        &Protocol { tail: ranges.then_some(asked.tail), ..Protocol::new(&qrels, &policies) };
    let report =
        VectorsReport { rankings: &rankings, qrels: &qrels, metrics: &metrics, scores, protocol };
    Ok(json!({ "document": document(&report)?, "texts": texts, "errors": errors }))
}

/// The document of `axio explain --ranking`.
pub(crate) fn explain(measures: &mut Measures, asked: &request::Explain) -> Result<Value> {
    let metric = measures.of_grades(&asked.measure)?;
    let ranking: Vector = asked.ranking.parse()?;
    let alone = std::slice::from_ref(&metric);
    let (qrels, run) = written(std::slice::from_ref(&ranking), alone, asked.reading.max_grade)?;
    // One order of the documents is taken apart, the one that is written.
    let policies = Policies { ties: Ties::File, ..Policies::default() };
    let protocol = &Protocol::new(&qrels, &policies);
    let policy = Evaluation::under(&policies, &qrels, alone).policy;
    let topic = &ranking.to_string();
    if Component::of(&metric).is_some() {
        let parts = &Anatomy::new(&metric, &qrels, &run, topic, policy)?;
        document(&AnatomyReport { metric: &metric, topic, parts, protocol })
    } else {
        let parts = &Breakdown::new(&metric, &qrels, &run, topic, policy)?;
        document(&BreakdownReport { metric: &metric, topic, parts, protocol })
    }
}
