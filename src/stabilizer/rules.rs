//! Which contacts are in the problem of a step, and how they rebound.
//!
//! Two bounds decide about a contact with gap φ. Schemes whose contact row carries a gap term (Anitescu & Hart, implicit,
//! projection, …) take every contact with φ ≤ ε̂, the *active distance*, with its free travel φ/h. Schemes
//! whose row has none (`none`, the dynamics step of post-stabilization, the acceleration level) take those with φ ≤ the
//! *contact tolerance*: any more would freeze bodies in the air.
//!
//! A missed impact, a fall per step of more than ε̂, freezes a penetration in. `active_travel` makes ε̂ relative to speed:
//! at n, every pair that could meet within n steps at its present speeds is in the problem, and nothing tunnels.

use crate::model::World;

/// Default of ε̂, in sizes of the smallest shape.
const ACTIVE_SHARE: f64 = 1e-2;
/// Default of the contact tolerance, in sizes of the smallest shape.
const TOLERANCE_SHARE: f64 = 1e-4;
/// Default of the restitution threshold, in speeds that gravity gives within a step: below it a resting contact
/// would bounce on its own weight.
const THRESHOLD_STEPS: f64 = 2.0;

/// How an impact rebounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restitution {
    /// Newton's law, J v⁺ ≥ −e J v, in the right-hand side [Trefny's c].
    #[default]
    Newton,
    /// Poisson's law in two phases: compression with e = 0, then decompression with e times its normal impulse
    /// [Anitescu & Potra 1997].
    AnitescuPotra,
}

impl Restitution {
    /// All laws, in the order of the panel.
    pub const ALL: [Self; 2] = [Self::Newton, Self::AnitescuPotra];

    /// Name in scene files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::AnitescuPotra => "anitescu_potra",
        }
    }
}

/// What a method says about contacts; a number that is not given follows from the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactRules {
    /// ε̂, m; default a hundredth of the smallest shape.
    pub active_distance: Option<f64>,
    /// m; default a ten-thousandth of the smallest shape.
    pub contact_tolerance: Option<f64>,
    /// Steps of travel, at the pair's present speeds, within which a contact is in the problem; 0: ε̂ alone.
    pub active_travel: f64,
    /// The law of impact.
    pub restitution: Restitution,
    /// Slower impacts do not rebound, m/s; default twice the speed that gravity gives in a step.
    pub restitution_threshold: Option<f64>,
}

impl ContactRules {
    /// ε̂ in `world`, m.
    pub fn active_distance_in(&self, world: &World) -> f64 {
        self.active_distance.unwrap_or_else(|| ACTIVE_SHARE * smallest_shape(world))
    }

    /// The contact tolerance in `world`, m.
    pub fn contact_tolerance_in(&self, world: &World) -> f64 {
        self.contact_tolerance.unwrap_or_else(|| TOLERANCE_SHARE * smallest_shape(world))
    }

    /// The restitution threshold in `world` at time step `h`, m/s.
    pub fn restitution_threshold_in(&self, world: &World, h: f64) -> f64 {
        self.restitution_threshold.unwrap_or_else(|| THRESHOLD_STEPS * h * world.gravity.length())
    }
}

/// Smallest extent of a shape that collides, m; 0 where nothing does.
fn smallest_shape(world: &World) -> f64 {
    let shapes = world.bodies().iter().filter(|body| body.collides).flat_map(|body| body.shapes());
    let smallest = shapes.map(|placed| placed.shape.smallest_extent()).fold(f64::INFINITY, f64::min);
    if smallest.is_finite() { smallest } else { 0.0 }
}
