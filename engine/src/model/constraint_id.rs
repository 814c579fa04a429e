//! Names of constraints that last from step to step.

use super::table::{BodyId, JointId, NonholonomicId, SpringId};

/// The identity of a contact point, the same from step to step while the same features touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactId {
    /// Body a and body b; a was added to the world before b.
    pub bodies: [BodyId; 2],
    /// Index of the convex piece in each body.
    pub pieces: [u32; 2],
    /// The touching feature of each piece: a vertex, an edge, a curve; see `detect`.
    pub features: [u32; 2],
}

impl ContactId {
    /// The two pieces that touch.
    pub(crate) fn pair(&self) -> ([BodyId; 2], [u32; 2]) {
        (self.bodies, self.pieces)
    }
}

/// Which constraint of a world an impulse belongs to. Ids of joints, springs, velocity constraints and contacts become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ConstraintId {
    /// A joint.
    Joint(JointId),
    /// A non-holonomic constraint.
    Nonholonomic(NonholonomicId),
    /// A spring.
    Spring(SpringId),
    /// The suspension of that joint, a wheel's.
    Suspension(JointId),
    /// The mouse's pull.
    Grab,
    /// The motor of that joint.
    Motor(JointId),
    /// The friction of that joint.
    Friction(JointId),
    /// A row of that motor joint: 0 and 1 along the axes of body a, 2 of the angle.
    Drive(JointId, u8),
    /// The lower limit of that joint.
    LowerLimit(JointId),
    /// The upper limit of that joint.
    UpperLimit(JointId),
    /// A contact point.
    Contact(ContactId),
}

impl ConstraintId {
    /// The joint that this is, or is a part of: its motor, friction, suspension or one of its limits.
    pub fn joint(self) -> Option<JointId> {
        match self {
            Self::Joint(id)
            | Self::Suspension(id)
            | Self::Motor(id)
            | Self::Friction(id)
            | Self::Drive(id, _)
            | Self::LowerLimit(id)
            | Self::UpperLimit(id) => Some(id),
            Self::Nonholonomic(_) | Self::Spring(_) | Self::Grab | Self::Contact(_) => None,
        }
    }
}

macro_rules! constraints {
    ($($id:ident => $kind:ident,)*) => {$(
        impl From<$id> for ConstraintId {
            fn from(id: $id) -> Self {
                Self::$kind(id)
            }
        }
    )*};
}

constraints! {
    JointId => Joint,
    NonholonomicId => Nonholonomic,
    SpringId => Spring,
    ContactId => Contact,
}
