//! Bodies of a model, and the joints by which each hangs on its parent.

use super::attributes::{Settings, numbers};
use super::plane::Plane;
use super::tree::{BodyNode, GeomNode, JointNode, Mass, Tree};
use crate::import::draft::{Draft, Part};
use crate::import::filters;
use crate::model::{Body, BodyId, Filter, Joint, JointId, Placement, Shape, Spring};
use glam::{DVec2, DVec3};
use roxmltree::{Document, Node};
use std::collections::{BTreeMap, BTreeSet};

/// How a body hangs on its parent.
#[derive(Clone, Copy)]
enum Held<'t> {
    /// It is part of the parent, or of the world.
    Part,
    /// By a hinge that turns about the normal (+1) or against it (−1).
    Hinge(&'t JointNode, f64),
    Slide(&'t JointNode),
    /// It is free in the plane.
    Free,
}

/// What became of a joint of the file.
pub(super) struct MadeJoint {
    pub id: JointId,
    pub bodies: [BodyId; 2],
    pub hinge: bool,
    /// +1 if the file's coordinate grows with ours.
    pub sign: f64,
    /// The value of our coordinate where that of the file is 0.
    pub zero: f64,
    /// Where it acts, m, and its axis.
    pub anchor: DVec2,
    pub axis: DVec2,
    /// How far it can go from the reference pose either way.
    pub reach: Option<f64>,
}

/// What became of the file's parts, by their names.
pub(super) struct Made {
    pub plane: Plane,
    /// For each body of the tree the body that it is part of; none if that was left out.
    pub bodies: Vec<Option<BodyId>>,
    pub names: BTreeMap<String, usize>,
    pub joints: BTreeMap<String, MadeJoint>,
}

impl Made {
    /// The body of that name; the world's if there is none.
    pub fn body(&self, name: Option<&str>) -> Option<BodyId> {
        let index = name.map_or(Some(0), |name| self.names.get(name).copied())?;
        self.bodies.get(index).copied().flatten()
    }
}

/// Adds all bodies and the joints of the tree.
pub(super) fn add<'d>(
    draft: &mut Draft,
    document: &'d Document<'d>,
    settings: &Settings<'d>,
    tree: &Tree,
    plane: Plane,
) -> Made {
    let held: Vec<Held<'_>> = tree.bodies.iter().map(|body| hold(draft, body, plane)).collect();
    // The body that each is part of: the nearest with joints on the way to the world; those without are part of the world.
    let mut owners: Vec<usize> = Vec::new();
    for (index, body) in tree.bodies.iter().enumerate() {
        let part = matches!(held[index], Held::Part);
        let parent = body.parent.and_then(|parent| owners.get(parent).copied());
        owners.push(if part { parent.unwrap_or(0) } else { index });
    }
    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); tree.bodies.len()];
    for (index, owner) in owners.iter().enumerate() {
        parts[*owner].push(index);
    }
    let masses: Vec<Option<Mass>> =
        parts.iter().map(|parts| whole(parts.iter().map(|index| &tree.bodies[*index]))).collect();
    let moving = masses.iter().skip(1).flatten().map(|mass| mass.mass).sum::<f64>();
    let factor = settings.total_mass.filter(|_| moving > 0.0).map_or(1.0, |total| total / moving);
    let mut made = Made { plane, bodies: Vec::new(), names: BTreeMap::new(), joints: BTreeMap::new() };
    let mut own: Vec<Option<BodyId>> = Vec::new();
    for (index, body) in tree.bodies.iter().enumerate() {
        if !body.name.is_empty() {
            made.names.insert(body.name.clone(), index);
        }
    }
    made.names.entry("world".to_owned()).or_insert(0);
    let filters = collisions(draft, document, tree, &owners, &made);
    for (index, body) in tree.bodies.iter().enumerate() {
        let id = if owners[index] == index {
            let nodes: Vec<_> = parts[index].iter().map(|part| &tree.bodies[*part]).collect();
            build(draft, body, &nodes, masses[index].map(|mass| (mass, factor)), plane, |geom| {
                filters.of(index, geom)
            })
        } else {
            own[owners[index]]
        };
        own.push(id);
    }
    made.bodies = own;
    for (index, body) in tree.bodies.iter().enumerate() {
        let parent = body.parent.and_then(|parent| made.bodies[parent]);
        if let (Some(parent), Some(id)) = (parent, made.bodies[index]) {
            let still = body.parent.is_some_and(|parent| owners[parent] == 0);
            join(draft, held[index], [parent, id], still, &mut made);
        }
    }
    made
}

/// How the joints of a body hold it in the plane; what they allow beyond that is noted.
fn hold<'t>(draft: &mut Draft, body: &'t BodyNode, plane: Plane) -> Held<'t> {
    let (mut hinges, mut slides) = (Vec::new(), Vec::new());
    if body.parent.is_none() || body.joints.is_empty() {
        return Held::Part;
    }
    let mut free = false;
    for joint in &body.joints {
        let place = &joint.place;
        match joint.kind.as_str() {
            "hinge" => match plane.turns(joint.axis) {
                Some(sign) => hinges.push((joint, sign)),
                None => draft.leave_out(place, "the hinge is left out: it turns out of the plane"),
            },
            "slide" if plane.holds(joint.axis) => slides.push(joint),
            "slide" => draft.leave_out(place, "the slide is left out: it leads out of the plane"),
            "free" => {
                draft.leave_out(place, "the free joint keeps its three coordinates in the plane");
                free = true;
            }
            "ball" => {
                draft.leave_out(place, "the ball joint is a hinge in the plane");
                hinges.push((joint, 1.0));
            }
            other => draft.leave_out(place, format!("the joint is left out: '{other}' is no type of it")),
        }
    }
    let spans = slides.iter().any(|joint| slides[0].axis.cross(joint.axis).length() > 1e-6);
    match (&hinges[..], &slides[..]) {
        _ if free => Held::Free,
        ([], []) => Held::Part,
        ([(joint, sign)], []) => Held::Hinge(joint, *sign),
        ([], [joint]) => Held::Slide(joint),
        ([_, ..], [_, _, ..]) if spans => Held::Free,
        ([], [_, _]) if spans => {
            draft.leave_out(
                &body.place,
                "that two slides keep the body from turning is left out: it is free",
            );
            Held::Free
        }
        ([_], [_]) => {
            // A pin in a slot.
            draft.leave_out(&body.place, "a slide and a hinge of one body are left out: it is free");
            Held::Free
        }
        ([(joint, sign), ..], _) => {
            draft.leave_out(&body.place, "of several hinges of one body all but the first are left out");
            Held::Hinge(joint, *sign)
        }
        ([], [joint, ..]) => {
            draft.leave_out(&body.place, "of several slides of one body all but the first are left out");
            Held::Slide(joint)
        }
    }
}

/// The mass of some bodies as one.
fn whole<'t>(nodes: impl Iterator<Item = &'t BodyNode>) -> Option<Mass> {
    let all = nodes.flat_map(|node| match node.inertial {
        Some(own) => vec![own],
        None => node.geoms.iter().filter_map(|geom| geom.mass).collect(),
    });
    let all: Vec<Mass> = all.filter(|own| own.mass > 0.0).collect();
    let mass: f64 = all.iter().map(|own| own.mass).sum();
    if !(mass > 0.0 && mass.is_finite()) {
        return None;
    }
    let center = all.iter().map(|own| own.center * own.mass).sum::<DVec3>() / mass;
    let steiner = |own: &Mass| {
        let r = own.center - center;
        let outer = glam::DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        own.inertia + (glam::DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer) * own.mass
    };
    let inertia = all.iter().map(steiner).fold(glam::DMat3::ZERO, |sum, own| sum + own);
    Some(Mass { mass, center, inertia })
}

fn build(
    draft: &mut Draft,
    body: &BodyNode,
    nodes: &[&BodyNode],
    mass: Option<(Mass, f64)>,
    plane: Plane,
    filter: impl Fn(&GeomNode) -> Filter,
) -> Option<BodyId> {
    let still = body.parent.is_none();
    let factor = mass.map_or(1.0, |(_, factor)| factor);
    let mut parts = Vec::new();
    for geom in nodes.iter().flat_map(|node| &node.geoms) {
        match plane.outline(geom) {
            Ok(placement) if !still && !placement.shape.has_area() => {
                draft.leave_out(&geom.place, "the plane is left out: its body moves");
            }
            Ok(Placement { shape, offset, angle, .. }) => {
                let Some(shape) = draft.shape(&geom.place, shape) else { continue };
                let area = shape.moments().area;
                let density = geom.mass.filter(|_| area > 0.0).map_or(0.0, |own| factor * own.mass / area);
                let placement = Placement { offset, angle, ..Placement::centred(shape) };
                let friction = geom.friction.max(0.0);
                parts.push(Part { placement, density, friction, restitution: 0.0, filter: filter(geom) });
            }
            Err(why) => draft.leave_out(&geom.place, format!("the {} is left out: {why}", geom.kind)),
        }
    }
    let center = mass.map(|(mass, _)| plane.point(mass.center));
    // Without shapes the centre of mass is where the body's frame is.
    let origin = match center {
        Some(center) if parts.is_empty() => center,
        _ => plane.point(body.position),
    };
    let axis = DVec3::new(body.rotation.x, body.rotation.y, body.rotation.z);
    let angle = match plane.turns(axis.normalize_or(DVec3::ZERO)) {
        Some(_) if axis.length() > 0.0 => 2.0 * axis.dot(plane.normal).atan2(body.rotation.w),
        _ => 0.0,
    };
    let back = DVec2::from_angle(-angle);
    for Part { placement: Placement { shape, offset, angle: turned, .. }, .. } in &mut parts {
        *offset = back.rotate(*offset - origin);
        match shape {
            Shape::HalfPlane { normal, .. } => *normal = back.rotate(*normal),
            _ => *turned -= angle,
        }
    }
    let builder = if still { Body::fixed() } else { Body::dynamic() };
    let mut builder = builder.at(origin).angle(angle).name(body.name.clone());
    let stated = mass.map(|(own, factor)| {
        let (mass, arm) = (own.mass * factor, back.rotate(plane.point(own.center) - origin));
        (mass, arm, plane.about(own.inertia) * factor + mass * arm.length_squared())
    });
    if !still && stated.is_none() {
        draft.leave_out(&body.place, "the body is left out: it has no mass");
        return None;
    }
    builder = draft.solid(&body.place, builder, parts, stated, !still);
    if !still {
        builder = builder.gravity_scale(1.0 - body.gravcomp);
    }
    draft.leave_out_if(body.mocap, &body.place, "a mocap body stands still");
    draft.body(&body.place, builder)
}

/// What a geom collides with depends on: `contype`, `conaffinity`, and its body where the file names that in a pair.
type Class = ([u64; 2], Option<usize>);

/// The filters of geoms.
struct Filters {
    named: BTreeSet<usize>,
    of: BTreeMap<Class, Filter>,
}

impl Filters {
    fn of(&self, owner: usize, geom: &GeomNode) -> Filter {
        let class = ([geom.contype, geom.conaffinity], self.named.contains(&owner).then_some(owner));
        self.of.get(&class).copied().unwrap_or_default()
    }
}

/// Which geoms collide: by their bits, and by the pairs of bodies that the file excludes.
fn collisions(
    draft: &mut Draft,
    document: &Document<'_>,
    tree: &Tree,
    owners: &[usize],
    made: &Made,
) -> Filters {
    let mut pairs = BTreeSet::new();
    let contact = document.root_element().children().filter(|node| node.has_tag_name("contact"));
    for node in contact.flat_map(|node| node.children()).filter(Node::is_element) {
        let body =
            |name| node.attribute(name).and_then(|name| made.names.get(name)).map(|index| owners[*index]);
        match (node.tag_name().name(), body("body1"), body("body2")) {
            ("exclude", Some(a), Some(b)) => {
                pairs.insert([a.min(b), a.max(b)]);
            }
            ("exclude", ..) => draft
                .leave_out(super::tree::place(document, node), "it is left out: a body of it is not there"),
            (other, ..) => {
                draft.leave_out(super::tree::place(document, node), format!("'{other}' is left out"))
            }
        }
    }
    let named: BTreeSet<usize> = pairs.iter().flatten().copied().collect();
    // Bodies that no pair names are alike.
    let classes: Vec<Class> = tree
        .bodies
        .iter()
        .zip(owners)
        .flat_map(|(body, owner)| body.geoms.iter().map(move |geom| (geom, *owner)))
        .map(|(geom, owner)| ([geom.contype, geom.conaffinity], named.contains(&owner).then_some(owner)))
        .collect();
    let off = super::flag(document, "contact") == Some("disable");
    let collide = |a: &Class, b: &Class| {
        let hit = a.0[0] & b.0[1] != 0 || b.0[0] & a.0[1] != 0;
        let excluded = |(a, b): (usize, usize)| a != b && pairs.contains(&[a.min(b), a.max(b)]);
        hit && !off && !a.1.zip(b.1).is_some_and(excluded)
    };
    Filters { of: filters::of_classes(draft, classes, collide, "contact"), named }
}

fn join(draft: &mut Draft, held: Held<'_>, bodies: [BodyId; 2], still: bool, made: &mut Made) {
    let [a, b] = bodies;
    let (joint, hinge, sign) = match held {
        Held::Part | Held::Free => return,
        Held::Hinge(joint, sign) => (joint, true, sign),
        Held::Slide(joint) => (joint, false, 1.0),
    };
    let (anchor, axis) = (made.plane.point(joint.anchor), made.plane.point(joint.axis));
    let angle = |id: BodyId| draft.world.body(id).map_or(0.0, |body| body.pose.angle);
    // Our coordinate at the reference pose, at which the file's is `reference`.
    let now = if hinge { angle(b) - angle(a) } else { 0.0 };
    let zero = now - sign * joint.reference;
    let builder = if hinge { Joint::hinge(a, b) } else { Joint::slider(a, b, axis) };
    let mut builder = builder.at(anchor);
    if let Some([lower, upper]) = joint.range {
        let ends = [sign * lower, sign * upper];
        builder = builder.limits(ends[0].min(ends[1]), ends[0].max(ends[1])).limits_from(zero);
    }
    // MuJoCo excludes contacts of a body with its parent, unless the parent stands still.
    if still {
        builder = builder.collide_connected();
    }
    let place = &joint.place;
    if !draft.joint(place, builder) {
        return;
    }
    let Some(id) = draft.world.joint_ids().last().copied() else { return };
    let reach = joint
        .range
        .map(|[lower, upper]| (lower - joint.reference).abs().max((upper - joint.reference).abs()));
    let own = MadeJoint { id, bodies, hinge, sign, zero, anchor, axis, reach };
    soften(draft, place, &own, [joint.stiffness, joint.damping], joint.spring_reference);
    if joint.friction_loss != 0.0
        && let Err(error) = draft.world.edit_joint(id, |own| own.friction = joint.friction_loss)
    {
        draft.leave_out(place, format!("frictionloss is left out: {error}"));
    }
    draft.leave_out_if(joint.armature != 0.0, place, "armature is left out");
    made.joints.extend(joint.name.clone().map(|name| (name, own)));
}

/// A spring and damper along a joint's coordinate, at rest where the file's coordinate is `rest`.
pub(super) fn soften(
    draft: &mut Draft,
    place: &str,
    joint: &MadeJoint,
    [stiffness, damping]: [f64; 2],
    rest: f64,
) {
    if stiffness <= 0.0 && damping <= 0.0 {
        return;
    }
    let [a, b] = joint.bodies;
    let spring = Spring::between(a, b).stiffness(stiffness.max(0.0)).damping(damping.max(0.0));
    if joint.hinge {
        draft.spring(
            place,
            spring.anchors(joint.anchor, joint.anchor).rest_angle(joint.zero + joint.sign * rest),
        );
        return;
    }
    // A spring from so far behind that its length is that far plus the displacement.
    match joint.reach {
        Some(reach) => {
            let back = 2.0 * reach.max(rest.abs()) + 1.0;
            let spring = spring.anchors(joint.anchor - joint.axis * back, joint.anchor);
            draft.spring(place, spring.rest_length(back + joint.zero + rest));
        }
        None => draft.leave_out(place, "stiffness and damping of a slide without limits are left out"),
    }
}

/// The numbers of an attribute.
pub(super) fn list(node: Node<'_, '_>, name: &str) -> Option<Vec<f64>> {
    numbers(node.attribute(name)?)
}
