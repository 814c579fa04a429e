//! RATTLE: the Störmer–Verlet method for constrained systems, second order, holding both g and the energy.
//!
//! ```text
//! v½ = v + ½h M⁻¹F(q) + M⁻¹J(q)ᵀλ ,    q⁺ = q + h v½ ,   λ such that g(q⁺) = 0
//! v⁺ = v½ + ½h M⁻¹F(q⁺) + M⁻¹J(q⁺)ᵀμ ,                   μ such that J(q⁺) v⁺ + c = 0
//!                                                         [Andersen 1983; Hairer, Lubich & Wanner VII.1.4]
//! ```
//!
//! λ, μ are impulses (N s). Symmetric and symplectic: the energy error stays bounded by O(h²) without trend,
//! and linear and angular momentum are conserved to rounding, since constraint impulses act where g = 0.
//!
//! λ by simplified Newton: A(q) is factorised once, and A(q) Δλ = −g(q + h v½)/h repeated until rounding
//! stops it; the first guess includes the step's curvature, g + h J v½ + ½h² k = 0. It contracts like the
//! sine of the angle by which a joint turns in the step. Where a joint turns by more than [`MAX_TURN`], or
//! Newton's method stagnates, the step is made in two halves, and so on: the tip of a whip needs that.
//!
//! Springs act by the implicit midpoint force f = −k s(q½) − d ṡ over both halves, which is the compliant row
//! over ½h with the first half's J, applied with the second half's J again [IMEX, Stern & Grinspun 2009];
//! stiff ones stay stable.
//!
//! A start off the manifold (a joint pulled apart, a scheme switched in mid-motion) is first projected onto
//! it in the mass metric, and the energy of that reported as work of the correction.

use super::{Level, Method, Scheme, SchemeInfo, Stage};
use crate::math::largest;
use crate::report::StepError;
use glam::DVec3;

pub(super) struct Rattle;

/// A start with a larger |g| than this (m or rad) is projected first.
const START_TOLERANCE: f64 = 1e-10;
/// Largest turn of a joint row's direction in one part, rad. Beyond it the energy error no longer stays
/// small when a chain cracks like a whip: without the limit a six-link chain under 85 m/s² gains 10⁸ J in 17 s,
/// with it some per cent of its own energy in 60 s.
const MAX_TURN: f64 = 0.1;
/// An iteration that leaves more than this share of the error has stagnated.
const STAGNATION: f64 = 0.5;
/// Most simplified Newton iterations before the step is halved.
const MAX_ITERATIONS: usize = 40;

static INFO: SchemeInfo = SchemeInfo {
    key: "rattle",
    name: "RATTLE",
    equation: "g(q + h v½) = 0 ,  J(q⁺) v⁺ + c = 0",
    summary: "Second order and symplectic: holds the joints to rounding and the energy without trend.",
    source: "Andersen 1983; Hairer, Lubich & Wanner 2006, VII.1.4",
    levels: &[Level::Velocity],
    parameters: &[],
    languages: &[],
    conserves_angular_momentum: true,
};

impl Scheme for Rattle {
    fn info(&self) -> &'static SchemeInfo {
        &INFO
    }

    fn advance(&self, _: &Method, stage: &mut Stage<'_>) -> Result<(), StepError> {
        stage.in_parts(rattle)
    }
}

fn rattle(stage: &mut Stage<'_>) -> Result<(), StepError> {
    start_on_manifold(stage)?;
    let h = stage.h;
    stage.prescribe_mean_velocity();
    stage.evaluate_rows();
    stage.kick(h / 2.0);
    stage.solve_impulses(h / 2.0, |row| row.g / h + 0.5 * h * row.k)?;
    stage.keep_soft_impulses();
    solve_positions(stage)?;
    stage.drift();

    stage.prescribe_velocity(h);
    stage.evaluate_rows();
    stage.kick(h / 2.0);
    stage.repeat_soft_impulses();
    stage.project_velocities()
}

fn start_on_manifold(stage: &mut Stage<'_>) -> Result<(), StepError> {
    stage.evaluate_joints();
    if stage.joint_error() <= START_TOLERANCE {
        return Ok(());
    }
    let energy = stage.potential_energy() + stage.kinetic_energy();
    stage.project_positions()?;
    stage.prescribe_velocity(0.0);
    stage.project_velocities()?;
    stage.outcome.correction_work += stage.potential_energy() + stage.kinetic_energy() - energy;
    Ok(())
}

/// Corrects v½ until g(q + h v½) vanishes to rounding.
fn solve_positions(stage: &mut Stage<'_>) -> Result<(), StepError> {
    let mut last = f64::INFINITY;
    for iterations in 0..MAX_ITERATIONS {
        let error = stage.evaluate_arrival();
        if iterations == 0 {
            stage.check_turn()?;
        }
        if error <= stage.rounding() {
            return Ok(());
        }
        let falling_fast = error < STAGNATION * last;
        if !falling_fast {
            return match error <= stage.tolerance() {
                true => Ok(()),
                false => Err(stage.not_converged(iterations, error)),
            };
        }
        last = error;
        stage.correct_arrival();
    }
    Err(stage.not_converged(MAX_ITERATIONS, last))
}

impl Stage<'_> {
    /// g at q + h v, into the arrival rows; returns the largest.
    fn evaluate_arrival(&mut self) -> f64 {
        let h = self.h;
        let ws = &mut *self.ws;
        ws.scratch.clear();
        ws.scratch.extend(ws.q.iter().zip(&ws.v).map(|(q, v)| *q + h * *v));
        ws.arrival.evaluate_joints(self.world, &ws.scratch, &ws.v);
        largest(ws.arrival.joints().iter().map(|row| row.g))
    }

    /// Refuses a part in which a joint row's direction turns too far: |ΔJ|/|J| between the start and the
    /// arrival, with |J|² = J M⁻¹Jᵀ, which is the angle in rad where a lever or a rod turns.
    fn check_turn(&self) -> Result<(), StepError> {
        let weight = &self.ws.inverse_mass;
        let pairs = self.ws.rows.joints().iter().zip(self.ws.arrival.joints());
        let turn = largest(pairs.map(|(start, end)| {
            let norm = |ja: DVec3, jb: DVec3| ja.dot(weight[start.a] * ja) + jb.dot(weight[start.b] * jb);
            let change = norm(end.ja - start.ja, end.jb - start.jb);
            if change == 0.0 { 0.0 } else { (change / norm(start.ja, start.jb)).sqrt() }
        }));
        match turn <= MAX_TURN {
            true => Ok(()),
            false => Err(StepError::TurnsTooFar { turn, limit: MAX_TURN }),
        }
    }

    /// A Δλ = −g/h with the factors and the J of the start; soft rows keep their (linear) balance.
    fn correct_arrival(&mut self) {
        let h = self.h;
        let ws = &mut *self.ws;
        ws.rhs.clear();
        ws.rhs.extend(ws.arrival.joints().iter().map(|row| -row.g / h));
        ws.rhs.resize(ws.rows.all().len(), 0.0);
        self.solve_rows();
        let ws = &mut *self.ws;
        for (row, lambda) in ws.rows.all().iter().zip(&ws.lambda) {
            row.push(*lambda, &ws.inverse_mass, &mut ws.v);
        }
        for (sum, lambda) in ws.impulse.iter_mut().zip(&ws.lambda) {
            *sum += lambda;
        }
        let soft = &ws.lambda[ws.rows.joints().len()..];
        for (kept, lambda) in ws.soft_impulse.iter_mut().zip(soft) {
            *kept += lambda;
        }
    }

    fn keep_soft_impulses(&mut self) {
        let ws = &mut *self.ws;
        ws.soft_impulse.clear();
        ws.soft_impulse.extend_from_slice(&ws.lambda[ws.rows.joints().len()..]);
    }

    fn repeat_soft_impulses(&mut self) {
        let ws = &mut *self.ws;
        for ((row, _), impulse) in ws.rows.soft().zip(&ws.soft_impulse) {
            row.push(*impulse, &ws.inverse_mass, &mut ws.v);
        }
    }
}
