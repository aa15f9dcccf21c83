//! Documents of one class are better together.

use super::OrganizationConstraint;
use super::case::{Cases, DRAWN, clusterings, contexts, of_class, random_context, small_contexts};
use crate::check::Scope;
use crate::check::shape::SplitMix;
use crate::organization::Task;

const A: u8 = 0;

pub(super) struct Completeness(pub Scope);

impl OrganizationConstraint for Completeness {
    fn name(&self) -> &'static str {
        "completeness"
    }
    fn statement(&self) -> &'static str {
        "joining two clusters of one class is better: {aaaaa} before {aaa} {aa}, in any context"
    }
    fn scope(&self) -> Scope {
        self.0
    }
    fn task(&self) -> Task {
        Task::Clustering
    }
    fn worlds(&self) -> String {
        format!("x and y documents of one class, 1 <= y <= x <= 3, {}", contexts())
    }
    fn cases(&self, random: &mut SplitMix) -> Cases {
        let case = |x: usize, y: usize, context: &[_]| {
            clusterings(vec![of_class(A, x + y)], vec![of_class(A, x), of_class(A, y)], context)
        };
        if self.0 == Scope::Printed {
            return Cases::of(vec![case(3, 2, &[])], Vec::new());
        }
        let sizes = || (1..=3).flat_map(|x| (1..=x).map(move |y| (x, y)));
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
