//! SIGINT (Ctrl-C) and SIGTERM: a run ends behind the step that it is making, with its summary and its files.

use super::failure::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What the shell adds to a signal's number for the exit status.
const ENDED_BY_SIGNAL: u8 = 128;

/// Whether a signal has asked the run to end. The second one ends the process at once.
pub(super) struct Interrupt {
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Listens from now on.
    pub fn watch() -> Result<Self, Failure> {
        let signal = Arc::new(AtomicUsize::new(0));
        listen(&signal).map_err(|error| Failure::wrong(format!("signals: {error}")))?;
        Ok(Self { signal })
    }

    /// The exit status and the name of the signal that came, if one did.
    pub fn come(&self) -> Option<(u8, &'static str)> {
        match self.signal.load(Ordering::Relaxed) {
            0 => None,
            number => {
                let status = u8::try_from(number).ok()?.checked_add(ENDED_BY_SIGNAL)?;
                Some((status, name(number)))
            }
        }
    }
}

#[cfg(any(unix, windows))]
fn listen(signal: &Arc<AtomicUsize>) -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    let asked = Arc::new(AtomicBool::new(false));
    for number in [SIGINT, SIGTERM] {
        let status = i32::from(ENDED_BY_SIGNAL) + number;
        // In this order: the first signal finds nothing asked yet, and asks.
        flag::register_conditional_shutdown(number, status, Arc::clone(&asked))?;
        flag::register(number, Arc::clone(&asked))?;
        flag::register_usize(number, Arc::clone(signal), number as usize)?;
    }
    Ok(())
}

/// From now on a file that outgrows the shell's limit is an error of the write. Nobody listens to that signal otherwise, and it ends the
/// process without a word.
#[cfg(target_os = "linux")]
pub(super) fn make_too_large_files_errors() -> Result<(), Failure> {
    let number = rustix::process::Signal::XFSZ.as_raw();
    let listened = signal_hook::flag::register(number, Arc::new(AtomicBool::new(false)));
    listened.map(drop).map_err(|error| Failure::wrong(format!("signals: {error}")))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn make_too_large_files_errors() -> Result<(), Failure> {
    Ok(())
}

#[cfg(any(unix, windows))]
fn name(number: usize) -> &'static str {
    if number == signal_hook::consts::SIGINT as usize { "SIGINT" } else { "SIGTERM" }
}

#[cfg(not(any(unix, windows)))]
fn listen(_: &Arc<AtomicUsize>) -> std::io::Result<()> {
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn name(_: usize) -> &'static str {
    "signal"
}
