//! The order in h of the largest joint error, which follows from what each scheme does with the error of one step.

use super::{Drawn, Figure};
use driftlab::scene::Quantity::{JointError, JointErrorBefore};
use driftlab::scene::Take;

/// The figures.
pub(crate) const FIGURES: &[Figure] = &[Figure {
    id: "orders",
    source: "Orders in h (Anitescu & Hart 2004, theorem 4.1; Cline & Pai 2003, eq. 10)",
    title: "Six-link chain, swung: largest joint error against the time step",
    scene: "chain-swung",
    drawn: Drawn::OverStep {
        lines: &[
            ("none", JointError),
            ("baumgarte_velocity,alpha=50", JointError),
            ("anitescu_hart", JointError),
            ("implicit", JointError),
            ("post_stabilization", JointErrorBefore),
            ("post_stabilization", JointError),
            ("post_stabilization,max_iterations=2", JointError),
        ],
        steps: &[1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4, 3.125e-4, 1.5625e-4],
        take: Take::Largest,
    },
}];
