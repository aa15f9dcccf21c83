//! Expected scores and their ranges against all permutations.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::align::Tie;
use crate::data::{Facet, Hit, Hits, OwnedTopic};
use crate::measure::range::RangeKind;
use crate::measure::ties::AnyOrder;
use crate::measure::{Cutoff, definitions, parse};

fn average(metric: &Metric, topic: &Judged<'_>, tied: Tied<'_>, stream: usize) -> Expected {
    UnderTies::new(metric).average(topic, tied, stream)
}

fn range(metric: &Metric, topic: &Judged<'_>, tied: Tied<'_>, stream: usize) -> Option<Range> {
    UnderTies::new(metric).range(topic, tied, stream)
}

/// What is known of a document: `None` if it is unjudged, the grade below 0 if it was pooled
/// and not assessed.
type Document = Option<f64>;

/// Documents in groups of equal scores, in a ranking that may be cut off.
#[derive(Debug, Clone)]
struct Case<D = Document> {
    groups: Vec<Vec<D>>,
    unretrieved: Vec<f64>,
    max_grade: f64,
    depth: Option<u32>,
}

/// A case before it is cut: the share of the ranking that is kept, in quarters, if it is.
fn cases(max_grade: u32) -> impl Strategy<Value = Case> {
    let document = prop_oneof![2 => Just(None), 1 => Just(Some(-1.0)), 6 => (0..=max_grade).prop_map(|g| Some(f64::from(g)))];
    let groups = prop::collection::vec(prop::collection::vec(document, 1..=4), 1..=2);
    let unretrieved = prop::collection::vec((0..=max_grade).prop_map(f64::from), 0..3);
    (groups, unretrieved, prop::option::of(1..8u32)).prop_map(
        move |(groups, unretrieved, depth)| Case {
            groups,
            unretrieved,
            max_grade: f64::from(max_grade),
            depth,
        },
    )
}

fn permutations<D: Clone>(group: &[D]) -> Vec<Vec<D>> {
    if group.len() < 2 {
        return vec![group.to_vec()];
    }
    let each = |i: usize| {
        let mut rest = group.to_vec();
        let first = rest.remove(i);
        permutations(&rest).into_iter().map(move |mut p| {
            p.insert(0, first.clone());
            p
        })
    };
    (0..group.len()).flat_map(each).collect()
}

/// A document as a judged topic is made of it.
trait Kept: Clone {
    fn matters(&self) -> bool;
    /// The topic of the first documents, if the others were not retrieved.
    fn topic(ranking: &[Self], depth: usize, unretrieved: &[f64], max_grade: f64) -> OwnedTopic;
}

impl Kept for Document {
    fn matters(&self) -> bool {
        self.is_some()
    }

    fn topic(
        ranking: &[Document],
        depth: usize,
        unretrieved: &[f64],
        max_grade: f64,
    ) -> OwnedTopic {
        let (kept, cut) = ranking.split_at(depth);
        let rest: Vec<f64> = cut.iter().flatten().chain(unretrieved).copied().collect();
        OwnedTopic::new(kept, &rest).with_max_grade(max_grade)
    }
}

/// Grades by subtopic.
type Facets = Vec<(u32, f64)>;

impl Kept for Option<Facets> {
    fn matters(&self) -> bool {
        self.is_some()
    }

    fn topic(ranking: &[Option<Facets>], depth: usize, _: &[f64], max_grade: f64) -> OwnedTopic {
        let (kept, cut) = ranking.split_at(depth);
        let rest: Vec<Facets> = cut.iter().flatten().cloned().collect();
        OwnedTopic::by_facet(kept, &rest).with_max_grade(max_grade)
    }
}

impl<D: Kept> Case<D> {
    fn len(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    fn depth(&self) -> usize {
        self.depth.map_or(self.len(), |depth| (depth as usize).min(self.len()))
    }

    /// The topics of all orders.
    fn orders(&self) -> Vec<OwnedTopic> {
        let mut orders: Vec<Vec<D>> = vec![Vec::new()];
        for group in &self.groups {
            let all = permutations(group);
            orders = orders
                .iter()
                .flat_map(|o| all.iter().map(|p| [o.clone(), p.clone()].concat()))
                .collect();
        }
        orders
            .iter()
            .map(|order| D::topic(order, self.depth(), &self.unretrieved, self.max_grade))
            .collect()
    }

    fn ties(&self) -> Vec<Tie> {
        let mut first = 1;
        let mut ties = Vec::new();
        for group in &self.groups {
            let len = group.len() as u32;
            if len > 1 && group.iter().any(D::matters) {
                ties.push(Tie { first, len });
            }
            first += len;
        }
        ties
    }

    /// Calls with the topic in the order of the groups, and its ties.
    fn view<T>(&self, f: impl FnOnce(&Judged<'_>, Tied<'_>) -> T) -> T {
        let ranking = self.groups.concat();
        let whole = D::topic(&ranking, ranking.len(), &self.unretrieved, self.max_grade);
        let (topic, ties, depth) = (whole.view(), self.ties(), self.depth() as u32);
        let all: Vec<Hit> = topic.hits.iter().copied().collect();
        let (hits, below) = all.split_at(all.partition_point(|hit| hit.rank <= depth));
        f(
            &Judged { hits: Hits::new(hits), retrieved: depth, ..topic },
            Tied { groups: &ties, below },
        )
    }
}

/// Every measure of the registry, with and without a cutoff, and others.
fn metrics(facet: Facet) -> Vec<Metric> {
    let mut names: BTreeSet<String> = EXTRA.split_whitespace().map(str::to_string).collect();
    for def in definitions() {
        names.extend(def.examples.iter().map(|e| e.measure.to_string()));
        names.extend(match def.cutoff {
            Cutoff::Never => vec![def.name.to_string()],
            Cutoff::Param(_) => vec![format!("{}@0.5", def.name)],
            Cutoff::Required | Cutoff::Optional => {
                [2, 3, 5].map(|k| format!("{}@{k}", def.name)).to_vec()
            }
        });
    }
    // A name alone is no measure if a parameter must be given; its examples are.
    let metrics = names.iter().flat_map(|name| parse(name).unwrap_or_default());
    metrics.filter(|m| m.needs().facet == facet && !m.needs().scores).collect()
}

const EXTRA: &str = "R@9 RPrec RPrec@2 RR AP AP(norm=min)@2 DCG nDCG nDCG(dcg=exp-log2)@2 SNAP SNDCG ERR nERR ERR(max_rel=3)@4 RBP RBP(rel=2) RBP(rel=2)@3 Q Q(rel=2) \
    Q(norm=min,beta=2)@3 Q(beta=0)@2 GAP P(rel=2)@3 AP(rel=2)@3 SNAP(rel=2)@2 Bpref(rel=2) AUC(rel=2) Accuracy Success(rel=2)@2 F(beta=2)@3 \
    AP(judged_only=true) nDCG(judged_only=true)@2 ERR(judged_only=true)@2 Q(judged_only=true)@3 SNAP(judged_only=true)@2 Compat(judged_only=true) \
    INST(value=total) BPM(value=depth)@4 nDCG(gains={1:5,2:1})@3 SNDCG(gains={0:1,1:3,2:2})@4 DCG(gains={1:-1,2:3}) Rndcg(gains={1:4,2:1}) \
    SNDCG(gains={1:-1,2:2})@3";

fn mean(scores: &[f64]) -> f64 {
    scores.iter().sum::<f64>() / scores.len() as f64
}

/// The scores of all orders.
fn scores(metric: &Metric, orders: &[OwnedTopic]) -> Vec<f64> {
    orders.iter().filter_map(|order| metric.score(&order.view()).value()).collect()
}

/// Compares every measure with all permutations.
fn compare<D: Kept + std::fmt::Debug>(case: &Case<D>, facet: Facet) -> Result<(), TestCaseError> {
    let orders = case.orders();
    let near = |x: f64, truth: f64| (x - truth).abs() < 1e-9;
    let mut wrong = Vec::new();
    for metric in metrics(facet) {
        let truth = scores(&metric, &orders);
        let (low, high) = truth
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
        let expected = case.view(|topic, tied| average(&metric, topic, tied, 1));
        if expected.error.is_some()
            || expected.score.value().map_or(!truth.is_empty(), |x| !near(x, mean(&truth)))
        {
            wrong.push(format!("{metric}: {expected:?}, truth {}", mean(&truth)));
        }
        let found = case.view(|topic, tied| range(&metric, topic, tied, 1));
        let exact = |r: Range| {
            r.kind == RangeKind::Exact
                && near(r.low, low)
                && near(r.high, high)
                && r.undefined == (truth.len() < orders.len())
        };
        if found.map_or(!truth.is_empty(), |r| !exact(r)) {
            wrong.push(format!("{metric}: {found:?}, truth {low} to {high}"));
        }
        let glance = case.view(|topic, tied| glance(&metric, topic, tied));
        if glance.is_some_and(|r| r.low < low - 1e-9 || r.high > high + 1e-9) {
            wrong.push(format!("{metric}: {glance:?} goes beyond {low} to {high}"));
        }
    }
    prop_assert!(wrong.is_empty(), "{case:?}: {wrong:#?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn graded_ties_are_all_orders(case in cases(2)) {
        compare(&case, Facet::None)?;
    }

    #[test]
    fn binary_ties_are_all_orders(case in cases(1)) {
        compare(&case, Facet::None)?;
    }

    #[test]
    fn ties_of_subtopics_are_all_orders(
        groups in prop::collection::vec(prop::collection::vec(prop::option::of(prop::collection::vec((0..3u32, 1..3u32), 0..3)), 1..=3), 1..=2),
        depth in prop::option::of(1..6u32),
    ) {
        let facets = |document: Vec<(u32, u32)>| {
            let mut facets: Facets = document.into_iter().map(|(facet, grade)| (facet, f64::from(grade))).collect();
            facets.sort_by_key(|(facet, _)| *facet);
            facets.dedup_by_key(|(facet, _)| *facet);
            facets
        };
        let groups = groups.into_iter().map(|group| group.into_iter().map(|d| d.map(facets)).collect()).collect();
        compare(&Case { groups, unretrieved: Vec::new(), max_grade: 2.0, depth }, Facet::Iteration)?;
    }
}

/// Sorting by grade is not enough if a measure divides by what the top k holds.
#[test]
fn a_cut_group_of_self_normalised_average_precision() {
    let case = Case {
        groups: vec![vec![Some(1.0)], vec![None, Some(1.0), None]],
        unretrieved: Vec::new(),
        max_grade: 1.0,
        depth: None,
    };
    let metric: Metric = "SNAP@3".parse().unwrap();
    let found = case.view(|topic, tied| range(&metric, topic, tied, 1)).unwrap();
    assert_eq!(
        (found.low, found.high, found.kind),
        ((1.0 + 2.0 / 3.0) / 2.0, 1.0, RangeKind::Exact)
    );
}

/// One group of this many documents, every third of which is relevant to some grade.
fn large(n: u32) -> Case {
    let group = (0..n).map(|i| Some(f64::from((i % 3 == 0) as u32 * (1 + i % 2)))).collect();
    Case { groups: vec![group], unretrieved: vec![1.0], max_grade: 2.0, depth: None }
}

/// Beyond what can be counted out, the sample agrees with the closed forms, and each topic has its
/// own.
#[test]
fn samples_are_near() {
    for measure in ["nDCG@10", "AP", "ERR", "Q", "Bpref", "RR", "P@7", "Q(rel=2)@9"] {
        let metric: Metric = measure.parse().unwrap();
        for depth in [None, Some(20)] {
            let case = Case { depth, ..large(30) };
            let exact = case.view(|topic, tied| average(&metric, topic, tied, 1));
            let sampled =
                case.view(|topic, tied| Orders::new(&metric, topic, tied).expected(&AnyOrder, 1));
            let error = sampled.error.unwrap();
            assert!(exact.error.is_none() || measure == "Bpref");
            let distance = (sampled.score.value().unwrap() - exact.score.value().unwrap()).abs();
            assert!(
                error > 0.0 && distance < 4.0 * error,
                "{measure} {depth:?}: {distance} {error}"
            );
        }
    }
    let metric: Metric = "Compat".parse().unwrap();
    let sample =
        |stream: usize| large(30).view(|topic, tied| average(&metric, topic, tied, stream));
    assert_eq!(sample(1), sample(1));
    assert_ne!(sample(1).score, sample(2).score);
    assert!(sample(1).error.is_some_and(|e| e > 0.0 && e < 0.01));
}

fn glance(metric: &Metric, topic: &Judged<'_>, tied: Tied<'_>) -> Option<Range> {
    let mut glance = TiedGlance::default();
    glance.new_topic(topic, tied);
    glance.range(metric, topic)
}

/// What was sampled is not called exact.
#[test]
fn many_orders_are_searched() {
    let metric: Metric = "Compat".parse().unwrap();
    let found = large(30).view(|topic, tied| range(&metric, topic, tied, 1)).unwrap();
    assert_eq!(found.kind, RangeKind::Searched);
    let glance = large(30).view(|topic, tied| glance(&metric, topic, tied)).unwrap();
    assert!(found.low <= glance.low && found.high >= glance.high);
}
