//! Measures of document organizations: clustering, filtering, ranking and their mixture.
//!
//! Owns: the measures, each with its definition as data, and their registry. Does not own: files
//! and topics put together, which are `io`'s and `score`'s.
//!
//! ```
//! use axiometrics::data::organization::{Documents, notation};
//! use axiometrics::organization::{OrganizationComparison, OrganizationSettings, measure};
//!
//! let mut documents = Documents::default();
//! let gold = notation::parse("{a b} {c d}", &mut documents).unwrap();
//! let system = notation::parse("{a b c} d", &mut documents).unwrap();
//! let settings = OrganizationSettings::default();
//! let comparison = OrganizationComparison::new(&gold, &system, &settings);
//! assert_eq!(measure("bcubed_recall").unwrap().score(&comparison).value(), Some(0.75));
//! ```

mod arithmetic;
mod bcubed;
mod browsing;
mod comparison;
mod contingency;
mod definition;
mod edit;
mod filtering;
mod foreign;
mod information;
mod matching;
mod overlap;
mod pair_counting;
mod purity;
pub mod reliability_sensitivity;
mod search_results;
mod settings;
#[cfg(test)]
mod tests;
mod thresholds;

pub use crate::curve::{Curve, Variant};
pub use crate::number::harmonic;
pub(crate) use arithmetic::Sum;
pub use comparison::OrganizationComparison;
pub use contingency::{Contingency, NO_LABEL};
pub use definition::{Better, Definition, OrganizationExample, OrganizationMeasure, Task};
pub use edit::edit_distance;
pub use filtering::Confusion;
pub(crate) use foreign::GoldNames;
pub use information::{Information, expected_mutual_information};
pub use overlap::{Overlaps, SideAgreement};
pub use pair_counting::Pairs;
pub use settings::{Mix, OrganizationSettings, Shares, Stated};
pub use thresholds::Thresholds;

use crate::measure::Score;

/// All measures: Reliability and Sensitivity first, then clustering, filtering and search results, in the
/// order in which tables show them.
pub fn measures() -> impl Iterator<Item = &'static dyn OrganizationMeasure> {
    [
        reliability_sensitivity::MEASURES,
        purity::MEASURES,
        information::MEASURES,
        pair_counting::MEASURES,
        edit::MEASURES,
        bcubed::MEASURES,
        filtering::MEASURES,
        search_results::MEASURES,
        browsing::MEASURES,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// The measure of a name.
pub fn measure(name: &str) -> Option<&'static dyn OrganizationMeasure> {
    measures().find(|measure| measure.definition().name == name)
}
