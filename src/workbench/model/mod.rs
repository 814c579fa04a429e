//! Everything that the window shows and keeps. No drawing.

mod charting;
mod command_line;
pub(super) mod document;
mod edited;
mod exercising;
mod files;
mod guidance;
mod hand;
mod invitation;
mod layout;
mod leaving;
mod library;
mod linked;
mod making;
mod news;
mod opening;
pub(crate) mod plotted;
pub mod problem;
mod recorded;
mod remembered;
mod runs;
mod saving_recording;
mod shown;
mod sight;
mod spoken;
mod staged;
mod trajectory;
mod undoing;
mod watching;

pub use document::Document;
pub use exercising::{Exercises, Standing, Trying};
pub use files::{Files, Offer};
pub use hand::Hand;
pub use layout::Layout;
pub use library::{Library, Progress};
pub use news::{News, Refusal, Request, Toast};
pub use remembered::Kept;
pub use runs::Runs;
pub use shown::Shown;
pub use sight::Sight;
pub use spoken::Sentences;

use crate::scene::Scene;
use crate::schemes::TABLE;
use crate::workbench::editor::Build;
use crate::workbench::engine::Stepping;
use crate::workbench::file_kind::FileKind;
use crate::workbench::map::StabilityMap;
use crate::workbench::options::{FIRST_SCENE, OpenScene};
use crate::workbench::runs::comparison::Comparison;
use crate::workbench::runs::live_run::{LiveRun, RecordedSteps, Setting};
use crate::workbench::runs::player::Player;
use crate::workbench::stage::pointer::Hold;
use crate::workbench::view_state::arrangement::Arrangement;
use crate::workbench::view_state::layers::View;
use document::Draft;
use opening::listed;

/// The schemes of the first screen.
const ARGUMENT: [&str; 2] = ["none", "post_stabilization"];
/// What the file dialog is open for.
#[derive(Clone, Debug, PartialEq)]
pub enum FileAction {
    /// A scene is to be opened.
    Open,
    /// This scene is to be saved: the state at the moment when the key was pressed, although the run continues behind the
    /// dialog.
    SaveScene(Draft),
    /// A problem is to be opened.
    OpenProblem,
    /// A recording is to be followed while it is being written.
    Watch,
    /// These recorded steps are to be saved as a recording.
    SaveRecording(RecordedSteps),
    /// These bytes are to be saved as such a file.
    Save(FileKind, Vec<u8>),
}

/// Everything that the window shows and keeps.
pub struct Model {
    /// The runs, and what has been changed about them.
    pub runs: Runs,
    /// The open scene's file, and what of it is saved.
    pub document: Document,
    /// Files that are chosen, and where links lead.
    pub files: Files,
    /// What can be opened and taken.
    pub library: Library,
    /// What a person has done about the exercises.
    pub exercises: Exercises,
    /// Which part of the world is seen.
    pub sight: Sight,
    /// What is drawn of it.
    pub view: View,
    /// How figures are shown.
    pub shown: Shown,
    /// Which parts of the window are shown.
    pub layout: Layout,
    /// What the mouse holds and has chosen.
    pub hand: Hand,
    /// What is selected and placed on the stage.
    pub build: Build,
    /// What the window has to say and to ask for.
    pub news: News,
}

impl Model {
    /// A model of `scene`, or of the catalogue's first scene, whose steps are made as `stepping` says; `scene` waits if
    /// the player or the scene says so. If it has errors, they are shown over the catalogue's first scene.
    ///
    /// # Errors
    /// The first shipped scene or the tours do not load.
    pub fn new(scene: Option<OpenScene>, player: Player, stepping: Stepping) -> Result<Self, String> {
        let library = Library::read()?;
        let first = library.shelf.find(FIRST_SCENE).or(library.shelf.scenes.first());
        let first = first.ok_or("the catalogue of scenes is empty")?.clone();
        let parsed = Scene::parse(first.text).map_err(|problems| listed(&problems).join("; "))?;
        let mut model = Self {
            runs: Runs::new(parsed, player, stepping),
            document: Document::default(),
            files: Files { title: first.key.to_owned(), ..Files::default() },
            library,
            exercises: Exercises::default(),
            sight: Sight::default(),
            view: View::default(),
            shown: Shown::default(),
            layout: Layout::default(),
            hand: Hand::default(),
            build: Build::default(),
            news: News::default(),
        };
        match scene {
            Some(scene) => {
                model.open(scene);
                model.runs.player.playing &= player.playing;
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
        self.runs.comparison.restart();
        self.runs.comparison.toggle(post, &self.runs.stepping);
        self.sight.arrangement = Arrangement::Panes;
        self.library.invitation = Some(0);
    }

    /// The main run.
    pub fn run(&self) -> &LiveRun {
        self.runs.comparison.main()
    }

    /// The main run, to be changed.
    pub(crate) fn run_mut(&mut self) -> &mut LiveRun {
        self.runs.comparison.main_mut()
    }

    /// The run in the pane that the mouse works in.
    pub fn aimed_at(&self) -> &LiveRun {
        let fork = match self.sight.arrangement {
            Arrangement::Panes => {
                self.sight.aim.checked_sub(1).and_then(|index| self.runs.comparison.present().nth(index))
            }
            Arrangement::Overlay => None,
        };
        fork.map_or(self.run(), |fork| fork.run())
    }

    /// The main run, and those beside it.
    pub fn comparison(&self) -> &Comparison {
        &self.runs.comparison
    }

    /// The main run and those beside it, to be changed, and where new ones make their steps.
    pub(crate) fn comparison_mut(&mut self) -> (&mut Comparison, &Stepping) {
        (&mut self.runs.comparison, &self.runs.stepping)
    }

    /// A frame of `elapsed` real seconds: all runs take over the steps that have been finished and begin those that are due. A
    /// failed step of the main run pauses the player, and takes what the mouse holds out of its hand: in a paused world
    /// the same drag would move the body itself.
    pub fn advance(&mut self, elapsed: f64) {
        let mut player = self.runs.player;
        self.take_in_recording();
        self.go_on_writing();
        // Time stands still while a file is chosen, or a question is open, and at the end of a recording that is being written.
        player.playing &= self.files.file_action.is_none()
            && !self.document.is_asking()
            && self.files.lost.is_none()
            && !self.awaits_recording();
        self.runs.map.collect();
        self.build.transit.take_if(|transit| !transit.pass(elapsed));
        self.tamed();
        if self.runs.comparison.advance(&player, elapsed).is_break() {
            self.runs.player.playing = false;
            self.runs.player.look_away();
            self.let_go();
        }
        if let Some(text) = self.run_mut().take_break() {
            self.say(text);
        }
        self.approach();
        self.seek_cures();
        self.runs.player.watched_until(self.edited().world().time());
    }

    /// Ends what the mouse does to the bodies; the rest of its drag does nothing.
    fn let_go(&mut self) {
        if matches!(self.hand.hold, Hold::Body { .. } | Hold::Push) {
            self.hand.hold = Hold::Nothing;
            self.run_mut().release();
        }
    }

    /// The index of the selected body in the run that is shown.
    pub fn selected_body(&self) -> Option<usize> {
        self.selected_in(self.run())
    }

    /// The index of the selected body in a run: forks have the bodies of the run from which they forked.
    pub fn selected_in(&self, run: &LiveRun) -> Option<usize> {
        run.world().index_of(self.hand.selected?.body)
    }

    /// The stability map of the edited run.
    pub fn map(&self) -> &StabilityMap {
        &self.runs.map
    }

    /// Whether a step is being made or is due, which is possible even while paused, or the stability map is being computed.
    pub fn is_busy(&self) -> bool {
        self.runs.goal.is_some()
            || self.follows()
            || self.is_judging()
            || self.is_being_judged()
            || self.files.writing.is_some()
            || self.build.transit.is_some()
            || self.runs.comparison.is_busy()
            || self.runs.comparison.is_recalling()
            || self.runs.map.is_busy()
    }

    /// Whether a thread is at work, and the picture stays the same until it has finished something or a person acts.
    pub fn awaits(&self) -> bool {
        self.runs.comparison.is_stepping() || self.runs.map.is_busy()
    }

    /// From now on, steps are made as `stepping` says.
    pub fn move_to(&mut self, stepping: Stepping) {
        self.runs.move_to(stepping);
    }

    /// Sets the memory for the recorded states of all runs, bytes.
    pub fn limit_history(&mut self, bytes: usize) {
        self.runs.comparison.limit_history(bytes);
    }
}
