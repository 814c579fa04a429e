//! What a step has broken.

use crate::model::{BodyId, ConstraintId};
use glam::DVec2;

/// A joint, motor or spring that has broken, with the reaction that broke it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Break {
    /// What broke.
    pub part: ConstraintId,
    /// Body a and body b.
    pub bodies: [BodyId; 2],
    /// Where it was attached to body b, m.
    pub at: DVec2,
    /// Size of the mean force over the step, N.
    pub force: f64,
    /// Size of the mean torque over the step, N m.
    pub torque: f64,
}
