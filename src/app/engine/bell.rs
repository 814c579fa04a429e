//! A bell between threads: those that finish something ring it, the window waits for it where it has nothing new to draw.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A bell that stays rung until somebody has waited for it. Clones are the same bell.
#[derive(Clone, Default)]
pub struct Bell(Arc<(Mutex<bool>, Condvar)>);

impl Bell {
    /// Wakes whoever waits, or whoever waits next.
    pub fn ring(&self) {
        *self.rung() = true;
        self.0.1.notify_all();
    }

    /// Waits until the bell is rung, at most for `longest`; not at all if it was rung since the last wait.
    pub fn wait(&self, longest: Duration) {
        let waited = self.0.1.wait_timeout_while(self.rung(), longest, |rung| !*rung);
        *waited.unwrap_or_else(PoisonError::into_inner).0 = false;
    }

    /// Forgets that the bell was rung.
    pub fn hush(&self) {
        *self.rung() = false;
    }

    // A flag is whole even if a thread panicked while it held the lock.
    fn rung(&self) -> MutexGuard<'_, bool> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
