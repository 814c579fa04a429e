//! Rows that several kinds of joints have: two points coincide, two bodies keep their relative angle.
//!
//! ```text
//! g  = d = (x_b + r_b) − (x_a + r_a)                      2 rows, m
//! ġ  = v_b + ω_b r_b^⊥ − v_a − ω_a r_a^⊥
//! J  = [ −1  0   r_a.y | 1  0  −r_b.y ]
//!      [  0 −1  −r_a.x | 0  1   r_b.x ]
//! k  = −ω_b² r_b + ω_a² r_a
//!
//! g  = θ_b − θ_a − θ₀                                     1 row, rad
//! ġ  = ω_b − ω_a
//! J  = [ 0  0  −1 | 0  0  1 ]
//! k  = 0
//! ```

use super::arms::Arms;
use super::{Equation, Unit};
use crate::model::body::Frame;
use glam::DVec3;

/// The two rows g = d of the hinge and the weld.
#[inline]
pub(super) fn coincidence(arms: &Arms, mut emit: impl FnMut(Equation)) {
    let Arms { r_a, r_b, d, centripetal, .. } = arms;
    emit(Equation {
        g: d.x,
        ja: DVec3::new(-1.0, 0.0, r_a.y),
        jb: DVec3::new(1.0, 0.0, -r_b.y),
        k: centripetal.x,
        unit: Unit::Metre,
    });
    emit(Equation {
        g: d.y,
        ja: DVec3::new(0.0, -1.0, -r_a.x),
        jb: DVec3::new(0.0, 1.0, r_b.x),
        k: centripetal.y,
        unit: Unit::Metre,
    });
}

/// The row g = θ_b − θ_a − θ₀ of the weld and the slider; with θ₀ = 0 the free coordinate of the hinge.
#[inline]
pub(super) fn equal_angles(reference_angle: f64, a: &Frame, b: &Frame) -> Equation {
    Equation {
        g: b.angle - a.angle - reference_angle,
        ja: DVec3::new(0.0, 0.0, -1.0),
        jb: DVec3::new(0.0, 0.0, 1.0),
        k: 0.0,
        unit: Unit::Radian,
    }
}
