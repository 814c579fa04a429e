//! Gauss–Seidel sweeps over the constraints, for the schemes of today's engines.
//!
//! | file | holds |
//! |---|---|
//! | `sequential_constraint.rs` | one constraint, as a sweep visits it: its rows, effective masses and limits |
//! | `sweeps.rs` | all of them, in the order of the sweep; the impulses with which contacts start; two contacts at once |

pub(crate) mod sequential_constraint;
pub(crate) mod sweeps;
