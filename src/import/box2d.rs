//! What Box2D's worlds are made of (2.x), from whichever text, and its conversion.
//!
//! Units, axes, and the mixing of friction (geometric mean) and restitution (the larger) are those of scenes. The velocity of a body is that of
//! its centre of mass. A spring of f hertz and damping ratio ζ has k = m (2πf)² and d = 2 m ζ 2πf, where m is the mass that resists it as
//! placed. Sleeping, bullets and the rounding of polygons (`b2_polygonRadius`) are not parts of a scene.

use super::draft::Draft;
use super::filters;
use crate::model::joint::{Distance, DistanceForm, Hinge, JointKind, Slider, Weld};
use crate::model::{Body, BodyBuilder, BodyId, Joint, JointBuilder, Motion, Placement, Shape, Spring};
use glam::DVec2;
use std::f64::consts::TAU;

/// `b2Filter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Filter {
    pub category: u64,
    pub mask: u64,
    pub group: i64,
}

impl Default for Filter {
    fn default() -> Self {
        Self { category: 1, mask: 0xffff, group: 0 }
    }
}

impl Filter {
    /// `b2ContactFilter::ShouldCollide`.
    fn collide(&self, other: &Self) -> bool {
        if self.group == other.group && self.group != 0 {
            return self.group > 0;
        }
        self.mask & other.category != 0 && other.mask & self.category != 0
    }
}

/// A shape of a fixture.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ShapeDef {
    Circle {
        center: DVec2,
        radius: f64,
    },
    Polygon(Vec<DVec2>),
    /// A chain or an edge: segments without an inside.
    Chain(Vec<DVec2>),
}

/// `b2FixtureDef`.
#[derive(Clone, Debug)]
pub(super) struct FixtureDef {
    pub place: String,
    pub density: f64,
    pub friction: f64,
    pub restitution: f64,
    pub sensor: bool,
    pub filter: Filter,
    pub shape: Option<ShapeDef>,
}

impl FixtureDef {
    pub fn new(place: String) -> Self {
        let filter = Filter::default();
        Self { place, density: 0.0, friction: 0.2, restitution: 0.0, sensor: false, filter, shape: None }
    }
}

/// `b2BodyDef`, with its fixtures.
#[derive(Clone, Debug)]
pub(super) struct BodyDef {
    pub place: String,
    pub name: String,
    /// 0 static, 1 kinematic, 2 dynamic.
    pub kind: f64,
    pub position: DVec2,
    pub angle: f64,
    pub linear_velocity: DVec2,
    pub angular_velocity: f64,
    pub linear_damping: f64,
    pub angular_damping: f64,
    pub fixed_rotation: bool,
    pub active: bool,
    pub gravity_scale: f64,
    /// Mass, kg, centre, m, and inertia about the body's origin, kg m², where the file states them.
    pub mass: Option<(f64, DVec2, f64)>,
    pub fixtures: Vec<FixtureDef>,
}

impl BodyDef {
    pub fn new(place: String) -> Self {
        Self {
            place,
            name: String::new(),
            kind: 0.0,
            position: DVec2::ZERO,
            angle: 0.0,
            linear_velocity: DVec2::ZERO,
            angular_velocity: 0.0,
            linear_damping: 0.0,
            angular_damping: 0.0,
            fixed_rotation: false,
            active: true,
            gravity_scale: 1.0,
            mass: None,
            fixtures: Vec::new(),
        }
    }
}

/// A spring of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum SoftDef {
    /// Rigid.
    #[default]
    None,
    /// Frequency, Hz, and damping ratio (up to 2.3).
    Rate(f64, f64),
    /// k and d (from 2.4 on).
    Given(f64, f64),
}

/// A `b2JointDef` of any kind.
#[derive(Clone, Debug, Default)]
pub(super) struct JointDef {
    pub place: String,
    /// The kind: `revolute`, `prismatic`, …
    pub kind: String,
    pub bodies: [Option<usize>; 2],
    pub collide_connected: bool,
    pub anchors: [DVec2; 2],
    pub axis: DVec2,
    pub reference_angle: f64,
    pub limits: Option<[f64; 2]>,
    /// Speed and largest force or torque.
    pub motor: Option<[f64; 2]>,
    pub length: f64,
    /// Shortest and longest length (from 2.4 on).
    pub lengths: Option<[f64; 2]>,
    pub soft: SoftDef,
}

/// A body of the file and what became of it.
struct Made {
    id: BodyId,
    /// The origin of its frame in the world is that of the file; the fixtures' points are measured from it.
    active: bool,
}

/// Adds all bodies and joints.
pub(super) fn convert(draft: &mut Draft, bodies: Vec<BodyDef>, joints: Vec<JointDef>) {
    let mut filtered = Vec::new();
    let made: Vec<Option<Made>> = bodies
        .iter()
        .map(|def| {
            let id = body(draft, def)?;
            filtered.extend(filter(draft, def).map(|filter| (id, filter)));
            Some(Made { id, active: def.active })
        })
        .collect();
    filters::apply(draft, filtered, Filter::collide, "fixtures");
    for def in &joints {
        let end = |index: Option<usize>| made.get(index?)?.as_ref().filter(|made| made.active);
        match def.bodies.map(end) {
            [Some(a), Some(b)] => joint(draft, def, [a.id, b.id]),
            _ => draft.leave_out(
                &def.place,
                format!("the {} joint is left out: a body of it is not there", def.kind),
            ),
        }
    }
}

fn body(draft: &mut Draft, def: &BodyDef) -> Option<BodyId> {
    let place = &def.place;
    if !def.active {
        draft.leave_out(place, "the body is left out: it is not active");
        return None;
    }
    let dynamic = def.kind == 2.0;
    let mut builder = if dynamic {
        Body::dynamic()
    } else if def.kind == 1.0 {
        Body::kinematic(Motion::ConstantVelocity)
    } else {
        Body::fixed()
    };
    builder = builder.at(def.position).angle(def.angle).name(def.name.clone());
    if def.kind != 0.0 {
        builder = builder.velocity(def.linear_velocity).angular_velocity(def.angular_velocity);
    }
    let mut solid = Vec::new();
    for fixture in &def.fixtures {
        if let Some(placement) = placement(draft, fixture, dynamic) {
            builder = builder.placed(placement.clone());
            solid.push((fixture, placement));
        }
    }
    builder = materials(draft, &solid, builder);
    if dynamic {
        let parts: Vec<_> =
            solid.iter().map(|(fixture, placement)| (fixture.density, placement.clone())).collect();
        builder = draft.mass(place, &parts, def.mass, builder);
        builder = builder.gravity_scale(def.gravity_scale);
        let damped = def.linear_damping != 0.0 || def.angular_damping != 0.0;
        draft.leave_out_if(damped, place, "linearDamping and angularDamping are left out");
        draft.leave_out_if(def.fixed_rotation, place, "fixedRotation is left out: the body turns");
    }
    draft.body(place, builder)
}

/// The shape of a fixture; a sensor has none.
fn placement(draft: &mut Draft, fixture: &FixtureDef, dynamic: bool) -> Option<Placement> {
    let place = &fixture.place;
    if fixture.sensor {
        draft.leave_out(place, "the sensor is left out, and its mass");
        return None;
    }
    let (shape, offset) = match fixture.shape.clone() {
        Some(ShapeDef::Circle { center, radius }) => (Shape::Circle { radius }, center),
        Some(ShapeDef::Polygon(vertices)) => (Shape::Polygon { vertices }, DVec2::ZERO),
        Some(ShapeDef::Chain(mut points)) => {
            points.dedup();
            (Shape::Polyline { points }, DVec2::ZERO)
        }
        None => {
            draft.leave_out(
                place,
                "the fixture is left out: its shape is none of circle, polygon, edge and chain",
            );
            return None;
        }
    };
    if dynamic && !shape.has_area() {
        draft.leave_out(place, "the edge or chain is left out: a body that moves has shapes with an area");
        return None;
    }
    let shape = draft.shape(place, shape)?;
    Some(Placement { shape, offset, angle: 0.0 })
}

/// Friction and restitution of the body: those of its first fixture.
fn materials(draft: &mut Draft, solid: &[(&FixtureDef, Placement)], builder: BodyBuilder) -> BodyBuilder {
    let Some((first, _)) = solid.first() else { return builder };
    for (other, _) in &solid[1..] {
        if (other.friction, other.restitution) != (first.friction, first.restitution) {
            draft.leave_out(
                &other.place,
                format!(
                    "friction {} and restitution {} are left out: the whole body has those of its first fixture, {} and {}",
                    other.friction, other.restitution, first.friction, first.restitution
                ),
            );
        }
    }
    let restitution = first.restitution.clamp(0.0, 1.0);
    draft.leave_out_if(
        restitution != first.restitution,
        &first.place,
        "restitution beyond 1 is left out: here it is 1",
    );
    draft.leave_out_if(first.friction < 0.0, &first.place, "friction below 0 is left out: here it is 0");
    builder.friction(first.friction.max(0.0)).restitution(restitution)
}

/// The filter of a body: that of its first fixture; none of a body without shapes.
fn filter(draft: &mut Draft, def: &BodyDef) -> Option<Filter> {
    let mut solid = def.fixtures.iter().filter(|fixture| !fixture.sensor && fixture.shape.is_some());
    let first = solid.next()?;
    for other in solid.filter(|other| other.filter != first.filter) {
        let Filter { category, mask, group } = other.filter;
        let line = format!(
            "the filter (category {category}, mask {mask}, group {group}) is left out: the whole body has that of its first fixture"
        );
        draft.leave_out(&other.place, line);
    }
    Some(first.filter)
}

fn joint(draft: &mut Draft, def: &JointDef, ends: [BodyId; 2]) {
    let JointDef { place, anchors, .. } = def;
    let [on_a, on_b] = *anchors;
    const ARMS: [DVec2; 2] = [DVec2::ZERO; 2];
    let between = |kind: JointKind| {
        let joint = Joint::between(ends, kind).anchors_in_bodies(on_a, on_b);
        if def.collide_connected { joint.collide_connected() } else { joint }
    };
    let driven = |mut joint: JointBuilder| {
        if let Some([lower, upper]) = def.limits {
            joint = joint.limits(lower, upper);
        }
        match def.motor {
            Some([speed, most]) => joint.motor(speed, most),
            None => joint,
        }
    };
    let soft = def.soft != SoftDef::None;
    match def.kind.as_str() {
        "revolute" => {
            let joint = driven(between(JointKind::Hinge(Hinge { anchors: ARMS })));
            draft.joint(place, joint.limits_from(def.reference_angle));
        }
        "prismatic" if def.axis.length() > 0.0 => {
            let (axis, reference_angle) = (def.axis.normalize(), def.reference_angle);
            draft.joint(
                place,
                driven(between(JointKind::Slider(Slider { anchors: ARMS, axis, reference_angle }))),
            );
        }
        "weld" => {
            draft.leave_out_if(
                soft,
                place,
                "the weld's frequency or stiffness is left out: here it is rigid",
            );
            draft.joint(
                place,
                between(JointKind::Weld(Weld { anchors: ARMS, reference_angle: def.reference_angle })),
            );
        }
        "distance" => distance(draft, def, ends, between),
        // Kinds that the engine has as well are converted here, beside the others.
        kind => draft.leave_out(
            place,
            format!("the joint is left out: a scene has no {kind} joint that is converted"),
        ),
    }
}

/// A rod, a spring, or (from 2.4 on) a spring with a shortest and a longest length.
fn distance(
    draft: &mut Draft,
    def: &JointDef,
    ends: [BodyId; 2],
    between: impl Fn(JointKind) -> JointBuilder,
) {
    let JointDef { place, anchors: [on_a, on_b], length, lengths, .. } = def;
    let loose = lengths.is_some_and(|[shortest, longest]| shortest < longest);
    let (stiffness, damping) = match def.soft {
        SoftDef::None => (0.0, 0.0),
        SoftDef::Given(stiffness, damping) => (stiffness, damping),
        SoftDef::Rate(hertz, ratio) => {
            let world = |(id, point): (BodyId, DVec2)| {
                let body = draft.world.body(id);
                body.map_or(point, |body| body.origin() + DVec2::from_angle(body.pose.angle).rotate(point))
            };
            let points = [(ends[0], *on_a), (ends[1], *on_b)].map(world);
            let line = (points[1] - points[0]).normalize_or(DVec2::X);
            let (mass, rate) = (draft.mass_along(ends, points, line), TAU * hertz);
            (mass * rate * rate, 2.0 * mass * ratio * rate)
        }
    };
    let spring = stiffness > 0.0 || damping > 0.0;
    if loose {
        let [shortest, longest] = lengths.unwrap_or_default();
        let line = format!("the shortest and longest length, {shortest} and {longest} m, are left out");
        draft.leave_out(
            place,
            if spring { line } else { format!("the distance joint is left out: {line}") },
        );
    }
    if spring && stiffness.is_finite() {
        let spring = Spring::between(ends[0], ends[1]).anchors_in_bodies(*on_a, *on_b);
        draft.spring(place, spring.stiffness(stiffness).damping(damping).rest_length(*length));
        draft.leave_out_if(
            !def.collide_connected,
            place,
            "the bodies of a spring collide with each other here, and not there",
        );
    } else if !loose {
        let rod = Distance { anchors: [DVec2::ZERO; 2], length: *length, form: DistanceForm::Length };
        draft.joint(place, between(JointKind::Distance(rod)));
    }
}
