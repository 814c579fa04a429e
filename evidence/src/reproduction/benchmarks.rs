//! Benchmarks of the multibody community: the error of a run by the library's own measure, the digits that a test set prints, and
//! classics of non-smooth dynamics with known values.

use super::{Drawn, Figure};
use driftlab::figure::Scale;
use driftlab::scene::Quantity::{BenchmarkError, JointError, KineticEnergy, MotionError};
use driftlab::scene::Take;

/// The figures. `driftlab-evidence benchmarks` has all schemes and time steps.
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
        id: "iftomm-four-bar-spring",
        source: "IFToMM benchmarks, four-bar linkage with diagonal spring",
        title: "Four bars and a diagonal spring: error of the mode against the time step",
        scene: "iftomm-four-bar-spring",
        drawn: Drawn::OverStep {
            lines: &[
                ("baumgarte_acceleration,alpha=5,beta=5", MotionError),
                ("anitescu_hart", MotionError),
                ("projection", MotionError),
                ("rattle", MotionError),
            ],
            steps: &[0.2, 0.1, 0.05, 0.025, 0.0125, 6.25e-3, 3.125e-3],
            take: Take::Last,
        },
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
    Figure {
        id: "slider-crank-clearance",
        source: "Flores, Leine & Glocker 2010",
        title: "Slider-crank with clearance: kinetic energy through 46 impacts",
        scene: "slider-crank-clearance",
        drawn: Drawn::OverTime {
            lines: &[("none", KineticEnergy), ("anitescu_hart", KineticEnergy), ("rattle", KineticEnergy)],
            scale: Scale::Linear,
        },
    },
    Figure {
        id: "glocker-woodpecker",
        source: "Glocker 1995",
        title: "The woodpecker toy, linearised: kinetic energy",
        scene: "woodpecker-stretched",
        drawn: Drawn::OverTime {
            lines: &[("none", KineticEnergy), ("post_stabilization", KineticEnergy)],
            scale: Scale::Linear,
        },
    },
];

const SO_FAR: Drawn = Drawn::OverTime {
    lines: &[("rattle", BenchmarkError), ("anitescu_hart", BenchmarkError), ("none", BenchmarkError)],
    scale: Scale::Logarithmic,
};
