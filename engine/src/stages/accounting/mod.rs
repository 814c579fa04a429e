//! The accounts of a step. They have no influence on where the bodies go, but for the warm start.
//!
//! | file | holds |
//! |---|---|
//! | `ledger.rs` | the impulses that acted, by constraint |
//! | `joint_metrics.rs` | errors and forces of joints |
//! | `solve_stats.rs` | what solves and corrections came to |
//! | `step_totals.rs` | sums over the step, and the work of stabilization |
//! | `snapshot.rs` | copies of the problems of a step, to be read behind it |

pub(crate) mod joint_metrics;
pub(crate) mod ledger;
pub(crate) mod snapshot;
pub(crate) mod solve_stats;
pub(crate) mod step_totals;
