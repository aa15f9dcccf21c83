//! From wishes to metrics.
