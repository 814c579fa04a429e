//! What tells whether a table has been edited since somebody looked.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The content of one table: shared by its clones, another one after every change.
#[derive(Clone, Debug, Default)]
pub(super) struct Mark(Arc<()>);

impl Mark {
    /// Marks a change. Where nobody has remembered the mark it can stay.
    pub fn renew(&mut self) {
        if Arc::get_mut(&mut self.0).is_none() {
            *self = Self::default();
        }
    }

    /// Whether both mark the same content.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What tells whether the state of a table has been written since somebody looked: shared by its clones, another one after every
/// change, and never again the same.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Stamp(u64);

static STAMPS: AtomicU64 = AtomicU64::new(1);

impl Stamp {
    /// Marks a change.
    pub fn renew(&mut self) {
        // Only whether two are equal is ever asked.
        self.0 = STAMPS.fetch_add(1, Ordering::Relaxed);
    }
}

/// Without its number: worlds of equal content are printed alike.
impl fmt::Debug for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stamp")
    }
}
