//! Writes runs of other engines as driftlab recordings: a recorder for each engine, behind a feature of its name, that reads a
//! world before its first step and after every step.
//!
//! | feature | engine | what its lines have |
//! |---|---|---|
//! | `rapier2d`, `rapier2d-f64` | Rapier | poses, velocities, joints, contacts, forces of the user |
//! | `boxdd` | Box2D 3 by its safe crate | poses, velocities, joints with the engine's own separations, contacts |
//!
//! Avian has a package of its own beside this one, `driftlab-probe-avian`.
//!
//! Impulses of contacts are sums over the whole step. Of joints both engines keep only those of the last substep: a line has them
//! times the number of substeps, which is exact where a step is one substep (`num_solver_iterations` 1 in Rapier, 1 substep in
//! Box2D); the header says so in `left_out`.

#[cfg(any(feature = "rapier2d", feature = "rapier2d-f64", feature = "boxdd"))]
mod book;

/// Rapier in single precision.
#[cfg(feature = "rapier2d")]
pub mod rapier2d {
    use ::rapier2d as engine;
    const NAME: &str = "rapier2d";
    const PRECISION: driftlab_probe::format::Precision = driftlab_probe::format::Precision::F32;
    include!("rapier.rs");
}

/// Rapier in double precision.
#[cfg(feature = "rapier2d-f64")]
pub mod rapier2d_f64 {
    use ::rapier2d_f64 as engine;
    const NAME: &str = "rapier2d-f64";
    const PRECISION: driftlab_probe::format::Precision = driftlab_probe::format::Precision::F64;
    include!("rapier.rs");
}

#[cfg(feature = "boxdd")]
pub mod boxdd;
