//! Opens the scene named on the command line, by the path of a file or the key of a shipped scene.

use super::failure::Failure;
use super::options::{Posing, Stepping};
use crate::experiment::choice::{Choice, Refused, can_begin, few_steps};
use crate::experiment::reason;
use crate::experiment::recording::{Recording, RecordingProblem};
use crate::files::{MOST_SCENE_BYTES, Opened, open_recording, read_bytes, text_of};
use crate::import::Format;
use crate::method::{Effort, Level, Method};
use crate::model::World;
use crate::peers;
use crate::scene::{
    Problem, Scene, catalogue, no_effort, no_integrator, shown, solver_from, stabilizer_from,
};
use crate::schemes::SolverNote;
use crate::step::make_consistent;
use std::path::{Path, PathBuf};

/// A scene's text and where it comes from.
pub(super) struct Source {
    /// Its name in errors and in the window's title.
    pub title: String,
    /// The file; none for a shipped scene.
    pub path: Option<PathBuf>,
    /// The JSON text.
    pub text: String,
}

/// Finds the scene: a key of the catalogue, else a file.
pub(super) fn open(name: &str) -> Result<Source, Failure> {
    if let Some(entry) = catalogue::find(name) {
        let (title, text) = (entry.key.to_owned(), entry.text.to_owned());
        return Ok(Source { title, path: None, text });
    }
    let path = PathBuf::from(name);
    let is_plain_word = path.extension().is_none() && path.components().count() == 1;
    if is_plain_word && !path.exists() {
        return Err(Failure::wrong(format!(
            "{name}: neither a file nor a shipped scene (`driftlab list scenes` shows those)"
        )));
    }
    let bytes = read_bytes(&path, MOST_SCENE_BYTES).map_err(|error| Failure::file(&path, &error))?;
    if let Some(format) = Format::of(&bytes) {
        return Err(Failure::wrong(format!(
            "{name}: {} is not a scene (`driftlab import {name} -o scene.json` converts it)",
            format.name()
        )));
    }
    let text = text_of(bytes).map_err(|error| Failure::file(&path, &error))?;
    Ok(Source { title: name.to_owned(), path: Some(path), text })
}

/// Opens a recording.
pub(super) fn recording(path: &Path) -> Result<Recording, Failure> {
    let Opened { source, notes } = open_recording(path).map_err(|error| Failure::file(path, &error))?;
    let line = |problem: RecordingProblem| format!("{}: {problem}", shown(&path.display().to_string()));
    let opened = Recording::open(source);
    let opened = opened.map_err(|problems| Failure::Wrong(problems.into_iter().map(line).collect()))?;
    Ok(opened.with_notes(notes))
}

impl Source {
    /// Reads the scene.
    pub fn parse(&self) -> Result<Scene, Failure> {
        let line = |problem: &Problem| format!("{}: {problem}", self.title);
        Scene::parse(&self.text).map_err(|problems| Failure::Wrong(problems.iter().map(line).collect()))
    }
}

impl Stepping {
    /// Changes the scene's settings as the options say, and returns the number of steps.
    pub fn apply(&self, scene: &mut Scene) -> Result<u64, Failure> {
        let settings = &mut scene.settings;
        settings.set_time_step(self.dt.unwrap_or(settings.time_step));
        self.posing.apply(&mut settings.method)?;
        self.posing.fit(&mut scene.world)?;
        let settings = &scene.settings;
        match self.steps {
            Some(steps) => Ok(steps),
            None => {
                let place = if self.time.is_some() { "--time" } else { "settings.duration" };
                few_steps(settings, self.time, ", or --steps").map_err(wrong_option(place))
            }
        }
    }

    /// All that happens before the first step of a run by the scheme that `text` names, or the scene's own: applies the
    /// options, refuses what the run cannot do, and returns the number of steps. `driftlab check` does the same without options.
    pub fn prepare(&self, scene: &mut Scene, text: Option<&str>) -> Result<u64, Failure> {
        let steps = self.apply(scene)?;
        scene.settings.method = self.posing.method(scene, "--stabilizer", text)?;
        let named = text.is_some().then_some("--stabilizer");
        self.posing.check(std::slice::from_ref(&scene.settings.method), scene, named)?;
        Ok(steps)
    }
}

impl Posing {
    /// Applies the options to the method, except the level, which depends on the scheme (see [`Posing::method`]).
    pub fn apply(&self, method: &mut Method) -> Result<(), Failure> {
        if let Some(text) = &self.solver {
            method.solver = solver_from(text).map_err(wrong_option("--solver"))?;
        }
        method.integrator = self.integrator.unwrap_or(method.integrator);
        method.effort = self.effort.unwrap_or(method.effort);
        let contact = &mut method.contact;
        contact.active_distance = self.active_distance.or(contact.active_distance);
        contact.active_travel = self.active_travel.unwrap_or(contact.active_travel);
        contact.contact_tolerance = self.contact_tolerance.or(contact.contact_tolerance);
        Ok(())
    }

    /// Makes the velocities with which the scene begins consistent, where that is asked for.
    pub fn fit(&self, world: &mut World) -> Result<(), Failure> {
        let fitted = if self.consistent { make_consistent(world) } else { Ok(()) };
        fitted.map_err(|error| wrong_option("--consistent")(reason(&error, world)))
    }

    /// The scene's method with the stabilizer named by `text`, if one is named, at the level of the options.
    ///
    /// Without `--level`, the scene's level is kept if the scheme supports it; otherwise the scheme's default level is used.
    pub fn method(
        &self,
        scene: &Scene,
        option: &'static str,
        text: Option<&str>,
    ) -> Result<Method, Failure> {
        let settings = &scene.settings;
        let mut method = settings.method.clone();
        if let Some(text) = text {
            method.stabilizer = stabilizer_from(text, settings.time_step).map_err(wrong_option(option))?;
        }
        let level = Choice { level: self.level, ..Choice::default() };
        level.apply(method).map_err(|refused| wrong_option("--level")(refused.message))
    }

    /// Refuses what would act on none of the methods, and a world with which one of them cannot make its first step.
    /// `named`: the option that has named their schemes, if one has; of schemes that nobody has named, those are left
    /// to their runs which do not support the scene.
    pub fn check(
        &self,
        methods: &[Method],
        scene: &Scene,
        named: Option<&'static str>,
    ) -> Result<(), Failure> {
        self.check_integrator(methods)?;
        self.check_effort(methods)?;
        for method in methods {
            let Err(Refused { what, message }) = can_begin(method, scene) else { continue };
            let place = match what {
                "solver" => self.solver_place(),
                "scheme" if methods.len() > 1 && named.is_none() => continue,
                "scheme" => named.unwrap_or("settings.stabilizer"),
                what => what,
            };
            return Err(wrong_option(place)(message));
        }
        Ok(())
    }

    /// Where the solver has been chosen.
    fn solver_place(&self) -> &'static str {
        if self.solver.is_some() { "--solver" } else { "settings.solver" }
    }

    /// Warnings before the first step: of a solver that is not used, or may come upon a step that it does not take.
    pub fn solver_notes(&self, methods: &[Method], world: &World) -> Vec<String> {
        // A scene's solver is not meant for other engines; one that is asked for is.
        let asked = self.solver.is_some();
        let own = || methods.iter().filter(move |method| asked || !peers::makes(method));
        let notes = || own().filter_map(|method| method.solver_note(world));
        let is_unused = |note: &SolverNote| matches!(note, SolverNote::Unused { .. });
        // In a comparison of many schemes the scene's own solver may not suit all of them: only a solver that no scheme
        // uses is worth a word.
        let told = self.solver.is_some() || notes().filter(is_unused).count() == own().count();
        notes().filter(|note| told || !is_unused(note)).map(|note| format!("warning: {note}")).collect()
    }

    /// Refuses a bounded effort that would act on none of the methods.
    fn check_effort(&self, methods: &[Method]) -> Result<(), Failure> {
        match (self.effort, methods.first()) {
            (Some(Effort::Bounded), Some(method)) if !methods.iter().any(Method::is_bounded) => {
                Err(wrong_option("--effort")(no_effort(method)))
            }
            _ => Ok(()),
        }
    }

    /// Refuses an integrator that would act on none of the methods.
    pub fn check_integrator(&self, methods: &[Method]) -> Result<(), Failure> {
        let acts = methods.iter().any(|method| method.level == Level::Acceleration);
        match (self.integrator, methods.first()) {
            (Some(_), Some(method)) if !acts => Err(wrong_option("--integrator")(no_integrator(method))),
            _ => Ok(()),
        }
    }
}

pub(super) fn wrong_option(option: &'static str) -> impl Fn(String) -> Failure {
    move |message| Failure::wrong(format!("{option}: {message}"))
}
