//! Two numbers side by side: x and y of a vector, or those of two things, which have the same operations.
//!
//! Every operation is that of each number alone, with its rounding; a processor that has registers for two makes it once.

pub use wide::f64x2 as Pair;

/// The second number first.
#[inline(always)]
pub fn crossed(pair: Pair) -> Pair {
    let [first, second] = pair.to_array();
    Pair::new([second, first])
}
