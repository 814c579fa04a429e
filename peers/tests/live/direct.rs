//! Scenes of ours against the same scenes by Rapier's own calls.

use super::*;
use driftlab_engine::model::{Body, Joint, Shape};
use rapier2d_f64::prelude::{
    CoefficientCombineRule, ColliderBuilder, PhysicsWorld, RevoluteJointBuilder, RigidBodyBuilder,
    RigidBodyHandle, Vector,
};

const STEPS: usize = 100;

fn rapier() -> PhysicsWorld {
    let mut own = PhysicsWorld::default();
    own.gravity = Vector::new(0.0, -10.0);
    own.integration_parameters.dt = H;
    own
}

fn add(
    own: &mut PhysicsWorld,
    body: RigidBodyBuilder,
    at: [f64; 2],
    collider: ColliderBuilder,
) -> RigidBodyHandle {
    let collider = collider
        .friction(0.6)
        .friction_combine_rule(CoefficientCombineRule::GeometricMean)
        .restitution_combine_rule(CoefficientCombineRule::Max);
    own.insert(body.translation(Vector::new(at[0], at[1])).can_sleep(false), collider).0
}

/// The largest difference of a height or angle over a hundred steps.
fn apart(mut own: PhysicsWorld, handles: &[RigidBodyHandle], mut world: World) -> f64 {
    let mut peer = build(&Settings::new(Kind::Rapier), &world, H).unwrap();
    let mut worst = 0.0_f64;
    for _ in 0..STEPS {
        own.step();
        advance(&mut *peer, &mut world, H, 1);
        for (handle, body) in handles.iter().zip(world.bodies()) {
            let direct = &own.bodies[*handle];
            worst = worst.max((direct.translation().y - body.pose.position.y).abs());
            let turn = direct.rotation().angle() - body.pose.angle;
            worst = worst.max(turn.sin().abs());
        }
    }
    worst
}

/// A stack of five boxes that is a little crooked.
#[test]
fn a_stack_is_rapier_s_own() {
    let (mut own, mut world) = (rapier(), World::new([0.0, -10.0]));
    let mut handles =
        vec![add(&mut own, RigidBodyBuilder::fixed(), [0.0, -0.5], ColliderBuilder::cuboid(10.0, 0.5))];
    world.add_body(Body::fixed().at([0.0, -0.5]).shape(Shape::rectangle(20.0, 1.0)).friction(0.6)).unwrap();
    for row in 0..5 {
        let at = [0.02 * f64::from(row), 0.55 + 1.05 * f64::from(row)];
        handles.push(add(
            &mut own,
            RigidBodyBuilder::dynamic(),
            at,
            ColliderBuilder::cuboid(0.5, 0.5).density(1.0),
        ));
        let block = Body::dynamic().at(at).shape(Shape::rectangle(1.0, 1.0)).density(1.0).friction(0.6);
        world.add_body(block).unwrap();
    }
    let worst = apart(own, &handles, world);
    println!("stack {worst:e}");
    assert!(worst < 1e-9, "{worst:e}");
}

/// A chain of six that falls from the horizontal, and a motor that turns a bar.
#[test]
fn a_chain_and_a_motor_are_rapier_s_own() {
    let (mut own, mut world) = (rapier(), World::new([0.0, -10.0]));
    let wall = own.insert_body(RigidBodyBuilder::fixed().translation(Vector::new(0.0, 5.0)));
    let mut last = (wall, world.add_body(Body::fixed().at([0.0, 5.0])).unwrap());
    let mut handles = vec![wall];
    for link in 0..6 {
        let at = [0.5 + f64::from(link), 5.0];
        let cuboid = ColliderBuilder::cuboid(0.45, 0.05).density(1.0);
        let handle = add(&mut own, RigidBodyBuilder::dynamic(), at, cuboid);
        let bar = Body::dynamic().at(at).shape(Shape::rectangle(0.9, 0.1)).density(1.0).friction(0.6);
        let bar = world.add_body(bar).unwrap();
        let from = if link == 0 { [0.0; 2] } else { [0.5, 0.0] };
        let mut hinge = RevoluteJointBuilder::new()
            .local_anchor1(Vector::new(from[0], from[1]))
            .local_anchor2(Vector::new(-0.5, 0.0))
            .contacts_enabled(false);
        let mut joint = Joint::hinge(last.1, bar).at([f64::from(link), 5.0]);
        if link == 3 {
            hinge = hinge.motor_velocity(2.0, 1e15).motor_max_force(20.0);
            joint = joint.motor(2.0, 20.0);
        }
        own.insert_impulse_joint(last.0, handle, hinge);
        world.add_joint(joint).unwrap();
        handles.push(handle);
        last = (handle, bar);
    }
    let worst = apart(own, &handles, world);
    println!("chain {worst:e}");
    assert!(worst < 1e-6, "{worst:e}");
}
