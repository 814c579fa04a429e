//! Steps do not allocate once their workspace has grown: the promise of a hot path without allocation.
//!
//! A crate of its own, because it counts through the global allocator.

use driftlab::lcp::{Law, MixedProblem, MixedRow, MixedWorkspace, Solver};
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::joint::Hinge;
use driftlab::model::nonholonomic::{KnifeEdge, PrescribedVelocity, VelocityLaw};
use driftlab::model::{
    Body, BodyKind, Joint, JointKind, MassSpec, NonholonomicKind, Placement, Shape, Spring, World,
};
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::{DVec2, DVec3};

/// The schemes of today's engines, which sweep over the constraints.
const SWEEPING: [&str; 5] = ["ngs", "split_impulse", "soft", "xpbd", "avbd"];

/// Ten bars in a row, hinged to each other and to a wall, a spring between the wall and the last.
fn chain() -> World {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    let wall = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, Vec::new(), MassSpec::default()).unwrap();
    let wall = world.add_body(wall).unwrap();
    let mut last = wall;
    for link in 0..10 {
        let shapes = vec![Placement::centred(Shape::Box { size: DVec2::new(0.1, 0.02) })];
        let at = DVec2::new(0.1 * (f64::from(link) + 0.5), 0.0);
        let bar = Body::new(BodyKind::Dynamic, at, 0.0, shapes, MassSpec::default()).unwrap();
        let next = world.add_body(bar).unwrap();
        let anchor = if link == 0 { DVec2::ZERO } else { DVec2::new(0.05, 0.0) };
        let hinge = Hinge { anchors: [anchor, DVec2::new(-0.05, 0.0)] };
        world.add_joint(Joint::between([last, next], JointKind::Hinge(hinge))).unwrap();
        last = next;
    }
    let spring = Spring::between(wall, last).stiffness(10.0).damping(1.0).rest_length(0.5);
    world.add_spring(spring).unwrap();
    world
}

/// The chain with a blade under its first bar, and a separate bar whose end has a prescribed velocity. (A prescribed
/// velocity at the end of the straight chain itself would be singular, and the matrix that the solver needs for dependent
/// rows is allocated when it first meets them.)
fn held_chain() -> World {
    let mut world = chain();
    let (anchor, rate) = (DVec2::new(0.05, 0.0), 0.5);
    let edge = KnifeEdge { anchor: DVec2::ZERO, axis: DVec2::Y };
    let law = VelocityLaw::Circle { center: DVec2::ZERO, start: DVec2::X, rate };
    let shapes = vec![Placement::centred(Shape::Box { size: DVec2::new(0.1, 0.02) })];
    let mut bar =
        Body::new(BodyKind::Dynamic, DVec2::new(0.95, 0.0), 0.0, shapes, MassSpec::default()).unwrap();
    bar.collides = false;
    let (first, driven) = (world.body_ids()[1], world.add_body(bar).unwrap());
    let point = PrescribedVelocity { anchor, law };
    world.add_nonholonomic([first; 2], NonholonomicKind::KnifeEdge(edge)).unwrap();
    world.add_nonholonomic([driven; 2], NonholonomicKind::PrescribedVelocity(point)).unwrap();
    world
}

/// After 220 steps, in which the matrix for dependent rows has been met, 200 further steps of a hinged chain without contacts
/// allocate nothing: under every scheme at its default level, under `none` with each integrator at the acceleration level, and
/// with post-stabilization's identity metric. The same holds with velocity constraints in the chain, where the solves of
/// `generalized_alpha` have several patterns.
#[test]
fn steps_do_not_allocate() {
    let mut methods: Vec<Method> = TABLE.iter().map(|scheme| Method::new((*scheme).into())).collect();
    for integrator in Integrator::ALL {
        methods.push(Method::by_key("none").unwrap().at_level(Level::Acceleration, integrator).unwrap());
    }
    methods.push(Method::by_key("post_stabilization").unwrap().with("metric", 1.0).unwrap());
    let worlds = [chain(), held_chain()];
    for (method, world) in methods.iter().flat_map(|method| worlds.iter().map(move |world| (method, world)))
    {
        let (mut world, mut workspace) = (world.clone(), Workspace::default());
        let mut advance = |steps: usize| {
            for _ in 0..steps {
                step(&mut world, method, 1e-3, &mut workspace).unwrap();
            }
        };
        advance(220);
        let counted = allocation_counter::measure(|| advance(200));
        assert_eq!(counted.count_total, 0, "{:?} at {:?}", method.stabilizer, method.level);
    }
}

/// Once they know the row pattern, Newton's method, the homotopy and the interior point method solve a stack of
/// boxes under a changing sideways push without allocating.
#[test]
fn methods_do_not_allocate() {
    let mut problem = MixedProblem {
        inverse_mass: vec![DVec3::ZERO],
        free: vec![DVec3::ZERO],
        rows: Vec::new(),
        rounding: 0.0,
        rests: false,
    };
    for b in 1..=6 {
        problem.inverse_mass.push(DVec3::new(1.0, 1.0, 6.0));
        problem.free.push(DVec3::new(0.0, -0.1, 0.0));
        for x in [-0.5, 0.5] {
            let (a, normal, top) = (b - 1, problem.rows.len(), if b == 1 { 0.0 } else { 0.5 });
            let row = |along: DVec2, law| {
                let (ra, rb) = (DVec2::new(x, top), DVec2::new(x, -0.5));
                let ja = -DVec3::new(along.x, along.y, ra.perp_dot(along));
                let jb = DVec3::new(along.x, along.y, rb.perp_dot(along));
                MixedRow { a, b, ja, jb, bias: 0.0, compliance: 0.0, law, further: None }
            };
            problem.rows.push(row(DVec2::Y, Law::Unilateral));
            problem.rows.push(row(DVec2::X, Law::Friction { normal, coefficient: 0.5 }));
        }
    }
    for key in ["newton", "homotopy", "interior"] {
        let solver = Solver::by_key(key).unwrap();
        let (mut lambda, mut v, mut workspace) = (Vec::new(), Vec::new(), MixedWorkspace::default());
        let mut factored = 0;
        let mut shake = |steps: u32| {
            for step in 0..steps {
                problem.free[6].x = f64::from(step % 7) - 3.0;
                let outcome = solver.solve_mixed(&problem, &mut lambda, &mut v, &mut workspace).unwrap();
                factored += outcome.iterations;
            }
        };
        shake(20);
        let counted = allocation_counter::measure(|| shake(100));
        assert_eq!(counted.count_total, 0, "{key}");
        assert!(factored > 50, "the box has to slide and stick: {key}, {factored}");
    }
}

/// Five balls that roll on a floor, one of them hinged to it with a limit and a motor: contacts with friction, and rows of
/// every other kind.
fn balls_on_a_floor() -> World {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    let plane = vec![Placement::centred(Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 })];
    let ground = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, plane, MassSpec::default()).unwrap();
    let ground = world.add_body(ground).unwrap();
    for x in 0..5 {
        let shapes = vec![Placement::centred(Shape::Circle { radius: 0.1 })];
        let at = DVec2::new(0.2 * f64::from(x), 0.1);
        let mut ball = Body::new(BodyKind::Dynamic, at, 0.0, shapes, MassSpec::default()).unwrap();
        ball.friction = 0.5;
        world.add_body(ball).unwrap();
    }
    let hinge = Hinge { anchors: [DVec2::new(0.0, 0.1), DVec2::ZERO] };
    let joint = Joint::between([ground, world.body_ids()[1]], JointKind::Hinge(hinge));
    world.add_joint(joint.limits(-0.5, 0.5).motor(1.0, 1.0)).unwrap();
    world
}

/// The number of allocations in 220 steps of a world whose like the workspace has stepped just as far before, so that it has met
/// every solver that they call, but for the first step, in which the world itself makes room for its contacts; and whether there
/// are contacts at the end.
fn allocations(method: &Method, world: &World) -> (u64, bool) {
    let mut workspace = Workspace::default();
    let mut advance = |world: &mut World, steps: usize| {
        for _ in 0..steps {
            step(world, method, 1e-3, &mut workspace).unwrap();
        }
    };
    advance(&mut world.clone(), 220);
    let mut again = world.clone();
    advance(&mut again, 1);
    let counted = allocation_counter::measure(|| advance(&mut again, 219)).count_total;
    (counted, !again.contacts().is_empty())
}

/// Steps of the sweeping schemes with contacts, friction, a limit and a motor allocate nothing when they are made again.
#[test]
fn sweeps_over_contacts_do_not_allocate() {
    for key in SWEEPING {
        let (counted, touching) = allocations(&Method::by_key(key).unwrap(), &balls_on_a_floor());
        assert!(touching && counted == 0, "{key}: {counted}");
    }
}

/// Steps with contacts, friction, a limit and a motor allocate nothing when they are made again, under the other schemes with
/// their default solver.
#[test]
fn solves_over_contacts_do_not_allocate() {
    let mut failed = Vec::new();
    for scheme in TABLE.iter().filter(|scheme| !SWEEPING.contains(&scheme.info().key)) {
        let (counted, touching) = allocations(&Method::new((*scheme).into()), &balls_on_a_floor());
        if !touching || counted > 0 {
            failed.push((scheme.info().key, counted, touching));
        }
    }
    assert!(failed.is_empty(), "scheme, allocations, whether anything touches: {failed:?}");
}

/// The window runs for an hour, drawn headless at 60 frames a second with a run beside the main one: once the recorded
/// states fill their memory, and the figures their buckets, nothing more is kept. Each of the last ten minutes leaves
/// less than 64 kB.
#[cfg(feature = "app")]
#[test]
#[ignore = "takes a minute in release"]
fn an_hour_in_the_window_keeps_its_memory() {
    use driftlab::scene::catalogue;
    use driftlab::workbench::engine::Stepping;
    use driftlab::workbench::intent::Intent;
    use driftlab::workbench::model::Model;
    use driftlab::workbench::options::OpenScene;
    use driftlab::workbench::runs::player::Player;

    /// Memory for recorded states, bytes: little, so that it is full within minutes.
    const ROOM: usize = 8 << 20;
    const MINUTE: u64 = 3600;
    let entry = catalogue::find("single-pendulum").unwrap();
    let scene = OpenScene { title: entry.key.to_owned(), path: None, text: entry.text.to_owned() };
    let mut model = Model::new(Some(scene), Player::new(true), Stepping::within_frame(None)).unwrap();
    model.limit_history(ROOM);
    model.apply(Intent::Beside(0));
    let mut minutes = Vec::new();
    for _ in 0..60 {
        let counted = allocation_counter::measure(|| {
            for _ in 0..MINUTE {
                model.advance(1.0 / 60.0);
                model.settle();
            }
        });
        minutes.push(counted.bytes_current);
    }
    assert!((model.run().world().time() - 3600.0).abs() < 1.0, "t = {} s", model.run().world().time());
    let late = &minutes[50..];
    assert!(late.iter().all(|kept| *kept < 64 << 10), "bytes kept per minute: {minutes:?}");
    println!("bytes kept per minute: {minutes:?}");
}
