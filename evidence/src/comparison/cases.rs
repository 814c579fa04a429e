//! The cases of the comparison: one scene for each kind of problem.

use super::departure::whole;
use super::motion;
use driftlab::experiment::internal::Trajectory;
use driftlab::method::Stabilizer;
use driftlab::scene::Scene;

/// A scene, its time step and duration, and the reference for its motion.
#[derive(Debug, PartialEq)]
pub struct Case {
    /// Name of its files.
    pub id: &'static str,
    /// What it is about.
    pub name: &'static str,
    /// Key of the shipped scene.
    pub scene: &'static str,
    /// s.
    pub time_step: f64,
    /// s; short enough that the motion has a converged reference.
    pub duration: f64,
    /// The converged motion.
    pub reference: Reference,
}

impl Case {
    /// The time steps of the work–precision plot, s: two octaves about the case's own.
    pub fn steps(&self) -> [f64; 4] {
        [2.0, 1.0, 0.5, 0.25].map(|factor| factor * self.time_step)
    }
}

/// The reference motion: the case's model, stepped by a scheme at a fraction of the case's time step.
#[derive(Debug, PartialEq)]
pub struct Reference {
    /// Key of the scheme.
    pub scheme: &'static str,
    /// How many of its steps make one of the case's.
    pub refined: u32,
}

impl Reference {
    /// Its motion, its time step `coarser` times as long; `None` if it fails.
    pub(super) fn of(&self, scene: &Scene, case: &Case, coarser: u32) -> Option<Trajectory> {
        let scheme = Stabilizer::by_key(self.scheme)?;
        let h = case.time_step * f64::from(coarser) / f64::from(self.refined);
        whole(motion(scene, case, &scheme, h))
    }
}

/// RATTLE, of second order, where there are joints alone; where there are contacts the first-order scheme whose contacts
/// stay apart.
pub static CASES: &[Case] = &[
    Case {
        id: "chain",
        name: "chain of six links",
        scene: "six-link-chain",
        time_step: 1e-3,
        duration: 0.6,
        reference: Reference { scheme: "rattle", refined: 32 },
    },
    Case {
        id: "loop",
        name: "closed loop of four bars",
        scene: "four-bar-loop",
        time_step: 2e-3,
        duration: 2.0,
        reference: Reference { scheme: "rattle", refined: 32 },
    },
    Case {
        id: "slider-crank",
        name: "slider-crank",
        scene: "slider-crank",
        time_step: 1e-3,
        duration: 2.0,
        reference: Reference { scheme: "rattle", refined: 32 },
    },
    Case {
        id: "ellipse",
        name: "ellipse on a tabletop",
        scene: "ellipse-on-tabletop",
        time_step: 0.05,
        duration: 2.0,
        reference: Reference { scheme: "anitescu_hart", refined: 256 },
    },
    Case {
        id: "disks",
        name: "21 disks, collapsing",
        scene: "disks-between-walls",
        time_step: 0.05,
        duration: 2.0,
        reference: Reference { scheme: "anitescu_hart", refined: 32 },
    },
    Case {
        id: "cards",
        name: "card house",
        scene: "card-house",
        time_step: 1.0 / 240.0,
        duration: 0.25,
        reference: Reference { scheme: "anitescu_hart", refined: 8 },
    },
    Case {
        id: "mass-ratio",
        name: "ball on a chain, 1000:1",
        scene: "ball-and-chain",
        time_step: 1e-3,
        duration: 1.0,
        reference: Reference { scheme: "rattle", refined: 16 },
    },
];
