//! Conversions between the parametrizations in which engines state how fast an error decays.
//!
//! **Half-life.** A step that leaves the share 1 − S of an error halves it in t½ = h ln 2/(−ln(1 − S)), S = 1 − 2^(−h/t½).
//!
//! **ERP and CFM** are ODE's: its joints obey J v⁺ + (ERP/h) g + CFM λ = 0, which is the implicit Euler step of a spring of
//! stiffness k_p and damping k_d [Smith, ODE: "How to use ERP and CFM"]:
//!
//! ```text
//! ERP = h k_p/(h k_p + k_d) ,     CFM = 1/(h k_p + k_d)
//! ```
//!
//! Per unit of the constraint's effective mass m, k_p = m ω² and k_d = 2 m ζ ω, so that
//!
//! ```text
//! ERP = h ω/(h ω + 2ζ) ,    m CFM = 1/(ω (h ω + 2ζ)) ,    ω² = ERP/(h m CFM) ,    2ζω = (1 − ERP)/(m CFM)
//! ```
//!
//! m CFM is in s, and does not depend on the masses; ODE's own CFM is that divided by m.

use crate::parameter::{Parameter, linear, logarithmic};
use std::f64::consts::LN_2;

/// Another way in which the literature states a scheme's parameters.
#[derive(Debug)]
#[non_exhaustive]
pub struct Language {
    /// Name in the panel.
    pub name: &'static str,
    /// One sentence that says who uses it, and what its numbers mean.
    pub meaning: &'static str,
    /// The numbers in this language.
    pub parameters: &'static [Parameter],
    /// Whether scene files and the command line accept it (it must not depend on the time step).
    pub in_files: bool,
    /// Converts from this language to the first of the scheme's own parameters, at the time step h; the remaining parameters are
    /// the same in every language.
    pub to_native: fn(&[f64], f64) -> Vec<f64>,
    /// Converts from the scheme's own parameters to this language, at the time step h.
    pub from_native: fn(&[f64], f64) -> Vec<f64>,
}

/// t½ of an error of which each `h` leaves the share 1 − `taken`.
pub(crate) fn half_life(taken: f64, h: f64) -> f64 {
    if taken >= 1.0 { 0.0 } else { h * LN_2 / -libm::log1p(-taken) }
}

/// S of a half-life at the time step h: the inverse of [`half_life`].
pub(crate) fn share_of(half_life: f64, h: f64) -> f64 {
    -libm::expm1(-LN_2 * h / half_life)
}

/// The description of a half-life.
pub(crate) const HALF_LIFE: Parameter = logarithmic("half_life", "half-life", "t½", "s", [0.0, 1e3], 0.014)
    .meaning("Time in which the error halves.");

/// The description of ERP.
pub(crate) const ERP: Parameter = linear("erp", "error reduction", "ERP", "", [0.0, 1.0], 0.2)
    .meaning("Error reduction parameter: the share of the error that one step takes back, h k_p/(h k_p + k_d). ODE: 0.2.");

/// The description of CFM per unit of effective mass.
pub(crate) const CFM: Parameter = logarithmic("cfm", "softness", "m CFM", "s", [1e-12, 1e6], 1e-3)
    .meaning("Constraint force mixing times the effective mass m of the constraint, m/(h k_p + k_d): how soft it is.");

/// (ERP, m CFM) of a spring with ω² = `stiffness` (1/s²) and 2ζω = `damping` (1/s) per unit of effective mass; without a spring,
/// CFM is infinite.
pub(crate) fn erp_cfm(stiffness: f64, damping: f64, h: f64) -> [f64; 2] {
    let gain = h * stiffness + damping;
    if gain > 0.0 { [h * stiffness / gain, 1.0 / gain] } else { [0.0, f64::INFINITY] }
}

/// The inverse of [`erp_cfm`]: (ω², 2ζω).
pub(crate) fn spring_of([erp, cfm]: [f64; 2], h: f64) -> [f64; 2] {
    [erp / (h * cfm), (1.0 - erp) / cfm]
}
