//! The schemes that enforce constraints, one file each, its equation and the lines of its step in it, behind one table.
//!
//! A scheme owns the whole advance of a step, because orders differ: post-stabilization solves twice, RATTLE
//! kicks twice. Schemes never name each other. What they share stands beside them, in the order in which a reader of a step meets it; no two
//! files import each other:
//!
//! | file | holds |
//! |---|---|
//! | `level.rs`, `parametrizations.rs` | levels and integrators; conversions between the parameters that the literature uses |
//! | `step_context.rs`, `workspace.rs` | what a step is about: the world, the method, the time; all memory of a step, how it begins with the world's state and ends in it |
//! | `motion.rs`, `nonholonomic.rs` | q, v, a and what moves them apart from constraints; velocity constraints |
//! | `constraints.rs`, `restitution.rs` | rows and contacts at the present pose, and which of them are in the problem; which impacts rebound |
//! | `problem.rs`, `sliding_fallback.rs` | the rows as one problem, and its solution; sliding friction whose direction is let go |
//! | `impulses.rs`, `forces.rs` | what the rows of the dynamics ask for, in impulses and in forces |
//! | `acceleration.rs`, `substeps.rs`, `checkpoints.rs` | the integrators of the acceleration level, with their impacts; halves and substeps, and the states to which they go back |
//! | `position_errors.rs`, `corrections.rs`, `corrected_contacts.rs` | how large errors of positions are; back to the manifold, and not beyond it; the contacts that this has pushed |
//! | `rattle_predictor.rs` | the end of RATTLE's step as its first half foresees it |
//! | `sequential_constraint.rs`, `sequential.rs`, `softness.rs`, `contact_velocities.rs` | what schemes that sweep visit, and how they sweep |
//! | `ledger.rs`, `step_totals.rs`, `solve_stats.rs`, `joint_metrics.rs`, `measure.rs`, `snapshot.rs` | the accounting: impulses by constraint, sums over the step, its report, copies of its problem |
//! | `rest_cache.rs` | a step that ends where it began |
//! | `method_checks.rs`, `settled.rs`, `consistent.rs` | before the first step: whether the solver suits scheme and world, parameters at a time step, start velocities |
//!
//! The accounting has no influence on where the bodies go, but for the warm start.

mod acceleration;
mod anitescu_hart;
mod baumgarte_acceleration;
mod baumgarte_velocity;
mod checkpoints;
mod consistent;
mod constraints;
mod contact_velocities;
mod corrected_contacts;
mod corrections;
mod forces;
mod implicit;
mod impulses;
mod joint_metrics;
mod ledger;
mod level;
mod linearisation;
mod measure;
mod method_checks;
mod motion;
mod ngs;
mod none;
mod nonholonomic;
mod open_step;
mod parametrizations;
mod position_errors;
mod post_stabilization;
mod problem;
mod projection;
mod rattle;
mod rattle_predictor;
mod rest_cache;
mod restitution;
mod sequential;
mod sequential_constraint;
mod settled;
mod sliding_fallback;
mod snapshot;
mod soft;
mod softness;
mod solve_stats;
mod split_impulse;
mod step_context;
mod step_totals;
mod substeps;
mod workspace;
mod xpbd;

#[doc(hidden)]
pub use self::{anitescu_hart::GAMMA, baumgarte_acceleration::BETA};
pub use consistent::make_consistent;
pub use constraints::ContactRules;
pub use level::{Integrator, Level};
pub use linearisation::{
    AxisQuantity, GapTerm, Linearised, Metric, Operation, Oscillator, Quadrature, StabilityAxis,
    StabilityBoundary,
};
pub use measure::{SolvedProblem, SolvedRow};
pub use method_checks::SolverNote;
pub use parametrizations::Language;
pub use problem::PosedProblem;
pub use restitution::Restitution;
pub use settled::Instability;
pub use solve_stats::Outcome;
pub use workspace::{Step, Workspace};

use crate::parameter::{Parameter, Values};
use crate::report::StepError;
use std::fmt;

/// What there is to know about a scheme.
#[derive(Debug)]
#[cfg_attr(not(feature = "unstable-schemes"), non_exhaustive)]
pub struct SchemeInfo {
    /// Name in scene files and on the command line.
    pub key: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// The same where room is short, in at most 18 characters: lists, the ends of curves.
    pub short: &'static str,
    /// What other programs call it, in small letters with underscores, for 'did you mean …'.
    pub synonyms: &'static [&'static str],
    /// Its equation in symbols, one line.
    pub equation: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Paper and equation.
    pub source: &'static str,
    /// Levels it exists at; the first is its natural one.
    pub levels: &'static [Level],
    /// In what it differs from the engine or paper that it is named after, a sentence each.
    pub departures: &'static [&'static str],
    /// Its tunable numbers.
    pub parameters: &'static [Parameter],
    /// The same numbers in the literature's other languages.
    pub languages: &'static [Language],
    /// Whether it conserves the angular momentum of a jointed system in free flight to rounding. (Linear
    /// momentum every scheme conserves: constraint impulses are equal and opposite.)
    pub conserves_angular_momentum: bool,
}

/// A way to advance a world by one step while enforcing its constraints, and all that is peculiar to it: no other file decides by a
/// scheme's name.
///
/// The schemes of this crate are all there are, unless the feature `unstable-schemes` is on: then another crate may implement this trait,
/// and any version may change it. `Stabilizer::from(&MINE as &dyn Scheme)` makes a method of such a scheme.
pub trait Scheme: sealed::Sealed + Sync {
    /// Name, equation, source, parameters.
    fn info(&self) -> &'static SchemeInfo;

    /// Advances q and v by the length of the step.
    ///
    /// # Errors
    /// The cause; the new state is then to be thrown away.
    fn advance(&self, step: &mut Step<'_>) -> Result<(), StepError>;

    /// Whether it solves its problems by the method's solver; schemes that sweep bring their own.
    fn uses_solver(&self) -> bool {
        true
    }

    /// Whether a step leaves J v + c small in joints, whatever it was before, at that level of the scheme.
    fn holds_velocities(&self, level: Level) -> bool {
        level == Level::Velocity
    }

    /// Whether its impacts obey that law; every scheme knows Newton's.
    fn obeys(&self, law: Restitution) -> bool {
        let _ = law;
        true
    }

    /// Whether a step takes errors of position back.
    fn corrects_positions(&self) -> bool {
        true
    }

    /// What the default of one of its parameters is at most, times the time step: the default is the smaller of
    /// [`Parameter::default`] and this over h. `None` where it does not depend on the step.
    fn default_per_step(&self, parameter: &Parameter) -> Option<f64> {
        let _ = parameter;
        None
    }

    /// The largest time step at which no small constraint error grows, by the closed form of one constraint without load, s; infinite
    /// where it grows at none.
    fn largest_stable_step(&self, values: &Values, integrator: Integrator) -> f64 {
        let _ = (values, integrator);
        f64::INFINITY
    }

    /// What a step of `method` by `h` seconds does, one operation after the other, so that it can be differentiated; nothing where it
    /// is not made of such operations.
    fn operations(&self, method: &Method, h: f64) -> Vec<Operation> {
        let _ = (method, h);
        Vec::new()
    }

    /// What a step of `method` by `h` seconds does to one small constraint error; by default what its operations come to.
    fn linearised(&self, method: &Method, h: f64) -> Option<Linearised> {
        Linearised::of(&self.operations(method, h), method.integrator)
    }

    /// The plane over which its stability is shown at the time step `h`, s: to the right, and up. `None` where there is nothing to tune.
    fn stability_plane(&self, values: &Values, h: f64) -> Option<[StabilityAxis; 2]> {
        let _ = (values, h);
        None
    }

    /// The exact line ρ = 1 in that plane, where there is one in closed form.
    fn stability_boundary(
        &self,
        values: &Values,
        integrator: Integrator,
        h: f64,
    ) -> Option<StabilityBoundary> {
        let _ = (values, integrator, h);
        None
    }

    /// What to set where a run blows up at the time step `h`, s: the parameters that can overshoot, each with the largest value at
    /// which none takes back more than the whole error in a step. By default those of [`Scheme::default_per_step`], all equal.
    fn remedy(&self, h: f64) -> Vec<(&'static Parameter, f64)> {
        let most_of = |own: &'static Parameter| Some((own, self.default_per_step(own)?));
        let gains: Vec<_> = self.info().parameters.iter().filter_map(most_of).collect();
        let most = gains.iter().fold(f64::INFINITY, |most, (_, own)| most.min(*own));
        gains.into_iter().map(|(own, _)| (own, most / h)).collect()
    }

    /// One line that says where the present parameters lie at time step `h`, in the literature's words.
    fn remark(&self, values: &Values, h: f64) -> Option<String> {
        let _ = (values, h);
        None
    }
}

mod sealed {
    /// Nobody outside can name it, so that nobody outside can add a scheme and traits may grow.
    pub trait Sealed {}

    #[cfg(feature = "unstable-schemes")]
    impl<S: ?Sized> Sealed for S {}
}

/// Makes the table, and seals each scheme in it.
macro_rules! schemes {
    ($($scheme:path,)+) => {
        /// All schemes, in the order in which the literature came to them.
        pub static TABLE: &[&dyn Scheme] = &[$(&$scheme),+];
        $(#[cfg(not(feature = "unstable-schemes"))] impl sealed::Sealed for $scheme {})+
    };
}

schemes! {
    none::None,
    baumgarte_velocity::BaumgarteVelocity,
    baumgarte_acceleration::BaumgarteAcceleration,
    post_stabilization::PostStabilization,
    anitescu_hart::AnitescuHart,
    implicit::Implicit,
    projection::Projection,
    rattle::Rattle,
    ngs::Ngs,
    split_impulse::SplitImpulse,
    soft::Soft,
    xpbd::Xpbd,
}

/// A scheme with its parameters.
#[derive(Clone)]
pub struct Stabilizer {
    scheme: &'static dyn Scheme,
    /// Its tunable numbers.
    pub values: Values,
}

impl Stabilizer {
    /// The scheme of that name with default parameters.
    pub fn by_key(key: &str) -> Option<Self> {
        TABLE.iter().copied().find(|scheme| scheme.info().key == key).map(Self::from)
    }

    /// Name, equation, source, parameters.
    pub fn info(&self) -> &'static SchemeInfo {
        self.scheme.info()
    }

    /// The scheme itself.
    pub fn scheme(&self) -> &'static dyn Scheme {
        self.scheme
    }

    /// Where the present parameters lie at time step `h`.
    pub fn remark(&self, h: f64) -> Option<String> {
        self.scheme.remark(&self.values, h)
    }
}

impl From<&'static dyn Scheme> for Stabilizer {
    fn from(scheme: &'static dyn Scheme) -> Self {
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

/// Everything that decides how a step is made, apart from its length.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// The scheme with its parameters.
    pub stabilizer: Stabilizer,
    /// The level at which constraints are posed; one of the scheme's levels.
    pub level: Level,
    /// The integrator at the acceleration level.
    pub integrator: Integrator,
    /// Who solves the algebraic problem.
    pub solver: crate::lcp::Solver,
    /// Which contacts are in it, and how they rebound.
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
            contact: ContactRules::default(),
        }
    }

    /// The scheme of that name with default parameters, those of a short time step: [`Method::at_step`] adapts them.
    pub fn by_key(key: &str) -> Option<Self> {
        Stabilizer::by_key(key).map(Self::new)
    }

    /// The same with one parameter changed.
    ///
    /// # Errors
    /// An unknown key or a value out of range.
    pub fn with(mut self, key: &str, value: f64) -> Result<Self, crate::parameter::ParameterError> {
        self.stabilizer.values.set(key, value)?;
        Ok(self)
    }

    /// The same at another level and with another integrator; `None` if the scheme has no such level.
    pub fn at_level(mut self, level: Level, integrator: Integrator) -> Option<Self> {
        let exists = self.stabilizer.info().levels.contains(&level);
        (self.level, self.integrator) = (level, integrator);
        exists.then_some(self)
    }
}
