//! File formats: one file each.

mod fields;
pub mod preferences;
pub mod zscores;
