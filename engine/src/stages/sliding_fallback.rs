//! The last resort of the acceleration level: friction whose direction is not given.
//!
//! The friction of a contact that slides has the direction of its slip, λ_t = s λ_n with s = −μ sign(J_t v). With it forces may
//! have no solution [Painlevé 1895]. Where there is no proof of that, and no solution was found, the step goes on with Coulomb's
//! law over the step in the contacts of that island,
//!
//! ```text
//! |λ_t| ≤ μ λ_n  against  J_t a + J̇_t v + J_t v₀/h
//! ```
//!
//! as for sticking contacts: friction acts against the slip at the end of the step. This is the law of the velocity level, h λ
//! its impulses, and it has a solution wherever the other rows have one [Anitescu & Potra 1997]: where no finite force of the
//! given direction suffices, an impulse stops the slip or reverses it. Where the slip goes on in its direction, this law is equal
//! to the given one.
//!
//! The rows that were given are then violated, λ_t ≠ s λ_n; this is counted, and marked as not proved.

use crate::lcp::{Law, MixedError, MixedOutcome, MixedProblem, MixedWorkspace, Solver};
use glam::DVec3;

/// Solves `mixed` from the λ `warm`, after that has failed with `error`, with no direction given in the islands that fail. `slides`
/// are the rows whose friction has a given direction, each with J̇_t v + J_t v₀/h, the bias that stops the slip within the step.
/// The rows stay as posed.
///
/// # Errors
/// The error of an island without sliding contacts, or a proof that there is no solution.
pub(crate) fn solve_undirected(
    slides: &[(usize, f64)],
    mut error: MixedError,
    solver: &Solver,
    (mixed, warm): (&mut MixedProblem, &[f64]),
    (lambda, v): (&mut Vec<f64>, &mut Vec<DVec3>),
    workspace: &mut MixedWorkspace,
) -> Result<MixedOutcome, MixedError> {
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
