//! What mouse and keys do to bodies.

use crate::workbench::intent::{Hover, Selected};
use crate::workbench::stage::pointer::Hold;

/// What the mouse holds and has chosen.
#[derive(Debug, Default)]
pub struct Hand {
    /// What the mouse holds.
    pub hold: Hold,
    /// The held keys that switch forces of the scene, as switches.
    pub keys: u64,
    /// Where the cursor is.
    pub hover: Hover,
    /// The body whose card is shown.
    pub selected: Option<Selected>,
    /// Whether the reach of the push is being set in the panel; the push is then shown in the middle of the canvas.
    pub sizing: bool,
}
