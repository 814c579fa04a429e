//! Who owns a drag: decided when the button goes down, and kept until it comes up.

use super::push::Push;
use super::simulation::Simulation;
use super::tape::Tape;
use crate::model::{Grab, World};
use crate::scene::Tool;
use glam::DVec2;

/// A mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Takes hold of bodies, or pushes where there is none.
    Left,
    /// The left one with Shift: pushes.
    ShiftLeft,
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
    /// Bodies are pushed away from the cursor.
    Push,
    /// The view moves.
    View,
    /// The drag moves nothing: a recorded pointer has the world.
    Nothing,
}

impl Hold {
    /// What a press of `button` at the world point `at` takes hold of.
    pub fn press(button: Button, world: &World, at: DVec2, reach: f64) -> Self {
        match button {
            Button::Right | Button::Middle => Self::View,
            Button::ShiftLeft => Self::Push,
            Button::Left => match world.pick(at, reach) {
                Some(index) => Self::Body { index, at: world.bodies()[index].point_in_body(at) },
                None => Self::Push,
            },
        }
    }

    /// What the same press takes hold of in `simulation`: nothing but the view while a recorded pointer has the
    /// world; while one is being recorded, the recording is told.
    pub fn press_in(button: Button, simulation: &mut Simulation, at: DVec2, reach: f64) -> Self {
        let hold = Self::press(button, &simulation.world, at, reach);
        let Push { radius, strength, .. } = simulation.push;
        match (hold, simulation.tape()) {
            (Self::Body { .. } | Self::Push, Tape::Replay) => return Self::Nothing,
            (Self::Push, Tape::Live) => simulation.mark("push", "push".to_owned()),
            _ => {}
        }
        let Some(session) = simulation.session_mut() else { return hold };
        match hold {
            Self::Body { .. } => session.press(Tool::Grab, 1.0, reach),
            Self::Push => session.press(Tool::Repel, strength, radius),
            Self::Free | Self::View | Self::Nothing => {}
        }
        hold
    }

    /// The held body follows the cursor at the world point `to`: while time passes it is pulled by a soft
    /// spring, while it stands still it is moved, and its joints with it are not.
    /// What is pushed is pushed from there. In a recording, the next step does either.
    pub fn follow(&self, simulation: &mut Simulation, to: DVec2) {
        let push = simulation.push;
        if let (Self::Body { .. } | Self::Push, Some(session)) = (self, simulation.session_mut()) {
            return session.hold(to, push.strength);
        }
        let (index, at) = match *self {
            Self::Push => {
                simulation.world.repulsion = Some(push.at(to));
                return;
            }
            Self::Body { index, at } => (index, at),
            Self::Free | Self::View | Self::Nothing => return,
        };
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
        if let Some(session) = simulation.session_mut() {
            session.release();
        } else if *simulation.tape() == Tape::Live {
            simulation.take_hand_away();
        }
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
