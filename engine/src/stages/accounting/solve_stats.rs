//! Statistics of the solves and corrections of a step, for its report; and copies of the step's problems with their solutions, for
//! questions that a step itself does not ask (`lcp/uniqueness/`).
//!
//! Corrections overwrite the step's problem, so it is copied when it is solved, if the workspace examines uniqueness. A copy has
//! no influence on the step.

use crate::lcp::{MixedOutcome, MixedProblem, Solver, Trail, Uniqueness};
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

/// The last problem of a step's dynamics.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    wanted: bool,
    /// Compression and, if a contact rebounds by Poisson's law, decompression of the problem being solved, with λ of each.
    solving: Vec<(MixedProblem, Vec<f64>)>,
    found: Option<Found>,
}

#[derive(Debug)]
enum Found {
    /// A problem of velocities (1), or of forces, with the time for which they act, s.
    Mixed(Vec<(MixedProblem, Vec<f64>)>, f64),
    /// Equations alone, with the number of those that depend on others.
    Equations(usize),
}

impl Snapshot {
    /// A snapshot that copies each problem that is solved.
    pub fn taking() -> Self {
        Self { wanted: true, ..Self::default() }
    }

    /// Forgets the step before.
    pub fn begin_step(&mut self) {
        self.solving.clear();
        self.found = None;
    }

    /// Forgets what has been solved before: another problem begins.
    pub fn begin_problem(&mut self) {
        self.solving.clear();
    }

    /// Copies a problem with its solution.
    pub fn copy(&mut self, problem: &MixedProblem, lambda: &[f64]) {
        if self.wanted {
            self.solving.push((problem.clone(), lambda.to_vec()));
        }
    }

    /// Takes the problem just solved as the step's dynamics: velocities (`duration` 1), or forces that act for `duration`, s.
    pub fn take_as_dynamics(&mut self, duration: f64) {
        if self.wanted {
            self.found = Some(Found::Mixed(std::mem::take(&mut self.solving), duration));
        }
    }

    /// Notes that the step's dynamics are equations alone, of which `dependent` depend on others.
    pub fn take_equations(&mut self, dependent: usize) {
        if self.wanted {
            self.found = Some(Found::Equations(dependent));
        }
    }

    /// Which other solutions the copied problem has; `None` without a copy.
    pub fn uniqueness(&self) -> Option<Uniqueness> {
        Some(match self.found.as_ref()? {
            Found::Equations(dependent) => Uniqueness::of_equations(*dependent),
            Found::Mixed(phases, duration) => {
                let of_phase = |(problem, lambda): &(MixedProblem, Vec<f64>)| problem.uniqueness(lambda);
                phases.iter().map(of_phase).reduce(Uniqueness::or_worse)?.over(*duration)
            }
        })
    }
}
