//! The dynamics of a step: the impulses, or the forces, of all constraints together.
//!
//! ```text
//! Impulses:  v* = v + h M⁻¹F,   (A + C) λ = −(J v* + b),          v⁺ = v* + M⁻¹Jᵀλ
//! Forces:    a* = M⁻¹F,         (A + C) λ = −(J a* + r),          a  = a* + M⁻¹Jᵀλ
//! ```
//!
//! A = J M⁻¹Jᵀ; C holds the compliances of springs and of the grab, zero for joints. Joints and forces alone are these
//! equations, which `direct.rs` solves by one factorisation; as soon as there is a contact within reach, a limit or a motor,
//! or where the chosen solver sweeps over equations, too, all rows are one mixed complementarity problem. `right_hand_sides.rs` says what b and r are.
//!
//! The grab pulls with F_max at most: where it would pull harder, it does so with F_max exactly, and the others are solved
//! again without its rows.

use super::constraints::{ActiveSet, Constraints};
use super::direct::Direct;
use super::motion::Motion;
use super::problem::Problem;
use super::right_hand_sides::{Forces, Impulses, Springs, pose_forces, pose_impulses};
use super::totals::Figures;
use super::workspace::Span;
use crate::constraint::{Row, Rows};
use crate::report::StepError;
use glam::{DVec2, DVec3};

/// Memory of the solves of a step.
#[derive(Debug, Default)]
pub(super) struct Solve {
    pub problem: Problem,
    pub direct: Direct,
    /// λ of joints, non-holonomic rows, springs and the grab.
    lambda: Vec<f64>,
    /// v* or a*; in the end, where there are equations alone, v⁺ or a.
    given: Vec<DVec3>,
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
    /// The mixed problem; nothing where equations alone were solved.
    pub problem: Option<&'a Problem>,
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
        if pull.is_some() {
            self.solve_impulses(span, constraints, motion, &ask)?;
        }
        self.conclude(span, constraints, motion, pull, 1.0)
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
        if pull.is_some() {
            self.solve_forces(span, constraints, motion, &ask)?;
        }
        self.conclude(span, constraints, motion, pull, span.h)
    }

    fn solve_impulses<F: Fn(&Row) -> f64>(
        &mut self,
        span: &Span<'_>,
        constraints: &Constraints,
        motion: &Motion,
        ask: &Impulses<'_, F>,
    ) -> Result<(), StepError> {
        let (rows, weight) = (&constraints.rows, &motion.inverse_mass);
        if constraints.are_factorised(span) {
            let nonholonomic = ask.nonholonomic.demands(span.world, rows.nonholonomic(), &motion.v);
            self.direct.factor(rows, weight, ask.duration)?;
            self.direct.ask_impulses(rows, &self.given, &ask.bias, nonholonomic, ask.duration);
            self.solve_equations();
            return Ok(());
        }
        self.problem.begin(weight, &self.given);
        let rebounds = pose_impulses(&mut self.problem, span, constraints, motion, ask);
        self.problem.start_warm(span.world, rows, &constraints.contacts, [span.h, 1.0]);
        self.solve_mixed(span, constraints, rebounds, 1.0)
    }

    fn solve_forces<F: Fn(f64, f64, f64) -> f64>(
        &mut self,
        span: &Span<'_>,
        constraints: &Constraints,
        motion: &Motion,
        ask: &Forces<'_, F>,
    ) -> Result<(), StepError> {
        let (rows, weight, h) = (&constraints.rows, &motion.inverse_mass, span.h);
        if constraints.are_factorised(span) {
            let nonholonomic = ask.nonholonomic.demands(span.world, rows.nonholonomic(), &motion.v);
            let Springs::InTheRows = ask.springs else {
                self.direct.factor_stiff(rows, weight)?;
                self.direct.ask_stiff_forces(rows, [&motion.v, &self.given], &ask.rhs, nonholonomic);
                let (dependent, residual) = self.direct.solve_stiff(&mut self.lambda);
                self.note_equations(rows.all().len(), dependent, residual);
                return Ok(());
            };
            self.direct.factor(rows, weight, h)?;
            self.direct.ask_forces(rows, [&motion.v, &self.given], &ask.rhs, nonholonomic, h);
            self.solve_equations();
            return Ok(());
        }
        self.problem.begin(weight, &self.given);
        let rebounds = pose_forces(&mut self.problem, span, constraints, motion, ask);
        self.problem.start_warm(span.world, rows, &constraints.contacts, [h, 1.0 / h]);
        self.solve_mixed(span, constraints, rebounds, h)
    }

    /// Solves the mixed problem as posed, in two phases where something rebounds; its λ act for `duration` (1 for impulses).
    fn solve_mixed(
        &mut self,
        span: &Span<'_>,
        constraints: &Constraints,
        rebounds: Option<ActiveSet>,
        duration: f64,
    ) -> Result<(), StepError> {
        let Constraints { rows, touches, .. } = constraints;
        let returned = rebounds.map(|active| active.returned(touches.all(), span.h));
        let outcome = self.problem.solve_in_phases(&span.method.solver, returned)?;
        self.problem.snapshot.take_as_dynamics(duration);
        self.figures.note_mixed(&outcome, self.problem.rows(), touches.contacts().len(), duration);
        self.take_multipliers(rows);
        Ok(())
    }

    /// Solves the mixed problem once more, after its right-hand sides have been changed; λ starts from the last solution.
    pub fn solve_again(&mut self, span: &Span<'_>, constraints: &Constraints) -> Result<(), StepError> {
        let outcome = self.problem.solve(&span.method.solver)?;
        let contacts = constraints.touches.contacts().len();
        self.figures.note_mixed(&outcome, self.problem.rows(), contacts, 1.0);
        self.take_multipliers(&constraints.rows);
        Ok(())
    }

    /// Δλ of A Δλ = −g/h with the present factors, for joints at another pose (`joints`).
    pub fn arrive(&mut self, rows: &Rows, joints: &[Row], h: f64) -> &[f64] {
        self.direct.ask_positions(rows, joints, h);
        self.solve_equations();
        &self.lambda
    }

    /// λ of joints, forces and the grab, in the order of their rows.
    fn take_multipliers(&mut self, rows: &Rows) {
        self.lambda.clear();
        self.lambda.extend(self.problem.lambda.iter().take(rows.all().len()));
    }

    /// The equations as they stand in `direct`.
    fn solve_equations(&mut self) {
        let (dependent, residual) = self.direct.solve(&mut self.lambda);
        self.note_equations(self.lambda.len(), dependent, residual);
    }

    fn note_equations(&mut self, rows: usize, dependent: usize, residual: f64) {
        self.problem.snapshot.take_equations(dependent);
        self.figures.note_equations(rows, dependent, residual);
    }

    /// Where the grab pulls harder than `limit`, it pulls with that, and its rows leave the problem.
    fn pull_beyond(&mut self, limit: f64, constraints: &mut Constraints, motion: &Motion) -> Option<Pull> {
        let rows = &mut constraints.rows;
        let start = rows.grab_start().filter(|_| limit.is_finite())?;
        let &[x, y] = self.lambda.get(start..start + 2)? else { return None };
        if x.hypot(y) > limit {
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

    /// Judges equations, and moves the bodies by their λ; `duration` as above.
    fn conclude(
        &mut self,
        span: &Span<'_>,
        constraints: &Constraints,
        motion: &Motion,
        pull: Option<Pull>,
        duration: f64,
    ) -> Result<Solution<'_>, StepError> {
        let Self { direct, figures, given, lambda, .. } = self;
        if constraints.are_factorised(span) {
            let rows = constraints.rows.all();
            direct.judge(figures, rows, &motion.inverse_mass, given, lambda)?;
            for (row, lambda) in rows.iter().zip(lambda.iter()) {
                row.push(*lambda, &motion.inverse_mass, given);
            }
            // An acceleration, over the step a velocity: one unit for all levels.
            figures.residual *= duration;
        }
        if let Some(Pull { start, lambda: pull, .. }) = pull {
            (lambda[start], lambda[start + 1]) = (pull.x, pull.y);
        }
        Ok(self.solution(span, constraints, pull))
    }

    /// The last solve as it stands.
    pub fn solution(&self, span: &Span<'_>, constraints: &Constraints, pull: Option<Pull>) -> Solution<'_> {
        let problem = (!constraints.are_factorised(span)).then_some(&self.problem);
        let unknown = problem.map_or(&self.given, |problem| &problem.v);
        Solution { unknown, lambda: &self.lambda, problem, pull }
    }
}
