//! Everything that the window shows and keeps. No drawing.

use super::camera::Camera;
use super::engine::Stepping;
use super::framing;
use super::intent::Hover;
use super::languages::Languages;
use super::options::{FIRST_SCENE, OpenScene};
use super::player::Player;
use super::plot_view::PlotView;
use super::pointer::Hold;
use super::shelf::Shelf;
use super::simulation::{Setting, Simulation};
use super::tours::{self, Tour};
use super::view::View;
use crate::scene::{Scene, stabilizer_from};
use egui_file_dialog::FileDialog;
use egui_macroquad::egui::{Align2, Rect};
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
    /// All errors found.
    pub problems: Vec<String>,
}

/// A short message that fades by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Toast {
    /// Its text.
    pub text: String,
    /// Real seconds for which it is still shown.
    pub left: f32,
}

/// Headings of refusals.
const NOT_OPENED: &str = "This file was not opened";
const NOT_SAVED: &str = "This file was not saved";
const NO_STEP: &str = "This step of the tour was not set up";
/// Size of the file dialog, points.
const DIALOG_SIZE: [f32; 2] = [760.0, 460.0];
/// Real seconds for which a toast is shown.
const TOAST_SECONDS: f32 = 4.0;

/// The present step of a tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Index of the tour.
    pub tour: usize,
    /// Index of its step.
    pub step: usize,
}

/// What the file dialog is open for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileAction {
    /// A scene is to be opened.
    Open,
    /// This scene is to be saved: the state at the moment when the key was pressed, although the run continues behind the
    /// dialog.
    Save(String),
}

/// Everything that the window shows and keeps.
pub struct Model {
    /// The runs, of which there is always one.
    runs: Vec<Simulation>,
    /// Index of the run that is shown.
    active: usize,
    /// Play, pause and speed of all of them.
    pub player: Player,
    /// Who makes their steps.
    stepping: Stepping,
    /// Catalogue key or file name of the open scene.
    pub title: String,
    /// Which part of the world the canvas shows.
    pub camera: Camera,
    /// What is drawn.
    pub view: View,
    /// In which language parameters are shown.
    pub languages: Languages,
    /// How the plots are shown.
    pub plot: PlotView,
    /// What the mouse holds.
    pub hold: Hold,
    /// Where the cursor is.
    pub hover: Hover,
    /// Whether the reach of the push is being set in the panel; the push is then shown in the middle of the canvas.
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
    pub file_action: Option<FileAction>,
    /// The canvas as it was last laid out.
    pub canvas: Rect,
    /// Whether the scene is to be fitted into the canvas once its size is known.
    pub fit_pending: bool,
    /// Requests to the window itself.
    pub requests: Vec<Request>,
    /// The theme that egui has been given, if it has.
    pub themed: Option<bool>,
}

impl Model {
    /// A model of `scene`, or of the catalogue's first scene, whose steps are made as `stepping` says. If `scene` has errors,
    /// they are shown over the catalogue's first scene.
    ///
    /// # Errors
    /// The first shipped scene or the tours do not load.
    pub fn new(scene: Option<OpenScene>, player: Player, stepping: Stepping) -> Result<Self, String> {
        let shelf = Shelf::read();
        let first = shelf.find(FIRST_SCENE).or(shelf.scenes.first());
        let first = first.ok_or("the catalogue of scenes is empty")?.clone();
        let parsed = Scene::parse(first.text).map_err(|problems| listed(&problems).join("; "))?;
        let mut model = Self {
            runs: vec![Simulation::new(parsed, &stepping)],
            active: 0,
            player,
            stepping,
            title: first.key.to_owned(),
            camera: Camera::default(),
            view: View::default(),
            languages: Languages::default(),
            plot: PlotView::default(),
            hold: Hold::default(),
            hover: Hover::default(),
            sizing: false,
            shelf,
            tours: tours::shipped()?,
            progress: None,
            refusal: None,
            toast: None,
            panel_open: true,
            help_open: false,
            dialog: dialog(),
            file_action: None,
            canvas: Rect::ZERO,
            fit_pending: true,
            requests: Vec::new(),
            themed: None,
        };
        if let Some(scene) = scene {
            model.open(scene);
            model.player = player;
        }
        Ok(model)
    }

    /// The run that is shown.
    pub fn run(&self) -> &Simulation {
        &self.runs[self.active]
    }

    /// The run that is shown, to be changed.
    pub(super) fn run_mut(&mut self) -> &mut Simulation {
        &mut self.runs[self.active]
    }

    /// All runs.
    pub fn runs(&self) -> &[Simulation] {
        &self.runs
    }

    /// Adds a run of `scene`, which is stepped together with the others, and shows it. Returns its index.
    pub fn add_run(&mut self, scene: Scene) -> usize {
        self.runs.push(Simulation::new(scene, &self.stepping));
        self.show_run(self.runs.len() - 1);
        self.active
    }

    /// Shows the run of that index, if there is one.
    pub fn show_run(&mut self, index: usize) {
        if index < self.runs.len() {
            self.active = index;
            self.hold = Hold::Free;
        }
    }

    /// A frame of `elapsed` real seconds: all runs take over the steps that have been finished and begin those that are due. A
    /// failed step pauses the player.
    pub fn advance(&mut self, elapsed: f64) {
        let player = self.player;
        for run in &mut self.runs {
            if run.advance(&player, elapsed).is_break() {
                self.player.playing = false;
            }
        }
    }

    /// Whether a step is being made or is due, which is possible even while paused.
    pub fn is_busy(&self) -> bool {
        self.runs.iter().any(Simulation::is_busy)
    }

    /// From now on, steps are made as `stepping` says.
    pub fn move_to(&mut self, stepping: Stepping) {
        self.stepping = stepping;
        for run in &mut self.runs {
            run.move_to(&self.stepping);
        }
    }

    /// The canvas has been laid out.
    pub fn lay_out(&mut self, canvas: Rect) {
        self.canvas = canvas;
        if self.fit_pending {
            self.fit();
        }
    }

    /// Lets the message fade after another `seconds` of real time.
    pub fn fade(&mut self, seconds: f32) {
        if let Some(toast) = &mut self.toast {
            toast.left -= seconds;
        }
        self.toast.take_if(|toast| toast.left <= 0.0);
    }

    /// Opens a scene; if it has errors, shows them all and leaves the running world unchanged.
    pub(super) fn open(&mut self, scene: OpenScene) {
        match Scene::parse(&scene.text) {
            Ok(parsed) => {
                self.runs[self.active] = Simulation::new(parsed, &self.stepping);
                self.player.playing = true;
                self.title = scene.title;
                self.hold = Hold::Free;
                self.plot.reset();
                self.fit_pending = true;
                self.refusal = None;
            }
            Err(problems) => self.refuse(NOT_OPENED, scene.title, listed(&problems)),
        }
    }

    /// Opens a shipped scene.
    pub(super) fn open_key(&mut self, key: &str) {
        let Some(listed) = self.shelf.find(key) else { return };
        let scene = OpenScene { title: listed.key.to_owned(), path: None, text: listed.text.to_owned() };
        self.progress = None;
        self.shelf.search.clear();
        self.open(scene);
    }

    /// Opens a file.
    pub(super) fn open_path(&mut self, path: &Path) {
        let title = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => self.open(OpenScene { title, path: Some(path.to_owned()), text }),
            Err(error) => self.refuse(NOT_OPENED, title, vec![error.to_string()]),
        }
    }

    /// Writes a scene to a file.
    pub(super) fn save(&mut self, path: &Path, text: &str) {
        match std::fs::write(path, text) {
            Ok(()) => self.say(format!("Saved {}", path.display())),
            Err(error) => self.refuse(NOT_SAVED, path.display().to_string(), vec![error.to_string()]),
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
    fn fit(&mut self) {
        // The scene's start shows how far a mechanism reaches, the present state where the bodies are now.
        let [low, high] = framing::frame(&self.run().scene.world);
        let [now_low, now_high] = framing::frame(self.run().world());
        self.camera = Camera::fit(low.min(now_low), high.max(now_high), self.canvas);
        self.fit_pending = false;
    }

    /// Goes to a step of a tour and sets up what it asks for.
    pub(super) fn take_tour(&mut self, tour: usize, step: usize) {
        let Some(card) = self.tours.get(tour).and_then(|tour| tour.steps.get(step)).cloned() else {
            self.progress = None;
            return;
        };
        if let Some(key) = card.scene {
            self.open_key(&key);
        }
        self.progress = Some(Progress { tour, step });
        let run = self.run_mut();
        if let Some(h) = card.time_step {
            run.choose(Setting::TimeStep(h));
        }
        if let Some(text) = card.stabilizer {
            match stabilizer_from(&text, run.time_step()) {
                Ok(stabilizer) => run.choose(Setting::Stabilizer(stabilizer)),
                Err(problem) => self.refuse(NO_STEP, "tour".to_owned(), vec![problem]),
            }
        }
        self.player.playing = !card.paused;
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
