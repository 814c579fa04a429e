//! Trefny's notes: the same resting contact at the level of accelerations and of velocities.

use super::{Drawn, Figure};
use driftlab::figure::Scale;
use driftlab::scene::Quantity::ContactImpulse;

/// The figures.
pub(crate) const FIGURES: &[Figure] = &[Figure {
    id: "trefny",
    source: "Trefny, sections 1 and 2",
    title: "A box at rest on two points: impulse of the more loaded one",
    scene: "box-at-rest",
    drawn: Drawn::OverTime {
        lines: &[
            ("baumgarte_acceleration,alpha=10,beta=10", ContactImpulse),
            ("baumgarte_velocity,alpha=50", ContactImpulse),
        ],
        scale: Scale::Linear,
    },
}];
