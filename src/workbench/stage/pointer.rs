//! What a drag does: decided when the button goes down, and kept until it comes up.

use crate::detect::pick;
use crate::model::{BodyId, World};
use glam::DVec2;

/// A mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Grabs a body, or pushes if there is none under the cursor.
    Left,
    /// The left button with Shift: pushes.
    ShiftLeft,
    /// Moves the view.
    Right,
    /// Moves the view.
    Middle,
}

impl Button {
    /// Whether it moves the view, wherever it is pressed.
    pub fn moves_view(self) -> bool {
        matches!(self, Self::Right | Self::Middle)
    }
}

/// What a drag that began on the canvas does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Hold {
    /// No button is down.
    #[default]
    Free,
    /// A body is held at a point.
    Body {
        /// Which one.
        body: BodyId,
        /// The held point in the body's frame, m.
        at: DVec2,
    },
    /// Bodies are pushed away from the cursor.
    Push,
    /// The view moves.
    View,
    /// The drag moves nothing: a recorded pointer moves the bodies.
    Nothing,
}

impl Hold {
    /// What a press of `button` at the world point `at` begins.
    pub fn press(button: Button, world: &World, at: DVec2, reach: f64) -> Self {
        match button {
            _ if button.moves_view() => Self::View,
            Button::ShiftLeft => Self::Push,
            _ => match pick(world, at, reach) {
                Some(body) => Self::Body { body, at: world[body].point_in_body(at) },
                None => Self::Push,
            },
        }
    }
}
