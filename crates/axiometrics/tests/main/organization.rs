//! Published values of real data, where the data is at hand.

use std::collections::BTreeMap;

use axiometrics::data::organization::DocumentCatalogue;
use axiometrics::io::Source;
use axiometrics::io::organization::{ReadOptions, read};
use axiometrics::organization::{OrganizationSettings, measure};
use axiometrics::policy::Undefined;
use axiometrics::score::{OrganizationEvaluation, Scores};
use axiometrics::warning::{WarningKind, Warnings};

use crate::trec::data;

fn means(scores: &Scores) -> Vec<Option<f64>> {
    let columns = 0..scores.columns().len();
    columns.map(|column| scores.summary_of(column, Undefined::Skip).unwrap()).collect()
}

/// RepLab 2013: Reliability, Sensitivity and F of 61 entities, for three systems.
#[test]
#[ignore = "needs ../shared/data: the published values of RepLab 2013"]
fn replab_2013() {
    let folder = data("replab13");
    let settings = OrganizationSettings { finite: true, ..OrganizationSettings::default() };
    let related: Vec<_> =
        ["R_related", "S_related", "F_related"].iter().map(|name| measure(name).unwrap()).collect();
    let mixed: Vec<_> = ["R", "S", "F"].iter().map(|name| measure(name).unwrap()).collect();
    for name in ["SVM_allfeatures_HAC_30%", "best_replab", "t_twitter_LDA"] {
        let mut catalogue = DocumentCatalogue::new();
        let mut load = |file: String| {
            read(&Source::open(folder.join(file)).unwrap(), &ReadOptions::default(), &mut catalogue)
                .unwrap()
        };
        let (gold, system) = (load("goldstandard.dat.gz".into()), load(format!("{name}.out.gz")));
        let mut warnings = Warnings::default();
        let scores = OrganizationEvaluation::new(&gold, &catalogue, &related, &settings)
            .system(name, &system, &mut warnings)
            .unwrap();
        let published = std::fs::read_to_string(folder.join(format!("{name}.published"))).unwrap();
        let published: BTreeMap<&str, Vec<f64>> = published
            .lines()
            .skip(1)
            .map(|line| {
                let fields: Vec<&str> = line.split('\t').collect();
                (fields[1], fields[2..].iter().map(|value| value.parse().unwrap()).collect())
            })
            .collect();
        assert_eq!(scores.len(), 61);
        // The documents that the published values ignore are counted.
        assert!(
            name != "best_replab"
                || warnings.list().iter().any(|w| w.kind == WarningKind::ForeignDocument),
            "{name}"
        );
        for row in 0..scores.len() {
            let topic = scores.topic(row);
            for (column, expected) in published[&*topic].iter().enumerate() {
                let found = scores.value(row, column).unwrap();
                assert!((found - expected).abs() < 1e-9, "{name} {topic}: {found} {expected}");
            }
        }
        for (found, expected) in means(&scores).iter().zip(&published["average"]) {
            assert!((found.unwrap() - expected).abs() < 1e-9, "{name}: {found:?} {expected}");
        }
        // The gold standard has one level, so the mixture is relatedness alone.
        let mixture = OrganizationEvaluation::new(&gold, &catalogue, &mixed, &settings)
            .system(name, &system, &mut warnings)
            .unwrap();
        assert_eq!(means(&mixture), means(&scores));
    }
}

/// TREC Web 2012: judgements by subtopic are levels of overlapping clusters, and a run is a ranking.
#[test]
#[ignore = "needs ../shared/data: diversity judgements of TREC Web 2012 as clusters"]
fn diversity_judgements_are_overlapping_clusters() {
    let folder = data("div12");
    let mut catalogue = DocumentCatalogue::new();
    let mut load = |file: &str| {
        read(&Source::open(folder.join(file)).unwrap(), &ReadOptions::default(), &mut catalogue)
            .unwrap()
    };
    let (gold, system) = (load("2012.diversity.qrels.gz"), load("dssa-indri.gz"));
    assert!(
        gold.values()
            .any(|topic| topic.levels() > 1 && topic.clusters() > 1 && topic.occurrences() > 0)
    );
    assert!(system.values().all(|topic| topic.levels() == topic.occurrences()));
    let measures = vec![measure("F").unwrap(), measure("extended_bcubed_f").unwrap()];
    let settings = OrganizationSettings::default();
    let evaluation = OrganizationEvaluation::new(&gold, &catalogue, &measures, &settings);
    let scores = evaluation.system("dssa", &system, &mut Warnings::default()).unwrap();
    assert!(means(&scores).iter().all(|mean| mean.is_some_and(|mean| mean > 0.0 && mean < 1.0)));
    let perfect = evaluation.system("gold", &gold, &mut Warnings::default()).unwrap();
    assert!(means(&perfect).iter().all(|mean| mean.is_some_and(|mean| (mean - 1.0).abs() < 1e-12)));
}
