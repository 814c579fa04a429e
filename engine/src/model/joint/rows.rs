//! The equations that several kinds of joints share: the arms, the row of two points that coincide, that of two bodies that keep
//! their relative angle.
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

use super::{Equation, Unit};
use crate::math::perp;
use crate::model::body::Frame;
use glam::{DVec2, DVec3};

/// Two anchors in world axes.
///
/// d  = (x_b + r_b) − (x_a + r_a)
/// ḋ  = (v_b + ω_b r_b^⊥) − (v_a + ω_a r_a^⊥)
/// d̈  = v̇ terms (in J v̇) + (−ω_b² r_b + ω_a² r_a), the last being `centripetal`
pub(super) struct Arms {
    pub r_a: DVec2,
    pub r_b: DVec2,
    pub d: DVec2,
    pub d_dot: DVec2,
    pub centripetal: DVec2,
}

impl Arms {
    #[inline]
    pub fn new([anchor_a, anchor_b]: [DVec2; 2], a: &Frame, b: &Frame) -> Self {
        let r_a = a.rotation.apply(anchor_a);
        let r_b = b.rotation.apply(anchor_b);
        Self {
            r_a,
            r_b,
            d: (b.position - a.position) + (r_b - r_a),
            d_dot: (b.linear - a.linear) + (b.angular * perp(r_b) - a.angular * perp(r_a)),
            centripetal: a.angular * a.angular * r_a - b.angular * b.angular * r_b,
        }
    }
}

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
