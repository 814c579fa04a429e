//! Statistics of the solves and corrections of a step, for its report.

use crate::lcp::{MixedOutcome, Solver, Trail};
use crate::math::largest;

/// The outcome of one correction of positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Corrected {
    /// It left this share of the error; `None` if there was no error beyond rounding.
    InFull(Option<f64>),
    /// It would have increased the error, and was damped, or left out.
    Damped,
}

/// Statistics of the solves of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SolveStats {
    pub rows: usize,
    pub dependent_rows: usize,
    pub contacts: usize,
    pub islands: usize,
    pub infeasible: usize,
    pub unproved: usize,
    pub approximate: usize,
    pub approximate_residual: Option<f64>,
    pub iterations: usize,
    pub residual: f64,
    /// The largest residual as a share of the problem's speed; absent under schemes that sweep, which guarantee none.
    pub relative_residual: Option<f64>,
    pub solver: &'static str,
    pub trail: Trail,
}

/// Statistics of the corrections of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Corrections {
    /// Errors before positions were corrected.
    pub joint_error_before: Option<f64>,
    pub contact_error_before: Option<f64>,
    /// Energy that the stabilization put in, J.
    pub work: f64,
    /// Corrections of positions that had to be damped.
    pub damped: usize,
    /// The largest share of its error that a correction left.
    pub left: Option<f64>,
}

/// The results of a scheme's advance for the report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    pub(crate) solves: SolveStats,
    pub(crate) corrections: Corrections,
    pub(crate) parts: usize,
    /// Kinetic and potential energy, J.
    pub(crate) energies: [f64; 2],
}

impl Outcome {
    /// The outcome of a world that has not been stepped; its energies are not known.
    pub(crate) fn resting(solver: &Solver) -> Self {
        Self { solves: SolveStats::before_any_solve(solver), ..Self::default() }
    }
}

impl SolveStats {
    /// Counts the islands of a solve whose rows are violated, and those whose solution is approximate.
    pub fn note_violations(&mut self, outcome: &MixedOutcome) {
        self.infeasible = self.infeasible.max(outcome.infeasible);
        self.unproved = self.unproved.max(outcome.unproved);
        if outcome.approximate > 0 {
            self.approximate = self.approximate.max(outcome.approximate);
            let before = self.approximate_residual.unwrap_or_default();
            self.approximate_residual = Some(largest([before, outcome.approximate_residual]));
        }
    }

    /// The statistics of a step before its first solve.
    pub fn before_any_solve(solver: &Solver) -> Self {
        Self { solver: solver.solves_equations(), ..Self::default() }
    }

    /// Adds a solve that prepares the solve of the dynamics.
    pub fn note_beside(&mut self, outcome: &MixedOutcome) {
        self.iterations += outcome.iterations;
        self.note_violations(outcome);
    }

    /// Counts a problem that was left with an error, without a proof that there is no solution.
    pub fn note_unproved(&mut self) {
        self.unproved = self.unproved.max(1);
    }

    /// Adds a solve of a problem with `rows` rows and `contacts` contacts; `scale` turns its residual into a velocity.
    pub fn note(&mut self, outcome: &MixedOutcome, rows: usize, contacts: usize, scale: f64) {
        self.rows = rows;
        self.contacts = contacts;
        self.dependent_rows = outcome.dependent_rows;
        self.residual = scale * outcome.residual;
        self.iterations += outcome.iterations;
        self.solver = outcome.solver;
        self.islands = outcome.islands;
        self.note_violations(outcome);
        if outcome.trail.is_longer_than(&self.trail) {
            self.trail = outcome.trail;
        }
        if !outcome.conflict {
            let before = self.relative_residual.unwrap_or_default();
            self.relative_residual = Some(largest([before, outcome.relative_residual]));
        }
    }
}

impl Corrections {
    /// Adds a correction of positions.
    pub fn note(&mut self, corrected: Corrected) {
        match corrected {
            Corrected::InFull(Some(left)) => self.left = Some(self.left.unwrap_or_default().max(left)),
            Corrected::InFull(None) => {}
            Corrected::Damped => self.damped += 1,
        }
    }
}
