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
        let ignored = ignored();
        let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| {
            // Who started the program may have asked it to ignore some, as `nohup` does.
            ignored & (1 << (signal - 1)) == 0
        });
        // Without a handler the program still ends, and leaves its temporary file.
        let Ok(mut signals) = Signals::new(heeded) else { return };
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                axiometrics::io::remove_unfinished();
                // Fails only for signals that cannot be caught.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
    });
}

/// The signals that this process ignores, a bit for each, as far as the system says.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
pub(crate) fn tidy_up() {}
