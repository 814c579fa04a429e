//! Everything that the window shows and keeps. No drawing.

use super::arrangement::Arrangement;
use super::camera::Camera;
use super::comparison::{Comparison, Order};
use super::engine::Stepping;
use super::forecast::{Forecast, forecast};
use super::framing;
use super::intent::{Hover, Selected};
use super::languages::Languages;
use super::map::StabilityMap;
use super::options::{FIRST_SCENE, OpenScene};
use super::player::Player;
use super::plot_view::PlotView;
use super::pointer::Hold;
use super::shelf::Shelf;
use super::side_tab::SideTab;
use super::simulation::{Setting, Simulation};
use super::solve_view::SolveView;
use super::tours::{self, Tour};
use super::view::View;
use crate::scene::{Scene, stabilizer_from};
use crate::stabilizer::TABLE;
use egui_file_dialog::FileDialog;
use egui_macroquad::egui::{Align2, Rect, Vec2};
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
/// The schemes of the first screen.
const ARGUMENT: [&str; 2] = ["none", "post_stabilization"];
/// What the first screen asks for.
const INVITATION: &str = "Pull the chain.";
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
    /// The main run, and those beside it.
    comparison: Comparison,
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
    /// The stability map of the main run.
    map: StabilityMap,
    /// In which language parameters are shown.
    pub languages: Languages,
    /// How the plots are shown.
    pub plot: PlotView,
    /// How the last step's problem is shown.
    pub solve: SolveView,
    /// How several runs are shown.
    pub arrangement: Arrangement,
    /// Which of the panes the mouse works in.
    pub aim: usize,
    /// How the table of the comparison is sorted.
    pub order: Option<Order>,
    /// What the mouse holds.
    pub hold: Hold,
    /// Where the cursor is.
    pub hover: Hover,
    /// The body whose card is shown.
    pub selected: Option<Selected>,
    /// Whether the reach of the push is being set in the panel; the push is then shown in the middle of the canvas.
    pub sizing: bool,
    /// What a person is asked to do first, until it is done or another scene is opened.
    pub invitation: Option<&'static str>,
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
    /// The tab of the panel.
    pub side: SideTab,
    /// Whether the panel is shown.
    pub panel_open: bool,
    /// Whether the sheet of keys is shown.
    pub help_open: bool,
    /// The dialog for opening and saving files.
    pub dialog: FileDialog,
    /// What the dialog is open for.
    pub file_action: Option<FileAction>,
    /// Size of the main run's pane when it was last laid out, points.
    pane_size: Vec2,
    /// The canvas as it was last laid out.
    pub canvas: Rect,
    /// Whether the scene is to be fitted into the canvas once its size is known.
    pub fit_pending: bool,
    /// The camera as the last fit left it.
    fitted: Option<Camera>,
    /// Where the scene's bodies will go.
    forecast: Forecast,
    /// The middle of the bodies that the view followed last, m.
    followed: Option<DVec2>,
    /// Whether egui closes something of its own on Escape: a list, a file dialog, the text that is being typed.
    pub escape_taken: bool,
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
            comparison: Comparison::new(parsed, &stepping),
            player,
            map: StabilityMap::new(&stepping),
            stepping,
            title: first.key.to_owned(),
            camera: Camera::default(),
            view: View::default(),
            languages: Languages::default(),
            plot: PlotView::default(),
            solve: SolveView::default(),
            arrangement: Arrangement::default(),
            aim: 0,
            order: None,
            hold: Hold::default(),
            hover: Hover::default(),
            selected: None,
            sizing: false,
            invitation: None,
            shelf,
            tours: tours::shipped()?,
            progress: None,
            refusal: None,
            toast: None,
            side: SideTab::default(),
            panel_open: true,
            help_open: false,
            dialog: dialog(),
            file_action: None,
            pane_size: Vec2::ZERO,
            canvas: Rect::ZERO,
            fit_pending: true,
            fitted: None,
            forecast: Forecast::default(),
            followed: None,
            escape_taken: false,
            requests: Vec::new(),
            themed: None,
        };
        match scene {
            Some(scene) => {
                model.open(scene);
                model.player = player;
            }
            None => {
                model.begin_with_the_argument();
                model.foresee();
            }
        }
        Ok(model)
    }

    /// The first screen: the chain twice from one state, drifting apart and held together.
    fn begin_with_the_argument(&mut self) {
        let place = |key: &str| TABLE.iter().position(|scheme| scheme.info().key == key);
        let (Some(none), Some(post)) = (place(ARGUMENT[0]), place(ARGUMENT[1])) else { return };
        self.run_mut().choose(Setting::Scheme(none));
        self.comparison.restart();
        self.comparison.toggle(post, &self.stepping);
        self.arrangement = Arrangement::Panes;
        self.invitation = Some(INVITATION);
    }

    /// The main run.
    pub fn run(&self) -> &Simulation {
        self.comparison.main()
    }

    /// The main run, to be changed.
    pub(super) fn run_mut(&mut self) -> &mut Simulation {
        self.comparison.main_mut()
    }

    /// The run in the pane that the mouse works in.
    pub fn aimed_at(&self) -> &Simulation {
        let fork = match self.arrangement {
            Arrangement::Panes => {
                self.aim.checked_sub(1).and_then(|index| self.comparison.present().nth(index))
            }
            Arrangement::Overlay => None,
        };
        fork.map_or(self.run(), |fork| fork.run())
    }

    /// The main run, and those beside it.
    pub fn comparison(&self) -> &Comparison {
        &self.comparison
    }

    /// The main run and those beside it, to be changed, and where new ones make their steps.
    pub(super) fn comparison_mut(&mut self) -> (&mut Comparison, &Stepping) {
        (&mut self.comparison, &self.stepping)
    }

    /// A frame of `elapsed` real seconds: all runs take over the steps that have been finished and begin those that are due. A
    /// failed step of the main run pauses the player.
    pub fn advance(&mut self, elapsed: f64) {
        let player = self.player;
        self.map.collect();
        if self.comparison.advance(&player, elapsed).is_break() {
            self.player.playing = false;
        }
    }

    /// The index of the selected body in the run that is shown.
    pub fn selected_body(&self) -> Option<usize> {
        self.selected_in(self.run())
    }

    /// The index of the selected body in a run: forks have the bodies of the run from which they forked.
    pub fn selected_in(&self, run: &Simulation) -> Option<usize> {
        run.world().index_of(self.selected?.body)
    }

    /// The stability map of the main run.
    pub fn map(&self) -> &StabilityMap {
        &self.map
    }

    /// Lets the stability map follow the main run, while it can be seen.
    pub(super) fn survey(&mut self) {
        self.map.collect();
        if self.panel_open {
            self.map.follow(self.comparison.main(), self.player.playing);
        }
    }

    /// Whether a step is being made or is due, which is possible even while paused, or the stability map is being computed.
    pub fn is_busy(&self) -> bool {
        self.comparison.is_busy() || self.map.is_busy()
    }

    /// From now on, steps are made as `stepping` says.
    pub fn move_to(&mut self, stepping: Stepping) {
        self.stepping = stepping;
        self.comparison.move_to(&self.stepping);
        self.map = StabilityMap::new(&self.stepping);
    }

    /// Sets the memory for the recorded states of all runs, bytes.
    pub fn limit_history(&mut self, bytes: usize) {
        self.comparison.limit_history(bytes);
    }

    /// The canvas has been laid out.
    pub fn lay_out(&mut self, canvas: Rect) {
        // A view that nobody has moved since it was fitted fits the canvas of every size.
        self.canvas = canvas;
        let size = self.pane(0).size();
        let outgrown = size != self.pane_size && self.fitted == Some(self.camera);
        self.pane_size = size;
        if self.fit_pending || outgrown {
            self.fit();
        }
        self.follow();
    }

    /// Looks where the bodies of a scene that has been opened will go. The view follows them if they leave.
    fn foresee(&mut self) {
        self.forecast = forecast(&self.run().scene);
        self.view.follow = self.forecast.leaves;
        self.fit_pending = true;
    }

    /// Moves the view with the middle of the bodies.
    fn follow(&mut self) {
        let middle = framing::middle(self.run().world()).filter(|_| self.view.follow);
        if let (Some(now), Some(before)) = (middle, self.followed) {
            self.camera.center += now - before;
            if let Some(fitted) = &mut self.fitted {
                fitted.center += now - before;
            }
        }
        self.followed = middle;
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
                self.comparison = Comparison::new(parsed, &self.stepping);
                self.foresee();
                self.invitation = None;
                self.player.playing = true;
                self.title = scene.title;
                self.hold = Hold::Free;
                self.selected = None;
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
        self.shelf.browsing = None;
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

    /// The last step's problem as a line that `driftlab lcp` reads, or why there is none.
    pub fn exported_problem(&self) -> Result<String, String> {
        let solved = self.run().solved().ok_or("No step has posed a problem yet")?;
        let id = format!("{}, step {}", self.title, solved.step);
        solved.opened.export(&id).map_err(|error| format!("Not written: {error}"))
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
        let (mut low, mut high) = (low.min(now_low), high.max(now_high));
        if self.view.follow {
            (low, high) = (now_low, now_high);
        } else if let Some([swept_low, swept_high]) = self.forecast.swept {
            let margin = framing::margin(swept_low, swept_high);
            (low, high) = (low.min(swept_low - margin), high.max(swept_high + margin));
        }
        self.camera = Camera::fit(low, high, self.pane(0));
        self.followed = None;
        self.fit_pending = false;
        self.fitted = Some(self.camera);
    }

    /// The parts of the canvas that show the runs: the main one's first.
    pub fn panes(&self) -> Vec<Rect> {
        self.arrangement.divide(self.canvas, 1 + self.comparison.present().count())
    }

    /// The pane of that index, or the whole canvas.
    pub fn pane(&self, index: usize) -> Rect {
        self.panes().get(index).copied().unwrap_or(self.canvas)
    }

    /// Leaves the tour, and the slow motion that it has set.
    pub(super) fn leave_tour(&mut self) {
        if self.progress.take().is_some() {
            self.player.hurry();
        }
    }

    /// Goes to a step of a tour and sets up what it asks for.
    pub(super) fn take_tour(&mut self, tour: usize, step: usize) {
        let Some(card) = self.tours.get(tour).and_then(|tour| tour.steps.get(step)).cloned() else {
            self.leave_tour();
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
        self.player = Player::new(!card.paused);
        if let Some(speed) = card.speed {
            self.player.slow_down(speed);
        }
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
