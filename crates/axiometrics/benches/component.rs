//! A metric from a file against the built-in one, without reading any file: 250 topics of 1,000
//! documents, of which one in ten is relevant.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

use std::hint::black_box;

use axiometrics::component::read_component;
use axiometrics::data::OwnedTopic;
use axiometrics::measure::{Metric, parse_list_with};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const TOPICS: usize = 250;
const DEPTH: usize = 1000;

fn topic(number: usize) -> OwnedTopic<f64> {
    let ranking: Vec<Option<f64>> = (0..DEPTH)
        .map(|rank| (rank * 7919 + number * 31).is_multiple_of(10).then_some(1.0))
        .collect();
    OwnedTopic::new(&ranking, &[1.0; 20])
}

fn component(c: &mut Criterion) {
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/../../components");
    let topics: Vec<OwnedTopic<f64>> = (0..TOPICS).map(topic).collect();
    let mut group = c.benchmark_group("component");
    group.throughput(Throughput::Elements((TOPICS * DEPTH) as u64)).sample_size(20);
    for name in [
        "AP".to_string(),
        format!("{files}/ap.toml"),
        "nDCG".to_string(),
        format!("{files}/ndcg.toml"),
    ] {
        let Ok(metrics) = parse_list_with(&name, &mut read_component) else { continue };
        let score = |metric: &Metric| {
            topics.iter().filter_map(|t| metric.score(&t.view()).value()).sum::<f64>()
        };
        let shown = name.rsplit('/').next().unwrap_or(&name).to_string();
        group.bench_function(shown, |b| {
            b.iter(|| black_box(metrics.iter().map(score).sum::<f64>()))
        });
    }
    group.finish();
}

criterion_group!(benches, component);
criterion_main!(benches);
