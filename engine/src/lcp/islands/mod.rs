//! The islands of a problem, groups of movable bodies that rows connect, and the memory that their solvers share.
//!
//! | file | holds |
//! |---|---|
//! | `split.rs` | the islands |
//! | `workspace.rs` | the memory of all solvers; an island, and the trait of what solves it |
//! | `outcome.rs` | what an island came to |
//! | `island_cache.rs` | solutions of islands that would be computed again to the same bits |
//! | `reading.rs` | a solve read afterwards, row by row |
//! | `threads.rs` | islands side by side |

pub(in crate::lcp) mod island_cache;
pub(in crate::lcp) mod outcome;
pub(in crate::lcp) mod reading;
pub(in crate::lcp) mod split;
#[cfg(feature = "parallel")]
pub(in crate::lcp) mod threads;
pub(in crate::lcp) mod workspace;
