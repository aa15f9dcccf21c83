//! File formats: one file each.

pub mod preferences;
