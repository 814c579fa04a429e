//! The stabilized index-2 formulation of Gear, Gupta & Leimkuhler: positions and velocities have multipliers of their own.
//!
//! ```text
//! q̇ = v + M⁻¹Jᵀμ ,   M v̇ = F + Jᵀλ ,   g(q) = 0 ,   J v + c = 0      [Gear, Gupta & Leimkuhler 1985, eq. 2.3]
//!
//! q⁺ = q + h v + M⁻¹Jᵀμ ,             g(q⁺) = 0          half-explicit Euler     [Hairer & Wanner 1996, VII.6]
//! v⁺ = v + h M⁻¹F + M⁻¹J(q⁺)ᵀλ ,      J(q⁺) v⁺ + c = 0
//! ```
//!
//! μ (kg m) moves positions without giving bodies a velocity, so that the correction adds no kinetic energy; λ in N s. g and
//! J v + c vanish at the end of every step, to rounding, with one solve fewer than a projection takes: the step moves first,
//! and its velocities are solved for at the pose at which they have to be tangential. First order in q, v and λ. A point that
//! goes round a circle at ω without a force has θ⁺ = θ + arctan hω and ω⁺ = ω/√(1 + h²ω²): it loses the share h²ω²/(1 + h²ω²)
//! of its energy.
//!
//! μ is found by Newton's method with J anew in each iteration, which is the least move in the mass metric; a step in which it
//! fails is made in two halves, and so on. A start off the manifold is brought back by the first step.
//!
//! **Contacts, limits, motors, friction, springs, non-holonomic constraints** stand in the second problem, at q⁺ and as
//! impulses: J_n v⁺ ≥ 0 or −e φ̇ where bodies touch. The first problem pushes overlaps out, 0 ≤ φ(q⁺) ⊥ μ ≥ 0, and a contact
//! that it has lifted off by more than the contact tolerance is moved back (`stages/corrections.rs`). A spring's row has s of
//! q⁺, from where the next step moves by v⁺, and is that of the other schemes (`model/spring.rs`): without swinging in the
//! middle of a step, so that ½ m v² + ½ k s² varies by the share ½hω, also between free bodies. Fields are those at q⁺.
//!
//! A body moves by the velocity with which the step begins, before contacts at the end are looked for. A step in which one
//! would pass through something thinner than its way is made as a projection instead: J v* + c = 0 with the contacts of the
//! start, q* = q + h v*, then both manifolds.

use crate::method::linearisation::Operation;
use crate::method::{Method, Origin, Scheme, SchemeInfo};
use crate::report::StepError;
use crate::stages::constraints::GapTerm;
use crate::stages::corrections::advance_projected;
use crate::stages::step_in_progress::{MAX_DEPTH, Stages, Step, in_parts};

const INFO: SchemeInfo = SchemeInfo {
    key: "ggl",
    name: "Gear, Gupta & Leimkuhler",
    short: "GGL",
    origin: Origin::MultibodyCodes,
    synonyms: &["gear_gupta_leimkuhler", "stabilized_index_2", "si2"],
    equation: "q̇ = v + M⁻¹Jᵀμ ,  g = 0 ,  J v + c = 0",
    summary: "Holds positions by multipliers of their own, which make no velocity, and velocities by forces.",
    source: "Gear, Gupta & Leimkuhler 1985, eq. 2.3; Hairer & Wanner 1996, VII.6",
    departures: &[
        "Half-explicit Euler in place of backward differentiation formulas: the first order, without a starting procedure.",
        "M⁻¹Jᵀμ has the mass metric, where the paper has Jᵀμ, so that units of length and angle do not mix.",
        "Contacts, limits, motors and springs, which the paper has not, are impulses at the end of the step.",
        "A motor turns its joint from the second step on, since a step moves before its forces act.",
    ],
    ..SchemeInfo::COMMON
};

pub(crate) static SCHEME: Scheme = Scheme { operations, ..Scheme::new(INFO, advance) };

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    in_parts(step, MAX_DEPTH, ggl)
}

fn operations(_: &Method, _: f64) -> Vec<Operation> {
    vec![Operation::Drift, Operation::PositionProjection, Operation::ImpulsesAtEnd]
}

fn ggl(step: &mut Step<'_>) -> Result<(), StepError> {
    if step.stages.constraints.may_pass(&step.context, &step.stages.motion) {
        return advance_projected(step);
    }
    step.drift(); // q + h v
    step.project_positions()?; // q⁺ = q + h v + M⁻¹Jᵀμ, g(q⁺) = 0, φ(q⁺) ≥ 0
    evaluate_at_end(step); // J at q⁺, and F
    step.kick(); // v + h M⁻¹F
    step.solve_unbiased() // J(q⁺) v⁺ + c = 0
}

/// Evaluates rows, contacts and forces at q⁺, with the velocities of prescribed paths at the end of the step.
fn evaluate_at_end(step: &mut Step<'_>) {
    let Step { context, stages: Stages { motion, constraints, .. }, .. } = step;
    motion.prescribe_velocity(context, context.h); // c
    constraints.evaluate(context.world, motion);
    constraints.find_contacts(context, motion, GapTerm::Corrected);
    motion.renew_fields(context.world, context.time - context.world.time());
    motion.damp(context.world, context.h);
    constraints.note_start(context.world, motion, context.h);
}
