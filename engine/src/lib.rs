//! The engine of [driftlab](https://crates.io/crates/driftlab): planar rigid bodies, their constraints, and every common way to
//! enforce the constraints.
//!
//! A program imports it as `driftlab`, whose root contains all modules of this crate; the examples here do so too.
//!
//! The modules in the order of their dependencies; each imports only modules to its left: [`parameter`] ← `math` ← [`lcp`] ←
//! [`model`] ← [`detect`] ← [`constraint`] ← [`report`] ← `stages` ← [`method`] ←
//! [`schemes`] ← [`step`].

pub mod constraint;
pub mod detect;
pub mod guide;
#[doc(hidden)]
pub mod internal;
pub mod lcp;
mod math;
pub mod method;
pub mod model;
pub mod parameter;
pub mod prelude;
pub mod report;
pub mod schemes;
mod stages;
pub mod step;

pub use glam;
