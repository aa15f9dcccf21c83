//! What a person can do about an error or a warning.
//!
//! The library does not know how its caller spells options: `--missing zero` on the command line,
//! `missing="zero"` in Python. So advice is a value: text with settings and calls in it, which each
//! shell words in its own way.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::choice::Choice;
use crate::policy::{Missing, Ties, Undefined};

/// Advice, to be worded by a [`Voice`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Remedy(Vec<Part>);

/// A piece of advice.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Words.
    Text(Cow<'static, str>),
    /// An option of the evaluation, with its value if it has one.
    Set(Setting),
    /// Something else that the program does, by name: `validate`, `measures`.
    Call(&'static str),
}

/// An option that a person can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Setting {
    /// What is done about missing topics.
    Missing(Missing),
    /// What is done about undefined scores.
    Undefined(Undefined),
    /// How tied documents are ordered.
    Ties(Ties),
    /// Wrong lines are counted and left out.
    Lenient,
    /// An option by name, its value left to the reader.
    Named(&'static str),
    /// An option with a word for its value.
    Word(&'static str, &'static str),
}

impl Setting {
    /// The option's name, in words joined by `_`.
    pub fn name(self) -> &'static str {
        match self {
            Setting::Missing(_) => "missing",
            Setting::Undefined(_) => "undefined",
            Setting::Ties(_) => "ties",
            Setting::Lenient => "lenient",
            Setting::Named(name) | Setting::Word(name, _) => name,
        }
    }

    /// The value it is to have; `None` for a switch, or if the reader chooses.
    pub fn value(self) -> Option<&'static str> {
        match self {
            Setting::Missing(choice) => Some(choice.name()),
            Setting::Undefined(choice) => Some(choice.name()),
            Setting::Ties(choice) => Some(choice.name()),
            Setting::Word(_, value) => Some(value),
            Setting::Lenient | Setting::Named(_) => None,
        }
    }
}

/// How a shell spells settings and calls.
pub trait Voice: fmt::Debug + Sync {
    /// An option.
    fn setting(&self, setting: Setting) -> String;
    /// A call.
    fn call(&self, name: &str) -> String;
}

/// The voice of the library itself: `missing=zero`, `validate`.
#[derive(Debug, Clone, Copy)]
pub struct Plain;

impl Voice for Plain {
    fn setting(&self, setting: Setting) -> String {
        match setting.value() {
            Some(value) => format!("{}={value}", setting.name()),
            None => setting.name().to_string(),
        }
    }

    fn call(&self, name: &str) -> String {
        name.to_string()
    }
}

impl Remedy {
    /// More words.
    #[must_use]
    pub fn text(mut self, text: impl Into<Cow<'static, str>>) -> Remedy {
        self.0.push(Part::Text(text.into()));
        self
    }

    /// An option.
    #[must_use]
    pub fn set(mut self, setting: Setting) -> Remedy {
        self.0.push(Part::Set(setting));
        self
    }

    /// A call.
    #[must_use]
    pub fn call(mut self, name: &'static str) -> Remedy {
        self.0.push(Part::Call(name));
        self
    }

    /// The pieces.
    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    /// The advice as a sentence.
    pub fn worded(&self, voice: &dyn Voice) -> String {
        let word = |part: &Part| match part {
            Part::Text(text) => text.to_string(),
            Part::Set(setting) => voice.setting(*setting),
            Part::Call(name) => voice.call(name),
        };
        self.0.iter().map(word).collect()
    }

    /// What to do about missing topics.
    pub fn missing() -> Remedy {
        Remedy::default()
            .set(Setting::Missing(Missing::Zero))
            .text(" scores them as empty rankings, ")
            .set(Setting::Missing(Missing::Skip))
            .text(" leaves them out")
    }

    /// What to do about undefined scores.
    pub fn undefined() -> Remedy {
        Remedy::default()
            .set(Setting::Undefined(Undefined::Zero))
            .text(" counts them as 0 in the summary, ")
            .set(Setting::Undefined(Undefined::Skip))
            .text(" leaves them out")
    }
}

impl<T: Into<Cow<'static, str>>> From<T> for Remedy {
    fn from(text: T) -> Remedy {
        Remedy::default().text(text)
    }
}

/// In documents for programs, which every shell shares, advice is in the library's own voice.
impl Serialize for Remedy {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.worded(&Plain))
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(&Plain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Python;

    impl Voice for Python {
        fn setting(&self, setting: Setting) -> String {
            match setting.value() {
                Some(value) => format!("{}=\"{value}\"", setting.name()),
                None => format!("{}=True", setting.name()),
            }
        }

        fn call(&self, name: &str) -> String {
            format!("{name}()")
        }
    }

    #[test]
    fn each_shell_words_it_in_its_own_way() {
        let remedy = Remedy::missing().text("; ").set(Setting::Lenient).text(", ").call("validate");
        assert_eq!(
            remedy.to_string(),
            "missing=zero scores them as empty rankings, missing=skip leaves them out; lenient, validate"
        );
        assert_eq!(
            remedy.worded(&Python),
            "missing=\"zero\" scores them as empty rankings, missing=\"skip\" leaves them out; lenient=True, validate()"
        );
    }
}
