//! The dynamics in forces: what each row requires, the rows as one problem, and its solution. At the end: the memory of the
//! integrators of the acceleration level.
//!
//! ```text
//! a* = M⁻¹F ,   (A + C) λ = −(J a* + r) ,   a = a* + M⁻¹Jᵀλ
//!
//! joint              J a + r = 0
//! non-holonomic row  N a + r = 0
//! ```
//!
//! r is the scheme's. The rows of springs, motors, contacts and limits are those of an impulse problem (`impulses.rs`) with v⁺ =
//! v + h a, divided by h. A sticking contact contains, as any non-holonomic row, the rate at which its row turns,
//!
//! ```text
//! |λ_t| ≤ μ λ_n  against  J_t a + J̇_t v + J_t v₀/h
//! ```
//!
//! with v₀ at the start of the step: the remaining slip is stopped within the step.
//!
//! **Sliding and sticking.** The friction of a contact that slides throughout the step has the direction of the slip at
//! its start, λ_t = −μ λ_n sign(J_t v), as Coulomb's law for accelerations says; this law alone knows Painlevé's
//! paradox. It holds where the slip is faster than given forces could make it in two steps, |J_t v| > 2h
//! max(|g|, |t| |a*|), with a* the acceleration by weight, applied forces and springs: a slower slip may be rounding,
//! whose direction means nothing. Friction of such a contact acts against the slip at the end of the step, as above. If
//! friction with a given direction would drive a contact beyond rest before the step ends, the problem is posed once
//! more with that contact's friction against the slip at the end: a reversal ends at rest, unless other forces drive it on.

use super::constraints::{Constraints, Demand, SLIPPING_STEPS, gap_beyond_rounding};
use super::impulses::{Solve, obeys_poisson};
use super::motion::{Motion, StepContext};
use super::posed_problem::{Form, Slip};
use super::position_errors::metres;
use super::springs::soft_row;
use crate::constraint::{Row, Touch};
use crate::model::nonholonomic::Prescribed;
use crate::report::{StepError, StepReport};
use glam::DVec3;

/// The right-hand sides of a problem of forces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForceTerms<'a, F, N> {
    /// r of a joint's row from (k, g, J v), and of a contact's own.
    pub rhs: F,
    /// r of a non-holonomic row from its index, v₀ and itself, and the time of v₀, s.
    pub nonholonomic: N,
    pub at: f64,
    /// The state of every unilateral row at the start of an explicit step, in which springs and the grab are forces that are in
    /// a* already. Without it they act linearly implicitly, by compliant rows.
    pub beginnings: Option<&'a [Beginning]>,
    /// Which unilateral rows have rebounded and keep the rate with which they leave to the end of the step.
    pub rebounded: &'a [bool],
}

/// A unilateral row at the start of an explicit step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginning {
    /// J_t v, m/s.
    pub slip: f64,
    /// ω_b − ω_a of its bodies, rad/s.
    pub spin: f64,
    /// Whether it is near enough to get the scheme's right-hand side.
    pub near: bool,
}

impl Solve {
    /// Solves for the forces, from the acceleration of `motion` and at its velocity. The grab is limited as in
    /// [`Solve::impulses`].
    pub fn forces<F: Fn(f64, f64, f64) -> f64, N: Fn(usize, Prescribed, &Row) -> f64>(
        &mut self,
        context: &StepContext<'_>,
        constraints: &mut Constraints,
        motion: &Motion,
        ask: ForceTerms<'_, F, N>,
    ) -> Result<(), StepError> {
        let (poisson, h) = (obeys_poisson(context), context.h);
        let (v, inverse_mass) = (&motion.v, &motion.inverse_mass);
        let ForceTerms { rhs, nonholonomic, at, beginnings, rebounded } = ask;
        let grab = context.world.grab.filter(|_| beginnings.is_none());
        let limit = grab.map_or(f64::INFINITY, |grab| grab.max_force);
        self.within_pull(limit, constraints, motion, &motion.a, |solve, constraints, free| {
            let Constraints { rows, touches, active, swinging, .. } = constraints;
            let mut driven = std::mem::take(&mut solve.driven);
            drive(&mut driven, constraints, motion, free, beginnings.is_none());
            let noted = solve.report;
            let mut stopping: Vec<usize> = Vec::new();
            loop {
                let problem = &mut solve.dynamics;
                let form = Form::System.if_alone(constraints, context);
                problem.begin(form, (inverse_mass, free), rows, |row| rhs(row.k, row.g, row.rate(v)));
                problem.pose_nonholonomic(rows, (context.world, at), &nonholonomic);
                if beginnings.is_none() {
                    problem.pose_soft(rows, |index, row, soft| {
                        let (c, b) = soft_row((row, soft), swinging.mobility(index), row.rate(v), h)?;
                        Some((c, (row.rate(v) + b) / h))
                    });
                }
                problem.pose_motors(touches.motors(), 1.0, |motor| {
                    let world = context.world;
                    // At a stage the acceleration is that of the speed itself; a wrong speed is made good within h.
                    let [speed, rate] = match beginnings {
                        Some(_) => motor.speed(world, at),
                        None => [motor.mean_speed(world, context.time, h), 0.0],
                    };
                    let (c, b) = motor.demand(speed, h, Some(v));
                    (c, (motor.row.rate(v) + b) / h - rate)
                });
                for (index, touch) in touches.all().iter().enumerate() {
                    let beginning = beginnings.and_then(|beginnings| beginnings.get(index));
                    if beginning.is_some_and(|beginning| waits(touch, beginning.near)) {
                        continue;
                    }
                    let near = active.is_near(touch) || beginning.is_some_and(|beginning| beginning.near);
                    let Some(demand) = active.demand_at(touch, h, near) else { continue };
                    let (phi, rate) = (gap_beyond_rounding(touch, motion), touch.row.rate(v));
                    let own = rhs(touch.row.k, phi, rate);
                    let overlapping = if phi < 0.0 { own } else { f64::INFINITY };
                    let b = match demand {
                        // Only the part of the scheme's right-hand side that pushes out of an overlap.
                        Demand::Scheme if rebounded.get(index) == Some(&true) => {
                            (own - touch.row.k).min(0.0)
                        }
                        // On a contact that separates after an impact, φ̈ = 0 would do work, because its normal turns: J v ≥ 0 at
                        // the step's end is enough. Baumgarte's terms, which `own` contains, act on it unchanged.
                        Demand::Scheme
                            if active.is_instant()
                                && own == touch.row.k
                                && active.separates(
                                    metres(&touch.row, &motion.undamped) * rate,
                                    metres(&touch.row, &motion.undamped) * (h * own),
                                ) =>
                        {
                            own + rate / h
                        }
                        Demand::Scheme => own,
                        Demand::FreeTravel => (phi / h + rate) / h,
                        Demand::Rebound(_) if poisson => {
                            let stop = rate / h;
                            problem
                                .push_outs
                                .push((problem.mixed.rows.len(), stop.min(overlapping) - stop));
                            stop
                        }
                        Demand::Rebound(b) => ((b + rate) / h).min(overlapping),
                    };
                    let rate = touch.slip(v);
                    let turning = touch.turning(if active.is_instant() { 1.0 } else { 0.0 });
                    let stopped = turning + beginning.map_or(rate, |beginning| beginning.slip) / h;
                    let sticks = active.slipping.max(SLIPPING_STEPS * h * largest_drive(touch, &driven));
                    let slip = if rate.abs() > sticks && !stopping.contains(&index) {
                        Slip::Given { rate, stop: stopped }
                    } else {
                        Slip::Free(stopped)
                    };
                    let spin = beginning.map_or_else(|| touch.spin(v), |beginning| beginning.spin) / h;
                    problem.pose_touch(index, touch, b, slip, spin);
                }
                solve.solve_dynamics(context, constraints, motion, || v.clone(), h)?;
                let known = stopping.len();
                stopping.extend(solve.dynamics.reversed_slides());
                if stopping.len() == known {
                    solve.driven = driven;
                    return Ok(());
                }
                // Once more, with friction against the slip at the end of the step; what the first attempt has found
                // counts as work alone.
                solve.report = StepReport { solver_iterations: solve.report.solver_iterations, ..noted };
            }
        })
    }
}

/// Whether an impact at a limit is left to the next step, which resolves it before its stages: a limit that rebounds and was not
/// `near` at the start of an explicit step. Each stage would turn the velocity of its own back.
fn waits(touch: &Touch, near: bool) -> bool {
    touch.tangent.is_none() && !near && touch.restitution > 0.0 && touch.approach < -touch.rebound_speed
}

/// Gathers the accelerations by all given forces, whatever constraints do: `free`, and those of the springs and the grab if they
/// are `in_rows`; none without contacts.
fn drive(
    driven: &mut Vec<DVec3>,
    constraints: &Constraints,
    motion: &Motion,
    free: &[DVec3],
    in_rows: bool,
) {
    driven.clear();
    if constraints.touches.contacts().is_empty() {
        return;
    }
    driven.extend_from_slice(free);
    if in_rows {
        for (row, softness) in constraints.rows.soft() {
            row.push(softness.force(row.g, 0.0), &motion.inverse_mass, driven);
        }
    }
}

/// The larger acceleration along the tangent of a contact that given forces could make on either side, whatever their
/// direction, m/s².
fn largest_drive(touch: &Touch, driven: &[DVec3]) -> f64 {
    let Some(tangent) = touch.tangent else { return 0.0 };
    let of = |body: usize, t: DVec3| {
        driven.get(body).map_or(0.0, |a| t.truncate().length() * a.truncate().length() + (t.z * a.z).abs())
    };
    of(touch.row.a, tangent.ta).max(of(touch.row.b, tangent.tb))
}

/// Memory of the acceleration level.
#[derive(Debug, Default)]
pub(crate) struct RkStages {
    /// q and v at the start of a Runge–Kutta step, and the weighted sums of their slopes.
    pub start: [Vec<DVec3>; 2],
    pub sums: [Vec<DVec3>; 2],
    /// Every unilateral row at the start of an explicit step. All stages have these contacts, those that are near stay so, and
    /// the slip to be stopped within the step is that of the start, not that of the stage.
    pub beginnings: Vec<Beginning>,
    /// Which unilateral rows have rebounded at the start of the step.
    pub rebounded: Vec<bool>,
    /// The stabilizing part of the right-hand side.
    pub stabilizing: Vec<f64>,
    /// Forces of springs and the grab.
    pub soft: Vec<f64>,
}
