//! The names of closed sets of choices.
//!
//! Command line, JSON, Python and web offer the same words for the same choices because they all
//! read [`Choice`]. Each set names its members beside its own definition, with `choices!`.

use std::fmt;

/// A name that a closed set does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    found: String,
    expected: Vec<&'static str>,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found \"{}\", expected one of {}", self.found, self.expected.join(", "))
    }
}

impl std::error::Error for Unknown {}

/// A closed set whose members have names.
pub trait Choice: Copy + Send + Sync + 'static {
    /// Every member, the default first.
    const ALL: &'static [Self];

    /// The word for it.
    fn name(self) -> &'static str;

    /// What it means, in a few words; empty if the name says it all.
    fn meaning(self) -> &'static str;

    /// The member with this name.
    fn from_name(name: &str) -> Result<Self, Unknown> {
        Self::ALL.iter().copied().find(|c| c.name() == name).ok_or_else(|| Unknown {
            found: name.to_string(),
            expected: Self::ALL.iter().map(|c| c.name()).collect(),
        })
    }
}

/// Names the members of closed sets: `Set { Member "name" "what it means", }`, the default first.
/// The meaning may be left out, and a member may be any constant pattern: `Member(Inner::One)`.
macro_rules! choices {
    ($($set:ident { $($member:ident $(($inner:path))? $name:literal $($meaning:literal)?,)+ })+) => {
        $(impl $crate::choice::Choice for $set {
            const ALL: &'static [Self] = &[$($set::$member $(($inner))?),+];

            fn name(self) -> &'static str {
                match self { $($set::$member $(($inner))? => $name),+ }
            }

            fn meaning(self) -> &'static str {
                match self { $($set::$member $(($inner))? => concat!($($meaning)?)),+ }
            }
        }

        impl serde::Serialize for $set {
            fn serialize<S: serde::Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
                to.serialize_str($crate::choice::Choice::name(*self))
            }
        }

        impl<'de> serde::Deserialize<'de> for $set {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<$set, D::Error> {
                let name = <String as serde::Deserialize>::deserialize(from)?;
                $crate::choice::Choice::from_name(&name).map_err(serde::de::Error::custom)
            }
        })+
    };
}
pub(crate) use choices;

#[cfg(test)]
pub(crate) mod tests {
    use super::Choice;

    /// The laws of a closed set: the default comes first, and each name leads back to its member.
    pub(crate) fn names_lead_back<T: Choice + Default + PartialEq + std::fmt::Debug>() {
        assert_eq!(T::ALL[0], T::default());
        for choice in T::ALL {
            assert_eq!(T::from_name(choice.name()).unwrap(), *choice);
        }
        assert!(T::from_name("none such").unwrap_err().to_string().contains(T::ALL[0].name()));
    }
}
