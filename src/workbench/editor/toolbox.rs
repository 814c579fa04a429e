//! The toolbox: a table of everything that a scene file can hold, with how it is drawn on the stage and the edit that
//! this becomes.

use super::connect::{
    gear, hinge, knife_edge, limits, motor, prescribed_velocity, rod, rolling, rope, slider, spring,
    torsional, weld,
};
use super::edit::Edit;
use super::item::{self, Item};
use super::place::{NOTHING, Place, add, bar, body, moving};
use super::stamps;
use super::wires;
use crate::internal::Rotation;
use crate::model::{AppliedForce, Axes, Body, BodyId, BodyKind, DrivenForce, Field, Profile, Shape, World};
use crate::workbench::stage::push::{gravity, two_digits};
use glam::{DVec2, dvec2};

/// Radius of a new capsule, in lines of the grid.
const CAPSULE: f64 = 0.3;
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
    /// What acts on bodies: thrusters, fields.
    Forces,
    /// What constrains velocities.
    Velocities,
    /// Many bodies at once.
    Stamps,
    /// What is done to bodies, also while time passes.
    Actions,
}

impl Group {
    /// All of them, in the order of the toolbox.
    pub const ALL: [Self; 6] =
        [Self::Shapes, Self::Joints, Self::Forces, Self::Velocities, Self::Stamps, Self::Actions];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Shapes => "Bodies",
            Self::Joints => "Joints, springs, motors",
            Self::Forces => "Forces",
            Self::Velocities => "Velocity constraints",
            Self::Stamps => "Stamps",
            Self::Actions => "Actions",
        }
    }
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
    pub letter: char,
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
    (group, letter, drawn): (Group, char, Drawn),
    make: fn(Place<'_>) -> Result<Edit, String>,
    meaning: &'static str,
) -> Tool {
    Tool { key, name, meaning, group, letter, drawn, make }
}

use Drawn::{Line, Point, Points};
use Group::{Actions, Forces, Joints, Shapes, Stamps, Velocities};

/// All tools.
pub static TOOLS: [Tool; 34] = [
    tool("box", "box", (Shapes, 'B', Drawn::Box), a_box, "A rectangle."),
    tool("circle", "circle", (Shapes, 'C', Line), circle, "A disk, from its centre outwards."),
    tool(
        "capsule",
        "bar",
        (Shapes, 'K', Line),
        capsule,
        "A capsule: a bar with round ends, at whose middles joints hold it.",
    ),
    tool("ellipse", "ellipse", (Shapes, 'E', Drawn::Box), ellipse, "An ellipse."),
    tool("polygon", "polygon", (Shapes, 'P', Points), polygon, "Any simple polygon, also a concave one."),
    tool(
        "half_plane",
        "ground",
        (Shapes, 'G', Line),
        ground,
        "Fixed ground without end, below the line from left to right.",
    ),
    tool(
        "conveyor",
        "belt",
        (Shapes, 'Z', Line),
        belt,
        "A fixed belt from end to end; what lies on it is carried along the line.",
    ),
    tool("polyline", "polyline", (Shapes, 'L', Points), polyline, "A fixed chain of segments."),
    tool(
        "hinge",
        "hinge",
        (Joints, 'H', Point),
        hinge,
        "Two bodies that lie there turn about this point; one alone turns about the ground.",
    ),
    tool("distance", "rod", (Joints, 'R', Line), rod, "Two points keep their distance."),
    tool(
        "rope",
        "rope",
        (Joints, 'A', Line),
        rope,
        "Two points are at most as far apart as the line is long; nearer, the rope is slack.",
    ),
    tool(
        "pulley",
        "pulley",
        (Joints, '4', Points),
        wires::pulley,
        "A rope over two wheels, or one: end, wheels, other end. A body beneath a wheel carries it.",
    ),
    tool(
        "weld",
        "weld",
        (Joints, 'W', Point),
        weld,
        "Two bodies that lie there move as one; one alone stays where it is.",
    ),
    tool("slider", "slider", (Joints, 'S', Line), slider, "A body slides along the line, without turning."),
    tool(
        "gear",
        "gear",
        (Joints, '5', Line),
        gear,
        "Two hinges, or a hinge and a slider, turn and move in a fixed ratio: from one to the other.",
    ),
    tool(
        "slot",
        "slot",
        (Joints, '7', Line),
        wires::slot,
        "A point of a body slides along the line of the body beneath, or of the ground, and may turn.",
    ),
    tool(
        "wheel",
        "wheel",
        (Joints, '8', Line),
        wires::wheel,
        "A wheel of the body beneath, or of the ground, sprung along the line.",
    ),
    tool(
        "bead",
        "bead",
        (Joints, '9', Line),
        wires::bead,
        "The body at the line's start slides on a circle about its end; other curves are among its numbers.",
    ),
    tool("spring", "spring", (Joints, 'N', Line), spring, "A spring with a damper between two points."),
    tool(
        "torsional_spring",
        "torsional spring",
        (Joints, 'T', Point),
        torsional,
        "A spring that turns two bodies back to the angle that they have now.",
    ),
    tool(
        "motor_joint",
        "motor joint",
        (Joints, '6', Line),
        wires::mover,
        "Drives the body at the line's start to its end, in the body beneath or the ground, as strongly as it is told.",
    ),
    tool("motor", "motor", (Joints, 'M', Point), motor, "Drives the hinge, slider, slot or wheel there."),
    tool(
        "limits",
        "limits",
        (Joints, 'I', Point),
        limits,
        "Bounds how far the hinge, slider, slot or wheel there moves.",
    ),
    tool(
        "thruster",
        "thruster",
        (Forces, '1', Line),
        thruster,
        "Burns at the line's start, along the line, and pushes the body there the other way with twice its weight.",
    ),
    tool(
        "field",
        "centre of attraction",
        (Forces, '2', Line),
        field,
        "A field that points to the line's start: at its end bodies fall as they do on the ground. On a body that moves it goes with \
         that body, and draws it, too.",
    ),
    tool(
        "knife_edge",
        "knife edge",
        (Velocities, 'J', Line),
        knife_edge,
        "A blade along the line: its point does not move across it.",
    ),
    tool(
        "rolling",
        "rolling",
        (Velocities, 'O', Point),
        rolling,
        "A disk rolls without slipping on the nearest surface of another body.",
    ),
    tool(
        "prescribed_velocity",
        "given velocity",
        (Velocities, 'V', Line),
        prescribed_velocity,
        "A point of a body moves with a velocity: the line in a second.",
    ),
    tool(
        "chain",
        "chain",
        (Stamps, 'F', Line),
        stamps::chain,
        "Bars hinged in a row from end to end; the first end hangs on what lies there.",
    ),
    tool("stack", "stack", (Stamps, 'Y', Drawn::Box), stamps::stack, "Boxes on top of each other."),
    tool(
        "pyramid",
        "pyramid",
        (Stamps, 'D', Drawn::Box),
        stamps::pyramid,
        "Rows of boxes, each one shorter than the row below.",
    ),
    tool(
        "throw",
        "throw",
        (Actions, 'Q', Line),
        throw,
        "The body at the line's start flies off along it, the faster the longer it is.",
    ),
    tool(
        "shoot",
        "shoot",
        (Actions, 'U', Line),
        shoot,
        "A ball flies off along the line, the faster the longer it is.",
    ),
    tool(
        "cut",
        "cut",
        (Actions, 'X', Line),
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
    let crossed = |link: &Item| match item::segments(place.world, *link).as_slice() {
        lines if lines.iter().any(|[a, b]| a.distance(*b) > place.reach) => {
            lines.iter().any(|line| item::cross([from, to], *line))
        }
        _ => {
            let places = item::places(place.world, *link);
            places.iter().any(|at| item::distance_to_segment(*at, from, to) <= 0.5 * place.reach)
        }
    };
    let links: Vec<Item> = item::links(place.world).filter(crossed).collect();
    if links.is_empty() {
        Err("the stroke crosses no joint and no spring".to_owned())
    } else {
        Ok(Edit::Remove(links))
    }
}

/// The force of a new thruster, N: twice the body's weight.
pub fn thrust(world: &World, body: &Body) -> f64 {
    two_digits(2.0 * gravity(world) * body.mass_properties().mass)
}

/// A new field about a centre, m: Newton's, as strong as gravity at that distance, m.
pub fn field_at(world: &World, center: DVec2, distance: f64) -> Field {
    let strength = two_digits(gravity(world) * distance * distance);
    Field { center, strength, exponent: 2.0, on: None }
}

fn thruster(place: Place<'_>) -> Result<Edit, String> {
    let (index, body) = moving(&place)?;
    let id = place.world.id_of(index).ok_or(NOTHING)?;
    let [from, to] = match place.line(1.0) {
        line if place.first().distance(place.last()) > place.reach => line,
        // A click burns downwards.
        [from, _] => [from, from - DVec2::Y],
    };
    let along = Rotation::from_angle(body.pose.angle).inverse_apply((from - to).normalize_or(DVec2::Y));
    let at = if body.is_point_mass() { DVec2::ZERO } else { body.anchor_at(from) };
    let force = thrust(place.world, body) * along;
    let applied = AppliedForce { force, at, axes: Axes::Body, torque: 0.0 };
    let mut driven = body.driven.clone();
    driven.push(DrivenForce::new(applied, Profile::Constant(1.0)));
    Ok(Edit::Driven(id, driven))
}

fn field(place: Place<'_>) -> Result<Edit, String> {
    let [center, rim] = place.line(4.0);
    let mut fields = place.world.fields().to_vec();
    let field = field_at(place.world, center, center.distance(rim));
    let carrier = moving(&place).ok().and_then(|(index, _)| place.world.id_of(index));
    fields.push(carrier.map_or(field, |id| carried(place.world, &field, id)));
    Ok(Edit::Fields(fields))
}

/// A field on a body, with its centre where it is; in the middle of a point mass.
pub fn carried(world: &World, field: &Field, id: BodyId) -> Field {
    let Some(body) = world.body(id) else { return *field };
    let center = world.placed_field(field).center;
    let center = if body.is_point_mass() { DVec2::ZERO } else { body.anchor_at(center) };
    Field { center, on: Some(id), ..*field }
}

/// Place in the table of the tool of that letter.
pub fn by_letter(letter: char) -> Option<usize> {
    TOOLS.iter().position(|tool| tool.letter == letter)
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

/// A belt that runs by one line of the grid in a second.
fn belt(place: Place<'_>) -> Result<Edit, String> {
    let [from, to] = place.line(4.0);
    let bar = bar("belt", [from, to], CAPSULE * place.grid)?;
    let mut belt = bar
        .remade(BodyKind::Fixed, bar.shapes().to_vec(), bar.mass_spec())
        .map_err(|error| error.to_string())?;
    // Clockwise carries to the right; what lies on a line to the left lies on the other side of the bar.
    belt.surface_speed = if to.x >= from.x { place.grid } else { -place.grid };
    add(belt)
}

fn polygon(place: Place<'_>) -> Result<Edit, String> {
    let middle = place.points.iter().sum::<DVec2>() / place.points.len().max(1) as f64;
    let vertices = place.points.iter().map(|point| *point - middle).collect();
    add(body("polygon", middle, 0.0, Shape::Polygon { vertices, radius: 0.0 })?)
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
