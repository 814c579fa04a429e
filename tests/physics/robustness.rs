//! Failure without damage, determinism, springs that stay stable, the grab.

use super::worlds::{
    GRAVITY, chain, contradicting_welds, hinge, largest_error, method, point_mass, run, wall,
};
use driftlab::lcp::MixedError;
use driftlab::model::joint::{Distance, DistanceForm};
use driftlab::model::{Grab, Joint, JointKind, ModelError, Motor, Softness, Spring, World};
use driftlab::report::StepError;
use driftlab::stabilizer::{Method, TABLE, Workspace};
use driftlab::step::{in_halves, step};
use glam::DVec2;

/// A step whose contact problem is solved only over 30 ms is made in quarters of 100 ms: the same bits as four steps of
/// 25 ms, but one step that says so. One that no part of it solves is that error, and the world as it was.
#[test]
fn an_unsolved_step_is_made_in_halves() {
    let method = method("none", &[]);
    let mut workspace = Workspace::default();
    let unsolved = |residual| {
        let error = MixedError::NotConverged { solver: "newton", residual, expected: 1e-9, iterations: 7 };
        Err(StepError::Contact(error))
    };
    let mut attempts = 0;
    let mut up_to = |world: &mut World, h: f64, most: f64| {
        attempts += 1;
        if h > most { unsolved(h) } else { step(world, &method, h, &mut workspace) }
    };
    let before = chain(6, GRAVITY);
    let mut world = before.clone();
    let report = in_halves(&mut world, 0.1, &mut |world, h| up_to(world, h, 0.03)).unwrap();
    assert_eq!((report.step, report.substeps, report.time), (1, 4, 0.1));
    assert_eq!((world.steps, world.time), (1, 0.1));
    let mut quarters = before.clone();
    let parts: Vec<_> =
        (0..4).map(|_| up_to(&mut quarters, 0.025, 1.0).unwrap().solver_iterations).collect();
    assert_eq!(world.bodies(), quarters.bodies());
    // Seven iterations for the whole and for each half.
    assert_eq!(report.solver_iterations, parts.iter().sum::<usize>() + 21);
    assert_eq!(report.kinetic_energy, quarters.kinetic_energy());

    let mut world = before.clone();
    let failure = in_halves(&mut world, 0.1, &mut |world, h| up_to(world, h, 0.01));
    assert_eq!(failure, unsolved(0.1));
    assert_eq!(world, before);
    // 1 + 2 + 4; then the whole, a half, a quarter and an eighth.
    assert_eq!(attempts, 7 + 4 + 4);

    // No other failure is tried in parts.
    let mut tries = 0;
    let failure = in_halves(&mut world, 0.1, &mut |_, _| {
        tries += 1;
        Err(StepError::Factorization)
    });
    assert_eq!((failure, tries), (Err(StepError::Factorization), 1));
}

/// A step that fails says why and leaves the world bit for bit as it was.
#[test]
fn failed_step_leaves_the_world_as_it_was() {
    let mut world = chain(6, GRAVITY);
    run(&mut world, &method("none", &[]), 1e-3, 100);
    let mut workspace = Workspace::default();
    for h in [0.0, -1e-3, f64::NAN, f64::INFINITY] {
        let before = world.clone();
        let failure = step(&mut world, &method("none", &[]), h, &mut workspace);
        assert!(matches!(failure, Err(StepError::InvalidTimeStep(_))));
        assert_eq!(world, before);
    }
    // αh = 10: the error grows ninefold a step until it is no longer finite.
    let unstable = method("baumgarte_velocity", &[("alpha", 10_000.0)]);
    let failure = loop {
        let before = world.clone();
        match step(&mut world, &unstable, 1e-3, &mut workspace) {
            Ok(_) => {}
            Err(error) => {
                assert_eq!(world, before);
                break error;
            }
        }
    };
    assert!(
        matches!(
            failure,
            StepError::NotFinite { .. } | StepError::Factorization | StepError::EnergyNotFinite
        ),
        "{failure}"
    );
}

/// Constraints that contradict each other cannot be projected onto: Newton's method says so, and the world
/// stays as it was.
#[test]
fn projection_onto_contradicting_welds_is_an_error() {
    for key in ["projection", "rattle"] {
        let mut world = contradicting_welds(GRAVITY);
        let before = world.clone();
        let failure = step(&mut world, &method(key, &[]), 1e-3, &mut Workspace::default());
        assert!(matches!(failure, Err(StepError::NotConverged { .. })), "{key}: {failure:?}");
        assert_eq!(world, before);
    }
}

/// The result depends on the world, the method and h alone: a clone steps to the same bits, with a workspace
/// that served another world before as with a fresh one.
#[test]
fn clone_steps_to_the_same_bits() {
    for scheme in TABLE {
        let method = Method::new((*scheme).into());
        let mut workspace = Workspace::default();
        let mut other = chain(9, GRAVITY);
        step(&mut other, &method, 1e-3, &mut workspace).unwrap();
        let mut world = chain(6, GRAVITY);
        run(&mut world, &method, 1e-3, 50);
        let mut clone = world.clone();
        run(&mut world, &method, 1e-3, 200);
        for _ in 0..200 {
            step(&mut clone, &method, 1e-3, &mut workspace).unwrap();
        }
        assert_eq!(world, clone, "{}", scheme.info().key);
    }
}

/// Every scheme can follow every other between two steps, from the state as it is.
#[test]
fn schemes_can_be_switched_between_any_two_steps() {
    let mut world = chain(6, GRAVITY);
    let mut workspace = Workspace::default();
    for round in 0..40 {
        for scheme in TABLE {
            let report = step(&mut world, &Method::new((*scheme).into()), 1e-3, &mut workspace).unwrap();
            assert!(report.joint_error < 1e-2, "round {round}, {}: {report:?}", scheme.info().key);
        }
    }
    let finish = run(&mut world, &method("projection", &[]), 1e-3, 1);
    assert!(finish[0].joint_error < 1e-12);
}

/// A mass on a spring and dashpot follows x'' = −(k/m) x − (d/m) x'; a spring so stiff that explicit
/// integration would explode (ωh = 100) stays bounded under every scheme.
#[test]
fn springs_follow_theory_and_stay_stable_when_stiff() {
    let build = |stiffness: f64, damping: f64| {
        let mut world = World::new(DVec2::ZERO);
        let wall = world.add_body(wall());
        let mass = world.add_body(point_mass(DVec2::new(2.0, 0.0)));
        let softness = Softness { stiffness, damping };
        world
            .add_spring(Spring {
                bodies: [wall, mass],
                anchors: [DVec2::ZERO; 2],
                softness,
                rest_length: 1.0,
            })
            .unwrap();
        world
    };
    // Second order: RATTLE against the exact damped oscillation, ω₀² = 25, δ = 0.5.
    let error = |h: f64| {
        let mut world = build(25.0, 1.0);
        run(&mut world, &method("rattle", &[]), h, (2.0 / h).round() as usize);
        let (decay, omega) = (0.5, (25.0_f64 - 0.25).sqrt());
        let exact =
            1.0 + (-decay * 2.0_f64).exp() * ((2.0 * omega).cos() + decay / omega * (2.0 * omega).sin());
        (world.bodies()[1].pose.position.x - exact).abs()
    };
    let order = (error(0.01) / error(0.005)).log2();
    // Implicit midpoint lags by ω³h²/12 per second: 1.9e-4 of the remaining amplitude e⁻¹ after 2 s.
    assert!(error(0.005) < 3e-4 && (order - 2.0).abs() < 0.1, "error {:e}, order {order}", error(0.005));
    for scheme in TABLE {
        let mut world = build(1e8, 0.0);
        let reports = run(&mut world, &Method::new((*scheme).into()), 1e-2, 1000);
        let reach = (world.bodies()[1].pose.position.x - 1.0).abs();
        assert!(reach <= 1.0 + 1e-9, "{}: {reach}", scheme.info().key);
        assert!(reports.iter().all(|report| report.total_energy() <= 0.5e8 * (1.0 + 1e-9)));
    }
}

/// The grab pulls its point to the target, and never with more than its limit.
#[test]
fn grab_is_soft_and_limited() {
    for scheme in TABLE {
        let method = Method::new((*scheme).into());
        let mut world = World::new(DVec2::ZERO);
        let mass = world.add_body(point_mass(DVec2::ZERO));
        let mut grab = Grab::new(mass, &world.bodies()[mass], DVec2::ZERO);
        grab.target = DVec2::new(0.3, 0.1);
        world.grab = Some(grab);
        run(&mut world, &method, 1e-3, 2000);
        let key = scheme.info().key;
        assert!((world.bodies()[mass].pose.position - grab.target).length() < 1e-6, "{key}");
        // A target far away: a constant pull of the limit, exactly.
        world.grab = Some(Grab { target: DVec2::new(1e6, 0.0), ..grab });
        world.bodies_mut()[mass].velocity = Default::default();
        run(&mut world, &method, 1e-3, 1);
        let gained = world.bodies()[mass].velocity.linear.length();
        assert!((gained - 1e-3 * grab.max_force).abs() < 1e-9 * gained, "{key}: {gained}");
    }
}

/// A grabbed chain follows the hand with its joints as good as without it.
#[test]
fn grabbed_chain_keeps_its_joints() {
    let mut world = chain(6, GRAVITY);
    let tip = world.bodies()[5].point_in_world(DVec2::new(0.05, 0.0));
    let mut grab = Grab::new(5, &world.bodies()[5], tip);
    grab.target = DVec2::new(0.2, 0.3);
    world.grab = Some(grab);
    let reports = run(&mut world, &method("projection", &[]), 1e-3, 3000);
    assert!(largest_error(&reports) < 1e-12);
    let frame = world.frame(5);
    assert!((grab.point(&frame) - grab.target).length() < 0.05);
}

#[test]
fn limits_and_motors_that_mean_nothing_are_refused() {
    // Protects the step from bounds that no coordinate can keep, and from a motor on a joint that has none.
    let mut world = World::new(GRAVITY);
    let (wall, bar) = (world.add_body(wall()), world.add_body(point_mass(DVec2::X)));
    let hinge = hinge(&world, [wall, bar], DVec2::ZERO);
    let limited = |limits| Joint { limits: Some(limits), ..hinge.clone() };
    let driven = |speed, max_force| Joint { motor: Some(Motor { speed, max_force }), ..hinge.clone() };
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    for limits in [[1.0, 0.0], [nan, 0.0], [0.0, nan], [inf, inf], [-inf, -inf]] {
        let error = world.add_joint(limited(limits)).unwrap_err();
        assert!(matches!(error, ModelError::Limits { .. }), "{limits:?}: {error}");
    }
    for (speed, max_force) in [(nan, 1.0), (inf, 1.0), (1.0, -1.0), (1.0, nan), (1.0, inf)] {
        let error = world.add_joint(driven(speed, max_force)).unwrap_err();
        assert!(matches!(error, ModelError::OutOfRange { .. }), "{speed}, {max_force}: {error}");
    }
    let error = world.add_joint(Joint { zero: nan, ..hinge.clone() }).unwrap_err();
    assert!(matches!(error, ModelError::OutOfRange { .. }), "{error}");
    let rod = Distance { anchors: [DVec2::ZERO; 2], length: 1.0, form: DistanceForm::Length };
    let rod = Joint::new([wall, bar], JointKind::Distance(rod));
    for joint in [
        Joint { limits: Some([0.0, 1.0]), ..rod.clone() },
        Joint { motor: Some(Motor { speed: 1.0, max_force: 1.0 }), ..rod },
    ] {
        assert_eq!(world.add_joint(joint), Err(ModelError::NoFreeCoordinate("distance")));
    }
    assert!(world.joints().is_empty());
    for limits in [[0.0, 0.0], [-1.0, 2.0], [-inf, 0.0], [0.0, inf], [-inf, inf]] {
        assert_eq!(world.add_joint(limited(limits)), Ok(()), "{limits:?}");
    }
    assert_eq!(world.add_joint(driven(-3.0, 0.0)), Ok(()));
}

/// The message that a solver gave up says by how much: a residual of 1.717e-4 where 1.5e-4 was asked for reads as too large,
/// which it does not beside '2e-4'.
#[test]
fn messages_name_the_tolerance_with_the_digits_that_tell() {
    let contact =
        MixedError::NotConverged { solver: "pgs", residual: 1.717e-4, expected: 1.5e-4, iterations: 9 };
    assert!(
        contact.to_string().ends_with("left a residual of 1.717e-4 after 9 iterations (expected 1.5e-4)")
    );
    let joint = StepError::NotConverged { iterations: 40, error: 1.6e-12, tolerance: 1.5e-12 };
    assert!(joint.to_string().ends_with("error 1.600e-12 after 40 iterations (expected 1.5e-12)"));
}
