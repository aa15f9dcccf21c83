//! What a method of fusion says about itself, and how it is applied to runs.

use std::collections::HashSet;

use super::learned::Learned;
use super::methods;
use super::normalize::Normalization;
use super::topic::Topic;
use crate::data::{Qrels, Run, by_id, by_score};
use crate::error::{Error, Result};
use crate::policy::Ties;

/// What a method learns of one run.
type Learn = fn(&Qrels, &Run, &MethodSettings<'_>) -> Result<Vec<f64>>;

/// A method of fusion.
#[derive(Debug)]
pub struct FusionDef {
    /// Its name.
    pub name: &'static str,
    /// What the name stands for.
    pub title: &'static str,
    /// The score of a document.
    pub definition: &'static str,
    /// Its parameters.
    pub params: &'static [FusionParam],
    /// True if each run has a weight.
    pub weighted: bool,
    /// Where it comes from.
    pub reference: &'static str,
    /// Combines the rankings of a topic into a score for each document.
    pub(super) combine: fn(&Topic<'_>, &MethodSettings<'_>) -> Vec<f64>,
    /// What it learns of each run from judgements before it can be used.
    pub(super) learn: Option<Learn>,
}

/// A parameter of a method.
#[derive(Debug)]
pub struct FusionParam {
    /// Its name.
    pub name: &'static str,
    /// Its value if none is given; `None` if one must be.
    pub default: Option<f64>,
    /// The lowest and the highest value that has a meaning.
    pub range: (f64, f64),
    /// True if it is a whole number.
    pub whole: bool,
    /// What it means.
    pub about: &'static str,
}

/// What a method is given beside the rankings.
#[derive(Debug)]
pub(super) struct MethodSettings<'s> {
    def: &'static FusionDef,
    values: &'s [f64],
    weights: &'s [f64],
    pub(super) learned: &'s [Vec<f64>],
}

impl MethodSettings<'_> {
    /// The value of a parameter.
    pub(super) fn get(&self, name: &str) -> f64 {
        let at = self.def.params.iter().position(|param| param.name == name);
        at.and_then(|at| self.values.get(at)).copied().unwrap_or(0.0)
    }

    /// The weight of a run.
    pub(super) fn weight(&self, run: usize) -> f64 {
        self.weights.get(run).copied().unwrap_or(1.0)
    }

    /// What was learned of a run.
    pub(super) fn learned(&self, run: usize) -> &[f64] {
        self.learned.get(run).map_or(&[], Vec::as_slice)
    }
}

impl FusionDef {
    /// True if it learns from judgements before it can be used.
    pub fn is_trained(&self) -> bool {
        self.learn.is_some()
    }
}

/// A method with its parameters, and what is done before and after it.
#[derive(Debug, Clone)]
pub struct Fusion {
    def: &'static FusionDef,
    values: Vec<f64>,
    weights: Vec<f64>,
    learned: Option<Learned>,
    /// The scale on which scores are combined.
    pub normalization: Normalization,
    /// The order of equal scores in the runs.
    pub ties: Ties,
    /// Rankings of the result end here.
    pub depth: Option<usize>,
}

impl Fusion {
    /// A method by its name, with parameters in brackets: `rrf`, `rrf(k=20)`.
    pub fn named(text: &str) -> Result<Fusion> {
        let (name, given) = match text.trim().split_once('(') {
            None => (text.trim(), ""),
            Some((name, rest)) => {
                let given = rest.strip_suffix(')').ok_or_else(|| {
                    Error::usage(format!("found \"{text}\", expected a bracket at its end"))
                })?;
                (name.trim(), given)
            }
        };
        let def = find(name)?;
        let mut values: Vec<Option<f64>> = def.params.iter().map(|param| param.default).collect();
        for pair in given.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (key, number) = pair.split_once('=').ok_or_else(|| {
                Error::usage(format!("found \"{pair}\" in \"{text}\", expected name=number"))
            })?;
            let key = key.trim();
            let at = def.params.iter().position(|param| param.name == key);
            let Some(at) = at else {
                return Err(Error::usage(format!("{name} has no parameter \"{key}\""))
                    .help(def.params_text()));
            };
            values[at] = Some(def.params[at].checked(name, number.trim())?);
        }
        let missing = def.params.iter().zip(&values).find(|(_, value)| value.is_none());
        if let Some((param, _)) = missing {
            return Err(Error::usage(format!("{name} needs a value of {}", param.name))
                .help(format!("for example {name}({}={})", param.name, param.range.1)));
        }
        Ok(Fusion {
            def,
            values: values.into_iter().flatten().collect(),
            weights: Vec::new(),
            learned: None,
            normalization: Normalization::MinMax,
            ties: Ties::default(),
            depth: None,
        })
    }

    /// What the method says about itself.
    pub fn def(&self) -> &'static FusionDef {
        self.def
    }

    /// The same on another scale.
    #[must_use]
    pub fn on_scale(self, normalization: Normalization) -> Fusion {
        Fusion { normalization, ..self }
    }

    /// The same with a weight for each run.
    #[must_use]
    pub fn with_weights(self, weights: impl Into<Vec<f64>>) -> Fusion {
        Fusion { weights: weights.into(), ..self }
    }

    /// The same with what was learned before.
    #[must_use]
    pub fn with_learned(self, learned: Learned) -> Fusion {
        Fusion { learned: Some(learned), ..self }
    }

    /// Learns from judged runs, which stand in the order in which runs will be fused.
    pub fn learn(&self, qrels: &Qrels, runs: &[&Run]) -> Result<Learned> {
        let Some(learn) = self.def.learn else {
            let name = self.def.name;
            return Err(Error::usage(format!("{name} has nothing to learn from judgements")));
        };
        let settings = self.settings(&[]);
        let each = runs.iter().map(|run| learn(qrels, run, &settings));
        Ok(Learned(each.collect::<Result<_>>()?))
    }

    fn settings<'s>(&'s self, learned: &'s [Vec<f64>]) -> MethodSettings<'s> {
        MethodSettings { def: self.def, values: &self.values, weights: &self.weights, learned }
    }

    /// One run out of several. It has the topics of all, in the order in which they are met.
    pub fn fuse(&self, runs: &[&Run]) -> Result<Run> {
        self.check(runs)?;
        let learned = self.learned.as_ref().map_or(&[][..], |learned| &learned.0);
        let settings = self.settings(learned);
        let mut fused = Run::builder().named(self.def.name);
        let mut met = HashSet::new();
        for name in runs.iter().flat_map(|run| run.topics().map(|topic| run.topic_bytes(topic))) {
            if !met.insert(name) {
                continue;
            }
            let topic = self.normalization.apply(Topic::of(name, runs, self.ties));
            let scores = (self.def.combine)(&topic, &settings);
            let mut ranking: Vec<(&[u8], f64)> =
                topic.documents.iter().copied().zip(scores).collect();
            if let Some(depth) = self.depth {
                ranking.sort_by(|a, b| by_score(a.1, b.1).then_with(|| by_id(self.ties, a.0, b.0)));
                ranking.truncate(depth);
            }
            for (document, score) in ranking {
                fused.push(name, document, score);
            }
        }
        fused.build().map_err(|error| {
            error.help("infinite scores cannot be brought to a common scale: fuse by rank")
        })
    }

    fn check(&self, runs: &[&Run]) -> Result<()> {
        let (name, count) = (self.def.name, runs.len());
        if count < 2 {
            return Err(Error::usage(format!("found {count} runs, expected at least two to fuse")));
        }
        let weights = self.weights.len();
        if self.def.weighted && weights != count {
            return Err(Error::usage(format!(
                "{name} needs a weight for each run: found {weights} weights and {count} runs"
            )));
        }
        if !self.def.weighted && weights > 0 {
            let weighted: Vec<&str> =
                methods().filter(|def| def.weighted).map(|def| def.name).collect();
            return Err(Error::usage(format!("{name} has no weights"))
                .help(format!("these methods have: {}", weighted.join(", "))));
        }
        if let Some(weight) = self.weights.iter().find(|weight| !weight.is_finite()) {
            return Err(Error::usage(format!("found the weight {weight}, expected a number")));
        }
        match &self.learned {
            None if self.def.is_trained() => {
                Err(Error::usage(format!("{name} learns from judged runs before it can fuse")))
            }
            Some(learned) if learned.0.len() != count => Err(Error::usage(format!(
                "{name} learned from {} runs, expected as many as are fused: {count}",
                learned.0.len()
            ))),
            _ => Ok(()),
        }
    }
}

impl FusionDef {
    fn params_text(&self) -> String {
        let names: Vec<&str> = self.params.iter().map(|param| param.name).collect();
        if names.is_empty() {
            "it has none".to_string()
        } else {
            format!("it has {}", names.join(", "))
        }
    }
}

impl FusionParam {
    fn checked(&self, method: &str, text: &str) -> Result<f64> {
        let (low, high) = self.range;
        let value = text.parse().ok().filter(|value: &f64| {
            (low..=high).contains(value) && (!self.whole || value.fract() == 0.0)
        });
        value.ok_or_else(|| {
            let kind = if self.whole { "a whole number" } else { "a number" };
            let above = if high == f64::MAX { String::new() } else { format!(" to {high}") };
            Error::usage(format!(
                "found {}={text} for {method}, expected {kind} from {low}{above}",
                self.name
            ))
        })
    }
}

fn find(name: &str) -> Result<&'static FusionDef> {
    let plain = name.to_ascii_lowercase().replace(['-', ' '], "_");
    methods().find(|def| def.name == plain).ok_or_else(|| {
        let error = Error::usage(format!("no method of fusion is called \"{name}\""));
        let near = methods()
            .map(|def| (strsim::damerau_levenshtein(def.name, &plain), def.name))
            .min()
            .filter(|(distance, _)| *distance <= 2);
        match near {
            Some((_, near)) => error.help(format!("did you mean {near}?")),
            None => {
                let names: Vec<&str> = methods().map(|def| def.name).collect();
                error.help(format!("one of: {}", names.join(", ")))
            }
        }
    })
}
