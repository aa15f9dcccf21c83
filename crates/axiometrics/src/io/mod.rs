//! Reading and writing files.

pub mod organization;
