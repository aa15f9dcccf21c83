//! From wishes to metrics: which fit, why the others do not, and what must be given up where
//! nothing fits.

use super::organization::{self, Subject, constraints};
use super::{Group, Options, Report, Verdicts, checks, run_all, theorem};
use crate::error::{Error, Result};
use crate::measure::structure::Domain;
use crate::measure::{Cutoff, Metric};
use crate::organization::Task;

/// What somebody needs of a metric.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// Properties and constraints that it must have.
    pub want: Vec<String>,
    /// Those that it must not have.
    pub not: Vec<String>,
    /// It must tell grades apart.
    pub graded: bool,
    /// It must be scored at this depth.
    pub depth: Option<u32>,
    /// Judgements are incomplete: it must not ask for the number of all relevant documents.
    pub incomplete: bool,
    /// Scores will be averaged over topics: they must be on one scale.
    pub average: bool,
}

/// One wish.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// It has this property or satisfies this constraint.
    Has(&'static str),
    /// It has it not.
    Lacks(&'static str),
    /// It tells grades apart.
    Graded,
    /// It can be scored at this depth.
    Depth(u32),
}

impl Wish {
    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Wish::Has(name) => (*name).to_string(),
            Wish::Lacks(name) => format!("not {name}"),
            Wish::Graded => "graded".to_string(),
            Wish::Depth(k) => format!("scored at depth {k}"),
        }
    }

    /// Why a metric does not fulfil a wish about its verdicts, if so.
    fn unmet<R: Verdicts>(&self, report: &R) -> Option<String> {
        match self {
            Wish::Has(name) => report.get(name).filter(|v| !v.holds()).map(|v| v.reason()),
            Wish::Lacks(name) => report
                .get(name)
                .filter(|v| v.holds())
                .map(|v| format!("{}: {}", v.how().unwrap_or_default(), v.reason())),
            Wish::Graded | Wish::Depth(_) => None,
        }
    }

    /// The same of any wish about a metric of rankings.
    fn unmet_by_ranking(&self, report: &Report) -> Option<String> {
        match self {
            Wish::Graded => (report.domain == Some(Domain::Binary))
                .then(|| "it only asks whether a document is relevant".to_string()),
            Wish::Depth(_) => {
                matches!(report.metric.def().cutoff, Cutoff::Never | Cutoff::Param(_))
                    .then(|| "it takes no cutoff".to_string())
            }
            other => other.unmet(report),
        }
    }
}

/// What came of the wishes.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The wishes one by one, with those that a need implies.
    pub wishes: Vec<Wish>,
    /// The metrics that fulfil all.
    pub fits: Vec<Fit>,
    /// The others, each with its unmet wishes and why.
    pub misses: Vec<Miss>,
    /// Where the wishes exclude each other: the theorem, and how some metrics resolve it.
    pub theorem: Option<String>,
    /// Where nothing fits: the smallest sets of wishes to give up, each with the metrics that then
    /// fit.
    pub give_up: Vec<(Vec<Wish>, Vec<String>)>,
}

/// A metric that fits.
#[derive(Debug, Clone)]
pub struct Fit {
    /// The metric.
    pub metric: String,
    /// What it is, and for whom.
    pub about: String,
    /// When it has no value.
    pub undefined: String,
    /// The wishes that were searched for or sampled, not proved.
    pub unproved: Vec<&'static str>,
}

/// A metric that does not fit.
#[derive(Debug, Clone)]
pub struct Miss {
    /// The metric.
    pub metric: String,
    /// What it does not fulfil, and why.
    pub unmet: Vec<(Wish, String)>,
}

/// Chooses among metrics of rankings.
pub fn choose(wishes: &Wishes, metrics: &[Metric], options: &Options) -> Result<Choice> {
    let wishes = expand(wishes, || {
        checks(&[Group::Property, Group::Constraint]).map(|c| c.name()).collect()
    })?;
    let groups = [Group::Property, Group::Constraint].into_iter();
    let asked = |g: &Group| {
        checks(&[*g]).any(|c| {
            wishes.contains(&Wish::Has(c.name())) || wishes.contains(&Wish::Lacks(c.name()))
        })
    };
    let options = Options { groups: groups.filter(asked).collect(), ..options.clone() };
    let depth = wishes.iter().find_map(|w| if let Wish::Depth(k) = w { Some(*k) } else { None });
    let metrics = metrics
        .iter()
        .map(|m| depth.map_or_else(|| Ok(m.clone()), |k| m.at(k)))
        .collect::<Result<Vec<_>>>()?;
    let (mut fits, mut misses) = (Vec::new(), Vec::new());
    for report in run_all(&metrics, &options) {
        let unmet: Vec<(Wish, String)> =
            wishes.iter().filter_map(|w| Some((w.clone(), w.unmet_by_ranking(&report)?))).collect();
        if unmet.is_empty() && report.domain.is_some() {
            let def = report.metric.def();
            fits.push(fit(
                &report,
                &wishes,
                format!("{}; {}", def.title, def.user_model),
                def.undefined,
            ));
        } else {
            misses.push(Miss { metric: report.metric(), unmet });
        }
    }
    let has =
        wishes.iter().filter_map(|w| if let Wish::Has(name) = w { Some(*name) } else { None });
    let theorem = theorem::excludes(has).then(|| explain(&metrics));
    let give_up = if fits.is_empty() { smallest_sacrifices(&misses) } else { Vec::new() };
    Ok(Choice { wishes, fits, misses, theorem, give_up })
}

/// Chooses among measures of clusterings or filterings.
pub fn choose_organization(
    wishes: &Wishes,
    task: Task,
    subjects: &[Subject],
    options: &Options,
) -> Result<Choice> {
    if wishes.graded || wishes.depth.is_some() || wishes.incomplete || wishes.average {
        let error = Error::usage(
            "grades, depth, incomplete judgements and averages are asked of measures of rankings only",
        );
        return Err(error.help("name constraints that the measure must satisfy"));
    }
    let wishes = expand(wishes, || constraints(task).map(|c| c.name()).collect())?;
    let subjects: Vec<Subject> = subjects.iter().copied().filter(|s| s.scores(task)).collect();
    let options = Options { groups: vec![Group::Constraint], ..options.clone() };
    let (mut fits, mut misses) = (Vec::new(), Vec::new());
    for report in organization::run_all(&subjects, &options) {
        let unmet: Vec<(Wish, String)> =
            wishes.iter().filter_map(|w| Some((w.clone(), w.unmet(&report)?))).collect();
        if unmet.is_empty() {
            let definition = report.subject.measure().definition();
            fits.push(fit(
                &report,
                &wishes,
                format!("{}; {}", definition.title, definition.summary),
                definition.undefined,
            ));
        } else {
            misses.push(Miss { metric: report.metric(), unmet });
        }
    }
    let give_up = if fits.is_empty() { smallest_sacrifices(&misses) } else { Vec::new() };
    Ok(Choice { wishes, fits, misses, theorem: None, give_up })
}

fn fit<R: Verdicts>(report: &R, wishes: &[Wish], about: String, undefined: &str) -> Fit {
    let unproved = report
        .findings()
        .iter()
        .filter(|f| f.verdict.holds() && f.verdict.how() != Some("proved"))
        .map(|f| f.name);
    let mut unproved: Vec<&'static str> =
        unproved.filter(|name| wishes.contains(&Wish::Has(name))).collect();
    unproved.dedup();
    Fit { metric: report.metric(), about, undefined: undefined.to_string(), unproved }
}

/// The wishes one by one; a need for averages asks for one scale, incomplete judgements for a score
/// that does not depend on what was not seen.
fn expand(wishes: &Wishes, names: impl Fn() -> Vec<&'static str>) -> Result<Vec<Wish>> {
    let mut all: Vec<Wish> = Vec::new();
    let known = |name: &String| {
        names().into_iter().find(|n| n == name).ok_or_else(|| {
            let mut list = names();
            list.dedup();
            Error::usage(format!("unknown property \"{name}\""))
                .help(format!("known are {}", list.join(", ")))
        })
    };
    for name in &wishes.want {
        all.push(Wish::Has(known(name)?));
    }
    if wishes.average {
        all.push(Wish::Has("bounded"));
    }
    if wishes.incomplete {
        all.push(Wish::Has("localized"));
    }
    for name in &wishes.not {
        let name = known(name)?;
        if all.contains(&Wish::Has(name)) {
            return Err(Error::usage(format!("{name} is both asked for and excluded")).help(
                "remove one of the two; --average implies bounded, --incomplete implies localized",
            ));
        }
        all.push(Wish::Lacks(name));
    }
    if wishes.graded {
        all.push(Wish::Graded);
    }
    all.extend(wishes.depth.map(Wish::Depth));
    let mut unique: Vec<Wish> = Vec::new();
    for wish in all {
        if !unique.contains(&wish) {
            unique.push(wish);
        }
    }
    Ok(unique)
}

/// The theorem, and one metric for each way out of it.
fn explain(metrics: &[Metric]) -> String {
    let mut text = theorem::STATEMENT.to_string();
    for given_up in theorem::EXCLUDED {
        let example = metrics
            .iter()
            .filter_map(|m| Some((m, theorem::demonstrate(m)?)))
            .find(|(_, d)| d.gives_up == given_up);
        if let Some((metric, shown)) = example {
            text += &format!("\n{metric}: {}", shown.text);
        }
    }
    text
}

/// Sets of unmet wishes of which no other metric's set is a part.
fn smallest_sacrifices(misses: &[Miss]) -> Vec<(Vec<Wish>, Vec<String>)> {
    let mut sets: Vec<(Vec<Wish>, Vec<String>)> = Vec::new();
    for miss in misses.iter().filter(|m| !m.unmet.is_empty()) {
        let wishes: Vec<Wish> = miss.unmet.iter().map(|(w, _)| w.clone()).collect();
        match sets.iter_mut().find(|(w, _)| *w == wishes) {
            Some((_, metrics)) => metrics.push(miss.metric.clone()),
            None => sets.push((wishes, vec![miss.metric.clone()])),
        }
    }
    let part_of = |a: &[Wish], b: &[Wish]| a.len() < b.len() && a.iter().all(|w| b.contains(w));
    let mut smallest: Vec<_> =
        sets.iter().filter(|(b, _)| !sets.iter().any(|(a, _)| part_of(a, b))).cloned().collect();
    smallest.sort_by_key(|(wishes, _)| wishes.len());
    smallest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::all_metrics;

    fn want(names: &[&str]) -> Wishes {
        Wishes { want: names.iter().map(|n| n.to_string()).collect(), ..Wishes::default() }
    }

    fn chosen(wishes: &Wishes) -> Choice {
        let metrics = ["nDCG", "AP", "RR", "P@10", "RBP", "DCG"].map(|m| m.parse().unwrap());
        choose(wishes, &metrics, &Options { max_docs: 4, ..Options::default() }).unwrap()
    }

    fn names(fits: &[Fit]) -> Vec<&str> {
        fits.iter().map(|f| f.metric.as_str()).collect()
    }

    #[test]
    fn wishes_select() {
        assert_eq!(
            names(
                &chosen(&want(&[
                    "monotonic",
                    "convergent",
                    "top-weighted",
                    "localized",
                    "complete"
                ]))
                .fits
            ),
            ["RBP", "DCG"]
        );
        let average = Wishes {
            average: true,
            incomplete: true,
            graded: true,
            depth: Some(7),
            ..want(&["top-weighted"])
        };
        assert_eq!(names(&chosen(&average).fits), ["RBP@7"]);
        let deep = chosen(&want(&["deepness-threshold", "closeness-threshold", "priority"]));
        assert_eq!(names(&deep.fits), ["RBP"]);
        let miss = deep.misses.iter().find(|m| m.metric == "RR").unwrap();
        assert!(
            miss.unmet.iter().any(|(w, why)| *w == Wish::Has("priority") && why.contains("scores"))
        );
    }

    #[test]
    fn all_seven_are_impossible_and_the_program_says_what_to_give_up() {
        let seven: Vec<&str> = checks(&[Group::Property]).map(|c| c.name()).collect();
        let choice = chosen(&want(&seven));
        assert!(choice.fits.is_empty());
        let theorem = choice.theorem.unwrap();
        for example in ["not realizable", "not monotonic", "not convergent"] {
            assert!(theorem.contains(example), "{theorem}");
        }
        let (given_up, metrics) = &choice.give_up[0];
        assert_eq!((given_up.as_slice(), metrics.len()), (&[Wish::Has("realizable")][..], 1));
        assert_eq!(metrics[0], "RBP");
    }

    #[test]
    fn clusterings_and_filterings_have_wishes_of_their_own() {
        let subjects: Vec<Subject> = ["purity", "v_measure", "bcubed_f", "accuracy", "f1"]
            .into_iter()
            .flat_map(organization::subjects)
            .collect();
        let options = Options::default();
        let all = want(&["homogeneity", "completeness", "rag-bag", "size-vs-quantity"]);
        let choice = choose_organization(&all, Task::Clustering, &subjects, &options).unwrap();
        assert_eq!(names(&choice.fits), ["bcubed_f"]);
        assert_eq!(choice.misses.len(), 2);
        let choice =
            choose_organization(&want(&["priority"]), Task::Filtering, &subjects, &options)
                .unwrap();
        assert_eq!(names(&choice.fits), ["accuracy"]);
        assert!(
            choose_organization(&all, Task::Filtering, &subjects, &options)
                .unwrap_err()
                .to_string()
                .contains("homogeneity")
        );
        let graded = Wishes { graded: true, ..Wishes::default() };
        assert!(
            choose_organization(&graded, Task::Clustering, &subjects, &options)
                .unwrap_err()
                .is_usage()
        );
    }

    #[test]
    fn senseless_wishes_are_refused() {
        let metrics = all_metrics();
        let options = Options::default();
        let unknown = choose(&want(&["boundd"]), &metrics, &options).unwrap_err();
        assert!(unknown.is_usage() && unknown.to_string().contains("top-weighted"));
        let both = Wishes { not: vec!["bounded".into()], average: true, ..Wishes::default() };
        assert!(choose(&both, &metrics, &options).unwrap_err().to_string().contains("both"));
    }
}
