//! Which intents change the runs, and the list of these changes.

use super::Model;
use crate::app::build::item::{self, Item};
use crate::app::build::{Act, Make};
use crate::app::commands::Command;
use crate::app::intent::Intent;
use crate::app::runs::comparison::{Budget, ForkId, Moment};
use crate::app::runs::simulation::Setting;
use crate::app::runs::undo::Gesture;
use crate::app::text::format::duration;
use crate::app::view_state::pointer::Hold;

/// An intent that may change the runs.
pub(in crate::app) struct Acting {
    label: String,
    gesture: Option<Gesture>,
    promoted: Option<ForkId>,
    /// Whether it changes the world: a scheme that is tried is no work that a file has to keep.
    builds: bool,
    /// All runs before it; none if it goes on with the last change.
    before: Option<Moment>,
}

impl Model {
    /// Takes note of the runs before an intent that may change them.
    pub(in crate::app) fn before(&self, intent: &Intent) -> Option<Acting> {
        let (label, gesture) = self.changing(intent)?;
        let promoted = if let Intent::Promote(fork) = intent { Some(*fork) } else { None };
        let builds =
            matches!(intent, Intent::Make(_) | Intent::MakeConsistent | Intent::Command(Command::Build(_)));
        let before = (!self.undo.goes_on(gesture)).then(|| self.comparison().moment());
        Some(Acting { label, gesture, promoted, builds, before })
    }

    /// The intent has been carried out: what has changed is a change that can be undone.
    pub(in crate::app) fn after(&mut self, acting: Option<Acting>) {
        let did = self.build.did.take();
        let Some(Acting { label, gesture, promoted, builds, before: Some(before) }) = acting else {
            return;
        };
        if promoted.is_some() || !before.is_like(&self.comparison().moment()) {
            let label = did.unwrap_or_else(|| self.named(label));
            self.undo.did(label, gesture, promoted, builds, before);
        }
    }

    /// The body that the mouse holds.
    fn held(&self) -> Option<Item> {
        let Hold::Body { body, .. } = self.hold else { return None };
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

    /// What an intent changes about the runs, and the gesture to which it belongs.
    fn changing(&self, intent: &Intent) -> Option<(String, Option<Gesture>)> {
        let control = self.pressed_since.map(Gesture::Control);
        let stroke = Some(Gesture::Stroke(self.stroke));
        let alone = |label: &str| Some((label.to_owned(), None));
        match intent {
            Intent::Set(setting) => Some((subject(setting).to_owned(), control)),
            Intent::Command(Command::Scheme(_) | Command::CycleScheme(_)) => alone("scheme"),
            Intent::Remedy(_) => alone("remedy"),
            Intent::Beside(_) => alone("scheme beside"),
            Intent::Fork(_) => alone("copy beside"),
            Intent::Refer(_) => alone("reference beside"),
            Intent::PlayBack(_) => alone("trajectory beside"),
            Intent::EqualCost(Some(Budget::Seconds(_))) => Some(("budget".to_owned(), control)),
            Intent::EqualCost(Some(Budget::Slowest)) => alone("equal cost"),
            Intent::EqualCost(None) => alone("equal cost ended"),
            Intent::Promote(_) => alone("another main run"),
            Intent::Close(_) => alone("closed a run"),
            Intent::CloseAll => alone("closed the runs beside"),
            Intent::MakeConsistent => alone("velocities fitted"),
            // While time passes a drag pulls: a motion, no change.
            Intent::Drag(_) if matches!(self.hold, Hold::Body { .. }) && !self.player.playing => {
                let moved = self
                    .held()
                    .map_or_else(|| "a body".to_owned(), |item| item::name(self.aimed_at().world(), item));
                Some((format!("moved {moved}"), stroke))
            }
            Intent::Command(command) if self.restart_leaves_work(*command) => alone("restart"),
            // What was pressed belongs to the scene from the end of the recording on.
            Intent::Command(Command::Record) if self.run().recorder().take().is_some() => {
                alone("recording")
            }
            Intent::Command(Command::Build(Act::Delete | Act::Duplicate | Act::Cut)) => alone("edit"),
            Intent::Make(Make::Drag { .. }) => Some(("edit".to_owned(), stroke)),
            Intent::Make(Make::Edit(_)) => Some(("edit".to_owned(), control)),
            Intent::Make(Make::Assemble) => alone("assembled"),
            Intent::Make(Make::Align(_)) => alone("aligned"),
            Intent::Command(Command::Build(Act::Finish)) => alone("placed"),
            Intent::Make(Make::Write(text, _)) => alone(text.change()),
            Intent::Make(Make::Duration(_)) => Some(("duration".to_owned(), control)),
            Intent::Make(Make::BeginHere) => alone("begins here"),
            Intent::Make(Make::Release | Make::Press { .. }) if self.build.tool.is_some() => {
                alone("placed")
            }
            Intent::Make(Make::Paste(_)) => alone("pasted"),
            _ => None,
        }
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
