//! SIGINT (Ctrl-C), SIGTERM and SIGHUP: a run ends behind the step that it is making, with its summary and its files.
//! Where that step takes longer than a second more, or a second signal comes, it ends before that step.

use super::failure::Failure;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What the shell adds to a signal's number for the exit status.
const ENDED_BY_SIGNAL: u8 = 128;
/// Time that a step may take after a signal.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often a signal is looked for beside a step.
const OFTEN: Duration = Duration::from_millis(50);

/// Whether a signal has asked the command to end.
#[derive(Clone)]
pub(super) struct Interrupt {
    signal: Arc<AtomicUsize>,
    /// Whether one has come since it was last looked.
    again: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens from now on.
    pub fn watch() -> Result<Self, Failure> {
        let own = Self { signal: Arc::default(), again: Arc::default() };
        own.listen().map_err(|error| Failure::wrong(format!("signals: {error}")))?;
        Ok(own)
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

    #[cfg(any(unix, windows))]
    fn listen(&self) -> std::io::Result<()> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::flag;
        let hangup = listens_to_hangup().then_some(SIGHUP);
        for number in [SIGINT, SIGTERM].into_iter().chain(hangup) {
            flag::register(number, Arc::clone(&self.again))?;
            flag::register_usize(number, Arc::clone(&self.signal), number as usize)?;
        }
        Ok(())
    }

    #[cfg(not(any(unix, windows)))]
    fn listen(&self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What a command has reached. It can be taken away from a step that does not end.
pub(super) struct Reached<T>(Arc<Mutex<Option<T>>>);

impl<T: Send + 'static> Reached<T> {
    /// Guards `state`: `end` gets it, with the signal's name, where a signal ends the process in the middle of a step.
    pub fn new(state: T, interrupt: &Interrupt, end: impl FnOnce(T, &str) + Send + 'static) -> Self {
        let own = Self(Arc::new(Mutex::new(Some(state))));
        let (interrupt, state) = (interrupt.clone(), Arc::clone(&own.0));
        thread::spawn(move || end_in_time(&interrupt, &state, end));
        own
    }

    /// Acts on the state between two steps.
    pub fn with<R>(&self, act: impl FnOnce(&mut T) -> R) -> R {
        match &mut *locked(&self.0) {
            Some(state) => act(state),
            None => wait_for_the_end(),
        }
    }

    /// The state, which no signal takes away any more.
    pub fn take(self) -> T {
        let state = locked(&self.0).take();
        state.unwrap_or_else(|| wait_for_the_end())
    }
}

fn locked<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The other thread ends the process.
fn wait_for_the_end() -> ! {
    loop {
        thread::park();
    }
}

/// Ends the process after a signal if the command does not by itself: with what has been reached or, while that is
/// being written, by the third signal.
fn end_in_time<T>(interrupt: &Interrupt, state: &Mutex<Option<T>>, end: impl FnOnce(T, &str)) {
    let (mut signals, mut first) = (0, None);
    loop {
        thread::sleep(OFTEN);
        if interrupt.again.swap(false, Ordering::Relaxed) {
            signals += 1;
        }
        let Some((status, name)) = interrupt.come() else { continue };
        let waited = first.get_or_insert_with(Instant::now).elapsed();
        if signals < 2 && waited < PATIENCE {
            continue;
        }
        // A state that is in use is between two steps.
        let Ok(mut own) = state.try_lock() else { continue };
        if let Some(reached) = own.take() {
            end(reached, name);
            process::exit(status.into());
        }
        if signals > 2 {
            process::exit(status.into());
        }
    }
}

/// The number of the signal of a terminal that has gone.
#[cfg(any(unix, windows))]
const SIGHUP: i32 = 1;

/// Whether a terminal that goes ends the command: not where it was started by `nohup`, which ignores that signal.
#[cfg(target_os = "linux")]
fn listens_to_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 << (SIGHUP - 1) == 0)
}

#[cfg(all(any(unix, windows), not(target_os = "linux")))]
fn listens_to_hangup() -> bool {
    false
}

/// From now on a file that outgrows the shell's limit is an error of the write. Nobody listens to that signal
/// otherwise, and it ends the process without a word.
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
    match number as i32 {
        signal_hook::consts::SIGINT => "SIGINT",
        SIGHUP => "SIGHUP",
        _ => "SIGTERM",
    }
}

#[cfg(not(any(unix, windows)))]
fn name(_: usize) -> &'static str {
    "signal"
}
