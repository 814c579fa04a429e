//! Algodoo's scenes: the text `scene.phn` of its archive, of calls `Scene.addBox { … }`.
//!
//! Shapes with the same number `body` are one rigid body, those with 0 stand still. `pos`, `vel` and `angle` are a shape's
//! own; points of joints are in the shape's axes, or in the world where the shape is 0. Shapes whose `collideSet` have no
//! layer in common do not collide, nor do two of the same set that both say `heteroCollide`. A hinge's motor turns the second
//! body against the first by `motorSpeed`, counter-clockwise; `ccw` turns it round. The air resists a shape with
//! w (c₁ + c₂ v) v, w its width across the motion, for which its mean over all directions stands here. These meanings were
//! found in scenes saved in motion and in the units of the program's panels, since Algodoo documents none.

mod joints;
mod thyme;

use super::Format;
use super::draft::{Draft, Imported, Named, Part};
use crate::model::{
    AppliedForce, Axes, Body, BodyBuilder, BodyId, DrivenForce, Filter, Placement, Profile, Shape,
};
use crate::scene::{KEYS, Problem};
use glam::DVec2;
use std::collections::BTreeMap;
use std::f64::consts::PI;
use thyme::{Block, Reader, Value};

/// The text in the archive.
pub(super) const ENTRY: &str = "scene.phn";

/// Converts the text of a scene.
///
/// # Errors
/// A block without an end, a text without shapes, and what a scene may not contain.
pub(super) fn read(text: &str) -> Result<Imported, Vec<Problem>> {
    let mut reader = Reader::new(text);
    let mut blocks = Vec::new();
    loop {
        match reader.block() {
            Ok(Some(block)) => blocks.push(block),
            Ok(None) => break,
            Err((line, message)) => return Err(vec![Problem { path: format!("line {line}"), message }]),
        }
    }
    let mut draft = Draft::new();
    let (rate, air) = simulation(&mut draft, &blocks);
    let shapes = shapes(&mut draft, &blocks, air);
    joints::add(&mut draft, &blocks, &shapes, rate);
    others(&mut draft, &blocks, &shapes);
    draft.finish(Format::Algodoo, Named::default(), 1.0 / rate)
}

impl Block {
    fn place(&self) -> String {
        format!("line {}: {}", self.line, self.name)
    }

    /// What a call adds: `Box` of `Scene.addBox`.
    fn adds(&self) -> Option<&str> {
        self.name.strip_prefix("Scene.add")
    }

    fn number(&self, draft: &mut Draft, key: &str, default: f64) -> f64 {
        match self.values.get(key) {
            Some(Value::Number(number)) if number.is_finite() => *number,
            Some(_) => {
                draft.leave_out(
                    self.place(),
                    format!("{key} is left out: expected a finite number; it is {default} here"),
                );
                default
            }
            None => default,
        }
    }

    /// Any number of the file, infinity and NaN included.
    fn raw(&self, key: &str) -> Option<f64> {
        match self.values.get(key)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    fn is(&self, key: &str) -> bool {
        self.values.get(key) == Some(&Value::Bool(true))
    }

    fn point(&self, key: &str) -> Option<DVec2> {
        self.values.get(key).and_then(point)
    }

    fn id(&self, key: &str) -> Option<u64> {
        self.raw(key).filter(|id| *id >= 0.0 && id.is_finite()).map(|id| id as u64)
    }
}

fn point(value: &Value) -> Option<DVec2> {
    match value {
        Value::List(items) => match items[..] {
            [Value::Number(x), Value::Number(y)] if x.is_finite() && y.is_finite() => {
                Some(DVec2::new(x, y))
            }
            _ => None,
        },
        _ => None,
    }
}

/// What the air does to a width of 1 m across the motion, N s/m² and N s²/m³.
#[derive(Clone, Copy, Default)]
struct Air {
    linear: f64,
    quadratic: f64,
}

/// Gravity and the wind; the rate of steps, Hz, and the drag of the air.
fn simulation(draft: &mut Draft, blocks: &[Block]) -> (f64, Air) {
    let mut all = Block { line: 0, name: "Sim".to_owned(), values: BTreeMap::new() };
    for block in blocks.iter().filter(|block| block.name == "Sim") {
        all.line = block.line;
        all.values.extend(block.values.clone());
    }
    let strength = all.number(draft, "gravityStrength", 9.8);
    let turned = all.raw("gravityAngleOffset").filter(|angle| angle.is_finite()).unwrap_or(0.0);
    draft.leave_out_if(turned != 0.0, all.place(), "gravityAngleOffset is taken as counter-clockwise");
    let on = all.values.get("gravitySwitch") != Some(&Value::Bool(false));
    let down = if turned == 0.0 { DVec2::NEG_Y } else { DVec2::from_angle(turned).rotate(DVec2::NEG_Y) };
    if let Err(error) = draft.world.set_gravity(if on { down * strength } else { DVec2::ZERO }) {
        draft.leave_out(all.place(), error.to_string());
    }
    let mut air = Air::default();
    if all.values.get("airSwitch") != Some(&Value::Bool(false)) {
        let multiplier = all.number(draft, "airFrictionMultiplier", 1.0).max(0.0);
        let mut term = |key| multiplier * all.number(draft, key, 0.0).max(0.0);
        air = Air { linear: term("airFrictionLinear"), quadratic: term("airFrictionQuadratic") };
        let turn = term("rotFrictionLinear");
        draft.leave_out_if(turn != 0.0, all.place(), &format!("rotFrictionLinear {turn} is left out"));
        let wind =
            DVec2::from_angle(all.number(draft, "windAngle", 0.0)) * all.number(draft, "windStrength", 0.0);
        if let Err(error) = draft.world.set_wind(wind) {
            draft.leave_out(all.place(), error.to_string());
        }
    }
    let rate = all.raw("frequency").filter(|rate| *rate > 0.0 && rate.is_finite()).unwrap_or(60.0);
    (rate, air)
}

/// A shape of the file in the world.
struct Placed {
    body: BodyId,
    position: DVec2,
    angle: f64,
}

impl Placed {
    /// A point in the shape's axes, in the world.
    fn at(&self, point: DVec2) -> DVec2 {
        self.position + DVec2::from_angle(self.angle).rotate(point)
    }
}

/// The shapes by their numbers `geomID`.
type Shapes = BTreeMap<u64, Placed>;

fn shapes(draft: &mut Draft, blocks: &[Block], air: Air) -> Shapes {
    let mut bodies: BTreeMap<(u64, usize), Vec<(&Block, Shape)>> = BTreeMap::new();
    for (index, block) in blocks.iter().enumerate() {
        let Some(shape) = shape(draft, block) else { continue };
        // What stands still, and what names no body, is a body of its own.
        let id = block.id("body");
        let key = match id {
            Some(id) if id > 0 => (id, 0),
            Some(_) => (0, index),
            None => (u64::MAX, index),
        };
        bodies.entry(key).or_default().push((block, shape));
    }
    let mut shapes = Shapes::new();
    for ((number, _), parts) in bodies {
        let Some(body) = body(draft, number == 0, &parts, air) else { continue };
        for (block, _) in &parts {
            let position = block.point("pos").unwrap_or_default();
            let angle = if block.adds() == Some("Plane") { 0.0 } else { angle(block) };
            shapes.extend(block.id("geomID").map(|id| (id, Placed { body, position, angle })));
        }
    }
    shapes
}

fn angle(block: &Block) -> f64 {
    block.raw("angle").filter(|angle| angle.is_finite()).unwrap_or(0.0)
}

/// The shape that a call adds; none of what is no shape.
fn shape(draft: &mut Draft, block: &Block) -> Option<Shape> {
    let shape = match block.adds()? {
        "Box" => block.point("size").map(|size| Shape::Box { size }),
        "Circle" => block.raw("radius").map(|radius| Shape::Circle { radius }),
        "Plane" => Some(Shape::HalfPlane { normal: DVec2::from_angle(angle(block)), offset: 0.0 }),
        "Polygon" => polygon(draft, block),
        _ => return None,
    };
    let Some(shape) = shape else {
        draft.leave_out(block.place(), "the shape is left out: expected its size");
        return None;
    };
    draft.shape(block.place(), shape)
}

/// The first contour; those within it are holes.
fn polygon(draft: &mut Draft, block: &Block) -> Option<Shape> {
    let contour = |value: &Value| -> Option<Vec<DVec2>> {
        let Value::List(points) = value else { return None };
        points.iter().map(point).collect()
    };
    let mut vertices = match (block.values.get("surfaces"), block.values.get("vecs")) {
        (Some(Value::List(surfaces)), _) => {
            let holes = surfaces.len().saturating_sub(1);
            if holes > 0 {
                draft.leave_out(
                    block.place(),
                    format!("{holes} further contours of the polygon are left out: it has no holes here"),
                );
            }
            contour(surfaces.first()?)?
        }
        (_, Some(vecs)) => contour(vecs)?,
        _ => return None,
    };
    vertices.dedup();
    if vertices.len() > 1 && vertices.first() == vertices.last() {
        vertices.pop();
    }
    Some(Shape::Polygon { vertices, radius: 0.0 })
}

fn body(draft: &mut Draft, still: bool, parts: &[(&Block, Shape)], air: Air) -> Option<BodyId> {
    let (first, _) = parts.first()?;
    let place = first.place();
    let Some(origin) = first.point("pos") else {
        draft.leave_out(place, "the body is left out: expected pos, [x, y]");
        return None;
    };
    // The boundary of a half plane is turned with its normal.
    let own = |block: &Block| if block.adds() == Some("Plane") { 0.0 } else { angle(block) };
    let turned = own(first);
    let mut made = Vec::new();
    for (block, shape) in parts {
        let offset = DVec2::from_angle(-turned).rotate(block.point("pos").unwrap_or(origin) - origin);
        let placement =
            Placement { offset, angle: own(block) - turned, ..Placement::centred(shape.clone()) };
        let density = block.number(draft, "density", 2.0);
        let [friction, restitution] = material(draft, block);
        made.push(Part { placement, density, friction, restitution, filter: filter(block) });
    }
    let builder = if still { Body::fixed() } else { Body::dynamic() };
    let mut builder = draft.solid(&place, builder.at(origin).angle(turned), made, None, !still);
    let multiplier = first.number(draft, "inertiaMultiplier", 1.0);
    if !still && multiplier != 1.0 {
        if parts.len() == 1 {
            builder = with_inertia(builder, multiplier);
        } else {
            draft.leave_out(&place, "inertiaMultiplier is left out: the body has several shapes");
        }
    }
    let body = draft.body(&place, builder)?;
    if !still {
        let (velocity, rate) = (first.point("vel").unwrap_or_default(), first.number(draft, "angvel", 0.0));
        let widths = parts
            .iter()
            .map(|(block, shape)| width(shape) * block.number(draft, "airFrictionMult", 1.0).max(0.0));
        let width: f64 = widths.sum();
        draft.change(&place, body, |body| {
            let arm = body.pose.position - origin;
            body.velocity.linear = velocity + arm.perp() * rate;
            body.velocity.angular = rate;
            (body.damping.drag, body.damping.quadratic_drag) = (air.linear * width, air.quadratic * width);
        });
    }
    for (block, _) in parts {
        forces(draft, block);
    }
    Some(body)
}

/// The width of a shape across a motion, m, its mean over directions of half a turn.
fn width(shape: &Shape) -> f64 {
    /// Directions: a square's mean is then 2e-5 from that over all, its perimeter over π.
    const DIRECTIONS: u32 = 90;
    let corners = match shape {
        Shape::Circle { radius } => return 2.0 * radius,
        Shape::Box { size } => {
            let half = 0.5 * *size;
            vec![half, -half, DVec2::new(half.x, -half.y), DVec2::new(-half.x, half.y)]
        }
        Shape::Polygon { vertices, .. } => vertices.clone(),
        _ => return 0.0,
    };
    let across = |direction: DVec2| {
        let along = corners.iter().map(|corner| corner.dot(direction));
        along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
    };
    let angles = (0..DIRECTIONS).map(|i| PI * (f64::from(i) + 0.5) / f64::from(DIRECTIONS));
    angles.map(|angle| across(DVec2::from_angle(angle))).sum::<f64>() / f64::from(DIRECTIONS)
}

/// The builder with its inertia times a factor.
fn with_inertia(builder: BodyBuilder, factor: f64) -> BodyBuilder {
    match builder.clone().build() {
        Ok(body) => {
            let mass = body.mass_properties();
            builder.mass_and_inertia(mass.mass, mass.inertia * factor)
        }
        Err(_) => builder,
    }
}

/// Friction and restitution of a shape.
fn material(draft: &mut Draft, block: &Block) -> [f64; 2] {
    /// What stands for a friction without a limit.
    const GREAT: f64 = 1e6;
    let own = ["friction", "restitution"].map(|key| block.raw(key).unwrap_or(0.5));
    let within =
        [own[0].clamp(0.0, GREAT), own[1].clamp(0.0, 1.0)].map(|x| if x.is_nan() { 0.5 } else { x });
    for (key, (stated, taken)) in ["friction", "restitution"].into_iter().zip(own.into_iter().zip(within)) {
        if stated != taken {
            draft.leave_out(block.place(), format!("{key} {stated} is left out: it is {taken} here"));
        }
    }
    within
}

/// The layers of a shape; shapes of one set that all say `heteroCollide` are a group that does not collide.
fn filter(block: &Block) -> Filter {
    let layers = block.id("collideSet").unwrap_or(1) as u32;
    let group = if block.is("heteroCollide") { -1 - (layers & 0x3fff_ffff) as i32 } else { 0 };
    Filter { categories: layers, mask: layers, group }
}

/// What acts on a shape and has no place in a scene.
fn forces(draft: &mut Draft, block: &Block) {
    let place = block.place();
    let nonzero = |key: &str| match block.values.get(key) {
        Some(Value::Number(number)) => *number != 0.0,
        Some(Value::List(items)) => items.iter().any(|item| matches!(item, Value::Number(x) if *x != 0.0)),
        _ => false,
    };
    for key in ["attraction", "materialVelocity", "adhesion", "velocityDamping"] {
        draft.leave_out_if(nonzero(key), &place, &format!("{key} is left out"));
    }
    let keyed = block.values.contains_key("forceController");
    draft.leave_out_if(keyed, &place, "forceController is left out: no key acts");
}

/// A force at a point of a shape, `rotation` from the x axis when the scene was saved: it keeps its direction unless it
/// follows the shape, and acts while its key is held.
fn thruster(draft: &mut Draft, block: &Block, shapes: &Shapes) {
    let place = block.place();
    let Some(on) = block.id("geom").and_then(|id| shapes.get(&id)) else {
        return draft.leave_out(place, "the thruster is left out: it is on no shape");
    };
    let force = block.number(draft, "force", 0.0);
    let switch = match block.values.get("activationButton") {
        Some(Value::Text(key)) if !key.is_empty() => {
            let known = KEYS.iter().position(|own| own.eq_ignore_ascii_case(key));
            let Some(known) = known else {
                let why = format!("the thruster of {force} N is left out: no key here is like '{key}'");
                return draft.leave_out(place, why);
            };
            Some(known as u8)
        }
        _ => None,
    };
    let force = DVec2::from_angle(block.number(draft, "rotation", 0.0)) * force;
    let point = on.at(block.point("relPoint").unwrap_or_default());
    draft.change(&place, on.body, |body| {
        let back = DVec2::from_angle(-body.pose.angle);
        let follows = block.is("followGeometry");
        let (axes, force) = if follows { (Axes::Body, back.rotate(force)) } else { (Axes::World, force) };
        let at = back.rotate(point - body.pose.position);
        let applied = AppliedForce { at, axes, ..AppliedForce::force(force) };
        body.driven.push(DrivenForce { switch, ..DrivenForce::new(applied, Profile::Constant(1.0)) });
    });
}

/// Thrusters, water and programs.
fn others(draft: &mut Draft, blocks: &[Block], shapes: &Shapes) {
    for block in blocks {
        match block.adds() {
            Some("Thruster") => thruster(draft, block, shapes),
            Some("Water") => draft.leave_out(block.place(), "the water is left out"),
            // These draw, name and group, or are read with what they belong to.
            Some(
                "Box" | "Circle" | "Polygon" | "Plane" | "Hinge" | "Fixjoint" | "Fixate" | "Spring"
                | "LineEndPoint" | "Pen" | "LaserPen" | "Group" | "Widget" | "Layer" | "Contact",
            )
            | None => {}
            Some(other) => draft.leave_out(block.place(), format!("'{other}' is left out")),
        }
        if block.adds().is_some() {
            let programs =
                block.values.iter().filter(|(_, value)| **value == Value::Program { acts: true });
            let keys: Vec<_> = programs.map(|(key, _)| key.as_str()).collect();
            if !keys.is_empty() {
                draft.leave_out(block.place(), format!("the programs {} are left out", keys.join(", ")));
            }
        }
    }
}
