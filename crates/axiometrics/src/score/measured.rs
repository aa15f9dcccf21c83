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

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(name: &str) -> Metric {
        name.parse().unwrap()
    }

    #[test]
    fn a_measure_of_rankings_tells_its_range_and_its_summary() {
        assert_eq!(Measured::bounds(&metric("AP")), Some((0.0, 1.0)));
        assert_eq!(Measured::bounds(&metric("DCG")), None);
        assert_eq!(Measured::aggregate(&metric("AP")), Aggregate::Mean);
        assert_eq!(Measured::aggregate(&metric("GMAP")), Aggregate::GeometricMean);
        assert_eq!(Measured::name(&metric("P@5")), "P@5");
        assert!(Measured::definition(&metric("RR")).contains("rank"));
        assert!(!Measured::lower_is_better(&metric("AP")));
        assert_eq!(Measured::metric(&metric("AP")), Some(&metric("AP")));
    }

    /// Grades 2, 1 and 0 in topic 1, only 0 in topic 2.
    #[test]
    fn a_topic_is_without_relevant_documents_at_the_threshold_of_the_measure() {
        let qrels = Qrels::from_columns(
            &["1", "1", "1", "2"],
            &["a", "b", "c", "a"],
            &[2.0, 1.0, 0.0, 0.0],
        )
        .unwrap();
        let [one, two] = [b"1", b"2"].map(|topic| qrels.find(topic).unwrap());
        for (name, first) in
            [("AP", false), ("AP(rel=2)", false), ("AP(rel=3)", true), ("nDCG", false)]
        {
            let metric = metric(name);
            assert_eq!(metric.without_relevant(&qrels, one), first, "{name}");
            assert!(metric.without_relevant(&qrels, two), "{name}");
        }
        // Nobody knows what a column of a table counts as relevant.
        assert!(!NamedMeasure::new("mine").without_relevant(&qrels, two));
    }

    /// Of a column of a table the name tells what is known, also if it comes as a metric.
    #[test]
    fn a_column_of_a_table_is_known_by_its_name() {
        for (name, lower) in [("entropy", true), ("purity", false), ("mine", false)] {
            let named = NamedMeasure::new(name);
            assert_eq!(Measured::name(&named), name);
            assert_eq!(Measured::definition(&named).is_empty(), name == "mine");
            assert_eq!(Measured::lower_is_better(&named), lower);
            assert_eq!(Measured::bounds(&named), None);
            assert_eq!(Measured::aggregate(&named), Aggregate::Mean);
            assert!(Measured::metric(&named).is_none());
            let metric = Metric::own(Arc::new(named.clone())).unwrap();
            assert_eq!(Measured::name(&metric), name);
            assert_eq!(metric.def().definition, Measured::definition(&named));
            assert_eq!(Measured::lower_is_better(&metric), lower);
            assert!(Measured::metric(&metric).is_none());
        }
    }
}
