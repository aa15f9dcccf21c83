//! What it costs a user to find the relevant documents by way of clusters.

use super::definition::{Better, Definition, FILTERING, OrganizationExample, OrganizationFormula};
use super::{OrganizationComparison, OrganizationMeasure, Score};

/// The measures of this family.
pub(super) static MEASURES: &[&dyn OrganizationMeasure] =
    &[&DISTILLATION_FACTOR, &HIERARCHY_QUALITY, &CLUSTER_SEARCH_AP];

const NOTHING_FOUND: &str = "the system keeps nothing that is relevant";

/// The search for the cheapest clusters gives up after so many steps. Only where clusters overlap
/// does it take more than one for each.
const MOST_STEPS: u32 = 100_000;

/// And if more clusters than this are a matter of choice: each is a call within a call.
const MOST_CHOSEN: u32 = 1000;

/// The clusters that a user opens who wants all relevant documents that the system keeps, and as few
/// others as possible.
struct Browsed {
    documents: u32,
    /// The clusters whose descriptions are read: all on the levels down to the last that is opened.
    described: u32,
}

fn browsed(comparison: &OrganizationComparison<'_>) -> Result<Browsed, &'static str> {
    let (system, index) = (comparison.system(), comparison.system_index());
    let relevant = |document: u32| comparison.gold_index().count(document as usize) > 0;
    let wanted: Vec<u32> = (0..index.documents() as u32)
        .filter(|&document| relevant(document) && index.count(document as usize) > 0)
        .collect();
    if wanted.is_empty() {
        return Err(NOTHING_FOUND);
    }
    let clusters = (0..system.clusters()).map(|cluster| system.cluster(cluster));
    let mut holding: Vec<&[u32]> =
        wanted.iter().map(|&document| index.clusters(document as usize)).collect();
    holding.sort_by_key(|clusters| clusters.len());
    let mut search = Cover {
        holding,
        others: clusters
            .map(|members| members.iter().copied().filter(|&d| !relevant(d)).collect())
            .collect(),
        open: vec![false; system.clusters()],
        read: vec![0; index.documents()],
        cost: 0,
        best: None,
        chosen: 0,
        steps: 0,
    };
    search.from(0, 0);
    if search.steps > MOST_STEPS {
        return Err("clusters overlap too much to find those that are cheapest to open");
    }
    let (others, last) = search.best.ok_or(NOTHING_FOUND)?;
    let described = system.level(index.level_of(last as usize)).end as u32;
    Ok(Browsed { documents: wanted.len() as u32 + others, described })
}

/// Which clusters to open, so that each wanted document is in one of them: the fewest other
/// documents, and then the shortest way down.
struct Cover<'a> {
    /// For each wanted document, the clusters that hold it; those in one cluster first.
    holding: Vec<&'a [u32]>,
    /// For each cluster, its documents that are not wanted.
    others: Vec<Vec<u32>>,
    open: Vec<bool>,
    /// How many open clusters hold each document.
    read: Vec<u32>,
    /// The documents read that were not wanted.
    cost: u32,
    /// The least cost, and the last cluster that is opened.
    best: Option<(u32, u32)>,
    /// How many of the open clusters were a matter of choice.
    chosen: u32,
    steps: u32,
}

impl Cover<'_> {
    fn from(&mut self, mut at: usize, mut last: u32) {
        // A document in one cluster leaves no choice, so only overlap makes this recurse.
        let mut opened = Vec::new();
        let choice = loop {
            let Some(&holding) = self.holding.get(at) else { break None };
            match holding {
                _ if holding.iter().any(|&cluster| self.open[cluster as usize]) => {}
                &[only] => {
                    self.open(only);
                    opened.push(only);
                    last = last.max(only);
                }
                _ => break Some(holding),
            }
            at += 1;
        };
        self.steps += 1;
        let promising = self.best.is_none_or(|best| (self.cost, last) < best);
        match choice {
            None if promising => self.best = Some((self.cost, last)),
            Some(clusters) if promising && self.steps <= MOST_STEPS => {
                if self.chosen >= MOST_CHOSEN {
                    self.steps = MOST_STEPS;
                }
                self.chosen += 1;
                for &cluster in clusters {
                    self.open(cluster);
                    self.from(at + 1, last.max(cluster));
                    self.close(cluster);
                }
                self.chosen -= 1;
            }
            _ => {}
        }
        opened.into_iter().for_each(|cluster| self.close(cluster));
    }

    fn open(&mut self, cluster: u32) {
        self.open[cluster as usize] = true;
        for &document in &self.others[cluster as usize] {
            self.read[document as usize] += 1;
            self.cost += u32::from(self.read[document as usize] == 1);
        }
    }

    fn close(&mut self, cluster: u32) {
        self.open[cluster as usize] = false;
        for &document in &self.others[cluster as usize] {
            self.read[document as usize] -= 1;
            self.cost -= u32::from(self.read[document as usize] == 0);
        }
    }
}

/// The documents that the system keeps, over what it costs to browse them.
fn gain_by_browsing(
    comparison: &OrganizationComparison<'_>,
    cost: impl Fn(&Browsed) -> f64,
) -> Score {
    let index = comparison.system_index();
    let kept = (0..index.documents()).filter(|&document| index.count(document) > 0).count();
    match browsed(comparison) {
        Ok(browsed) => Score::Value(kept as f64 / cost(&browsed)),
        Err(why) => Score::Undefined(why),
    }
}

/// Average precision of the order in which a user reads who goes down the levels and opens the
/// clusters of each by their share of relevant documents, the best first. The order within a
/// cluster is not known: the mean over all orders.
fn cluster_search_ap(comparison: &OrganizationComparison<'_>) -> Score {
    let (system, gold) = (comparison.system(), comparison.gold_index());
    let relevant = |document: u32| gold.count(document as usize) > 0;
    let total = (0..gold.documents() as u32).filter(|&document| relevant(document)).count();
    if total == 0 {
        return Score::Undefined("nothing is relevant");
    }
    // Which of two equally good clusters comes first would matter if they shared documents.
    if comparison.system_index().overlap() {
        return Score::Undefined("a document lies in several clusters");
    }
    let found = |members: &[u32]| members.iter().filter(|&&d| relevant(d)).count();
    let (mut read, mut hits, mut sum) = (0.0, 0.0, 0.0);
    for level in 0..system.levels() {
        let mut clusters: Vec<(usize, &[u32])> = system
            .level(level)
            .map(|cluster| (found(system.cluster(cluster)), system.cluster(cluster)))
            .collect();
        clusters.sort_by(|(x, a), (y, b)| (y * a.len()).cmp(&(x * b.len())).then(y.cmp(x)));
        for (own, members) in clusters {
            let (size, own) = (members.len() as f64, own as f64);
            for place in 1..=members.len() {
                let place = place as f64;
                // Of the documents before a relevant one, so many are relevant on average.
                let before =
                    if size > 1.0 { (place - 1.0) * (own - 1.0) / (size - 1.0) } else { 0.0 };
                sum += own / size * (hits + 1.0 + before) / (read + place);
            }
            (read, hits) = (read + size, hits + own);
        }
    }
    Score::Value(sum / total as f64)
}

const BROWSING: Definition = Definition { better: Better::Higher, ..FILTERING };

const TWO_OF_THREE: OrganizationExample =
    OrganizationExample { gold: "a b", system: "{a x} b {y z w}", value: f64::NAN, working: "" };

static DISTILLATION_FACTOR: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "distillation_factor",
        title: "Distillation factor",
        summary: "How many times fewer documents one reads by way of the clusters than without them, to find all that is relevant.",
        definition: "n / m: n documents that the system keeps, and m that the clusters hold which one must open to see every relevant one of these and as few others as possible (the minimal browsing area). The published measure compares a concept lattice with a ranked list; an organization has two layers, and no list besides, so that all it keeps stands for the list",
        range: "1 to n",
        undefined: "the system keeps nothing that is relevant, or its clusters overlap too much to find the cheapest",
        example: TWO_OF_THREE
            .with(2.0, "six documents; {a x} and b are opened, three documents: 6/3"),
        references: &[CIGARRAN_2005],
        ..BROWSING
    },
    compute: |comparison| gain_by_browsing(comparison, |browsed| f64::from(browsed.documents)),
};

static HIERARCHY_QUALITY: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "hierarchy_quality",
        title: "Quality of the hierarchy",
        summary: "The distillation factor, if descriptions of clusters must be read too.",
        definition: "n / (m + k v), with n and m as in the distillation factor: v clusters whose descriptions one reads, all on the levels down to the last that is opened, each at the cost of k documents (1 if nothing is said)",
        range: "above 0",
        undefined: "the system keeps nothing that is relevant, or its clusters overlap too much to find the cheapest",
        example: TWO_OF_THREE.with(1.0, "three documents and three descriptions: 6/(3 + 3)"),
        references: &[CIGARRAN_2005, CIGARRAN_SPIRE_2005],
        ..BROWSING
    },
    compute: |comparison| {
        let cost = comparison.settings().description_cost;
        gain_by_browsing(comparison, |browsed| {
            f64::from(browsed.documents) + cost * f64::from(browsed.described)
        })
    },
};

static CLUSTER_SEARCH_AP: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "cluster_search_ap",
        title: "Average precision of a search through clusters",
        summary: "How soon a user comes upon what is relevant who opens the best clusters first.",
        definition: "AP of the order in which documents are read: level by level, the clusters of a level by their share of relevant documents (of equal shares, the one with more), each to its end, the mean over all orders within it. Leuski's user chooses the next cluster by its likeness to what was relevant so far; an organization knows no likeness, so this user knows which is best. Of a ranking it is AP",
        range: "0 to 1",
        undefined: "nothing is relevant, or a document lies in several clusters",
        example: TWO_OF_THREE.with(
            0.9166666666666666,
            "b first: 1; then {a x}, where a is second or third: (2/2 + 2/3)/2 = 5/6; the mean of 1 and 5/6 is 11/12",
        ),
        references: &[LEUSKI_2001],
        ..BROWSING
    },
    compute: cluster_search_ap,
};

const CIGARRAN_2005: &str = "Cigarrán, Peñas, Gonzalo, Verdejo. Automatic selection of noun phrases as document descriptors in an FCA-based information retrieval system. ICFCA 2005";
const CIGARRAN_SPIRE_2005: &str = "Cigarrán, Peñas, Gonzalo, Verdejo. Evaluating hierarchical clustering of search results. SPIRE 2005";
const LEUSKI_2001: &str =
    "Leuski. Evaluating document clustering for interactive information retrieval. CIKM 2001";
