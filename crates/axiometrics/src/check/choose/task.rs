//! What is evaluated, and the measures that there are for it.

use super::{Chosen, Wishes, choose, choose_diversity, choose_organization};
use crate::check::lattice::Property;
use crate::check::organization::{all_subjects, statements};
use crate::check::{CheckGroup, CheckOptions, all_metrics, diversity};
use crate::choice::{Choice, choices};
use crate::error::Result;
use crate::organization;

/// What is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ChoiceTask {
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
    ChoiceTask {
        Ranking "ranking" "rankings of documents",
        Clustering "clustering" "clusters of documents",
        Filtering "filtering" "documents that were kept, and those that were not",
        Diversity "diversity" "rankings of documents that serve subtopics",
    }
}

impl ChoiceTask {
    /// The registered measures of this task that fulfil the wishes.
    pub fn choose(self, wishes: &Wishes, options: &CheckOptions) -> Result<Chosen> {
        match self {
            ChoiceTask::Ranking => choose(wishes, &all_metrics(), options),
            ChoiceTask::Diversity => choose_diversity(wishes, &diversity::all_metrics(), options),
            ChoiceTask::Clustering | ChoiceTask::Filtering => {
                choose_organization(wishes, self.of_organizations(), &all_subjects(), options)
            }
        }
    }

    /// What can be wished for besides axioms: names, and what each says in a sentence.
    pub fn statements(self) -> Vec<(&'static str, &'static str)> {
        match self {
            ChoiceTask::Ranking => Property::ALL.iter().map(|p| (p.name(), p.meaning())).collect(),
            ChoiceTask::Diversity => diversity::statements(),
            ChoiceTask::Clustering | ChoiceTask::Filtering => {
                let groups = [CheckGroup::Property, CheckGroup::Constraint];
                statements(self.of_organizations(), &groups).collect()
            }
        }
    }

    fn of_organizations(self) -> organization::Task {
        match self {
            ChoiceTask::Filtering => organization::Task::Filtering,
            _ => organization::Task::Clustering,
        }
    }
}
