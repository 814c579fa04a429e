//! How a step is made, apart from its length: the scheme with its parameters, the level and integrator at which constraints are
//! posed, the solver, and the rules for contacts.
//!
//! - `mod.rs`: what a scheme is; a scheme with its parameters, their defaults at a time step; a method, and its largest
//!   stable step
//! - `parametrizations.rs`: conversions between the parameters that the literature uses
//! - `linearisation.rs`: the facts about a scheme's linear stability

pub(crate) mod linearisation;
pub(crate) mod parametrizations;

pub use crate::lcp::Effort;
pub use crate::rules::{ContactRules, Integrator, Level, Restitution, smallest_shape};
pub use linearisation::{
    AxisQuantity, GapTerm, Linearised, Metric, Operation, Oscillator, Quadrature, StabilityAxis,
    StabilityBoundary,
};
pub use parametrizations::Language;

#[doc(inline)]
pub use crate::model::Remembered;
use crate::parameter::{Parameter, ParameterError, Values};
use crate::report::StepError;
use crate::stages::step_in_progress::Step;
use std::fmt;

/// Where a scheme comes from: the groups in which lists show the schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// Papers on simulation that state the scheme by itself.
    Papers,
    /// Codes for mechanisms, which hold the constraint manifold or integrate the equations of motion with multipliers.
    MultibodyCodes,
    /// Programs for games and robots, which stop their iterations early or make constraints soft.
    Engines,
}

impl Origin {
    /// All of them, in the order of lists.
    pub const ALL: [Self; 3] = [Self::Papers, Self::MultibodyCodes, Self::Engines];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Papers => "Papers",
            Self::MultibodyCodes => "Multibody codes",
            Self::Engines => "Engines",
        }
    }
}

/// The description of a scheme.
#[derive(Debug)]
#[cfg_attr(not(feature = "unstable-schemes"), non_exhaustive)]
pub struct SchemeInfo {
    /// Name in scene files and on the command line.
    pub key: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// Short name, of at most 18 characters, for lists and the ends of curves.
    pub short: &'static str,
    /// Where it comes from.
    pub origin: Origin,
    /// Names in other programs, in small letters with underscores, for 'did you mean …'.
    pub synonyms: &'static [&'static str],
    /// Its equation in symbols, one line.
    pub equation: &'static str,
    /// One sentence that says what it does.
    pub summary: &'static str,
    /// Paper and equation.
    pub source: &'static str,
    /// Levels it exists at; the first is its natural one.
    pub levels: &'static [Level],
    /// Its differences from the engine or paper that it is named after, a sentence each.
    pub departures: &'static [&'static str],
    /// Its tunable numbers.
    pub parameters: &'static [Parameter],
    /// The upper bounds of the defaults of its first parameters, times the time step: such a default is the smaller of
    /// [`Parameter::default`] and this over h. They are those whose values decide how long a step may be.
    pub per_step: &'static [f64],
    /// Other parametrizations in the literature.
    pub languages: &'static [Language],
}

impl SchemeInfo {
    /// What most schemes have in common: the velocity level alone, and nothing to tune.
    pub(crate) const COMMON: Self = Self {
        key: "",
        name: "",
        short: "",
        origin: Origin::Papers,
        synonyms: &[],
        equation: "",
        summary: "",
        source: "",
        levels: &[Level::Velocity],
        departures: &[],
        parameters: &[],
        per_step: &[],
        languages: &[],
    };
}

/// A way to advance a world by one step while enforcing its constraints. Everything that depends on the scheme is here: no other
/// file decides by a scheme's name.
///
/// The schemes of this crate are all there are, unless the feature `unstable-schemes` is on: then another crate may make one, as
/// `Scheme { .., ..Scheme::new(INFO, advance) }` in a static, and any version may change its fields.
/// `Stabilizer::from(&MINE)` makes a method of such a scheme.
#[cfg_attr(not(feature = "unstable-schemes"), non_exhaustive)]
pub struct Scheme {
    /// Name, equation, source, parameters.
    pub info: SchemeInfo,
    /// Advances q and v by the length of the step. An error is its cause; the new state is then to be thrown away.
    pub advance: fn(&mut Step<'_>) -> Result<(), StepError>,
    /// How many numbers it remembers from step to step, in the world's state; none by default.
    pub memory: Remembered,
    /// Whether it solves its problems by the method's solver; schemes that sweep, or pose a convex problem, bring their own.
    pub uses_solver: bool,
    /// Whether the steps of one that uses the solver gain by approximate solutions, which a bounded effort gives; not
    /// if they iterate until the constraints hold.
    pub takes_approximate_solutions: bool,
    /// Whether a step at a level leaves J v + c small in joints, whatever it was before.
    pub holds_velocities: fn(Level) -> bool,
    /// Whether a step reduces errors of position.
    pub corrects_positions: bool,
    /// The largest time step at which no small constraint error grows, by the closed form of one constraint without load, s;
    /// infinite where it grows at none.
    pub largest_stable_step: fn(&Values, Integrator) -> f64,
    /// The operations of a step of a method by h seconds, in order, so that it can be differentiated; empty if the step is not
    /// made of such operations.
    pub operations: fn(&Method, f64) -> Vec<Operation>,
    /// The map of one small constraint error over a step of a method by h seconds; by default that of its operations.
    pub linearised: fn(&Method, f64) -> Option<Linearised>,
    /// The plane over which its stability is shown at the time step h, s: abscissa and ordinate. `None` without a
    /// parameter to tune.
    pub stability_plane: fn(&Values, f64) -> Option<[StabilityAxis; 2]>,
    /// The exact line ρ = 1 in that plane at h, where there is one in closed form.
    pub stability_boundary: fn(&Values, Integrator, f64) -> Option<StabilityBoundary>,
    /// One line about the present parameters at the time step h, of a scheme without a closed form of its stability.
    pub remark: fn(&Values, f64) -> Option<String>,
}

impl Scheme {
    /// A scheme that uses the method's solver, corrects positions, and says nothing of its stability.
    pub const fn new(info: SchemeInfo, advance: fn(&mut Step<'_>) -> Result<(), StepError>) -> Self {
        Self {
            info,
            advance,
            memory: Remembered { per_constraint: 0, per_body: 0, per_world: 0 },
            uses_solver: true,
            takes_approximate_solutions: true,
            holds_velocities: |level| matches!(level, Level::Velocity),
            corrects_positions: true,
            largest_stable_step: |_, _| f64::INFINITY,
            operations: |_, _| Vec::new(),
            linearised: |method, h| {
                let operations = (method.stabilizer.scheme.operations)(method, h);
                Linearised::of(&operations, method.integrator)
            },
            stability_plane: |_, _| None,
            stability_boundary: |_, _, _| None,
            remark: |_, _| None,
        }
    }

    /// Name, equation, source, parameters.
    pub fn info(&'static self) -> &'static SchemeInfo {
        &self.info
    }

    /// Whether its impacts obey `law`; every scheme supports Newton's, and those that use the method's solver the others, too.
    pub fn obeys(&self, law: Restitution) -> bool {
        law == Restitution::Newton || self.uses_solver
    }

    /// The parameters to lower if a run blows up at the time step `h`, s: those that can overshoot, each with the largest value
    /// at which no step removes more than the whole error. They are those of [`SchemeInfo::per_step`], all equal.
    pub fn remedy(&self, h: f64) -> Vec<(&'static Parameter, f64)> {
        let SchemeInfo { parameters, per_step, .. } = self.info;
        let most = per_step.iter().copied().fold(f64::INFINITY, f64::min);
        parameters.iter().zip(per_step).map(|(own, _)| (own, most / h)).collect()
    }
}

/// A scheme with its parameters.
#[derive(Clone)]
pub struct Stabilizer {
    scheme: &'static Scheme,
    /// Its tunable numbers.
    pub values: Values,
}

impl Stabilizer {
    /// Name, equation, source, parameters.
    pub fn info(&self) -> &'static SchemeInfo {
        self.scheme.info()
    }

    /// The scheme itself.
    pub fn scheme(&self) -> &'static Scheme {
        self.scheme
    }

    /// One line about the present parameters at time step `h`, of a scheme without a closed form of its stability.
    pub fn remark(&self, h: f64) -> Option<String> {
        (self.scheme.remark)(&self.values, h)
    }
}

impl From<&'static Scheme> for Stabilizer {
    fn from(scheme: &'static Scheme) -> Self {
        Self { scheme, values: Values::defaults(scheme.info().parameters) }
    }
}

impl fmt::Debug for Stabilizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.info().key)?;
        for (parameter, value) in self.values.iter() {
            match parameter.word(value) {
                Some(word) => write!(f, ",{}={word}", parameter.key)?,
                None => write!(f, ",{}={value}", parameter.key)?,
            }
        }
        Ok(())
    }
}

impl PartialEq for Stabilizer {
    fn eq(&self, other: &Self) -> bool {
        self.info().key == other.info().key && self.values == other.values
    }
}

/// All settings of a step, apart from its length.
///
/// ```
/// use driftlab::prelude::*;
/// use driftlab::lcp::Solver;
///
/// let method = Method::anitescu_hart().gamma(0.5)?;
/// assert_eq!(method, "anitescu_hart,gamma=0.5".parse()?);
/// let exact = Method { solver: Solver::by_key("lemke").ok_or("no such solver")?, ..method };
/// assert_eq!((exact.level, exact.stabilizer.values.get("gamma")), (Level::Velocity, Some(0.5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// The scheme with its parameters.
    pub stabilizer: Stabilizer,
    /// The level at which constraints are posed; one of the scheme's levels.
    pub level: Level,
    /// The integrator at the acceleration level.
    pub integrator: Integrator,
    /// The solver of the algebraic problem.
    pub solver: crate::lcp::Solver,
    /// How much work the solver `auto` may put into an island. It acts where [`Method::is_bounded`] says so.
    pub effort: Effort,
    /// Which contacts are in the problem, and how they rebound.
    pub contact: ContactRules,
}

impl Method {
    /// The scheme at its natural level, with semi-implicit Euler and the automatic solver.
    pub fn new(stabilizer: Stabilizer) -> Self {
        Self {
            level: stabilizer.info().levels[0],
            stabilizer,
            integrator: Integrator::default(),
            solver: crate::lcp::Solver::default(),
            effort: Effort::default(),
            contact: ContactRules::default(),
        }
    }

    /// Returns the method with one parameter changed.
    ///
    /// # Errors
    /// An unknown key or a value out of range.
    pub fn with(mut self, key: &str, value: f64) -> Result<Self, ParameterError> {
        self.stabilizer.values.set(key, value)?;
        Ok(self)
    }

    /// Returns the method at another level and with another integrator; `None` if the scheme has no such level.
    pub fn at_level(mut self, level: Level, integrator: Integrator) -> Option<Self> {
        let exists = self.stabilizer.info().levels.contains(&level);
        (self.level, self.integrator) = (level, integrator);
        exists.then_some(self)
    }

    /// Whether its steps take every force at the state with which a stage begins: explicit Euler and Runge–Kutta.
    pub(crate) fn is_explicit(&self) -> bool {
        self.level == Level::Acceleration && self.integrator != Integrator::SemiImplicitEuler
    }

    /// Whether the effort of its steps can be bounded: that of `auto` can, under schemes that gain by it.
    pub fn can_be_bounded(&self) -> bool {
        let scheme = self.stabilizer.scheme;
        self.solver.is_automatic() && scheme.uses_solver && scheme.takes_approximate_solutions
    }

    /// Whether the effort of its steps is bounded.
    pub fn is_bounded(&self) -> bool {
        self.can_be_bounded() && self.effort == Effort::Bounded
    }
}

/// A step longer than the largest stable one by this share is unstable; a smaller excess is rounding.
const ROUNDING: f64 = 1e-9;
/// Significant digits of the limits that a message names; the last is rounded down, so that they hold.
const DIGITS: i32 = 4;

impl Stabilizer {
    /// Gives the parameters that nobody has set their defaults at the time step `h`, s.
    pub fn follow_step(&mut self, h: f64) {
        let SchemeInfo { parameters, per_step, .. } = self.scheme.info;
        let most_of = |own: &Parameter| {
            parameters
                .iter()
                .zip(per_step)
                .find(|(bounded, _)| bounded.key == own.key)
                .map(|(_, most)| *most)
        };
        self.values.default_to(|own| most_of(own).map_or(own.default, |most| own.default.min(most / h)));
    }
}

impl Method {
    /// Returns the method with the defaults of the time step `h`, s, in the parameters that nobody has set.
    pub fn at_step(mut self, h: f64) -> Self {
        self.stabilizer.follow_step(h);
        self
    }

    /// The largest time step at which no small constraint error grows, by the closed form of one constraint without load, s;
    /// infinite if no error grows at any step, and under schemes without a closed form.
    pub fn largest_stable_step(&self) -> f64 {
        (self.stabilizer.scheme.largest_stable_step)(&self.stabilizer.values, self.integrator)
    }

    /// The instability at the time step `h`, s, if small constraint errors grow by the closed form of one constraint; `None` if
    /// they do not, and under schemes without a closed form.
    pub fn instability(&self, h: f64) -> Option<Instability> {
        let Stabilizer { scheme, values } = &self.stabilizer;
        let largest_step = self.largest_stable_step();
        let gains = values.iter().take(scheme.info.per_step.len());
        (h > largest_step * (1.0 + ROUNDING)).then(|| Instability {
            scheme: scheme.info().key,
            h,
            largest_step,
            gains: gains.collect(),
        })
    }
}

/// Parameters under which small constraint errors grow at a time step.
#[derive(Clone, Debug, PartialEq)]
pub struct Instability {
    scheme: &'static str,
    h: f64,
    largest_step: f64,
    /// The parameters whose values decide how long a step may be, with these.
    gains: Vec<(&'static Parameter, f64)>,
}

impl Instability {
    /// The largest stable time step, s; 0 if no step is stable.
    pub fn largest_step(&self) -> f64 {
        self.largest_step
    }
}

impl fmt::Display for Instability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |gains: &[(&Parameter, f64)]| {
            let named = |(own, value): &(&Parameter, f64)| format!("{} = {value} {}", own.symbol, own.unit);
            gains.iter().map(named).collect::<Vec<_>>().join(", ")
        };
        let tuned = !self.gains.is_empty();
        let present = if tuned { format!(" with {}", list(&self.gains)) } else { String::new() };
        let Self { scheme, h, largest_step, .. } = self;
        write!(f, "'{scheme}' is unstable{present} at h = {} s: small constraint errors grow", down(*h))?;
        if *largest_step > 0.0 {
            // The largest values that are stable at this step, each parameter at the present ratio to the others.
            let share = largest_step / h;
            let gains: Vec<_> = self.gains.iter().map(|(own, value)| (*own, down(share * value))).collect();
            let instead = if tuned { format!(", or up to {}", list(&gains)) } else { String::new() };
            write!(f, " (stable up to h = {} s{instead})", down(*largest_step))
        } else {
            write!(f, " (they do at every time step under this integrator)")
        }
    }
}

/// `value`, not negative, to [`DIGITS`] significant digits, rounded down.
fn down(value: f64) -> f64 {
    if !(value > 0.0 && value.is_finite()) {
        return value;
    }
    let digits = DIGITS - 1 - libm::log10(value).floor() as i32;
    let scale = libm::pow(10.0, f64::from(digits.abs()));
    if digits >= 0 { (value * scale).floor() / scale } else { (value / scale).floor() * scale }
}
