//! The geometry that all joints share: arms, the vector between the anchors, and its derivatives.

use crate::math::perp;
use crate::model::body::Frame;
use glam::DVec2;

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
