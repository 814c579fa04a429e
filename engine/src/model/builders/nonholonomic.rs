//! Builder of a non-holonomic constraint.

use crate::model::id::BodyId;
use crate::model::nonholonomic::{Nonholonomic, NonholonomicKind, Rolling};

/// Builder of a non-holonomic constraint, for [`World::add_nonholonomic`].
///
/// [`World::add_nonholonomic`]: crate::model::World::add_nonholonomic
#[derive(Clone, Debug)]
#[must_use = "a constraint does nothing until it is added to a world"]
pub struct NonholonomicBuilder {
    /// The two bodies; a constraint on a single body names it twice.
    bodies: [BodyId; 2],
    kind: NonholonomicKind,
}

impl Nonholonomic {
    /// A blade or a prescribed velocity of one body, with its geometry relative to the body's centre of mass.
    pub fn on(body: BodyId, kind: NonholonomicKind) -> NonholonomicBuilder {
        NonholonomicBuilder { bodies: [body; 2], kind }
    }

    /// A disk `body` that rolls on the surface of the body `on`.
    pub fn rolling(on: BodyId, body: BodyId, rolling: Rolling) -> NonholonomicBuilder {
        NonholonomicBuilder { bodies: [on, body], kind: NonholonomicKind::Rolling(rolling) }
    }
}

impl NonholonomicBuilder {
    pub(in crate::model) fn bodies(&self) -> [BodyId; 2] {
        self.bodies
    }

    /// The constraint between the bodies at these indices.
    pub(in crate::model) fn resolve(self, indices: [usize; 2]) -> Nonholonomic {
        Nonholonomic::new(indices, self.kind)
    }
}
