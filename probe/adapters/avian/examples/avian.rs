//! Records a chain of 6 links and a stack of 5 boxes in Avian, with 6 substeps and with 1: 120 steps each.
//!
//! `cargo run --example avian -- FOLDER`

use std::time::Duration;

use avian2d::prelude::*;
use bevy::ecs::world::World;
use bevy::prelude::{App, Entity, Fixed, MinimalPlugins, Time, Transform, TransformPlugin};
use bevy::time::TimeUpdateStrategy;
use driftlab_probe_avian::{RecordPlugin, Recorder};

/// Six links of 0.4 m on a wall, released from the horizontal.
fn chain(world: &mut World) {
    let mut before = world.spawn((RigidBody::Static, Transform::default())).id();
    for i in 0..6_u8 {
        let at = Transform::from_xyz(0.2 + 0.4 * f32::from(i), 0.0, 0.0);
        let shape = (Collider::rectangle(0.4, 0.06), ColliderDensity(1000.0), CollisionLayers::NONE);
        let link = world.spawn((RigidBody::Dynamic, at, shape)).id();
        let anchor = bevy::math::Vec2::new(if i == 0 { 0.0 } else { 0.2 }, 0.0);
        let joint = RevoluteJoint::new(before, link).with_local_anchor1(anchor);
        world.spawn(joint.with_local_anchor2(bevy::math::Vec2::new(-0.2, 0.0)));
        before = link;
    }
}

/// Five boxes of 0.5 m on the ground, each a millimetre above the one below.
fn stack(world: &mut World) {
    let rough = || Friction::new(0.6);
    let _: Entity = world
        .spawn((
            RigidBody::Static,
            Transform::from_xyz(0.0, -0.5, 0.0),
            Collider::rectangle(20.0, 1.0),
            rough(),
        ))
        .id();
    for i in 0..5_u8 {
        let at = Transform::from_xyz(0.02 * f32::from(i), 0.25 + 0.501 * f32::from(i), 0.0);
        world.spawn((
            RigidBody::Dynamic,
            at,
            Collider::rectangle(0.5, 0.5),
            ColliderDensity(100.0),
            rough(),
        ));
    }
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    for (scene, build) in [("chain", chain as fn(&mut World)), ("stack", stack)] {
        for substeps in [6, 1] {
            let step = Duration::from_secs_f64(1.0 / 60.0);
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, TransformPlugin));
            app.add_plugins((
                PhysicsPlugins::default(),
                RecordPlugin { target: format!("{folder}/avian-{scene}-{substeps}.jsonl") },
            ));
            app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
            app.insert_resource(Time::<Fixed>::from_duration(step));
            app.insert_resource(SubstepCount(substeps));
            app.insert_resource(Gravity(bevy::math::Vec2::new(0.0, -9.81)));
            build(app.world_mut());
            app.finish();
            for _ in 0..=120 {
                app.update();
            }
            if let Some(recorder) = app.world_mut().remove_non_send::<Recorder>() {
                recorder.finish()?;
            }
        }
    }
    Ok(())
}
