//! Hong et al.: the stability of the linearised double pendulum; figure 2, three bars of which the first has a prescribed
//! velocity.
//!
//! Parts c and d of figure 2 repeat a and b at a tenth of the time step: they show that the errors decrease with Δt²,
//! which is drawn here as a curve over Δt.

use super::{Drawn, Figure};
use driftlab::figure::Scale;
use driftlab::scene::Quantity::{JointError, NonholonomicError};
use driftlab::scene::Take;

/// Time steps of the curves, s: four a decade, and closer about the limits of stability at 0.0828 and 0.828 s.
const STEPS: &[f64] = &[
    0.005, 0.01, 0.02, 0.04, 0.06, 0.07, 0.08, 0.0825, 0.083, 0.085, 0.09, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6,
    0.7, 0.8, 0.825, 0.83, 0.85, 0.9, 1.0,
];

/// The figures.
pub(crate) const FIGURES: &[Figure] = &[
    Figure {
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
    },
    Figure {
        id: "hong-2a",
        source: "Hong et al., figure 2 (a)",
        title: "Three bars, implicit enforcement, Δt = 0.01 s",
        scene: "three-bar-nonholonomic",
        drawn: Drawn::OverTime {
            lines: &[("implicit", JointError), ("implicit", NonholonomicError)],
            scale: Scale::Logarithmic,
        },
    },
    Figure {
        id: "hong-2b",
        source: "Hong et al., figure 2 (b)",
        title: "Three bars, Baumgarte with α = 1/2Δt, β = 1/Δt, Δt = 0.01 s",
        scene: "three-bar-nonholonomic",
        drawn: Drawn::OverTime {
            lines: &[
                ("baumgarte_acceleration,alpha=50,beta=100", JointError),
                ("baumgarte_acceleration,alpha=50,beta=100", NonholonomicError),
            ],
            scale: Scale::Logarithmic,
        },
    },
    Figure {
        id: "hong-2-steps",
        source: "Hong et al., figure 2 (a–d)",
        title: "Three bars, implicit enforcement: the largest errors against the time step",
        scene: "three-bar-nonholonomic",
        drawn: Drawn::OverStep {
            lines: &[("implicit", JointError), ("implicit", NonholonomicError)],
            steps: &[0.002, 0.0025, 0.004, 0.005, 0.01, 0.02],
            take: Take::Largest,
        },
    },
];
