//! Which properties go together: all minimal sets that no metric can have, each with its
//! derivation, and for every largest set that is left a measure that has it.
//!
//! The unknowns are the scores of states; what the properties demand of them is a set of
//! comparisons (`demand`), and whether those can be met is decided on a graph (`order`). A
//! contradiction among a few small collections holds for every metric, since a property speaks of
//! all collections. That a set is feasible is shown by a measure ([`FeasibleMeasure`]), not by
//! small collections.
//!
//! Assumed of a metric: it scores every ranking of every collection that has a relevant document.
//!
//! ```
//! use axiometrics::check::lattice::{Lattice, Property, PropertySet};
//! let wish = [Property::Monotonic, Property::Convergent, Property::Realizable];
//! let wish: PropertySet = wish.into_iter().collect();
//! let found = Lattice::get().smallest(wish).unwrap();
//! assert_eq!(found.derivation.text(), "\
//! Of the collection {1, 1, 0} at k = 1, 1|01 or 0|11 scores M, the maximum (realizable). But:
//!   1|01 ≤ 10|1 (monotonic) < 11|0 (convergent) ≤ M
//!   0|11 < 1|10 (convergent) ≤ M
//! ");
//! ```

#[cfg(test)]
mod confirmed;
mod demand;
mod derivation;
pub mod drawing;
mod example;
mod order;
mod page;
mod property;
mod search;
mod state;
#[cfg(test)]
mod tests;

pub use derivation::{Argument, Derivation, Step};
pub use example::{EXAMPLES, FeasibleMeasure};
pub use page::page;
pub use property::{Property, PropertySet};
pub use search::{Contradiction, Lattice};
