//! Everything that a program needs to build and step a world, in one import.
//!
//! ```
//! use driftlab::prelude::*;
//!
//! let mut world = World::new(DVec2::new(0.0, -9.81));
//! let ball = world.add_body(Body::dynamic().shape(Shape::circle(0.1)))?;
//! step(&mut world, &Method::implicit(), 1e-3, &mut Workspace::default())?;
//! assert!(world[ball].velocity.linear.y < 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::detect::Space;
pub use crate::method::Method;
pub use crate::model::joint::{
    CustomJoint, Distance, DistanceForm, Equation, Gear, Hinge, Pulley, Rope, Slider, Unit, Weld,
};
pub use crate::model::{
    AppliedForce, Body, BodyId, BodyKind, Breaking, Damping, DrivenForce, Field, ForceLawId, Forces, Frame,
    Joint, JointId, JointKind, JointSoftness, ModelError, Motion, Nonholonomic, NonholonomicId,
    NonholonomicKind, Placement, Profile, Shape, Spring, SpringId, World,
};
pub use crate::report::{StepError, StepReport};
pub use crate::rules::{Integrator, Level};
pub use crate::schemes::MethodError;
pub use crate::step::{Simulation, Workspace, step};
pub use glam::{DVec2, DVec3};
