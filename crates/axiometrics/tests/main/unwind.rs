//! Values that a binding hands to another language cross threads and `catch_unwind` as they are.

use std::panic::{RefUnwindSafe, UnwindSafe};

use axiometrics::Error;
use axiometrics::data::{Qrels, Run};
use axiometrics::measure::Metric;
use axiometrics::score::{Protocol, Scores};
use axiometrics::warning::Warnings;
use axiometrics::work::Work;

fn crosses<T: Send + Sync + UnwindSafe + RefUnwindSafe + 'static>() {}

#[test]
fn values_cross_threads_and_panics_without_assertions() {
    crosses::<Scores>();
    crosses::<Metric>();
    crosses::<Qrels>();
    crosses::<Run>();
    crosses::<Work>();
    crosses::<Error>();
    crosses::<Warnings>();
    crosses::<Protocol>();
}

#[test]
fn a_panic_leaves_the_handle_usable() {
    let work = Work::alone();
    let caught = std::panic::catch_unwind(|| {
        work.advance(3);
        assert!(work.done() > 3, "on purpose");
    });
    assert!(caught.is_err());
    assert_eq!(work.done(), 3);
    assert!(work.check().is_ok());
}
