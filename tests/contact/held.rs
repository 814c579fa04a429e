//! What motors and limits hold under load in the schemes of today's engines, and how jointed bodies and flat faces rebound there.

use super::worlds::{G, ground};
use crate::physics::worlds::{GRAVITY, bar, hinge, method, run, wall};
use driftlab::model::{Body, Joint, JointBuilder, Shape, World};
use glam::DVec2;

const H: f64 = 1.0 / 60.0;

/// Strong enough for any load here, N or N m.
const STRONG: f64 = 1e9;

/// A beam of 50 kg and 5 m whose free end carries a load of 500 kg; `joint` holds its other end at a wall.
fn loaded_beam(joint: impl Fn(JointBuilder, JointBuilder) -> JointBuilder) -> World {
    let mut world = World::new(GRAVITY);
    let wall = world.add_body(wall()).unwrap();
    let mut add = |size: DVec2, at: f64, mass: f64| {
        let body = Body::dynamic().at([at, 0.0]).shape(Shape::Box { size }).mass(mass);
        world.add_body(body.without_collisions()).unwrap()
    };
    let beam = add(DVec2::new(5.0, 0.3), 2.5, 50.0);
    let load = add(DVec2::new(0.6, 0.6), 5.0, 500.0);
    let hinge = hinge([wall, beam], DVec2::ZERO);
    let slider = Joint::slider(wall, beam, [0.0, 1.0]).at([0.0, 0.0]);
    world.add_joint(joint(hinge, slider)).unwrap();
    world.add_joint(Joint::weld(beam, load).at([5.0, 0.0])).unwrap();
    world
}

/// A motor at rest and a limit hold any load that their bound allows: a beam that 27 kN m turn down, or 5.4 kN pull
/// down, stays. Started from nothing in every step it would sink by a radian in three seconds; Box2D 2.4.1, compiled
/// from its source, lets a motor sink by 0.0069 rad and by 0.033 m, which its first sweeps leave.
#[test]
fn motors_and_limits_hold_their_load() {
    type Holder = fn(JointBuilder, JointBuilder) -> JointBuilder;
    let held: [(&str, Holder); 5] = [
        ("motor of a hinge", |hinge, _| hinge.motor(0.0, STRONG)),
        ("lower limit of a hinge", |hinge, _| hinge.limits(0.0, 1.0)),
        ("fixed angle", |hinge, _| hinge.limits(0.0, 0.0)),
        ("motor of a slider", |_, slider| slider.motor(0.0, STRONG)),
        ("lower limit of a slider", |_, slider| slider.limits(0.0, 1.0)),
    ];
    for key in ["ngs", "soft"] {
        for (name, joint) in held {
            let mut world = loaded_beam(joint);
            run(&mut world, &method(key, &[]), H, 180);
            let pose = world.bodies()[1].pose;
            let sunk = pose.angle.abs().max((pose.position.y / 2.5).abs());
            assert!(sunk < 0.02, "{key}, {name}: {sunk} rad");
        }
    }
}

/// A motor that may push as hard as it likes turns a beam against gravity at its speed: 0.3 rad/s for 3 s make 0.9 rad.
#[test]
fn a_motor_turns_a_beam_at_its_speed() {
    for key in ["ngs", "soft"] {
        let mut world = World::new(GRAVITY);
        let wall = world.add_body(wall()).unwrap();
        let beam = world.add_body(bar(DVec2::new(5.0, 0.3), DVec2::new(2.5, 0.0), 0.0)).unwrap();
        world.add_joint(hinge([wall, beam], DVec2::ZERO).motor(0.3, STRONG)).unwrap();
        run(&mut world, &method(key, &[]), H, 180);
        let angle = world.bodies()[1].pose.angle;
        assert!((angle - 0.9).abs() < 2e-3, "{key}: {angle}");
    }
}

/// A car with locked wheels stays on a slope of 20°, whose tangent is below the friction of 1, however many wheels it has.
#[test]
fn a_parked_car_stays() {
    let angle = 20_f64.to_radians();
    let (along, up) = (DVec2::new(angle.cos(), angle.sin()), DVec2::new(-angle.sin(), angle.cos()));
    for (key, wheels) in [("ngs", 2), ("soft", 2), ("ngs", 4), ("soft", 4)] {
        let mut world = World::new(GRAVITY);
        world.add_body(ground(up, 1.0)).unwrap();
        let chassis =
            Body::dynamic().at(0.55 * up).angle(angle).shape(Shape::rectangle(2.0, 0.3)).mass(10.0);
        let chassis = world.add_body(chassis.group(-1)).unwrap();
        for wheel in 0..wheels {
            let at = 1.4 * (f64::from(wheel) / f64::from(wheels - 1) - 0.5);
            let axle = at * along + 0.3 * up;
            let wheel =
                Body::dynamic().at(axle).shape(Shape::Circle { radius: 0.3 }).mass(1.0).friction(1.0);
            let wheel = world.add_body(wheel.group(-1)).unwrap();
            world.add_joint(hinge([chassis, wheel], axle).motor(0.0, 1000.0)).unwrap();
        }
        run(&mut world, &method(key, &[]), H, 300);
        let settled = world.bodies()[1].pose.position;
        run(&mut world, &method(key, &[]), H, 300);
        let speed = world.bodies()[1].pose.position.distance(settled) / 5.0;
        assert!(speed < 5e-5, "{key}, {wheels} wheels: {speed} m/s");
    }
}

/// Two equal boxes that meet flush with e = 1 exchange their velocities [conservation of momentum and energy],
/// whichever of the two contact points is visited first; a lighter one is thrown back at (m₁ − m₂)/(m₁ + m₂) of the speed.
#[test]
fn flush_faces_exchange_their_velocities() {
    for ratio in [1.0, 3.0] {
        let mut world = World::new(DVec2::ZERO);
        for (at, mass, speed) in [(-2.0, 1.0, 1.0), (2.0, ratio, 0.0)] {
            let body =
                Body::dynamic().at([at, 0.0]).velocity([speed, 0.0]).shape(Shape::rectangle(1.0, 1.0));
            world.add_body(body.mass(mass).friction(0.0).restitution(1.0)).unwrap();
        }
        run(&mut world, &method("xpbd", &[]), H, 360);
        let [a, b] = [0, 1].map(|body| world.bodies()[body].velocity);
        let expected = [(1.0 - ratio) / (1.0 + ratio), 2.0 / (1.0 + ratio)];
        for (velocity, expected) in [(a, expected[0]), (b, expected[1])] {
            assert!((velocity.linear.x - expected).abs() < 5e-3, "1 : {ratio}: {a:?}, {b:?}");
            assert!(velocity.angular.abs() < 5e-3, "1 : {ratio}: {a:?}, {b:?}");
        }
    }
}

/// A bar of 1 m and 10 kg, hinged to a wall at its end and raised by 0.3 rad, above a peg at `peg` that it meets at the angle 0.
/// It is the second body.
pub fn bar_above_a_peg(peg: f64, restitution: f64) -> World {
    let mut world = World::new(GRAVITY);
    let wall = world.add_body(wall()).unwrap();
    let body =
        Body::dynamic().at(0.5 * DVec2::from_angle(0.3)).angle(0.3).shape(Shape::rectangle(1.0, 0.04));
    let bar = world.add_body(body.mass(10.0).friction(0.0).restitution(restitution)).unwrap();
    world.add_joint(hinge([wall, bar], DVec2::ZERO)).unwrap();
    let round = Body::fixed().at([peg, -0.12]).shape(Shape::Circle { radius: 0.1 }).friction(0.0);
    world.add_body(round).unwrap();
    world
}

/// The rate of that bar when it meets the peg: ½ I ω² = m g ½ (sin 0.3 − sin 0), I = m/3 (1 + 0.04²/4).
pub fn rate_at_the_peg() -> f64 {
    (3.0 * G * 0.3_f64.sin() / (1.0 + 0.0004)).sqrt()
}

/// A bar that is hinged to a wall and falls on a peg turns back at e of its speed, with e = 0 it rests at once: the
/// speed of the point that meets the peg is its rate times its distance from the hinge [Newton's law of impact].
#[test]
fn a_hinged_bar_rebounds_by_its_coefficient() {
    for (restitution, peg) in [(0.0, 0.3), (0.0, 0.7), (0.5, 0.3), (0.5, 0.7)] {
        let mut world = bar_above_a_peg(peg, restitution);
        let rate = |world: &World| world.bodies()[1].velocity.angular;
        let mut before = 0.0;
        for _ in 0..120 {
            run(&mut world, &method("xpbd", &[]), 1.0 / 240.0, 1);
            if rate(&world) > 0.8 * before {
                break;
            }
            before = rate(&world);
        }
        let fallen = rate_at_the_peg();
        assert!((before + fallen).abs() < 0.06 * fallen, "{before} instead of {fallen}");
        run(&mut world, &method("xpbd", &[]), 1.0 / 240.0, 1);
        let after = rate(&world) / fallen;
        assert!((after - restitution).abs() < 0.06, "e = {restitution}, peg at {peg}: {after}");
    }
}
