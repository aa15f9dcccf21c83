//! Expected scores and their ranges against all permutations.

use proptest::prelude::*;

use super::*;
use crate::data::OwnedTopic;

/// Grades by rank, `None` for an unjudged document, in groups of equal scores.
#[derive(Debug, Clone)]
struct Case {
    groups: Vec<Vec<Option<f64>>>,
    unretrieved: Vec<f64>,
}

fn cases() -> impl Strategy<Value = Case> {
    let document = prop_oneof![Just(None), (0..3u32).prop_map(|g| Some(f64::from(g)))];
    let groups = prop::collection::vec(prop::collection::vec(document, 1..=4), 1..=2);
    (groups, prop::collection::vec((0..3u32).prop_map(f64::from), 0..3)).prop_map(|(groups, unretrieved)| Case { groups, unretrieved })
}

fn permutations(group: &[Option<f64>]) -> Vec<Vec<Option<f64>>> {
    if group.len() < 2 {
        return vec![group.to_vec()];
    }
    let each = |i: usize| {
        let mut rest = group.to_vec();
        let first = rest.remove(i);
        permutations(&rest).into_iter().map(move |mut p| {
            p.insert(0, first);
            p
        })
    };
    (0..group.len()).flat_map(each).collect()
}

impl Case {
    fn topic(&self, groups: &[Vec<Option<f64>>]) -> OwnedTopic {
        OwnedTopic::new(&groups.concat(), &self.unretrieved).with_max_grade(2.0)
    }

    fn ties(&self) -> Vec<Tie> {
        let mut first = 1;
        let mut ties = Vec::new();
        for group in &self.groups {
            let len = group.len() as u32;
            if len > 1 && group.iter().any(Option::is_some) {
                ties.push(Tie { first, len });
            }
            first += len;
        }
        ties
    }

    /// The scores of all orders.
    fn scores(&self, metric: &Metric) -> Vec<f64> {
        let mut orders: Vec<Vec<Vec<Option<f64>>>> = vec![Vec::new()];
        for group in &self.groups {
            let all = permutations(group);
            orders = orders.iter().flat_map(|o| all.iter().map(|p| [o.clone(), vec![p.clone()]].concat())).collect();
        }
        orders.iter().filter_map(|o| metric.score(&self.topic(o).view()).value()).collect()
    }
}

const MEASURES: &str = "P@3 R@2 R@9 F@3 RPrec RPrec@2 RR RR@2 AP AP@3 AP(norm=min)@2 SP GMAP logitAP yaAP SNAP@3 DCG nDCG nDCG@3 nDCG(dcg=exp-log2)@2 SDCG@3 SNDCG@3 IDCG RBP RBP(rel=2) ERR ERR@2 nERR INSQ INST \
    Q Q@3 GAP Bpref infAP Compat IPrec@0.5 Success@2 SetP SetAP Accuracy AUC HIT@2 BPM@4 binG G AP(judged_only=true) nDCG(judged_only=true)@2";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn average_is_the_mean_over_all_orders(case in cases()) {
        let topic = case.topic(&case.groups);
        let ties = case.ties();
        for metric in crate::measure::parse_list(MEASURES).unwrap() {
            let scores = case.scores(&metric);
            let expected = average(&metric, &topic.view(), &ties);
            prop_assert_eq!(expected.error, None);
            let mean = scores.iter().sum::<f64>() / scores.len() as f64;
            match expected.score.value() {
                Some(x) => prop_assert!((x - mean).abs() < 1e-9, "{metric} {case:?}: {x}, truth {mean}"),
                None => prop_assert!(scores.is_empty(), "{metric} {case:?}"),
            }
        }
    }

    #[test]
    fn ranges_are_those_of_all_orders(case in cases()) {
        let topic = case.topic(&case.groups);
        let ties = case.ties();
        for metric in crate::measure::parse_list(MEASURES).unwrap() {
            let scores = case.scores(&metric);
            let Some(found) = range(&metric, &topic.view(), &ties) else { continue };
            let (low, high) = scores.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
            if found.kind == Kind::Exact {
                prop_assert!((found.low - low).abs() < 1e-9 && (found.high - high).abs() < 1e-9, "{metric} {case:?}: {found:?}, truth {low} {high}");
            }
        }
    }
}

/// Beyond what can be counted out, the sample agrees with the closed form.
#[test]
fn samples_are_near() {
    let ranking: Vec<Option<f64>> = (0..30).map(|i| Some(f64::from(u8::from(i % 3 == 0)))).collect();
    let topic = OwnedTopic::new(&ranking, &[]);
    let tie = [Tie { first: 1, len: 30 }];
    let metric: Metric = "nDCG@10".parse().unwrap();
    let sampled = by_orders(&metric, &topic.view(), &tie);
    let exact = average(&metric, &topic.view(), &tie).score.value().unwrap();
    let error = sampled.error.unwrap();
    assert!(error > 0.0 && (sampled.score.value().unwrap() - exact).abs() < 4.0 * error);
}
