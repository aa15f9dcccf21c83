//! Metrics from files do not pile up: a server that takes one after the other stays flat.

use axiometrics::Metric;
use axiometrics::component::Component;
use axiometrics::data::OwnedTopic;

/// The resident memory of this process in bytes, if the system tells.
fn resident() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split_whitespace().nth(1)?.parse::<usize>().ok()? * 4096)
}

#[test]
fn metrics_from_files_are_freed() {
    let topic = OwnedTopic::new(&[Some(1.0), Some(0.0), Some(1.0)], &[1.0]);
    let take = |from: usize, to: usize| {
        for i in from..to {
            // Every file is another one, with names of its own.
            let text = format!(
                "name = \"metric number {i}\"\nparams = {{ weight{i} = {i} }}\n\
                 score = \"sum(d in Rel : weight{i} / pos(d))\"\n"
            );
            let metric = Metric::own(Component::parse("mine.toml", &text).unwrap()).unwrap();
            let score = metric.score(&topic.view()).value().unwrap();
            assert!((score - i as f64 * (1.0 + 1.0 / 3.0)).abs() < 1e-9 * (1.0 + i as f64));
        }
    };
    // What the allocator keeps for itself is there after the first ones.
    take(0, 1000);
    let Some(before) = resident() else { return };
    take(1000, 6000);
    let grown = resident().unwrap().saturating_sub(before);
    // One kilobyte of each, leaked, would be 5 MB.
    assert!(grown < 2 << 20, "memory grew by {grown} bytes");
}
