//! Methods over the rows of an island, with the equations eliminated.
//!
//! | file | holds |
//! |---|---|
//! | `polyhedral.rs`, `lemke.rs` | the island as a plain problem, and Lemke's method on it |
//! | `branches/` | all combinations of states, by branch and bound: the solution, or the proof that there is none |

pub mod branches;
pub mod lemke;
pub(in crate::lcp) mod polyhedral;
