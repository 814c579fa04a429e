//! The world, the method's settings and the time span of a step, or of a part of it.

use super::contact_rules::ContactRules;
use super::level::{Integrator, Level};
use crate::lcp::Solver;
use crate::model::World;
use crate::parameter::Values;

/// The settings of a method, apart from the scheme itself.
#[derive(Clone, Copy)]
pub(crate) struct Settings<'a> {
    /// The scheme's parameters.
    pub values: &'a Values,
    pub level: Level,
    pub integrator: Integrator,
    pub solver: &'a Solver,
    pub contact: &'a ContactRules,
}

/// The world as it was, the method's settings, and the time that the step spans.
#[derive(Clone, Copy)]
pub(crate) struct StepContext<'a> {
    pub world: &'a World,
    pub settings: Settings<'a>,
    /// Time at the start of the step, s.
    pub time: f64,
    /// Length of the step, s.
    pub h: f64,
}

impl<'a> StepContext<'a> {
    /// The scheme's parameters.
    pub fn parameters<P: From<&'a Values>>(&self) -> P {
        P::from(self.settings.values)
    }

    /// Time at the end of the step, s.
    pub fn end(&self) -> f64 {
        self.time + self.h
    }
}
