//! What the user can choose.

use super::Task;
use crate::curve::{Curve, Variant};
use crate::data::organization::Organization;
use crate::error::{Error, Result};

/// The parameters of the measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrganizationSettings {
    /// How weight falls with depth.
    pub curve: Curve,
    /// No tail and equal weights.
    pub finite: bool,
    /// How documents that one side lacks are treated.
    pub variant: Variant,
    /// How R, S and F are mixed of the kinds of relations.
    pub mix: Mix,
    /// The worth of a true positive, false positive, false negative and true negative.
    pub utility: [f64; 4],
    /// How many times more important Sensitivity is than Reliability in F, and recall than precision
    /// in `f_beta`.
    pub beta: f64,
    /// What it costs to read the description of a cluster, in documents.
    pub description_cost: f64,
}

impl Default for OrganizationSettings {
    fn default() -> OrganizationSettings {
        OrganizationSettings {
            curve: Curve::default(),
            finite: false,
            variant: Variant::Printed,
            mix: Mix::Stated,
            utility: [1.0, -1.0, 0.0, 0.0],
            beta: 1.0,
            description_cost: 1.0,
        }
    }
}

impl OrganizationSettings {
    /// Says what is out of range.
    pub fn validate(&self) -> Result<()> {
        if let Mix::Given(Shares { priority, related, linked }) = self.mix {
            let parts = [priority, related, linked];
            let sum: f64 = parts.iter().sum();
            if parts.iter().any(|part| !(0.0..=1.0).contains(part)) || (sum - 1.0).abs() > 1e-9 {
                return Err(Error::usage(format!(
                    "the mixture is {priority} of priority, {related} of relatedness and {linked} of links, expected numbers from 0 to 1 that add up to 1"
                )));
            }
        }
        if !(self.beta > 0.0 && self.beta.is_finite()) {
            return Err(Error::usage(format!("beta is {}, expected a number above 0", self.beta)));
        }
        if !(self.description_cost >= 0.0 && self.description_cost.is_finite()) {
            return Err(Error::usage(format!(
                "the cost of a description is {}, expected a number of documents from 0",
                self.description_cost
            )));
        }
        if let Some(weight) = self.utility.iter().find(|weight| !weight.is_finite()) {
            return Err(Error::usage(format!("a utility weight is {weight}, expected a number")));
        }
        Ok(())
    }

    /// The shares of the kinds of relations in a topic whose gold standard states these kinds. No
    /// other topic is asked, so that the score of a topic is the same in any company.
    pub fn shares(&self, topic: Stated) -> Shares {
        match self.mix {
            Mix::Given(shares) => shares,
            Mix::Stated => {
                // Above the tail is a relation too, so only without one can priority be missing.
                let ordered = topic.ordered || !self.finite;
                let kinds = [ordered, topic.clustered, topic.linked].map(f64::from);
                // Documents of which nothing is said are each a cluster of its own.
                Shares::in_proportion(kinds).unwrap_or(Shares::of_priority(0.0))
            }
        }
    }
}

/// How R, S and F are mixed of the kinds of relations.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Mix {
    /// Of the kinds that the topic's gold standard states, in equal parts.
    #[default]
    Stated,
    /// As the user says.
    Given(Shares),
}

/// The share of each kind of relation. They add up to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// Of *d above e*.
    pub priority: f64,
    /// Of *d with e*.
    pub related: f64,
    /// Of *d linked to e*.
    pub linked: f64,
}

impl Shares {
    /// So much priority, the rest relatedness.
    pub fn of_priority(share: f64) -> Shares {
        Shares { priority: share, related: 1.0 - share, linked: 0.0 }
    }

    /// Priority, relatedness and links in proportion to these numbers; `None` if their sum is not
    /// above 0.
    pub fn in_proportion(parts: [f64; 3]) -> Option<Shares> {
        let sum: f64 = parts.iter().sum();
        let [priority, related, linked] = parts.map(|part| part / sum);
        (sum > 0.0).then_some(Shares { priority, related, linked })
    }
}

/// Which kinds of relations the gold standard of a topic states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stated {
    /// Some documents are above others: it has several levels, or names what it discards.
    pub ordered: bool,
    /// Some cluster holds several documents.
    pub clustered: bool,
    /// Some documents are linked.
    pub linked: bool,
}

impl Stated {
    /// What a topic's gold standard states. Filterings and rankings cluster nothing.
    pub fn by(topic: &Organization) -> Stated {
        Stated {
            ordered: topic.levels() > 1 || !topic.discarded().is_empty(),
            clustered: topic.clusters() < topic.occurrences(),
            linked: !topic.links().is_empty(),
        }
    }

    /// What a task is about.
    pub fn in_task(task: Task) -> Stated {
        Stated {
            ordered: task != Task::Clustering,
            clustered: task != Task::Filtering,
            linked: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::organization::{Documents, notation};

    #[test]
    fn what_is_out_of_range_is_refused() {
        let usual = OrganizationSettings::default();
        usual.validate().unwrap();
        let mixed = |priority, related, linked| OrganizationSettings {
            mix: Mix::Given(Shares { priority, related, linked }),
            ..usual
        };
        mixed(0.25, 0.75, 0.0).validate().unwrap();
        for (settings, expected) in [
            (mixed(0.5, 0.25, 0.0), "add up to 1"),
            (mixed(-0.5, 1.0, 0.5), "add up to 1"),
            (mixed(1.5, -0.5, 0.0), "add up to 1"),
            (OrganizationSettings { beta: 0.0, ..usual }, "beta is 0"),
            (OrganizationSettings { beta: f64::INFINITY, ..usual }, "beta is inf"),
            (OrganizationSettings { description_cost: -1.0, ..usual }, "is -1"),
            (OrganizationSettings { utility: [1.0, f64::NAN, 0.0, 0.0], ..usual }, "NaN"),
        ] {
            let error = settings.validate().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        OrganizationSettings { description_cost: 0.0, ..usual }.validate().unwrap();
    }

    #[test]
    fn a_task_is_about_order_or_clusters_or_both() {
        for (task, ordered, clustered) in [
            (Task::Filtering, true, false),
            (Task::Clustering, false, true),
            (Task::Organization, true, true),
        ] {
            let stated = Stated::in_task(task);
            let found = (stated.ordered, stated.clustered, stated.linked);
            assert_eq!(found, (ordered, clustered, false), "{task:?}");
        }
    }

    #[test]
    fn a_topic_states_order_clusters_and_links() {
        let mut documents = Documents::default();
        for (text, expected) in [
            ("a / b", [true, false, false]),
            ("{a b}", [false, true, false]),
            ("a | b", [true, false, false]),
            ("a b ~ a>b", [false, false, true]),
            ("a b", [false; 3]),
            ("{a b} / c ~ a>c", [true; 3]),
        ] {
            let topic = notation::parse(text, &mut documents).unwrap();
            let Stated { ordered, clustered, linked } = Stated::by(&topic);
            assert_eq!([ordered, clustered, linked], expected, "{text}");
        }
    }
}
