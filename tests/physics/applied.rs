//! Applied forces, torsional springs and point masses, and the rebound of a fast impact, against closed forms.

use super::worlds::{method, run};
use driftlab::method::Method;
use driftlab::model::nonholonomic::KnifeEdge;
use driftlab::model::{
    AppliedForce, Axes, Body, Joint, ModelError, Motor, NonholonomicKind, Shape, Spring, World,
};
use driftlab::schemes::TABLE;
use driftlab::step::{Workspace, step};
use glam::DVec2;

/// Every scheme at its natural level with its defaults.
fn all_schemes() -> impl Iterator<Item = (&'static str, Method)> {
    TABLE.iter().map(|scheme| (scheme.info().key, method(scheme.info().key, &[])))
}

/// A wheel of moment of inertia 0.5 kg m², hinged at its centre to a wall.
fn wheel(change: impl FnOnce(&mut Body)) -> World {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(Body::fixed().build().unwrap()).unwrap();
    let wheel = Body::dynamic()
        .shape(Shape::Circle { radius: 0.5 })
        .mass_and_inertia(4.0, 0.5)
        .without_collisions();
    let mut wheel = wheel.build().unwrap();
    change(&mut wheel);
    let wheel = world.add_body(wheel).unwrap();
    world.add_joint(Joint::hinge(wall, wheel).at([0.0, 0.0])).unwrap();
    world
}

/// Protects the meaning of a torque: under every scheme a wheel has ω = τ t/I to rounding, and the reported work is τ θ.
#[test]
fn a_constant_torque_spins_a_wheel_up() {
    let torque = 0.25;
    for (key, method) in all_schemes() {
        let mut world = wheel(|body| body.applied = Some(AppliedForce::torque(torque)));
        let reports = run(&mut world, &method, 1e-2, 200);
        let wheel = &world.bodies()[1];
        assert!(
            (wheel.velocity.angular - torque * 2.0 / 0.5).abs() < 1e-12,
            "{key}: {}",
            wheel.velocity.angular
        );
        let work: f64 = reports.iter().map(|report| report.applied_work).sum();
        assert!((work - torque * wheel.pose.angle).abs() < 1e-12, "{key}: {work}");
    }
}

/// Protects the axes of a force: one in the world's axes at the centre accelerates a spinning body straight ahead, to
/// rounding; one in the body's axes turns with it, and v = f/(m ω) (sin ω t, 1 − cos ω t) to first order in h, to second under
/// `generalized_alpha`.
#[test]
fn a_force_keeps_the_worlds_axes_or_turns_with_its_body() {
    let (spin, mass, span) = (2.0, 3.0, 1.5_f64);
    let velocity = |key: &str, axes: Axes, h: f64| {
        let mut world = World::new(DVec2::ZERO);
        let body = Body::dynamic().shape(Shape::Circle { radius: 0.1 }).mass(mass).angular_velocity(spin);
        let applied = AppliedForce { axes, ..AppliedForce::force([6.0, 0.0]) };
        world.add_body(body.applied(applied).build().unwrap()).unwrap();
        run(&mut world, &method(key, &[]), h, (span / h).round() as usize);
        world.bodies()[0].velocity.linear
    };
    let phase: f64 = spin * span;
    let exact = 6.0 / (mass * spin) * DVec2::new(phase.sin(), 1.0 - phase.cos());
    for (key, _) in all_schemes() {
        let straight = velocity(key, Axes::World, 1e-2);
        assert!((straight - DVec2::new(3.0, 0.0)).length() < 1e-12, "{key}: {straight}");
        let error = |h: f64| (velocity(key, Axes::Body, h) - exact).length();
        let order = (error(1e-2) / error(5e-3)).log2();
        let expected = if key == "generalized_alpha" { 2.0 } else { 1.0 };
        assert!((order - expected).abs() < 0.05, "{key}: order {order:.3}");
    }
}

/// Protects the lever: a force at a point off the centre has the moment r × F, here m a = f and I α = p × f on a body
/// that starts at rest, in the first step.
#[test]
fn a_force_off_the_centre_turns_a_body() {
    let mut world = World::new(DVec2::ZERO);
    let body = Body::dynamic().mass_and_inertia(2.0, 0.5);
    let applied = AppliedForce { at: DVec2::new(0.0, 0.3), torque: 0.1, ..AppliedForce::force([4.0, 0.0]) };
    world.add_body(body.applied(applied).build().unwrap()).unwrap();
    let mut workspace = Workspace::default();
    step(&mut world, &method("none", &[]), 1e-3, &mut workspace).unwrap();
    let v = world.bodies()[0].velocity;
    assert!((v.linear - DVec2::new(2e-3, 0.0)).length() < 1e-17, "{v:?}");
    assert!((v.angular - 1e-3 * (0.1 - 0.3 * 4.0) / 0.5).abs() < 1e-17, "{v:?}");
    let residuals = workspace.momentum_residuals();
    assert!(residuals[0].length() < 1e-15, "every impulse is accounted for: {residuals:?}");
}

/// Protects torsional springs: a wheel on one swings with ω = √(k/I), under RATTLE to second order in h, and a constant
/// torque turns it by τ/k, where a dashpot lets it come to rest.
#[test]
fn a_torsional_spring_swings_and_holds() {
    let sprung = |damping: f64, change: &dyn Fn(&mut Body)| {
        let mut world = wheel(change);
        let [wall, wheel] = [world.id_of(0).unwrap(), world.id_of(1).unwrap()];
        world
            .add_spring(Spring::between(wall, wheel).stiffness(8.0).damping(damping).rest_angle(0.5))
            .unwrap();
        world
    };
    let swing = |h: f64| {
        let mut world = sprung(0.0, &|_| {});
        run(&mut world, &method("rattle", &[]), h, (2.0 / h).round() as usize);
        let exact = 0.5 - 0.5 * (4.0_f64 * 2.0).cos(); // from 0, about 0.5, with ω = √(8/0.5)
        (world.bodies()[1].pose.angle - exact).abs()
    };
    assert!((swing(1e-3) / swing(5e-4)).log2() > 1.9, "{} {}", swing(1e-3), swing(5e-4));
    for (key, method) in all_schemes() {
        let mut world = sprung(4.0, &|body| body.applied = Some(AppliedForce::torque(2.0)));
        run(&mut world, &method, 1e-2, 3000);
        let angle = world.bodies()[1].pose.angle;
        assert!((angle - (0.5 + 2.0 / 8.0)).abs() < 1e-9, "{key}: {angle}");
    }
}

/// Protects point masses: on a rod one moves as a body of any moment of inertia does, to the bit, and nothing may turn it.
#[test]
fn a_point_mass_swings_as_any_body_does_and_nothing_turns_it() {
    let swing = |body: Body| {
        let mut world = World::new(DVec2::new(0.0, -9.81));
        let wall = world.add_body(Body::fixed().build().unwrap()).unwrap();
        let mass = world.add_body(body).unwrap();
        world.add_joint(Joint::distance(wall, mass).anchors([0.0, 0.0], [1.0, 0.0])).unwrap();
        run(&mut world, &method("rattle", &[]), 1e-3, 1000);
        world.bodies()[1].pose.position
    };
    let at = || Body::dynamic().at([1.0, 0.0]);
    let point = swing(at().mass(1.0).build().unwrap());
    assert_eq!(point, swing(at().mass_and_inertia(1.0, 7e-5).build().unwrap()));

    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(Body::fixed().build().unwrap()).unwrap();
    let mass = world.add_body(at().mass(1.0).build().unwrap()).unwrap();
    let joints = |world: &mut World| {
        [
            world.add_joint(Joint::hinge(wall, mass).at([0.0, 0.0])).map(drop),
            world.add_joint(Joint::weld(wall, mass).at([1.0, 0.0])).map(drop),
            world.add_joint(Joint::hinge(wall, mass).at([1.0, 0.0]).motor(1.0, 1.0)).map(drop),
            // Rows whose moment about the mass happens to vanish at these poses.
            world.add_joint(Joint::distance(wall, mass).anchors([0.0, 0.0], [0.5, 0.0])).map(drop),
            world.add_joint(Joint::rope(wall, mass, 1.0).anchors([0.0, 0.0], [0.5, 0.0])).map(drop),
            world.add_joint(Joint::slot(mass, wall, [1.0, 0.0]).at([1.0, 0.0])).map(drop),
            world
                .add_spring(Spring::between(wall, mass).anchors([0.0, 0.0], [1.0, 0.1]).stiffness(1.0))
                .map(drop),
            world.add_spring(Spring::between(wall, mass).rest_angle(0.0).stiffness(1.0)).map(drop),
            at().mass(1.0).applied(AppliedForce::torque(1.0)).build().map(drop),
        ]
    };
    for refused in joints(&mut world) {
        assert!(matches!(refused, Err(ModelError::TurnsPointMass(_))), "{refused:?}");
    }
    world.add_joint(Joint::hinge(wall, mass).at([1.0, 0.0])).unwrap();
    world.add_joint(Joint::slot(wall, mass, [1.0, 0.0]).at([1.0, 0.0]).limits(-1.0, 1.0)).unwrap();
}

/// A joint, a spring, a velocity constraint that are edited so that they turn a point mass are refused as new ones are,
/// and so is a body that becomes a point mass under a lever; the world stays as it was. A body with a lever moves as before.
#[test]
fn edits_that_turn_a_point_mass_are_refused() {
    let refused = |what| Err(ModelError::TurnsPointMass(what));
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(Body::fixed()).unwrap();
    let mass = world.add_body(Body::dynamic().at([1.0, 0.0]).mass(1.0)).unwrap();
    let bar = world.add_body(Body::dynamic().at([2.0, 0.0]).mass_and_inertia(1.0, 1.0)).unwrap();
    let hinge = world.add_joint(Joint::hinge(wall, mass)).unwrap();
    let spring = world.add_spring(Spring::between(wall, mass).stiffness(1.0)).unwrap();
    let blade = |anchor| NonholonomicKind::KnifeEdge(KnifeEdge { anchor, axis: DVec2::X });
    let skate = world.add_nonholonomic([mass; 2], blade(DVec2::ZERO)).unwrap();
    world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0])).unwrap();
    let before = world.clone();

    let motor = Some(Motor { speed: 1.0, max_force: 1.0 });
    assert_eq!(world.edit_joint(hinge, |joint| joint.motor = motor), refused("the joint"));
    assert_eq!(world.edit_spring(spring, |spring| spring.anchors[1] = DVec2::Y), refused("the spring"));
    let edited = world.edit_nonholonomic(skate, |own| own.kind = blade(DVec2::X));
    assert_eq!(edited, refused("the velocity constraint"));
    let point = Body::dynamic().at([2.0, 0.0]).mass(1.0).build().unwrap();
    assert_eq!(world.edit_body(bar, |body| *body = point), refused("the joint"));
    assert_eq!(world, before);
    world.edit_body(bar, |body| body.pose.position.x = 3.0).unwrap();
}

/// Protects rebounds: a ball that falls on the ground leaves it with e times its speed, also where the step before ended with an
/// overlap, under every scheme but xpbd at its default, whose substeps differ.
#[test]
fn a_fast_impact_rebounds_under_every_scheme() {
    for (key, method) in all_schemes() {
        let mut world = World::new(DVec2::new(0.0, -10.0));
        let plane = Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 };
        world.add_body(Body::fixed().shape(plane).restitution(0.8).build().unwrap()).unwrap();
        let ball = Body::dynamic().at([0.0, 1.0]).shape(Shape::Circle { radius: 0.05 }).restitution(0.8);
        world.add_body(ball.build().unwrap()).unwrap();
        let fastest = |world: &World| world.bodies()[1].velocity.linear.y;
        let mut up = 0.0_f64;
        for _ in 0..500 {
            run(&mut world, &method, 1e-3, 1);
            up = up.max(fastest(&world));
        }
        let expected = 0.8 * (2.0 * 10.0 * 0.95_f64).sqrt();
        assert!((up / expected - 1.0).abs() < 0.02, "{key}: {up} instead of {expected} m/s");
    }
}

/// A body's weight is m s g: under every scheme, after n steps of h, a free body has the velocity s g n h of the velocity level,
/// and s = 0 floats; gravity's work is −ΔU of the world, with U = −Σ m s g·x.
#[test]
fn gravity_acts_on_a_body_by_its_scale() {
    let (h, steps) = (1e-2, 100);
    for (key, method) in all_schemes() {
        let mut world = World::new([0.0, -10.0]);
        for scale in [1.0, 0.0, -0.5, 3.0] {
            let ball =
                Body::dynamic().at([scale, 0.0]).shape(Shape::circle(0.1)).mass(2.0).gravity_scale(scale);
            world.add_body(ball).unwrap();
        }
        let before = world.potential_energy();
        let reports = run(&mut world, &method, h, steps);
        for body in world.bodies() {
            let expected = -10.0 * body.gravity_scale * h * steps as f64;
            let fallen = body.velocity.linear.y;
            assert!((fallen - expected).abs() < 1e-11, "{key}: {fallen} m/s, expected {expected}");
        }
        let by_hand: f64 =
            world.bodies().iter().map(|body| 2.0 * body.gravity_scale * 10.0 * body.pose.position.y).sum();
        let energy = world.potential_energy();
        assert!((energy - by_hand).abs() < 1e-10, "{key}: {energy} J, expected {by_hand}");
        assert_eq!(reports.last().unwrap().potential_energy, energy, "{key}");
        let work: f64 = reports.iter().map(|report| report.work.gravity).sum();
        assert!((work - (before - energy)).abs() < 1e-10, "{key}: {work} J");
    }
}

/// A balloon of 2 kg with s = −0.5 is pressed against a ceiling with m |s| g = 10 N.
#[test]
fn a_balloon_rests_at_the_ceiling() {
    for (key, method) in all_schemes() {
        let mut world = World::new([0.0, -10.0]);
        world.add_body(Body::fixed().at([0.0, 1.5]).shape(Shape::rectangle(4.0, 1.0))).unwrap();
        let balloon =
            Body::dynamic().at([0.0, 0.8]).shape(Shape::circle(0.2)).mass(2.0).gravity_scale(-0.5);
        let balloon = world.add_body(balloon).unwrap();
        run(&mut world, &method, 1.0 / 60.0, 240);
        let body = &world[balloon];
        assert!((body.pose.position.y - 0.8).abs() < 0.01, "{key}: {} m", body.pose.position.y);
        let force: f64 = world.contacts().iter().map(|contact| contact.impulse[0] * 60.0).sum();
        assert!((force - 10.0).abs() < 0.1, "{key}: {force} N");
    }
}
