//! The effort of the interior point, and the settings with which it follows the central path: with friction, and without, where H
//! is positive definite and the path has no folds.

use super::STRETCH;
use crate::lcp::newton::NewtonEffort;
use std::fmt;

/// The effort after which the method gives up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InteriorEffort {
    /// Most factorisations in one stretch.
    pub stretch: usize,
    /// Newton's steps at the end.
    pub crossover: NewtonEffort,
    /// Whether all rows are regularised (`infeasibility.rs`), and λ is wanted to rounding.
    pub yields: bool,
}

impl InteriorEffort {
    /// The effort of the method by itself: a struck pyramid takes 20 to 60 factorisations.
    pub const FULL: Self = Self {
        stretch: STRETCH,
        crossover: NewtonEffort { kappa: 1e2, factorisations: 60, stall: 12 },
        yields: false,
    };
}

impl fmt::Display for InteriorEffort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let newton = self.crossover.factorisations;
        write!(f, "the central path up to its first fold, then {newton} factorisations of newton")
    }
}

/// How the path is followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Initial impulse of a row without a warm start, as a multiple of the impulse that would stop it alone. A pile's lowest rows
    /// carry all layers above, and impulses that first have to grow make short steps.
    pub alone: f64,
    /// The share of the way to the nearest bound that a step makes.
    pub share: f64,
    /// Number of steps within which the mean product has to halve, or the stretch ends.
    pub idle: usize,
    /// Compliance in a step's linear equations, as a share of Aᵢᵢ ([`super::cell::CellStart::proximal`]).
    pub proximal: f64,
    /// Whether its end is extrapolated from two of its points (`extrapolation.rs`).
    pub extrapolates: bool,
    /// Residual at which the path is left at the latest, as a multiple of the residual that counts as solved.
    pub near: f64,
}

impl Pace {
    /// Returns the settings for a problem, by the friction that goes with its normal rows.
    pub fn of(partners: &[Option<usize>], effort: InteriorEffort) -> Self {
        let friction = partners.iter().any(Option::is_some);
        if friction || effort.yields { Self::FRICTIONAL } else { Self::CONVEX }
    }

    /// Settings with friction, where Newton's steps tell the states while the residual is still large.
    pub const FRICTIONAL: Self =
        Self { alone: 1.0, share: 0.9, idle: 5, proximal: 0.0, extrapolates: false, near: f64::INFINITY };
    /// Settings without friction. The path is followed to the solution: where most of a pile does not move, its rows end with λ =
    /// 0 and w = 0, from which Newton's steps cannot tell their states. (Where all rows are regularised, D is bounded and
    /// Newton's steps take λ to rounding: there the path is followed as with friction.)
    ///
    /// `proximal`: D of active rows grows like 1/τ, and without regularisation rounding makes pivots of H negative at residuals
    /// of 1e-8 to 1e-9 of the speed, which ends the path. Of the corrections of struck pyramids 197 of 242 were solved with a
    /// share of 0, 259 of 264 with 1e-12, 262 of 265 with 1e-10, 268 of 271 with 1e-8, 261 of 267 with 1e-6.
    ///
    /// `alone`: of 200 corrections of a pyramid whose boxes overlap anywhere 13 stalled at the start with 1, and 2 with 10.
    pub const CONVEX: Self =
        Self { alone: 10.0, share: 0.995, idle: 15, proximal: 1e-8, extrapolates: true, near: 0.1 };
}
