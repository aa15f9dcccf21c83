//! The stable schema of `axio check --format json`.

use serde_json::{Value, json};

use super::demonstration;
use crate::check::organization::OrganizationVerdicts;
use crate::check::{
    CheckGroup, Evidence, Finding, MetricVerdicts, PartVerdict, StructureOutcome, Verdict,
    check_named,
};
use crate::choice::Choice;

/// The document.
pub fn to_json(rankings: &[MetricVerdicts], organizations: &[OrganizationVerdicts]) -> Value {
    let metrics: Vec<Value> =
        rankings.iter().map(ranking).chain(organizations.iter().map(organization)).collect();
    json!({ "metrics": metrics })
}

fn ranking(report: &MetricVerdicts) -> Value {
    let structure = match &report.structure {
        StructureOutcome::Absent => "absent",
        StructureOutcome::Verified(_) => "verified",
        StructureOutcome::Refuted(_) => "refuted",
        StructureOutcome::Contradicted { .. } => "contradicted",
    };
    let mut out = json!({
        "metric": report.metric.to_string(),
        "structure": structure,
        "verdicts": report.findings.iter().map(finding).collect::<Vec<_>>(),
        "theorem": demonstration(report),
    });
    if let Some(error) = report.contradiction() {
        out["error"] = error.into();
    }
    out
}

fn organization(report: &OrganizationVerdicts) -> Value {
    let mut out = json!({
        "metric": report.subject.measure().definition().name,
        "finite": report.subject.is_finite(),
        "verdicts": report.findings.iter().map(finding).collect::<Vec<_>>(),
    });
    if let Some(told) = &report.non_informative {
        out["non_informative"] = json!({ "behaviour": told.behaviour.name(), "text": told.text });
    }
    out
}

fn finding<W: Evidence>(f: &Finding<W>) -> Value {
    let mut out = json!({ "group": f.group.name(), "name": f.name });
    if let Some(scope) = f.scope {
        out["scope"] = scope.name().into();
    }
    if let Some(restrict) = f.restrict {
        out["restrict"] = restrict.name().into();
    }
    if let Some(rankings) = f.rankings {
        out["rankings"] = rankings.name().into();
    }
    if let (CheckGroup::Axiom, Some(check)) = (f.group, check_named(f.name)) {
        out["title"] = check.title().into();
        out["statement"] = check.statement().into();
    }
    answer(&mut out, &f.verdict);
    if let Some(condition) = f.condition {
        out["condition"] = condition.into();
    }
    if let Some(premises) = f.premises {
        out["premises"] = premises.into();
    }
    if !f.parts.is_empty() {
        let part = |part: &PartVerdict<W>| {
            let mut out = json!({ "part": part.name, "premises": part.premises });
            answer(&mut out, &part.verdict);
            out
        };
        out["parts"] = f.parts.iter().map(part).collect();
    }
    out
}

fn answer<W: Evidence>(out: &mut Value, verdict: &Verdict<W>) {
    out["verdict"] = verdict.word().into();
    out["how"] = verdict.how().map(Choice::name).into();
    out["rule"] = verdict.rule().into();
    out["bounds"] = verdict.bounds().map_or(Value::Null, |b| {
        json!({
            "max_docs": b.docs,
            "gains": b.gains,
            "cases": b.cases,
            "skipped": b.skipped,
            "arithmetic": b.arithmetic.describe(),
            "note": b.note,
        })
    });
    if let Verdict::Sampled { trials, seed, .. } = verdict {
        out["bounds"]["trials"] = (*trials).into();
        out["bounds"]["seed"] = (*seed).into();
    }
    if let Verdict::NotApplicable(why) = verdict {
        out["reason"] = why.as_str().into();
    }
    out["witness"] = verdict.witness().map_or(Value::Null, Evidence::to_json);
}
