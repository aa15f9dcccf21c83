//! Wishes that select, wishes that are impossible, and wishes that make no sense.

use super::*;
use crate::check::lattice::{EXAMPLES, Lattice, PropertySet};
use crate::check::organization::{self, Subject};
use crate::check::{CheckGroup, CheckOptions, all_metrics, checks};
use crate::choice::Choice;
use crate::organization::Task;

fn want(names: &[&str]) -> Wishes {
    Wishes { want: names.iter().map(|n| n.to_string()).collect(), ..Wishes::default() }
}

fn chosen(wishes: &Wishes) -> Chosen {
    let metrics = ["nDCG", "AP", "RR", "P@10", "RBP", "DCG"].map(|m| m.parse().unwrap());
    choose(wishes, &metrics, &CheckOptions { max_docs: 4, ..CheckOptions::default() }).unwrap()
}

fn names(fits: &[FittingMetric]) -> Vec<&str> {
    fits.iter().map(|f| f.metric.as_str()).collect()
}

#[test]
fn wishes_select() {
    assert_eq!(
        names(
            &chosen(&want(&["monotonic", "convergent", "top-weighted", "localized", "complete"]))
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
    let seven: Vec<&str> = checks(&[CheckGroup::Property]).map(|c| c.name()).collect();
    let choice = chosen(&want(&seven));
    assert!(choice.fits.is_empty());
    let impossible = choice.impossible.unwrap();
    assert_eq!(impossible.names.len(), 3);
    assert!(impossible.why.contains("(realizable). But:\n"), "{}", impossible.why);
    let first = &choice.give_up[0];
    assert_eq!((first.wishes.as_slice(), first.metrics.len()), (&[Wish::Has("realizable")][..], 1));
    assert_eq!(first.metrics[0], "RBP");
}

/// What cannot be had of a registered measure, but can be had.
#[test]
fn measures_made_for_the_purpose_fit_where_nothing_else_does() {
    let wish = ["convergent", "top-weighted", "realizable", "complete"];
    let choice = chosen(&want(&wish));
    assert_eq!(names(&choice.fits), ["components/ideal_rbp.toml"]);
    assert!(choice.impossible.is_none());
    let more = [&wish[..], &["localized"]].concat();
    let choice = chosen(&want(&more));
    assert_eq!(choice.impossible.unwrap().names, ["convergent", "localized", "realizable"]);
    let given_up: Vec<Vec<Wish>> = choice.give_up.into_iter().map(|s| s.wishes).collect();
    for alone in ["convergent", "localized", "realizable"] {
        assert!(given_up.contains(&vec![Wish::Has(alone)]), "{alone}: {given_up:?}");
    }
}

/// Every way out that the lattice knows is shown, with a measure.
#[test]
fn every_way_out_is_shown() {
    let all: Vec<&str> = PropertySet::TWELVE.iter().map(|p| p.name()).collect();
    let metrics: Vec<_> = EXAMPLES.iter().filter(|e| e.file.is_none()).collect();
    let metrics: Vec<_> = metrics.iter().map(|e| e.metric().unwrap()).collect();
    let options = CheckOptions { max_docs: 3, ..CheckOptions::default() };
    let choice = choose(&want(&all), &metrics, &options).unwrap();
    let ways: Vec<PropertySet> = Lattice::get().give_up(PropertySet::TWELVE);
    assert_eq!(choice.give_up.len(), ways.len());
    for way in ways {
        let wishes: Vec<Wish> = way.iter().map(|p| Wish::Has(p.name())).collect();
        assert!(choice.give_up.iter().any(|s| s.wishes == wishes), "{way:?}");
    }
}

#[test]
fn axioms_can_be_wished_for() {
    let choice = chosen(&want(&["axiom-13", "top-weighted"]));
    assert_eq!(names(&choice.fits), ["nDCG", "AP", "RBP", "DCG"]);
    let apart = chosen(&want(&["axiom-8", "axiom-11"])).impossible.unwrap();
    assert_eq!(apart.names, ["axiom-8", "axiom-11"]);
    // Feasible, but no registered measure has it; to give up the only wish is no advice.
    let alone = chosen(&want(&["axiom-8"]));
    assert!(alone.impossible.is_none() && alone.fits.is_empty() && alone.give_up.is_empty());
}

#[test]
fn clusterings_and_filterings_have_wishes_of_their_own() {
    let subjects: Vec<Subject> = ["purity", "v_measure", "bcubed_f", "accuracy", "f1"]
        .into_iter()
        .flat_map(organization::subjects)
        .collect();
    let options = CheckOptions::default();
    let all = want(&["homogeneity", "completeness", "rag-bag", "size-vs-quantity"]);
    let choice = choose_organization(&all, Task::Clustering, &subjects, &options).unwrap();
    assert_eq!(names(&choice.fits), ["bcubed_f"]);
    assert_eq!(choice.misses.len(), 2);
    // All clusterings have one score by the measures of priority, which say nothing of them.
    let subjects_of_priority: Vec<Subject> =
        ["F_priority", "adjusted_rand"].into_iter().flat_map(organization::subjects).collect();
    let wanted = want(&["symmetry", "constant-baseline"]);
    let choice =
        choose_organization(&wanted, Task::Clustering, &subjects_of_priority, &options).unwrap();
    assert_eq!(names(&choice.fits), ["adjusted_rand"]);
    let choice =
        choose_organization(&want(&["priority"]), Task::Filtering, &subjects, &options).unwrap();
    assert_eq!(names(&choice.fits), ["accuracy"]);
    assert!(
        choose_organization(&all, Task::Filtering, &subjects, &options)
            .unwrap_err()
            .to_string()
            .contains("homogeneity")
    );
    let graded = Wishes { graded: true, ..Wishes::default() };
    assert!(
        choose_organization(&graded, Task::Clustering, &subjects, &options).unwrap_err().is_usage()
    );
}

#[test]
fn senseless_wishes_are_refused() {
    let metrics = all_metrics();
    let options = CheckOptions::default();
    let unknown = choose(&want(&["boundd"]), &metrics, &options).unwrap_err();
    assert!(unknown.is_usage(), "{unknown}");
    for part in ["did you mean bounded?", "top-weighted", "axiom-13"] {
        assert!(unknown.to_string().contains(part), "{unknown}");
    }
    let both = Wishes { not: vec!["bounded".into()], average: true, ..Wishes::default() };
    assert!(choose(&both, &metrics, &options).unwrap_err().to_string().contains("both"));
}
