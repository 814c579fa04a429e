//! The solver `auto` on an island that is proved to have no solution: the velocity that violates its rows least.

use super::automatic::Policy;
use crate::lcp::bodies::homotopy::{Goal, PathEffort};
use crate::lcp::bodies::interior::{InteriorEffort, KAPPA, YIELDED};
use crate::lcp::bodies::newton::{self, Least, NewtonEffort};
use crate::lcp::mixed::outcome::{MixedError, Solved};
use crate::lcp::mixed::trail::{self, Start};

impl Policy<'_> {
    /// Meets a problem without a solution with the least violation: the rows moved by what they are violated by, and where Newton's
    /// method does not solve that with friction, all rows yielding a little.
    pub(super) fn violate(&mut self, least: &Least) -> Result<Solved, MixedError> {
        let Self { newton, problem, space, lambda, .. } = self;
        let error = match newton.solve_moved(problem, space, self.tolerance, lambda, least) {
            Ok(solved) => return Ok(self.solved(Start::WarmStart, solved, 0)),
            Err(error) => error,
        };
        self.trail.add(trail::Attempt {
            solver: newton::INFO.key,
            from: Start::WarmStart,
            iterations: error.iterations(),
            residual: None,
            ending: self.newton.ending(),
        });
        let solved = self.yielding(least).ok_or(error)?;
        Ok(self.solved(Start::Own, solved, 0))
    }

    /// A problem without a solution, or with none but by enormous impulses, with all rows yielding a little: the compliance
    /// Aᵢᵢ/κ of `interior/least.rs`, with friction. What the rows are then violated by is cᵢ λᵢ.
    fn yielding(&mut self, least: &Least) -> Option<Solved> {
        let Self { problem, space, newton, homotopy, interior, .. } = self;
        let mut soft = problem.clone();
        for row in soft.rows.iter_mut().filter(|row| row.law.normal().is_none()) {
            row.compliance += row.diagonal(&problem.weight) / KAPPA;
        }
        let tolerance = YIELDED * problem.free_speed();
        space.begin(&soft, &least.lambda);
        let solved = newton.improve(&soft, space, tolerance, NewtonEffort::FULL).or_else(|| {
            space.begin(&soft, &least.lambda);
            let goal = Goal { sought: tolerance, accepted: tolerance };
            homotopy.improve(&soft, space, newton, goal, PathEffort::FULL)
        });
        let solved = solved.or_else(|| {
            space.begin(&soft, &least.lambda);
            interior.solve(&soft, space, newton, tolerance, InteriorEffort::FULL).ok()
        })?;
        space.write_best(self.lambda);
        Some(Solved { infeasible: true, ..solved })
    }
}
