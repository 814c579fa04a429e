//! Joints under the sweeping schemes: how their error decays, its order, compliance, and the work of a correction.

use crate::physics::worlds::{GRAVITY, chain, edit, id, largest_error, method, point_mass, run, wall};
use driftlab::model::joint::{Distance, DistanceForm, Hinge};
use driftlab::model::{Joint, JointKind, World};
use glam::DVec2;
use std::f64::consts::TAU;

/// A unit mass on a rod of 1 m along x, displaced by `error` along it, without gravity.
pub fn stretched(error: f64) -> World {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(wall()).unwrap();
    let mass = world.add_body(point_mass(DVec2::new(1.0 + error, 0.0))).unwrap();
    let rod = Distance { anchors: [DVec2::ZERO; 2], length: 1.0, form: DistanceForm::Length };
    world.add_joint(Joint::between([wall, mass], JointKind::Distance(rod))).unwrap();
    world
}

pub fn elongation(world: &World) -> f64 {
    world.bodies()[1].pose.position.x - 1.0
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
            world.set_gravity(DVec2::new(9.81, 0.0)).unwrap();
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

/// Split impulses correct the share β of the error of a single joint at rest, g⁺ = (1 − β) g: in the velocity, as
/// Bullet does, which goes on at −β g/h; or split, and then no velocity is left.
#[test]
fn split_impulse_takes_back_its_share() {
    let h = 1e-2;
    for (beta, split) in [(0.2, 0.0), (1.0, 0.0), (1.5, 0.0), (0.2, 1.0), (1.0, 1.0), (1.5, 1.0)] {
        let mut world = stretched(0.01);
        for steps in 1..=5 {
            run(&mut world, &method("split_impulse", &[("beta", beta), ("joints", split)]), h, 1);
            let left = |steps: i32| 0.01 * (1.0_f64 - beta).powi(steps);
            assert!((elongation(&world) - left(steps)).abs() < 1e-14, "{beta}: {}", elongation(&world));
            let speed = if split > 0.0 { 0.0 } else { -beta * left(steps - 1) / h };
            let found = world.bodies()[1].velocity.linear;
            assert!((found - DVec2::new(speed, 0.0)).length() < 1e-12, "{beta}: {found}");
        }
    }
}

/// The position sweeps of Box2D 2.4.1 end once all joints are within the slop when a sweep comes to them: of an error
/// of 4 mm, below the slop of 5 mm, there is one sweep, of 10 mm there are two, the second of which finds it corrected;
/// eight go over the velocity.
#[test]
fn ngs_ends_its_position_sweeps_within_the_slop() {
    for (error, slop, sweeps) in [(0.004, 0.005, 1), (0.01, 0.005, 2), (0.01, 0.02, 1), (0.004, 0.001, 2)] {
        let mut world = stretched(error);
        let report = run(&mut world, &method("ngs", &[("slop", slop)]), 1e-2, 1)[0];
        assert_eq!(report.solver_iterations, 8 + sweeps, "{error} m, slop {slop} m");
        assert!(elongation(&world).abs() < 1e-15);
    }
}
