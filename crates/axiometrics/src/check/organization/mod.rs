//! The formal constraints of Amigo, Gonzalo and Verdejo (2013) on measures of clusterings and
//! filterings, one file each.
//!
//! An `OrganizationConstraint` is a family of cases, each with an output that must score better than
//! another against the same gold standard. The printed scope is the paper's own instance; the
//! general one has other sizes, is among other documents and, if the measure can score them, has
//! overlapping clusters. How one decides is the same for all: the first case that is not in the
//! wanted order is the witness. The properties of a measure as a similarity of clusterings are in
//! `similarity`.
//!
//! ```
//! use axiometrics::check::{CheckOptions, Verdicts, organization};
//!
//! let reports = organization::run_all(&organization::subjects("purity"), &CheckOptions::default());
//! let witness = reports[0].get("completeness").unwrap().witness().unwrap();
//! assert_eq!(witness.text, "against {a1 a2}, {a1 a2} scores 1, no better than a1 a2 with 1");
//! ```

mod case;
mod completeness;
mod homogeneity;
mod instance;
mod non_informative;
mod priority;
mod rag_bag;
mod similarity;
mod size_vs_quantity;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt::Write;

use rayon::prelude::*;

use super::shape::SplitMix;
use super::states::clearly;
use super::{Arithmetic, Bounds, CheckGroup, CheckOptions, Finding, Scope, Verdict, Verdicts};
use crate::data::organization::Organization;
use crate::organization::{
    Better, Mix, OrganizationComparison, OrganizationMeasure, OrganizationSettings, Stated, Task,
    measure, measures,
};
use case::Cases;
pub use instance::{Instance, Scored};
pub use non_informative::{Behaviour, NonInformative};

/// A family of cases. It must put the smallest first, so that the witness is small.
pub(crate) trait OrganizationConstraint: Sync {
    /// Its name, as in the JSON output.
    fn name(&self) -> &'static str;
    /// When a measure satisfies it, in one sentence.
    fn statement(&self) -> &'static str;
    /// The paper's instance alone, or any.
    fn scope(&self) -> Scope;
    /// The kind of output that it is about: clusterings or filterings.
    fn task(&self) -> Task;
    /// The cases in words.
    fn worlds(&self) -> String;
    /// The cases.
    fn cases(&self, random: &mut SplitMix) -> Cases;
}

/// In the order of the paper, printed before general.
pub(crate) const CONSTRAINTS: &[&dyn OrganizationConstraint] = &[
    &homogeneity::Homogeneity(Scope::Printed),
    &homogeneity::Homogeneity(Scope::General),
    &completeness::Completeness(Scope::Printed),
    &completeness::Completeness(Scope::General),
    &rag_bag::RagBag(Scope::Printed),
    &rag_bag::RagBag(Scope::General),
    &size_vs_quantity::SizeVsQuantity(Scope::Printed),
    &size_vs_quantity::SizeVsQuantity(Scope::General),
    &priority::OrganizationPriority,
];

/// The constraints of a task.
pub(crate) fn constraints(task: Task) -> impl Iterator<Item = &'static dyn OrganizationConstraint> {
    CONSTRAINTS.iter().copied().filter(move |c| c.task() == task)
}

/// What can be asked of the measures of a task, each with its statement: the properties, and the
/// constraints in their general scope.
pub fn statements(
    task: Task,
    groups: &[CheckGroup],
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let properties = task == Task::Clustering && groups.contains(&CheckGroup::Property);
    let constrained = groups.contains(&CheckGroup::Constraint);
    similarity::PROPERTIES
        .iter()
        .filter(move |_| properties)
        .map(|p| (p.name(), p.statement()))
        .chain(
            constraints(task)
                .filter(move |c| constrained && c.scope() == Scope::General)
                .map(|c| (c.name(), c.statement())),
        )
}

/// Which outputs and gold standards are tried for each constraint of a task.
pub fn worlds(task: Task) -> Vec<(&'static str, String)> {
    let general = constraints(task).filter(|c| c.scope() == Scope::General);
    general.map(|c| (c.name(), c.worlds())).collect()
}

/// A measure of organizations as it is checked.
#[derive(Clone, Copy)]
pub struct Subject {
    measure: &'static dyn OrganizationMeasure,
    finite: bool,
}

impl Subject {
    /// The measure.
    pub fn measure(&self) -> &'static dyn OrganizationMeasure {
        self.measure
    }

    /// True if the collection is closed: `--finite`.
    pub fn is_finite(&self) -> bool {
        self.finite
    }

    /// Whether constraints of a task speak of it: a measure of organizations as a whole scores
    /// every kind of output.
    pub fn scores(&self, task: Task) -> bool {
        [task, Task::Organization].contains(&self.measure.definition().task)
    }

    /// Whether it says anything of the outputs of a task. That of priority has one score for all
    /// clusterings, which do not order their documents.
    pub fn tells_apart(&self, task: Task) -> bool {
        if task != Task::Clustering {
            return true;
        }
        let gold = case::one_level(&[vec![0, 1], vec![2]]);
        let settings = self.settings(task);
        let systems: [&[Vec<u32>]; 4] = [
            &[vec![0, 1], vec![2]],
            &[vec![0], vec![1], vec![2]],
            &[vec![0, 1, 2]],
            &[vec![0, 2], vec![1]],
        ];
        let mut scores = systems
            .iter()
            .filter_map(|clusters| self.score(&settings, &gold, &case::one_level(clusters)));
        let first = scores.next();
        scores.any(|score| first.is_some_and(|first| clearly(first, score).is_some()))
    }

    /// The settings for a task: R, S and F are mixed of the kinds of relations that it has.
    fn settings(&self, task: Task) -> OrganizationSettings {
        let settings =
            OrganizationSettings { finite: self.finite, ..OrganizationSettings::default() };
        OrganizationSettings { mix: Mix::Given(settings.shares(Stated::in_task(task))), ..settings }
    }

    /// The options with which `axio organize` gives the same scores.
    fn replay(&self, settings: &OrganizationSettings) -> String {
        let mut options = String::new();
        if self.finite {
            options.push_str(" --finite");
        }
        if let Mix::Given(shares) = settings.mix
            && self.measure.definition().task == Task::Organization
        {
            let _ = write!(options, " --mix {}", shares.priority);
        }
        options
    }

    /// The score of a system's output.
    fn score(
        &self,
        settings: &OrganizationSettings,
        gold: &Organization,
        system: &Organization,
    ) -> Option<f64> {
        self.measure
            .score(&OrganizationComparison::new(gold, system, settings))
            .value()
            .filter(|x| !x.is_nan())
    }

    /// The order of two scores by what is better; scores that are as near as rounding are equal.
    fn compare(&self, good: f64, bad: f64) -> Ordering {
        let order = clearly(good, bad).unwrap_or(Ordering::Equal);
        if self.measure.definition().better == Better::Lower { order.reverse() } else { order }
    }
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let closed = if self.finite { " (finite)" } else { "" };
        write!(f, "{}{closed}", self.measure.definition().name)
    }
}

/// The measure of a name as it is checked, none if no measure has the name. Reliability and
/// Sensitivity weigh documents otherwise in a closed collection, so they are checked in both kinds.
pub fn subjects(name: &str) -> Vec<Subject> {
    measure(name).map_or_else(Vec::new, |measure| of(measure).collect())
}

/// Every measure that is checked.
pub fn all_subjects() -> Vec<Subject> {
    measures().flat_map(of).collect()
}

fn of(measure: &'static dyn OrganizationMeasure) -> impl Iterator<Item = Subject> {
    let kinds: &[bool] =
        if measure.definition().task == Task::Organization { &[false, true] } else { &[false] };
    kinds.iter().map(move |finite| Subject { measure, finite: *finite })
}

/// What came out for one measure.
#[derive(Clone)]
pub struct OrganizationVerdicts {
    /// The measure.
    pub subject: Subject,
    /// The verdicts: of the properties of a similarity, then in the order of `CONSTRAINTS`.
    pub findings: Vec<Finding<Instance>>,
    /// What it says of filterings that know nothing, where it scores filterings.
    pub non_informative: Option<NonInformative>,
}

impl Verdicts for OrganizationVerdicts {
    type Witness = Instance;

    fn metric(&self) -> String {
        self.subject.to_string()
    }

    fn findings(&self) -> &[Finding<Instance>] {
        &self.findings
    }

    fn statement(&self, finding: &Finding<Instance>) -> Option<&'static str> {
        let named =
            |(name, statement): (&str, &'static str)| (name == finding.name).then_some(statement);
        let tasks = [Task::Clustering, Task::Filtering];
        let groups = [finding.group];
        tasks.into_iter().find_map(|task| statements(task, &groups).find_map(named))
    }
}

/// Checks measures, in their order. Measures of filterings have constraints only, so without that
/// group they have no report.
pub fn run_all(subjects: &[Subject], options: &CheckOptions) -> Vec<OrganizationVerdicts> {
    run_each(subjects, options, |_| {})
}

/// Like [`run_all`], and calls `done` with the verdicts on each measure as soon as they are there.
pub fn run_each(
    subjects: &[Subject],
    options: &CheckOptions,
    done: impl Fn(&OrganizationVerdicts) + Sync,
) -> Vec<OrganizationVerdicts> {
    let asked = |group: CheckGroup| options.groups.contains(&group);
    let mut random = SplitMix::new(options.seed);
    let families: Vec<(&dyn OrganizationConstraint, Cases)> = if asked(CheckGroup::Constraint) {
        CONSTRAINTS.iter().map(|c| (*c, c.cases(&mut random))).collect()
    } else {
        Vec::new()
    };
    let clusterings =
        asked(CheckGroup::Property).then(|| similarity::Clusterings::new(options.seed));
    let report = |subject: &Subject| {
        let mut findings = Vec::new();
        if let Some(clusterings) = &clusterings
            && subject.scores(Task::Clustering)
        {
            findings.extend(similarity::findings(subject, clusterings));
        }
        for (c, cases) in families.iter().filter(|(c, _)| subject.scores(c.task())) {
            let verdict = decide(subject, *c, cases, options.seed);
            findings.push(Finding::new(CheckGroup::Constraint, c.name(), Some(c.scope()), verdict));
        }
        let filtering = asked(CheckGroup::Constraint) && subject.scores(Task::Filtering);
        let report = OrganizationVerdicts {
            subject: *subject,
            findings,
            non_informative: filtering.then(|| non_informative::of(subject)),
        };
        done(&report);
        report
    };
    let reports = subjects.par_iter().with_max_len(1).map(report);
    let mut reports: Vec<OrganizationVerdicts> = reports.collect();
    reports.retain(|r| !r.findings.is_empty());
    reports
}

/// Looks for a case in which the output that should be better is not. Ties at a score of 0, where
/// the measure sees no agreement at all in either output, are degenerate: beside cases in the
/// wanted order, they make the verdict weak.
fn decide(
    subject: &Subject,
    constraint: &dyn OrganizationConstraint,
    cases: &Cases,
    seed: u64,
) -> Verdict<Instance> {
    let settings = subject.settings(constraint.task());
    let score = |gold: &Organization, system: &Organization| subject.score(&settings, gold, system);
    let witness = |case, good, bad| Instance::new(case, good, bad, subject.replay(&settings));
    let mut bounds =
        Bounds { docs: cases.docs(), arithmetic: Arithmetic::Tolerance, ..Bounds::default() };
    let (mut tie, mut strict) = (None, false);
    for case in cases.all() {
        let (Some(good), Some(bad)) = (score(&case.gold, &case.good), score(&case.gold, &case.bad))
        else {
            bounds.skipped += 1;
            continue;
        };
        bounds.cases += 1;
        match subject.compare(good, bad) {
            Ordering::Greater => strict = true,
            Ordering::Equal if good == 0.0 && bad == 0.0 => {
                if tie.is_none() {
                    tie = Some(witness(case, good, bad));
                }
            }
            _ => return Verdict::violated(witness(case, good, bad)),
        }
    }
    match (tie, constraint.scope()) {
        (Some(witness), _) if strict => Verdict::Weak { witness },
        (Some(witness), _) => Verdict::violated(witness),
        (None, _) if bounds.cases == 0 => Verdict::Vacuous(bounds),
        (None, Scope::General) if !cases.drawn.is_empty() => {
            Verdict::Sampled { bounds, trials: cases.drawn.len() as u64, seed }
        }
        (None, _) => Verdict::Searched(bounds),
    }
}
