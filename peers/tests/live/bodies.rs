//! Bodies that nothing touches.

use super::*;
use driftlab_engine::model::{
    AppliedForce, Body, BodyKind, Damping, Field, Motion, Placement, PoseProfiles, Profile, Shape,
};
use driftlab_engine::prelude::DVec2;

/// A body falls as both engines integrate: v ← v + τ g, x ← x + τ v with the length τ of their parts, four in a step.
#[test]
fn a_body_falls_by_the_integrator_of_its_engine() {
    for kind in engines() {
        let mut world = World::new([0.0, -10.0]);
        let ball = Body::dynamic().at([1.0, 50.0]).velocity([2.0, 0.0]).shape(Shape::circle(0.5));
        let ball = world.add_body(ball).unwrap();
        let world = after(&Settings::new(kind), world, H, 60);
        let (parts, tau) = (240.0, H / 4.0);
        let y = 50.0 - 10.0 * tau * tau * parts * (parts + 1.0) / 2.0;
        let DVec2 { x, y: found } = world[ball].pose.position;
        let off = (found - y).abs().max((x - 3.0).abs());
        println!("{} {off:e}", kind.name());
        assert!(off < if kind == Kind::Box2d { 1e-4 } else { 1e-12 }, "{found} {y} {x}");
        assert!((world[ball].velocity.linear.y + 10.0).abs() < 1e-4);
    }
}

/// A body whose shapes lie beside its origin turns about its centre of mass, which goes on straight, by more than half a turn.
#[test]
fn a_body_turns_about_its_centre_of_mass() {
    for kind in engines() {
        let mut world = World::new(DVec2::ZERO);
        let arm = Placement::at(Shape::rectangle(1.0, 0.2), [3.0, 0.0], 0.0);
        let body = Body::dynamic().placed(arm).velocity([1.0, 0.5]).angular_velocity(4.0);
        let body = world.add_body(body).unwrap();
        let start = world[body].pose;
        let world = after(&Settings::new(kind), world, H, 60);
        let q = world[body].pose;
        assert!((q.position - start.position - DVec2::new(1.0, 0.5)).length() < 1e-4, "{}", kind.name());
        // Box2D's rotation of a part is an angle of ω τ less a third of its cube.
        assert!((q.angle - 4.0).abs() < 1e-3, "{} {}", kind.name(), q.angle);
    }
}

/// Damping c and c_θ are the engines' rates c/m and c_θ/I, by v ← v/(1 + τ c/m) in each part of Box2D's step and once in
/// Rapier's; gravity has its scale.
#[test]
fn damping_and_gravity_scale_are_the_engine_s() {
    for kind in engines() {
        let mut world = World::new([0.0, -10.0]);
        let damping = Damping { linear: 3.0, angular: 2.0, ..Damping::default() };
        let slow = Body::dynamic().mass_and_inertia(2.0, 0.5).velocity([4.0, 0.0]).angular_velocity(3.0);
        let slow = world.add_body(slow.damping(damping).gravity_scale(0.0)).unwrap();
        let light = world.add_body(Body::dynamic().mass_and_inertia(1.0, 1.0).gravity_scale(-0.5)).unwrap();
        let world = after(&Settings::new(kind), world, H, 30);
        let kept = |rate: f64| match kind {
            Kind::Box2d => (1.0 + H / 4.0 * rate).powi(-120),
            Kind::Rapier => (1.0 + H * rate).powi(-30),
        };
        let v = world[slow].velocity;
        assert!((v.linear.x - 4.0 * kept(1.5)).abs() < 1e-4, "{} {}", kind.name(), v.linear.x);
        assert!((v.angular - 3.0 * kept(4.0)).abs() < 1e-4, "{} {}", kind.name(), v.angular);
        assert!((world[light].velocity.linear.y - 2.5).abs() < 1e-4, "{}", kind.name());
    }
}

/// Applied forces and fields act as forces over the step; what cannot turn does not.
#[test]
fn forces_act_over_the_step() {
    for kind in engines() {
        let mut world = World::new(DVec2::ZERO);
        let push = AppliedForce { force: [3.0, 0.0].into(), torque: 0.5, ..AppliedForce::default() };
        let free = world.add_body(Body::dynamic().mass_and_inertia(2.0, 0.25).applied(push)).unwrap();
        let stiff = Body::dynamic().at([5.0, 0.0]).mass_and_inertia(2.0, 0.25).fixed_rotation();
        let stiff = world.add_body(stiff.applied(push)).unwrap();
        let world = after(&Settings::new(kind), world, H, 60);
        let [one, other] = [free, stiff].map(|id| world[id].velocity);
        assert!((one.linear.x - 1.5).abs() < 1e-4 && (one.angular - 2.0).abs() < 1e-4, "{}", kind.name());
        assert!((other.linear.x - 1.5).abs() < 1e-4 && other.angular == 0.0, "{}", kind.name());

        let mut world = World::new(DVec2::ZERO);
        world
            .set_fields(vec![Field { center: DVec2::ZERO, strength: 4.0, exponent: 0.0, on: None }])
            .unwrap();
        let fallen = world.add_body(Body::dynamic().at([100.0, 0.0]).mass_and_inertia(2.0, 1.0)).unwrap();
        let world = after(&Settings::new(kind), world, H, 60);
        assert!((world[fallen].velocity.linear.x + 4.0).abs() < 1e-4, "{}", kind.name());

        // A field on a body takes the opposite force from there.
        let mut world = World::new(DVec2::ZERO);
        let carrier = world.add_body(Body::dynamic().mass_and_inertia(4.0, 1.0)).unwrap();
        let other = world.add_body(Body::dynamic().at([100.0, 0.0]).mass_and_inertia(2.0, 1.0)).unwrap();
        world
            .set_fields(vec![Field {
                center: DVec2::ZERO,
                strength: 4.0,
                exponent: 0.0,
                on: Some(carrier),
            }])
            .unwrap();
        let world = after(&Settings::new(kind), world, H, 60);
        let [one, other] = [carrier, other].map(|id| world[id].velocity.linear.x);
        assert!((one - 2.0).abs() < 1e-4 && (other + 4.0).abs() < 1e-4, "{}: {one} {other}", kind.name());
    }
}

/// A body on a path is where the path says after every step, and carries on from there.
#[test]
fn driven_bodies_are_on_their_path() {
    for kind in engines() {
        let mut world = World::new([0.0, -10.0]);
        let y = Profile::Ramp { from: 0.0, to: 2.0, start: 0.5, end: 1.5 };
        let lift = Body::kinematic(Motion::ConstantVelocity).shape(Shape::rectangle(2.0, 0.2));
        let lift = lift.pose_profiles(PoseProfiles { y: Some(y), ..PoseProfiles::default() });
        let lift = world.add_body(lift).unwrap();
        let sine = Motion::Sine { center: DVec2::ZERO, amplitude: DVec2::new(0.5, 0.0), frequency: 0.7 };
        let shaker = world.add_body(Body::kinematic(sine).shape(Shape::circle(0.1))).unwrap();
        let load =
            world.add_body(Body::dynamic().at([0.0, 0.35]).shape(Shape::rectangle(0.5, 0.5))).unwrap();
        let mut peer = build(&Settings::new(kind), &world, H).unwrap();
        let mut worst = 0.0_f64;
        for step in 1..=120 {
            peer.step(&world, H).unwrap();
            peer.give(&mut world).unwrap();
            let t = f64::from(step) * H;
            let x = 0.5 * (std::f64::consts::TAU * 0.7 * t).sin();
            let of_engine = |id| peer.line(&world).q[world.index_of(id).unwrap()].unwrap();
            worst = worst.max((of_engine(shaker)[0] - x).abs());
            worst = worst.max((of_engine(lift)[1] - 2.0 * (t - 0.5).clamp(0.0, 1.0)).abs());
            // What the world has is the path itself, so that its clock moves nothing.
            let given = bits(&world);
            world.set_time(world.time() + H).unwrap();
            assert_eq!(bits(&world), given, "{}", kind.name());
        }
        println!("{} {worst:e}", kind.name());
        assert!(worst < if kind == Kind::Box2d { 1e-6 } else { 1e-12 }, "{} {worst:e}", kind.name());
        assert!((world[load].pose.position.y - 2.35).abs() < 0.01, "{}", world[load].pose.position.y);
        assert!(matches!(world[shaker].kind(), BodyKind::Kinematic(_)));
    }
}

/// The hand's grab carries a corner of a body to where it is held, by a step at which an explicit spring would fly apart; its
/// repulsion pushes a body away.
#[test]
fn the_hand_pulls_and_pushes() {
    for kind in engines() {
        let mut world = World::new(DVec2::ZERO);
        let damping = Damping { angular: 0.5, ..Damping::default() };
        let crate_ = world
            .add_body(Body::dynamic().shape(Shape::rectangle(1.0, 0.2)).mass(1.0).damping(damping))
            .unwrap();
        world.grab_body(crate_, [0.5, 0.1]).unwrap();
        world.edit_grab(|grab| grab.target = [1.0, 0.4].into()).unwrap();
        let world = after(&Settings::new(kind), world, 1.0 / 30.0, 300);
        let corner = world[crate_].point_in_world([0.5, 0.1]);
        assert!((corner - DVec2::new(1.0, 0.4)).length() < 1e-3, "{} {corner}", kind.name());

        let mut world = World::new(DVec2::ZERO);
        let ball = world.add_body(Body::dynamic().shape(Shape::circle(0.5)).mass(1.0)).unwrap();
        let repulsion =
            driftlab_engine::model::Repulsion { center: [-1.0, 0.0].into(), radius: 1.0, strength: 6.0 };
        world.set_repulsion(Some(repulsion)).unwrap();
        let world = after(&Settings::new(kind), world, H, 1);
        // 6 N (1 − 0.5) on 1 kg.
        assert!((world[ball].velocity.linear.x - 3.0 * H).abs() < 1e-6, "{}", kind.name());
    }
}
