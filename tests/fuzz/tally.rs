//! What became of the inputs of a target, counted by words.

use std::collections::BTreeMap;
use std::fmt;

/// Counts of what has been met.
#[derive(Default)]
pub struct Tally(BTreeMap<String, u64>);

impl Tally {
    pub fn count(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(what, count)| writeln!(f, "{count:>10}  {what}"))
    }
}
