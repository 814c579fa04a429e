//! Revisions: which content a world has, and which state.
//!
//! Masses, the pairs that may collide and the order of the rows change only when a body or constraint is added, edited or
//! removed. A part of the engine that stores them also stores the world's revision, and derives them anew when that has changed.
//! A clone has the revision of its original until one of them is edited.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies the content of the world that was last read, apart from the state that steps change; empty at first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Revision(pub(super) Option<[Version; 4]>);

/// Identifies the content of a table, or the state in it that steps write: clones share it, and every change gives a new one, never
/// used before. An empty table that has never changed has the first one.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Version(u64);

static NEXT: AtomicU64 = AtomicU64::new(1);

impl Version {
    /// Marks a change.
    pub fn renew(&mut self) {
        // Only compared for equality, so that results do not depend on their order.
        self.0 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
}

/// Printed without its number, so that worlds of equal content are printed alike.
impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Version")
    }
}
