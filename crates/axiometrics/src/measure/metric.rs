//! A measure with its parameters: what a user names and the program computes.

use std::any::Any;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use super::def::{Cutoff, Def};
use super::params::{AVERAGE, Args, Param};
use super::{Aggregate, Declaration, Exact, Measure, Score, Structure, User};
use crate::data::{Hit, Hits, Judged, Needs, OwnedTopic};
use crate::error::{Error, Result};

/// A measure that a user defines: a file, a function of another language.
///
/// It describes itself as a registered measure does, and makes the measure from its parameters.
pub trait Own: Any + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// What it says about itself. `build` of this definition is never called.
    fn def(&self) -> Def<'_>;
    /// The parameters it declares.
    fn params(&self) -> Arc<[Param]>;
    /// Makes the measure.
    fn build(self: Arc<Self>, args: &Args) -> Result<Arc<dyn Measure>>;
    /// The rank below which it does not look, if there is one.
    fn depth(&self, args: &Args) -> Option<u32> {
        args.cutoff()
    }
}

/// Where a measure's definition comes from.
#[derive(Clone)]
enum DefinitionOrigin {
    Registry(&'static Def<'static>),
    Own(Arc<dyn Own>),
}

impl DefinitionOrigin {
    fn def(&self) -> Def<'_> {
        match self {
            DefinitionOrigin::Registry(def) => **def,
            DefinitionOrigin::Own(own) => own.def(),
        }
    }
}

/// A measure with its parameters. Two are equal if the same values are in force:
/// `RBP == RBP(p=0.8)`.
#[derive(Clone)]
pub struct Metric {
    origin: DefinitionOrigin,
    args: Args,
    judged_only: bool,
    measure: Arc<dyn Measure>,
    needs: Needs,
    declared: Arc<OwnedDeclaration>,
    /// The foreign spelling by which it was asked for.
    asked: Option<Arc<str>>,
    /// What others mean by that spelling.
    note: Option<&'static str>,
}

/// What a measure declares, but for what borrows from it.
struct OwnedDeclaration {
    aggregate: Aggregate,
    structure: Structure,
}

impl Metric {
    /// Makes a registered measure; the error names it.
    pub fn new(def: &'static Def<'static>, args: Args) -> Result<Metric> {
        Metric::build(DefinitionOrigin::Registry(def), args)
    }

    /// Makes a measure that a user defines, with its default parameters.
    pub fn own(own: Arc<dyn Own>) -> Result<Metric> {
        let args = Args::new(own.params());
        Metric::own_with(own, args)
    }

    /// Makes a measure that a user defines, with these parameters.
    pub fn own_with(own: Arc<dyn Own>, args: Args) -> Result<Metric> {
        Metric::build(DefinitionOrigin::Own(own), args)
    }

    fn build(origin: DefinitionOrigin, args: Args) -> Result<Metric> {
        let def = origin.def();
        match (def.cutoff, args.cutoff()) {
            (Cutoff::Required, None) => {
                return Err(Error::usage(format!("{} needs a cutoff", def.name))
                    .help(format!("write {}@10", def.name)));
            }
            (Cutoff::Never, Some(k)) => {
                return Err(Error::usage(format!("{} takes no cutoff", def.name))
                    .help(format!("write {} without @{k}", def.name)));
            }
            (Cutoff::Param(name), None) if args.value(name).is_none() => {
                return Err(Error::usage(format!("{} needs a {name}", def.name))
                    .help(format!("write {}@0.1", def.name)));
            }
            _ => {}
        }
        let measure: Arc<dyn Measure> = match &origin {
            DefinitionOrigin::Own(own) => own.clone().build(&args)?,
            DefinitionOrigin::Registry(def) => (def.build)(&args)?.into(),
        };
        let judged_only = args.flag("judged_only");
        let Declaration { needs, aggregate, structure, .. } = measure.declaration();
        let needs = if judged_only { needs.union(Needs::JUDGED) } else { needs };
        let aggregate = match args.average().and_then(Aggregate::named) {
            None => aggregate,
            Some(average) if aggregate == Aggregate::Mean => average,
            Some(_) => {
                return Err(Error::usage(format!("{} has a summary of its own", def.name))
                    .help("leave avg out"));
            }
        };
        let declared = Arc::new(OwnedDeclaration { aggregate, structure });
        Ok(Metric { origin, args, judged_only, measure, needs, declared, asked: None, note: None })
    }

    /// The same measure under the spelling by which it was asked for.
    pub(super) fn asked_as(self, asked: Option<&str>, note: Option<&'static str>) -> Metric {
        Metric { asked: asked.map(Arc::from), note, ..self }
    }

    /// The same measure under our own name.
    #[must_use]
    pub fn canonical(self) -> Metric {
        Metric { asked: None, ..self }
    }

    /// Its name for people: the spelling by which it was asked for, or its canonical text.
    pub fn title(&self) -> String {
        self.asked.as_deref().map_or_else(|| self.to_string(), str::to_string)
    }

    /// What else the spelling stands for elsewhere, if other tools disagree about it.
    pub fn note(&self) -> Option<&'static str> {
        self.note
    }

    /// What the measure says about itself.
    pub fn def(&self) -> Def<'_> {
        self.origin.def()
    }

    /// The definition in the registry; `None` for a measure that a user defines.
    pub fn registered(&self) -> Option<&'static Def<'static>> {
        match &self.origin {
            DefinitionOrigin::Registry(def) => Some(def),
            DefinitionOrigin::Own(_) => None,
        }
    }

    /// The user's own definition, if it is one of this type.
    pub fn own_as<T: Own>(&self) -> Option<&T> {
        match &self.origin {
            DefinitionOrigin::Registry(_) => None,
            DefinitionOrigin::Own(own) => (own.as_ref() as &dyn Any).downcast_ref(),
        }
    }

    /// Its parameters.
    pub fn args(&self) -> &Args {
        &self.args
    }

    /// The same measure at another depth. A measure that takes no rank as its cutoff is returned as
    /// it is.
    pub fn at(&self, k: u32) -> Result<Metric> {
        if matches!(self.def().cutoff, Cutoff::Never | Cutoff::Param(_)) {
            return Ok(self.clone());
        }
        let mut args = self.args.clone();
        args.set_cutoff(Some(k));
        Metric::build(self.origin.clone(), args)
    }

    /// The rank below which it does not look, if there is one.
    pub(crate) fn depth(&self) -> Option<u32> {
        match &self.origin {
            DefinitionOrigin::Registry(_) => self.args.cutoff(),
            DefinitionOrigin::Own(own) => own.depth(&self.args),
        }
    }

    /// What it reads of the judgements.
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// How topics are summarised.
    pub fn aggregate(&self) -> Aggregate {
        self.declared.aggregate.clone()
    }

    /// What the measure declares of its own formula.
    pub fn structure(&self) -> &Structure {
        &self.declared.structure
    }

    /// All that the measure declares of itself. It is made anew for each call.
    pub fn declaration(&self) -> Declaration<'_> {
        self.measure.declaration()
    }

    /// The user whom it models, if it models one. A condensed list has other ranks than the
    /// ranking.
    pub fn user(&self) -> Option<User<'_>> {
        if self.judged_only {
            return None;
        }
        let shape = || User::of_shape(self.declared.structure.shape?, self.args.cutoff());
        self.declaration().user.or_else(shape)
    }

    /// Unjudged documents are removed first.
    pub(crate) fn is_condensed(&self) -> bool {
        self.judged_only
    }

    /// The score of a topic whose documents are all judged: a condensed list of these is the list
    /// itself, so `judged_only` plays no part.
    pub(crate) fn score_complete(&self, topic: &Judged<'_>) -> Score {
        self.measure.score(&topic.narrowed(self.needs))
    }

    /// The score of one topic.
    pub fn score(&self, topic: &Judged<'_>) -> Score {
        self.score_narrowed(&topic.narrowed(self.needs))
    }

    /// The same, if what the metric does not need is hidden already: many metrics need the same.
    #[inline]
    pub(crate) fn score_narrowed(&self, topic: &Judged<'_>) -> Score {
        if self.judged_only {
            let (hits, retrieved) = condensed(topic);
            return self.measure.score(&Judged { hits: Hits::new(&hits), retrieved, ..*topic });
        }
        self.measure.score(topic)
    }

    /// Whether the maximum grade decides scores: then a document judged higher, anywhere, can change
    /// the score of a ranking that does not have it.
    pub fn scales_by_max_grade(&self) -> bool {
        let score = |grades: [f64; 2], max_grade: f64| {
            let topic = OwnedTopic::new(&grades.map(Some), &[]).with_max_grade(max_grade);
            self.score(&topic.view()).value().map(f64::to_bits)
        };
        [[1.0, 0.0], [2.0, 1.0], [0.0, 2.0]]
            .into_iter()
            .any(|grades| score(grades, 2.0) != score(grades, 4.0))
    }

    /// How much the topic weighs in a summary that is weighted; `None` if it has no weight.
    pub(crate) fn weight(&self, topic: &Judged<'_>) -> Option<f64> {
        self.measure.weight(&topic.narrowed(self.needs))
    }

    /// The score of one topic, exactly if the formula is rational.
    pub fn score_exact(&self, topic: &Judged<'_, Exact>) -> Score<Exact> {
        let topic = topic.narrowed(self.needs);
        if self.judged_only {
            let (hits, retrieved) = condensed(&topic);
            return self.measure.score_exact(&Judged {
                hits: Hits::new(&hits),
                retrieved,
                ..topic
            });
        }
        self.measure.score_exact(&topic)
    }
}

/// The hits of the condensed list, and how many there are: unjudged documents removed, the others
/// moved up.
pub fn condensed<N: super::Number>(topic: &Judged<'_, N>) -> (Vec<Hit<N>>, u32) {
    let judged = topic.hits.iter().filter(|h| h.grade >= N::zero());
    let hits: Vec<Hit<N>> = judged.zip(1..).map(|(h, rank)| Hit { rank, ..h.clone() }).collect();
    let retrieved = hits.len() as u32;
    (hits, retrieved)
}

impl PartialEq for Metric {
    fn eq(&self, other: &Metric) -> bool {
        let same = match (&self.origin, &other.origin) {
            (DefinitionOrigin::Registry(a), DefinitionOrigin::Registry(b)) => std::ptr::eq(*a, *b),
            (DefinitionOrigin::Own(a), DefinitionOrigin::Own(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        same && self.args == other.args
    }
}

/// The canonical text: the parameters that the user gave, then the cutoff.
impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let def = self.def();
        f.write_str(def.name)?;
        let mut separator = "(";
        let mut after_at = None;
        for (name, value) in self.args.given() {
            if matches!(def.cutoff, Cutoff::Param(param) if param == name) {
                after_at = Some(value);
                continue;
            }
            write!(f, "{separator}{name}={value}")?;
            separator = ",";
        }
        if let Some(average) = self.args.average() {
            write!(f, "{separator}{AVERAGE}={average}")?;
            separator = ",";
        }
        if separator == "," {
            f.write_str(")")?;
        }
        if let Some(value) = after_at {
            write!(f, "@{value}")?;
        }
        if let Some(k) = self.args.cutoff() {
            write!(f, "@{k}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Metric({self})")
    }
}

impl std::str::FromStr for Metric {
    type Err = Error;

    /// Reads one measure; a spelling that stands for several is an error here.
    fn from_str(text: &str) -> Result<Metric> {
        let mut all = super::parse(text)?;
        match all.len() {
            1 => Ok(all.remove(0)),
            n => Err(Error::usage(format!("\"{text}\" stands for {n} measures, expected one"))),
        }
    }
}
