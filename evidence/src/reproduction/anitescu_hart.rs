//! Anitescu & Hart 2004: the pendulum in the squared form, the ellipse on a tabletop, the 21 disks.

use super::{Drawn, Figure};
use driftlab::figure::Scale;
use driftlab::scene::Quantity::{ContactError, JointError};

/// The figures; the times of the frames are our choice, since the paper does not state its own.
pub(crate) const FIGURES: &[Figure] = &[
    Figure {
        id: "anitescu-hart-2",
        source: "Anitescu & Hart 2004, figure 2",
        title: "Pendulum with Θ = r² − L², h = 0.1 s, 1,000 steps",
        scene: "anitescu-hart-pendulum",
        drawn: Drawn::OverTime {
            lines: &[("none", JointError), ("anitescu_hart", JointError)],
            scale: Scale::Logarithmic,
        },
    },
    Figure {
        id: "anitescu-hart-3",
        source: "Anitescu & Hart 2004, figure 3",
        title: "Ten frames of an ellipse on a tabletop",
        scene: "ellipse-on-tabletop",
        drawn: Drawn::Frames {
            stabilizer: "anitescu_hart",
            times: &[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 20.0],
        },
    },
    Figure {
        id: "anitescu-hart-4",
        source: "Anitescu & Hart 2004, figure 4",
        title: "Ellipse on a tabletop: infeasibility",
        scene: "ellipse-on-tabletop",
        drawn: Drawn::OverTime {
            lines: &[("none", ContactError), ("anitescu_hart", ContactError)],
            scale: Scale::Logarithmic,
        },
    },
    Figure {
        id: "anitescu-hart-5",
        source: "Anitescu & Hart 2004, figure 5",
        title: "Four frames of 21 disks between slanted walls",
        scene: "disks-between-walls",
        drawn: Drawn::Frames { stabilizer: "anitescu_hart", times: &[0.0, 2.0, 4.0, 20.0] },
    },
    Figure {
        id: "anitescu-hart-6",
        source: "Anitescu & Hart 2004, figure 6",
        title: "21 disks between slanted walls: infeasibility",
        scene: "disks-between-walls",
        drawn: Drawn::OverTime {
            lines: &[("none", ContactError), ("anitescu_hart", ContactError)],
            scale: Scale::Logarithmic,
        },
    },
];
