//! Scores of organizations, explanations of them and the curve of weights, in every format.

mod curve;
mod document;
mod protocol;
mod tables;

use serde::Serialize;

pub use curve::CurveReport;
pub use protocol::OrganizationProtocol;

use super::format::{OutputFormat, Rendering};
use super::model::Report;
use super::table::{Style, Table};
use crate::choice::choices;
use crate::data::organization::Documents;
use crate::organization::reliability_sensitivity::{
    ByDocument, DifferingRelations, Relation, Relations,
};
use crate::policy::Undefined;
use crate::score::Scores;
use crate::warning::Warning;

/// What is told about organizations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OrganizationTable {
    /// The scores.
    #[default]
    Scores,
    /// What each document contributes.
    Documents,
    /// How the mixture decides.
    Mix,
}

choices! {
    OrganizationTable {
        Scores "scores" "the scores",
        Documents "documents" "R(d) and S(d): how many of each document's relations are right",
        Mix "mix" "how R, S and F move with the mixture of priority and relatedness",
    }
}

/// Systems scored against a gold standard, in every format.
pub struct OrganizationReport<'a> {
    /// What to tell.
    pub show: OrganizationTable,
    /// The systems.
    pub systems: &'a [OrganizedSystem],
    /// How they were scored.
    pub protocol: OrganizationProtocol,
    /// What was odd about the files.
    pub warnings: Vec<Warning>,
    /// Each topic is told besides the mean.
    pub per_topic: bool,
    /// What the mean makes of undefined scores.
    pub undefined: Undefined,
    /// The scores are explained.
    pub explained: bool,
}

impl OrganizationReport<'_> {
    /// The names of the measures, in the order of the columns of the scores.
    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let columns = self.systems.first().map(|system| system.scores.columns());
        columns.unwrap_or_default().iter().map(|column| column.name.as_str())
    }

    /// The mean of a measure over the topics of a system.
    fn mean(&self, system: &OrganizedSystem, measure: usize) -> Option<f64> {
        system.scores.summary_value(measure, self.undefined)
    }
}

/// What is known about one system.
#[derive(Debug)]
pub struct OrganizedSystem {
    /// Its name in tables.
    pub name: String,
    /// Its scores.
    pub scores: Scores,
    /// What was asked for besides, topic by topic.
    pub topics: Vec<(String, OrganizedTopic)>,
}

/// What was asked for besides the scores of a topic.
#[derive(Debug, Default)]
pub struct OrganizedTopic {
    /// The explanation, with the relations in words.
    pub differences: Option<Vec<Difference>>,
    /// Each document's relations, with the name of each document.
    pub documents: Option<(ByDocument, Documents)>,
    /// R and S of each kind of relation.
    pub relations: Option<Relations>,
}

/// A relation that only one side has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Which side has it.
    #[serde(skip)]
    pub fate: Fate,
    /// The relation in words.
    pub relation: String,
    /// What it weighs.
    pub weight: f64,
}

/// What became of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fate {
    /// The gold standard alone has it.
    Lost,
    /// The system alone has it.
    Invented,
}

choices! {
    Fate {
        Lost "lost",
        Invented "invented",
    }
}

impl Difference {
    /// The differences of an explanation, in words.
    pub fn of(explanation: &DifferingRelations, documents: &Documents) -> Vec<Difference> {
        let told = |fate: Fate, relations: &[Relation]| -> Vec<Difference> {
            let difference = |relation: &Relation| Difference {
                fate,
                relation: relation.describe(documents),
                weight: relation.weight,
            };
            relations.iter().map(difference).collect()
        };
        let mut all = told(Fate::Lost, &explanation.lost);
        all.extend(told(Fate::Invented, &explanation.invented));
        all
    }
}

impl Report for OrganizationReport<'_> {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        vec![match self.show {
            OrganizationTable::Scores => tables::wide(self),
            OrganizationTable::Documents => tables::documents(self, true),
            OrganizationTable::Mix => tables::mixtures(self),
        }]
    }

    fn rows(&self) -> Table {
        match self.show {
            OrganizationTable::Scores if self.explained => tables::differences(self),
            OrganizationTable::Scores => tables::long(self),
            OrganizationTable::Documents => tables::documents(self, false),
            OrganizationTable::Mix => tables::mixture_rows(self),
        }
    }

    fn document(&self, style: &Style) -> impl Serialize {
        document::document(self, style.places)
    }

    /// Explanations are sentences below the table of scores.
    fn own_form(&self, format: OutputFormat, style: &Style) -> Option<String> {
        let explained = self.explained && self.show == OrganizationTable::Scores;
        let Rendering::Tables(render) = format.form() else { return None };
        explained.then(|| render(&tables::wide(self), style) + &tables::sentences(self, style))
    }
}
