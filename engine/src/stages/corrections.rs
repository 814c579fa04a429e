//! Corrections of position and velocity back to the constraint manifold, Newton's method, and the return of contacts that a
//! correction has pushed too far.
//!
//! ```text
//! Position:  W⁻¹ dp = Jᵀλ ,  g + J dp = 0 ,  q ← q + dp                   [Cline & Pai 2003, eqs. 13 and 14]
//!            with contacts and limits  0 ≤ φ + J dp ⊥ λ ≥ 0               [Cline & Pai 2003, eq. 15]
//! Velocity:  M dv = Jᵀλ ,    J (v + dv) + c = 0 ,   with contacts  0 ≤ J (v + dv) ⊥ λ ≥ 0 where they touch
//! ```
//!
//! λ in kg m and kg m/s. In the plane G = J, so dp is added to q as it stands. Newton's method repeats the position correction
//! with J and g evaluated anew until rounding stops it. A problem of equations alone is solved by one substitution without
//! refinement, which leaves an error of a few ε of dp or dv, below the rounding of q and v themselves.
//!
//! **Contacts that a correction has pushed** out of an overlap end where they touch:
//!
//! ```text
//! 0 ≤ φ(q⁺) ⊥ Σλ ≥ 0 :    g + J dp = 0 ,   0 ≤ φ + J dp ⊥ λ + Λ ≥ 0 ,   Λ the contact's Σλ so far, kg m
//! ```
//!
//! A linearised correction moves along the tangent. The corner of a body that turns on the way ends above the ground out of which
//! it was pushed: φ > 0 with Λ > 0. Beyond the contact tolerance the next step does not find such a contact: the body falls into
//! the ground again, is pushed out again, and gains the weight's work in every step. Therefore it is moved back until it touches,
//! at most as far as it was pushed, and the next step treats its impact. Contacts that end within the tolerance, nearly all, stay
//! where they are.

use super::constraints::{Constraints, GapTerm, insert_missing};
use super::impulses::Solve;
use super::motion::{Metric, Motion, StepContext};
use super::posed_problem::Form;
use super::position_errors::metres;
use crate::constraint::Touch;
use crate::detect::Contact;
use crate::lcp::Law;
use crate::math::largest;
use crate::model::{Frame, World};
use crate::report::StepError;
use crate::stages::step_in_progress::{Stages, Step};
use glam::DVec3;
use std::f64::consts::PI;

/// Most Newton iterations of one attempt, here and in RATTLE's first half.
pub(crate) const MAX_ITERATIONS: usize = 40;
/// κ of damped corrections; each is tried if the one before raises the error.
const DAMPING: [f64; 4] = [1e4, 1e2, 1.0, 1e-2];
/// An iteration that leaves more than this share of the error has stagnated.
pub(crate) const STAGNATION: f64 = 0.5;
/// Where no pose satisfies all rows, corrections end with the first that leaves more than this share of the error.
const FALLING: f64 = 0.9;
/// Most halvings of a correction that does not reduce the error.
const MAX_BACKTRACKS: usize = 6;

/// The forces that contacts exert in a correction of positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ContactAction {
    /// Contacts push.
    Push,
    /// Contacts push, and all rows are compliant: g + J dp + c λ = 0, cᵢ = Aᵢᵢ/κ, a damped least-squares step
    /// [Levenberg 1944]. Holds κ.
    PushDamped(f64),
    /// Contacts push, and pull back by at most the Σλ with which they have pushed.
    PushOrPull,
}

/// Makes one linearised position correction from the rows and contacts as evaluated, scaled down as a whole so that each body's
/// translation (m) and rotation (rad) is at most `bound`, and at most the scene's size and half a turn. Evaluates rows and
/// contacts at the new pose.
///
/// If joints and contacts contradict each other, as for two overlapping bodies that a weld holds, the linearised problem has no
/// solution, or a distant one that increases the errors. If a correction with contacts would raise Σ g²/Aᵢᵢ, damped least-squares
/// steps are tried instead, and at last none: such errors end at a minimum of that sum. Returns whether that was so,
/// and which share of the error a correction in full has left; none if there was no error beyond rounding.
fn correct_positions(
    step: &mut Step<'_>,
    metric: Metric,
    bound: f64,
) -> Result<(bool, Option<f64>), StepError> {
    let error = step.stages.constraints.position_error(&step.stages.motion);
    let correct = |step: &mut Step<'_>, action: ContactAction| {
        let Step { context, stages: Stages { motion, constraints, solve, .. }, .. } = step;
        let dp = position_correction(solve, context, constraints, motion, metric, action)?;
        let far = largest(dp.iter().map(|dp| dp.truncate().length()));
        let turn = largest(dp.iter().map(|dp| dp.z));
        // If dp is zero, 0/0 is NaN, and `min` leaves the other bound.
        let share = (bound.min(constraints.size(motion, error)) / far).min(bound.min(PI) / turn);
        motion.shift(dp, if share < 1.0 { share } else { 1.0 });
        constraints.evaluate_positions(context, motion);
        Ok::<(), StepError>(())
    };
    // Without contacts and limits no correction is taken back.
    let conflicts = !step.stages.constraints.touches.all().is_empty();
    let misfit = |step: &Step<'_>| step.stages.constraints.misfit(&step.stages.motion, metric);
    let before = if conflicts { misfit(step) } else { f64::INFINITY };
    step.stages.motion.marked.clone_from(&step.stages.motion.q);
    correct(step, ContactAction::Push)?;
    let extent = step.stages.constraints.extent(&step.stages.motion);
    // A rise within rounding is no conflict.
    if !conflicts || error <= extent.tolerance() || misfit(step) <= before {
        let left = (error > extent.tolerance())
            .then(|| step.stages.constraints.position_error_at(&extent) / error);
        return Ok((false, left));
    }
    let mut damping = DAMPING.into_iter();
    while misfit(step) > before {
        step.stages.motion.q.clone_from(&step.stages.motion.marked);
        step.stages.constraints.evaluate_positions(&step.context, &step.stages.motion);
        let Some(kappa) = damping.next() else { break };
        correct(step, ContactAction::PushDamped(kappa))?;
    }
    Ok((true, None))
}

#[cfg_attr(not(feature = "unstable-schemes"), doc(hidden))]
impl Step<'_> {
    /// q ← q + dq with M dq = Jᵀμ and g(q + dq) = 0 in joints, φ(q + dq) ≥ 0 in contacts and limits: Newton's method in
    /// the mass metric until rounding stops it. Velocities stay as they are. The change of potential energy is in the report, as
    /// work of the correction.
    ///
    /// # Errors
    /// [`StepError::NotConverged`], or [`StepError::Infeasible`] where no pose satisfies all rows.
    pub fn project_positions(&mut self) -> Result<(), StepError> {
        let energy = self.stages.motion.potential_energy(self.context.world);
        self.stages.constraints.evaluate_positions(&self.context, &self.stages.motion);
        self.stages.constraints.note_errors_before(&mut self.stages.solve.report);
        self.stages.solve.corrected.clear();
        project_and_close(self)?;
        let raised = self.stages.motion.potential_energy(self.context.world) - energy;
        self.stages.solve.report.correction_work += raised;
        Ok(())
    }
}

/// g(q⁺) = 0 and 0 ≤ φ(q⁺) ⊥ Σλ ≥ 0.
fn project_and_close(step: &mut Step<'_>) -> Result<(), StepError> {
    project_positions(step)?; // g(q⁺) = 0
    if close(step, Metric::Mass) { project_positions(step) } else { Ok(()) }
}

/// Projects the state onto the manifold: positions in the mass metric, then velocities as prescribed and demanded at the time
/// `elapsed` after the start of the step. The change of energy, less that of impacts, is work of the correction.
pub(crate) fn project(step: &mut Step<'_>, elapsed: f64) -> Result<(), StepError> {
    let energy = step.stages.motion.energy(step.context.world);
    step.stages.solve.corrected.clear();
    project_and_close(step)?;
    correct_velocities(step, elapsed, energy)
}

/// A whole step, whose contacts are those of the start and of bodies that would pass through each other: J v* + c = 0,
/// q* = q + h v*, then both manifolds.
pub(crate) fn advance_projected(step: &mut Step<'_>) -> Result<(), StepError> {
    step.advance_unbiased(GapTerm::Corrected)?;
    step.stages.constraints.evaluate_positions(&step.context, &step.stages.motion);
    step.stages.constraints.note_errors_before(&mut step.stages.solve.report);
    project(step, step.context.h)
}

/// A start with a larger error than this share of the extent is projected first.
const START_TOLERANCE: f64 = 1e-10;

/// Projects a start that is off the manifold onto it; returns whether it was.
pub(crate) fn start_on_manifold(step: &mut Step<'_>) -> Result<bool, StepError> {
    let Step { context, stages: Stages { motion, constraints, .. }, .. } = &mut *step;
    let world = context.world;
    constraints.evaluate_positions(context, motion);
    let extent = constraints.extent(motion);
    if constraints.position_error_at(&extent) <= extent.fraction(START_TOLERANCE) {
        return Ok(false);
    }
    constraints.evaluate(world, motion);
    constraints.rebound_thresholds.gather(context, &constraints.rows, motion); // impacts that rebound are left to the step
    project(step, 0.0)?;
    Ok(true)
}

/// M dv = Jᵀλ, J(q⁺) (v* + dv) + c = 0, v⁺ = v* + dv, as prescribed and demanded at the time `elapsed` after the start
/// of the step. The change from `energy`, less that of impacts, is work of the correction.
pub(crate) fn correct_velocities(step: &mut Step<'_>, elapsed: f64, energy: f64) -> Result<(), StepError> {
    step.stages.motion.prescribe_velocity(&step.context, elapsed); // c
    let impacts = project_velocities(step, step.context.time + elapsed)?;
    step.stages.solve.report.correction_work +=
        step.stages.motion.energy(step.context.world) - energy - impacts;
    Ok(())
}

/// Newton's method in the mass metric until the error stagnates below [`Constraints::tolerance`].
pub(crate) fn project_positions(step: &mut Step<'_>) -> Result<(), StepError> {
    if step.stages.solve.dynamics.workspace.yields {
        return approach_manifold(step);
    }
    let Step { context, stages: Stages { motion, constraints, solve, .. }, .. } = step;
    constraints.evaluate_positions(context, motion);
    let extent = constraints.extent(motion);
    let mut error = constraints.position_error_at(&extent);
    for iterations in 0..MAX_ITERATIONS {
        if error <= extent.rounding() {
            return Ok(());
        }
        let dp =
            position_correction(solve, context, constraints, motion, Metric::Mass, ContactAction::Push)?;
        let last = error;
        // Adds dp, or half of it, or a quarter …, until the error falls. Near rounding the full dp is added.
        let mut share = 1.0_f64;
        for _ in 0..=MAX_BACKTRACKS {
            motion.shift(dp, share);
            constraints.evaluate_positions(context, motion);
            error = constraints.position_error_at(&extent);
            if error < last || last <= extent.tolerance() {
                break;
            }
            share = -0.5 * share.abs();
        }
        if solve.report.infeasible > 0 {
            return Err(StepError::Infeasible { error, bodies: constraints.worst(context.world, motion) });
        }
        let falling_fast = error <= STAGNATION * last;
        if !falling_fast && error <= extent.tolerance() {
            return Ok(());
        }
        let falling = error < last;
        if !falling {
            return Err(not_converged(context.world, constraints, motion, iterations + 1, error));
        }
    }
    Err(not_converged(context.world, constraints, motion, MAX_ITERATIONS, error))
}

/// Reduces the position errors after Newton's method has failed in the whole step and in its parts: makes position corrections,
/// damped if joints and contacts contradict each other, as long as they reduce the error. Counts a remaining error.
fn approach_manifold(step: &mut Step<'_>) -> Result<(), StepError> {
    step.stages.constraints.evaluate_positions(&step.context, &step.stages.motion);
    let mut error = step.stages.constraints.position_error(&step.stages.motion);
    for _ in 0..MAX_ITERATIONS {
        if error <= step.stages.constraints.tolerance(&step.stages.motion) {
            return Ok(());
        }
        correct_positions(step, Metric::Mass, f64::INFINITY)?;
        let last = error;
        error = step.stages.constraints.position_error(&step.stages.motion);
        if error > FALLING * last {
            break;
        }
    }
    let report = &mut step.stages.solve.report;
    report.damped_corrections += 1;
    report.unproved = report.unproved.max(1); // nothing proves that there is no solution
    Ok(())
}

/// The error that Newton's method has not converged and left `error`.
pub(crate) fn not_converged(
    world: &World,
    constraints: &Constraints,
    motion: &Motion,
    iterations: usize,
    error: f64,
) -> StepError {
    let (tolerance, bodies) = (constraints.tolerance(motion), constraints.worst(world, motion));
    StepError::NotConverged { iterations, error, tolerance, bodies }
}

/// Removes from the velocity, in the mass metric at the present pose, J v + c, N v − v₀ at the time `at`, and the negative J v of
/// touching bodies. Impacts that rebound are left to the next step, which knows their law. Returns the energy that the others put
/// into the bodies, J (negative: took out).
pub(crate) fn project_velocities(step: &mut Step<'_>, at: f64) -> Result<f64, StepError> {
    let Step { context, stages: Stages { motion, constraints, solve, totals, .. }, .. } = step;
    constraints.evaluate_positions(context, motion);
    let Constraints { rows, touches, .. } = &*constraints;
    let touching = if touches.all().is_empty() { 0.0 } else { constraints.tolerance(motion) };
    let Solve { velocities: problem, record, report, .. } = solve;
    let form = Form::Correction.if_alone(constraints, context);
    problem.begin(form, (&motion.inverse_mass, &motion.v), rows, |row| row.c);
    problem.pose_nonholonomic(rows, (context.world, at), |_, v0, _| -v0.value);
    for (index, touch) in touches.all().iter().enumerate() {
        let rebounds = touch.restitution > 0.0 && touch.row.rate(&motion.v) < -touch.rebound_speed;
        if metres(&touch.row, &motion.undamped) * touch.row.g <= touching && !rebounds {
            problem.pose_unilateral(index, touch, touch.row.c, Law::Unilateral);
        }
    }
    let outcome = problem.solve(context.solver, record)?;
    motion.v.clone_from(&problem.v);
    report.note_beside(&outcome);
    problem.write(&mut totals.ledger, constraints, 1.0, false);
    let Motion { v, inverse_mass, .. } = &*motion;
    let energy = |(index, lambda): (usize, &[f64])| {
        let Touch { row, approach, .. } = &touches.all()[index];
        if *approach >= 0.0 {
            return 0.0;
        }
        // Bodies on a prescribed path do work of their own: only the share of the others in J v counts.
        let driven = |body: usize, j: DVec3| if inverse_mass[body].x > 0.0 { 0.0 } else { j.dot(v[body]) };
        let own = 0.5 * (row.rate(v) + approach) - row.c;
        lambda[0] * row.arms().fold(own, |sum, (body, j)| sum - driven(body, j))
    };
    Ok(problem.touch_multipliers().map(energy).sum())
}

/// dp of the linearised position correction; adds λ of its contacts to `corrected`.
fn position_correction<'a>(
    solve: &'a mut Solve,
    context: &StepContext<'_>,
    constraints: &Constraints,
    motion: &Motion,
    metric: Metric,
    action: ContactAction,
) -> Result<&'a [DVec3], StepError> {
    let Constraints { rows, touches, .. } = constraints;
    let inverse_mass = motion.inverse_mass_in(metric);
    let Solve { positions: problem, corrected, record, report, .. } = solve;
    problem.begin(Form::Correction.if_alone(constraints, context), (inverse_mass, &[]), rows, |row| row.g); // at rest
    for (index, touch) in touches.all().iter().enumerate() {
        let law = match (action, constraints.contacts.get(index)) {
            (ContactAction::PushOrPull, Some(contact)) => {
                let known = corrected.binary_search_by_key(&contact.id, |(known, _)| known.id);
                let pushed = known.map_or(0.0, |at| corrected[at].1.max(0.0));
                Law::Bounded { lower: -pushed, upper: f64::INFINITY }
            }
            _ => Law::Unilateral,
        };
        problem.pose_unilateral(index, touch, touch.row.g, law);
    }
    if !problem.is_system() {
        problem.mixed.rounding = constraints.extent(motion).rounded_gap();
    }
    if let ContactAction::PushDamped(kappa) = action {
        problem.yield_by(kappa);
    }
    let outcome = problem.solve(context.solver, record)?;
    report.note_beside(&outcome);
    for (index, lambda) in problem.touch_multipliers() {
        let Some(contact) = constraints.contacts.get(index) else { continue };
        match corrected.binary_search_by_key(&contact.id, |(known, _)| known.id) {
            Ok(at) => corrected[at].1 += lambda[0],
            Err(at) if lambda[0] > 0.0 => corrected.insert(at, (*contact, lambda[0])),
            Err(_) => {}
        }
    }
    Ok(&problem.v)
}

/// Of the contacts that have been pushed, those whose gap is larger than `tolerance` at the present pose.
fn apart<'a>(
    corrected: &'a [(Contact, f64)],
    context: &'a StepContext<'_>,
    motion: &'a Motion,
    tolerance: f64,
) -> impl Iterator<Item = &'a Contact> {
    let gap = move |contact: &Contact| {
        let [a, b] = contact.bodies().map(|body| Frame::new(motion.q[body], motion.v[body]));
        contact.gap(context.world.bodies(), &a, &b).phi
    };
    let pushed = corrected.iter().filter(|(_, lambda)| *lambda > 0.0);
    pushed.map(|(contact, _)| contact).filter(move |contact| gap(contact) > tolerance)
}

/// At most so many corrections of the positions after a step, each with J and g evaluated anew, which end where the error is
/// rounding; where nothing touches only if `ends_without_contacts`. Contacts that were pushed are then moved back, φ(q⁺) = 0, and
/// the potential energy that all this has raised is booked.
pub(crate) fn correct_up_to(
    step: &mut Step<'_>,
    most: usize,
    (metric, bound): (Metric, f64),
    ends_without_contacts: bool,
) -> Result<(), StepError> {
    let energy = step.stages.motion.potential_energy(step.context.world);
    step.stages.constraints.evaluate_positions(&step.context, &step.stages.motion);
    step.stages.constraints.note_errors_before(&mut step.stages.solve.report);
    step.stages.solve.corrected.clear();
    let damped = step.stages.solve.report.damped_corrections;
    for _ in 0..most {
        let extent = step.stages.constraints.extent(&step.stages.motion);
        let ends = ends_without_contacts || !step.stages.constraints.touches.all().is_empty();
        if ends && step.stages.constraints.position_error_at(&extent) <= extent.rounding() {
            break;
        }
        let (is_damped, left) = correct_positions(step, metric, bound)?;
        let report = &mut step.stages.solve.report;
        report.damped_corrections += usize::from(is_damped);
        report.correction_left = report.correction_left.into_iter().chain(left).reduce(f64::max);
    }
    if step.stages.solve.report.damped_corrections == damped {
        close(step, metric);
    }
    step.stages.solve.report.correction_work +=
        step.stages.motion.potential_energy(step.context.world) - energy;
    Ok(())
}

/// Most corrections that move the pushed contacts of a step back.
const MOST: usize = 8;

/// Moves contacts back that the corrections of this step have pushed too far; returns whether there were any. If that would leave
/// errors larger than the contact tolerance and those before it, or is not solved, all bodies stay where they were.
fn close(step: &mut Step<'_>, metric: Metric) -> bool {
    let tolerance = step.context.contact.contact_tolerance_of(step.stages.constraints.smallest_shape);
    let Step { context, stages: Stages { motion, constraints, solve, .. }, .. } = &mut *step;
    // If constraints contradict each other, 0 ≤ φ ⊥ Σλ ≥ 0 cannot be expected.
    if solve.report.infeasible > 0 || apart(&solve.corrected, context, motion, tolerance).next().is_none() {
        return false;
    }
    let before = constraints.position_error(motion);
    motion.marked.clone_from(&motion.q);
    let mut solved = true;
    for _ in 0..MOST {
        insert_missing(&mut constraints.contacts, apart(&solve.corrected, context, motion, tolerance));
        constraints.evaluate_same_contacts(context.world, motion);
        let size = constraints.size(motion, constraints.position_error(motion));
        let Ok(dp) =
            position_correction(solve, context, constraints, motion, metric, ContactAction::PushOrPull)
        else {
            solved = false;
            break;
        };
        let far = largest(dp.iter().map(|dp| dp.truncate().length()));
        motion.shift(dp, if far > size { size / far } else { 1.0 });
        constraints.evaluate_positions(context, motion);
        let closed = apart(&solve.corrected, context, motion, tolerance).next().is_none();
        // On the way back other contacts may overlap; this converges as fast as the correction.
        if closed && constraints.position_error(motion) <= before.max(constraints.tolerance(motion)) {
            break;
        }
    }
    let worse = !solved || constraints.position_error(motion) > before.max(tolerance);
    if worse {
        motion.q.clone_from(&motion.marked);
        constraints.evaluate_positions(context, motion);
    }
    !worse
}
