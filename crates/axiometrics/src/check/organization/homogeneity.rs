//! Documents of different classes are better apart.

use super::OrganizationConstraint;
use super::case::{Cases, DRAWN, clusterings, contexts, of_class, random_context, small_contexts};
use crate::check::Scope;
use crate::check::shape::SplitMix;
use crate::organization::Task;

const A: u8 = 0;
const B: u8 = 1;

pub(super) struct Homogeneity(pub Scope);

impl OrganizationConstraint for Homogeneity {
    fn name(&self) -> &'static str {
        "homogeneity"
    }
    fn statement(&self) -> &'static str {
        "splitting a cluster of two classes into one cluster for each is better: {aaa} {bb} before {aaabb}, in any context"
    }
    fn scope(&self) -> Scope {
        self.0
    }
    fn task(&self) -> Task {
        Task::Clustering
    }
    fn worlds(&self) -> String {
        format!("x documents of one class and y of another, x and y from 1 to 3, {}", contexts())
    }
    fn cases(&self, random: &mut SplitMix) -> Cases {
        let case = |x: usize, y: usize, context: &[_]| {
            let mixed = [of_class(A, x), of_class(B, y)].concat();
            clusterings(vec![of_class(A, x), of_class(B, y)], vec![mixed], context)
        };
        if self.0 == Scope::Printed {
            return Cases::of(vec![case(3, 2, &[])], Vec::new());
        }
        let sizes = || (1..=3).flat_map(|x| (1..=3).map(move |y| (x, y)));
        let listed = small_contexts(A)
            .iter()
            .flat_map(|context| sizes().map(move |(x, y)| case(x, y, context)))
            .collect();
        let mut draw = || {
            case(
                random.below(5) as usize + 1,
                random.below(5) as usize + 1,
                &random_context(random, A),
            )
        };
        Cases::of(listed, (0..DRAWN).map(|_| draw()).collect())
    }
}
