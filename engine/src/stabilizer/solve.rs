//! The dynamics of a step: the impulses, or the forces, of all constraints together.
//!
//! ```text
//! Impulses:  v* = v + h M⁻¹F,   (A + C) λ = −(J v* + b),          v⁺ = v* + M⁻¹Jᵀλ
//! Forces:    a* = M⁻¹F,         (A + C) λ = −(J a* + r),          a  = a* + M⁻¹Jᵀλ
//! ```
//!
//! A = J M⁻¹Jᵀ; C holds the compliances of springs and of the grab, zero for joints. `right_hand_sides.rs` says what b and r are,
//! `problem.rs` how the rows are posed and solved.
//!
//! The grab pulls with F_max at most: where it would pull harder, it does so with F_max exactly, and the others are solved
//! again without its rows.

use super::collision::Collision;
use super::constraints::{ActiveSet, Constraints};
use super::figures::Figures;
use super::ledger::Ledger;
use super::motion::Motion;
use super::problem::{Problem, Record};
use super::pushed::Pushed;
use super::right_hand_sides::{Forces, Impulses, Springs, pose_forces, pose_impulses};
use super::span::Span;
use crate::constraint::{Row, Rows, Touch};
use crate::report::StepError;
use glam::{DVec2, DVec3};

/// Memory of the solves of a step.
#[derive(Debug, Default)]
pub(super) struct Solve {
    /// Impulses or forces; corrections of positions; impacts and corrections of velocities. They are kept apart, since each has its
    /// pattern, which stays from step to step.
    pub dynamics: Problem,
    pub positions: Problem,
    pub velocities: Problem,
    /// What corrections of positions have pushed.
    pub pushed: Pushed,
    /// The impulses that rebound by Poisson's law.
    pub collision: Collision,
    /// Copies of the mixed problems of the step, where they are asked for.
    pub record: Record,
    /// Whether rows may be violated without a proof that there is no solution.
    pub yields: bool,
    /// λ of joints, non-holonomic rows, springs and the grab.
    lambda: Vec<f64>,
    /// v* or a*.
    given: Vec<DVec3>,
    /// −g/h of the joints at another pose.
    errors: Vec<f64>,
    /// What the solves of the step came to.
    pub figures: Figures,
}

/// What a solve found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solution<'a> {
    /// v⁺ of impulses, a of forces.
    pub unknown: &'a [DVec3],
    /// λ of joints, non-holonomic rows, springs and the grab, in the order of `Rows::all`.
    pub lambda: &'a [f64],
    pub problem: &'a Problem,
    /// The grab's pull, where it is as strong as it may be.
    pub pull: Option<Pull>,
}

/// A pull of the grab that does not follow from its rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pull {
    /// Where the grab's two rows stand in `Rows::all`.
    pub start: usize,
    pub rows: [Row; 2],
    pub lambda: DVec2,
}

impl Solution<'_> {
    /// Adds its λ, which acted for `duration` (1 for impulses), to the ledger.
    pub fn write(&self, ledger: &mut Ledger, constraints: &Constraints, duration: f64) {
        if let Some(Pull { start, rows, lambda }) = self.pull {
            for (at, (row, pull)) in rows.iter().zip([lambda.x, lambda.y]).enumerate() {
                ledger.add_row(start + at, row, duration * pull);
            }
        }
        self.problem.write_dynamics(ledger, constraints, duration);
    }
}

impl Solve {
    /// Impulses from the velocity of `motion`. Where the grab's pull is limited its rows are taken out of `constraints`.
    pub fn impulses<F: Fn(&Row) -> f64>(
        &mut self,
        span: &Span<'_>,
        constraints: &mut Constraints,
        motion: &Motion,
        ask: Impulses<'_, F>,
    ) -> Result<Solution<'_>, StepError> {
        let limit = span.world.grab.map_or(f64::INFINITY, |grab| grab.max_force * ask.duration);
        self.given.clone_from(&motion.v);
        self.solve_impulses(span, constraints, motion, &ask)?;
        let pull = self.pull_beyond(limit, constraints, motion);
        if let Some(pull) = pull {
            self.solve_impulses(span, constraints, motion, &ask)?;
            self.take_pull(pull);
        }
        Ok(self.solution(pull))
    }

    /// Forces from the acceleration of `motion`, at its velocity. The grab as in [`Solve::impulses`].
    pub fn forces<F: Fn(f64, f64, f64) -> f64>(
        &mut self,
        span: &Span<'_>,
        constraints: &mut Constraints,
        motion: &Motion,
        ask: Forces<'_, F>,
    ) -> Result<Solution<'_>, StepError> {
        let limit = match ask.springs {
            Springs::InTheRows => span.world.grab.map_or(f64::INFINITY, |grab| grab.max_force),
            Springs::Explicit(_) => f64::INFINITY,
        };
        self.given.clone_from(&motion.a);
        self.solve_forces(span, constraints, motion, &ask)?;
        let pull = self.pull_beyond(limit, constraints, motion);
        if let Some(pull) = pull {
            self.solve_forces(span, constraints, motion, &ask)?;
            self.take_pull(pull);
        }
        Ok(self.solution(pull))
    }

    fn solve_impulses<F: Fn(&Row) -> f64>(
        &mut self,
        span: &Span<'_>,
        constraints: &Constraints,
        motion: &Motion,
        ask: &Impulses<'_, F>,
    ) -> Result<(), StepError> {
        let (rows, weight) = (&constraints.rows, &motion.inverse_mass);
        self.dynamics.begin(constraints.form(span), weight, &self.given);
        let rebounds = pose_impulses(&mut self.dynamics, span, constraints, motion, ask);
        self.dynamics.start_warm(span.world, rows, &constraints.contacts, [span.h, 1.0]);
        if rebounds.is_some() {
            // The velocity before the weight has acted.
            let before = motion.v.iter().zip(&motion.external).zip(&motion.inverse_mass);
            let before = before.map(|((v, a), w)| if w.x > 0.0 { *v - ask.duration * *a } else { *v });
            self.collision.before.clear();
            self.collision.before.extend(before);
        }
        self.solve_dynamics(span, constraints, motion, rebounds, 1.0)
    }

    fn solve_forces<F: Fn(f64, f64, f64) -> f64>(
        &mut self,
        span: &Span<'_>,
        constraints: &Constraints,
        motion: &Motion,
        ask: &Forces<'_, F>,
    ) -> Result<(), StepError> {
        let (rows, weight, h) = (&constraints.rows, &motion.inverse_mass, span.h);
        self.dynamics.begin(constraints.form(span), weight, &self.given);
        let rebounds = pose_forces(&mut self.dynamics, span, constraints, motion, ask);
        self.dynamics.start_warm(span.world, rows, &constraints.contacts, [h, 1.0 / h]);
        if rebounds.is_some() {
            self.collision.before.clone_from(&motion.v);
        }
        self.solve_dynamics(span, constraints, motion, rebounds, h)
    }

    /// Solves the dynamics as posed, in two phases where something rebounds; its λ act for `duration` (1 for impulses).
    fn solve_dynamics(
        &mut self,
        span: &Span<'_>,
        constraints: &Constraints,
        motion: &Motion,
        rebounds: Option<ActiveSet>,
        duration: f64,
    ) -> Result<(), StepError> {
        let Constraints { rows, touches, .. } = constraints;
        let Self { dynamics, velocities, collision, record, figures, .. } = self;
        if let Some(active) = rebounds {
            let ask = |_: usize, touch: &Touch| active.ask_of_collision(touch, span.h);
            let by = (&span.method.solver, &mut *record);
            let outcome = collision.solve(velocities, constraints, &motion.inverse_mass, by, ask)?;
            figures.note_beside(&outcome);
        }
        let returned = rebounds.map(|active| {
            let collision = &*collision;
            move |index: usize, _| {
                let touch = &touches.all()[index];
                let impulse =
                    if active.rebounds(touch, span.h) { collision.returned(index, touch) } else { 0.0 };
                impulse / duration
            }
        });
        let outcome = dynamics.solve_in_phases(&span.method.solver, record, returned)?;
        dynamics.note_as_dynamics(&outcome, duration);
        figures.note(&outcome, dynamics.rows(), touches.contacts().len(), duration);
        self.take_multipliers(rows);
        Ok(())
    }

    /// Solves the dynamics once more, after their right-hand sides have been changed; λ starts from the last solution.
    pub fn solve_again(&mut self, span: &Span<'_>, constraints: &Constraints) -> Result<(), StepError> {
        let Self { dynamics, record, figures, .. } = self;
        let outcome = dynamics.solve(&span.method.solver, record)?;
        figures.note(&outcome, dynamics.rows(), constraints.touches.contacts().len(), 1.0);
        self.take_multipliers(&constraints.rows);
        Ok(())
    }

    /// Δλ of A Δλ = −g/h with the factors of the dynamics, for joints at another pose; nothing is asked of other rows.
    pub fn arrive(&mut self, joints: &[Row], h: f64) -> &[f64] {
        let Self { dynamics, errors, figures, .. } = self;
        errors.clear();
        errors.extend(joints.iter().map(|row| -row.g / h));
        let (change, residual) = dynamics.respond(errors);
        figures.residual = residual;
        figures.iterations += 1;
        change
    }

    /// λ of joints, forces and the grab, in the order of their rows.
    fn take_multipliers(&mut self, rows: &Rows) {
        self.lambda.clear();
        self.lambda.extend(self.dynamics.lambda.iter().take(rows.all().len()));
    }

    /// Where the grab pulls harder than `limit`, it pulls with that, and its rows leave the problem.
    fn pull_beyond(&mut self, limit: f64, constraints: &mut Constraints, motion: &Motion) -> Option<Pull> {
        let rows = &mut constraints.rows;
        let start = rows.grab_start().filter(|_| limit.is_finite())?;
        let &[x, y] = self.lambda.get(start..start + 2)? else { return None };
        if libm::hypot(x, y) > limit {
            let pull = Pull {
                start,
                rows: [rows.all()[start], rows.all()[start + 1]],
                lambda: limit * rows.grab_direction(),
            };
            for (row, lambda) in pull.rows.iter().zip([pull.lambda.x, pull.lambda.y]) {
                row.push(lambda, &motion.inverse_mass, &mut self.given);
            }
            rows.release_grab();
            return Some(pull);
        }
        None
    }

    /// The pull stands for λ of the rows that have left the problem.
    fn take_pull(&mut self, Pull { start, lambda, .. }: Pull) {
        (self.lambda[start], self.lambda[start + 1]) = (lambda.x, lambda.y);
    }

    /// The dynamics as last solved.
    pub fn solution(&self, pull: Option<Pull>) -> Solution<'_> {
        Solution { unknown: &self.dynamics.v, lambda: &self.lambda, problem: &self.dynamics, pull }
    }
}
