//! Joints, their limits, motors and friction.

use super::*;
use driftlab_engine::model::joint::PoseMotor;
use driftlab_engine::model::{Body, BodyId, Joint, JointKind, Profile, Servo, Shape};
use driftlab_engine::prelude::DVec2;

fn wall_and(world: &mut World, body: driftlab_engine::model::BodyBuilder) -> [BodyId; 2] {
    [world.add_body(Body::fixed()).unwrap(), world.add_body(body).unwrap()]
}

/// A hinge's motor turns at its speed, the one at its end of a step where a profile gives it; a weak one stays behind by I α t.
#[test]
fn motors_turn_at_their_speed() {
    for kind in engines() {
        let mut world = World::new(DVec2::ZERO);
        let disk =
            || Body::dynamic().shape(Shape::circle(0.5)).mass_and_inertia(2.0, 0.25).without_collisions();
        let [wall, strong] = wall_and(&mut world, disk());
        let weak = world.add_body(disk()).unwrap();
        let led = world.add_body(disk()).unwrap();
        world.add_joint(Joint::hinge(wall, strong).motor(3.0, 50.0)).unwrap();
        world.add_joint(Joint::hinge(wall, weak).motor(3.0, 0.5)).unwrap();
        let ramp = Profile::Ramp { from: 0.0, to: 1.0, start: 0.0, end: 10.0 };
        world.add_joint(Joint::hinge(wall, led).motor(4.0, 50.0).motor_profiles(Some(ramp), None)).unwrap();
        let world = after(&Settings::new(kind), world, H, 60);
        let [strong, weak, led] = [strong, weak, led].map(|id| world[id].velocity.angular);
        assert!(
            (strong - 3.0).abs() < 1e-3 && (weak - 2.0).abs() < 1e-3,
            "{} {strong} {weak}",
            kind.name()
        );
        assert!((led - 0.4).abs() < 1e-4, "{} {led}", kind.name());
    }
}

/// Friction of a hinge stops a wheel of 0.25 kg m² from 4 rad/s with 0.5 N m: 2 rad/s² less, and then holds it.
#[test]
fn friction_stops_and_holds() {
    for kind in engines() {
        let mut world = World::new(DVec2::ZERO);
        let wheel = Body::dynamic().mass_and_inertia(2.0, 0.25).angular_velocity(4.0);
        let [wall, wheel] = wall_and(&mut world, wheel);
        world.add_joint(Joint::hinge(wall, wheel).friction(0.5)).unwrap();
        let mut peer = build(&Settings::new(kind), &world, H).unwrap();
        advance(&mut *peer, &mut world, H, 60);
        assert!((world[wheel].velocity.angular - 2.0).abs() < 1e-3, "{}", kind.name());
        let line = peer.line(&world);
        let part = line.acted.unwrap().into_iter().find(|own| own.part.is_some()).unwrap();
        assert_eq!(part.part, Some(driftlab_probe::format::Part::Friction));
        assert!((part.along.unwrap() + 0.5 * H).abs() < 1e-4, "{} {:?}", kind.name(), part.along);
        advance(&mut *peer, &mut world, H, 90);
        assert!(world[wheel].velocity.angular.abs() < 1e-3, "{}", kind.name());
    }
}

/// A slider's motor that lifts 3 kg at a constant speed pushes with the weight, and the joint says so.
#[test]
fn a_lift_says_its_force() {
    for kind in engines() {
        let mut world = World::new([0.0, -10.0]);
        let [wall, cabin] = wall_and(&mut world, Body::dynamic().mass_and_inertia(3.0, 1.0));
        world.add_joint(Joint::slider(wall, cabin, [0.0, 1.0]).motor(0.5, 100.0)).unwrap();
        let mut peer = build(&Settings::new(kind), &world, H).unwrap();
        advance(&mut *peer, &mut world, H, 60);
        assert!((world[cabin].velocity.linear - DVec2::new(0.0, 0.5)).length() < 1e-4, "{}", kind.name());
        let line = peer.line(&world);
        let motor = line.acted.unwrap().into_iter().find(|own| own.part.is_some()).unwrap();
        assert!((motor.along.unwrap() - 30.0 * H).abs() < 1e-3, "{} {:?}", kind.name(), motor.along);
    }
}

/// Limits stop a pendulum at 0.5 rad, counted from its zero, and a slider at 1 m.
#[test]
fn limits_stop() {
    for kind in engines() {
        let mut world = World::new([0.0, -10.0]);
        let bar = Body::dynamic().at([0.5, 0.0]).mass_and_inertia(1.0, 0.1);
        let [wall, bar] = wall_and(&mut world, bar);
        world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0]).limits(-0.7, 0.3).limits_from(0.2)).unwrap();
        let sled = world.add_body(Body::dynamic().at([5.0, 0.0]).mass_and_inertia(1.0, 0.1)).unwrap();
        world.add_joint(Joint::slider(wall, sled, [0.0, 1.0]).at([5.0, 0.0]).limits(-1.0, 4.0)).unwrap();
        let world = after(&Settings::new(kind), world, H, 180);
        let (angle, depth) = (world[bar].pose.angle, world[sled].pose.position.y);
        assert!(
            (angle + 0.5).abs() < 0.01 && (depth + 1.0).abs() < 0.01,
            "{} {angle} {depth}",
            kind.name()
        );
    }
}

/// A rope is taut at its length, and slack below it; Box2D's rod keeps its length.
#[test]
fn ropes_and_rods_hold() {
    for kind in engines() {
        let mut world = World::new([0.0, -10.0]);
        let [wall, bob] = wall_and(&mut world, Body::dynamic().at([0.0, -0.5]).mass_and_inertia(1.0, 0.1));
        world.add_joint(Joint::rope(wall, bob, 1.0)).unwrap();
        let rod = world.add_body(Body::dynamic().at([3.0, 0.0]).mass_and_inertia(1.0, 0.1)).unwrap();
        let rigid = Joint::distance(wall, rod).anchors([2.0, 0.0], [3.0, 0.0]);
        if kind == Kind::Box2d {
            world.add_joint(rigid).unwrap();
        }
        let mut peer = build(&Settings::new(kind), &world, H).unwrap();
        advance(&mut *peer, &mut world, H, 6);
        let fallen = 0.5 + 5.0 * 0.1 * 0.1;
        assert!((world[bob].pose.position.y + fallen).abs() < 0.01, "{}", kind.name());
        advance(&mut *peer, &mut world, H, 114);
        assert!(
            (world[bob].pose.position.y + 1.0).abs() < 0.01,
            "{} {}",
            kind.name(),
            world[bob].pose.position
        );
        if kind == Kind::Box2d {
            let length = (world[rod].pose.position - DVec2::new(2.0, 0.0)).length();
            assert!((length - 1.0).abs() < 0.01, "{length}");
        }
    }
}

/// A weld with a reference angle and a slider across a turned body keep their angles.
#[test]
fn welds_and_sliders_keep_their_angle() {
    for kind in engines() {
        let mut world = World::new([0.0, -10.0]);
        let wall = world.add_body(Body::fixed().angle(0.4)).unwrap();
        let arm =
            world.add_body(Body::dynamic().at([1.0, 0.0]).angle(-0.3).mass_and_inertia(1.0, 0.1)).unwrap();
        world.add_joint(Joint::weld(wall, arm).at([0.5, 0.0])).unwrap();
        let cart =
            world.add_body(Body::dynamic().at([3.0, 0.0]).angle(0.7).mass_and_inertia(1.0, 0.1)).unwrap();
        world.add_joint(Joint::slider(wall, cart, [1.0, -1.0]).at([3.0, 0.0])).unwrap();
        let world = after(&Settings::new(kind), world, H, 60);
        assert!((world[arm].pose.angle + 0.3).abs() < 0.01 && (world[cart].pose.angle - 0.7).abs() < 1e-3);
        let moved = world[cart].pose.position - DVec2::new(3.0, 0.0);
        // g/√2 along the slope for 1 s.
        assert!(
            (moved.x + moved.y).abs() < 0.01 && (moved.x - 2.5).abs() < 0.05,
            "{} {moved}",
            kind.name()
        );
    }
}

/// A motor joint brings a plate to its pose.
#[test]
fn a_pose_motor_arrives() {
    for kind in engines() {
        let mut world = World::new(DVec2::ZERO);
        let [wall, plate] = wall_and(&mut world, Body::dynamic().mass_and_inertia(1.0, 0.1));
        let mover =
            PoseMotor { offset: DVec2::new(1.0, 0.5), angle: 0.3, frequency: 3.0, ..PoseMotor::default() };
        world.add_joint(Joint::between([wall, plate], JointKind::PoseMotor(mover))).unwrap();
        let world = after(&Settings::new(kind), world, H, 180);
        let pose = world[plate].pose;
        assert!(
            (pose.position - DVec2::new(1.0, 0.5)).length() < 1e-3,
            "{} {}",
            kind.name(),
            pose.position
        );
        assert!((pose.angle - 0.3).abs() < 1e-3, "{} {}", kind.name(), pose.angle);
    }
}

/// Rapier's motor that holds an angle under the load m g r sags by m g r/k, with k = m_e ω² of the bar about its hinge.
#[cfg(feature = "rapier")]
#[test]
fn a_servo_sags_by_its_stiffness() {
    let mut world = World::new([0.0, -10.0]);
    let [wall, bar] = wall_and(&mut world, Body::dynamic().at([0.5, 0.0]).mass_and_inertia(1.0, 0.1));
    let servo = Servo { position: 0.0, frequency: 2.0, damping_ratio: 1.0 };
    world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0]).motor(0.0, 1e3).servo(servo)).unwrap();
    let world = after(&Settings::new(Kind::Rapier), world, H, 600);
    let k = (0.1 + 0.25) * (std::f64::consts::TAU * 2.0).powi(2);
    let angle = world[bar].pose.angle;
    let expected = -5.0 * angle.cos() / k;
    assert!((angle / expected - 1.0).abs() < 1e-3, "{angle} {expected}");
}
