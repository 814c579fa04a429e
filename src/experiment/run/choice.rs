//! What is chosen beside a scheme – level, integrator, effort – and whether a run can begin so: one meaning and one
//! check for the command line, a link and Python.

use crate::experiment::{reason, steps_for};
use crate::method::{Effort, Integrator, Level, Method};
use crate::peers;
use crate::report::StepError;
use crate::scene::{Scene, Settings, no_effort, no_integrator, no_such_level};
use thiserror::Error;

/// Most steps into which a duration may be divided: eleven days at a microsecond per step.
pub const MOST_STEPS: u64 = 1_000_000_000_000;

/// A choice that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Refused {
    /// What was chosen: `level`, `integrator`, `effort`, `scheme`, `solver` or `bodies`.
    pub what: &'static str,
    /// Why it cannot be, and what was expected.
    pub message: String,
}

/// What is chosen; where it is none, the method stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Level at which the constraints are posed.
    pub level: Option<Level>,
    /// Integrator at the acceleration level.
    pub integrator: Option<Integrator>,
    /// Effort of the solver `auto`.
    pub effort: Option<Effort>,
}

impl Choice {
    /// Takes `level=…` and `integrator=…` out of `KIND[,key=value…]`; an integrator implies the acceleration level.
    ///
    /// # Errors
    /// A level or an integrator that does not exist.
    pub fn beside(text: &str) -> Result<(String, Self), Refused> {
        let (mut choice, mut rest) = (Self::default(), Vec::new());
        for part in text.split(',') {
            match part.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
                Some(("level", value)) => choice.level = Some(level(value)?),
                Some(("integrator", value)) => choice.integrator = Some(integrator(value)?),
                _ => rest.push(part),
            }
        }
        choice.level = choice.level.or(choice.integrator.map(|_| Level::Acceleration));
        Ok((rest.join(","), choice))
    }

    /// The method as chosen. Without a level its own is kept if the scheme has it; otherwise the scheme's first one is used.
    ///
    /// # Errors
    /// A level that the scheme does not have, an integrator or an effort that would act on nothing.
    pub fn apply(self, mut method: Method) -> Result<Method, Refused> {
        let refused = |what, message| Err(Refused { what, message });
        let levels = method.stabilizer.info().levels;
        match self.level {
            Some(level) if !levels.contains(&level) => {
                return refused("level", no_such_level(&method, level));
            }
            Some(level) => method.level = level,
            None if !levels.contains(&method.level) => method.level = levels[0],
            None => {}
        }
        if self.integrator.is_some() && method.level != Level::Acceleration {
            return refused("integrator", no_integrator(&method));
        }
        if self.effort == Some(Effort::Bounded) && !method.can_be_bounded() {
            return refused("effort", no_effort(&method));
        }
        method.integrator = self.integrator.unwrap_or(method.integrator);
        method.effort = self.effort.unwrap_or(method.effort);
        Ok(method)
    }
}

/// A level by its key.
///
/// # Errors
/// Which keys there are.
pub fn level(text: &str) -> Result<Level, Refused> {
    by_key("level", text, &Level::ALL.map(|own| (own.key(), own)))
}

/// An integrator by its key.
///
/// # Errors
/// Which keys there are.
pub fn integrator(text: &str) -> Result<Integrator, Refused> {
    by_key("integrator", text, &Integrator::ALL.map(|own| (own.key(), own)))
}

/// An effort by its key.
///
/// # Errors
/// Which keys there are.
pub fn effort(text: &str) -> Result<Effort, Refused> {
    by_key("effort", text, &Effort::ALL.map(|own| (own.key(), own)))
}

fn by_key<T: Copy>(what: &'static str, text: &str, all: &[(&str, T)]) -> Result<T, Refused> {
    let keys: Vec<_> = all.iter().map(|(key, _)| *key).collect();
    let found = all.iter().find(|(key, _)| *key == text).map(|(_, own)| *own);
    found.ok_or_else(|| Refused { what, message: format!("expected {}", keys.join(", ")) })
}

/// Refuses a world with which the method cannot make its first step.
///
/// # Errors
/// Whether the solver, the number of contacts or the scheme cannot do it, and why; of another engine what it lacks, a line each.
pub fn can_begin(method: &Method, scene: &Scene) -> Result<(), Refused> {
    let (world, h) = (&scene.world, scene.settings.time_step);
    if peers::makes(method) {
        let lacks = |lacks: Vec<String>| Refused { what: "scheme", message: lacks.join("\n  ") };
        return peers::check(method, world, h).map_err(lacks);
    }
    let refused = method
        .check(world)
        .and_then(|()| method.check_damping(world, h))
        .and_then(|()| method.check_crowd(world, h));
    refused.map_err(|error| {
        let what = match error {
            StepError::Unsuitable { .. } => "solver",
            StepError::Crowded(_) => "bodies",
            _ => "scheme",
        };
        Refused { what, message: reason(&error, world) }
    })
}

/// The steps of a duration in s, the scene's own if none is given.
///
/// # Errors
/// More than [`MOST_STEPS`]; `other` names another way to say how many.
pub fn few_steps(settings: &Settings, time: Option<f64>, other: &str) -> Result<u64, String> {
    match steps_for(settings, time) {
        steps if steps <= MOST_STEPS => Ok(steps),
        _ => Err(format!(
            "more than {MOST_STEPS:e} steps of {} s (expected a shorter time{other})",
            settings.time_step
        )),
    }
}
