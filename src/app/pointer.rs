//! Who owns a drag: decided when the button goes down, and kept until it comes up.

use super::simulation::Simulation;
use crate::model::{Grab, World};
use glam::DVec2;

/// A mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Takes hold of bodies.
    Left,
    /// Moves the view.
    Right,
    /// Moves the view.
    Middle,
}

/// What a drag that began on the canvas does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Hold {
    /// No button is down.
    #[default]
    Free,
    /// A body is held at a point.
    Body {
        /// Its index.
        index: usize,
        /// The held point in the body's frame, m.
        at: DVec2,
    },
    /// The view moves.
    View,
    /// The drag began on nothing that can be held.
    Nothing,
}

impl Hold {
    /// What a press of `button` at the world point `at` takes hold of.
    pub fn press(button: Button, world: &World, at: DVec2, reach: f64) -> Self {
        match button {
            Button::Right | Button::Middle => Self::View,
            Button::Left => match world.pick(at, reach) {
                Some(index) => Self::Body { index, at: world.bodies()[index].point_in_body(at) },
                None => Self::Nothing,
            },
        }
    }

    /// The held body follows the cursor at the world point `to`: while time passes it is pulled by a soft
    /// spring, while it stands still it is moved, and its joints with it are not.
    pub fn follow(&self, simulation: &mut Simulation, to: DVec2) {
        let Self::Body { index, at } = *self else { return };
        if simulation.playing {
            return pull(simulation, index, at, to);
        }
        simulation.world.grab = None;
        if let Some(body) = simulation.world.bodies_mut().get_mut(index) {
            let shift = to - body.point_in_world(at);
            if shift != DVec2::ZERO {
                body.pose.position += shift;
                simulation.note_moved();
            }
        }
    }

    /// The button comes up.
    pub fn release(&mut self, simulation: &mut Simulation) {
        simulation.world.grab = None;
        *self = Self::Free;
    }
}

fn pull(simulation: &mut Simulation, index: usize, at: DVec2, to: DVec2) {
    let fresh = simulation.world.grab.is_none_or(|grab| grab.body != index);
    if fresh {
        let grab = simulation
            .world
            .bodies()
            .get(index)
            .map(|body| Grab::new(index, body, body.point_in_world(at)));
        simulation.world.grab = grab;
        simulation.mark("grab", "grab".to_owned());
    }
    if let Some(grab) = &mut simulation.world.grab {
        grab.target = to;
    }
}
