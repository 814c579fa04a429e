//! What is conserved: momentum, angular momentum, energy; and how the step reports energy.

use super::worlds::{GRAVITY, WITHIN_A_STEP, bar, chain, edit, free_chain, method, rod_pendulum, run};
use driftlab::method::Method;
use driftlab::model::World;
use driftlab::model::joint::DistanceForm;
use driftlab::schemes::TABLE;
use glam::DVec2;

fn tumbling(mut world: World) -> World {
    for index in 0..world.bodies().len() {
        // A rigid rotation of 3 rad/s about the origin plus a drift, and an extra kick on the first link.
        edit(&mut world, index, |body| {
            let p = body.pose.position;
            body.velocity.linear = DVec2::new(0.7, -0.4) + 3.0 * DVec2::new(-p.y, p.x);
            body.velocity.angular = if index == 0 { 8.0 } else { 3.0 };
        });
    }
    world
}

/// A free body keeps its linear and angular momentum to rounding under every scheme.
#[test]
fn free_body_keeps_momentum_and_angular_momentum() {
    for scheme in TABLE {
        let mut world = World::new(DVec2::ZERO);
        world.add_body(bar(DVec2::new(0.3, 0.1), DVec2::new(1.0, 2.0), 0.4)).unwrap();
        let mut world = tumbling(world);
        let (p, l) = (world.linear_momentum(), world.angular_momentum());
        run(&mut world, &Method::new((*scheme).into()), 1e-2, 1000);
        let key = scheme.info().key;
        assert!((world.linear_momentum() - p).length() < 1e-12 * p.length(), "{key}");
        // Each position update rounds by up to half a unit in the last place, always in the same direction.
        let substeps =
            scheme.info().parameters.iter().find(|p| p.key == "substeps").map_or(1.0, |p| p.default);
        assert!((world.angular_momentum() - l).abs() < substeps * 1e-12 * l.abs(), "{key}");
    }
}

/// A chain in free flight keeps its linear momentum under every scheme, since constraint impulses are equal
/// and opposite, and its angular momentum under RATTLE, whose impulses act where g = 0. (The others apply impulses at anchors
/// that have separated, and may lose some.)
#[test]
fn chain_in_free_flight_keeps_its_momentum() {
    assert!(TABLE.iter().any(|scheme| scheme.info().key == "rattle"));
    for scheme in WITHIN_A_STEP.iter() {
        let mut world = tumbling(free_chain(6, DVec2::ZERO));
        // Start with consistent velocities: with inconsistent ones the first step would be an impact.
        run(&mut world, &method("projection", &[]), 1e-3, 1);
        let (p, l) = (world.linear_momentum(), world.angular_momentum());
        run(&mut world, &Method::new((*scheme).into()), 1e-3, 2000);
        let key = scheme.info().key;
        assert!((world.linear_momentum() - p).length() < 1e-11 * p.length(), "{key}");
        let lost = (world.angular_momentum() - l).abs() / l.abs();
        assert!(lost < 1e-10 || key != "rattle", "{key}: {lost:e}");
    }
}

/// The reported work of a correction closes the energy balance: a chain at rest without gravity, with one joint pulled
/// apart, has exactly that work as kinetic energy after one stabilized step.
#[test]
fn work_of_the_correction_is_the_energy_that_appears() {
    for key in ["baumgarte_velocity", "anitescu_hart", "implicit", "baumgarte_acceleration"] {
        let mut world = chain(6, DVec2::ZERO);
        edit(&mut world, 3, |body| body.pose.position.y += 1e-3);
        let report = run(&mut world, &method(key, &[]), 1e-3, 1)[0];
        assert!(report.kinetic_energy > 0.0);
        let gap = (report.kinetic_energy - report.correction_work).abs();
        assert!(gap < 1e-10 * report.kinetic_energy, "{key}: {report:?}");
    }
}

/// The work of a position correction is the potential energy that it adds: lifting a body by dz takes m g dz.
#[test]
fn work_of_a_position_correction_is_potential_energy() {
    let mut world = rod_pendulum(DistanceForm::Length, GRAVITY);
    // Hanging straight down at rest, 1 mm too low: J v = 0 before the correction, so the body does not fall.
    edit(&mut world, 1, |body| body.pose.position = DVec2::new(0.0, -1.001));
    let report = run(&mut world, &method("post_stabilization", &[]), 1e-3, 1)[0];
    assert!((report.correction_work - 9.81e-3).abs() < 1e-12, "{report:?}");
    assert!((report.joint_error_before.unwrap() - 1e-3).abs() < 1e-15);
    assert!(report.joint_error < 1e-15);
}

/// Under `none` the constraint impulses of one step do no positive work on the velocity: the projection in
/// the mass metric never raises the kinetic energy of v + h M⁻¹F.
#[test]
fn velocity_projection_never_adds_kinetic_energy() {
    let mut world = tumbling(chain(6, DVec2::ZERO));
    let mut energy = world.kinetic_energy();
    for report in run(&mut world, &method("none", &[]), 1e-3, 2000) {
        assert!(report.kinetic_energy <= energy * (1.0 + 1e-13));
        energy = report.kinetic_energy;
    }
}

/// The correction velocity that velocity-level Baumgarte adds in one step is removed by the next, and the summed work counts
/// neither. On a falling chain the sum is below 0.01 J for α → 0 and below 0.2 J at α = 1/s; closing a drifted chain takes
/// more work than the energy that the chain gains, and less than 20 J.
#[test]
fn reported_work_does_not_count_what_the_next_step_takes_back() {
    let work = |world: &mut driftlab::model::World, key: &str, parameters: &[(&str, f64)]| -> f64 {
        run(world, &method(key, parameters), 1e-3, 600).iter().map(|report| report.correction_work).sum()
    };
    for (alpha, bound) in [(1e-9, 1e-2), (1e-3, 1e-2), (1.0, 0.2)] {
        let found = work(&mut chain(6, GRAVITY), "baumgarte_velocity", &[("alpha", alpha)]);
        assert!(found.abs() < bound, "α = {alpha}: {found} J");
    }
    for alpha in [200.0, 500.0, 1000.0] {
        let mut world = chain(6, GRAVITY);
        run(&mut world, &method("none", &[]), 1e-3, 2000);
        let before = world.kinetic_energy() + world.potential_energy();
        let found = work(&mut world, "baumgarte_velocity", &[("alpha", alpha)]);
        let gained = world.kinetic_energy() + world.potential_energy() - before;
        // Part of the work is dissipated, as every first-order scheme projects its velocity once a step.
        assert!(gained > 0.0 && gained < found && found < 20.0, "α = {alpha}: {found} J, {gained} J");
    }
}
