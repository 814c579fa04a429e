//! Intents: the messages by which panels, canvas, keys and files change the model.
//!
//! Drawing code only reads the model and returns intents; [`Model::apply`](super::model::Model::apply) is the one place that
//! carries them out.

use super::editor::EditorIntent;
use super::options::{OpenScene, OpenTable};
use super::runs::comparison::{Budget, ForkId, Order};
use super::runs::live_run::Setting;
use super::runs::remedy::Remedy;
use super::view_state::arrangement::Arrangement;
use super::view_state::edge::Edge;
use super::view_state::layers::View;
use super::view_state::plot_view::PlotView;
use super::view_state::side_tab::SideTab;
use super::view_state::solve_view::SolveView;
use super::view_state::text_size::TextSize;
use crate::model::BodyId;
use crate::workbench::command::Command;
use crate::workbench::file_kind::FileKind;
use crate::workbench::library::shelf::Browsing;
use crate::workbench::stage::pointer::Button;
use crate::workbench::stage::push::Push;
use crate::workbench::watched::Watchable;
use glam::DVec2;
use std::path::PathBuf;

/// The intents of a frame, in their order.
pub type Intents = Vec<Intent>;

/// A change that a person asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// The command of a key or of the corresponding button.
    Command(Command),
    /// Play.
    Play,
    /// Simulated seconds per real second.
    Speed(f64),
    /// What is to be done about a run that has blown up.
    Remedy(Remedy),
    /// A setting of the edited run's method changes.
    Set(Setting),
    /// A run under the scheme at that place of the table is forked from the present state, or closed if it is there.
    Beside(usize),
    /// The present state of a run (none: the main one) is forked under its own method.
    Fork(Option<ForkId>),
    /// A reference run is forked from the present state.
    Refer(Standard),
    /// The parameters of a fork are shown and edited; of the main run if there is no such fork.
    Edit(Option<ForkId>),
    /// A fork becomes the main run.
    Promote(ForkId),
    /// A fork is closed.
    Close(ForkId),
    /// All forks are closed.
    CloseAll,
    /// Every run gets the time step at which a frame of it costs that much; without a budget all get theirs back.
    EqualCost(Option<Budget>),
    /// How several runs are shown.
    Arrange(Arrangement),
    /// The mouse works in that pane of the canvas.
    Aim(usize),
    /// The scene begins anew with start velocities that fit its constraints.
    MakeConsistent,
    /// A short message is shown.
    Say(String),
    /// How the table of the comparison is sorted.
    Sort(Option<Order>),
    /// All runs go to the recorded state at this time, s.
    Seek(f64),
    /// The future that was left at `begun` is entered again, at its recorded state at `time`; both in s.
    Enter {
        /// When it was left.
        begun: f64,
        /// Where in it to go.
        time: f64,
    },
    /// The language of this name is chosen for the parameters.
    Language(String),
    /// How the mouse pushes.
    Push(Push),
    /// Something is selected, placed or edited.
    Editor(EditorIntent),
    /// A mouse button goes down on the canvas.
    Press {
        /// Which.
        button: Button,
        /// Where in the world, m.
        at: DVec2,
        /// Distance within which small bodies are picked, m.
        reach: f64,
    },
    /// The cursor is at this world point while the button is down, m.
    Drag(DVec2),
    /// The button comes up.
    Release,
    /// Exactly these keys are held that switch forces of the scene, as switches.
    Keys(u64),
    /// The cursor is over the canvas, or not.
    Hover(Hover),
    /// A body is selected, or none.
    Select(Option<Selected>),
    /// This is watched from now on.
    Watch(Watchable),
    /// Whether the reach of the push is being set in the panel.
    Sizing(bool),
    /// The view moves by this distance on the screen, points.
    Pan([f32; 2]),
    /// The view moves by this distance on the screen to make room for a card; it counts as unmoved by the person.
    Slide([f32; 2]),
    /// The view grows about a point of the screen.
    Zoom {
        /// The point that stays where it is.
        about: [f32; 2],
        /// By how much.
        factor: f64,
    },
    /// What the canvas shows.
    View(View),
    /// How the plots are shown.
    Plot(PlotView),
    /// The list of scenes is opened, changed or closed.
    Browse(Option<Browsing>),
    /// The size of the text.
    TextSize(TextSize),
    /// A tab of the panel.
    Side(SideTab),
    /// How the last step's problem is shown.
    Solve(SolveView),
    /// Choose where to save the last step's problem, for `driftlab lcp`.
    SaveProblem,
    /// Choose a file with a problem to be shown in its place, or close that.
    Problem(bool),
    /// Choose where to save the plot that is shown.
    SavePlot(FileKind),
    /// A scene that has been read.
    Open(OpenScene),
    /// A trajectory of another program that has been read is played back beside the main run.
    PlayBack(OpenTable),
    /// A part of the window is dragged to another width or height, points.
    Resize(Edge, f32),
    /// Choose a file with such a trajectory.
    ChooseTrajectory,
    /// The bytes of a recording, with the name of their file.
    OpenRecording(String, Vec<u8>),
    /// Choose a recording that is followed while it is being written.
    ChooseWatch,
    /// The recording of that name, file or address, is followed.
    WatchRecording(String),
    /// The page that copied links lead to; an empty text for the program's own.
    Page(String),
    /// The state that a link describes.
    OpenLink(String),
    /// The shipped scene of that key.
    OpenShipped(&'static str),
    /// The scene in a file.
    OpenPath(PathBuf),
    /// The file that was chosen in the dialog.
    Chosen(PathBuf),
    /// The dialog was closed, and no file was chosen.
    LeaveDialog,
    /// What to do with unsaved work that is about to be left.
    Answer(Answer),
    /// The work that an earlier window could not save is opened.
    TakeLost,
    /// It is given up.
    ForgetLost,
    /// A step of a tour; a step beyond the last one ends it.
    Tour {
        /// Index of the tour.
        tour: usize,
        /// Its place: the index of a step, or behind the last one that of an exercise.
        step: usize,
    },
    /// What the present step of the tour asks for is predicted to show that answer, by its index.
    Predict(usize),
    /// In whose name certificates are.
    SignAs(String),
    /// The certificate of the exercise that is solved goes into the clipboard.
    CopyCertificate,
    /// The tour is left.
    LeaveTour,
    /// The sheet of keys is closed.
    CloseHelp,
    /// The message about a refused file is closed.
    CloseRefusal,
}

/// What to do with unsaved work that is about to be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is saved first.
    Save,
    /// It is given up.
    Discard,
    /// Nothing is left.
    Stay,
}

/// What a reference run is stepped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// RATTLE with the main run's time step.
    Rattle,
    /// The main run's method with a small time step.
    SmallStep,
}

/// Where the cursor is, and what it shows there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hover {
    /// Its world point while it is over the canvas, m.
    pub cursor: Option<DVec2>,
    /// Whether the reach of the push is being set by the wheel: it is then shown at the cursor.
    pub setting_reach: bool,
}

/// The selected body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selected {
    /// Which.
    pub body: BodyId,
    /// The clicked point in the body's frame, m.
    pub at: DVec2,
}

impl From<Command> for Intent {
    fn from(command: Command) -> Self {
        Self::Command(command)
    }
}

impl From<OpenTable> for Intent {
    fn from(table: OpenTable) -> Self {
        Self::PlayBack(table)
    }
}

impl From<Setting> for Intent {
    fn from(setting: Setting) -> Self {
        Self::Set(setting)
    }
}
