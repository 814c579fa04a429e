//! Everything that a program needs to build and step a world, in one import.
//!
//! ```
//! use driftlab::prelude::*;
//!
//! let mut world = World::new(DVec2::new(0.0, -9.81));
//! let ball = world.add_body(Body::dynamic().shape(Shape::Circle { radius: 0.1 }).build()?)?;
//! let method = Method::by_key("implicit").ok_or("no such scheme")?;
//! step(&mut world, &method, 1e-3, &mut Workspace::default())?;
//! assert!(world[ball].velocity.linear.y < 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::method::Method;
pub use crate::model::joint::{Distance, DistanceForm, Hinge, Slider, Weld};
pub use crate::model::{
    Body, BodyId, BodyKind, Joint, JointId, JointKind, ModelError, Motion, Nonholonomic, NonholonomicId,
    NonholonomicKind, Placement, Shape, Spring, SpringId, World,
};
pub use crate::report::{StepError, StepReport};
pub use crate::stages::step_context::{Integrator, Level};
pub use crate::step::{Workspace, step};
pub use glam::DVec2;
