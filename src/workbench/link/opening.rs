//! From a link to a scene with its methods, and from methods to what a link says about them.

use super::{Link, Stepped, Subject, acts, parameter_keys, shown, written};
use crate::experiment::choice::Choice;
use crate::lcp::Solver;
use crate::method::{Effort, Level, Method, Stabilizer};
use crate::peers;
use crate::scene::window::Beside;
use crate::scene::{Scene, Settings, catalogue, nearest, no_effort, solver_from, stabilizer_from};
use crate::workbench::options::FIRST_SCENE;

/// Most steps that a link may ask for before it shows anything.
const MOST_STEPS: f64 = 1e6;

/// What a link opens, checked.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Catalogue key, or what stands for a scene without one.
    pub title: String,
    /// The scene from its start, with its own settings, and as its `window` all that the link shows of it.
    pub scene: Scene,
    /// The main run's method and time step, s.
    pub main: (Method, f64),
    /// The simulation time to run to, s.
    pub t: Option<f64>,
}

impl Link {
    /// Reads the scene and everything else that the link names; at most `most` runs beside the main one.
    ///
    /// # Errors
    /// Everything that is wrong with it: which key, what was expected.
    pub fn open(&self, most: usize) -> Result<Opened, Vec<String>> {
        let (title, mut scene) = self.scene()?;
        let mut problems = Vec::new();
        let mut window = scene.window.take().unwrap_or_default();
        if let Some(text) = &self.window {
            match scene.read_window(text) {
                Ok(read) => window = read,
                Err(wrong) => problems.extend(wrong.iter().map(ToString::to_string)),
            }
        }
        let Settings { time_step, method, states_effort, .. } = &scene.settings;
        let mut base = method.clone();
        if let Some(text) = &self.solver {
            let read = solver_from(text).map(|solver| base.solver = solver);
            problems.extend(read.err().map(|problem| format!("solver: {problem}")));
        }
        let h = self.main.h.unwrap_or(*time_step);
        let main = self.main.method(&base, h).map_err(|problem| problems.push(problem)).unwrap_or(base);
        if self.effort == Some(Effort::Bounded) && !main.can_be_bounded() {
            problems.push(format!("effort: {}", no_effort(&main)));
        }
        if !self.beside.is_empty() {
            window.beside.clear();
        }
        for run in &self.beside {
            let time_step = run.h.unwrap_or(h);
            match run.method(&main, time_step) {
                Ok(method) => window.beside.push(Beside {
                    settings: Settings { method, time_step, duration: None, states_effort: false },
                    world: None,
                    reference: false,
                }),
                Err(problem) => problems.push(format!("beside: {problem}")),
            }
        }
        if self.beside.len() > most {
            problems.push(format!("beside: {} runs (expected at most {most})", self.beside.len()));
        }
        if let Some(t) = self.t {
            let begun = scene.world.time();
            if t < begun {
                problems.push(format!("t = {t}: the scene begins at {begun} s"));
            }
            let steps = window.beside.iter().map(|run| run.settings.time_step);
            let shortest = steps.fold(h, f64::min);
            if (t - begun) / shortest > MOST_STEPS {
                problems.push(format!("t = {t}: more than {MOST_STEPS} steps of {shortest} s"));
            }
        }
        if let Some(slider) = &self.slider
            && slider != "h"
            && !parameter_keys().any(|own| own == slider)
        {
            let meant = nearest(slider, parameter_keys()).map(|meant| format!("; did you mean '{meant}'?"));
            problems.push(format!(
                "slider = '{}': expected a parameter of a scheme, or h{}",
                shown(slider),
                meant.unwrap_or_default()
            ));
        } else if let Some(slider) = self.slider.as_ref().filter(|slider| *slider != "h") {
            let methods =
                std::iter::once(&main).chain(window.beside.iter().map(|run| &run.settings.method));
            let mut own = methods.flat_map(|method| method.stabilizer.info().parameters);
            if !own.any(|own| own.key == slider && acts(own, &scene.world)) {
                problems.push(format!(
                    "slider = '{slider}': acts on nothing here (expected a parameter of one of the link's schemes that acts on the \
                     scene, or h)"
                ));
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        // Without a word on it, that with which the scene begins.
        let first = if *states_effort { method.effort } else { Effort::Bounded };
        let main = Method { effort: self.effort.unwrap_or(first), ..main };
        for run in window.beside.iter_mut().filter(|_| self.effort.is_some()) {
            run.settings.states_effort = false;
        }
        window.paused = match (self.playing, self.t) {
            (Some(playing), _) => !playing,
            (None, Some(_)) => true,
            (None, None) => window.paused,
        };
        window.speed = self.speed.or(window.speed);
        window.panes |= self.panes;
        window.slider = self.slider.clone().or(window.slider);
        // A link comes from elsewhere: it opens no files here.
        window.trajectories.clear();
        scene.window = Some(window);
        Ok(Opened { title, main: (main, h), t: self.t, scene })
    }

    fn scene(&self) -> Result<(String, Scene), Vec<String>> {
        let key = match &self.subject {
            Some(Subject::File(text)) => {
                let line = |problem: &crate::scene::Problem| format!("file: {problem}");
                let scene =
                    Scene::parse(text).map_err(|problems| problems.iter().map(line).collect::<Vec<_>>())?;
                return Ok((scene.name.clone(), scene));
            }
            Some(Subject::Shipped(key)) => key.as_str(),
            None => FIRST_SCENE,
        };
        let entry = shipped(key).map_err(|problem| vec![problem])?;
        let scene = entry.scene().map_err(|problems| vec![format!("{key}: {} errors", problems.len())])?;
        Ok((entry.key.to_owned(), scene))
    }
}

/// The shipped scene with that key, or what is wrong with the key.
pub(super) fn shipped(key: &str) -> Result<&'static catalogue::Entry, String> {
    catalogue::find(key).ok_or_else(|| {
        let meant = nearest(key, catalogue::entries().iter().map(|entry| entry.key));
        let meant = meant.map(|meant| format!(" (did you mean '{meant}'?)")).unwrap_or_default();
        format!("scene = '{}': no shipped scene has this key{meant}", shown(key))
    })
}

impl Stepped {
    /// What has to be said about a method with steps of `h` seconds so that it is read as such beside `base` and its step. With
    /// `named`, the scheme is said also where it is that of `base`.
    pub fn of(method: &Method, h: f64, base: &Method, base_h: f64, named: bool) -> Self {
        let info = method.stabilizer.info();
        let is_new = named || info.key != base.stabilizer.info().key;
        let mut plain = if is_new { fresh(info.key, base) } else { base.stabilizer.clone() };
        plain.follow_step(h);
        let pairs = method.stabilizer.values.iter().zip(plain.values.iter());
        let changed = pairs.filter(|((_, value), (_, plain))| value.to_bits() != plain.to_bits());
        let parameters = changed.map(|((parameter, value), _)| {
            let text = parameter.word(value).map_or_else(|| written(value), str::to_owned);
            (parameter.key.to_owned(), text)
        });
        let level = (method.level != level_beside(&method.stabilizer, base)).then_some(method.level);
        let differs = method.level == Level::Acceleration && method.integrator != base.integrator;
        Self {
            stabilizer: is_new.then(|| info.key.to_owned()),
            parameters: parameters.collect(),
            level,
            integrator: differs.then_some(method.integrator),
            h: (h.to_bits() != base_h.to_bits()).then_some(h),
        }
    }

    /// The method that it says beside `base`, at the time step `h`, s: another scheme begins with its defaults; solver,
    /// contact rules and, where the scheme has it, the level are those of `base`.
    fn method(&self, base: &Method, h: f64) -> Result<Method, String> {
        let stabilizer = match &self.stabilizer {
            Some(kind) => stabilizer_from(&self.spelled(kind), h)?,
            None => self.changed(&base.stabilizer, h)?,
        };
        let level = level_beside(&stabilizer, base);
        let method = Method { stabilizer, level, ..base.clone() };
        let choice = Choice { level: self.level, integrator: self.integrator, effort: None };
        choice.apply(method).map_err(|refused| format!("{}: {refused}", refused.what))
    }

    /// The scheme of `present` with the parameters that are said.
    fn changed(&self, present: &Stabilizer, h: f64) -> Result<Stabilizer, String> {
        let info = present.info();
        let is_own = |(key, _): &(String, String)| info.parameters.iter().any(|own| own.key == key);
        if !self.parameters.iter().all(is_own) {
            // Another parametrization states all of it, or nobody knows the parameter, which is then said.
            return stabilizer_from(&self.spelled(info.key), h);
        }
        let mut stabilizer = present.clone();
        stabilizer.follow_step(h);
        for (key, value) in &self.parameters {
            stabilizer.values.set_text(key, value).map_err(|error| error.to_string())?;
        }
        Ok(stabilizer)
    }
}

/// A solver with the parameters that are not at their defaults, as the command line names it.
pub(crate) fn solver_text(solver: &Solver) -> String {
    let mut text = solver.info().key.to_owned();
    for (parameter, value) in solver.values.iter().filter(|(own, value)| *value != own.default) {
        let value = parameter.word(value).map_or_else(|| written(value), str::to_owned);
        text += &format!(",{}={value}", parameter.key);
    }
    text
}

/// The scheme of that key with its defaults.
fn fresh(key: &str, base: &Method) -> Stabilizer {
    peers::any_stabilizer(key).unwrap_or_else(|| base.stabilizer.clone())
}

/// The level of a scheme where none is named: that of `base` if the scheme has it, otherwise its natural one.
fn level_beside(stabilizer: &Stabilizer, base: &Method) -> Level {
    let levels = stabilizer.info().levels;
    if levels.contains(&base.level) { base.level } else { levels[0] }
}
