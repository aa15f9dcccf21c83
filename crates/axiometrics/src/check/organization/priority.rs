//! Each document that is treated rightly counts.

use super::OrganizationConstraint;
use super::case::{Case, Cases};
use crate::check::Scope;
use crate::check::shape::SplitMix;
use crate::data::organization::{Documents, Organization};
use crate::organization::Task;

/// All collections of up to so many relevant and as many irrelevant documents are looked at.
const EACH: u32 = 5;

pub(super) struct OrganizationPriority;

impl OrganizationConstraint for OrganizationPriority {
    fn name(&self) -> &'static str {
        "priority"
    }
    fn statement(&self) -> &'static str {
        "keeping one more relevant document, or dropping one more irrelevant one, is better"
    }
    /// The paper states it for every collection.
    fn scope(&self) -> Scope {
        Scope::General
    }
    fn task(&self) -> Task {
        Task::Filtering
    }
    fn worlds(&self) -> String {
        format!(
            "all collections of up to {EACH} relevant and {EACH} irrelevant documents, with and without documents of each kind, and all filterings of them"
        )
    }
    fn cases(&self, _: &mut SplitMix) -> Cases {
        let mut listed = Vec::new();
        // What a collection with documents of both kinds shows says more than what one of one kind
        // does.
        let sizes =
            || (0..=EACH).flat_map(|relevant| (0..=EACH).map(move |others| (relevant, others)));
        for both in [true, false] {
            for (relevant, others) in sizes().filter(|(r, n)| (*r > 0 && *n > 0) == both) {
                for hits in 0..=relevant {
                    for alarms in 0..=others {
                        if hits < relevant {
                            listed.push(case(relevant, others, (hits + 1, alarms), (hits, alarms)));
                        }
                        if alarms > 0 {
                            listed.push(case(relevant, others, (hits, alarms - 1), (hits, alarms)));
                        }
                    }
                }
            }
        }
        Cases::of(listed, Vec::new())
    }
}

/// Two filterings of a collection, each given by the relevant and the irrelevant documents that it
/// keeps.
fn case(relevant: u32, others: u32, good: (u32, u32), bad: (u32, u32)) -> Case {
    let mut documents = Documents::default();
    for (kind, count) in [("r", relevant), ("n", others)] {
        for number in 1..=count {
            documents.intern(&format!("{kind}{number}"));
        }
    }
    let side = |kept| filtering(relevant, others, kept);
    Case { gold: side((relevant, 0)), good: side(good), bad: side(bad), documents }
}

/// The relevant documents are numbered before the others; of both kinds the first are kept.
pub(super) fn filtering(relevant: u32, others: u32, (hits, alarms): (u32, u32)) -> Organization {
    let mut builder = Organization::builder();
    for document in 0..relevant + others {
        let kept = if document < relevant { document < hits } else { document - relevant < alarms };
        // Each document is named once, which is all that a builder asks.
        let _ = if kept { builder.cluster([document]) } else { builder.discard(document) };
    }
    builder.build()
}
