//! Programs: what runs on the stack machine.

use super::syntax::{Op, QuantifierKind};
use crate::choice::choices;

/// One step on a stack of numbers; a truth is 0 or 1, a level its number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ProgramStep {
    Constant(usize),
    Param(usize),
    Relevant,
    TopGrade,
    Read(Field, usize),
    Binary(Op),
    Negative,
    Not,
    Abs,
    Log2,
    Ln,
    Exp,
    Min,
    Max,
    JumpUnless(usize),
    Jump(usize),
    /// Leaves 0 or 1 according to the top of the stack: the end of `and` and `or`.
    Truth,
    Over(usize),
    /// Whether the document of the first slot stands so to that of the second.
    Related(DocumentRelation, usize, usize),
}

/// How a document can stand to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentRelation {
    /// The assessor has it above the other.
    Prefers,
    /// The system has it above the other.
    Ranks,
    /// The assessor has both in one cluster.
    Related,
    /// The system has both in one cluster.
    Together,
}

choices! {
    DocumentRelation {
        Prefers "prefers",
        Ranks "ranks",
        Related "related",
        Together "together",
    }
}

impl DocumentRelation {
    /// Whether the assessor says so.
    pub(crate) fn is_of_assessor(self) -> bool {
        matches!(self, DocumentRelation::Prefers | DocumentRelation::Related)
    }
}

/// What is known of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Alpha,
    Sigma,
    Pos,
    Gain,
    Ideal,
    Judged,
    /// Of a second system.
    Other,
    OtherPos,
    /// The similarity by the first system and by the second.
    Sim,
    OtherSim,
}

pub(crate) type Code = Vec<ProgramStep>;

/// A quantifier, ready to run.
#[derive(Debug, Clone)]
pub(crate) struct Over {
    pub kind: QuantifierKind,
    pub set: usize,
    pub slot: usize,
    pub filter: Option<Code>,
    pub body: Option<Code>,
    pub plan: Plan,
}

/// How a quantifier is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plan {
    /// For each document anew.
    Always,
    /// Once for the topic: nothing in it depends on the document at hand.
    Once,
    /// From running totals: all that depends on the document at hand is a comparison with it, which
    /// is not in the filter.
    Running(KeyComparison),
}

/// `key(x) op with(d)`, for the document x of a quantifier and a document d around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyComparison {
    pub key: Field,
    pub op: Op,
    pub with: Field,
    /// The slot of d.
    pub slot: usize,
}

/// Everything that was compiled, sharing constants and quantifiers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    pub constants: Vec<f64>,
    pub overs: Vec<Over>,
    /// The conditions of sets; the first set is D, which has none.
    pub sets: Vec<Option<Code>>,
    /// How many variables can be alive at once.
    pub slots: usize,
    /// Some expression asks for places in the ideal ranking.
    pub reads_ideal: bool,
    /// Some expression asks what was judged, not only what is worth something.
    pub reads_judged: bool,
}

impl Program {
    /// To the power of this the cost of a piece of code grows with the number of documents.
    pub(crate) fn nesting(&self, code: &Code) -> u32 {
        let whole = |over: &Over| {
            let set = self.sets[over.set].as_ref();
            let of_set = set.map_or(0, |set| self.nesting(set).max(1 + self.repeated(set)));
            let parts = || [&over.filter, &over.body].into_iter().flatten();
            let again = 1 + parts().map(|part| self.repeated(part)).max().unwrap_or(0);
            parts().map(|part| self.nesting(part)).max().unwrap_or(0).max(again).max(of_set)
        };
        self.overs_of(code).map(whole).max().unwrap_or(0)
    }

    /// The same of what is computed anew every time that the code is run.
    fn repeated(&self, code: &Code) -> u32 {
        let anew = |over: &Over| match over.plan {
            Plan::Always => {
                let parts = [&over.filter, &over.body].into_iter().flatten();
                1 + parts.map(|part| self.repeated(part)).max().unwrap_or(0)
            }
            Plan::Once | Plan::Running(..) => 0,
        };
        self.overs_of(code).map(anew).max().unwrap_or(0)
    }

    fn overs_of<'a>(&'a self, code: &'a Code) -> impl Iterator<Item = &'a Over> {
        code.iter().filter_map(|step| match step {
            ProgramStep::Over(i) => Some(&self.overs[*i]),
            _ => None,
        })
    }
}
