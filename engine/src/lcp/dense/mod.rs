//! Linear complementarity problems given as a dense matrix, without bodies: `driftlab lcp` reads them from a file.
//!
//! - `problem.rs`, `scaled.rs`: the problem, its variables and its residual, how solving can end; and that problem
//!   equilibrated
//! - `lemke.rs`, `dantzig.rs`: one solver each; a third is `lcp/pgs.rs`
//! - `pivots.rs`: the record of the exchanges of a pivoting method
//! - `tableau.rs`: the tableau of both pivoting methods, and the step from a basis to a solution
//! - `inverse.rs`, `lu.rs`: the inverse of the tableau's block, which gains and loses rows; a fresh factorisation of it

pub mod dantzig;
pub mod inverse;
pub mod lemke;
pub mod lu;
pub(super) mod pivots;
pub(super) mod problem;
pub mod scaled;
pub mod tableau;

use super::info::SolverInfo;
use crate::parameter::Values;

pub use pivots::{Path, Pivot, Pivots};
pub use problem::{LcpError, LcpProblem, ProblemError, Solution, Variable};

/// A solver of dense complementarity problems. The solvers of this crate are all there are.
pub struct LcpSolver {
    pub(super) info: &'static SolverInfo,
    pub(super) solve: fn(&LcpProblem, &Values, &mut Pivots) -> Result<Solution, LcpError>,
}

impl LcpSolver {
    /// Name, source, parameters.
    pub fn info(&self) -> &'static SolverInfo {
        self.info
    }

    /// Solves `problem`; `values` are those of the solver's own parameters.
    ///
    /// # Errors
    /// Why the problem is not solved to [`ACCEPTED`](super::info::ACCEPTED).
    pub fn solve(&self, problem: &LcpProblem, values: &Values) -> Result<Solution, LcpError> {
        self.solve_recording(problem, values, None)
    }

    /// Solves `problem` to the same bits as [`LcpSolver::solve`], with each pivot in `record`. Methods that do not pivot leave it
    /// empty.
    ///
    /// # Errors
    /// The errors of [`LcpSolver::solve`].
    pub fn solve_recording(
        &self,
        problem: &LcpProblem,
        values: &Values,
        record: Option<&mut Pivots>,
    ) -> Result<Solution, LcpError> {
        let mut unread = Pivots::default();
        let record = record.unwrap_or(&mut unread);
        record.paths.clear();
        let solution = (self.solve)(problem, values, record)?;
        if problem.is_solved_by(&solution) {
            return Ok(solution);
        }
        Err(LcpError::Inaccurate { residual: solution.residual, pivots: solution.pivots })
    }
}
