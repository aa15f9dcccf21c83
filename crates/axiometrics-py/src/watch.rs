//! Long work: the interpreter goes on, Ctrl-C stops it, and somebody may watch its progress.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use axiometrics::work::Work;
use pyo3::prelude::*;

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
            let share = work.total().map(|total| (work.done() as f64 / total as f64).min(1.0));
            if let Err(failure) = progress.call1((share,)) {
                work.cancel();
                return Err(failure);
            }
        }
    }
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
