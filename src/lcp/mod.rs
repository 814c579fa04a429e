//! Solvers of the step's algebraic problem, behind one table.
//!
//! Joints alone give a system of equations, A λ + b = 0 with the Delassus matrix A = J M⁻¹ Jᵀ, positive
//! semidefinite: the sparse factorisation solves it exactly. Unilateral rows, bounds and friction turn it into a
//! mixed complementarity problem, [`MixedProblem`], which [`Solver::solve_mixed`] splits into islands. Dense problems
//! without bodies, which `driftlab lcp` reads from a file, have a table of their own, [`COMPLEMENTARITY`].
//!
//! ```
//! use driftlab::lcp::{self, LcpError, LcpProblem};
//! use driftlab::parameter::Values;
//!
//! let lemke = lcp::complementarity("lemke").ok_or("no such solver")?;
//! let values = Values::defaults(lemke.info().parameters);
//! // 2 z − 4 ≥ 0: z = 2, w = 0.
//! let solution = lemke.solve(&LcpProblem::new(vec![2.0], vec![-4.0])?, &values)?;
//! assert_eq!((solution.z[0], solution.w[0]), (2.0, 0.0));
//! // −z − 1 ≥ 0 has no solution z ≥ 0, and the ray proves it.
//! let error = lemke.solve(&LcpProblem::new(vec![-1.0], vec![-1.0])?, &values);
//! assert!(matches!(error, Err(LcpError::Ray { infeasible: true, .. })));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod acceptance;
mod automatic;
mod body_space;
mod boxed;
mod certificate;
mod coupling;
mod dantzig;
mod equations;
mod finish;
mod homotopy;
mod interior;
mod inverse;
mod islands;
mod lemke;
mod lu;
mod matrix;
mod mixed;
mod newton;
mod pgs;
mod pivoting;
mod plain;
mod polyhedral;
mod problem;
mod rows;
mod scaled;
mod solve;
mod tableau;
mod trail;
mod uniqueness;
mod warm;

pub(crate) use acceptance::Acceptance;
pub use mixed::{Law, MixedError, MixedOutcome, MixedProblem, MixedRow};
pub use problem::{ACCEPTED, LcpError, LcpProblem, ProblemError, Solution};
pub use solve::MixedWorkspace;
pub use trail::{Attempt, Ending, Trail};
pub use uniqueness::Uniqueness;

use crate::parameter::{Parameter, ParameterKind, Values};

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
    summary: "Chooses for each group of bodies and reports who solved: ldlt for joints alone, else newton; where its \
              steps are many, dantzig in small groups, homotopy or interior in large ones.",
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

/// The solvers that a step can use.
pub static TABLE: &[&SolverInfo] = &[
    &AUTO,
    &LDLT,
    &lemke::INFO,
    &dantzig::INFO,
    &pgs::INFO,
    &newton::INFO,
    &homotopy::INFO,
    &interior::INFO,
];

/// A solver of dense complementarity problems.
pub trait LcpSolver: Sync {
    /// Name, source, parameters.
    fn info(&self) -> &'static SolverInfo;

    /// Solves `problem`; `values` are those of the solver's own parameters.
    ///
    /// # Errors
    /// The truth about a problem that it did not solve to [`ACCEPTED`].
    fn solve(&self, problem: &LcpProblem, values: &Values) -> Result<Solution, LcpError>;
}

/// The solvers of complementarity problems.
pub static COMPLEMENTARITY: &[&dyn LcpSolver] = &[&lemke::Lemke, &dantzig::Dantzig, &pgs::Pgs];

/// The complementarity solver of that name.
pub fn complementarity(key: &str) -> Option<&'static dyn LcpSolver> {
    COMPLEMENTARITY.iter().copied().find(|solver| solver.info().key == key)
}

/// How long a pivoting method may go on.
const PIVOTS_PER_ROW: Parameter = Parameter {
    key: "pivots_per_row",
    symbol: "",
    unit: "",
    minimum: 1.0,
    maximum: 1e6,
    default: 100.0,
    kind: ParameterKind::Integer,
    meaning: "Pivots allowed, per row of the problem; paths of more than a few are rare, exponential ones exist.",
};

/// When a residual is small enough.
const TOLERANCE: Parameter = Parameter {
    key: "tolerance",
    symbol: "",
    unit: "",
    minimum: 1e-14,
    maximum: 1.0,
    default: 1e-9,
    kind: ParameterKind::Logarithmic,
    meaning: "Largest residual that counts as solved, as a share of the problem's speed: the largest |J v* + b| of its rows, in m/s.",
};

/// Pivots that `values` allow a problem of `n` rows.
fn pivot_limit(values: &Values, n: usize) -> usize {
    let per_row = values.get(PIVOTS_PER_ROW.key).unwrap_or(PIVOTS_PER_ROW.default);
    (per_row as usize).saturating_mul(n.max(1))
}

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

    /// Whether it chooses the method itself, by the problem.
    pub fn is_automatic(&self) -> bool {
        self.info.key == AUTO.key
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
