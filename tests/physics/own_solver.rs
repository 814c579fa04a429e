//! A scheme from outside the engine with a solver of its own: the engine poses the step's problem, the scheme solves it.
//!
//! ```text
//! J v⁺ + b = 0 ,  0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0 ,  |λ_t| ≤ μ λ_n   by projected Gauss–Seidel:
//! λᵢ ← Π(λᵢ − wᵢ/Aᵢᵢ) ,  Π onto the bounds of the row's law
//! ```

use super::worlds::{GRAVITY, pull};
use driftlab::lcp::{MixedError, MixedProblem};
use driftlab::method::{GapTerm, Level, Method, Origin, Restitution, Scheme, SchemeInfo, Stabilizer};
use driftlab::model::{Body, Joint, Shape, Spring, World};
use driftlab::report::{StepError, StepReport};
use driftlab::step::{Step, Workspace, step};
use glam::{DVec2, DVec3};

const fn info(key: &'static str) -> SchemeInfo {
    SchemeInfo {
        key,
        name: "Own solver",
        short: "Own",
        origin: Origin::Papers,
        synonyms: &[],
        equation: "J v⁺ + c = 0",
        summary: "The step's problem by projected Gauss–Seidel.",
        source: "none",
        levels: &[Level::Velocity],
        departures: &[],
        parameters: &[],
        per_step: &[],
        languages: &[],
    }
}

const fn by(key: &'static str, advance: fn(&mut Step<'_>) -> Result<(), StepError>) -> Scheme {
    Scheme::new(info(key), advance)
}
static SWEPT: Scheme = by("swept", |step| advance(step, 20_000));
static HURRIED: Scheme = by("hurried", |step| advance(step, 1));
static DIVERGED: Scheme = by("diverged", |step| {
    step.evaluate(GapTerm::Touching);
    step.kick();
    step.solve_by(
        |_| 0.0,
        |_, lambda| {
            lambda.fill(f64::NAN);
            Ok(1)
        },
    )
});

fn advance(step: &mut Step<'_>, sweeps: usize) -> Result<(), StepError> {
    step.evaluate(GapTerm::Touching);
    step.kick();
    step.solve_by(|_| 0.0, |problem, lambda| Ok(sweep(problem, lambda, sweeps)))?;
    step.drift();
    Ok(())
}

/// Projected Gauss–Seidel; returns the number of sweeps.
fn sweep(problem: &MixedProblem, lambda: &mut [f64], sweeps: usize) -> usize {
    let mut v: Vec<DVec3> = Vec::new();
    problem.velocity(lambda, &mut v);
    for done in 0..sweeps {
        let mut moved = 0.0_f64;
        for (i, row) in problem.rows.iter().enumerate() {
            let diagonal = row.diagonal(&problem.inverse_mass);
            if diagonal == 0.0 {
                continue;
            }
            let [lower, upper] = problem.bounds(i, lambda);
            let next = (lambda[i] - problem.w(i, &v, lambda) / diagonal).max(lower).min(upper);
            row.push(next - lambda[i], &problem.inverse_mass, &mut v);
            moved = moved.max((next - lambda[i]).abs());
            lambda[i] = next;
        }
        if moved == 0.0 {
            return done;
        }
    }
    sweeps
}

/// The same step by the solver of the method.
static SOLVED: Scheme = Scheme::new(info("solved"), |step| {
    step.evaluate(GapTerm::Touching);
    step.kick();
    step.solve(|_| 0.0)?;
    step.drift();
    Ok(())
});

/// A double pendulum with a motor that falls onto a sprung box on the ground, whose end the mouse pulls with 3 N at most.
pub fn scene() -> World {
    let mut world = World::new(GRAVITY);
    let ground =
        Body::fixed().at([0.0, -0.5]).shape(Shape::rectangle(10.0, 1.0)).friction(0.5).restitution(0.5);
    let ground = world.add_body(ground).unwrap();
    let bar =
        |x: f64| Body::dynamic().at([x, 1.0]).shape(Shape::rectangle(1.0, 0.1)).mass(1.0).friction(0.5);
    let upper = world.add_body(bar(0.5)).unwrap();
    let lower = world.add_body(bar(1.5)).unwrap();
    world.add_joint(Joint::hinge(ground, upper).at([0.0, 1.0])).unwrap();
    world.add_joint(Joint::hinge(upper, lower).at([1.0, 1.0]).motor(2.0, 5.0)).unwrap();
    let weight = Body::dynamic().at([1.4, 0.25]).shape(Shape::rectangle(0.5, 0.5)).mass(2.0).friction(0.5);
    let weight = world.add_body(weight).unwrap();
    world
        .add_spring(Spring::between(ground, weight).stiffness(40.0).damping(1.0).rest_length(1.0))
        .unwrap();
    pull(&mut world, 3, DVec2::new(1.4, 0.25), DVec2::new(9.0, 0.0));
    world.edit_grab(|grab| grab.max_force = 3.0).unwrap();
    world
}

/// The state after 60 steps, and their reports.
fn run(scheme: &'static Scheme, restitution: Restitution) -> (World, Vec<StepReport>) {
    let mut world = scene();
    let mut method = Method::new(Stabilizer::from(scheme));
    method.contact.restitution = restitution;
    let mut workspace = Workspace::default();
    let advance = |_| {
        let report = step(&mut world, &method, 0.01, &mut workspace).unwrap();
        let left = workspace.momentum_residuals();
        assert!(left.iter().all(|left| left.abs().max_element() < 1e-12), "{left:?}");
        report
    };
    let reports = (0..60).map(advance).collect();
    (world, reports)
}

/// One problem has one solution: joints, a motor, contacts with friction and rebound by either law, a spring, and the grab at
/// its limit come to the velocities of the engine's solver.
#[test]
fn a_scheme_solves_the_problem_that_the_engine_poses() {
    for restitution in [Restitution::Newton, Restitution::AnitescuPotra] {
        let (solved, reports) = run(&SOLVED, restitution);
        assert!(reports.iter().any(|report| report.contacts > 0));
        let (swept, reports) = run(&SWEPT, restitution);
        assert!(reports.iter().all(|report| report.approximate == 0 && report.solver == "swept"));
        for (one, other) in solved.bodies().iter().zip(swept.bodies()) {
            let apart = (one.pose.position - other.pose.position).length();
            assert!(apart < 1e-7, "{apart} m under {restitution:?}");
        }
    }
}

/// What a scheme's solver leaves is told: one sweep leaves residuals above 1e-9 of the speed, which count as approximate; and
/// impulses that are no numbers are an error that leaves the world as it was.
#[test]
fn what_a_scheme_leaves_of_its_problem_is_told() {
    let (_, reports) = run(&HURRIED, Restitution::Newton);
    let approximate: Vec<_> = reports.iter().filter(|report| report.approximate > 0).collect();
    assert!(approximate.len() > 30, "{} of 60 steps", approximate.len());
    assert!(approximate.iter().all(|report| report.approximate_residual.is_some_and(|left| left > 1e-9)));
    let mut world = scene();
    let before = world.clone();
    let error =
        step(&mut world, &Method::new(Stabilizer::from(&DIVERGED)), 0.01, &mut Workspace::default());
    assert!(matches!(error, Err(StepError::Contact(MixedError::NotFinite, _))), "{error:?}");
    assert!(world == before);
}
