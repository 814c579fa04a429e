//! Records a chain of 6 links and a stack of 5 boxes in Box2D, with 4 substeps and with 1: 120 steps each.
//!
//! `cargo run --example boxdd --features boxdd -- FOLDER`

use std::io;

use boxdd::{BodyId, BodyType, Error, Foundation, ShapeDef, World, shapes};
use driftlab_probe_adapters::boxdd::Recorder;

const STEP: f32 = 1.0 / 60.0;

/// Six links of 0.4 m on a wall, released from the horizontal.
fn chain(world: &mut World) -> Result<Vec<BodyId>, Error> {
    let mut bodies = vec![world.create_body(world.body_builder().build()?)?];
    for i in 0..6_u8 {
        let at = [0.2 + 0.4 * f32::from(i), 0.0];
        let link =
            world.create_body(world.body_builder().body_type(BodyType::Dynamic).position(at).build()?)?;
        let shape = ShapeDef::builder().density(1000.0).build()?;
        world.body(link)?.create_polygon(&shape, &shapes::box_polygon(0.2, 0.03)?)?;
        let before = bodies[usize::from(i)];
        world.revolute(before, link).anchor_world([0.4 * f32::from(i), 0.0]).build()?;
        bodies.push(link);
    }
    Ok(bodies)
}

/// Five boxes of 0.5 m on the ground, each a millimetre above the one below.
fn stack(world: &mut World) -> Result<Vec<BodyId>, Error> {
    let ground = world.create_body(world.body_builder().position([0.0, -0.5]).build()?)?;
    let rough = |density: f32| ShapeDef::builder().density(density).build();
    world.body(ground)?.create_polygon(&rough(0.0)?, &shapes::box_polygon(10.0, 0.5)?)?;
    let mut bodies = vec![ground];
    for i in 0..5_u8 {
        let at = [0.02 * f32::from(i), 0.25 + 0.501 * f32::from(i)];
        let body =
            world.create_body(world.body_builder().body_type(BodyType::Dynamic).position(at).build()?)?;
        world.body(body)?.create_polygon(&rough(100.0)?, &shapes::box_polygon(0.25, 0.25)?)?;
        bodies.push(body);
    }
    Ok(bodies)
}

fn record(folder: &str) -> Result<(), Box<dyn std::error::Error>> {
    let foundation = Foundation::initialize_default()?;
    for (scene, build) in
        [("chain", chain as fn(&mut World) -> Result<Vec<BodyId>, Error>), ("stack", stack)]
    {
        for substeps in [4, 1] {
            let mut world =
                foundation.create_world(foundation.world_builder().gravity([0.0, -9.81]).build()?)?;
            let bodies = build(&mut world)?;
            let target = format!("{folder}/boxdd-{scene}-{substeps}.jsonl");
            let mut recorder = Recorder::begin(&target, &mut world, &bodies, STEP, substeps)?;
            for _ in 0..120 {
                drop(world.step(STEP, substeps)?);
                recorder.step(&mut world)?;
            }
            recorder.finish()?;
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    record(&folder).map_err(|error| io::Error::other(error.to_string()))
}
