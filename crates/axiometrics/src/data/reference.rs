//! What reference runs get, by topic and measure.

use std::collections::BTreeMap;

/// What reference runs get on one topic by one measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reference {
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, with n - 1 as divisor.
    pub sd: f64,
}

/// References by topic and measure: what trec_eval's `-Z` takes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct References {
    topics: BTreeMap<Vec<u8>, BTreeMap<String, Reference>>,
}

impl References {
    /// Adds one; the one that it replaces, if any, is returned.
    pub fn insert(
        &mut self,
        topic: &[u8],
        measure: &str,
        reference: Reference,
    ) -> Option<Reference> {
        self.topics.entry(topic.to_vec()).or_default().insert(measure.to_string(), reference)
    }

    /// The reference of a topic and a measure.
    pub fn get(&self, topic: &[u8], measure: &str) -> Option<Reference> {
        self.topics.get(topic)?.get(measure).copied()
    }

    /// All, by topic, then by measure, in byte order.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &str, Reference)> {
        self.topics.iter().flat_map(|(topic, measures)| {
            measures.iter().map(move |(m, r)| (topic.as_slice(), m.as_str(), *r))
        })
    }
}
