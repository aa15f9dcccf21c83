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
use crate::check::{Arithmetic, Bounds, Finding, Group, Verdict};
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
    &complexity::Linear,
    &monotonicity::Monotonicity,
    &baseline::ConstantBaseline,
];

/// One measure with all its scores of small partitions.
pub(crate) struct Bench<'s> {
    subject: &'s Subject,
    settings: OrganizationSettings,
    seed: u64,
    tables: OnceCell<Vec<PairScores>>,
}

/// The partitions of some documents, and the scores of all pairs: gold standard, then system.
struct PairScores {
    partitions: Vec<Partition>,
    scores: Vec<Option<f64>>,
}

impl PairScores {
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
    fn new(subject: &'s Subject, seed: u64) -> Bench<'s> {
        let settings = subject.settings(Task::Clustering);
        Bench { subject, settings, seed, tables: OnceCell::new() }
    }

    /// The scores of all partitions of two documents, of three, and so on.
    fn tables(&self) -> &[PairScores] {
        self.tables.get_or_init(|| (2..=DOCS).map(|n| self.table(n)).collect())
    }

    fn table(&self, documents: usize) -> PairScores {
        let partitions = Partition::all(documents);
        let organizations: Vec<_> = partitions.iter().map(Partition::organization).collect();
        let score = |(gold, system)| self.subject.score(&self.settings, gold, system);
        let pairs = organizations.iter().flat_map(|g| organizations.iter().map(move |s| (g, s)));
        let scores = pairs.map(score).collect();
        PairScores { partitions, scores }
    }

    /// The score of a system against a gold standard.
    fn score(&self, gold: &Partition, system: &Partition) -> Option<f64> {
        self.subject.score(&self.settings, &gold.organization(), &system.organization())
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
pub(super) fn findings(subject: &Subject, seed: u64) -> Vec<Finding<Instance>> {
    let bench = Bench::new(subject, seed);
    let finding =
        |p: &&dyn Similarity| Finding::new(Group::Property, p.name(), None, p.decide(&bench));
    PROPERTIES.iter().map(finding).collect()
}
