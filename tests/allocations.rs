//! Steps do not allocate once their workspace has grown: the promise of a hot path without allocation.
//!
//! A crate of its own, because it counts through the global allocator.

use driftlab::lcp::{Law, MixedProblem, MixedRow, MixedWorkspace, Solver};
use driftlab::model::joint::Hinge;
use driftlab::model::nonholonomic::{KnifeEdge, PrescribedVelocity, VelocityLaw};
use driftlab::model::{
    Body, BodyKind, Joint, JointKind, MassSpec, Motor, Nonholonomic, NonholonomicKind, Placement, Shape,
    Softness, Spring, World,
};
use driftlab::stabilizer::{Integrator, Level, Method, TABLE, Workspace};
use driftlab::step::step;
use glam::{DVec2, DVec3};

/// Ten bars in a row, hinged to each other and to a wall, a spring between the wall and the last.
fn chain() -> World {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    let wall = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, Vec::new(), MassSpec::default()).unwrap();
    let wall = world.add_body(wall);
    let mut last = wall;
    for link in 0..10 {
        let shapes = vec![Placement::centred(Shape::Box { size: DVec2::new(0.1, 0.02) })];
        let at = DVec2::new(0.1 * (f64::from(link) + 0.5), 0.0);
        let bar = Body::new(BodyKind::Dynamic, at, 0.0, shapes, MassSpec::default()).unwrap();
        let next = world.add_body(bar);
        let anchor = if link == 0 { DVec2::ZERO } else { DVec2::new(0.05, 0.0) };
        let hinge = Hinge { anchors: [anchor, DVec2::new(-0.05, 0.0)] };
        world.add_joint(Joint::new([last, next], JointKind::Hinge(hinge))).unwrap();
        last = next;
    }
    let softness = Softness { stiffness: 10.0, damping: 1.0 };
    let spring = Spring { bodies: [wall, last], anchors: [DVec2::ZERO; 2], softness, rest_length: 0.5 };
    world.add_spring(spring).unwrap();
    world
}

/// The chain with a blade under its first bar, and a bar beside it that is driven by one end. (Driven by the chain's
/// own end, a straight chain is singular, and the matrix of its rank is made when that is first met.)
fn held_chain() -> World {
    let mut world = chain();
    let (anchor, rate) = (DVec2::new(0.05, 0.0), 0.5);
    let edge = KnifeEdge { body: 1, anchor: DVec2::ZERO, axis: DVec2::Y };
    let law = VelocityLaw::Circle { center: DVec2::ZERO, start: DVec2::X, rate };
    let shapes = vec![Placement::centred(Shape::Box { size: DVec2::new(0.1, 0.02) })];
    let mut bar =
        Body::new(BodyKind::Dynamic, DVec2::new(0.95, 0.0), 0.0, shapes, MassSpec::default()).unwrap();
    bar.collides = false;
    let point = PrescribedVelocity { body: world.add_body(bar), anchor, law };
    for kind in [NonholonomicKind::KnifeEdge(edge), NonholonomicKind::PrescribedVelocity(point)] {
        world.add_nonholonomic(Nonholonomic::new(kind)).unwrap();
    }
    world
}

/// Under every scheme, level and integrator, and both metrics.
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
        // The sweeps of today's engines refuse velocities that are held.
        let sweeps = ["ngs", "split_impulse", "soft", "xpbd"].contains(&method.stabilizer.info().key);
        if sweeps && !world.nonholonomic().is_empty() {
            continue;
        }
        let (mut world, mut workspace) = (world.clone(), Workspace::default());
        let mut advance = |steps: usize| {
            for _ in 0..steps {
                step(&mut world, method, 1e-3, &mut workspace).unwrap();
            }
        };
        advance(20);
        let counted = allocation_counter::measure(|| advance(200));
        assert_eq!(counted.count_total, 0, "{:?} at {:?}", method.stabilizer, method.level);
    }
}

/// Newton's method, paths and the interior point on a stack of boxes that is shaken: once the row pattern is known.
#[test]
fn methods_over_the_bodies_do_not_allocate() {
    let mut problem = MixedProblem {
        weight: vec![DVec3::ZERO],
        free: vec![DVec3::ZERO],
        rows: Vec::new(),
        rounding: 0.0,
    };
    for b in 1..=6 {
        problem.weight.push(DVec3::new(1.0, 1.0, 6.0));
        problem.free.push(DVec3::new(0.0, -0.1, 0.0));
        for x in [-0.5, 0.5] {
            let (a, normal, top) = (b - 1, problem.rows.len(), if b == 1 { 0.0 } else { 0.5 });
            let row = |along: DVec2, law| {
                let (ra, rb) = (DVec2::new(x, top), DVec2::new(x, -0.5));
                let ja = -DVec3::new(along.x, along.y, ra.perp_dot(along));
                let jb = DVec3::new(along.x, along.y, rb.perp_dot(along));
                MixedRow { a, b, ja, jb, bias: 0.0, compliance: 0.0, law }
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

/// The same for the schemes that sweep, with contacts, friction, a limit and a motor at work.
#[test]
fn sweeps_over_contacts_do_not_allocate() {
    for key in ["ngs", "split_impulse", "soft", "xpbd"] {
        let method = Method::by_key(key).unwrap();
        let mut world = World::new(DVec2::new(0.0, -9.81));
        let plane = vec![Placement::centred(Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 })];
        let ground = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, plane, MassSpec::default()).unwrap();
        let ground = world.add_body(ground);
        for x in 0..5 {
            let shapes = vec![Placement::centred(Shape::Circle { radius: 0.1 })];
            let at = DVec2::new(0.2 * f64::from(x), 0.1);
            let mut ball = Body::new(BodyKind::Dynamic, at, 0.0, shapes, MassSpec::default()).unwrap();
            ball.friction = 0.5;
            world.add_body(ball);
        }
        let hinge = Hinge { anchors: [DVec2::new(0.0, 0.1), DVec2::ZERO] };
        let mut joint = Joint::new([ground, 1], JointKind::Hinge(hinge));
        joint.limits = Some([-0.5, 0.5]);
        joint.motor = Some(Motor { speed: 1.0, max_force: 1.0 });
        world.add_joint(joint).unwrap();
        let mut workspace = Workspace::default();
        let mut advance = |steps: usize| {
            for _ in 0..steps {
                step(&mut world, &method, 1e-3, &mut workspace).unwrap();
            }
        };
        advance(20);
        let counted = allocation_counter::measure(|| advance(200));
        assert_eq!(counted.count_total, 0, "{key}");
    }
}
