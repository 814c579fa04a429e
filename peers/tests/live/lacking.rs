//! What an engine lacks is refused by name.

use super::*;
use driftlab_engine::model::joint::Curve;
use driftlab_engine::model::nonholonomic::KnifeEdge;
use driftlab_engine::model::{
    Body, BodyBuilder, BodyId, Breaking, Damping, Joint, JointSoftness, Nonholonomic, NonholonomicKind,
    Profile, Servo, Shape, Softness, Spring,
};
use driftlab_engine::prelude::DVec2;
use driftlab_peers::peer::Error;

/// The sentences of an engine about a world.
fn lacks(kind: Kind, world: &World) -> Vec<String> {
    match build(&Settings::new(kind), world, H).map(|_| ()) {
        Err(Error::Lacks { engine, lacks }) if engine == kind => lacks,
        other => panic!("{} {other:?}", kind.name()),
    }
}

fn with(build: impl FnOnce(&mut World, [BodyId; 2])) -> World {
    let mut world = World::new([0.0, -10.0]);
    let wall = world.add_body(Body::fixed().name("wall")).unwrap();
    let load =
        world.add_body(Body::dynamic().at([1.0, 0.0]).mass_and_inertia(1.0, 0.1).name("load")).unwrap();
    build(&mut world, [wall, load]);
    world
}

fn body(build: impl FnOnce(BodyBuilder) -> BodyBuilder) -> World {
    let mut world = World::new([0.0, -10.0]);
    let body = Body::dynamic().shape(Shape::circle(0.5)).name("stone");
    world.add_body(build(body)).unwrap();
    world
}

/// One sentence for each thing, in which the name of the engine and of the body or joint stands.
#[test]
fn what_no_engine_has_is_said_by_name() {
    let soft = JointSoftness {
        linear: Softness { stiffness: 1.0, damping: 1.0 },
        angular: Softness { stiffness: 1.0, damping: 1.0 },
    };
    let knife = |world: &mut World, [_, load]: [BodyId; 2]| {
        let load = world.index_of(load).unwrap();
        let edge = NonholonomicKind::KnifeEdge(KnifeEdge { anchor: DVec2::ZERO, axis: DVec2::X });
        world.insert_nonholonomic(Nonholonomic::new([load, load], edge)).unwrap();
    };
    let circle = Curve::Circle { radius: 1.0 };
    let cases: Vec<(World, &str)> = vec![
        (body(|own| own.shape(Shape::ellipse(1.0, 0.5))), "stone is an ellipse: ENGINE has none."),
        (
            body(|own| own.friction(0.2).static_friction(0.4)),
            "stone has static friction of its own: ENGINE has one coefficient.",
        ),
        (
            body(|own| own.damping(Damping { quadratic_drag: 1.0, ..Damping::default() })),
            "stone has drag in the air: ENGINE has linear damping alone.",
        ),
        (
            body(|own| own.surface_profile(Profile::Ramp { from: 0.0, to: 1.0, start: 0.0, end: 1.0 })),
            "stone has a surface speed that a profile drives: that of ENGINE is constant.",
        ),
        (with(knife), "The velocity constraint knife_edge of load is none of ENGINE's joints."),
        (
            with(|world, [a, b]| _ = world.add_joint(Joint::bead(a, b, circle)).unwrap()),
            "The bead between wall and load is none of ENGINE's joints.",
        ),
        (
            with(|world, [a, b]| {
                _ = world.add_joint(Joint::pulley(a, b, [[0.0, 2.0], [1.0, 2.0]])).unwrap()
            }),
            "The pulley between wall and load is none of ENGINE's joints.",
        ),
        (
            with(|world, [a, b]| _ = world.add_joint(Joint::hinge(a, b).soft(soft)).unwrap()),
            "The hinge between wall and load is soft by a stiffness: ENGINE's soft joints have a frequency instead.",
        ),
        (
            with(|world, [a, b]| {
                let breaking = Breaking { force: Some(15.0), ..Breaking::default() };
                world.add_joint(Joint::hinge(a, b).breaks_at(breaking)).unwrap();
            }),
            "The hinge between wall and load breaks under a load: ENGINE's joints do not.",
        ),
        (
            with(|world, [a, b]| {
                _ = world.add_joint(Joint::hinge(a, b).limits(0.0, 1.0).restitution(0.5)).unwrap()
            }),
            "The hinge between wall and load rebounds at its limits: those of ENGINE do not.",
        ),
        (
            with(|world, [a, b]| {
                _ = world.add_joint(Joint::hinge(a, b).motor(1.0, 1.0).friction(0.5)).unwrap()
            }),
            "The hinge between wall and load has a motor and friction: ENGINE has a motor alone, which may serve as one of both.",
        ),
    ];
    for kind in engines() {
        for (world, sentence) in &cases {
            let expected = sentence.replace("ENGINE", kind.name());
            assert_eq!(lacks(kind, world), [expected.as_str()], "{}", kind.name());
        }
    }
}

/// What only Box2D lacks: many corners, small shapes and merged corners, rolling resistance of what is not round, bounded
/// positions, one-sided limits, dampers alone.
#[test]
fn what_box2d_lacks_is_said_by_name() {
    let ring = |n: usize, r: f64| {
        Shape::polygon((0..n).map(|i| DVec2::from_angle(std::f64::consts::TAU * i as f64 / n as f64) * r))
    };
    let one = |shape: Shape| {
        let mut world = World::new(DVec2::ZERO);
        world.add_body(Body::dynamic().shape(shape).name("stone")).unwrap();
        world
    };
    let servo = Servo { position: 0.2, frequency: 2.0, damping_ratio: 1.0 };
    let cases = [
        (one(ring(9, 1.0)), "stone has a polygon of 9 corners: Box2D has at most 8."),
        (
            one(ring(6, 0.01)),
            "stone has a polygon with corners nearer than 2 cm or nearly in line: Box2D merges them.",
        ),
        (
            one(Shape::capsule(0.004, 0.1)),
            "stone has a line or a capsule that is not longer than 5 mm: Box2D has none.",
        ),
        (
            one(Shape::rectangle(1.0, 1e-7)),
            "stone has a shape of 10⁻⁷ m: Box2D finds no direction in such short edges.",
        ),
        (
            body(|own| own.shape(Shape::rectangle(1.0, 1.0)).rolling_resistance(0.01)),
            "stone has rolling resistance without being round: Box2D's is one of what has a radius.",
        ),
        (
            with(|world, [a, b]| {
                _ = world.add_joint(Joint::hinge(a, b).motor(0.0, 5.0).servo(servo)).unwrap()
            }),
            "The hinge between wall and load holds a position with a bounded force: the springs in joints of Box2D have no bound.",
        ),
        (
            with(|world, [a, b]| {
                _ = world.add_joint(Joint::hinge(a, b).limits(-1.0, f64::INFINITY)).unwrap()
            }),
            "The hinge between wall and load has a limit beyond 0.99 π: the hinges of Box2D have two of at most that.",
        ),
        (
            with(|world, [a, b]| {
                _ = world.add_joint(Joint::slot(a, b, [1.0, 0.0]).motor(1.0, 1.0)).unwrap()
            }),
            "The slot between wall and load is driven along its slot: the motor of Box2D's wheel joint turns it.",
        ),
        (
            with(|world, [a, b]| {
                _ = world.add_spring(Spring::between(a, b).damping(2.0).rest_length(1.0)).unwrap()
            }),
            "The spring between wall and load damps without a stiffness: Box2D has springs of a frequency.",
        ),
        (
            with(|world, [_, b]| {
                world.edit_body(b, |body| body.pose.position.x = 1e6).unwrap();
            }),
            "load is more than 50 km from the origin: Box2D ends there.",
        ),
    ];
    for (world, sentence) in &cases {
        assert_eq!(lacks(Kind::Box2d, world), [*sentence]);
    }
    // A rounded one of eight corners and a thin box are taken.
    assert!(build(&Settings::new(Kind::Box2d), &one(ring(8, 1.0)), H).is_ok());
    assert!(build(&Settings::new(Kind::Box2d), &one(Shape::rectangle(1.0, 0.01)), H).is_ok());
}

/// What only Rapier lacks: rods, shortest lengths of ropes, rolling resistance, angles beyond a turn.
#[test]
fn what_rapier_lacks_is_said_by_name() {
    let cases = [
        (body(|own| own.rolling_resistance(0.01)), "stone has rolling resistance: Rapier has none."),
        (
            with(|world, [a, b]| _ = world.add_joint(Joint::distance(a, b)).unwrap()),
            "The distance between wall and load is a rod: Rapier has ropes and springs, no rods.",
        ),
        (
            with(|world, [a, b]| _ = world.add_joint(Joint::rope(a, b, 2.0).limits(0.5, 2.0)).unwrap()),
            "The rope between wall and load has a shortest length: the ropes of Rapier have a longest one alone.",
        ),
        (
            with(|world, [a, b]| _ = world.add_joint(Joint::hinge(a, b).limits(0.0, 7.0)).unwrap()),
            "The hinge between wall and load has limits that are more than a turn apart, or one alone: Rapier counts no turns.",
        ),
    ];
    for (world, sentence) in &cases {
        assert_eq!(lacks(Kind::Rapier, world), [*sentence]);
    }
}

/// Everything that is lacking is said at once, and a broken joint is none.
#[test]
fn all_that_is_lacking_is_said_at_once() {
    for kind in engines() {
        let mut world = with(|world, [a, b]| {
            world.add_joint(Joint::bead(a, b, Curve::Circle { radius: 1.0 })).unwrap();
            world.add_body(Body::dynamic().shape(Shape::ellipse(1.0, 0.5))).unwrap();
        });
        assert_eq!(lacks(kind, &world).len(), 2);
        let [joint] = *world.joint_ids() else { panic!() };
        world.edit_joint(joint, |joint| joint.broken = true).unwrap();
        assert_eq!(lacks(kind, &world), [format!("body 2 is an ellipse: {} has none.", kind.name())]);
    }
}

/// Worlds that were not built, and steps that are none, are errors.
#[test]
fn other_worlds_and_steps_are_refused() {
    for kind in engines() {
        let mut world = with(|_, _| {});
        let mut peer = build(&Settings::new(kind), &world, H).unwrap();
        assert_eq!(
            peer.step(&world, f64::NAN).map_err(|error| error.to_string()).unwrap_err(),
            "the time step is NaN s (expected a number greater than 0)"
        );
        assert!(matches!(build(&Settings::new(kind), &world, 0.0), Err(Error::TimeStep(_))));
        world.add_body(Body::fixed()).unwrap();
        assert_eq!(peer.step(&world, H), Err(Error::OtherWorld { expected: 2, found: 3 }));
        assert_eq!(peer.take(&world), Err(Error::OtherWorld { expected: 2, found: 3 }));
        assert_eq!(peer.give(&mut world), Err(Error::OtherWorld { expected: 2, found: 3 }));
    }
}
