//! The world at a frame of a recording as a scene, from which any scheme goes on: what should have happened.
//!
//! Poses and velocities are those of the line; joints, limits, motors and springs those that are there; settings those of the
//! recording's first line. A body whose origin is its centre of mass has the line's pose to the bit, others to rounding.

use crate::experiment::recording::{Recording, RecordingProblem};
use crate::numbers::short;
use crate::scene::Scene;

/// Share of a time by which a sum of steps in single precision may miss it.
const SAME_TIME: f64 = 1e-6;

/// A scene from a frame of a recording.
#[derive(Clone, Debug)]
pub struct Fork {
    /// The world at that frame, with the settings by which it is stepped.
    pub scene: Scene,
    /// What of the recording's world it does not contain: a sentence each.
    pub left_out: Vec<String>,
}

impl Fork {
    /// The world after the step at `place`; without one, before the first step.
    ///
    /// # Errors
    /// What is wrong with a line up to that one.
    pub fn at(recording: &mut Recording, place: Option<usize>) -> Result<Self, Vec<RecordingProblem>> {
        let mut scene = recording.scene().clone();
        let mut left_out = recording.left_out().to_vec();
        (scene.beginning, scene.interaction, scene.window) = (None, None, None);
        scene.references.clear();
        let Some(place) = place else { return Ok(Self { scene, left_out }) };
        let (engine, last) = (recording.engine().name.clone(), recording.times().len());
        // Without velocities the line before says how fast the bodies are.
        let before = match place.checked_sub(1) {
            Some(before) => Some(recording.step(before)?.0),
            None => None,
        };
        let (step, stretch) = recording.step(place)?;
        let mut own = stretch.clone();
        // A body that came with this very line has no place in the line before.
        let before = before.filter(|_| step.v.is_none() && own.first < place);
        own.place(&step, before.as_ref());
        let mut world = own.world;
        world.set_steps(place as u64 + 1);
        left_out.push("the impulses of the last step, from which iterative schemes start".to_owned());
        if step.v.is_none() {
            left_out.push("velocities: they are differences of poses".to_owned());
        }
        if !step.hand.is_empty() {
            left_out.push("the hand: it has let go".to_owned());
        }
        if place + 1 < last {
            left_out.push("what comes, goes and pulls later in the recording".to_owned());
        }
        // A scene without a name has that of the engine.
        let own = if scene.name == engine { String::new() } else { format!("{}: ", scene.name) };
        scene.name = format!("{own}{engine} after {} s", short(step.t));
        scene.world = world;
        Ok(Self { scene, left_out })
    }

    /// The place of the last step up to the time `t`, s, to single precision; none before the first step.
    pub fn place_at(recording: &Recording, t: f64) -> Option<usize> {
        let until = t + SAME_TIME * t.abs();
        recording.times().partition_point(|time| *time <= until).checked_sub(1)
    }
}
