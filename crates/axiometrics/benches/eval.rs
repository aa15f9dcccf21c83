//! The kernels of `axio eval`: reading and scoring a run whose lines are sorted, unsorted within
//! topics, and mixed; reading judgements.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

use std::fmt::Write;
use std::hint::black_box;

use axiometrics::io::{QrelsOptions, Source, read_qrels};
use axiometrics::measure::parse_list;
use axiometrics::score::Evaluation;
use axiometrics::warning::Warnings;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const TOPICS: usize = 200;
const DEPTH: usize = 1000;

/// The lines of a run: `order` gives the topic and the rank of each line.
fn run(order: impl Fn(usize) -> (usize, usize)) -> String {
    let mut text = String::new();
    for i in 0..TOPICS * DEPTH {
        let (topic, rank) = order(i);
        let score = 25.0 - rank as f64 * 0.017;
        let _ = writeln!(
            text,
            "{} Q0 {} {} {score:.6} bench",
            topic + 1_000_000,
            (topic * 7919 + rank * 104_729) % 8_000_000,
            rank + 1
        );
    }
    text
}

fn judgements() -> String {
    let mut text = String::new();
    for topic in 0..TOPICS {
        for judged in 0..100 {
            let document = (topic * 7919 + judged * 7 * 104_729) % 8_000_000;
            let _ = writeln!(text, "{} 0 {document} {}", topic + 1_000_000, judged % 3);
        }
    }
    text
}

fn eval(c: &mut Criterion) {
    let metrics = parse_list("nDCG@10 AP RR@10 P@10 R@1000").unwrap_or_default();
    let qrels_source = Source::from_bytes("qrels", judgements());
    let options = QrelsOptions { positive_only: true, ..QrelsOptions::default() };
    let Ok(qrels) = read_qrels(&qrels_source, options, &mut Warnings::default()) else { return };
    let lines = TOPICS * DEPTH;
    let sorted = run(|i| (i / DEPTH, i % DEPTH));
    let within = run(|i| (i / DEPTH, (i % DEPTH) * 617 % DEPTH));
    let mixed = run(|i| (i % TOPICS, i / TOPICS));
    let mut group = c.benchmark_group("eval");
    group.throughput(Throughput::Elements(lines as u64)).sample_size(20);
    for (name, text) in
        [("sorted", sorted), ("unsorted within topics", within), ("topics mixed", mixed)]
    {
        let source = Source::from_bytes("run", text);
        group.bench_function(name, |b| {
            b.iter(|| {
                black_box(
                    Evaluation::new(&qrels, &metrics)
                        .run(&source, &mut Warnings::default())
                        .is_ok(),
                )
            });
        });
    }
    group.throughput(Throughput::Elements(TOPICS as u64 * 100));
    for (name, positive_only) in [("judgements above zero", true), ("all judgements", false)] {
        let options = QrelsOptions { positive_only, ..QrelsOptions::default() };
        group.bench_function(name, |b| {
            b.iter(|| {
                black_box(read_qrels(&qrels_source, options, &mut Warnings::default()).is_ok())
            })
        });
    }
    group.finish();
}

criterion_group!(benches, eval);
criterion_main!(benches);
