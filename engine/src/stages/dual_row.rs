//! One row of a descent (`descent.rs`): its multiplier λ, its penalty k, and how both follow from the error C.
//!
//! ```text
//! hard         f = k C + λ ,                       λ ← f ,    k ← min(k + β |C|, k_max)
//! compliant    f = k C + (d/h) ΔC ,                           k ← min(k + β |C|, κ)
//!   or         f = (C + λ/k)/(1/κ + 1/k) + (d/h) ΔC ,   λ ← f − (d/h) ΔC ,   k ← min(k + β |C − λ/κ|, k_max)
//! ```
//!
//! with stiffness κ and damping d. The last is the proximal method of multipliers for ½ κ C²: where λ has settled, λ = κ C.

use super::sequential_constraint::MOST;

/// Numbers that are remembered of a constraint: λ and k of its rows, and of a contact its anchors and whether it has stuck.
pub(crate) const PER_CONSTRAINT: usize = 2 * MOST + 5;
/// Those of a body: v at the start of the step.
pub(crate) const PER_BODY: usize = 3;

/// The numbers of the method that its rows need.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rates {
    /// Growth of a penalty per metre of its error, N/m².
    pub beta: f64,
    /// Bounds of penalties, N/m.
    pub penalties: [f64; 2],
    /// What is left of penalties, and of multipliers, of the last step.
    pub kept: [f64; 2],
    /// The overlap at which contacts rest, and the largest drift of one that sticks, m.
    pub margin: f64,
    pub stick: f64,
    /// Whether compliant rows have multipliers.
    pub compliant_multipliers: bool,
}

/// One row: C, f, and how both follow from the error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DualRow {
    /// λ, N.
    pub lambda: f64,
    /// k, N/m.
    pub penalty: f64,
    /// Infinite of hard rows, N/m.
    pub stiffness: f64,
    /// N s/m.
    pub damping: f64,
    /// The error at the start of the step, m, and the travel that it demands, m.
    pub start: f64,
    pub travel: f64,
    /// Metres per unit of the row's own error.
    pub arm: f64,
}

impl Default for DualRow {
    fn default() -> Self {
        let (lambda, penalty, damping, start, travel) = (0.0, 0.0, 0.0, 0.0, 0.0);
        Self { lambda, penalty, stiffness: f64::INFINITY, damping, start, travel, arm: 1.0 }
    }
}

impl DualRow {
    /// λ and k of the last step, decayed.
    pub fn warm_start(&mut self, lambda: f64, penalty: f64, rates: &Rates) {
        let [least, most] = rates.penalties;
        self.lambda = rates.kept[1] * lambda;
        self.penalty = (rates.kept[0] * penalty).clamp(least, most);
        if !rates.compliant_multipliers {
            self.penalty = self.penalty.min(self.stiffness);
        }
    }

    /// f before its bounds, and κ, of an error C whose row has moved by `moved`, m, in the step of `h`.
    pub fn force(&self, c: f64, moved: f64, rates: &Rates, h: f64) -> (f64, f64) {
        let Self { lambda, penalty, stiffness, damping, .. } = *self;
        if stiffness.is_infinite() {
            return (penalty * c + lambda, penalty);
        }
        let (spring, gain) = if rates.compliant_multipliers {
            let gain = stiffness * penalty / (stiffness + penalty);
            (gain * (c + lambda / penalty), gain)
        } else {
            (penalty * c, penalty)
        };
        let resisted = if damping > 0.0 { damping / h } else { 0.0 };
        (spring + resisted * moved, gain + resisted)
    }

    /// λ ← f, and k grows with the error unless f is at a bound.
    pub fn update(&mut self, f: f64, c: f64, moved: f64, inside: bool, (rates, h): (&Rates, f64)) {
        let mut most = rates.penalties[1];
        let mut error = c;
        self.lambda = f;
        if self.stiffness.is_finite() {
            let resisted = if self.damping > 0.0 { self.damping / h * moved } else { 0.0 };
            self.lambda = f - resisted;
            if rates.compliant_multipliers {
                error = if self.stiffness > 0.0 { c - self.lambda / self.stiffness } else { 0.0 };
            } else {
                most = most.min(self.stiffness);
            }
        }
        if inside {
            self.penalty = (self.penalty + rates.beta * error.abs()).min(most);
        }
    }
}
