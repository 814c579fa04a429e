//! Two numbers side by side: x and y of a vector, or a row and its partner, which have the same operations.
//!
//! Every operation is that of each number alone, with its rounding; a processor that has registers for two makes it once.

pub use wide::f64x2 as Pair;

/// Each number twice.
#[inline(always)]
pub fn twice(pair: Pair) -> [Pair; 2] {
    pair.to_array().map(Pair::splat)
}

/// The second number first.
#[inline(always)]
pub fn crossed(pair: Pair) -> Pair {
    let [first, second] = pair.to_array();
    Pair::new([second, first])
}
