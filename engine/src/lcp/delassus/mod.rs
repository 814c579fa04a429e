//! Methods over the rows: pivoting on the Delassus matrix A = J W Jᵀ + c of an island, equations eliminated.
//!
//! | file | holds |
//! |---|---|
//! | `matrix.rs` | A, assembled from rows and factorised sparse, and its rank |
//! | `jacobian.rs` | one of its rows, and when it depends on others |
//! | `hinge_chain.rs` | chains of hinges, solved from their levers |
//! | `equations.rs` | the equations among the rows: the direct solver `ldlt`, and what eliminates them elsewhere |
//! | `coupling.rs` | A of the other rows, column by column |
//! | `polyhedral.rs`, `lemke.rs` | the island as a plain problem, and Lemke's method on it |
//! | `state_enumeration.rs` | every combination of states of a small island: the solution, or the proof that there is none |
//! | `branches/` | the same of a larger island, by branch and bound |
//! | `plain_form.rs` | the same plain problem written out densely, to be looked at and saved |

pub(super) mod branches;
mod coupling;
pub(super) mod equations;
pub(super) mod hinge_chain;
#[cfg(test)]
mod hinge_chain_tests;
pub(super) mod jacobian;
pub(super) mod lemke;
pub(super) mod matrix;
pub(super) mod plain_form;
mod polyhedral;
pub(super) mod state_enumeration;
