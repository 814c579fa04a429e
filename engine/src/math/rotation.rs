//! Rotations of the plane and the two identities that every constraint derivative uses.
//!
//! With `perp(r) = (−r.y, r.x)` a point fixed to a body at the arm r moves with ω perp(r),
//! and `perp(r)·n = cross(r, n)`.

use glam::DVec2;

/// A quarter turn counter-clockwise: the velocity of the arm `r` at ω = 1.
#[inline]
pub fn perp(r: DVec2) -> DVec2 {
    DVec2::new(-r.y, r.x)
}

/// The out-of-plane component of the cross product, a.x b.y − a.y b.x.
#[inline]
pub fn cross(a: DVec2, b: DVec2) -> f64 {
    a.x * b.y - a.y * b.x
}

/// A rotation by an angle, kept as its cosine and sine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    cos: f64,
    sin: f64,
}

impl Rotation {
    /// The rotation by `angle` radians, counter-clockwise.
    ///
    /// Computed by `libm` in Rust rather than by the platform's C library: the same bits everywhere.
    #[inline]
    pub fn from_angle(angle: f64) -> Self {
        let (sin, cos) = libm::sincos(angle);
        Self { cos, sin }
    }

    /// Turns a body-frame vector into world axes.
    #[inline]
    pub fn apply(self, v: DVec2) -> DVec2 {
        DVec2::new(self.cos * v.x - self.sin * v.y, self.sin * v.x + self.cos * v.y)
    }

    /// Turns a world-axes vector into the body frame.
    #[inline]
    pub fn inverse_apply(self, v: DVec2) -> DVec2 {
        DVec2::new(self.cos * v.x + self.sin * v.y, -self.sin * v.x + self.cos * v.y)
    }
}
