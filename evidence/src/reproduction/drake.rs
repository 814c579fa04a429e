//! Drake's documentation: the error as a damped oscillator.

use super::{Drawn, Figure};
use driftlab::figure::Scale;
use driftlab::scene::Quantity::{CriticalDecay, JointError};

/// The figures.
pub(crate) const FIGURES: &[Figure] = &[Figure {
    id: "drake",
    source: "Drake, constraint stabilization",
    title: "A hinge that starts 0.1 m violated, ω₀ = 10 rad/s",
    scene: "drake-critical-damping",
    drawn: Drawn::OverTime {
        lines: &[
            ("baumgarte_acceleration,omega0=10,zeta=1", JointError),
            ("baumgarte_acceleration,omega0=10,zeta=0.3", JointError),
            ("baumgarte_acceleration,omega0=10,zeta=3", JointError),
            ("baumgarte_acceleration,omega0=10,zeta=1", CriticalDecay),
        ],
        scale: Scale::Linear,
    },
}];
