//! Recording and replaying a scene's pointer, each from the scene's start.

use super::LiveRun;
use crate::workbench::runs::recorder::{Recorder, Take};
use std::sync::Arc;

/// The result of a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recorded {
    /// Nothing was pressed.
    Nothing,
    /// The recording now belongs to the scene, which is back at its start, ready to be replayed or saved.
    Lasting {
        /// s.
        seconds: f64,
    },
}

impl LiveRun {
    /// Restarts the scene and records what the mouse does from there on.
    pub fn begin_recording(&mut self) {
        let take = Take::new(self.run.method.clone(), self.run.time_step);
        self.recorder = Recorder::Recording(Box::new(take));
        self.restart();
    }

    /// Ends the recording that is being made, if one is.
    pub fn end_recording(&mut self) -> Option<Recorded> {
        let take = match std::mem::take(&mut self.recorder) {
            Recorder::Recording(take) => take,
            other => {
                self.recorder = other;
                return None;
            }
        };
        let (method, time_step) = (take.method.clone(), take.time_step);
        let Some(interaction) = take.finish(self.run.world.time()) else {
            self.take_hand_away();
            return Some(Recorded::Nothing);
        };
        let seconds = self.run.world.time() - self.scene.world.time();
        let settings = &mut self.scene.settings;
        settings.duration = Some(settings.duration.unwrap_or_default().max(seconds));
        (settings.method, settings.time_step) = (method.clone(), time_step);
        (self.run.method, self.run.time_step) = (method, time_step);
        self.recorder = Recorder::Replay(Arc::new(interaction.clone()));
        self.scene.interaction = Some(interaction);
        self.restart();
        Some(Recorded::Lasting { seconds })
    }

    /// Plays the scene's recorded pointer from the scene's start, if there is one.
    pub fn replay(&mut self) {
        self.recorder = Recorder::of(self.scene.interaction.as_ref());
        self.restart();
    }

    /// Ends the replay: the mouse takes over from the recorded pointer.
    pub fn take_over(&mut self) {
        self.acts.touched = true;
        self.cut();
        // The steps under way are still moved by the recorded pointer.
        self.abandon();
        self.recorder = Recorder::Live;
        self.take_hand_away();
    }

    /// Whether method or time step have changed since the recording began: a run of the saved scene would then not
    /// reproduce the steps that follow.
    pub fn recording_is_stale(&self) -> bool {
        self.recorder
            .take()
            .is_some_and(|take| take.method != self.run.method || take.time_step != self.run.time_step)
    }
}
