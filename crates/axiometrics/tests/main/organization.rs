//! Published values of real data, where the data is at hand.

use std::collections::BTreeMap;

use axiometrics::data::organization::Catalogue;
use axiometrics::io::Source;
use axiometrics::io::organization::{ReadOptions, read};
use axiometrics::organization::{Evaluation, Settings, measure};
use axiometrics::warning::{Kind, Warnings};

use crate::trec::data;

/// RepLab 2013: Reliability, Sensitivity and F of 61 entities, for three systems.
#[test]
#[ignore = "needs ../shared/data: the published values of RepLab 2013"]
fn replab_2013() {
    let folder = data("replab13");
    let settings = Settings { finite: true, ..Settings::default() };
    let related: Vec<_> =
        ["R_related", "S_related", "F_related"].iter().map(|name| measure(name).unwrap()).collect();
    let mixed: Vec<_> = ["R", "S", "F"].iter().map(|name| measure(name).unwrap()).collect();
    for name in ["SVM_allfeatures_HAC_30%", "best_replab", "t_twitter_LDA"] {
        let mut catalogue = Catalogue::new();
        let mut load = |file: String| {
            read(&Source::open(folder.join(file)).unwrap(), &ReadOptions::default(), &mut catalogue)
                .unwrap()
        };
        let (gold, system) = (load("goldstandard.dat.gz".into()), load(format!("{name}.out.gz")));
        let mut warnings = Warnings::default();
        let scores = Evaluation::new(&gold, &catalogue, &related, &settings)
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
        assert_eq!(scores.topics.len(), 61);
        // The documents that the published values ignore are counted.
        assert!(
            name != "best_replab"
                || warnings.list().iter().any(|w| w.kind == Kind::ForeignDocument),
            "{name}"
        );
        for (topic, found) in &scores.topics {
            for (found, expected) in found.iter().zip(&published[topic.as_str()]) {
                assert!(
                    (found.value().unwrap() - expected).abs() < 1e-9,
                    "{name} {topic}: {found:?} {expected}"
                );
            }
        }
        for (found, expected) in scores.means.iter().zip(&published["average"]) {
            assert!((found.unwrap() - expected).abs() < 1e-9, "{name}: {found:?} {expected}");
        }
        // The gold standard has one level, so the mixture is relatedness alone.
        let mixture = Evaluation::new(&gold, &catalogue, &mixed, &settings)
            .system(name, &system, &mut warnings)
            .unwrap();
        assert_eq!(mixture.means, scores.means);
    }
}

/// TREC Web 2012: judgements by subtopic are overlapping clusters, and a run is a ranking.
#[test]
#[ignore = "needs ../shared/data: diversity judgements of TREC Web 2012 as clusters"]
fn diversity_judgements_are_overlapping_clusters() {
    let folder = data("div12");
    let mut catalogue = Catalogue::new();
    let mut load = |file: &str| {
        read(&Source::open(folder.join(file)).unwrap(), &ReadOptions::default(), &mut catalogue)
            .unwrap()
    };
    let (gold, system) = (load("2012.diversity.qrels.gz"), load("dssa-indri.gz"));
    assert!(
        gold.values()
            .any(|topic| topic.levels() == 1 && topic.clusters() > 1 && topic.occurrences() > 0)
    );
    assert!(system.values().all(|topic| topic.levels() == topic.occurrences()));
    let measures = vec![measure("F").unwrap(), measure("extended_bcubed_f").unwrap()];
    let settings = Settings::default();
    let evaluation = Evaluation::new(&gold, &catalogue, &measures, &settings);
    let scores = evaluation.system("dssa", &system, &mut Warnings::default()).unwrap();
    assert!(scores.means.iter().all(|mean| mean.is_some_and(|mean| mean > 0.0 && mean < 1.0)));
    let perfect = evaluation.system("gold", &gold, &mut Warnings::default()).unwrap();
    assert!(perfect.means.iter().all(|mean| mean.is_some_and(|mean| (mean - 1.0).abs() < 1e-12)));
}
