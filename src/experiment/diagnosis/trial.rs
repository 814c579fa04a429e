//! Advice that has been tried: methods and time steps that hold where a run goes wrong, found by stepping on from a
//! state before that.
//!
//! A trial holds if every step succeeds, no error reaches a tenth of the scene's size, no energy changes by more than
//! the scene can exchange (`blow_up`), and nothing adds energy that a passive scene cannot have (`gain`). The work is
//! limited by steps and bodies, so that the same run gets the same advice unless its caller ends the trials before.

use super::blow_up::Bounds;
use super::gain::{GainJudge, is_held};
use crate::method::Method;
use crate::model::World;
use crate::numbers::{short, shortest, to_digits};
use crate::peers;
use crate::schemes::TABLE;
use crate::step::Workspace;
use crate::step::{measure, step};
use std::fmt;

/// Largest error of a trial that holds, as a share of the scene's size.
const SMALL: f64 = 0.1;
/// Steps of the run between two states that are kept.
const APART: u64 = 50;
/// Simulated time of a trial in steps of the run: from the older of two kept states past the present one, and as far again.
const SPAN: u64 = 3 * APART;
/// Steps of one body that all trials of a search may take: about a second at most.
const EFFORT: u64 = 50_000;
/// Smaller time steps that are tried: fractions of the run's.
const FRACTIONS: [u32; 6] = [2, 4, 8, 16, 32, 64];
/// Most schemes that a piece of advice names.
const NAMED: usize = 4;

/// Trials from one state, of a limited effort.
pub struct Trial<'w> {
    world: &'w World,
    /// Whether there is time for another step.
    goes_on: &'w dyn Fn() -> bool,
    /// Simulated time of each, s.
    span: f64,
    /// Steps of one body that are left.
    effort: u64,
}

impl<'w> Trial<'w> {
    /// Trials from `world` over `span` s each, which together may take `effort` steps of one body, as long as `goes_on`.
    pub fn new(world: &'w World, span: f64, effort: u64, goes_on: &'w dyn Fn() -> bool) -> Self {
        Self { world, goes_on, span, effort }
    }

    /// Whether `method` holds by steps of `h` s; `None` if too little effort or time is left to tell.
    pub fn holds(&mut self, method: &Method, h: f64) -> Option<bool> {
        let bodies = self.world.bodies().iter().filter(|body| body.is_dynamic()).count().max(1) as u64;
        let steps = (self.span / h).ceil().max(1.0);
        if steps * bodies as f64 > self.effort as f64 {
            return None;
        }
        let (mut world, mut workspace) = (self.world.clone(), Workspace::default());
        let initial = measure(&world, method, &mut workspace);
        let bounds = Bounds::new(&world, &initial, is_held(&world));
        let mut gains = GainJudge::new(&world, &initial, h);
        for _ in 0..steps as u64 {
            if !(self.goes_on)() {
                return None;
            }
            self.effort = self.effort.saturating_sub(bodies);
            let Ok(report) = step(&mut world, method, h, &mut workspace) else { return Some(false) };
            gains.add(&report);
            if !bounds.contain(&report, SMALL) || gains.largest().is_some() || gains.corrected().is_some() {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// States of a run some steps ago, kept while nothing is wrong.
#[derive(Clone, Debug)]
pub struct Past {
    /// The older first.
    kept: [World; 2],
    seen: u64,
}

impl Past {
    /// The past of a run that begins with `world`.
    pub fn new(world: &World) -> Self {
        Self { kept: [world.clone(), world.clone()], seen: 0 }
    }

    /// Takes in the world after a step.
    pub fn add(&mut self, world: &World) {
        self.seen += 1;
        if self.seen.is_multiple_of(APART) {
            self.kept.swap(0, 1);
            self.kept[1].clone_from(world);
        }
    }

    /// What holds from the older state on, where `method` by steps of `h` s does not: as far as it was tried while `goes_on`.
    pub fn search(&self, method: &Method, h: f64, goes_on: &dyn Fn() -> bool) -> Tried {
        let world = &self.kept[0];
        let mut trial = Trial::new(world, SPAN as f64 * h, EFFORT, goes_on);
        let mut tried =
            Tried { scheme: method.stabilizer.info().key, from: world.time(), ..Tried::default() };
        for scheme in TABLE {
            let key = scheme.info().key;
            let mut other = Method { contact: method.contact, ..Method::new((*scheme).into()) };
            other = other.at_step(h);
            // Errors that nothing corrects only grow slower than a trial can see.
            if key == tried.scheme || !scheme.corrects_positions || other.check(world).is_err() {
                continue;
            }
            match trial.holds(&other, h) {
                Some(true) => tried.schemes.push(key),
                Some(false) => tried.failed += 1,
                None => break,
            }
        }
        // Another engine is not tried: what it remembers is not part of these states.
        for fraction in FRACTIONS.into_iter().filter(|_| !peers::makes(method)) {
            // As it is named.
            let smaller = to_digits(h / f64::from(fraction), 3);
            match trial.holds(method, smaller) {
                Some(true) => {
                    tried.step = Some(smaller);
                    break;
                }
                Some(false) => tried.smallest = Some(smaller),
                None => break,
            }
        }
        tried
    }
}

/// What was tried, and what of it holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tried {
    /// Key of the run's scheme.
    scheme: &'static str,
    /// Time of the state from which on it was tried, s.
    from: f64,
    /// Keys of other schemes that hold at the run's own time step.
    pub schemes: Vec<&'static str>,
    /// How many others do not.
    failed: usize,
    /// The largest of the smaller time steps that were tried at which the run's own scheme holds, s.
    pub step: Option<f64>,
    /// The smallest at which it does not, s.
    smallest: Option<f64>,
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scheme, from, schemes, failed, step, smallest } = self;
        let named =
            || schemes.iter().take(NAMED).map(|key| format!("'{key}'")).collect::<Vec<_>>().join(", ");
        let steps = format!("over {SPAN} steps from {} s", short(*from));
        let others = (!schemes.is_empty()).then(|| format!("{} at this time step", named()));
        let smaller = step.map(|step| format!("'{scheme}' at h = {} s", shortest(step)));
        let holding: Vec<_> = others.into_iter().chain(smaller).collect();
        if !holding.is_empty() {
            return write!(f, "Tried {steps}, these hold: {}", holding.join("; "));
        }
        if *failed == 0 && smallest.is_none() {
            return write!(f, "The scene is too large for other methods to be tried");
        }
        let down = smallest
            .map_or_else(String::new, |step| format!(", nor '{scheme}' down to h = {} s", shortest(step)));
        write!(
            f,
            "Nothing that was tried {steps} holds: none of {failed} other schemes at this time step{down}"
        )
    }
}
