//! The toolbox: a table of everything that a scene file can hold, with how it is drawn on the stage and the edit that this becomes.

use super::edit::Edit;
use super::item::{self, Item};
use super::parts::Parts;
use super::stamps;
use crate::app::view_state::push::{gravity, two_digits};
use crate::detect::nearest_point;
use crate::model::joint::{Distance, DistanceForm, Hinge, Slider, Weld};
use crate::model::nonholonomic::{KnifeEdge, PrescribedVelocity, Rolling, Surface, VelocityLaw};
use crate::model::properties::JOINT;
use crate::model::{
    Body, BodyKind, Joint, JointKind, MassSpec, Nonholonomic, NonholonomicKind, Placement, Shape, Softness,
    Spring, World,
};
use egui_macroquad::egui::Key;
use glam::{DVec2, dvec2};

/// Natural frequency of a new spring with its body, Hz, and its damping ratio.
const SPRING: f64 = 2.0;
const DAMPING: f64 = 0.05;
/// Radius of a new capsule, in lines of the grid.
const CAPSULE: f64 = 0.3;
/// Largest torque of a new motor, in weights of all bodies times the longest arm.
const MOTOR: f64 = 10.0;

/// How a tool is drawn on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// By a click.
    Point,
    /// By dragging from one end to the other.
    Line,
    /// By dragging from corner to corner.
    Box,
    /// By clicks, point by point; another click on the last or the first point ends it.
    Points,
}

impl Drawn {
    /// What the mouse does, in words.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Point => "click",
            Self::Line => "drag from end to end",
            Self::Box => "drag from corner to corner",
            Self::Points => "click point by point; click the last one again to finish",
        }
    }
}

/// A group of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Bodies of one shape.
    Shapes,
    /// What connects two bodies, or drives what does.
    Joints,
    /// What constrains velocities.
    Velocities,
    /// Many bodies at once.
    Stamps,
    /// What is done to bodies, also while time passes.
    Actions,
}

impl Group {
    /// All of them, in the order of the toolbox.
    pub const ALL: [Self; 5] = [Self::Shapes, Self::Joints, Self::Velocities, Self::Stamps, Self::Actions];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Shapes => "Bodies",
            Self::Joints => "Joints, springs, motors",
            Self::Velocities => "Velocity constraints",
            Self::Stamps => "Stamps",
            Self::Actions => "Actions",
        }
    }
}

/// What a tool is given: where it was drawn, and in what.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The world.
    pub world: &'a World,
    /// The points that were drawn, m: one, two, or more.
    pub points: &'a [DVec2],
    /// Distance of the grid's lines, m: the size of what is placed by a click.
    pub grid: f64,
    /// Distance within which a body is found, m.
    pub reach: f64,
    /// How many bodies a stamp has.
    pub count: usize,
}

/// A tool.
pub struct Tool {
    /// Name in scene files, or of the stamp.
    pub key: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What it makes.
    pub meaning: &'static str,
    /// Where it stands.
    pub group: Group,
    /// The key that chooses it, with Shift.
    pub letter: Key,
    /// How it is drawn.
    pub drawn: Drawn,
    make: fn(Place<'_>) -> Result<Edit, String>,
}

impl Tool {
    /// The edit that places it there.
    ///
    /// # Errors
    /// What is missing there, as a sentence.
    pub fn edit(&self, place: Place<'_>) -> Result<Edit, String> {
        (self.make)(place)
    }
}

const fn tool(
    key: &'static str,
    name: &'static str,
    (group, letter, drawn): (Group, Key, Drawn),
    make: fn(Place<'_>) -> Result<Edit, String>,
    meaning: &'static str,
) -> Tool {
    Tool { key, name, meaning, group, letter, drawn, make }
}

use Drawn::{Line, Point, Points};
use Group::{Actions, Joints, Shapes, Stamps, Velocities};

/// All tools.
pub static TOOLS: [Tool; 24] = [
    tool("box", "box", (Shapes, Key::B, Drawn::Box), a_box, "A rectangle."),
    tool("circle", "circle", (Shapes, Key::C, Line), circle, "A disk, from its centre outwards."),
    tool(
        "capsule",
        "bar",
        (Shapes, Key::K, Line),
        capsule,
        "A capsule: a bar with round ends, at whose middles joints hold it.",
    ),
    tool("ellipse", "ellipse", (Shapes, Key::E, Drawn::Box), ellipse, "An ellipse."),
    tool(
        "polygon",
        "polygon",
        (Shapes, Key::P, Points),
        polygon,
        "Any simple polygon, also a concave one.",
    ),
    tool(
        "half_plane",
        "ground",
        (Shapes, Key::G, Line),
        ground,
        "Fixed ground without end, below the line from left to right.",
    ),
    tool("polyline", "polyline", (Shapes, Key::L, Points), polyline, "A fixed chain of segments."),
    tool(
        "hinge",
        "hinge",
        (Joints, Key::H, Point),
        hinge,
        "Two bodies that lie there turn about this point; one alone turns about the ground.",
    ),
    tool("distance", "rod", (Joints, Key::R, Line), rod, "Two points keep their distance."),
    tool(
        "weld",
        "weld",
        (Joints, Key::W, Point),
        weld,
        "Two bodies that lie there move as one; one alone stays where it is.",
    ),
    tool(
        "slider",
        "slider",
        (Joints, Key::S, Line),
        slider,
        "A body slides along the line, without turning.",
    ),
    tool("spring", "spring", (Joints, Key::N, Line), spring, "A spring with a damper between two points."),
    tool(
        "torsional_spring",
        "torsional spring",
        (Joints, Key::T, Point),
        torsional,
        "A spring that turns two bodies back to the angle that they have now.",
    ),
    tool("motor", "motor", (Joints, Key::M, Point), motor, "Drives the hinge or slider there."),
    tool(
        "limits",
        "limits",
        (Joints, Key::I, Point),
        limits,
        "Bounds how far the hinge or slider there moves.",
    ),
    tool(
        "knife_edge",
        "knife edge",
        (Velocities, Key::J, Line),
        knife_edge,
        "A blade along the line: its point does not move across it.",
    ),
    tool(
        "rolling",
        "rolling",
        (Velocities, Key::O, Point),
        rolling,
        "A disk rolls without slipping on the nearest surface of another body.",
    ),
    tool(
        "prescribed_velocity",
        "given velocity",
        (Velocities, Key::V, Line),
        prescribed_velocity,
        "A point of a body moves with a velocity: the line in a second.",
    ),
    tool(
        "chain",
        "chain",
        (Stamps, Key::F, Line),
        stamps::chain,
        "Bars hinged in a row from end to end; the first end hangs on what lies there.",
    ),
    tool("stack", "stack", (Stamps, Key::Y, Drawn::Box), stamps::stack, "Boxes on top of each other."),
    tool(
        "pyramid",
        "pyramid",
        (Stamps, Key::D, Drawn::Box),
        stamps::pyramid,
        "Rows of boxes, each one shorter than the row below.",
    ),
    tool(
        "throw",
        "throw",
        (Actions, Key::Q, Line),
        throw,
        "The body at the line's start flies off along it.",
    ),
    tool("shoot", "shoot", (Actions, Key::U, Line), shoot, "A ball flies off along the line."),
    tool(
        "cut",
        "cut",
        (Actions, Key::X, Line),
        cut,
        "Removes the joints and springs that the stroke crosses.",
    ),
];

/// Seconds of flight that the line of a throw or a shot spans.
const FLIGHT: f64 = 0.2;

fn throw(place: Place<'_>) -> Result<Edit, String> {
    let (index, _) = moving(&place)?;
    let id = place.world.id_of(index).ok_or(NOTHING)?;
    Ok(Edit::Throw(id, (place.last() - place.first()) / FLIGHT))
}

fn shoot(place: Place<'_>) -> Result<Edit, String> {
    let [from, to] = place.line(4.0);
    let mut ball = body("ball", from, 0.0, Shape::Circle { radius: 0.5 * place.grid })?;
    ball.velocity.linear = (to - from) / FLIGHT;
    add(ball)
}

fn cut(place: Place<'_>) -> Result<Edit, String> {
    let (from, to) = (place.first(), place.last());
    let crossed = |link: &Item| match item::places(place.world, *link).as_slice() {
        [a, b] if a.distance(*b) > place.reach => item::cross([from, to], [*a, *b]),
        places => places.iter().any(|at| item::distance_to_segment(*at, from, to) <= 0.5 * place.reach),
    };
    let links: Vec<Item> = item::links(place.world).filter(crossed).collect();
    if links.is_empty() {
        Err("the stroke crosses no joint and no spring".to_owned())
    } else {
        Ok(Edit::Remove(links))
    }
}

/// Place in the table of the tool of that letter.
pub fn by_letter(letter: Key) -> Option<usize> {
    TOOLS.iter().position(|tool| tool.letter == letter)
}

impl Place<'_> {
    fn first(&self) -> DVec2 {
        self.points.first().copied().unwrap_or_default()
    }

    fn last(&self) -> DVec2 {
        self.points.last().copied().unwrap_or_default()
    }

    /// The two ends of a line; of a click, from there to the right.
    pub fn line(&self, length: f64) -> [DVec2; 2] {
        let (from, to) = (self.first(), self.last());
        if from.distance(to) > self.reach {
            [from, to]
        } else {
            [from, from + dvec2(length * self.grid, 0.0)]
        }
    }

    /// Middle and size of a box; of a click, that of two by two lines of the grid.
    pub fn rectangle(&self, size: DVec2) -> [DVec2; 2] {
        let (from, to) = (self.first(), self.last());
        let across = (to - from).abs();
        if across.min_element() > 0.5 * self.reach {
            [0.5 * (from + to), across]
        } else {
            [from, size * self.grid]
        }
    }
}

/// A body that forces move, named by its kind.
pub fn body(name: &str, at: DVec2, angle: f64, shape: Shape) -> Result<Body, String> {
    let kind = if shape.has_area() { BodyKind::Dynamic } else { BodyKind::Fixed };
    let body = Body::new(kind, at, angle, vec![Placement::centred(shape)], MassSpec::default());
    let mut body = body.map_err(|error| error.to_string())?;
    name.clone_into(&mut body.name);
    body.friction = FRICTION;
    Ok(body)
}

/// Friction of a new body: that of a body for which a scene file states none.
const FRICTION: f64 = 0.3;

fn add(body: Body) -> Result<Edit, String> {
    Ok(Edit::Add(Box::new(Parts { bodies: vec![body], ..Parts::default() })))
}

fn a_box(place: Place<'_>) -> Result<Edit, String> {
    let [at, size] = place.rectangle(dvec2(2.0, 2.0));
    add(body("box", at, 0.0, Shape::Box { size })?)
}

fn ellipse(place: Place<'_>) -> Result<Edit, String> {
    let [at, size] = place.rectangle(dvec2(3.0, 2.0));
    add(body("ellipse", at, 0.0, Shape::Ellipse { semi_axes: 0.5 * size })?)
}

fn circle(place: Place<'_>) -> Result<Edit, String> {
    let [at, rim] = place.line(1.0);
    add(body("disk", at, 0.0, Shape::Circle { radius: at.distance(rim) })?)
}

fn capsule(place: Place<'_>) -> Result<Edit, String> {
    add(bar("bar", place.line(4.0), CAPSULE * place.grid)?)
}

/// A capsule whose ends have their middles at these points.
pub fn bar(name: &str, [from, to]: [DVec2; 2], radius: f64) -> Result<Body, String> {
    let along = to - from;
    body(name, 0.5 * (from + to), along.y.atan2(along.x), Shape::Capsule { length: along.length(), radius })
}

fn polygon(place: Place<'_>) -> Result<Edit, String> {
    let middle = place.points.iter().sum::<DVec2>() / place.points.len().max(1) as f64;
    let vertices = place.points.iter().map(|point| *point - middle).collect();
    add(body("polygon", middle, 0.0, Shape::Polygon { vertices })?)
}

fn polyline(place: Place<'_>) -> Result<Edit, String> {
    let at = place.first();
    let points = place.points.iter().map(|point| *point - at).collect();
    add(body("polyline", at, 0.0, Shape::Polyline { points })?)
}

fn ground(place: Place<'_>) -> Result<Edit, String> {
    let [from, to] = place.line(1.0);
    let along = if to.x >= from.x { to - from } else { from - to };
    let shape = Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 };
    add(body("ground", from, along.y.atan2(along.x), shape)?)
}

/// The bodies under a point, those that move first, of each the nearest and then the topmost before the others; indices.
pub fn under(world: &World, at: DVec2, reach: f64) -> Vec<usize> {
    let all = world.bodies().iter().enumerate().rev();
    let all = all.map(|(index, body)| (index, body, body.distance_to(at)));
    let mut found: Vec<_> = all.filter(|(.., distance)| *distance <= 0.5 * reach).collect();
    found
        .sort_by(|(_, a, near), (_, b, far)| b.is_dynamic().cmp(&a.is_dynamic()).then(near.total_cmp(far)));
    found.into_iter().map(|(index, ..)| index).collect()
}

/// The index of a body that stands still, which takes what hangs on nothing else: one of the world, or a new one without a shape.
pub fn frame(world: &World, parts: &mut Parts) -> Result<usize, String> {
    if let Some(index) = world.bodies().iter().position(|body| body.kind() == BodyKind::Fixed) {
        return Ok(index);
    }
    let body = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, Vec::new(), MassSpec::default());
    let mut body = body.map_err(|error| error.to_string())?;
    "ground".clone_into(&mut body.name);
    parts.bodies.push(body);
    Ok(world.bodies().len() + parts.bodies.len() - 1)
}

/// A body of the world, or a new one of the parts.
pub fn end<'a>(world: &'a World, parts: &'a Parts, index: usize) -> Option<&'a Body> {
    let there = world.bodies();
    there.get(index).or_else(|| parts.bodies.get(index.checked_sub(there.len())?))
}

/// The two bodies that a joint at one point connects, the one that moves last.
fn pair(place: &Place<'_>, parts: &mut Parts) -> Result<[usize; 2], String> {
    let found = under(place.world, place.first(), place.reach);
    match found.as_slice() {
        [b, ..] if !place.world.bodies()[*b].is_dynamic() => Err(NOTHING.to_owned()),
        [b, a, ..] => Ok([*a, *b]),
        [b] => Ok([frame(place.world, parts)?, *b]),
        [] => Err(NOTHING.to_owned()),
    }
}

/// Why a joint is not placed.
const NOTHING: &str = "nothing that moves lies there to be held";

/// The two bodies at the ends of a line; where an end lies on none, a body that stands still.
fn ends(place: &Place<'_>, [from, to]: [DVec2; 2], parts: &mut Parts) -> Result<[usize; 2], String> {
    let [a, b] = [from, to].map(|at| under(place.world, at, place.reach).first().copied());
    match (a, b) {
        (Some(a), Some(b)) if a != b => Ok([a, b]),
        (Some(a), None) => Ok([a, frame(place.world, parts)?]),
        (None, Some(b)) => Ok([frame(place.world, parts)?, b]),
        (Some(_), Some(_)) => Err("both ends lie on the same body".to_owned()),
        (None, None) => Err(NOTHING.to_owned()),
    }
}

/// A joint between two bodies at points of the world.
pub fn joint(
    world: &World,
    parts: &mut Parts,
    bodies: [usize; 2],
    points: [DVec2; 2],
    kind: impl FnOnce([DVec2; 2], [&Body; 2]) -> JointKind,
) -> Result<(), String> {
    let (Some(a), Some(b)) = (end(world, parts, bodies[0]), end(world, parts, bodies[1])) else {
        return Err(NOTHING.to_owned());
    };
    let anchors = [a.anchor_at(points[0]), b.anchor_at(points[1])];
    let kind = kind(anchors, [a, b]);
    parts.joints.push(Joint::new(bodies, kind));
    Ok(())
}

fn hinge(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let bodies = pair(&place, &mut parts)?;
    joint(place.world, &mut parts, bodies, [place.first(); 2], |anchors, _| {
        JointKind::Hinge(Hinge { anchors })
    })?;
    Ok(Edit::Add(Box::new(parts)))
}

fn weld(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let bodies = pair(&place, &mut parts)?;
    joint(place.world, &mut parts, bodies, [place.first(); 2], |anchors, [a, b]| {
        JointKind::Weld(Weld { anchors, reference_angle: b.pose.angle - a.pose.angle })
    })?;
    Ok(Edit::Add(Box::new(parts)))
}

fn slider(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let bodies = pair(&place, &mut parts)?;
    let [from, to] = place.line(1.0);
    joint(place.world, &mut parts, bodies, [from; 2], |anchors, [a, b]| {
        let axis = crate::internal::Rotation::from_angle(a.pose.angle)
            .inverse_apply((to - from).normalize_or(DVec2::X));
        JointKind::Slider(Slider { anchors, axis, reference_angle: b.pose.angle - a.pose.angle })
    })?;
    Ok(Edit::Add(Box::new(parts)))
}

fn rod(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let points = place.line(4.0);
    let bodies = ends(&place, points, &mut parts)?;
    joint(place.world, &mut parts, bodies, points, |anchors, _| {
        let length = points[0].distance(points[1]);
        JointKind::Distance(Distance { anchors, length, form: DistanceForm::Length })
    })?;
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
fn softness(inertia: f64) -> Softness {
    let rate = std::f64::consts::TAU * SPRING;
    Softness {
        stiffness: two_digits(inertia * rate * rate),
        damping: two_digits(2.0 * DAMPING * inertia * rate),
    }
}

fn spring(place: Place<'_>) -> Result<Edit, String> {
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

fn torsional(place: Place<'_>) -> Result<Edit, String> {
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

/// The hinge or slider at a point, with its id as an item.
fn driven<'a>(place: &Place<'a>) -> Result<(Item, &'a Joint), String> {
    let world = place.world;
    let near = |(joint, id): (&'a Joint, &_)| {
        let item = Item::Joint(*id);
        let nearest = item::places(world, item).into_iter().map(|at| at.distance(place.first()));
        (item, joint, nearest.fold(f64::INFINITY, f64::min))
    };
    let joints = world.joints().iter().zip(world.joint_ids());
    let free = joints.filter(|(joint, _)| joint.kind.has_coordinate()).map(near);
    let found = free.filter(|(.., distance)| *distance <= place.reach);
    let found = found.min_by(|one, other| one.2.total_cmp(&other.2));
    found
        .map(|(item, joint, _)| (item, joint))
        .ok_or_else(|| "no hinge and no slider lies there".to_owned())
}

/// Switches a number on.
fn switched(item: Item, key: &str) -> Result<Edit, String> {
    let property = JOINT.iter().find(|property| property.parameter.key == key);
    property.map(|own| Edit::Set(vec![item], own.parameter, 1.0)).ok_or_else(|| NOTHING.to_owned())
}

fn motor(place: Place<'_>) -> Result<Edit, String> {
    let (item, joint) = driven(&place)?;
    let bodies = place.world.bodies().iter().filter(|body| body.is_dynamic());
    let weight = gravity(place.world) * bodies.map(|body| body.mass_properties().mass).sum::<f64>();
    let arm = joint.kind.anchors().map(|anchor| anchor.length());
    let turns = matches!(joint.kind, JointKind::Hinge(_));
    let arm = if turns { arm[0].min(arm[1]).max(place.grid) } else { 1.0 };
    let Item::Joint(id) = item else { return Err(NOTHING.to_owned()) };
    let speed = if turns { std::f64::consts::PI } else { two_digits(4.0 * place.grid) };
    Ok(Edit::Motor(id, speed, two_digits(MOTOR * weight * arm)))
}

fn limits(place: Place<'_>) -> Result<Edit, String> {
    switched(driven(&place)?.0, "limits")
}

/// The body that moves under the first point.
fn moving<'a>(place: &Place<'a>) -> Result<(usize, &'a Body), String> {
    let index = under(place.world, place.first(), place.reach).first().copied();
    let found = index.map(|index| (index, &place.world.bodies()[index]));
    found.filter(|(_, body)| body.is_dynamic()).ok_or_else(|| NOTHING.to_owned())
}

fn constraint(bodies: [usize; 2], kind: NonholonomicKind) -> Result<Edit, String> {
    let nonholonomic = vec![Nonholonomic::new(bodies, kind)];
    Ok(Edit::Add(Box::new(Parts { nonholonomic, ..Parts::default() })))
}

fn knife_edge(place: Place<'_>) -> Result<Edit, String> {
    let (index, body) = moving(&place)?;
    let [from, to] = place.line(1.0);
    let axis = crate::internal::Rotation::from_angle(body.pose.angle)
        .inverse_apply((to - from).normalize_or(DVec2::X));
    constraint([index; 2], NonholonomicKind::KnifeEdge(KnifeEdge { anchor: body.anchor_at(from), axis }))
}

fn prescribed_velocity(place: Place<'_>) -> Result<Edit, String> {
    let (index, body) = moving(&place)?;
    let [from, to] = place.line(1.0);
    let (anchor, law) = (body.anchor_at(from), VelocityLaw::Constant(to - from));
    constraint([index; 2], NonholonomicKind::PrescribedVelocity(PrescribedVelocity { anchor, law }))
}

fn rolling(place: Place<'_>) -> Result<Edit, String> {
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
        Surface::Straight(crate::internal::Rotation::from_angle(surface.pose.angle).inverse_apply(normal))
    };
    constraint([on, index], NonholonomicKind::Rolling(Rolling { radius: *radius, surface }))
}
