//! Joints by one factorisation, contacts by sweeps: against the recurrence of a loaded foot, and against exact solvers.

use super::own_solver;
use super::worlds::{GRAVITY, chain, method, run};
use driftlab::method::Method;
use driftlab::model::{Body, BodyId, Joint, Shape, World};
use driftlab::report::{ConstraintId, StepReport};
use driftlab::step::{Workspace, step};
use glam::DVec3;

/// The scheme with so many alternations, and sweeps in each.
fn alternating(alternations: f64, sweeps: f64) -> Method {
    method("direct_iterated", &[("alternations", alternations), ("sweeps", sweeps)])
}

/// A foot of 1 kg on the ground, to which a load of `mass` above it is welded.
fn loaded_foot(mass: f64) -> (World, [BodyId; 2]) {
    let mut world = World::new([0.0, -10.0]);
    world.add_body(Body::fixed().at([0.0, -0.5]).shape(Shape::rectangle(9.0, 1.0))).unwrap();
    let disk = |mass: f64, y: f64| Body::dynamic().mass(mass).at([0.0, y]).shape(Shape::circle(0.5));
    let pair = [disk(1.0, 0.5), disk(mass, 1.5)].map(|body| world.add_body(body).unwrap());
    world.add_joint(Joint::weld(pair[0], pair[1]).at([0.0, 1.0])).unwrap();
    (world, pair)
}

/// An alternation leaves the share ρ = M/(m + M) of what is missing of the foot's impulse, and the next step starts from what is
/// found: with r = ρⁿ the pair falls at u⁺ = r (2u − u⁻) from u = −r g h, however often the sweeps of an alternation are
/// repeated. The weld holds to rounding all the while: what is left is left in the contact, and the report tells it.
#[test]
fn a_load_on_a_foot_sinks_by_the_recurrence_of_its_masses() {
    let h = 0.01;
    for (mass, count, sweeps) in [(9.0, 1, 1), (9.0, 1, 5), (3.0, 4, 1), (99.0, 8, 1)] {
        let (mut world, [foot, load]) = loaded_foot(mass);
        let (own, mut workspace) = (alternating(f64::from(count), f64::from(sweeps)), Workspace::default());
        let r = f64::powi(mass / (1.0 + mass), count);
        let mut speeds = [0.0, -r * 10.0 * h];
        while speeds[1] < 0.0 {
            let report = step(&mut world, &own, h, &mut workspace).unwrap();
            let [lower, upper] = [foot, load].map(|body| world[body].velocity.linear.y);
            assert!(
                (lower - speeds[1]).abs() < 1e-12,
                "{mass} kg, {count} times: {lower} of {} m/s",
                speeds[1]
            );
            assert!((upper - lower).abs() < 1e-13, "the weld parts at {} m/s", upper - lower);
            assert!((report.residual + lower).abs() < 1e-12, "{} m/s are told", report.residual);
            assert!(report.approximate == 1 && report.approximate_residual.is_some());
            speeds = [speeds[1], r * (2.0 * speeds[1] - speeds[0])];
        }
    }
}

/// A load at rest is carried in the end: the warm start goes on where the last step ended, so that a step of eight alternations
/// comes to the weight of both bodies, although one by itself leaves ρ⁸ of it.
#[test]
fn the_warm_start_carries_a_load_at_rest() {
    let (mut world, _) = loaded_foot(3.0);
    let (own, mut workspace) = (alternating(8.0, 1.0), Workspace::default());
    let mut report = None;
    (0..400).for_each(|_| report = Some(step(&mut world, &own, 0.01, &mut workspace).unwrap()));
    assert!(report.is_some_and(|last| last.residual < 1e-12), "{report:?}");
    let mut all = workspace.impulses();
    let ground = all.find(|own| matches!(own.constraint, ConstraintId::Contact(_))).unwrap();
    assert!((ground.multipliers[0] - 0.4).abs() < 1e-12, "{} N s", ground.multipliers[0]);
}

/// A joint that is stated twice shares its load, and its rows count as dependent with a contact as without one.
#[test]
fn dependent_joints_are_counted_beside_contacts() {
    let (mut world, [foot, load]) = loaded_foot(3.0);
    world.add_joint(Joint::weld(foot, load).at([0.0, 1.0])).unwrap();
    let reports = run(&mut world, &alternating(8.0, 1.0), 0.01, 400);
    assert!(reports.iter().all(|report| report.dependent_rows == 3 && report.contacts == 1));
    let forces: Vec<f64> = world.joints().iter().map(|joint| joint.force[1]).collect();
    assert!(forces.iter().all(|force| (force.abs() - 15.0).abs() < 1e-6), "{forces:?} N");
}

/// Without contacts, limits and motors the factorisation is the whole solution: the velocities are those of `none` to the last
/// bit, and the joints are as closed after the step as the corrections of `post_stabilization` leave them.
#[test]
fn joints_alone_are_solved_at_once() {
    let mut world = chain(20, GRAVITY);
    let [mut plain, mut corrected] = [world.clone(), world.clone()];
    for _ in 0..50 {
        let start = world.clone();
        for own in [&mut plain, &mut corrected] {
            own.clone_from(&start);
        }
        let report = run(&mut world, &alternating(1.0, 1.0), 1e-3, 1)[0];
        run(&mut plain, &method("none", &[]), 1e-3, 1);
        let other =
            run(&mut corrected, &method("post_stabilization", &[("max_iterations", 3.0)]), 1e-3, 1)[0];
        let velocities = |own: &World| own.bodies().iter().map(|body| body.velocity).collect::<Vec<_>>();
        assert_eq!(velocities(&world), velocities(&plain));
        assert!(
            report.joint_error <= other.joint_error + 1e-15,
            "{} of {}",
            report.joint_error,
            other.joint_error
        );
        assert_eq!(report.approximate, 0);
    }
}

/// The largest difference of a velocity, m/s or rad/s.
fn apart(one: &World, other: &World) -> f64 {
    let pairs = one.bodies().iter().zip(other.bodies());
    let difference =
        |(a, b): (&Body, &Body)| (a.velocity.coordinates() - b.velocity.coordinates()).abs().max_element();
    pairs.map(difference).fold(0.0, f64::max)
}

/// The alternation is block Gauss–Seidel of a problem with one solution: with hinges, a motor, a spring, friction and the grab at
/// its limit, more alternations leave less, and enough of them come to the velocities of the exact solver. Joints hold at every
/// count, and impulses are those that have moved the bodies.
#[test]
fn many_alternations_come_to_the_exact_solution() {
    let mut world = own_solver::scene();
    let exact = method("post_stabilization", &[]);
    let mut touched = 0;
    for _ in 0..60 {
        let start = world.clone();
        let solved = run(&mut world, &exact, 0.01, 1)[0];
        touched += usize::from(solved.contacts > 0);
        let step_by = |alternations: f64| -> (World, StepReport) {
            let (mut own, mut workspace) = (start.clone(), Workspace::default());
            let report = step(&mut own, &alternating(alternations, 1.0), 0.01, &mut workspace).unwrap();
            let left = workspace.momentum_residuals();
            assert!(left.iter().all(|left: &DVec3| left.abs().max_element() < 1e-12), "{left:?}");
            (own, report)
        };
        let (own, report) = step_by(100_000.0);
        assert!(report.approximate == 0, "{report:?}");
        assert!(apart(&own, &world) < 1e-9, "{} m/s", apart(&own, &world));
        let [few, more] = [2.0, 200.0].map(|count| step_by(count).1.residual);
        assert!(more <= few + 1e-12, "{more} m/s after 200 alternations, {few} after 2");
    }
    assert!(touched > 30, "{touched} steps with contacts");
}
