//! Force laws of other crates, against closed forms and against the constant forces of the engine.

use super::worlds::{GRAVITY, chain, id, method, point_mass, run};
use driftlab::model::{AppliedForce, ModelError, World};
use driftlab::report::StepError;
use driftlab::schemes::TABLE;
use driftlab::step::{Workspace, step};
use glam::DVec2;

/// Bit for bit, under every scheme: a law that is constant is a constant force, with the same work.
#[test]
fn a_constant_law_is_an_applied_force() {
    let (force, torque) = (DVec2::new(3.0, -1.0), 0.02);
    for scheme in TABLE {
        let method = method(scheme.info().key, &[]).at_step(1e-3);
        let [mut applied, mut law] = [chain(3, GRAVITY), chain(3, GRAVITY)];
        let last = id(&law, 2);
        applied
            .set_applied_force(last, Some(AppliedForce { torque, ..AppliedForce::force(force) }))
            .unwrap();
        law.add_force_law(move |_, forces| forces.push(last, force));
        law.add_force_law(move |_, forces| forces.turn(last, torque));
        for _ in 0..200 {
            let mut work = [0.0; 2];
            for (world, work) in [&mut applied, &mut law].into_iter().zip(&mut work) {
                *work = run(world, &method, 1e-3, 1)[0].applied_work;
            }
            assert!(work[0] == work[1], "{}: {work:?}", scheme.info().key);
        }
        for (one, other) in applied.bodies().iter().zip(law.bodies()) {
            assert!(one.pose == other.pose && one.velocity == other.velocity, "{}", scheme.info().key);
        }
    }
}

/// Kepler's third law, and both momenta: two unit masses that attract each other by G/r² circle at r = 1 m in T = 2π √(r³/2G).
#[test]
fn two_masses_that_attract_each_other_circle_in_keplers_time() {
    let strength = 2.0_f64;
    let mut world = World::new(DVec2::ZERO);
    let ids = [-0.5, 0.5].map(|x| world.add_body(point_mass(DVec2::new(x, 0.0))).unwrap());
    let speed = 0.5 * (2.0 * strength).sqrt();
    for (id, way) in ids.into_iter().zip([-1.0, 1.0]) {
        world.edit_body(id, |body| body.velocity.linear = DVec2::new(0.0, way * speed)).unwrap();
    }
    world.add_force_law(move |world, forces| {
        let arm = world[ids[1]].pose.position - world[ids[0]].pose.position;
        let pull = strength / arm.length_squared() * arm.normalize();
        forces.push(ids[0], pull);
        forces.push_at(ids[1], -pull, world[ids[1]].pose.position);
    });
    let (period, steps) = (std::f64::consts::TAU / (2.0 * strength).sqrt(), 20_000);
    let momentum = world.angular_momentum();
    run(&mut world, &method("none", &[]), period / f64::from(steps), steps as usize);
    let back = world[ids[1]].pose.position;
    assert!(back.distance(DVec2::new(0.5, 0.0)) < 1e-3, "{back}");
    assert!(world.linear_momentum().length() < 1e-12);
    assert!((world.angular_momentum() / momentum - 1.0).abs() < 1e-12);
}

/// A law that depends on time acts when its time has come, also on bodies that have been at rest until then.
#[test]
fn a_law_wakes_what_is_at_rest() {
    let mut world = World::new(DVec2::ZERO);
    let body = world.add_body(point_mass(DVec2::ZERO)).unwrap();
    world.add_force_law(move |world, forces| {
        if world.time() >= 0.5 {
            forces.push(body, [1.0, 0.0]);
        }
    });
    let mut workspace = Workspace::default();
    for _ in 0..750 {
        step(&mut world, &method("none", &[]), 1e-3, &mut workspace).unwrap();
    }
    assert!((world[body].velocity.linear.x - 0.25).abs() < 2e-3, "{}", world[body].velocity.linear.x);
}

/// A law that acts on what does not exist, with what is not finite, or that turns a point without inertia, ends the step with an
/// error that says so; the world is as it was.
#[test]
fn a_wrong_law_is_an_error() {
    let refused = |law: fn(&World, &mut driftlab::model::Forces<'_>)| {
        let mut world = World::new(GRAVITY);
        let first = world.add_body(point_mass(DVec2::ZERO)).unwrap();
        world.add_body(point_mass(DVec2::X)).unwrap();
        world.remove_body(first).unwrap();
        world.add_force_law(law);
        let before = world.clone();
        let error = step(&mut world, &method("none", &[]), 1e-3, &mut Workspace::default()).unwrap_err();
        assert!(world == before);
        let StepError::Model(error) = error else { panic!("{error}") };
        error
    };
    let removed = refused(|world, forces| {
        let mut other = World::new(DVec2::ZERO);
        let gone = other.add_body(point_mass(DVec2::ZERO)).unwrap();
        assert!(world.body(gone).is_none());
        forces.push(gone, [1.0, 0.0]);
    });
    assert!(matches!(removed, ModelError::NoSuchBody(_)), "{removed}");
    let infinite = refused(|world, forces| forces.turn(world.body_ids()[0], f64::INFINITY));
    assert!(matches!(infinite, ModelError::OutOfRange { quantity: "torque of a law", .. }), "{infinite}");
}
