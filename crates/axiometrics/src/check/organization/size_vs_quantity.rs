//! One small error in a large cluster does less harm than many in small ones.

use super::OrganizationConstraint;
use super::case::{
    Case, Cases, Cluster, DRAWN, clusterings, contexts, of_class, one_level, random_context,
    small_contexts,
};
use crate::check::Scope;
use crate::check::shape::SplitMix;
use crate::data::organization::Documents;
use crate::organization::Task;

const A: u8 = 0;
/// The most pairs.
const LARGEST: usize = 8;

pub(super) struct SizeVsQuantity(pub Scope);

impl OrganizationConstraint for SizeVsQuantity {
    fn name(&self) -> &'static str {
        "size-vs-quantity"
    }
    fn statement(&self) -> &'static str {
        "taking one document out of a cluster of n + 1 is better than splitting n pairs: {aaaa} {a} {bb} {cc} {dd} {ee} before {aaaaa} {b} {b} ... {e} {e}, for any n from 2 on, among other classes; where clusters may overlap, also when all pairs are of the same two documents"
    }
    fn scope(&self) -> Scope {
        self.0
    }
    fn task(&self) -> Task {
        Task::Clustering
    }
    fn worlds(&self) -> String {
        format!(
            "n from 2 to {LARGEST} with nothing else, with different pairs and with all pairs of the same two documents; 2 and 3 {}",
            contexts()
        )
    }
    fn cases(&self, random: &mut SplitMix) -> Cases {
        if self.0 == Scope::Printed {
            return Cases::of(vec![case(4, &[])], Vec::new());
        }
        let mut listed: Vec<Case> =
            (2..=LARGEST).flat_map(|n| [case(n, &[]), overlapping(n)]).collect();
        listed.extend((2..=3).flat_map(|n| {
            small_contexts(n as u8 + 1).into_iter().map(move |context| case(n, &context))
        }));
        let mut draw = || {
            let n = random.below(LARGEST as u64 - 1) as usize + 2;
            case(n, &random_context(random, n as u8 + 1))
        };
        Cases::of(listed, (0..DRAWN).map(|_| draw()).collect())
    }
}

/// A cluster of n + 1 documents and n pairs, each a class.
fn case(n: usize, context: &[Cluster]) -> Case {
    let classes = || 1..=n as u8;
    let whole = classes().map(|class| of_class(class, 2));
    let split = classes().flat_map(|class| [vec![class], vec![class]]);
    let good = [of_class(A, n), of_class(A, 1)].into_iter().chain(whole).collect();
    let bad = std::iter::once(of_class(A, n + 1)).chain(split).collect();
    clusterings(good, bad, context)
}

/// The same with all pairs of the same two documents.
fn overlapping(n: usize) -> Case {
    let mut documents = Documents::default();
    let large: Vec<u32> = (1..=n + 1).map(|i| documents.intern(&format!("a{i}"))).collect();
    let [b, c] = ["b1", "b2"].map(|name| documents.intern(name));
    let pairs = || std::iter::repeat_n(vec![b, c], n);
    let gold: Vec<Vec<u32>> = std::iter::once(large.clone()).chain(pairs()).collect();
    let good: Vec<Vec<u32>> =
        [large[..n].to_vec(), large[n..].to_vec()].into_iter().chain(pairs()).collect();
    let bad: Vec<Vec<u32>> =
        std::iter::once(large).chain((0..n).flat_map(|_| [vec![b], vec![c]])).collect();
    Case { gold: one_level(&gold), good: one_level(&good), bad: one_level(&bad), documents }
}
