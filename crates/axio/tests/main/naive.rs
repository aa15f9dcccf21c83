//! Every score of the examples, worked out again in the plainest way: sort, walk down, add up.

use std::collections::BTreeMap;

use crate::support::{root, stdout};

type Grades = BTreeMap<String, i64>;

fn fields(path: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root().join(path)).unwrap();
    text.lines().map(|line| line.split_whitespace().map(str::to_string).collect()).collect()
}

/// The score of one topic; `None` if it has no relevant document.
fn score(measure: &str, ranking: &[i64], grades: &Grades, max_grade: i64) -> Option<f64> {
    let relevant = grades.values().filter(|g| **g > 0).count() as f64;
    let found = |k: usize| ranking.iter().take(k).filter(|g| **g > 0).count() as f64;
    let dcg = |gains: &[i64]| {
        gains
            .iter()
            .take(10)
            .enumerate()
            .map(|(i, g)| *g as f64 / (i as f64 + 2.0).log2())
            .sum::<f64>()
    };
    let hits = || ranking.iter().enumerate().filter(|(_, g)| **g > 0).map(|(i, _)| i);
    match measure {
        "P@10" => return Some(found(10) / 10.0),
        "RR" => return Some(hits().next().map_or(0.0, |i| 1.0 / (i as f64 + 1.0))),
        "RBP(p=0.8)" => {
            let gain = |(i, g): (usize, &i64)| *g as f64 / max_grade as f64 * 0.8f64.powi(i as i32);
            return Some(0.2 * ranking.iter().enumerate().map(gain).sum::<f64>());
        }
        _ if relevant == 0.0 => return None,
        _ => {}
    }
    Some(match measure {
        "nDCG@10" => {
            let mut ideal: Vec<i64> = grades.values().copied().collect();
            ideal.sort_by(|a, b| b.cmp(a));
            dcg(ranking) / dcg(&ideal)
        }
        "AP" => hits().map(|i| found(i + 1) / (i as f64 + 1.0)).sum::<f64>() / relevant,
        "R@1000" => found(1000) / relevant,
        other => panic!("no naive {other}"),
    })
}

#[test]
fn the_default_measures_agree_with_a_naive_reading() {
    let mut compared = 0;
    for (collection, systems) in [
        ("web", &["bm25", "bm25-rm3", "dense", "hybrid"][..]),
        ("passages", &["bm25", "dense", "reranked"]),
    ] {
        let mut qrels: BTreeMap<String, Grades> = BTreeMap::new();
        for line in fields(&format!("examples/{collection}/qrels.txt")) {
            qrels
                .entry(line[0].clone())
                .or_default()
                .insert(line[2].clone(), line[3].parse().unwrap());
        }
        let max_grade = qrels.values().flat_map(|g| g.values()).copied().max().unwrap();
        for system in systems {
            let path = format!("examples/{collection}/{system}.run");
            let mut run: BTreeMap<String, Vec<(f64, String)>> = BTreeMap::new();
            for line in fields(&path) {
                run.entry(line[0].clone())
                    .or_default()
                    .push((line[4].parse().unwrap(), line[2].clone()));
            }
            run.values_mut().for_each(|documents| {
                documents.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)))
            });
            let table = stdout(&[
                "eval",
                &format!("examples/{collection}/qrels.txt"),
                &path,
                "--per-topic",
                "--format",
                "tsv",
            ]);
            let mut sums: BTreeMap<String, f64> = BTreeMap::new();
            for line in table.lines().skip(1) {
                let [_, measure, topic, value] = line.split('\t').collect::<Vec<_>>()[..] else {
                    panic!("{line}")
                };
                let expected = if topic == "all" {
                    Some(sums[measure] / qrels.len() as f64)
                } else {
                    let grades = &qrels[topic];
                    let ranking: Vec<i64> = run
                        .get(topic)
                        .into_iter()
                        .flatten()
                        .map(|(_, d)| grades.get(d).copied().unwrap_or(0))
                        .collect();
                    score(measure, &ranking, grades, max_grade)
                };
                match expected {
                    Some(x) => assert!(
                        (value.parse::<f64>().unwrap() - x).abs() < 1e-12,
                        "{line}: expected {x}"
                    ),
                    None => assert_eq!(value, "NA", "{line}"),
                }
                *sums.entry(measure.to_string()).or_default() += expected.unwrap_or(0.0);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 6 * (4 * 21 + 3 * 31));
}
