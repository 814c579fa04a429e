//! Methods over the rows of an island, with the equations eliminated.
//!
//! | file | holds |
//! |---|---|
//! | `polyhedral.rs`, `lemke.rs` | the island as a plain problem, and Lemke's method on it |
//! | `state_enumeration.rs` | every combination of states of a small island: the solution, or the proof that there is none |
//! | `branches/` | the enumeration of a larger island, by branch and bound |
//! | `plain_form.rs` | the plain problem written out densely, to be looked at and saved |

pub(in crate::lcp) mod branches;
pub(in crate::lcp) mod lemke;
pub(in crate::lcp) mod plain_form;
pub(in crate::lcp) mod polyhedral;
pub(in crate::lcp) mod state_enumeration;
