//! Opening scenes and tours, saving, and the messages about both.

use super::trajectory::{has_header, is_table};
use super::{Model, Progress, Refusal, Toast};
use crate::experiment::{Contradiction, contradiction};
use crate::files::{MOST_SCENE_BYTES, are_recording, is_recording, read_bytes, text_of, text_within};
use crate::import::{self, Format};
use crate::method::Method;
use crate::platform::files::Brought;
use crate::scene::{Scene, solver_from, stabilizer_from};
use crate::workbench::editor::edit::Edit;
use crate::workbench::editor::{Act, Mode};
use crate::workbench::intent::Intent;
use crate::workbench::library::shelf::Browsing;
use crate::workbench::options::{OpenScene, OpenTable};
use crate::workbench::runs::comparison::Comparison;
use crate::workbench::runs::live_run::Setting;
use crate::workbench::runs::player::Player;
use crate::workbench::stage::pointer::Hold;
use crate::workbench::text::prose::{capitalised, prose};
use crate::workbench::view_state::arrangement::Arrangement;
use crate::workbench::view_state::plot_view::Tab;
use crate::workbench::view_state::side_tab::SideTab;
use std::path::{Path, PathBuf};

/// Headings of refusals.
const NOT_OPENED: &str = "This file was not opened";
const NO_STEP: &str = "This step of the tour was not set up";
const LEFT_OUT: &str = "Converted, but for what is left out or acts otherwise";
const IMPORTED: &str = "The scene is open, without this. `driftlab import` prints the same list.";
/// What they leave as it was.
const UNCHANGED: &str = "The running world is unchanged.";
/// After start velocities have been made consistent.
const CONSISTENT: &str = "The start velocities fit all joints";
/// Real seconds for which a toast is shown.
const TOAST_SECONDS: f32 = 4.0;
/// How many times longer one of two lines is.
const LONG: f32 = 3.0;

impl Model {
    /// Opens a scene; if it has errors, shows them all and leaves the running world unchanged.
    pub(crate) fn open(&mut self, scene: OpenScene) {
        match Scene::parse(&scene.text) {
            Ok(parsed) => {
                // A text that was pasted stands in no file.
                let pasted = scene.path.is_none() && self.library.shelf.find(&scene.title).is_none();
                self.enter(parsed, scene.title, scene.path, None);
                if pasted {
                    self.document.note_work();
                }
                let left_out = self
                    .files
                    .left_out
                    .take()
                    .filter(|(of, lines)| *of == self.files.title && !lines.is_empty());
                if let Some((title, problems)) = left_out {
                    self.news.refusal = Some(Refusal {
                        heading: LEFT_OUT,
                        title,
                        problems,
                        unchanged: IMPORTED,
                        opened: true,
                    });
                }
            }
            Err(problems) => self.refuse(NOT_OPENED, scene.title, listed(&problems)),
        }
    }

    /// The one way to another scene, whether it comes from the command line, the dialog, a drop, the clipboard, a link,
    /// the gallery or a tour: shows it as its `window` says, and says where its start velocities do not fit. A method
    /// and a time step (s) given as `under` take the place of its own.
    pub(super) fn enter(
        &mut self,
        mut scene: Scene,
        title: String,
        path: Option<PathBuf>,
        under: Option<(Method, f64)>,
    ) {
        (self.runs.goal, self.library.progress, self.library.shelf.browsing) = (None, None, None);
        let mut window = scene.window.take();
        let start = window.as_mut().and_then(|window| window.start.take());
        // The world of the file is a later state of the run.
        let present = start.map(|start| std::mem::replace(&mut scene.world, start));
        self.runs.comparison = Comparison::new(scene, &self.runs.stepping);
        if let Some((method, h)) = under {
            self.run_mut().begin_under(method, h);
        }
        if let Some(present) = present {
            self.run_mut().begin_from(present);
        }
        self.foresee();
        self.library.invitation = None;
        self.runs.player.hurry();
        self.files.title = title;
        self.hand.hold = Hold::Free;
        (self.hand.selected, self.runs.watched, self.runs.edited) = (None, None, None);
        self.runs.undo.clear();
        self.build.forget();
        self.shown.plot.reset();
        self.sight.fit_pending = true;
        self.news.refusal = None;
        let contradicts = contradiction(self.run().world(), self.run().method());
        if let Some(Contradiction { what, becomes }) = contradicts {
            let text = format!("{}:\n{becomes}.", capitalised(&prose(&what)));
            self.news.toast = Some(Toast { text, left: LONG * TOAST_SECONDS, fits: true });
        }
        match window {
            Some(window) => self.stage(window),
            // What a person has chosen to see goes from one scene to the next.
            None => {
                (self.runs.player.playing, self.layout.slider, self.sight.outlook) = (true, None, None);
                self.sight.arrangement = Arrangement::default();
            }
        }
        // While the mouse builds, time stands still.
        self.runs.player.playing &= !self.build.is_on();
        self.open_awaited(path.as_deref().and_then(Path::parent));
        self.opened_from(path);
    }

    /// Begins the scene anew, under the present method, with start velocities that fit its constraints.
    pub(crate) fn make_consistent(&mut self) {
        if !self.run().is_at_the_start() {
            self.runs.comparison.restart();
        }
        if self.edit_world(Edit::Fit).is_some() {
            self.foresee();
            self.say(CONSISTENT.to_owned());
        }
    }

    /// Opens, changes or closes the list of scenes; on opening it, a person's own files are read.
    pub(crate) fn browse(&mut self, browsing: Option<Browsing>) {
        if self.library.shelf.browsing.is_none() && browsing.is_some() {
            self.library.shelf.read_files();
        }
        self.library.shelf.browsing = browsing;
    }

    /// Opens a shipped scene.
    pub(crate) fn open_key(&mut self, key: &str) {
        let Some(listed) = self.library.shelf.find(key) else { return };
        let scene = OpenScene { title: listed.key.to_owned(), path: None, text: listed.text.to_owned() };
        self.open(scene);
    }

    /// Opens a file.
    pub(crate) fn open_path(&mut self, path: &Path) {
        let title = path.display().to_string();
        if is_table(path) {
            return self.open_table(path);
        }
        if is_recording(path) {
            return self.open_recorded(path);
        }
        self.files.watch = None;
        let read = read_bytes(path, MOST_SCENE_BYTES);
        match read {
            Ok(bytes) if Format::of(&bytes).is_some() => {
                if let Some(scene) = self.converted(title, &bytes) {
                    self.open(scene);
                }
            }
            read => match read.and_then(text_of) {
                Ok(text) => self.open(OpenScene { title, path: Some(path.to_owned()), text }),
                Err(error) => self.refuse(NOT_OPENED, title, vec![error.to_string()]),
            },
        }
    }

    /// Another program's scene as one without a file, so that saving does not replace the other's; what is left out is shown
    /// when it has been opened.
    fn converted(&mut self, title: String, bytes: &[u8]) -> Option<OpenScene> {
        match import::import(bytes, None) {
            Ok(imported) => {
                self.files.left_out = Some((title.clone(), listed(&imported.left_out)));
                Some(OpenScene { title, path: None, text: imported.text })
            }
            Err(problems) => {
                self.refuse(NOT_OPENED, title, listed(&problems));
                None
            }
        }
    }

    /// Opens the scene's file again.
    pub(crate) fn open_again(&mut self) {
        if let Some(path) = self.document.path().map(Path::to_owned) {
            self.open_path(&path);
        }
    }

    /// Opens a file that a person has brought without a path.
    pub(crate) fn open_brought(&mut self, file: Brought) {
        if are_recording(&file.bytes) {
            return self.apply(Intent::OpenRecording(file.name, file.bytes));
        }
        if Format::of(&file.bytes).is_some() {
            if let Some(scene) = self.converted(file.name, &file.bytes) {
                self.apply(Intent::Open(scene));
            }
            return;
        }
        match text_within(file.bytes.as_slice(), MOST_SCENE_BYTES) {
            Ok(text) if is_table(Path::new(&file.name)) || has_header(&text) => {
                self.apply(OpenTable { title: file.name, path: None, text });
            }
            Ok(text) => {
                // A name with an ending is that of a file.
                let path = Path::new(&file.name).extension().map(|_| PathBuf::from(&file.name));
                self.apply(Intent::Open(OpenScene { title: file.name, path, text }));
            }
            Err(error) => self.refuse(NOT_OPENED, file.name, vec![error.to_string()]),
        }
    }

    /// The last step's problem as a line that `driftlab lcp` reads, or why there is none.
    pub fn exported_problem(&self) -> Result<String, String> {
        let solved = self.run().solved().ok_or("No step has posed a problem yet")?;
        let id = format!("{}, step {}", self.files.title, solved.step);
        solved.opened.export(&id, self.run().world()).map_err(|error| format!("Not written: {error}"))
    }

    pub(super) fn refuse(&mut self, heading: &'static str, title: String, problems: Vec<String>) {
        self.news.refusal = Some(Refusal { heading, title, problems, unchanged: UNCHANGED, opened: false });
    }

    /// Shows a short message.
    pub fn say(&mut self, text: String) {
        self.news.toast = Some(Toast { text, left: TOAST_SECONDS, fits: false });
    }

    /// Leaves the tour, and the slow motion that it has set.
    pub(crate) fn leave_tour(&mut self) {
        if self.library.progress.take().is_some() {
            self.runs.player.hurry();
        }
    }

    /// Goes to a step of a tour and sets up what it asks for.
    pub(crate) fn take_tour(&mut self, tour: usize, step: usize) {
        let found = self.library.tours.get(tour).and_then(|tour| tour.card_at(step));
        let Some(card) = found else {
            self.leave_tour();
            return;
        };
        if let Some(key) = card.scene {
            match self.library.shelf.own(&key).filter(|_| self.library.shelf.find(&key).is_none()) {
                Some(path) => {
                    self.open_path(&path);
                    // What a tour asks for is no work on the file.
                    self.opened_from(None);
                }
                None => self.open_key(&key),
            }
        }
        let begun = self.run().world().time();
        self.library.progress = Some(Progress { tour, step, begun, guess: None, done: false });
        // What the texts point at is in sight.
        (self.shown.plot.tab, self.layout.side) = (Tab::default(), SideTab::default());
        (self.layout.plot_open, self.layout.panel_open) = (true, !self.layout.seen_narrow);
        // The mouse pulls and the panel edits the main run, as the texts say.
        self.act(Act::Mode(Mode::Pull));
        self.edit(None);
        let run = self.run_mut();
        if let Some(h) = card.time_step {
            run.choose(Setting::TimeStep(h));
        }
        if let Some(solver) = card.solver.as_deref().map(solver_from).and_then(Result::ok) {
            run.choose(Setting::Solver(solver));
        }
        if let Some(text) = card.stabilizer {
            match stabilizer_from(&text, run.time_step()) {
                Ok(stabilizer) => run.choose(Setting::Stabilizer(stabilizer)),
                Err(problem) => self.refuse(NO_STEP, "tour".to_owned(), vec![problem]),
            }
        }
        self.runs.player = Player::new(!card.paused);
        if let Some(speed) = card.speed {
            self.runs.player.slow_down(speed);
        }
    }
}

/// Errors of a scene, as texts.
pub(super) fn listed(problems: &[crate::scene::Problem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}
