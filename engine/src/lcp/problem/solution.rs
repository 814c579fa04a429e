//! How solving a mixed problem ends, for an island and for the whole.

use super::trail::{Ending, Trail};
use thiserror::Error;

/// A solver's result for one island.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solved {
    /// Key of the solver.
    pub solver: &'static str,
    /// Pivots, factorisations or sweeps.
    pub iterations: usize,
    /// Whether it is proved that there is no solution, and λ is that of the least violation.
    pub infeasible: bool,
    /// Equations that depend on the others.
    pub dependent: usize,
}

impl Solved {
    /// A solution.
    pub fn by(solver: &'static str, iterations: usize) -> Self {
        Self { solver, iterations, infeasible: false, dependent: 0 }
    }
}

/// The outcome of a solved island.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IslandOutcome {
    pub solved: Solved,
    pub judged: Judgement,
    /// Whether nothing proves that there is no solution although rows are violated.
    pub unproved: bool,
}

/// The judgement of an island's λ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement {
    /// maxᵢ |r̂ᵢ|/ŝ, 0 where the problem is proved to have no solution.
    pub relative: f64,
    /// An upper bound of maxᵢ |r̂ᵢ|/ŝ, even where infeasibility is proved.
    pub left: f64,
    /// Whether equations contradict each other.
    pub conflict: bool,
    /// ‖r‖∞ on the problem as posed; `None` where the problem was changed, or λ has changed since.
    pub posed: Option<f64>,
}

/// What a solver of one island returns.
pub(crate) type SolveResult = Result<Solved, MixedError>;

/// The outcome of solving a mixed problem.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MixedOutcome {
    /// ‖r‖∞ of the problem as posed, m/s.
    pub residual: f64,
    /// maxᵢ |r̂ᵢ|/ŝ over the islands that have a solution, without unit: at most 1e-9, but for approximate islands and
    /// for rounding of impulses that bodies pass on to others of less than 1/18,000 of their mass.
    pub relative_residual: f64,
    /// Pivots, factorisations or sweeps, summed over the islands.
    pub iterations: usize,
    /// Key of the solver; of several, the one that solved the largest island.
    pub solver: &'static str,
    /// Islands, solved apart: bodies are in one island if rows connect them.
    pub islands: usize,
    /// Islands that have no solution, proved by a certificate: what is returned violates the rows least.
    pub infeasible: usize,
    /// Islands solved only nearly, or with a violation although nothing proves that they have no solution; the latter also count
    /// in `infeasible`.
    pub unproved: usize,
    /// Islands whose solution is approximate because the effort was bounded.
    pub approximate: usize,
    /// maxᵢ |r̂ᵢ|/ŝ over the approximate islands; zero without any.
    pub approximate_residual: f64,
    /// Whether a system of equations alone contradicts itself: it is solved in the least-squares sense, and no residual is
    /// promised.
    pub conflict: bool,
    /// Equations that depend on the others.
    pub dependent_rows: usize,
    /// The attempts on the island that took the most.
    pub trail: Trail,
}

/// Why a mixed problem was not solved.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MixedError {
    /// A number of the problem is not finite.
    #[error("one of its numbers is not finite")]
    NotFinite,
    /// There is no solution, or the solver's path ends before it reaches one.
    #[error(
        "{solver} ends on a ray after {pivots} pivot{}{}", if *pivots == 1 { "" } else { "s" },
        if *infeasible { ", which proves that there is no solution" } else { ", and finds no solution" }
    )]
    Ray {
        /// Key of the solver.
        solver: &'static str,
        /// Pivots until then.
        pivots: usize,
        /// The direction by row of the problem, its largest entry 1; zero outside the island.
        direction: Vec<f64>,
        /// Whether the direction proves that there is no solution.
        infeasible: bool,
    },
    /// There is no solution: every combination of states is excluded.
    #[error(
        "all combinations of states contradict a row, so that there is no solution ({combinations} groups of them were excluded)"
    )]
    NoSolution {
        /// Number of groups of combinations that were excluded, each by a contradiction.
        combinations: usize,
    },
    /// The impulses of every solution change a body's velocity by far more than its constraints ask for.
    #[error(
        "every solution changes a velocity by at least {change:.1e} m/s, {ratio:.0e} times what the rows ask for: none is within reach",
        ratio = change / speed
    )]
    OutOfReach {
        /// The proven least change, m/s; √(Δv² + k²Δω²) with the radius of gyration k.
        change: f64,
        /// The problem's speed, m/s.
        speed: f64,
    },
    /// The solver gave up.
    #[error("{solver} {} after {iterations} iterations", left(*.residual, *.expected))]
    NotConverged {
        /// Key of the solver.
        solver: &'static str,
        /// ‖r‖∞ reached; not finite where there is no λ to measure.
        residual: f64,
        /// The residual asked for.
        expected: f64,
        /// Iterations made.
        iterations: usize,
    },
    /// The problem lies outside the solver's classes.
    #[error("{solver} does not apply: {reason}")]
    NotApplicable {
        /// Key of the solver.
        solver: &'static str,
        /// Which property was violated.
        reason: &'static str,
    },
}

/// Describes the residual of a solver, if it has any λ.
fn left(residual: f64, expected: f64) -> String {
    if residual.is_finite() {
        format!("left a residual of {residual:.3e} (expected {expected:.1e})")
    } else {
        "came to no result".to_owned()
    }
}

impl MixedError {
    /// Whether regularised rows may have a solution after this error.
    pub(crate) fn leaves_room_to_yield(&self) -> bool {
        matches!(self, Self::Ray { .. } | Self::NotConverged { .. } | Self::OutOfReach { .. })
    }

    /// Pivots or iterations made until the solver gave up.
    pub fn iterations(&self) -> usize {
        match *self {
            Self::Ray { pivots, .. } => pivots,
            Self::NotConverged { iterations, .. } => iterations,
            _ => 0,
        }
    }

    /// Why a pivoting method ended.
    pub(crate) fn ending(&self) -> Ending {
        match *self {
            Self::Ray { infeasible: true, .. } | Self::NoSolution { .. } => Ending::Infeasible,
            Self::Ray { .. } => Ending::Ray,
            // A path that is broken off has no λ to measure.
            Self::NotConverged { residual, .. } if residual.is_nan() => Ending::OutOfIterations,
            Self::NotConverged { .. } | Self::NotFinite => Ending::Inaccurate,
            Self::OutOfReach { .. } => Ending::OutOfReach,
            Self::NotApplicable { .. } => Ending::Refused,
        }
    }
}
