//! Numbers that overflow: whose they are, and which.

use super::worlds::{hinge, id, method, point_mass, wall};
use driftlab::model::{Body, Joint, Shape, World};
use driftlab::report::StepError;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

/// A hinged mass whose gravity moment is zero, and a body beside it without joint or contact, which falls: after a step of 1 s at
/// 10³⁰⁰ m/s² its kinetic energy is 10⁶⁰⁰ J, and at 1.5 · 10³⁰⁸ m/s² with 10³⁰⁸ m/s before, its velocity is beyond 1.8
/// · 10³⁰⁸ m/s. The error names this body and the number, under schemes with and without a problem to solve.
#[test]
fn a_free_body_that_overflows_is_named() {
    for (gravity, speed, number) in [(1e300, 0.0, "kinetic energy"), (1.5e308, 1e308, "velocity")] {
        for key in ["none", "post_stabilization"] {
            let mut world = World::new(DVec2::new(0.0, -gravity));
            let fixed = world.add_body(wall()).unwrap();
            let mut hung = point_mass(DVec2::new(0.0, -1.0));
            hung.collides = false;
            let hung = world.add_body(hung).unwrap();
            world.add_joint(hinge([fixed, hung], DVec2::new(0.0, -1.0))).unwrap();
            let mut free = point_mass(DVec2::new(3.0, 0.0));
            free.collides = false;
            free.velocity.linear = DVec2::new(0.0, -speed);
            world.add_body(free).unwrap();
            let before = world.clone();
            let error = step(&mut world, &method(key, &[]), 1.0, &mut Workspace::default())
                .expect_err("an overflow");
            assert_eq!(world, before);
            let StepError::NotFinite { body, number: told } = error else { panic!("{key}: {error}") };
            assert_eq!(body, id(&world, 2), "{key}: {told}");
            assert!(told == number || number == "velocity" && told == "position", "{key}: {told}");
        }
    }
}

/// The force of a motor is that of the last completed step, also after a step that failed: a motor holds a bar of 2 kg
/// and 1 m with m g l/2.
#[test]
fn a_failed_step_leaves_the_motors_force() {
    let mut world = World::new([0.0, -9.81]);
    let wall = world.add_body(Body::fixed()).unwrap();
    let bar = Body::dynamic().at([0.5, 0.0]).shape(Shape::rectangle(1.0, 0.1)).mass(2.0);
    let bar = world.add_body(bar).unwrap();
    let hinge = world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0]).motor(0.0, 50.0)).unwrap();
    let (method, mut workspace) = (method("anitescu_hart", &[]), Workspace::default());
    step(&mut world, &method, 1e-3, &mut workspace).unwrap();
    step(&mut world, &method, 1e308, &mut workspace).unwrap_err();
    let force = workspace.motor_force(hinge).unwrap();
    assert!((force - 9.81).abs() < 1e-6, "{force} N m");
}
