//! Scores under ties, topic by topic. What is known of the orders of tied documents is in
//! [`crate::measure::ties`].

mod glance;
#[cfg(test)]
mod tests;

pub(crate) use self::glance::TiedGlance;
use super::ranges::Range;
use crate::align::Tied;
use crate::data::Judged;
use crate::measure::ties::{Expected, Orders};
use crate::measure::{Declaration, Metric};

/// A measure under ties, topic after topic.
pub(crate) struct UnderTies<'m> {
    metric: &'m Metric,
    declared: Declaration<'m>,
}

impl<'m> UnderTies<'m> {
    pub(crate) fn new(metric: &'m Metric) -> UnderTies<'m> {
        UnderTies { metric, declared: metric.declaration() }
    }

    /// The expected score over all orders of the tied documents. Undefined orders are left out.
    /// Topics have streams of random numbers of their own.
    pub(crate) fn average(&self, topic: &Judged<'_>, tied: Tied<'_>, stream: usize) -> Expected {
        Orders::new(self.metric, topic, tied).expected(self.declared.ties.as_ref(), stream)
    }

    /// The lowest and the highest score of any order; `None` if all are undefined.
    pub(crate) fn range(&self, topic: &Judged<'_>, tied: Tied<'_>, stream: usize) -> Option<Range> {
        Orders::new(self.metric, topic, tied).range(self.declared.ties.as_ref(), stream)
    }
}
