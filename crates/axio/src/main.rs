//! The command `axio`.

fn main() {}
