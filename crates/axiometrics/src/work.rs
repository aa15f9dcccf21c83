//! The handle of long work: how many threads it may take, how far it has come, and whether its
//! result is still wanted.
//!
//! Whoever started the work keeps a clone of the handle. It shows progress and cancels; the work
//! itself counts and asks. All clones share one state, which is made of atomic numbers alone, so the
//! handle can be used from any thread, and a panic cannot leave it in a state that is half changed.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::error::{Error, Result};

/// Threads, one per core unless somebody says how many; progress and cancellation.
///
/// ```
/// use axiometrics::work::Work;
///
/// let work = Work::default().with_threads(2);
/// let ours = work.clone();
/// ours.expect(100);
/// ours.advance(40);
/// assert_eq!((work.done(), work.total()), (40, Some(100)));
/// assert!(ours.check().is_ok());
/// work.cancel();
/// assert!(ours.check().unwrap_err().is_cancelled());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Work {
    /// `None` for one per core.
    threads: Option<usize>,
    state: Arc<WorkState>,
}

#[derive(Debug, Default)]
struct WorkState {
    done: AtomicU64,
    total: AtomicU64,
    cancelled: AtomicBool,
}

/// How many cores there are: asked once, since the answer takes the system several files to find.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZero::get))
}

impl Work {
    /// Work on one thread.
    pub fn alone() -> Work {
        Work { threads: Some(1), ..Work::default() }
    }

    /// The same work on so many threads, at least one.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Work {
        Work { threads: Some(threads.max(1)), ..self }
    }

    /// The same work on an equal share of the threads, for one of so many parts that go on at once.
    #[must_use]
    pub fn shared_by(&self, parts: usize) -> Work {
        self.clone().with_threads(self.threads() / parts.max(1))
    }

    /// How many threads it may take.
    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(cores)
    }

    /// How many steps, or bytes, there are to do.
    pub fn expect(&self, total: u64) {
        self.state.total.store(total, Ordering::Relaxed);
    }

    /// Counts steps that were done.
    pub fn advance(&self, steps: u64) {
        self.state.done.fetch_add(steps, Ordering::Relaxed);
    }

    /// How many steps were done.
    pub fn done(&self) -> u64 {
        self.state.done.load(Ordering::Relaxed)
    }

    /// How many there are, if that is known.
    pub fn total(&self) -> Option<u64> {
        Some(self.state.total.load(Ordering::Relaxed)).filter(|total| *total > 0)
    }

    /// Asks the work to stop. It ends soon with an error that [`Error::is_cancelled`] recognises.
    pub fn cancel(&self) {
        self.state.cancelled.store(true, Ordering::Relaxed);
    }

    /// True if the result is no longer wanted.
    pub fn is_cancelled(&self) -> bool {
        self.state.cancelled.load(Ordering::Relaxed)
    }

    /// An error if the result is no longer wanted. Loops that take long ask now and then.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::cancelled()) } else { Ok(()) }
    }

    /// A result as it is, but for an error after the work was cancelled, which follows from that.
    pub fn or_cancelled<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|error| if self.is_cancelled() { Error::cancelled() } else { error })
    }
}

/// A reader that counts the bytes it gives away, and fails once the work is cancelled.
pub(crate) struct Watched<R> {
    pub(crate) input: R,
    pub(crate) work: Option<Work>,
}

impl<R: std::io::Read> std::io::Read for Watched<R> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let Some(work) = &self.work else { return self.input.read(buf) };
        if work.is_cancelled() {
            return Err(std::io::Error::other("cancelled"));
        }
        let n = self.input.read(buf)?;
        work.advance(n as u64);
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn clones_share_progress_and_have_their_own_threads() {
        let work = Work::alone().with_threads(8);
        let part = work.shared_by(3);
        assert_eq!((work.threads(), part.threads(), work.shared_by(100).threads()), (8, 2, 1));
        part.advance(7);
        assert_eq!((work.done(), work.total()), (7, None));
        assert_eq!(Work::alone().with_threads(0).threads(), 1);
    }

    #[test]
    fn errors_after_a_cancellation_follow_from_it() {
        let work = Work::alone();
        let fail = || Err::<(), _>(Error::usage("no"));
        assert!(work.or_cancelled(fail()).unwrap_err().is_usage());
        work.cancel();
        assert!(work.or_cancelled(fail()).unwrap_err().is_cancelled());
        assert!(work.or_cancelled(Ok(())).is_ok());
    }

    #[test]
    fn reading_is_counted_and_ends_when_cancelled() {
        let work = Work::alone();
        let mut reader = Watched { input: &b"0123456789"[..], work: Some(work.clone()) };
        let mut buf = [0; 4];
        assert_eq!(reader.read(&mut buf).unwrap(), 4);
        assert_eq!(work.done(), 4);
        work.cancel();
        assert!(reader.read(&mut buf).is_err());
    }
}
