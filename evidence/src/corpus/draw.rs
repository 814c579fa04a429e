//! Numbers and choices that random worlds draw.

use fastrand::Rng;

pub(super) fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}

pub(super) fn pick<'a, T>(rng: &mut Rng, list: &'a [T]) -> &'a T {
    &list[rng.usize(0..list.len())]
}

/// With four significant digits: such a scene can be read, and copied by hand.
pub(super) fn short(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let unit = libm::exp10(3.0 - libm::floor(libm::log10(x.abs())));
    libm::round(x * unit) / unit
}
