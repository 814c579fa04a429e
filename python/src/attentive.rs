//! Computations that Ctrl+C ends: made on a thread of their own, while this one looks for signals.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

/// How long the interpreter may wait before it is asked whether the user has interrupted it.
pub const ATTENTIVE: Duration = Duration::from_millis(50);
/// As much stack as a main thread has, bytes.
const STACK: usize = 8 << 20;

/// Whether a computation is to go on, to be asked as often as it can.
pub struct Attention(Arc<AtomicBool>);

impl Attention {
    /// False once the user has interrupted it; whatever it then returns is thrown away.
    pub fn is_given(&self) -> bool {
        !self.0.load(Ordering::Relaxed)
    }
}

/// What `work` returns, or the exception of a signal that comes meanwhile. A `work` that does not ask for attention
/// then goes on alone, and nobody waits for it.
pub fn attend<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Attention) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, mut receiver) = channel();
    let attention = Attention(Arc::clone(&stop));
    Builder::new().stack_size(STACK).spawn(move || sender.send(work(&attention)))?;
    loop {
        let found;
        (found, receiver) = py.detach(move || (receiver.recv_timeout(ATTENTIVE), receiver));
        match found {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| stop.store(true, Ordering::Relaxed))?
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the computation has ended without a result"));
            }
        }
    }
}
