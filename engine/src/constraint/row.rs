//! One scalar row between two bodies: J, the error g, k = J̇ v.

use crate::lcp::{End, JacobianRow};
use crate::model::joint::Unit;
use glam::DVec3;

/// One scalar row between two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Index of body a.
    pub a: usize,
    /// Index of body b; equal to `a` for the grab, whose row has ja = 0.
    pub b: usize,
    /// ∂g/∂q of body a.
    pub ja: DVec3,
    /// ∂g/∂q of body b.
    pub jb: DVec3,
    /// The error g of a joint, the elongation s of a spring; zero for a non-holonomic row.
    pub g: f64,
    /// k = J̇ v.
    pub k: f64,
    /// The unit of g.
    pub unit: Unit,
}

impl Row {
    /// J v.
    #[inline]
    pub fn rate(&self, v: &[DVec3]) -> f64 {
        self.ja.dot(v[self.a]) + self.jb.dot(v[self.b])
    }

    /// v ← v + W Jᵀ λ, with W the diagonal inverse metric.
    #[inline]
    pub fn push(&self, lambda: f64, weight: &[DVec3], v: &mut [DVec3]) {
        v[self.a] += weight[self.a] * self.ja * lambda;
        v[self.b] += weight[self.b] * self.jb * lambda;
    }
}

impl JacobianRow for Row {
    fn bodies(&self) -> [usize; 2] {
        [self.a, self.b]
    }

    fn side(&self, end: End) -> DVec3 {
        match end {
            End::First => self.ja,
            End::Second => self.jb,
        }
    }
}
