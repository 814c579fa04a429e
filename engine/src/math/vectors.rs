//! Sums and norms of vectors, and rotations.

use glam::{DVec2, DVec3};

/// Returns [f(x₀), f(x₁), …]: `map` of arrays for the inner loops. That one is a call for each array, its results moved
/// through memory, wherever the engine is built as several units (a dependant's default).
#[inline(always)]
pub fn mapped<X: Copy, Y: Copy + Default, const N: usize>(x: [X; N], f: impl Fn(X) -> Y) -> [Y; N] {
    let mut y = [Y::default(); N];
    for (y, x) in y.iter_mut().zip(x) {
        *y = f(x);
    }
    y
}

/// x ← x + factor dx.
pub fn add(x: &mut [f64], factor: f64, dx: &[f64]) {
    for (x, dx) in x.iter_mut().zip(dx) {
        *x += factor * dx;
    }
}

/// Returns max |xᵢ|, 0 for an empty list, NaN as soon as one is NaN: a fold over `f64::max` would drop NaN, and a simulation that
/// has blown up would score an error of zero.
#[inline]
pub fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    // Without a branch, and by the list's own `fold`, without which chained or filtered lists are slow.
    let (largest, lost) = numbers.into_iter().fold((0.0, false), |(largest, lost), x| {
        let x = x.abs();
        (if x > largest { x } else { largest }, lost | x.is_nan())
    });
    if lost { f64::NAN } else { largest }
}

/// A rotation by an angle, kept as the vector of its cosine and sine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation(DVec2);

impl Rotation {
    /// The rotation by `angle` radians, counter-clockwise.
    ///
    /// Computed by `libm` in Rust rather than by the platform's C library: the same bits everywhere.
    #[inline]
    pub fn from_angle(angle: f64) -> Self {
        let (sin, cos) = libm::sincos(angle);
        Self(DVec2::new(cos, sin))
    }

    /// Turns a body-frame vector into world axes.
    #[inline]
    pub fn apply(self, v: DVec2) -> DVec2 {
        self.0.rotate(v)
    }

    /// Turns a world-axes vector into the body frame.
    #[inline]
    pub fn inverse_apply(self, v: DVec2) -> DVec2 {
        DVec2::new(self.0.x, -self.0.y).rotate(v)
    }
}

/// x / w component by component, with 0 for a component that cannot move, w = 0.
#[inline]
pub fn over(x: DVec3, w: DVec3) -> DVec3 {
    DVec3::select(w.cmpgt(DVec3::ZERO), x / w, DVec3::ZERO)
}
