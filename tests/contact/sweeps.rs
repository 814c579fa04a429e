//! The sweeping schemes, those of common game engines: soft step, sequential impulses with NGS, split impulses, XPBD.

use super::swept_joints::{elongation, stretched};
use super::worlds::{G, block, disk, downhill, ground, on_incline};
use crate::physics::worlds::{GRAVITY, bar, hinge, method, run, wall};
use driftlab::model::World;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;
use std::f64::consts::TAU;

const ALL: [&str; 4] = ["ngs", "split_impulse", "soft", "xpbd"];
const H: f64 = 1e-3;
const RADIUS: f64 = 0.25;

/// A disk on an incline rolls with a = ⅔ g sin θ for tan θ ≤ 3 μ and slips with a = g (sin θ − μ cos θ) beyond. Its contact is
/// one normal and one tangential row, which do not couple for a disk, so that one sweep is exact. (Soft and XPBD contacts
/// are allowed the effect of their overlap.)
#[test]
fn disk_rolls_and_slips_as_in_the_closed_solution() {
    for key in ALL {
        for (angle, friction) in [(0.3_f64, 0.2), (0.8, 0.2)] {
            let mut world = on_incline(angle, friction, |n| disk(RADIUS, n * RADIUS, friction));
            run(&mut world, &method(key, &[]), H, 1000);
            let body = &world.bodies()[1];
            let speed = body.velocity.linear.dot(downhill(angle));
            let slips = angle.tan() > 3.0 * friction;
            let (expected, spin) = if slips {
                (G * (angle.sin() - friction * angle.cos()), -2.0 * friction * G * angle.cos() / RADIUS)
            } else {
                (2.0 / 3.0 * G * angle.sin(), -2.0 / 3.0 * G * angle.sin() / RADIUS)
            };
            // A soft contact sinks by g cos θ/ω², and friction acts half way between the overlapping surfaces.
            // The kept contact's anchor of the disk turns with it, by δ at most before it is found anew at R δ + R sin δ = 5
            // cm, and rises by R δ²/2 on the way.
            let kept = 0.5 * RADIUS * (0.05 / (2.0 * RADIUS)).powi(2);
            let sag = if key == "soft" { G * angle.cos() / (TAU * 60.0).powi(2) + kept } else { 0.0 };
            // XPBD's contact settles at the overlap that the weight causes in a substep.
            let rounding = if key == "xpbd" { 1e-6 } else { 1e-8 };
            let within = |value: f64, expected: f64| {
                (value - expected).abs()
                    < rounding * (1.0 + expected.abs()) + 1.1 * (sag / 2.0 / RADIUS) * expected.abs()
            };
            assert!(within(speed, expected), "{key}, {angle}: {speed} instead of {expected}");
            assert!(within(body.velocity.angular, spin), "{key}: {}", body.velocity.angular);
        }
    }
}

/// A ball on the ground stays at rest, and its contact's stored impulse carries its weight. The soft contact, a single point
/// below the centre, is a spring of stiffness m ω² and sinks by g/ω².
#[test]
fn ball_at_rest_stays() {
    for key in ALL {
        let mut world = on_incline(0.0, 0.5, |n| disk(RADIUS, n * RADIUS, 0.5));
        // A soft contact of ζ = 10 takes back ω²η²/(1 + 2ζωη) = 0.3 % of its error in a substep.
        let steps = if key == "soft" { 4000 } else { 1000 };
        let reports = run(&mut world, &method(key, &[]), H, steps);
        let body = &world.bodies()[1];
        let sag = if key == "soft" { G / (TAU * 60.0).powi(2) } else { 0.0 };
        let height = body.pose.position.y - RADIUS;
        assert!((height + sag).abs() < 1e-12, "{key}: {height:e} instead of {:e}", -sag);
        assert!(body.velocity.linear.length() < 1e-12, "{key}: {}", body.velocity.linear);
        let [contact] = world.contacts() else { panic!("{key}: {:?}", world.contacts()) };
        let weight = body.mass_properties().mass * G * H;
        assert!((contact.impulse[0] / weight - 1.0).abs() < 1e-9, "{key}: {:?}", contact.impulse);
        let last = reports[steps - 1];
        assert!((last.contacts, last.rows) == (1, 2), "{key}: {last:?}");
        assert!(last.residual < 1e-9, "{key}: {:e}", last.residual);
    }
}

/// A box of w × s on two soft corners rests on two springs of stiffness ω²/K, K = 1/m + (w/2)²/I with I = m (w² + s²)/12. It
/// sags by ½ m K g/ω² = ½(1 + 3w²/(w² + s²)) g/ω², whatever the substeps: by 1.7 g/ω² if twice as wide as high, where a ball
/// sags by g/ω².
#[test]
fn a_box_on_two_soft_corners_sags_more_than_a_ball() {
    for (width, height, factor) in [(1.0, 1.0, 1.25), (2.0, 1.0, 1.7), (0.5, 1.0, 0.8)] {
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, 0.5)).unwrap();
        let at = DVec2::new(0.0, height / 2.0);
        world.add_body(block(DVec2::new(width, height), at, 0.0, 0.5)).unwrap();
        for substeps in [1.0, 4.0] {
            let mut world = world.clone();
            run(&mut world, &method("soft", &[("substeps", substeps)]), H, 4000);
            let sag = (height / 2.0 - world.bodies()[1].pose.position.y) * (TAU * 60.0).powi(2) / G;
            assert!((sag - factor).abs() < 1e-9, "{width} by {height}, {substeps} substeps: {sag} g/ω²");
        }
    }
}

/// A ball dropped from height H rises to e² H [Newton], with an error of O(h) since the impact falls within a step.
#[test]
fn ball_rises_to_e_squared_of_its_height() {
    let (restitution, height, h) = (0.8_f64, 1.0_f64, 1e-4);
    for key in ALL {
        let mut method = method(key, &[]);
        method.contact.active_travel = 2.0;
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, 0.0)).unwrap();
        let mut ball = disk(0.1, DVec2::new(0.0, 0.1 + height), 0.0);
        ball.restitution = restitution;
        world.add_body(ball).unwrap();
        let mut workspace = Workspace::default();
        let (mut peak, mut last) = (None, 0.0);
        while peak.is_none() {
            step(&mut world, &method, h, &mut workspace).unwrap();
            let speed = world.bodies()[1].velocity.linear.y;
            if last > 0.0 && speed <= 0.0 {
                peak = Some(world.bodies()[1].pose.position.y - 0.1);
            }
            last = speed;
        }
        let (peak, expected) = (peak.unwrap(), restitution * restitution * height);
        // One step's fall at the speed of impact at either end of the bounce.
        let tolerance = 2.0 * (2.0 * G * height).sqrt() * h;
        assert!((peak - expected).abs() < tolerance, "{key}: {peak} instead of {expected}");
    }
}

/// Two colliding disks conserve momentum to rounding and obey v₁' − v₂' = −e (v₁ − v₂) [Newton].
#[test]
fn collision_conserves_momentum_and_obeys_newton() {
    for key in ALL {
        for e in [0.0, 0.5, 1.0] {
            let mut method = method(key, &[]);
            method.contact.active_travel = 2.0;
            let mut world = World::new(DVec2::ZERO);
            for (x, radius, speed) in [(0.0, 0.1, 2.0), (0.5, 0.15, -1.0)] {
                let mut ball = disk(radius, DVec2::new(x, 0.0), 0.3);
                ball.restitution = e;
                ball.velocity.linear = DVec2::new(speed, 0.0);
                world.add_body(ball).unwrap();
            }
            let momentum = world.linear_momentum();
            run(&mut world, &method, 1e-3, 200);
            assert!((world.linear_momentum() - momentum).length() < 1e-11 * momentum.length(), "{key}");
            let [a, b] = [0, 1].map(|index| world.bodies()[index].velocity.linear.x);
            assert!((b - a - 3.0 * e).abs() < 1e-9, "{key}, e = {e}: {} instead of {}", b - a, 3.0 * e);
        }
    }
}

/// NGS corrects a joint in full, and the share β of an overlap beyond the slop in each iteration: C⁺ = (1 − β)³ C after three.
#[test]
fn ngs_corrects_joints_in_full_and_overlaps_by_beta() {
    let mut world = stretched(0.01);
    run(&mut world, &method("ngs", &[]), 1e-2, 1);
    assert!(elongation(&world).abs() < 1e-15);
    let mut world = World::new(DVec2::ZERO);
    world.add_body(ground(DVec2::Y, 0.0)).unwrap();
    world.add_body(disk(RADIUS, DVec2::new(0.0, RADIUS - 0.02), 0.0)).unwrap();
    let report = run(&mut world, &method("ngs", &[]), 1e-2, 1)[0];
    let expected = 0.005 + 0.015 * 0.8_f64.powi(3);
    assert!((report.contact_error - expected).abs() < 1e-15, "{report:?}");
    assert!((report.contact_error_before.unwrap() - 0.02).abs() < 1e-15);
    assert_eq!(report.kinetic_energy, 0.0);
}

/// The speed that a soft contact gives an overlap in a substep is bounded by the push speed behind the softness, as in
/// Box2D 3.2.0: a body at rest gets min(s_m r |φ|, v_p).
#[test]
fn soft_push_is_bounded() {
    let h = 1.0 / 60.0;
    // An eighth of 60 Hz, twice that against the ground.
    let omega = TAU * 15.0;
    let (rate, mass_scale) = (omega / (4.0 + h * omega), 1.0 - 1.0 / (1.0 + h * omega * (4.0 + h * omega)));
    assert!(0.24 * rate * mass_scale > 3.0);
    for (push, expected) in [(3.0, 3.0), (1.0, 1.0), (10.0, 0.24 * rate * mass_scale)] {
        let mut world = World::new(DVec2::ZERO);
        world.add_body(ground(DVec2::Y, 0.0)).unwrap();
        world.add_body(disk(RADIUS, DVec2::new(0.0, 0.01), 0.0)).unwrap();
        let parameters = [("contact_damping_ratio", 2.0), ("substeps", 1.0), ("push_speed", push)];
        run(&mut world, &method("soft", &parameters), h, 1);
        let risen = world.bodies()[1].pose.position.y - 0.01;
        assert!((risen - expected * h).abs() < 1e-13, "{push} m/s: {risen}");
    }
}

/// Under `soft` contacts have a softness of their own, as in Box2D 3.2.0: 30 Hz, and 60 Hz against a fixed body. Of two
/// equal balls on each other the lower sinks by 2 g/ω² at 60 Hz, under the weight of both, and the upper one into it by
/// g/(K m ω²) at 30 Hz, where both move and K = 2/m: a load F sags by K F/ω², 2 g/ω². The joints' frequency plays no part.
#[test]
fn soft_contacts_sag_by_their_own_frequency() {
    for hertz in [60.0, 15.0] {
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, 0.0)).unwrap();
        for place in [1.0, 3.0] {
            world.add_body(disk(RADIUS, DVec2::new(0.0, place * RADIUS), 0.0)).unwrap();
        }
        run(&mut world, &method("soft", &[("hertz", hertz)]), H, 6000);
        let [lower, upper] = [1, 2].map(|index| world.bodies()[index].pose.position.y);
        let sag = |hertz: f64| 2.0 * G / (TAU * hertz).powi(2);
        assert!((RADIUS - lower - sag(60.0)).abs() < 1e-9, "{lower}");
        assert!((2.0 * RADIUS - (upper - lower) - sag(30.0)).abs() < 1e-9, "{upper}");
    }
}

/// Schemes that make substeps have a contact among their rows in the step in which bodies meet, not in the next one,
/// where XPBD pushes out in one substep what they have overlapped by. A bar on a hinge falls 4 cm on a peg beside it
/// that it meets at the angle 0: it rests there without energy, and at no time has it more than at the start.
#[cfg(feature = "scene")]
#[test]
fn a_bar_that_falls_on_a_peg_rests_on_it() {
    let text = include_str!("../worlds/bar-onto-a-peg.json");
    for (key, substeps) in [("xpbd", 10.0), ("xpbd", 50.0), ("soft", 4.0), ("soft", 20.0)] {
        let scene = driftlab::scene::Scene::parse(text).unwrap();
        let mut world = scene.world;
        let start = world.kinetic_energy() + world.potential_energy();
        let reports =
            run(&mut world, &method(key, &[("substeps", substeps)]), scene.settings.time_step, 1200);
        let most = reports.iter().map(|report| report.total_energy()).fold(f64::NEG_INFINITY, f64::max);
        // A step of free fall integrates the weight h late: by h Σ m g |v|.
        assert!(most < start + 0.05 * start, "{key}, {substeps} substeps: {most} J from {start} J");
        let bar = &world.bodies()[1];
        assert!(bar.pose.angle.abs() < 2e-3, "{key}, {substeps} substeps: {} rad", bar.pose.angle);
        assert!(reports[1199].kinetic_energy < 1e-6 * start, "{key}: {:?}", reports[1199]);
    }
}

/// Bullet corrects an overlap up to 4 cm deep in the velocity, so that a disk goes on at β φ/h, and a deeper one by the
/// pseudo-velocity, which leaves none.
#[test]
fn split_impulse_splits_deep_overlaps_alone() {
    let h = 1e-2;
    for (depth, speed) in [(0.02, 0.2 * 0.02 / h), (0.1, 0.0)] {
        let mut world = World::new(DVec2::ZERO);
        world.add_body(ground(DVec2::Y, 0.0)).unwrap();
        world.add_body(disk(RADIUS, DVec2::new(0.0, RADIUS - depth), 0.0)).unwrap();
        run(&mut world, &method("split_impulse", &[]), h, 1);
        let body = &world.bodies()[1];
        assert!((body.velocity.linear.y - speed).abs() < 1e-13, "{depth} m: {}", body.velocity.linear);
        assert!(
            (RADIUS - body.pose.position.y - 0.8 * depth).abs() < 1e-14,
            "{depth} m: {}",
            body.pose.position
        );
    }
}

/// The block solver of Box2D 2.4.1 finds both normal impulses of a box on two corners at once: a box that lands turning
/// is at rest after a single sweep, where one corner after the other leaves it turning.
#[test]
fn the_block_solver_stops_a_box_in_one_sweep() {
    let landed = |off: f64| {
        let mut world = World::new(DVec2::ZERO);
        world.add_body(ground(DVec2::Y, 0.0)).unwrap();
        let mut body = block(DVec2::new(1.0, 1.0), DVec2::new(0.0, 0.5), 0.0, 0.0);
        (body.velocity.linear.y, body.velocity.angular) = (-1.0, 0.5);
        world.add_body(body).unwrap();
        run(&mut world, &method("ngs", &[("velocity_iterations", 1.0), ("block_solver", off)]), H, 1);
        let velocity = world.bodies()[1].velocity;
        velocity.linear.y.abs() + velocity.angular.abs()
    };
    assert!(landed(0.0) < 1e-14, "{:e}", landed(0.0));
    assert!(landed(1.0) > 1e-2, "{:e}", landed(1.0));
}

/// Contacts keep their impulses where their features change at the same place, as they do in Box2D, which names both
/// ends of a contact by vertices of both bodies: a box that slides without friction along one of its own width, from
/// one side of alignment to the other, has the vertices of the other as its corners behind it. It stays as level as it was.
#[test]
fn aligned_boxes_keep_their_impulses() {
    for key in ["soft", "ngs"] {
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, 0.5)).unwrap();
        world.add_body(block(DVec2::ONE, DVec2::new(0.0, 0.5), 0.0, 0.0)).unwrap();
        world.add_body(block(DVec2::ONE, DVec2::new(-1e-4, 1.5), 0.0, 0.0)).unwrap();
        // At rest first, one slop deep or sagging.
        run(&mut world, &method(key, &[]), H, 4000);
        crate::physics::worlds::edit(&mut world, 2, |body| body.velocity.linear.x = 1e-3);
        let mut turned = 0.0_f64;
        for _ in 0..200 {
            run(&mut world, &method(key, &[]), H, 1);
            turned = turned.max(world.bodies()[2].velocity.angular.abs());
        }
        assert!(world.bodies()[2].pose.position.x > 5e-5, "{key}");
        // Half of the weight of a step, missing at one corner, would turn it by ½ m g h (w/2)/I = 3 g h/2 / w.
        assert!(turned < 1e-3 * 1.5 * G * H, "{key}: {turned:e} rad/s");
    }
}

/// Ten light links carry a weight of a thousand times a link's mass: a direct solution closes the joints, and with default
/// parameters the schemes that substep (XPBD, soft) leave smaller joint errors than those that iterate (NGS, split
/// impulses).
#[test]
fn heavy_weight_on_a_light_chain_opens_the_joints() {
    let hung = |key: &str| {
        let mut world = World::new(GRAVITY);
        let mut last = world.add_body(wall()).unwrap();
        for link in 0..10 {
            let y = -0.1 * f64::from(link);
            let size = if link == 9 { DVec2::new(0.5, 4.0) } else { DVec2::new(0.02, 0.1) };
            let next = world.add_body(bar(size, DVec2::new(0.0, y - size.y / 2.0), 0.0)).unwrap();
            let joint = hinge([last, next], DVec2::new(0.0, y));
            world.add_joint(joint).unwrap();
            last = next;
        }
        run(&mut world, &method(key, &[]), 1.0 / 60.0, 120)[119].joint_error
    };
    assert!(hung("anitescu_hart") < 1e-12);
    let [ngs, split, soft, xpbd] = ALL.map(hung);
    let iterated = split.min(ngs);
    assert!(soft < iterated && xpbd < iterated, "{ngs:e} {split:e} {soft:e} {xpbd:e}");
}
