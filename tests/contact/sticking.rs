//! Friction at the acceleration level: what sticks stays, what stops ends at rest, and what rolls rolls on, by Coulomb's law in
//! closed form.

use super::worlds::{G, block, disk, downhill, ground, on_incline};
use crate::largest;
use crate::physics::worlds::{edit, method, run};
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::{AppliedForce, Body, Joint, Motion, Placement, Shape, Spring, World};
use glam::DVec2;

/// The schemes of the acceleration level, and two of the velocity level beside them.
fn methods() -> Vec<(String, Method)> {
    let forces = ["none", "post_stabilization", "baumgarte_acceleration"].map(|key| {
        let own = method(key, &[]).at_level(Level::Acceleration, Integrator::SemiImplicitEuler).unwrap();
        (format!("{key}, forces"), own)
    });
    let others = ["implicit", "anitescu_hart"].map(|key| (key.to_owned(), method(key, &[])));
    forces.into_iter().chain(others).collect()
}

/// A block of 0.2 m by 0.3 m in a guide with 2 mm of clearance on either side, tilted until it touches both with two opposite
/// corners, under a force of 10 N along the guide whose arm is `share` of that at which it jams.
pub fn jammed_block(share: f64, gravity: f64) -> World {
    let (half, gap) = (DVec2::new(0.1, 0.15), 0.002);
    // The angle at which both corners touch: half width of the turned block = 0.102.
    let reach = |angle: f64| half.x * angle.cos() + half.y * angle.sin() - (half.x + gap);
    let (mut low, mut high) = (0.0_f64, 0.1);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if reach(middle) > 0.0 { high = middle } else { low = middle }
    }
    let mut world = World::new(DVec2::new(0.0, -gravity));
    let sides = [-1.0, 1.0].map(|side| Placement {
        offset: DVec2::new(side * 0.202, 0.0),
        ..Placement::centred(Shape::rectangle(0.2, 40.0))
    });
    let guide = sides.into_iter().fold(Body::fixed().friction(0.3), |guide, side| guide.placed(side));
    world.add_body(guide).unwrap();
    let body = Body::dynamic().at([0.0, 1.0]).angle(-low).shape(Shape::rectangle(0.2, 0.3));
    let body = world.add_body(body.mass_and_inertia(1.0, 0.02).friction(0.3)).unwrap();
    // Corners at (∓0.102, ±c′): N = F e/(2 c′), and 2 μ N ≥ F for e ≥ c′/μ, with the levers of friction beside it.
    let corner = DVec2::from_angle(-low).rotate(DVec2::new(half.x, half.y));
    let arm = share * corner.y.abs() / 0.3;
    let at = DVec2::from_angle(low).rotate(DVec2::new(arm, 0.0));
    world.set_applied_force(body, Some(AppliedForce { at, ..AppliedForce::force([0.0, -10.0]) })).unwrap();
    world
}

/// A block in a guide with clearance that a force beyond its edge tilts and jams: it touches the guide at two opposite
/// corners, N = F e/(2c) on each with the force's arm e and the half distance 2c of the corners along the guide, and
/// does not move while F ≤ 2 μ N, whatever F is. At twice the jamming arm it stays where it is.
#[test]
fn a_jammed_block_does_not_move() {
    for (share, jams) in [(2.0, true), (1.05, true), (0.5, false)] {
        for gravity in [0.0, 3.0] {
            for (name, method) in methods() {
                let mut world = jammed_block(share, gravity);
                run(&mut world, &method, 1.0 / 60.0, 120);
                let fall = 1.0 - world.bodies()[1].pose.position.y;
                if jams {
                    // With weight at the centre the force's mean arm is less.
                    let holds = gravity == 0.0 || share > 1.5;
                    assert!(
                        !holds || fall.abs() < 1e-3,
                        "{name}, {share} of the arm, {gravity} m/s²: {fall} m"
                    );
                } else {
                    assert!(fall > 1.0, "{name}, {share} of the arm, {gravity} m/s²: {fall} m");
                }
            }
        }
    }
}

/// A cylinder of 2 kg between a plate that is moved at 2 m/s and one of `load` kg that a motor holds at −1 m/s; it is the last
/// body.
pub fn cylinder_between_plates(load: f64) -> World {
    let mut world = World::new(DVec2::new(0.0, -G));
    let wall = world.add_body(Body::fixed()).unwrap();
    let plate = |size: f64| Shape::rectangle(40.0, size);
    let bottom = Body::kinematic(Motion::ConstantVelocity).at([0.0, -0.05]).shape(plate(0.1));
    world.add_body(bottom.velocity([2.0, 0.0]).friction(0.8)).unwrap();
    let top = Body::dynamic().at([0.0, 0.7]).shape(plate(0.2)).mass(load).friction(0.8);
    let top = world.add_body(top).unwrap();
    let car =
        Body::dynamic().at([0.0, 2.0]).shape(Shape::rectangle(0.1, 0.1)).mass(1.0).without_collisions();
    let car = world.add_body(car).unwrap();
    let cylinder = Body::dynamic().at([0.0, 0.3]).shape(Shape::circle(0.3)).mass(2.0).friction(0.8);
    world.add_body(cylinder).unwrap();
    world.add_joint(Joint::slider(wall, car, [1.0, 0.0]).at([0.0, 2.0]).motor(-1.0, 1e6)).unwrap();
    world.add_joint(Joint::slider(car, top, [0.0, 1.0]).at([0.0, 0.7])).unwrap();
    world
}

/// A cylinder between two plates that move at 2 and −1 m/s without slip moves at their mean, 0.5 m/s, and turns at 3/(2r) = 5
/// rad/s, also where it has to be brought up to that within a few steps by a load far above its weight.
#[test]
fn a_cylinder_between_plates_rolls_at_their_mean() {
    for (h, load) in [(1.0 / 240.0, 50.0), (1.0 / 60.0, 500.0), (1e-3, 5.0)] {
        for (name, method) in methods() {
            let mut world = cylinder_between_plates(load);
            run(&mut world, &method, h, (1.0 / h) as usize);
            let v = world.bodies()[4].velocity;
            let off = (v.linear.x - 0.5).abs().max((v.angular.abs() - 5.0).abs() / 10.0);
            assert!(off < 0.005, "{name}, h = {h}, {load} kg: {v:?}");
        }
    }
}

/// On an incline a block rests just below tan φ = μ, slides with g (sin φ − μ cos φ) just above it, and one that is
/// pushed up comes to rest after v²/(2 g (sin φ + μ cos φ)) and stays there.
#[test]
fn a_block_on_an_incline_obeys_coulombs_law() {
    let size = DVec2::new(1.0, 0.5);
    for friction in [0.2, 0.6] {
        for (ratio, up) in [(0.98, 0.0), (1.02, 0.0), (0.9, 1.5)] {
            let angle = f64::atan(ratio * friction);
            let build = || on_incline(angle, friction, |n| block(size, 0.5 * size.y * n, -angle, friction));
            let h = 1.0 / 240.0;
            for (name, method) in methods() {
                let mut world = build();
                let start = world.bodies()[1].pose.position;
                edit(&mut world, 1, |body| body.velocity.linear = -up * downhill(angle));
                run(&mut world, &method, h, 480);
                let moved = (world.bodies()[1].pose.position - start).dot(downhill(angle));
                let expected = if up > 0.0 {
                    -up * up / (2.0 * G * (angle.sin() + friction * angle.cos()))
                } else {
                    2.0 * G * (angle.sin() - friction * angle.cos()).max(0.0)
                };
                let error = (moved - expected).abs();
                assert!(
                    error < 1e-4 + 2.0 * h * up + 0.02 * expected.abs(),
                    "{name}, μ = {friction}: {moved} for {expected}"
                );
                if up > 0.0 || ratio < 1.0 {
                    let at = world.bodies()[1].pose.position;
                    run(&mut world, &method, h, 480);
                    let crept = (world.bodies()[1].pose.position - at).length();
                    assert!(crept < 1e-9, "{name}, μ = {friction}: crept by {crept:e} m");
                }
            }
        }
    }
}

/// A block that a force presses against a wall in weightlessness, F on it along the wall: it stays for F ≤ μ N and
/// moves with (F − μ N)/m beyond, to either side, from rest and from a slip of rounding.
#[test]
fn a_pressed_block_sticks_up_to_the_limit() {
    for (pull, side, slip) in
        [(2.9, 1.0, 0.0), (2.9, -1.0, 1e-17), (2.9, 1.0, -1e-17), (3.2, 1.0, -1e-17), (3.2, -1.0, 1e-17)]
    {
        for by_spring in [false, true] {
            let mut world = World::new(DVec2::ZERO);
            let wall = world.add_body(ground(DVec2::Y, 0.3)).unwrap();
            let mass =
                Body::dynamic().at([0.0, 0.1]).shape(Shape::rectangle(1.0, 0.2)).mass(2.0).friction(0.3);
            let mut force = AppliedForce::force([side * pull, -10.0]);
            if by_spring {
                force.force.y = 0.0;
            }
            let mass = world.add_body(mass.velocity([slip, 0.0]).applied(force)).unwrap();
            if by_spring {
                // 10 N down through the centre, by a spring so long that its direction stays.
                let spring = Spring::between(wall, mass).anchors([0.0, -1e6], [0.0, 0.1]).stiffness(1e-5);
                world.add_spring(spring.rest_length(0.1)).unwrap();
            }
            for (name, method) in methods() {
                let mut world = world.clone();
                run(&mut world, &method, 0.01, 200);
                let moved = side * world.bodies()[1].pose.position.x;
                let expected = 0.5 * (pull - 3.0).max(0.0) / 2.0 * 4.0;
                let error = (moved - expected).abs();
                assert!(
                    error < 1e-9 + 0.01 * expected,
                    "{name}, {pull} N, slip {slip}, spring {by_spring}: {moved} for {expected}"
                );
            }
        }
    }
}

/// A uniform disk that is thrown without spin rolls with ⅔ of its speed, after a time v/(3 μ g).
#[test]
fn a_thrown_disk_rolls_with_two_thirds_of_its_speed() {
    for (friction, speed) in [(0.1, 2.0), (0.5, 1.0), (0.9, 0.3)] {
        for (name, method) in methods() {
            let mut world = World::new(DVec2::new(0.0, -G));
            world.add_body(ground(DVec2::Y, friction)).unwrap();
            world.add_body(disk(0.25, DVec2::new(0.0, 0.25), friction)).unwrap();
            edit(&mut world, 1, |body| body.velocity.linear.x = speed);
            run(&mut world, &method, 0.01, 200);
            let v = world.bodies()[1].velocity;
            let (rolls, slip) = (v.linear.x / speed, v.linear.x + 0.25 * v.angular);
            assert!((rolls - 2.0 / 3.0).abs() < 1e-3 && slip.abs() < 1e-9, "{name}, μ = {friction}: {v:?}");
        }
    }
}

/// A block on a plate that swings with the amplitude a and ω moves with it while a ω² < μ g, and slips where a ω² is larger.
#[test]
fn a_block_on_a_swinging_plate_sticks_below_the_limit() {
    let (amplitude, friction) = (0.05, 0.4);
    for (share, sticks) in [(0.95, true), (1.5, false)] {
        let omega = (share * friction * G / amplitude).sqrt();
        let mut world = World::new(DVec2::new(0.0, -G));
        let frequency = omega / std::f64::consts::TAU;
        let motion = Motion::Sine {
            center: DVec2::new(0.0, -0.1),
            amplitude: DVec2::new(amplitude, 0.0),
            frequency,
        };
        world
            .add_body(
                Body::kinematic(motion)
                    .at([0.0, -0.1])
                    .shape(Shape::rectangle(4.0, 0.2))
                    .friction(friction),
            )
            .unwrap();
        let body = Body::dynamic().at([0.0, 0.1]).shape(Shape::rectangle(0.6, 0.2)).friction(friction);
        world.add_body(body.velocity([amplitude * omega, 0.0])).unwrap();
        for (name, method) in methods() {
            let mut world = world.clone();
            let apart = (0..20).map(|_| {
                run(&mut world, &method, 1.0 / 500.0, 50);
                world.bodies()[1].pose.position.x - world.bodies()[0].pose.position.x
            });
            let apart = largest(apart.collect::<Vec<_>>());
            assert!((apart < 2e-3) == sticks, "{name}, {share} of the limit: {apart} m apart");
        }
    }
}
