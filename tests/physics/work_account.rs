//! Who did which work in a step: gravity, springs, motors, drivers, the hand, friction, impacts, and what the method
//! adds by itself.

use super::worlds::{GRAVITY, bar, edit, hinge, id, method, point_mass, pull, run, wall};
use driftlab::method::Method;
use driftlab::model::joint::DistanceForm;
use driftlab::model::{
    Body, BodyKind, Joint, MassSpec, Motion, Placement, Repulsion, Shape, Spring, Velocity, World,
};
use driftlab::report::{StepReport, Work};
use driftlab::schemes::TABLE;
use driftlab::step::{Workspace, step};
use glam::DVec2;

fn sum(reports: &[StepReport]) -> Work {
    let mut sum = Work::default();
    reports.iter().for_each(|report| sum += report.work);
    sum
}

fn floor(friction: f64) -> Body {
    let shape = Placement::centred(Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 });
    let mut floor = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, vec![shape], MassSpec::default()).unwrap();
    floor.friction = friction;
    floor
}

/// A bar on the origin's hinge, horizontal, 1 m long.
fn crank(gravity: DVec2) -> (World, Joint) {
    let mut world = World::new(gravity);
    let wall = world.add_body(wall()).unwrap();
    let bar = world.add_body(bar(DVec2::new(1.0, 0.1), DVec2::new(0.5, 0.0), 0.0)).unwrap();
    world.add_joint(hinge([wall, bar], DVec2::ZERO)).unwrap();
    let joint = world.joints()[0].clone();
    (world, joint)
}

/// All parts, applied forces included, add up to the change of the kinetic energy, under every scheme: a pile with a
/// motor, a spring, a moving platform, an applied force and a hand on it. The change is that of ½ Σ m v² + I ω² from
/// before to after. Friction opposes the slip at a step's end: its mean power may be positive in a step in which the
/// hand turns the slip round, and its sum is negative.
#[test]
fn the_parts_add_up_under_every_scheme() {
    for scheme in TABLE {
        let key = scheme.info().key;
        let mut world = World::new(GRAVITY);
        world.add_body(floor(0.5)).unwrap();
        let mut platform = Body::new(
            BodyKind::Kinematic(Motion::ConstantVelocity),
            DVec2::new(3.0, 0.1),
            0.0,
            vec![Placement::centred(Shape::Box { size: DVec2::new(2.0, 0.2) })],
            MassSpec::default(),
        )
        .unwrap();
        platform.velocity.linear = DVec2::new(-0.5, 0.0);
        platform.friction = 0.5;
        world.add_body(platform).unwrap();
        for [x, y] in [[0.0, 0.3], [0.6, 0.3], [2.5, 0.5], [3.5, 0.5]] {
            let shape = Placement::centred(Shape::Box { size: DVec2::splat(0.5) });
            let at = DVec2::new(x, y);
            let mut body = Body::new(BodyKind::Dynamic, at, 0.1, vec![shape], MassSpec::default()).unwrap();
            body.velocity = Velocity { linear: DVec2::new(0.3, -1.0), angular: 0.4 };
            (body.friction, body.restitution) = (0.5, 0.3);
            body.damping.quadratic_drag = 3.0;
            world.add_body(body).unwrap();
        }
        let [a, b, c, d] = [2, 3, 4, 5].map(|index| id(&world, index));
        world.add_joint(Joint::hinge(a, b).at([0.3, 0.8]).motor(2.0, 50.0)).unwrap();
        let spring = Spring::between(c, d).anchors([2.5, 0.5], [3.5, 0.6]).stiffness(2e3).damping(20.0);
        world.add_spring(spring).unwrap();
        let method = method(key, &[]);
        pull(&mut world, 2, DVec2::new(0.0, 0.5), DVec2::new(0.3, 2.0));
        let (mut workspace, mut size) = (Workspace::default(), Work::default());
        for k in 0..60 {
            let before = world.kinetic_energy();
            let Ok(report) = step(&mut world, &method, 2e-3, &mut workspace) else { break };
            let parts: f64 = report.work.parts().iter().map(|(_, work)| work).sum();
            let change = report.kinetic_energy - before;
            let scale = report.kinetic_energy + before;
            let left = (parts + report.applied_work - change).abs();
            assert!(left <= 1e-12 * scale, "{key}, step {k}: {left:e} J of {scale} J");
            assert!(report.work.impacts <= 0.0, "{key}, step {k}");
            size += report.work;
        }
        assert!(size.friction < 0.0, "{key}: {size:?}");
        for (name, work) in size.parts() {
            assert!(work != 0.0, "{key}: no work of {name}");
        }
    }
}

/// Nobody but gravity works on a pendulum: its work is the kinetic energy at the bottom, m g L, to the order of RATTLE,
/// and the rest is the error of the energy.
#[test]
fn gravity_alone_works_on_a_pendulum() {
    let mut world = super::worlds::rod_pendulum(DistanceForm::Length, GRAVITY);
    let mut workspace = Workspace::default();
    let (mut work, mut report) = (Work::default(), StepReport::default());
    while world.bodies()[1].pose.position.x > 0.0 {
        report = step(&mut world, &method("rattle", &[]), 1e-3, &mut workspace).unwrap();
        work += report.work;
    }
    let fallen = -9.81 * world.bodies()[1].pose.position.y;
    assert!((work.gravity - fallen).abs() < 1e-12 * fallen, "{work:?}");
    assert!((work.gravity - report.kinetic_energy).abs() < 1e-5 * fallen, "{work:?}");
    assert!(work.method.abs() < 1e-5 * fallen, "{work:?}");
    assert_eq!([work.springs, work.motors, work.drivers, work.hand, work.friction, work.impacts], [0.0; 6]);
}

/// A motor held to its torque τ turns a crank from rest, without gravity, and nothing else works: Σ τ ω̄ h is the
/// kinetic energy. With a constant ω̇ the mean velocity ω̄ makes it τ times the exact angle, ½ ω̇ t²; a step that moves
/// by ω⁺ turns by ½ ω̇ t² (1 + 1/N) in N steps.
#[test]
fn a_motor_does_torque_times_angle() {
    const N: usize = 1000;
    for (key, beyond) in [("projection", 1.0 / N as f64), ("rattle", 0.0), ("none", 1.0 / N as f64)] {
        let (mut world, joint) = crank(DVec2::ZERO);
        let [a, b] = joint.bodies().map(|index| id(&world, index));
        world.remove_joint(world.joint_ids()[0]).unwrap();
        world.add_joint(Joint::hinge(a, b).at([0.0, 0.0]).motor(1e3, 5.0)).unwrap();
        let reports = run(&mut world, &method(key, &[]), 1e-3, N);
        let (work, turned) = (sum(&reports), world.bodies()[1].pose.angle);
        let done = 5.0 * turned / (1.0 + beyond);
        assert!(turned > 0.01 && (work.motors - done).abs() < 1e-4 * done, "{key}: {work:?}, {done}");
        assert!((work.motors - reports[N - 1].kinetic_energy).abs() < 1e-3 * done, "{key}: {work:?}");
        assert!(work.method.abs() < 1e-3 * done, "{key}: {work:?}");
    }
}

/// A block that slides to rest by friction alone: −μ m g s with the distance s, which is all its kinetic energy.
#[test]
fn friction_takes_force_times_distance() {
    for key in ["none", "post_stabilization", "ngs", "soft", "xpbd", "anitescu_hart"] {
        let mut world = World::new(GRAVITY);
        world.add_body(floor(0.4)).unwrap();
        let shape = Placement::centred(Shape::Box { size: DVec2::new(0.4, 0.2) });
        let block =
            Body::new(BodyKind::Dynamic, DVec2::new(0.0, 0.1), 0.0, vec![shape], MassSpec::default());
        let mut block = block.unwrap();
        block.friction = 0.4;
        block.velocity.linear = DVec2::X;
        let mass = block.mass_properties().mass;
        world.add_body(block).unwrap();
        let reports = run(&mut world, &method(key, &[]), 1e-3, 400);
        let (work, distance) = (sum(&reports), world.bodies()[1].pose.position.x);
        let [taken, start] = [0.4 * mass * 9.81 * distance, 0.5 * mass];
        assert!((work.friction + taken).abs() < 1e-2 * taken, "{key}: {work:?}, {taken}");
        assert!((work.friction + start).abs() < 1e-2 * start, "{key}: {work:?}, {start}");
    }
}

/// A ball that strikes the floor with the speed u and leaves with e u loses ½ m (1 − e²) u² in the impact, by Newton's law.
#[test]
fn an_impact_takes_its_loss() {
    for (key, e) in
        [("none", 0.0), ("none", 0.6), ("projection", 0.5), ("post_stabilization", 0.8), ("none", 1.0)]
    {
        let mut world = World::new(DVec2::ZERO);
        world.add_body(floor(0.0)).unwrap();
        let shape = Placement::centred(Shape::Circle { radius: 0.1 });
        let ball =
            Body::new(BodyKind::Dynamic, DVec2::new(0.0, 0.15), 0.0, vec![shape], MassSpec::default());
        let mut ball = ball.unwrap();
        (ball.restitution, ball.velocity.linear) = (e, DVec2::new(0.0, -3.0));
        let mass = ball.mass_properties().mass;
        world.add_body(ball).unwrap();
        edit(&mut world, 0, |floor| floor.restitution = e);
        let reports = run(&mut world, &method(key, &[]), 1e-3, 60);
        let (work, lost) = (sum(&reports), 0.5 * mass * 9.0 * (1.0 - e * e));
        let scale = 0.5 * mass * 9.0;
        assert!((work.impacts + lost).abs() < 1e-9 * scale, "{key}, {e}: {work:?}, {lost}");
        assert!(work.method.abs() < 1e-9 * scale, "{key}, {e}: {work:?}");
    }
}

/// A damped spring gives a mass its energy less ∫ d ṡ² dt: for ω₀ = 2π/s and ζ = 0.1 the amplitude falls by e^(−ζ ω₀
/// t), and after three periods of the damped motion, at rest again, all that the spring has given back is what the damping took.
#[test]
fn a_damped_spring_keeps_account_of_its_damping() {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(wall()).unwrap();
    let mass = world.add_body(point_mass(DVec2::new(1.5, 0.0))).unwrap();
    let (omega, zeta) = (std::f64::consts::TAU, 0.1);
    let spring = Spring::between(wall, mass).stiffness(omega * omega).damping(2.0 * zeta * omega);
    world.add_spring(spring.rest_length(1.0)).unwrap();
    let damped = omega * (1.0_f64 - zeta * zeta).sqrt();
    let (h, end) = (1e-4, 3.0 * std::f64::consts::TAU / damped);
    let reports = run(&mut world, &method("none", &[]), h, (end / h).round() as usize);
    let work = sum(&reports);
    let start = 0.5 * omega * omega * 0.25;
    // At rest at both ends, so that the spring's work, stored and damped, is zero.
    assert!(work.springs.abs() < 1e-2 * start, "{work:?}");
    assert!(work.method.abs() < 1e-2 * start, "{work:?}");
    let left = start * (-2.0 * zeta * omega * end).exp();
    let reported = reports[reports.len() - 1].total_energy();
    assert!((reported - left).abs() < 1e-2 * start, "{reported} J instead of {left} J");
}

/// A platform that carries a block along does μ m g times its own distance while the block slides, m v² in all, of
/// which friction takes half and the block gets half.
#[test]
fn a_platform_works_on_what_it_carries() {
    let mut world = World::new(GRAVITY);
    let belt = vec![Placement::centred(Shape::Box { size: DVec2::new(20.0, 0.2) })];
    let kind = BodyKind::Kinematic(Motion::ConstantVelocity);
    let mut belt = Body::new(kind, DVec2::new(0.0, -0.1), 0.0, belt, MassSpec::default()).unwrap();
    (belt.friction, belt.velocity.linear) = (0.5, DVec2::X);
    world.add_body(belt).unwrap();
    let shape = vec![Placement::centred(Shape::Box { size: DVec2::new(0.4, 0.2) })];
    let block = Body::new(BodyKind::Dynamic, DVec2::new(0.0, 0.1), 0.0, shape, MassSpec::default());
    let mut block = block.unwrap();
    block.friction = 0.5;
    let mass = block.mass_properties().mass;
    world.add_body(block).unwrap();
    let work = sum(&run(&mut world, &method("none", &[]), 1e-3, 400));
    assert!((work.drivers - mass).abs() < 1e-3 * mass, "{work:?}, {mass}");
    assert!((work.friction + 0.5 * mass).abs() < 1e-3 * mass, "{work:?}, {mass}");
    assert!(work.method.abs() < 1e-6 * mass, "{work:?}");
}

/// The hand's work on a free body is the kinetic energy that it gets: by the pull, and by the push of the repulsion.
#[test]
fn the_hand_does_what_it_gives() {
    let mut world = World::new(DVec2::ZERO);
    let shape = Placement::centred(Shape::Circle { radius: 0.1 });
    let ball = Body::new(BodyKind::Dynamic, DVec2::ZERO, 0.0, vec![shape], MassSpec::default());
    world.add_body(ball.unwrap()).unwrap();
    pull(&mut world, 0, DVec2::ZERO, DVec2::new(0.5, 0.0));
    let reports = run(&mut world, &method("none", &[]), 1e-3, 20);
    let kinetic = reports[19].kinetic_energy;
    assert!(kinetic > 0.0 && (sum(&reports).hand - kinetic).abs() < 1e-9 * kinetic, "{:?}", sum(&reports));
    world.release_grab();
    world
        .set_repulsion(Some(Repulsion { center: DVec2::new(-0.3, 0.0), radius: 2.0, strength: 50.0 }))
        .unwrap();
    let pushed = run(&mut world, &method("none", &[]), 1e-4, 200);
    let gained = pushed[199].kinetic_energy - kinetic;
    assert!((sum(&pushed).hand - gained).abs() < 1e-2 * gained, "{:?}, {gained}", sum(&pushed));
}

/// A driven four-bar linkage in its plane without gravity: its motor and the method do the whole change of the kinetic
/// energy. The method's part is the work of the joints along J of a step's start, which an exact motion does not do: it
/// halves with h under `projection`, which is of first order; RATTLE, symmetric in time, leaves less than 1e-6 of what
/// the motor exchanges.
#[test]
fn a_driven_four_bar_leaves_little_to_the_method() {
    let left = |key: &str, h: f64| {
        let (work, exchanged, kinetic) = four_bar(&method(key, &[]), h);
        assert!((work.motors + work.method - kinetic).abs() < 1e-9 * exchanged, "{key}: {work:?}");
        work.method / exchanged
    };
    let [whole, half] = [1e-3, 5e-4].map(|h| left("projection", h));
    assert!(whole.abs() < 5e-3 && (whole / half - 2.0).abs() < 0.1, "{whole}, {half}");
    let rattle = left("rattle", 1e-3);
    assert!(rattle.abs() < 1e-6, "{rattle}");
}

/// The work in two seconds of the linkage, the sum of its motor's sizes in each step, and the kinetic energy at the end, J.
fn four_bar(method: &Method, h: f64) -> (Work, f64, f64) {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(wall()).unwrap();
    let points = [[0.0, 0.0], [0.0, 1.0], [2.0, 1.5], [2.0, 0.0]].map(DVec2::from);
    let mut last = (wall, points[0]);
    for (i, pair) in points.windows(2).enumerate() {
        let along = pair[1] - pair[0];
        let link = bar(DVec2::new(along.length(), 0.1), 0.5 * (pair[0] + pair[1]), along.y.atan2(along.x));
        let link = world.add_body(link).unwrap();
        let joint = Joint::hinge(last.0, link).at(last.1);
        world.add_joint(if i == 0 { joint.motor(-3.0, 2e3) } else { joint }).unwrap();
        last = (link, pair[1]);
    }
    world.add_joint(Joint::hinge(last.0, wall).at(points[3])).unwrap();
    let reports = run(&mut world, method, h, (2.0 / h).round() as usize);
    let exchanged = reports.iter().map(|own| own.work.motors.abs()).sum();
    (sum(&reports), exchanged, reports[reports.len() - 1].kinetic_energy)
}
