//! Parameters: what a measure declares and what a user gave.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::aggregate::AVERAGES;
use crate::error::{Error, Result};

/// A declared parameter.
#[derive(Debug)]
pub struct Param {
    /// Its name.
    pub name: Cow<'static, str>,
    /// What it may be.
    pub kind: ParamKind,
    /// Its value if the user gives none, as text. `None`: taken from the data, as `doc` says.
    pub default: Option<Cow<'static, str>>,
    /// One sentence for the help.
    pub doc: &'static str,
}

/// What a parameter may be.
#[derive(Debug)]
#[non_exhaustive]
pub enum ParamKind {
    /// A number from a closed range.
    Number {
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
    },
    /// A number strictly between two others.
    Open {
        /// Below every value.
        min: f64,
        /// Above every value.
        max: f64,
    },
    /// A whole number of at least this.
    Integer {
        /// The smallest value.
        min: i64,
    },
    /// One of these words.
    Word(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// Gains by grade: `{1:3,2:9}`.
    Gains,
    /// Any text, such as another measure's name.
    Text,
}

impl ParamKind {
    /// What is expected, for an error.
    pub fn expected(&self) -> String {
        match self {
            ParamKind::Number { min, max } if max.is_infinite() && min.is_infinite() => {
                "a number".into()
            }
            ParamKind::Number { min, max } if max.is_infinite() => {
                format!("a number of at least {min}")
            }
            ParamKind::Number { min, max } => format!("a number from {min} to {max}"),
            ParamKind::Open { min, max } if max.is_infinite() => format!("a number above {min}"),
            ParamKind::Open { min, max } => format!("a number above {min} and below {max}"),
            ParamKind::Integer { min } => format!("a whole number of at least {min}"),
            ParamKind::Word(words) => format!("one of {}", words.join(", ")),
            ParamKind::Flag => "true or false".into(),
            ParamKind::Gains => "gains by grade, such as {1:3,2:9}".into(),
            ParamKind::Text => "a text".into(),
        }
    }

    fn parse(&self, text: &str) -> Option<Value> {
        let number = |t: &str| t.parse::<f64>().ok().filter(|x| x.is_finite());
        match self {
            ParamKind::Number { min, max } => {
                number(text).filter(|x| x >= min && x <= max).map(Value::Number)
            }
            ParamKind::Open { min, max } => {
                number(text).filter(|x| x > min && x < max).map(Value::Number)
            }
            ParamKind::Integer { min } => text
                .parse::<i64>()
                .ok()
                .filter(|x| x >= min && x.abs() <= 1 << 31)
                .map(|x| Value::Number(x as f64)),
            ParamKind::Word(words) => {
                words.iter().find(|w| **w == text).map(|w| Value::Text((*w).to_string()))
            }
            ParamKind::Flag => match text {
                "true" | "True" | "1" => Some(Value::Flag(true)),
                "false" | "False" | "0" => Some(Value::Flag(false)),
                _ => None,
            },
            ParamKind::Gains => {
                let inner = text.strip_prefix('{')?.strip_suffix('}')?;
                let mut gains = Vec::new();
                for pair in inner.split(',').filter(|p| !p.trim().is_empty()) {
                    let (grade, gain) = pair.split_once(':')?;
                    gains.push((number(grade.trim())?, number(gain.trim())?));
                }
                gains.sort_by(|a, b| a.0.total_cmp(&b.0));
                let distinct = gains.windows(2).all(|w| w[0].0 < w[1].0);
                distinct.then_some(Value::Gains(gains))
            }
            ParamKind::Text => Some(Value::Text(text.to_string())),
        }
    }
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A number.
    Number(f64),
    /// A word or a text.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// Gains by grade, sorted by grade.
    Gains(Vec<(f64, f64)>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(x) => short(*x).fmt(f),
            Value::Flag(b) => write!(f, "{b}"),
            Value::Text(t)
                if !t.is_empty()
                    && t.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.+/".contains(&b)) =>
            {
                f.write_str(t)
            }
            Value::Text(t) => write!(f, "'{t}'"),
            Value::Gains(gains) => {
                f.write_str("{")?;
                for (i, (grade, gain)) in gains.iter().enumerate() {
                    f.write_str(if i > 0 { "," } else { "" })?;
                    write!(f, "{}:{}", short(*grade), short(*gain))?;
                }
                f.write_str("}")
            }
        }
    }
}

/// A number without a row of zeros: 1e308, not one with 308 of them.
fn short(x: f64) -> String {
    match x.abs() {
        size if size >= 1e16 || size > 0.0 && size < 1e-6 => format!("{x:e}"),
        _ => x.to_string(),
    }
}

/// The parameters that a measure declares: a constant of the program, or what a file says.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Declared {
    /// Those of a registered measure.
    Constant(&'static [Param]),
    /// Those of a measure that a user defines.
    Own(Arc<[Param]>),
}

impl From<&'static [Param]> for Declared {
    fn from(params: &'static [Param]) -> Declared {
        Declared::Constant(params)
    }
}

impl From<Arc<[Param]>> for Declared {
    fn from(params: Arc<[Param]>) -> Declared {
        Declared::Own(params)
    }
}

impl Deref for Declared {
    type Target = [Param];

    fn deref(&self) -> &[Param] {
        match self {
            Declared::Constant(params) => params,
            Declared::Own(params) => params,
        }
    }
}

/// The parameters of one measure: what the user gave, and the defaults behind it.
#[derive(Debug, Clone)]
pub struct Args {
    declared: Declared,
    given: Vec<Option<Value>>,
    cutoff: Option<u32>,
    /// The average over topics that was asked for.
    average: Option<&'static str>,
}

impl Args {
    /// Nothing given yet.
    pub fn new(declared: impl Into<Declared>) -> Args {
        let declared = declared.into();
        Args { given: vec![None; declared.len()], declared, cutoff: None, average: None }
    }

    /// Takes a parameter as the user wrote it. The error says what was expected; the caller adds
    /// which measure.
    pub fn set(&mut self, name: &str, text: &str) -> Result<()> {
        let is_it = |p: &Param| p.name == name || (p.name == MAX_REL.name && name == "max_grade");
        let found = self.declared.iter().position(is_it);
        if found.is_none() && name == AVERAGE {
            return self.set_average(text);
        }
        let Some(i) = found else {
            let names: Vec<&str> = self.declared.iter().map(|p| p.name.as_ref()).collect();
            let known = if names.is_empty() {
                "it has none".to_string()
            } else {
                format!("it has {}", names.join(", "))
            };
            return Err(Error::usage(format!("no parameter \"{name}\": {known}")));
        };
        let kind = &self.declared[i].kind;
        let value = kind.parse(text).ok_or_else(|| {
            Error::usage(format!(
                "parameter {name}: found \"{text}\", expected {}",
                kind.expected()
            ))
        })?;
        self.given[i] = Some(value);
        Ok(())
    }

    /// Takes the average that any measure of the registry can be asked for.
    fn set_average(&mut self, text: &str) -> Result<()> {
        let names: Vec<&'static str> = AVERAGES.iter().map(|(name, _)| *name).collect();
        let found = names.iter().find(|name| **name == text.trim_matches('\'')).copied();
        self.average = Some(found.ok_or_else(|| {
            Error::usage(format!(
                "parameter {AVERAGE}: found \"{text}\", expected one of {}",
                names.join(", ")
            ))
        })?);
        Ok(())
    }

    /// The average over topics that was asked for.
    pub(super) fn average(&self) -> Option<&'static str> {
        self.average
    }

    /// Sets the cutoff.
    pub fn set_cutoff(&mut self, k: Option<u32>) {
        self.cutoff = k;
    }

    /// The cutoff, if one was given.
    pub fn cutoff(&self) -> Option<u32> {
        self.cutoff
    }

    /// The cutoff, or a depth that no ranking reaches.
    pub fn depth(&self) -> u32 {
        self.cutoff.unwrap_or(u32::MAX)
    }

    /// What the user gave, in the declared order.
    pub fn given(&self) -> impl Iterator<Item = (&str, &Value)> {
        let all = self.declared.iter().zip(&self.given);
        all.filter_map(|(p, v)| v.as_ref().map(|v| (p.name.as_ref(), v)))
    }

    /// The value in force: given, or else the default; `None` if the data decides.
    pub fn value(&self, name: &str) -> Option<Value> {
        let i = self.declared.iter().position(|p| p.name == name)?;
        let p = &self.declared[i];
        self.given[i].clone().or_else(|| p.default.as_deref().and_then(|d| p.kind.parse(d)))
    }

    /// All values in force.
    pub fn effective(&self) -> Vec<Option<Value>> {
        self.declared.iter().map(|p| self.value(&p.name)).collect()
    }

    /// A number that may be left to the data.
    pub fn optional(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Some(Value::Number(x)) => Some(x),
            _ => None,
        }
    }

    /// A number that has a default. (The registry's test asks every default to parse, so the zero
    /// is never seen.)
    pub fn number(&self, name: &str) -> f64 {
        self.optional(name).unwrap_or(0.0)
    }

    /// A word.
    pub fn text(&self, name: &str) -> String {
        match self.value(name) {
            Some(Value::Text(t)) => t,
            _ => String::new(),
        }
    }

    /// A flag.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.value(name), Some(Value::Flag(true)))
    }

    /// Gains by grade, empty if none were given.
    pub fn gains(&self, name: &str) -> Vec<(f64, f64)> {
        match self.value(name) {
            Some(Value::Gains(g)) => g,
            _ => Vec::new(),
        }
    }
}

/// Equal where the same values are in force, given or by default.
impl PartialEq for Args {
    fn eq(&self, other: &Args) -> bool {
        std::ptr::eq(&*self.declared, &*other.declared)
            && self.cutoff == other.cutoff
            && self.average == other.average
            && self.effective() == other.effective()
    }
}

/// The parameter that asks for an average over topics.
pub(super) const AVERAGE: &str = "avg";

/// The threshold of binary relevance, which most measures share.
pub const REL: Param = Param {
    name: Cow::Borrowed("rel"),
    kind: ParamKind::Number { min: f64::NEG_INFINITY, max: f64::INFINITY },
    default: Some(Cow::Borrowed("1")),
    doc: "the lowest grade that counts as relevant",
};

/// The top of the grade scale, for measures that see a grade as a share of it. `max_grade` is
/// another word for it.
pub const MAX_REL: Param = Param {
    name: Cow::Borrowed("max_rel"),
    kind: ParamKind::Open { min: 0.0, max: f64::INFINITY },
    default: None,
    doc: "the highest grade of the scale; if it is not given, the highest in all judgements",
};

/// Condensed lists, which every measure of one ranking takes; [`super::Metric`] applies it before
/// the formula sees the topic.
pub const JUDGED_ONLY: Param = Param {
    name: Cow::Borrowed("judged_only"),
    kind: ParamKind::Flag,
    default: Some(Cow::Borrowed("false")),
    doc: "remove the unjudged documents first (a condensed list)",
};
