//! Solvers of the step's algebraic problem, behind one table.
//!
//! Joints alone give a system of equations, A λ + b = 0 with the Delassus matrix A = J M⁻¹ Jᵀ, positive
//! semidefinite: the sparse factorisation solves it exactly. Unilateral rows and friction turn it into a
//! mixed linear complementarity problem, whose solvers will join this table.

use crate::parameter::{Parameter, Values};

/// What there is to know about a solver.
#[derive(Debug)]
pub struct SolverInfo {
    /// Name in scene files and on the command line.
    pub key: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its tunable numbers.
    pub parameters: &'static [Parameter],
}

/// Picks by the kind of the problem.
pub static AUTO: SolverInfo = SolverInfo {
    key: "auto",
    name: "Automatic",
    summary: "Chooses by the kind and size of the problem and reports who solved; with joints alone, ldlt.",
    source: "driftlab",
    parameters: &[],
};

/// The direct solver of equality systems.
pub static LDLT: SolverInfo = SolverInfo {
    key: "ldlt",
    name: "Sparse LDLᵀ",
    summary: "Factorises A directly, in linear time on chains and trees; dependent rows get the consistent \
              solution.",
    source: "Baraff 1996; Davis 2006 (up-looking LDLᵀ); Amestoy, Davis & Duff 2004 (ordering)",
    parameters: &[],
};

/// All solvers.
pub static TABLE: &[&SolverInfo] = &[&AUTO, &LDLT];

/// A solver with its parameters.
#[derive(Clone, Debug)]
pub struct Solver {
    info: &'static SolverInfo,
    /// Its tunable numbers.
    pub values: Values,
}

impl Solver {
    /// The solver of that name with default parameters.
    pub fn by_key(key: &str) -> Option<Self> {
        TABLE.iter().copied().find(|info| info.key == key).map(Self::from)
    }

    /// Key of the solver that this choice gives a system of equations to.
    pub(crate) fn solves_equations(&self) -> &'static str {
        LDLT.key
    }

    /// Name, source, parameters.
    pub fn info(&self) -> &'static SolverInfo {
        self.info
    }
}

impl From<&'static SolverInfo> for Solver {
    fn from(info: &'static SolverInfo) -> Self {
        Self { info, values: Values::defaults(info.parameters) }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::from(&AUTO)
    }
}

impl PartialEq for Solver {
    fn eq(&self, other: &Self) -> bool {
        self.info.key == other.info.key && self.values == other.values
    }
}
