//! From a step's problem to its solution: the split into islands, who solves each of them, the judgement of the whole.
//!
//! | file | holds |
//! |---|---|
//! | `solve.rs` | one problem from its split to its judged solution |
//! | `system.rs` | equations alone, which need no split |
//! | `split.rs` | islands: groups of movable bodies that rows connect |
//! | `threads.rs` | islands side by side |
//! | `island_cache.rs` | the island that was solved last, whose solution serves as long as nothing of it changes |
//! | `solve_island.rs` | one island from its extraction to its judged λ, redundant equations included |
//! | `workspace.rs` | the memory of all solvers; an island, what it came to, and the trait of what solves it |
//! | `solvers.rs` | the table of all solvers, and those that are one method each |
//! | `policy.rs` | the table of rules of the solver `auto` |
//! | `auto.rs` | the loop that walks this table |
//! | `infeasible.rs` | what it does on an island without a solution |
//! | `regularized.rs` | rows that yield, where no rule has found a solution |
//! | `reading.rs` | a solve read afterwards, row by row |

mod auto;
mod infeasible;
mod island_cache;
mod policy;
mod reading;
mod regularized;
mod solve;
mod solve_island;
mod solvers;
pub(super) mod split;
mod system;
#[cfg(feature = "parallel")]
mod threads;
pub(super) mod workspace;

pub use policy::{PolicyRow, policy};
pub use reading::{IslandReading, Reading, RowReading};
pub use solvers::{Solver, solvers};
pub use workspace::MixedWorkspace;
