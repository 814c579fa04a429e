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
//! A start off the manifold (a joint pulled apart, an overlap, a scheme switched in mid-motion) is first projected
//! onto it in the mass metric, and the energy of that reported as work of the correction, less that of impacts.
//!
//! **Contacts, limits, motors.** Both solves become mixed problems: 0 ≤ φ(q + h v½) ⊥ λ ≥ 0 with friction against
//! J_t v½ + ½h J̇_t v, as for any non-holonomic row, by Newton's method on the whole problem with the J of the start; and J v⁺ ≥ −e φ̇ (φ̇ of the start, impacts
//! alone) where λ > 0 or φ(q⁺) = 0, with friction against J_t v⁺. That is Newton's law; by Poisson's, J v⁺ ≥ 0 there and, in one
//! solve more, μ ≥ e (λ + μ) of what both stages took to stop the bodies: the first of them stops all but φ/h. Motors have half of h F_max in each.
//! What is lost: an impact falls between two steps' ends and is taken at one of them, O(h) off, so that the order
//! drops to one, and neither symmetry nor the bounded energy error outlives it. Between impacts, contacts that last are
//! held like joints; sliding friction is a force of the velocity, and first order as well. Where the step has no unilateral
//! row and no motor, the method is the one above, bit for bit.

use super::gate::GapTerm;
use super::posing::Slip;
use super::touching::Acting;
use super::workspace::Workspace;
use super::{Level, Method, Restitution, Scheme, SchemeInfo, Stage};
use crate::math::largest;
use crate::report::StepError;
use glam::DVec3;

pub(super) struct Rattle;

/// A start with a larger error than this share of the extent is projected first.
const START_TOLERANCE: f64 = 1e-10;
/// Largest turn of a joint row's direction in one part, rad. Beyond it the energy error no longer stays
/// small when a chain cracks like a whip: without the limit a six-link chain under 85 m/s² gains 10⁸ J in 17 s,
/// with it some per cent of its own energy in 60 s.
const MAX_TURN: f64 = 0.1;
/// An iteration that leaves more than this share of the error has stagnated.
const STAGNATION: f64 = 0.5;
/// Most simplified Newton iterations before the step is halved.
const MAX_ITERATIONS: usize = 40;
/// Largest error, as a share of the extent, at which Newton's method with contacts may stagnate: the mixed solvers may stop at
/// 1e-9 of the problem's speed.
const TOUCHING_TOLERANCE: f64 = 1e-10;

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
    stage.pose_held_midpoint();
    stage.find_touches(GapTerm::Travelling);
    if !stage.ws.touches.is_empty() {
        return touching_rattle(stage);
    }
    stage.kick(h / 2.0);
    stage.solve_impulses(h / 2.0, |row| row.g / h + 0.5 * h * row.k)?;
    stage.keep_soft_impulses();
    solve_positions(stage)?;
    stage.drift();

    stage.prescribe_velocity(h);
    stage.evaluate_rows();
    stage.kick(h / 2.0);
    stage.repeat_soft_impulses();
    stage.project_velocities()?;
    Ok(())
}

/// The same with unilateral rows and motors, which have been found.
fn touching_rattle(stage: &mut Stage<'_>) -> Result<(), StepError> {
    let h = stage.h;
    stage.keep_approaches();
    stage.gate.lead = h / 2.0;
    stage.kick(h / 2.0);
    let threshold = std::mem::replace(&mut stage.gate.threshold, f64::INFINITY);
    let limit = stage.world.grab.map_or(f64::INFINITY, |grab| grab.max_force * h / 2.0);
    stage.solve_touching_within(limit, h / 2.0, |row| row.g / h + 0.5 * h * row.k)?;
    stage.keep_soft_impulses();
    solve_touching_arrival(stage)?;
    stage.write_impulses(1.0, Acting::InTheDynamics);
    stage.gate.threshold = threshold;
    stage.drift();

    stage.prescribe_velocity(h);
    stage.evaluate_rows();
    stage.evaluate_same_touches();
    stage.kick(h / 2.0);
    stage.repeat_soft_impulses();
    stage.solve_closing_velocities()
}

fn start_on_manifold(stage: &mut Stage<'_>) -> Result<(), StepError> {
    stage.evaluate_positions();
    if stage.position_error() <= START_TOLERANCE * stage.extent() {
        return Ok(());
    }
    let energy = stage.potential_energy() + stage.kinetic_energy();
    stage.project_positions()?;
    stage.prescribe_velocity(0.0);
    let impacts = stage.project_velocities()?;
    stage.outcome.correction_work += stage.potential_energy() + stage.kinetic_energy() - energy - impacts;
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

/// Corrects v½ until joints and contacts that push are met at q + h v½, and no other contact overlaps.
fn solve_touching_arrival(stage: &mut Stage<'_>) -> Result<(), StepError> {
    let mut last = f64::INFINITY;
    for iterations in 0..MAX_ITERATIONS {
        let error = stage.evaluate_arrival().max(stage.evaluate_touching_arrival());
        if iterations == 0 {
            stage.check_turn()?;
        }
        let falling_fast = error < STAGNATION * last;
        let accepted = if falling_fast { stage.rounding() } else { TOUCHING_TOLERANCE * stage.extent() };
        if error <= accepted {
            return Ok(());
        }
        if !falling_fast {
            return Err(stage.not_converged(iterations, error));
        }
        last = error;
        stage.correct_touching_arrival()?;
    }
    Err(stage.not_converged(MAX_ITERATIONS, last))
}

impl Stage<'_> {
    /// g at q + h v, into the arrival rows; returns the largest as a length, m.
    fn evaluate_arrival(&mut self) -> f64 {
        let h = self.h;
        let ws = &mut *self.ws;
        ws.scratch.clear();
        ws.scratch.extend(ws.q.iter().zip(&ws.v).map(|(q, v)| *q + h * *v));
        ws.arrival.evaluate_joints(self.world, &ws.scratch, &ws.v);
        self.length_of_errors(self.ws.arrival.joints(), self.extent())
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
        ws.ledger.add_rows(ws.rows.all(), &ws.lambda, 1.0);
        let soft = &ws.lambda[ws.rows.equations().len()..];
        for (kept, lambda) in ws.soft_impulse.iter_mut().zip(soft) {
            *kept += lambda;
        }
    }

    /// φ̇ of all unilateral rows at the start, kept for the law of impact.
    fn keep_approaches(&mut self) {
        let Workspace { start_rate, touches, .. } = &mut *self.ws;
        start_rate.clear();
        start_rate.extend(touches.all().iter().map(|touch| touch.approach));
    }

    /// φ at the arrival; returns the largest error, |φ| where λ > 0, the overlap elsewhere. Keeps λ in `bias`.
    fn evaluate_touching_arrival(&mut self) -> f64 {
        let Workspace { arrival, arrival_touches, contacts, problem, bias, v, .. } = &mut *self.ws;
        arrival_touches.evaluate(self.world, arrival.frames(), contacts, v);
        bias.clear();
        bias.resize(arrival_touches.all().len(), 0.0);
        for (index, lambda) in problem.touch_multipliers() {
            bias[index] = lambda[0];
        }
        let errors = arrival_touches.all().iter().zip(bias.iter());
        largest(
            errors.map(|(touch, lambda)| if *lambda > 0.0 { touch.row.g } else { touch.row.g.min(0.0) }),
        )
    }

    /// One Newton step of the mixed problem, with the J of the start.
    fn correct_touching_arrival(&mut self) -> Result<(), StepError> {
        let h = self.h;
        let Workspace { arrival, arrival_touches, problem, .. } = &mut *self.ws;
        problem.linearise_at(arrival.joints(), arrival_touches.all(), h);
        let outcome = problem.solve(&self.method.solver)?;
        self.ws.v.clone_from(&self.ws.problem.v);
        self.note_mixed(&outcome, 1.0);
        self.take_multipliers();
        let Workspace { rows, lambda, soft_impulse, .. } = &mut *self.ws;
        let solved = lambda[rows.equations().len()..].iter();
        for ((kept, lambda), (_, softness)) in soft_impulse.iter_mut().zip(solved).zip(rows.soft()) {
            // A grab at its limit has been released: its pull stands.
            if softness.stiffness + softness.damping > 0.0 {
                *kept = *lambda;
            }
        }
        Ok(())
    }

    /// J v⁺ + c = 0 in joints, J v⁺ ≥ −e φ̇ where λ > 0 or φ = 0 (or e times the impulse back), friction, and the motors'
    /// second half.
    fn solve_closing_velocities(&mut self) -> Result<(), StepError> {
        let poisson = self.method.contact.restitution == Restitution::AnitescuPotra;
        self.pose_held_velocities();
        let closed = TOUCHING_TOLERANCE * self.extent();
        let (threshold, h) = (self.gate.threshold, self.h);
        let mut rebounds = false;
        let Workspace { problem, rows, touches, v, inverse_mass, bias, start_rate, held, .. } =
            &mut *self.ws;
        problem.begin(inverse_mass, v);
        problem.pose_joints(rows, |_| 0.0);
        problem.pose_nonholonomic(rows, held.iter().copied());
        problem.pose_drives(touches.drives(), h / 2.0, |drive| -drive.speed);
        for (index, touch) in touches.all().iter().enumerate() {
            let approach = start_rate[index];
            let impact = approach < -threshold;
            let rebound = if impact && !poisson { touch.restitution * approach } else { 0.0 };
            if bias[index] > 0.0 || touch.row.g <= closed {
                rebounds |= impact && poisson;
                problem.pose_touch(index, touch, rebound, Slip::Free(0.0));
            }
        }
        problem.start_cold();
        let returned = |index: usize, second: f64| {
            let impact = start_rate[index] < -threshold;
            if impact { touches.all()[index].restitution * (bias[index] + second) } else { 0.0 }
        };
        let outcome = problem.solve_in_phases(&self.method.solver, rebounds.then_some(returned))?;
        self.note_mixed(&outcome, 1.0);
        self.ws.v.clone_from(&self.ws.problem.v);
        self.write_impulses(1.0, Acting::Beside);
        Ok(())
    }

    fn keep_soft_impulses(&mut self) {
        let ws = &mut *self.ws;
        ws.soft_impulse.clear();
        ws.soft_impulse.extend_from_slice(&ws.lambda[ws.rows.equations().len()..]);
    }

    fn repeat_soft_impulses(&mut self) {
        let ws = &mut *self.ws;
        for ((row, _), impulse) in ws.rows.soft().zip(&ws.soft_impulse) {
            row.push(*impulse, &ws.inverse_mass, &mut ws.v);
        }
        ws.ledger.add_soft(&ws.rows, &ws.soft_impulse, 1.0);
    }
}
