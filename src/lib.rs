//! **driftlab**: planar rigid bodies, their constraints, and every common way to enforce the constraints.
//!
//! A rigid-body simulation advances velocities; its joints, which are equations between positions, drift
//! apart. This crate steps a world under the remedies from the literature (none for comparison,
//! Baumgarte at the velocity and at the acceleration level, post-stabilization, Anitescu & Hart, implicit
//! enforcement, projection, RATTLE) and from today's engines (NGS, split impulses, soft step, XPBD), switchable
//! between any two steps, and measures the constraint error that each of them leaves and the energy that it costs.
//! [`guide`] explains the schemes; [`prelude`] contains what a program imports.
//!
//! The engine is f64, deterministic, and reads no clock, file or environment. SI units, radians, y up. Points are those
//! of glam 0.27, which is re-exported as [`glam`]; a program with another version of it, or another library's points,
//! passes arrays or (feature `mint`) its own.
//!
//! ```
//! use driftlab::prelude::*;
//!
//! // A bar of 1 m, hinged to a wall at the origin, falls from the horizontal.
//! let mut world = World::new([0.0, -9.81]);
//! let wall = world.add_body(Body::fixed())?;
//! let bar = world.add_body(Body::dynamic().at([0.5, 0.0]).shape(Shape::rectangle(1.0, 0.1)))?;
//! world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0]))?;
//!
//! let mut workspace = Workspace::default();
//! let drifting = Method::none();
//! let corrected = Method::post_stabilization().max_iterations(3.0)?;
//! let mut report = Default::default();
//! for _ in 0..500 {
//!     report = step(&mut world, &drifting, 1e-3, &mut workspace)?;
//! }
//! assert!(report.joint_error > 1e-3); // millimetres apart after half a second
//! let report = step(&mut world, &corrected, 1e-3, &mut workspace)?;
//! assert!(report.joint_error < 1e-9); // and back together after one step
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Cargo does not take profiles over from a dependency. With these lines a step costs a program what it costs this project:
//!
//! ```toml
//! [profile.release.package.driftlab-engine]
//! codegen-units = 1
//!
//! [profile.dev.package."*"]
//! opt-level = 3
//! ```
//!
//! The modules in the order of their dependencies; each imports only modules to its left: [`parameter`] ← `math` ← [`lcp`] ←
//! [`model`] ← [`detect`] ← [`constraint`] ← [`report`] ← `stages` ← [`method`] ← [`schemes`] ← [`step`], and with the features
//! `scene`, `figures`, `window` and `app` the scene format, the experiments, the window and the command line.

#[cfg(feature = "window")]
pub mod app;
#[cfg(feature = "app")]
pub mod cli;
#[cfg(feature = "scene")]
pub mod experiment;
#[cfg(feature = "scene")]
pub mod figure;
#[cfg(feature = "window")]
mod files;
#[cfg(feature = "import")]
pub mod import;
#[cfg(feature = "scene")]
pub mod numbers;
#[cfg(feature = "scene")]
pub mod peers;
#[cfg(feature = "window")]
pub mod platform;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "window")]
pub mod workbench;

#[cfg(feature = "scene")]
use driftlab_engine::internal;
#[doc(inline)]
pub use driftlab_engine::{
    constraint, detect, guide, lcp, method, model, parameter, prelude, report, schemes, step,
};
pub use glam;
