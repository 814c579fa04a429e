//! What contacts must do, from the impulses p_n, p_t of a line and the velocities around the step:
//!
//! ```text
//! 0 ≤ p_n  ⊥  w ≥ 0 ,  gap = 0 where p_n > 0      w = n·(ẋ_b − ẋ_a) after the step
//! |p_t| ≤ μ p_n ,      p_t s ≤ 0                    s = t·(ẋ_b − ẋ_a) + that of the surfaces
//! s = 0  where |p_t| < μ p_n                        a contact that should stick: s is its creep
//! w = −e w⁻  of an impact                           w⁻ before the step
//! ```
//!
//! An impact is a contact that pushes and approaches faster than the weight makes it in [`RESTING_STEPS`] steps.

use super::impulses::{Pressed, tangent};
use super::moment::Moment;
use crate::model::World;
use glam::{DVec2, DVec3};

/// Steps of free fall whose speed is none of an impact.
const RESTING_STEPS: f64 = 4.0;
/// Share of the cone up to which a contact should stick.
const INSIDE: f64 = 1.0 - 1e-3;

/// What a contact did in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Touched {
    /// p_n, N s.
    pub normal: f64,
    /// p_n w, J: positive where it pushes what separates.
    pub product: f64,
    /// |p_t| − μ p_n where that is positive, N s; none where μ is not known.
    pub beyond_cone: Option<f64>,
    /// p_t s where that is positive, J: friction that drives.
    pub driving: f64,
    /// |s| of a contact that should stick, m/s.
    pub creep: Option<f64>,
    /// w + e w⁻ of an impact, m/s; and −w/w⁻.
    pub impact: Option<[f64; 2]>,
    /// The gap of one that pushes, m.
    pub gap: Option<f64>,
}

/// Judges a contact; the arms are those of the poses at which its point is stated.
pub(super) fn judged(
    world: &World,
    contact: &Pressed,
    arms_at: &Moment,
    [begin, end]: [&Moment; 2],
    h: f64,
) -> Touched {
    let [p_n, p_t, _] = contact.impulse;
    let [a, b] = contact.bodies;
    let along = |direction: DVec2, v: &[DVec3]| {
        let at = |body: usize, point: DVec2| {
            let r = point - arms_at.q[body].truncate();
            v[body].truncate() + v[body].z * r.perp()
        };
        direction.dot(at(b, contact.points[1]) - at(a, contact.points[0]))
    };
    let (n, t) = (contact.normal, tangent(contact.normal));
    let (w, before) = (along(n, &end.v), along(n, &begin.v));
    let slip = along(t, &end.v) - contact.speed;
    let sticks = |mu: f64| p_n > 0.0 && p_t.abs() < INSIDE * mu * p_n;
    let least = RESTING_STEPS * h * world.gravity().length();
    let is_impact = p_n > 0.0 && before < -least;
    Touched {
        normal: p_n,
        product: p_n * w,
        beyond_cone: contact.friction.map(|mu| (p_t.abs() - mu * p_n.max(0.0)).max(0.0)),
        driving: (p_t * slip).max(0.0),
        creep: contact.friction.filter(|mu| sticks(*mu)).map(|_| slip.abs()),
        impact: contact.restitution.filter(|_| is_impact).map(|e| [w + e * before, -w / before]),
        gap: contact.gap.filter(|_| p_n > 0.0),
    }
}
