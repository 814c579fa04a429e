//! The acceleration level: the problem in forces, and the integrators that turn accelerations into motion.
//!
//! ```text
//! a* = M⁻¹F,   A λ = −(J a* + r),   a = a* + M⁻¹Jᵀλ,   r = k + 2α (J v + c) + β² g for a joint row
//!
//! semi-implicit Euler   v⁺ = v + h a(q, v) ,   q⁺ = q + h v⁺
//! explicit Euler        q⁺ = q + h v ,         v⁺ = v + h a(q, v)
//! Runge–Kutta           the classical method of order four
//! ```
//!
//! λ in N. Contacts are found once a step: the stages of Runge–Kutta keep those of its start. Semi-implicit Euler takes
//! springs linearly implicitly, by compliant rows; explicit Euler and Runge–Kutta evaluate them as forces at each stage, as
//! those methods are defined, and are therefore only conditionally stable with stiff springs.
//!
//! Impacts are resolved at the start of the step (`impacts.rs`).
//!
//! **What parts** after an impact, J v > 0, is held by its forces to J v ≥ 0 at the end of the step, and not to φ̈ ≥ 0: however its normal
//! turns, J̇v, a force against that would do the work h λ J v.

use super::Integrator;
use super::constraints::GapTerm;
use super::forces::{Beginning, Forces, Springs, soft_forces};
use super::impacts::resolve_impacts;
use super::motion::Motion;
use super::nonholonomic::{Quadrature, VelocityTerms};
use super::work::work_of_change;
use super::workspace::Step;
use crate::constraint::{Row, Rows, Touch};
use crate::model::World;
use crate::report::StepError;
use glam::DVec3;

/// Nodes and weights of the classical Runge–Kutta method.
const RK4_NODES: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
const RK4_WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// g̈ + 2α ġ + β² g = 0 in joint rows; with e and its integral in non-holonomic ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Oscillator {
    /// 1/s.
    pub alpha: f64,
    /// 1/s.
    pub beta: f64,
    /// Which errors of non-holonomic rows their integral holds when it is used.
    pub integral: Quadrature,
}

impl Oscillator {
    /// 2α ġ + β² g.
    fn stabilizing(self, g: f64, rate: f64) -> f64 {
        2.0 * self.alpha * rate + self.beta * self.beta * g
    }

    fn nonholonomic(self, at: f64, integrals: &[f64]) -> VelocityTerms<'_> {
        VelocityTerms::Accelerations { at, alpha: self.alpha, beta: self.beta, integrals }
    }

    /// The stabilizing part of the right-hand side of all equations, at the present q and v and the time `at`.
    fn stabilizing_part(self, part: &mut Vec<f64>, world: &World, rows: &Rows, motion: &Motion, at: f64) {
        let v = &motion.v;
        let nonholonomic =
            self.nonholonomic(at, motion.integrals.used()).demands(world, rows.nonholonomic(), v);
        part.clear();
        part.extend(rows.joints().iter().map(|row| self.stabilizing(row.g, row.rate(v))));
        part.extend(nonholonomic.map(|[_, stabilizing]| stabilizing));
    }
}

/// One step of the method's integrator.
pub(super) fn integrate(step: &mut Step<'_>, oscillator: Oscillator) -> Result<(), StepError> {
    match step.span.method.integrator {
        Integrator::SemiImplicitEuler => semi_implicit_euler(step, oscillator),
        Integrator::ExplicitEuler => explicit_euler(step, oscillator),
        Integrator::Rk4 => runge_kutta(step, oscillator),
    }
}

fn semi_implicit_euler(step: &mut Step<'_>, oscillator: Oscillator) -> Result<(), StepError> {
    step.constraints.evaluate(step.span.world, step.motion);
    step.constraints.find_contacts(&step.span, step.motion, GapTerm::Touching);
    resolve_impacts(step)?;
    let Step { span, motion, constraints, solve, totals, slopes, .. } = step;
    let (world, h) = (span.world, span.h);

    let nonholonomic = constraints.rows.nonholonomic();
    motion.integrals.add_errors(oscillator.integral, world, [span.time, h], nonholonomic, &motion.v);
    // At the velocity after the impacts, which the forces change.
    oscillator.stabilizing_part(&mut slopes.stabilizing, world, &constraints.rows, motion, span.time);
    slopes.stabilizing.iter_mut().for_each(|s| *s = -*s);
    totals.note_start(constraints, motion, h); // for the work in the report

    motion.accelerate_freely();
    motion.prescribe_acceleration(span, 0.0);
    let nonholonomic = oscillator.nonholonomic(span.time, motion.integrals.used());
    let rhs = |k: f64, g: f64, rate: f64| k + oscillator.stabilizing(g, rate);
    let ask = Forces { rhs, nonholonomic, springs: Springs::InTheRows, rebounded: &slopes.rebounded };
    let forces = solve.forces(span, constraints, motion, ask)?;
    totals.add(&forces, constraints, h);
    motion.a.copy_from_slice(forces.unknown);
    motion.accelerate(h);
    if forces.problem.is_system() {
        if slopes.stabilizing.iter().any(|b| *b != 0.0) {
            let delta = solve.dynamics.moved_by(&mut slopes.stabilizing, h);
            totals.corrections.work += work_of_change(delta, motion);
        }
    } else {
        // The factors of A are not known: the work of all that goes beyond an ideal joint, as in impulses.
        totals.add_work(&forces, constraints, motion, [h, h]); // `work.rs`, for the report
    }
    motion.drift(span);
    Ok(())
}

fn explicit_euler(step: &mut Step<'_>, oscillator: Oscillator) -> Result<(), StepError> {
    explicit_forces(step, oscillator, 0.0, 1.0)?;
    step.motion.drift(&step.span);
    step.motion.accelerate(step.span.h);
    Ok(())
}

fn runge_kutta(step: &mut Step<'_>, oscillator: Oscillator) -> Result<(), StepError> {
    let h = step.span.h;
    let bodies = step.motion.q.len();
    step.slopes.start[0].clone_from(&step.motion.q);
    for sum in &mut step.slopes.sums {
        sum.clear();
        sum.resize(bodies, DVec3::ZERO);
    }
    for (stage, (node, weight)) in RK4_NODES.into_iter().zip(RK4_WEIGHTS).enumerate() {
        if stage > 0 {
            let Step { span, motion, slopes, .. } = &mut *step;
            for i in 0..bodies {
                // v and a still hold the previous stage's slopes.
                motion.q[i] = slopes.start[0][i] + node * h * motion.v[i];
                motion.v[i] = slopes.start[1][i] + node * h * motion.a[i];
            }
            motion.place_prescribed(span, node * h);
            motion.prescribe_velocity(span, node * h);
        }
        explicit_forces(step, oscillator, node * h, weight)?;
        let Step { motion, slopes, .. } = &mut *step;
        if stage == 0 {
            // After the impacts, if there were any.
            slopes.start[1].clone_from(&motion.v);
        }
        for i in 0..bodies {
            slopes.sums[0][i] += weight * motion.v[i];
            slopes.sums[1][i] += weight * motion.a[i];
        }
    }
    let Step { span, motion, slopes, .. } = &mut *step;
    for i in 0..bodies {
        motion.q[i] = slopes.start[0][i] + h * slopes.sums[0][i];
        motion.v[i] = slopes.start[1][i] + h * slopes.sums[1][i];
    }
    motion.place_prescribed(span, h);
    Ok(())
}

/// a at the present (q, v), `elapsed` after the start, with springs and grab as explicit forces; `weight` is this
/// evaluation's share of the step.
fn explicit_forces(
    step: &mut Step<'_>,
    oscillator: Oscillator,
    elapsed: f64,
    weight: f64,
) -> Result<(), StepError> {
    step.constraints.evaluate(step.span.world, step.motion);
    if elapsed == 0.0 {
        step.constraints.find_contacts(&step.span, step.motion, GapTerm::Touching);
        resolve_impacts(step)?;
    }
    let Step { span, motion, constraints, solve, totals, slopes, .. } = step;
    let (world, at, share) = (span.world, span.time + elapsed, weight * span.h);
    if elapsed == 0.0 {
        let active = constraints.active;
        let beginning =
            |touch: &Touch| Beginning { slip: touch.slip(&motion.v), near: active.is_near(touch) };
        slopes.beginnings.clear();
        slopes.beginnings.extend(constraints.touches.all().iter().map(beginning));
        let nonholonomic = constraints.rows.nonholonomic();
        motion.integrals.add_errors(
            oscillator.integral,
            world,
            [span.time, span.h],
            nonholonomic,
            &motion.v,
        );
    } else {
        constraints.evaluate_same_contacts(world, motion);
    }

    motion.accelerate_freely();
    motion.prescribe_acceleration(span, elapsed);
    soft_forces(&mut slopes.soft, world, &constraints.rows, &motion.v);
    for ((row, _), force) in constraints.rows.soft().zip(&slopes.soft) {
        row.push(*force, &motion.inverse_mass, &mut motion.a);
    }
    totals.ledger.add_soft(&constraints.rows, &slopes.soft, share);

    let rhs = |k: f64, g: f64, rate: f64| k + oscillator.stabilizing(g, rate);
    let nonholonomic = oscillator.nonholonomic(at, motion.integrals.used());
    let springs = Springs::Explicit(&slopes.beginnings);
    let ask = Forces { rhs, nonholonomic, springs, rebounded: &[] };
    let forces = solve.forces(span, constraints, motion, ask)?;
    totals.add(&forces, constraints, share);
    motion.a.copy_from_slice(forces.unknown);
    if forces.problem.is_system() {
        oscillator.stabilizing_part(&mut slopes.stabilizing, world, &constraints.rows, motion, at);
        if slopes.stabilizing.iter().any(|b| *b != 0.0) {
            let (lambda, _) = solve.dynamics.respond(&mut slopes.stabilizing);
            // Power of the stabilizing forces −A⁻¹(2αġ + β²g), integrated by the method's own quadrature.
            let power = |(row, lambda): (&Row, &f64)| -lambda * row.rate(&motion.v);
            let rows = constraints.rows.equations().iter();
            totals.corrections.work += share * rows.zip(lambda).map(power).sum::<f64>();
        }
    }
    Ok(())
}
