//! Published scores of real runs, where the data is at hand.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};

use axiometrics::align::Policy;
use axiometrics::data::Qrels;
use axiometrics::io::{QrelsOptions, Source, read_qrels};
use axiometrics::measure::{Metric, parse_list};
use axiometrics::policy::Rounding;
use axiometrics::policy::{Missing, Undefined};
use axiometrics::score::{Evaluation, Scores};
use axiometrics::warning::Warnings;

use crate::trec::data;

fn qrels(path: &Path) -> Qrels {
    read_qrels(&Source::open(path).unwrap(), QrelsOptions::default(), &mut Warnings::default())
        .unwrap()
}

fn scored(qrels: &Qrels, metrics: &[Metric], run: &Path, scores: Rounding) -> Scores {
    let mut evaluation = Evaluation::new(qrels, metrics);
    evaluation.policy = Policy { scores, ..Policy::default() };
    evaluation.missing = Missing::Zero;
    evaluation.run(&Source::open(run).unwrap(), &mut Warnings::default()).unwrap()
}

fn runs(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder.join("runs")).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

const DL21: &str = "map P_5 P_10 P_15 P_20 P_30 P_100 P_200 P_500 P_1000 recip_rank bpref Rprec Rndcg \
    ndcg_cut_5 ndcg_cut_10 ndcg_cut_15 ndcg_cut_20 ndcg_cut_30 ndcg_cut_100 ndcg_cut_200 ndcg_cut_500 ndcg_cut_1000";

/// TREC Deep Learning 2021, passages: 63 runs, 53 topics, 23 measures. They were made by a
/// trec_eval that compared scores as f32; as f64, only the runs whose scores tie in f32 and not in
/// f64 may differ.
#[test]
#[ignore = "needs ../shared/data: 76,797 published values of TREC Deep Learning 2021"]
fn deep_learning_2021() {
    let folder = data("dl21");
    let qrels = qrels(&folder.join("qrels-pass.txt"));
    let metrics = parse_list(DL21).unwrap();
    let names: Vec<&str> = DL21.split_whitespace().collect();
    let mut published: HashMap<String, BTreeMap<(String, String), f64>> = HashMap::new();
    let mut text = String::new();
    Source::open(folder.join("published_trec_eval.tsv.gz"))
        .unwrap()
        .read()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let measure = fields[1].strip_prefix("ndcgeval:").unwrap_or(fields[1]);
        if fields[2] != "all" && names.contains(&measure) {
            let topics = published.entry(fields[0].to_string()).or_default();
            topics.insert((measure.to_string(), fields[2].to_string()), fields[3].parse().unwrap());
        }
    }
    let (mut compared, mut differ) = (0, BTreeMap::from([("f32", 0), ("f64", 0)]));
    let (mut runs_that_differ, mut runs_with_f32_ties) = (BTreeSet::new(), BTreeSet::new());
    for run in runs(&folder) {
        let name = run.file_stem().unwrap().to_string_lossy().into_owned();
        if ties_in_f32_alone(&run) {
            runs_with_f32_ties.insert(name.clone());
        }
        for (label, scores) in [("f32", Rounding::F32), ("f64", Rounding::F64)] {
            let ours = scored(&qrels, &metrics, &run, scores);
            for (row, topic) in ours.topics().iter().enumerate() {
                let topic = String::from_utf8_lossy(topic).into_owned();
                for (column, measure) in names.iter().enumerate() {
                    let expected = published[&name][&(measure.to_string(), topic.clone())];
                    compared += 1;
                    if (ours.value(row, column).unwrap_or(0.0) - expected).abs() > 0.5001e-4 {
                        *differ.get_mut(label).unwrap() += 1;
                        runs_that_differ.insert(name.clone());
                    }
                }
            }
        }
    }
    assert_eq!(compared, 2 * 76_797);
    assert_eq!(differ, BTreeMap::from([("f32", 0), ("f64", 934)]));
    assert_eq!(runs_that_differ.len(), 7);
    assert!(
        runs_that_differ.is_subset(&runs_with_f32_ties),
        "{runs_that_differ:?} but ties in {runs_with_f32_ties:?}"
    );
}

/// True where two documents of a topic have scores that are equal as f32 and unequal as f64.
fn ties_in_f32_alone(run: &Path) -> bool {
    let mut text = String::new();
    Source::open(run).unwrap().read().unwrap().read_to_string(&mut text).unwrap();
    let mut scores: Vec<(&str, f64)> = text
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            (fields[0], fields[4].parse().unwrap())
        })
        .collect();
    scores.sort_by(|a, b| a.0.cmp(b.0).then(a.1.total_cmp(&b.1)));
    scores
        .windows(2)
        .any(|w| w[0].0 == w[1].0 && w[0].1 != w[1].1 && w[0].1 as f32 == w[1].1 as f32)
}

/// TREC-COVID, round 5: the leaderboard of seven runs.
#[test]
#[ignore = "needs ../shared/data: the leaderboard of TREC-COVID"]
fn trec_covid_round_5() {
    let folder = data("covid5");
    let qrels = qrels(&folder.join("qrels.covid-round5.txt"));
    let metrics = parse_list("nDCG@20 P@20 RBP(p=0.5) Bpref AP").unwrap();
    let leaderboard = std::fs::read_to_string(folder.join("leaderboard.csv")).unwrap();
    let rows: HashMap<&str, Vec<f64>> = leaderboard
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            (fields[0], fields[fields.len() - 5..].iter().map(|x| x.parse().unwrap()).collect())
        })
        .collect();
    let all = runs(&folder);
    assert_eq!(all.len(), 7);
    for run in all {
        let name = run.file_stem().unwrap().to_string_lossy().into_owned();
        let ours = scored(&qrels, &metrics, &run, Rounding::F32);
        for (column, metric) in metrics.iter().enumerate() {
            let mean = ours.summary_value(column, Undefined::Zero).unwrap();
            let expected = rows[name.as_str()][column];
            assert!(
                (mean - expected).abs() <= 0.5001e-4,
                "{name} {metric}: {mean}, published {expected}"
            );
        }
    }
}
