//! Equations alone, and the equations of an island: A λ = r with the Delassus matrix A = J W Jᵀ + c, factorised.
//!
//! | file | holds |
//! |---|---|
//! | `delassus.rs` | A assembled from rows, its sparse factors, and which rows depend on others |
//! | `hinge_chain.rs` | chains of hinges, solved from their levers |
//! | `equations.rs` | the equations among the rows: the solver `ldlt`, and their elimination in other solvers |

pub(in crate::lcp) mod delassus;
pub mod equations;
pub mod hinge_chain;
#[cfg(test)]
mod hinge_chain_tests;
