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

/// Identifies the state of a table, which steps write: clones share it, and every write gives a new one, never used before.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Stamp(u64);

static STAMPS: AtomicU64 = AtomicU64::new(1);

impl Stamp {
    /// Marks a change.
    pub fn renew(&mut self) {
        // Stamps are only compared for equality, so results do not depend on their order.
        self.0 = STAMPS.fetch_add(1, Ordering::Relaxed);
    }
}

/// Printed without its number, so that worlds of equal content are printed alike.
impl fmt::Debug for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stamp")
    }
}
