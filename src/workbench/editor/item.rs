//! What a person selects: bodies, joints, springs and velocity constraints.

use crate::detect::distance_to;
use crate::model::{
    BodyId, JointId, JointKind, Nonholonomic, NonholonomicId, NonholonomicKind, Spring, SpringId, World,
};
use crate::workbench::stage::framing::{anchor_in_world, points, wheels};
use glam::DVec2;

/// Part of the reach of a body within which a joint is picked, and a rod or a spring along its line.
const ANCHOR: f64 = 0.4;
const LINE: f64 = 0.25;

/// Something in a world that can be selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// A body.
    Body(BodyId),
    /// A joint.
    Joint(JointId),
    /// A spring.
    Spring(SpringId),
    /// A velocity constraint.
    Velocity(NonholonomicId),
}

impl Item {
    /// The body, if it is one.
    pub fn body(self) -> Option<BodyId> {
        if let Self::Body(id) = self { Some(id) } else { None }
    }
}

/// Everything that can be selected.
pub fn all(world: &World) -> impl Iterator<Item = Item> + '_ {
    let bodies = world.body_ids().iter().map(|id| Item::Body(*id));
    bodies.chain(links(world))
}

/// Joints, springs and velocity constraints.
pub fn links(world: &World) -> impl Iterator<Item = Item> + '_ {
    let joints = world.joint_ids().iter().map(|id| Item::Joint(*id));
    let springs = world.spring_ids().iter().map(|id| Item::Spring(*id));
    let others = world.nonholonomic_ids().iter().map(|id| Item::Velocity(*id));
    joints.chain(springs).chain(others)
}

/// Whether the world has it.
pub fn exists(world: &World, item: Item) -> bool {
    match item {
        Item::Body(id) => world.body(id).is_some(),
        Item::Joint(id) => world.joint(id).is_some(),
        Item::Spring(id) => world.spring(id).is_some(),
        Item::Velocity(id) => nonholonomic(world, id).is_some(),
    }
}
/// The velocity constraint of that id.
pub fn nonholonomic(world: &World, id: NonholonomicId) -> Option<&Nonholonomic> {
    world.nonholonomic().get(world.nonholonomic_ids().binary_search(&id).ok()?)
}

/// Indices of the two bodies of a joint, a spring or a velocity constraint.
pub fn ends(world: &World, item: Item) -> Option<[usize; 2]> {
    match item {
        Item::Body(_) => None,
        Item::Joint(id) => world.joint(id).map(|joint| joint.bodies()),
        Item::Spring(id) => world.spring(id).map(Spring::bodies),
        Item::Velocity(id) => nonholonomic(world, id).map(Nonholonomic::bodies),
    }
}

/// Indices of all its bodies.
pub fn bodies(world: &World, item: Item) -> Vec<usize> {
    match item {
        Item::Joint(id) => world.joint(id).into_iter().flat_map(|joint| joint.all_bodies()).collect(),
        _ => ends(world, item).into_iter().flatten().collect(),
    }
}

/// Where it is held: a body's centre of mass, the two anchors of a joint or a spring, the point of a velocity constraint; m.
pub fn places(world: &World, item: Item) -> Vec<DVec2> {
    let anchors = match item {
        Item::Body(id) => return world.body(id).map(|body| body.pose.position).into_iter().collect(),
        Item::Joint(id) => world.joint(id).map(|joint| joint.kind.anchors()),
        Item::Spring(id) => world.spring(id).map(|spring| spring.anchors),
        Item::Velocity(id) => nonholonomic(world, id).map(|own| match &own.kind {
            NonholonomicKind::KnifeEdge(blade) => [blade.anchor; 2],
            NonholonomicKind::PrescribedVelocity(point) => [point.anchor; 2],
            NonholonomicKind::Rolling(_) => [DVec2::ZERO; 2],
        }),
    };
    if let Some(ends) = gear_ends(world, item) {
        return ends.to_vec();
    }
    let (Some(anchors), Some([a, b])) = (anchors, ends(world, item)) else { return Vec::new() };
    let on_b = anchor_in_world(world, b, anchors[1]);
    match item {
        Item::Velocity(_) => vec![on_b],
        _ => vec![anchor_in_world(world, a, anchors[0]), on_b],
    }
}

/// Where the two joints that a gear ties hold their second bodies, m.
pub fn gear_ends(world: &World, item: Item) -> Option<[DVec2; 2]> {
    let Item::Joint(id) = item else { return None };
    let joint = world.joint(id)?;
    let JointKind::Gear(gear) = &joint.kind else { return None };
    let bodies = [joint.bodies()[1], joint.further()?[1]];
    Some([0, 1].map(|side| anchor_in_world(world, bodies[side], gear.sides()[side].anchors()[1])))
}

/// The lines along which it is picked and cut, m: of a pulley the rope, of others that between their two places.
pub fn segments(world: &World, item: Item) -> Vec<[DVec2; 2]> {
    let mut points = places(world, item);
    if let (Item::Joint(id), &[a, b]) = (item, points.as_slice())
        && let Some((joint, JointKind::Pulley(pulley))) = world.joint(id).map(|own| (own, &own.kind))
    {
        let [first, second] = wheels(world, joint, pulley);
        points = vec![a, first, second, b];
    }
    points.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// What lies at the world point `at`: a joint or spring before the body that it holds, a body that moves before one
/// that does not. If there is none, the nearest body within `reach`, m.
pub fn pick(world: &World, at: DVec2, reach: f64) -> Option<Item> {
    let near = |item: Item| {
        let places = places(world, item);
        let nearest = places.iter().map(|place| place.distance(at) / ANCHOR).fold(f64::INFINITY, f64::min);
        let along = segments(world, item).into_iter().map(|[a, b]| distance_to_segment(at, a, b) / LINE);
        let along = along.fold(f64::INFINITY, f64::min);
        (item, nearest.min(along))
    };
    let link = links(world).map(near).filter(|(_, distance)| *distance <= reach);
    if let Some((item, _)) = link.min_by(|one, other| one.1.total_cmp(&other.1)) {
        return Some(item);
    }
    body_at(world, at, reach).map(Item::Body)
}

/// The body at the world point `at`, the topmost of those that move first; if there is none, the nearest within `reach`, m.
pub fn body_at(world: &World, at: DVec2, reach: f64) -> Option<BodyId> {
    let bodies = || world.bodies().iter().zip(world.body_ids()).rev();
    let distance = |body: &crate::model::Body| distance_to(body, at);
    let here = |dynamic: bool| {
        let mut here = bodies().filter(move |(body, _)| body.is_dynamic() == dynamic);
        here.find(|(body, _)| distance(body) == 0.0).map(|(_, id)| *id)
    };
    let nearest = || {
        let near = bodies().map(|(body, id)| (*id, distance(body))).filter(|(_, far)| *far <= reach);
        near.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(id, _)| id)
    };
    here(true).or_else(|| here(false)).or_else(nearest)
}

/// Everything that lies in the box from `low` to `high`, m: bodies by their outline, which an endless one lacks.
pub fn within(world: &World, [low, high]: [DVec2; 2]) -> Vec<Item> {
    let inside = |point: &DVec2| point.cmpge(low).all() && point.cmple(high).all();
    let whole = |item: &Item| {
        let points = match item {
            Item::Body(id) => world.index_of(*id).map(|index| points(world, index)).unwrap_or_default(),
            _ => places(world, *item),
        };
        !points.is_empty() && points.iter().all(inside)
    };
    all(world).filter(whole).collect()
}

/// Its name for people.
pub fn name(world: &World, item: Item) -> String {
    let body = |index: usize| match world.bodies().get(index).map(|body| body.name.trim()) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("body {}", index + 1),
    };
    let kind = match item {
        Item::Body(id) => return world.index_of(id).map(body).unwrap_or_default(),
        Item::Joint(id) => world.joint(id).map_or("", |joint| joint.kind.key()),
        Item::Spring(id) => match world.spring(id) {
            Some(spring) if spring.rest_angle.is_some() => "torsional spring",
            _ => "spring",
        },
        Item::Velocity(id) => nonholonomic(world, id).map_or("", |own| own.kind.key()),
    };
    let kind = if kind == "distance" { "rod" } else { kind }.replace('_', " ");
    match ends(world, item) {
        Some([a, b]) if a == b => format!("{kind} on {}", body(b)),
        Some([a, b]) => format!("{kind} {} – {}", body(a), body(b)),
        None => kind,
    }
}

/// Distance of `p` from the segment between `a` and `b`, m.
pub fn distance_to_segment(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let ab = b - a;
    let along = ((p - a).dot(ab) / ab.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    (p - a - along * ab).length()
}

/// Whether two segments cross.
pub fn cross([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let side = |from: DVec2, to: DVec2, point: DVec2| (to - from).perp_dot(point - from);
    side(a, b, c) * side(a, b, d) <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0
}
