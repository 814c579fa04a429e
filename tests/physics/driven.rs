//! Driven poses, lengths and surfaces: what profiles say of them, at every level under every scheme.

use super::profiles::all_methods;
use super::worlds::{method, run};
use driftlab::constraint::Rows;
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::joint::{DistanceForm, JointSoftness};
use driftlab::model::{
    Body, Joint, JointKind, ModelError, Motion, Placement, PoseProfiles, Profile, Shape, World,
};
use driftlab::report::Work;
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

const POINTS: [[f64; 2]; 5] = [[0.0, 1.0], [0.4, 1.5], [0.9, 0.8], [1.3, 1.1], [2.0, 1.0]];

/// Profiles between 0.5 and 2 of every kind; the first ones have no corner within 1 s.
fn profiles() -> [Profile; 5] {
    [
        Profile::Sine { mean: 1.0, amplitude: 0.3, frequency: 0.7, phase: 0.4 },
        Profile::table(&POINTS, true).unwrap(),
        Profile::Constant(1.25),
        Profile::Ramp { from: 1.0, to: 1.6, start: 0.3, end: 0.8 },
        Profile::table(&POINTS, false).unwrap(),
    ]
}

fn by_forces(method: &Method) -> bool {
    method.level == Level::Acceleration
}

/// Protects driven poses: at the end of every step a kinematic body is where its profiles say, with their rates, under every
/// scheme; the coordinate without one moves at its velocity.
#[test]
fn a_body_is_where_its_profiles_say() {
    for (name, method) in all_methods() {
        for profile in profiles() {
            let mut world = World::new([0.0, -9.81]);
            let lift =
                Body::kinematic(Motion::ConstantVelocity).velocity([0.0, 0.25]).shape(Shape::circle(0.1));
            let drives =
                PoseProfiles { x: Some(profile.clone()), y: None, angle: Some(profile.scaled(3.0, -1.0)) };
            let lift = world.add_body(lift.pose_profiles(drives)).unwrap();
            assert_eq!(world[lift].pose.position, DVec2::new(profile.value(0.0), 0.0));
            run(&mut world, &method, 0.01, 60);
            let (t, body) = (world.time(), &world[lift]);
            let due = DVec3::new(profile.value(t), 0.25 * t, 3.0 * profile.value(t) - 1.0);
            assert!((body.pose.coordinates() - due).length() < 1e-13, "{name}: {:?}", body.pose);
            let rate = DVec3::new(profile.rate(t), 0.25, 3.0 * profile.rate(t));
            assert!((body.velocity.coordinates() - rate).length() < 1e-12, "{name}: {:?}", body.velocity);
        }
    }
}

/// Protects what hangs on a driven body: a block that is welded to one follows it to rounding in steps of the velocity level, and
/// with the order of the integrator in forces. (Rows of `mujoco` yield.)
#[test]
fn a_welded_block_follows_its_driven_body() {
    let profile = Profile::Sine { mean: 1.0, amplitude: 0.3, frequency: 0.7, phase: 0.4 };
    for (name, method) in all_methods().filter(|(name, _)| !name.starts_with("mujoco")) {
        let error = |steps: usize| {
            let mut world = World::new(DVec2::ZERO);
            let cart = Body::kinematic(Motion::ConstantVelocity);
            let drives = PoseProfiles { x: Some(profile.clone()), ..PoseProfiles::default() };
            let cart = world.add_body(cart.pose_profiles(drives)).unwrap();
            let block = Body::dynamic().at([profile.value(0.0), 0.5]).mass_and_inertia(2.0, 0.3);
            let block = world.add_body(block.velocity([profile.rate(0.0), 0.0])).unwrap();
            world.add_joint(Joint::weld(cart, block).at([profile.value(0.0), 0.0])).unwrap();
            run(&mut world, &method, 1.0 / steps as f64, steps);
            (world[block].pose.position.x - profile.value(1.0)).abs()
        };
        let [coarse, fine] = [error(100), error(200)];
        if !by_forces(&method) {
            // Box2D's joints are springs, which lag behind.
            let slack = if method.stabilizer.info().key == "soft" { 1e-3 } else { 1e-9 };
            assert!(coarse < slack && fine < slack, "{name}: {coarse:e}, {fine:e}");
        } else if method.stabilizer.info().key == "none" {
            let expected = if method.integrator == Integrator::Rk4 { 4.0 } else { 1.0 };
            let order = (coarse / fine).log2();
            assert!(order > expected - 0.2, "{name}: order {order:.3}, {coarse:e}");
        } else {
            assert!(fine < 1e-2, "{name}: {fine:e}");
        }
    }
}

/// Body b on a joint of driven length to a fixed body at the origin.
fn on_a_joint(
    profile: &Profile,
    start: [f64; 2],
    velocity: [f64; 2],
    joint: impl Fn(Joint) -> Joint,
) -> World {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(Body::fixed()).unwrap();
    let bob = Body::dynamic().at(start).velocity(velocity).mass_and_inertia(2.0, 0.1);
    let bob = world.add_body(bob).unwrap();
    let rod = Joint::distance(wall, bob).anchors([0.0, 0.0], start).length_profile(profile.clone());
    let rod = world.add_joint(rod).unwrap();
    let changed = joint(world[rod].clone());
    world.edit_joint(rod, |own| *own = changed).unwrap();
    world
}

fn squared(mut joint: Joint) -> Joint {
    if let JointKind::Distance(rod) = &mut joint.kind {
        rod.form = DistanceForm::Squared;
    }
    joint
}

/// Protects ġ = J v + c and g̈ = J a + k with c = −L̇ and k containing −L̈, of both forms: along q + s v they are the first and
/// second derivatives of g by differences.
#[test]
fn rows_of_driven_lengths_have_the_derivatives_of_g() {
    let keep = |joint: Joint| joint;
    for profile in profiles() {
        for form in [keep, squared] {
            let (start, velocity) = ([0.7, 0.4], [0.3, -0.8]);
            let row = |t: f64| {
                let mut world = on_a_joint(&profile, start, velocity, form);
                world.set_time(t).unwrap();
                let q = DVec2::from(start) + (t - 0.55) * DVec2::from(velocity);
                let (q, v) = (
                    vec![DVec3::ZERO, q.extend(0.0)],
                    vec![DVec3::ZERO, DVec2::from(velocity).extend(0.0)],
                );
                let mut rows = Rows::default();
                rows.evaluate_joints(&world, &q, &v);
                let row = rows.joints()[0];
                [row.g, row.rate(&v), row.k]
            };
            let (e, [_, rate, k]) = (1e-5, row(0.55));
            let [before, after] = [row(0.55 - e), row(0.55 + e)];
            assert!(((after[0] - before[0]) / (2.0 * e) - rate).abs() < 1e-7, "{profile:?}: {rate}");
            assert!(((after[1] - before[1]) / (2.0 * e) - k).abs() < 1e-6, "{profile:?}: {k}");
        }
    }
}

/// Protects a driven rod: at the end of each step the bob is at the distance L(t) under every scheme that keeps its joints, in
/// both forms; at L(t) with the order of the integrator in forces alone.
#[test]
fn a_driven_rod_has_its_length() {
    let keep = |joint: Joint| joint;
    for (name, method) in all_methods() {
        for (profile, form) in profiles()
            .into_iter()
            .flat_map(|own| [(own.clone(), keep as fn(Joint) -> Joint), (own, squared)])
        {
            let (length, rate) = (profile.value(0.0), profile.rate(0.0));
            let smooth = !matches!(profile, Profile::Ramp { .. });
            let smooth = smooth && profile.second(0.5) != 0.0 || matches!(profile, Profile::Constant(_));
            let mut world = on_a_joint(&profile, [length, 0.0], [rate, 0.0], form);
            run(&mut world, &method, 0.01, 100);
            let bob = &world.bodies()[1];
            let (found, due) = (bob.pose.position.length(), profile.value(world.time()));
            let key = method.stabilizer.info().key;
            let slack = match key {
                // Radial motion is straight: the squared form's chords alone are off.
                _ if !by_forces(&method) && ["projection", "rattle"].contains(&key) => 1e-12,
                // Without stabilization the chords of the squared form add up to ½ L̇² h t.
                _ if !by_forces(&method) => 2e-2,
                _ if smooth => 0.06,
                // A corner of the length is a jump of the velocity, which no force makes.
                _ => continue,
            };
            assert!((found - due).abs() < slack, "{name}, {profile:?}: {found}, not {due}");
            if ["projection", "rattle"].contains(&key) {
                let speed = bob.velocity.linear.x;
                assert!((speed - profile.rate(world.time())).abs() < 1e-11, "{name}, {profile:?}: {speed}");
            }
        }
    }
}

/// Protects the law of areas: a puck on a string that is pulled in keeps its angular momentum under RATTLE, so that its angular
/// velocity grows as 1/L²; what the string does is the kinetic energy, as work of the driver.
#[test]
fn a_puck_on_a_string_that_is_pulled_in_turns_faster() {
    let profile = Profile::Ramp { from: 1.0, to: 0.5, start: 0.2, end: 1.2 };
    for form in [(|joint| joint) as fn(Joint) -> Joint, squared] {
        let mut world = on_a_joint(&profile, [1.0, 0.0], [0.0, 1.0], form);
        let before = world.kinetic_energy();
        let reports = run(&mut world, &method("rattle", &[]), 1e-3, 1500);
        let (bob, last) = (&world.bodies()[1], reports.last().unwrap());
        assert!(last.joint_error < 1e-13, "{}", last.joint_error);
        let momentum = 2.0 * bob.pose.position.perp_dot(bob.velocity.linear);
        assert!((momentum - 2.0).abs() < 1e-12, "{momentum}");
        // ω L² = 1: the speed has doubled.
        assert!((bob.velocity.linear.length() - 2.0).abs() < 1e-9, "{}", bob.velocity.linear);
        let gained = world.kinetic_energy() - before;
        let driver: f64 = reports.iter().map(|report| report.work.drivers).sum();
        assert!(
            (gained - 3.0).abs() < 1e-9 && (driver - gained).abs() < 5e-3 * gained,
            "{gained}, {driver}"
        );
    }
}

/// Protects a driven rope: it is slack until it has become as short as the distance, takes a body at rest along at −L̇ without
/// rebound, and lets it fly on when it stops. (Rows of `mujoco` yield.)
#[test]
fn a_rope_that_is_pulled_in_takes_a_body_along() {
    let profile = Profile::Ramp { from: 3.0, to: 2.0, start: 0.0, end: 1.0 };
    for (name, method) in all_methods().filter(|(name, _)| !name.starts_with("mujoco")) {
        let mut world = World::new(DVec2::ZERO);
        let wall = world.add_body(Body::fixed()).unwrap();
        let bob = world.add_body(Body::dynamic().at([2.5, 0.0]).mass_and_inertia(2.0, 0.1)).unwrap();
        world
            .add_joint(
                Joint::rope(wall, bob, 3.0).anchors([0.0, 0.0], [2.5, 0.0]).length_profile(profile.clone()),
            )
            .unwrap();
        let h = 0.01;
        let at = |world: &World| (world[bob].pose.position.x, world[bob].velocity.linear.x);
        run(&mut world, &method, h, 48);
        assert_eq!(at(&world), (2.5, 0.0), "{name}");
        run(&mut world, &method, h, 42);
        let (x, v) = at(&world);
        // Baumgarte's forces push it out of the overlap of the step of the impact, and a little beyond.
        let slack = if by_forces(&method) { 0.1 } else { 0.06 };
        assert!((x - 2.1).abs() < 0.2 * slack && (v + 1.0).abs() < slack, "{name}: {x}, {v}");
        run(&mut world, &method, h, 40);
        let (x, v) = at(&world);
        assert!((x - 1.7).abs() < slack && (v + 1.0).abs() < slack, "{name}: {x}, {v}");
    }
}

/// Protects what winds: a load of 2 kg that a rod, a rope or a pulley's rope lifts by 1 m, from rest to rest, hangs at the
/// length that is due, and the driver's work is m g Δz, under every scheme; no impact takes part. (Rows of `mujoco` sag by
/// millimetres, and `avbd` converges to a tenth of a millimetre.)
#[test]
fn what_is_wound_up_is_lifted_by_its_driver() {
    let profile = Profile::Sine { mean: 1.5, amplitude: 0.5, frequency: 0.25, phase: TAU / 4.0 };
    let ends = [[0.0, 0.0], [0.0, -2.0]];
    let around = |wall, load| Joint::pulley(wall, load, [[-1.0, 0.0], [0.0, 0.0]]);
    let lifts = |wall, load, profile: &Profile| {
        let [rod, rope] = [Joint::distance(wall, load), Joint::rope(wall, load, 2.0)];
        let [stiff, slack] = [around(wall, load), around(wall, load).may_go_slack()];
        let straight = [rod, rope].map(|own| own.anchors(ends[0], ends[1]).length_profile(profile.clone()));
        // A metre hangs down to the other end.
        let longer = profile.scaled(1.0, 1.0);
        let turned =
            [stiff, slack].map(|own| own.anchors([-1.0, -1.0], ends[1]).length_profile(longer.clone()));
        [straight, turned].concat()
    };
    let avbd = ("avbd".to_owned(), method("avbd", &[]));
    for (name, method) in all_methods().chain([avbd]) {
        for kind in 0..4 {
            let mut world = World::new([0.0, -9.81]);
            let wall = world.add_body(Body::fixed()).unwrap();
            let load = world.add_body(Body::dynamic().at([0.0, -2.0]).mass_and_inertia(2.0, 0.1)).unwrap();
            world.add_joint(lifts(wall, load, &profile).swap_remove(kind)).unwrap();
            let reports = run(&mut world, &method, 0.004, 500);
            let z = world[load].pose.position.y;
            let yields = name.starts_with("mujoco") || name.starts_with("avbd");
            // Forces that are those of the step's start lag by its part of the way.
            let slack = if yields || by_forces(&method) { 0.01 } else { 1e-3 };
            assert!((z + 1.0).abs() < slack, "{name}, {kind}: {z}");
            let sum = |of: fn(&Work) -> f64| reports.iter().map(|report| of(&report.work)).sum::<f64>();
            let (drivers, lifted) = (sum(|work| work.drivers), 2.0 * 9.81);
            assert!(
                (drivers / lifted - 1.0).abs() < 2.0 * slack,
                "{name}, {kind}: {drivers}, not {lifted}"
            );
            let [impacts, rest] = [sum(|work| work.impacts), sum(|work| work.method)];
            assert!(
                impacts.abs() < 0.02 * lifted && rest.abs() < 0.02 * lifted,
                "{name}, {kind}: {impacts}, {rest}"
            );
        }
    }
}

/// Protects a driven pulley: a counterweight and a winch that lets rope out at a constant rate keep g (M − m)/(M + m) as their
/// acceleration relative to it, so that both sink by half of what is let out beside.
#[test]
fn a_pulley_whose_rope_is_let_out_lets_both_loads_down() {
    let profile = Profile::Ramp { from: 2.0, to: 4.0, start: 0.0, end: 4.0 };
    let mut world = World::new([0.0, -9.81]);
    let load =
        |x: f64, mass: f64| Body::dynamic().at([x, 0.0]).velocity([0.0, -0.25]).mass_and_inertia(mass, 0.1);
    let (one, other) = (world.add_body(load(0.0, 1.0)).unwrap(), world.add_body(load(1.0, 1.0)).unwrap());
    let pulley = Joint::pulley(one, other, [[0.0, 1.0], [1.0, 1.0]]).length_profile(profile);
    world.add_joint(pulley).unwrap();
    run(&mut world, &method("rattle", &[]), 0.01, 100);
    // Two equal loads: ẍ = 0, the rope grows by ½ m in 1 s.
    for load in [one, other] {
        let body = &world[load];
        assert!((body.pose.position.y + 0.25).abs() < 1e-12, "{}", body.pose.position);
        assert!((body.velocity.linear.y + 0.25).abs() < 1e-12, "{}", body.velocity.linear);
    }
}

/// Protects a driven belt: what sticks to it has its speed, and has moved by ∫ s dt, under every scheme at the velocity level to
/// rounding. (Rows of `mujoco` and `sap` yield.)
#[test]
fn a_body_on_a_driven_belt_moves_by_its_integral() {
    let profile = Profile::Sine { mean: 0.2, amplitude: 1.0, frequency: 0.25, phase: 0.0 };
    for (name, method) in
        all_methods().filter(|(name, _)| !name.starts_with("mujoco") && !name.starts_with("sap"))
    {
        let mut world = World::new([0.0, -9.81]);
        let belt = Shape::half_plane([0.0, 1.0], 0.0);
        let belt =
            Body::fixed().shape(belt).friction(1.0).surface_speed(2.0).surface_profile(profile.clone());
        world.add_body(belt).unwrap();
        let ball = Body::dynamic().at([0.0, 0.1]).shape(Shape::circle(0.1)).friction(1.0).fixed_rotation();
        let ball = world.add_body(ball.velocity([2.0 * profile.value(0.0), 0.0])).unwrap();
        run(&mut world, &method, 0.01, 200);
        let (x, v) = (world[ball].pose.position.x, world[ball].velocity.linear.x);
        let due = 2.0 * 2.0 * profile.mean(0.0, 2.0);
        // The friction of `soft` acts after its substep has moved the bodies; `ggl` moves them by the belt's speed at their
        // pose.
        let lags = by_forces(&method) || matches!(method.stabilizer.info().key, "soft" | "ggl");
        let slack = if lags { 0.05 } else { 1e-9 };
        assert!((x - due).abs() < slack, "{name}: {x}, not {due}");
        // s̄ of the last step is off by ½ h ṡ.
        assert!(
            (v - 2.0 * profile.value(2.0)).abs() < 0.5 * 0.01 * 2.0 * TAU * 0.25 + slack,
            "{name}: {v}"
        );
    }
}

/// Protects the belts of the shapes of one body: what sticks to a shape with a profile of its own moves by the integral of that
/// profile, and what sticks to another one by its speed times the profile of the body; without any profile of the body the first
/// one still runs. Nothing moves at first, and yet the world is none at rest.
#[test]
fn each_shape_runs_at_its_own_profile() {
    let own = Profile::Ramp { from: 0.0, to: -1.0, start: 0.2, end: 1.2 };
    let whole = Profile::Ramp { from: 0.0, to: 1.0, start: 0.2, end: 1.2 };
    for of_body in [Some(whole.clone()), None] {
        for (name, method) in
            all_methods().filter(|(name, _)| name.starts_with("anitescu_hart") || name.starts_with("ngs"))
        {
            let tile = |x: f64, speed: f64, profile: Option<&Profile>| {
                let mut tile = Placement::at(Shape::rectangle(4.0, 1.0), [x, -0.5], 0.0);
                tile.surface.surface_speed = Some(speed);
                tile.surface_profile = profile.cloned();
                tile
            };
            let mut belts = Body::fixed()
                .placed(tile(-3.0, 1.0, Some(&own)))
                .placed(tile(3.0, 0.5, None))
                .friction(1.0);
            if let Some(profile) = &of_body {
                belts = belts.surface_profile(profile.clone());
            }
            let mut world = World::new([0.0, -9.81]);
            world.add_body(belts).unwrap();
            let box_at = |x: f64| {
                Body::dynamic()
                    .at([x, 0.1])
                    .shape(Shape::rectangle(0.2, 0.2))
                    .friction(1.0)
                    .fixed_rotation()
            };
            let [left, right] = [-3.0, 3.0].map(|x| world.add_body(box_at(x)).unwrap());
            // Without a profile the right belt runs from the start on: that box begins at its speed.
            let start = if of_body.is_some() { 0.0 } else { 0.5 };
            world.edit_body(right, |body| body.velocity.linear.x = start).unwrap();
            run(&mut world, &method, 0.01, 120);
            let due = [
                own.mean(0.0, 1.2) * 1.2,
                of_body.as_ref().map_or(0.6, |own| 0.5 * own.mean(0.0, 1.2) * 1.2),
            ];
            for ((id, from), due) in [(left, -3.0), (right, 3.0)].into_iter().zip(due) {
                let moved = world[id].pose.position.x - from;
                assert!((moved - due).abs() < 1e-9, "{name}: {moved}, not {due}");
            }
        }
    }
    let mut lone = Placement::centred(Shape::circle(1.0));
    lone.surface_profile = Some(own);
    assert!(Body::dynamic().placed(lone).build().is_err());
}

/// Protects worlds in which nothing moves at first: a belt that starts later is no world at rest whose step can be repeated.
#[test]
fn a_belt_that_starts_later_starts() {
    let profile = Profile::Ramp { from: 0.0, to: 1.0, start: 0.5, end: 0.6 };
    let mut world = World::new([0.0, -9.81]);
    let belt = Body::fixed().shape(Shape::half_plane([0.0, 1.0], 0.0)).friction(1.0);
    world.add_body(belt.surface_speed(1.0).surface_profile(profile)).unwrap();
    let body = Body::dynamic().at([0.0, 0.1]).shape(Shape::circle(0.1)).friction(1.0).fixed_rotation();
    let body = world.add_body(body).unwrap();
    run(&mut world, &method("anitescu_hart", &[]), 0.01, 100);
    assert!((world[body].velocity.linear.x - 1.0).abs() < 0.01, "{}", world[body].velocity.linear);
}

/// Protects the checks: lengths that reach 0, of joints that have none, and of soft ones.
#[test]
fn wrong_lengths_are_refused() {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(Body::fixed()).unwrap();
    let bob = world.add_body(Body::dynamic().at([1.0, 0.0]).mass_and_inertia(1.0, 1.0)).unwrap();
    let rod = || Joint::distance(wall, bob).anchors([0.0, 0.0], [1.0, 0.0]);
    let sine = Profile::Sine { mean: 1.0, amplitude: 1.0, frequency: 1.0, phase: 0.0 };
    assert!(matches!(world.add_joint(rod().length_profile(sine)), Err(ModelError::OutOfRange { .. })));
    // A spline through positive points that is negative between them.
    let low = [[0.0, 1.0], [1.0, 0.01], [2.0, 0.01], [3.0, 1.0]];
    let low = Profile::table(&low, true).unwrap();
    assert!(low.least() < 0.0 && (low.least() - low.value(1.5)).abs() < 1e-9, "{}", low.least());
    assert!(world.add_joint(rod().length_profile(low)).is_err());
    let constant = Profile::Constant(1.0);
    assert!(
        world.add_joint(Joint::hinge(wall, bob).at([0.0, 0.0]).length_profile(constant.clone())).is_err()
    );
    let soft = JointSoftness::of_frequency([&world[wall], &world[bob]], 1.0, 0.1);
    assert!(world.add_joint(rod().soft(soft).length_profile(constant)).is_err());
}

/// Protects snapshots: a world with driven parts that is saved in mid-run and read again goes on to the same bits.
#[cfg(feature = "scene")]
#[test]
fn a_saved_world_goes_on_to_the_same_bits() {
    let profile = Profile::table(&POINTS, true).unwrap();
    let mut world = on_a_joint(&profile, [1.0, 0.0], [0.0, 1.0], |joint| joint);
    let h = 0.01;
    run(&mut world, &method("rattle", &[]), h, 50);
    let mut other: World = serde_json::from_str(&serde_json::to_string(&world).unwrap()).unwrap();
    assert_eq!(other, world);
    run(&mut world, &method("rattle", &[]), h, 50);
    run(&mut other, &method("rattle", &[]), h, 50);
    assert_eq!(other, world);
}
