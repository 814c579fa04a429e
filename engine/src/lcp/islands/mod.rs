//! The islands of a problem, groups of movable bodies that rows connect, and the memory that their solvers share.
//!
//! - `split.rs`: the islands
//! - `island_memory.rs`: the memory of all solvers, and that of an island with its last solution, reused if it would be
//!   computed again to the same bits
//! - `reading.rs`: a solve read afterwards, row by row
//! - `threads.rs`: the solution of islands on several threads

pub(in crate::lcp) mod island_memory;
pub(in crate::lcp) mod reading;
pub(in crate::lcp) mod split;
#[cfg(feature = "parallel")]
pub mod threads;
