//! What an outsider needs to check a verdict without this program.

use serde_json::{Value, json};

use super::{CheckGroup, CheckOptions, Evidence, Finding, Lab, MetricVerdicts, Verdicts, proof};
use crate::choice::Choice;

/// The certificate of one verdict: a folder of files.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// Which check, with its version if there are two.
    pub check: String,
    /// File names and contents.
    pub files: Vec<(String, String)>,
}

/// The certificates of all verdicts on one metric.
///
/// Each has the verdict, the formula and what was asked in plain words (`certificate.json`). A case
/// is there as data. A proof is there with the inequalities that it rests on, each negated, as
/// SMT-LIB over the reals (`lemma-N.smt2`): a solver that finds any of them satisfiable refutes the
/// proof.
pub fn certificates(report: &MetricVerdicts, options: &CheckOptions) -> Vec<Certificate> {
    let lab = Lab::new(&report.metric, options).ok();
    report.findings.iter().map(|finding| certificate(report, finding, lab.as_ref())).collect()
}

fn certificate(report: &MetricVerdicts, finding: &Finding, lab: Option<&Lab>) -> Certificate {
    let metric = &report.metric;
    let lemmas = match lab {
        Some(lab) if finding.group == CheckGroup::Property && finding.verdict.is_proved() => {
            proof::claims(lab, finding.name)
        }
        _ => Vec::new(),
    };
    let mut files = Vec::new();
    let mut listed = Vec::new();
    for (number, claim) in (1..).zip(&lemmas) {
        // What SMT-LIB has no words for is told in ours.
        let file = claim.smt().map(|text| {
            let name = format!("lemma-{number}.smt2");
            files.push((name.clone(), text));
            name
        });
        listed.push(json!({ "says": claim.says, "holds": claim.to_string(), "file": file }));
    }
    let value = json!({
        "metric": metric.to_string(),
        "definition": metric.def().definition,
        "check": finding.name,
        "version": finding.version(),
        "statement": report.statement(finding),
        "verdict": finding.verdict.word(),
        "how": finding.verdict.how().map(Choice::name),
        "reason": finding.verdict.reason(),
        "condition": finding.condition,
        "witness": finding.verdict.witness().map_or(Value::Null, Evidence::to_json),
        "lemmas": listed,
    });
    files.push(("certificate.json".to_string(), format!("{value:#}\n")));
    let check = finding
        .version()
        .map_or_else(|| finding.name.to_string(), |version| format!("{}-{version}", finding.name));
    Certificate { check, files }
}
