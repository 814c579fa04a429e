//! Damping of a body's motion, and the drag of the air around it.
//!
//! With v and ω the velocity and angular velocity of the body, w the wind ([`World::set_wind`]) and u = v − w,
//!
//! ```text
//! F = −c v − (c₁ + c₂ |u|) u ,     moment = −c_θ ω
//! ```
//!
//! c and c₁ in N s/m, c₂ in N s²/m² (½ ρ C_d A of a body in air), c_θ in N m s. Engines that damp by a rate c/m, 1/s, have c = m
//! times that rate, and c_θ = I times it.
//!
//! **In a step** the force is taken at the velocity v₀ with which the step, substep or half step of length τ begins, and its
//! slope D = c + c₁ + 2 c₂ |u| (c_θ for the angle) enters the masses: with D frozen, the body alone obeys
//!
//! ```text
//! M v̇ = F₀ + F(v₀) − D (v − v₀) ,     v(τ) = v₀ + τ K⁻¹ (F₀ + F(v₀)) ,     K⁻¹ = φ(τ D M⁻¹) M⁻¹ ,   φ(z) = (1 − e^{−z})/z
//! ```
//!
//! exactly [Hochbruck & Ostermann 2010, the exponential Rosenbrock–Euler method]. K = M + ½ τ D + … takes the place of M in
//! all rows of the step, so that impulses are damped, too; corrections of positions keep M. Linear damping of a
//! free body is exact at every step, whatever c; the speed at which drag balances a force is a fixed point, to rounding;
//! a body that quadratic drag alone stops loses at most half of its speed in a step. A body without damping and drag keeps K = M.
//! Explicit Euler and Runge–Kutta take F(v) as a force, like springs.
//!
//! [`World::set_wind`]: crate::model::World::set_wind

use super::error::{ModelError, not_negative};
use glam::{DVec2, DVec3};

/// Damping of a body and the drag of the air on it; none by default.
///
/// ```
/// use driftlab::prelude::*;
///
/// // A stone of 2 kg whose speed decays by e in 4 s.
/// let mut world = World::new(DVec2::ZERO);
/// let stone = Body::dynamic().shape(Shape::circle(0.1)).mass(2.0).velocity([3.0, 0.0]);
/// let stone = world.add_body(stone.damping(Damping { linear: 0.5, ..Damping::default() }))?;
/// step(&mut world, &Method::none(), 4.0, &mut Workspace::default())?;
/// assert!((world[stone].velocity.linear.x - 3.0 / std::f64::consts::E).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Damping {
    /// c, N s/m: against the velocity in the world.
    pub linear: f64,
    /// c_θ, N m s: against the angular velocity.
    pub angular: f64,
    /// c₁, N s/m: against the velocity relative to the wind.
    pub drag: f64,
    /// c₂, N s²/m²: against the velocity relative to the wind, times that speed.
    pub quadratic_drag: f64,
}

impl Damping {
    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Force and moment at the velocity `v` (N, N, N m) in the wind, and the diagonal of D.
    pub(crate) fn at(&self, v: DVec3, wind: DVec2) -> [DVec3; 2] {
        let Self { linear, angular, drag, quadratic_drag } = *self;
        let u = v.truncate() - wind;
        let quadratic = quadratic_drag * libm::hypot(u.x, u.y);
        let force = -linear * v.truncate() - (drag + quadratic) * u;
        let slope = linear + drag + 2.0 * quadratic;
        [force.extend(-angular * v.z), DVec3::new(slope, slope, angular)]
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        not_negative("linear damping", self.linear)?;
        not_negative("angular damping", self.angular)?;
        not_negative("linear drag", self.drag)?;
        not_negative("quadratic drag", self.quadratic_drag)
    }
}

/// φ(z) = (1 − e^{−z})/z by component, 1 at z = 0.
pub(crate) fn mean_decay(z: DVec3) -> DVec3 {
    let share = |z: f64| if z > 0.0 { -libm::expm1(-z) / z } else { 1.0 };
    DVec3::new(share(z.x), share(z.y), share(z.z))
}
