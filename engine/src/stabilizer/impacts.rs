//! Impacts at the acceleration level. Forces cannot stop a body at once: where bodies touch and still approach each other, impulses do, at the
//! start of the step.
//!
//! ```text
//! J v⁺ + c = 0 ,   N v⁺ = v₀(t) ,    0 ≤ J_n v⁺ + e J_n v⁻ ⊥ λ_n ≥ 0 ,   |λ_t| ≤ μ λ_n  against J_t v⁺
//! ```
//!
//! That is Newton's law; by Poisson's, contacts return e times their impulse in a second solve. Springs and motors do nothing in no time.
//! Approaches below the threshold of `pressing.rs` stop: e = 0 there.
//!
//! **v⁻ and v⁺** are the velocities with which the bodies come and leave: those that move q before and after the impact. An integrator of
//! first order has another velocity than that at the instant of the impact, by the h a that it adds too early or too late:
//!
//! ```text
//! semi-implicit Euler   v⁻ = v_n ,          v⁺ = v_{n+1}    what rebounds is held to J_n a ≥ 0 in the step
//! explicit Euler        v⁻ = v_n − h a ,    v⁺ = v_n⁺       a: the accelerations at the impact without it
//! Runge–Kutta           v⁻ = v_n ,          v⁺ = v_n⁺
//! ```
//!
//! Then a ball with e = 1 returns to the height from which it fell. With v_n in place of each, semi-implicit Euler loses the speed g h in
//! every impact, which the weight takes from the ball as it leaves, and explicit Euler gains as much. ½ (v ∓ ½h g)² + g z is what free fall
//! conserves under the two.

use super::Integrator;
use super::collision::obeys_poisson;
use super::constraints::Form;
use super::extent::metres;
use super::forces::soft_forces;
use super::motion::Motion;
use super::nonholonomic::VelocityTerms;
use super::problem::Slip;
use super::solve::Solve;
use super::workspace::Step;
use crate::constraint::{Row, Touch};
use crate::math::largest;
use crate::report::StepError;

/// Approaching faster than this share of the largest velocity term of a contact's row is an impact: above what rounding leaves.
const IMPACT_SHARE: f64 = 1e-10;

/// Makes the velocities such that nothing that touches approaches any more, and evaluates the contacts' rows there. Which rows have rebounded
/// is in the slopes afterwards.
pub(super) fn resolve_impacts(step: &mut Step<'_>) -> Result<(), StepError> {
    let touches = &step.constraints.touches;
    step.slopes.rebounded.clear();
    let Motion { v, inverse_mass, .. } = &*step.motion;
    let metres = |touch: &Touch| metres(&touch.row, inverse_mass);
    let term = |touch: &Touch| {
        let Row { a, b, ja, jb, .. } = touch.row;
        metres(touch) * (ja.dot(v[a]).abs() + jb.dot(v[b]).abs())
    };
    let speeds = largest(touches.all().iter().map(term));
    let slow = IMPACT_SHARE * speeds.max(step.span.h * step.span.world.gravity.length());
    let active = step.constraints.active;
    if !touches.all().iter().any(|touch| active.is_near(touch) && metres(touch) * touch.approach < -slow) {
        return Ok(());
    }
    let lags =
        step.span.method.integrator == Integrator::ExplicitEuler && touches.all().iter().any(rebounds);
    if lags {
        accelerate_without_impacts(step)?;
    }
    let Step { span, motion, constraints, solve, totals, slopes, .. } = step;
    let (rows, touches, poisson) = (&constraints.rows, &constraints.touches, obeys_poisson(span));
    let (v, a) = (&motion.v, &motion.a);
    // e J_n v⁻ of what rebounds.
    let returns = |touch: &Touch| {
        let late = if lags { span.h * touch.row.rate(a) } else { 0.0 };
        touch.restitution * (touch.approach - late).min(0.0)
    };
    let Solve { velocities: problem, record, figures, .. } = solve;
    problem.begin(Form::Islands, &motion.inverse_mass, v);
    problem.pose_joints(rows, |_| 0.0);
    let terms = VelocityTerms::Velocities { at: span.time }.demands(span.world, rows.nonholonomic(), v);
    problem.pose_nonholonomic(rows, terms.map(|[whole, _]| whole));
    slopes.rebounded.resize(touches.all().len(), false);
    for (index, touch) in touches.all().iter().enumerate().filter(|(_, touch)| active.is_near(touch)) {
        slopes.rebounded[index] = rebounds(touch);
        let newton = rebounds(touch) && !poisson;
        problem.pose_touch(index, touch, if newton { returns(touch) } else { 0.0 }, Slip::Free(0.0));
    }
    problem.start_cold();
    let returned = |index: usize, compression: f64| {
        let touch = &touches.all()[index];
        if rebounds(touch) { returns(touch) / touch.approach * compression } else { 0.0 }
    };
    let two_phases = poisson && slopes.rebounded.contains(&true);
    let outcome = problem.solve_in_phases(&span.method.solver, record, two_phases.then_some(returned))?;
    figures.note(&outcome, problem.rows(), touches.contacts().len(), 1.0);
    problem.write_beside(&mut totals.ledger, constraints);
    motion.v.clone_from(&problem.v);
    constraints.evaluate_same_contacts(span.world, motion);
    Ok(())
}

/// Whether `touch` rebounds where it is near.
fn rebounds(touch: &Touch) -> bool {
    touch.restitution > 0.0 && touch.approach < -touch.threshold
}

/// The accelerations with joints, springs and resting contacts, without what rebounds and without friction.
fn accelerate_without_impacts(step: &mut Step<'_>) -> Result<(), StepError> {
    let Step { span, motion, constraints, solve, slopes, .. } = step;
    let (rows, active) = (&constraints.rows, constraints.active);
    motion.accelerate_freely();
    motion.prescribe_acceleration(span, 0.0);
    soft_forces(&mut slopes.soft, span.world, rows, &motion.v);
    for ((row, _), force) in rows.soft().zip(&slopes.soft) {
        row.push(*force, &motion.inverse_mass, &mut motion.a);
    }
    let Motion { v, a, inverse_mass, .. } = &mut **motion;
    let Solve { velocities: problem, record, figures, .. } = solve;
    problem.begin(Form::Islands, inverse_mass, a);
    problem.pose_joints(rows, |row| row.k);
    let terms = VelocityTerms::Accelerations { at: span.time, alpha: 0.0, beta: 0.0, integrals: &[] };
    problem
        .pose_nonholonomic(rows, terms.demands(span.world, rows.nonholonomic(), v).map(|[whole, _]| whole));
    for (index, touch) in constraints.touches.all().iter().enumerate() {
        let rests = active.is_near(touch) && !rebounds(touch);
        if rests && !active.parts(touch.approach, span.h * touch.row.k) {
            problem.pose_frictionless(index, touch, touch.row.k);
        }
    }
    problem.start_cold();
    figures.note_beside(&problem.solve(&span.method.solver, record)?);
    a.clone_from(&problem.v);
    Ok(())
}
