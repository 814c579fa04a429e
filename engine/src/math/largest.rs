//! The largest magnitude of a list, NaN if any of it is NaN.
//!
//! A fold over `f64::max` drops NaN, so that a simulation that has blown up would score an error of zero.

/// max |xᵢ|, 0 for an empty list, NaN as soon as one is NaN.
#[inline]
pub fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    // Without a branch, and by the list's own loop: lists that are chained or filtered are fast only so.
    let (largest, lost) = numbers.into_iter().fold((0.0, false), |(largest, lost), x| {
        let x = x.abs();
        (if x > largest { x } else { largest }, lost | x.is_nan())
    });
    if lost { f64::NAN } else { largest }
}
