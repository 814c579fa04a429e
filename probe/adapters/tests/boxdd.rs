//! The recorder for Box2D writes what the solver applied: in steps of one substep momentum closes to the rounding of `f32`, for
//! joints the linear one alone, for contacts both; of steps with substeps the normal impulses of contacts are the whole ones.
#![cfg(feature = "boxdd")]

#[path = "../../tests/common/mod.rs"]
mod common;

use boxdd::{BodyId, BodyType, Error, Foundation, ShapeDef, World, shapes};
use common::{file, momentum_left, read};
use driftlab_probe::format::{Header, Step};
use driftlab_probe_adapters::boxdd::Recorder;

fn link(world: &mut World, x: f32, y: f32) -> Result<BodyId, Error> {
    let body = world.body_builder().body_type(BodyType::Dynamic).position([x, y]).enable_sleep(false);
    let id = world.create_body(body.enable_contact_recycling(false).build()?)?;
    world
        .body(id)?
        .create_polygon(&ShapeDef::builder().density(500.0).build()?, &shapes::box_polygon(0.2, 0.05)?)?;
    Ok(id)
}

fn recorded(name: &str, build: fn(&mut World) -> Result<Vec<BodyId>, Error>) -> (Header, Vec<Step>) {
    // One world at a time has the foundation.
    let foundation = Foundation::initialize_default().unwrap();
    let mut world =
        foundation.create_world(foundation.world_builder().gravity([0.0, -9.81]).build().unwrap()).unwrap();
    let bodies = build(&mut world).unwrap();
    let path = file(name);
    let mut recorder = Recorder::begin(path.to_str().unwrap(), &mut world, &bodies, 1.0 / 60.0, 1).unwrap();
    for _ in 0..120 {
        drop(world.step(1.0 / 60.0, 1).unwrap());
        recorder.step(&mut world).unwrap();
    }
    assert_eq!(recorder.finish().unwrap(), 0);
    read(&std::fs::read_to_string(&path).unwrap())
}

/// Protects both kinds of impulses, and that the scene's joints are open by what the engine says.
#[test]
fn momentum_closes() {
    let (header, steps) = recorded("box2d-chain.jsonl", |world| {
        let mut bodies = vec![world.create_body(world.body_builder().build()?)?];
        for i in 0..4_u8 {
            bodies.push(link(world, 0.2 + 0.4 * f32::from(i), 0.0)?);
            world
                .revolute(bodies[usize::from(i)], bodies[usize::from(i) + 1])
                .anchor_world([0.4 * f32::from(i), 0.0])
                .build()?;
        }
        Ok(bodies)
    });
    let [linear, _] = momentum_left(&header, &steps);
    assert!(linear < 2e-6, "{linear:e} of the largest impulse is left");
    // The first link's open end, at (−0.2, 0) of it, should be at the origin.
    for step in &steps {
        let [x, y, angle] = step.q[1].unwrap();
        let open = (x - 0.2 * angle.cos()).hypot(y - 0.2 * angle.sin());
        let said = step.acted.as_ref().unwrap()[0].linear.unwrap();
        assert!((open - said).abs() < 1e-6, "open by {open}, said {said}");
    }
    let (header, steps) = recorded("box2d-stack.jsonl", |world| {
        let ground = world.create_body(world.body_builder().angle(0.1).build()?)?;
        world
            .body(ground)?
            .create_polygon(&ShapeDef::builder().build()?, &shapes::box_polygon(9.0, 0.5)?)?;
        let stack = (0..4_u8).map(|i| link(world, 0.1 * f32::from(i), 0.6 + 0.11 * f32::from(i)));
        [Ok(ground)].into_iter().chain(stack.collect::<Vec<_>>()).collect()
    });
    let left = momentum_left(&header, &steps);
    assert!(left.iter().all(|left| *left < 1e-5), "{left:?} of the largest impulse is left");
    assert!(steps.iter().flat_map(|step| step.contacts.iter().flatten()).count() > 400);
}
