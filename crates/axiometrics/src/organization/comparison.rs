//! One system's organization of one topic beside the gold standard's, with what the measures share
//! computed at most once.

use std::cell::OnceCell;

use super::overlap::KnownDocuments;
use super::reliability_sensitivity::{self, Relations};
use super::{
    Confusion, Contingency, Information, OrganizationSettings, Overlaps, Score, Shares, Stated,
};
use crate::data::organization::{Occurrences, Organization};

/// What a measure sees.
#[derive(Debug)]
pub struct OrganizationComparison<'a> {
    gold: &'a Organization,
    system: &'a Organization,
    settings: &'a OrganizationSettings,
    shares: Shares,
    gold_index: Occurrences<'a>,
    system_index: Occurrences<'a>,
    gold_masses: Option<Vec<f64>>,
    system_masses: Option<Vec<f64>>,
    contingency: OnceCell<Option<Contingency>>,
    information: OnceCell<Information>,
    overlaps: OnceCell<Overlaps>,
    confusion: OnceCell<Confusion>,
    relations: OnceCell<Relations>,
}

impl<'a> OrganizationComparison<'a> {
    /// Puts a system's organization beside the gold standard's. Both number their documents alike.
    pub fn new(
        gold: &'a Organization,
        system: &'a Organization,
        settings: &'a OrganizationSettings,
    ) -> OrganizationComparison<'a> {
        let documents = gold.bound().max(system.bound());
        OrganizationComparison {
            gold,
            system,
            settings,
            shares: settings.shares(Stated::by(gold)),
            gold_index: Occurrences::of(gold, documents),
            system_index: Occurrences::of(system, documents),
            gold_masses: masses(gold, system, documents),
            system_masses: masses(system, gold, documents),
            contingency: OnceCell::new(),
            information: OnceCell::new(),
            overlaps: OnceCell::new(),
            confusion: OnceCell::new(),
            relations: OnceCell::new(),
        }
    }

    /// The gold standard.
    pub fn gold(&self) -> &'a Organization {
        self.gold
    }

    /// The system's output.
    pub fn system(&self) -> &'a Organization {
        self.system
    }

    /// The settings of Reliability and Sensitivity, of utility and of F.
    pub fn settings(&self) -> &'a OrganizationSettings {
        self.settings
    }

    /// The shares of the kinds of relations in R, S and F.
    pub fn shares(&self) -> Shares {
        self.shares
    }

    /// The gold standard, document by document.
    pub fn gold_index(&self) -> &Occurrences<'a> {
        &self.gold_index
    }

    /// The system's output, document by document.
    pub fn system_index(&self) -> &Occurrences<'a> {
        &self.system_index
    }

    /// The weights of the documents in the gold standard, if they are not all 1.
    pub fn gold_masses(&self) -> Option<&[f64]> {
        self.gold_masses.as_deref()
    }

    /// The weights of the documents in the system's output, if they are not all 1.
    pub fn system_masses(&self) -> Option<&[f64]> {
        self.system_masses.as_deref()
    }

    /// The table of clusters and classes, or why there is none.
    pub fn contingency(&self) -> Result<&Contingency, Score> {
        let table = self
            .contingency
            .get_or_init(|| Contingency::of_partitions(&self.system_index, &self.gold_index));
        match table {
            None => Err(Score::Undefined("a document lies in several clusters")),
            Some(table) if table.documents() == 0 => {
                Err(Score::Undefined("no document lies in a cluster"))
            }
            Some(table) => Ok(table),
        }
    }

    /// The entropies of clusters and classes, or why there are none.
    pub fn information(&self) -> Result<&Information, Score> {
        let table = self.contingency()?;
        Ok(self.information.get_or_init(|| Information::of(table)))
    }

    /// The pairs of documents that share clusters.
    pub fn overlaps(&self) -> &Overlaps {
        self.overlaps.get_or_init(|| {
            let universe = self.universe();
            let known = |masses| KnownDocuments { universe: &universe, masses };
            Overlaps::of(
                (&self.system_index, known(self.system_masses())),
                (&self.gold_index, known(self.gold_masses())),
            )
        })
    }

    /// Kept and discarded on both sides.
    pub fn confusion(&self) -> &Confusion {
        self.confusion.get_or_init(|| Confusion::of(self))
    }

    /// Reliability and Sensitivity.
    pub fn relations(&self) -> &Relations {
        self.relations.get_or_init(|| reliability_sensitivity::relations(self))
    }

    /// Which document numbers stand for a document that either side knows, discarded ones included.
    pub fn universe(&self) -> Vec<bool> {
        let mut known: Vec<bool> = (0..self.gold_index.documents())
            .map(|document| self.gold_index.count(document) + self.system_index.count(document) > 0)
            .collect();
        for &document in self.gold.discarded().iter().chain(self.system.discarded()) {
            known[document as usize] = true;
        }
        known
    }
}

/// The weight of each document on one side: its own there, else that of the other side, else 1.
fn masses(own: &Organization, other: &Organization, documents: usize) -> Option<Vec<f64>> {
    if own.weights().is_empty() && other.weights().is_empty() {
        return None;
    }
    let mut masses = vec![1.0; documents];
    for &(document, weight) in other.weights().iter().chain(own.weights()) {
        masses[document as usize] = weight;
    }
    Some(masses)
}
