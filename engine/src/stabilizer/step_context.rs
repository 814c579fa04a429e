//! What a step, or a part of it, is about.

use super::Method;
use crate::model::World;
use crate::parameter::Values;

/// The world as it was, the method, and the time that the step spans.
#[derive(Clone, Copy)]
pub(super) struct StepContext<'a> {
    pub world: &'a World,
    pub method: &'a Method,
    /// Time at its start, s.
    pub time: f64,
    /// Its length, s.
    pub h: f64,
}

impl<'a> StepContext<'a> {
    /// The scheme's parameters.
    pub fn parameters<P: From<&'a Values>>(&self) -> P {
        P::from(&self.method.stabilizer.values)
    }

    /// Time at its end, s.
    pub fn end(&self) -> f64 {
        self.time + self.h
    }
}
