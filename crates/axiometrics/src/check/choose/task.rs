//! What is evaluated, and the measures that there are for it.

use super::{Chosen, Wishes, choose, choose_diversity, choose_organization};
use crate::check::lattice::Property;
use crate::check::organization::{all_subjects, statements};
use crate::check::{CheckOptions, Group, all_metrics, diversity};
use crate::choice::choices;
use crate::error::Result;
use crate::organization;

/// What is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Task {
    /// Rankings of documents.
    #[default]
    Ranking,
    /// Clusters of documents.
    Clustering,
    /// Documents that were kept, and those that were not.
    Filtering,
    /// Rankings of documents that serve subtopics.
    Diversity,
}

choices! {
    Task {
        Ranking "ranking" "rankings of documents",
        Clustering "clustering" "clusters of documents",
        Filtering "filtering" "documents that were kept, and those that were not",
        Diversity "diversity" "rankings of documents that serve subtopics",
    }
}

impl Task {
    /// The registered measures of this task that fulfil the wishes.
    pub fn choose(self, wishes: &Wishes, options: &CheckOptions) -> Result<Chosen> {
        match self {
            Task::Ranking => choose(wishes, &all_metrics(), options),
            Task::Diversity => choose_diversity(wishes, &diversity::all_metrics(), options),
            Task::Clustering | Task::Filtering => {
                choose_organization(wishes, self.of_organizations(), &all_subjects(), options)
            }
        }
    }

    /// What can be wished for besides axioms: names, and what each says in a sentence.
    pub fn statements(self) -> Vec<(&'static str, &'static str)> {
        match self {
            Task::Ranking => Property::ALL.map(|p| (p.name(), p.gist())).to_vec(),
            Task::Diversity => diversity::statements(),
            Task::Clustering | Task::Filtering => {
                let groups = [Group::Property, Group::Constraint];
                statements(self.of_organizations(), &groups).collect()
            }
        }
    }

    fn of_organizations(self) -> organization::Task {
        match self {
            Task::Filtering => organization::Task::Filtering,
            _ => organization::Task::Clustering,
        }
    }
}
