//! The diversity measures against a plain implementation of their definitions, and on the runs of
//! the TREC web track of 2012.

use axiometrics::data::{Judged, OwnedTopic};
use axiometrics::measure::{Metric, Score};
use proptest::prelude::*;

use crate::trec::{self, Topic};

/// The subtopics of each document, and the ranking as positions into them (`None`: unjudged).
#[derive(Debug, Clone)]
struct Case {
    ranking: Vec<Option<Vec<(u32, f64)>>>,
    unretrieved: Vec<Vec<(u32, f64)>>,
}

fn document() -> impl Strategy<Value = Vec<(u32, f64)>> {
    proptest::collection::btree_map(0u32..4, 0i32..3, 0..4)
        .prop_map(|m| m.into_iter().map(|(f, g)| (f, f64::from(g))).collect())
}

fn case() -> impl Strategy<Value = Case> {
    let ranking = proptest::collection::vec(proptest::option::weighted(0.8, document()), 0..9);
    let unretrieved = proptest::collection::vec(document(), 0..6);
    (ranking, unretrieved).prop_map(|(ranking, unretrieved)| Case { ranking, unretrieved })
}

impl Case {
    fn serves(doc: &[(u32, f64)], s: u32) -> bool {
        doc.iter().any(|(f, g)| *f == s && *g >= 1.0)
    }

    fn judged(&self) -> Vec<&Vec<(u32, f64)>> {
        self.ranking.iter().flatten().chain(&self.unretrieved).collect()
    }

    fn subtopics(&self) -> Vec<u32> {
        (0..4).filter(|s| self.judged().iter().any(|d| Case::serves(d, *s))).collect()
    }

    /// G_i straight from its definition: count how often each subtopic was seen above.
    fn gains(ranking: &[&[(u32, f64)]], alpha: f64) -> Vec<f64> {
        let seen_above =
            |i: usize, s: u32| ranking[..i].iter().filter(|d| Case::serves(d, s)).count() as i32;
        let gain = |i: usize| {
            (0..4)
                .filter(|s| Case::serves(ranking[i], *s))
                .map(|s| (1.0 - alpha).powi(seen_above(i, s)))
                .sum()
        };
        (0..ranking.len()).map(gain).collect()
    }

    fn ranked(&self) -> Vec<&[(u32, f64)]> {
        self.ranking.iter().map(|d| d.as_deref().unwrap_or(&[])).collect()
    }

    /// The greedy ideal, by trying every document at every rank.
    fn ideal(&self, alpha: f64) -> Vec<&[(u32, f64)]> {
        let judged = self.judged();
        let mut left: Vec<usize> = (0..judged.len()).collect();
        let mut ranking: Vec<&[(u32, f64)]> = Vec::new();
        while !left.is_empty() {
            let gain = |doc: usize| {
                let with: Vec<&[(u32, f64)]> =
                    ranking.iter().copied().chain([judged[doc].as_slice()]).collect();
                *Case::gains(&with, alpha).last().unwrap()
            };
            let best =
                *left.iter().max_by(|a, b| gain(**a).total_cmp(&gain(**b)).then(a.cmp(b))).unwrap();
            left.retain(|d| *d != best);
            ranking.push(judged[best]);
        }
        ranking
    }

    fn topic(&self) -> OwnedTopic {
        OwnedTopic::by_facet(&self.ranking, &self.unretrieved)
    }
}

fn discounted(gains: &[f64], k: usize, discount: impl Fn(i32) -> f64) -> f64 {
    gains.iter().take(k).zip(1..).map(|(g, i)| g * discount(i)).sum()
}

fn score(measure: &str, topic: &Judged<'_>) -> Score {
    measure.parse::<Metric>().unwrap().score(topic)
}

proptest! {
    #[test]
    fn as_defined(case in case(), k in 1usize..10, half in any::<bool>()) {
        // The powers of 1/2 and 3/4 are exact, so that ties in the ideal are the same ties.
        let alpha = if half { 0.5 } else { 0.25 };
        let topic = case.topic();
        let m = case.subtopics().len() as f64;
        let gains = Case::gains(&case.ranked(), alpha);
        let ideal = Case::gains(&case.ideal(alpha), alpha);
        let every: Vec<f64> = (0..2000).map(|i| m * (1.0 - alpha).powi(i)).collect();
        let log = |i: i32| 1.0 / f64::from(i + 1).log2();
        let rank = |i: i32| 1.0 / f64::from(i);
        let patience = |i: i32| 0.6f64.powi(i - 1);
        let seen = (0..4).filter(|s| case.ranked().iter().take(k).any(|d| Case::serves(d, *s))).count();
        let precision = |s: u32, k: usize| case.ranked().iter().take(k).filter(|d| Case::serves(d, s)).count() as f64 / k as f64;
        let ap = |s: u32| {
            let relevant = case.judged().iter().filter(|d| Case::serves(d, s)).count() as f64;
            (0..case.ranking.len()).filter(|i| Case::serves(case.ranked()[*i], s)).map(|i| precision(s, i + 1)).sum::<f64>() / relevant
        };
        for (measure, expected) in [
            (format!("alpha_nDCG(alpha={alpha})@{k}"), discounted(&gains, k, log) / discounted(&ideal, k, log)),
            (format!("alpha_nDCG(alpha={alpha})"), discounted(&gains, 99, log) / discounted(&ideal, 99, log)),
            (format!("alpha_DCG(alpha={alpha})@{k}"), discounted(&gains, k, log) / discounted(&every, k, log)),
            (format!("nERR_IA(alpha={alpha})@{k}"), discounted(&gains, k, rank) / discounted(&ideal, k, rank)),
            (format!("ERR_IA(alpha={alpha})@{k}"), discounted(&gains, k, rank) / discounted(&every, k, rank)),
            (format!("nNRBP(alpha={alpha},beta=0.6)"), discounted(&gains, 99, patience) / discounted(&ideal, 99, patience)),
            (format!("NRBP(alpha={alpha},beta=0.6)"), discounted(&gains, 99, patience) / discounted(&every, 2000, patience)),
            (format!("StRecall@{k}"), seen as f64 / m),
            (format!("P_IA@{k}"), case.subtopics().iter().map(|s| precision(*s, k)).sum::<f64>() / m),
            ("AP_IA".to_string(), case.subtopics().iter().map(|s| ap(*s)).sum::<f64>() / m),
        ] {
            match score(&measure, &topic.view()) {
                Score::Value(ours) => prop_assert!((ours - expected).abs() < 1e-9, "{measure}: {ours}, not {expected}"),
                Score::Undefined(_) => prop_assert!(m == 0.0, "{measure} is undefined"),
            }
        }
    }

    #[test]
    fn d_sharp_as_defined(case in case(), k in 1usize..10, weights in proptest::collection::vec(1u32..9, 4), given in any::<bool>()) {
        let total: u32 = weights.iter().sum();
        let probability = |s: u32| if given { f64::from(weights[s as usize]) / f64::from(total) } else { 0.25 };
        let global = |d: &[(u32, f64)]| d.iter().map(|(s, g)| probability(*s) * g).sum::<f64>();
        let dcg = |gains: &[f64]| discounted(gains, k, |i| 1.0 / f64::from(i + 1).log2());
        let gains: Vec<f64> = case.ranked().iter().map(|d| global(d)).collect();
        let mut ideal: Vec<f64> = case.judged().iter().map(|d| global(d)).collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        let seen = (0..4).filter(|s| case.ranked().iter().take(k).any(|d| Case::serves(d, *s))).count() as f64;
        let expected = 0.3 * seen / case.subtopics().len() as f64 + 0.7 * dcg(&gains) / dcg(&ideal);
        let mut topic = case.topic();
        if given {
            topic = topic.with_weights((0..4).map(probability).collect());
        }
        match score(&format!("D#-nDCG(gamma=0.3)@{k}"), &topic.view()) {
            Score::Value(ours) => prop_assert!((ours - expected).abs() < 1e-9, "{ours}, not {expected}"),
            Score::Undefined(_) => prop_assert!(case.subtopics().is_empty()),
        }
    }
}

#[test]
#[ignore = "needs ../shared/data: diversity measures on TREC Web 2012"]
fn web_track_2012() {
    let folder = trec::data("div12");
    let text = trec::text(&folder.join("2012.diversity.qrels.gz"));
    let qrels = trec::qrels(&text);
    let metric: Metric = "alpha_nDCG@10".parse().unwrap();
    // alpha-nDCG@10 of pyndeval 0.0.8 over these rankings (score, then descending id), the mean
    // over the 50 topics.
    for (name, expected) in [
        ("dssa-indri", 0.32477760700856534),
        ("ql-results-cata-filtered", 0.3530318425044529),
        ("ql-results-cata", 0.20023986257902382),
        ("ql-results-catb-filtered", 0.35067295472613963),
        ("ql-results-catb", 0.3306000237874831),
        ("rm-results-cata-filtered", 0.3653902056080854),
        ("rm-results-cata", 0.16762906685004167),
        ("rm-results-catb-filtered", 0.35809967546796445),
        ("rm-results-catb", 0.3242405227654864),
    ] {
        let text = trec::text(&folder.join(format!("{name}.gz")));
        let run = trec::run(&text);
        let score = |(id, rows): (&&str, _)| {
            let topic = Topic::new(rows, run.get(id).map_or(&[], Vec::as_slice));
            metric.score(&topic.view()).value().unwrap_or(0.0)
        };
        let mean = qrels.iter().map(score).sum::<f64>() / qrels.len() as f64;
        assert!((mean - expected).abs() < 1e-12, "{name}: {mean}, not {expected}");
    }
}
