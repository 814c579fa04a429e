//! A scheme of another crate: the stabilized index-2 formulation of Gear, Gupta & Leimkuhler, compared with the engine's thirteen.
//!
//! ```text
//! q̇ = v + M⁻¹Jᵀμ ,   M v̇ = F + Jᵀλ ,   g(q) = 0 ,   J v = 0                     [Gear, Gupta & Leimkuhler 1985, eq. 2.3]
//!
//! q⁺ = q + h v + M⁻¹Jᵀμ ,             g(q⁺) = 0          half-explicit Euler     [Hairer & Wanner 1996, VII.6]
//! v⁺ = v + h M⁻¹F + M⁻¹J(q⁺)ᵀλ ,      J(q⁺) v⁺ + c = 0
//! ```
//!
//! μ (kg m) moves positions without a velocity of their own, so that the correction adds no kinetic energy. g and J v
//! vanish at the end of every step, with two solves where a projection takes three. Departures: the constraint on q⁺ is
//! met by Newton's method with J anew in each iteration; contacts, limits, motors and springs are those of the step from q⁺.
//!
//! `cargo run --release -p driftlab --no-default-features --features unstable-schemes --example gear_gupta_leimkuhler`

use driftlab::method::{GapTerm, Level, Origin, Scheme, SchemeInfo, Stabilizer};
use driftlab::prelude::*;
use driftlab::schemes::TABLE;
use driftlab::step::Step;

const INFO: SchemeInfo = SchemeInfo {
    key: "gear_gupta_leimkuhler",
    name: "Gear, Gupta & Leimkuhler",
    short: "GGL",
    origin: Origin::MultibodyCodes,
    synonyms: &["ggl", "stabilized_index_2"],
    equation: "q̇ = v + M⁻¹Jᵀμ, g = 0, J v = 0",
    summary: "Holds positions by multipliers of their own, and velocities by forces.",
    source: "Gear, Gupta & Leimkuhler 1985, eq. 2.3",
    levels: &[Level::Velocity],
    departures: &[],
    parameters: &[],
    per_step: &[],
    languages: &[],
};

static GEAR_GUPTA_LEIMKUHLER: Scheme = Scheme::new(INFO, advance);

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    // The step moves first: the mean velocity of a prescribed path would be that of the step after.
    if step
        .world()
        .bodies()
        .iter()
        .any(|body| matches!(body.kind(), BodyKind::Kinematic(Motion::Sine { .. })))
    {
        return Err(StepError::Unsupported { scheme: INFO.key, what: "bodies on a prescribed path" });
    }
    step.drift(); // q + h v
    step.project_positions()?; // q⁺ = q + h v + M⁻¹Jᵀμ, g(q⁺) = 0
    step.evaluate(GapTerm::Touching); // J and k at q⁺
    step.kick(); // v + h M⁻¹F
    step.solve(|_| 0.0) // J(q⁺) v⁺ + c = 0
}

const LINKS: usize = 6;
/// Length of a link, m.
const LENGTH: f64 = 0.1;
/// Time step, s.
const H: f64 = 1e-3;
const STEPS: usize = 1000;

/// A chain that falls from the horizontal without friction.
fn chain() -> Result<World, ModelError> {
    let mut world = World::new([0.0, -9.81]);
    let mut last = world.add_body(Body::fixed())?;
    for k in 0..LINKS {
        let link = Body::dynamic().at([(k as f64 + 0.5) * LENGTH, 0.0]);
        let link = world.add_body(link.shape(Shape::rectangle(LENGTH, 0.02)).without_collisions())?;
        world.add_joint(Joint::hinge(last, link).at([k as f64 * LENGTH, 0.0]))?;
        last = link;
    }
    Ok(world)
}

/// What a scheme leaves of the chain's constraints, and what it does to its energy.
struct Outcome {
    /// Largest |g|, m, and |J v|, m/s.
    errors: [f64; 2],
    /// Energy gained, J.
    gained: f64,
    /// Systems solved, or sweeps made, in a step on average.
    solves: f64,
}

fn run(method: &Method, h: f64, steps: usize) -> Result<Outcome, Box<dyn std::error::Error>> {
    let mut world = chain()?;
    let mut workspace = Workspace::default();
    let before = world.kinetic_energy() + world.potential_energy();
    let mut outcome = Outcome { errors: [0.0; 2], gained: 0.0, solves: 0.0 };
    for _ in 0..steps {
        let report = step(&mut world, method, h, &mut workspace)?;
        outcome.errors =
            [outcome.errors[0].max(report.joint_error), outcome.errors[1].max(report.velocity_error)];
        outcome.gained = report.total_energy() - before;
        outcome.solves += report.solver_iterations as f64 / steps as f64;
    }
    Ok(outcome)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("scheme                   largest |g|, m   largest |J v|, m/s   energy gained, J   solves");
    for scheme in TABLE.iter().copied().chain([&GEAR_GUPTA_LEIMKUHLER]) {
        let method = Method::new(Stabilizer::from(scheme)).at_step(H);
        let Outcome { errors: [g, rate], gained, solves } = run(&method, H, STEPS)?;
        println!("{:24} {g:14.3e} {rate:20.3e} {gained:18.4} {solves:8.2}", scheme.info().key);
    }
    // What the formulation promises: both invariants to rounding at the end of every step …
    let method = Method::new(Stabilizer::from(&GEAR_GUPTA_LEIMKUHLER));
    let Outcome { errors: [g, rate], .. } = run(&method, H, STEPS)?;
    assert!(g < 1e-12 && rate < 1e-11, "|g| = {g:e} m, |J v| = {rate:e} m/s");
    // … and an error of the energy of first order in h.
    let drift = |h: f64| Ok::<_, Box<dyn std::error::Error>>(run(&method, h, (0.2 / h) as usize)?.gained);
    let order = (drift(2e-4)? / drift(1e-4)?).log2();
    assert!((order - 1.0).abs() < 0.1, "order {order:.2} of the energy");
    println!(
        "gear_gupta_leimkuhler: |g| and |J v| at rounding; the energy's error is of order {order:.2} in h"
    );
    Ok(())
}
