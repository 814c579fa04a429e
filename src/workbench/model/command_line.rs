//! The command that repeats without a window what the window shows.

use super::{Model, Request};
use crate::method::{Effort, Level, Method};
use crate::scene::catalogue;
use crate::workbench::link::{Stepped, solver_text};
use crate::workbench::runs::comparison::{Fork, Role};
use crate::workbench::runs::live_run::LiveRun;

/// What has to be done first where no file has the scene as it is.
const SAVE_FIRST: &str = "Save first (Ctrl+S): the command then names the file";

impl Model {
    /// The command: of one run, or of a comparison; where the runs beside differ in more than their scheme, a line for each.
    ///
    /// # Errors
    /// No file and no shipped scene leads to what is shown.
    pub fn command_line(&self) -> Result<String, String> {
        let beside =
            self.runs.comparison.forks().iter().filter(|fork| fork.role == Role::Beside).map(Fork::run);
        let runs: Vec<&LiveRun> = std::iter::once(self.run()).chain(beside).collect();
        let (scene, steps) = self.named_scene(&runs)?;
        let rests: Vec<String> = runs.iter().map(|run| rest(run)).collect();
        let steps = steps.map(|steps| format!(" --steps {steps}")).unwrap_or_default();
        if runs.len() > 1 && rests.iter().all(|other| *other == rests[0]) {
            let schemes: Vec<String> = runs.iter().map(|run| scheme(run)).collect();
            // Schemes with sweeps of their own have no effort, which then concerns the others.
            let effort = effort(runs.iter().any(|run| run.method().is_bounded()));
            return Ok(format!(
                "driftlab compare {scene} --stabilizers {}{}{effort}{steps}",
                schemes.join(" "),
                rests[0]
            ));
        }
        let line = |(run, rest): (&&LiveRun, &String)| {
            let effort = effort(run.method().is_bounded());
            format!("driftlab run {scene} --stabilizer {}{rest}{effort}{steps}", scheme(run))
        };
        Ok(runs.iter().zip(&rests).map(line).collect::<Vec<_>>().join("\n"))
    }

    /// The scene as a command names it, and the number of steps from its start to what is shown, if there are any.
    fn named_scene(&self, runs: &[&LiveRun]) -> Result<(String, Option<u64>), String> {
        let run = self.run();
        if let Some(path) = self.document.path() {
            return if self.is_unsaved() {
                Err(SAVE_FIRST.to_owned())
            } else {
                Ok((quoted(&path.to_string_lossy()), None))
            };
        }
        let contact = &run.scene.settings.method.contact;
        let leads_here = runs.iter().all(|run| !run.is_touched() && run.method().contact == *contact);
        let is_shipped = catalogue::find(&self.files.title)
            .is_some_and(|entry| entry.scene().is_ok_and(|own| own == run.scene));
        if !(leads_here && is_shipped) {
            return Err(SAVE_FIRST.to_owned());
        }
        let steps = run.world().steps() - run.scene.world.steps();
        let alike = runs.iter().all(|other| other.time_step() == run.time_step());
        Ok((self.files.title.clone(), Some(steps).filter(|steps| *steps > 0 && alike)))
    }

    /// Puts the command into the clipboard.
    pub(crate) fn copy_command(&mut self) {
        match self.command_line() {
            Ok(line) => {
                self.say(format!("Copied: {line}"));
                self.news.requests.push(Request::Copy(line));
            }
            Err(why) => self.say(why),
        }
    }
}

/// The scheme with the parameters that are not at their defaults.
fn scheme(run: &LiveRun) -> String {
    let (method, h) = (run.method(), run.time_step());
    quoted(&Stepped::of(method, h, method, h, true).scheme_text())
}

/// How a run is stepped, but for its scheme and its effort: options as `driftlab run` and `compare` have them.
fn rest(run: &LiveRun) -> String {
    let Method { level, integrator, solver, contact, .. } = run.method();
    let mut text = format!(" --dt {} --level {}", run.time_step(), level.key());
    if *level == Level::Acceleration {
        text += &format!(" --integrator {}", integrator.key());
    }
    if !solver.is_automatic() {
        text += &format!(" --solver {}", quoted(&solver_text(solver)));
    }
    let gaps = [
        ("--active-distance", contact.active_distance),
        ("--contact-tolerance", contact.contact_tolerance),
    ];
    for (option, gap) in gaps {
        text += &gap.map(|gap| format!(" {option} {gap}")).unwrap_or_default();
    }
    if contact.active_travel > 0.0 {
        text += &format!(" --active-travel {}", contact.active_travel);
    }
    text
}

/// The option by which the effort is bounded.
fn effort(is_bounded: bool) -> String {
    if is_bounded { format!(" --effort {}", Effort::Bounded.key()) } else { String::new() }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./,=+:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
