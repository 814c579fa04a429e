//! The convex problem of a step: all constraints as rows that yield, each by a law of the scheme's, and its solution.
//!
//! ```text
//! w = J v⁺ + b ,   λ = −∂ℓ/∂w                                             `lcp/convex`
//!
//! joint, velocity constraint   λ = −w/R                     b and R of the scheme's law
//! friction of a joint          λ = −w/R within ±h F_max     the same
//! motor of given speed         λ = −w/R within ±h F_max     b = −speed, R = 1e-5 J M⁻¹Jᵀ
//! contact, limit               λ ≥ 0, friction in its cone  the same
//! spring, soft joint, grab     λ = −w/c                     b and c of the implicit spring (`model/spring.rs`)
//! motor towards a position     λ = −w/c within ±h F_max     b and c of its servo
//! ```
//!
//! The grab pulls with F_max at most, as in `impulses.rs`. The rows are those of `posed_problem.rs`, with R as their
//! compliance, so that their impulses are booked as all others; the residual is that of the convex problem.

use super::constraints::{Constraints, Demand};
use super::impulses::Solve;
use super::motion::{Motion, StepContext};
use super::posed_problem::{Form, Slip};
use super::springs::soft_row;
use super::step_in_progress::{Stages, Step};
use crate::constraint::{Constraint, Row, Touch};
use crate::lcp::convex::{Contact, ContactLaw, Potential};
use crate::lcp::{ACCEPTED, Acceptance, Law, MixedError, MixedOutcome, MixedRow};
use crate::math::largest;
use crate::model::nonholonomic::Prescribed;
use crate::model::{Joint, Piece, World};
use crate::report::{Stage, StepError, tell};
use glam::DVec3;

/// R of a motor's row, as a share of J M⁻¹Jᵀ: it misses its speed by so much of what its load makes in a step, far above
/// rounding.
const MOTOR_YIELD: f64 = 1e-5;

/// b and R of a row: J v⁺ + R λ + b = 0 where no bound holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Yield {
    /// b, m/s or rad/s.
    pub bias: f64,
    /// R, 1/kg or 1/(kg m²).
    pub resistance: f64,
}

/// What a contact's rows obey.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactYield {
    /// Of the normal row.
    pub normal: Yield,
    /// R of the normal row where it has a given speed, of a rebound or of what is in the way.
    pub held: f64,
    /// Of the tangential row, and of that of rolling resistance.
    pub tangential: [Yield; 2],
    pub law: ContactLaw,
}

/// The bodies as a law sees them: v at the start of the step, and M⁻¹.
#[derive(Clone, Copy)]
pub(crate) struct Bodies<'a> {
    pub v: &'a [DVec3],
    pub inverse_mass: &'a [DVec3],
}

/// How a scheme lets constraints yield.
pub(crate) trait YieldingLaw {
    /// Of each row of a joint.
    fn joint(&self, joint: &Joint, rows: &[Row], bodies: &Bodies<'_>, emit: &mut dyn FnMut(Yield));
    /// Of a row of a velocity constraint with v₀ and v̇₀ at the start of the step.
    fn velocity(&self, row: &Row, prescribed: Prescribed, bodies: &Bodies<'_>) -> Yield;
    /// Of a row of a joint's friction.
    fn friction(&self, row: &Row, bodies: &Bodies<'_>) -> Yield;
    /// Whether limits act before they are reached.
    fn foresees_limits(&self) -> bool {
        false
    }
    /// Of a limit.
    fn limit(&self, touch: &Touch, bodies: &Bodies<'_>) -> Yield;
    /// Of a contact that touches; `round` if one of its pieces is rounded where it touches.
    fn contact(&self, touch: &Touch, round: bool, bodies: &Bodies<'_>) -> ContactYield;
}

/// Keeps the velocities at the start of the step, which the law of [`solve`] reads.
pub(crate) fn begin(step: &mut Step<'_>) {
    step.stages.solve.convex.start.clone_from(&step.stages.motion.v);
}

/// v ← v⁺ of the convex problem with this law, from v*, after [`begin`].
///
/// # Errors
/// Numbers that are not finite.
pub(crate) fn solve(step: &mut Step<'_>, law: &dyn YieldingLaw) -> Result<(), StepError> {
    let Step { remembers: (key, _), context, stages } = step;
    let Stages { motion, constraints, solve, totals, .. } = stages;
    let start = std::mem::take(&mut solve.convex.start);
    let solved = solve_posed(solve, key, context, constraints, motion, (law, &start));
    solve.convex.start = start;
    solved?;
    solve.write(&mut totals.ledger, constraints, 1.0); // λ of each constraint into the ledger
    motion.v.copy_from_slice(&solve.dynamics.v); // v⁺
    totals.add_work(solve, constraints, motion, [context.h, 1.0]);
    Ok(())
}

fn solve_posed(
    solve: &mut Solve,
    key: &'static str,
    context: &StepContext<'_>,
    constraints: &mut Constraints,
    motion: &Motion,
    (law, start): (&dyn YieldingLaw, &[DVec3]),
) -> Result<(), StepError> {
    let limit = context.world.grab.map_or(f64::INFINITY, |grab| grab.max_force * context.h);
    solve.within_pull(limit, constraints, motion, &motion.v, |solve, constraints, free| {
        pose(solve, context, constraints, motion, free, (law, start));
        let Solve { dynamics, convex, report, .. } = solve;
        dynamics.workspace.forget_readings(); // those are of complementarity
        dynamics.start_warm(context, &constraints.rows, &constraints.contacts, 1.0);
        tell(dynamics.observer, Stage::Solve);
        let problem = &dynamics.mixed;
        let steps = convex
            .solve(problem, start, &mut dynamics.lambda)
            .ok_or(StepError::from(MixedError::NotFinite))?;
        problem.velocity_or_rest(&dynamics.lambda, &mut dynamics.v);
        let acceptance = Acceptance::of(problem);
        let residuals = || problem.rows.iter().zip(&convex.left);
        let of_row = |(row, left): (&MixedRow, &f64)| row.unit(&problem.inverse_mass) * left;
        let residual = largest(residuals().map(of_row));
        let in_speeds = residuals().map(|(row, left)| (row, of_row((row, left))));
        let left = acceptance.relative(&problem.inverse_mass, in_speeds);
        let solved = left <= ACCEPTED && acceptance.admits(problem, &dynamics.lambda, residual, ACCEPTED);
        let outcome = MixedOutcome {
            residual,
            relative_residual: if solved { left } else { 0.0 },
            iterations: steps,
            solver: key,
            islands: 1,
            approximate: usize::from(!solved),
            approximate_residual: if solved { 0.0 } else { left },
            ..MixedOutcome::default()
        };
        tell(dynamics.observer, Stage::Assembly);
        report.note(&outcome, problem.rows.len(), constraints.touches.contacts().len(), 1.0);
        Ok(())
    })
}

/// Poses all rows with b and R, and their potentials.
fn pose(
    solve: &mut Solve,
    context: &StepContext<'_>,
    constraints: &Constraints,
    motion: &Motion,
    free: &[DVec3],
    (law, start): (&dyn YieldingLaw, &[DVec3]),
) {
    let Constraints { rows, touches, swinging, .. } = constraints;
    let StepContext { world, h, time, .. } = *context;
    let Solve { dynamics: problem, convex, .. } = solve;
    let bodies = Bodies { v: start, inverse_mass: &motion.undamped };
    let potentials = &mut convex.potentials;
    potentials.clear();
    problem.begin(Form::Islands, (&motion.inverse_mass, free), rows, |_| 0.0);
    problem.mixed.rests = true;
    let mut place = 0;
    for joint in Constraint::joints(world) {
        let count = joint.kind.rows();
        let mut at = place;
        law.joint(joint, &rows.joints()[place..place + count], &bodies, &mut |own| {
            if let Some(row) = problem.mixed.rows.get_mut(at) {
                (row.bias, row.compliance) = (rows.joints()[at].with_c(own.bias), own.resistance);
            }
            at += 1;
        });
        place += count;
    }
    let given = |v0: Prescribed, row: &Row| law.velocity(row, v0, &bodies);
    problem.pose_nonholonomic(rows, (world, time), |_, v0, row| given(v0, row).bias);
    let prescribed = super::nonholonomic::prescribed(world, time).zip(rows.nonholonomic());
    for (row, (v0, own)) in problem.mixed.rows[place..].iter_mut().zip(prescribed) {
        row.compliance = given(v0, own).resistance;
    }
    problem.pose_soft(rows, |index, row, soft| {
        let mobility = swinging.mobility(index);
        let before = mobility.map_or(0.0, |_| row.rate(&motion.before));
        soft_row((row, soft), mobility, before, h)
    });
    let upper = f64::INFINITY;
    let bound = |(row, own): (usize, &MixedRow)| match own.law {
        Law::Bounded { lower, upper } => Potential::Bounded { row, lower, upper },
        _ => Potential::Bounded { row, lower: -upper, upper },
    };
    problem.pose_motors(touches.motors(), h, |motor| {
        let speed = motor.mean_speed(world, time, h);
        match motor.demand(speed, h, Some(&motion.before)) {
            (compliance, bias) if compliance > 0.0 => (compliance, bias),
            _ if motor.joint.is_some() => (MOTOR_YIELD * motor.row.mobility(bodies.inverse_mass), -speed),
            _ => {
                let own = law.friction(&motor.row, &bodies);
                (own.resistance, own.bias)
            }
        }
    });
    potentials.extend(problem.mixed.rows.iter().enumerate().map(bound));
    for (index, touch) in touches.all().iter().enumerate() {
        let Some(demand) = constraints.active.demand(touch, h) else { continue };
        let is_open = touch.row.g >= 0.0;
        let passes = touch.row.g > constraints.active.distance
            || -h * touch.approach > 0.5 * constraints.smallest_shape && touch.tangent.is_some();
        let first = problem.mixed.rows.len();
        let mobility = touch.row.mobility(bodies.inverse_mass);
        // A row alone that rebounds yields by R λ, λ = −(1 + e) φ̇/A: with this beside e φ̇ it rebounds by e.
        let returned = |resistance: f64, speed: f64| match demand {
            Demand::Rebound(_) if mobility > 0.0 => resistance / mobility * (touch.approach + speed),
            _ => 0.0,
        };
        let speed = match demand {
            Demand::Rebound(speed) => Some(speed), // and what the row yields, below
            _ if touch.tangent.is_none() && touch.restitution == 0.0 && law.foresees_limits() => None,
            _ if is_open && !passes => {
                // Without a force; its rows are there so that the pattern stays when it closes.
                problem.pose_touch(index, touch, 0.0, Slip::Free(0.0), 0.0);
                let all = first..problem.mixed.rows.len();
                potentials.extend(all.map(|row| Potential::Bounded { row, lower: 0.0, upper: 0.0 }));
                continue;
            }
            _ if is_open => Some(touch.row.g / h),
            _ => None,
        };
        if touch.tangent.is_none() {
            let own = law.limit(touch, &bodies);
            let bias = speed.map_or(own.bias, |speed| speed + returned(own.resistance, speed));
            problem.pose_touch(index, touch, touch.row.with_c(bias), Slip::Free(0.0), 0.0);
            problem.mixed.rows[first].compliance = own.resistance;
            potentials.push(Potential::Bounded { row: first, lower: 0.0, upper });
            continue;
        }
        let mut own = law.contact(touch, is_round(world, &constraints.contacts[index]), &bodies);
        if speed.is_some() {
            own.normal.resistance = own.held;
            if let ContactLaw::Irrotational(_) = own.law {
                own.law = ContactLaw::Cone;
            }
        }
        let [along, rolling] = own.tangential;
        let resistance = own.normal.resistance / own.law.edges(touch);
        let bias = speed.map_or(own.normal.bias, |speed| speed + returned(resistance, speed));
        problem.pose_touch(index, touch, touch.row.with_c(bias), Slip::Free(along.bias), rolling.bias);
        let friction = touch.tangent.map_or(0.0, |tangent| tangent.friction);
        let mut coefficients = [0.0; 2];
        let all = [(friction, along.resistance), (touch.rolling, rolling.resistance)];
        problem.mixed.rows[first].compliance = own.normal.resistance;
        let posed = all.into_iter().filter(|(coefficient, _)| *coefficient > 0.0);
        for (at, (coefficient, resistance)) in posed.enumerate() {
            coefficients[at] = coefficient;
            problem.mixed.rows[first + 1 + at].compliance = resistance;
        }
        potentials.push(match (coefficients, own.law) {
            ([0.0, _], ContactLaw::Cone | ContactLaw::Pyramid { .. }) => {
                Potential::Bounded { row: first, lower: 0.0, upper }
            }
            _ => Potential::Contact(Contact { first, coefficients, law: own.law }),
        });
    }
}

impl ContactLaw {
    /// How many rows of the normal row's R push together along the normal, where nothing slips.
    fn edges(&self, touch: &Touch) -> f64 {
        let friction = touch.tangent.map_or(0.0, |tangent| tangent.friction);
        let along = [friction, touch.rolling].into_iter().filter(|own| *own > 0.0).count() as f64;
        match self {
            Self::Pyramid { across } if along > 0.0 => across + 2.0 * along,
            _ => 1.0,
        }
    }
}

/// Whether one of a contact's pieces is rounded: a disk, a capsule or an ellipse, which touch at one point across the plane.
fn is_round(world: &World, contact: &crate::detect::Contact) -> bool {
    let mut pieces = contact.bodies().into_iter().zip(contact.id.pieces);
    pieces.any(|(body, piece)| match world.bodies()[body].pieces().get(piece as usize) {
        Some(Piece::Core(core)) => core.radius > 0.0,
        Some(Piece::HalfPlane { .. }) | None => false,
        Some(_) => true,
    })
}
