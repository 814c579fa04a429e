//! Everything that the window shows and keeps. No drawing.

mod charting;
pub(super) mod choices;
mod command_line;
pub(super) mod document;
mod edited;
pub(in crate::app) mod file_kind;
mod files;
mod guidance;
mod invitation;
mod leaving;
mod linked;
mod making;
mod opening;
pub(in crate::app) mod plotted;
mod remembered;
pub(super) mod setting;
pub mod shelf;
mod sight;
mod staged;
pub mod tours;
mod trajectory;
mod undoing;
mod watching;

pub use document::Document;
pub use file_kind::FileKind;
pub(in crate::app) use files::slug;
pub use remembered::Kept;

use crate::app::editor::Build;
use crate::app::engine::Stepping;
use crate::app::intent::{Hover, Selected};
use crate::app::map::StabilityMap;
use crate::app::model::shelf::Shelf;
use crate::app::model::tours::Tour;
use crate::app::options::{FIRST_SCENE, OpenScene};
use crate::app::runs::comparison::{Comparison, ForkId, Order};
use crate::app::runs::forecast::Forecast;
use crate::app::runs::live_run::{LiveRun, Setting};
use crate::app::runs::player::Player;
use crate::app::runs::undo::Undo;
use crate::app::runs::watched::Watchable;
use crate::app::text::parametrizations::Languages;
use crate::app::view_state::arrangement::Arrangement;
use crate::app::view_state::camera::Camera;
use crate::app::view_state::layers::View;
use crate::app::view_state::plot_view::PlotView;
use crate::app::view_state::pointer::Hold;
use crate::app::view_state::side_tab::SideTab;
use crate::app::view_state::solve_view::SolveView;
use crate::app::view_state::text_size::TextSize;
use crate::platform::chooser::Chooser;
use crate::scene::Scene;
use crate::scene::window::Outlook;
use crate::schemes::TABLE;
use document::Draft;
use egui_macroquad::egui::{Rect, Vec2};
use glam::DVec2;
use linked::Goal;
use opening::listed;
use std::path::PathBuf;

/// Something that only the window itself can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Write a picture of the window.
    Screenshot,
    /// Put a text into the clipboard.
    Copy(String),
    /// Fill the screen with the window, or no longer.
    FullScreen(bool),
    /// The work that an earlier window could not save has been taken up or given up.
    LostSettled,
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
    /// What is as it was before.
    pub unchanged: &'static str,
}

/// A short message that fades by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Toast {
    /// Its text.
    pub text: String,
    /// Real seconds for which it is still shown.
    pub left: f32,
    /// Whether it tells of start velocities that do not fit, and has a button that makes them fit.
    pub fits: bool,
}

/// The schemes of the first screen.
const ARGUMENT: [&str; 2] = ["none", "post_stabilization"];
/// By how much everything is larger for an audience: text of 13 points is read from the last row of a lecture hall at 20.
const PRESENTED: f32 = 1.5;

/// The present step of a tour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Index of the tour.
    pub tour: usize,
    /// Index of its step.
    pub step: usize,
    /// Simulation time of the main run when the step was set up, s.
    pub begun: f64,
    /// Index of the answer that a person has predicted.
    pub guess: Option<usize>,
    /// Whether what the step asks for has been done.
    pub done: bool,
}

/// What the file dialog is open for.
#[derive(Clone, Debug, PartialEq)]
pub enum FileAction {
    /// A scene is to be opened.
    Open,
    /// This scene is to be saved: the state at the moment when the key was pressed, although the run continues behind the
    /// dialog.
    SaveScene(Draft),
    /// These bytes are to be saved as such a file.
    Save(FileKind, Vec<u8>),
}

/// Everything that the window shows and keeps.
pub struct Model {
    /// Places of the texts over the canvas in the last frame.
    pub written: Vec<Rect>,
    /// The main run, and those beside it.
    comparison: Comparison,
    /// The fork whose method the panel edits; the main run's if there is none, or no such fork any more.
    edited: Option<ForkId>,
    /// Play, pause and speed of all of them.
    pub player: Player,
    /// Who makes their steps.
    stepping: Stepping,
    /// Catalogue key or file name of the open scene.
    pub title: String,
    /// Its file, and what of it is saved.
    pub document: Document,
    /// Which part of the world the canvas shows.
    pub camera: Camera,
    /// What is drawn.
    pub view: View,
    /// The stability map of the edited run.
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
    /// What is selected and placed on the stage.
    pub build: Build,
    /// What can be undone and redone.
    pub undo: Undo,
    /// Number of strokes on the stage; a stroke is one change.
    stroke: u64,
    /// Since when the mouse button is down, s of the window's time.
    pressed_since: Option<f64>,
    /// The body whose card is shown.
    pub selected: Option<Selected>,
    /// What is watched: the body that was selected last, or what was chosen.
    pub watched: Option<Watchable>,
    /// Whether the reach of the push is being set in the panel; the push is then shown in the middle of the canvas.
    pub sizing: bool,
    /// What a person is asked to do first, until it is done or another scene is opened.
    invitation: Option<usize>,
    /// The shipped scenes.
    pub shelf: Shelf,
    /// The shipped tours.
    pub tours: Vec<Tour>,
    /// The time that a link asks for, while it is not reached.
    pub(in crate::app) goal: Option<Goal>,
    /// Key of the parameter whose slider the embedded window shows, if a link names one.
    pub slider: Option<String>,
    /// The address of the page that copied links lead to: of this start, and the one that a person has set; none: that
    /// of the program.
    pub link_base: Option<String>,
    /// As above.
    pub page: Option<String>,
    /// Whether the window is embedded in a page: the canvas, the plot, one slider and one line of text are all that is shown.
    pub embedded: bool,
    /// Whether it is drawn as a picture, to which no hint at keys and mouse belongs.
    pub pictured: bool,
    /// Whether the window shows stage and plot for an audience.
    pub presenting: bool,
    /// Size of the text, and of everything that is measured by it.
    pub text_size: TextSize,
    /// The tour that is being taken.
    pub progress: Option<Progress>,
    /// A file that could not be opened or saved.
    pub refusal: Option<Refusal>,
    /// Work that an earlier window could not save.
    pub lost: Option<Kept>,
    /// A short message.
    pub toast: Option<Toast>,
    /// The tab of the panel.
    pub side: SideTab,
    /// Whether the panel is shown.
    pub panel_open: bool,
    /// How wide or high a person has dragged the parts of the window, points, in the order of the edges.
    pub sizes: [Option<u16>; 2],
    /// Whether the plots are shown.
    pub plot_open: bool,
    /// Whether the window was too narrow for panel and picture in the last frame.
    pub seen_narrow: bool,
    /// Whether the panel was shown before the window became so.
    panel_was_open: bool,
    /// Whether the sheet of keys is shown.
    pub help_open: bool,
    /// The dialog for opening and saving files.
    pub dialog: Chooser,
    /// What the dialog is open for.
    pub file_action: Option<FileAction>,
    /// The folder in which a file was opened or saved last.
    pub folder: Option<PathBuf>,
    /// Size of the main run's pane when it was last laid out, points.
    pane_size: Vec2,
    /// The canvas as it was last laid out.
    pub canvas: Rect,
    /// Whether the scene is to be fitted into the canvas once its size is known.
    pub fit_pending: bool,
    /// What a file says that the canvas shows, until its size is known.
    outlook: Option<Outlook>,
    /// Files of trajectories that the scene's file has named, to be opened.
    awaited: Vec<String>,
    /// The camera as the last fit left it.
    fitted: Option<Camera>,
    /// Where the scene's bodies will go.
    forecast: Forecast,
    /// The middle of the bodies that the view followed last, m.
    followed: Option<DVec2>,
    /// Whether egui closes something of its own on Escape: a list, a file dialog, the text that is being typed.
    pub escape_taken: bool,
    /// Whether a clip of the window is being taken.
    pub clipping: bool,
    /// Requests to the window itself.
    pub requests: Vec<Request>,
    /// The theme that egui has been given, if it has.
    pub themed: Option<[bool; 2]>,
}

impl Model {
    /// A model of `scene`, or of the catalogue's first scene, whose steps are made as `stepping` says; `scene` waits if
    /// the player or the scene says so. If it has errors, they are shown over the catalogue's first scene.
    ///
    /// # Errors
    /// The first shipped scene or the tours do not load.
    pub fn new(scene: Option<OpenScene>, player: Player, stepping: Stepping) -> Result<Self, String> {
        let shelf = Shelf::read();
        let first = shelf.find(FIRST_SCENE).or(shelf.scenes.first());
        let first = first.ok_or("the catalogue of scenes is empty")?.clone();
        let parsed = Scene::parse(first.text).map_err(|problems| listed(&problems).join("; "))?;
        let mut model = Self {
            written: Vec::new(),
            comparison: Comparison::new(parsed, &stepping),
            edited: None,
            player,
            map: StabilityMap::new(&stepping),
            stepping,
            title: first.key.to_owned(),
            document: Document::default(),
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
            build: Build::default(),
            undo: Undo::default(),
            stroke: 0,
            pressed_since: None,
            selected: None,
            watched: None,
            sizing: false,
            invitation: None,
            shelf,
            tours: tours::shipped()?,
            goal: None,
            slider: None,
            link_base: None,
            page: None,
            embedded: false,
            pictured: false,
            presenting: false,
            text_size: TextSize::default(),
            progress: None,
            refusal: None,
            lost: None,
            toast: None,
            side: SideTab::default(),
            panel_open: true,
            sizes: [None; 2],
            plot_open: true,
            seen_narrow: false,
            panel_was_open: true,
            help_open: false,
            dialog: Chooser::default(),
            file_action: None,
            folder: None,
            pane_size: Vec2::ZERO,
            canvas: Rect::ZERO,
            fit_pending: true,
            outlook: None,
            awaited: Vec::new(),
            fitted: None,
            forecast: Forecast::default(),
            followed: None,
            escape_taken: false,
            clipping: false,
            requests: Vec::new(),
            themed: None,
        };
        match scene {
            Some(scene) => {
                model.open(scene);
                model.player.playing &= player.playing;
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
        self.invitation = Some(0);
    }

    /// The main run.
    pub fn run(&self) -> &LiveRun {
        self.comparison.main()
    }

    /// The main run, to be changed.
    pub(in crate::app) fn run_mut(&mut self) -> &mut LiveRun {
        self.comparison.main_mut()
    }

    /// Since when the mouse button is down, s of the window's time; none while it is up. What a person changes during
    /// one press is one change.
    pub fn press_since(&mut self, since: Option<f64>) {
        self.pressed_since = since;
        self.comparison.note_gesture(since);
    }

    /// The run in the pane that the mouse works in.
    pub fn aimed_at(&self) -> &LiveRun {
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
    pub(in crate::app) fn comparison_mut(&mut self) -> (&mut Comparison, &Stepping) {
        (&mut self.comparison, &self.stepping)
    }

    /// A frame of `elapsed` real seconds: all runs take over the steps that have been finished and begin those that are due. A
    /// failed step of the main run pauses the player, and takes what the mouse holds out of its hand: in a paused world
    /// the same drag would move the body itself.
    pub fn advance(&mut self, elapsed: f64) {
        let mut player = self.player;
        // Time stands still while a file is chosen, or a question is open.
        player.playing &= self.file_action.is_none() && !self.document.is_asking() && self.lost.is_none();
        self.map.collect();
        self.build.transit.take_if(|transit| !transit.pass(elapsed));
        self.tamed();
        if self.comparison.advance(&player, elapsed).is_break() {
            self.player.playing = false;
            self.player.look_away();
            self.let_go();
        }
        self.approach();
        self.seek_cures();
        self.player.watched_until(self.edited().world().time());
    }

    /// Ends what the mouse does to the bodies; the rest of its drag does nothing.
    fn let_go(&mut self) {
        if matches!(self.hold, Hold::Body { .. } | Hold::Push) {
            self.hold = Hold::Nothing;
            self.run_mut().release();
        }
    }

    /// By how much everything is larger than ordinary.
    pub fn magnification(&self) -> f32 {
        let chosen = self.text_size.factor();
        if self.presenting { chosen.max(PRESENTED) } else { chosen }
    }

    /// Whether the window is too narrow for panel and picture: the panel then gives way, and comes back in a wider window.
    pub(in crate::app) fn see_width(&mut self, narrow: bool) {
        match (self.seen_narrow, narrow) {
            (false, true) => (self.panel_was_open, self.panel_open) = (self.panel_open, false),
            (true, false) => self.panel_open |= self.panel_was_open,
            _ => {}
        }
        self.seen_narrow = narrow;
    }

    /// The index of the selected body in the run that is shown.
    pub fn selected_body(&self) -> Option<usize> {
        self.selected_in(self.run())
    }

    /// The index of the selected body in a run: forks have the bodies of the run from which they forked.
    pub fn selected_in(&self, run: &LiveRun) -> Option<usize> {
        run.world().index_of(self.selected?.body)
    }

    /// The stability map of the edited run.
    pub fn map(&self) -> &StabilityMap {
        &self.map
    }

    /// Whether a step is being made or is due, which is possible even while paused, or the stability map is being computed.
    pub fn is_busy(&self) -> bool {
        self.goal.is_some()
            || self.build.transit.is_some()
            || self.comparison.is_busy()
            || self.comparison.is_recalling()
            || self.map.is_busy()
    }

    /// Whether a thread is at work, and the picture stays the same until it has finished something or a person acts.
    pub fn awaits(&self) -> bool {
        self.comparison.is_stepping() || self.map.is_busy()
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
}
