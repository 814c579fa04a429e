//! Contact at the acceleration level: the terms of the turning normal, and problems without a solution.

use super::worlds::{G, block, disk, ground};
use crate::largest;
use crate::physics::worlds::{method, run};
use driftlab::lcp::MixedError;
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::{Body, BodyKind, MassSpec, Placement, Shape, Spring, World};
use driftlab::report::StepError;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

fn at_acceleration_level(key: &str, parameters: &[(&str, f64)], integrator: Integrator) -> Method {
    method(key, parameters).at_level(Level::Acceleration, integrator).unwrap()
}

/// Under Runge–Kutta the contact forces alone, φ̈ = J v̇ + vᵀ(∂²φ/∂q²)v = 0, keep the gap of a frictionless ellipse that rocks
/// on a table to an order above 3.5 (fourth order in theory), and gap and relative energy error below 1e-6. The second
/// term, which contains Trefny's ṅ, is needed for that.
#[test]
fn rocking_ellipse_keeps_its_gap_to_the_integrators_order() {
    let drift = [0.02, 0.01].map(|h| {
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, 0.0)).unwrap();
        let shape = Placement::centred(Shape::Ellipse { semi_axes: DVec2::new(1.2, 0.8) });
        let angle = 0.5_f64;
        let at = DVec2::new(0.0, (0.8 * angle.cos()).hypot(1.2 * angle.sin()));
        let mass = MassSpec::default();
        world.add_body(Body::new(BodyKind::Dynamic, at, angle, vec![shape], mass).unwrap()).unwrap();
        let energy = world.potential_energy();
        let mut method = at_acceleration_level("none", &[], Integrator::Rk4);
        method.contact.contact_tolerance = Some(0.01);
        run(&mut world, &method, h, (1.0 / h) as usize);
        let body = &world.bodies()[1];
        let (sin, cos) = body.pose.angle.sin_cos();
        let gap = body.pose.position.y - (0.8 * cos).hypot(1.2 * sin);
        let change = (world.kinetic_energy() + world.potential_energy() - energy) / energy;
        (gap.abs(), change.abs())
    });
    let order = (drift[0].0 / drift[1].0).log2();
    assert!(order > 3.5, "gap of order {order}: {drift:?}");
    assert!(drift[1].0 < 1e-6 && drift[1].1 < 1e-6, "{drift:?}");
}

fn painleve_rod(friction: f64) -> World {
    let angle = 2.0_f64.atan();
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, friction)).unwrap();
    // The tip, the lower right corner of a thin rod, touches; it slides ahead of the centre of mass.
    let size = DVec2::new(2.0, 0.02);
    let tip = DVec2::new(size.x / 2.0, -size.y / 2.0);
    let tip = DVec2::from_angle(-angle).rotate(tip);
    let mut rod = block(size, DVec2::new(0.0, -tip.y), -angle, friction);
    rod.velocity.linear.x = 3.0;
    world.add_body(rod).unwrap();
    world
}

/// Painlevé 1895: a rod that slides tip ahead at tan θ = 2 has no finite contact force for μ > 4/3, since then
/// 1 + 3 cos²θ < 3 μ sin θ cos θ. At μ = 1.5 a step at the acceleration level fails with a ray and leaves the world
/// unchanged; at μ = 1.2 it succeeds. Impulses solve both cases [Stewart & Trinkle 1996].
#[test]
fn painleves_rod_has_no_force_and_the_solver_says_so() {
    // The thickness of the rod moves the threshold by some per cent.
    for (friction, exists) in [(1.2, true), (1.5, false)] {
        let world = painleve_rod(friction);
        for key in ["lemke", "auto"] {
            let mut method = at_acceleration_level("none", &[], Integrator::SemiImplicitEuler);
            method.solver = driftlab::lcp::Solver::by_key(key).unwrap();
            let mut stepped = world.clone();
            let outcome = step(&mut stepped, &method, 1e-4, &mut Workspace::default());
            match outcome {
                Ok(_) => assert!(exists, "{key}, μ = {friction}: solved a problem that has no solution"),
                Err(StepError::Contact(MixedError::Ray { direction, .. }, _)) => {
                    assert!(!exists, "{key}, μ = {friction}: ends on a ray");
                    assert!(direction.iter().any(|x| *x > 0.5), "{direction:?}");
                    assert!(stepped == world, "{key}: a failed step has changed the world");
                }
                // Both of the contact's states contradict a row: a proof, which a ray need not be.
                Err(StepError::Contact(MixedError::NoSolution { .. }, _)) => {
                    assert!(!exists && key == "auto", "{key}, μ = {friction}");
                    assert!(stepped == world, "{key}: a failed step has changed the world");
                }
                Err(other) => panic!("{key}, μ = {friction}: {other}"),
            }
        }
        let impulses = run(&mut world.clone(), &method("anitescu_hart", &[]), 1e-4, 100);
        assert!(largest(impulses.iter().map(|report| report.residual)) < 1e-9);
    }
}

/// 210 of Painlevé's rods, μ = 1.5, ten metres apart and joined by springs into one group, as many states as cannot be
/// tried: nobody finds forces, nobody proves that there are none, and the step goes on, marked as not proved. What no
/// force does an impact without collision does: it stops the tip, since that takes |λ_t| = (1 + 3 cos²θ)/(3 sin θ cos
/// θ) λ_n = 4/3 λ_n, and not 1.5 λ_n [Génot & Brogliato 1999]. All rods move alike, so that the springs do nothing.
#[test]
fn forces_that_nobody_finds_stop_the_slip_and_not_the_run() {
    let mut world = painleve_rod(1.5);
    let rod = world.bodies()[1].clone();
    let tip = DVec2::new(1.0, -0.01);
    let mut last = world.id_of(1).unwrap();
    for i in 1..210 {
        let mut next = rod.clone();
        next.pose.position.x += 10.0 * f64::from(i);
        let next = world.add_body(next).unwrap();
        world.add_spring(Spring::between(last, next).stiffness(1.0)).unwrap();
        last = next;
    }
    let before = world.clone();
    let mut method = at_acceleration_level("none", &[], Integrator::SemiImplicitEuler);
    method.solver = driftlab::lcp::Solver::by_key("auto").unwrap();
    let report = step(&mut world, &method, 1e-4, &mut Workspace::default()).expect("a step");
    assert_eq!((report.infeasible, report.unproved), (1, 1), "{}", report.trail);
    for (body, before) in world.bodies().iter().zip(before.bodies()).skip(1) {
        let arm = DVec2::from_angle(before.pose.angle).rotate(tip);
        let velocity = body.velocity.linear + body.velocity.angular * arm.perp();
        assert!(velocity.length() < 1e-7, "{velocity}");
        assert!(body.velocity.linear.length() < 3.0 && body.velocity.angular.abs() > 0.1);
    }
    assert!(world.kinetic_energy() < before.kinetic_energy());
}

/// A box at rest on two points carries half its weight on each [Trefny], at the velocity and at the acceleration level.
#[test]
fn box_at_rest_carries_half_its_weight_on_each_point() {
    let h = 1.0 / 60.0;
    for key in ["none", "baumgarte_acceleration", "anitescu_hart", "implicit"] {
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, 0.5)).unwrap();
        world.add_body(block(DVec2::new(1.5, 1.0), DVec2::new(0.0, 0.5), 0.0, 0.5)).unwrap();
        let weight = world.bodies()[1].mass_properties().mass * G;
        run(&mut world, &method(key, &[]), h, 100);
        assert_eq!(world.contacts().len(), 2, "{key}");
        for contact in world.contacts() {
            let share = contact.impulse[0] / (h * weight);
            assert!((share - 0.5).abs() < 1e-9, "{key}: {share} of the weight");
        }
    }
}

/// The face of a box that turns at 100 rad/s hits a disk without friction and rebounds with e = 1: kinetic energy is
/// that of before, ½ λ J(v⁻ + v⁺) = 0, whatever J̇v = −ω²d the turning normal has (d to the disk's centre). The forces
/// of the same step are none: those of φ̈ = 0 would have done the work h λ J v⁺ on bodies that part at 40 m/s.
#[test]
fn bodies_that_part_after_an_impact_gain_nothing() {
    const TURNING: f64 = 100.0;
    for key in ["none", "post_stabilization"] {
        let mut world = World::new(DVec2::ZERO);
        let mut hit = disk(0.05, DVec2::new(0.4, 0.15), 0.0);
        hit.restitution = 1.0;
        world.add_body(hit).unwrap();
        let mut turning = block(DVec2::new(1.0, 0.2), DVec2::ZERO, 0.0, 0.0);
        turning.velocity.angular = TURNING;
        turning.restitution = 1.0;
        world.add_body(turning).unwrap();
        let before = world.kinetic_energy();
        let method = at_acceleration_level(key, &[], Integrator::SemiImplicitEuler);
        step(&mut world, &method, 1e-3, &mut Workspace::default()).unwrap();
        let thrown = world.bodies()[0].velocity.linear.y;
        assert!(thrown > 0.4 * TURNING, "{key}: not hit, {thrown} m/s");
        let change = world.kinetic_energy() / before - 1.0;
        assert!(change.abs() < 1e-9, "{key}: {change:e} of the energy");
    }
}
