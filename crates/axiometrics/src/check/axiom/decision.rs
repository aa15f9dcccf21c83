//! What came of one axiom: the verdict with the number of premises, and the verdicts on its parts.

use super::subject::AxiomSubject;
use super::world::{AxiomTally, MOST_RANDOM};
use crate::check::verdict::{Bounds, disagreement};
use crate::check::{PartVerdict, Verdict, Witness};

/// What came of an axiom under one reading.
pub(super) struct Decision {
    pub verdict: Verdict,
    /// Instances that meet the premises; `None` where none was looked for.
    pub premises: Option<u64>,
    pub parts: Vec<PartVerdict>,
}

/// What a search was about: how far it went, and the rule that says that it must find nothing.
#[derive(Clone, Copy)]
pub(super) struct Search<'s> {
    pub subject: &'s AxiomSubject,
    pub docs: usize,
    pub seed: u64,
    pub rule: Option<&'static str>,
    pub note: Option<&'static str>,
    /// The cutoff of the metric, if it lies below all that was tried and could matter.
    pub below: Option<u32>,
}

impl<'s> Search<'s> {
    pub(super) fn new(subject: &'s AxiomSubject, docs: usize, seed: u64) -> Search<'s> {
        Search { subject, docs, seed, rule: None, note: None, below: None }
    }

    /// The same, of an axiom about several documents: if none of them lies below the cutoff, a
    /// search that finds nothing decides nothing.
    pub(super) fn of_rankings(self) -> Search<'s> {
        let out_of_reach = |k: &u32| *k as usize >= MOST_RANDOM;
        Search { below: self.subject.metric().depth().filter(out_of_reach), ..self }
    }

    /// A rule proves for every size. The search goes on all the same: a case against a rule shows
    /// that the rule is wrong.
    pub(super) fn with_rule(self, rule: Option<&'static str>) -> Search<'s> {
        Search { rule, ..self }
    }

    /// What came of it, given the case against it.
    pub(super) fn verdict(&self, tally: &AxiomTally, against: Option<Witness>) -> Verdict {
        let bounds = Bounds {
            docs: self.docs as u32,
            gains: self.subject.describe(),
            cases: tally.premises,
            skipped: tally.skipped,
            arithmetic: tally.arithmetic,
            note: self.note.map(str::to_string),
        };
        if let (None, None, Some(k), 1..) = (&against, self.rule, self.below, tally.premises) {
            let note = format!("nothing was tried below its cutoff, rank {k}");
            return Verdict::Undecided(Bounds { note: Some(note), ..bounds });
        }
        match (against, self.rule) {
            // Similarities and means are compared as floats, within a tolerance: a case against a rule
            // may be rounding, or the rule may not apply.
            (Some(witness), Some(rule)) => Verdict::Undecided(Bounds {
                note: Some(disagreement(rule, &witness.text)),
                ..bounds
            }),
            (Some(witness), None) => Verdict::violated(witness),
            (None, _) if tally.premises == 0 => Verdict::Vacuous(bounds),
            (None, Some(rule)) => Verdict::Proved {
                rule: format!("{rule} (all of {} cases with the premises agree)", tally.premises),
            },
            (None, None) if tally.trials > 0 => {
                Verdict::Sampled { bounds, trials: tally.trials, seed: self.seed }
            }
            (None, None) => Verdict::Searched(bounds),
        }
    }

    /// The decision, given the case against it.
    pub(super) fn decision(&self, tally: &AxiomTally, against: Option<Witness>) -> Decision {
        let against = against.map(|mut witness| {
            witness.text += &format!(" (premises met until then: {})", tally.premises);
            witness
        });
        Decision::new(self.verdict(tally, against), tally.premises)
    }

    /// The decision on a comparison that must be strict, given a case against it and a tie.
    pub(super) fn strict(
        &self,
        tally: &AxiomTally,
        against: Option<Witness>,
        tied: Option<Witness>,
    ) -> Decision {
        let (None, Some(mut witness)) = (&against, tied) else {
            return self.decision(tally, against);
        };
        let verdict = if tally.ties == tally.premises {
            witness.text += &format!(" (all of {} cases tie)", tally.premises);
            Verdict::Tied { witness }
        } else {
            witness.text +=
                &format!(" ({} of {} cases tie, none is reversed)", tally.ties, tally.premises);
            Verdict::Weak { witness }
        };
        Decision::new(verdict, tally.premises)
    }
}

impl Decision {
    pub(super) fn not_applicable(why: &str) -> Decision {
        Decision {
            verdict: Verdict::NotApplicable(why.to_string()),
            premises: None,
            parts: Vec::new(),
        }
    }

    fn new(verdict: Verdict, premises: u64) -> Decision {
        Decision { verdict, premises: Some(premises), parts: Vec::new() }
    }

    /// Whether no instance met the premises.
    pub(super) fn is_vacuous(&self) -> bool {
        matches!(self.verdict, Verdict::Vacuous(_))
    }

    /// An axiom holds if its parts do; a vacuous part says nothing beside others.
    pub(super) fn of_parts(parts: Vec<PartVerdict>) -> Decision {
        let of = |wanted: fn(&Verdict) -> bool| parts.iter().find(|p| wanted(&p.verdict));
        let violated: Vec<(&str, &Witness)> =
            parts.iter().filter_map(|p| Some((p.name, p.verdict.witness()?))).collect();
        let premises = parts.iter().map(|p| p.premises).sum();
        let verdict = match violated.first() {
            Some((_, first)) => {
                let text = |(name, witness): &(&str, &Witness)| format!("{name}: {}", witness.text);
                let witness = Witness {
                    states: violated.iter().flat_map(|(_, w)| w.states.clone()).collect(),
                    text: violated.iter().map(text).collect::<Vec<_>>().join("; "),
                    max_grade: first.max_grade,
                    worlds: violated.iter().flat_map(|(_, w)| w.worlds.clone()).collect(),
                };
                Verdict::violated(witness)
            }
            None => {
                let telling = of(|v| matches!(v, Verdict::Undecided(_)))
                    .or(of(|v| matches!(v, Verdict::Searched(_) | Verdict::Sampled { .. })))
                    .or(of(Verdict::holds))
                    .or(parts.first());
                let mut verdict = telling
                    .map_or(Verdict::NotApplicable("it has no parts".to_string()), |p| {
                        p.verdict.clone()
                    });
                if let Verdict::Searched(bounds) | Verdict::Sampled { bounds, .. } = &mut verdict {
                    let each: Vec<String> =
                        parts.iter().map(|p| format!("{} {}", p.name, p.premises)).collect();
                    bounds.cases = premises;
                    bounds.note = Some(format!("by part: {}", each.join(", ")));
                }
                verdict
            }
        };
        Decision { verdict, premises: Some(premises), parts }
    }

    /// Whether two readings come to the same: the same word, known in the same way, on the whole
    /// and on each part.
    pub(super) fn agrees(&self, other: &Decision) -> bool {
        let same = |a: &Verdict, b: &Verdict| a.outcome() == b.outcome() && a.how() == b.how();
        same(&self.verdict, &other.verdict)
            && self.parts.iter().zip(&other.parts).all(|(a, b)| same(&a.verdict, &b.verdict))
    }
}

/// The parts of an axiom while it is searched: the premises met, and the first case against each.
pub(super) struct AxiomParts {
    /// What all parts have in common; its premises are not counted.
    pub tally: AxiomTally,
    found: [(u64, Option<Witness>); 3],
}

const NAMES: [&str; 3] = ["a", "b", "c"];

impl AxiomParts {
    pub(super) fn new() -> AxiomParts {
        AxiomParts { tally: AxiomTally::default(), found: [const { (0, None) }; 3] }
    }

    /// One more instance of a part's premises, and the case against it, which is kept if it is
    /// the first.
    pub(super) fn count(&mut self, part: usize, against: Option<impl FnOnce() -> Witness>) {
        let (premises, witness) = &mut self.found[part];
        *premises += 1;
        if let (None, Some(against)) = (&witness, against) {
            let mut first = against();
            first.text += &format!(" (premises met until then: {premises})");
            *witness = Some(first);
        }
    }

    pub(super) fn all_violated(&self) -> bool {
        self.found.iter().all(|(_, witness)| witness.is_some())
    }

    /// The verdicts of a search.
    pub(super) fn decided(self, search: &Search<'_>) -> Decision {
        let AxiomParts { tally, found } = self;
        let part = |(name, (premises, witness)): (&'static str, (u64, Option<Witness>))| {
            let counted = AxiomTally { premises, ..tally };
            PartVerdict { name, verdict: search.verdict(&counted, witness), premises }
        };
        Decision::of_parts(NAMES.into_iter().zip(found).map(part).collect())
    }
}
