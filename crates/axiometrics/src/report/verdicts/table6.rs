//! Table 6 of Amigo, Gonzalo and Verdejo (2013) beside the verdicts of this program.
//!
//! The ticks of the printed table are pictures; what is told here is what the paper's text says of
//! each measure. A cell on which the text is silent is told as such, not guessed.

use std::fmt::Write as _;

use super::matrix::{Letter, letter};
use crate::check::lattice::Property;
use crate::check::organization::OrganizationVerdicts;
use crate::check::{MetricVerdicts, Verdicts};
use crate::choice::Choice;

/// What the paper says of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Yes,
    No,
    Nothing,
}

use Says::{No, Nothing, Yes};

/// A measure of the table, as it is named here, and what the paper says of each constraint.
struct PaperRow<const N: usize> {
    measure: &'static str,
    says: [Says; N],
}

const RANKING: [Property; 5] = [
    Property::Priority,
    Property::Deepness,
    Property::DeepnessThreshold,
    Property::ClosenessThreshold,
    Property::Confidence,
];

/// "MAP, DCG, Q measure", "P10", "MRR", "RBP" and "R*S" of the table, and those that its text
/// speaks of beside them.
const RANKINGS: [PaperRow<5>; 9] = [
    PaperRow { measure: "AP", says: [Yes, Yes, No, Nothing, No] },
    PaperRow { measure: "DCG", says: [Yes, Yes, No, Nothing, No] },
    PaperRow { measure: "Q", says: [Yes, Nothing, No, Nothing, No] },
    PaperRow { measure: "P@10", says: [No, No, Yes, Yes, No] },
    PaperRow { measure: "RR", says: [Yes, Nothing, Nothing, No, No] },
    PaperRow { measure: "RBP", says: [Yes, Yes, Yes, Yes, No] },
    PaperRow { measure: "TBG", says: [Yes, Yes, Yes, Yes, No] },
    PaperRow { measure: "ERR", says: [Yes, Nothing, Yes, No, No] },
    PaperRow { measure: "RS_F", says: [Yes, Yes, Yes, Yes, Yes] },
];

const CLUSTERING: [&str; 4] = ["homogeneity", "completeness", "rag-bag", "size-vs-quantity"];

/// "Set matching", "Entropy based", "Edit distance", "Counting pairs", "Bcubed" and "R*S".
const CLUSTERINGS: [PaperRow<4>; 12] = [
    PaperRow { measure: "purity", says: [Nothing, No, No, Nothing] },
    PaperRow { measure: "inverse_purity", says: [Nothing, No, No, Nothing] },
    PaperRow { measure: "purity_f", says: [Nothing, No, No, Nothing] },
    PaperRow { measure: "entropy", says: [Nothing, Nothing, No, Nothing] },
    PaperRow { measure: "mutual_information", says: [Nothing, Nothing, No, Nothing] },
    PaperRow { measure: "edit_distance", says: [No, Nothing, No, Nothing] },
    PaperRow { measure: "rand", says: [Nothing, Nothing, No, No] },
    PaperRow { measure: "jaccard", says: [Nothing, Nothing, No, No] },
    PaperRow { measure: "fowlkes_mallows", says: [Nothing, Nothing, No, No] },
    PaperRow { measure: "bcubed_f", says: [Yes, Yes, Yes, Yes] },
    PaperRow { measure: "extended_bcubed_f", says: [Nothing, Nothing, Nothing, No] },
    PaperRow { measure: "F_related", says: [Yes, Yes, Yes, Yes] },
];

const FILTERING: [&str; 1] = ["priority"];

/// "UTILITY, F, LAM%" and "R*S", with others that its text names.
const FILTERINGS: [PaperRow<1>; 6] = [
    PaperRow { measure: "utility", says: [Yes] },
    PaperRow { measure: "f1", says: [Yes] },
    PaperRow { measure: "lam", says: [Yes] },
    PaperRow { measure: "accuracy", says: [Yes] },
    PaperRow { measure: "kappa", says: [Yes] },
    PaperRow { measure: "F", says: [Yes] },
];

/// Why a verdict differs from what the paper says.
const REASONS: &[(&str, &str, &str)] = &[
    (
        "AP",
        "deepness",
        "With one relevant document it holds. Among others the weight of a rank grows with what is relevant above it, which can outweigh the depth.",
    ),
    (
        "RR",
        "priority",
        "The paper says of priority that most measures satisfy it and names P@10 alone as an exception. RR sees the first relevant document only, so below it no order matters.",
    ),
];

/// The three parts of the table as Markdown, or nothing if not all of its measures were checked.
pub(super) fn section(
    rankings: &[MetricVerdicts],
    organizations: &[OrganizationVerdicts],
) -> Option<String> {
    let mut out = String::from(
        "\n## Table 6 of the paper\n\nWhat the text of Amigó, Gonzalo and Verdejo (2013) says of each measure, and the verdict here: `paper / here`. The paper argues about \
         one instance of each constraint; here `Nc` is told if that instance holds and another one, among more documents, does not. A dot: the text does not say.\n",
    );
    part(&mut out, "ranking", rankings, &RANKING.map(Choice::name), &RANKINGS)?;
    part(&mut out, "clustering", organizations, &CLUSTERING, &CLUSTERINGS)?;
    part(&mut out, "filtering", organizations, &FILTERING, &FILTERINGS)?;
    Some(out)
}

fn part<R: Verdicts, const N: usize>(
    out: &mut String,
    head: &str,
    reports: &[R],
    names: &[&'static str; N],
    rows: &[PaperRow<N>],
) -> Option<()> {
    let _ = write!(out, "\n| {head} |");
    names.iter().for_each(|name| out.push_str(&format!(" {name} |")));
    let _ = write!(out, "\n|:--|{}\n", ":--|".repeat(N));
    let mut why = String::new();
    for row in rows {
        let report = reports.iter().find(|r| r.metric() == row.measure)?;
        let _ = write!(out, "| {} |", row.measure);
        for (name, says) in names.iter().zip(row.says) {
            let here = letter(report, name);
            let paper = match says {
                Yes => "Y",
                No => "N",
                Nothing => "·",
            };
            let differs = differs(says, &here);
            let mark = if differs { " *" } else { "" };
            let _ = write!(out, " {paper} / {}{mark} |", here.text());
            if differs {
                let _ = writeln!(
                    why,
                    "- {}, {name}: {} Here: {}.",
                    row.measure,
                    reason(row.measure, name).unwrap_or(""),
                    super::prose(&here.why)
                );
            }
        }
        out.push('\n');
    }
    if !why.is_empty() {
        let _ = write!(out, "\nWhere they differ (*):\n\n{why}");
    }
    Some(())
}

fn differs(says: Says, here: &Letter) -> bool {
    match says {
        Nothing => false,
        Yes => !here.holds(),
        No => !here.is_violated(),
    }
}

fn reason(measure: &str, name: &str) -> Option<&'static str> {
    REASONS.iter().find(|(m, n, why)| *m == measure && *n == name && !why.is_empty()).map(|r| r.2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::organization::{run_all as run_organizations, subjects};
    use crate::check::{CheckGroup, CheckOptions, run_all};

    /// Every cell that differs has a reason, and no reason stands for a cell that does not.
    #[test]
    fn every_difference_has_a_reason() {
        let options =
            CheckOptions { groups: vec![CheckGroup::Constraint], ..CheckOptions::default() };
        let metrics: Vec<_> = RANKINGS.iter().map(|r| r.measure.parse().unwrap()).collect();
        let rankings = run_all(&metrics, &options);
        let names = CLUSTERINGS.iter().map(|r| r.measure);
        let names = names.chain(FILTERINGS.iter().map(|r| r.measure));
        let of: Vec<_> = names.flat_map(subjects).collect();
        let organizations = run_organizations(&of, &options);
        let text = section(&rankings, &organizations).unwrap();
        let told: Vec<&str> = text.lines().filter(|l| l.starts_with("- ")).collect();
        let missing: Vec<&&str> = told.iter().filter(|l| l.contains(":  Here")).collect();
        assert!(missing.is_empty(), "without a reason: {missing:#?}");
        let stands = |(measure, name, _): &&(&str, &str, &str)| {
            told.iter().any(|l| l.starts_with(&format!("- {measure}, {name}: ")))
        };
        let idle: Vec<_> = REASONS.iter().filter(|r| !stands(r)).collect();
        assert!(idle.is_empty(), "these do not differ: {idle:#?}");
    }
}
