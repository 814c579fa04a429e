//! A notifier: threads that have finished something notify the window by it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is done at a notification, in the thread that gives it.
type Listener = Box<dyn Fn() + Send>;

/// A notifier. Clones notify the same listener.
#[derive(Clone, Default)]
pub struct Notifier(Arc<Mutex<Option<Listener>>>);

impl Notifier {
    /// Notifies the listener; without one nothing happens.
    pub fn notify(&self) {
        if let Some(listener) = &*self.listener() {
            listener();
        }
    }

    /// From now on `listener` is notified, and nobody else.
    pub fn listen(&self, listener: impl Fn() + Send + 'static) {
        *self.listener() = Some(Box::new(listener));
    }

    // A listener is whole even if it panicked while the lock was held.
    fn listener(&self) -> MutexGuard<'_, Option<Listener>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
