//! Redundant and conflicting constraints: the consistent solution, a count, no NaN.

use super::worlds::{
    GRAVITY, WITHIN_A_STEP, bar, chain, contradicting_welds, hinge, id, largest_error, method, point_mass,
    run, wall,
};
use driftlab::method::{Method, Scheme};
use driftlab::model::joint::Weld;
use driftlab::model::{Body, BodyKind, Joint, JointKind, MassSpec, Placement, Shape, World};
use glam::DVec2;

fn pinned_bar(hinges: usize) -> World {
    let mut world = World::new(GRAVITY);
    let wall = world.add_body(wall()).unwrap();
    let link = world.add_body(bar(DVec2::new(1.0, 0.1), DVec2::new(0.5, 0.0), 0.0)).unwrap();
    for _ in 0..hinges {
        let joint = hinge([wall, link], DVec2::ZERO);
        world.add_joint(joint).unwrap();
    }
    world
}

/// Whether the scheme brings its own solver, which counts no dependent rows and meets joints approximately; that of
/// `direct_iterated` factorises them.
fn approximates(scheme: &'static Scheme) -> bool {
    !scheme.uses_solver && scheme.info().key != "direct_iterated"
}

/// A duplicated hinge moves the body as one hinge does, and two rows are counted as dependent. (Schemes with a solver of their
/// own count none, and may differ by ten times their own joint error.)
#[test]
fn hinge_stated_twice_is_the_hinge() {
    for scheme in WITHIN_A_STEP.iter() {
        let method = Method::new((*scheme).into());
        let (mut once, mut twice) = (pinned_bar(1), pinned_bar(2));
        let single = run(&mut once, &method, 1e-3, 500);
        let double = run(&mut twice, &method, 1e-3, 500);
        let key = scheme.info().key;
        assert!(single.iter().all(|report| report.dependent_rows == 0), "{key}");
        let dependent = if approximates(scheme) { 0 } else { 2 };
        assert!(double.iter().all(|report| report.dependent_rows == dependent), "{key}");
        let open = if dependent == 0 { 10.0 * largest_error(&single) } else { 0.0 };
        let apart = (once.bodies()[1].pose.coordinates() - twice.bodies()[1].pose.coordinates()).length();
        assert!(apart < 1e-10 + open, "{key}: {apart:e}, {open:e}");
    }
}

/// A body welded to two walls stands still, the welds carry its weight, and three rows are counted as dependent. (Under
/// schemes with a solver of their own it may fall freely in the first step, by g h², and no dependent rows are counted.)
#[test]
fn body_welded_to_two_walls_stands() {
    for scheme in WITHIN_A_STEP.iter() {
        let mut world = World::new(GRAVITY);
        let walls = [world.add_body(wall()).unwrap(), world.add_body(wall()).unwrap()];
        let body = world.add_body(point_mass(DVec2::new(0.0, 1.0))).unwrap();
        for wall in walls {
            let anchors = [DVec2::new(0.0, 1.0), DVec2::ZERO];
            let weld = JointKind::Weld(Weld { anchors, reference_angle: 0.0 });
            world.add_joint(Joint::between([wall, body], weld)).unwrap();
        }
        let reports = run(&mut world, &Method::new((*scheme).into()), 1e-2, 200);
        let key = scheme.info().key;
        let (dependent, fall) = if approximates(scheme) { (0, 9.81e-4) } else { (3, 0.0) };
        assert!(reports.iter().all(|report| report.dependent_rows == dependent), "{key}");
        let moved = (world[body].pose.position - DVec2::new(0.0, 1.0)).length();
        assert!(moved < 1e-13 + fall, "{key}: {moved:e}");
        let carried: f64 = world.joints().iter().map(|joint| joint.force[1]).sum();
        assert!((carried - 9.81).abs() < 1e-10, "{key}: {carried}");
    }
}

/// Two welds that contradict each other move the body to the least-squares position, half way between, and the reported
/// residual shows the conflict.
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

/// A closed loop with a duplicated hinge swings like the loop without it, and two rows are counted as dependent.
#[test]
fn closed_loop_with_a_repeated_hinge_swings_on() {
    let build = |repeat: bool| {
        // Three bars between two wall points: a four-bar linkage with the wall as its fourth bar.
        let mut world = World::new(GRAVITY);
        let ground = world.add_body(wall()).unwrap();
        let corners = [(0.0, 0.0), (0.3, 0.8), (1.4, 1.0), (1.5, 0.0)].map(|(x, y)| DVec2::new(x, y));
        let mut last = ground;
        for pair in corners.windows(2) {
            let along = pair[1] - pair[0];
            let link = bar(DVec2::new(along.length(), 0.1), (pair[0] + pair[1]) / 2.0, along.to_angle());
            let link = world.add_body(link).unwrap();
            let joint = hinge([last, link], pair[0]);
            world.add_joint(joint).unwrap();
            last = link;
        }
        for _ in 0..if repeat { 2 } else { 1 } {
            let joint = hinge([last, ground], corners[3]);
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

/// A mass ratio of 10⁹ along a chain is not taken for dependent rows, and the joints stay closed.
#[test]
fn large_mass_ratios_are_not_mistaken_for_redundancy() {
    let mut world = chain(6, GRAVITY);
    let end = world.bodies()[5].point_in_world(DVec2::new(0.05, 0.0));
    let ball = world
        .add_body(
            driftlab::model::Body::new(
                driftlab::model::BodyKind::Dynamic,
                end,
                0.0,
                Vec::new(),
                driftlab::model::MassSpec::Given { mass: 2e9, inertia: Some(1e9) },
            )
            .unwrap(),
        )
        .unwrap();
    let joint = hinge([id(&world, 5), ball], end);
    world.add_joint(joint).unwrap();
    let reports = run(&mut world, &method("projection", &[]), 1e-3, 300);
    assert!(reports.iter().all(|report| report.dependent_rows == 0 && report.joint_error < 1e-12));
}

/// A heavy bar is welded to two walls that contradict each other by half a metre: under every scheme that admits a conflict,
/// the welds share the bar's weight evenly (to 1 %), and corrections do no work at rest.
#[test]
fn conflicting_welds_carry_the_weight_and_nothing_else() {
    for key in ["none", "baumgarte_velocity", "anitescu_hart", "implicit", "post_stabilization"] {
        let mut world = World::new(GRAVITY);
        let walls = [world.add_body(wall()).unwrap(), world.add_body(wall()).unwrap()];
        let body = world.add_body(bar(DVec2::new(2.0, 0.1), DVec2::new(1.0, 0.0), 0.0)).unwrap();
        let ends = [(DVec2::ZERO, -1.0), (DVec2::new(2.0, 0.5), 1.0)];
        for (wall, (at, x)) in walls.into_iter().zip(ends) {
            let weld = Weld { anchors: [at, DVec2::new(x, 0.0)], reference_angle: 0.0 };
            world.add_joint(Joint::between([wall, body], JointKind::Weld(weld))).unwrap();
        }
        let reports = run(&mut world, &method(key, &[]), 1e-3, 1000);
        let weight = 200.0 * 9.81;
        let carried: f64 = world.joints().iter().map(|joint| joint.force[1]).sum();
        assert!((carried - weight).abs() < 1e-3 * weight, "{key}: {carried} N");
        for joint in world.joints() {
            assert!((joint.force[1] - weight / 2.0).abs() < 1e-2 * weight, "{key}: {:?}", joint.force);
        }
        let work = crate::largest(reports[500..].iter().map(|report| report.correction_work));
        assert!(work < 1e-6, "{key}: {work} J in a step at rest");
    }
}

/// Fourteen hundred rows over twenty bodies: 700 hinges join every pair of them several times, and one of them holds the whole at
/// the origin. It swings as the one rigid body that it is: ω̇ = −M g x_c / I about the origin, all rows but 59 depend
/// on others, also beside a ball on a floor, where the problem is split into islands.
#[test]
fn bodies_hinged_all_over_are_one_body() {
    for floor in [false, true] {
        let mut world = World::new(GRAVITY);
        let wall = world.add_body(wall()).unwrap();
        let place = |i: usize| DVec2::new(0.3 + 0.1 * i as f64, (1.3 * i as f64).sin());
        let bodies: Vec<_> = (0..20).map(|i| world.add_body(point_mass(place(i))).unwrap()).collect();
        let pairs = (0..20).flat_map(|j| (0..j).map(move |i| (i, j)));
        for (number, (i, j)) in pairs.cycle().take(700).enumerate() {
            let angle = 2.4 * number as f64;
            let at = DVec2::new(angle.cos(), (1.7 * angle).sin());
            world.add_joint(hinge([bodies[i], bodies[j]], at)).unwrap();
        }
        world.add_joint(hinge([wall, bodies[0]], DVec2::ZERO)).unwrap();
        if floor {
            let ball = Placement::centred(Shape::Circle { radius: 0.1 });
            let ball =
                Body::new(BodyKind::Dynamic, place(0), 0.0, vec![ball], MassSpec::default()).unwrap();
            let half = Placement::centred(Shape::HalfPlane { normal: DVec2::Y, offset: place(0).y - 0.1 });
            let floor =
                Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, vec![half], MassSpec::default()).unwrap();
            let ball = world.add_body(ball).unwrap();
            world.add_body(floor).unwrap();
            world.add_joint(hinge([wall, ball], place(0))).unwrap();
        }
        let report = run(&mut world, &method("none", &[]), 1e-3, 1).remove(0);
        let moment: f64 = (0..20).map(|i| 1.0 + place(i).length_squared()).sum();
        let expected = 1e-3 * GRAVITY.y * (0..20).map(|i| place(i).x).sum::<f64>() / moment;
        for body in &world.bodies()[1..21] {
            let turned = body.velocity.angular;
            assert!((turned - expected).abs() < 1e-10 * expected.abs(), "{turned} for {expected}");
        }
        assert_eq!(report.infeasible, 0);
        assert!(floor || report.dependent_rows == 2 * 701 - 59, "{}", report.dependent_rows);
    }
}
