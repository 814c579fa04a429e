//! A scheme from outside the engine that reaches contacts and remembers: one Gauss–Seidel sweep of contacts in a step, from
//! the impulses of the step before.
//!
//! ```text
//! λ ← λ⁻ ;   per contact, once:   λ_n ← max(λ_n − J_n v/A_nn, 0)
//! ```
//!
//! Without the memory every step begins at zero, and one sweep cannot carry a stack; with it λ converges over the steps.

use super::worlds::GRAVITY;
use driftlab::method::{GapTerm, Level, Method, Origin, Remembered, Scheme, SchemeInfo, Stabilizer};
use driftlab::model::{Body, Shape, World};
use driftlab::report::{ConstraintId, StepError};
use driftlab::step::{Step, Workspace, step};

const fn info(key: &'static str) -> SchemeInfo {
    SchemeInfo {
        key,
        name: "One sweep",
        short: "One sweep",
        origin: Origin::Papers,
        synonyms: &[],
        equation: "λ_n ← max(λ_n − J_n v/A_nn, 0)",
        summary: "One Gauss–Seidel sweep of contacts in a step.",
        source: "none",
        levels: &[Level::Velocity],
        departures: &[],
        parameters: &[],
        per_step: &[],
        languages: &[],
    }
}

static REMEMBERING: Scheme = Scheme {
    memory: Remembered { per_constraint: 1, per_body: 0, per_world: 1 },
    uses_solver: false,
    ..Scheme::new(info("remembering"), advance)
};
static FORGETTING: Scheme = Scheme { uses_solver: false, ..Scheme::new(info("forgetting"), advance) };

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    step.evaluate(GapTerm::Touching);
    step.kick();
    let ids: Vec<_> = (0..step.unilateral().len()).filter_map(|index| step.unilateral_of(index)).collect();
    let mut sums: Vec<f64> =
        ids.iter().map(|id| step.recall(*id).and_then(|own| own.first().copied()).unwrap_or(0.0)).collect();
    for (index, sum) in sums.iter().enumerate() {
        step.push_unilateral(index, [*sum, 0.0]);
    }
    for (index, sum) in sums.iter_mut().enumerate() {
        let row = step.unilateral()[index].row;
        let change = -row.rate(step.velocities()) / row.mobility(step.inverse_masses());
        let change = change.max(-*sum);
        *sum += change;
        step.push_unilateral(index, [change, 0.0]);
    }
    for (id, sum) in ids.iter().zip(&sums) {
        step.remember(*id, &[*sum]);
    }
    if let [steps, ..] = step.memory_of_world() {
        *steps += 1.0;
    }
    step.drift();
    Ok(())
}

/// Five disks of a kilogram straight above one another on the ground.
fn stack() -> World {
    let mut world = World::new(GRAVITY);
    let ground = Body::fixed().at([0.0, -0.5]).shape(Shape::rectangle(10.0, 1.0)).friction(0.0);
    world.add_body(ground).unwrap();
    for y in [0.5, 1.5, 2.5, 3.5, 4.5] {
        let disk = Body::dynamic().at([0.0, y]).shape(Shape::circle(0.5)).friction(0.0);
        world.add_body(disk.mass(1.0)).unwrap();
    }
    world
}

/// On the lowest contact is the weight of five disks, 5 m g h in a step, on the next one that of four: what one sweep in a step
/// finds over the steps if it remembers its impulses. Without memory the stack sinks into the ground. All of λ is in the
/// account of the step, M (v⁺ − v) = h F + Σ Jᵀλ.
#[test]
fn a_scheme_that_remembers_carries_a_stack() {
    let h = 1.0 / 60.0;
    let settled = |scheme: &'static Scheme| {
        let mut world = stack();
        let method = Method::new(Stabilizer::from(scheme));
        let mut workspace = Workspace::default();
        for _ in 0..400 {
            step(&mut world, &method, h, &mut workspace).unwrap();
            let left = workspace.momentum_residuals();
            assert!(left.iter().all(|left| left.abs().max_element() < 1e-12), "{left:?}");
        }
        world
    };
    let with = settled(&REMEMBERING);
    assert_eq!(with.contacts().len(), 5);
    for (contact, above) in with.contacts().iter().zip([5.0, 4.0, 3.0, 2.0, 1.0]) {
        let share = contact.impulse[0] / (above * 9.81 * h);
        assert!((share - 1.0).abs() < 1e-6, "{share} of the weight of {above} disks");
    }
    assert!(with.bodies()[1].velocity.linear.y.abs() < 1e-6);
    let without = settled(&FORGETTING).bodies()[1].pose.position.y;
    assert!(without < 0.0, "the lowest disk is only at {without} m");
}

/// The world is the complete state, memory included: a clone in mid-run continues to the same bits, in a workspace of its own,
/// and the scheme's number of the world has counted every step. Another scheme's step forgets.
#[test]
fn what_a_scheme_remembers_is_part_of_the_world() {
    let h = 1.0 / 60.0;
    let method = Method::new(Stabilizer::from(&REMEMBERING));
    let mut world = stack();
    let mut workspace = Workspace::default();
    for _ in 0..40 {
        step(&mut world, &method, h, &mut workspace).unwrap();
    }
    let mut other = world.clone();
    for _ in 0..40 {
        step(&mut world, &method, h, &mut workspace).unwrap();
        step(&mut other, &method, h, &mut Workspace::default()).unwrap();
    }
    assert!(world == other);
    let mut forgotten = world.clone();
    step(&mut forgotten, &Method::none(), h, &mut workspace).unwrap();
    step(&mut forgotten, &method, h, &mut workspace).unwrap();
    for _ in 0..2 {
        step(&mut world, &method, h, &mut workspace).unwrap();
    }
    let at = |world: &World| world.bodies().iter().map(|body| body.velocity.linear.y).collect::<Vec<_>>();
    assert_ne!(at(&world), at(&forgotten));
}

/// Joints and their rows are named alike: the impulse of a row is that of the joint that the step names.
#[test]
fn a_step_names_the_joint_of_a_row() {
    static PUSHING: Scheme = Scheme {
        memory: Remembered { per_constraint: 1, per_body: 0, per_world: 0 },
        ..Scheme::new(info("pushing"), |step| {
            step.evaluate(GapTerm::Touching);
            step.kick();
            for index in 0..step.joints().len() {
                step.push(index, 1.0 + index as f64);
            }
            let last = step.joint_of(step.joints().len() - 1).ok_or(StepError::Factorization)?;
            step.remember(last, &[1.0]);
            step.drift();
            Ok(())
        })
    };
    let mut world = super::worlds::chain(3, GRAVITY);
    let mut workspace = Workspace::default();
    step(&mut world, &Method::new(Stabilizer::from(&PUSHING)), 1e-3, &mut workspace).unwrap();
    for (index, id) in world.joint_ids().iter().enumerate() {
        let [x, y, _] = workspace.impulse_of(ConstraintId::Joint(*id)).unwrap().multipliers;
        assert_eq!([x, y], [1.0 + 2.0 * index as f64, 2.0 + 2.0 * index as f64]);
    }
}
