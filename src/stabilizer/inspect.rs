//! The problem of a step's dynamics, read row by row: whose each row is, what it demands, and what it has got.

use super::ledger::{Ledger, RowName};
use super::problem::Problem;
use super::workspace::Workspace;
use crate::lcp::{IslandReading, MixedProblem, RowReading};
use crate::model::World;
use crate::report::ConstraintId;

/// One row of a problem that has been solved.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SolvedRow {
    /// Whose row it is.
    pub constraint: ConstraintId,
    /// Which of the constraint's rows. Of a contact 0 is the normal, 1 the tangential one.
    pub row: usize,
    /// Indices of body a and body b; the same index twice where one body alone takes part.
    pub bodies: [usize; 2],
    /// λ with its bounds, w = J v + c λ + b, and what is left of the row's law. λ is an impulse, or at the acceleration level a force.
    pub reading: RowReading,
    /// What came of the island that it is in; absent where no body that it touches can move.
    pub island: Option<IslandReading>,
}

/// The problem of a step's dynamics with its solution.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SolvedProblem {
    /// Bodies and rows, as they were solved last: of a rebound by Poisson's law those of the second phase.
    pub problem: MixedProblem,
    /// A reading of each of its rows, in their order.
    pub rows: Vec<SolvedRow>,
}

impl Workspace {
    /// The last problem of the dynamics that was solved, with its matrix's rows: see [`Workspace::solved_rows`], whose rows these are.
    /// Absent where those are.
    pub fn solved_problem(&self, world: &World) -> Option<SolvedProblem> {
        let rows = self.solved_rows(world);
        let problem = self.solve.dynamics.mixed();
        // Only of a world other than the one that was stepped would a row belong to nothing.
        (!rows.is_empty() && rows.len() == problem.rows.len())
            .then(|| SolvedProblem { problem: problem.clone(), rows })
    }

    /// The rows of the last problem of the dynamics that was solved, in their order: joints, non-holonomic constraints, springs, the grab,
    /// motors, contacts, limits. `world` is the one that was stepped. Of a step with several such problems it is the last, of a
    /// rebound by Poisson's law the second phase. Empty before the first step, under schemes that sweep, and behind a solve that failed.
    pub fn solved_rows(&self, world: &World) -> Vec<SolvedRow> {
        let mut ledger = Ledger::default();
        ledger.begin(world);
        self.solve.dynamics.solved_rows(&ledger)
    }
}

impl Problem {
    fn solved_rows(&self, ledger: &Ledger) -> Vec<SolvedRow> {
        let lambda = self.multipliers_of_last_phase();
        let Some(reading) = self.read(&lambda) else { return Vec::new() };
        let named = |(i, name): (usize, RowName)| {
            let (constraint, row) = match name {
                RowName::Touch(index, row) => match self.contact(index) {
                    Some(id) => (ConstraintId::Contact(id), row),
                    None => ledger.limit(index - self.contacts())?,
                },
                RowName::Row(index) => ledger.place(name).unwrap_or_else(|| {
                    // The grab's rows are the last, and the world may have been let go since.
                    (ConstraintId::Grab, index.saturating_sub(ledger.row_places()))
                }),
                RowName::Motor(_) => ledger.place(name)?,
            };
            Some(SolvedRow {
                constraint,
                row,
                bodies: self.bodies(i)?,
                reading: reading.row(i)?,
                island: reading.island_of(i).copied(),
            })
        };
        self.names().enumerate().filter_map(named).collect()
    }
}
