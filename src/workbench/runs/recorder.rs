//! The pointer's recorder: records what the mouse does to bodies, and replays it.
//!
//! During a recording the mouse acts on the world only through the recording's samples, before each step, exactly as
//! [`Interaction::apply`] does in a replay, so that a run without a window gives the same bits. A recording belongs to one
//! scene start, one method, one time step and one tool, which the first press decides.

use super::checkpoints::Hand;
use crate::method::Method;
use crate::scene::{Interaction, Recording, Sample, Tool};
use glam::DVec2;
use std::sync::Arc;

/// What moves the pointer that acts on the bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Recorder {
    /// The mouse.
    #[default]
    Live,
    /// The mouse, which is recorded at every step.
    Recording(Box<Take>),
    /// The scene's recorded pointer; the mouse moves only the view.
    Replay(Arc<Interaction>),
}

impl Recorder {
    /// A recorder that replays `interaction`, or follows the mouse without one.
    pub fn of(interaction: Option<&Interaction>) -> Self {
        interaction.map_or(Self::Live, |interaction| Self::Replay(Arc::new(interaction.clone())))
    }

    /// Whether the scene's recorded pointer is being replayed.
    pub fn replays(&self) -> bool {
        matches!(self, Self::Replay(_))
    }

    /// The recording that is being made.
    pub fn take(&self) -> Option<&Take> {
        match self {
            Self::Recording(take) => Some(take),
            Self::Live | Self::Replay(_) => None,
        }
    }

    /// The recording that is being made.
    pub fn take_mut(&mut self) -> Option<&mut Take> {
        match self {
            Self::Recording(take) => Some(take),
            Self::Live | Self::Replay(_) => None,
        }
    }

    /// What moved the pointer during the steps that are made now.
    pub fn hand(&self) -> Hand {
        match self {
            Self::Live => Hand::Mouse,
            Self::Recording(_) | Self::Replay(_) => Hand::Recording,
        }
    }

    /// The interaction that acts on the steps from `time` on, s; a recording first adds a sample of the mouse.
    pub fn pointer_from(&mut self, time: f64) -> Option<Arc<Interaction>> {
        if let Self::Recording(take) = self {
            take.write(time);
        }
        self.recorded()
    }

    /// The recording that is replayed, or the samples of the one being made.
    pub fn recorded(&self) -> Option<Arc<Interaction>> {
        match self {
            Self::Live => None,
            Self::Recording(take) => take.made().map(Arc::new),
            Self::Replay(interaction) => Some(Arc::clone(interaction)),
        }
    }
}

/// A recording that is being made.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// The samples; none before the first press, which decides the tool.
    recording: Option<Recording>,
    /// From which times on which keys were held, and those that are held now.
    held: Vec<(f64, u64)>,
    keys: u64,
    pointer: Pointer,
    /// The method with which it began; under another one the same pointer gives another motion.
    pub method: Method,
    /// Its time step, s.
    pub time_step: f64,
}

/// The state of the mouse, as the next sample will record it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Pointer {
    at: DVec2,
    pressed: bool,
    strength: Option<f64>,
}

impl Take {
    /// An empty recording under `method`, with steps of `time_step` seconds.
    pub fn new(method: Method, time_step: f64) -> Self {
        Self { recording: None, held: Vec::new(), keys: 0, pointer: Pointer::default(), method, time_step }
    }

    /// The tool of this recording, once it is decided.
    pub fn tool(&self) -> Option<Tool> {
        self.recording.as_ref().map(|recording| recording.interaction().tool)
    }

    /// The button goes down, for the first time or again.
    pub fn press(&mut self, tool: Tool, strength: f64, radius: f64) {
        self.recording.get_or_insert_with(|| Recording::new(tool, strength, radius));
    }

    /// The button is down and the cursor at the world point `at`.
    pub fn hold(&mut self, at: DVec2, push: f64) {
        let interaction = self.recording.as_ref().map(Recording::interaction);
        let strength = interaction.and_then(|own| match own.tool {
            Tool::Repel => (own.strength != push).then_some(push),
            Tool::Grab => None,
        });
        self.pointer = Pointer { at, pressed: true, strength };
    }

    /// The button comes up.
    pub fn release(&mut self) {
        self.pointer = Pointer { pressed: false, strength: None, ..self.pointer };
    }

    /// Exactly these keys are held from now on, as switches.
    pub fn hold_keys(&mut self, keys: u64) {
        self.keys = keys;
    }

    /// The keys that are held.
    pub fn keys(&self) -> u64 {
        self.keys
    }

    /// What has been recorded so far: pointer and keys.
    fn made(&self) -> Option<Interaction> {
        let pointer = self.recording.clone().map(Interaction::from);
        let alone = || Interaction::from(Recording::new(Tool::Grab, 1.0, 0.0));
        let made = pointer.or_else(|| (!self.held.is_empty()).then(alone))?;
        Some(Interaction { keys: self.held.clone(), ..made })
    }

    /// Whether the button is down.
    pub fn is_pressed(&self) -> bool {
        self.pointer.pressed
    }

    /// The recording up to `time`, s, if the button or a key was ever pressed.
    pub fn finish(mut self, time: f64) -> Option<Interaction> {
        // The last sample acts until the end of a replay, so the button must be up in it.
        self.release();
        self.keys = 0;
        self.write(time);
        self.made()
    }

    /// Adds a sample of the mouse at `time`, s, which acts on all steps up to the next call.
    fn write(&mut self, time: f64) {
        let Pointer { at, pressed, strength } = self.pointer;
        if let Some(recording) = &mut self.recording {
            recording.push(Sample { time, at, pressed, strength });
        }
        // As with the pointer, what was recorded for this time and later is forgotten, as after a step back.
        self.held.truncate(self.held.partition_point(|(earlier, _)| *earlier < time));
        if self.held.last().map_or(0, |(_, keys)| *keys) != self.keys {
            self.held.push((time, self.keys));
        }
    }
}
