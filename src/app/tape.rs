//! The pointer's recorder: writing down what the mouse does to bodies, and playing it back.
//!
//! While a recording runs, the mouse acts on the world only through it, once before each step, exactly as
//! [`Interaction::apply`] will when the scene is run again: what is seen is what a headless run gives, to the bit.
//! A recording belongs to one scene start, one method and one time step, and to one tool: the first press
//! decides which.

use super::format::duration;
use super::simulation::Simulation;
use crate::scene::{Interaction, Recording, Sample, Tool};
use crate::stabilizer::Method;
use glam::DVec2;

/// Who moves the pointer that acts on the bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Tape {
    /// The mouse.
    #[default]
    Live,
    /// The mouse, and every step is written down.
    Recording(Box<Session>),
    /// The scene's recorded pointer. The mouse moves nothing but the view.
    Replay,
}

/// A recording that is being made.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Nothing until the first press, which decides about the tool.
    recording: Option<Recording>,
    pointer: Pointer,
    method: Method,
    time_step: f64,
}

/// Where the mouse is, as the next step will write it down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Pointer {
    at: DVec2,
    pressed: bool,
    strength: Option<f64>,
}

impl Session {
    /// What the mouse does in this recording, once that is decided.
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

    /// Writes down where the pointer is at `time`, s.
    fn push(&mut self, time: f64) {
        let Pointer { at, pressed, strength } = self.pointer;
        if let Some(recording) = &mut self.recording {
            recording.push(Sample { time, at, pressed, strength });
        }
    }

    fn interaction(&self) -> Option<&Interaction> {
        self.recording.as_ref().map(Recording::interaction)
    }
}

impl Simulation {
    /// What the recorder does.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The recording that is being made.
    pub fn session_mut(&mut self) -> Option<&mut Session> {
        match &mut self.tape {
            Tape::Recording(session) => Some(session),
            Tape::Live | Tape::Replay => None,
        }
    }

    /// Takes the scene back to its start and writes down what the mouse does from there on.
    pub fn begin_recording(&mut self) {
        let (method, time_step) = (self.method.clone(), self.time_step);
        let pointer = Pointer::default();
        self.tape = Tape::Recording(Box::new(Session { recording: None, pointer, method, time_step }));
        self.restart();
        self.playing = true;
    }

    /// Ends the recording: it is now the scene's, which stands at its start, ready to be replayed or saved.
    /// Returns what to say about it.
    pub fn end_recording(&mut self) -> Option<String> {
        let Tape::Recording(mut session) = std::mem::take(&mut self.tape) else { return None };
        // The last sample stays in force for ever: let it be one with the button up.
        session.release();
        session.push(self.world.time);
        let Session { recording, method, time_step, .. } = *session;
        let Some(recording) = recording else {
            self.take_hand_away();
            return Some("Nothing was pressed: nothing is recorded".to_owned());
        };
        let lasted = self.world.time - self.scene.world.time;
        let settings = &mut self.scene.settings;
        settings.duration = Some(settings.duration.unwrap_or_default().max(lasted));
        (settings.method, settings.time_step) = (method.clone(), time_step);
        (self.method, self.time_step) = (method, time_step);
        self.scene.interaction = Some(recording.into());
        self.tape = Tape::Replay;
        self.restart();
        self.playing = false;
        Some(format!("Recorded {}: play shows it, Ctrl+S saves it with the scene", duration(round(lasted))))
    }

    /// Plays the scene's recorded pointer from the scene's start, or hands the world back to the mouse.
    pub fn toggle_replay(&mut self) {
        match self.tape {
            Tape::Replay => {
                self.tape = Tape::Live;
                self.take_hand_away();
            }
            Tape::Live if self.scene.interaction.is_some() => {
                self.tape = Tape::Replay;
                self.restart();
                self.playing = true;
            }
            Tape::Live | Tape::Recording(_) => {}
        }
    }

    /// Lets the recorded pointer, or the one that is being recorded, act on the world for the next step.
    pub(super) fn act(&mut self, time_step: f64) {
        match &mut self.tape {
            Tape::Live => {}
            Tape::Recording(session) => {
                session.push(self.world.time);
                if let Some(interaction) = session.interaction() {
                    interaction.apply(&mut self.world, time_step);
                }
            }
            Tape::Replay => {
                if let Some(interaction) = &self.scene.interaction {
                    interaction.apply(&mut self.world, time_step);
                }
            }
        }
    }

    /// The same for a step that is made again, after which the present one comes: nothing new is written down.
    pub(super) fn act_again(&mut self, time_step: f64) {
        let interaction = match &self.tape {
            Tape::Live => None,
            Tape::Recording(session) => session.interaction(),
            Tape::Replay => self.scene.interaction.as_ref(),
        };
        if let Some(interaction) = interaction {
            interaction.apply(&mut self.world, time_step);
        }
    }

    /// Whether method or time step are no longer those that the recording began with: a run of the saved scene
    /// would not give what follows.
    pub fn recording_is_stale(&self) -> bool {
        match &self.tape {
            Tape::Recording(session) => {
                session.method != self.method || session.time_step != self.time_step
            }
            Tape::Live | Tape::Replay => false,
        }
    }

    /// The mouse's hand is no part of what it was doing.
    pub(super) fn take_hand_away(&mut self) {
        self.world.grab = None;
        self.world.repulsion = None;
    }
}

/// Hundredths of a second are enough to say how long something took.
fn round(seconds: f64) -> f64 {
    (100.0 * seconds).round() / 100.0
}
