//! The mouse's push, a repulsive force: its reach and strength.

use super::framing;
use crate::model::{Repulsion, World};
use crate::workbench::text::format::round_down;
use glam::DVec2;

/// Initial reach, as a share of the view's height.
const SHARE: f64 = 0.2;
/// Width of a usual canvas over its height.
const ASPECT: f64 = 1.6;
/// Initial strength, in weights of the heaviest body.
const WEIGHTS: f64 = 4.0;
/// Acceleration used in place of gravity if there is none, m/s².
const ORDINARY: f64 = 10.0;
/// Factor of the strength per notch of the wheel: ten notches make a factor of ten.
const STRENGTH_NOTCH: f64 = 1.258_925_411_794_167_2;
/// Factor of the reach per notch of the wheel.
const RADIUS_NOTCH: f64 = 1.1;
/// Smallest and largest reach and strength, relative to the initial ones.
const RADIUS_RANGE: [f64; 2] = [0.05, 10.0];
const STRENGTH_RANGE: [f64; 2] = [1e-3, 1e4];

/// How the mouse pushes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// How far it reaches, m.
    pub radius: f64,
    /// The force at the cursor, N.
    pub strength: f64,
    /// Initial reach and strength for the scene.
    suited: [f64; 2],
}

impl Push {
    /// A push that reaches a fifth of the view with several times the largest weight, so that bodies fly but stay in view.
    pub fn suited(world: &World) -> Self {
        let [low, high] = framing::frame(world);
        let size = high - low;
        let radius = two_digits(SHARE * size.y.max(size.x / ASPECT));
        let strength = two_digits(WEIGHTS * largest_weight(world));
        Self { radius, strength, suited: [radius, strength] }
    }

    /// Smallest and largest radius, m.
    pub fn radius_range(&self) -> [f64; 2] {
        RADIUS_RANGE.map(|share| share * self.suited[0])
    }

    /// Smallest and largest strength, N.
    pub fn strength_range(&self) -> [f64; 2] {
        STRENGTH_RANGE.map(|share| share * self.suited[1])
    }

    /// The wheel turns by `notches` while the mouse pushes.
    pub fn turn_strength(&mut self, notches: f64) {
        let [low, high] = self.strength_range();
        self.strength = (self.strength * STRENGTH_NOTCH.powf(notches)).clamp(low, high);
    }

    /// The wheel turns by `notches` with Ctrl.
    pub fn turn_radius(&mut self, notches: f64) {
        let [low, high] = self.radius_range();
        self.radius = (self.radius * RADIUS_NOTCH.powf(notches)).clamp(low, high);
    }

    /// The force about the world point `center`.
    pub fn at(&self, center: DVec2) -> Repulsion {
        Repulsion { center, radius: self.radius, strength: self.strength }
    }
}

/// Weight of the heaviest body that moves, N; 1 N where none does.
pub fn largest_weight(world: &World) -> f64 {
    let weight = gravity(world) * masses(world).fold(0.0, f64::max);
    if weight > 0.0 && weight.is_finite() { weight } else { 1.0 }
}

/// The magnitude of gravity, or of its substitute if there is none, m/s².
pub fn gravity(world: &World) -> f64 {
    let g = world.gravity().length();
    if g > 0.0 { g } else { ORDINARY }
}

fn masses(world: &World) -> impl Iterator<Item = f64> {
    world.bodies().iter().filter(|body| body.is_dynamic()).map(|body| body.mass_properties().mass)
}

/// `value` to two digits, so that sliders start at round numbers.
pub fn two_digits(value: f64) -> f64 {
    let unit = 0.1 * 10f64.powf(value.abs().log10().floor());
    let rounded = (value / unit).round() * unit;
    if rounded.is_finite() && rounded > 0.0 { rounded } else { round_down(1.0) }
}
