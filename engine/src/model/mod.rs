//! The simulated model: bodies with shapes and mass, the joints and springs between them, and the world
//! that holds the complete state.
//!
//! Pose q = (x, y, θ) of the centre of mass in m and rad, velocity v = q̇ in m/s and rad/s. In the plane
//! q̇ = v exactly, so a constraint's gradient ∂g/∂q and its Jacobian J (ġ = J v) are the same matrix
//! [Cline & Pai 2003, footnote 2].

mod applied_force;
mod body;
mod breaking;
mod builders;
mod carried_fields;
mod census;
mod constraint_id;
mod convex;
mod damping;
mod decomposition;
mod edit;
mod error;
mod field;
mod forces;
mod gears;
pub mod joint;
mod mass;
mod memory;
mod motion;
mod mouse;
pub mod nonholonomic;
#[cfg(feature = "serde")]
mod open_sides;
mod piece;
mod profile;
mod pulleys;
#[cfg(feature = "serde")]
mod serial;
mod shape;
mod spring;
mod surface;
mod table;
mod world;

pub use crate::math::Rotation;
pub use applied_force::{AppliedForce, Axes, DrivenForce};
pub use body::{Body, BodyKind, Frame, Pose, Velocity};
pub use breaking::Breaking;
pub use builders::{Between, BodyBuilder, JointBuilder, SpringBuilder};
#[doc(hidden)]
pub use constraint_id::ConstraintId;
pub use constraint_id::ContactId;
pub use convex::{Core, Seam};
pub use damping::Damping;
pub(crate) use damping::mean_decay;
pub use edit::RemovedBody;
pub use error::ModelError;
pub(crate) use error::finite_vector;
pub use field::Field;
pub use forces::Forces;
pub use joint::{Joint, JointKind, JointSoftness, Motor, Servo};
pub use mass::{MassProperties, MassSpec};
pub(crate) use memory::Memory;
#[doc(hidden)]
pub use memory::{Remembered, SchemeMemory};
pub use motion::{Motion, Path, PoseProfiles};
pub use mouse::{GRAB_DAMPING_RATIO, GRAB_FORCE_LIMIT, GRAB_FREQUENCY, Grab, Repulsion};
pub use nonholonomic::{Nonholonomic, NonholonomicKind};
pub use piece::{Ellipse, Piece};
pub use profile::{Profile, ProfileTable};
pub use shape::{AreaMoments, Placement, Shape};
pub use spring::{RESOLVED, Softness, Spring, SpringImpulse};
pub use surface::{Filter, Grip, Material, MaterialPair, Materials, Mix, Skin, Surface};
pub use table::{BodyId, ForceLawId, JointId, NonholonomicId, SpringId};
pub(crate) use table::{Id, Version};
pub(crate) use world::Revision;
pub use world::{BodyContact, ContactState, ForceLaw, World};
