//! Worlds that several tests share, and short ways to step them.

use driftlab::model::joint::{Distance, DistanceForm, Hinge, Weld};
use driftlab::model::{Body, BodyKind, Joint, JointKind, MassSpec, Placement, Shape, World};
use driftlab::report::StepReport;
use driftlab::stabilizer::{Method, Workspace};
use driftlab::step::step;
use glam::DVec2;

/// Standard gravity, downwards, m/s².
pub const GRAVITY: DVec2 = DVec2::new(0.0, -9.81);

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

/// A hinge at the world point `at`, as the two bodies stand now.
pub fn hinge(world: &World, bodies: [usize; 2], at: DVec2) -> Joint {
    let anchors = bodies.map(|index| {
        let body = &world.bodies()[index];
        body.point_in_body(at) - body.mass_properties().center
    });
    Joint::new(bodies, JointKind::Hinge(Hinge { anchors }))
}

/// `links` bars of 0.1 m in a horizontal row, hinged to each other and the first to a wall.
pub fn chain(links: usize, gravity: DVec2) -> World {
    let mut world = free_chain(links, gravity);
    let wall = world.add_body(wall());
    let joint = hinge(&world, [wall, 0], DVec2::ZERO);
    world.add_joint(joint).unwrap();
    world
}

/// The same without the wall.
pub fn free_chain(links: usize, gravity: DVec2) -> World {
    let mut world = World::new(gravity);
    for link in 0..links {
        let at = DVec2::new(0.1 * (link as f64 + 0.5), 0.0);
        world.add_body(bar(DVec2::new(0.1, 0.02), at, 0.0));
    }
    for link in 1..links {
        let joint = hinge(&world, [link - 1, link], DVec2::new(0.1 * link as f64, 0.0));
        world.add_joint(joint).unwrap();
    }
    world
}

/// A unit point mass on a rod of length 1 from the origin, released from the horizontal.
pub fn rod_pendulum(form: DistanceForm, gravity: DVec2) -> World {
    let mut world = World::new(gravity);
    let wall = world.add_body(wall());
    let mass = world.add_body(point_mass(DVec2::X));
    let rod = Distance { anchors: [DVec2::ZERO; 2], length: 1.0, form };
    world.add_joint(Joint::new([wall, mass], JointKind::Distance(rod))).unwrap();
    world
}

/// A unit point mass at the origin, welded to two walls that want it at x = −0.1 m and x = 0.3 m; it is the last
/// body.
pub fn contradicting_welds(gravity: DVec2) -> World {
    let mut world = World::new(gravity);
    let walls = [world.add_body(wall()), world.add_body(wall())];
    let body = world.add_body(point_mass(DVec2::ZERO));
    for (wall, x) in walls.into_iter().zip([-0.1, 0.3]) {
        let anchors = [DVec2::new(x, 0.0), DVec2::ZERO];
        let weld = JointKind::Weld(Weld { anchors, reference_angle: 0.0 });
        world.add_joint(Joint::new([wall, body], weld)).unwrap();
    }
    world
}

/// The scheme of that name with the given parameters.
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

/// Largest joint error of a run.
pub fn largest_error(reports: &[StepReport]) -> f64 {
    driftlab::math::largest(reports.iter().map(|report| report.joint_error))
}
