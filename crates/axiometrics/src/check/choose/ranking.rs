//! Choosing among metrics of rankings.

use rayon::prelude::*;

use super::wish::{expand, refuse_other_needs};
use super::{Chosen, FittingMetric, Impossible, Miss, Wish, Wishes};
use crate::check::axiom::AxiomSettings;
use crate::check::lattice::{EXAMPLES, FeasibleMeasure, Lattice, Property, PropertySet};
use crate::check::{
    Check, CheckGroup, CheckOptions, MetricVerdicts, Restrict, Verdicts, checks, diversity,
    run_all, run_checks, theorem,
};
use crate::choice::Choice;
use crate::error::Result;
use crate::measure::structure::Domain;
use crate::measure::{Cutoff, Metric};

/// What can be wished of a metric of rankings.
const GROUPS: [CheckGroup; 3] = [CheckGroup::Property, CheckGroup::Constraint, CheckGroup::Axiom];

/// Chooses among metrics of rankings. If none of them fits, the measures of the lattice that were
/// made for the purpose are candidates too.
pub fn choose(wishes: &Wishes, metrics: &[Metric], options: &CheckOptions) -> Result<Chosen> {
    let names: Vec<&'static str> = checks(&GROUPS).map(|c| c.name()).collect();
    let wishes = expand(wishes, &names)?;
    let asked: Vec<&'static dyn Check> =
        checks(&GROUPS).filter(|c| wishes.iter().any(|w| w.check() == Some(c.name()))).collect();
    let depth = wishes.iter().find_map(|w| if let Wish::Depth(k) = w { Some(*k) } else { None });
    let metrics = metrics
        .iter()
        .map(|m| depth.map_or_else(|| Ok(m.clone()), |k| m.at(k)))
        .collect::<Result<Vec<_>>>()?;
    // Of an axiom, the verdict by kept ranks counts; the other need not be found.
    let axioms = AxiomSettings { restrict: Some(Restrict::Keep), ..options.axioms };
    let options = CheckOptions { axioms, ..options.clone() };
    let reports: Vec<MetricVerdicts> =
        metrics.par_iter().map(|m| run_checks(m, &asked, &options)).collect();
    let (mut fits, mut misses) = (Vec::new(), Vec::new());
    for report in &reports {
        let unmet: Vec<(Wish, String)> =
            wishes.iter().filter_map(|w| Some((w.clone(), unmet(w, report)?))).collect();
        if unmet.is_empty() && report.domain.is_some() {
            let def = report.metric.def();
            fits.push(FittingMetric::new(
                report,
                &wishes,
                (def.title, def.user_model),
                def.undefined,
            ));
        } else {
            misses.push(Miss { metric: report.metric(), unmet });
        }
    }
    if fits.is_empty() {
        for example in EXAMPLES.iter().filter(|e| e.file.is_some()) {
            match made_for_the_purpose(example, &wishes) {
                Some(unmet) if unmet.is_empty() => fits.push(FittingMetric {
                    metric: example.path(),
                    title: example.about.to_string(),
                    about: "made to show that this can be had".to_string(),
                    undefined: "never".to_string(),
                    unproved: Vec::new(),
                }),
                Some(unmet) => misses.push(Miss { metric: example.path(), unmet }),
                None => {}
            }
        }
    }
    let impossible = if fits.is_empty() { contradiction(&wishes) } else { None };
    Ok(Chosen { impossible, ..Chosen::new(wishes, fits, misses) })
}

/// Chooses among measures of diversity.
pub fn choose_diversity(
    wishes: &Wishes,
    metrics: &[Metric],
    options: &CheckOptions,
) -> Result<Chosen> {
    let names: Vec<&'static str> = diversity::statements().into_iter().map(|(n, _)| n).collect();
    refuse_other_needs(wishes)?;
    let wishes = expand(wishes, &names)?;
    let options = CheckOptions { groups: vec![CheckGroup::Constraint], ..options.clone() };
    let (mut fits, mut misses) = (Vec::new(), Vec::new());
    for report in run_all(metrics, &options) {
        let unmet: Vec<(Wish, String)> =
            wishes.iter().filter_map(|w| Some((w.clone(), w.unmet(&report)?))).collect();
        if unmet.is_empty() {
            let def = report.metric.def();
            fits.push(FittingMetric::new(
                &report,
                &wishes,
                (def.title, def.user_model),
                def.undefined,
            ));
        } else {
            misses.push(Miss { metric: report.metric(), unmet });
        }
    }
    Ok(Chosen::new(wishes, fits, misses))
}

/// Why a metric of rankings does not fulfil a wish, if so.
fn unmet(wish: &Wish, report: &MetricVerdicts) -> Option<String> {
    match wish {
        Wish::Graded => (report.domain == Some(Domain::Binary))
            .then(|| "it only asks whether a document is relevant".to_string()),
        Wish::Depth(_) => matches!(report.metric.def().cutoff, Cutoff::Never | Cutoff::Param(_))
            .then(|| "it takes no cutoff".to_string()),
        other => other.unmet(report),
    }
}

/// What a measure of the lattice does not fulfil; `None` if its properties do not tell.
fn made_for_the_purpose(example: &FeasibleMeasure, wishes: &[Wish]) -> Option<Vec<(Wish, String)>> {
    let mut unmet = Vec::new();
    for wish in wishes {
        let (name, wanted) = match wish {
            Wish::Has(name) => (name, true),
            Wish::Lacks(name) => (name, false),
            Wish::Graded | Wish::Depth(_) => return None,
        };
        let has = example.set().contains(Property::from_name(name).ok()?);
        if has != wanted {
            let why = if has { "it has it" } else { "it does not have it" };
            unmet.push((wish.clone(), why.to_string()));
        }
    }
    Some(unmet)
}

/// A smallest contradiction among the wishes.
fn contradiction(wishes: &[Wish]) -> Option<Impossible> {
    let has = || wishes.iter().filter_map(|w| if let Wish::Has(n) = w { Some(*n) } else { None });
    let set: PropertySet = has().filter_map(|name| Property::from_name(name).ok()).collect();
    let found = Lattice::of(set);
    let of_properties = found.smallest(set).map(|c| Impossible {
        names: c.properties.iter().map(Choice::name).collect(),
        why: c.derivation.text(),
    });
    of_properties.or_else(|| theorem::axioms_apart(has()))
}
