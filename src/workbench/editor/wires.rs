//! The tools that place slots, wheels and beads on wires.

use super::connect::{ends, pair, softness};
use super::edit::Edit;
use super::parts::Parts;
use super::place::{Place, frame, joint, moving};
use crate::internal::Rotation;
use crate::model::joint::{Bead, Curve, PoseMotor, Pulley, Side, Slot};
use crate::model::{BodyKind, Frame, JointKind};
use crate::workbench::stage::push::{gravity, two_digits};
use glam::{DVec2, DVec3};

/// A slot along the line, or a wheel whose suspension acts along it.
fn along(place: &Place<'_>, sprung: bool) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let bodies = pair(place, &mut parts)?;
    let [from, to] = place.line(1.0);
    joint(place.world, &mut parts, bodies, [from; 2], |anchors, [a, b]| {
        let axis = Rotation::from_angle(a.pose.angle).inverse_apply((to - from).normalize_or(DVec2::Y));
        let slot = Slot { anchors, axis, suspension: None };
        let frames = [a, b].map(|body| Frame::new(body.pose.coordinates(), DVec3::ZERO));
        let mass = slot.moved_mass([&frames[0], &frames[1]], [a, b].map(|body| body.inverse_mass()));
        JointKind::Slot(Slot { suspension: sprung.then(|| softness(mass)), ..slot })
    })?;
    Ok(Edit::Add(Box::new(parts)))
}

pub(super) fn slot(place: Place<'_>) -> Result<Edit, String> {
    along(&place, false)
}

pub(super) fn wheel(place: Place<'_>) -> Result<Edit, String> {
    along(&place, true)
}

/// The body at the line's start becomes a bead on a circle about its end.
pub(super) fn bead(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let (body, _) = moving(&place)?;
    let [at, center] = place.line(4.0);
    let under = super::place::under(place.world, center, place.reach);
    let wire = match under.into_iter().find(|index| *index != body) {
        Some(carrier) => carrier,
        None => frame(place.world, &mut parts)?,
    };
    joint(place.world, &mut parts, [wire, body], [center, at], |anchors, [a, _]| {
        let curve = Curve::Circle { radius: at.distance(center) };
        JointKind::Bead(Bead { anchors, curve, angle: -a.pose.angle, side: Side::On })
    })?;
    Ok(Edit::Add(Box::new(parts)))
}

/// A rope from the first point to the last over the wheels between them, which bodies carry that lie there and may move.
pub(super) fn pulley(place: Place<'_>) -> Result<Edit, String> {
    let [from, first, second, to] = match *place.points {
        [from, wheel, to] => [from, wheel, wheel, to],
        [from, first, second, to] => [from, first, second, to],
        _ => return Err("click on an end, on one wheel or two, and on the other end".to_owned()),
    };
    let mut parts = Parts::default();
    let bodies = ends(&place, [from, to], &mut parts)?;
    let carrier = |at: DVec2, end: usize| {
        let under = super::place::under(place.world, at, place.reach);
        under
            .into_iter()
            .find(|index| *index != end && place.world.bodies()[*index].kind() != BodyKind::Fixed)
    };
    let carriers = [carrier(first, bodies[0]), carrier(second, bodies[1])];
    let wheels = [(first, carriers[0]), (second, carriers[1])]
        .map(|(at, carrier)| carrier.map_or(at, |index| place.world.bodies()[index].anchor_at(at)));
    let length = from.distance(first) + to.distance(second);
    joint(place.world, &mut parts, bodies, [from, to], |anchors, _| {
        let carried = carriers.map(|own| own.is_some());
        JointKind::Pulley(Pulley { anchors, wheels, carried, ratio: 1.0, length, slack: false })
    })?;
    if let (Some(own), true) = (parts.joints.last_mut(), carriers != [None; 2]) {
        *own = own.between_others(bodies, Some(carriers.map(|carrier| carrier.unwrap_or(bodies[0]))));
    }
    Ok(Edit::Add(Box::new(parts)))
}

/// The body at the line's start is driven to the line's end, with up to ten times its weight.
pub(super) fn mover(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let bodies = pair(&place, &mut parts)?;
    let [from, to] = place.line(4.0);
    let weight = gravity(place.world) * place.world.bodies()[bodies[1]].mass_properties().mass;
    joint(place.world, &mut parts, bodies, [from; 2], |anchors, [a, b]| {
        JointKind::PoseMotor(PoseMotor {
            anchors,
            offset: Rotation::from_angle(a.pose.angle).inverse_apply(to - from),
            angle: b.pose.angle - a.pose.angle,
            max_force: two_digits(10.0 * weight),
            max_torque: two_digits(10.0 * weight * place.grid),
            ..PoseMotor::default()
        })
    })?;
    Ok(Edit::Add(Box::new(parts)))
}
