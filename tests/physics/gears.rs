//! Gears, and rows over up to four bodies: the ratio, Newton's law, momentum, and that every scheme and solver takes them.

use super::worlds::{methods, stepped as run};
use driftlab::lcp::solvers;
use driftlab::method::Level;
use driftlab::method::Method;
use driftlab::model::joint::{CustomJoint, Equation, Gear, JointSoftness, Unit};
use driftlab::model::{
    AppliedForce, Body, BodyId, Breaking, Frame, Joint, JointId, JointKind, ModelError, Servo, Shape,
    Softness, World,
};
use glam::{DVec2, DVec3};
use std::f64::consts::{PI, TAU};

fn fixed(world: &mut World) -> BodyId {
    world.add_body(Body::fixed()).unwrap()
}

fn wheel(world: &mut World, at: [f64; 2], inertia: f64) -> BodyId {
    let body = Body::dynamic().at(at).shape(Shape::circle(0.1)).mass_and_inertia(1.0, inertia);
    world.add_body(body.without_collisions()).unwrap()
}

/// Whether the scheme's constraints are springs whose motors and friction yield, too.
fn yields(method: &Method) -> bool {
    method.stabilizer.info().key == "mujoco"
}

/// A train of three wheels on a frame, the first driven: θ₁ r₁ + θ₂ r₂ = 0 and θ₂ r₂ + θ₃ r₃ = 0.
fn train(radii: [f64; 3], speed: f64) -> (World, [BodyId; 3]) {
    let mut world = World::new([0.0, -9.81]);
    let frame = fixed(&mut world);
    let mut joints = Vec::new();
    let wheels = [0.0, 0.4, 1.1].map(|x| {
        let own = wheel(&mut world, [x, 0.0], 0.02);
        joints.push(world.add_joint(Joint::hinge(frame, own).at([x, 0.0])).unwrap());
        own
    });
    world
        .edit_joint(joints[0], |joint| joint.motor = Some(driftlab::model::Motor { speed, max_force: 1e3 }))
        .unwrap();
    world.add_gear([joints[0], joints[1]], radii[1] / radii[0]).unwrap();
    world.add_gear([joints[1], joints[2]], radii[2] / radii[1]).unwrap();
    (world, wheels)
}

/// A gear train has its ratio after a thousand turns, to the rounding of angles of 6,283 rad: θ₁ r₁ = −θ₂ r₂ = θ₃ r₃. An angle
/// that were reduced to one turn would jump.
#[test]
fn a_gear_train_keeps_its_ratio_over_a_thousand_turns() {
    let radii = [0.1, 0.3, 0.2];
    for method in [Method::projection(), Method::post_stabilization(), Method::rattle()] {
        let (mut world, wheels) = train(radii, 20.0 * PI);
        run(&mut world, &method, 1e-2, 10_001);
        let [first, second, third] = wheels.map(|own| world[own].pose.angle);
        let key = method.stabilizer.info().key;
        assert!(first > 1000.0 * TAU, "{key}: {} turns", first / TAU);
        let rounding = 16.0 * f64::EPSILON * first * radii[2];
        assert!((first * radii[0] + second * radii[1]).abs() < rounding, "{key}: {first} {second}");
        assert!((first * radii[0] - third * radii[2]).abs() < rounding, "{key}: {first} {third}");
    }
}

/// Rack and pinion: a rack of mass m that falls along its slider turns the pinion by x = r θ, and falls with m g/(m + I/r²).
#[test]
fn a_rack_turns_its_pinion_by_its_way_over_the_radius() {
    let (r, inertia, h) = (0.25, 0.03, 1e-3);
    let expected = -9.81 / (1.0 + inertia / (r * r)); // m = 1 kg
    for method in methods(h) {
        let mut world = World::new([0.0, -9.81]);
        let frame = fixed(&mut world);
        let (rack, pinion) = (wheel(&mut world, [r, 0.0], 0.01), wheel(&mut world, [0.0, 0.0], inertia));
        let slides = world.add_joint(Joint::slider(frame, rack, [0.0, 1.0])).unwrap();
        let turns = world.add_joint(Joint::hinge(frame, pinion).at([0.0, 0.0])).unwrap();
        world.add_gear([slides, turns], -r).unwrap();
        run(&mut world, &method, h, 300);
        let key = format!("{} {:?}", method.stabilizer.info().key, method.integrator);
        let (x, v, angle) =
            (world[rack].pose.position.y, world[rack].velocity.linear.y, world[pinion].pose.angle);
        let exact = method.stabilizer.scheme().uses_solver;
        let share = if exact { 1e-9 } else { 1e-3 };
        assert!((v / (expected * 0.3) - 1.0).abs() < share, "{key}: {v} m/s");
        assert!((x - r * angle).abs() < share * x.abs(), "{key}: x = {x}, r θ = {}", r * angle);
    }
}

/// Four free bodies in two pairs, each pair hinged at its centres, and geared: a torque τ on the first wheel gives, with
/// Λ = −(τ/I_B)/(1/I_A + 1/I_B + ρ² (1/I_C + 1/I_D)), ω̇ = −Λ/I_A, (τ + Λ)/I_B, −ρΛ/I_C and ρΛ/I_D: Newton's law of the four.
#[test]
fn four_geared_bodies_accelerate_as_newton_says() {
    let ([i_a, i_b, i_c, i_d], ratio, torque, h) = ([0.3, 0.05, 0.2, 0.11], 2.5, 0.4, 1e-3);
    let lambda = -(torque / i_b) / (1.0 / i_a + 1.0 / i_b + ratio * ratio * (1.0 / i_c + 1.0 / i_d));
    let expected = [-lambda / i_a, (torque + lambda) / i_b, -ratio * lambda / i_c, ratio * lambda / i_d];
    for method in methods(h) {
        let mut world = World::new(DVec2::ZERO);
        let bodies = [(0.0, i_a), (0.0, i_b), (1.0, i_c), (1.0, i_d)];
        let [a, b, c, d] = bodies.map(|(x, inertia)| wheel(&mut world, [x, 0.0], inertia));
        let first = world.add_joint(Joint::hinge(a, b)).unwrap();
        let second = world.add_joint(Joint::hinge(c, d)).unwrap();
        world.add_gear([first, second], ratio).unwrap();
        world.set_applied_force(b, Some(AppliedForce::torque(torque))).unwrap();
        let workspace = run(&mut world, &method, h, 100);
        let key = format!("{} {:?} {:?}", method.stabilizer.info().key, method.level, method.integrator);
        for (body, expected) in [a, b, c, d].into_iter().zip(expected) {
            let rate = world[body].velocity.angular / 0.1;
            let most = if yields(&method) { 1e-3 } else { 1e-6 };
            assert!((rate / expected - 1.0).abs() < most, "{key}: {rate} rad/s², expected {expected}");
        }
        let left = workspace.momentum_residuals().into_iter().map(DVec3::length).fold(0.0, f64::max);
        assert!(left < 1e-12 * torque, "{key}: {left:e}");
    }
}

/// Gears of two hinges that turn about one another, and of a hinge with a slider on a moving rail, among free bodies.
fn tumbling(gear: impl Fn(&mut World, [JointId; 2], f64)) -> World {
    let mut world = World::new(DVec2::ZERO);
    let mut number = 0.0;
    let [a, b, c, d, e] = [[0.0, 0.0], [0.5, 0.2], [1.0, -0.1], [1.4, 0.5], [0.4, 0.9]].map(|at| {
        number += 1.0;
        let body =
            Body::dynamic().at(at).angle(0.3 * number).shape(Shape::rectangle(0.5, 0.1)).mass(number);
        let moving = body.velocity([0.1 * number, -0.2]).angular_velocity(1.0 - 0.5 * number);
        world.add_body(moving.without_collisions()).unwrap()
    });
    let first = world.add_joint(Joint::hinge(a, b).at([0.25, 0.1])).unwrap();
    let second = world.add_joint(Joint::slider(c, d, [0.6, 0.8])).unwrap();
    let third = world.add_joint(Joint::hinge(b, e).at([0.4, 0.6])).unwrap();
    gear(&mut world, [first, second], 0.7); // four bodies
    gear(&mut world, [first, third], -1.3); // three, of which b is in both joints
    driftlab::step::make_consistent(&mut world).unwrap();
    world
}

fn built_in(world: &mut World, joints: [JointId; 2], ratio: f64) {
    world.add_gear(joints, ratio).unwrap();
}

/// A gear exerts no net force: free bodies keep their momentum, every impulse is accounted for, and the coordinates keep their
/// ratio as well as other joints do, under every scheme and level.
#[test]
fn gears_among_free_bodies_keep_momentum_and_account_for_every_impulse() {
    let h = 1e-3;
    for method in methods(h) {
        let mut world = tumbling(built_in);
        let start = world.linear_momentum();
        let workspace = run(&mut world, &method, h, 400);
        let key = format!("{} {:?} {:?}", method.stabilizer.info().key, method.level, method.integrator);
        assert!((world.linear_momentum() - start).length() < 1e-12 * start.length(), "{key}");
        let left = workspace.momentum_residuals().into_iter().map(DVec3::length).fold(0.0, f64::max);
        assert!(left < 1e-13 * start.length(), "{key}: {left:e}");
        let error = world.joint_error();
        let most = match method.stabilizer.info().key {
            "projection" | "rattle" | "ggl" => 1e-14,
            "none" => 1e-2,
            _ => 3e-3,
        };
        assert!(error < most, "{key}: {error:e}");
    }
}

/// Every solver finds the impulses that the factorisation finds: a motor beside the gears makes the problem a complementarity
/// problem, which each solves by itself.
#[test]
fn every_solver_takes_rows_over_four_bodies() {
    let velocities = |method: &Method, driven: bool| {
        let mut world = tumbling(built_in);
        let first = world.joint_ids()[0];
        if driven {
            // So weak that it changes nothing by more than 1e-12.
            let motor = driftlab::model::Motor { speed: 1.0, max_force: 1e-12 };
            world.edit_joint(first, |joint| joint.motor = Some(motor)).unwrap();
        }
        run(&mut world, method, 1e-3, 20);
        world.bodies().iter().map(|body| body.velocity.coordinates()).collect::<Vec<_>>()
    };
    for solver in solvers().filter(|solver| !solver.takes_equations_alone()) {
        let [plain, own] = [false, true].map(|driven| {
            let mut method = Method::anitescu_hart();
            if driven {
                method.solver = solver.clone();
            }
            velocities(&method, driven)
        });
        let apart = plain.iter().zip(&own).map(|(one, other)| (*one - *other).length()).fold(0.0, f64::max);
        assert!(apart < 1e-7, "{}: {apart:e} m/s", solver.info().key);
    }
}

/// The equation of a gear, brought by a program: as a joint of another crate over four bodies.
#[derive(Debug)]
struct Brought(JointKind);

impl CustomJoint for Brought {
    fn key(&self) -> &'static str {
        "brought"
    }

    fn equations_of(&self, at: [&Frame; 4], emit: &mut dyn FnMut(Equation, [DVec3; 2])) {
        self.0.equations_of(at, emit);
    }
}

fn brought(world: &mut World, joints: [JointId; 2], ratio: f64) {
    let [first, second] = joints.map(|id| world[id].bodies().map(|index| world.body_ids()[index]));
    let kind = world.gear(joints, ratio, None).unwrap().kind;
    let joint = Joint::custom(first[0], first[1], Brought(kind)).further(second[0], second[1]);
    world.add_joint(joint.collide_connected()).unwrap();
}

/// A joint of another crate may act on up to four bodies: brought from outside, a gear has the bits of the built-in one under
/// every scheme and level. That it is accepted shows that J and k agree with differences.
#[test]
fn a_joint_of_another_crate_may_have_four_bodies() {
    for method in methods(1e-3) {
        let bits = |gear: fn(&mut World, [JointId; 2], f64)| {
            let mut world = tumbling(gear);
            run(&mut world, &method, 1e-3, 50);
            let bodies = world.bodies().iter();
            bodies.flat_map(|body| body.pose.coordinates().to_array().map(f64::to_bits)).collect::<Vec<_>>()
        };
        assert_eq!(bits(built_in), bits(brought), "{}", method.stabilizer.info().key);
    }
}

/// A wrong derivative at the third or fourth body is refused, as at the first two.
#[test]
fn a_wrong_derivative_at_a_further_body_is_refused() {
    #[derive(Debug)]
    struct Wrong;
    impl CustomJoint for Wrong {
        fn key(&self) -> &'static str {
            "wrong"
        }
        fn equations_of(&self, [a, b, c, d]: [&Frame; 4], emit: &mut dyn FnMut(Equation, [DVec3; 2])) {
            let g = a.angle + b.angle + c.angle - d.angle;
            let unit = driftlab::model::joint::Unit::Radian;
            emit(Equation { g, ja: DVec3::Z, jb: DVec3::Z, k: 0.0, unit }, [DVec3::Z, DVec3::Z]);
        }
    }
    let mut world = World::new(DVec2::ZERO);
    let [a, b, c, d] = [0.0, 1.0, 2.0, 3.0].map(|x| wheel(&mut world, [x, 0.0], 0.1));
    let error = world.add_joint(Joint::custom(a, b, Wrong).further(c, d)).unwrap_err();
    assert!(error.to_string().contains("∂g/∂θ of the fourth body"), "{error}");
    let error = world.add_joint(Joint::custom(a, b, Wrong)).unwrap_err();
    assert!(error.to_string().contains("third body"), "{error}");
}

/// A gear ties its two joints by identity: it goes with either of them, survives the removal of others, and refers to the same
/// bodies after their indices have shifted.
#[test]
fn a_gear_goes_with_its_joints() {
    let mut world = World::new(DVec2::ZERO);
    let spare = wheel(&mut world, [5.0, 0.0], 0.1);
    let frame = fixed(&mut world);
    let [a, b, c] = [0.0, 1.0, 2.0].map(|x| wheel(&mut world, [x, 0.0], 0.1));
    let [first, second, third] = [a, b, c].map(|own| world.add_joint(Joint::hinge(frame, own)).unwrap());
    let one = world.add_gear([first, second], 2.0).unwrap();
    let other = world.add_gear([second, third], 1.0).unwrap();
    world.remove_body(spare).unwrap();
    assert_eq!((world[one].bodies(), world[one].further()), ([0, 1], Some([0, 2])));
    let before = world.clone();
    world.remove_joint(first).unwrap();
    assert!(world.joint(one).is_none() && world.joint(other).is_some());
    world = before.clone();
    let removed = world.remove_body(b).unwrap();
    assert_eq!(removed.joints.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [second, one, other]);
    world = before;
    // Its joints may be edited, and it follows; not to a kind without a coordinate.
    world.edit_joint(first, |joint| joint.kind.anchors_mut().unwrap()[0] = DVec2::X).unwrap();
    let JointKind::Gear(gear) = &world[one].kind else { panic!() };
    assert_eq!(gear.sides()[0], world[first].kind);
    let weld = driftlab::model::joint::Weld { anchors: [DVec2::ZERO; 2], reference_angle: 0.0 };
    let error = world.edit_joint(first, |joint| joint.kind = JointKind::Weld(weld)).unwrap_err();
    assert_eq!(error, ModelError::NoFreeCoordinate("weld"));
}

/// A gear of joints that cannot be geared is refused.
#[test]
fn a_gear_that_ties_nothing_is_refused() {
    let mut world = World::new(DVec2::ZERO);
    let frame = fixed(&mut world);
    let [a, b] = [0.0, 1.0].map(|x| wheel(&mut world, [x, 0.0], 0.1));
    let [first, second] = [a, b].map(|own| world.add_joint(Joint::hinge(frame, own)).unwrap());
    let rod = world.add_joint(Joint::distance(a, b)).unwrap();
    assert_eq!(world.add_gear([first, first], 1.0), Err(ModelError::GearJoints(first, first)));
    assert_eq!(world.add_gear([first, rod], 1.0), Err(ModelError::NoFreeCoordinate("distance")));
    for ratio in [0.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(world.add_gear([first, second], ratio), Err(ModelError::OutOfRange { .. })));
    }
    let gear = world.add_gear([first, second], 1.0).unwrap();
    assert_eq!(world.add_gear([gear, second], 1.0), Err(ModelError::GearJoints(gear, second)));
    world.remove_joint(rod).unwrap();
    assert_eq!(world.add_gear([first, rod], 1.0), Err(ModelError::NoSuchJoint(rod)));
    let JointKind::Gear(Gear { ratio, constant, .. }) = world[gear].kind else { panic!() };
    assert_eq!((ratio, constant), (1.0, 0.0));
}

/// Bodies that only gears connect are one island, and a gear in an island with contacts is met there: two disks that lie on a
/// floor, geared, turn in their ratio when one is driven.
#[test]
fn geared_bodies_with_contacts_keep_their_ratio() {
    let h = 1e-3;
    for method in methods(h).filter(|method| method.level == Level::Velocity) {
        let mut world = World::new([0.0, -9.81]);
        let floor = Body::fixed().at([0.0, -1.0]).shape(Shape::rectangle(20.0, 1.0)).friction(0.5);
        let frame = world.add_body(floor).unwrap();
        let [a, b] = [-1.0, 1.0].map(|x| {
            let cart =
                Body::dynamic().at([x, -0.4]).shape(Shape::rectangle(0.5, 0.2)).mass(2.0).friction(0.5);
            world.add_body(cart).unwrap()
        });
        let wheels = [a, b].map(|cart| {
            let x = world[cart].pose.position.x;
            let own = wheel(&mut world, [x, -0.1], 0.05);
            world.add_joint(Joint::hinge(cart, own).at([x, -0.1])).unwrap()
        });
        let _ = frame;
        world.add_gear(wheels, 2.0).unwrap();
        world
            .edit_joint(wheels[0], |joint| {
                joint.motor = Some(driftlab::model::Motor { speed: 3.0, max_force: 0.2 });
            })
            .unwrap();
        run(&mut world, &method, h, 500);
        let key = method.stabilizer.info().key;
        let rates = wheels.map(|id| {
            let [cart, own] = world[id].bodies().map(|index| world.bodies()[index].velocity.angular);
            own - cart
        });
        assert!(rates[0] > 0.1, "{key}: {rates:?}");
        assert!((rates[0] + 2.0 * rates[1]).abs() < 1e-2 * rates[0], "{key}: {rates:?}");
    }
}

/// Of two equal wheels in mesh, one driven by the torque τ, the gear bears τ/2, by Newton's law of both: it breaks at less and
/// holds at more, breaks as well with the hinge of a wheel, and then the wheels no longer know of each other. It may not be soft.
#[test]
fn a_gear_breaks_beyond_what_it_bears() {
    for method in methods(1e-3) {
        let key = method.stabilizer.info().key;
        let mesh = |bears: f64, hinge_breaks: bool| {
            let mut world = World::new(DVec2::ZERO);
            let frame = fixed(&mut world);
            let wheels = [0.0, 1.0].map(|x| wheel(&mut world, [x, 0.0], 0.02));
            let hinges = wheels.map(|own| world.add_joint(Joint::hinge(frame, own)).unwrap());
            let gear = world.add_gear(hinges, 1.0).unwrap();
            let breaking = Breaking { torque: Some(bears), ..Breaking::default() };
            world.edit_joint(gear, |joint| joint.breaking = Some(breaking)).unwrap();
            if hinge_breaks {
                let breaking = Breaking { force: Some(1.0), ..Breaking::default() };
                world.edit_joint(hinges[0], |joint| joint.breaking = Some(breaking)).unwrap();
                world.set_applied_force(wheels[0], Some(AppliedForce::force([3.0, 0.0]))).unwrap();
            } else {
                world.set_applied_force(wheels[0], Some(AppliedForce::torque(1.0))).unwrap();
            }
            run(&mut world, &method, 1e-3, 100);
            (world[gear].broken, wheels.map(|own| world[own].velocity.angular))
        };
        let (broken, [first, second]) = mesh(0.6, false);
        assert!(!broken && (first + second).abs() < 1e-3 * first, "{key}: {first} {second}");
        let (broken, [first, second]) = mesh(0.4, false);
        assert!(broken && first > 3.0 * second.abs(), "{key}: {first} {second}");
        assert!(mesh(0.6, true).0, "{key}");
    }
    let mut world = World::new(DVec2::ZERO);
    let frame = fixed(&mut world);
    let hinges = [0.0, 1.0].map(|x| {
        let own = wheel(&mut world, [x, 0.0], 0.02);
        world.add_joint(Joint::hinge(frame, own)).unwrap()
    });
    let gear = world.add_gear(hinges, 1.0).unwrap();
    let own = Softness { stiffness: 1.0, damping: 0.0 };
    let soft = JointSoftness { linear: own, angular: own };
    let error = world.edit_joint(gear, |joint| joint.softness = Some(soft)).unwrap_err();
    assert!(error.to_string().contains("bodies of a soft joint"), "{error}");
}

/// A gear of two sprung wheels ties the angles that their motors would drive, and leaves the springs alone: driven by a torque
/// the wheels turn in the ratio, while each sinks by m g/k.
#[test]
fn a_gear_of_sprung_wheels_ties_their_angles() {
    let mut world = World::new([0.0, -10.0]);
    let frame = fixed(&mut world);
    let wheels = [0.0, 1.0].map(|x| wheel(&mut world, [x, 0.0], 0.02));
    let joints =
        wheels.map(|own| world.add_joint(Joint::wheel(frame, own, [0.0, 1.0], 1000.0, 60.0)).unwrap());
    world.add_gear(joints, 2.0).unwrap();
    world.set_applied_force(wheels[0], Some(AppliedForce::torque(0.1))).unwrap();
    run(&mut world, &Method::projection(), 1e-3, 1000);
    let [first, second] = wheels.map(|own| world[own].pose);
    // Both move the inertia I (1 + 1/ρ²): ½ τ/(I (1 + 1/4)) t².
    assert!((first.angle - 2.0).abs() < 0.01, "{}", first.angle);
    assert!((first.angle + 2.0 * second.angle).abs() < 1e-9, "{} {}", first.angle, second.angle);
    for pose in [first, second] {
        assert!((pose.position.y + 0.01).abs() < 1e-6, "{}", pose.position.y);
    }
}

/// x = θ_a + θ_b + θ_c + θ_d of four bodies, which nothing holds.
#[derive(Debug)]
struct Sum;

impl CustomJoint for Sum {
    fn key(&self) -> &'static str {
        "sum"
    }

    fn rows(&self) -> usize {
        0
    }

    fn coordinate_of(&self, at: [&Frame; 4]) -> Option<(Equation, [DVec3; 2])> {
        let g = at.iter().map(|frame| frame.angle).sum();
        Some((Equation { g, ja: DVec3::Z, jb: DVec3::Z, k: 0.0, unit: Unit::Radian }, [DVec3::Z; 2]))
    }
}

/// A motor that holds a position, friction and a motor of speed act on the coordinate of four bodies: with J M⁻¹Jᵀ = 4/I a torque
/// τ on one body shifts a held x by τ/(4 k), k = ω² I/4, friction below τ/4 lets x begin with (τ − 4 f)/I, and more holds it.
#[test]
fn motors_and_friction_act_on_a_coordinate_of_four_bodies() {
    let (inertia, torque) = (0.1, 0.4);
    for method in methods(1e-3) {
        let key = method.stabilizer.info().key;
        let of = |build: fn(driftlab::model::JointBuilder) -> driftlab::model::JointBuilder,
                  steps: usize| {
            let mut world = World::new(DVec2::ZERO);
            let all = [0.0, 1.0, 2.0, 3.0].map(|x| wheel(&mut world, [x, 0.0], inertia));
            let [a, b, c, d] = all;
            world.add_joint(build(Joint::custom(a, b, Sum).further(c, d))).unwrap();
            world.set_applied_force(a, Some(AppliedForce::torque(torque))).unwrap();
            run(&mut world, &method, 1e-3, steps);
            let angle: f64 = all.iter().map(|own| world[*own].pose.angle).sum();
            let rate: f64 = all.iter().map(|own| world[*own].velocity.angular).sum();
            [angle, rate]
        };
        let servo = |joint: driftlab::model::JointBuilder| {
            joint.motor(0.0, 10.0).servo(Servo { position: 0.0, frequency: 2.0, damping_ratio: 1.0 })
        };
        let expected = torque / (inertia * (2.0 * TAU).powi(2));
        let [held, _] = of(servo, 2000);
        assert!((held - expected).abs() < 1e-6, "{key}: {held}, expected {expected}");
        let [_, rate] = of(|joint| joint.friction(0.05), 100);
        let expected = 0.1 * (torque - 4.0 * 0.05) / inertia;
        let most = if yields(&method) { 1e-3 } else { 1e-6 };
        assert!((rate - expected).abs() < most, "{key}: {rate}, expected {expected}");
        assert!(of(|joint| joint.friction(0.2), 100)[1].abs() < most, "{key}");
        let [_, rate] = of(|joint| joint.motor(3.0, 10.0), 100);
        assert!((rate - 3.0).abs() < most, "{key}: {rate}");
    }
}

/// Protects the signs: a hinge whose bodies are named the other way round has the opposite angle, so that with the opposite
/// ratio the gear is the same; a torque τ on the first wheel turns it by ½ τ t²/(I₁ + I₂/ρ²) either way. A pulley whose ends
/// are swapped, with 1/ρ and L/ρ, is the same rope: T = 3 g/(1/m_a + 4/m_b) at ρ = 2.
#[test]
fn flipped_bodies_make_the_same_gear_and_pulley() {
    let (h, steps) = (1e-3, 500);
    for method in methods(h) {
        for flipped in [false, true] {
            let mut world = World::new([0.0, -9.81]);
            let frame = fixed(&mut world);
            let [one, other] =
                [(0.0, 0.02), (1.0, 0.05)].map(|(x, inertia)| wheel(&mut world, [x, 0.0], inertia));
            world.set_applied_force(one, Some(AppliedForce::torque(0.3))).unwrap();
            let first = world.add_joint(Joint::hinge(frame, one).at([0.0, 0.0])).unwrap();
            let ends = if flipped { [other, frame] } else { [frame, other] };
            let second = world.add_joint(Joint::hinge(ends[0], ends[1]).at([1.0, 0.0])).unwrap();
            world.add_gear([first, second], if flipped { -2.0 } else { 2.0 }).unwrap();
            run(&mut world, &method, h, steps);
            let rate = 0.3 / (0.02 + 0.05 / 4.0) * h * steps as f64;
            let found = [one, other].map(|own| world[own].velocity.angular);
            let key = method.stabilizer.info().key;
            // Of joints that are springs the ratio is met up to their yield.
            let slack = if key == "soft" || key == "xpbd" { 1e-3 } else { 1e-9 };
            assert!((found[0] - rate).abs() < slack * rate, "{key}, {flipped}: {found:?}");
            assert!((found[0] + 2.0 * found[1]).abs() < slack * rate, "{key}, {flipped}: {found:?}");
        }
    }
    for flipped in [false, true] {
        let mut world = World::new([0.0, -9.81]);
        let load = |x: f64, mass: f64| Body::dynamic().at([x, 0.0]).mass_and_inertia(mass, 0.1);
        let [a, b] = [(0.0, 1.0), (1.0, 3.0)].map(|(x, mass)| world.add_body(load(x, mass)).unwrap());
        let rope = if flipped {
            Joint::pulley(b, a, [[1.0, 1.0], [0.0, 1.0]]).ratio(0.5).length(1.5)
        } else {
            Joint::pulley(a, b, [[0.0, 1.0], [1.0, 1.0]]).ratio(2.0).length(3.0)
        };
        world.add_joint(rope).unwrap();
        run(&mut world, &Method::none(), h, steps);
        let (t, tension) = (h * steps as f64, 3.0 * 9.81 / (1.0 + 4.0 / 3.0));
        let due = [-9.81 + tension, -9.81 + 2.0 * tension / 3.0].map(|a| a * t);
        let found = [a, b].map(|own| world[own].velocity.linear.y);
        assert!(
            (found[0] - due[0]).abs() < 1e-9 && (found[1] - due[1]).abs() < 1e-9,
            "{found:?}, not {due:?}"
        );
    }
}
