//! The acceleration level: the problem in forces, the integrators that turn accelerations into motion, and impacts.
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
//! springs by the compliant rows of `model/spring.rs`; explicit Euler and Runge–Kutta evaluate them as forces at each
//! stage, as those methods are defined, and are therefore only conditionally stable with stiff springs.
//!
//! **Impacts.** Forces cannot stop a body at once: where bodies touch and still approach each other, impulses at the start of the
//! step do.
//!
//! ```text
//! J v⁺ + c = 0 ,   N v⁺ = v₀(t) ,    0 ≤ J_n v⁺ + e J_n v⁻ ⊥ λ_n ≥ 0 ,   |λ_t| ≤ μ λ_n  against J_t v⁺
//! ```
//!
//! This is Newton's law; by Poisson's law, contacts return e times their impulse in a second solve. Springs and motors exert no
//! impulse, since an impact takes no time. For approaches below the threshold of `rebound.rs`, e = 0.
//!
//! v⁻ and v⁺ are the velocities with which the bodies come and leave: those that move q before and after the impact. The velocity
//! of an integrator of first order differs from that at the instant of the impact by h a, which it adds too early or too late:
//!
//! ```text
//! semi-implicit Euler   v⁻ = v_n ,          v⁺ = v_{n+1}    in the step, J_n a ≥ 0 is required of contacts that rebound
//! explicit Euler        v⁻ = v_n − h a ,    v⁺ = v_n⁺       a: the accelerations at the impact without it
//! Runge–Kutta           v⁻ = v_n ,          v⁺ = v_n⁺
//! ```
//!
//! Then a ball with e = 1 returns to the height from which it fell: free fall conserves ½ (v ∓ ½h g)² + g z under the two Euler
//! methods. With v_n in place of v⁻ and v⁺, semi-implicit Euler loses the speed g h in every impact, and explicit Euler gains as
//! much.
//!
//! **Separating contacts.** Where J v > 0 after an impact, the forces hold J v ≥ 0 at the end of the step, not φ̈ ≥ 0: as the
//! normal turns at the rate J̇ v, a force against that would do the work h λ J v.

use super::constraints::GapTerm;
use super::forces::{Beginning, ForceTerms};
use super::impulses::{Solve, obeys_poisson};
use super::motion::{Motion, StepContext};
use super::nonholonomic::prescribed;
use super::posed_problem::{Form, Slip};
use super::position_errors::metres;
pub(crate) use super::terms::Oscillator;
use crate::constraint::{Row, Rows, Touch};
use crate::lcp::Law;
use crate::math::{largest, over};
use crate::model::World;
use crate::model::nonholonomic::Prescribed;
use crate::report::StepError;
use crate::rules::Integrator;
use crate::stages::step_in_progress::{Stages, Step};
use glam::DVec3;

/// Nodes and weights of the classical Runge–Kutta method.
const RK4_NODES: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
const RK4_WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

impl Oscillator {
    /// 2α ġ + β² g.
    fn stabilizing(self, g: f64, rate: f64) -> f64 {
        2.0 * self.alpha * rate + self.beta * self.beta * g
    }

    /// r of a non-holonomic row, (N v)_q v − v̇₀ + 2α e + β² ∫e dt, at the velocity and the integrals of `motion`.
    fn nonholonomic(self, motion: &Motion) -> impl Fn(usize, Prescribed, &Row) -> f64 {
        move |index, v0, row| {
            let error = row.rate(&motion.v) - v0.value;
            row.k - v0.rate + self.stabilizing(motion.integrals.used[index], error)
        }
    }

    /// The stabilizing part of the right-hand side of all equations, at the present q and v and the time `at`.
    fn stabilizing_part(self, part: &mut Vec<f64>, world: &World, rows: &Rows, motion: &Motion, at: f64) {
        let v = &motion.v;
        let nonholonomic = prescribed(world, at).zip(rows.nonholonomic()).zip(&motion.integrals.used);
        part.clear();
        part.extend(rows.joints().iter().map(|row| self.stabilizing(row.g, row.rate(v))));
        part.extend(nonholonomic.map(|((v0, row), i)| self.stabilizing(*i, row.rate(v) - v0.value)));
    }
}

/// One step of the method's integrator.
pub(crate) fn integrate(step: &mut Step<'_>, oscillator: Oscillator) -> Result<(), StepError> {
    match step.context.integrator {
        Integrator::SemiImplicitEuler => semi_implicit_euler(step, oscillator),
        Integrator::ExplicitEuler => explicit_euler(step, oscillator),
        Integrator::Rk4 => runge_kutta(step, oscillator),
    }
}

/// Evaluates all rows at the start of the step, resolves the impacts there, and adds the errors after them to ∫ e dt.
fn begin(step: &mut Step<'_>, oscillator: Oscillator) -> Result<(), StepError> {
    step.stages.constraints.evaluate(step.context.world, &step.stages.motion);
    if step.context.integrator == Integrator::SemiImplicitEuler {
        step.stages.motion.clock.span = step.context.h; // friction acts against the mean speed of driven surfaces
    }
    step.stages.constraints.find_contacts(&step.context, &step.stages.motion, GapTerm::Touching);
    resolve_impacts(step)?;
    let Step { context, stages: Stages { motion, constraints, .. }, .. } = step;
    let (rows, span) = (constraints.rows.nonholonomic(), [context.time, context.h]);
    motion.integrals.add_errors(oscillator.integral, context.world, span, rows, &motion.v);
    Ok(())
}

fn semi_implicit_euler(step: &mut Step<'_>, oscillator: Oscillator) -> Result<(), StepError> {
    begin(step, oscillator)?;
    step.stages.constraints.note_start(step.context.world, &mut step.stages.motion, step.context.h);
    step.stages.constraints.swing(&step.context, &mut step.stages.motion); // springs of free bodies at q + ½h v
    let Step { context, stages: Stages { motion, constraints, solve, totals, integration, .. }, .. } = step;
    let (world, h) = (context.world, context.h);

    // Evaluated at the velocity after the impacts, which the forces then change.
    oscillator.stabilizing_part(
        &mut integration.stabilizing,
        world,
        &constraints.rows,
        motion,
        context.time,
    );
    integration.stabilizing.iter_mut().for_each(|s| *s = -*s);
    totals.note_start(constraints, motion, h); // for the work in the report

    motion.a.clone_from(&motion.free_acceleration); // zero for bodies that forces do not move
    motion.prescribe_acceleration(context, 0.0);
    let (nonholonomic, at) = (oscillator.nonholonomic(motion), context.time);
    let rhs = |k: f64, g: f64, rate: f64| k + oscillator.stabilizing(g, rate);
    let ask = ForceTerms { rhs, nonholonomic, at, beginnings: None, rebounded: &integration.rebounded };
    solve.forces(context, constraints, motion, ask)?;
    solve.write(&mut totals.ledger, constraints, h);
    motion.a.copy_from_slice(&solve.dynamics.v);
    motion.accelerate(h);
    if solve.dynamics.is_system() {
        if integration.stabilizing.iter().any(|b| *b != 0.0) {
            let delta = solve.dynamics.moved_by(&mut integration.stabilizing, h);
            let mut work = 0.0; // T(v⁺) − T(v⁺ − δ)
            for ((delta, v), w) in delta.iter().zip(&motion.v).zip(&motion.undamped) {
                if w.x > 0.0 {
                    work += over(*delta * (*v - 0.5 * *delta), *w).element_sum();
                }
            }
            solve.report.correction_work += work;
        }
    } else {
        // The factors of A are not known: counts the work that an ideal joint would not do, as in impulses.
        totals.add_work(solve, constraints, motion, [h, h]); // the work, for the report
    }
    motion.drift(context);
    Ok(())
}

fn explicit_euler(step: &mut Step<'_>, oscillator: Oscillator) -> Result<(), StepError> {
    explicit_forces(step, oscillator, 0.0, 1.0)?;
    step.stages.motion.drift(&step.context);
    step.stages.motion.accelerate(step.context.h);
    Ok(())
}

fn runge_kutta(step: &mut Step<'_>, oscillator: Oscillator) -> Result<(), StepError> {
    let h = step.context.h;
    let bodies = step.stages.motion.q.len();
    step.stages.integration.start[0].clone_from(&step.stages.motion.q);
    for sum in &mut step.stages.integration.sums {
        sum.clear();
        sum.resize(bodies, DVec3::ZERO);
    }
    for (stage, (node, weight)) in RK4_NODES.into_iter().zip(RK4_WEIGHTS).enumerate() {
        if stage > 0 {
            let Step { context, stages: Stages { motion, integration, .. }, .. } = &mut *step;
            for i in 0..bodies {
                // v and a still hold the previous stage's slopes.
                motion.q[i] = integration.start[0][i] + node * h * motion.v[i];
                motion.v[i] = integration.start[1][i] + node * h * motion.a[i];
            }
            motion.place_prescribed(context, node * h);
            motion.prescribe_velocity(context, node * h);
        }
        explicit_forces(step, oscillator, node * h, weight)?;
        let Step { stages: Stages { motion, integration, .. }, .. } = &mut *step;
        if stage == 0 {
            // After the impacts, if there were any.
            integration.start[1].clone_from(&motion.v);
        }
        for i in 0..bodies {
            integration.sums[0][i] += weight * motion.v[i];
            integration.sums[1][i] += weight * motion.a[i];
        }
    }
    let Step { context, stages: Stages { motion, integration, .. }, .. } = &mut *step;
    for i in 0..bodies {
        motion.q[i] = integration.start[0][i] + h * integration.sums[0][i];
        motion.v[i] = integration.start[1][i] + h * integration.sums[1][i];
    }
    motion.place_prescribed(context, h);
    Ok(())
}

/// Evaluates a at the present (q, v), at the time `elapsed` after the start, with springs and grab as explicit forces; `weight`
/// is this evaluation's share of the step.
fn explicit_forces(
    step: &mut Step<'_>,
    oscillator: Oscillator,
    elapsed: f64,
    weight: f64,
) -> Result<(), StepError> {
    if elapsed == 0.0 {
        begin(step, oscillator)?;
        let Step { stages: Stages { motion, constraints, integration, .. }, .. } = &mut *step;
        let active = constraints.active;
        let beginning = |touch: &Touch| Beginning {
            slip: touch.slip(&motion.v),
            spin: touch.spin(&motion.v),
            near: active.is_near(touch),
        };
        integration.beginnings.clear();
        integration.beginnings.extend(constraints.touches.all().iter().map(beginning));
    } else {
        step.stages.constraints.evaluate(step.context.world, &step.stages.motion);
        step.stages.constraints.evaluate_same_contacts(step.context.world, &step.stages.motion);
    }
    let Step { context, stages: Stages { motion, constraints, solve, totals, integration, .. }, .. } = step;
    let (world, at, share) = (context.world, context.time + elapsed, weight * context.h);

    accelerate_by_forces(motion, &mut integration.soft, &constraints.rows, context, elapsed, share);
    let rows = &constraints.rows;
    totals.ledger.add_rows(rows, rows.equations().len(), &integration.soft, share);

    let rhs = |k: f64, g: f64, rate: f64| k + oscillator.stabilizing(g, rate);
    let nonholonomic = oscillator.nonholonomic(motion);
    let ask =
        ForceTerms { rhs, nonholonomic, at, beginnings: Some(&integration.beginnings), rebounded: &[] };
    solve.forces(context, constraints, motion, ask)?;
    solve.write(&mut totals.ledger, constraints, share);
    motion.a.copy_from_slice(&solve.dynamics.v);
    if solve.dynamics.is_system() {
        oscillator.stabilizing_part(&mut integration.stabilizing, world, &constraints.rows, motion, at);
        if integration.stabilizing.iter().any(|b| *b != 0.0) {
            let (lambda, _) = solve.dynamics.respond(&mut integration.stabilizing);
            // Power of the stabilizing forces −A⁻¹(2αġ + β²g), integrated by the method's own quadrature.
            let power = |(row, lambda): (&Row, &f64)| -lambda * row.along(&motion.v);
            let rows = constraints.rows.equations().iter();
            solve.report.correction_work += share * rows.zip(lambda).map(power).sum::<f64>();
        }
    }
    Ok(())
}

/// An approach faster than this share of the largest velocity term of a contact's row is an impact, and not rounding.
const IMPACT_SHARE: f64 = 1e-10;

/// Changes the velocities by impulses so that touching bodies no longer approach each other, and evaluates the contacts' rows
/// there. Notes which rows have rebounded in [`RkStages::rebounded`](super::forces::RkStages::rebounded).
pub(crate) fn resolve_impacts(step: &mut Step<'_>) -> Result<(), StepError> {
    let touches = &step.stages.constraints.touches;
    step.stages.integration.rebounded.clear();
    let Motion { v, undamped: inverse_mass, .. } = &step.stages.motion;
    let metres = |touch: &Touch| metres(&touch.row, inverse_mass);
    let term =
        |touch: &Touch| metres(touch) * touch.row.arms().map(|(body, j)| j.dot(v[body]).abs()).sum::<f64>();
    let speeds = largest(touches.all().iter().map(term));
    let slow = IMPACT_SHARE * speeds.max(step.context.h * step.context.world.largest_fall());
    let active = step.stages.constraints.active;
    if !touches.all().iter().any(|touch| active.is_near(touch) && metres(touch) * touch.approach < -slow) {
        return Ok(());
    }
    let lags = step.context.integrator == Integrator::ExplicitEuler && touches.all().iter().any(rebounds);
    if lags {
        accelerate_without_impacts(step)?;
    }
    let Step { context, stages: Stages { motion, constraints, solve, totals, integration, .. }, .. } = step;
    let (rows, touches, poisson) = (&constraints.rows, &constraints.touches, obeys_poisson(context));
    let (v, a) = (&motion.v, &motion.a);
    // e J_n v⁻ of contacts that rebound.
    let returns = |touch: &Touch| {
        let late = if lags { context.h * touch.row.along(a) } else { 0.0 };
        touch.restitution * (touch.approach - late).min(0.0)
    };
    let Solve { velocities: problem, record, report, .. } = solve;
    problem.begin(Form::Islands, (&motion.undamped, v), rows, |row| row.c);
    problem.pose_nonholonomic(rows, (context.world, context.time), |_, v0, _| -v0.value);
    integration.rebounded.resize(touches.all().len(), false);
    for (index, touch) in touches.all().iter().enumerate().filter(|(_, touch)| active.is_near(touch)) {
        integration.rebounded[index] = rebounds(touch);
        let newton = rebounds(touch) && !poisson;
        problem.pose_touch(
            index,
            touch,
            touch.row.with_c(if newton { returns(touch) } else { 0.0 }),
            Slip::at_end(touch, 0.0),
            0.0,
        );
    }
    let returned = |index: usize, compression: f64| {
        let touch = &touches.all()[index];
        if rebounds(touch) { returns(touch) / touch.approach * compression } else { 0.0 }
    };
    let two_phases = poisson && integration.rebounded.contains(&true);
    let outcome =
        problem.solve_in_phases(context.solver, (record, report), two_phases.then_some(returned))?;
    report.note(&outcome, problem.mixed.rows.len(), touches.contacts().len(), 1.0);
    problem.write(&mut totals.ledger, constraints, 1.0, false);
    motion.v.clone_from(&problem.v);
    constraints.evaluate_same_contacts(context.world, motion);
    Ok(())
}

/// Whether `touch` rebounds if it is near.
fn rebounds(touch: &Touch) -> bool {
    touch.restitution > 0.0 && touch.approach < -touch.rebound_speed
}

/// a* = M⁻¹F at the time `elapsed` after the start of the step, with the forces of springs and grab, which become `soft`; it
/// counts for
/// `share` seconds of the step.
fn accelerate_by_forces(
    motion: &mut Motion,
    soft: &mut Vec<f64>,
    rows: &Rows,
    context: &StepContext<'_>,
    elapsed: f64,
    share: f64,
) {
    motion.a.clone_from(&motion.free_acceleration); // zero for bodies that forces do not move
    motion.resist(context.world);
    motion.drive_stage(context.world, context.time + elapsed, share);
    motion.prescribe_acceleration(context, elapsed);
    soft.clear();
    soft.extend(rows.soft().map(|(row, softness)| softness.force(row.g, row.rate(&motion.v))));
    // The grab's pull is limited.
    let pull = rows.grab_start().map_or(soft.len(), |start| start - rows.equations().len());
    if let ([x, y], Some(grab)) = (&mut soft[pull..], context.world.grab) {
        let size = libm::hypot(*x, *y);
        if size > grab.max_force {
            (*x, *y) = (*x * grab.max_force / size, *y * grab.max_force / size);
        }
    }
    for ((row, _), force) in rows.soft().zip(soft) {
        row.push(*force, &motion.inverse_mass, &mut motion.a);
    }
}

/// Computes the accelerations with joints, springs and resting contacts, without contacts that rebound and without friction.
fn accelerate_without_impacts(step: &mut Step<'_>) -> Result<(), StepError> {
    let Step { context, stages: Stages { motion, constraints, solve, integration, .. }, .. } = step;
    let (rows, active) = (&constraints.rows, constraints.active);
    accelerate_by_forces(motion, &mut integration.soft, rows, context, 0.0, 0.0);
    let Motion { a, inverse_mass, .. } = &mut *motion;
    let Solve { velocities: problem, record, report, .. } = solve;
    problem.begin(Form::Islands, (inverse_mass, a), rows, |row| row.k);
    // + 0.0: the stabilizing part is zero, and makes no −0.
    problem.pose_nonholonomic(rows, (context.world, context.time), |_, v0, row| row.k - v0.rate + 0.0);
    for (index, touch) in constraints.touches.all().iter().enumerate() {
        let rests = active.is_near(touch) && !rebounds(touch);
        if rests && !active.separates(touch.approach, context.h * touch.row.k) {
            problem.pose_unilateral(index, touch, touch.row.k, Law::Unilateral);
        }
    }
    report.note_beside(&problem.solve(context.solver, record)?);
    a.clone_from(&problem.v);
    Ok(())
}
