//! What is done when a signal ends the program: files that are not whole are removed.

/// From now on SIGINT, SIGTERM and SIGHUP remove files that are half written, then end the program
/// as they would have. Called before a file is written, since most calls write none and start
/// faster without.
#[cfg(unix)]
pub(crate) fn tidy_up() {
    use std::sync::Once;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        // Without a handler the program still ends, and leaves its temporary file.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                axiometrics::io::remove_unfinished();
                // Fails only for signals that cannot be caught.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
    });
}

#[cfg(not(unix))]
pub(crate) fn tidy_up() {}
