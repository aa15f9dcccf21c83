//! The estimators: equal to what they estimate if all is judged, right on average if it is
//! not.

use axiometrics::data::OwnedTopic;
use axiometrics::measure::{Metric, Score};
use proptest::prelude::*;

type Document = (u32, f64);

fn score(measure: &str, ranking: &[Option<Document>], rest: &[Document]) -> Option<f64> {
    let set = |d: &Document| vec![*d];
    let ranking: Vec<_> = ranking.iter().map(|d| d.as_ref().map(set)).collect();
    let rest: Vec<_> = rest.iter().map(set).collect();
    match measure.parse::<Metric>().unwrap().score(&OwnedTopic::by_facet(&ranking, &rest).view()) {
        Score::Value(x) => Some(x),
        Score::Undefined(_) => None,
    }
}

fn document(lowest: i32) -> impl Strategy<Value = Document> {
    (0u32..3, (lowest..3).prop_map(f64::from))
}

fn ranking(lowest: i32) -> impl Strategy<Value = Vec<Option<Document>>> {
    proptest::collection::vec(proptest::option::weighted(0.8, document(lowest)), 0..9)
}

/// The computation of the published script, stratum by stratum as probabilities.
fn published_ap(ranking: &[Option<Document>], rest: &[Document]) -> f64 {
    let all: Vec<Document> = ranking.iter().flatten().chain(rest).copied().collect();
    let number = |of: &[Document], s: u32, keep: &dyn Fn(f64) -> bool| {
        of.iter().filter(|d| d.0 == s && keep(d.1)).count() as f64
    };
    let estimate = |s: u32| {
        let sampled = number(&all, s, &|g| g >= 0.0);
        if sampled == 0.0 {
            0.0
        } else {
            number(&all, s, &|g| g > 0.0) * number(&all, s, &|_| true) / sampled
        }
    };
    let relevant: f64 = (0..3).map(estimate).sum();
    let mut ap = 0.0;
    for s in 0..3 {
        let sampled_relevant = number(&all, s, &|g| g > 0.0);
        let mut sum = 0.0;
        for (i, document) in
            ranking.iter().enumerate().filter(|(_, d)| d.is_some_and(|d| d.0 == s && d.1 > 0.0))
        {
            assert!(document.is_some());
            let above: Vec<Document> = ranking[..i].iter().flatten().copied().collect();
            let pool = above.len() as f64;
            let mut precision_above = 0.0;
            for t in 0..3 {
                let probability = number(&above, t, &|_| true) / pool;
                if pool > 0.0 && probability > 0.0 {
                    precision_above += probability * (number(&above, t, &|g| g > 0.0) + 0.00001)
                        / (number(&above, t, &|g| g >= 0.0) + 0.00003);
                }
            }
            let rank = i as f64 + 1.0;
            sum += 1.0 / rank + pool / rank * precision_above;
        }
        if sampled_relevant > 0.0 {
            ap += estimate(s) / relevant * sum / sampled_relevant;
        }
    }
    ap
}

proptest! {
    #[test]
    fn with_all_judged_they_are_what_they_estimate(ranking in ranking(0), rest in proptest::collection::vec(document(0), 0..5), k in 1u32..10) {
        let plain: Vec<Option<f64>> = ranking.iter().map(|d| d.map(|d| d.1)).collect();
        let plain_rest: Vec<f64> = rest.iter().map(|d| d.1).collect();
        let topic = OwnedTopic::new(&plain, &plain_rest);
        let plain = |m: &str| m.parse::<Metric>().unwrap().score(&topic.view()).value();
        for (ours, theirs, tolerance) in [
            (format!("infNDCG@{k}"), format!("nDCG@{k}"), 1e-12),
            ("infNDCG".into(), "nDCG".into(), 1e-12),
            ("xinfAP".into(), "AP".into(), 1e-3),
            (format!("xinfAP@{k}"), format!("AP@{k}"), 1e-3),
        ] {
            match (score(&ours, &ranking, &rest), plain(&theirs)) {
                (Some(a), Some(b)) => prop_assert!((a - b).abs() < tolerance, "{ours}: {a}, not {b}"),
                (a, b) => prop_assert_eq!(a, b),
            }
        }
    }

    #[test]
    fn xinfap_as_published(ranking in ranking(-1), rest in proptest::collection::vec(document(-1), 0..5)) {
        if let Some(ours) = score("xinfAP", &ranking, &rest) {
            let published = published_ap(&ranking, &rest);
            prop_assert!((ours - published).abs() < 1e-9, "{ours}, not {published}");
        }
    }

    /// Over all samples of a given size from the retrieved documents of a stratum, the estimate of
    /// DCG has the true DCG as its mean. The ideal is held fixed by fully judged documents that
    /// were not retrieved, in a stratum of their own.
    #[test]
    fn infndcg_is_unbiased(grades in proptest::collection::vec(0i32..3, 1..7), size in 1usize..7) {
        let (n, size) = (grades.len(), size.min(grades.len()));
        let samples: Vec<u32> = (0u32..1 << n).filter(|s| s.count_ones() as usize == size).collect();
        let dcg: f64 = grades.iter().zip(1..).map(|(g, i)| f64::from(*g) / f64::from(i + 1).log2()).sum();
        // Nine of the best grade fill the ideal to its cutoff, whatever the sample says.
        let rest = vec![(1u32, 2.0); 9];
        let ideal: f64 = (1..=9).map(|i| 2.0 / f64::from(i + 1).log2()).sum();
        let estimates: f64 = samples.iter().map(|s| {
            let ranking: Vec<Option<Document>> =
                grades.iter().enumerate().map(|(i, g)| Some((0, if s >> i & 1 == 1 { f64::from(*g) } else { -1.0 }))).collect();
            score("infNDCG@9", &ranking, &rest).unwrap()
        }).sum();
        prop_assert!((estimates / samples.len() as f64 - dcg / ideal).abs() < 1e-9);
    }
}
