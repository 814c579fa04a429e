//! Copies of the step's problems with their solutions, for questions that a step itself does not ask (`lcp/uniqueness/`).
//!
//! Corrections overwrite the step's problem, so it is copied when it is solved, if the workspace examines uniqueness. A copy has
//! no influence on the step.

use crate::lcp::{MixedProblem, Uniqueness};

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
