//! Linear complementarity problems given as a dense matrix, without bodies: `driftlab lcp` reads them from a file.
//!
//! | file | holds |
//! |---|---|
//! | `problem.rs` | the problem, its residual, how solving can end |
//! | `plain.rs`, `scaled.rs` | the same problem as the pivoting methods take it: sparse, and equilibrated |
//! | `lemke.rs`, `dantzig.rs`, `pgs.rs` | one solver each |
//! | `variable.rs`, `pivots.rs` | w, z and z₀ by name, and the record of what a pivoting method did with them |
//! | `tableau.rs`, `finish.rs` | what the two pivoting methods share: the tableau, and the step from a basis to a solution |

pub(super) mod dantzig;
mod finish;
pub(super) mod lemke;
pub(super) mod pgs;
pub(super) mod pivots;
pub(super) mod plain;
mod problem;
pub(in crate::lcp) mod scaled;
mod tableau;
mod variable;

use super::info::SolverInfo;
use crate::parameter::Values;

pub use pivots::{Path, Pivot, Pivots};
pub use problem::{LcpError, LcpProblem, ProblemError, Solution};
pub use variable::Variable;

mod sealed {
    /// Nobody outside can name it, so that nobody outside can add a solver and the trait may grow.
    pub trait Sealed {}
    impl Sealed for super::lemke::Lemke {}
    impl Sealed for super::dantzig::Dantzig {}
    impl Sealed for super::pgs::Pgs {}
}

/// A solver of dense complementarity problems. The solvers of this crate are all there are.
pub trait LcpSolver: sealed::Sealed + Sync {
    /// Name, source, parameters.
    fn info(&self) -> &'static SolverInfo;

    /// Solves `problem`; `values` are those of the solver's own parameters.
    ///
    /// # Errors
    /// Why the problem is not solved to [`ACCEPTED`](super::info::ACCEPTED).
    fn solve(&self, problem: &LcpProblem, values: &Values) -> Result<Solution, LcpError> {
        self.solve_recording(problem, values, None)
    }

    /// The same to the bit, with each pivot in `record`. Methods that do not pivot leave it empty.
    ///
    /// # Errors
    /// Those of [`LcpSolver::solve`].
    fn solve_recording(
        &self,
        problem: &LcpProblem,
        values: &Values,
        record: Option<&mut Pivots>,
    ) -> Result<Solution, LcpError>;
}

/// The solvers of dense complementarity problems.
pub static COMPLEMENTARITY: &[&dyn LcpSolver] = &[&lemke::Lemke, &dantzig::Dantzig, &pgs::Pgs];

/// The complementarity solver of that name.
pub fn complementarity(key: &str) -> Option<&'static dyn LcpSolver> {
    COMPLEMENTARITY.iter().copied().find(|solver| solver.info().key == key)
}
