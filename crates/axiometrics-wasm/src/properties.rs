//! Measures by their properties.

use axiometrics::check::choose::ChoiceTask;
use axiometrics::check::organization::{self, subjects};
use axiometrics::check::{self, CHECKS, CheckGroup, CheckOptions, MOST_DOCS, Scope};
use axiometrics::choice::Choice;
use axiometrics::report::choice::LatticeReport;
use axiometrics::report::{MeasureList, verdicts};
use axiometrics::{Error, Result};
use serde_json::{Value, json};

use crate::measures::{Measures, document};
use crate::request;

/// Every measure, every check and what can be wished for.
pub(crate) fn catalogue() -> Value {
    let measures = document(&MeasureList::mentioning::<&str>(&[]));
    let known = CHECKS.iter().flat_map(|group| group.iter());
    let checks: Vec<Value> = known
        .filter(|check| check.scope() != Some(Scope::Printed))
        .map(|check| {
            json!({
                "name": check.name(),
                "group": check.group().name(),
                "title": check.title(),
                "statement": check.statement(),
                "meaning": check.meaning(),
            })
        })
        .collect();
    let wishes = |task: &ChoiceTask| {
        let statements = task.statements().into_iter();
        let told = statements.map(|(name, gist)| json!({ "name": name, "gist": gist }));
        (task.name().to_string(), told.collect::<Value>())
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "measures": measures.map_or(Value::Null, |mut list| list["measures"].take()),
        "checks": checks,
        "wishes": ChoiceTask::ALL.iter().map(wishes).collect::<serde_json::Map<_, _>>(),
    })
}

/// The document of `axio check`.
pub(crate) fn check(measures: &mut Measures, asked: &request::Check) -> Result<Value> {
    let group = |word: &String| {
        let groups = [CheckGroup::Property, CheckGroup::Constraint, CheckGroup::Axiom];
        let known = || Error::usage("expected the groups property, constraint or axiom");
        groups.into_iter().find(|group| group.name() == word).ok_or_else(known)
    };
    let usual = CheckOptions::default();
    let options = CheckOptions {
        groups: asked.groups.iter().map(group).collect::<Result<_>>()?,
        max_docs: asked.max_docs.unwrap_or(usual.max_docs).clamp(1, MOST_DOCS),
        ..usual
    };
    let known = subjects(&asked.measure);
    let rankings = match measures.one(&asked.measure) {
        Ok(metric) => vec![check::run(&metric, &options)],
        Err(_) if !known.is_empty() => Vec::new(),
        Err(error) => return Err(error),
    };
    Ok(verdicts::to_json(&rankings, &organization::run_all(&known, &options)))
}

/// The document of `axio choose` without a wish: what goes together.
pub(crate) fn lattice() -> Value {
    document(&LatticeReport).unwrap_or_default()
}
