//! What comparing scores asks of a measure, whoever computed the scores.

use std::sync::Arc;

use crate::data::Qrels;
use crate::error::Result;
use crate::measure::{Aggregate, Args, Def, Elsewhere, Measure, Metric, Own, Param};
use crate::organization::{self, Better};

/// A measure whose scores are compared.
pub trait Measured: Sync {
    /// Its name in tables.
    fn name(&self) -> String;

    /// What it computes, in words; empty if nobody knows.
    fn definition(&self) -> String;

    /// The ends of its range, if it has both.
    fn bounds(&self) -> Option<(f64, f64)> {
        None
    }

    /// What an evaluation makes of the scores of all topics.
    fn aggregate(&self) -> Aggregate {
        Aggregate::Mean
    }

    /// True if a small score is a good one.
    fn lower_is_better(&self) -> bool {
        false
    }

    /// True if the topic has nothing that the measure could count as relevant, so that no system is
    /// better than another.
    fn without_relevant(&self, _qrels: &Qrels, _topic: u32) -> bool {
        false
    }

    /// The measure itself, if it is one of rankings that can be computed here.
    fn metric(&self) -> Option<&Metric> {
        None
    }
}

impl Measured for Metric {
    fn name(&self) -> String {
        self.to_string()
    }

    fn definition(&self) -> String {
        crate::component::definition_of(self)
    }

    fn bounds(&self) -> Option<(f64, f64)> {
        self.def().range.bounds()
    }

    fn aggregate(&self) -> Aggregate {
        Metric::aggregate(self)
    }

    /// R = 0 at the grade from which the measure counts a document as relevant.
    fn without_relevant(&self, qrels: &Qrels, topic: u32) -> bool {
        let grades = qrels.grades(topic);
        let rel = self.args().optional("rel");
        rel.map_or(grades.positive.is_empty(), |rel| grades.relevant(&rel) == 0)
    }

    fn lower_is_better(&self) -> bool {
        self.own_as::<NamedMeasure>().is_some_and(|named| named.lower_is_better)
    }

    fn metric(&self) -> Option<&Metric> {
        Some(self).filter(|metric| metric.own_as::<NamedMeasure>().is_none())
    }
}

/// A column of a table of scores: a measure that is known by its name at most.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedMeasure {
    name: String,
    definition: &'static str,
    lower_is_better: bool,
}

impl NamedMeasure {
    /// What is known about a measure of this name: of one of organizations its definition and which
    /// end of its range is good, of any other nothing.
    pub fn new(name: impl Into<String>) -> NamedMeasure {
        let name = name.into();
        match organization::measure(&name).map(|measure| measure.definition()) {
            Some(known) => NamedMeasure {
                name,
                definition: known.definition,
                lower_is_better: known.better == Better::Lower,
            },
            None => NamedMeasure { name, definition: "", lower_is_better: false },
        }
    }
}

/// For who asks for metrics: one whose scores are known already.
impl Own for NamedMeasure {
    fn def(&self) -> Def<'_> {
        Def { definition: self.definition, ..Def::own(&self.name, &self.name) }
    }

    fn params(&self) -> Arc<[Param]> {
        Arc::from([])
    }

    fn build(self: Arc<Self>, _: &Args) -> Result<Arc<dyn Measure>> {
        Ok(Arc::new(Elsewhere::new("a table has its scores, and nobody knows its formula")))
    }
}

impl Measured for NamedMeasure {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn definition(&self) -> String {
        self.definition.to_string()
    }

    fn lower_is_better(&self) -> bool {
        self.lower_is_better
    }
}
