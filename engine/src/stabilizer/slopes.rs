//! What the integrators of the acceleration level keep between their stages.

use super::forces::Beginning;
use glam::DVec3;

/// Memory of the acceleration level.
#[derive(Debug, Default)]
pub(super) struct Slopes {
    /// q and v at the start of a Runge–Kutta step, and the weighted sums of their slopes.
    pub start: [Vec<DVec3>; 2],
    pub sums: [Vec<DVec3>; 2],
    /// How every unilateral row began an explicit step: all its stages have these contacts, those that are near stay so, and
    /// the slip to be stopped within the step is that of its start, not what the stages' own velocities slip by.
    pub beginnings: Vec<Beginning>,
    /// Which unilateral rows have rebounded at the start of the step.
    pub rebounded: Vec<bool>,
    /// The stabilizing part of the right-hand side.
    pub stabilizing: Vec<f64>,
    /// Forces of springs and the grab.
    pub soft: Vec<f64>,
}
