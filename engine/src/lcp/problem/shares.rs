//! The quantities of rows by which `acceptance.rs` measures: how much a row moves its bodies, its lever, and maxima.

use glam::DVec3;

/// Largest (r/k)² of an ordinary lever.
const ORDINARY_LEVER: f64 = 100.0;

/// J W Jᵀ.
#[inline]
pub(crate) fn mobility(j: [DVec3; 2], w: [DVec3; 2]) -> f64 {
    j[0].dot(w[0] * j[0]) + j[1].dot(w[1] * j[1])
}

/// 1/μᵢ.
#[inline]
pub(crate) fn reduced_weight(j: [DVec3; 2], w: [DVec3; 2]) -> f64 {
    // A body that takes part on one side alone moves alone.
    let of = |j: DVec3, w: DVec3| if j == DVec3::ZERO { 0.0 } else { w.x };
    of(j[0], w[0]) + of(j[1], w[1])
}

/// 1/(Aᵢᵢ μᵢ) from 1/μᵢ and J W Jᵀ.
#[inline]
pub(crate) fn share_of(reduced: f64, mobility: f64) -> f64 {
    if mobility > 0.0 && reduced > 0.0 { reduced / mobility } else { 1.0 }
}

/// The size of J v of one body if its parts did not cancel: at least |J||v|, at most twice that.
#[inline]
pub(crate) fn magnitude(j: DVec3, v: DVec3) -> f64 {
    (j.x.abs() + j.y.abs()) * (v.x.abs() + v.y.abs()) + (j.z * v.z).abs()
}

/// Largest over smallest mass of the bodies that move.
pub(crate) fn mass_ratio(weight: &[DVec3]) -> f64 {
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for w in weight.iter().filter(|w| w.x > 0.0) {
        (least, most) = (least.min(w.x), most.max(w.x));
    }
    if most > 0.0 { most / least } else { 1.0 }
}

/// The largest of numbers that are not negative, NaN if any is NaN.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Maximum {
    most: f64,
    lost: bool,
}

impl Maximum {
    // Without a branch, as in `math/vectors.rs`.
    #[inline]
    pub fn take(&mut self, x: f64) {
        self.most = if x > self.most { x } else { self.most };
        self.lost |= x.is_nan();
    }

    pub fn get(&self) -> f64 {
        if self.lost { f64::NAN } else { self.most }
    }
}

/// The largest (r/k)² of the rows taken, as a quotient.
pub(crate) struct LongestLever {
    turning: f64,
    along: f64,
}

impl Default for LongestLever {
    fn default() -> Self {
        Self { turning: 0.0, along: 1.0 }
    }
}

impl LongestLever {
    #[inline]
    pub fn take(&mut self, j: [DVec3; 2], w: [DVec3; 2]) {
        for (j, w) in j.into_iter().zip(w) {
            let (turning, along) = (w.z * j.z * j.z, w.x * (j.x * j.x + j.y * j.y));
            // Compared without a division.
            if along > 0.0
                && turning > ORDINARY_LEVER * along
                && turning * self.along > self.turning * along
            {
                (self.turning, self.along) = (turning, along);
            }
        }
    }

    /// Returns the largest (r/k)² as a multiple of [`ORDINARY_LEVER`], at least 1.
    pub fn beyond_ordinary(&self) -> f64 {
        (self.turning / (ORDINARY_LEVER * self.along)).max(1.0)
    }
}

/// The larger one, NaN if any is NaN.
#[inline]
pub(crate) fn larger(x: f64, y: f64) -> f64 {
    if y > x || y.is_nan() && !x.is_nan() { y } else { x }
}
