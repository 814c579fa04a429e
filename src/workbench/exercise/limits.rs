//! A range in which a figure has to lie.

use serde::{Deserialize, Serialize};

/// A range, open where a limit is not given.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// The lower limit.
    pub at_least: Option<f64>,
    /// The upper limit.
    pub at_most: Option<f64>,
}

impl Limits {
    /// Whether a figure lies within it.
    pub fn hold(self, x: f64) -> bool {
        !x.is_nan()
            && self.at_least.is_none_or(|limit| x >= limit)
            && self.at_most.is_none_or(|limit| x <= limit)
    }
}
