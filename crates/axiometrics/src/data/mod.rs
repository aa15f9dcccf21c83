//! What is measured.

pub mod organization;
