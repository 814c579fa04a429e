//! Solvers of the step's algebraic problem, behind one table.
//!
//! Joints alone give a system of equations, A λ + b = 0 with the Delassus matrix A = J M⁻¹ Jᵀ, positive
//! semidefinite: the sparse factorisation solves it exactly. Unilateral rows, bounds and friction turn it into a
//! mixed complementarity problem, [`MixedProblem`], which [`Solver::solve_mixed`] splits into islands. Dense problems
//! without bodies, which `driftlab lcp` reads from a file, have a table of their own, [`COMPLEMENTARITY`].
//!
//! ```
//! use driftlab::lcp::{self, LcpProblem};
//! use driftlab::parameter::Values;
//!
//! let lemke = lcp::complementarity("lemke").ok_or("no such solver")?;
//! // 2 z − 4 ≥ 0: z = 2, w = 0.
//! let problem = LcpProblem::new(vec![2.0], vec![-4.0])?;
//! let solution = lemke.solve(&problem, &Values::defaults(lemke.info().parameters))?;
//! assert_eq!((solution.z[0], solution.w[0]), (2.0, 0.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod alternation;
pub mod auto;
pub mod body_space;
pub mod convex;
pub mod dense;
pub mod direct;
pub mod homotopy;
mod info;
pub mod interior;
pub(crate) mod internal;
pub mod islands;
pub mod newton;
pub mod nncg;
pub mod pgs;
pub mod pivoting;
pub mod problem;
pub mod solve;

pub use auto::policy::{PolicyRow, policy};
pub use dense::pivots::{Path, Pivot, Pivots};
pub use dense::problem::{LcpError, LcpProblem, ProblemError, Solution, Variable};
pub(crate) use direct::delassus::Accuracy;
pub use direct::delassus::Delassus;
pub use info::{ACCEPTED, Effort, SolverInfo};
pub use islands::island_memory::MixedWorkspace;
pub use islands::reading::{IslandReading, RowReading};
pub use pivoting::polyhedral::{PlainForm, PlainUnknown};
pub(crate) use problem::Acceptance;
pub use problem::mixed::{Further, Law, MixedProblem, MixedRow};
pub use problem::solution::{MixedError, MixedOutcome};
pub use problem::trail::{Attempt, Ending, Start, Trail};
pub use solve::complementarity::{COMPLEMENTARITY, LcpSolver, complementarity};
pub use solve::solvers::{Solver, solvers};
