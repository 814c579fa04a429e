//! Everything that the window shows and keeps, and what commands do to it. No drawing.

use super::camera::Camera;
use super::commands::Command;
use super::framing;
use super::options::{FIRST_SCENE, OpenScene};
use super::plot_view::PlotView;
use super::pointer::Hold;
use super::shelf::{Listed, Shelf};
use super::simulation::Simulation;
use super::tape::Tape;
use super::tours::{self, Tour};
use super::view::View;
use crate::scene::{Scene, stabilizer_from};
use egui_file_dialog::FileDialog;
use egui_macroquad::egui::{Align2, Rect};
use glam::DVec2;
use std::path::Path;

/// Something that only the window itself can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Write a picture of the window.
    Screenshot,
    /// Close the window.
    Quit,
}

/// A file that could not be opened or saved.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// What was not done.
    pub heading: &'static str,
    /// The file or scene.
    pub title: String,
    /// All that is wrong with it.
    pub problems: Vec<String>,
}

/// A short message that fades by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Toast {
    /// What is said.
    pub text: String,
    /// Real seconds for which it is still seen.
    pub left: f32,
}

/// Headings of refusals.
const NOT_OPENED: &str = "This file was not opened";
const NOT_SAVED: &str = "This file was not saved";
const NO_STEP: &str = "This step of the tour was not set up";
/// Size of the file dialog, points.
const DIALOG_SIZE: [f32; 2] = [760.0, 460.0];
/// Real seconds for which a toast is seen.
const TOAST_SECONDS: f32 = 4.0;

/// How far a tour has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Index of the tour.
    pub tour: usize,
    /// Index of its step.
    pub step: usize,
}

/// What the file dialog is open for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Errand {
    /// A scene is to be opened.
    Open,
    /// This scene is to be saved: the world as it was when the key was pressed, whatever goes on behind the
    /// dialog.
    Save(String),
}

/// Everything that the window shows and keeps.
pub struct Model {
    /// The running world.
    pub simulation: Simulation,
    /// Catalogue key or file name of the open scene.
    pub title: String,
    /// Where on the canvas what is seen.
    pub camera: Camera,
    /// What is drawn.
    pub view: View,
    /// How the plots are shown.
    pub plot: PlotView,
    /// What the mouse holds.
    pub hold: Hold,
    /// World position of the cursor while it is over the canvas, m.
    pub cursor: Option<DVec2>,
    /// Whether the reach of the push is being set: it is then shown at the cursor.
    pub aiming: bool,
    /// Whether it is being set in the panel: it is then shown in the middle.
    pub sizing: bool,
    /// The shipped scenes.
    pub shelf: Shelf,
    /// The shipped tours.
    pub tours: Vec<Tour>,
    /// The tour that is being taken.
    pub progress: Option<Progress>,
    /// A file that could not be opened or saved.
    pub refusal: Option<Refusal>,
    /// A short message.
    pub toast: Option<Toast>,
    /// Whether the panel is shown.
    pub panel_open: bool,
    /// Whether the sheet of keys is shown.
    pub help_open: bool,
    /// The dialog for opening and saving files.
    pub dialog: FileDialog,
    /// What the dialog is open for.
    pub errand: Option<Errand>,
    /// The canvas as it was last laid out.
    pub canvas: Rect,
    /// Whether the scene is to be fitted into the canvas once its size is known.
    pub fit_due: bool,
    /// What the window is asked to do.
    pub requests: Vec<Request>,
    /// The theme that egui has been given, if it has.
    pub themed: Option<bool>,
}

impl Model {
    /// Opens `scene`, or the first of the catalogue. A scene that is refused is shown as such, over the first
    /// scene of the catalogue.
    ///
    /// # Errors
    /// An installation whose own first scene or tours do not load.
    pub fn new(scene: Option<OpenScene>, playing: bool) -> Result<Self, String> {
        let shelf = Shelf::read();
        let first = shelf.find(FIRST_SCENE).or(shelf.scenes.first());
        let first = first.ok_or("the catalogue of scenes is empty")?.clone();
        let parsed = Scene::parse(first.text).map_err(|problems| listed(&problems).join("; "))?;
        let mut model = Self {
            simulation: Simulation::new(parsed, playing),
            title: first.key.to_owned(),
            camera: Camera::default(),
            view: View::default(),
            plot: PlotView::default(),
            hold: Hold::default(),
            cursor: None,
            aiming: false,
            sizing: false,
            shelf,
            tours: tours::shipped()?,
            progress: None,
            refusal: None,
            toast: None,
            panel_open: true,
            help_open: false,
            dialog: dialog(),
            errand: None,
            canvas: Rect::ZERO,
            fit_due: true,
            requests: Vec::new(),
            themed: None,
        };
        if let Some(scene) = scene {
            model.open(scene);
            model.simulation.playing = playing;
        }
        Ok(model)
    }

    /// Opens a scene; one with errors leaves the running world as it is and shows them all.
    pub fn open(&mut self, scene: OpenScene) {
        match Scene::parse(&scene.text) {
            Ok(parsed) => {
                let speed = self.simulation.speed;
                self.simulation = Simulation::new(parsed, true);
                self.simulation.speed = speed;
                self.title = scene.title;
                self.hold = Hold::Free;
                self.plot.reset();
                self.fit_due = true;
                self.refusal = None;
            }
            Err(problems) => {
                self.refuse(NOT_OPENED, scene.title, listed(&problems));
            }
        }
    }

    /// Opens a shipped scene.
    pub fn open_shipped(&mut self, listed: &Listed) {
        self.progress = None;
        self.open(OpenScene { title: listed.key.to_owned(), path: None, text: listed.text.to_owned() });
    }

    /// Opens a file.
    pub fn open_path(&mut self, path: &Path) {
        let title = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => self.open(OpenScene { title, path: Some(path.to_owned()), text }),
            Err(error) => {
                self.refuse(NOT_OPENED, title, vec![error.to_string()]);
            }
        }
    }

    /// Does what the file dialog was open for, with the file that was chosen in it.
    pub fn run_errand(&mut self, path: &Path) {
        match self.errand.take() {
            Some(Errand::Open) => self.open_path(path),
            Some(Errand::Save(text)) => match std::fs::write(path, text) {
                Ok(()) => self.say(format!("Saved {}", path.display())),
                Err(error) => {
                    self.refuse(NOT_SAVED, path.display().to_string(), vec![error.to_string()]);
                }
            },
            None => {}
        }
    }

    fn refuse(&mut self, heading: &'static str, title: String, problems: Vec<String>) {
        self.refusal = Some(Refusal { heading, title, problems });
    }

    /// Shows a short message.
    pub fn say(&mut self, text: String) {
        self.toast = Some(Toast { text, left: TOAST_SECONDS });
    }

    /// Fits the scene into the canvas.
    pub fn fit(&mut self) {
        // The start shows how far a mechanism reaches, the present where it has got to.
        let [low, high] = framing::frame(&self.simulation.scene.world);
        let [now_low, now_high] = framing::frame(&self.simulation.world);
        self.camera = Camera::fit(low.min(now_low), high.max(now_high), self.canvas);
        self.fit_due = false;
    }

    /// Does what a key asks for.
    pub fn apply(&mut self, command: Command) {
        let simulation = &mut self.simulation;
        match command {
            Command::TogglePlay => simulation.playing = !simulation.playing,
            Command::StepForward => simulation.step_once(),
            Command::StepBack => simulation.step_back(),
            Command::Restart => {
                simulation.restart();
                self.plot.reset();
            }
            Command::Record => match simulation.tape() {
                Tape::Recording(_) => self.end_recording(),
                Tape::Live | Tape::Replay => {
                    simulation.begin_recording();
                    self.plot.reset();
                }
            },
            Command::Replay => {
                simulation.toggle_replay();
                self.plot.reset();
            }
            Command::Scene(by) => {
                let playing = simulation.playing;
                if let Some(next) = self.shelf.neighbour(&self.title, by).cloned() {
                    self.open_shipped(&next);
                    self.simulation.playing = playing;
                }
            }
            Command::CycleScheme(by) => simulation.cycle_scheme(by),
            Command::Scheme(index) => simulation.set_scheme(index),
            Command::Fit => self.fit_due = true,
            Command::TogglePanel => self.panel_open = !self.panel_open,
            Command::ToggleHelp => self.help_open = !self.help_open,
            Command::Screenshot => self.requests.push(Request::Screenshot),
            Command::Open => {
                self.errand = Some(Errand::Open);
                self.dialog.pick_file();
            }
            Command::Save => {
                self.errand = Some(Errand::Save(simulation.to_scene().to_json()));
                self.dialog.save_file();
            }
            Command::Quit => self.requests.push(Request::Quit),
            // What lies on top first; the tour's card is below all else.
            Command::Dismiss if self.help_open || self.refusal.is_some() => {
                self.help_open = false;
                self.refusal = None;
            }
            Command::Dismiss => self.progress = None,
        }
    }

    /// Ends a recording that is being made, and says what came of it.
    pub fn end_recording(&mut self) {
        self.hold = Hold::Free;
        self.plot.reset();
        if let Some(text) = self.simulation.end_recording() {
            self.say(text);
        }
    }

    /// Goes to a step of a tour and sets up what it asks for.
    pub fn take_tour(&mut self, tour: usize, step: usize) {
        let Some(card) = self.tours.get(tour).and_then(|tour| tour.steps.get(step)).cloned() else {
            self.progress = None;
            return;
        };
        if let Some(scene) = card.scene.and_then(|key| self.shelf.find(&key).cloned()) {
            self.open_shipped(&scene);
        }
        self.progress = Some(Progress { tour, step });
        let simulation = &mut self.simulation;
        if let Some(h) = card.time_step {
            simulation.time_step = h;
        }
        if let Some(text) = card.stabilizer {
            match stabilizer_from(&text, simulation.time_step) {
                Ok(stabilizer) => simulation.set_stabilizer(stabilizer),
                Err(problem) => {
                    self.refusal = Some(Refusal {
                        heading: NO_STEP,
                        title: "tour".to_owned(),
                        problems: vec![problem],
                    });
                }
            }
        }
        self.simulation.playing = !card.paused;
    }
}

fn dialog() -> FileDialog {
    FileDialog::new()
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .default_size(DIALOG_SIZE)
        .add_file_filter_extensions("Scenes", vec!["json"])
        .default_file_filter("Scenes")
        .add_save_extension("Scene", "json")
        .default_save_extension("Scene")
        .default_file_name("scene.json")
}

fn listed(problems: &[crate::scene::Problem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}
