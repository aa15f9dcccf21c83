//! Metrics from files: a formula, or the five components of Maddalena and Mizzaro (2014), as TOML
//! with small expressions.
//!
//! Owns the scales, the expression language and what a file says. Does not own the file system:
//! [`read_component`] asks [`crate::io`] for the text.
//!
//! ```
//! use axiometrics::component::Component;
//! use axiometrics::measure::Metric;
//! let file = Component::parse("rr.toml", "score = \"max(d in Rel : 1 / pos(d))\"")?;
//! let metric = Metric::own(file)?;
//! let topic = axiometrics::data::OwnedTopic::new(&[Some(0.0), Some(1.0)], &[]);
//! assert_eq!(metric.score(&topic.view()).value(), Some(0.5));
//! assert!(Component::parse("rr.toml", "score = \"max(d in Rel : 1 / pos(e))\"").is_err());
//! # Ok::<(), axiometrics::Error>(())
//! ```

mod average;
mod bounds;
mod documents;
mod file;
mod form;
mod organized;
mod print;
mod scoring;
mod shipped;
mod sparse;
#[cfg(test)]
mod tests;
mod toml;

pub use crate::expression::{Definable, Measurement, Scale};
pub use average::Average;
pub(crate) use organized::of_organizations;
pub use shipped::{not_expressed, shipped, shipped_names, standing_for};

use std::borrow::Cow;
use std::sync::Arc;

use crate::choice::{Choice, choices};
use crate::error::{Error, Result};
use crate::expression::compile::Language;
use crate::expression::program::{self, Code, Program};
use crate::expression::syntax::{Expr, Node, Op};
use crate::measure::{Args, Cutoff, Def, Measure, Metric, Own, Param, Span};
use documents::{chosen, term_over, whole_score};
pub(crate) use scoring::ComponentMeasure;
use scoring::FileMeasure;

/// A metric as a file describes it, compiled.
#[derive(Debug)]
pub struct Component {
    name: String,
    title: String,
    about: Option<String>,
    /// The file, printed back.
    printed: String,
    params: Arc<[Param]>,
    language: Language,
    defaults: Vec<f64>,
    cutoff: Option<String>,
    source: ScoreSource,
    average: Arc<Average>,
    average_source: AverageSource,
    program: Program,
    score: Code,
    /// How much a topic weighs in the average over topics, if they do not all weigh the same.
    weight: Option<Code>,
    sim: Option<Code>,
    per_document: Option<PerDocument>,
    ideal: bool,
    gains: Vec<f64>,
    range: Option<(f64, f64)>,
    needs_cutoff: bool,
}

/// How documents become a topic's score, as it was written.
#[derive(Debug, Clone)]
enum ScoreSource {
    /// One expression: a formula file, or `avgD.expr`.
    Whole { formula: bool, score: Node },
    Average {
        over: String,
        filter: Option<Node>,
        agg: Agg,
        term: Option<Node>,
        norm: Option<Node>,
        empty: Empty,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Agg {
    Sum,
    Mean,
    Min,
    Max,
}

choices! {
    Agg {
        Sum "sum",
        Mean "mean",
        Min "min",
        Max "max",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Empty {
    Undefined,
    Zero,
    One,
}

choices! {
    Empty {
        Undefined "undefined",
        Zero "zero",
        One "one",
    }
}

/// The average over topics as it was written, for printing.
#[derive(Debug, Clone, Default)]
struct AverageSource {
    agg: Option<String>,
    floor: Option<f64>,
    f: Option<Node>,
    back: Option<Node>,
    weight: Option<Node>,
    sim_builtin: Option<String>,
}

/// What one document adds, for a score that is a sum over documents.
#[derive(Debug)]
struct PerDocument {
    over: usize,
    /// The summand, 0 for a document that the filter leaves out.
    summand: Code,
    norm: Option<Code>,
    agg: Agg,
    /// What a score over no document is, if the file says so.
    empty: Option<Empty>,
}

impl Component {
    /// Reads a file's text; `path` is its name, for messages and for the metric's own.
    pub fn parse(path: &str, text: &str) -> Result<Arc<Component>> {
        Ok(Arc::new(file::read(path, text)?))
    }

    /// The file that describes a metric, if there is one.
    pub fn of(metric: &Metric) -> Option<&Component> {
        metric.own_as()
    }

    /// The word for how terms become the score, if it is made of terms.
    pub(crate) fn agg(&self) -> Option<&'static str> {
        self.per_document.as_ref().map(|p| p.agg.name())
    }

    /// True if the score is a sum of terms, or their mean.
    pub(crate) fn is_sum(&self) -> bool {
        self.per_document.as_ref().is_some_and(|p| matches!(p.agg, Agg::Sum | Agg::Mean))
    }

    /// The assessor's scale.
    pub fn alpha(&self) -> &Measurement {
        &self.language.alpha
    }

    /// The system's scale.
    pub fn sigma(&self) -> &Measurement {
        &self.language.sigma
    }

    /// How topics are averaged.
    pub fn average(&self) -> &Average {
        &self.average
    }

    /// True if the metric has a similarity.
    pub fn has_similarity(&self) -> bool {
        self.sim.is_some()
    }

    /// True where it asks for places in the ideal ranking, in which documents of equal gain stand
    /// in the order of the file.
    pub(crate) fn reads_ideal(&self) -> bool {
        self.ideal
    }

    /// True where the similarity depends on nothing but the document's own alpha and sigma.
    pub(crate) fn similarity_is_pointwise(&self) -> bool {
        let own = |step: &program::ProgramStep| {
            use program::{Field, ProgramStep};
            !matches!(
                step,
                ProgramStep::Over(_)
                    | ProgramStep::Relevant
                    | ProgramStep::TopGrade
                    | ProgramStep::Read(Field::Pos | Field::Gain | Field::Ideal | Field::Judged, _)
            ) || (matches!(step, ProgramStep::Read(Field::Pos, _))
                && self.language.sigma.scale.is_order())
        };
        self.sim.as_ref().is_some_and(|code| code.iter().all(own))
    }

    /// True if the score is a sum of terms, each of its own document's alpha and sigma, over a norm
    /// of the alphas alone that is never negative, and nothing lifts it. So a set's order of two systems is that of their
    /// sums, and sums of disjoint sets add up.
    pub(crate) fn is_pointwise_sum(&self, args: &Args) -> bool {
        let Some(p) = &self.per_document else { return false };
        let sum = matches!(p.agg, Agg::Sum | Agg::Mean);
        // Which documents are summed must not depend on who else is there, nor on the system.
        let members = self.program.sets[p.over].as_ref();
        let apart = members.is_none_or(|code| self.is_pointwise(code) && self.of_alpha(code));
        sum && apart
            && self.average.keeps_order()
            && self.is_pointwise(&p.summand)
            && self.norm_is_of_alpha(p)
            && (p.agg == Agg::Mean || self.norm().is_none_or(|n| self.names(args).of(n).low >= 0.0))
    }

    /// True if code reads nothing but the document's own alpha and sigma.
    fn is_pointwise(&self, code: &Code) -> bool {
        use program::{Field, ProgramStep};
        code.iter().all(|step| match step {
            ProgramStep::Over(_)
            | ProgramStep::Related(..)
            | ProgramStep::Relevant
            | ProgramStep::Read(Field::Ideal | Field::Judged, _) => false,
            ProgramStep::Read(Field::Pos, _) => self.language.sigma.scale.is_order(),
            _ => true,
        })
    }

    /// Whether the set that is averaged over, and the norm, are the same for every system.
    fn norm_is_of_alpha(&self, p: &PerDocument) -> bool {
        let over = self.program.sets[p.over].as_ref().is_none_or(|code| self.of_alpha(code));
        over && p.norm.as_ref().is_none_or(|code| self.of_alpha(code))
    }

    /// What a sum over documents is divided by, as it was written.
    fn norm(&self) -> Option<&Node> {
        match &self.source {
            ScoreSource::Average { norm, .. } => norm.as_ref(),
            ScoreSource::Whole { score, .. } => match &score.expr {
                Expr::Binary(Op::Divide, _, norm) => Some(norm),
                _ => None,
            },
        }
    }

    /// What names stand for with these parameters.
    fn names(&self, args: &Args) -> bounds::NameMeanings<'_> {
        let params = self.language.params.iter().map(String::as_str);
        let values = self.values(args).into_iter().map(|x| bounds::ValueBounds::new(x, x));
        let params = params.zip(values).collect();
        bounds::NameMeanings { file: Some(self), params, endless: false }
    }

    /// The constants between which every score lies, whatever the collection, if the formula shows
    /// that.
    pub(crate) fn score_bounds(&self, args: &Args) -> Option<(f64, f64)> {
        let names = bounds::NameMeanings { endless: true, ..self.names(args) };
        let of = names.of(&whole_score(&self.language, &self.source));
        let (mut low, mut high) = (of.low, of.high);
        if let Some(empty) = self.per_document.as_ref().and_then(|p| p.empty) {
            let value = match empty {
                Empty::Zero => Some(0.0),
                Empty::One => Some(1.0),
                Empty::Undefined => None,
            };
            (low, high) = value.map_or((low, high), |x: f64| (low.min(x), high.max(x)));
        }
        (low.is_finite() && high.is_finite()).then_some((low, high))
    }

    /// Whether code reads nothing of the system. Places in the ideal ranking do not depend on it as
    /// long as documents of equal gain are alike.
    fn of_alpha(&self, code: &Code) -> bool {
        use program::{Field, ProgramStep};
        let gains = &self.language.alpha.gain;
        let alike = gains.iter().enumerate().all(|(i, g)| !gains[..i].contains(g));
        let field_is_of_alpha = |field: Field| match field {
            Field::Sigma | Field::Pos => false,
            Field::Ideal => alike,
            _ => true,
        };
        code.iter().all(|step| match step {
            ProgramStep::Read(field, _) => field_is_of_alpha(*field),
            ProgramStep::Related(relation, ..) => relation.is_of_assessor(),
            ProgramStep::Over(i) => {
                let over = &self.program.overs[*i];
                let compared = match over.plan {
                    program::Plan::Running(c) => [c.key, c.with].into_iter().all(field_is_of_alpha),
                    _ => true,
                };
                compared
                    && [&self.program.sets[over.set], &over.filter, &over.body]
                        .into_iter()
                        .flatten()
                        .all(|c| self.of_alpha(c))
            }
            _ => true,
        })
    }

    /// Whether a topic has a score depends on the alphas alone: every term has a value, whatever
    /// the system, and so has the rest unless the assessor is the reason.
    pub(crate) fn is_defined_by_alpha(&self, args: &Args) -> bool {
        let names = self.names(args);
        let Some(p) = &self.per_document else {
            return names.of(&whole_score(&self.language, &self.source)).is_finite();
        };
        let sum = matches!(p.agg, Agg::Sum | Agg::Mean);
        let term = match &self.source {
            ScoreSource::Average { over, filter, term, .. } => {
                names.of(&chosen(filter.as_ref(), term_over(&self.language, over, term.as_ref())))
            }
            // The whole is a sum, or a sum over a norm.
            ScoreSource::Whole { score, .. } => match &score.expr {
                Expr::Binary(Op::Divide, sum, _) => names.of(sum),
                _ => names.of(score),
            },
        };
        sum && term.is_finite() && self.norm_is_of_alpha(p)
    }

    /// True if the assessor alone decides how much a topic weighs.
    pub(crate) fn is_weighted_by_alpha(&self) -> bool {
        self.weight.as_ref().is_none_or(|code| self.of_alpha(code))
    }

    /// The numbers that its expressions speak of: what is apart may lie at one of them.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let constants = self.program.constants.iter().chain(&self.defaults);
        constants.copied().filter(|x| x.is_finite())
    }

    /// The gains above 0 that it is written over, ascending, if the file says so.
    pub fn gains(&self) -> &[f64] {
        &self.gains
    }

    /// The lowest and the highest score, if the file says so.
    pub fn range(&self) -> Option<(f64, f64)> {
        self.range
    }

    /// To the power of this a score's cost grows with the number of documents.
    pub(crate) fn nesting(&self) -> u32 {
        self.program.nesting(&self.score)
    }

    /// The metric with these parameters.
    pub(crate) fn measure(&self, args: &Args) -> ComponentMeasure<'_> {
        ComponentMeasure { component: self, params: Cow::Owned(self.values(args)) }
    }

    /// The parameters in force.
    fn values(&self, args: &Args) -> Vec<f64> {
        let value = |(name, default): (&String, &f64)| match &self.cutoff {
            Some(cutoff) if cutoff == name => args.cutoff().map_or(*default, f64::from),
            _ => args.optional(name).unwrap_or(*default),
        };
        self.language.params.iter().zip(&self.defaults).map(value).collect()
    }
}

impl Own for Component {
    fn def(&self) -> Def<'_> {
        Def {
            family: "component",
            params: &self.params,
            cutoff: match &self.cutoff {
                Some(_) if self.needs_cutoff => Cutoff::Required,
                Some(_) => Cutoff::Optional,
                None => Cutoff::Never,
            },
            definition: &self.printed,
            range: Span::Words(
                "what its expressions give; a check decides whether they are bounded",
            ),
            undefined: "an expression divides by zero, or the file says so",
            user_model: self.about.as_deref().unwrap_or("what the file says"),
            references: &[
                "Maddalena and Mizzaro 2014, Axiometrics: Axioms of Information Retrieval Effectiveness Metrics",
            ],
            ..Def::own(&self.name, &self.title)
        }
    }

    fn params(&self) -> Arc<[Param]> {
        self.params.clone()
    }

    fn build(self: Arc<Self>, args: &Args) -> Result<Arc<dyn Measure>> {
        let params = self.values(args);
        let dense = sparse::is_dense(&self, &self.names(args));
        Ok(Arc::new(FileMeasure { component: self, params, dense }))
    }

    fn depth(&self, args: &Args) -> Option<u32> {
        let at = self.language.params.iter().position(|name| Some(name) == self.cutoff.as_ref())?;
        self.values(args).get(at).filter(|k| (1.0..1e9).contains(*k)).map(|k| *k as u32)
    }
}

/// The definition of a metric in one paragraph: of a file, how it averages.
pub fn definition_of(metric: &Metric) -> String {
    match Component::of(metric) {
        Some(file) => file.in_short(),
        None => metric.def().definition.to_string(),
    }
}

/// A metric's file is a page, not a data set.
const LARGEST: u64 = 1 << 20;

/// The metric that a file describes: a formula, or components. What does not end in `.toml` is the
/// name of a file that comes with the program.
pub fn read_component(path: &str) -> Result<Arc<dyn Own>> {
    if !path.ends_with(".toml") {
        let known = || shipped_names().collect::<Vec<_>>().join(", ");
        return match shipped(path) {
            Some(file) => Ok(file),
            None => Err(Error::usage(format!("no file \"{path}\", expected one of {}", known()))),
        };
    }
    let text = crate::io::read_text(path, LARGEST, "the description of a metric")?;
    Ok(Component::parse(path, &text)?)
}
