//! The dynamics in forces: what each row asks for, the rows as one problem, its solution.
//!
//! ```text
//! a* = M⁻¹F ,   (A + C) λ = −(J a* + r) ,   a = a* + M⁻¹Jᵀλ
//!
//! joint              J a + r = 0
//! non-holonomic row  N a + r = 0
//! ```
//!
//! r is the scheme's. Into the rows of springs, motors, contacts and limits of an impulse problem (`impulses.rs`), v⁺ = v + h a is put in,
//! and they are divided by h. A contact that sticks has, as any non-holonomic row, the rate at which its row turns,
//!
//! ```text
//! |λ_t| ≤ μ λ_n  against  J_t a + J̇_t v + J_t v₀/h
//! ```
//!
//! v₀ at the start of the step: what is left of a slip is stopped within the step.
//!
//! What the integrators of the acceleration level keep between their stages.

use super::constraints::{ActiveSet, Constraints, Demand};
use super::impulses::{Pull, Solution, Solve, obeys_poisson};
use super::motion::Motion;
use super::nonholonomic::VelocityTerms;
use super::position_errors::{closed_gap, metres};
use super::problem::{Problem, Slip};
use super::step_context::StepContext;
use crate::constraint::{Row, Rows};
use crate::model::{Softness, World};
use crate::report::StepError;
use glam::DVec3;

/// What a problem of forces asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forces<'a, F> {
    /// r of a joint's row from (k, g, J v), and of a contact's own.
    pub rhs: F,
    /// What non-holonomic rows ask for.
    pub nonholonomic: VelocityTerms<'a>,
    pub springs: Springs<'a>,
    /// Which unilateral rows have rebounded and keep the rate with which they leave to the end of the step.
    pub rebounded: &'a [bool],
}

/// How springs and the grab act in a problem of forces.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Springs<'a> {
    /// Linearly implicitly, by compliant rows.
    InTheRows,
    /// As forces that are in a* already; with how every unilateral row began the step.
    Explicit(&'a [Beginning]),
}

/// How a unilateral row begins an explicit step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginning {
    /// J_t v, m/s.
    pub slip: f64,
    /// Whether it is near enough for what the scheme asks for.
    pub near: bool,
}

impl Solve {
    /// Forces from the acceleration of `motion`, at its velocity. The grab as in [`Solve::impulses`].
    pub fn forces<F: Fn(f64, f64, f64) -> f64>(
        &mut self,
        context: &StepContext<'_>,
        constraints: &mut Constraints,
        motion: &Motion,
        ask: Forces<'_, F>,
    ) -> Result<Solution<'_>, StepError> {
        let limit = match ask.springs {
            Springs::InTheRows => context.world.grab.map_or(f64::INFINITY, |grab| grab.max_force),
            Springs::Explicit(_) => f64::INFINITY,
        };
        self.solve_forces(context, constraints, (motion, None), &ask)?;
        let pull = self.pull_beyond(limit, constraints, (motion, &motion.a));
        if let Some(pull) = pull {
            self.solve_forces(context, constraints, (motion, Some(pull)), &ask)?;
            self.take_pull(pull);
        }
        Ok(self.solution(pull))
    }

    fn solve_forces<F: Fn(f64, f64, f64) -> f64>(
        &mut self,
        context: &StepContext<'_>,
        constraints: &Constraints,
        (motion, pull): (&Motion, Option<Pull>),
        ask: &Forces<'_, F>,
    ) -> Result<(), StepError> {
        let (rows, weight, h) = (&constraints.rows, &motion.inverse_mass, context.h);
        let free = if pull.is_some() { &self.pulled } else { &motion.a }; // a*
        self.dynamics.begin(constraints.form(context), weight, free);
        let rebounds = pose_forces(&mut self.dynamics, context, constraints, motion, ask);
        self.dynamics.start_warm(context, rows, &constraints.contacts, 1.0 / h);
        if rebounds.is_some() {
            self.collision.before.clone_from(&motion.v);
        }
        self.solve_dynamics(context, constraints, motion, rebounds, h)
    }
}

/// Poses the rows of a problem of forces. Returns its active set where contacts rebound by Poisson's law, which takes a second
/// solve.
pub(crate) fn pose_forces<F: Fn(f64, f64, f64) -> f64>(
    problem: &mut Problem,
    context: &StepContext<'_>,
    constraints: &Constraints,
    motion: &Motion,
    ask: &Forces<'_, F>,
) -> Option<ActiveSet> {
    let poisson = obeys_poisson(context);
    let Forces { rhs, nonholonomic, springs, rebounded } = ask;
    let Constraints { rows, touches, active, .. } = constraints;
    let (v, weight, h) = (&motion.v, &motion.inverse_mass, context.h);
    let mut rebounds = false;
    let nonholonomic = nonholonomic.demands(context.world, rows.nonholonomic(), v);
    problem.pose_joints(rows, |row| rhs(row.k, row.g, row.rate(v)));
    problem.pose_nonholonomic(rows, nonholonomic.map(|[whole, _]| whole));
    let beginnings: &[Beginning] = match springs {
        Springs::InTheRows => {
            problem.pose_soft(rows, h, |row, b| (row.rate(v) + b) / h);
            &[]
        }
        Springs::Explicit(beginnings) => beginnings,
    };
    problem.pose_motors(touches.motors(), 1.0, |motor| (motor.row.rate(v) - motor.speed) / h);
    for (index, touch) in touches.all().iter().enumerate() {
        let beginning = beginnings.get(index);
        let near = active.is_near(touch) || beginning.is_some_and(|beginning| beginning.near);
        let Some(demand) = active.demand_at(touch, h, near) else { continue };
        let (phi, rate) = (closed_gap(touch, motion), touch.row.rate(v));
        let own = rhs(touch.row.k, phi, rate);
        let overlapping = if phi < 0.0 { own } else { f64::INFINITY };
        let b = match demand {
            // Of the scheme's own, what brings back out of an overlap.
            Demand::Scheme if rebounded.get(index) == Some(&true) => (own - touch.row.k).min(0.0),
            // φ̈ = 0 would do work on what parts after an impact, by however much its normal turns: there J v ≥ 0 at the step's end is
            // enough. Baumgarte's terms, which own contains, act on what parts as they are.
            Demand::Scheme
                if active.is_instant()
                    && own == touch.row.k
                    && active.separates(
                        metres(&touch.row, weight) * rate,
                        metres(&touch.row, weight) * (h * own),
                    ) =>
            {
                own + rate / h
            }
            Demand::Scheme => own,
            Demand::FreeTravel => (phi / h + rate) / h,
            Demand::Rebound(b) => ((b + rate) / h).min(overlapping),
        };
        let stop = rate / h;
        let rate = touch.slip(v);
        let turning =
            if active.is_instant() { touch.tangent.map_or(0.0, |tangent| tangent.k) } else { 0.0 };
        let stopped = turning + beginning.map_or(rate, |beginning| beginning.slip) / h;
        let slip = if rate.abs() > active.slipping {
            Slip::Given { rate, stop: stopped }
        } else {
            Slip::Free(stopped)
        };
        if poisson && matches!(demand, Demand::Rebound(_)) {
            rebounds = true;
            problem.pose_rebound(index, touch, [stop, stop.min(overlapping)], slip);
        } else {
            problem.pose_touch(index, touch, b, slip);
        }
    }
    rebounds.then_some(*active)
}

/// The forces of springs and of the grab, whose pull is limited, at the velocity v.
pub(crate) fn soft_forces(forces: &mut Vec<f64>, world: &World, rows: &Rows, v: &[DVec3]) {
    let limit = world.grab.map_or(0.0, |grab| grab.max_force);
    let grab = rows.grab_start().map(|start| start - rows.equations().len());
    let force = |(row, soft): (&Row, &Softness)| soft.force(row.g, row.rate(v));
    forces.clear();
    forces.extend(rows.soft().map(force));
    if let Some([x, y]) = grab.and_then(|start| forces.get_mut(start..)) {
        let size = libm::hypot(*x, *y);
        if size > limit {
            (*x, *y) = (*x * limit / size, *y * limit / size);
        }
    }
}

/// Memory of the acceleration level.
#[derive(Debug, Default)]
pub(crate) struct RkStages {
    /// q and v at the start of a Runge–Kutta step, and the weighted sums of their slopes.
    pub start: [Vec<DVec3>; 2],
    pub sums: [Vec<DVec3>; 2],
    /// How every unilateral row began an explicit step: all its stages have these contacts, those that are near stay so, and
    /// the slip to be stopped within the step is that of its start, not what the stages' own velocities slip by.
    pub beginnings: Vec<Beginning>,
    /// Which unilateral rows have rebounded at the start of the step.
    pub rebounded: Vec<bool>,
    /// The stabilizing part of the right-hand side.
    pub stabilizing: Vec<f64>,
    /// Forces of springs and the grab.
    pub soft: Vec<f64>,
}
