//! The sweeping schemes, those of common game engines: soft step, sequential impulses with NGS, split impulses, XPBD.

use super::worlds::{G, block, disk, downhill, ground, on_incline};
use crate::physics::worlds::{
    GRAVITY, bar, chain, edit, hinge, id, largest_error, method, point_mass, run, wall,
};
use driftlab::model::joint::{Distance, DistanceForm, Hinge};
use driftlab::model::{Joint, JointKind, World};
use driftlab::stabilizer::Workspace;
use driftlab::step::step;
use glam::DVec2;
use std::f64::consts::TAU;

const ALL: [&str; 4] = ["ngs", "split_impulse", "soft", "xpbd"];
const H: f64 = 1e-3;
const RADIUS: f64 = 0.25;

/// A unit mass on a rod of 1 m along x, displaced by `error` along it, without gravity.
fn stretched(error: f64) -> World {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(wall()).unwrap();
    let mass = world.add_body(point_mass(DVec2::new(1.0 + error, 0.0))).unwrap();
    let rod = Distance { anchors: [DVec2::ZERO; 2], length: 1.0, form: DistanceForm::Length };
    world.add_joint(Joint::between([wall, mass], JointKind::Distance(rod))).unwrap();
    world
}

fn elongation(world: &World) -> f64 {
    world.bodies()[1].pose.position.x - 1.0
}

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
            let sag = if key == "soft" { G * angle.cos() / (TAU * 60.0).powi(2) } else { 0.0 };
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
        let reports = run(&mut world, &method(key, &[]), H, 1000);
        let body = &world.bodies()[1];
        let sag = if key == "soft" { G / (TAU * 60.0).powi(2) } else { 0.0 };
        let height = body.pose.position.y - RADIUS;
        assert!((height + sag).abs() < 1e-12, "{key}: {height:e} instead of {:e}", -sag);
        assert!(body.velocity.linear.length() < 1e-12, "{key}: {}", body.velocity.linear);
        let [contact] = world.contacts() else { panic!("{key}: {:?}", world.contacts()) };
        let weight = body.mass_properties().mass * G * H;
        assert!((contact.impulse[0] / weight - 1.0).abs() < 1e-9, "{key}: {:?}", contact.impulse);
        let last = reports[999];
        assert!((last.contacts, last.rows, last.solver) == (1, 2, "gauss_seidel"), "{key}: {last:?}");
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

/// The soft constraint's formula, by hand: with a = ω/(2ζ + ηω) and s_m = 1 − 1/(1 + ηω(2ζ + ηω)) each relaxed substep
/// makes g⁺ = (1 − s_m a η) g, and leaves no velocity.
#[test]
fn soft_error_decays_by_the_soft_constraint_formula() {
    for (hertz, zeta, substeps) in [(30.0, 10.0, 4.0), (60.0, 2.0, 4.0), (5.0, 0.7, 1.0), (1e5, 1.0, 2.0)] {
        let h = 1.0 / 60.0;
        let eta = h / substeps;
        let omega = TAU * f64::min(hertz, 0.25 / eta);
        let rate = omega / (2.0 * zeta + eta * omega);
        let mass_scale = 1.0 - 1.0 / (1.0 + eta * omega * (2.0 * zeta + eta * omega));
        let factor = 1.0 - mass_scale * rate * eta;
        let soft = method("soft", &[("hertz", hertz), ("damping_ratio", zeta), ("substeps", substeps)]);
        let mut world = stretched(0.01);
        for steps in 1..=5 {
            run(&mut world, &soft, h, 1);
            let expected = 0.01 * factor.powf(substeps * f64::from(steps));
            assert!((elongation(&world) - expected).abs() < 1e-12, "{hertz} Hz: {}", elongation(&world));
            assert!(world.bodies()[1].velocity.linear.length() < 1e-12);
        }
    }
}

/// Without relaxing, the soft constraint is the damped oscillator by implicit Euler:
/// v⁺ = v − η(2ζω v⁺ + ω²(g + η v⁺)), the warm start being the impulse that s_i takes away again.
#[test]
fn unrelaxed_soft_constraint_is_an_implicit_oscillator() {
    let (hertz, zeta, h) = (5.0, 0.3, 1.0 / 240.0);
    let parameters = [("hertz", hertz), ("damping_ratio", zeta), ("substeps", 1.0), ("relax", 1.0)];
    let soft = method("soft", &parameters);
    let omega = TAU * hertz;
    let (mut g, mut v) = (0.01, 0.0);
    let mut world = stretched(g);
    for _ in 0..100 {
        run(&mut world, &soft, h, 1);
        v = (v - h * omega * omega * g) / (1.0 + 2.0 * h * zeta * omega + h * h * omega * omega);
        g += h * v;
        assert!((elongation(&world) - g).abs() < 1e-12, "{} instead of {g}", elongation(&world));
    }
    // The amplitude has not grown.
    assert!(g.abs() < 0.01);
}

/// Under XPBD a load F stretches a rod of compliance α by α F at rest, for any time step, and the joint's force is F.
#[test]
fn xpbd_compliance_gives_the_static_elongation() {
    for compliance in [0.0, 1e-4, 1e-3] {
        for h in [1e-2, 5e-3] {
            let mut world = stretched(0.0);
            world.gravity = DVec2::new(9.81, 0.0);
            run(&mut world, &method("xpbd", &[("compliance", compliance), ("substeps", 2.0)]), h, 3000);
            let expected = compliance * 9.81;
            assert!((elongation(&world) - expected).abs() < 1e-9, "{compliance}: {}", elongation(&world));
            assert!((world.joints()[0].force[0] + 9.81).abs() < 1e-6, "{:?}", world.joints()[0].force);
        }
    }
}

/// Under XPBD three masses that hinges pull together exchange energy with the hinges only: the rows have constant directions,
/// and the change of kinetic energy in every step is the reported work of the correction.
#[test]
fn xpbd_counts_what_a_hinge_without_turning_does() {
    let mut world = World::new(DVec2::ZERO);
    for (x, y, speed) in [(0.0, 0.0, 0.3), (0.2, 0.1, -0.7), (0.1, 0.4, 0.0)] {
        let mut mass = point_mass(DVec2::new(x, y));
        mass.velocity.linear = DVec2::new(speed, 0.1);
        world.add_body(mass).unwrap();
    }
    for pair in [[0, 1], [1, 2]].map(|pair| pair.map(|index| id(&world, index))) {
        let anchors = JointKind::Hinge(Hinge { anchors: [DVec2::ZERO; 2] });
        world.add_joint(Joint::between(pair, anchors)).unwrap();
    }
    for compliance in [0.0, 1e-3] {
        let mut world = world.clone();
        let mut energy = world.kinetic_energy();
        for report in run(&mut world, &method("xpbd", &[("compliance", compliance)]), 1e-2, 20) {
            let gap = report.kinetic_energy - energy - report.correction_work;
            // Rounding is relative to the energy of masses that cross half a metre in a substep of 1 ms.
            let size = 1.5 * (0.5_f64 / 1e-3).powi(2);
            assert!(gap.abs() < 1e-16 * size, "{compliance}: {gap:e}");
            energy = report.kinetic_energy;
        }
    }
}

/// Under XPBD a mass on a rod without gravity moves along chords of its circle, and the reported work of the rod is that of
/// these chords. After a chord of angle δ the mass is predicted at L(2 − cos δ, sin δ) in the axes of its radius and pulled
/// back along the new radius, so that the next chord has the angle δ⁺ = atan(sin δ/(2 − cos δ)). The work follows from the
/// rod's impulse m L(√(5 − 4 cos δ) − 1)/η and its elongation rates L(1 − cos δ)/η before and L(1 − cos δ⁺)/η after.
#[test]
fn xpbd_work_of_a_turning_rod_is_that_of_its_chords() {
    let h = 0.05;
    let mut world = stretched(0.0);
    edit(&mut world, 1, |body| body.velocity.linear.y = 2.0);
    let scheme = method("xpbd", &[("substeps", 1.0)]);
    // The first step starts along the tangent, which is no chord.
    run(&mut world, &scheme, h, 1);
    let mut chord = (2.0 * h).atan();
    for report in run(&mut world, &scheme, h, 10) {
        let next = (chord.sin() / (2.0 - chord.cos())).atan();
        let impulse = ((5.0 - 4.0 * chord.cos()).sqrt() - 1.0) / h;
        let work = -0.5 * impulse * (2.0 - chord.cos() - next.cos()) / h;
        assert!((report.correction_work - work).abs() < 1e-12, "{} {work}", report.correction_work);
        assert!((report.kinetic_energy - (1.0 - next.cos()) / (h * h)).abs() < 1e-12);
        chord = next;
    }
}

/// The joint error of a swinging double pendulum is of second order in the substep η under XPBD and under the stiffest soft
/// step: XPBD errs by the rotation within η, the soft step also by its sag under load, ~ 1/ω² ~ η². At a fixed frequency the
/// soft step is of order 1: in every substep the joint opens by ~ η², of which the spring recovers only the fraction
/// ω²η² → 0.
#[test]
fn joint_error_falls_with_the_square_of_the_substep() {
    let error = |key: &str, parameters: &[(&str, f64)], substeps: f64| {
        let mut world = chain(2, GRAVITY);
        let parameters: Vec<_> = parameters.iter().copied().chain([("substeps", substeps)]).collect();
        let h = if substeps < 200.0 { 1e-2 } else { 1e-3 };
        largest_error(&run(&mut world, &method(key, &parameters), h, (0.3 / h).round() as usize))
    };
    let cases =
        [("xpbd", None, 64.0, 2.0), ("soft", Some(1e6), 64.0, 2.0), ("soft", Some(60.0), 500.0, 1.0)];
    for (key, hertz, n, expected) in cases {
        let parameters: Vec<_> = hertz.map(|hertz| ("hertz", hertz)).into_iter().collect();
        let parameters = &parameters[..];
        let order = (error(key, parameters, n) / error(key, parameters, 2.0 * n)).log2();
        assert!((order - expected).abs() < 0.2, "{key}, {parameters:?}: order {order}");
    }
}

/// With 200 sweeps the joint error under NGS and split impulses is of second order in h: each step adds O(h²), of which the
/// correction removes a fixed share.
#[test]
fn joint_error_of_corrected_positions_is_of_second_order() {
    for (key, iterations) in [("ngs", "velocity_iterations"), ("split_impulse", "iterations")] {
        let error = |h: f64| {
            let mut world = chain(2, GRAVITY);
            let method = method(key, &[(iterations, 200.0)]);
            largest_error(&run(&mut world, &method, h, (0.3 / h).round() as usize))
        };
        let order = (error(1e-3) / error(5e-4)).log2();
        assert!((order - 2.0).abs() < 0.1, "{key}: order {order}");
    }
}

/// Split impulses correct the share β of the error of a single joint at rest, g⁺ = (1 − β) g, and leave no velocity.
#[test]
fn split_impulse_takes_back_its_share() {
    for beta in [0.2, 1.0, 1.5] {
        let mut world = stretched(0.01);
        for steps in 1..=5 {
            run(&mut world, &method("split_impulse", &[("beta", beta)]), 1e-2, 1);
            let expected = 0.01 * (1.0_f64 - beta).powi(steps);
            assert!((elongation(&world) - expected).abs() < 1e-14, "{beta}: {}", elongation(&world));
            assert_eq!(world.bodies()[1].velocity.linear, DVec2::ZERO);
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

/// The correction speed of a soft contact is bounded by 3 m/s, of which a body at rest gets the share s_m in a substep.
#[test]
fn soft_push_is_bounded() {
    let mut world = World::new(DVec2::ZERO);
    world.add_body(ground(DVec2::Y, 0.0)).unwrap();
    world.add_body(disk(RADIUS, DVec2::new(0.0, 0.05), 0.0)).unwrap();
    let (h, omega) = (1.0 / 60.0, TAU * 15.0);
    let parameters = [("hertz", 60.0), ("damping_ratio", 2.0), ("substeps", 1.0)];
    run(&mut world, &method("soft", &parameters), h, 1);
    // A quarter of 60 Hz; the wanted rate, 0.2 m · ω/(2ζ + hω) = 3.38 m/s, is above the bound.
    assert!(0.2 * omega / (4.0 + h * omega) > 3.0);
    let mass_scale = 1.0 - 1.0 / (1.0 + h * omega * (4.0 + h * omega));
    let risen = world.bodies()[1].pose.position.y - 0.05;
    assert!((risen - 3.0 * mass_scale * h).abs() < 1e-14, "{risen}");
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
