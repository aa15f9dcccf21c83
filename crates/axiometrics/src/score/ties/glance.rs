//! What ties may do to scores, by two orders alone: enough to warn, and cheap enough for every
//! topic.

use crate::align::Tied;
use crate::data::{Hit, Hits, Judged};
use crate::measure::Metric;
use crate::measure::range::{Ends, Range, RangeKind};
use crate::measure::ties::place;

/// The tied documents of a topic by grade, the worst first and the best first: the orders that most
/// measures score lowest and highest. All memory is kept from topic to topic.
#[derive(Default)]
pub(crate) struct TiedGlance {
    orders: [Vec<Hit>; 2],
    hits: Vec<Hit>,
}

impl TiedGlance {
    /// Looks at a topic.
    pub(crate) fn new_topic(&mut self, topic: &Judged<'_>, tied: Tied<'_>) {
        self.hits.clear();
        self.hits.extend(topic.hits.iter().chain(tied.below));
        for (order, best_first) in self.orders.iter_mut().zip([false, true]) {
            order.clear();
            let mut rest = self.hits.as_slice();
            for tie in tied.groups {
                let (above, others) =
                    rest.split_at(rest.partition_point(|hit| hit.rank < tie.first));
                let (group, below) =
                    others.split_at(others.partition_point(|hit| hit.rank <= tie.last()));
                order.extend_from_slice(above);
                place(group, tie.first, tie.len, best_first, order);
                rest = below;
            }
            order.extend_from_slice(rest);
            order.truncate(order.partition_point(|hit| hit.rank <= topic.retrieved));
        }
    }

    /// The scores of the two orders of this topic; `None` if both are undefined.
    pub(crate) fn range(&self, metric: &Metric, topic: &Judged<'_>) -> Option<Range> {
        let mut ends = Ends::default();
        for hits in &self.orders {
            ends.add(metric.score(&Judged { hits: Hits::new(hits), ..*topic }));
        }
        Range::between(ends, RangeKind::Searched)
    }
}
