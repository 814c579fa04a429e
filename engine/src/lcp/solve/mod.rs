//! From a step's problem to its judged solution.
//!
//! | file | holds |
//! |---|---|
//! | `solvers.rs` | the table of all solvers, and those that are one method each |
//! | `complementarity.rs` | the table of the solvers of dense problems |
//! | `system.rs` | equations alone, which need no split |
//! | `solve_island.rs` | one island from its extraction to its judged λ, redundant equations included |
//! | `solve_problem.rs` | one problem from its split to its judged solution |

pub(in crate::lcp) mod complementarity;
pub mod solve_island;
pub mod solve_problem;
pub(in crate::lcp) mod solvers;
pub mod system;
