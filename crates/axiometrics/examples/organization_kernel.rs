//! The clustering measures on labels in memory: what a caller of the library pays, without any
//! file. `bench/organization.py` runs it.
//!
//! Reads two files of little-endian 32-bit labels and prints the measures and the processor time
//! that they took.

#![allow(clippy::print_stdout, reason = "a program prints its result")]

use std::time::Instant;

use axiometrics::organization::{Contingency, Information, Pairs};

fn labels(path: &str) -> std::io::Result<Vec<u32>> {
    let bytes = std::fs::read(path)?;
    Ok(bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect())
}

fn main() -> std::io::Result<()> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [gold, system] = paths.as_slice() else {
        eprintln!("usage: organization_kernel GOLD SYSTEM");
        std::process::exit(2);
    };
    let (gold, system) = (labels(gold)?, labels(system)?);
    // One thread does the work, so elapsed and processor time differ by what else the machine does;
    // the least of several is reported.
    let mut least = f64::INFINITY;
    let mut line = String::new();
    for _ in 0..5 {
        let start = Instant::now();
        let table = Contingency::from_labels(&system, &gold);
        let information = Information::of(&table);
        let pairs = Pairs::of(&table);
        line = format!("{information:?} {pairs:?}");
        least = least.min(start.elapsed().as_secs_f64());
    }
    eprintln!("{line}");
    println!("{least}");
    Ok(())
}
