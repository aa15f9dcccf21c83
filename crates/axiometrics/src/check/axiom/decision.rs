//! What came of one axiom: the verdict with the number of premises, and the verdicts on its parts.

use super::bench::{Subject, Tally};
use crate::check::verdict::Bounds;
use crate::check::{Part, Verdict, Witness};

/// What came of an axiom under one reading.
pub(super) struct Decision {
    pub verdict: Verdict,
    /// Instances that meet the premises; `None` where none was looked for.
    pub premises: Option<u64>,
    pub parts: Vec<Part>,
}

impl Decision {
    pub(super) fn not_applicable(why: &str) -> Decision {
        Decision {
            verdict: Verdict::NotApplicable(why.to_string()),
            premises: None,
            parts: Vec::new(),
        }
    }

    /// A case against the axiom.
    pub(super) fn violated(tally: &Tally, mut witness: Witness) -> Decision {
        witness.text += &format!(" (premises met until then: {})", tally.premises);
        Decision::new(Verdict::violated(witness), tally.premises)
    }

    /// Never reversed, but this tie.
    pub(super) fn weak(tally: &Tally, mut witness: Witness) -> Decision {
        witness.text +=
            &format!(" ({} of {} cases tie, none is reversed)", tally.ties, tally.premises);
        Decision::new(Verdict::Weak { witness }, tally.premises)
    }

    /// The search met nothing against the axiom.
    pub(super) fn concluded(
        subject: &Subject<'_>,
        tally: &Tally,
        docs: usize,
        rule: Option<&str>,
    ) -> Decision {
        let bounds = Bounds {
            docs: docs as u32,
            gains: subject.describe(),
            cases: tally.premises,
            skipped: tally.skipped,
            arithmetic: tally.arithmetic,
            note: None,
        };
        let verdict = match rule {
            Some(rule) => Verdict::Proved {
                rule: format!("{rule} (all of {} cases with the premises agree)", tally.premises),
            },
            None if tally.premises == 0 => Verdict::Vacuous(bounds),
            None => Verdict::Searched(bounds),
        };
        Decision::new(verdict, tally.premises)
    }

    fn new(verdict: Verdict, premises: u64) -> Decision {
        Decision { verdict, premises: Some(premises), parts: Vec::new() }
    }

    /// An axiom holds where its parts do; a vacuous part says nothing beside others.
    pub(super) fn of_parts(parts: Vec<Part>) -> Decision {
        let of = |wanted: fn(&Verdict) -> bool| parts.iter().find(|p| wanted(&p.verdict));
        let violated: Vec<(&str, &Witness)> =
            parts.iter().filter_map(|p| Some((p.name, p.verdict.witness()?))).collect();
        let premises = parts.iter().map(|p| p.premises).sum();
        let verdict = match violated.first() {
            Some((_, first)) => {
                let text = |(name, witness): &(&str, &Witness)| format!("{name}: {}", witness.text);
                Verdict::violated(Witness {
                    states: violated.iter().flat_map(|(_, w)| w.states.clone()).collect(),
                    text: violated.iter().map(text).collect::<Vec<_>>().join("; "),
                    max_grade: first.max_grade,
                })
            }
            None => {
                let telling = of(|v| matches!(v, Verdict::Searched(_) | Verdict::Sampled { .. }))
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
pub(super) struct Parts {
    /// What all parts have in common; its premises are not counted.
    pub tally: Tally,
    found: [(u64, Option<Witness>); 3],
}

const NAMES: [&str; 3] = ["a", "b", "c"];

impl Parts {
    pub(super) fn new() -> Parts {
        Parts { tally: Tally::default(), found: [const { (0, None) }; 3] }
    }

    /// One more instance of a part's premises, and the case against it, which is kept where it is
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

    pub(super) fn any_violated(&self) -> bool {
        self.found.iter().any(|(_, witness)| witness.is_some())
    }

    pub(super) fn all_violated(&self) -> bool {
        self.found.iter().all(|(_, witness)| witness.is_some())
    }

    /// Says more about the case against a part.
    pub(super) fn remark(&mut self, part: usize, remark: &str) {
        if let Some(witness) = &mut self.found[part].1 {
            witness.text += remark;
        }
    }

    /// The verdicts, where `held` makes that of a part without a case against it.
    pub(super) fn decided(self, held: impl Fn(&Tally) -> Verdict) -> Decision {
        let Parts { tally, found } = self;
        let part = |(name, (premises, witness)): (&'static str, (u64, Option<Witness>))| {
            let counted =
                Tally { premises, skipped: tally.skipped, ties: 0, arithmetic: tally.arithmetic };
            Part {
                name,
                verdict: witness.map_or_else(|| held(&counted), Verdict::violated),
                premises,
            }
        };
        Decision::of_parts(NAMES.into_iter().zip(found).map(part).collect())
    }
}
