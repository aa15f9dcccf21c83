//! The measures of browsing against brute force.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::random::organization;
use crate::data::OwnedTopic;
use crate::data::organization::{Documents, Organization, notation};
use crate::measure::parse;
use crate::organization::{OrganizationComparison, OrganizationSettings, Score, measure};

fn score(name: &str, gold: &Organization, system: &Organization, cost: f64) -> Option<f64> {
    let settings =
        OrganizationSettings { description_cost: cost, ..OrganizationSettings::default() };
    measure(name).unwrap().score(&OrganizationComparison::new(gold, system, &settings)).value()
}

fn documents(side: &Organization) -> BTreeSet<u32> {
    (0..side.clusters()).flat_map(|cluster| side.cluster(cluster).iter().copied()).collect()
}

/// The documents read and the descriptions read, by trying all sets of clusters.
fn cheapest(gold: &Organization, system: &Organization) -> Option<(usize, usize)> {
    let kept = documents(system);
    let wanted: BTreeSet<u32> = documents(gold).intersection(&kept).copied().collect();
    if wanted.is_empty() {
        return None;
    }
    let level_of = |cluster: usize| {
        (0..system.levels()).find(|&level| system.level(level).contains(&cluster)).unwrap()
    };
    let of_set = |set: u32| {
        let open: Vec<usize> = (0..system.clusters()).filter(|c| set >> c & 1 == 1).collect();
        let read: BTreeSet<u32> =
            open.iter().flat_map(|&c| system.cluster(c).iter().copied()).collect();
        let last = open.iter().map(|&c| level_of(c)).max()?;
        wanted.is_subset(&read).then(|| (read.len(), system.level(last).end))
    };
    (1..1u32 << system.clusters()).filter_map(of_set).min()
}

/// The mean of AP over all orders within clusters, one relevant document after another.
fn by_all_orders(gold: &Organization, system: &Organization) -> Option<f64> {
    let relevant = documents(gold);
    let mut orders: Vec<Vec<u32>> = vec![Vec::new()];
    for level in 0..system.levels() {
        let mut clusters: Vec<&[u32]> = system.level(level).map(|c| system.cluster(c)).collect();
        let share = |cluster: &[u32]| {
            let found = cluster.iter().filter(|d| relevant.contains(d)).count();
            (found as f64 / cluster.len() as f64, found)
        };
        clusters.sort_by(|a, b| share(b).partial_cmp(&share(a)).unwrap());
        for cluster in clusters {
            orders = orders.iter().flat_map(|order| continued(order, cluster)).collect();
        }
    }
    let ap = |order: &Vec<u32>| {
        let mut hits = 0.0;
        let mut sum = 0.0;
        for (place, document) in (1..).zip(order) {
            if relevant.contains(document) {
                hits += 1.0;
                sum += hits / f64::from(place);
            }
        }
        sum / relevant.len() as f64
    };
    (!relevant.is_empty()).then(|| orders.iter().map(ap).sum::<f64>() / orders.len() as f64)
}

/// An order of reading, with the new documents of a cluster behind it in every order.
fn continued(order: &[u32], cluster: &[u32]) -> Vec<Vec<u32>> {
    let fresh: Vec<u32> = cluster.iter().copied().filter(|d| !order.contains(d)).collect();
    if fresh.is_empty() {
        return vec![order.to_vec()];
    }
    let mut all = Vec::new();
    for next in &fresh {
        let longer = [order, &[*next]].concat();
        all.extend(continued(&longer, cluster));
    }
    all
}

proptest! {
    #[test]
    fn the_cheapest_clusters_are_found(
        (gold, system) in (1..9u32, 1..3usize, 1..4usize).prop_flat_map(|(n, l, c)| (organization(n, 1, 2, false), organization(n, l, c, n % 3 > 0)))
    ) {
        prop_assume!(system.clusters() < 14);
        let kept = documents(&system).len() as f64;
        let expected = cheapest(&gold, &system);
        let found = score("distillation_factor", &gold, &system, 1.0);
        prop_assert_eq!(found, expected.map(|(read, _)| kept / read as f64));
        let found = score("hierarchy_quality", &gold, &system, 0.5);
        prop_assert_eq!(found, expected.map(|(read, seen)| kept / (read as f64 + 0.5 * seen as f64)));
    }

    #[test]
    fn the_search_through_clusters_is_the_mean_over_orders(
        (gold, system) in (1..8u32, 1..3usize, 2..4usize).prop_flat_map(|(n, l, c)| (organization(n, 1, 2, false), organization(n, l, c, false)))
    ) {
        match (score("cluster_search_ap", &gold, &system, 1.0), by_all_orders(&gold, &system)) {
            (Some(found), Some(expected)) => prop_assert!((found - expected).abs() < 1e-12, "{} {}", found, expected),
            (found, expected) => prop_assert_eq!(found, expected),
        }
    }
}

#[test]
fn of_a_ranking_it_is_average_precision() {
    let mut names = Documents::default();
    let gold = notation::parse("a b c", &mut names).unwrap();
    let system = notation::parse("x / a / y / z / b", &mut names).unwrap();
    let topic = OwnedTopic::new(&[0.0, 1.0, 0.0, 0.0, 1.0].map(Some), &[1.0]);
    let ap = parse("AP").unwrap()[0].score(&topic.view()).value();
    assert_eq!(score("cluster_search_ap", &gold, &system, 1.0), ap);
}

/// The pure cluster comes first, wherever it is listed. Behind it, two of three documents are
/// relevant: at the first two places, at the first and the third, or at the last two.
#[test]
fn the_purest_cluster_of_a_level_is_read_first() {
    let mut names = Documents::default();
    let gold = notation::parse("a b c | x", &mut names).unwrap();
    let behind = ((1.0 + 1.0) + (1.0 + 3.0 / 4.0) + (2.0 / 3.0 + 3.0 / 4.0)) / 3.0;
    for text in ["{a} {b c x}", "{b c x} {a}"] {
        let system = notation::parse(text, &mut names).unwrap();
        let found = score("cluster_search_ap", &gold, &system, 1.0).unwrap();
        assert!((found - (1.0 + behind) / 3.0).abs() < 1e-12, "{text}: {found}");
    }
}

/// Thousands of overlapping clusters end, with a value or a reason.
#[test]
fn much_overlap_ends() {
    let pairs: Vec<[u32; 2]> = (0..3000).map(|d| [d, d + 1]).collect();
    let clusters: Vec<&[u32]> = pairs.iter().map(|pair| pair.as_slice()).collect();
    let system = Organization::from_levels(&[&clusters]).unwrap();
    let all: Vec<u32> = (0..=3000).collect();
    let gold = Organization::from_levels(&[&[&all]]).unwrap();
    let settings = OrganizationSettings::default();
    let found = measure("distillation_factor").unwrap();
    let found = found.score(&OrganizationComparison::new(&gold, &system, &settings));
    assert!(
        matches!(found, Score::Undefined(why) if why.contains("overlap too much")),
        "{found:?}"
    );
}

/// Each relevant document lies in a pair with another, which is met first, and alone. The search
/// makes more choices than it may make within each other, but few of them within each other.
#[test]
fn many_small_choices_are_searched() {
    let clusters: Vec<Vec<u32>> =
        (0..60).flat_map(|document| [vec![document, document + 60], vec![document]]).collect();
    let clusters: Vec<&[u32]> = clusters.iter().map(Vec::as_slice).collect();
    let system = Organization::from_levels(&[&clusters]).unwrap();
    let relevant: Vec<u32> = (0..60).collect();
    let gold = Organization::from_levels(&[&[&relevant]]).unwrap();
    assert_eq!(score("distillation_factor", &gold, &system, 1.0), Some(120.0 / 60.0));
}
