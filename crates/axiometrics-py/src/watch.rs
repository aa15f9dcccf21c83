//! Long work: the interpreter goes on, Ctrl-C stops it, and somebody may watch its progress.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use axiometrics::Error;
use axiometrics::work::Work;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

/// How often signals are looked for.
const LOOK: Duration = Duration::from_millis(20);
/// From so much time on progress is told.
const PATIENCE: u32 = 20;

/// Does some work on a thread of its own, without the interpreter. `progress` is called now and then
/// with the share that was done, if that is known. Ctrl-C cancels the work and does not wait for it.
pub(crate) fn watched<T: Send + 'static>(
    py: Python<'_>,
    work: &Work,
    progress: Option<&Bound<'_, PyAny>>,
    task: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = channel();
    std::thread::Builder::new()
        .name("axiometrics".to_string())
        // The caller may be gone, and then nobody wants the result.
        .spawn(move || drop(send.send(catch_unwind(AssertUnwindSafe(task)))))?;
    let receive = std::sync::Mutex::new(receive);
    let mut waited = 0;
    loop {
        let answer = py.detach(|| match receive.lock() {
            Ok(receive) => receive.recv_timeout(LOOK),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        });
        match answer {
            Ok(Ok(value)) => return Ok(value),
            // The binding turns it into an exception.
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(crate::error::usage(py, "the work ended without a result"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(interrupt) = py.check_signals() {
            work.cancel();
            return Err(interrupt);
        }
        waited += 1;
        if let Some(progress) = progress.filter(|_| waited >= PATIENCE) {
            // What follows once the input is read is not counted: nobody knows how far it has come.
            let total = work.total().filter(|total| work.done() < *total);
            let share = total.map(|total| work.done() as f64 / total as f64);
            if let Err(failure) = progress.call1((share,)) {
                work.cancel();
                return Err(failure);
            }
        }
    }
}

/// Does some work whose parts run in parallel, on threads of its own.
///
/// A fork copies the memory of a process but none of its threads, so work that waited for threads of
/// the parent would wait indefinitely. And a thread that waits for parts of its own call must not
/// begin another call meanwhile: what a call prints belongs to its thread.
pub(crate) fn in_parallel<T: Send>(task: impl FnOnce() -> T + Send) -> axiometrics::Result<T> {
    let pool = ThreadPoolBuilder::new().build();
    let pool = pool.map_err(|e| Error::usage(format!("threads cannot be started: {e}")))?;
    Ok(pool.install(task))
}

/// Panics, so that tests can see that the interpreter goes on.
#[pyfunction]
#[pyo3(signature = (on_a_thread = false))]
pub(crate) fn panic_for_tests(py: Python<'_>, on_a_thread: bool) -> PyResult<()> {
    let fail = || -> () { panic!("asked to panic") };
    if on_a_thread {
        return watched(py, &Work::alone(), None, fail);
    }
    fail();
    Ok(())
}
