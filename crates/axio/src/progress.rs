//! A progress bar for work that takes long enough to wonder about.

use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use axiometrics::work::Work;
use indicatif::{ProgressBar, ProgressStyle};

use crate::shell;

/// Work that ends sooner shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);
const REDRAW: Duration = Duration::from_millis(100);

/// Does some work, which counts the bytes it reads; a bar on a terminal's standard error follows the
/// count.
pub(crate) fn watch<T>(quiet: bool, work: &Work, task: impl FnOnce() -> T) -> T {
    if quiet || shell::is_called() || !std::io::stderr().is_terminal() {
        return task();
    }
    let (working, ended) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || show(work, &ended));
        let result = task();
        drop(working);
        result
    })
}

/// Shows the bar until the other end of the channel is dropped.
fn show(work: &Work, ended: &Receiver<()>) {
    let goes_on = |wait| matches!(ended.recv_timeout(wait), Err(RecvTimeoutError::Timeout));
    if !goes_on(PATIENCE) {
        return;
    }
    let (bar, template) = match work.total() {
        Some(total) => (
            ProgressBar::new(total),
            "{bar:40.cyan/dim} {bytes}/{total_bytes}, {binary_bytes_per_sec}, {eta} left",
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {bytes} read, {binary_bytes_per_sec}"),
    };
    bar.set_style(
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    while goes_on(REDRAW) {
        // A file that is read twice is no reason to show more than all.
        bar.set_position(work.done().min(work.total().unwrap_or(u64::MAX)));
        bar.tick();
    }
    bar.finish_and_clear();
}
