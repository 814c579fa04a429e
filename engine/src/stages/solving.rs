//! How a posed problem is solved where one call of a solver is not enough: by the scheme's own solver, in the two phases of
//! Poisson's law, and with the direction of sliding friction left free.

use super::ledger::RowName;
use super::motion::{OwnSolve, SolvedBy};
use super::posed_problem::{Problem, Record};
use crate::lcp::{ACCEPTED, Acceptance, Law, MixedError, MixedOutcome, Solver};
use crate::math::largest;
use crate::report::{StepError, StepReport};
use std::iter;

impl Problem {
    /// Solves the problem by the scheme's own solver. What it leaves is judged as every solver's is, and a problem that is not
    /// solved to the accuracy of the others counts as approximate.
    pub(super) fn solve_by_scheme(
        &mut self,
        key: &'static str,
        solve: &OwnSolve<'_>,
    ) -> Result<MixedOutcome, StepError> {
        self.lambda.resize(self.mixed.rows.len(), 0.0);
        self.rolls.bound(&mut self.mixed.rows, &self.lambda);
        let mut rolling = MixedOutcome::default();
        let Self { mixed, lambda, v, rolls, .. } = self;
        let mut iterations = solve(mixed, lambda)?;
        while rolls.bind(&mut mixed.rows, lambda, &mut rolling) {
            iterations += solve(mixed, lambda)?;
        }
        mixed.velocity(lambda, v);
        let residual = largest((0..mixed.rows.len()).map(|i| mixed.row_residual(i, v, lambda)));
        if !residual.is_finite() {
            return Err(MixedError::NotFinite.into());
        }
        mixed.velocity_or_rest(lambda, v);
        let acceptance = Acceptance::of(mixed);
        let residuals = (0..mixed.rows.len()).map(|i| mixed.row_residual(i, v, lambda));
        let left = acceptance.relative(&mixed.inverse_mass, mixed.rows.iter().zip(residuals));
        let solved = acceptance.admits(mixed, lambda, residual, ACCEPTED);
        Ok(MixedOutcome {
            residual,
            relative_residual: if solved { left } else { 0.0 },
            iterations,
            solver: key,
            islands: 1,
            approximate: rolling.approximate.max(usize::from(!solved)),
            approximate_residual: if solved { rolling.approximate_residual } else { left },
            ..MixedOutcome::default()
        })
    }

    /// Solves compression, as posed, and then decompression if a contact rebounds [Anitescu & Potra 1997]: contacts get at least
    /// the impulse that they return, and more only if that does not keep them apart. `returned(index, λ)` is that impulse of a
    /// contact with λ in compression; it is `None` if no contact rebounds by Poisson's law, and only compression is
    /// solved. The outcome is that of the last phase; compression before it is noted in `report`.
    pub fn solve_in_phases(
        &mut self,
        by: SolvedBy<'_>,
        (record, report): (&mut Record, &mut StepReport),
        returned: Option<impl Fn(usize, f64) -> f64>,
    ) -> Result<MixedOutcome, StepError> {
        let mut outcome = self.solve(by, record)?;
        if let Some(returned) = returned {
            self.decompress(returned);
            let compression = std::mem::replace(&mut outcome, self.solve(by, record)?);
            report.note_beside(&compression);
            for (sum, first) in self.lambda.iter_mut().zip(&self.first) {
                *sum += first;
            }
        }
        Ok(outcome)
    }

    /// Poses decompression after compression has been solved.
    fn decompress(&mut self, returned: impl Fn(usize, f64) -> f64) {
        let Self { mixed, lambda, v, touches, push_outs, rolls, first, .. } = self;
        // Compression may have stopped the bodies; the residual of decompression is then judged by the rounding of compression.
        mixed.rounding = Acceptance::of(mixed).rounding();
        first.clone_from(lambda);
        mixed.free.clone_from(v);
        lambda.fill(0.0);
        for (row, first) in mixed.rows.iter_mut().zip(first.iter()) {
            // Springs and motors have acted in compression; only the rest of their impulse is left.
            row.bias += row.compliance * first;
            if let Law::Bounded { lower, upper } = &mut row.law {
                (*lower, *upper) = (*lower - first, *upper - first);
            }
        }
        rolls.clear(); // their bounds, too, are what is left of those of compression
        for &(row, change) in push_outs.iter() {
            mixed.rows[row].bias += change;
        }
        for &(index, row) in touches.iter() {
            let returned = returned(index, first[row]);
            mixed.rows[row].law = Law::Bounded { lower: returned, upper: f64::INFINITY };
            lambda[row] = returned;
        }
    }

    /// λ of the problem last solved; after two phases, of the second alone.
    pub fn multipliers_of_last_phase(&self) -> Vec<f64> {
        let first = self.first.iter().copied().chain(iter::repeat(0.0));
        self.lambda.iter().zip(first).map(|(sum, first)| sum - first).collect()
    }

    /// The last resort of the acceleration level, after a solve from the λ `warm` has failed with `error`: friction
    /// whose direction is not given.
    ///
    /// The friction of a contact that slides has the direction of its slip, λ_t = s λ_n with s = −μ sign(J_t v). With
    /// it forces may have no solution [Painlevé 1895]. Where there is no proof of that, and no solution was found, the
    /// step goes on with Coulomb's law over the step in the contacts of that island,
    ///
    /// ```text
    /// |λ_t| ≤ μ λ_n  against  J_t a + J̇_t v + J_t v₀/h
    /// ```
    ///
    /// as for sticking contacts: friction acts against the slip at the end of the step. This is the law of the velocity
    /// level, h λ its impulses, and it has a solution wherever the other rows have one [Anitescu & Potra 1997]: where
    /// no finite force of the given direction suffices, an impulse stops the slip or reverses it. Where the slip goes
    /// on in its direction, this law is equal to the given one.
    ///
    /// The rows that were given are then violated, λ_t ≠ s λ_n; this is counted, and marked as not proved.
    ///
    /// # Errors
    /// The error of an island without sliding contacts, or a proof that there is no solution.
    pub(super) fn solve_undirected(
        &mut self,
        mut error: MixedError,
        solver: &Solver,
        warm: &[f64],
    ) -> Result<MixedOutcome, MixedError> {
        let Self { mixed, lambda, v, workspace, slides, .. } = self;
        let given_rows = mixed.rows.clone();
        let mut freed = Vec::new();
        let solved = loop {
            let before = freed.len();
            if error.leaves_room_to_yield() {
                let island = workspace.failed().0;
                for &(row, stop) in slides.iter().filter(|(row, _)| island.contains(&(*row as u32))) {
                    // Coulomb's law over the step.
                    let Some(mixed_row) = mixed.rows.get_mut(row) else { continue };
                    if let Law::Sliding { normal, coefficient } = mixed_row.law {
                        mixed_row.law = Law::Friction { normal, coefficient: coefficient.abs() };
                        mixed_row.bias = stop;
                        freed.push(row);
                    }
                }
            }
            if freed.len() == before {
                break Err(error);
            }
            lambda.clear();
            lambda.extend_from_slice(warm);
            match solver.solve_mixed(mixed, lambda, v, workspace) {
                Ok(outcome) => break Ok(outcome),
                Err(next) => error = next,
            }
        };
        mixed.rows = given_rows;
        let outcome = solved?;
        let (violated, trail) = workspace.note_violated(mixed, lambda, &freed);
        Ok(MixedOutcome {
            residual: mixed.residual(lambda),
            infeasible: outcome.infeasible + violated,
            unproved: outcome.unproved + violated,
            trail,
            ..outcome
        })
    }

    /// The contacts whose slip, of given direction, the solution reverses before the step ends, by their index among
    /// the unilateral rows: friction would have driven them beyond rest.
    pub fn reversed_slides(&self) -> impl Iterator<Item = usize> + '_ {
        self.slides.iter().filter_map(|&(at, stop)| {
            let row = self.mixed.rows.get(at)?;
            let Law::Sliding { normal, coefficient } = row.law else { return None };
            let reversed = self.lambda[normal] > 0.0 && coefficient * (row.rate(&self.v) + stop) > 0.0;
            match self.names.get(at - self.plain) {
                Some(&RowName::Touch(index, _)) if reversed => Some(index),
                _ => None,
            }
        })
    }
}
