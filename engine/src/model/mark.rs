//! What tells whether a table has been edited since somebody looked.

use std::sync::Arc;

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
