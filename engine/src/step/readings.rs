//! What can be read of a step after it: the impulses that acted, and the problem of the step's dynamics row by row: the
//! constraint of each row, what it requires, and its λ. Also which rows and attempts an error of a step names.

use super::workspace::Workspace;
use crate::lcp::{IslandReading, Law, MixedError, MixedProblem, RowReading};
use crate::math::over;
use crate::model::{BodyId, ContactId, JointId, World};
use crate::report::{ConstraintId, ConstraintImpulse, MOST_MULTIPLIERS, StepError, Unsolved};
use crate::stages::impulses::Solve;
use crate::stages::ledger::Ledger;
use crate::stages::posed_problem::Problem;
use glam::DVec3;

impl Workspace {
    /// The impulses that acted in the last completed step (after a step that failed: in the parts that it had
    /// completed, or, if there are none, in the step before), of joints, non-holonomic constraints, springs, the grab, motors,
    /// limits and contacts. Constraints that did nothing are listed with zeros.
    pub fn impulses(&self) -> impl Iterator<Item = &ConstraintImpulse> {
        self.stages.totals.done.impulses()
    }

    /// What a constraint exerted in the last completed step: a joint, a spring, a velocity constraint or a contact by
    /// its id, others as [`ConstraintId`]. `None` for what was not there.
    ///
    /// ```
    /// use driftlab::prelude::*;
    ///
    /// let mut world = World::new([0.0, -9.81]);
    /// let wall = world.add_body(Body::fixed())?;
    /// let bar = world.add_body(Body::dynamic().at([0.5, 0.0]).shape(Shape::rectangle(1.0, 0.1)).mass(2.0))?;
    /// let hinge = world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0]).motor(0.0, 50.0))?;
    /// let mut workspace = Workspace::default();
    /// step(&mut world, &Method::anitescu_hart(), 1e-3, &mut workspace)?;
    /// // The motor holds the bar: m g l/2.
    /// assert!((workspace.motor_force(hinge).unwrap() - 9.81).abs() < 1e-6);
    /// assert!((workspace.impulse_of(hinge).unwrap().multipliers[1] - 2.0 * 9.81e-3).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn impulse_of(&self, constraint: impl Into<ConstraintId>) -> Option<&ConstraintImpulse> {
        self.stages.totals.done.of(constraint.into())
    }

    /// The force of a joint's motor along its coordinate, averaged over the last completed step: N m of a hinge, N of a
    /// slider. `None` for a joint that was not there or has no motor.
    pub fn motor_force(&self, joint: JointId) -> Option<f64> {
        Some(self.impulse_of(ConstraintId::Motor(joint))?.multipliers[0] / self.stages.totals.elapsed)
    }

    /// The force of a joint's limits along its coordinate, averaged over the last completed step: N m of a hinge, N of
    /// a slider; the lower limit pushes with a positive one, the upper limit with a negative one. `None` for a joint
    /// that was not there or has no limits.
    pub fn limit_force(&self, joint: JointId) -> Option<f64> {
        let lower = self.impulse_of(ConstraintId::LowerLimit(joint));
        let upper = self.impulse_of(ConstraintId::UpperLimit(joint));
        let size = |limit: Option<&ConstraintImpulse>| limit.map_or(0.0, |impulse| impulse.multipliers[0]);
        (lower.is_some() || upper.is_some())
            .then(|| (size(lower) - size(upper)) / self.stages.totals.elapsed)
    }

    /// M (v⁺ − v) − h F − Σ Jᵀλ of the last step by body: (N s, N s, N m s). It is rounding if every impulse is accounted for,
    /// and zero for bodies that forces do not move, and for damped ones, whose drag is what the other impulses leave.
    pub fn momentum_residuals(&self) -> Vec<DVec3> {
        let moved =
            self.stages.motion.v.iter().zip(&self.stages.totals.began).zip(&self.stages.totals.free_change);
        let mut left = self.times_mass(moved.map(|((v, began), free_change)| *v - *began - *free_change));
        for impulse in self.stages.totals.done.impulses() {
            for (body, on) in impulse.on_each() {
                let Some(body) = self.stages.totals.done.index_of(body) else { continue };
                if self.stages.motion.inverse_mass[body].x > 0.0 {
                    left[body] -= on;
                }
            }
        }
        self.stages.totals.drag.iter().for_each(|(body, drag)| left[*body] -= *drag);
        left
    }

    /// M (v⁺ − v) of the last completed step by body: (N s, N s, N m s); zero for bodies that forces do not move.
    pub fn momentum_changes(&self) -> Vec<DVec3> {
        let changes =
            self.stages.motion.v.iter().zip(&self.stages.totals.began).map(|(v, began)| *v - *began);
        self.times_mass(changes)
    }

    /// h F of the weight, the applied forces, force laws, the mouse's repulsion, damping and drag in the last completed step, by
    /// body: (N s, N s, N m s).
    pub fn external_impulses(&self) -> Vec<DVec3> {
        let mut all = self.times_mass(self.stages.totals.free_change.iter().copied());
        self.stages.totals.drag.iter().for_each(|(body, drag)| all[*body] += *drag);
        all
    }

    fn times_mass(&self, changes: impl Iterator<Item = DVec3>) -> Vec<DVec3> {
        let masses = changes.zip(&self.stages.motion.inverse_mass);
        masses.map(|(dv, w)| over(dv, *w)).collect()
    }
}

/// One row of a problem that has been solved.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SolvedRow {
    /// The constraint that the row belongs to.
    pub constraint: ConstraintId,
    /// Which of the constraint's rows it is; for a contact 0 is the normal, 1 the tangential one.
    pub row: usize,
    /// Body a and body b; the same body twice where one body alone takes part.
    pub bodies: [BodyId; 2],
    /// λ with its bounds, w = J v + c λ + b, and the residual of the row's law. λ is an impulse, at the acceleration level a
    /// force.
    pub reading: RowReading,
    /// The outcome of the island that the row is in; absent if none of its bodies can move.
    pub island: Option<IslandReading>,
}

/// The problem of a step's dynamics with its solution.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SolvedProblem {
    /// Bodies and rows, as they were solved last: those of the second phase if a contact rebounds by Poisson's law.
    pub problem: MixedProblem,
    /// A reading of each of its rows, in their order.
    pub rows: Vec<SolvedRow>,
}

impl Workspace {
    /// The last problem of the dynamics that was solved, with the rows of [`Workspace::solved_rows`]; absent where there are
    /// none.
    pub fn solved_problem(&self, world: &World) -> Option<SolvedProblem> {
        let rows = self.solved_rows(world);
        let problem = &self.stages.solve.dynamics.mixed;
        // A row belongs to no constraint only if `world` is not the one that was stepped.
        (!rows.is_empty() && rows.len() == problem.rows.len())
            .then(|| SolvedProblem { problem: problem.clone(), rows })
    }

    /// The rows of the last problem of the dynamics that was solved, in their order: joints, non-holonomic constraints, springs,
    /// the grab, motors, contacts, limits. `world` is the one that was stepped. If a contact rebounds by Poisson's law, it is the
    /// problem of the second phase. Empty before the first step, under schemes that bring their own solver, and after a solve
    /// that failed.
    pub fn solved_rows(&self, world: &World) -> Vec<SolvedRow> {
        let mut ledger = Ledger::default();
        ledger.begin(world);
        let problem = &self.stages.solve.dynamics;
        let lambda = problem.multipliers_of_last_phase();
        let Some(read) = problem.workspace.read(&problem.mixed, &lambda) else { return Vec::new() };
        let named = |(i, (name, (reading, island)))| {
            let (constraint, row) = ledger.constraint_of(name, &problem.contacts)?;
            Some(SolvedRow { constraint, row, bodies: bodies_of(problem, i, world)?, reading, island })
        };
        problem.names().zip(read).enumerate().filter_map(named).collect()
    }

    /// Adds to the error of a step of `world` the rows and attempts of the problem that was not solved.
    pub(crate) fn explained(&self, error: StepError, world: &World, asked: &'static str) -> StepError {
        let StepError::Contact(error, None) = error else { return error };
        let Solve { dynamics, positions, velocities, .. } = &self.stages.solve;
        let problems = [dynamics, positions, velocities];
        // Only a warm start lists its contacts in the problem.
        let contacts: Vec<_> = self.stages.constraints.contacts.iter().map(|contact| contact.id).collect();
        let ledger = &self.stages.totals.ledger; // begun with the step
        let found = problems.iter().find_map(|problem| unsolved(problem, ledger, &contacts, world, asked));
        if let (MixedError::NotFinite, None) = (&error, &found) {
            // No row is concerned, so it is a body without rows.
            let lost = |problem: &&Problem| problem.mixed.free.iter().position(|v| !v.is_finite());
            if let Some(body) = problems.iter().find_map(lost) {
                return StepError::NotFinite { body: world.body_ids()[body], number: "velocity" };
            }
        }
        StepError::Contact(error, found.map(Box::new))
    }
}

/// The bodies of row `i` of `problem`.
fn bodies_of(problem: &Problem, i: usize, world: &World) -> Option<[BodyId; 2]> {
    let row = problem.mixed.rows.get(i)?;
    Some([world.id_of(row.a)?, world.id_of(row.b)?])
}

/// The island at which the last solve of `problem` failed: number of rows, and the constraints with their bodies; `None` if
/// none failed.
fn unsolved(
    problem: &Problem,
    ledger: &Ledger,
    contacts: &[ContactId],
    world: &World,
    asked: &'static str,
) -> Option<Unsolved> {
    let (rows, trail) = problem.workspace.failed();
    if rows.is_empty() {
        return None;
    }
    let names: Vec<_> = problem.names().collect();
    let mut concerned: Vec<(ConstraintId, [BodyId; 2])> = Vec::new();
    for &row in rows {
        let named = names.get(row as usize).and_then(|name| ledger.constraint_of(*name, contacts));
        let Some(((constraint, _), bodies)) = named.zip(bodies_of(problem, row as usize, world)) else {
            continue;
        };
        if !concerned.iter().rev().take(MOST_MULTIPLIERS).any(|(known, _)| *known == constraint) {
            concerned.push((constraint, bodies));
        }
    }
    let slides = |&row: &u32| {
        problem.mixed.rows.get(row as usize).is_some_and(|row| matches!(row.law, Law::Sliding { .. }))
    };
    Some(Unsolved { asked, rows: rows.len(), slides: rows.iter().any(slides), concerned, trail })
}
