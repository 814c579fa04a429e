//! The engine of [driftlab](https://github.com/driftlab/driftlab): planar rigid bodies, their constraints, and every common way
//! to enforce the constraints.
//!
//! ```
//! use driftlab::prelude::*;
//!
//! // A crate on a slope that is a little too steep for its friction, after one second.
//! let mut world = World::new([0.0, -9.81]);
//! let slope = Body::fixed().angle(-0.3).shape(Shape::rectangle(100.0, 1.0)).friction(0.25);
//! let down = DVec2::from_angle(-0.3);
//! let slope = world.add_body(slope)?;
//! let cargo = Body::dynamic().at(0.75 * down.perp()).angle(-0.3).shape(Shape::rectangle(0.5, 0.5)).friction(0.25);
//! let cargo = world.add_body(cargo)?;
//!
//! let mut simulation = Simulation::new(world, Method::anitescu_hart(), 1e-3);
//! simulation.run(1000)?;
//!
//! let expected = 9.81 * (0.3_f64.sin() - 0.25 * 0.3_f64.cos()); // g (sin β − μ cos β), m/s after 1 s
//! let speed = simulation.world[cargo].velocity.linear.dot(down);
//! assert!((speed / expected - 1.0).abs() < 1e-3, "{speed} m/s, expected {expected}");
//! assert!(simulation.world.contacts_of(cargo).all(|contact| contact.other == slope));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A program depends on `driftlab` without its default features, whose root contains all modules of this crate under
//! the name that the examples use. [`prelude`] is what it imports, [`guide`] explains the schemes, [`lcp`] solves
//! complementarity problems on its own. Joints ([`CustomJoint`](model::joint::CustomJoint)), forces
//! ([`World::add_force_law`](model::World::add_force_law)) and, under the feature `unstable-schemes`, schemes
//! ([`method::Scheme`]) may come from other crates.
//!
//! # Profiles
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
//! Points are those of glam 0.27, which is re-exported as [`glam`]; a program with another version of it, or another
//! library's points, passes arrays or (feature `mint`) its own.
//!
//! # Modules
//!
//! The modules in the order of their dependencies; each imports only modules to its left: [`parameter`] ← `math` ← [`lcp`] ←
//! [`model`] ← `rules` ← [`detect`] ← [`constraint`] ← [`report`] ← `stages` ← [`method`] ←
//! [`schemes`] ← [`step`].

pub mod constraint;
pub mod detect;
#[doc = include_str!("../guide.md")]
pub mod guide {}
#[doc(hidden)]
pub mod internal;
pub mod lcp;
mod math;
pub mod method;
pub mod model;
pub mod parameter;
pub mod prelude;
pub mod report;
mod rules;
pub mod schemes;
pub mod stages;
pub mod step;

pub use glam;
