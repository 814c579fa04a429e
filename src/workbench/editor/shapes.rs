//! The shapes of bodies: scaled, bent at their corners, joined into one body and split into several. What hangs on a
//! body stays where it is in the world.

use super::anchors;
use super::item::{self, Item};
use super::parts::fresh_name;
use super::replaced::replace;
use crate::detect::distance_to;
use crate::internal::Rotation;
use crate::model::{
    Body, BodyId, Frame, JointKind, MassSpec, ModelError, NonholonomicKind, Placement, Shape, World,
};
use glam::DVec2;

/// The corners of a body that can be moved: those of its polygons and polylines, by shape and number, m in the world.
pub fn corners(body: &Body) -> impl Iterator<Item = ([usize; 2], DVec2)> + '_ {
    body.shapes().iter().enumerate().flat_map(move |(shape, placed)| {
        let points: &[DVec2] = match &placed.shape {
            Shape::Polygon { vertices: points, .. } | Shape::Polyline { points } => points,
            _ => &[],
        };
        let turned = Rotation::from_angle(placed.angle);
        let at = move |point: &DVec2| body.point_in_world(placed.offset + turned.apply(*point));
        points.iter().enumerate().map(move |(corner, point)| ([shape, corner], at(point)))
    })
}

/// Takes a corner of a polygon or polyline to a point of the world, m.
pub fn bend(
    world: &mut World,
    id: BodyId,
    [shape, corner]: [usize; 2],
    at: DVec2,
) -> Result<(), ModelError> {
    let body = world.body(id).ok_or(ModelError::NoSuchBody(id))?;
    let (local, mut shapes) = (body.point_in_body(at), body.shapes().to_vec());
    if let Some(placed) = shapes.get_mut(shape) {
        let point = Rotation::from_angle(-placed.angle).apply(local - placed.offset);
        if let Shape::Polygon { vertices: points, .. } | Shape::Polyline { points } = &mut placed.shape
            && let Some(own) = points.get_mut(corner)
        {
            *own = point;
        }
    }
    let other = body.remade(body.kind(), shapes, body.mass_spec())?;
    put(world, id, other)
}

/// Puts a body in the place of one, and takes the anchors on it to where they were in the world.
fn put(world: &mut World, id: BodyId, body: Body) -> Result<(), ModelError> {
    let index = world.index_of(id).ok_or(ModelError::NoSuchBody(id))?;
    let held: Vec<(Item, [Option<DVec2>; 2])> = item::links(world)
        .filter_map(|link| {
            let (ends, places) = (item::ends(world, link)?, item::places(world, link));
            let at = [places.first().copied()?, places.last().copied()?];
            let own = [0, 1].map(|side: usize| (ends[side] == index).then_some(at[side]));
            own.iter().any(Option::is_some).then_some((link, own))
        })
        .collect();
    let wheels = anchors::wheels_on(world, index);
    world.edit_body(id, |own| *own = body)?;
    held.into_iter().try_for_each(|(link, to)| anchors::place(world, link, to))?;
    wheels.into_iter().try_for_each(|(pulley, at)| anchors::place_wheels(world, pulley, at))
}

/// Makes one body of several: the first, with the shapes of all. Mass, inertia and both momenta are the sums, as if
/// they had been glued together; what connected them goes, and what else hung on them hangs on it.
///
/// # Errors
/// Bodies of which some move and others do not, as a sentence.
pub fn join(world: &mut World, bodies: &[BodyId]) -> Result<Vec<Item>, String> {
    let [first, others @ ..] = bodies else { return Ok(Vec::new()) };
    let all: Vec<Body> = bodies.iter().filter_map(|id| world.body(*id).cloned()).collect();
    let [own, ..] = all.as_slice() else { return Ok(Vec::new()) };
    if all.iter().any(|body| body.kind() != own.kind()) {
        return Err("bodies that move and bodies that do not make no body together".to_owned());
    }
    let shapes = all.iter().flat_map(|body| {
        let (at, angle) =
            (own.point_in_body(body.point_in_world(DVec2::ZERO)), body.pose.angle - own.pose.angle);
        let turned = Rotation::from_angle(angle);
        body.shapes().iter().map(move |placed| Placement {
            offset: at + turned.apply(placed.offset),
            angle: placed.angle + angle,
            ..placed.clone()
        })
    });
    let refused = |error: ModelError| error.to_string();
    let joined = together(own, &all, shapes.collect()).map_err(refused)?;
    for id in others {
        let (Some(gone), Some(kept)) = (world.index_of(*id), world.index_of(*first)) else { continue };
        for link in item::links(world).collect::<Vec<_>>() {
            let Some(ends) = item::ends(world, link).filter(|ends| ends.contains(&gone)) else { continue };
            let single = ends[0] == ends[1];
            let new = ends.map(|end| if end == gone { kept } else { end });
            // What connects two of the bodies goes with the second one.
            if single || new[0] != new[1] {
                let places = item::places(world, link);
                let moved = anchors::between(world, link, new).map_err(refused)?;
                let at = [places.first().copied(), places.last().copied()];
                let to = [0, 1].map(|side: usize| at[side].filter(|_| ends[side] == gone));
                moved.map_or(Ok(()), |link| anchors::place(world, link, to)).map_err(refused)?;
            }
        }
        anchors::hand_wheels(world, gone, kept).map_err(refused)?;
        world.remove_body(*id).map_err(refused)?;
    }
    put(world, *first, joined).map_err(refused)?;
    Ok(vec![Item::Body(*first)])
}

/// The first body with the shapes of all: of one density where they have one, else with the sum of their masses and of
/// their inertias about the centre of mass of its shapes; with their momenta where it moves.
fn together(first: &Body, all: &[Body], shapes: Vec<Placement>) -> Result<Body, ModelError> {
    let (kind, spec) = (first.kind(), first.mass_spec());
    if !first.is_dynamic()
        || matches!(spec, MassSpec::Density(_)) && all.iter().all(|body| body.mass_spec() == spec)
    {
        return Ok(with_momenta(first.remade(kind, shapes, spec)?, all));
    }
    // Where the mass is given, shapes have no densities.
    let mut shapes = shapes;
    shapes.iter_mut().for_each(|placed| placed.surface.density = None);
    let mass = all.iter().map(|body| body.mass_properties().mass).sum();
    let at = first.remade(kind, shapes.clone(), MassSpec::Given { mass, inertia: None })?.pose.position;
    let inertia = all.iter().map(|body| {
        let own = body.mass_properties();
        own.inertia + own.mass * body.pose.position.distance_squared(at)
    });
    let spec = MassSpec::Given { mass, inertia: Some(inertia.sum()) };
    Ok(with_momenta(first.remade(kind, shapes, spec)?, all))
}

/// A body that moves with the linear and the angular momentum of all of these.
fn with_momenta(mut body: Body, all: &[Body]) -> Body {
    if body.is_dynamic() {
        let (mut linear, mut angular) = (DVec2::ZERO, 0.0);
        for part in all {
            let (own, v) = (part.mass_properties(), part.velocity);
            let arm = part.pose.position - body.pose.position;
            linear += own.mass * v.linear;
            angular += own.inertia * v.angular + own.mass * arm.perp_dot(v.linear);
        }
        let own = body.mass_properties();
        body.velocity = (linear / own.mass)
            .extend(if body.fixed_rotation { 0.0 } else { angular / own.inertia })
            .into();
    }
    body
}

/// Makes a body of each shape of one. A given mass is shared by area; each anchor goes to the body whose shape is nearest to it.
pub fn split(world: &mut World, id: BodyId) -> Result<Vec<Item>, ModelError> {
    let body = world.body(id).cloned().ok_or(ModelError::NoSuchBody(id))?;
    let whole: f64 = body.shapes().iter().map(|placed| placed.shape.moments().area).sum();
    let [first, others @ ..] = body.shapes() else { return Ok(Vec::new()) };
    let frame = Frame::new(body.pose.coordinates(), body.velocity.coordinates());
    let part = |placed: &Placement| {
        let spec = match body.mass_spec() {
            MassSpec::Given { mass, .. } if whole > 0.0 => {
                MassSpec::Given { mass: mass * placed.shape.moments().area / whole, inertia: None }
            }
            spec => spec,
        };
        let mut part = body.remade(body.kind(), vec![placed.clone()], spec)?;
        part.velocity.linear = frame.velocity_at(part.pose.position - body.pose.position);
        Ok::<_, ModelError>(part)
    };
    let mut made = vec![(id, part(first)?)];
    for placed in others {
        let mut other = part(placed)?;
        other.name = fresh_name(world, &body.name);
        let new = world.add_body(other.clone())?;
        made.push((new, other));
    }
    let index = world.index_of(id);
    for link in item::links(world).collect::<Vec<_>>() {
        let (Some(ends), places) = (item::ends(world, link), item::places(world, link)) else { continue };
        let [Some(a), Some(b)] = [places.first(), places.last()] else { continue };
        let nearest = |at: &DVec2| {
            let far = |part: &&(BodyId, Body)| distance_to(&part.1, *at);
            let part = made.iter().min_by(|one, other| far(one).total_cmp(&far(other)));
            part.and_then(|(id, _)| world.index_of(*id))
        };
        let new = [(ends[0], a), (ends[1], b)]
            .map(|(end, at)| if Some(end) == index { nearest(at).unwrap_or(end) } else { end });
        if new == ends {
            continue;
        }
        let to = [0, 1].map(|side: usize| (new[side] != ends[side]).then_some([*a, *b][side]));
        if let Some(link) = anchors::between(world, link, new)? {
            anchors::place(world, link, to)?;
        }
    }
    let (_, kept) = made[0].clone();
    put(world, id, kept)?;
    Ok(made.into_iter().map(|(id, _)| Item::Body(id)).collect())
}

/// Lets bodies grow with the anchors on them, the rods and springs between them, and the distances between these.
pub fn scale(world: &mut World, items: &[Item], about: DVec2, factor: f64) -> Result<(), ModelError> {
    let grown = |at: DVec2| about + factor * (at - about);
    let chosen = |index: usize| world.id_of(index).is_some_and(|id| items.contains(&Item::Body(id)));
    let held: Vec<(Item, [bool; 2])> = item::links(world)
        .filter_map(|link| Some((link, item::ends(world, link)?.map(chosen))))
        .filter(|(link, ends)| ends.contains(&true) || items.contains(link))
        .collect();
    for id in items.iter().filter_map(|item| item.body()) {
        replace(world, id, |body| {
            let shapes = body.shapes().iter().map(|placed| enlarged(placed, factor)).collect();
            let mut other = body.remade(body.kind(), shapes, body.mass_spec())?;
            other.pose.position = grown(body.pose.position);
            Ok(other)
        })?;
    }
    for (link, grows) in held {
        let factors = grows.map(|grows| if grows { factor } else { 1.0 });
        let both = grows[0] && grows[1];
        match link {
            Item::Body(_) => {}
            Item::Joint(id) => world.edit_joint(id, |joint| {
                scale_arms(&mut joint.kind, factors);
                if let (JointKind::Distance(rod), true) = (&mut joint.kind, both) {
                    rod.length *= factor;
                }
                if let (JointKind::Rope(_), Some(limits), true) = (&joint.kind, &mut joint.limits, both) {
                    *limits = limits.map(|distance| factor * distance);
                }
            })?,
            Item::Spring(id) => world.edit_spring(id, |spring| {
                spring.anchors = [factors[0] * spring.anchors[0], factors[1] * spring.anchors[1]];
                if both {
                    spring.rest_length *= factor;
                }
            })?,
            Item::Velocity(id) => world.edit_nonholonomic(id, |own| match &mut own.kind {
                NonholonomicKind::KnifeEdge(blade) => blade.anchor *= factors[1],
                NonholonomicKind::PrescribedVelocity(point) => point.anchor *= factors[1],
                NonholonomicKind::Rolling(disk) => disk.radius *= factors[1],
            })?,
        }
    }
    Ok(())
}

fn scale_arms(kind: &mut JointKind, factors: [f64; 2]) {
    for (anchor, factor) in kind.anchors_mut().into_iter().flatten().zip(factors) {
        *anchor *= factor;
    }
}

fn enlarged(placed: &Placement, factor: f64) -> Placement {
    let all = |points: &[DVec2]| points.iter().map(|point| factor * *point).collect();
    let shape = match &placed.shape {
        Shape::Circle { radius } => Shape::Circle { radius: factor * radius },
        Shape::Box { size } => Shape::Box { size: factor * *size },
        Shape::Ellipse { semi_axes } => Shape::Ellipse { semi_axes: factor * *semi_axes },
        Shape::Capsule { length, radius } => {
            Shape::Capsule { length: factor * length, radius: factor * radius }
        }
        Shape::Polygon { vertices, radius } => {
            Shape::Polygon { vertices: all(vertices), radius: factor * radius }
        }
        Shape::HalfPlane { normal, offset } => {
            Shape::HalfPlane { normal: *normal, offset: factor * offset }
        }
        Shape::Polyline { points } => Shape::Polyline { points: all(points) },
    };
    Placement { shape, offset: factor * placed.offset, ..placed.clone() }
}
