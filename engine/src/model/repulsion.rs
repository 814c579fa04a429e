//! The mouse's repulsive force, as in Cline & Pai's rectangle demo.
//!
//! Each dynamic body whose surface comes within the radius R of the cursor c is pushed away from it. With p the
//! point of the body nearest to c and s = |p − c| < R its distance,
//!
//! ```text
//! F = S (1 − s/R) (p − c)/s      at p ,  so that it also turns the body
//! ```
//!
//! S in N. Inside the body (s = 0) the force has its full size S, from the cursor towards the centre of mass. The
//! paper does not state its law; this one is continuous at R and bounded. The force is explicit: it is evaluated at
//! the pose at the start of the step.

use super::error::{ModelError, finite, finite_vector, positive};
use glam::DVec2;

/// A point that pushes bodies away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repulsion {
    /// c, m.
    pub center: DVec2,
    /// R > 0, m.
    pub radius: f64,
    /// S, N.
    pub strength: f64,
}

impl Repulsion {
    pub(super) fn check(&self) -> Result<(), ModelError> {
        finite_vector("centre of the repulsion", self.center)?;
        positive("radius of the repulsion", self.radius)?;
        finite("strength of the repulsion", self.strength)?;
        Ok(())
    }
}
