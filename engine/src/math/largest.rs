//! The largest magnitude of a list, NaN if any of it is NaN.
//!
//! A fold over `f64::max` drops NaN, so that a simulation that has blown up would score an error of zero.

/// The largest magnitude of the numbers taken so far, NaN if any is NaN.
#[derive(Clone, Copy, Debug, Default)]
pub struct Largest {
    most: f64,
    lost: bool,
}

impl Largest {
    /// Takes a number.
    #[inline]
    pub fn take(&mut self, x: f64) {
        let x = x.abs();
        self.most = if x > self.most { x } else { self.most };
        self.lost |= x.is_nan();
    }

    /// The largest magnitude; 0 of no number.
    #[inline]
    pub fn get(self) -> f64 {
        if self.lost { f64::NAN } else { self.most }
    }
}

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
