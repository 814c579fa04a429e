//! The table of all solvers of a step's problem, and a solver of it with its parameters.

use super::automatic::{AUTOMATIC, LESS_ONE};
use super::entry::{Choice, IslandSolver, Promise, Takes};
use super::methods::{Dantzig, Homotopy, Interior, Ldlt, Lemke, Newton, Pgs};
use crate::lcp::delassus::equations;
use crate::lcp::info::SolverInfo;
use crate::parameter::Values;
use std::fmt;

/// The solvers that a step can use, in the order of every list.
static TABLE: &[&dyn IslandSolver] =
    &[&AUTOMATIC, &Ldlt, &Lemke, &Dantzig, &Pgs, &Newton, &Homotopy, &Interior];

/// The solvers that a step can use, each with its default parameters.
pub fn solvers() -> impl Iterator<Item = Solver> {
    TABLE.iter().copied().map(Solver::of)
}

/// A solver with its parameters.
#[derive(Clone)]
pub struct Solver {
    entry: &'static dyn IslandSolver,
    /// Its tunable numbers.
    pub values: Values,
}

impl Solver {
    /// The solver of that name with default parameters.
    pub fn by_key(key: &str) -> Option<Self> {
        solvers().find(|solver| solver.info().key == key)
    }

    /// The solver `auto` without attempt number `index` of [`policy`](crate::lcp::policy), counted from zero; none where the policy has
    /// no such attempt. For measuring what an attempt is worth.
    pub fn automatic_without(index: usize) -> Option<Self> {
        LESS_ONE.get(index).map(|policy| Self::of(policy))
    }

    /// Whether it chooses the method itself, by the problem.
    pub fn is_automatic(&self) -> bool {
        self.entry.choice() == Choice::ByProblem
    }

    /// Whether it takes equations alone, without contacts, limits and motors.
    pub fn takes_equations_alone(&self) -> bool {
        self.entry.takes() == Takes::Equations
    }

    /// Whether it takes friction whose direction is given, which slides on accelerations.
    pub fn takes_given_directions(&self) -> bool {
        self.entry.takes() == Takes::All
    }

    /// Whether a system of equations is left to the factorisation: so it is by every solver but `pgs`, which promises no solution and
    /// sweeps over equations as over all other rows.
    pub fn factorises_equations(&self) -> bool {
        self.entry.promise() == Promise::Solution
    }

    /// Key of the solver that this choice gives a system of equations to.
    pub(crate) fn solves_equations(&self) -> &'static str {
        if self.factorises_equations() { equations::INFO.key } else { self.info().key }
    }

    /// Name, source, parameters.
    pub fn info(&self) -> &'static SolverInfo {
        self.entry.info()
    }

    pub(super) fn entry(&self) -> &'static dyn IslandSolver {
        self.entry
    }

    fn of(entry: &'static dyn IslandSolver) -> Self {
        Self { entry, values: Values::defaults(entry.info().parameters) }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::of(&AUTOMATIC)
    }
}

impl PartialEq for Solver {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.info(), other.info()) && self.values == other.values
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("key", &self.info().key).field("values", &self.values).finish()
    }
}
