//! The accounts of a step. Apart from the warm start, they have no influence on where the bodies go.
//!
//! | file | holds |
//! |---|---|
//! | `ledger.rs` | the impulses that acted, by constraint |
//! | `step_totals.rs` | sums over the step, and the work of stabilization |

pub(crate) mod ledger;
pub(crate) mod step_totals;
