//! Fast = naive on random organizations.

use proptest::prelude::*;

use crate::choice::Choice;
use crate::data::organization::{Builder, Organization};
use crate::organization::reliability_sensitivity::{
    OfDocument, RelationScores, by_document, explain, oracle,
};
use crate::organization::{
    Curve, Mix, OrganizationComparison, OrganizationSettings, Shares, Variant,
};

/// Any organization, without weights and links.
pub(in crate::organization) fn organization(
    documents: u32,
    levels: usize,
    clusters: usize,
    overlap: bool,
) -> impl Strategy<Value = Organization> {
    builder(documents, levels, clusters, overlap).prop_map(Builder::build)
}

/// The same, with weights of some documents and links between some.
fn heavy(
    documents: u32,
    levels: usize,
    clusters: usize,
    overlap: bool,
) -> impl Strategy<Value = Organization> {
    let weights = prop::collection::vec((0..documents, 1..9u32), 0..6);
    let links = prop::collection::vec((0..documents, 0..documents), 0..12);
    (builder(documents, levels, clusters, overlap), weights, links).prop_map(
        |(mut builder, weights, links)| {
            for (document, weight) in weights {
                builder.weigh(document, f64::from(weight) / 3.0);
            }
            for (from, to) in links {
                // Those between documents that are on no level are refused.
                let _ = builder.link(from, to);
            }
            builder.build()
        },
    )
}

/// From places of documents: (document, level, cluster of the level); a level past the last discards.
fn builder(
    documents: u32,
    levels: usize,
    clusters: usize,
    overlap: bool,
) -> impl Strategy<Value = Builder> {
    let place = (0..documents, 0..=levels, 0..clusters);
    prop::collection::vec(place, 0..(documents as usize * 2)).prop_map(move |places| {
        let mut table = vec![vec![Vec::<u32>::new(); clusters]; levels];
        let mut held = vec![false; documents as usize];
        let mut discarded = Vec::new();
        for (document, level, cluster) in places {
            let seen = held[document as usize];
            if level == levels {
                if !seen {
                    discarded.push(document);
                    held[document as usize] = true;
                }
            } else if !discarded.contains(&document)
                && (overlap || !seen)
                && !table[level][cluster].contains(&document)
            {
                table[level][cluster].push(document);
                held[document as usize] = true;
            }
        }
        let mut builder = Organization::builder();
        for level in table {
            builder.level();
            for cluster in level {
                builder.cluster(cluster).unwrap();
            }
        }
        for document in discarded {
            builder.discard(document).unwrap();
        }
        builder
    })
}

fn pair() -> impl Strategy<Value = (Organization, Organization)> {
    let shape = (1..14u32, 1..6usize, 1..6usize, 1..4usize, any::<bool>(), any::<bool>());
    let plain = shape.clone().prop_flat_map(|(documents, a, b, clusters, x, y)| {
        (organization(documents, a, clusters, x), organization(documents, b, clusters, y))
    });
    let heavy = shape.prop_flat_map(|(documents, a, b, clusters, x, y)| {
        (heavy(documents, a, clusters, x), heavy(documents, b, clusters, y))
    });
    prop_oneof![plain, heavy]
}

fn large_pair() -> impl Strategy<Value = (Organization, Organization)> {
    let shape = (any::<bool>(), 1..30usize, 1..6usize);
    let plain = shape.clone().prop_flat_map(|(overlap, levels, clusters)| {
        (organization(90, levels, clusters, overlap), organization(90, 6, clusters, overlap))
    });
    let heavy = shape.prop_flat_map(|(overlap, levels, clusters)| {
        (heavy(90, levels, clusters, overlap), heavy(90, 6, clusters, overlap))
    });
    prop_oneof![plain, heavy]
}

const ALL_KINDS: Shares = Shares { priority: 0.3, related: 0.5, linked: 0.2 };

/// A mixture of several kinds of relations.
fn several() -> impl Strategy<Value = Shares> {
    let two = [[0.4, 0.6, 0.0], [0.7, 0.0, 0.3], [0.0, 0.6, 0.4]];
    let two = prop::sample::select(two.map(Shares::in_proportion).map(Option::unwrap).to_vec());
    prop_oneof![Just(ALL_KINDS), two]
}

fn mixtures() -> impl Strategy<Value = Shares> {
    let one = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let one = prop::sample::select(one.map(Shares::in_proportion).map(Option::unwrap).to_vec());
    prop_oneof![3 => several(), 1 => one]
}

fn all_settings(shares: Shares) -> impl Iterator<Item = OrganizationSettings> {
    let curve = Curve::new(3.0, 0.6).unwrap();
    let mix = Mix::Given(shares);
    let infinite = Variant::ALL.iter().map(move |&variant| OrganizationSettings {
        variant,
        curve,
        mix,
        ..OrganizationSettings::default()
    });
    infinite.chain([OrganizationSettings { finite: true, mix, ..OrganizationSettings::default() }])
}

/// What the Reliabilities of all kinds lack to 1.
fn missing(comparison: &OrganizationComparison<'_>) -> f64 {
    let (relations, system) = (comparison.relations(), comparison.system());
    let linked = relations.linked.map_or(1.0, |linked| linked.reliability);
    let missing = 3.0 - relations.priority.reliability - relations.related.reliability - linked;
    // A side with nothing to say about priority has R = 0 there, and nothing that could be wrong.
    let index = comparison.system_index();
    let absent = (0..).zip(comparison.universe()).any(|(d, known)| known && index.count(d) == 0);
    let silent = match comparison.settings().finite {
        true => system.levels() + usize::from(absent) < 2,
        false => system.levels() == 0,
    };
    if silent { missing - 1.0 } else { missing }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn fast_is_naive((gold, system) in pair(), shares in mixtures()) {
        for settings in all_settings(shares) {
            let fast = *OrganizationComparison::new(&gold, &system, &settings).relations();
            let [priority, related, linked, joint] = oracle::relations(&gold, &system, &settings);
            let links = fast.linked.map(|fast| (fast, linked));
            prop_assert_eq!(links.is_none(), gold.links().is_empty() && system.links().is_empty());
            let kinds = [(fast.priority, priority), (fast.related, related), (fast.joint, joint)];
            for (fast, naive) in kinds.into_iter().chain(links) {
                prop_assert!((fast.reliability - naive.reliability).abs() < 1e-12, "{:?} {:?} {:?}", settings, fast, naive);
                prop_assert!((fast.sensitivity - naive.sensitivity).abs() < 1e-12, "{:?} {:?} {:?}", settings, fast, naive);
                prop_assert!((-1e-12..=1.0 + 1e-12).contains(&fast.reliability));
            }
            // Documents that nobody links are linked rightly.
            let mixed = |of: fn(&RelationScores) -> f64| {
                let linked = fast.linked.as_ref().map_or(1.0, of);
                shares.priority * of(&fast.priority)
                    + shares.related * of(&fast.related)
                    + shares.linked * linked
            };
            prop_assert!((fast.mixed.reliability - mixed(|pair| pair.reliability)).abs() < 1e-12);
            prop_assert!((fast.mixed.sensitivity - mixed(|pair| pair.sensitivity)).abs() < 1e-12);
        }
    }

    #[test]
    fn an_organization_agrees_with_itself((gold, _) in pair()) {
        for settings in all_settings(ALL_KINDS).filter(|settings| !settings.finite) {
            let relations = *OrganizationComparison::new(&gold, &gold, &settings).relations();
            prop_assert!((relations.related.f(1.0) - 1.0).abs() < 1e-12);
            prop_assert!(gold.occurrences() == 0 || (relations.priority.f(1.0) - 1.0).abs() < 1e-12);
        }
    }

    /// R is the sum over documents and the tail of weight times share.
    #[test]
    fn documents_add_up((gold, system) in pair(), shares in several()) {
        for settings in all_settings(shares) {
            let comparison = OrganizationComparison::new(&gold, &system, &settings);
            let relations = *comparison.relations();
            let parts = by_document(&comparison);
            for (documents, r) in [
                (&parts.system, [relations.priority, relations.related, relations.joint].map(|pair| pair.reliability)),
                (&parts.gold, [relations.priority, relations.related, relations.joint].map(|pair| pair.sensitivity)),
            ] {
                let sum = |share: fn(&OfDocument) -> f64| -> f64 {
                    documents.iter().map(|d| d.weight * share(d)).sum()
                };
                let sums = [sum(|d| d.priority), sum(|d| d.related), sum(|d| d.joint)];
                prop_assert!(documents.is_empty() || (sum(|_| 1.0) - 1.0).abs() < 1e-12);
                for (sum, r) in sums.into_iter().zip(r) {
                    prop_assert!(documents.is_empty() || (sum - r).abs() < 1e-12, "{:?} {} {}", settings, sum, r);
                }
            }
        }
    }

    /// What is lost and invented is all that is missing from 1.
    #[test]
    fn the_explanation_is_complete((gold, system) in pair()) {
        for settings in all_settings(ALL_KINDS) {
            let comparison = OrganizationComparison::new(&gold, &system, &settings);
            let told = explain(&comparison, usize::MAX);
            let sum: f64 = told.invented.iter().map(|relation| relation.weight).sum();
            let expected = missing(&comparison);
            prop_assert!((sum - expected).abs() < 1e-9, "{:?} {} {}", settings, sum, expected);
            prop_assert!(told.lost.iter().all(|relation| relation.weight > 0.0));
            prop_assert!(told.lost.is_sorted_by(|a, b| a.weight >= b.weight));
            // Fewer are the first of all.
            for limit in [0, 1, 2, 5, 20] {
                let few = explain(&comparison, limit);
                prop_assert_eq!(&few.lost[..], &told.lost[..limit.min(told.lost.len())], "{:?}", settings);
                prop_assert_eq!(&few.invented[..], &told.invented[..limit.min(told.invented.len())], "{:?}", settings);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Among thousands of relations too, the heaviest are those that come first among all.
    #[test]
    fn the_heaviest_are_found((gold, system) in large_pair()) {
        for settings in all_settings(ALL_KINDS) {
            let comparison = OrganizationComparison::new(&gold, &system, &settings);
            let (few, all) = (explain(&comparison, 12), explain(&comparison, usize::MAX));
            let sum: f64 = all.invented.iter().map(|relation| relation.weight).sum();
            prop_assert!((sum - missing(&comparison)).abs() < 1e-9, "{:?} {}", settings, sum);
            prop_assert_eq!(&few.lost[..], &all.lost[..12.min(all.lost.len())], "{:?}", settings);
            prop_assert_eq!(&few.invented[..], &all.invented[..12.min(all.invented.len())], "{:?}", settings);
        }
    }
}

/// Explanations are not quadratic: with a hundred thousand documents, every pair would take
/// minutes. Equal sides have nothing to tell, which is harder to find out than something is.
#[test]
fn a_hundred_thousand_documents_are_explained() {
    const N: u32 = 100_000;
    let mixed = |document: u32| (u64::from(document) * 2_654_435_761 % u64::from(N)) as u32;
    let ranking = |place: &dyn Fn(u32) -> u32, levels: u32| {
        let mut order: Vec<(u32, u32)> =
            (0..N).map(|document| (place(document) / (N / levels), document)).collect();
        order.sort_unstable();
        let mut builder = Organization::builder();
        for level in order.chunk_by(|a, b| a.0 == b.0) {
            builder.level();
            for &(_, document) in level {
                builder.cluster([document]).unwrap();
            }
        }
        builder.build()
    };
    let clusters = |labels: &dyn Fn(u32) -> u32| {
        Organization::from_labels(&(0..N).map(labels).collect::<Vec<u32>>())
    };
    let same = |document: u32| document;
    let sides = [
        (ranking(&same, N), ranking(&same, N), 0),
        (ranking(&same, 40), ranking(&same, 40), 0),
        (ranking(&same, N), ranking(&|document| N - 1 - document, N), 10),
        (ranking(&same, 40), ranking(&mixed, N), 10),
        (ranking(&mixed, 2), ranking(&same, 2), 10),
        (clusters(&|document| document % 100), clusters(&|document| document % 100), 0),
        (clusters(&|document| document % 100), clusters(&|document| mixed(document) % 70), 10),
    ];
    for (gold, system, expected) in &sides {
        for settings in all_settings(ALL_KINDS) {
            let told = explain(&OrganizationComparison::new(gold, system, &settings), 10);
            assert_eq!(told.lost.len(), *expected, "{settings:?}");
        }
    }
}

/// A million documents agree with themselves to the last digits, on one level and on a million.
#[test]
fn a_million_documents_keep_their_digits() {
    let settings = OrganizationSettings::default();
    let labels: Vec<u32> = (0..1_000_000).map(|document| document % 1000).collect();
    let mut ranking = Organization::builder();
    for document in 0..1_000_000 {
        ranking.level().cluster([document]).unwrap();
    }
    for side in [Organization::from_labels(&labels), ranking.build()] {
        let relations = *OrganizationComparison::new(&side, &side, &settings).relations();
        assert!((relations.priority.reliability - 1.0).abs() < 1e-13, "{relations:?}");
        assert!((relations.related.reliability - 1.0).abs() < 1e-13, "{relations:?}");
    }
}

/// Ten thousand documents, naive and fast equal to 1e-12: the sum over all pairs, with a loop of
/// its own for what the oracle is too slow.
#[test]
fn ten_thousand_documents() {
    const N: u32 = 10_000;
    let mut state = 7u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let mut shuffled = |levels: u64| {
        let mut places: Vec<(u64, u32)> =
            (0..N).map(|document| (random(levels), document)).collect();
        places.retain(|(_, document)| document % 11 != levels as u32 % 11);
        places.sort_unstable();
        let mut builder = Organization::builder();
        for level in places.chunk_by(|a, b| a.0 == b.0) {
            builder.level();
            for &(_, document) in level {
                builder.cluster([document]).unwrap();
            }
        }
        builder.build()
    };
    let (gold, system) = (shuffled(40), shuffled(9000));
    let settings = OrganizationSettings::default();
    let fast = OrganizationComparison::new(&gold, &system, &settings).relations().priority;
    let level_of = |side: &Organization| {
        let mut levels = vec![None; N as usize];
        for level in 0..side.levels() {
            side.level(level)
                .for_each(|cluster| levels[side.cluster(cluster)[0] as usize] = Some(level));
        }
        levels
    };
    let naive = |here: &Organization, there: &Organization| {
        let (c, n) = (settings.curve.c::<f64>(), here.occurrences() as f64);
        let (mine, theirs) = (level_of(here), level_of(there));
        let sizes = here.level_sizes();
        let mut weights = Vec::new();
        let mut above = 0.0;
        for &size in &sizes {
            weights.push(c / ((c + above) * (c + above + f64::from(size))));
            above += f64::from(size);
        }
        let held: Vec<(usize, Option<usize>)> = mine
            .iter()
            .zip(&theirs)
            .filter_map(|(mine, theirs)| mine.map(|mine| (mine, *theirs)))
            .collect();
        let (tail, mut total) = (c / (c + n), 0.0);
        for &(x, xg) in &held {
            let norm = 1.0 - f64::from(sizes[x]) * weights[x];
            let mut agreed = 0.0;
            for &(y, yg) in &held {
                if let (Some(xg), Some(yg)) = (xg, yg)
                    && (x < y && xg < yg || x > y && xg > yg)
                {
                    agreed += weights[y];
                }
            }
            total += weights[x] * agreed / norm;
            if xg.is_some() {
                total += weights[x] * tail * (1.0 / norm + (c + n) / n);
            }
        }
        total
    };
    assert!((fast.reliability - naive(&system, &gold)).abs() < 1e-12);
    assert!((fast.sensitivity - naive(&gold, &system)).abs() < 1e-12);
}
