//! Cline & Pai 2003: the pendulum, the six-link chain, and bodies that a person pushes.

use super::{Drawn, Figure};
use driftlab::figure::Scale;
use driftlab::scene::Quantity::{ContactError, JointError, JointErrorBefore};

/// The figures; the paper's figures 9 and 10 are screen captures of motions other than ours.
pub(crate) const FIGURES: &[Figure] = &[
    Figure {
        id: "cline-pai-1",
        source: "Cline & Pai 2003, figure 1",
        title: "An unstabilized pendulum: the hinge, at the black square, opens",
        scene: "single-pendulum",
        drawn: Drawn::Frames { stabilizer: "none", times: &[0.0, 2.5, 5.0, 10.0] },
    },
    Figure {
        id: "cline-pai-2",
        source: "Cline & Pai 2003, figure 2",
        title: "A six-link chain falls without stabilization",
        scene: "six-link-chain-paper",
        drawn: Drawn::Trail { stabilizer: "none", every: 0.03 },
    },
    Figure {
        id: "cline-pai-3",
        source: "Cline & Pai 2003, figure 3",
        title: "Six-link chain at 85 m/s²: no stabilization",
        scene: "six-link-chain-paper",
        drawn: Drawn::OverTime { lines: &[("none", JointError)], scale: Scale::Linear },
    },
    Figure {
        id: "cline-pai-4",
        source: "Cline & Pai 2003, figure 4",
        title: "Six-link chain at 85 m/s²: Baumgarte with 50 and 200 1/s",
        scene: "six-link-chain-paper",
        drawn: Drawn::OverTime {
            lines: &[
                ("baumgarte_velocity,alpha=50", JointError),
                ("baumgarte_velocity,alpha=200", JointError),
            ],
            scale: Scale::Linear,
        },
    },
    Figure {
        id: "cline-pai-5",
        source: "Cline & Pai 2003, figure 5",
        title: "Six-link chain at 85 m/s²: Baumgarte with 2000 s⁻¹, αh = 2",
        scene: "six-link-chain-paper",
        drawn: Drawn::OverTime {
            lines: &[("baumgarte_velocity,alpha=2000", JointError)],
            scale: Scale::Linear,
        },
    },
    Figure {
        id: "cline-pai-6",
        source: "Cline & Pai 2003, figure 6",
        title: "Six-link chain at 85 m/s²: post-stabilization",
        scene: "six-link-chain-paper",
        drawn: Drawn::OverTime {
            lines: &[("post_stabilization", JointErrorBefore), ("post_stabilization", JointError)],
            scale: Scale::Linear,
        },
    },
    Figure {
        id: "cline-pai-7",
        source: "Cline & Pai 2003, figure 7",
        title: "Six-link chain at 85 m/s²: after post-stabilization",
        scene: "six-link-chain-paper",
        drawn: Drawn::OverTime { lines: &[("post_stabilization", JointError)], scale: Scale::Linear },
    },
    Figure {
        id: "cline-pai-3-7-earth",
        source: "Cline & Pai 2003, figures 3–7 at 9.81 m/s²",
        title: "Six-link chain at 9.81 m/s²: every scheme of the paper",
        scene: "six-link-chain-earth",
        drawn: Drawn::OverTime {
            lines: &[
                ("none", JointError),
                ("baumgarte_velocity,alpha=50", JointError),
                ("baumgarte_velocity,alpha=200", JointError),
                ("baumgarte_velocity,alpha=2000", JointError),
                ("post_stabilization", JointErrorBefore),
                ("post_stabilization", JointError),
            ],
            scale: Scale::Logarithmic,
        },
    },
    Figure {
        id: "cline-pai-8",
        source: "Cline & Pai 2003, figure 8",
        title: "A rectangle, pushed about by a recorded pointer: contact error",
        scene: "pushed-rectangle",
        drawn: Drawn::OverTime {
            lines: &[("none", ContactError), ("post_stabilization,max_iterations=10", ContactError)],
            scale: Scale::Logarithmic,
        },
    },
    Figure {
        id: "cline-pai-9",
        source: "Cline & Pai 2003, figure 9",
        title: "The pushed rectangle: post-stabilization",
        scene: "pushed-rectangle",
        drawn: Drawn::Frames {
            stabilizer: "post_stabilization,max_iterations=10",
            times: &[0.6, 1.2, 1.8, 3.0, 6.0, 9.0, 15.0, 21.0],
        },
    },
    Figure {
        id: "cline-pai-10",
        source: "Cline & Pai 2003, figure 10",
        title: "Five bodies, pushed: post-stabilization",
        scene: "pushed-five",
        drawn: Drawn::Frames {
            stabilizer: "post_stabilization,max_iterations=10",
            times: &[0.0, 1.2, 3.0, 6.0, 9.0, 12.0, 18.0, 24.0],
        },
    },
];
