//! The largest magnitude of a list, NaN if any of it is NaN.
//!
//! A fold over `f64::max` drops NaN, so that a simulation that has blown up would score an error of zero.

use super::pair::Pair;

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

/// The largest magnitudes of the first and of the second numbers taken so far, NaN if any is NaN.
#[derive(Clone, Copy, Debug, Default)]
pub struct LargestPair {
    most: Pair,
    /// Not zero where a number was NaN.
    lost: Pair,
}

impl LargestPair {
    /// Takes two numbers.
    #[inline(always)]
    pub fn take(&mut self, pair: Pair) {
        let size = pair.abs();
        self.most = size.fast_max(self.most);
        self.lost |= size.is_nan();
    }

    /// Takes two pairs.
    #[inline(always)]
    pub fn take_both(&mut self, one: Pair, other: Pair) {
        self.most = one.abs().fast_max(other.abs()).fast_max(self.most);
        self.lost |= one.simd_ne(one) | other.simd_ne(other);
    }

    /// The largest magnitudes; 0 of no numbers.
    #[inline]
    pub fn get(self) -> [f64; 2] {
        let lost = self.lost.to_array().map(|mask| mask.to_bits() != 0);
        let [first, second] = self.most.to_array();
        [if lost[0] { f64::NAN } else { first }, if lost[1] { f64::NAN } else { second }]
    }

    /// The larger of the two.
    #[inline]
    pub fn largest(self) -> f64 {
        largest(self.get())
    }
}

#[cfg(test)]
mod tests {
    //! A NaN that is taken is never lost, in whichever place and order.

    use super::*;

    #[test]
    fn the_largest_of_pairs_is_nan_if_any_number_is() {
        let of = |numbers: &[[f64; 2]]| {
            let mut most = LargestPair::default();
            numbers.iter().for_each(|pair| most.take(Pair::new(*pair)));
            most
        };
        assert_eq!(of(&[]).get(), [0.0, 0.0]);
        assert_eq!(of(&[[1.0, -3.0], [-2.0, 0.5]]).get(), [2.0, 3.0]);
        for [first, second] in [[f64::NAN, 1.0], [1.0, f64::NAN]] {
            for numbers in [[[first, second], [2.0, 4.0]], [[2.0, 4.0], [first, second]]] {
                let most = of(&numbers);
                assert_eq!(most.get().map(f64::is_nan), [first.is_nan(), second.is_nan()]);
                assert!(most.largest().is_nan());
            }
        }
    }
}
