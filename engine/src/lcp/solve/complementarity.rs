//! The table of the solvers of dense problems, without bodies.

use crate::lcp::dense::{self, LcpError, LcpProblem, Pivots, Solution};
use crate::lcp::info::SolverInfo;
use crate::lcp::pgs;
use crate::parameter::Values;

/// A solver of dense complementarity problems. The solvers of this crate are all there are.
pub struct LcpSolver {
    info: &'static SolverInfo,
    solve: fn(&LcpProblem, &Values, &mut Pivots) -> Result<Solution, LcpError>,
}

impl LcpSolver {
    /// Name, source, parameters.
    pub fn info(&self) -> &'static SolverInfo {
        self.info
    }

    /// Solves `problem`; `values` are those of the solver's own parameters.
    ///
    /// # Errors
    /// Why the problem is not solved to [`ACCEPTED`](crate::lcp::ACCEPTED).
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

/// The solvers of dense complementarity problems.
pub static COMPLEMENTARITY: &[LcpSolver] = &[
    LcpSolver { info: &dense::lemke::INFO, solve: dense::lemke::solve },
    LcpSolver { info: &dense::dantzig::INFO, solve: dense::dantzig::solve },
    LcpSolver { info: &pgs::INFO, solve: pgs::solve },
];

/// Returns the complementarity solver with the name `key`.
pub fn complementarity(key: &str) -> Option<&'static LcpSolver> {
    COMPLEMENTARITY.iter().find(|solver| solver.info.key == key)
}
