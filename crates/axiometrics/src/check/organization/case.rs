//! Clusterings that exist only for a check: documents by class, and what may stand around them.

use crate::check::shape::SplitMix;
use crate::data::organization::{Documents, Organization};

/// A gold standard with two outputs, of which the first should be the better one.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(super) gold: Organization,
    pub(super) good: Organization,
    pub(super) bad: Organization,
    pub(super) documents: Documents,
}

/// The cases of a constraint: those that were listed, the smallest first, then those that were
/// drawn at random.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cases {
    pub(super) listed: Vec<Case>,
    pub(super) drawn: Vec<Case>,
}

impl Cases {
    pub(super) fn of(mut listed: Vec<Case>, mut drawn: Vec<Case>) -> Cases {
        listed.sort_by_key(|case| case.documents.len());
        drawn.sort_by_key(|case| case.documents.len());
        Cases { listed, drawn }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Case> {
        self.listed.iter().chain(&self.drawn)
    }

    /// The largest number of documents in a case.
    pub(super) fn docs(&self) -> u32 {
        self.all().map(|case| case.documents.len()).max().unwrap_or(0) as u32
    }
}

/// A cluster by the classes of its documents.
pub(super) type Cluster = Vec<u8>;

/// So many documents of a class.
pub(super) fn of_class(class: u8, count: usize) -> Cluster {
    vec![class; count]
}

/// Two clusterings of the same documents, in the same context; the gold standard has a cluster for
/// each class.
pub(super) fn clusterings(good: Vec<Cluster>, bad: Vec<Cluster>, context: &[Cluster]) -> Case {
    let with_context = |clusters: Vec<Cluster>| {
        clusters.into_iter().chain(context.iter().cloned()).collect::<Vec<_>>()
    };
    let (good, bad) = (with_context(good), with_context(bad));
    let classes = good.iter().flatten().max().map_or(0, |class| usize::from(*class) + 1);
    let mut sizes = vec![0u32; classes];
    good.iter().flatten().for_each(|class| sizes[usize::from(*class)] += 1);
    let starts: Vec<u32> =
        sizes.iter().scan(0, |next, size| Some(std::mem::replace(next, *next + size))).collect();
    let mut documents = Documents::default();
    for (class, size) in (b'a'..).zip(&sizes) {
        for number in 1..=*size {
            documents.intern(&format!("{}{number}", char::from(class)));
        }
    }
    let numbered = |clusters: &[Cluster]| {
        let mut next = starts.clone();
        let mut document = |class: &u8| {
            next[usize::from(*class)] += 1;
            next[usize::from(*class)] - 1
        };
        clusters
            .iter()
            .map(|cluster| cluster.iter().map(&mut document).collect())
            .collect::<Vec<Vec<u32>>>()
    };
    let gold: Vec<Vec<u32>> =
        starts.iter().zip(&sizes).map(|(start, size)| (*start..start + size).collect()).collect();
    Case {
        gold: one_level(&gold),
        good: one_level(&numbered(&good)),
        bad: one_level(&numbered(&bad)),
        documents,
    }
}

/// One level of clusters. No cluster here holds a document twice, which is all that a builder
/// refuses.
pub(super) fn one_level(clusters: &[Vec<u32>]) -> Organization {
    let clusters: Vec<&[u32]> = clusters.iter().map(Vec::as_slice).collect();
    Organization::from_levels(&[&clusters]).unwrap_or_default()
}

/// All contexts of up to two clusters of up to two documents each, and a large cluster of each
/// class, of the classes from `first` on.
pub(super) fn small_contexts(first: u8) -> Vec<Vec<Cluster>> {
    let classes = || first..first + 3;
    let mut clusters: Vec<Cluster> = classes().map(|c| vec![c]).collect();
    clusters.extend(classes().flat_map(|c| (c..first + 3).map(move |d| vec![c, d])));
    let mut contexts = vec![Vec::new()];
    contexts.extend(clusters.iter().map(|c| vec![c.clone()]));
    contexts.extend(
        (0..clusters.len())
            .flat_map(|i| (i..clusters.len()).map(move |j| (i, j)))
            .map(|(i, j)| vec![clusters[i].clone(), clusters[j].clone()]),
    );
    contexts.extend(classes().map(|c| vec![of_class(c, LARGE)]));
    contexts
}

/// More documents than any instance has.
const LARGE: usize = 8;
/// How many random contexts are tried.
pub(super) const DRAWN: usize = 600;

/// The contexts of clusterings, in words.
pub(super) fn contexts() -> String {
    format!(
        "among all contexts of up to two clusters of up to two documents and of one cluster of {LARGE} of one class; then {DRAWN} random cases, larger ones too, \
         among up to 4 clusters of up to {LARGE} documents"
    )
}

/// A context of one to four clusters of up to eight documents, of five classes from `first` on.
pub(super) fn random_context(random: &mut SplitMix, first: u8) -> Vec<Cluster> {
    let cluster = |random: &mut SplitMix| {
        (0..=random.below(LARGE as u64)).map(|_| first + random.below(5) as u8).collect()
    };
    (0..=random.below(4)).map(|_| cluster(random)).collect()
}
