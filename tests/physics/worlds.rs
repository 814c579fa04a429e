//! Worlds that several tests share, and short ways to step them.

use driftlab::method::{Integrator, Level, Method, Scheme};
use driftlab::model::joint::{Distance, DistanceForm, Weld};
use driftlab::model::{
    Body, BodyId, BodyKind, Grab, Joint, JointBuilder, JointKind, MassSpec, Placement, Shape, World,
};
use driftlab::report::StepReport;
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;
use std::sync::LazyLock;

/// The schemes that meet their rows within a step, as far as their sweeps go: without `avbd`, whose multipliers and penalties
/// grow over many steps, and whose springs are backward Euler. What that promises is in `avbd.rs`.
pub static WITHIN_A_STEP: LazyLock<Vec<&'static Scheme>> =
    LazyLock::new(|| TABLE.iter().copied().filter(|scheme| scheme.info().key != "avbd").collect());

/// Standard gravity, downwards, m/s².
pub const GRAVITY: DVec2 = DVec2::new(0.0, -9.81);

/// The method with the stiffest constraints that it offers: those of `mujoco` yield at default with a time constant of 20 ms,
/// those of `sap` with 5e5 N/m.
pub fn stiffest(method: Method) -> Method {
    let numbers = [
        ("timeconst", 1e-6),
        ("impedance", 0.9999),
        ("full_impedance", 0.9999),
        ("joint_near_rigid", 1e-3),
        ("near_rigid", 1e-2),
        ("stiffness", 1e15),
        ("relaxation_time", 0.0),
        ("sigma", 1e-6),
    ];
    numbers.into_iter().fold(method, |own, (key, value)| own.clone().with(key, value).unwrap_or(own))
}

/// The method without numerical damping, where that is chosen: ρ∞ = 1.
pub fn undamped(method: Method) -> Method {
    method.clone().with("spectral_radius", 1.0).unwrap_or(method)
}

/// A fixed body at the origin.
pub fn wall() -> Body {
    Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, Vec::new(), MassSpec::default()).unwrap()
}

/// A uniform bar of the given size (m) and density 1000 kg/m², its centre at `at`, turned by `angle`; it collides with
/// nothing, so that the links of a chain may fold.
pub fn bar(size: DVec2, at: DVec2, angle: f64) -> Body {
    let shapes = vec![Placement::centred(Shape::Box { size })];
    let mut bar = Body::new(BodyKind::Dynamic, at, angle, shapes, MassSpec::default()).unwrap();
    bar.collides = false;
    bar
}

/// A body of unit mass and unit inertia.
pub fn point_mass(at: DVec2) -> Body {
    let mass = MassSpec::Given { mass: 1.0, inertia: Some(1.0) };
    Body::new(BodyKind::Dynamic, at, 0.0, Vec::new(), mass).unwrap()
}

/// A hinge at the world point `at`, as the two bodies stand when it is added.
pub fn hinge([a, b]: [BodyId; 2], at: DVec2) -> JointBuilder {
    Joint::hinge(a, b).at(at)
}

/// The id of the body at `index`.
pub fn id(world: &World, index: usize) -> BodyId {
    world.body_ids()[index]
}

/// Changes the body at `index`.
pub fn edit(world: &mut World, index: usize, change: impl FnOnce(&mut Body)) {
    world.edit_body(id(world, index), change).unwrap();
}

/// Pulls the world point `at` of the body at `index` towards `target`.
pub fn pull(world: &mut World, index: usize, at: DVec2, target: DVec2) -> Grab {
    world.grab_body(id(world, index), at).unwrap();
    world.edit_grab(|grab| grab.target = target).unwrap();
    world.grab().unwrap()
}

/// `links` bars of 0.1 m in a horizontal row, hinged to each other and the first to a wall.
pub fn chain(links: usize, gravity: DVec2) -> World {
    let mut world = free_chain(links, gravity);
    let wall = world.add_body(wall()).unwrap();
    let joint = hinge([wall, id(&world, 0)], DVec2::ZERO);
    world.add_joint(joint).unwrap();
    world
}

/// The links of [`chain`] without the wall.
pub fn free_chain(links: usize, gravity: DVec2) -> World {
    let mut world = World::new(gravity);
    for link in 0..links {
        let at = DVec2::new(0.1 * (link as f64 + 0.5), 0.0);
        world.add_body(bar(DVec2::new(0.1, 0.02), at, 0.0)).unwrap();
    }
    for link in 1..links {
        let joint = hinge([id(&world, link - 1), id(&world, link)], DVec2::new(0.1 * link as f64, 0.0));
        world.add_joint(joint).unwrap();
    }
    world
}

/// A unit point mass on a rod of length 1 from the origin, released from the horizontal.
pub fn rod_pendulum(form: DistanceForm, gravity: DVec2) -> World {
    let mut world = World::new(gravity);
    let wall = world.add_body(wall()).unwrap();
    let mass = world.add_body(point_mass(DVec2::X)).unwrap();
    let rod = Distance { anchors: [DVec2::ZERO; 2], length: 1.0, form };
    world.add_joint(Joint::between([wall, mass], JointKind::Distance(rod))).unwrap();
    world
}

/// A unit point mass at the origin, welded to two walls that want it at x = −0.1 m and x = 0.3 m; it is the last
/// body.
pub fn contradicting_welds(gravity: DVec2) -> World {
    let mut world = World::new(gravity);
    let walls = [world.add_body(wall()).unwrap(), world.add_body(wall()).unwrap()];
    let body = world.add_body(point_mass(DVec2::ZERO)).unwrap();
    for (wall, x) in walls.into_iter().zip([-0.1, 0.3]) {
        let anchors = [DVec2::new(x, 0.0), DVec2::ZERO];
        let weld = JointKind::Weld(Weld { anchors, reference_angle: 0.0 });
        world.add_joint(Joint::between([wall, body], weld)).unwrap();
    }
    world
}

/// The scheme with this key and the given parameters.
pub fn method(key: &str, parameters: &[(&str, f64)]) -> Method {
    let mut method = Method::by_key(key).unwrap_or_else(|| panic!("no scheme '{key}'"));
    for (name, value) in parameters {
        method = method.with(name, *value).unwrap();
    }
    method
}

/// Steps `count` times and returns every report.
pub fn run(world: &mut World, method: &Method, h: f64, count: usize) -> Vec<StepReport> {
    let mut workspace = Workspace::default();
    (0..count).map(|_| step(world, method, h, &mut workspace).unwrap()).collect()
}

/// Makes so many steps; returns the workspace, which tells the impulses of the last one.
pub fn stepped(world: &mut World, method: &Method, h: f64, count: usize) -> Workspace {
    let mut workspace = Workspace::default();
    for _ in 0..count {
        step(world, method, h, &mut workspace).unwrap();
    }
    workspace
}

/// [`WITHIN_A_STEP`] at every level and with every integrator that they have, the stiffest of each, for a step of `h`.
pub fn methods(h: f64) -> impl Iterator<Item = Method> {
    let levels = [
        (Level::Velocity, Integrator::SemiImplicitEuler),
        (Level::Acceleration, Integrator::SemiImplicitEuler),
        (Level::Acceleration, Integrator::ExplicitEuler),
        (Level::Acceleration, Integrator::Rk4),
    ];
    WITHIN_A_STEP.iter().flat_map(move |scheme| {
        let of = |(level, integrator)| stiffest(Method::new((*scheme).into())).at_level(level, integrator);
        levels.into_iter().filter_map(of).map(move |method| method.at_step(h))
    })
}

/// Largest joint error of a run.
pub fn largest_error(reports: &[StepReport]) -> f64 {
    crate::largest(reports.iter().map(|report| report.joint_error))
}
