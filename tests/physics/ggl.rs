//! The scheme of Gear, Gupta & Leimkuhler: what its equations promise of positions, velocities, forces and energy.

use super::worlds::{GRAVITY, chain, edit, largest_error, method, rod_pendulum, run};
use crate::largest;
use driftlab::model::joint::DistanceForm;
use driftlab::model::{Body, Joint, Shape, Spring, World};
use driftlab::schemes::TABLE;
use driftlab::step::{Workspace, step};
use glam::DVec2;

/// Both conditions hold to rounding at the end of every step of a falling chain: g = 0 to 1e-13 of its length and J v = 0 to
/// 1e-12 of its speeds. No other scheme of first order but `projection` keeps both.
#[test]
fn positions_and_velocities_are_both_held() {
    let errors = |key: &str| {
        let reports = run(&mut chain(6, GRAVITY), &method(key, &[]), 1e-3, 3000);
        [largest_error(&reports), largest(reports.iter().map(|report| report.velocity_error))]
    };
    let [g, rate] = errors("ggl");
    assert!(g < 1e-13 && rate < 1e-12, "{g:e} m, {rate:e} m/s");
    for scheme in TABLE.iter().filter(|own| !matches!(own.info().key, "ggl" | "projection" | "rattle")) {
        let [g, rate] = errors(scheme.info().key);
        assert!(g.max(rate) > 1e-10, "{}: {g:e} m, {rate:e} m/s", scheme.info().key);
    }
}

/// Half-explicit Euler on a circle without forces has a closed form: the mass moves along the tangent and radially back, θ⁺ = θ +
/// arctan hω, and its velocity is projected onto the tangent there, 1/ω⁺² = 1/ω² + h².
#[test]
fn a_mass_on_a_circle_follows_the_closed_form() {
    let (h, mut rate, mut angle) = (0.02, 3.0_f64, 0.0_f64);
    let mut world = rod_pendulum(DistanceForm::Length, DVec2::ZERO);
    edit(&mut world, 1, |body| body.velocity.linear = DVec2::new(0.0, 3.0));
    let energy = world.kinetic_energy();
    for count in 1..=500 {
        run(&mut world, &method("ggl", &[]), h, 1);
        angle += (h * rate).atan();
        rate = 1.0 / (1.0 / 9.0 + f64::from(count) * h * h).sqrt();
        let Body { pose, velocity, .. } = &world.bodies()[1];
        let off = [
            pose.position - DVec2::from_angle(angle),
            velocity.linear - rate * DVec2::from_angle(angle).perp(),
        ];
        assert!(off[0].length() < 1e-12 && off[1].length() < 1e-11, "step {count}: {off:?}");
        // So that the share h²ω² of the first energy is lost, h²ω₀²n in n steps of small h.
        let expected = energy * rate * rate / 9.0;
        assert!((world.kinetic_energy() - expected).abs() < 1e-11 * energy);
    }
}

/// Positions, velocities, the force of a rod and the energy are all of first order in h: the rod of a pendulum from the
/// horizontal pulls with 3 m g sin θ after a fall through θ.
#[test]
fn position_velocity_force_and_energy_are_of_first_order() {
    let end = |key: &str, steps: f64| {
        let mut world = rod_pendulum(DistanceForm::Length, GRAVITY);
        run(&mut world, &method(key, &[]), 0.5 / steps, steps as usize);
        world
    };
    let exact = end("rattle", 40_000.0);
    let sine = -exact.bodies()[1].pose.position.y;
    let errors = |steps: f64| {
        let world = end("ggl", steps);
        let [own, truth] = [&world, &exact].map(|world| &world.bodies()[1]);
        [
            (own.pose.position - truth.pose.position).length(),
            (own.velocity.linear - truth.velocity.linear).length(),
            (world.joints()[0].force[0].abs() - 3.0 * 9.81 * sine).abs(),
            (world.kinetic_energy() + world.potential_energy()).abs(),
        ]
    };
    let [coarse, fine] = [500.0, 1000.0].map(errors);
    for (what, (coarse, fine)) in
        ["position", "velocity", "force", "energy"].iter().zip(coarse.iter().zip(&fine))
    {
        let order = (coarse / fine).log2();
        assert!((order - 1.0).abs() < 0.05, "{what}: order {order:.3}, {coarse:e} and {fine:e}");
    }
}

/// μ makes no velocity: a chain at rest without gravity, one joint of which has been pulled apart, is closed by one step and
/// still at rest, and its centre of mass, as the mass metric has it, is where it was.
#[test]
fn closing_a_joint_gives_no_velocity() {
    let mut world = super::worlds::free_chain(6, DVec2::ZERO);
    edit(&mut world, 3, |body| body.pose.position.y += 1e-2);
    let centre = |world: &World| world.bodies().iter().map(|body| body.pose.position).sum::<DVec2>() / 6.0;
    let before = centre(&world);
    let report = run(&mut world, &method("ggl", &[]), 1e-3, 1)[0];
    assert!(report.joint_error < 1e-14, "{report:?}");
    assert!((report.joint_error_before.unwrap() - 1e-2).abs() < 1e-15, "{report:?}");
    assert_eq!(report.kinetic_energy, 0.0);
    assert!((centre(&world) - before).length() < 1e-15);
}

/// A box that falls 5 mm at h = 1 ms onto the ground is stopped at its surface, where it rests to the bit; one with e = ½ leaves
/// at half the speed of its approach.
#[test]
fn contacts_stop_at_the_surface_and_rebound() {
    for restitution in [0.0, 0.5] {
        let mut world = World::new(GRAVITY);
        let ground = Body::fixed().at([0.0, -0.5]).shape(Shape::rectangle(4.0, 1.0));
        world.add_body(ground.restitution(restitution)).unwrap();
        let falling = Body::dynamic().at([0.0, 0.105]).shape(Shape::circle(0.1));
        let ball = world.add_body(falling.restitution(restitution)).unwrap();
        let (own, mut workspace) = (method("ggl", &[]), Workspace::default());
        let (report, speed) = loop {
            let before = world[ball].velocity.linear.y;
            let report = step(&mut world, &own, 1e-3, &mut workspace).unwrap();
            if world[ball].velocity.linear.y > before {
                break (report, -before);
            }
        };
        assert!(report.contact_error < 1e-15, "{report:?}");
        let [y, v] = [world[ball].pose.position.y - 0.1, world[ball].velocity.linear.y];
        assert!(y.abs() < 1e-15 && (v - restitution * speed).abs() < 1e-12, "{y:e} m, {v} m/s of {speed}");
        if restitution == 0.0 {
            let there = world[ball].pose;
            run(&mut world, &own, 1e-3, 500);
            assert_eq!((world[ball].pose, world[ball].velocity.linear), (there, DVec2::ZERO));
        }
    }
}

/// A step in which Newton's method fails is made in parts, and damping has the length of each part: a hub at 400 rad/s that a
/// hinge holds 1 m from its centre turns by 4 rad in a step, and ends on the circle.
#[test]
fn a_step_too_long_for_newtons_method_is_made_in_parts() {
    let mut world = World::new([0.0, 0.0]);
    let wall = world.add_body(Body::fixed()).unwrap();
    let arm = Body::dynamic().at([1.0, 0.0]).shape(Shape::rectangle(2.0, 0.1)).without_collisions();
    let arm = world.add_body(arm.velocity([0.0, 400.0]).angular_velocity(400.0)).unwrap();
    world.add_joint(Joint::hinge(wall, arm).at([0.0, 0.0])).unwrap();
    let reports = run(&mut world, &method("ggl", &[]), 0.01, 3);
    assert!(largest_error(&reports) < 1e-12, "{reports:?}");
    assert!((world[arm].pose.position.length() - 1.0).abs() < 1e-12);
}

/// The energy of a spring that the step resolves varies within a period by ½hω of itself, since the step moves before the force
/// acts, and has no trend: 1,000 periods leave its mean. A stiffer spring stays stable, and takes back what a move has stored.
#[test]
fn springs_have_no_trend_and_stiff_ones_stay_stable() {
    let hung = |stiffness: f64| {
        let mut world = World::new(DVec2::ZERO);
        let wall = world.add_body(Body::fixed()).unwrap();
        let mass = world.add_body(Body::dynamic().at([1.1, 0.0]).mass_and_inertia(1.0, 1.0)).unwrap();
        world.add_spring(Spring::between(wall, mass).stiffness(stiffness).rest_length(1.0)).unwrap();
        world
    };
    for phase in [0.05_f64, 0.2, 0.49] {
        let mut world = hung(phase * phase);
        let start = world.potential_energy();
        let steps = (1000.0 * std::f64::consts::TAU / phase) as usize;
        let reports = run(&mut world, &method("ggl", &[]), 1.0, steps);
        let shares: Vec<f64> = reports.iter().map(|report| report.total_energy() / start).collect();
        let mean = |own: &[f64]| own.iter().sum::<f64>() / own.len() as f64;
        let trend = mean(&shares[steps - steps / 50..]) / mean(&shares[..steps / 50]) - 1.0;
        let away = largest(shares.iter().map(|share| share - 1.0));
        assert!(trend.abs() < 1e-3 && away < 1.1 * phase, "h ω = {phase}: {trend:e}, {away}");
    }
    for phase in [1.3_f64, 30.0, 1e4] {
        let mut world = hung(phase * phase);
        let start = world.potential_energy();
        let reports = run(&mut world, &method("ggl", &[]), 1.0, 200);
        assert!(reports.iter().all(|report| report.total_energy() < 2.0 * start), "h ω = {phase}");
        assert!(reports[199].total_energy() < 1e-3 * start, "h ω = {phase}");
    }
}
