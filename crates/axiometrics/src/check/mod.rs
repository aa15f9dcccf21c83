//! The formal laboratory: decides numeric properties and formal constraints of any metric, with a
//! witness for every No.
//!
//! Owns: the checks, what they may say ([`Verdict`]), the search, the verification of declared
//! structures, the theorem. Does not own: files (a [`Witness`] gives their contents) and tables for
//! people (`report`).
//!
//! ```
//! use axiometrics::check::{self, CheckOptions, Verdicts};
//! let report = check::run(&"SNAP".parse()?, &CheckOptions::default());
//! let convergent = report.get("convergent").unwrap();
//! assert_eq!(convergent.witness().unwrap().text, "10|1 scores 1, and with ranks 2 and 3 swapped 11|0 scores 1: no increase");
//! # Ok::<(), axiometrics::Error>(())
//! ```

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod attack;
pub mod axiom;
mod certificate;
pub mod choose;
mod constraint;
mod deep;
pub mod diversity;
mod domain;
pub mod family;
mod form;
mod lab;
mod landmarks;
pub mod lattice;
#[cfg(test)]
mod naive;
pub mod organization;
mod proof;
mod property;
mod prover;
mod reach;
#[cfg(test)]
mod rounding;
mod search;
pub(crate) mod shape;
pub mod spacing;
mod states;
#[cfg(test)]
mod tests;
pub mod theorem;
pub mod verdict;
pub mod witness;

pub use axiom::{RankingKind, Restrict};
pub use certificate::{Certificate, certificates};
pub use lab::Lab;
pub use reach::{Reach, reach};
pub use verdict::{Arithmetic, Bounds, How, Outcome, Verdict};
pub use witness::{Evidence, State, Witness};

use rayon::prelude::*;

use crate::choice::{Choice, choices};
use crate::measure::structure::Domain;
use crate::measure::{Args, Cutoff, Def, Metric, definitions};

/// A question that can be asked of a metric.
///
/// It must look at the metric through the laboratory only, and must give the smallest witness it
/// meets.
pub trait Check: Sync {
    /// What kind of question it is.
    fn group(&self) -> CheckGroup;
    /// Its name, as in the JSON output.
    fn name(&self) -> &'static str;
    /// When a metric has it, in one sentence.
    fn statement(&self) -> &'static str;
    /// How far it goes, for constraints: the printed instance alone, or any context.
    fn scope(&self) -> Option<Scope> {
        None
    }
    /// Decides it.
    fn decide(&self, lab: &Lab) -> Verdict;
    /// Its title, if it has one in the literature.
    fn title(&self) -> Option<&'static str> {
        None
    }
    /// What the statement means, in plain words.
    fn meaning(&self) -> &'static str {
        self.statement()
    }
    /// Which rankings and collections the search tries, for constraints: every case that the
    /// statement covers must be among them.
    fn worlds(&self) -> String {
        String::new()
    }
    /// What the verdict takes for granted, if that is more than the statement says.
    fn condition(&self, _metric: &Metric) -> Option<&'static str> {
        None
    }
    /// Decides it in another way than by the laboratory: axioms look at documents that were
    /// measured twice, not at rankings of gains.
    fn findings(&self, _metric: &Metric, _options: &CheckOptions) -> Option<Vec<Finding>> {
        None
    }
}

/// What kind of question a check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckGroup {
    /// One of the seven numeric properties of Moffat.
    Property,
    /// One of the formal constraints of Amigo, Gonzalo and Verdejo.
    Constraint,
    /// One of the thirteen axioms of Maddalena and Mizzaro.
    Axiom,
}

choices! {
    CheckGroup {
        Property "property",
        Constraint "constraint",
        Axiom "axiom",
    }
}

/// How far a constraint goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// The instance as the paper prints it: nothing but the documents that it names.
    Printed,
    /// The same among any other documents.
    General,
}

choices! {
    Scope {
        Printed "printed",
        General "general",
    }
}

/// Every check: the properties in the paper's order, then the constraints, printed before general,
/// then the axioms.
pub const CHECKS: &[&[&dyn Check]] = &[property::CHECKS, constraint::CHECKS, axiom::CHECKS];

/// All checks of some groups.
pub fn checks(groups: &[CheckGroup]) -> impl Iterator<Item = &'static dyn Check> + '_ {
    CHECKS
        .iter()
        .flat_map(|group| group.iter().copied())
        .filter(move |c| groups.contains(&c.group()))
}

/// A check by its name; of a constraint, the one that goes furthest.
pub fn check_named(name: &str) -> Option<&'static dyn Check> {
    CHECKS.iter().flat_map(|group| group.iter().copied()).rfind(|c| c.name() == name)
}

/// The check of a property or constraint, of a constraint the general one.
pub fn check_of(property: lattice::Property) -> &'static dyn Check {
    check_named(property.name()).unwrap_or(CHECKS[0][0])
}

/// How to check.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// The largest collections that are searched exhaustively: at least 1, at most [`MOST_DOCS`].
    pub max_docs: u32,
    /// The longest rankings that are looked at beyond these; if nothing is said, as long as the
    /// metric makes it worth while.
    pub reach: Option<u32>,
    /// What to ask.
    pub groups: Vec<CheckGroup>,
    /// Where random cases start.
    pub seed: u64,
    /// How axioms are read.
    pub axioms: axiom::AxiomSettings,
}

/// Beyond this the table of graded states does not fit.
pub const MOST_DOCS: u32 = 8;

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            max_docs: 6,
            reach: None,
            groups: vec![CheckGroup::Property, CheckGroup::Constraint],
            seed: 1,
            axioms: axiom::AxiomSettings::default(),
        }
    }
}

/// What came out for one metric.
#[derive(Debug, Clone)]
pub struct MetricVerdicts {
    /// The metric.
    pub metric: Metric,
    /// The gains that it is written over, if any check applies.
    pub domain: Option<Domain>,
    /// What came of the structure that it declares.
    pub structure: StructureOutcome,
    /// The verdicts, in the order of [`CHECKS`].
    pub findings: Vec<Finding>,
}

/// What came of a declared structure.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum StructureOutcome {
    /// The measure declares nothing.
    Absent,
    /// It agrees with the scores on this many states.
    Verified(u64),
    /// It does not agree with the scores here, and so proves nothing.
    Refuted(State),
    /// It agreed with the scores, but what a rule proves from it is false in a case that was decided
    /// without rounding: the case counts, and nothing is proved from the declaration.
    Contradicted {
        /// The rule.
        rule: String,
        /// The case.
        case: String,
    },
}

/// One verdict.
#[derive(Debug, Clone)]
pub struct Finding<W = Witness> {
    /// What kind of question.
    pub group: CheckGroup,
    /// Which.
    pub name: &'static str,
    /// How far, for constraints.
    pub scope: Option<Scope>,
    /// How rankings were restricted, for an axiom, if that makes a difference.
    pub restrict: Option<Restrict>,
    /// Which rankings systems made, for an axiom, if that makes a difference.
    pub rankings: Option<RankingKind>,
    /// The answer.
    pub verdict: Verdict<W>,
    /// What the answer takes for granted, if it holds under a condition.
    pub condition: Option<&'static str>,
    /// How many instances met the premises, if the check counts them.
    pub premises: Option<u64>,
    /// The answers to its parts, if it has some.
    pub parts: Vec<PartVerdict<W>>,
}

/// The verdict on one part of a check that says several things.
#[derive(Debug, Clone)]
pub struct PartVerdict<W = Witness> {
    /// Which: a, b or c.
    pub name: &'static str,
    /// The answer.
    pub verdict: Verdict<W>,
    /// How many instances met the premises.
    pub premises: u64,
}

impl<W> Finding<W> {
    fn new(
        group: CheckGroup,
        name: &'static str,
        scope: Option<Scope>,
        verdict: Verdict<W>,
    ) -> Finding<W> {
        Finding {
            group,
            name,
            scope,
            restrict: None,
            rankings: None,
            verdict,
            condition: None,
            premises: None,
            parts: Vec::new(),
        }
    }

    /// The reason in one sentence, with the condition under which the answer holds.
    pub fn reason(&self) -> String
    where
        W: Evidence,
    {
        let reason = self.verdict.reason();
        self.condition.map_or(reason.clone(), |condition| format!("{reason}; {condition}"))
    }

    /// Which of two versions of the check it is, if there are two.
    pub fn version(&self) -> Option<&'static str> {
        self.scope
            .map(Scope::name)
            .or(self.restrict.map(Restrict::name))
            .or(self.rankings.map(RankingKind::name))
    }
}

/// What came out for one metric, whatever kind of output it scores: what tables and choices read.
pub trait Verdicts {
    /// What decides its checks.
    type Witness: Evidence;

    /// The metric as a person writes it.
    fn metric(&self) -> String;

    /// The verdicts, in the order of the checks.
    fn findings(&self) -> &[Finding<Self::Witness>];

    /// The verdict of a check by name; of a constraint the general one, of an axiom the one of kept
    /// ranks.
    fn get(&self, name: &str) -> Option<&Verdict<Self::Witness>> {
        self.findings().iter().rev().find(|f| f.name == name).map(|f| &f.verdict)
    }

    /// What a check states about this kind of metric.
    fn statement(&self, finding: &Finding<Self::Witness>) -> Option<&'static str>;

    /// The verdict of a property or constraint, of a constraint the general one.
    fn of(&self, property: lattice::Property) -> Option<&Verdict<Self::Witness>> {
        self.get(property.name())
    }

    /// The verdict of an axiom by name and the way in which rankings were restricted, where there
    /// are two.
    fn restricted(&self, name: &str, restrict: Restrict) -> Option<&Verdict<Self::Witness>> {
        self.findings()
            .iter()
            .find(|f| f.name == name && f.restrict == Some(restrict))
            .map(|f| &f.verdict)
    }

    /// The verdict of an axiom by name and the rankings that systems make, if there are two.
    fn ranked(&self, name: &str, rankings: RankingKind) -> Option<&Verdict<Self::Witness>> {
        self.findings()
            .iter()
            .find(|f| f.name == name && f.rankings == Some(rankings))
            .map(|f| &f.verdict)
    }

    /// The verdict of a check by name and scope.
    fn scoped(&self, name: &str, scope: Scope) -> Option<&Verdict<Self::Witness>> {
        self.findings()
            .iter()
            .find(|f| f.name == name && f.scope == Some(scope))
            .map(|f| &f.verdict)
    }
}

impl MetricVerdicts {
    /// The case that refutes the declared structure after it had agreed with the scores, in words.
    pub fn contradiction(&self) -> Option<String> {
        let StructureOutcome::Contradicted { rule, case } = &self.structure else { return None };
        Some(format!(
            "the structure that {} declares is not that of its scores: by its rule ({rule}) no such case exists, but {case}. Exact arithmetic decided \
             the case, so the verdict is violated, and no other verdict rests on the structure. Please report this if the measure is not yours",
            self.metric
        ))
    }
}

impl Verdicts for MetricVerdicts {
    type Witness = Witness;

    fn metric(&self) -> String {
        self.metric.to_string()
    }

    fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn statement(&self, finding: &Finding) -> Option<&'static str> {
        // Measures of diversity have constraints of their own, some by the names of others.
        let named =
            |(name, statement): (&str, &'static str)| (name == finding.name).then_some(statement);
        if finding.group == CheckGroup::Constraint && diversity::applies(&self.metric) {
            return diversity::statements().into_iter().find_map(named);
        }
        checks(&[finding.group]).find(|c| c.name() == finding.name).map(|c| c.statement())
    }
}

/// Checks one metric.
pub fn run(metric: &Metric, options: &CheckOptions) -> MetricVerdicts {
    let asked: Vec<&'static dyn Check> = checks(&options.groups).collect();
    run_checks(metric, &asked, options)
}

/// Asks some checks of one metric, whatever the groups of the options.
pub(crate) fn run_checks(
    metric: &Metric,
    asked: &[&'static dyn Check],
    options: &CheckOptions,
) -> MetricVerdicts {
    let lab = Lab::new(metric, options);
    let decide = |c: &'static dyn Check| {
        if let Some(findings) = c.findings(metric, options) {
            return findings;
        }
        let verdict = match &lab {
            Ok(lab) => c.decide(lab),
            Err(why) => Verdict::NotApplicable(why.clone()),
        };
        let condition = verdict.holds().then(|| c.condition(metric)).flatten();
        vec![Finding { condition, ..Finding::new(c.group(), c.name(), c.scope(), verdict) }]
    };
    let ask = |some: &[&'static dyn Check]| {
        some.iter().copied().flat_map(decide).collect::<Vec<Finding>>()
    };
    let (about_axioms, others): (Vec<_>, Vec<_>) =
        asked.iter().copied().partition(|c| c.group() == CheckGroup::Axiom);
    let declaration = || lab.as_ref().ok().filter(|_| !others.is_empty()).map(Lab::declaration);
    let before = declaration();
    let mut findings = ask(&others);
    let after = declaration();
    if after != before {
        // A search contradicted the declaration after other checks had believed it.
        findings = ask(&others);
    }
    if let Some(why) = lab.as_ref().ok().and_then(|lab| lab.probe().nan()) {
        for f in &mut findings {
            f.verdict = Verdict::NotApplicable(why.clone());
        }
    }
    if diversity::applies(metric) && others.iter().any(|c| c.group() == CheckGroup::Constraint) {
        findings.retain(|f| f.group != CheckGroup::Constraint);
        findings.extend(diversity::findings(metric, options));
    }
    findings.extend(ask(&about_axioms));
    let domain = lab.as_ref().ok().map(Lab::domain);
    MetricVerdicts {
        metric: metric.clone(),
        domain,
        structure: after.unwrap_or(StructureOutcome::Absent),
        findings,
    }
}

/// Checks many metrics, in their order.
pub fn run_all(metrics: &[Metric], options: &CheckOptions) -> Vec<MetricVerdicts> {
    run_each(metrics, options, |_| {})
}

/// Like [`run_all`], and calls `done` with the verdicts on each metric as soon as they are there.
pub fn run_each(
    metrics: &[Metric],
    options: &CheckOptions,
    done: impl Fn(&MetricVerdicts) + Sync,
) -> Vec<MetricVerdicts> {
    // One by one: some take a hundred times as long as others.
    let one = |metric| {
        let report = run(metric, options);
        done(&report);
        report
    };
    metrics.par_iter().with_max_len(1).map(one).collect()
}

/// Every registered measure: with its defaults, at 10 where it needs a cutoff; as in its first
/// example if it cannot do without a parameter.
pub fn all_metrics() -> Vec<Metric> {
    let default = |def: &'static Def| {
        let mut args = Args::new(def.params);
        args.set_cutoff((def.cutoff == Cutoff::Required).then_some(10));
        Metric::new(def, args).ok()
    };
    let example = |def: &'static Def| def.examples.first()?.measure.parse().ok();
    definitions().filter_map(|def| default(def).or_else(|| example(def))).collect()
}
