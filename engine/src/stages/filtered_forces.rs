//! The step of the generalised-α methods: forces f of the end of a step, and the filtered ones with which bodies move.
//!
//! ```text
//! (1 − α_m) p⁺ + α_m p = (1 − α_f) f⁺ + α_f f            f: weight and given forces, Jᵀλ of each constraint
//!
//! q⁺ = q + h v + h² [(½ − β) a + β a⁺] ,   v⁺ = v + h [(1 − γ) a + γ a⁺] ,   M a = Σ p
//! ```
//!
//! The recursion is linear, so that each force has its own filter, and the impulse h [(1 − γ) p + γ p⁺] of each constraint is
//! known: their sum is M (v⁺ − v) − hF to rounding. Damped bodies have K in place of M, and K⁻¹F(v) of their damping added to a
//! (`model/damping.rs`). With β′ = β (1 − α_f)/(1 − α_m) and γ′ alike, M v̇ = Σ f and the terms q̃, ṽ of what is known,
//!
//! ```text
//! q⁺ = q̃ + β′h² v̇⁺ ,   v⁺ = ṽ + γ′h v̇⁺ ,   M v̇⁺ = F + Jᵀλ ,   g(q⁺) = 0 ,   N v⁺ = v₀ ,   f_s = −k s(q⁺) − d ṡ⁺
//! ```
//!
//! are solved by Newton's method without the geometric stiffness ∂(Jᵀλ)/∂q: each iteration is a problem in forces with the rows
//! of the last pose, and the error falls by about β′ times the squared turn of the joints in the step.

use super::constraints::Constraints;
use super::corrections::{MAX_ITERATIONS, STAGNATION, not_converged, start_on_manifold};
use super::force_filters::{ARMS, Coefficients, Filtered, FilteredForces, Forces};
use super::ledger::Ledger;
use super::motion::{Motion, StepContext};
use super::posed_problem::Form;
use super::position_errors::metres;
use super::step_in_progress::{Stages, Step};
use crate::constraint::{Row, Touch};
use crate::lcp::{Law, MixedRow};
use crate::math::largest;
use crate::model::{Softness, mean_decay};
use crate::report::{MOST_MULTIPLIERS, StepError};
use glam::DVec3;

/// A change of pose or an error that counts as none, as a share of the coordinates.
const TOLERANCE: f64 = 1e-12;
/// A force that is less than its bound by a smaller share is at it.
const BOUND: f64 = 1e-9;
/// The side of a motor that has another speed than its own, which it reaches within the step: a jump.
const JUMP: i8 = 4;
/// Iterations in which the error may rise.
const SETTLING: usize = 2;

/// One part of a step, with the coefficients `by`, if it is smooth. It is not where bodies touch, pass through each other or
/// reach a limit, where a motor, friction or the grab begins or ends to act with its largest force, where a motor jumps to its
/// speed, and where Newton's method does not converge: then it returns false, at the start of the part, and forgets the forces.
///
/// # Errors
/// A problem that the solver does not solve.
pub(crate) fn advance(step: &mut Step<'_>, by: &Coefficients) -> Result<bool, StepError> {
    let memory = step.recalled();
    let begins = step.context.time == step.context.world.time();
    let projected = begins && start_on_manifold(step)?;
    let Step { context, stages, .. } = step;
    let Stages { motion, totals, filtered, .. } = &mut **stages;
    if begins {
        totals.ledger.current_entries();
        let smooth = &totals.ledger.entries[..totals.ledger.limits];
        filtered.clear(motion.q.len(), smooth.len());
        if let Some(memory) = memory.filter(|_| !projected) {
            filtered.recall(memory, context.world.body_ids(), smooth);
        }
    }
    motion.renew_fields(context.world, context.time - context.world.time());
    motion.damp(context.world, context.h);
    filtered.damped.clear();
    filtered.damped.extend(motion.damped.iter().map(|&(body, given)| {
        let [_, slope] = context.world.bodies()[body].damping.at(motion.v[body], context.world.wind());
        let share = mean_decay(context.h * slope * motion.undamped[body]);
        (body, share, motion.free_acceleration[body] - share * given)
    }));
    motion.before.clone_from(&motion.v);
    motion.marked.clone_from(&motion.q);
    if touches(step, 1.0) {
        step.stages.filtered.known = false;
        return Ok(false);
    }
    let Stages { motion, constraints, filtered, .. } = &mut *step.stages;
    constraints.evaluate(step.context.world, motion);
    constraints.contacts.clear();
    constraints.touches.evaluate(step.context.world, constraints.rows.frames(), &[], &motion.v);
    if !filtered.known {
        start(step)?;
    }
    find_bodies(step);
    predict(step, by);
    let converged = match iterate(step, by) {
        Err(StepError::NotConverged { .. }) => false,
        solved => solved.map(|()| true)?,
    };
    let smooth = converged && !changes_bounds(step) && !touches(step, -1.0) && !passes(step);
    if smooth {
        book(step, by);
    } else {
        let Stages { motion, filtered, .. } = &mut *step.stages;
        motion.q.clone_from(&motion.marked);
        motion.v.clone_from(&motion.before);
        filtered.known = false;
    }
    Ok(smooth)
}

/// Whether the gap of a contact or limit is at most `share` of the tolerance at the present pose, of contacts that of contacts.
fn touches(step: &mut Step<'_>, share: f64) -> bool {
    let Step { context, stages: Stages { motion, constraints, .. }, .. } = step;
    constraints.evaluate_positions(context, motion);
    if constraints.touches.all().is_empty() {
        return false;
    }
    let closed = constraints.tolerance(motion);
    let touching = context.contact.contact_tolerance_of(constraints.smallest_shape).max(closed);
    let reached = |own: &Touch, gap: f64| metres(&own.row, &motion.undamped) * own.row.g <= share * gap;
    constraints.touches.contacts().iter().any(|own| reached(own, touching))
        || constraints.touches.limits().iter().any(|own| reached(own, closed))
}

/// Whether the grab pulls with its largest force at the end, or a motor or friction at the start or the end alone.
fn changes_bounds(step: &Step<'_>) -> bool {
    let Stages { solve, filtered, .. } = &*step.stages;
    let problem = &solve.dynamics;
    let ends = problem.mixed.rows[problem.plain..].iter().zip(&problem.lambda[problem.plain..]);
    let at_bound = |(row, lambda): (&MixedRow, &f64)| match row.law {
        Law::Bounded { upper, .. } => side(*lambda, upper),
        _ => 0,
    };
    solve.limited_pull() || !ends.map(at_bound).eq(filtered.sides.iter().copied())
}

/// Which of ±`most` the force `lambda` is; 0 of a smaller one, 2 where there is none, 3 of a larger one, whose bound has fallen.
fn side(lambda: f64, most: f64) -> i8 {
    match lambda.abs() {
        size if size > most * (1.0 + BOUND) => 3,
        _ if most == 0.0 => 2,
        size if size < most * (1.0 - BOUND) => 0,
        _ => lambda.signum() as i8,
    }
}

/// Whether bodies have passed through each other.
fn passes(step: &mut Step<'_>) -> bool {
    let Step { context, stages, .. } = step;
    let Stages { motion, constraints, filtered, .. } = &mut **stages;
    let FilteredForces { shift: mean, .. } = filtered;
    mean.clear();
    mean.extend(motion.q.iter().zip(&motion.marked).map(|(q, start)| (*q - *start) / context.h));
    if !constraints.detector.may_be_fast(mean, context.h) {
        return false;
    }
    // From the start at the mean velocity.
    std::mem::swap(&mut motion.v, mean);
    std::mem::swap(&mut motion.q, &mut motion.marked);
    let passes = constraints.may_pass(context, motion);
    std::mem::swap(&mut motion.v, mean);
    std::mem::swap(&mut motion.q, &mut motion.marked);
    passes
}

/// How a problem of equations, springs and motors is solved.
fn form(constraints: &Constraints, context: &StepContext<'_>) -> Form {
    let alone = constraints.touches.motors().is_empty() && context.solver.factorises_equations();
    if alone { Form::System } else { Form::Islands }
}

/// Which bodies each entry's forces act on, and at which bound the force of each motor is.
fn find_bodies(step: &mut Step<'_>) {
    let Step { context, stages: Stages { motion, constraints, totals, filtered, .. }, .. } = step;
    let mut note = |entry: usize, row: &Row| {
        let [c, d] = row.further.map_or([row.b; 2], |own| own.bodies);
        if let Some(bodies) = filtered.bodies.get_mut(entry) {
            *bodies = [row.a, row.b, c, d];
        }
    };
    for (place, row) in constraints.rows.all().iter().enumerate() {
        if let Some([entry, _]) = totals.ledger.entry_of(place) {
            note(entry, row);
        }
    }
    for (index, motor) in constraints.touches.motors().iter().enumerate() {
        note(totals.ledger.motors + index, &motor.row);
    }
    filtered.sides.clear();
    filtered.sides.extend(constraints.touches.motors().iter().enumerate().map(|(index, motor)| {
        let Row { ja, jb, .. } = motor.row;
        let [on_a, on_b, ..] = filtered.now.exerted[totals.ledger.motors + index].map(|own| own.present);
        let lambda = over_or_zero(ja.dot(on_a) + jb.dot(on_b), ja.dot(ja) + jb.dot(jb));
        let [speed, slope] = motor.speed(context.world, context.time);
        let rate = motor.row.rate(&motion.v);
        let slack = 2.0 * context.h * slope.abs() + BOUND * (speed.abs() + rate.abs());
        match side(lambda, motor.max_force) {
            0 if motor.servo.is_none() && (rate - speed).abs() > slack => JUMP,
            own => own,
        }
    }));
}

/// M⁻¹F of weight, fields, applied and driven forces at the pose of `motion` and the time `at`, by body, in `motion.a`; the
/// forces of force laws and the mouse's repulsion are those of the step's start.
fn give(motion: &mut Motion, context: &StepContext<'_>, at: f64) {
    motion.a.clone_from(&motion.free_acceleration);
    for &(body, given) in &motion.damped {
        motion.a[body] = given;
    }
    motion.drive_stage(context.world, at, 0.0);
    for (index, _, force) in &motion.applied {
        let now = context.world.bodies()[*index].applied.map_or(*force, |own| own.on(motion.q[*index].z));
        motion.a[*index] += motion.undamped[*index] * (now - *force);
    }
}

/// The forces with which a run begins: those of accelerations that keep J v + c = 0.
fn start(step: &mut Step<'_>) -> Result<(), StepError> {
    let Step { context, stages, .. } = step;
    let Stages { motion, constraints, solve, totals, filtered, .. } = &mut **stages;
    motion.prescribe_velocity(context, 0.0);
    give(motion, context, context.time);
    motion.a.iter().zip(&mut filtered.now.given).for_each(|(a, own)| *own = Filtered::steady(*a));
    for (body, share, resisted) in &filtered.damped {
        motion.a[*body] = *share * motion.a[*body] + *resisted;
    }
    motion.prescribe_acceleration(context, 0.0);
    filtered.multipliers.fill([0.0; MOST_MULTIPLIERS]);
    filtered.forces.fill([DVec3::ZERO; ARMS]);
    let rows = &constraints.rows;
    let first_soft = rows.equations().len();
    let at_limit = rows.grab_start();
    for (index, (row, softness)) in rows.soft().enumerate() {
        let place = first_soft + index;
        // The grab begins to pull in the step.
        if at_limit.is_some_and(|start| place >= start) {
            continue;
        }
        let force = softness.force(row.g, row.rate(&motion.v));
        row.push(force, &motion.inverse_mass, &mut motion.a);
        if let Some(entry) = totals.ledger.entry_of(place) {
            filtered.add(entry, &posed(row), force);
        }
    }
    let problem = &mut solve.dynamics;
    problem.begin(form(constraints, context), (&motion.inverse_mass, &motion.a), rows, |row| row.k);
    problem.pose_nonholonomic(rows, (context.world, context.time), |_, v0, row| row.k - v0.rate);
    problem.pose_motors(constraints.touches.motors(), 1.0, |motor| {
        // As far as a step of Euler's method would need it.
        let [speed, _] = motor.speed(context.world, context.time);
        let (c, b) = motor.demand(speed, context.h, None);
        (c, motor.row.k + (motor.row.rate(&motion.v) + b) / context.h)
    });
    problem.start_warm(context, rows, &[], 0.0);
    let outcome = problem.solve(context.solver, &mut solve.record)?;
    solve.report.note_beside(&outcome);
    gather(filtered, &solve.dynamics, &totals.ledger);
    let FilteredForces { now: Forces { exerted, .. }, forces, .. } = filtered;
    for (own, forces) in exerted.iter_mut().zip(forces.iter()) {
        own.iter_mut().zip(forces).for_each(|(own, f)| *own = Filtered::steady(*f));
    }
    Ok(())
}

/// The row as problems have it.
fn posed(row: &Row) -> MixedRow {
    let Row { a, b, ja, jb, further, .. } = *row;
    MixedRow { a, b, ja, jb, bias: 0.0, compliance: 0.0, law: Law::Equation, further }
}

/// q̃ and ṽ, and q⁺ and v⁺ with the accelerations of the start; bodies on a prescribed path are at its end.
fn predict(step: &mut Step<'_>, by: &Coefficients) {
    let Step { context, stages, .. } = step;
    let Stages { motion, filtered, .. } = &mut **stages;
    let h = context.h;
    let Coefficients { beta, gamma, .. } = *by;
    let add = |filtered: &mut FilteredForces, of_q: f64, of_v: f64| {
        let FilteredForces { ahead, speeds, free, .. } = filtered;
        for ((q, v), a) in ahead.iter_mut().zip(speeds).zip(free) {
            *q += of_q * *a;
            *v += of_v * *a;
        }
    };
    filtered.ahead.clear();
    filtered.ahead.extend(motion.q.iter().zip(&motion.v).map(|(q, v)| *q + h * *v));
    filtered.speeds.clone_from(&motion.v);
    for (body, _, a) in &filtered.damped {
        filtered.ahead[*body] += 0.5 * h * h * *a;
        filtered.speeds[*body] += h * *a;
    }
    filtered.sum(&motion.inverse_mass, |own| own.filtered);
    add(filtered, h * h * (0.5 - beta), h * (1.0 - gamma));
    filtered.sum(&motion.inverse_mass, |own| own.known(by));
    add(filtered, h * h * beta, h * gamma);
    filtered.sum(&motion.inverse_mass, |own| own.present);
    motion.prescribe_velocity(context, h);
    let [of_q, of_v] = [h * h * beta * by.share(), h * gamma * by.share()];
    for (index, a) in filtered.free.iter().enumerate() {
        if motion.undamped[index].x > 0.0 {
            motion.q[index] = filtered.ahead[index] + of_q * *a;
            motion.v[index] = filtered.speeds[index] + of_v * *a;
        } else {
            motion.q[index] += h * filtered.speeds[index];
        }
    }
    motion.place_prescribed(context, h);
    for (index, w) in motion.undamped.iter().enumerate() {
        if w.x == 0.0 {
            (filtered.ahead[index], filtered.speeds[index]) = (motion.q[index], motion.v[index]);
        }
    }
}

/// Newton's method: poses the rows of the present pose, solves them, and moves to the pose that the forces lead to.
fn iterate(step: &mut Step<'_>, by: &Coefficients) -> Result<(), StepError> {
    let Step { context, stages, .. } = step;
    let Stages { motion, constraints, solve, filtered, .. } = &mut **stages;
    let (world, h, end) = (context.world, context.h, context.end());
    let [of_q, of_v] = [h * h * by.beta * by.share(), h * by.gamma * by.share()];
    // Compliance and bias of k s + d (ṡ − speed) = −f at the end.
    let soft = |softness: &Softness, g: f64, [shift, rate]: [f64; 2]| {
        let Softness { stiffness, damping } = *softness;
        let slope = stiffness * of_q + damping * of_v;
        (slope > 0.0).then(|| (1.0 / slope, (stiffness * (g + shift) + damping * rate) / slope))
    };
    let (mut change, mut last) = (f64::INFINITY, f64::INFINITY);
    for iterations in 0..MAX_ITERATIONS {
        constraints.evaluate(world, motion);
        constraints.touches.evaluate(world, constraints.rows.frames(), &[], &motion.v);
        let extent = constraints.extent(motion);
        let gap = extent.length_of_joint_errors(&constraints.rows);
        let size = Some(constraints.size(motion, 0.0)).filter(|own| own.is_finite());
        let size = size.unwrap_or_else(|| gyration(&motion.undamped));
        let error = largest([change, over_or_zero(gap, largest([size, extent.rounding() / f64::EPSILON]))]);
        if error <= if error < STAGNATION * last { f64::EPSILON } else { TOLERANCE } {
            return Ok(());
        }
        if error >= last && iterations > SETTLING {
            return Err(not_converged(world, constraints, motion, iterations, gap));
        }
        last = error;
        give(motion, context, end);
        let FilteredForces { ahead, speeds, shift, free, damped, .. } = &mut *filtered;
        shift.clear();
        shift.extend(ahead.iter().zip(&motion.q).map(|(ahead, q)| *ahead - *q));
        free.clone_from(&motion.a);
        damped.iter().for_each(|(body, share, _)| free[*body] *= *share);
        let limit = world.grab.map_or(f64::INFINITY, |grab| grab.max_force);
        let free = &*free;
        solve.within_pull(limit, constraints, motion, free, |solve, constraints, free| {
            let (rows, motors) = (&constraints.rows, constraints.touches.motors());
            let problem = &mut solve.dynamics;
            problem.begin(form(constraints, context), (&motion.inverse_mass, free), rows, |row| {
                (row.g + row.along(shift)) / of_q
            });
            problem
                .pose_nonholonomic(rows, (world, end), |_, v0, row| (row.rate(speeds) - v0.value) / of_v);
            problem.pose_soft(rows, |_, row, softness| {
                soft(softness, row.g, [row.along(shift), row.rate(speeds)])
            });
            problem.pose_motors(motors, 1.0, |motor| {
                let [speed, _] = motor.speed(world, end);
                let rate = motor.row.rate(speeds) - speed;
                let servo = motor
                    .servo
                    .and_then(|(own, _)| soft(&own, motor.row.g, [motor.row.along(shift), rate]));
                servo.unwrap_or((0.0, rate / of_v))
            });
            problem.start_warm(context, rows, &[], 1.0 / h);
            let outcome = problem.solve(context.solver, &mut solve.record)?;
            solve.report.note(&outcome, solve.dynamics.mixed.rows.len(), 0, h);
            Ok(())
        })?;
        let (mut way, mut reach, mut turn) = (0.0, size, 0.0);
        for (index, a) in solve.dynamics.v.iter().enumerate() {
            if motion.undamped[index].x > 0.0 {
                let q = ahead[index] + of_q * *a;
                let moved = (q - motion.q[index]).abs();
                way = largest([way, moved.x, moved.y]);
                let on = h * speeds[index].truncate();
                reach = largest([reach, q.x, q.y, on.x, on.y, of_q * a.x, of_q * a.y]);
                turn = largest([turn, moved.z / q.z.abs().max(1.0)]);
                motion.q[index] = q;
                motion.v[index] = speeds[index] + of_v * *a;
            }
        }
        change = largest([over_or_zero(way, reach), turn]);
    }
    Err(not_converged(world, constraints, motion, MAX_ITERATIONS, last))
}

/// The largest radius of gyration, m: the size of bodies at one point without shapes.
fn gyration(inverse_mass: &[DVec3]) -> f64 {
    largest(inverse_mass.iter().filter(|w| w.z > 0.0).map(|w| (w.x / w.z).sqrt()))
}

/// a/b, and 0 where both are.
fn over_or_zero(a: f64, b: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a / b }
}

/// Filters the forces found, and adds their impulses to the ledger.
fn book(step: &mut Step<'_>, by: &Coefficients) {
    let Step { context, stages, .. } = step;
    let Stages { motion, solve, totals, filtered, .. } = &mut **stages;
    let h = context.h;
    filtered.multipliers.fill([0.0; MOST_MULTIPLIERS]);
    filtered.forces.fill([DVec3::ZERO; ARMS]);
    gather(filtered, &solve.dynamics, &totals.ledger);
    let FilteredForces { now, next, multipliers, forces, .. } = filtered;
    for (entry, (forces, (own, then))) in
        forces.iter().zip(now.exerted.iter().zip(&mut next.exerted)).enumerate()
    {
        let mut on = [DVec3::ZERO; ARMS];
        for (arm, (own, f)) in own.iter().zip(forces).enumerate() {
            then[arm] = own.next(by, *f);
            on[arm] = h * own.mean(&then[arm], by);
        }
        totals.ledger.book(entry, multipliers[entry].map(|lambda| h * lambda), on);
    }
    motion.late.resize(motion.q.len(), DVec3::ZERO);
    give(motion, context, context.end());
    for (index, (own, then)) in now.given.iter().zip(&mut next.given).enumerate() {
        *then = own.next(by, motion.a[index]);
        motion.late[index] += h * (own.mean(then, by) - motion.free_acceleration[index]);
    }
    for &(body, given) in &motion.damped {
        motion.late[body] += h * (motion.free_acceleration[body] - given);
    }
}

/// Adds the forces of a solved problem to those of the entries.
fn gather(filtered: &mut FilteredForces, problem: &super::posed_problem::Problem, ledger: &Ledger) {
    for (place, (row, lambda)) in problem.mixed.rows.iter().zip(&problem.lambda).enumerate() {
        let entry = if place < problem.plain {
            ledger.entry_of(place)
        } else {
            Some([ledger.motors + place - problem.plain, 0])
        };
        if let Some(entry) = entry {
            filtered.add(entry, row, *lambda);
        }
    }
}
