//! The problem of a step: rows over bodies, the residual that judges every solver, how small it has to be, proofs that there is
//! no solution, and the record of the solvers that were tried.

pub(super) mod acceptance;
pub mod certificate;
pub(super) mod mixed;
pub(super) mod solution;
pub(super) mod trail;

pub(crate) use acceptance::Acceptance;
pub use mixed::{Law, MixedProblem, MixedRow};
pub use solution::{MixedError, MixedOutcome};
pub use trail::{Attempt, Ending, Start, Trail};
