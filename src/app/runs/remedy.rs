//! What can be done about a run that has blown up: parameters or a time step that have been tried from the state to
//! which one goes back.
//!
//! Of a scheme whose parameters can overshoot, the first that is tried takes back the whole error in a step: αh = 1 of
//! Baumgarte's velocity level, αh = βh = ½ of the acceleration level, equal for critical damping; then half of it, and
//! so on. What is offered is stable by the closed form, by the linearised step under the load of that state where there
//! is one, and by 100 to 2000 trial steps from it, fewer the more bodies there are.

use crate::app::model::setting::Setting;
use crate::app::text::format;
use crate::experiment::stability::Loaded;
use crate::experiment::{Trial, by_impulses};
use crate::method::{Level, Method, Stabilizer};
use crate::model::World;
use crate::report::LARGEST_PHASE;
use crate::schemes::TABLE;

/// Shares of the parameters that take back the whole error, each half the one before.
const SHARES: u32 = 8;
/// Smaller time steps that are tried: halves of halves.
const HALVINGS: u32 = 8;
/// Significant digits to which a parameter is set, one more than are said.
const DIGITS: usize = 5;
/// Least and largest number of present steps that a trial spans.
const STEPS: [u64; 2] = [100, 2000];
/// Steps of one body that a trial spans, between these numbers of steps, and that all trials may take together: some
/// tenths of a second at most, at a moment at which the run has stopped.
const SPAN: u64 = 10_000;
const EFFORT: u64 = 40_000;
/// Most free bodies of a scene of which the loaded step is linearised: with 12 it takes some 5 ms.
const MOST_LOADED: usize = 12;
/// A loaded ρ up to this much above 1 counts as 1: holding a motion's coefficients constant over the step costs O(h²).
const FROZEN: f64 = 1e-3;

/// What a person can do about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Remedy {
    /// Go back to before the last change, as by undoing it, and step on with these parameters.
    Limit(Stabilizer),
    /// Go back likewise, and step on with this time step, s.
    Step(f64),
    /// Pose contacts with impulses, by this setting, and play on from the present state.
    Impulses(Setting),
    /// Undo the last change.
    Undo,
    /// Watch again how it happened.
    SlowMotion,
}

/// A remedy that has been tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Cure {
    /// Parameters or a time step.
    pub remedy: Remedy,
    /// What is set, in words.
    pub said: String,
}

/// A run that has failed, or blown up, and from where one can go on.
#[derive(Clone, Copy, Debug)]
pub struct FailedRun<'a> {
    /// The state to which one goes back.
    pub world: &'a World,
    /// How it was stepped from there.
    pub method: &'a Method,
    /// By steps of so many seconds.
    pub h: f64,
    /// The rate of its fastest motion at the end, rad/s.
    pub rate: f64,
}

/// The first of the remedies that holds; none if none that was tried does.
pub fn cure(failed: &FailedRun<'_>) -> Option<Cure> {
    let FailedRun { world, method, h, rate } = *failed;
    let free = world.bodies().iter().filter(|body| body.is_dynamic()).count().max(1) as u64;
    let steps = (SPAN / free).clamp(STEPS[0], STEPS[1]);
    let mut trial = Trial::new(world, steps as f64 * h, EFFORT, &|| true);
    for (stabilizer, said) in (0..SHARES).filter_map(|halved| critical(&method.stabilizer, h, halved)) {
        let tamed = Method { stabilizer, ..method.clone() };
        if tamed != *method && decays(world, &tamed, h) && trial.holds(&tamed, h) == Some(true) {
            return Some(Cure { remedy: Remedy::Limit(tamed.stabilizer), said });
        }
    }
    let halves = (1..=HALVINGS).map(|halvings| format::round_down(h / f64::from(1 << halvings)));
    let smaller = resolving(rate, h).into_iter().chain(halves).filter(|step| *step < h && step.is_normal());
    for step in smaller {
        if decays(world, method, step) && trial.holds(method, step) == Some(true) {
            let said = format!("h = {}", format::duration(step));
            return Some(Cure { remedy: Remedy::Step(step), said });
        }
    }
    None
}

/// The scheme with the parameters that it names as its remedy at `h`, halved so often, and what is set in words; none
/// of a scheme that names none.
fn critical(present: &Stabilizer, h: f64, halved: u32) -> Option<(Stabilizer, String)> {
    let mut tamed = present.clone();
    let mut said = Vec::new();
    for (parameter, most) in present.scheme().remedy(h) {
        let value = format::to_digits(most / f64::from(1 << halved), DIGITS);
        tamed.values.set(parameter.key, value).ok()?;
        said.push(format!("{} = {}", parameter.symbol, format::parameter(parameter, value, 4)));
    }
    (!said.is_empty()).then(|| (tamed, said.join(", ")))
}

/// Whether small errors decay: by the closed form, and under the load of this state as far as that is linearised.
fn decays(world: &World, method: &Method, h: f64) -> bool {
    let free = world.bodies().iter().filter(|body| body.is_dynamic()).count();
    let loaded = || Loaded::of(world, method, h).and_then(|loaded| loaded.constraint_radius()).ok();
    let radius = if free <= MOST_LOADED { loaded() } else { None };
    method.instability(h).is_none() && radius.is_none_or(|radius| radius <= 1.0 + FROZEN)
}

/// What poses a method's contacts with impulses, and the scheme that then makes the steps: its own velocity level if it has one.
pub fn impulses(method: &Method) -> Option<(Setting, &'static str)> {
    let info = method.stabilizer.info();
    if info.levels.contains(&Level::Velocity) {
        return Some((Setting::Level(Level::Velocity), info.short));
    }
    let place = by_impulses()?;
    Some((Setting::Scheme(place), TABLE[place].info().short))
}

/// Part of a radian by which the fastest motion turns in a step that is offered: an eighth resolves it well.
const RESOLVED: f64 = 0.125;

/// A time step that resolves a motion of `rate`, rad/s, which one of `h`, s, did not: a smaller one, to one digit.
pub fn resolving(rate: f64, h: f64) -> Option<f64> {
    let step = format::round_down(RESOLVED / rate);
    (h * rate > LARGEST_PHASE && step < h && step.is_normal()).then_some(step)
}
