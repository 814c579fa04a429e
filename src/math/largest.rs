//! The largest magnitude of a list, NaN if any of it is NaN.
//!
//! A fold over `f64::max` drops NaN, so that a simulation that has blown up would score an error of zero.

/// max |xᵢ|, 0 for an empty list, NaN as soon as one is NaN.
#[inline]
pub fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut largest = 0.0;
    for x in numbers {
        let x = x.abs();
        if x > largest || x.is_nan() {
            largest = x;
        }
        if largest.is_nan() {
            break;
        }
    }
    largest
}
