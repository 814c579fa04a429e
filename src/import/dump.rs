//! The text of `b2World::Dump` (Box2D 2.1 to 2.4): assignments and calls in the manner of C++, statement by statement.
//!
//! ```text
//! b2BodyDef bd;  bd.position.Set(0.0f, 4.0f);  bodies[0] = m_world->CreateBody(&bd);
//! b2FixtureDef fd;  b2PolygonShape shape;  vs[0].Set(…);  shape.Set(vs, 4);  bodies[0]->CreateFixture(&fd);
//! b2RevoluteJointDef jd;  jd.bodyA = bodies[0];  joints[0] = m_world->CreateJoint(&jd);
//! ```
//!
//! Statements that are none of these are passed over, so that a file of code around a dump is read, too. A dump states no
//! time step: it is 1/60 s, Box2D's own.

use super::Format;
use super::box2d::{BodyDef, FixtureDef, JointDef, ShapeDef, SoftDef, convert};
use super::draft::{Draft, Imported, Named};
use crate::model::Filter;
use crate::scene::Problem;
use glam::DVec2;
use std::collections::BTreeMap;

/// Converts the text.
///
/// # Errors
/// A text without bodies, and what a scene may not contain.
pub(super) fn read(text: &str) -> Result<Imported, Vec<Problem>> {
    let mut draft = Draft::new();
    let mut dump = Dump::default();
    for (line, statement) in statements(text) {
        dump.take(&mut draft, line, statement);
    }
    if let Err(error) = draft.world.set_gravity(dump.gravity) {
        draft.leave_out("gravity", error.to_string());
    }
    convert(&mut draft, dump.bodies, dump.joints);
    draft.finish(Format::Box2d, Named::default(), 1.0 / 60.0)
}

/// The statements with the lines on which they begin: what stands between semicolons and braces, without comments.
fn statements(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().flat_map(|(index, line)| {
        let code = line.split("//").next().unwrap_or_default();
        code.split([';', '{', '}'])
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(move |part| (index + 1, part))
    })
}

/// What has been read so far.
#[derive(Default)]
struct Dump {
    gravity: DVec2,
    bodies: Vec<BodyDef>,
    joints: Vec<JointDef>,
    body: Option<BodyDef>,
    fixture: Option<FixtureDef>,
    shape: Shape,
    joint: Option<JointDef>,
    /// Keys of the joint, which mean different things in different kinds.
    values: BTreeMap<String, Vec<f64>>,
}

/// The parts of a shape, in whichever order.
#[derive(Default)]
struct Shape {
    kind: String,
    radius: f64,
    center: DVec2,
    points: Vec<DVec2>,
    ends: [DVec2; 2],
}

impl Dump {
    fn take(&mut self, draft: &mut Draft, line: usize, statement: &str) {
        let place = || format!("line {line}");
        if let Some((kind, name)) = declaration(statement) {
            match (kind, name) {
                ("b2BodyDef", _) => self.body = Some(BodyDef::new(place())),
                ("b2FixtureDef", _) => {
                    self.fixture = Some(FixtureDef::new(place()));
                    self.shape = Shape::default();
                }
                (kind, _) if kind.ends_with("Shape") => {
                    self.shape = Shape { kind: kind.to_owned(), ..Shape::default() };
                }
                (kind, _) if kind.ends_with("JointDef") => {
                    let kind = kind.trim_start_matches("b2").trim_end_matches("JointDef").to_lowercase();
                    self.joint = Some(JointDef { place: place(), kind, ..JointDef::default() });
                    self.values.clear();
                }
                ("b2Vec2", name) if name.starts_with("g(") => self.gravity = point(&numbers(name)),
                _ => {}
            }
            return;
        }
        if statement.contains("->CreateBody(") {
            self.bodies.extend(self.body.take());
        } else if statement.contains("->CreateFixture(") {
            self.end_fixture(draft, statement, line);
        } else if statement.contains("->CreateJoint(") {
            let values = std::mem::take(&mut self.values);
            let made = index(statement);
            let joint = self.joint.take().map(|joint| JointDef { index: made, ..finished(joint, &values) });
            self.joints.extend(joint);
        } else if let Some((target, key)) = statement.split_once('.') {
            self.set(target, key);
        }
    }

    fn end_fixture(&mut self, draft: &mut Draft, statement: &str, line: usize) {
        let Some(mut fixture) = self.fixture.take() else { return };
        let Shape { kind, radius, center, points, ends } = std::mem::take(&mut self.shape);
        fixture.shape = match kind.as_str() {
            "b2CircleShape" => Some(ShapeDef::Circle { center, radius }),
            "b2PolygonShape" => Some(ShapeDef::Polygon(points)),
            "b2ChainShape" | "b2LoopShape" => Some(ShapeDef::Chain(points)),
            "b2EdgeShape" => Some(ShapeDef::Chain(ends.to_vec())),
            _ => None,
        };
        match index(statement).and_then(|index| self.bodies.get_mut(index)) {
            Some(body) => body.fixtures.push(fixture),
            None => {
                draft.leave_out(format!("line {line}"), "the fixture is left out: its body is not there")
            }
        }
    }

    /// An assignment or a call of `Set`: `key` stands behind the first point.
    fn set(&mut self, target: &str, key: &str) {
        let end = key.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(key.len());
        let (name, rest) = key.split_at(end);
        let name = name.strip_suffix(".Set").unwrap_or(name);
        let values = numbers(rest);
        let value = values.last().copied().unwrap_or_default();
        match target.trim() {
            "bd" => self.set_body(name, &values, value),
            "fd" => self.set_fixture(name, value),
            "shape" => match name {
                "m_radius" => self.shape.radius = value,
                "m_p" => self.shape.center = point(&values),
                "m_vertex1" => self.shape.ends[0] = point(&values),
                "m_vertex2" => self.shape.ends[1] = point(&values),
                "Set" | "CreateChain" | "CreateLoop" => {
                    let count = rest.rsplit(',').next().map(numbers).and_then(|n| n.first().copied());
                    self.shape.points.truncate(count.unwrap_or_default().max(0.0) as usize);
                    if name == "CreateLoop" {
                        self.shape.points.extend(self.shape.points.first().copied());
                    }
                }
                _ => {}
            },
            "jd" => self.set_joint(name, rest, values),
            target if target.starts_with("vs[") => {
                let points = &mut self.shape.points;
                match index(target) {
                    Some(index) if index < points.len() => points[index] = point(&values),
                    Some(index) if index == points.len() => points.push(point(&values)),
                    // A dump counts its points; memory is not taken for an index alone.
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn set_body(&mut self, name: &str, values: &[f64], value: f64) {
        let Some(body) = &mut self.body else { return };
        match name {
            "type" => body.kind = value,
            "position" => body.position = point(values),
            "angle" => body.angle = value,
            "linearVelocity" => body.linear_velocity = point(values),
            "angularVelocity" => body.angular_velocity = value,
            "linearDamping" => body.linear_damping = value,
            "angularDamping" => body.angular_damping = value,
            "fixedRotation" => body.fixed_rotation = value != 0.0,
            "active" | "enabled" => body.active = value != 0.0,
            "gravityScale" => body.gravity_scale = value,
            _ => {}
        }
    }

    fn set_fixture(&mut self, name: &str, value: f64) {
        let Some(fixture) = &mut self.fixture else { return };
        let Filter { categories, mask, group } = &mut fixture.filter;
        match name {
            "friction" => fixture.friction = value,
            "restitution" => fixture.restitution = value,
            "density" => fixture.density = value,
            "isSensor" => fixture.sensor = value != 0.0,
            "filter.categoryBits" => *categories = value as u32,
            "filter.maskBits" => *mask = value as u32,
            "filter.groupIndex" => *group = value as i32,
            _ => {}
        }
    }

    fn set_joint(&mut self, name: &str, rest: &str, values: Vec<f64>) {
        let Some(joint) = &mut self.joint else { return };
        match name {
            "bodyA" => joint.bodies[0] = index(rest),
            "bodyB" => joint.bodies[1] = index(rest),
            "joint1" => joint.geared[0] = index(rest),
            "joint2" => joint.geared[1] = index(rest),
            _ => {
                self.values.insert(name.to_owned(), values);
            }
        }
    }
}

/// A joint with its keys.
fn finished(joint: JointDef, values: &BTreeMap<String, Vec<f64>>) -> JointDef {
    let all = |key: &str| values.get(key).map(Vec::as_slice).unwrap_or_default();
    let number = |key: &str| all(key).last().copied();
    let either = |a: &str, b: &str| number(a).or(number(b)).unwrap_or_default();
    let is = |key: &str| number(key).is_some_and(|value| value != 0.0);
    let (rate, ratio) = (either("frequencyHz", "frequency"), either("dampingRatio", ""));
    let (stiffness, damping) = (either("stiffness", ""), either("damping", ""));
    let soft = match (rate > 0.0, stiffness > 0.0 || damping > 0.0) {
        (true, _) => SoftDef::Rate(rate, ratio),
        (false, true) => SoftDef::Given(stiffness, damping),
        (false, false) => SoftDef::None,
    };
    JointDef {
        collide_connected: is("collideConnected"),
        anchors: ["localAnchorA", "localAnchorB"].map(|key| point(all(key))),
        axis: point(all("localAxisA")),
        reference_angle: either("referenceAngle", ""),
        limits: is("enableLimit")
            .then(|| [either("lowerAngle", "lowerTranslation"), either("upperAngle", "upperTranslation")]),
        motor: is("enableMotor")
            .then(|| [either("motorSpeed", ""), either("maxMotorTorque", "maxMotorForce")]),
        length: either("length", ""),
        longest: either("maxLength", ""),
        wheels: ["groundAnchorA", "groundAnchorB"].map(|key| point(all(key))),
        parts: [either("lengthA", ""), either("lengthB", "")],
        ratio: either("ratio", ""),
        offset: point(all("linearOffset")),
        angular_offset: either("angularOffset", ""),
        bounds: [either("maxForce", ""), either("maxTorque", "")],
        correction: either("correctionFactor", ""),
        lengths: number("minLength").zip(number("maxLength")).map(|(least, most)| [least, most]),
        soft,
        ..joint
    }
}

/// `KIND NAME` of a declaration.
fn declaration(statement: &str) -> Option<(&str, &str)> {
    let (kind, name) = statement.split_once(char::is_whitespace)?;
    (kind.starts_with("b2") && kind.chars().all(char::is_alphanumeric)).then(|| (kind, name.trim()))
}

/// The number in the first brackets.
fn index(text: &str) -> Option<usize> {
    text.split_once('[')?.1.split_once(']')?.0.trim().parse().ok()
}

fn point(values: &[f64]) -> DVec2 {
    match values {
        [x, y, ..] => DVec2::new(*x, *y),
        _ => DVec2::ZERO,
    }
}

/// The numbers of a text, `1.0e+00f` as well as `uint16(1)`; `true` and `false` are 1 and 0.
fn numbers(text: &str) -> Vec<f64> {
    let part = |part: &str| match part {
        "true" => Some(1.0),
        "false" => Some(0.0),
        part => part.strip_suffix(['f', 'F']).unwrap_or(part).parse::<f64>().ok().filter(|x| x.is_finite()),
    };
    // A word before a bracket is the name of a type.
    text.split(|c: char| !(c.is_alphanumeric() || "+-._".contains(c))).filter_map(part).collect()
}
