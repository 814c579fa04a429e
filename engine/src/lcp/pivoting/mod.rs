//! Methods over the rows of an island, with the equations eliminated.
//!
//! | file | holds |
//! |---|---|
//! | `polyhedral.rs`, `lemke.rs` | the island as a plain problem, and Lemke's method on it |
//! | `branches/` | all combinations of states, by branch and bound: the solution, or the proof that there is none |
//! | `plain_form.rs` | the plain problem written out densely, to be looked at and saved |

pub(in crate::lcp) mod branches;
pub(in crate::lcp) mod lemke;
pub(in crate::lcp) mod plain_form;
pub(in crate::lcp) mod polyhedral;
