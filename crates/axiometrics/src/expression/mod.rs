//! The small language of formulas: expressions over numbers and over documents.
//!
//! It is total: there are no loops but bounded quantifiers, so every expression ends. Text becomes
//! a tree (`syntax`), a tree becomes a program (`compile`, `quantifier`) for a stack machine (`machine`). A
//! function speaks of named numbers alone; a metric's file (`component`) speaks of documents
//! that an assessor and a system have measured ([`Measurement`], [`Scale`]).

pub(crate) mod compile;
mod function;
pub(crate) mod machine;
pub(crate) mod measurement;
pub(crate) mod program;
mod quantifier;
pub mod scale;
pub(crate) mod syntax;

pub(crate) use function::Function;
pub use measurement::Measurement;
pub(crate) use measurement::{Docs, SecondSystem};
pub use scale::{Definable, Scale};
pub(crate) use syntax::{Fault, parse};
