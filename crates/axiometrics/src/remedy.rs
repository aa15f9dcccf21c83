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
    /// An option with the words around it. A front end without the option leaves all of them out.
    Option {
        /// The words before it, which join it to the advice so far.
        before: Cow<'static, str>,
        /// The option, with its value if it has one.
        setting: Setting,
        /// The words after it.
        after: Cow<'static, str>,
    },
    /// Something else that the program does, by name: `validate`, `measures`; and the option with
    /// which to call it, if it takes one.
    Call(&'static str, Option<Setting>),
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
    /// True if the user can give this option where the advice appears.
    fn has(&self, _setting: Setting) -> bool {
        true
    }
    /// A call.
    fn call(&self, name: &str) -> String;
    /// A call with an option.
    fn call_with(&self, name: &str, setting: Setting) -> String {
        format!("{} {}", self.call(name), self.setting(setting))
    }
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

    /// An option between the words that a front end without it leaves out too.
    #[must_use]
    pub fn option(
        mut self,
        before: impl Into<Cow<'static, str>>,
        setting: Setting,
        after: impl Into<Cow<'static, str>>,
    ) -> Remedy {
        self.0.push(Part::Option { before: before.into(), setting, after: after.into() });
        self
    }

    /// A call.
    #[must_use]
    pub fn call(mut self, name: &'static str) -> Remedy {
        self.0.push(Part::Call(name, None));
        self
    }

    /// A call with an option, for advice about another command than the one that gives it.
    #[must_use]
    pub fn call_with(mut self, name: &'static str, setting: Setting) -> Remedy {
        self.0.push(Part::Call(name, Some(setting)));
        self
    }

    /// The pieces.
    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    /// The advice as a sentence. It is empty if it consists of options that the voice does not have.
    pub fn worded(&self, voice: &dyn Voice) -> String {
        let word = |part: &Part| match part {
            Part::Text(text) => text.to_string(),
            Part::Option { before, setting, after } if voice.has(*setting) => {
                format!("{before}{}{after}", voice.setting(*setting))
            }
            Part::Option { .. } => String::new(),
            Part::Call(name, None) => voice.call(name),
            Part::Call(name, Some(setting)) => voice.call_with(name, *setting),
        };
        let text: String = self.0.iter().map(word).collect();
        // The first of several options may be missing, and leaves the comma before the second.
        text.trim_start_matches([' ', ',', ';']).to_string()
    }

    /// What to do about missing topics.
    pub fn missing() -> Remedy {
        Remedy::default()
            .option("", Setting::Missing(Missing::Zero), " scores them as empty rankings")
            .option(", ", Setting::Missing(Missing::Skip), " leaves them out")
    }

    /// What to do about undefined scores.
    pub fn undefined() -> Remedy {
        Remedy::default()
            .option("", Setting::Undefined(Undefined::Zero), " counts them as 0 in the summary")
            .option(", ", Setting::Undefined(Undefined::Skip), " leaves them out")
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
        let remedy = Remedy::missing().option("; ", Setting::Lenient, ", ").call("validate");
        assert_eq!(
            remedy.to_string(),
            "missing=zero scores them as empty rankings, missing=skip leaves them out; lenient, validate"
        );
        assert_eq!(
            remedy.worded(&Python),
            "missing=\"zero\" scores them as empty rankings, missing=\"skip\" leaves them out; lenient=True, validate()"
        );
    }

    #[test]
    fn options_that_the_front_end_lacks_are_not_advised() {
        #[derive(Debug)]
        struct Bare;

        impl Voice for Bare {
            fn setting(&self, setting: Setting) -> String {
                Plain.setting(setting)
            }

            fn has(&self, setting: Setting) -> bool {
                setting == Setting::Missing(Missing::Skip)
            }

            fn call(&self, name: &str) -> String {
                name.to_string()
            }
        }

        assert_eq!(Remedy::missing().worded(&Bare), "missing=skip leaves them out");
        assert_eq!(Remedy::undefined().worded(&Bare), "");
        let remedy = Remedy::from("correct the line").option(", or use ", Setting::Lenient, "");
        assert_eq!(remedy.worded(&Bare), "correct the line");
        let other = Remedy::default().call_with("eval", Setting::Lenient).text(" reads it");
        assert_eq!(other.worded(&Bare), "eval lenient reads it");
    }
}
