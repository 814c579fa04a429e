//! A corpus of hard step problems, and what each method of the solver `auto` contributes on it.
//!
//! Worlds are drawn at random from the [`FAMILIES`], by a seed, and stepped. A problem is hard where the first attempt of `auto`
//! does not solve it. Each is kept as it stood in its step, with its warm start, and solved again by `auto` and by `auto`
//! without one of its methods: a method that changes nothing when it is left out is not needed.
//!
//! [`anything`] draws worlds of every kind, consistent or not, for campaigns that ask whether a run goes on.
//!
//! Nothing here reads a clock: a caller that wants times passes one.

pub mod anything;
mod draw;
mod driven;
mod families;
mod score;

pub use families::{FAMILIES, Family};
pub use score::{Row, Tallies, Tally, Variant, csv, markdown, score, variants};
