//! The tools that place slots, wheels and beads on wires.

use super::connect::{pair, softness};
use super::edit::Edit;
use super::parts::Parts;
use super::place::{Place, frame, joint, moving};
use crate::internal::Rotation;
use crate::model::joint::{Bead, Curve, PoseMotor, Side, Slot};
use crate::model::{Frame, JointKind};
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
