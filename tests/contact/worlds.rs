//! Worlds with contact that several tests share.

use driftlab::model::{Body, BodyKind, MassSpec, Placement, Shape, World};
use glam::DVec2;

/// Standard gravity, m/s².
pub const G: f64 = 9.81;

/// Half a plane below the line through the origin with the given unit normal.
pub fn ground(normal: DVec2, friction: f64) -> Body {
    let shape = Placement::centred(Shape::HalfPlane { normal, offset: 0.0 });
    let mut body = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, vec![shape], MassSpec::default()).unwrap();
    body.friction = friction;
    body
}

/// A uniform disk of density 1000 kg/m².
pub fn disk(radius: f64, at: DVec2, friction: f64) -> Body {
    let shape = Placement::centred(Shape::Circle { radius });
    let mut body = Body::new(BodyKind::Dynamic, at, 0.0, vec![shape], MassSpec::default()).unwrap();
    body.friction = friction;
    body
}

/// A uniform block of density 1000 kg/m².
pub fn block(size: DVec2, at: DVec2, angle: f64, friction: f64) -> Body {
    let shape = Placement::centred(Shape::Box { size });
    let mut body = Body::new(BodyKind::Dynamic, at, angle, vec![shape], MassSpec::default()).unwrap();
    body.friction = friction;
    body
}

/// An incline that falls towards +x under `angle`, a body on it, and gravity; the body is the last one.
pub fn on_incline(angle: f64, friction: f64, body: impl Fn(DVec2) -> Body) -> World {
    let normal = DVec2::new(angle.sin(), angle.cos());
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(normal, friction)).unwrap();
    world.add_body(body(normal)).unwrap();
    world
}

/// The direction down the incline.
pub fn downhill(angle: f64) -> DVec2 {
    DVec2::new(angle.cos(), -angle.sin())
}
