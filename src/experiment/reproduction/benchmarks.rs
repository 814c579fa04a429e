//! Benchmarks of the multibody community: the error of a run by the library's own measure, the digits that a test set prints, and
//! classics of non-smooth dynamics with known values.

use super::{Drawn, Figure, Scale};
use crate::scene::Quantity::{BenchmarkError, JointError, KineticEnergy};

/// The figures. `driftlab benchmarks` has all schemes and time steps.
pub(crate) const FIGURES: &[Figure] = &[
    Figure {
        id: "iftomm-a01",
        source: "IFToMM benchmarks, A01",
        title: "Simple pendulum: error against the true motion",
        scene: "iftomm-a01-pendulum",
        drawn: SO_FAR,
    },
    Figure {
        id: "iftomm-a02-2",
        source: "IFToMM benchmarks, A02, N = 2",
        title: "Two four-bar windows: error against the true motion",
        scene: "iftomm-a02-two-windows",
        drawn: SO_FAR,
    },
    Figure {
        id: "iftomm-a02-40",
        source: "IFToMM benchmarks, A02, N = 40",
        title: "Forty four-bar windows: error against the true motion",
        scene: "iftomm-a02-forty-windows",
        drawn: Drawn::OverTime { lines: &[("rattle", BenchmarkError)], scale: Scale::Logarithmic },
    },
    Figure {
        id: "andrews-squeezer",
        source: "Andrews' squeezer, test set for IVP solvers",
        title: "Andrews' squeezer: the largest joint error",
        scene: "andrews-squeezer",
        drawn: Drawn::OverTime {
            lines: &[
                ("baumgarte_acceleration,alpha=50,beta=50", JointError),
                ("anitescu_hart", JointError),
                ("rattle", JointError),
            ],
            scale: Scale::Logarithmic,
        },
    },
    Figure {
        id: "housner-rocking",
        source: "Housner 1963",
        title: "A rocking block: kinetic energy",
        scene: "rocking-block",
        drawn: Drawn::OverTime {
            lines: &[
                ("none", KineticEnergy),
                ("anitescu_hart", KineticEnergy),
                ("post_stabilization", KineticEnergy),
            ],
            scale: Scale::Linear,
        },
    },
    Figure {
        id: "bouncing-ball",
        source: "Accumulation of impacts",
        title: "A bouncing ball: kinetic energy through infinitely many impacts",
        scene: "bouncing-ball",
        drawn: Drawn::OverTime {
            lines: &[("none", KineticEnergy), ("anitescu_hart", KineticEnergy), ("soft", KineticEnergy)],
            scale: Scale::Linear,
        },
    },
];

const SO_FAR: Drawn = Drawn::OverTime {
    lines: &[("rattle", BenchmarkError), ("anitescu_hart", BenchmarkError), ("none", BenchmarkError)],
    scale: Scale::Logarithmic,
};
