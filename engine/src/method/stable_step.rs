//! A scheme's parameters at a time step: defaults that follow it, and whether the closed form is stable there.

use super::{Method, Stabilizer};
use crate::parameter::Parameter;
use std::fmt;

/// A step longer than the largest stable one by this share is unstable; a smaller excess is rounding.
const ROUNDING: f64 = 1e-9;
/// Significant digits of the limits that a message names; the last is rounded down, so that they hold.
const DIGITS: i32 = 4;

impl Stabilizer {
    /// The default of one of its parameters at the time step `h`, s.
    pub fn default_at(&self, parameter: &Parameter, h: f64) -> f64 {
        self.scheme
            .default_per_step(parameter)
            .map_or(parameter.default, |most| parameter.default.min(most / h))
    }

    /// Gives the parameters that nobody has set their defaults at the time step `h`, s.
    pub fn follow_step(&mut self, h: f64) {
        let scheme = self.scheme;
        let per_step = |parameter: &Parameter| scheme.default_per_step(parameter);
        self.values.default_to(|own| per_step(own).map_or(own.default, |most| own.default.min(most / h)));
    }
}

impl Method {
    /// Returns the method with the defaults of the time step `h`, s, in the parameters that nobody has set.
    pub fn at_step(mut self, h: f64) -> Self {
        self.stabilizer.follow_step(h);
        self
    }

    /// The largest time step at which no small constraint error grows, by the closed form of one constraint without load, s;
    /// infinite if no error grows at any step, and under schemes without a closed form.
    pub fn largest_stable_step(&self) -> f64 {
        self.stabilizer.scheme.largest_stable_step(&self.stabilizer.values, self.integrator)
    }

    /// The instability at the time step `h`, s, if small constraint errors grow by the closed form of one constraint; `None` if
    /// they do not, and under schemes without a closed form.
    pub fn instability(&self, h: f64) -> Option<Instability> {
        let Stabilizer { scheme, values } = &self.stabilizer;
        let largest_step = self.largest_stable_step();
        let gains = values.iter().filter(|(own, _)| scheme.default_per_step(own).is_some());
        let gains = gains.map(|(parameter, value)| Gain { parameter, value });
        (h > largest_step * (1.0 + ROUNDING)).then(|| Instability {
            scheme: scheme.info().key,
            h,
            largest_step,
            gains: gains.collect(),
        })
    }
}

/// A parameter whose value decides how long a step may be.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Gain {
    parameter: &'static Parameter,
    value: f64,
}

/// Parameters under which small constraint errors grow at a time step.
#[derive(Clone, Debug, PartialEq)]
pub struct Instability {
    scheme: &'static str,
    h: f64,
    largest_step: f64,
    gains: Vec<Gain>,
}

impl Instability {
    /// The largest stable time step, s; 0 if no step is stable.
    pub fn largest_step(&self) -> f64 {
        self.largest_step
    }

    /// The largest values that are stable at the present time step, each parameter at the present ratio to the others.
    pub fn largest_gains(&self) -> impl Iterator<Item = (&'static Parameter, f64)> + '_ {
        let share = self.largest_step / self.h;
        self.gains.iter().map(move |gain| (gain.parameter, share * gain.value))
    }
}

impl fmt::Display for Instability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |gains: Vec<(&Parameter, f64)>| {
            let named = |(own, value): &(&Parameter, f64)| format!("{} = {value} {}", own.symbol, own.unit);
            gains.iter().map(named).collect::<Vec<_>>().join(", ")
        };
        let present = list(self.gains.iter().map(|gain| (gain.parameter, gain.value)).collect());
        let Self { scheme, h, largest_step, .. } = self;
        write!(
            f,
            "'{scheme}' is unstable with {present} at h = {} s: small constraint errors grow",
            down(*h)
        )?;
        if *largest_step > 0.0 {
            let gains = list(self.largest_gains().map(|(own, value)| (own, down(value))).collect());
            write!(f, " (stable up to h = {} s, or up to {gains})", down(*largest_step))
        } else {
            write!(f, " (they do at every time step under this integrator)")
        }
    }
}

/// `value`, not negative, to [`DIGITS`] significant digits, rounded down.
fn down(value: f64) -> f64 {
    if !(value > 0.0 && value.is_finite()) {
        return value;
    }
    let digits = DIGITS - 1 - libm::log10(value).floor() as i32;
    let scale = libm::pow(10.0, f64::from(digits.abs()));
    if digits >= 0 { (value * scale).floor() / scale } else { (value / scale).floor() * scale }
}
