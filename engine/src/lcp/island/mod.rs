//! From a step's problem to its solution: the split into islands, who solves each of them, the judgement of the whole.
//!
//! | file | holds |
//! |---|---|
//! | `split.rs` | islands: groups of movable bodies that rows connect |
//! | `workspace.rs` | the memory of all solvers; an island, and what it came to |
//! | `entry.rs` | the trait of what solves an island |
//! | `methods.rs` | the solvers that are one method each |
//! | `policy.rs` | the table of attempts of the solver `auto` |
//! | `automatic.rs` | the loop that walks this table |
//! | `violation.rs` | what it does on an island without a solution |
//! | `solvers.rs` | the table of all solvers |
//! | `reading.rs` | a solve read afterwards, row by row |
//! | `single.rs` | one island from its extraction to its judged λ |
//! | `island_cache.rs` | the island that was solved last, whose solution serves as long as nothing of it changes |
//! | `redundant.rs` | equations in it that depend on others |
//! | `yielding.rs` | rows that yield, where no attempt has found a solution |
//! | `softened.rs` | the problem whose rows yield |
//! | `threads.rs` | islands side by side |
//! | `helpers.rs` | which threads there are for that |
//! | `solve.rs` | one problem from its split to its judged solution |
//! | `system.rs` | equations alone, which need no split |

mod automatic;
mod entry;
#[cfg(feature = "parallel")]
mod helpers;
mod island_cache;
mod methods;
mod policy;
mod reading;
mod redundant;
mod single;
mod softened;
mod solve;
mod solvers;
pub(super) mod split;
mod system;
#[cfg(feature = "parallel")]
mod threads;
mod violation;
pub(super) mod workspace;
mod yielding;

pub use policy::{PolicyRow, policy};
pub use reading::{IslandReading, Reading, RowReading};
pub use solvers::{Solver, solvers};
pub use workspace::MixedWorkspace;
