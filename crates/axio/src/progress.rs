//! Progress of work that takes long enough to wonder about, on a terminal's standard error.
//!
//! Every command shows how long it has been working once two seconds have passed; a command that
//! knows how much there is to do shows a bar instead. What a command writes replaces both.

use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axiometrics::report::safe;
use axiometrics::work::Work;
use indicatif::{ProgressBar, ProgressStyle};

use crate::shell;

/// Work that ends sooner shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);
/// A command that ends sooner shows nothing.
const COMMAND_PATIENCE: Duration = Duration::from_secs(2);
/// So few steps are waited for in silence.
const FEW_STEPS: usize = 3;
const REDRAW: Duration = Duration::from_millis(100);

/// The line on the terminal. There is one terminal, so there is one line.
static LINE: Mutex<Line> = Mutex::new(Line { bar: None, part: false, closed: false });

struct Line {
    bar: Option<ProgressBar>,
    /// The bar is that of a part of the command's work.
    part: bool,
    /// Results are being written: nothing more is shown.
    closed: bool,
}

impl Line {
    /// Another bar, or none, in place of the one that is shown.
    fn show(&mut self, bar: Option<ProgressBar>, part: bool) {
        if let Some(old) = std::mem::replace(&mut self.bar, bar) {
            old.finish_and_clear();
        }
        self.part = part;
    }
}

fn line() -> MutexGuard<'static, Line> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Results follow: removes the line for good.
pub(crate) fn close() {
    let mut line = line();
    line.closed = true;
    line.show(None, false);
}

/// Writes a message where the line is, which appears again below it.
pub(crate) fn aside<T>(write: impl FnOnce() -> T) -> T {
    match &line().bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

fn is_shown(quiet: bool) -> bool {
    !quiet && !shell::is_called() && std::io::stderr().is_terminal()
}

/// Runs a command; a line tells how long it has been working, once that is worth telling.
pub(crate) fn command<T>(name: &str, quiet: bool, task: impl FnOnce() -> T) -> T {
    let start = || {
        let bar = ProgressBar::new_spinner().with_message(format!("axio {name}"));
        (bar, "{spinner} {msg}: working, {elapsed}")
    };
    let (shown, patience) = (is_shown(quiet), COMMAND_PATIENCE);
    during(Look { shown, patience, part: false, start, follow: |_: &ProgressBar| {} }, task)
}

/// Does some work, which counts the bytes it reads; a bar follows the count.
pub(crate) fn watch<T>(quiet: bool, work: &Work, task: impl FnOnce() -> T) -> T {
    let start = || match work.total() {
        Some(total) => (
            ProgressBar::new(total),
            "{bar:40.cyan/dim} {bytes}/{total_bytes}, {binary_bytes_per_sec}, {eta} left",
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {bytes} read, {binary_bytes_per_sec}"),
    };
    // A file that is read twice is no reason to show more than all.
    let follow =
        |bar: &ProgressBar| bar.set_position(work.done().min(work.total().unwrap_or(u64::MAX)));
    let shown = is_shown(quiet);
    during(Look { shown, patience: PATIENCE, part: true, start, follow }, task)
}

/// Does some work of many steps. What came of each is written above the bar as soon as it is there,
/// unless the steps are so few that the result shows no more.
pub(crate) fn steps<T>(total: usize, of: &str, task: impl FnOnce(&Steps) -> T) -> T {
    let work = Work::default();
    let start = || {
        let bar = ProgressBar::new(total as u64).with_message(of.to_string());
        (bar, "{bar:40.cyan/dim} {pos}/{len} {msg}, {elapsed}")
    };
    let shown = is_shown(false);
    let steps = Steps { work: work.clone(), writes: shown && total > FEW_STEPS };
    let follow = |bar: &ProgressBar| bar.set_position(work.done());
    let look = Look { shown, patience: PATIENCE, part: true, start, follow };
    during(look, || task(&steps))
}

/// What counts the steps.
pub(crate) struct Steps {
    work: Work,
    writes: bool,
}

impl Steps {
    /// A step is done, with what came of it.
    pub(crate) fn done(&self, result: impl FnOnce() -> Option<String>) {
        self.work.advance(1);
        if let Some(result) = self.writes.then(result).flatten() {
            aside(|| eprintln!("{}", safe(&result)));
        }
    }
}

/// How a bar looks, and what moves it.
struct Look<S, F> {
    shown: bool,
    patience: Duration,
    /// Of a part of a command: it takes the place of the command's own.
    part: bool,
    start: S,
    follow: F,
}

/// Shows a bar while a task goes on.
fn during<T, S, F>(look: Look<S, F>, task: impl FnOnce() -> T) -> T
where
    S: Fn() -> (ProgressBar, &'static str) + Send,
    F: Fn(&ProgressBar) + Send,
{
    if !look.shown {
        return task();
    }
    let (working, ended) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || show(&look, &ended));
        let result = task();
        drop(working);
        result
    })
}

/// Shows the bar until the other end of the channel is dropped.
fn show<S, F>(look: &Look<S, F>, ended: &Receiver<()>)
where
    S: Fn() -> (ProgressBar, &'static str),
    F: Fn(&ProgressBar),
{
    let begun = Instant::now();
    let goes_on = |wait| matches!(ended.recv_timeout(wait), Err(RecvTimeoutError::Timeout));
    if !goes_on(look.patience) {
        return;
    }
    while goes_on(REDRAW) {
        let mut line = line();
        if line.closed {
            return;
        }
        if line.part && !look.part {
            continue;
        }
        if line.part != look.part || line.bar.is_none() {
            let (bar, template) = (look.start)();
            let style = ProgressStyle::with_template(template);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            line.show(Some(bar.with_elapsed(begun.elapsed())), look.part);
        }
        if let Some(bar) = &line.bar {
            (look.follow)(bar);
            bar.tick();
        }
    }
    let mut line = line();
    if line.part == look.part {
        line.show(None, false);
    }
}
