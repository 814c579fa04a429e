//! **driftlab**: planar rigid bodies, their constraints, and every common way to keep the constraints kept.
//!
//! A rigid-body simulation advances velocities; its joints, which are equations between positions, drift
//! apart. This crate steps one world under the schemes that the literature offers against that (none,
//! Baumgarte at the velocity and at the acceleration level, post-stabilization, Anitescu & Hart, implicit
//! enforcement, projection, RATTLE) and those of today's engines (NGS, split impulses, soft step, XPBD), switchable between any two steps, and measures what each of them
//! leaves of the constraint error and costs in energy.
//!
//! The engine is f64, deterministic, and reads no clock, file or environment. SI units, radians, y up.
//!
//! ```
//! use driftlab::model::joint::Hinge;
//! use driftlab::model::{Body, BodyKind, Joint, JointKind, MassSpec, Placement, Shape, World};
//! use driftlab::stabilizer::{Method, Workspace};
//! use driftlab::step::step;
//! use glam::DVec2;
//!
//! // A bar of 1 m, hinged to a wall at the origin, falls from the horizontal.
//! let mut world = World::new(DVec2::new(0.0, -9.81));
//! let wall = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, vec![], MassSpec::default())?;
//! let bar = vec![Placement::centred(Shape::Box { size: DVec2::new(1.0, 0.1) })];
//! let bar = Body::new(BodyKind::Dynamic, DVec2::new(0.5, 0.0), 0.0, bar, MassSpec::default())?;
//! let (wall, bar) = (world.add_body(wall), world.add_body(bar));
//! let hinge = Hinge { anchors: [DVec2::ZERO, DVec2::new(-0.5, 0.0)] };
//! world.add_joint(Joint::new([wall, bar], JointKind::Hinge(hinge)))?;
//!
//! let mut workspace = Workspace::default();
//! let drifting = Method::by_key("none").ok_or("no such scheme")?;
//! let corrected = Method::by_key("post_stabilization").ok_or("no such scheme")?.with("max_iterations", 3.0)?;
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
//! Rooms, from left to right; a room imports only rooms to its left: [`parameter`] ← [`math`] ← [`lcp`] ←
//! [`model`] ← [`detect`] ← [`constraint`] ← [`report`] ← [`stabilizer`] ← [`step`], and with features `scene`
//! and `app` the scene format, the experiments, the command line and the window.

#[cfg(feature = "app")]
pub mod app;
#[cfg(feature = "app")]
pub mod cli;
pub mod constraint;
pub mod detect;
#[cfg(feature = "scene")]
pub mod experiment;
pub mod lcp;
pub mod math;
pub mod model;
pub mod parameter;
pub mod report;
#[cfg(feature = "scene")]
pub mod scene;
pub mod stabilizer;
pub mod step;
