//! How long the interior point goes on, and how the central path is followed: with friction, and without, where H is positive definite and no
//! fold is to be met.

use super::STRETCH;
use super::cell::Partner;
use crate::lcp::newton::NewtonEffort;
use std::fmt;

/// How long to go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InteriorEffort {
    /// No stretch of the path begins after so many.
    pub factorisations: usize,
    /// Newton's steps at the end.
    pub crossover: NewtonEffort,
    /// Whether all rows yield (`infeasibility.rs`), and λ is wanted to rounding.
    pub yields: bool,
}

impl InteriorEffort {
    /// To the end: a struck pyramid takes 20 to 60 factorisations.
    pub const FULL: Self = Self {
        factorisations: 120,
        crossover: NewtonEffort { kappa: 1e2, factorisations: 60, stall: 12 },
        yields: false,
    };
}

impl fmt::Display for InteriorEffort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (stretches, newton) = (self.factorisations, self.crossover.factorisations);
        if stretches < STRETCH {
            write!(f, "the central path up to its first fold, then {newton} factorisations of newton")
        } else {
            write!(f, "{stretches} factorisations, then {newton} of newton")
        }
    }
}

/// How the path is followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// At the start, the impulse of a row without a warm start as a multiple of what it would take alone. A pile's lowest rows take what all layers
    /// above ask for, and impulses that first have to grow make short steps.
    pub alone: f64,
    /// The share of the way to the nearest bound that a step makes.
    pub share: f64,
    /// The mean product has to halve within so many steps, or the stretch gets nowhere.
    pub idle: usize,
    /// What a step's linear equations have of compliance, as a share of Aᵢᵢ ([`super::cell::CellStart::proximal`]).
    pub proximal: f64,
    /// Whether the path may have folds (`arclength.rs`).
    pub folds: bool,
    /// Whether its end is extrapolated from two of its points (`limit.rs`).
    pub extrapolates: bool,
    /// The share of what counts as solved at which the path is left, if it is not left earlier.
    pub near: f64,
}

impl Pace {
    /// That of a problem, by what goes with its normal rows.
    pub fn of(partners: &[Partner], effort: InteriorEffort) -> Self {
        let friction = partners.iter().any(|partner| !matches!(partner, Partner::None));
        match (friction, effort.yields) {
            (true, _) => Self::FRICTIONAL,
            (false, true) => Self { folds: false, ..Self::FRICTIONAL },
            (false, false) => Self::CONVEX,
        }
    }

    /// With friction. Folds have to be seen, and Newton's steps tell the states where the residual is still large.
    pub const FRICTIONAL: Self = Self {
        alone: 1.0,
        share: 0.9,
        idle: 5,
        proximal: 0.0,
        folds: true,
        extrapolates: false,
        near: f64::INFINITY,
    };
    /// Without. Where all rows yield, D is bounded and Newton's steps take λ to rounding: there the path is followed as with friction.
    /// Elsewhere it is followed to the solution. Where most of a pile is not to be moved, its rows end with λ = 0 and w = 0, from which
    /// Newton's steps cannot tell their states.
    ///
    /// D of rows that hold grows like 1/τ, and rounding made pivots of H negative at residuals of 1e-8 to 1e-9 of the speed, which ended the
    /// path. Of the corrections of struck pyramids 197 of 242 were solved with steps that are not regularised, with a share of 1e-12 259 of 264, of 1e-10
    /// 262 of 265, of 1e-8 268 of 271, of 1e-6 261 of 267. Of 200 corrections of a pyramid whose boxes overlap anywhere 13 stalled at the start with
    /// impulses that a row takes alone, and 2 with ten times these.
    pub const CONVEX: Self = Self {
        alone: 10.0,
        share: 0.995,
        idle: 15,
        proximal: 1e-8,
        folds: false,
        extrapolates: true,
        near: 0.1,
    };
}
