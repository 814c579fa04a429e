//! Which intents change the runs, the list of these changes, and how one goes back in it.

use super::Model;
use crate::workbench::command::Command;
use crate::workbench::editor::item::{self, Item};
use crate::workbench::editor::{Act, EditorIntent, Stroke};
use crate::workbench::intent::Intent;
use crate::workbench::runs::comparison::{Budget, ForkId, Moment};
use crate::workbench::runs::live_run::{LiveRun, Setting, name_of};
use crate::workbench::runs::remedy::Remedy;
use crate::workbench::runs::undo::Gesture;
use crate::workbench::stage::pointer::Hold;
use crate::workbench::text::format::duration;

/// An intent that may change the runs.
pub(crate) struct Acting {
    label: String,
    gesture: Option<Gesture>,
    promoted: Option<ForkId>,
    /// Whether it changes the world: a scheme that is tried is no work that a file has to keep.
    builds: bool,
    /// All runs before it; none if it goes on with the last change.
    before: Option<Moment>,
}

impl Model {
    /// Whether an intent may change the runs.
    pub(crate) fn changes(&self, intent: &Intent) -> bool {
        matches!(intent, Intent::Editor(_) | Intent::Remedy(_)) || self.changing(intent).is_some()
    }

    /// Takes note of the runs before an intent that may change them.
    pub(crate) fn before(&self, intent: &Intent) -> Option<Acting> {
        let (label, gesture) = self.changing(intent)?;
        let promoted = if let Intent::Promote(fork) = intent { Some(*fork) } else { None };
        let builds = matches!(
            intent,
            Intent::Editor(_) | Intent::MakeConsistent | Intent::Command(Command::Build(_))
        );
        let before = (!self.runs.undo.goes_on(gesture)).then(|| self.comparison().moment());
        Some(Acting { label, gesture, promoted, builds, before })
    }

    /// The intent has been carried out: what has changed is a change that can be undone.
    pub(crate) fn after(&mut self, acting: Option<Acting>) {
        let did = self.build.did.take();
        let Some(Acting { label, gesture, promoted, builds, before: Some(before) }) = acting else {
            return;
        };
        if promoted.is_some() || !before.is_like(&self.comparison().moment()) {
            let label = did.unwrap_or_else(|| self.named(label));
            self.runs.undo.did(label, gesture, promoted, builds, before);
        }
    }

    /// The body that the mouse holds.
    fn held(&self) -> Option<Item> {
        let Hold::Body { body, .. } = self.hand.hold else { return None };
        Some(Item::Body(body))
    }

    /// What was changed, with what it is now.
    fn named(&self, label: String) -> String {
        let run = self.edited();
        match label.as_str() {
            "scheme" | "parameters" => run.scheme_name(),
            "time step" => format!("h = {}", duration(run.time_step())),
            _ => label,
        }
    }

    /// What an intent changes about the runs, and the gesture to which it belongs; none if it changes nothing that is
    /// undone. Every intent, command and act is named here, so that a new one does not compile before it is decided
    /// whether it can be undone.
    fn changing(&self, intent: &Intent) -> Option<(String, Option<Gesture>)> {
        let stroke = Some(Gesture::Stroke(self.runs.stroke));
        match intent {
            Intent::Command(command) => self.changing_by_command(*command),
            Intent::Editor(make) => self.changing_by_making(make),
            Intent::Set(setting) => Some((subject(setting).to_owned(), self.runs.control())),
            Intent::Remedy(Remedy::Impulses(_)) => alone("remedy"),
            Intent::Beside(_) => alone("scheme beside"),
            Intent::Fork(_) => alone("copy beside"),
            Intent::Refer(_) => alone("reference beside"),
            Intent::PlayBack(_) => alone("trajectory beside"),
            Intent::EqualCost(Some(Budget::Seconds(_))) => Some(("budget".to_owned(), self.runs.control())),
            Intent::EqualCost(Some(Budget::Slowest)) => alone("equal cost"),
            Intent::EqualCost(None) => alone("equal cost ended"),
            Intent::Promote(_) => alone("another main run"),
            Intent::Close(_) => alone("closed a run"),
            Intent::CloseAll => alone("closed the runs beside"),
            Intent::MakeConsistent => alone("velocities fitted"),
            // While time passes a drag pulls: a motion, no change.
            Intent::Drag(_) if matches!(self.hand.hold, Hold::Body { .. }) && !self.runs.player.playing => {
                let moved = self
                    .held()
                    .map_or_else(|| "a body".to_owned(), |item| item::name(self.aimed_at().world(), item));
                Some((format!("moved {moved}"), stroke))
            }
            // With another scene the list begins anew.
            Intent::Tour { tour, step } if self.stays_in_scene(*tour, *step) => alone("step of the tour"),
            // These undo changes themselves, and list what they then set.
            Intent::Remedy(Remedy::Limit(_) | Remedy::Step(_) | Remedy::Undo) => None,
            // Another scene: its list of changes is empty.
            Intent::Open(_)
            | Intent::OpenLink(_)
            | Intent::OpenShipped(_)
            | Intent::OpenPath(_)
            | Intent::WatchRecording(_)
            | Intent::OpenRecording(..)
            | Intent::Chosen(_)
            | Intent::Answer(_)
            | Intent::TakeLost
            | Intent::ForgetLost => None,
            // Time, and moments that are recorded.
            Intent::Play
            | Intent::Speed(_)
            | Intent::Seek(_)
            | Intent::Enter { .. }
            | Intent::Remedy(Remedy::SlowMotion) => None,
            // The hand: what it does to bodies while time passes is motion.
            Intent::Push(_)
            | Intent::Press { .. }
            | Intent::Drag(_)
            | Intent::Release
            | Intent::Keys(_)
            | Intent::Hover(_)
            | Intent::Sizing(_) => None,
            // What is shown, and how.
            Intent::Edit(_)
            | Intent::Arrange(_)
            | Intent::Aim(_)
            | Intent::Say(_)
            | Intent::Sort(_)
            | Intent::Language(_)
            | Intent::Select(_)
            | Intent::Watch(_)
            | Intent::Pan(_)
            | Intent::Slide(_)
            | Intent::Zoom { .. }
            | Intent::View(_)
            | Intent::Plot(_)
            | Intent::Browse(_)
            | Intent::TextSize(_)
            | Intent::Side(_)
            | Intent::Solve(_)
            | Intent::Resize(..)
            | Intent::Tour { .. }
            | Intent::Predict(_)
            | Intent::SignAs(_)
            | Intent::CopyCertificate
            | Intent::LeaveTour
            | Intent::CloseHelp
            | Intent::CloseRefusal => None,
            // Files and settings of the program.
            Intent::SaveProblem
            | Intent::Problem(_)
            | Intent::SavePlot(_)
            | Intent::ChooseTrajectory
            | Intent::ChooseWatch
            | Intent::Page(_)
            | Intent::LeaveDialog => None,
        }
    }

    fn changing_by_command(&self, command: Command) -> Option<(String, Option<Gesture>)> {
        match command {
            Command::Scheme(_) | Command::CycleScheme(_) => alone("scheme"),
            Command::Build(act) => changing_by_act(act),
            Command::Restart | Command::Record | Command::Replay if self.restart_leaves_work(command) => {
                alone("restart")
            }
            // What was pressed belongs to the scene from the end of the recording on.
            Command::Record if self.run().recorder().take().is_some() => alone("recording"),
            Command::TogglePlay
            | Command::StepForward
            | Command::StepBack
            | Command::Steps(_)
            | Command::HistoryStart
            | Command::HistoryEnd
            | Command::Restart
            | Command::Record
            | Command::Replay => None,
            // Another scene: its list of changes is empty.
            Command::Scene(_) | Command::Open => None,
            Command::Fit
            | Command::ToggleScenes
            | Command::TogglePanel
            | Command::TogglePlot
            | Command::Present
            | Command::TextSize(_)
            | Command::ToggleHelp
            | Command::Dismiss => None,
            Command::Screenshot
            | Command::Clip
            | Command::Save
            | Command::SaveAs
            | Command::SaveRecording
            | Command::CopyLink
            | Command::CopyCommand
            | Command::Quit => None,
        }
    }

    fn changing_by_making(&self, make: &EditorIntent) -> Option<(String, Option<Gesture>)> {
        match make {
            EditorIntent::Drag { .. } => Some(("edit".to_owned(), Some(Gesture::Stroke(self.runs.stroke)))),
            EditorIntent::Edit(_) => Some(("edit".to_owned(), self.runs.control())),
            EditorIntent::Assemble => alone("assembled"),
            EditorIntent::Align(_) => alone("aligned"),
            EditorIntent::Write(text, _) => alone(text.change()),
            EditorIntent::Duration(_) => Some(("duration".to_owned(), self.runs.control())),
            EditorIntent::BeginHere => alone("begins here"),
            EditorIntent::Release | EditorIntent::Press { .. } if self.build.tool.is_some() => {
                alone("placed")
            }
            EditorIntent::Paste(_) => alone("pasted"),
            EditorIntent::Press { .. }
            | EditorIntent::Hold { .. }
            | EditorIntent::Release
            | EditorIntent::Count(_)
            | EditorIntent::Snaps(_)
            | EditorIntent::Select(_)
            | EditorIntent::GoTo(_) => None,
        }
    }

    /// Whether a step of a tour goes on with the scene that is open.
    fn stays_in_scene(&self, tour: usize, step: usize) -> bool {
        let tour = self.library.tours.get(tour).filter(|tour| step < tour.places());
        tour.is_some_and(|tour| !tour.opens_scene_at(step))
    }

    pub(super) fn undo_last(&mut self) {
        match self.runs.undo.undo(&mut self.runs.comparison, &self.runs.stepping) {
            Some(label) => self.went(format!("Undone: {label}")),
            None => self.say("Nothing to undo".to_owned()),
        }
    }

    pub(super) fn redo_next(&mut self) {
        match self.runs.undo.redo(&mut self.runs.comparison, &self.runs.stepping) {
            Some(label) => self.went(format!("Redone: {label}")),
            None => self.say("Nothing to redo".to_owned()),
        }
    }

    /// Undoes or redoes until that many changes stand.
    pub(super) fn go_to(&mut self, count: usize) {
        while self.runs.undo.done().len() > count {
            self.undo_last();
        }
        while self.runs.undo.done().len() < count && !self.runs.undo.undone().is_empty() {
            self.redo_next();
        }
    }

    /// All runs have gone to another moment.
    fn went(&mut self, text: String) {
        self.runs.goal = None;
        self.runs.player.playing = false;
        self.runs.player.look_away();
        (self.hand.hold, self.build.stroke) = (Hold::Free, Stroke::None);
        let world = self.runs.comparison.main().world();
        self.build.selection.retain(|item| item::exists(world, *item));
        self.say(text);
    }

    /// Undoes the changes of the edited run down to the last one of its method or its world, or begins the scene anew
    /// if there is none; what is set `then` is one change.
    pub(crate) fn go_back_and(&mut self, then: impl FnOnce(&mut Self)) {
        self.runs.player.hurry();
        let of = self.edited_fork().map(|fork| fork.id);
        let count = self.runs.undo.last_choice(&self.runs.comparison, of).map(|choice| choice.place);
        if let Some(count) = count {
            self.go_to(count);
        }
        let before = self.runs.comparison.moment();
        if count.is_none() {
            self.runs.comparison.restart();
        }
        then(self);
        if !before.is_like(&self.runs.comparison.moment()) {
            self.runs.undo.did("remedy".to_owned(), None, None, false, before);
        }
    }

    /// Where going back leads a run (none: the main one), in words: the change that is undone, or the scheme before it.
    pub(crate) fn goes_back_to(&self, of: Option<ForkId>) -> Option<String> {
        let choice = self.runs.undo.last_choice(&self.runs.comparison, of)?;
        if choice.builds {
            return Some(self.runs.undo.done()[choice.place].label.clone());
        }
        let scheme = name_of(&choice.method.stabilizer);
        let now = self.runs.comparison.run(of)?.time_step();
        let step = if choice.h == now { String::new() } else { format!(", h = {}", duration(choice.h)) };
        Some(format!("back to {scheme}{step}"))
    }

    /// Seeks a remedy for each run that has stopped, from the state to which one goes back.
    pub(super) fn seek_cures(&mut self) {
        let forks = self.runs.comparison.forks().iter().map(|fork| Some(fork.id));
        let stopped = |of: &Option<ForkId>| self.runs.comparison.run(*of).is_some_and(LiveRun::lacks_cure);
        let stopped: Vec<_> = [None].into_iter().chain(forks).filter(stopped).collect();
        for of in stopped {
            let before =
                self.runs.undo.last_choice(&self.runs.comparison, of).map(|choice| choice.world.clone());
            if let Some(run) = self.runs.comparison.run_mut(of) {
                run.seek_cure(before.as_ref());
            }
        }
    }
}

/// A change that belongs to no gesture.
fn alone(label: &str) -> Option<(String, Option<Gesture>)> {
    Some((label.to_owned(), None))
}

fn changing_by_act(act: Act) -> Option<(String, Option<Gesture>)> {
    match act {
        Act::Delete | Act::Duplicate | Act::Cut => alone("edit"),
        Act::Finish => alone("placed"),
        Act::Mode(_) | Act::Tool(_) | Act::Undo | Act::Redo | Act::SelectAll | Act::Copy | Act::New => None,
    }
}

/// What a setting is about.
fn subject(setting: &Setting) -> &'static str {
    match setting {
        Setting::Scheme(_) => "scheme",
        Setting::Stabilizer(_) => "parameters",
        Setting::Level(_) => "level",
        Setting::Integrator(_) => "integrator",
        Setting::Solver(_) => "solver",
        Setting::Effort(_) => "effort",
        Setting::Contact(_) => "contact rules",
        Setting::TimeStep(_) => "time step",
    }
}
