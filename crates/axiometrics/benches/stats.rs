//! All pairs of 50 systems over 250 topics, as a shared task compares them.

#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

use axiometrics::stats::{
    Resampling, ScoreMatrix, Test, TestOptions, all_pairs, randomised_tukey, tukey_hsd,
};
use criterion::{Criterion, criterion_group, criterion_main};

/// Scores in the unit interval, systems a little apart; any numbers would take as long.
fn scores(systems: usize, topics: usize) -> ScoreMatrix {
    let mut state = 1u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1u64 << 31) as f64
    };
    let rows = (0..systems)
        .map(|system| (0..topics).map(|_| 0.9 * next() + 0.002 * system as f64).collect())
        .collect();
    match ScoreMatrix::new(rows) {
        Ok(matrix) => matrix,
        Err(error) => unreachable!("generated scores are a matrix: {error}"),
    }
}

fn all_pairs_of_systems(c: &mut Criterion) {
    let matrix = scores(50, 250);
    let options = TestOptions::default();
    let mut group = c.benchmark_group("50 systems, 250 topics");
    group.sample_size(10);
    group.bench_function("randomisation, 10000 resamples", |b| {
        b.iter(|| all_pairs(Test::Randomisation, &matrix, &options))
    });
    group.bench_function("randomised Tukey, 1000 resamples", |b| {
        b.iter(|| randomised_tukey(&matrix, Resampling { trials: 1000, seed: 1 }))
    });
    group.bench_function("Tukey HSD", |b| b.iter(|| tukey_hsd(&matrix)));
    group.finish();
}

criterion_group!(benches, all_pairs_of_systems);
criterion_main!(benches);
