//! A step towards the gold standard is an improvement.

use std::cmp::Ordering;

use super::partition::Partition;
use super::{Bench, Similarity};
use crate::check::Verdict;
use crate::check::organization::Instance;
use crate::check::shape::SplitMix;
use crate::check::witness::number;
use crate::data::organization::Organization;

/// How many larger partitions are drawn, and of how many documents.
const DRAWN: u64 = 600;
const LARGEST: u64 = 12;

pub(super) struct Monotonicity;

impl Similarity for Monotonicity {
    fn name(&self) -> &'static str {
        "monotonicity"
    }
    fn statement(&self) -> &'static str {
        "joining clusters of one class, or splitting a cluster without parting a class, is better; for every gold standard but one cluster and all documents apart"
    }
    fn decide(&self, bench: &Bench<'_>) -> Verdict<Instance> {
        let mut search = StepSearch { bench, cases: 0, skipped: 0, tie: None };
        for table in bench.tables() {
            for (a, b) in table.pairs().filter(|(a, _)| table.partitions[*a].is_proper()) {
                let [gold, system] = [a, b].map(|i| &table.partitions[i]);
                for better in system.improvements(gold) {
                    let number = table.partitions.binary_search(&better);
                    let after = number.ok().and_then(|c| table.score(a, c));
                    let step = StepToGold { gold, system, better: &better };
                    if let Some(instance) = search.look(step, table.score(a, b), after) {
                        return Verdict::violated(instance);
                    }
                }
            }
        }
        for case in &bench.clusterings.drawn.cases {
            let [gold, system] = [&case.gold, &case.system];
            let before = bench.score(&gold.1, &system.1);
            for better in &case.better {
                let after = bench.score(&gold.1, &better.1);
                let step = StepToGold { gold: &gold.0, system: &system.0, better: &better.0 };
                if let Some(instance) = search.look(step, before, after) {
                    return Verdict::violated(instance);
                }
            }
        }
        match (search.tie, bench.searched(search.cases, search.skipped)) {
            (Some(witness), _) => Verdict::Weak { witness },
            (None, Verdict::Searched(bounds)) => {
                Verdict::Sampled { bounds, trials: DRAWN, seed: bench.clusterings.drawn.seed }
            }
            (None, verdict) => verdict,
        }
    }
}

/// A partition, as it is and as measures see it.
type Clustering = (Partition, Organization);

/// Partitions of more documents, with all steps from each system towards its gold standard.
pub(super) struct Drawn {
    seed: u64,
    cases: Vec<MonotonicityCase>,
}

struct MonotonicityCase {
    gold: Clustering,
    system: Clustering,
    better: Vec<Clustering>,
}

impl Drawn {
    pub(super) fn new(seed: u64) -> Drawn {
        let seen = |partition: Partition| {
            let organization = partition.organization();
            (partition, organization)
        };
        let mut random = SplitMix::new(seed);
        let draw = |_| {
            let documents = random.below(LARGEST - super::DOCS as u64) as usize + super::DOCS + 1;
            let gold = Partition::draw(&mut random, documents);
            let system = Partition::draw(&mut random, documents);
            gold.is_proper().then(|| MonotonicityCase {
                better: system.improvements(&gold).into_iter().map(seen).collect(),
                gold: seen(gold),
                system: seen(system),
            })
        };
        Drawn { seed, cases: (0..DRAWN).filter_map(draw).collect() }
    }
}

/// A step of a system towards its gold standard.
struct StepToGold<'p> {
    gold: &'p Partition,
    system: &'p Partition,
    better: &'p Partition,
}

struct StepSearch<'b, 's> {
    bench: &'b Bench<'s>,
    cases: u64,
    skipped: u64,
    tie: Option<Instance>,
}

impl StepSearch<'_, '_> {
    /// The case against the property that a step makes, if it does, by the scores before and after.
    fn look(
        &mut self,
        step: StepToGold<'_>,
        before: Option<f64>,
        after: Option<f64>,
    ) -> Option<Instance> {
        let (Some(before), Some(after)) = (before, after) else {
            self.skipped += 1;
            return None;
        };
        self.cases += 1;
        let order = self.bench.compare(after, before);
        // A score of 0 sees no agreement at all, before and after: a degenerate tie.
        let degenerate = order == Ordering::Equal && before == 0.0 && after == 0.0;
        if order == Ordering::Greater || degenerate && self.tie.is_some() {
            return None;
        }
        let StepToGold { gold, system, better } = step;
        let text = format!(
            "against {}, {} scores {}, and one step nearer {} {}",
            gold.text(),
            system.text(),
            number(before),
            better.text(),
            number(after)
        );
        let pairs = [(gold, better, after), (gold, system, before)];
        let instance = self.bench.instance(&pairs, text);
        if degenerate {
            self.tie = Some(instance);
            return None;
        }
        Some(instance)
    }
}
