//! What the rows of a problem ask for: the right-hand sides of impulses and of forces.
//!
//! ```text
//!                    impulses                                              forces
//! joint              J v⁺ + b = 0                                          J a + r = 0
//! non-holonomic row  N v⁺ + b = 0 (see nonholonomic.rs)                    N a + r = 0
//! spring, grab       J v⁺ + c λ + b = 0 (see model/spring.rs)
//! motor              |λ| ≤ h F_max against J v⁺ − speed
//! contact            0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0 ,  friction  |λ_t| ≤ μ λ_n against J_t v⁺
//! limit              as a contact without friction
//! ```
//!
//! [Cline & Pai 2003, eq. 8; Anitescu & Hart 2004, eq. 2.10; Trefny, eq. 10]. b and r are the scheme's; of a contact that is
//! not near or rebounds, those of `constraints.rs`. In forces, v⁺ = v + h a is put in and the rows of springs, motors, contacts
//! and limits are divided by h. At the acceleration level a contact that sticks has, as any non-holonomic row, the rate at
//! which its row turns,
//!
//! ```text
//! |λ_t| ≤ μ λ_n  against  J_t a + J̇_t v + J_t v₀/h
//! ```
//!
//! v₀ at the start of the step: what is left of a slip is stopped within the step.

use super::collision::obeys_poisson;
use super::constraints::{ActiveSet, Constraints, Demand};
use super::motion::Motion;
use super::nonholonomic::VelocityTerms;
use super::problem::{Problem, Slip};
use super::span::Span;
use crate::constraint::Row;

/// What an impulse problem asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impulses<'a, F> {
    /// b of a joint's row, and of a contact's own.
    pub bias: F,
    /// What non-holonomic rows ask for.
    pub nonholonomic: VelocityTerms<'a>,
    /// How long springs, the grab and motors act, s.
    pub duration: f64,
    pub impacts: Impacts,
    /// τ of a sticking contact's row J_t v⁺ + τ J̇_t v = 0, s: how far ahead of the pose the row is meant.
    pub lead: f64,
}

/// Whether impacts rebound in this problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Impacts {
    /// By the method's law.
    Rebound,
    /// They stop: another solve makes them rebound.
    Stop,
}

impl<F: Fn(&Row) -> f64> Impulses<'_, F> {
    /// Those of a whole step whose rows hold at its end.
    pub fn over(span: &Span<'_>, bias: F) -> Self {
        let nonholonomic = VelocityTerms::Velocities { at: span.end() };
        Self { bias, nonholonomic, duration: span.h, impacts: Impacts::Rebound, lead: 0.0 }
    }
}

/// What a problem of forces asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forces<'a, F> {
    /// r of a joint's row from (k, g, J v), and of a contact's own.
    pub rhs: F,
    /// What non-holonomic rows ask for.
    pub nonholonomic: VelocityTerms<'a>,
    pub springs: Springs<'a>,
}

/// How springs and the grab act in a problem of forces.
#[derive(Clone, Copy, Debug)]
pub(super) enum Springs<'a> {
    /// Linearly implicitly, by compliant rows.
    InTheRows,
    /// As forces that are in a* already; with how every unilateral row began the step.
    Explicit(&'a [Beginning]),
}

/// How a unilateral row begins an explicit step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beginning {
    /// J_t v, m/s.
    pub slip: f64,
    /// Whether it is near enough for what the scheme asks for.
    pub near: bool,
}

/// Poses the rows of an impulse problem. Returns its active set where contacts rebound by Poisson's law, which takes a second
/// solve.
pub(super) fn pose_impulses<F: Fn(&Row) -> f64>(
    problem: &mut Problem,
    span: &Span<'_>,
    constraints: &Constraints,
    motion: &Motion,
    ask: &Impulses<'_, F>,
) -> Option<ActiveSet> {
    let poisson = obeys_poisson(span);
    let Impulses { bias, nonholonomic, duration, impacts, lead } = ask;
    let Constraints { rows, touches, active, .. } = constraints;
    let active = if *impacts == Impacts::Rebound { *active } else { active.without_rebounds() };
    let mut rebounds = false;
    let nonholonomic = nonholonomic.demands(span.world, rows.nonholonomic(), &motion.v);
    problem.pose_joints(rows, bias);
    problem.pose_nonholonomic(rows, nonholonomic.map(|[whole, _]| whole));
    problem.pose_soft(rows, *duration, |_, b| b);
    problem.pose_motors(touches.motors(), *duration, |motor| -motor.speed);
    for (index, touch) in touches.all().iter().enumerate() {
        let Some(demand) = active.demand(touch, span.h) else { continue };
        let b = match demand {
            Demand::Scheme => bias(&touch.row),
            Demand::FreeTravel => touch.row.g / span.h,
            Demand::Rebound(b) => b.min(bias(&touch.row)),
        };
        let turning = touch.tangent.map_or(0.0, |tangent| lead * tangent.k);
        let slip = Slip::Free(turning);
        if poisson && matches!(demand, Demand::Rebound(_)) {
            rebounds = true;
            problem.pose_rebound(index, touch, [0.0, bias(&touch.row).min(0.0)], slip);
        } else {
            problem.pose_touch(index, touch, b, slip);
        }
    }
    rebounds.then_some(active)
}

/// Poses the rows of a problem of forces. Returns its active set where contacts rebound by Poisson's law, which takes a second
/// solve.
pub(super) fn pose_forces<F: Fn(f64, f64, f64) -> f64>(
    problem: &mut Problem,
    span: &Span<'_>,
    constraints: &Constraints,
    motion: &Motion,
    ask: &Forces<'_, F>,
) -> Option<ActiveSet> {
    let poisson = obeys_poisson(span);
    let Forces { rhs, nonholonomic, springs } = ask;
    let Constraints { rows, touches, active, .. } = constraints;
    let (v, h) = (&motion.v, span.h);
    let mut rebounds = false;
    let nonholonomic = nonholonomic.demands(span.world, rows.nonholonomic(), v);
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
        let (phi, rate) = (touch.row.g, touch.row.rate(v));
        let own = rhs(touch.row.k, phi, rate);
        let overlapping = if phi < 0.0 { own } else { f64::INFINITY };
        let b = match demand {
            Demand::Scheme => own,
            Demand::FreeTravel => (phi / h + rate) / h,
            Demand::Rebound(b) => ((b + rate) / h).min(overlapping),
        };
        let stop = rate / h;
        let rate = touch.slip(v);
        let turning =
            if active.is_instant() { touch.tangent.map_or(0.0, |tangent| tangent.k) } else { 0.0 };
        let slip = if rate.abs() > active.slipping {
            Slip::Given(rate)
        } else {
            Slip::Free(turning + beginning.map_or(rate, |beginning| beginning.slip) / h)
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
