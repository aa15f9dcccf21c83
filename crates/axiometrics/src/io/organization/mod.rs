//! Organizations in files.
