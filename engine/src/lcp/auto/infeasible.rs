//! The solver `auto` on an island without a solution, or whose solutions all need enormous impulses: the proof, and the velocity
//! that violates the rows least.

use super::automatic::{AttemptOutcome, Policy};
use super::policy::{DENSE, Rule};
use super::regularized::LARGEST_CHANGE;
use crate::lcp::homotopy::{PathEffort, ResidualGoal};
use crate::lcp::interior::{InteriorEffort, KAPPA, YIELDED};
use crate::lcp::newton;
use crate::lcp::newton::{LeastViolation, NewtonEffort};
use crate::lcp::problem::solution::{MixedError, SolveResult, Solved};
use crate::lcp::problem::trail::{Attempt, Ending, Start};

impl Policy<'_> {
    /// Looks for a proof of infeasibility by the interior point. Without one, the best λ stays that of the attempt before.
    pub(crate) fn proof(&mut self, rule: &Rule) -> AttemptOutcome {
        self.start(rule.from);
        self.spare.clone_from(self.lambda);
        self.space.write_best(self.spare);
        let least = self.interior.least(self.problem, self.space, self.newton);
        let iterations = self.interior.factorisations;
        let left = Attempt { residual: None, ..self.left(rule, iterations, Ending::Unproved) };
        match least {
            Ok(least) => AttemptOutcome::Infeasible(Attempt { ending: Ending::Infeasible, ..left }, least),
            Err(change) if self.is_out_of_reach(change) => self.out_of_reach(left, change),
            Err(_) => {
                self.space.begin(self.problem, self.spare);
                AttemptOutcome::Left(left, None)
            }
        }
    }

    /// Whether newton need not run to its end in an island whose every solution changes a velocity by at least `change`, m/s: a
    /// solution would shoot hundreds of disks that do not fit through each other. In small islands trying costs nothing.
    fn is_out_of_reach(&self, change: f64) -> bool {
        self.problem.rows.len() > DENSE && change > LARGEST_CHANGE * self.acceptance.speed()
    }

    /// Returns newton's own proof that there is no solution at all, or else the error that says how far away every solution is.
    fn out_of_reach(&mut self, left: Attempt, change: f64) -> AttemptOutcome {
        let least = self.newton.least(self.problem, self.space);
        let iterations = left.iterations + self.newton.factorisations;
        if let Some(least) = least {
            return AttemptOutcome::Infeasible(
                Attempt { iterations, ending: Ending::Infeasible, ..left },
                least,
            );
        }
        self.trail.add(Attempt { iterations, ending: Ending::OutOfReach, ..left });
        AttemptOutcome::Failed(MixedError::OutOfReach { change, speed: self.acceptance.speed() })
    }

    /// Solves a problem without a solution with the least violation: each row's b is moved by its violation. Where Newton's
    /// method does not solve that with friction, all rows are regularised.
    pub(crate) fn violate(&mut self, least: &LeastViolation) -> SolveResult {
        let Self { newton, problem, space, lambda, .. } = self;
        let error = match newton.solve_moved(problem, space, self.tolerance, lambda, least) {
            Ok(solved) => return Ok(self.solved(Start::WarmStart, solved)),
            Err(error) => error,
        };
        self.trail.add(Attempt {
            solver: newton::INFO.key,
            from: Start::WarmStart,
            iterations: error.iterations(),
            residual: None,
            ending: self.newton.ending,
        });
        let solved = self.regularize(least).ok_or(error)?;
        Ok(self.solved(Start::Own, solved))
    }

    /// Solves the problem with all rows regularised by the compliance cᵢ = Aᵢᵢ/κ of `interior/infeasibility.rs`, friction
    /// included. The rows are then violated by cᵢ λᵢ.
    fn regularize(&mut self, least: &LeastViolation) -> Option<Solved> {
        let Self { problem, space, newton, homotopy, interior, .. } = self;
        let mut soft = problem.clone();
        for row in soft.rows.iter_mut().filter(|row| row.law.normal().is_none()) {
            row.compliance += row.diagonal(&problem.weight) / KAPPA;
        }
        let tolerance = YIELDED * problem.free_speed();
        space.begin(&soft, &least.lambda);
        let solved = newton.improve(space, tolerance, NewtonEffort::FULL).or_else(|| {
            space.begin(&soft, &least.lambda);
            let goal = ResidualGoal { sought: tolerance, accepted: tolerance };
            homotopy.improve(space, newton, goal, PathEffort::FULL)
        });
        let solved = solved.or_else(|| {
            space.begin(&soft, &least.lambda);
            interior.solve(space, newton, tolerance, InteriorEffort::FULL).ok()
        })?;
        space.write_best(self.lambda);
        Some(Solved { infeasible: true, ..solved })
    }
}
