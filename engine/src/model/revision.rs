//! Revisions: which content a world has, and which state.
//!
//! Masses, the pairs that may collide and the order of the rows change only when a body or constraint is added, edited or
//! removed. A part of the engine that stores them also stores the world's revision, and derives them anew when that has changed.
//! A clone has the revision of its original until one of them is edited.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies the content of one table: its clones have the same revision, and every change gives it a new one.
#[derive(Clone, Debug, Default)]
pub(super) struct TableRevision(Arc<()>);

impl TableRevision {
    /// Marks a change. A revision that no other part of the engine has stored can stay.
    pub fn renew(&mut self) {
        if Arc::get_mut(&mut self.0).is_none() {
            *self = Self::default();
        }
    }

    /// Whether both identify the same content.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Identifies the content of the world that was last read, apart from the state that steps change; empty at first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Revision(pub(super) Option<[TableRevision; 4]>);

/// Identifies the state of a table, which steps write: clones share it, and every write gives a new one, never used before.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StateRevision(u64);

static STATES: AtomicU64 = AtomicU64::new(1);

impl StateRevision {
    /// Marks a change.
    pub fn renew(&mut self) {
        // Only compared for equality, so that results do not depend on their order.
        self.0 = STATES.fetch_add(1, Ordering::Relaxed);
    }
}

/// Printed without its number, so that worlds of equal content are printed alike.
impl fmt::Debug for StateRevision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StateRevision")
    }
}
