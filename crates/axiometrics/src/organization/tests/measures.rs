//! The clustering measures against brute force, and the registry as a whole.

use std::collections::{BTreeSet, HashMap, VecDeque};

use proptest::prelude::*;

use super::random::organization;
use crate::data::organization::{Documents, Organization, notation};
use crate::organization::{
    Contingency, Information, OrganizationComparison, OrganizationSettings, edit_distance,
    expected_mutual_information, measure, measures,
};

const NAMES: &str = "R_priority S_priority F_priority R_related S_related F_related R_linked S_linked F_linked R_joint S_joint F_joint R S F purity inverse_purity purity_f class_f entropy \
    class_entropy mutual_information nmi ami homogeneity completeness v_measure variation_of_information rand adjusted_rand jaccard \
    fowlkes_mallows edit_distance bcubed_precision bcubed_recall bcubed_f extended_bcubed_precision extended_bcubed_recall \
    extended_bcubed_f precision recall f1 f_beta accuracy balanced_accuracy utility lam kappa mcc auc best_cluster_precision \
    best_cluster_recall kendall_tau distillation_factor hierarchy_quality cluster_search_ap";

#[test]
fn the_registry_is_complete() {
    let found: Vec<&str> = measures().map(|measure| measure.definition().name).collect();
    assert_eq!(found.join(" "), NAMES.split_whitespace().collect::<Vec<_>>().join(" "));
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), found.len());
    for measure in measures() {
        let d = measure.definition();
        for text in
            [d.name, d.title, d.summary, d.definition, d.range, d.undefined, d.example.working]
        {
            assert!(!text.is_empty(), "{}", d.name);
        }
        assert!(!d.references.is_empty(), "{}", d.name);
    }
}

#[test]
fn every_example_holds() {
    let settings = OrganizationSettings::default();
    for measure in measures() {
        let d = measure.definition();
        let mut documents = Documents::default();
        let gold = notation::parse(d.example.gold, &mut documents).unwrap();
        let system = notation::parse(d.example.system, &mut documents).unwrap();
        let value =
            measure.score(&OrganizationComparison::new(&gold, &system, &settings)).value().unwrap();
        assert!((value - d.example.value).abs() < 1e-9, "{}: {value}", d.name);
    }
}

/// The relevant a is above c and d; b is beside c and above d.
#[test]
fn a_tie_is_half_a_win() {
    let mut documents = Documents::default();
    let gold = notation::parse("a b | c d", &mut documents).unwrap();
    let system = notation::parse("a=0.9 c=0.5 | b=0.5 d=0.1", &mut documents).unwrap();
    assert_eq!(score("auc", &gold, &system), Some(3.5 / 4.0));
}

/// A document that one side lacks is a cluster of its own there, and one that both lack is none.
#[test]
fn documents_that_a_side_lacks_are_clusters_of_their_own() {
    let mut documents = Documents::default();
    notation::parse("{d z} {a b c y}", &mut documents).unwrap();
    let mut side = |text: &str| notation::parse(text, &mut documents).unwrap();
    for (whole, lacking) in [
        (["{a b} {c d}", "{a b c} d"], ["{a b} {c d}", "{a b c}"]),
        (["{a b} {c d}", "a {b c} d"], ["{a b} {c d}", "{b c}"]),
        (["{a b} c d", "{a b} {c d}"], ["{a b}", "{a b} {c d}"]),
        (["{a b} c d", "{c d} a b"], ["{a b}", "{c d}"]),
    ] {
        let [whole, lacking] = [whole, lacking].map(|sides| sides.map(&mut side));
        for name in "rand adjusted_rand jaccard fowlkes_mallows mutual_information nmi ami \
            homogeneity completeness variation_of_information edit_distance"
            .split_whitespace()
        {
            let [expected, found] =
                [&whole, &lacking].map(|[gold, system]| score(name, gold, system));
            assert_eq!(found, expected, "{name}");
            assert!(found.is_some(), "{name}");
        }
    }
    // Of the six pairs, a and b are together on both sides, and c and d in one.
    let [gold, system] = ["{a b} {c d}", "{a b}"].map(side);
    assert_eq!(score("rand", &gold, &system), Some(5.0 / 6.0));
    assert_eq!(score("jaccard", &gold, &system), Some(1.0 / 2.0));
}

/// A document in several clusters of either side leaves no partition to compare.
#[test]
fn measures_of_partitions_need_two() {
    let mut documents = Documents::default();
    let [overlapping, partition] =
        ["{a b} {b c}", "{a b} c"].map(|text| notation::parse(text, &mut documents).unwrap());
    for name in "purity class_f entropy mutual_information nmi ami rand edit_distance".split(' ') {
        assert!(score(name, &partition, &partition).is_some(), "{name}");
        assert_eq!(score(name, &overlapping, &partition), None, "{name}");
        assert_eq!(score(name, &partition, &overlapping), None, "{name}");
    }
}

/// Labels that no document has are no clusters.
#[test]
fn labels_may_have_gaps() {
    let dense = Contingency::from_labels(&[0, 1, 1, 2, 2], &[0, 0, 1, 1, 1]);
    let sparse = Contingency::from_labels(&[0, 3, 3, 7, 7], &[4, 4, 6, 6, 6]);
    let [of_dense, of_sparse] = [&dense, &sparse].map(|table| {
        let found = Information::of(table);
        [found.gold, found.system, found.mutual, found.gold_given_system, found.system_given_gold]
    });
    assert_eq!(of_sparse, of_dense);
    assert_eq!(expected_mutual_information(&sparse), expected_mutual_information(&dense));
    assert_eq!(edit_distance(&sparse), edit_distance(&dense));
}

/// Documents in more clusters than sets are counted for, against one class of all. Of the 1716
/// choices of 7 of 13 clusters, C(7, k) C(6, 7 - k) share k with a given one.
#[test]
fn documents_in_many_clusters() {
    let choices: Vec<u32> = (0..1u32 << 13).filter(|choice| choice.count_ones() == 7).collect();
    let cluster = |c: u32| {
        (0..).zip(&choices).filter(move |(_, choice)| *choice >> c & 1 == 1).map(|(d, _)| d)
    };
    let clusters: Vec<Vec<u32>> = (0..13).map(|c| cluster(c).collect()).collect();
    let clusters: Vec<&[u32]> = clusters.iter().map(Vec::as_slice).collect();
    let all: Vec<u32> = (0..choices.len() as u32).collect();
    let system = Organization::from_levels(&[&clusters]).unwrap();
    let gold = Organization::from_levels(&[&[&all]]).unwrap();
    let sharing = |k: u32| choices.iter().filter(|&c| (c & choices[0]).count_ones() == k).count();
    let agreed: f64 = (1..=7).map(|k| sharing(k) as f64 / f64::from(k)).sum();
    let found = score("extended_bcubed_precision", &gold, &system).unwrap();
    assert!((found - agreed / choices.len() as f64).abs() < 1e-12, "{found}");
    assert_eq!(score("extended_bcubed_recall", &gold, &system), Some(1.0));
}

/// The same organization, of which one document is said to have the weight that all have anyway.
fn weighed(side: &Organization) -> Organization {
    let mut builder = Organization::builder();
    for level in 0..side.levels() {
        builder.level();
        for cluster in side.level(level) {
            builder.cluster(side.cluster(cluster).iter().copied()).unwrap();
        }
    }
    for &document in side.discarded() {
        builder.discard(document).unwrap();
    }
    builder.weigh(0, 1.0);
    builder.build()
}

fn score(name: &str, gold: &Organization, system: &Organization) -> Option<f64> {
    let settings = OrganizationSettings::default();
    measure(name).unwrap().score(&OrganizationComparison::new(gold, system, &settings)).value()
}

fn members(side: &Organization) -> Vec<Vec<u32>> {
    (0..side.clusters()).map(|cluster| side.cluster(cluster).to_vec()).collect()
}

/// Extended BCubed of the first side, document by document, pair by pair.
fn extended(here: &Organization, there: &Organization) -> Option<f64> {
    let (mine, theirs) = (members(here), members(there));
    let common = |side: &[Vec<u32>], d: u32, e: u32| {
        side.iter().filter(|cluster| cluster.contains(&d) && cluster.contains(&e)).count() as f64
    };
    let discarded = here.discarded().iter().chain(there.discarded()).copied();
    let all: BTreeSet<u32> =
        mine.iter().chain(&theirs).flatten().copied().chain(discarded).collect();
    let of_document = |&d: &u32| {
        let related: Vec<u32> =
            all.iter().copied().filter(|&e| common(&mine, d, e) > 0.0).collect();
        if related.is_empty() {
            return 1.0;
        }
        let agreed =
            |&e: &u32| common(&theirs, d, e).min(common(&mine, d, e)) / common(&mine, d, e);
        related.iter().map(agreed).sum::<f64>() / related.len() as f64
    };
    (!all.is_empty()).then(|| all.iter().map(of_document).sum::<f64>() / all.len() as f64)
}

/// The fewest moves and merges, by breadth-first search through all partitions.
fn edits(from: &[u32], to: &[u32]) -> u64 {
    let canonical = |labels: &[u32]| {
        let mut names = HashMap::new();
        labels
            .iter()
            .map(|label| {
                let next = names.len() as u32;
                *names.entry(*label).or_insert(next)
            })
            .collect::<Vec<u32>>()
    };
    let (start, goal) = (canonical(from), canonical(to));
    let mut distance = HashMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        let steps = distance[&state];
        if state == goal {
            return steps;
        }
        let n = state.len() as u32;
        let moves = (0..state.len()).flat_map(|at| (0..=n).map(move |label| (at, label))).map(
            |(at, label)| {
                let mut next = state.clone();
                next[at] = label;
                next
            },
        );
        let merges = (0..n)
            .flat_map(|a| (0..n).map(move |b| (a, b)))
            .map(|(a, b)| state.iter().map(|&l| if l == a { b } else { l }).collect());
        for next in
            moves.chain(merges).map(|labels: Vec<u32>| canonical(&labels)).collect::<Vec<_>>()
        {
            if !distance.contains_key(&next) {
                distance.insert(next.clone(), steps + 1);
                queue.push_back(next);
            }
        }
    }
    unreachable!("every partition can be reached")
}

/// The mean mutual information over all orders of the labels.
fn expected_by_permutation(system: &[u32], gold: &mut Vec<u32>, at: usize, sum: &mut (f64, f64)) {
    if at == gold.len() {
        let table = Contingency::from_labels(system, gold);
        sum.0 += Information::of(&table).mutual;
        sum.1 += 1.0;
    }
    for other in at..gold.len() {
        gold.swap(at, other);
        expected_by_permutation(system, gold, at + 1, sum);
        gold.swap(at, other);
    }
}

/// Of large clusters no order can be tried, but chances can be told from logarithms of factorials.
#[test]
fn expected_information_of_large_clusters() {
    for (n, a, b) in [(4000usize, 2000usize, 2000usize), (3000, 10, 1500), (5000, 4000, 4900)] {
        let labels = |size: usize| (0..n).map(|d| u32::from(d >= size)).collect::<Vec<u32>>();
        let mut factorials = vec![0.0];
        for i in 1..=n {
            factorials.push(factorials[i - 1] + (i as f64).ln());
        }
        let choose = |n: usize, k: usize| factorials[n] - factorials[k] - factorials[n - k];
        let cell = |a: usize, b: usize| -> f64 {
            let common = (a + b).saturating_sub(n).max(1)..=a.min(b);
            let term = |k: usize| {
                let chance = choose(a, k) + choose(n - a, b - k) - choose(n, b);
                let (k, n) = (k as f64, n as f64);
                chance.exp() * k / n * (k * n / (a as f64 * b as f64)).ln()
            };
            common.map(term).sum()
        };
        let expected = cell(a, b) + cell(n - a, b) + cell(a, n - b) + cell(n - a, n - b);
        let table = Contingency::from_labels(&labels(a), &labels(b));
        let found = expected_mutual_information(&table);
        assert!((found - expected).abs() < 1e-7 * expected, "{found} {expected}");
    }
}

/// The four kinds of pairs, pair by pair.
fn pairs(system: &[u32], gold: &[u32]) -> [f64; 4] {
    let mut counts = [0.0; 4];
    for i in 0..system.len() {
        for j in 0..i {
            counts[usize::from(system[i] != system[j]) + 2 * usize::from(gold[i] != gold[j])] +=
                1.0;
        }
    }
    counts
}

/// A partition as it is written, a cluster for each label.
fn partition(labels: &[u32], documents: &mut Documents) -> Organization {
    let cluster = |label: u32| {
        let held = labels.iter().enumerate().filter(move |(_, l)| **l == label);
        held.map(|(document, _)| format!("d{document}")).collect::<Vec<_>>().join(" ")
    };
    let known: BTreeSet<u32> = labels.iter().copied().collect();
    let text: Vec<String> =
        known.into_iter().map(|label| format!("{{{}}}", cluster(label))).collect();
    notation::parse(&text.join(" "), documents).unwrap()
}

fn labels() -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
    (1..7usize)
        .prop_flat_map(|n| (prop::collection::vec(0..4u32, n), prop::collection::vec(0..4u32, n)))
}

proptest! {
    #[test]
    fn extended_bcubed_is_brute_force(
        (gold, system) in (1..10u32, 1..4usize).prop_flat_map(|(n, c)| (organization(n, 2, c, true), organization(n, 1, c, true)))
    ) {
        for (name, here, there) in [("extended_bcubed_precision", &system, &gold), ("extended_bcubed_recall", &gold, &system)] {
            match (score(name, &gold, &system), extended(here, there)) {
                (Some(found), Some(expected)) => prop_assert!((found - expected).abs() < 1e-12, "{} {}", found, expected),
                (found, expected) => prop_assert_eq!(found, expected),
            }
        }
    }

    #[test]
    fn without_overlap_extended_bcubed_finite_relatedness_and_bcubed_are_one(
        (gold, system) in (1..10u32, 1..4usize).prop_flat_map(|(n, c)| (organization(n, 2, c, false), organization(n, 1, c, false)))
    ) {
        let finite = OrganizationSettings { finite: true, ..OrganizationSettings::default() };
        let comparison = OrganizationComparison::new(&gold, &system, &finite);
        for [plain, extended, related] in [
            ["bcubed_precision", "extended_bcubed_precision", "R_related"],
            ["bcubed_recall", "extended_bcubed_recall", "S_related"],
            ["bcubed_f", "extended_bcubed_f", "F_related"],
        ] {
            if let Some(plain) = score(plain, &gold, &system) {
                prop_assert!((plain - score(extended, &gold, &system).unwrap()).abs() < 1e-12);
                prop_assert!((plain - measure(related).unwrap().score(&comparison).value().unwrap()).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn edit_distance_is_the_shortest_path((system, gold) in labels()) {
        prop_assert_eq!(edit_distance(&Contingency::from_labels(&system, &gold)), edits(&system, &gold));
    }

    #[test]
    fn expected_information_is_the_mean_over_permutations((system, mut gold) in labels()) {
        let mut sum = (0.0, 0.0);
        let expected = expected_mutual_information(&Contingency::from_labels(&system, &gold));
        expected_by_permutation(&system, &mut gold, 0, &mut sum);
        prop_assert!((expected - sum.0 / sum.1).abs() < 1e-12, "{} {}", expected, sum.0 / sum.1);
    }

    #[test]
    fn pairs_are_counted((system, gold) in labels()) {
        let found = crate::organization::Pairs::of(&Contingency::from_labels(&system, &gold));
        prop_assert_eq!([found.together, found.gold_only, found.system_only, found.apart], pairs(&system, &gold));
    }

    /// The indices by their definitions: that of Hubert and Arabie is the share of pairs together,
    /// corrected for what chance would give and divided by what is left of the largest share.
    #[test]
    fn indices_of_pairs_are_what_they_are_defined_to_be((system, gold) in labels()) {
        let [together, gold_only, system_only, apart] = pairs(&system, &gold);
        let all = together + gold_only + system_only + apart;
        prop_assume!(all > 0.0);
        let (here, there) = (together + system_only, together + gold_only);
        let by_chance = here * there / all;
        let largest = (here + there) / 2.0;
        let same = gold_only + system_only == 0.0;
        let adjusted =
            if same { 1.0 } else { (together - by_chance) / (largest - by_chance) };
        let jaccard = if all == apart { 1.0 } else { together / (all - apart) };
        let geometric = if together == 0.0 { 0.0 } else { together / (here * there).sqrt() };
        let mut documents = Documents::default();
        let (system, gold) =
            (partition(&system, &mut documents), partition(&gold, &mut documents));
        for (name, expected) in [
            ("rand", (together + apart) / all),
            ("adjusted_rand", adjusted),
            ("jaccard", jaccard),
            ("fowlkes_mallows", geometric),
        ] {
            let found = score(name, &gold, &system).unwrap();
            prop_assert!((found - expected).abs() < 1e-12, "{} {} {}", name, found, expected);
        }
    }

    /// Mutual information less what chance gives, divided by what is left of the mean entropy; the
    /// entropy of a side is what it says about itself.
    #[test]
    fn adjusted_information_is_what_it_is_defined_to_be((system, mut gold) in labels()) {
        let information = |a: &[u32], b: &[u32]| {
            Information::of(&Contingency::from_labels(a, b)).mutual
        };
        let mutual = information(&system, &gold);
        let largest = (information(&system, &system) + information(&gold, &gold)) / 2.0;
        let [_, gold_only, system_only, _] = pairs(&system, &gold);
        let one = |labels: &[u32]| labels.iter().all(|label| *label == labels[0]);
        let mut sum = (0.0, 0.0);
        let mut documents = Documents::default();
        let sides = (partition(&system, &mut documents), partition(&gold, &mut documents));
        let trivial = one(&system) || one(&gold);
        expected_by_permutation(&system, &mut gold, 0, &mut sum);
        let chance = sum.0 / sum.1;
        let expected = if gold_only + system_only == 0.0 {
            1.0
        } else if trivial || (largest - chance).abs() < 1e-12 {
            0.0
        } else {
            (mutual - chance) / (largest - chance)
        };
        let found = score("ami", &sides.1, &sides.0).unwrap();
        prop_assert!((found - expected).abs() < 1e-9, "{} {}", found, expected);
    }

    /// Twice the mutual information over both entropies, each from the shares of its labels.
    #[test]
    fn normalised_information_is_what_it_is_defined_to_be((system, gold) in labels()) {
        let both: Vec<u32> = system.iter().zip(&gold).map(|(x, g)| 4 * x + g).collect();
        let entropy = |labels: &[u32]| -> f64 {
            let share = |label: &u32| {
                labels.iter().filter(|l| *l == label).count() as f64 / labels.len() as f64
            };
            labels.iter().collect::<BTreeSet<_>>().into_iter().map(|l| -share(l) * share(l).ln()).sum()
        };
        let (of_system, of_gold, of_both) = (entropy(&system), entropy(&gold), entropy(&both));
        let sum = of_system + of_gold;
        let expected = if of_both == 0.0 { 1.0 } else { 2.0 * (sum - of_both) / sum };
        let mut documents = Documents::default();
        let sides = (partition(&system, &mut documents), partition(&gold, &mut documents));
        let found = score("nmi", &sides.1, &sides.0).unwrap();
        prop_assert!((found - expected).abs() < 1e-12, "{} {}", found, expected);
    }

    /// A weight that all documents have anyway changes nothing, though weighted documents are
    /// counted in a way of their own.
    #[test]
    fn a_weight_of_one_changes_nothing((gold, system) in (2..9u32, 1..3usize, 1..4usize).prop_flat_map(|(n, l, c)| {
        (organization(n, l, c, n % 2 == 0), organization(n, l, c, n % 3 == 0))
    })) {
        for measure in measures() {
            let name = measure.definition().name;
            match (score(name, &weighed(&gold), &system), score(name, &gold, &system)) {
                (Some(found), Some(expected)) => {
                    prop_assert!((found - expected).abs() < 1e-12, "{} {} {}", name, found, expected);
                }
                (found, expected) => prop_assert_eq!(found, expected, "{}", name),
            }
        }
    }

    /// No measure panics or leaves the range that it states, whatever the organizations.
    #[test]
    fn values_stay_in_range((gold, system) in (0..8u32, 1..4usize, 1..4usize).prop_flat_map(|(n, l, c)| {
        (organization(n.max(1), l, c, n % 2 == 0), organization(n.max(1), l, c, n % 3 == 0))
    })) {
        for settings in [OrganizationSettings::default(), OrganizationSettings { finite: true, ..OrganizationSettings::default() }] {
            let comparison = OrganizationComparison::new(&gold, &system, &settings);
            for measure in measures() {
                let d = measure.definition();
                let Some(value) = measure.score(&comparison).value() else { continue };
                let (low, high) = match d.range {
                    range if range.starts_with("0 to 1") => (0.0, 1.0),
                    range if range.starts_with("0 to") => (0.0, f64::MAX),
                    range if range.starts_with("-0.5 to 1") => (-0.5, 1.0),
                    range if range.starts_with("-1 to 1") => (-1.0, 1.0),
                    range if range.starts_with("at most 1") => (f64::MIN, 1.0),
                    _ => (f64::MIN, f64::MAX),
                };
                prop_assert!((low - 1e-9..=high + 1e-9).contains(&value), "{} {}", d.name, value);
            }
        }
    }
}
