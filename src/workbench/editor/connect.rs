//! The tools that connect bodies: joints, springs, motors, limits, velocity constraints.

use super::edit::Edit;
use super::item::{self, Item};
use super::parts::Parts;
use super::place::{NOTHING, Place, end, frame, joint, moving, under};
use crate::detect::nearest_point;
use crate::internal::Rotation;
use crate::model::joint::{Distance, DistanceForm, Hinge, Rope, Slider, Slot, Weld};
use crate::model::nonholonomic::{KnifeEdge, PrescribedVelocity, Rolling, Surface, VelocityLaw};
use crate::model::{
    Joint, JointId, JointKind, Nonholonomic, NonholonomicKind, Piece, Placement, Shape, Softness, Spring,
    World,
};
use crate::workbench::editor::properties::JOINT;
use crate::workbench::stage::push::{gravity, two_digits};
use glam::DVec2;

/// Natural frequency of a new spring with its body, Hz, and its damping ratio.
const SPRING: f64 = 2.0;
const DAMPING: f64 = 0.05;
/// Largest torque of a new motor, in weights of all bodies times the longest arm.
const MOTOR: f64 = 10.0;

/// The two bodies that a joint at one point connects, the one that moves last.
pub(super) fn pair(place: &Place<'_>, parts: &mut Parts) -> Result<[usize; 2], String> {
    let found = under(place.world, place.first(), place.reach);
    match found.as_slice() {
        [b, ..] if !place.world.bodies()[*b].is_dynamic() => Err(NOTHING.to_owned()),
        [b, a, ..] => Ok([*a, *b]),
        [b] => Ok([frame(place.world, parts)?, *b]),
        [] => Err(NOTHING.to_owned()),
    }
}

/// The two bodies at the ends of a line; where an end lies on none, a body that stands still.
pub(super) fn ends(
    place: &Place<'_>,
    [from, to]: [DVec2; 2],
    parts: &mut Parts,
) -> Result<[usize; 2], String> {
    let [a, b] = [from, to].map(|at| under(place.world, at, place.reach).first().copied());
    match (a, b) {
        (Some(a), Some(b)) if a != b => Ok([a, b]),
        (Some(a), None) => Ok([a, frame(place.world, parts)?]),
        (None, Some(b)) => Ok([frame(place.world, parts)?, b]),
        (Some(_), Some(_)) => Err("both ends lie on the same body".to_owned()),
        (None, None) => Err(NOTHING.to_owned()),
    }
}

pub(super) fn hinge(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let bodies = pair(&place, &mut parts)?;
    joint(place.world, &mut parts, bodies, [place.first(); 2], |anchors, _| {
        JointKind::Hinge(Hinge { anchors })
    })?;
    Ok(Edit::Add(Box::new(parts)))
}

pub(super) fn weld(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let bodies = pair(&place, &mut parts)?;
    joint(place.world, &mut parts, bodies, [place.first(); 2], |anchors, [a, b]| {
        JointKind::Weld(Weld { anchors, reference_angle: b.pose.angle - a.pose.angle })
    })?;
    Ok(Edit::Add(Box::new(parts)))
}

pub(super) fn slider(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let bodies = pair(&place, &mut parts)?;
    let [from, to] = place.line(1.0);
    joint(place.world, &mut parts, bodies, [from; 2], |anchors, [a, b]| {
        let axis = Rotation::from_angle(a.pose.angle).inverse_apply((to - from).normalize_or(DVec2::X));
        JointKind::Slider(Slider { anchors, axis, reference_angle: b.pose.angle - a.pose.angle })
    })?;
    Ok(Edit::Add(Box::new(parts)))
}

pub(super) fn rod(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let points = place.line(4.0);
    let bodies = ends(&place, points, &mut parts)?;
    joint(place.world, &mut parts, bodies, points, |anchors, _| {
        let length = points[0].distance(points[1]);
        JointKind::Distance(Distance { anchors, length, form: DistanceForm::Length })
    })?;
    Ok(Edit::Add(Box::new(parts)))
}

pub(super) fn rope(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let points = place.line(4.0);
    let bodies = ends(&place, points, &mut parts)?;
    joint(place.world, &mut parts, bodies, points, |anchors, _| JointKind::Rope(Rope { anchors }))?;
    if let Some(joint) = parts.joints.last_mut() {
        joint.limits = Some([f64::NEG_INFINITY, points[0].distance(points[1])]);
    }
    Ok(Edit::Add(Box::new(parts)))
}

/// The mass that a new spring moves: the smaller one of its bodies', kg.
fn moved(world: &World, bodies: [usize; 2]) -> f64 {
    let masses = bodies.into_iter().filter_map(|index| world.bodies().get(index));
    masses
        .filter(|body| body.is_dynamic())
        .map(|body| body.mass_properties().mass)
        .fold(f64::INFINITY, f64::min)
}

/// Stiffness and damping with which an inertia swings at [`SPRING`].
pub(super) fn softness(inertia: f64) -> Softness {
    let rate = std::f64::consts::TAU * SPRING;
    Softness {
        stiffness: two_digits(inertia * rate * rate),
        damping: two_digits(2.0 * DAMPING * inertia * rate),
    }
}

pub(super) fn spring(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let points = place.line(4.0);
    let bodies = ends(&place, points, &mut parts)?;
    let (Some(a), Some(b)) = (end(place.world, &parts, bodies[0]), end(place.world, &parts, bodies[1]))
    else {
        return Err(NOTHING.to_owned());
    };
    let anchors = [a.anchor_at(points[0]), b.anchor_at(points[1])];
    let length = points[0].distance(points[1]);
    parts.springs.push(Spring::new(bodies, anchors, softness(moved(place.world, bodies)), length));
    Ok(Edit::Add(Box::new(parts)))
}

pub(super) fn torsional(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let bodies = pair(&place, &mut parts)?;
    let (Some(a), Some(b)) = (end(place.world, &parts, bodies[0]), end(place.world, &parts, bodies[1]))
    else {
        return Err(NOTHING.to_owned());
    };
    let anchors = [a.anchor_at(place.first()), b.anchor_at(place.first())];
    // About the anchor, as where a hinge holds the body.
    let inertia = b.mass_properties().inertia + b.mass_properties().mass * anchors[1].length_squared();
    let mut spring = Spring::new(bodies, anchors, softness(inertia), 0.0);
    spring.rest_angle = Some(b.pose.angle - a.pose.angle);
    parts.springs.push(spring);
    Ok(Edit::Add(Box::new(parts)))
}

/// The hinge, slider, slot or wheel at a point, with its id as an item.
fn driven<'a>(place: &Place<'a>) -> Result<(Item, Joint), String> {
    let world = place.world;
    let near = |(joint, id): (&'a Joint, &_)| {
        let item = Item::Joint(*id);
        let nearest = item::places(world, item).into_iter().map(|at| at.distance(place.first()));
        (item, joint, nearest.fold(f64::INFINITY, f64::min))
    };
    let joints = world.joints().iter().zip(world.joint_ids());
    let free = joints.filter(|(joint, _)| joint.kind.has_drive()).map(near);
    let found = free.filter(|(.., distance)| *distance <= place.reach);
    let found = found.min_by(|one, other| one.2.total_cmp(&other.2));
    found
        .map(|(item, joint, _)| (item, joint.clone()))
        .ok_or_else(|| "no hinge, slider, slot or wheel lies there".to_owned())
}

/// Ties the two joints at the ends of a line, as wheels in mesh whose rims touch: with equal ratio where one of them slides.
pub(super) fn gear(place: Place<'_>) -> Result<Edit, String> {
    let Place { world, grid, reach, count, .. } = place;
    let end = |at: DVec2| driven(&Place { world, points: &[at], grid, reach, count });
    let (first, second) = (end(place.first())?, end(place.last())?);
    let (Item::Joint(a), Item::Joint(b)) = (first.0, second.0) else { return Err(NOTHING.to_owned()) };
    if a == b {
        return Err("drag from one hinge, slider, slot or wheel to another".to_owned());
    }
    let radius = |joint: &Joint| {
        let own = joint.bodies().map(|index| &place.world.bodies()[index]);
        let reach = own.iter().filter(|body| body.is_dynamic()).flat_map(|body| body.pieces());
        reach.map(Piece::bounding_radius).fold(0.0, f64::max)
    };
    let slides = |joint: &Joint| {
        matches!(joint.kind, JointKind::Slider(_) | JointKind::Slot(Slot { suspension: None, .. }))
    };
    let ratio = match [&first.1, &second.1].map(|joint| (slides(joint), radius(joint))) {
        [(false, a), (false, b)] if a > 0.0 && b > 0.0 => two_digits(b / a),
        [(true, _), (false, r)] if r > 0.0 => two_digits(r),
        [(false, r), (true, _)] if r > 0.0 => two_digits(1.0 / r),
        _ => 1.0,
    };
    let gear = place.world.gear([a, b], ratio, None).map_err(|error| error.to_string())?;
    Ok(Edit::Add(Box::new(Parts { joints: vec![gear], ..Parts::default() })))
}

/// Switches a number on.
fn switched(item: Item, key: &str) -> Result<Edit, String> {
    let property = JOINT.iter().find(|property| property.parameter.key == key);
    property.map(|own| Edit::Set(vec![item], own.parameter, 1.0)).ok_or_else(|| NOTHING.to_owned())
}

pub(super) fn motor(place: Place<'_>) -> Result<Edit, String> {
    let Item::Joint(id) = driven(&place)?.0 else { return Err(NOTHING.to_owned()) };
    motor_of(place.world, id, place.grid).ok_or_else(|| NOTHING.to_owned())
}

/// A motor for a joint, strong enough to be seen to move what hangs there; `least` is the shortest arm that is reckoned with, m.
pub fn motor_of(world: &World, id: JointId, least: f64) -> Option<Edit> {
    let joint = world.joint(id)?;
    let bodies = world.bodies().iter().filter(|body| body.is_dynamic());
    let weight = gravity(world) * bodies.map(|body| body.mass_properties().mass).sum::<f64>();
    let arm = joint.kind.anchors().map(|anchor| anchor.length());
    let turns = matches!(joint.kind, JointKind::Hinge(_)) || joint.kind.suspension().is_some();
    let arm = if turns { arm[0].min(arm[1]).max(least) } else { 1.0 };
    let speed = if turns { std::f64::consts::PI } else { two_digits(4.0 * least) };
    Some(Edit::Motor(id, speed, two_digits(MOTOR * weight * arm)))
}

pub(super) fn limits(place: Place<'_>) -> Result<Edit, String> {
    switched(driven(&place)?.0, "limits")
}

fn constraint(bodies: [usize; 2], kind: NonholonomicKind) -> Result<Edit, String> {
    let nonholonomic = vec![Nonholonomic::new(bodies, kind)];
    Ok(Edit::Add(Box::new(Parts { nonholonomic, ..Parts::default() })))
}

pub(super) fn knife_edge(place: Place<'_>) -> Result<Edit, String> {
    let (index, body) = moving(&place)?;
    let [from, to] = place.line(1.0);
    let axis = Rotation::from_angle(body.pose.angle).inverse_apply((to - from).normalize_or(DVec2::X));
    constraint([index; 2], NonholonomicKind::KnifeEdge(KnifeEdge { anchor: body.anchor_at(from), axis }))
}

pub(super) fn prescribed_velocity(place: Place<'_>) -> Result<Edit, String> {
    let (index, body) = moving(&place)?;
    let [from, to] = place.line(1.0);
    let (anchor, law) = (body.anchor_at(from), VelocityLaw::Constant(to - from));
    constraint([index; 2], NonholonomicKind::PrescribedVelocity(PrescribedVelocity { anchor, law }))
}

pub(super) fn rolling(place: Place<'_>) -> Result<Edit, String> {
    let (index, disk) = moving(&place)?;
    let [Placement { shape: Shape::Circle { radius }, .. }] = disk.shapes() else {
        return Err("a circle rolls, and none lies there".to_owned());
    };
    let center = disk.pose.position;
    let others = place.world.bodies().iter().enumerate().filter(|(other, _)| *other != index);
    let nearest = others.filter_map(|(other, body)| {
        let (point, distance) = nearest_point(body, &body.pose, center)?;
        (distance > 0.0).then_some((other, body, point, distance))
    });
    let nearest = nearest.min_by(|one, other| one.3.total_cmp(&other.3));
    let Some((on, surface, point, distance)) = nearest else {
        return Err("no other body has a surface to roll on".to_owned());
    };
    let round = matches!(surface.shapes(), [Placement { shape: Shape::Circle { .. }, .. }]);
    let surface = if round {
        Surface::Round(surface.anchor_at(surface.pose.position))
    } else {
        let normal = (center - point) / distance;
        Surface::Straight(Rotation::from_angle(surface.pose.angle).inverse_apply(normal))
    };
    constraint([on, index], NonholonomicKind::Rolling(Rolling { radius: *radius, surface }))
}
