//! What can be set of how a run is stepped.

use crate::lcp::Solver;
use crate::method::{ContactRules, Effort, Integrator, Level, Stabilizer};

/// A setting of how a run is stepped.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// The scheme at that place of the table, with the parameters and on the level that it had last.
    Scheme(usize),
    /// The scheme with these parameters.
    Stabilizer(Stabilizer),
    /// The level at which constraints are posed, if the scheme has it.
    Level(Level),
    /// The integrator of the acceleration level.
    Integrator(Integrator),
    /// The solver of the step's algebraic problem.
    Solver(Solver),
    /// How much effort the solver `auto` may make.
    Effort(Effort),
    /// Which contacts are in it, and how they rebound.
    Contact(ContactRules),
    /// Length of a step, s.
    TimeStep(f64),
}
