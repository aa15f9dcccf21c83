//! The lattice and the checks agree: on the measures of the lattice, on every registered one, and in
//! what is published.

use rayon::prelude::*;

use super::*;
use crate::check::{
    CheckGroup, CheckOptions, MetricVerdicts, Verdict, Verdicts, all_metrics, run, run_all,
};
use crate::choice::Choice;

/// The properties that a report finds.
fn found(report: &MetricVerdicts) -> PropertySet {
    Property::ALL
        .iter()
        .copied()
        .filter(|p| report.get(p.name()).is_some_and(Verdict::holds))
        .collect()
}

fn options() -> CheckOptions {
    CheckOptions {
        max_docs: 4,
        groups: vec![CheckGroup::Property, CheckGroup::Constraint],
        ..CheckOptions::default()
    }
}

/// Each measure has its set, and nothing more: the sets are the largest.
#[test]
fn every_measure_has_its_set() {
    EXAMPLES.par_iter().for_each(|example| {
        let report = run(&example.metric().unwrap(), &options());
        assert_eq!(found(&report), example.set(), "{}", example.measure);
    });
}

#[test]
fn no_registered_measure_has_a_contradiction() {
    for report in run_all(&all_metrics(), &options()) {
        let has = found(&report);
        if let Some(contradiction) = Lattice::get().smallest(has) {
            panic!("{} has {:?}", report.metric, contradiction.properties);
        }
    }
}

/// The page, its drawings and the files are what the program says.
#[test]
fn what_is_published_is_up_to_date() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut files = vec![
        (format!("{root}/docs/lattice.md"), page()),
        (format!("{root}/docs/lattice-seven.svg"), drawing::seven()),
        (format!("{root}/docs/lattice-twelve.svg"), drawing::twelve()),
    ];
    files.extend(
        EXAMPLES.iter().filter_map(|e| {
            Some((format!("{root}/components/{}", e.measure), e.file?.to_string()))
        }),
    );
    for (path, made) in files {
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &made).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == made, "{path} is out of date: run the tests with UPDATE_DOCS=1");
    }
}
