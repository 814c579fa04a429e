//! The solver `auto`: one rule after the other, until one of them solves the island.
//!
//! | file | holds |
//! |---|---|
//! | `policy.rs` | the table of rules |
//! | `automatic.rs` | the loop that walks it, and islands without a solution |
//! | `dissipative.rs` | approximate impulses made such that they gain no energy |
//! | `regularized.rs` | the island with all rows regularised, where no rule has found a solution |

pub mod automatic;
pub mod dissipative;
pub(in crate::lcp) mod policy;
pub mod regularized;
