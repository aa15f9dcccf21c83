//! Disorder does less harm if there is disorder already.

use super::OrganizationConstraint;
use super::case::{
    Case, Cases, Cluster, DRAWN, clusterings, contexts, of_class, random_context, small_contexts,
};
use crate::check::Scope;
use crate::check::shape::SplitMix;
use crate::organization::Task;

const A: u8 = 0;
const B: u8 = 1;
/// A clean cluster, and a rag bag, of up to this size.
const LARGEST: usize = 8;

pub(super) struct RagBag(pub Scope);

impl OrganizationConstraint for RagBag {
    fn name(&self) -> &'static str {
        "rag-bag"
    }
    fn statement(&self) -> &'static str {
        "an odd document is better put among odd documents than into a clean cluster: {aaaa} {bcde} before {aaaab} {cde}, for any sizes from 2 on, among other classes"
    }
    fn scope(&self) -> Scope {
        self.0
    }
    fn task(&self) -> Task {
        Task::Clustering
    }
    fn worlds(&self) -> String {
        format!(
            "n and m from 2 to {LARGEST} with nothing else; 2 and 2, 2 and 3, 3 and 2 {}",
            contexts()
        )
    }
    fn cases(&self, random: &mut SplitMix) -> Cases {
        if self.0 == Scope::Printed {
            return Cases::of(vec![case(4, 4, &[])], Vec::new());
        }
        let sizes = || (2..=LARGEST).flat_map(|n| (2..=LARGEST).map(move |m| (n, m)));
        let mut listed: Vec<Case> = sizes().map(|(n, m)| case(n, m, &[])).collect();
        listed.extend(
            small_contexts(B + LARGEST as u8)
                .iter()
                .flat_map(|context| [(2, 2), (2, 3), (3, 2)].map(|(n, m)| case(n, m, context))),
        );
        let size = |random: &mut SplitMix| random.below(LARGEST as u64 - 1) as usize + 2;
        let mut draw =
            || case(size(random), size(random), &random_context(random, B + LARGEST as u8));
        Cases::of(listed, (0..DRAWN).map(|_| draw()).collect())
    }
}

/// A clean cluster of n, and m documents of as many classes. Other classes may stand around.
fn case(n: usize, m: usize, context: &[Cluster]) -> Case {
    // Classes are numbered without a gap, so those of the context follow the last odd one.
    let shift = B + LARGEST as u8 - (B + m as u8);
    let context: Vec<Cluster> =
        context.iter().map(|cluster| cluster.iter().map(|class| class - shift).collect()).collect();
    let odd: Cluster = (0..m as u8).map(|i| B + i).collect();
    let spoilt = [of_class(A, n), vec![B]].concat();
    clusterings(vec![of_class(A, n), odd.clone()], vec![spoilt, odd[1..].to_vec()], &context)
}
