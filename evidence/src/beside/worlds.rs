//! Worlds whose figures are foretold.

use super::hanging::{Bar, Hanging};
use super::setup::{BAR, G, SIX, Setup};
use driftlab::model::joint::{Hinge, Motor};
use driftlab::model::{
    Body, BodyId, BodyKind, Joint, JointKind, MassSpec, Placement, Pose, Shape, Velocity, World,
};
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// By how much a hinge is opened, m.
pub(super) const GAP: f64 = 1e-2;
/// Slope of the ground, rad.
pub(super) const SLOPE: f64 = 10.0 * TAU / 360.0;
pub(super) fn body(world: &mut World, shape: Shape, at: [f64; 2], mass: f64) -> usize {
    let mass = MassSpec::Given { mass, inertia: None };
    let own = Body::new(BodyKind::Dynamic, at.into(), 0.0, vec![Placement::centred(shape)], mass);
    world.add_body(own.expect("a body")).expect("a body");
    world.bodies().len() - 1
}

pub(super) fn grounded(gravity: f64) -> World {
    let mut world = World::new(DVec2::new(0.0, -gravity));
    let shape = Shape::Box { size: DVec2::new(20.0, 1.0) };
    let place = vec![Placement::centred(shape)];
    let own = Body::new(BodyKind::Fixed, DVec2::new(0.0, -0.5), 0.0, place, MassSpec::default());
    world.add_body(own.expect("the ground")).expect("the ground");
    world
}

/// Boxes of these sizes and masses upon each other.
pub(super) fn stack(boxes: &[([f64; 2], f64)]) -> World {
    let (mut world, mut top) = (grounded(G), 0.0);
    for ([width, height], mass) in boxes {
        let shape = Shape::Box { size: DVec2::new(*width, *height) };
        body(&mut world, shape, [0.0, top + 0.5 * height], *mass);
        top += height;
    }
    world
}

/// Bars that hang from the origin, opened by `gap` m at the first hinge, and turned by `angle`.
pub(super) fn hung(bars: &[Bar], [gravity, gap, angle]: [f64; 3]) -> World {
    let mut world = World::new(DVec2::new(0.0, -gravity));
    let wall = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, vec![], MassSpec::default()).expect("a wall");
    let mut above = world.add_body(wall).expect("a wall");
    let (along, mut down, mut end) = (DVec2::from_angle(angle), gap, DVec2::ZERO);
    for Bar { mass, inertia, ends: [top, bottom] } in bars {
        let mass = MassSpec::Given { mass: *mass, inertia: Some(*inertia) };
        let shape = vec![Placement::centred(Shape::Box { size: DVec2::new(0.5, 0.05) })];
        let mut own =
            Body::new(BodyKind::Dynamic, along * (down + top), angle, shape, mass).expect("a bar");
        own.collides = false;
        let own = world.add_body(own).expect("a bar");
        let hinge = Hinge { anchors: [end, DVec2::new(-top, 0.0)] };
        world.add_joint(Joint::between([above, own], JointKind::Hinge(hinge))).expect("a hinge");
        (above, down, end) = (own, down + top + bottom, DVec2::new(*bottom, 0.0));
    }
    world
}

/// As many bars of 1 kg but for the last one.
pub(super) fn hanging(bars: usize, last: f64, start: [f64; 3]) -> World {
    let mut bars = vec![BAR; bars];
    *bars.last_mut().expect("a bar") = Bar::of(last);
    hung(&bars, start)
}

/// Bars where they stay, turning at first at so many rad/s.
pub(super) fn stays<const N: usize>(hanging: &Hanging, turning: [f64; N]) -> World {
    let mut world = hung(&hanging.bars, [hanging.gravity, 0.0, DOWN]);
    let stays = hanging.hangs();
    let place = |((id, (q, v)), turning): ((&BodyId, (DVec3, DVec3)), f64)| {
        (*id, (q + DVec3::Z * DOWN).into(), (v + DVec3::Z * turning).into())
    };
    let moving = world.body_ids()[1..].iter().zip(stays.poses()).zip(turning);
    let moving: Vec<(BodyId, Pose, Velocity)> = moving.map(place).collect();
    world.place_bodies(&moving).expect("bars");
    world
}

/// Six disks where they stay.
pub(super) fn stays_piled(setup: &Setup) -> World {
    let mut world = piled(&SIX);
    let stays = setup.piled(&SIX).hangs();
    let place = |(id, (q, v)): (&BodyId, (DVec3, DVec3))| {
        let at = world.body(*id).expect("a disk").pose.coordinates();
        (*id, (at + q).into(), v.into())
    };
    let moving = world.body_ids()[1..].iter().zip(stays.poses());
    let moving: Vec<(BodyId, Pose, Velocity)> = moving.map(place).collect();
    world.place_bodies(&moving).expect("disks");
    world
}

/// A level bar on a hinge whose motor is to hold it.
pub(super) fn held() -> World {
    let mut world = hanging(1, 1.0, [G, 0.0, 0.0]);
    let id = world.joint_ids()[0];
    world
        .edit_joint(id, |joint| joint.motor = Some(Motor { speed: 0.0, max_force: 1e3 }))
        .expect("a motor");
    world
}

/// Disks of 0.5 m upon each other.
pub(super) fn piled(masses: &[f64]) -> World {
    let mut world = grounded(G);
    for (place, mass) in masses.iter().enumerate() {
        body(&mut world, Shape::Circle { radius: 0.5 }, [0.0, 0.5 + place as f64], *mass);
    }
    world
}

/// A box of 1 m on a slope that it would hold on up to 31°, at 10°, with a moment of inertia of its own or without turning.
pub(super) fn on_slope(turns: bool) -> World {
    let mut world = World::new(G * DVec2::from_angle(SLOPE - 0.25 * TAU));
    let shape = |size: [f64; 2]| vec![Placement::centred(Shape::Box { size: size.into() })];
    let mass = MassSpec::Given { mass: 1.0, inertia: if turns { None } else { Some(1e6) } };
    let ground =
        Body::new(BodyKind::Fixed, DVec2::new(0.0, -0.5), 0.0, shape([20.0, 1.0]), MassSpec::default());
    let own = Body::new(BodyKind::Dynamic, DVec2::new(0.0, 0.5), 0.0, shape(UNIT), mass);
    for body in [ground, own] {
        let mut body = body.expect("a body");
        body.friction = 0.6;
        world.add_body(body).expect("a body");
    }
    world
}

/// A disk of 0.5 m on the ground, which it overlaps by `overlap` m.
pub(super) fn disk(gravity: f64, overlap: f64) -> World {
    let mut world = grounded(gravity);
    body(&mut world, Shape::Circle { radius: 0.5 }, [0.0, 0.5 - overlap], 1.0);
    world
}

pub(super) const DOWN: f64 = -0.25 * TAU;
pub(super) const UNIT: [f64; 2] = [1.0, 1.0];
