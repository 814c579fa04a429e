//! The acceleration-level problem in forces, and the integrators that turn accelerations into motion.
//!
//! ```text
//! a* = M⁻¹F,   A λ = −(J a* + r),   a = a* + M⁻¹Jᵀλ,   r = k + 2α (J v + c) + β² g for a joint row
//! ```
//!
//! λ in N. Contacts are found once a step: the stages of Runge–Kutta keep those of its start. Semi-implicit Euler takes springs linearly implicitly, by compliant rows; explicit Euler and
//! Runge–Kutta evaluate them as forces at each stage, as those methods are defined, and are therefore only
//! conditionally stable with stiff springs.

use super::Integrator;
use super::dynamics::Unknown;
use super::gate::GapTerm;
use super::stage::Stage;
use super::touching::{Acting, Springs};
use crate::model::BodyKind;
use crate::report::StepError;
use glam::DVec3;

/// Nodes and weights of the classical Runge–Kutta method.
const RK4_NODES: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
const RK4_WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

impl Stage<'_> {
    /// One step of the integrator with g̈ + 2α ġ + β² g = 0 in joint rows.
    pub(super) fn acceleration_step(
        &mut self,
        integrator: Integrator,
        alpha: f64,
        beta: f64,
    ) -> Result<(), StepError> {
        match integrator {
            Integrator::SemiImplicitEuler => self.semi_implicit_euler(alpha, beta),
            Integrator::ExplicitEuler => self.explicit_euler(alpha, beta),
            Integrator::Rk4 => self.runge_kutta(alpha, beta),
        }
    }

    fn semi_implicit_euler(&mut self, alpha: f64, beta: f64) -> Result<(), StepError> {
        let stabilizing = |g: f64, rate: f64| 2.0 * alpha * rate + beta * beta * g;
        self.evaluate_rows();
        self.find_touches(GapTerm::Touching);
        self.resolve_impacts()?;
        self.weigh();
        self.prescribe_acceleration(0.0);
        self.pose_held_accelerations(0.0, alpha, beta);
        let ws = &mut *self.ws;
        ws.bias.clear();
        let (rows, v) = (ws.rows.joints().iter(), &ws.v);
        ws.bias.extend(rows.map(|row| -stabilizing(row.g, row.rate(v))));
        ws.bias.extend(ws.held_bias.iter().map(|b| -b));
        self.note_start();
        self.solve_forces(|k, g, rate| k + stabilizing(g, rate))?;
        match self.ws.touches.is_empty() {
            true => self.outcome.correction_work += self.work_of_force_bias(self.h),
            // The factors of A are not at hand: the work of all that goes beyond an ideal joint, as in impulses.
            false => self.note_correction_work(self.h),
        }
        self.drift();
        Ok(())
    }

    fn explicit_euler(&mut self, alpha: f64, beta: f64) -> Result<(), StepError> {
        self.explicit_forces(0.0, 1.0, alpha, beta)?;
        self.drift();
        self.accelerate(self.h);
        Ok(())
    }

    fn runge_kutta(&mut self, alpha: f64, beta: f64) -> Result<(), StepError> {
        let h = self.h;
        let ws = &mut *self.ws;
        let bodies = ws.q.len();
        ws.start[0].clone_from(&ws.q);
        for sum in &mut ws.slopes {
            sum.clear();
            sum.resize(bodies, DVec3::ZERO);
        }
        for (stage, (node, weight)) in RK4_NODES.into_iter().zip(RK4_WEIGHTS).enumerate() {
            if stage > 0 {
                let ws = &mut *self.ws;
                for i in 0..bodies {
                    // v and a still hold the previous stage's slopes.
                    ws.q[i] = ws.start[0][i] + node * h * ws.v[i];
                    ws.v[i] = ws.start[1][i] + node * h * ws.a[i];
                }
                self.place_kinematic(node * h);
                self.prescribe_velocity(node * h);
            }
            self.explicit_forces(node * h, weight, alpha, beta)?;
            let ws = &mut *self.ws;
            if stage == 0 {
                // After the impacts, if there were any.
                ws.start[1].clone_from(&ws.v);
            }
            for i in 0..bodies {
                ws.slopes[0][i] += weight * ws.v[i];
                ws.slopes[1][i] += weight * ws.a[i];
            }
        }
        let ws = &mut *self.ws;
        for i in 0..bodies {
            ws.q[i] = ws.start[0][i] + h * ws.slopes[0][i];
            ws.v[i] = ws.start[1][i] + h * ws.slopes[1][i];
        }
        self.place_kinematic(h);
        Ok(())
    }

    /// a* = M⁻¹F: external forces on dynamic bodies, nothing on the others.
    pub(super) fn weigh(&mut self) {
        self.ws.a.clone_from(&self.ws.external);
    }

    /// Gives kinematic bodies their prescribed acceleration, `elapsed` after the part's start.
    fn prescribe_acceleration(&mut self, elapsed: f64) {
        for (index, body) in self.world.bodies().iter().enumerate() {
            if let BodyKind::Kinematic(motion) = body.kind() {
                self.ws.a[index] = motion.acceleration(self.time + elapsed).extend(0.0);
            }
        }
    }

    /// v ← v + h a for bodies that forces move.
    pub(super) fn accelerate(&mut self, h: f64) {
        let ws = &mut *self.ws;
        for ((v, a), w) in ws.v.iter_mut().zip(&ws.a).zip(&ws.inverse_mass) {
            if w.x > 0.0 {
                *v += h * *a;
            }
        }
    }

    /// Solves for the forces of joints and soft rows together and advances v by h a.
    ///
    /// `rhs(k, g, J v)` is what stands beside J a in a joint row.
    pub(super) fn solve_forces(&mut self, rhs: impl Fn(f64, f64, f64) -> f64) -> Result<(), StepError> {
        let limit = self.world.grab.map_or(f64::INFINITY, |grab| grab.max_force);
        if !self.ws.touches.is_empty() {
            self.solve_touching_forces_within(limit, rhs)?;
            self.write_impulses(self.h, Acting::InTheDynamics);
            self.accelerate(self.h);
            return Ok(());
        }
        self.factor_rows(self.h)?;
        self.force_rhs(&rhs);
        self.solve_rows();
        if self.grab_multiplier() > limit {
            self.pull_acceleration(limit);
            self.ws.rows.release_grab();
            self.factor_rows(self.h)?;
            self.force_rhs(&rhs);
            self.solve_rows();
        }
        self.judge_equations(Unknown::Acceleration)?;
        let ws = &mut *self.ws;
        for (row, lambda) in ws.rows.all().iter().zip(&ws.lambda) {
            row.push(*lambda, &ws.inverse_mass, &mut ws.a);
        }
        ws.ledger.add_rows(ws.rows.all(), &ws.lambda, self.h);
        self.accelerate(self.h);
        self.outcome.residual *= self.h;
        Ok(())
    }

    /// The mixed problem, with the grab's pull at most `limit`, N.
    fn solve_touching_forces_within(
        &mut self,
        limit: f64,
        rhs: impl Fn(f64, f64, f64) -> f64,
    ) -> Result<(), StepError> {
        self.ws.scratch.clone_from(&self.ws.a);
        self.solve_touching_forces(Springs::InTheRows, &rhs)?;
        if self.grab_multiplier() > limit {
            self.ws.a.clone_from(&self.ws.scratch);
            self.pull_acceleration(limit);
            self.ws.rows.release_grab();
            self.solve_touching_forces(Springs::InTheRows, &rhs)?;
        }
        Ok(())
    }

    /// T(v⁺) − T(v⁺ − δ) of the stabilizing right-hand side kept in `bias` (see `dynamics.rs`), whose
    /// multipliers acted for `duration`.
    fn work_of_force_bias(&mut self, duration: f64) -> f64 {
        let ws = &mut *self.ws;
        if ws.bias.iter().all(|b| *b == 0.0) {
            return 0.0;
        }
        ws.bias.resize(ws.rows.all().len(), 0.0);
        ws.bias_lambda.clear();
        ws.bias_lambda.resize(ws.bias.len(), 0.0);
        ws.dynamics.solve(&ws.bias, &mut ws.bias_lambda);
        ws.scratch.clear();
        ws.scratch.resize(ws.v.len(), DVec3::ZERO);
        for (row, lambda) in ws.rows.all().iter().zip(&ws.bias_lambda) {
            row.push(duration * lambda, &ws.inverse_mass, &mut ws.scratch);
        }
        let mut work = 0.0;
        for ((delta, v), w) in ws.scratch.iter().zip(&ws.v).zip(&ws.inverse_mass) {
            if w.x > 0.0 {
                work += (*delta * (*v - 0.5 * *delta) / *w).element_sum();
            }
        }
        work
    }

    fn force_rhs(&mut self, rhs: &impl Fn(f64, f64, f64) -> f64) {
        let h = self.h;
        let ws = &mut *self.ws;
        let (v, a) = (&ws.v, &ws.a);
        ws.rhs.clear();
        let joint_rows = ws.rows.joints().iter();
        ws.rhs.extend(joint_rows.map(|row| -(row.rate(a) + rhs(row.k, row.g, row.rate(v)))));
        ws.rhs.extend(ws.rows.nonholonomic().iter().zip(&ws.held).map(|(row, r)| -(row.rate(a) + r)));
        ws.rhs.extend(ws.rows.soft().map(|(row, soft)| {
            soft.row(row.g, h).map_or(0.0, |(_, b)| -(row.rate(a) + (row.rate(v) + b) / h))
        }));
    }

    fn pull_acceleration(&mut self, force: f64) {
        let ws = &mut *self.ws;
        let pull = force * ws.rows.grab_direction();
        if let Some(start) = ws.rows.grab_start() {
            for (at, (row, pull)) in ws.rows.all()[start..].iter().zip([pull.x, pull.y]).enumerate() {
                row.push(pull, &ws.inverse_mass, &mut ws.a);
                ws.ledger.add_row(start + at, row, self.h * pull);
            }
        }
    }

    /// Accelerations at the present (q, v) with springs and grab as explicit forces; `weight` is this
    /// evaluation's share of the step.
    fn explicit_forces(
        &mut self,
        elapsed: f64,
        weight: f64,
        alpha: f64,
        beta: f64,
    ) -> Result<(), StepError> {
        self.evaluate_rows();
        if elapsed == 0.0 {
            self.find_touches(GapTerm::Touching);
            self.resolve_impacts()?;
            self.note_beginnings();
        } else {
            self.evaluate_same_touches();
        }
        self.weigh();
        self.prescribe_acceleration(elapsed);
        self.pose_held_accelerations(elapsed, alpha, beta);
        let share = weight * self.h;
        self.push_soft_forces(share);
        if !self.ws.touches.is_empty() {
            let stabilizing = |g: f64, rate: f64| 2.0 * alpha * rate + beta * beta * g;
            self.solve_touching_forces(Springs::Explicit, |k, g, rate| k + stabilizing(g, rate))?;
            self.write_impulses(share, Acting::InTheDynamics);
            return Ok(());
        }
        let ws = &mut *self.ws;
        let rows = ws.rows.equations();
        ws.equations.factor(rows, &ws.inverse_mass, &[]).map_err(|_| StepError::Factorization)?;
        ws.bias.clear();
        let joints = ws.rows.joints();
        ws.bias.extend(joints.iter().map(|row| 2.0 * alpha * row.rate(&ws.v) + beta * beta * row.g));
        ws.rhs.clear();
        let (a, bias) = (&ws.a, &ws.bias);
        ws.rhs.extend(joints.iter().zip(bias).map(|(row, b)| -(row.rate(a) + row.k + b)));
        ws.rhs.extend(ws.rows.nonholonomic().iter().zip(&ws.held).map(|(row, r)| -(row.rate(a) + r)));
        ws.bias.extend_from_slice(&ws.held_bias);
        ws.lambda.clear();
        ws.lambda.resize(rows.len(), 0.0);
        let residual = ws.equations.solve(&ws.rhs, &mut ws.lambda);
        let dependent = ws.equations.dependent_rows();
        self.note_solve(self.ws.rows.all().len(), dependent, residual);
        self.judge_equations(Unknown::Acceleration)?;
        let ws = &mut *self.ws;
        let rows = ws.rows.equations();
        for (row, lambda) in rows.iter().zip(&ws.lambda) {
            row.push(*lambda, &ws.inverse_mass, &mut ws.a);
        }
        ws.ledger.add_rows(rows, &ws.lambda, share);
        if ws.bias.iter().any(|b| *b != 0.0) {
            ws.bias_lambda.clear();
            ws.bias_lambda.resize(rows.len(), 0.0);
            ws.equations.solve(&ws.bias, &mut ws.bias_lambda);
            // Power of the stabilizing forces −A⁻¹(2αġ + β²g), integrated by the method's own quadrature.
            let power = |(row, lambda): (&crate::constraint::Row, &f64)| -lambda * row.rate(&ws.v);
            self.outcome.correction_work +=
                share * rows.iter().zip(&ws.bias_lambda).map(power).sum::<f64>();
        }
        // An acceleration, over the step a velocity: one unit for all levels.
        self.outcome.residual *= self.h;
        Ok(())
    }

    /// Adds the forces of springs and grab to a; they act for `duration`.
    fn push_soft_forces(&mut self, duration: f64) {
        let limit = self.world.grab.map_or(0.0, |grab| grab.max_force);
        let ws = &mut *self.ws;
        let grab = ws.rows.grab_start().map(|start| start - ws.rows.equations().len());
        let force = |(row, soft): (&crate::constraint::Row, &crate::model::Softness)| {
            soft.force(row.g, row.rate(&ws.v))
        };
        ws.rhs.clear();
        ws.rhs.extend(ws.rows.soft().map(force));
        if let Some([x, y]) = grab.and_then(|start| ws.rhs.get_mut(start..)) {
            let size = x.hypot(*y);
            if size > limit {
                (*x, *y) = (*x * limit / size, *y * limit / size);
            }
        }
        for ((row, _), force) in ws.rows.soft().zip(&ws.rhs) {
            row.push(*force, &ws.inverse_mass, &mut ws.a);
        }
        ws.ledger.add_soft(&ws.rows, &ws.rhs, duration);
    }
}
