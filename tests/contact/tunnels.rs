//! What moves farther in a step than it is thick meets what is in its way, and nothing else; where it passes all the
//! same it is told.

use super::tiles::choices;
use crate::physics::worlds::method;
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::{Body, BodyKind, MassSpec, Placement, Shape, Velocity, World};
use driftlab::report::StepReport;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

const H: f64 = 1.0 / 60.0;
const RADIUS: f64 = 0.1;

fn placed(kind: BodyKind, shape: Shape, at: DVec2) -> Body {
    let mut body = Body::new(kind, at, 0.0, vec![Placement::centred(shape)], MassSpec::default()).unwrap();
    (body.friction, body.restitution) = (0.0, 1.0);
    body
}

fn fixed(shape: Shape, at: DVec2) -> Body {
    placed(BodyKind::Fixed, shape, at)
}

fn wall(size: [f64; 2], at: [f64; 2]) -> Body {
    fixed(Shape::Box { size: size.into() }, at.into())
}

fn moving(shape: Shape, at: [f64; 2], velocity: [f64; 2]) -> Body {
    let mut body = placed(BodyKind::Dynamic, shape, at.into());
    body.velocity = Velocity { linear: velocity.into(), angular: 0.0 };
    body
}

fn ball(at: [f64; 2], velocity: [f64; 2]) -> Body {
    moving(Shape::Circle { radius: RADIUS }, at, velocity)
}

fn world(gravity: DVec2, bodies: impl IntoIterator<Item = Body>) -> World {
    let mut world = World::new(gravity);
    for body in bodies {
        world.add_body(body).unwrap();
    }
    world
}

fn stepped(world: &mut World, method: &Method, steps: usize) -> Vec<StepReport> {
    let mut workspace = Workspace::default();
    (0..steps).map(|_| step(world, method, H, &mut workspace).unwrap()).collect()
}

/// A ball of 0.1 m at 38 m/s in a room of walls of 0.1 m, 0.63 m in a step, stays between them for 3 s, with its speed:
/// elastic impacts without friction reverse vx = 24 m/s or vy = 30 m/s, and nothing else acts. Nobody has passed through anybody.
#[test]
fn a_fast_ball_stays_in_its_room() {
    let walls = [
        ([0.1, 4.4], [2.05, 0.0]),
        ([0.1, 4.4], [-2.05, 0.0]),
        ([4.4, 0.1], [0.0, 2.05]),
        ([4.4, 0.1], [0.0, -2.05]),
    ];
    for (name, method) in choices() {
        let bodies = walls.iter().map(|(size, at)| wall(*size, *at));
        let mut world = world(DVec2::ZERO, bodies.chain([ball([0.1, 0.2], [24.0, 30.0])]));
        let mut workspace = Workspace::default();
        for number in 0..180 {
            let report = step(&mut world, &method, H, &mut workspace).unwrap();
            let Body { pose, velocity, .. } = world.bodies().last().unwrap();
            let at = pose.position.abs().max_element();
            assert!(at < 2.0 && report.passages == 0, "{name}, step {number}: {at} m");
            let speed = velocity.linear.abs() - DVec2::new(24.0, 30.0);
            assert!(speed.length() < 1e-6, "{name}, step {number}: {:?}", velocity.linear);
        }
    }
}

/// A fast ball that passes between two posts, past a corner, and over a plate on which nothing of it falls, goes
/// straight on: what it does not meet does not stop it.
#[test]
fn a_fast_ball_that_misses_goes_on() {
    for (name, method) in choices() {
        let obstacles = [
            wall([0.05, 0.05], [1.0, 0.15]),
            wall([0.05, 0.05], [1.1, -0.15]),
            wall([0.5, 0.5], [2.0, -0.38]),
            fixed(
                Shape::Polyline { points: vec![DVec2::new(3.0, -0.12), DVec2::new(4.0, -0.11)] },
                DVec2::ZERO,
            ),
        ];
        let mut world = world(DVec2::ZERO, obstacles.into_iter().chain([ball([0.0, 0.0], [40.0, 0.0])]));
        stepped(&mut world, &method, 12);
        let Body { pose, velocity, .. } = world.bodies().last().unwrap();
        let error = (pose.position - DVec2::new(8.0, 0.0)).length();
        assert!(error < 1e-9 && velocity.linear == DVec2::new(40.0, 0.0), "{name}: {pose:?} {velocity:?}");
    }
}

/// What is in the way stops a fast body at its surface, whatever the two are: under a law without rebound it ends before it.
#[test]
fn nothing_thin_is_passed_through() {
    let line = vec![DVec2::new(0.0, -1.0), DVec2::ZERO, DVec2::new(0.0, 1.0)];
    let obstacles = [
        Shape::Box { size: DVec2::new(0.02, 2.0) },
        Shape::Polyline { points: line },
        Shape::Circle { radius: 0.05 },
        Shape::Ellipse { semi_axes: DVec2::new(0.02, 0.5) },
        Shape::polygon([DVec2::new(-0.01, -1.0), DVec2::new(0.01, -1.0), DVec2::new(0.0, 1.0)]),
    ];
    let movers = [
        Shape::Circle { radius: 0.05 },
        Shape::Box { size: DVec2::splat(0.1) },
        Shape::Capsule { length: 0.1, radius: 0.05 },
        Shape::Ellipse { semi_axes: DVec2::new(0.1, 0.05) },
    ];
    for (name, method) in choices() {
        for obstacle in &obstacles {
            for mover in &movers {
                let mut bodies =
                    [fixed(obstacle.clone(), DVec2::ZERO), moving(mover.clone(), [-0.3, 0.0], [60.0, 0.0])];
                bodies.iter_mut().for_each(|body| body.restitution = 0.0);
                let mut world = world(DVec2::ZERO, bodies);
                let reports = stepped(&mut world, &method, 4);
                let x = world.bodies()[1].pose.position.x;
                assert!(x < -0.04, "{name}, {mover:?} against {obstacle:?}: x = {x}");
                assert!(
                    reports.iter().all(|report| report.passages == 0),
                    "{name}, {mover:?} against {obstacle:?}"
                );
            }
        }
    }
}

/// A ball that a wall stops does not strike what lies behind it, however elastic that is: it stays at rest, to the
/// rounding of sweeps that visit both contacts by turns.
#[test]
fn no_impact_goes_through_a_wall() {
    for (name, method) in choices() {
        let mut behind = ball([0.5, 0.05], [0.0, 0.0]);
        behind.restitution = 1.0;
        let mut bodies = [wall([0.02, 2.0], [0.25, 0.0]), ball([0.0, 0.0], [60.0, 0.0])];
        bodies.iter_mut().for_each(|body| body.restitution = 0.0);
        let mut world = world(DVec2::ZERO, bodies.into_iter().chain([behind]));
        stepped(&mut world, &method, 4);
        let Velocity { linear, angular } = world.bodies()[2].velocity;
        assert!(linear.length() < 1e-13 && angular == 0.0, "{name}: {linear}");
        let x = world.bodies()[1].pose.position.x;
        assert!(x < 0.25 - RADIUS, "{name}: {x}");
    }
}

/// An elastic ball that would reach three others in one step, head on, strikes the first: the energy does not grow [of
/// equal masses, e = 1].
#[test]
fn a_fast_ball_strikes_the_first_of_a_row() {
    for (name, method) in choices() {
        let row = [0.4, 0.65, 0.9].map(|x| ball([x, 0.0], [0.0, 0.0]));
        let mut world = world(DVec2::ZERO, [ball([0.0, 0.0], [60.0, 0.0])].into_iter().chain(row));
        let before = world.bodies()[0].kinetic_energy();
        for report in stepped(&mut world, &method, 6) {
            let energy = report.kinetic_energy;
            assert!(energy <= before * (1.0 + 1e-9), "{name}: {energy} J of {before} J");
        }
    }
}

/// What gravity of 1e4 m/s² accelerates within one step, from rest, to where 2.8 m below it a thin floor has been
/// passed, is known only afterwards: one pair is counted, by name, in that step alone. A half plane is not passed, and
/// who falls beside the floor passes nothing.
#[test]
fn a_passage_is_told() {
    let floors = [
        Shape::Box { size: DVec2::new(2.0, 0.02) },
        Shape::Polyline { points: vec![DVec2::new(-1.0, 0.0), DVec2::new(1.0, 0.01)] },
        Shape::Capsule { length: 2.0, radius: 0.02 },
        Shape::Circle { radius: 0.05 },
        Shape::Ellipse { semi_axes: DVec2::new(1.0, 0.02) },
    ];
    let movers = [
        Shape::Circle { radius: 0.05 },
        Shape::Box { size: DVec2::splat(0.1) },
        Shape::Capsule { length: 0.1, radius: 0.05 },
    ];
    let gravity = DVec2::new(0.0, -1e4);
    let passages = |floor: &Shape, mover: &Shape, x: f64| {
        let bodies = [fixed(floor.clone(), DVec2::ZERO), moving(mover.clone(), [x, 0.4], [0.0, 0.0])];
        let reports = stepped(&mut world(gravity, bodies), &method("none", &[]), 3);
        reports.iter().map(|report| (report.passages, report.passed.is_some())).collect::<Vec<_>>()
    };
    for floor in &floors {
        for mover in &movers {
            assert_eq!(
                passages(floor, mover, 0.0),
                [(1, true), (0, false), (0, false)],
                "{mover:?} {floor:?}"
            );
            assert_eq!(passages(floor, mover, 1.3), [(0, false); 3], "{mover:?} {floor:?}");
        }
    }
    let plane = Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 };
    assert_eq!(passages(&plane, &movers[0], 0.0)[0], (0, false));
}

/// Explicit Euler moves bodies by the velocity before the solve, which no contact can change: the ball passes the wall,
/// comes back with the rebound that is too late, and passes it once more. Both are told.
#[test]
fn an_explicit_step_tells_what_it_cannot_keep() {
    let method =
        Method { level: Level::Acceleration, integrator: Integrator::ExplicitEuler, ..method("none", &[]) };
    let bodies = [wall([0.02, 2.0], [0.3, 0.0]), ball([0.0, 0.0], [60.0, 0.0])];
    let reports = stepped(&mut world(DVec2::ZERO, bodies), &method, 2);
    assert_eq!([reports[0].passages, reports[1].passages], [1, 1]);
}
