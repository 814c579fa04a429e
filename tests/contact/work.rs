//! The energy that contacts' corrections put in, as the step reports it; limits, motors and moving platforms; RATTLE.

use super::worlds::{G, disk, ground};
use crate::physics::worlds::{GRAVITY, WITHIN_A_STEP, bar, edit, hinge, method, run, stiffest, wall};
use driftlab::method::{Level, Method};
use driftlab::model::{Body, BodyKind, Joint, MassSpec, Motion, Motor, Placement, Shape, World};
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

const RADIUS: f64 = 0.25;
/// Schemes with a gap term in the velocity row of a contact.
const BIASED: [&str; 3] = ["baumgarte_velocity", "anitescu_hart", "implicit"];

fn overlapping(overlap: f64, gravity: DVec2) -> World {
    let mut world = World::new(gravity);
    world.add_body(ground(DVec2::Y, 0.0)).unwrap();
    world.add_body(disk(RADIUS, DVec2::new(0.0, RADIUS - overlap), 0.0)).unwrap();
    world
}

/// A ball pushed out of the ground from rest has exactly the reported work as kinetic energy, and no work is reported in the
/// next step.
#[test]
fn work_of_a_push_out_is_the_energy_that_appears() {
    for key in BIASED {
        let mut world = overlapping(1e-3, DVec2::ZERO);
        let report = run(&mut world, &method(key, &[]), 1e-3, 1)[0];
        assert!(report.kinetic_energy > 0.0, "{key}");
        let gap = (report.kinetic_energy - report.correction_work).abs();
        assert!(gap < 1e-12 * report.kinetic_energy, "{key}: {report:?}");
        // The ball has left the ground.
        assert_eq!(run(&mut world, &method(key, &[]), 1e-3, 1)[0].correction_work, 0.0, "{key}");
    }
}

/// The energy lost in a plastic impact is not counted as work of a correction; with an overlap the work is the kinetic energy
/// after the impact, ½ m b², which comes from the bias b alone.
#[test]
fn impact_is_no_work_of_the_correction() {
    for key in BIASED {
        for overlap in [0.0, 1e-3] {
            let mut world = overlapping(overlap, DVec2::ZERO);
            edit(&mut world, 1, |body| body.velocity.linear.y = -2.0);
            let report = run(&mut world, &method(key, &[]), 1e-3, 1)[0];
            let gap = (report.kinetic_energy - report.correction_work).abs();
            assert!(gap < 1e-12, "{key}, {overlap}: {report:?}");
            assert_eq!(overlap > 0.0, report.correction_work > 0.0, "{key}");
        }
    }
}

/// A disk that falls on the floor stops, and one that falls on a platform rising at u moves on at u: schemes that correct
/// positions or project do not count the energy lost in the impact as work of their correction. (Split impulses split
/// all overlaps here.)
#[test]
fn a_plastic_impact_is_no_work_of_the_correction() {
    let (v, h) = (3.0, 1e-3);
    for key in ["projection", "rattle", "post_stabilization", "ngs", "split_impulse", "xpbd"] {
        for (u, gap) in [(0.0, 0.0), (0.0, 0.4 * h * v), (0.5, 0.0), (0.5, 0.4 * h * v)] {
            let mut world = World::new(DVec2::ZERO);
            let mut floor = BodyKind::Fixed;
            if u > 0.0 {
                floor = BodyKind::Kinematic(Motion::ConstantVelocity);
            }
            let shape = Placement::centred(Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 });
            let mut floor = Body::new(floor, DVec2::ZERO, 0.0, vec![shape], MassSpec::default()).unwrap();
            floor.velocity.linear.y = u;
            world.add_body(floor).unwrap();
            let mut falling = disk(RADIUS, DVec2::new(0.0, RADIUS + gap), 0.0);
            falling.velocity.linear.y = -v;
            world.add_body(falling).unwrap();
            let mass = world.bodies()[1].mass_properties().mass;
            let all: &[(&str, f64)] = if key == "split_impulse" { &[("split_depth", 0.0)] } else { &[] };
            let reports = run(&mut world, &method(key, all), h, 3);
            let kept = 0.5 * mass * u * u;
            assert!((reports[2].kinetic_energy - kept).abs() < 1e-10, "{key}, {u}, {gap}: {reports:?}");
            let work: f64 = reports.iter().map(|report| report.correction_work).sum();
            let energy = 0.5 * mass * v * v;
            assert!(work.abs() < 1e-12 * energy, "{key}, {u}, {gap}: {work:e} of {energy}");
        }
    }
}

/// Lifting a ball by d out of the ground takes the work m g d, and leaves no kinetic energy, whether the ball was at rest or
/// falling at 2 m/s.
#[test]
fn lifting_out_of_the_ground_is_work_against_gravity() {
    let depth = 1e-3;
    for key in ["projection", "rattle", "post_stabilization", "xpbd"] {
        for speed in [0.0, 2.0] {
            let mut world = overlapping(depth, GRAVITY);
            edit(&mut world, 1, |body| body.velocity.linear.y = -speed);
            let weight = world.bodies()[1].mass_properties().mass * G;
            let report = run(&mut world, &method(key, &[]), 1e-3, 1)[0];
            let gap = (report.correction_work - weight * depth).abs();
            assert!(gap < 1e-9 * weight * depth, "{key}, {speed}: {report:?}");
            assert!(report.contact_error < 1e-15 && report.kinetic_energy < 1e-20, "{key}: {report:?}");
        }
    }
}

/// A ball at rest on the ground needs no work of a correction.
#[test]
fn a_resting_body_needs_no_work_of_the_correction() {
    for key in BIASED.into_iter().chain(["projection", "rattle", "ngs", "split_impulse", "xpbd"]) {
        let work: f64 = run(&mut overlapping(0.0, GRAVITY), &method(key, &[]), 1e-3, 500)
            .iter()
            .map(|report| report.correction_work)
            .sum();
        assert!(work.abs() < 1e-12, "{key}: {work:e}");
    }
}

/// All schemes at the velocity level that meet their rows within a step.
fn velocity_level() -> impl Iterator<Item = Method> {
    WITHIN_A_STEP
        .iter()
        .map(|scheme| stiffest(Method::new((*scheme).into())))
        .filter(|method| method.level == Level::Velocity)
}

/// A bar of 1 m, hinged at its left end, horizontal; `change` adds limits or a motor to the hinge.
fn hinged_bar(gravity: DVec2, change: impl FnOnce(&mut Joint)) -> World {
    let mut world = World::new(gravity);
    let wall = world.add_body(wall()).unwrap();
    let link = world.add_body(bar(DVec2::new(1.0, 0.1), DVec2::new(0.5, 0.0), 0.0)).unwrap();
    let joint = world.add_joint(hinge([wall, link], DVec2::ZERO)).unwrap();
    world.edit_joint(joint, change).unwrap();
    world
}

/// A falling bar comes to rest at the limit of its hinge and never exceeds it by more than h² ω², or by 4 mrad under the soft
/// scheme, whose limit sags, and `ngs`, whose position sweeps end within 2°. (Limits of `mujoco` act once they are exceeded.)
#[test]
fn hinge_limit_stops_a_falling_bar() {
    for h in [4e-3, 1e-3] {
        for method in velocity_level().filter(|method| method.stabilizer.info().key != "mujoco") {
            let key = method.stabilizer.info().key;
            let mut world = hinged_bar(GRAVITY, |joint| joint.limits = Some([-0.5, 1.0]));
            let mut lowest = 0.0_f64;
            for _ in 0..(2.0 / h) as usize {
                run(&mut world, &method, h, 1);
                lowest = lowest.min(world.bodies()[1].pose.angle);
            }
            // ω² = 3 g sin 0.5 / L at the limit. A soft limit sags by 3 g cos 0.5 / (2 L ω_f²) = 9e-5 rad at 60 Hz, and by
            // the error that a single sweep leaves between limit and hinge, for which there is no bound: 2.7e-3 rad found.
            let omega2 = 3.0 * G * 0.5_f64.sin();
            let sag = if matches!(key, "soft" | "ngs") { 4e-3 } else { 0.0 };
            assert!(lowest > -0.5 - h * h * omega2 - sag, "{key}, h = {h}: {:e} beyond", -0.5 - lowest);
            let spin = world.bodies()[1].velocity.angular;
            assert!((lowest + 0.5).abs() < 5e-3 && spin.abs() < 1e-3, "{key}, h = {h}: {lowest}, {spin}");
        }
    }
}

/// A motor turns a bar about its hinge with its full torque, ω = τ t/I, until it reaches its speed, and then keeps it.
#[test]
fn motor_reaches_its_speed_with_its_torque() {
    let (speed, torque, h) = (3.0, 50.0, 1e-3);
    for method in velocity_level() {
        let key = method.stabilizer.info().key;
        let motor = Motor { speed, max_force: torque };
        let mut world = hinged_bar(DVec2::ZERO, |joint| joint.motor = Some(motor));
        let p = world.bodies()[1].mass_properties();
        let inertia = p.inertia + p.mass * 0.25;
        let rise = speed * inertia / torque;
        let steps = (0.5 * rise / h) as usize;
        run(&mut world, &method, h, steps);
        let (expected, found) = (torque * steps as f64 * h / inertia, world.bodies()[1].velocity.angular);
        assert!((found / expected - 1.0).abs() < 2e-2, "{key}: {found} instead of {expected}");
        run(&mut world, &method, h, steps * 3);
        let found = world.bodies()[1].velocity.angular;
        assert!((found - speed).abs() < 1e-2 * speed, "{key}: {found} instead of {speed}");
    }
}

/// A bar with limits and a motor that throws it against one, beside disks that roll, meet and rebound on the ground.
fn busy() -> World {
    let mut world = hinged_bar(GRAVITY, |joint| {
        joint.limits = Some([-0.3, 0.4]);
        joint.motor = Some(Motor { speed: 2.0, max_force: 600.0 });
    });
    for index in 0..world.bodies().len() {
        edit(&mut world, index, |body| body.collides = false);
    }
    world.add_body(ground(DVec2::Y, 0.4)).unwrap();
    for (index, x) in [0.0, 0.6, 1.1].into_iter().enumerate() {
        let mut ball = disk(RADIUS, DVec2::new(x, RADIUS + 0.1 * index as f64), 0.4);
        ball.velocity.linear = DVec2::new(1.0 - x, 0.0);
        ball.restitution = 0.3;
        world.add_body(ball).unwrap();
    }
    world
}

/// The warm start is part of the world: a clone with contacts, limits and motors at work steps to the same bits, with a
/// workspace that served another world as with one of its own.
#[test]
fn clone_in_contact_steps_to_the_same_bits() {
    for scheme in TABLE {
        let method = Method::new((*scheme).into());
        let mut world = busy();
        run(&mut world, &method, 1e-3, 150);
        let mut clone = world.clone();
        let contacts = run(&mut world, &method, 1e-3, 150).iter().map(|report| report.contacts).max();
        assert!(contacts >= Some(1), "{}: {contacts:?}", scheme.info().key);
        let mut workspace = Workspace::default();
        step(&mut hinged_bar(GRAVITY, |_| ()), &method, 1e-3, &mut workspace).unwrap();
        for _ in 0..150 {
            step(&mut clone, &method, 1e-3, &mut workspace).unwrap();
        }
        assert_eq!(world, clone, "{}", scheme.info().key);
    }
}

/// A body that slides without friction from the top of a fixed disk leaves it at cos θ = ⅔ cos θ₀. Until then RATTLE keeps
/// the contact closed to 1e-10 m and is of second order in the trajectory.
#[test]
fn rattle_holds_a_lasting_contact_to_second_order() {
    let start = 0.3_f64;
    let slide = |h: f64, duration: f64| {
        let mut world = World::new(GRAVITY);
        let shape = Placement::centred(Shape::Circle { radius: 0.75 });
        let post = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, vec![shape], MassSpec::default()).unwrap();
        world.add_body(post).unwrap();
        world.add_body(disk(RADIUS, DVec2::new(start.sin(), start.cos()), 0.0)).unwrap();
        let mut workspace = Workspace::default();
        let mut left = None;
        for _ in 0..(duration / h).round() as usize {
            step(&mut world, &method("rattle", &[]), h, &mut workspace).unwrap();
            let at = world.bodies()[1].pose.position;
            if at.length() < 1.0 + 1e-10 {
                assert!(at.length() > 1.0 - 1e-10, "{}", at.length());
            } else {
                left = left.or(Some(at.y));
            }
        }
        (world.bodies()[1].pose.position, left)
    };
    // Still on the disk at 0.4 s.
    let [coarse, fine, finest] = [4e-3, 2e-3, 2.5e-4].map(|h| slide(h, 0.4));
    assert_eq!(finest.1, None);
    let order = ((coarse.0 - finest.0).length() / (fine.0 - finest.0).length()).log2();
    assert!((order - 2.0).abs() < 0.1, "order {order}");
    let left = slide(2e-3, 0.8).1.unwrap();
    // Within the height that a step falls, 2 m/s · h.
    assert!((left - 2.0 / 3.0 * start.cos()).abs() < 2.0 * 2e-3 * 2.0, "{left}");
}

/// A disk on a platform that rises with a prescribed velocity rises with it to 1e-9, or below it by its sag under the soft
/// scheme, whose contacts have 30 Hz where both bodies move.
#[test]
fn kinematic_platform_carries_a_disk() {
    for method in velocity_level() {
        let key = method.stabilizer.info().key;
        let mut world = World::new(GRAVITY);
        let shape = Placement::centred(Shape::Circle { radius: 10.0 });
        let lift = BodyKind::Kinematic(Motion::ConstantVelocity);
        let mut lift =
            Body::new(lift, DVec2::new(0.0, -10.0), 0.0, vec![shape], MassSpec::default()).unwrap();
        lift.velocity.linear = DVec2::new(0.0, 0.5);
        world.add_body(lift).unwrap();
        world.add_body(disk(RADIUS, DVec2::new(0.0, RADIUS), 0.0)).unwrap();
        edit(&mut world, 1, |body| body.velocity.linear = DVec2::new(0.0, 0.5));
        // At ζ = 10 a substep takes back 0.1 % of an overlap.
        let steps = if key == "soft" { 6000 } else { 1000 };
        run(&mut world, &method, 1e-3, steps);
        let body = &world.bodies()[1];
        let sag = if key == "soft" { G / (30.0 * std::f64::consts::TAU).powi(2) } else { 0.0 };
        let height = body.pose.position.y - RADIUS - 0.5e-3 * steps as f64;
        let most = if key == "mujoco" { 1e-8 } else { 1e-9 }; // (1 − d) g (2h)² of its stiffest contacts is 4e-9 m
        assert!((height + sag).abs() < most, "{key}: {height:e}");
        assert!((body.velocity.linear.y - 0.5).abs() < 1e-9, "{key}: {}", body.velocity.linear.y);
    }
}
