//! The scores of documents by a metric from a file.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Agg, Component, Empty, PerDocument, Scale, form};
use crate::data::{Facet, Judged, Needs};
use crate::expression::Docs;
use crate::expression::machine::Machine;
use crate::measure::structure::Structure;
use crate::measure::{Aggregate, Declaration, Formula, NO_RELEVANT, Number, Score};

/// A metric from a file with its parameters.
#[derive(Debug, Clone)]
pub(crate) struct ComponentMeasure<'c> {
    pub(super) component: &'c Component,
    pub(super) params: Cow<'c, [f64]>,
}

/// The same as a measure that keeps its file.
pub(super) struct FileMeasure {
    pub(super) component: Arc<Component>,
    pub(super) params: Vec<f64>,
    /// Documents without gain can change the score.
    pub(super) dense: bool,
}

/// The longest rankings that are scored again without rounding, at hundreds of times the cost.
const MOST_EXACT: usize = 1000;
/// The most steps of such a score.
const MOST_STEPS: f64 = 3e5;

const DIVIDES_BY_ZERO: &str = "the expression divides by zero or takes the logarithm of zero";

impl Component {
    /// Whether so many documents can be scored without rounding in the time that people have.
    fn is_exact(&self, documents: usize) -> bool {
        let steps = (documents as f64).powf(f64::from(self.nesting()));
        documents <= MOST_EXACT && steps <= MOST_STEPS
    }
}

impl ComponentMeasure<'_> {
    fn numbers<N: Number>(&self) -> Vec<N> {
        self.params
            .iter()
            .map(|x| if x.is_finite() { N::decimal(*x) } else { N::infinity() })
            .collect()
    }

    /// The score of these documents.
    pub(crate) fn score_docs<N: Number>(&self, docs: &mut Docs<N>) -> Score<N> {
        let component = self.component;
        if component.ideal {
            docs.rank_ideally();
        }
        let params = self.numbers();
        let mut machine = Machine::new(&component.program, docs, &params);
        let empty = match &component.per_document {
            Some(PerDocument { over, empty, .. }) => {
                empty.filter(|_| machine.set(*over).is_empty())
            }
            None => None,
        };
        let value = match empty {
            None => machine.value(&component.score),
            Some(Empty::One) => N::one(),
            Some(Empty::Zero | Empty::Undefined) => N::zero(),
        };
        // What rounding may have decided is decided without it, unless that would take too long.
        if machine.doubtful() && component.is_exact(docs.len()) {
            return match self.score_docs(&mut docs.exactly()) {
                Score::Value(value) => Score::Value(N::decimal(value.to_f64())),
                Score::Undefined(why) => Score::Undefined(why),
            };
        }
        if empty == Some(Empty::Undefined) {
            Score::Undefined(NO_RELEVANT)
        } else if machine.undefined() || !value.to_f64().is_finite() {
            Score::Undefined(DIVIDES_BY_ZERO)
        } else {
            Score::Value(value)
        }
    }

    /// How much these documents weigh as a topic; `None` if that is no number of at least 0.
    pub(crate) fn weight<N: Number>(&self, docs: &mut Docs<N>) -> Option<f64> {
        let component = self.component;
        let Some(code) = &component.weight else { return Some(1.0) };
        if component.ideal {
            docs.rank_ideally();
        }
        let params = self.numbers();
        let mut machine = Machine::new(&component.program, docs, &params);
        let weight = machine.value(code).to_f64();
        (!machine.undefined() && weight.is_finite() && weight >= 0.0).then_some(weight)
    }

    /// The similarity of each document, if the metric has one.
    pub(crate) fn similarities<N: Number>(&self, docs: &mut Docs<N>) -> Option<Vec<N>> {
        let component = self.component;
        let code = component.sim.as_ref()?;
        if component.ideal {
            docs.rank_ideally();
        }
        let params = self.numbers();
        let mut machine = Machine::new(&component.program, docs, &params);
        Some((0..docs.len() as u32).map(|d| machine.value_of(code, d)).collect())
    }

    /// The term of each document, `None` for one that is not averaged over; with what they are
    /// divided by.
    pub(crate) fn terms(&self, docs: &mut Docs<f64>) -> Option<(Vec<Option<f64>>, Option<f64>)> {
        let p = self.component.per_document.as_ref()?;
        if self.component.ideal {
            docs.rank_ideally();
        }
        let params = self.numbers();
        let mut machine = Machine::new(&self.component.program, docs, &params);
        let norm = p.norm.as_ref().map(|code| machine.value(code));
        let members = machine.set(p.over);
        let is_member = |d: u32| members.binary_search(&d).is_ok();
        let one = |d: u32| is_member(d).then(|| machine.value_of(&p.summand, d));
        Some(((0..docs.len() as u32).map(one).collect(), norm))
    }

    /// What each document adds to the score, if that is a sum over documents.
    pub(crate) fn contributions<N: Number>(&self, docs: &mut Docs<N>) -> Option<Vec<N>> {
        let component = self.component;
        let p =
            component.per_document.as_ref().filter(|p| matches!(p.agg, Agg::Sum | Agg::Mean))?;
        if component.ideal {
            docs.rank_ideally();
        }
        let params = self.numbers();
        let mut machine = Machine::new(&component.program, docs, &params);
        let norm = match &p.norm {
            Some(code) => machine.value(code),
            None => N::one(),
        };
        let members = machine.set(p.over);
        let one = |d: u32| {
            if members.binary_search(&d).is_ok() {
                machine.value_of(&p.summand, d) / norm.clone()
            } else {
                N::zero()
            }
        };
        let all = (0..docs.len() as u32).map(one).collect();
        (!norm.is_zero()).then_some(all)
    }
}

impl Formula for FileMeasure {
    fn declaration(&self) -> Declaration<'_> {
        let component = &self.component;
        let reads_scores = component.sigma().reads_scores();
        let exempt =
            reads_scores.then_some("it reads the scores of a run, and a ranking of gains has none");
        Declaration {
            aggregate: Aggregate::Own(component.average.clone()),
            structure: Structure {
                form: form::of(component, &self.params),
                exempt,
                ..Structure::default()
            },
            ..Declaration::new(Needs {
                judged: self.dense,
                facet: match component.alpha().scale {
                    // Several judges, of whom none alone has the order.
                    Scale::Partial => Facet::Iteration,
                    _ => Facet::None,
                },
                scores: reads_scores || component.sigma().shares_ranks(),
            })
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let component = self.component.as_ref();
        match Docs::of_topic(topic, component.alpha(), component.sigma(), self.dense) {
            Ok(mut docs) => {
                let params = Cow::Borrowed(self.params.as_slice());
                ComponentMeasure { component, params }.score_docs(&mut docs)
            }
            Err(why) => Score::Undefined(why),
        }
    }

    fn weight(&self, topic: &Judged<'_, f64>) -> Option<f64> {
        let component = self.component.as_ref();
        let docs = Docs::of_topic(topic, component.alpha(), component.sigma(), self.dense);
        let params = Cow::Borrowed(self.params.as_slice());
        ComponentMeasure { component, params }.weight(&mut docs.ok()?)
    }
}
