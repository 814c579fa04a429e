//! No stabilization: the constraint is enforced at the level at which it is posed, and drifts below it.
//!
//! ```text
//! Velocity level:      J v⁺ + c = 0                                      [Cline & Pai 2003, eq. 7]
//! Acceleration level:  A λ + J M⁻¹F + k = 0, i.e. g̈ = 0                  [Cline & Pai 2003, eq. 4]
//! ```
//!
//! λ is an impulse (N s) at the velocity level, a force (N) at the acceleration level. Equation (7), as
//! printed, carries −k_e where the velocity-level c belongs. The largest joint error of a motion is of first
//! order in h; no step reduces it.

use crate::constraint::Row;
use crate::method::linearisation::Operation;
use crate::method::{Method, Scheme, SchemeInfo};
use crate::report::StepError;
use crate::stages::acceleration::{Oscillator, integrate};
use crate::stages::constraints::GapTerm;
use crate::stages::impulses::Impulses;
use crate::stages::step_context::Level;
use crate::stages::step_in_progress::Step;

pub(crate) struct None;

static INFO: SchemeInfo = SchemeInfo {
    key: "none",
    name: "None",
    short: "None",
    synonyms: &[],
    equation: "J v⁺ + c = 0",
    summary: "Keeps the joints' velocities consistent and lets their positions drift.",
    source: "Cline & Pai 2003, eqs. 4 and 7",
    levels: &[Level::Velocity, Level::Acceleration],
    departures: &[],
    parameters: &[],
    languages: &[],
    conserves_angular_momentum: false,
};

impl Scheme for None {
    fn info(&self) -> &'static SchemeInfo {
        &INFO
    }

    fn advance(&self, step: &mut Step<'_>) -> Result<(), StepError> {
        match step.context.settings.level {
            Level::Velocity => step_velocities(step),
            Level::Acceleration => integrate(step, Oscillator::default()), // g̈ = 0
        }
    }

    fn corrects_positions(&self) -> bool {
        false
    }

    fn operations(&self, method: &Method, _: f64) -> Vec<Operation> {
        vec![match method.level {
            Level::Velocity => Operation::Impulses { rate: 0.0, gap: GapTerm::Touching, turning: false },
            Level::Acceleration => Operation::Forces(Oscillator::default()),
        }]
    }
}

fn step_velocities(step: &mut Step<'_>) -> Result<(), StepError> {
    let Step { context, motion, constraints, solve, totals, .. } = step;
    let h = context.h;
    motion.prescribe_mean_velocity(context); // v of bodies on a prescribed path; through J v* it is c
    constraints.evaluate(context.world, motion); // J and k of joints, springs, the grab at q
    constraints.find_contacts(context, motion, GapTerm::Touching); // φ, J_n and J_t at q; limits, motors
    motion.kick(h); // v* = v + h M⁻¹F; F: weight and repulsion at the step's start
    let ask = Impulses::over(context, |_: &Row| 0.0); // b = 0; c is in J v*
    let impulses = solve.impulses(context, constraints, motion, ask)?; // A λ = −(J v* + b), v⁺ = v* + M⁻¹Jᵀλ
    totals.add(&impulses, constraints, 1.0); // λ of each constraint, for the report and the next warm start
    motion.v.copy_from_slice(impulses.unknown);
    motion.drift(context); // q⁺ = q + h v⁺, angles too
    Ok(())
}
