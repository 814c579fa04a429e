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
//! sine of the angle by which a joint turns in the step. Where a joint turns by more than `MAX_TURN`, or
//! Newton's method stagnates, the step is made in two halves, and so on: the tip of a whip needs that.
//!
//! Springs act by the implicit midpoint force f = −k s(q½) − d ṡ over both halves, which is the compliant row
//! over ½h with the first half's J, applied with the second half's J again [IMEX, Stern & Grinspun 2009];
//! stiff ones stay stable.
//!
//! A start off the manifold (a joint pulled apart, an overlap, a scheme switched in mid-motion) is first projected onto it in the
//! mass metric, and the energy of that reported as work of the correction, less that of impacts. A contact that this lifts off
//! the ground is moved back to it (`stages/corrections.rs`): the step would not find it, and the body would fall into the ground.
//!
//! **Contacts, limits, motors.** Both solves become mixed problems: 0 ≤ φ(q + h v½) ⊥ λ ≥ 0 with friction against J_t v½ + ½h
//! J̇_t v, as for any non-holonomic row, by Newton's method on the whole problem with the J of the start; and J v⁺ ≥ −e φ̇ (φ̇ of
//! the start, impacts alone) where λ > 0 or φ(q⁺) = 0, with friction against J_t v⁺. That is Newton's law; by Poisson's, J v⁺ ≥ 0
//! there and, in one more solve, μ ≥ e c_n, with c_n of the collision from the start's velocity with the J of the end
//! (`stages/impulses.rs`). Motors have half of h F_max in each. An impact between two steps' ends is resolved at one of them,
//! O(h) off: the order drops to one, and symmetry and the bounded energy error are lost. Between impacts, lasting contacts are
//! held like joints; sliding friction depends on the velocity, and is of first order as well. Without unilateral rows and motors
//! the method is the one above, bit for bit.

use crate::constraint::{Row, Touch};
use crate::method::linearisation::Operation;
use crate::method::{Method, Origin, Scheme, SchemeInfo};
use crate::report::StepError;
use crate::stages::constraints::{Constraints, GapTerm};
use crate::stages::corrections::{
    MAX_ITERATIONS, STAGNATION, not_converged, project_positions, project_velocities, start_on_manifold,
};
use crate::stages::impulses::{Solve, collide, obeys_poisson};
use crate::stages::posed_problem::{Form, Slip};
use crate::stages::position_errors::metres;
use crate::stages::step_in_progress::{MAX_DEPTH, Stages, Step, in_parts};

/// Largest turn of a joint row's direction in one part, rad. Beyond it the energy error no longer stays
/// small when a chain cracks like a whip: without the limit a six-link chain under 85 m/s² gains 10⁸ J in 17 s,
/// with it some per cent of its own energy in 60 s.
const MAX_TURN: f64 = 0.1;
/// Largest error, as a share of the extent, at which Newton's method with contacts may stagnate: the mixed solvers may stop at
/// 1e-9 of the problem's speed.
const TOUCHING_TOLERANCE: f64 = 1e-10;

const INFO: SchemeInfo = SchemeInfo {
    key: "rattle",
    name: "RATTLE",
    short: "RATTLE",
    origin: Origin::MultibodyCodes,
    synonyms: &["shake"],
    equation: "g(q + h v½) = 0 ,  J(q⁺) v⁺ + c = 0",
    summary: "Second order and symplectic: holds the joints to rounding and the energy without trend.",
    source: "Andersen 1983; Hairer, Lubich & Wanner 2006, VII.1.4",
    ..SchemeInfo::COMMON
};

pub(crate) static SCHEME: Scheme = Scheme {
    // Its Newton iteration on positions ends where the constraints hold; on approximate impulses it takes more
    // iterations, and the step more parts.
    takes_approximate_solutions: false,
    operations,
    ..Scheme::new(INFO, advance)
};

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    in_parts(step, MAX_DEPTH, rattle)
}

fn operations(_: &Method, _: f64) -> Vec<Operation> {
    vec![Operation::Verlet]
}

fn rattle(step: &mut Step<'_>) -> Result<(), StepError> {
    start_on_manifold(step)?;
    step.evaluate_unbiased(GapTerm::Travelling); // g, J and k at q; φ, J_n and J_t of contacts; limits, motors
    let alone = Form::System.if_alone(&step.stages.constraints, &step.context) == Form::System;
    first_half(step, alone)?; // v½ = v + ½h M⁻¹F + M⁻¹Jᵀλ, g(q + h v½) = 0, and 0 ≤ φ(q + h v½) ⊥ λ ≥ 0
    step.stages.motion.drift(&step.context); // q⁺ = q + h v½
    kick_at_end(step); // v½ + ½h M⁻¹F, with springs and the grab
    if alone {
        project_velocities(step, step.context.end())?; // v⁺ = v½ + ½h M⁻¹F + M⁻¹Jᵀμ, J(q⁺) v⁺ + c = 0
    } else {
        solve_second_half(step)?; // and J v⁺ ≥ −e φ̇
    }
    if step.stages.solve.dynamics.workspace.yields { correct_end(step) } else { Ok(()) }
}

/// Corrects the positions at the end, as far as possible, if Newton's method has failed in the whole step and in its parts; v½ is
/// then that of its first iteration.
fn correct_end(step: &mut Step<'_>) -> Result<(), StepError> {
    let world = step.context.world;
    let energy = step.stages.motion.energy(world);
    project_positions(step)?;
    let report = &mut step.stages.solve.report;
    report.correction_work += step.stages.motion.energy(world) - energy;
    report.unproved = report.unproved.max(1); // nothing proves that there is no solution
    Ok(())
}

/// Refuses a part in which a joint row's direction turns too far.
fn check_turn(turn: f64) -> Result<(), StepError> {
    if turn <= MAX_TURN { Ok(()) } else { Err(StepError::TurnsTooFar { turn, limit: MAX_TURN }) }
}

/// v½ = v + ½h M⁻¹F + M⁻¹Jᵀλ with g(q + h v½) = 0; with unilateral rows and motors, joints and pushing contacts have no error at
/// q + h v½, and no other contact overlaps. `alone` says that there are equations only.
fn first_half(step: &mut Step<'_>, alone: bool) -> Result<(), StepError> {
    let Step { context, stages: Stages { motion, constraints, solve, totals, predictor, .. }, .. } = step;
    if !alone {
        // For the law of impact.
        predictor.before.clone_from(&motion.v);
        let approach = |touch: &Touch| (touch.approach, touch.approach < -touch.rebound_speed);
        predictor.approaches.clear();
        predictor.approaches.extend(constraints.touches.all().iter().map(approach));
    }
    // The first guess of g(q + h v½) = 0: J v½ + g/h + ½h k = 0.
    let (h, half) = (context.h, 0.5 * context.h);
    motion.renew_fields(context.world, context.time - context.world.time());
    motion.damp(context.world, half);
    motion.kick(half);
    let bias = |row: &Row| row.g / h + half * row.k;
    solve.impulses(context, constraints, motion, half, bias)?;
    motion.v.copy_from_slice(&solve.dynamics.v);
    predictor.soft_impulses.clear();
    predictor.soft_impulses.extend(solve.soft_multipliers(&constraints.rows));
    if alone {
        solve.write(&mut totals.ledger, constraints, 1.0);
    }
    // Pose and rows stay those of the start.
    let extent = constraints.extent(motion);
    let tolerance = if alone { extent.tolerance() } else { extent.fraction(TOUCHING_TOLERANCE) };
    let mut last = f64::INFINITY;
    for iterations in 0..MAX_ITERATIONS {
        let mut error = predictor.evaluate(context, motion, &extent);
        if !alone {
            error = error.max(predictor.evaluate_contacts(context, constraints, motion, &solve.dynamics));
        }
        if iterations == 0 && !solve.dynamics.workspace.yields {
            check_turn(predictor.turn(constraints, motion))?;
        }
        let falling_fast = error < STAGNATION * last;
        let accepted = if falling_fast { extent.rounding() } else { tolerance };
        if error <= accepted || solve.dynamics.workspace.yields {
            if !alone {
                solve.write(&mut totals.ledger, constraints, 1.0);
            }
            return Ok(());
        }
        if !falling_fast {
            return Err(not_converged(context.world, constraints, motion, iterations, error));
        }
        last = error;
        let rows = &constraints.rows;
        if alone {
            // A Δλ = −g/h with the factors and the J of the start; soft rows keep their (linear) balance.
            let change = solve.newton_increment(predictor.rows.joints(), h);
            for (row, lambda) in rows.all().iter().zip(change) {
                row.push(*lambda, &motion.inverse_mass, &mut motion.v);
            }
            totals.ledger.add_rows(rows, 0, change, 1.0);
            for (sum, lambda) in predictor.soft_impulses.iter_mut().zip(&change[rows.equations().len()..]) {
                *sum += lambda;
            }
        } else {
            // One Newton step of the mixed problem, with the J of the start.
            solve.dynamics.linearise_at(predictor.rows.joints(), predictor.touches.all(), h);
            solve.solve_again(context, constraints)?;
            motion.v.copy_from_slice(&solve.dynamics.v);
            let soft = solve.dynamics.lambda[rows.equations().len()..].iter();
            for ((kept, lambda), (_, softness)) in
                predictor.soft_impulses.iter_mut().zip(soft).zip(rows.soft())
            {
                // The rows of a grab at its limit have been taken out: its pull stays.
                if softness.stiffness + softness.damping > 0.0 {
                    *kept = *lambda;
                }
            }
        }
    }
    Err(not_converged(context.world, constraints, motion, MAX_ITERATIONS, last))
}

/// The forces of the second half, v½ + ½h M⁻¹F with those of springs and the grab, at rows evaluated at q⁺.
fn kick_at_end(step: &mut Step<'_>) {
    let Step { context, stages: Stages { motion, constraints, totals, predictor, .. }, .. } = step;
    motion.prescribe_velocity(context, context.h);
    constraints.evaluate(context.world, motion);
    constraints.evaluate_same_contacts(context.world, motion);
    motion.renew_fields(context.world, context.end() - context.h / 2.0 - context.world.time());
    motion.damp(context.world, context.h / 2.0);
    motion.kick(context.h / 2.0);
    // The impulses of springs and the grab in the first half act once more, with the J of the end.
    let rows = &constraints.rows;
    for ((row, _), impulse) in rows.soft().zip(&predictor.soft_impulses) {
        row.push(*impulse, &motion.inverse_mass, &mut motion.v);
    }
    totals.ledger.add_rows(rows, rows.equations().len(), &predictor.soft_impulses, 1.0);
}

/// The second half with unilateral rows: J v⁺ + c = 0 in joints, J v⁺ ≥ −e φ̇ where λ > 0 or φ = 0 (or e times the impulse
/// back), friction, and the motors' second half.
fn solve_second_half(step: &mut Step<'_>) -> Result<(), StepError> {
    let Step { context, stages: Stages { motion, constraints, solve, totals, predictor, .. }, .. } = step;
    let Constraints { rows, touches, .. } = &*constraints;
    let poisson = obeys_poisson(context);
    let closed = constraints.extent(motion).fraction(TOUCHING_TOLERANCE);
    let metres = |index: usize| metres(&touches.all()[index].row, &motion.undamped);
    let takes_part = |index: usize, touch: &Touch| {
        predictor.pushes[index] > 0.0 || metres(index) * touch.row.g <= closed
    };
    let mut rebounds = false;
    let Solve { velocities: problem, positions, record, report, .. } = solve;
    problem.begin(Form::Islands, (&motion.inverse_mass, &motion.v), rows, |row| row.c);
    problem.pose_nonholonomic(rows, (context.world, context.end()), |_, v0, _| -v0.value);
    let half = context.h / 2.0;
    problem.pose_motors(touches.motors(), half, |motor| {
        let [speed, _] = motor.speed(context.world, context.end());
        motor.demand(speed, half, None)
    });
    for (index, touch) in touches.all().iter().enumerate() {
        let (approach, impact) = predictor.approaches[index];
        let rebound = if impact && !poisson { touch.restitution * approach } else { 0.0 };
        if takes_part(index, touch) {
            rebounds |= impact && poisson;
            problem.pose_touch(index, touch, touch.row.with_c(rebound), Slip::at_end(touch, 0.0), 0.0);
        }
    }
    let mut collision = None;
    if rebounds {
        // The collision of the pushing contacts, with the J of the end and the rates of the start.
        let ask = |index: usize, touch: &Touch| {
            takes_part(index, touch)
                .then(|| predictor.approaches[index].0 - touch.row.along(&predictor.before))
        };
        let bodies = (&motion.undamped[..], &predictor.before[..]);
        let by = (context.solver, &mut *record, &mut *report);
        collision = Some(collide(positions, constraints, bodies, by, ask)?);
    }
    let returned = collision.map(|normal| {
        move |index: usize, _| {
            if predictor.approaches[index].1 {
                touches.all()[index].restitution * normal[index]
            } else {
                0.0
            }
        }
    });
    let outcome = problem.solve_in_phases(context.solver, (record, report), returned)?;
    report.note(&outcome, problem.mixed.rows.len(), touches.contacts().len(), 1.0);
    motion.v.clone_from(&problem.v);
    problem.write(&mut totals.ledger, constraints, 1.0, false);
    Ok(())
}
