//! The one place where intents change the model.

use super::commands::Command;
use super::format::duration;
use super::intent::{Intent, Intents};
use super::model::{FileAction, Model, Request};
use super::pointer::Hold;
use super::recorder::Recorder;
use super::simulation::{Recorded, Setting};
use crate::stabilizer::TABLE;
use std::path::Path;

impl Model {
    /// Carries out an intent.
    pub fn apply(&mut self, intent: impl Into<Intent>) {
        match intent.into() {
            Intent::Command(command) => self.command(command),
            Intent::Play => self.player.playing = true,
            Intent::Speed(speed) => self.player.speed = speed,
            Intent::Set(setting) => self.run_mut().choose(setting),
            Intent::Language(name) => self.languages.choose(name),
            Intent::Push(push) => self.run_mut().push = push,
            Intent::Press { button, at, reach } => self.hold = self.run_mut().press(button, at, reach),
            Intent::Drag(to) => {
                let (hold, player) = (self.hold, self.player);
                self.run_mut().follow(hold, to, &player);
            }
            Intent::Release => {
                self.hold = Hold::Free;
                self.run_mut().release();
            }
            Intent::Hover(hover) => self.hover = hover,
            Intent::Sizing(sizing) => self.sizing = sizing,
            Intent::Pan(by) => self.camera.pan(by),
            Intent::Zoom { about, factor } => self.camera.zoom(self.canvas, about, factor),
            Intent::View(view) => self.view = view,
            Intent::Plot(plot) => self.plot = plot,
            Intent::Search(search) => self.shelf.search = search,
            Intent::Open(scene) => self.open(scene),
            Intent::OpenShipped(key) => self.open_key(key),
            Intent::OpenPath(path) => self.open_path(&path),
            Intent::Chosen(path) => self.use_file(&path),
            Intent::Tour { tour, step } => self.take_tour(tour, step),
            Intent::LeaveTour => self.progress = None,
            Intent::CloseHelp => self.help_open = false,
            Intent::CloseRefusal => self.refusal = None,
        }
    }

    /// Carries out all of them, in order.
    pub fn apply_all(&mut self, intents: Intents) {
        for intent in intents {
            self.apply(intent);
        }
    }

    /// After the intents of a frame: marks changes in the plots, and ends a recording whose method was changed.
    pub fn settle(&mut self) {
        if self.run().recording_is_stale() {
            self.end_recording();
        }
        self.run_mut().note_changes();
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::TogglePlay => self.player.playing = !self.player.playing,
            Command::StepForward => {
                self.player.playing = false;
                // The banner shows the failure.
                let _stopped = self.run_mut().step_once();
            }
            Command::StepBack => {
                self.player.playing = false;
                self.run_mut().step_back();
            }
            Command::Restart => {
                self.run_mut().restart();
                self.plot.reset();
            }
            Command::Record => self.record(),
            Command::Replay => self.replay(),
            Command::Scene(by) => {
                let playing = self.player.playing;
                if let Some(key) = self.shelf.neighbour(&self.title, by).map(|next| next.key) {
                    self.open_key(key);
                    self.player.playing = playing;
                }
            }
            Command::CycleScheme(by) => {
                let next = self.run().scheme_index() as isize + by;
                let index = next.rem_euclid(TABLE.len() as isize) as usize;
                self.run_mut().choose(Setting::Scheme(index));
            }
            Command::Scheme(index) => self.run_mut().choose(Setting::Scheme(index)),
            Command::Fit => self.fit_pending = true,
            Command::TogglePanel => self.panel_open = !self.panel_open,
            Command::ToggleHelp => self.help_open = !self.help_open,
            Command::Screenshot => self.requests.push(Request::Screenshot),
            Command::Open => {
                self.file_action = Some(FileAction::Open);
                self.dialog.pick_file();
            }
            Command::Save => {
                self.file_action = Some(FileAction::Save(self.run().to_scene().to_json()));
                self.dialog.save_file();
            }
            Command::Quit => self.requests.push(Request::Quit),
            // The topmost first; the tour's card lies below everything else.
            Command::Dismiss if self.help_open || self.refusal.is_some() => {
                self.help_open = false;
                self.refusal = None;
            }
            Command::Dismiss => self.progress = None,
        }
    }

    fn record(&mut self) {
        if self.run().recorder().take().is_some() {
            return self.end_recording();
        }
        self.run_mut().begin_recording();
        self.player.playing = true;
        self.plot.reset();
    }

    /// Ends the recording that is being made, with a message about its result.
    fn end_recording(&mut self) {
        self.hold = Hold::Free;
        self.plot.reset();
        match self.run_mut().end_recording() {
            None => {}
            Some(Recorded::Nothing) => self.say("Nothing was pressed: nothing is recorded".to_owned()),
            Some(Recorded::Lasting { seconds }) => {
                self.player.playing = false;
                // To hundredths of a second.
                let lasted = duration((100.0 * seconds).round() / 100.0);
                self.say(format!("Recorded {lasted}: play shows it, Ctrl+S saves it with the scene"));
            }
        }
    }

    /// Plays the scene's recorded pointer, or hands the world back to the mouse.
    fn replay(&mut self) {
        self.plot.reset();
        let can_replay = self.run().scene.interaction.is_some();
        match self.run().recorder() {
            Recorder::Replay(_) => self.run_mut().take_over(),
            Recorder::Live if can_replay => {
                self.run_mut().replay();
                self.player.playing = true;
            }
            Recorder::Live | Recorder::Recording(_) => {}
        }
    }

    /// Opens or saves the file that was chosen in the file dialog.
    fn use_file(&mut self, path: &Path) {
        match self.file_action.take() {
            Some(FileAction::Open) => self.open_path(path),
            Some(FileAction::Save(text)) => self.save(path, &text),
            None => {}
        }
    }
}
