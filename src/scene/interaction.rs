//! A recorded pointer: what a person's mouse did to a world, so that a run can repeat it bit for bit.
//!
//! **Sample and hold.** Before a step that starts at the world time t with the length h, the sample in force is the
//! last one whose time is not beyond t + h/100; before the first sample the button is up, after the last one that
//! one stays in force. The hundredth of a step is for times that are sums of rounded steps. The tolerance is not half
//! a step: under a step twice as long as the recording's, every other sample lies in the middle of a step, and
//! rounding would decide whether that step uses it.
//!
//! **Keys.** The set of keys that are held is sampled and held in the same way.
//!
//! **Repel.** While the button is down, the world's repulsion stands at the sample's point.
//!
//! **Grab.** A *stroke* is a row of samples with the button down. At the first step that sees a stroke, the
//! body under the point of its first sample is picked ([`pick`]) and held there until the button comes up;
//! it is pulled towards the point of the sample in force. A stroke that begins on nothing holds nothing, wherever it
//! goes. A stroke that ends before a step sees it does nothing.
//!
//! The pointer's effect depends on the world and the samples alone: which body is held, and where, is part of the
//! world's state. A run that is saved in the middle of a stroke and loaded therefore continues to the same bits.

use crate::detect::pick;
use crate::model::{Grab, Repulsion, Softness, World};
use glam::DVec2;

/// How far beyond the start of a step a sample's time may lie, in steps, for the sample to be in force.
const TOLERANCE: f64 = 0.01;

/// What the pointer does to bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Pushes them away: [`Repulsion`].
    Repel,
    /// Pulls one of them: [`Grab`].
    Grab,
}

impl Tool {
    /// All tools.
    pub const ALL: [Self; 2] = [Self::Repel, Self::Grab];

    /// Name in scene files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Repel => "repel",
            Self::Grab => "grab",
        }
    }
}

/// Where the pointer was at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// World time, s.
    pub time: f64,
    /// Position in the world, m.
    pub at: DVec2,
    /// Whether the button was down.
    pub pressed: bool,
    /// The strength while this sample is in force, if it differs from the interaction's.
    pub strength: Option<f64>,
}

/// A recorded pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Interaction {
    /// What it does to bodies.
    pub tool: Tool,
    /// For repel: the force at the point, N. For grab: stiffness and largest force in multiples of those of
    /// [`World::grab_body`], at the same damping ratio. Greater than 0.
    pub strength: f64,
    /// For repel: how far it reaches, m, greater than 0. For grab: the distance from the point, m, within which the
    /// nearest body that moves is picked where none is hit, 0 or more.
    pub radius: f64,
    /// Where the pointer was, in the order of time.
    pub samples: Vec<Sample>,
    /// From which world times on (s) which keys are held, as switches; before the first one none is.
    pub keys: Vec<(f64, u64)>,
}

/// Default strength of a grab.
pub(super) const GRAB_STRENGTH: f64 = 1.0;
/// Default radius of a grab, m.
pub(super) const GRAB_RADIUS: f64 = 0.0;

impl Interaction {
    /// Sets the world's grab or repulsion, and its switches, to what the recording prescribes for a step of `time_step`
    /// seconds from the world's present time.
    pub fn apply(&self, world: &mut World, time_step: f64) {
        if !self.keys.is_empty() {
            let horizon = world.time() + TOLERANCE * time_step;
            let seen = self.keys.partition_point(|(time, _)| *time <= horizon);
            world.set_switches(seen.checked_sub(1).map_or(0, |last| self.keys[last].1));
        }
        let seen = self.seen(world.time(), time_step);
        let pressed = seen.last().filter(|sample| sample.pressed);
        let applied = match self.tool {
            Tool::Repel => world.set_repulsion(pressed.map(|sample| self.repulsion(sample))),
            Tool::Grab => {
                let grab = pressed.and_then(|sample| self.grab(world, seen, sample, time_step));
                world.set_hand(grab, world.repulsion())
            }
        };
        // The numbers of a recording have been checked, and what it grabs it has found in this world.
        debug_assert!(applied.is_ok(), "{applied:?}");
    }

    /// The samples that a step from `time` has seen; the last one is in force.
    fn seen(&self, time: f64, time_step: f64) -> &[Sample] {
        let horizon = time + TOLERANCE * time_step;
        &self.samples[..self.samples.partition_point(|sample| sample.time <= horizon)]
    }

    fn strength_at(&self, sample: &Sample) -> f64 {
        sample.strength.unwrap_or(self.strength)
    }

    fn repulsion(&self, sample: &Sample) -> Repulsion {
        Repulsion { center: sample.at, radius: self.radius, strength: self.strength_at(sample) }
    }

    /// The grab under the sample in force: a fresh one at the first step that sees the stroke, else the world's own.
    fn grab(&self, world: &World, seen: &[Sample], sample: &Sample, time_step: f64) -> Option<Grab> {
        let before = self.seen(world.time() - time_step, time_step).len();
        let held = match stroke_that_began(seen, before) {
            Some(first) => {
                let id = pick(world, first.at, self.radius)?;
                Grab::new(id, world.body(id)?, first.at)
            }
            None => world.grab()?,
        };
        // Computed anew at every step of the stroke: only the body and the grabbed point are kept.
        let usual = Grab::new(held.body, world.body(held.body)?, sample.at);
        let strength = self.strength_at(sample);
        let Softness { stiffness, damping } = usual.softness;
        // Damping ratio c / (2 √(k m)): it stays if c goes with √k.
        let softness = Softness { stiffness: strength * stiffness, damping: strength.sqrt() * damping };
        Some(Grab { target: sample.at, softness, max_force: strength * usual.max_force, ..held })
    }
}

/// The first sample of the stroke that `seen` ends with, if the previous step, which had seen the first `before`
/// samples, had not seen it.
fn stroke_that_began(seen: &[Sample], before: usize) -> Option<&Sample> {
    // The last sample that was in force, and those after it.
    let recent = seen.get(before.saturating_sub(1)..)?;
    match recent.iter().rposition(|sample| !sample.pressed) {
        Some(up) => recent.get(up + 1),
        None if before == 0 => recent.first(),
        None => None,
    }
}

/// A pointer that is being recorded.
///
/// To record what can be replayed to the bit, push the pointer's place before each step with the world's time, and
/// let [`Recording::interaction`] act on the world by [`Interaction::apply`], as a replay will.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording(Interaction);

impl Recording {
    /// Nothing recorded yet; strength and radius as in [`Interaction`].
    pub fn new(tool: Tool, strength: f64, radius: f64) -> Self {
        Self(Interaction { tool, strength, radius, samples: Vec::new(), keys: Vec::new() })
    }

    /// Takes in where the pointer is. Samples that change nothing are dropped: the same again, and where the
    /// pointer is while the button is up. What was recorded for this time and later is forgotten, as after a step
    /// back.
    pub fn push(&mut self, sample: Sample) {
        let samples = &mut self.0.samples;
        samples.truncate(samples.partition_point(|earlier| earlier.time < sample.time));
        let repeats = match samples.last() {
            None => !sample.pressed,
            Some(last) if !last.pressed => !sample.pressed,
            Some(last) => *last == Sample { time: last.time, ..sample },
        };
        if !repeats {
            samples.push(sample);
        }
    }

    /// What has been recorded so far.
    pub fn interaction(&self) -> &Interaction {
        &self.0
    }
}

impl From<Recording> for Interaction {
    fn from(recording: Recording) -> Self {
        recording.0
    }
}
