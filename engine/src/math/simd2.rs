//! Two numbers side by side, such as x and y of a vector, to which the same operations apply.
//!
//! Every operation rounds each number as if it were alone; a processor with registers for two numbers executes it once.

pub use wide::f64x2 as Pair;

/// Swaps the two numbers.
#[inline(always)]
pub fn crossed(pair: Pair) -> Pair {
    let [first, second] = pair.to_array();
    Pair::new([second, first])
}
