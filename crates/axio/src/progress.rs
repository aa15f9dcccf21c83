//! A progress bar for work that takes long enough to wonder about.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Work that ends sooner shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);
const REDRAW: Duration = Duration::from_millis(100);

/// Does the work, which counts the bytes it read; a bar on a terminal's standard error follows the
/// count.
pub(crate) fn watch<T>(
    quiet: bool,
    total: Option<u64>,
    work: impl FnOnce(Option<&AtomicU64>) -> T,
) -> T {
    if quiet || !std::io::stderr().is_terminal() {
        return work(None);
    }
    let count = AtomicU64::new(0);
    let (working, ended) = channel::<()>();
    std::thread::scope(|scope| {
        let count = &count;
        scope.spawn(move || show(count, total, &ended));
        let result = work(Some(count));
        drop(working);
        result
    })
}

/// Shows the bar until the other end of the channel is dropped.
fn show(count: &AtomicU64, total: Option<u64>, ended: &Receiver<()>) {
    let goes_on = |wait| matches!(ended.recv_timeout(wait), Err(RecvTimeoutError::Timeout));
    if !goes_on(PATIENCE) {
        return;
    }
    let (bar, template) = match total {
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
        bar.set_position(count.load(Ordering::Relaxed));
        bar.tick();
    }
    bar.finish_and_clear();
}
