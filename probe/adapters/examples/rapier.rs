//! Records a chain of 6 links and a stack of 5 boxes in Rapier, both precisions, with 4 substeps and with 1: 120 steps each.
//!
//! `cargo run --example rapier --features rapier2d,rapier2d-f64 -- FOLDER`

use std::io;

macro_rules! recordings {
    ($name:ident, $engine:ident, $adapter:ident) => {
        fn $name(folder: &str) -> io::Result<()> {
            use driftlab_probe_adapters::$adapter::{Recorder, World};
            use $engine::prelude::*;

            fn view(world: &PhysicsWorld) -> World<'_> {
                World {
                    bodies: &world.bodies,
                    colliders: &world.colliders,
                    joints: &world.impulse_joints,
                    narrow_phase: &world.narrow_phase,
                    parameters: &world.integration_parameters,
                    gravity: world.gravity,
                }
            }

            /// Six links of 0.4 m on a wall, released from the horizontal.
            fn chain(world: &mut PhysicsWorld) {
                let mut before = world.bodies.insert(RigidBodyBuilder::fixed());
                for i in 0..6 {
                    let at = Vector::new(0.2 + 0.4 * i as Real, 0.0);
                    let link = world.bodies.insert(RigidBodyBuilder::dynamic().translation(at));
                    let shape = ColliderBuilder::cuboid(0.2, 0.03).density(1000.0);
                    world.colliders.insert_with_parent(shape, link, &mut world.bodies);
                    let anchor = Vector::new(if i == 0 { 0.0 } else { 0.2 }, 0.0);
                    let joint = RevoluteJointBuilder::new()
                        .local_anchor1(anchor)
                        .local_anchor2(Vector::new(-0.2, 0.0));
                    world.impulse_joints.insert(before, link, joint.contacts_enabled(false), true);
                    before = link;
                }
            }

            /// Five boxes of 0.5 m on the ground, each a millimetre above the one below.
            fn stack(world: &mut PhysicsWorld) {
                let ground =
                    world.bodies.insert(RigidBodyBuilder::fixed().translation(Vector::new(0.0, -0.5)));
                let shape = ColliderBuilder::cuboid(10.0, 0.5).friction(0.6);
                world.colliders.insert_with_parent(shape, ground, &mut world.bodies);
                for i in 0..5 {
                    let at = Vector::new(0.02 * i as Real, 0.25 + 0.501 * i as Real);
                    let body = world.bodies.insert(RigidBodyBuilder::dynamic().translation(at));
                    let shape = ColliderBuilder::cuboid(0.25, 0.25).density(100.0).friction(0.6);
                    world.colliders.insert_with_parent(shape, body, &mut world.bodies);
                }
            }

            for (scene, build) in [("chain", chain as fn(&mut PhysicsWorld)), ("stack", stack)] {
                for substeps in [4, 1] {
                    let mut world = PhysicsWorld::default();
                    world.integration_parameters.num_solver_iterations = substeps;
                    build(&mut world);
                    let target = format!(
                        "{folder}/{}-{scene}-{substeps}.jsonl",
                        stringify!($engine).replace('_', "-")
                    );
                    let mut recorder = Recorder::begin(&target, view(&world))?;
                    for _ in 0..120 {
                        world.step();
                        recorder.step(view(&world));
                    }
                    recorder.finish()?;
                }
            }
            Ok(())
        }
    };
}

recordings!(single, rapier2d, rapier2d);
recordings!(double, rapier2d_f64, rapier2d_f64);

fn main() -> io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    single(&folder)?;
    double(&folder)
}
