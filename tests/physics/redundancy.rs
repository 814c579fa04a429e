//! Redundant and conflicting constraints: the consistent solution, a count, no NaN.

use super::worlds::{
    GRAVITY, bar, chain, contradicting_welds, hinge, largest_error, method, point_mass, run, wall,
};
use driftlab::math::{ROUNDED_PIVOT, SparseLdlt};
use driftlab::model::joint::Weld;
use driftlab::model::{Joint, JointKind, World};
use driftlab::report::StepReport;
use driftlab::stabilizer::{Method, TABLE};
use glam::DVec2;

fn pinned_bar(hinges: usize) -> World {
    let mut world = World::new(GRAVITY);
    let wall = world.add_body(wall());
    let link = world.add_body(bar(DVec2::new(1.0, 0.1), DVec2::new(0.5, 0.0), 0.0));
    for _ in 0..hinges {
        let joint = hinge(&world, [wall, link], DVec2::ZERO);
        world.add_joint(joint).unwrap();
    }
    world
}

/// Whether the scheme solves by sweeps, which count no dependent rows and meet joints approximately.
fn sweeps(report: &StepReport) -> bool {
    report.solver == "gauss_seidel"
}

/// A hinge stated twice moves the body as one hinge does, and its two rows are counted as dependent. (Sweeps leave the
/// hinge open by an error of their own, and may differ by that.)
#[test]
fn hinge_stated_twice_is_the_hinge() {
    for scheme in TABLE {
        let method = Method::new((*scheme).into());
        let (mut once, mut twice) = (pinned_bar(1), pinned_bar(2));
        let single = run(&mut once, &method, 1e-3, 500);
        let double = run(&mut twice, &method, 1e-3, 500);
        let key = scheme.info().key;
        assert!(single.iter().all(|report| report.dependent_rows == 0), "{key}");
        let dependent = if sweeps(&double[0]) { 0 } else { 2 };
        assert!(double.iter().all(|report| report.dependent_rows == dependent), "{key}");
        let open = if dependent == 0 { 10.0 * largest_error(&single) } else { 0.0 };
        let apart = (once.bodies()[1].pose.coordinates() - twice.bodies()[1].pose.coordinates()).length();
        assert!(apart < 1e-10 + open, "{key}: {apart:e}, {open:e}");
    }
}

/// A body welded to two walls stands still, and carries its weight, with three dependent rows. (Sweeps may let it fall
/// freely for a step before the load is found, g h², and count no dependent rows.)
#[test]
fn body_welded_to_two_walls_stands() {
    for scheme in TABLE {
        let mut world = World::new(GRAVITY);
        let walls = [world.add_body(wall()), world.add_body(wall())];
        let body = world.add_body(point_mass(DVec2::new(0.0, 1.0)));
        for wall in walls {
            let anchors = [DVec2::new(0.0, 1.0), DVec2::ZERO];
            let weld = JointKind::Weld(Weld { anchors, reference_angle: 0.0 });
            world.add_joint(Joint::new([wall, body], weld)).unwrap();
        }
        let reports = run(&mut world, &Method::new((*scheme).into()), 1e-2, 200);
        let key = scheme.info().key;
        let (dependent, fall) = if sweeps(&reports[0]) { (0, 9.81e-4) } else { (3, 0.0) };
        assert!(reports.iter().all(|report| report.dependent_rows == dependent), "{key}");
        let moved = (world.bodies()[body].pose.position - DVec2::new(0.0, 1.0)).length();
        assert!(moved < 1e-13 + fall, "{key}: {moved:e}");
        let carried: f64 = world.joints().iter().map(|joint| joint.force[1]).sum();
        assert!((carried - 9.81).abs() < 1e-10, "{key}: {carried}");
    }
}

/// Two welds that contradict each other pull the body to the least-squares place, half way, and the report's
/// residual is the conflict, not a hidden failure.
#[test]
fn conflicting_welds_meet_half_way() {
    let mut world = contradicting_welds(DVec2::ZERO);
    let body = world.bodies().len() - 1;
    let report = run(&mut world, &method("anitescu_hart", &[]), 1e-2, 1)[0];
    assert!((world.bodies()[body].pose.position.x - 0.1).abs() < 1e-12);
    // J v⁺ + g/h is off by ±0.2 m / 0.01 s in the two rows.
    assert!((report.residual - 20.0).abs() < 1e-9, "{report:?}");
    assert!((report.joint_error - 0.2).abs() < 1e-12);
}

/// A closed loop of hinges with one of them stated twice swings like the plain loop.
#[test]
fn closed_loop_with_a_repeated_hinge_swings_on() {
    let build = |repeat: bool| {
        // Three bars between two wall points: a four-bar linkage with the wall as its fourth bar.
        let mut world = World::new(GRAVITY);
        let ground = world.add_body(wall());
        let corners = [(0.0, 0.0), (0.3, 0.8), (1.4, 1.0), (1.5, 0.0)].map(|(x, y)| DVec2::new(x, y));
        let mut last = ground;
        for pair in corners.windows(2) {
            let along = pair[1] - pair[0];
            let link = bar(DVec2::new(along.length(), 0.1), (pair[0] + pair[1]) / 2.0, along.to_angle());
            let link = world.add_body(link);
            let joint = hinge(&world, [last, link], pair[0]);
            world.add_joint(joint).unwrap();
            last = link;
        }
        for _ in 0..if repeat { 2 } else { 1 } {
            let joint = hinge(&world, [last, ground], corners[3]);
            world.add_joint(joint).unwrap();
        }
        world
    };
    let (mut plain, mut repeated) = (build(false), build(true));
    let reports = run(&mut repeated, &method("projection", &[]), 1e-3, 2000);
    run(&mut plain, &method("projection", &[]), 1e-3, 2000);
    assert!(reports.iter().all(|report| report.dependent_rows == 2 && report.joint_error < 1e-12));
    let apart = (plain.bodies()[2].pose.coordinates() - repeated.bodies()[2].pose.coordinates()).length();
    assert!(apart < 1e-8, "{apart:e}");
}

/// A mass ratio of 10⁹ along a chain is no dependence.
#[test]
fn large_mass_ratios_are_not_mistaken_for_redundancy() {
    let mut world = chain(6, GRAVITY);
    let end = world.bodies()[5].point_in_world(DVec2::new(0.05, 0.0));
    let ball = world.add_body(
        driftlab::model::Body::new(
            driftlab::model::BodyKind::Dynamic,
            end,
            0.0,
            Vec::new(),
            driftlab::model::MassSpec::Given { mass: 2e9, inertia: Some(1e9) },
        )
        .unwrap(),
    );
    let joint = hinge(&world, [5, ball], end);
    world.add_joint(joint).unwrap();
    let reports = run(&mut world, &method("projection", &[]), 1e-3, 1000);
    assert!(reports.iter().all(|report| report.dependent_rows == 0 && report.joint_error < 1e-12));
}

/// The factorisation against a dense solve by hand: [[2, 1], [1, 1]] x = (1, 0) has x = (1, −1); a rank-one
/// matrix with a consistent right-hand side is solved with residual zero, an inconsistent one by least
/// squares.
#[test]
fn factorisation_solves_small_systems() {
    let pairs = [(0, 0), (0, 1), (1, 1)];
    let (mut matrix, slots) = SparseLdlt::new(2, &pairs).unwrap();
    let mut solve = |entries: [f64; 3], b: [f64; 2]| {
        matrix.values_mut().fill(0.0);
        for (slot, entry) in slots.iter().zip(entries) {
            matrix.values_mut()[*slot] += entry;
        }
        match matrix.factor(ROUNDED_PIVOT).unwrap() {
            0 => {}
            dependent => matrix.factor_singular(dependent).unwrap(),
        }
        let mut x = [0.0; 2];
        let residual = matrix.solve(&b, &mut x);
        (x, residual, matrix.dependent_rows())
    };
    let (x, residual, dependent) = solve([2.0, 1.0, 1.0], [1.0, 0.0]);
    assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] + 1.0).abs() < 1e-15);
    assert!(residual < 1e-15 && dependent == 0);
    let (x, residual, dependent) = solve([1.0, 1.0, 1.0], [3.0, 3.0]);
    assert!((x[0] + x[1] - 3.0).abs() < 1e-14 && residual < 1e-14 && dependent == 1);
    let (x, residual, dependent) = solve([1.0, 1.0, 1.0], [1.0, 3.0]);
    assert!((x[0] + x[1] - 2.0).abs() < 1e-14 && dependent == 1);
    assert!((residual - 1.0).abs() < 1e-14);
    assert!(matrix_rejects_nan());
}

fn matrix_rejects_nan() -> bool {
    let (mut matrix, slots) = SparseLdlt::new(1, &[(0, 0)]).unwrap();
    matrix.values_mut()[slots[0]] = f64::NAN;
    matrix.factor(ROUNDED_PIVOT).is_err()
}

/// A heavy bar welded to two walls that contradict each other by half a metre: the forces settle to the bar's
/// weight, shared evenly, under every scheme that admits a conflict; the contradiction adds no force of its own.
#[test]
fn conflicting_welds_carry_the_weight_and_nothing_else() {
    for key in ["none", "baumgarte_velocity", "anitescu_hart", "implicit", "post_stabilization"] {
        let mut world = World::new(GRAVITY);
        let walls = [world.add_body(wall()), world.add_body(wall())];
        let body = world.add_body(bar(DVec2::new(2.0, 0.1), DVec2::new(1.0, 0.0), 0.0));
        let ends = [(DVec2::ZERO, -1.0), (DVec2::new(2.0, 0.5), 1.0)];
        for (wall, (at, x)) in walls.into_iter().zip(ends) {
            let weld = Weld { anchors: [at, DVec2::new(x, 0.0)], reference_angle: 0.0 };
            world.add_joint(Joint::new([wall, body], JointKind::Weld(weld))).unwrap();
        }
        let reports = run(&mut world, &method(key, &[]), 1e-3, 1000);
        let weight = 200.0 * 9.81;
        let carried: f64 = world.joints().iter().map(|joint| joint.force[1]).sum();
        assert!((carried - weight).abs() < 1e-3 * weight, "{key}: {carried} N");
        for joint in world.joints() {
            assert!((joint.force[1] - weight / 2.0).abs() < 1e-2 * weight, "{key}: {:?}", joint.force);
        }
        let work = driftlab::math::largest(reports[500..].iter().map(|report| report.correction_work));
        assert!(work < 1e-6, "{key}: {work} J in a step at rest");
    }
}
