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

    /// How often what begins with `what` has been counted.
    pub fn of(&self, what: &str) -> u64 {
        self.0.iter().filter(|(key, _)| key.starts_with(what)).map(|(_, count)| count).sum()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(what, count)| writeln!(f, "{count:>10}  {what}"))
    }
}
