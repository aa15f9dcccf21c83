//! The properties of Gösgens, Tikhonov and Prokhorenkova (2021) for measures that compare
//! clusterings, one file each.
//!
//! They look at a measure as a similarity of two partitions of the same documents, neither of which
//! is more than the other. All pairs of partitions of up to [`DOCS`] documents are scored, and
//! larger ones drawn at random if that can tell more.

mod agreement;
mod baseline;
mod complexity;
mod distance;
mod monotonicity;
mod partition;
mod symmetry;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::cmp::Ordering;

use super::{Instance, Scored, Subject};
use crate::check::states::clearly;
use crate::check::{Arithmetic, Bounds, CheckGroup, Finding, Verdict};
use crate::data::organization::Organization;
use crate::organization::{Better, OrganizationSettings, Task};
use partition::Partition;

/// The largest partitions that are all looked at: 52 of five documents, hence 2704 pairs.
const DOCS: usize = 5;

/// A property of a similarity of clusterings.
pub(crate) trait Similarity: Sync {
    /// Its name, as in the JSON output.
    fn name(&self) -> &'static str;
    /// When a measure has it, in one sentence.
    fn statement(&self) -> &'static str;
    /// Decides it.
    fn decide(&self, bench: &Bench<'_>) -> Verdict<Instance>;
}

/// In the order of the paper.
pub(crate) const PROPERTIES: &[&dyn Similarity] = &[
    &agreement::Maximal,
    &agreement::Minimal,
    &symmetry::Symmetry,
    &distance::Distance,
    &complexity::LinearComplexity,
    &monotonicity::Monotonicity,
    &baseline::ConstantBaseline,
];

/// The clusterings that every measure is asked about, made once for all of them.
pub(super) struct Clusterings {
    /// All of two documents, of three, and so on.
    small: Vec<Small>,
    drawn: monotonicity::Drawn,
}

/// The partitions of some documents, as they are and as measures see them.
struct Small {
    partitions: Vec<Partition>,
    organizations: Vec<Organization>,
    /// For each as a gold standard: the first that differs from it by the names of documents alone,
    /// and what every system becomes by the same change of names.
    renamed: Vec<(usize, Vec<usize>)>,
}

impl Clusterings {
    /// The larger ones are drawn at random, from this seed.
    pub(super) fn new(seed: u64) -> Clusterings {
        let small = |documents| {
            let partitions = Partition::all(documents);
            let organizations = partitions.iter().map(Partition::organization).collect();
            let renamed = partitions.iter().map(|gold| gold.renamed(&partitions)).collect();
            Small { partitions, organizations, renamed }
        };
        Clusterings {
            small: (2..=DOCS).map(small).collect(),
            drawn: monotonicity::Drawn::new(seed),
        }
    }
}

/// One measure with all its scores of small partitions.
pub(crate) struct Bench<'s> {
    subject: &'s Subject,
    settings: OrganizationSettings,
    clusterings: &'s Clusterings,
    tables: OnceCell<Vec<PairScores<'s>>>,
}

/// The partitions of some documents, and the scores of all pairs: gold standard, then system.
struct PairScores<'s> {
    partitions: &'s [Partition],
    scores: Vec<Option<f64>>,
}

impl PairScores<'_> {
    /// The score of a system against a gold standard, by their numbers.
    fn score(&self, gold: usize, system: usize) -> Option<f64> {
        self.scores[gold * self.partitions.len() + system]
    }

    /// The numbers of all pairs.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let count = self.partitions.len();
        (0..count).flat_map(move |a| (0..count).map(move |b| (a, b)))
    }
}

impl<'s> Bench<'s> {
    fn new(subject: &'s Subject, clusterings: &'s Clusterings) -> Bench<'s> {
        let settings = subject.settings(Task::Clustering);
        Bench { subject, settings, clusterings, tables: OnceCell::new() }
    }

    /// The scores of all partitions of two documents, of three, and so on. What differs by the names
    /// of documents alone is scored once.
    fn tables(&self) -> &[PairScores<'s>] {
        let table = |small: &'s Small| {
            let all = &small.organizations;
            let mut scores: Vec<Option<f64>> = Vec::with_capacity(all.len() * all.len());
            for (gold, (first, systems)) in small.renamed.iter().enumerate() {
                let known = |system: &usize| scores[first * all.len() + system];
                let row: Vec<Option<f64>> = if *first == gold {
                    all.iter().map(|system| self.score(&all[gold], system)).collect()
                } else {
                    systems.iter().map(known).collect()
                };
                scores.extend(row);
            }
            PairScores { partitions: &small.partitions, scores }
        };
        self.tables.get_or_init(|| self.clusterings.small.iter().map(table).collect())
    }

    /// The score of a system against a gold standard.
    fn score(&self, gold: &Organization, system: &Organization) -> Option<f64> {
        self.subject.score(&self.settings, gold, system)
    }

    /// The order of two scores by what is better; scores that are as near as rounding are equal.
    fn compare(&self, a: f64, b: f64) -> Ordering {
        self.subject.compare(a, b)
    }

    /// How far a score is from another in the direction of what is worse.
    fn loss(&self, best: f64, score: f64) -> f64 {
        if self.subject.measure.definition().better == Better::Lower {
            score - best
        } else {
            best - score
        }
    }

    /// A case that decides: pairs of a gold standard and a system with their scores.
    fn instance(&self, pairs: &[(&Partition, &Partition, f64)], text: String) -> Instance {
        let scored = |(gold, system, score): &(&Partition, &Partition, f64)| Scored {
            gold: gold.text(),
            system: system.text(),
            score: *score,
        };
        let scored = pairs.iter().map(scored).collect();
        Instance { scored, text, options: self.subject.replay(&self.settings) }
    }

    /// The verdict of a search that found nothing.
    fn searched(&self, cases: u64, skipped: u64) -> Verdict<Instance> {
        let bounds = Bounds {
            docs: DOCS as u32,
            cases,
            skipped,
            arithmetic: Arithmetic::Tolerance,
            ..Bounds::default()
        };
        if cases == 0 { Verdict::Vacuous(bounds) } else { Verdict::Searched(bounds) }
    }
}

/// Whether two scores are as near as rounding.
fn equal(a: f64, b: f64) -> bool {
    clearly(a, b).is_none()
}

/// The verdicts of a measure that scores clusterings.
pub(super) fn findings(subject: &Subject, clusterings: &Clusterings) -> Vec<Finding<Instance>> {
    let bench = Bench::new(subject, clusterings);
    let finding =
        |p: &&dyn Similarity| Finding::new(CheckGroup::Property, p.name(), None, p.decide(&bench));
    PROPERTIES.iter().map(finding).collect()
}
