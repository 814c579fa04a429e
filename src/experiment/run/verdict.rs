//! Published figures beside the measured ones.

use crate::scene::Reference;
use serde::Serialize;

/// A published figure beside the measured one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The figure's label.
    pub label: String,
    /// Name of the quantity.
    pub quantity: &'static str,
    /// `at_most`, `at_least` or `about`.
    pub bound: &'static str,
    /// The published value.
    pub expected: f64,
    /// The largest value measured in the figure's time window; absent where the run did not reach it.
    pub measured: Option<f64>,
    /// Whether the measured value satisfies the bound.
    pub holds: Option<bool>,
}

impl Verdict {
    /// The verdict on a figure for which nothing has been measured yet.
    pub(crate) fn unmeasured(target: &Reference) -> Self {
        Self {
            label: target.label.clone(),
            quantity: target.quantity.key(),
            bound: target.bound.key(),
            expected: target.bound.value(),
            measured: None,
            holds: None,
        }
    }
}
