//! A bell: threads that finish something ring it, and the window hears it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is done when a bell rings, in the thread that rings it.
type Listener = Box<dyn Fn() + Send>;

/// A bell. Clones are the same bell.
#[derive(Clone, Default)]
pub struct Bell(Arc<Mutex<Option<Listener>>>);

impl Bell {
    /// Rings; without a listener nothing happens.
    pub fn ring(&self) {
        if let Some(listener) = &*self.listener() {
            listener();
        }
    }

    /// From now on `listener` hears it, and nobody else.
    pub fn heard_by(&self, listener: impl Fn() + Send + 'static) {
        *self.listener() = Some(Box::new(listener));
    }

    // A listener is whole even if it panicked while the lock was held.
    fn listener(&self) -> MutexGuard<'_, Option<Listener>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
