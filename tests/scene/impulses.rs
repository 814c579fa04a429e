//! The impulses that a step reports are those that acted: they account for every body's change of momentum.

use crate::physics::worlds::pull;
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::{Repulsion, World};
use driftlab::scene::{Scene, catalogue};
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::{DVec2, DVec3};

/// Largest error by rounding, relative to the momenta involved.
const ROUNDING: f64 = 1e-11;

/// Every scheme at each of its levels, under each integrator, with the scene's solver and contact rules.
fn methods(scene: &Scene) -> Vec<Method> {
    let mut methods = vec![scene.settings.method.clone()];
    for scheme in TABLE {
        let mut method = scene.settings.method.clone();
        method.stabilizer = (*scheme).into();
        for level in scheme.info().levels {
            let integrators = match level {
                Level::Velocity => &Integrator::ALL[..1],
                Level::Acceleration => &Integrator::ALL[..],
            };
            methods.extend(integrators.iter().filter_map(|i| method.clone().at_level(*level, *i)));
        }
    }
    methods
}

/// M (v⁺ − v) = h F + Σ Jᵀλ to rounding for every body in the first steps (12, or 3 with more than 60 bodies) under every scheme
/// in every shipped scene of up to 260 bodies.
#[test]
fn impulses_account_for_the_motion() {
    let (mut steps, mut acted) = (0, 0);
    for entry in catalogue::entries() {
        let scene = entry.scene().unwrap();
        // The large scenes have the same joints and contacts as the small ones.
        let count = match scene.world.bodies().len() {
            0..=60 => 12,
            61..=260 => 3,
            _ => continue,
        };
        for method in methods(&scene) {
            let mut world = scene.world.clone();
            let mut workspace = Workspace::default();
            for _ in 0..count {
                let before = world.clone();
                // A run that fails has ended.
                if step(&mut world, &method, scene.settings.time_step, &mut workspace).is_err() {
                    break;
                }
                steps += 1;
                acted += assert_accounted(&before, &world, &method, &workspace, entry.key);
            }
        }
    }
    assert!(steps > 5000 && acted > 10_000, "{steps} steps, {acted} impulses");
}

/// Asserts the balance of momentum, with rounding relative to the momenta involved and to the fastest body; returns how
/// many constraints acted.
#[track_caller]
fn assert_accounted(
    before: &World,
    after: &World,
    method: &Method,
    workspace: &Workspace,
    what: &str,
) -> usize {
    let momentum = |world: &World, body: usize| {
        let w = world.bodies()[body].inverse_mass();
        if w.x > 0.0 { world.velocity_of(body) / w } else { DVec3::ZERO }
    };
    let bodies = 0..after.bodies().len();
    let mut size: Vec<DVec3> =
        bodies.map(|body| momentum(after, body).abs() + momentum(before, body).abs()).collect();
    let mut acted = 0;
    for impulse in workspace.impulses() {
        acted += usize::from(impulse.multipliers.iter().any(|lambda| *lambda != 0.0));
        for (body, on) in impulse.bodies.into_iter().zip(impulse.on_bodies) {
            size[after.index_of(body).expect("a body of the world")] += on.abs();
        }
    }
    // Velocities of up to 24 ε times the largest that a row gives a body are rounding, and count as zero. The rows of a
    // hinge may turn a body by opposite terms, whose sum is all that is known here: with levers of about a metre, as
    // much as they move it.
    let weights = after.bodies().iter().map(|body| body.inverse_mass());
    let fastest = size.iter().zip(weights.clone()).fold(DVec3::ZERO, |most, (size, w)| most.max(*size * w));
    let linear = fastest.x.max(fastest.y);
    let fastest = DVec3::new(linear, linear, linear + fastest.z);
    let residuals = workspace.momentum_residuals().into_iter().zip(&size).zip(weights);
    for (body, ((left, size), w)) in residuals.enumerate() {
        let rested = DVec3::select(w.cmpgt(DVec3::ZERO), 24.0 * f64::EPSILON * fastest / w, DVec3::ZERO);
        let most = DVec3::new(size.x + size.y, size.x + size.y, size.z) * ROUNDING + rested;
        assert!(
            left.abs().cmple(most).all(),
            "{what} under {:?} at {:?} ({:?}), step {}, body {body}: {left} of {size}",
            method.stabilizer,
            method.level,
            method.integrator,
            after.steps()
        );
    }
    acted
}

/// M (v⁺ − v) = h F + Σ Jᵀλ to rounding with a spring, a motor, limits, impacts, the mouse's push, and the mouse's pull at its
/// maximum force, which acts outside the solve.
#[test]
fn every_kind_of_force_is_accounted_for() {
    let mut value = super::sound();
    value["bodies"][2]["restitution"] = 0.8.into();
    value["bodies"][1]["position"] = serde_json::json!([0, -0.3]);
    value["joints"][0]["motor"] = serde_json::json!({ "speed": 2, "max_torque": 5 });
    value["joints"][0]["limits"] = serde_json::json!([-0.05, 0.02]);
    let scene = Scene::parse(&value.to_string()).unwrap();
    let mut kinds = std::collections::BTreeSet::new();
    for method in methods(&scene) {
        let mut world = scene.world.clone();
        pull(&mut world, 3, DVec2::new(1.7, 0.0), DVec2::new(4.0, -3.0));
        world.edit_grab(|grab| grab.max_force = 20.0).unwrap();
        let repulsion = Repulsion { center: DVec2::new(0.4, -0.4), radius: 2.0, strength: 300.0 };
        world.set_repulsion(Some(repulsion)).unwrap();
        let mut workspace = Workspace::default();
        for _ in 0..200 {
            let before = world.clone();
            if step(&mut world, &method, 2e-3, &mut workspace).is_err() {
                break;
            }
            assert_accounted(&before, &world, &method, &workspace, "every kind");
            let acted = workspace.impulses().filter(|one| one.multipliers.iter().any(|x| *x != 0.0));
            kinds.extend(
                acted.map(|one| format!("{:?}", one.constraint).split('(').next().unwrap().to_owned()),
            );
        }
    }
    for kind in ["Joint", "Spring", "Grab", "Motor", "LowerLimit", "Contact"] {
        assert!(kinds.contains(kind), "no {kind} acted: {kinds:?}");
    }
}
