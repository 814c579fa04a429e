//! Builder of a non-holonomic constraint.

use crate::model::id::BodyId;
use crate::model::nonholonomic::{Nonholonomic, NonholonomicKind};

/// Builder of a non-holonomic constraint, for [`World::add_nonholonomic`].
///
/// [`World::add_nonholonomic`]: crate::model::World::add_nonholonomic
#[derive(Clone, Debug)]
#[must_use = "a constraint does nothing until it is added to a world"]
pub struct NonholonomicBuilder {
    /// The same body twice for a constraint on a single body.
    bodies: [BodyId; 2],
    kind: NonholonomicKind,
}

impl NonholonomicBuilder {
    pub(in crate::model) fn on(body: BodyId, kind: NonholonomicKind) -> Self {
        Self { bodies: [body; 2], kind }
    }

    pub(in crate::model) fn between(bodies: [BodyId; 2], kind: NonholonomicKind) -> Self {
        Self { bodies, kind }
    }

    pub(in crate::model) fn bodies(&self) -> [BodyId; 2] {
        self.bodies
    }

    /// The constraint between the bodies at these indices.
    pub(in crate::model) fn resolve(self, indices: [usize; 2]) -> Nonholonomic {
        Nonholonomic::new(indices, self.kind)
    }
}
