//! Hong et al.: the stability of the linearised double pendulum.
//!
//! Their figure 2 (a–d), three bars with a prescribed velocity, belongs here as soon as there are non-holonomic joints:
//! a figure per part on the scene `three-bar-nonholonomic`, its statements in that scene's `reference` block.

use super::{Drawn, Figure};
use crate::scene::Quantity::JointError;
use crate::scene::Take;

/// Time steps of the curves, s: four a decade, and closer about the limits of stability at 0.0828 and 0.828 s.
const STEPS: &[f64] = &[
    0.005, 0.01, 0.02, 0.04, 0.06, 0.07, 0.08, 0.0825, 0.083, 0.085, 0.09, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6,
    0.7, 0.8, 0.825, 0.83, 0.85, 0.9, 1.0,
];

/// The figures.
pub(super) const FIGURES: &[Figure] = &[Figure {
    id: "hong-stability",
    source: "Hong et al., section 3",
    title: "Double pendulum, stretched: growth of the constraint error",
    scene: "double-pendulum-collinear",
    drawn: Drawn::OverStep {
        lines: &[
            ("baumgarte_acceleration,alpha=10,beta=10", JointError),
            ("baumgarte_acceleration,alpha=1,beta=1", JointError),
            ("implicit", JointError),
        ],
        steps: STEPS,
        take: Take::Rate,
    },
}];
