//! Joints and springs, read and written.
//!
//! The anchors on the two bodies are given in one of three ways: in the world at the initial poses (`anchor`, or
//! `anchors` where the two may differ), in body coordinates (`anchor_a`, `anchor_b`), or relative to the centres of
//! mass (`arm_a`, `arm_b`: what the engine holds; a save uses it where body coordinates would round).

use super::bearing;
use super::coordinate::{self, Coordinate};
use super::curves;
use super::directory::Directory;
use super::profile;
use super::pulleys::{self, PULLEY};
use super::reader::{Cursor, Object};
use super::write::{number, object, pair};
use crate::internal::Rotation;
use crate::model::joint::{Bead, Distance, DistanceForm, Hinge, PoseMotor, Rope, Side, Slider, Slot, Weld};
use crate::model::{Body, Breaking, Frame, Joint, JointId, JointKind, Softness, Spring};
use glam::{DVec2, DVec3};
use serde_json::{Value, json};

const FORMS: &[(&str, DistanceForm)] =
    &[("length", DistanceForm::Length), ("squared", DistanceForm::Squared)];

/// Reads one element of `joints`.
pub(super) fn read(cursor: &Cursor<'_>, directory: &Directory<'_>) -> Option<Joint> {
    let keys = cursor.object("a joint {\"joint\": …, \"bodies\": […]}")?;
    let kind = keys.require("joint", "the kind of joint")?;
    type Read = fn(&Object<'_>, Option<[&Body; 2]>) -> Option<JointKind>;
    let own = [
        ("hinge", hinge as Read),
        ("distance", distance),
        ("rope", rope),
        (PULLEY, rope),
        ("weld", weld),
        ("slider", slider),
        ("slot", slot),
        ("wheel", wheel),
        ("bead", bead),
        ("motor", motor),
    ];
    // The others are read elsewhere: they are here for the message that lists all kinds.
    let others = [GEAR].into_iter().chain(super::nonholonomic::keys()).map(|key| (key, hinge as Read));
    let read: Read = kind.one_of("a kind of joint", &own.into_iter().chain(others).collect::<Vec<_>>())?;
    let key = kind.text()?;
    let bodies = directory.pair(&keys, "joint");
    let ends = bodies.and_then(|bodies| directory.ends(bodies));
    let is_bounded = bearing::is_bounded(&keys, key);
    let (kind, further) = if key == PULLEY {
        let anchors = anchors(&keys, ends, Anchors::Two);
        pulleys::read(&keys, directory, bodies, anchors)
            .map_or((None, None), |(kind, further)| (Some(kind), further))
    } else {
        (if is_bounded { rope(&keys, ends) } else { read(&keys, ends) }, None)
    };
    let coordinate = if is_bounded {
        let placed = kind.as_ref().zip(ends).map(|(kind, ends)| placed_distance(kind.anchors(), ends));
        bearing::distances(&keys, key, placed)
    } else {
        coordinate::read(&keys, key, ends)
    };
    let has_length = key == "rope" || key == PULLEY || key == "distance" && !is_bounded;
    let length_profile = if has_length { keys.get("length") } else { None };
    let length_profile = length_profile.map_or(Some(None), |cursor| profile::of_length(&cursor));
    let collide_connected = keys.or("collide_connected", false, Cursor::boolean);
    let known = bodies.zip(kind).zip(coordinate).zip(collide_connected);
    let joint = known.and_then(|(((bodies, kind), coordinate), collide_connected)| {
        let Coordinate { limits, zero, motor, profiles, servo, friction } = coordinate;
        let mut joint = Joint::new(bodies, kind).between_others(bodies, further);
        (joint.collide_connected, joint.limits) = (collide_connected, limits);
        (joint.zero, joint.motor, joint.servo, joint.friction) = (zero, motor, servo, friction);
        [joint.speed_profile, joint.force_profile] = profiles;
        bearing::read(&keys, &mut joint, ends)?;
        joint.length_profile = length_profile?;
        if let (Some(cursor), true) = (keys.get("softness"), joint.length_profile.is_some()) {
            cursor.problem(
                "expected a 'length' that is a number together with it: a soft joint's is not driven",
            );
            return None;
        }
        Some(joint)
    });
    if joint.is_none() {
        bearing::ask(&keys);
    }
    keys.finish();
    joint
}

/// The name of a gear, which ties two joints and is read by [`read_gear`].
const GEAR: &str = "gear";

/// A gear of the joints with these indices among the joints of the file.
pub(super) struct GearOf {
    pub joints: [usize; 2],
    pub ratio: f64,
    pub constant: Option<f64>,
    pub breaking: Option<Breaking>,
    pub broken: bool,
}

/// Whether an element of `joints` is a gear.
pub(super) fn is_gear(cursor: &Cursor<'_>) -> bool {
    let quiet = super::problems::Log::default();
    let kind = cursor.quietly(&quiet).object("a joint").and_then(|keys| keys.get("joint"));
    kind.is_some_and(|kind| kind.is_text() && kind.text() == Some(GEAR))
}

/// The key of a joint before a gear, and whether a gear can tie it; `None` of one that could not be read.
pub(super) type Known = Option<(&'static str, bool)>;

/// Reads a gear; `known` are the joints before it.
pub(super) fn read_gear(cursor: &Cursor<'_>, known: &[Known]) -> Option<GearOf> {
    let keys = cursor.object("a gear {\"joint\": \"gear\", \"joints\": [0, 1], \"ratio\": …}")?;
    keys.require("joint", "the kind of joint")?.one_of("a kind of joint", &[(GEAR, ())])?;
    let pair = keys.require("joints", "two indices of joints");
    let joints = pair.as_ref().and_then(|pair| {
        let [a, b] = pair.exactly("two indices of joints")?.map(|index| tied(&index, known));
        let (a, b) = (a?, b?);
        if a == b {
            pair.problem(format!("expected two different joints, found {a} twice"));
        }
        (a != b).then_some([a, b])
    });
    let ratio = keys.require("ratio", "a number other than 0");
    let ratio = ratio.and_then(|c| c.number_that("a number other than 0", |x| x != 0.0));
    let constant = keys.maybe("constant", Cursor::number);
    let bears = bearing::read_gear(&keys);
    keys.finish();
    let (breaking, broken) = bears?;
    Some(GearOf { joints: joints?, ratio: ratio?, constant: constant?, breaking, broken })
}

/// The index of an earlier joint with a free coordinate.
fn tied(cursor: &Cursor<'_>, known: &[Known]) -> Option<usize> {
    let index = cursor.unsigned()? as usize;
    match known.get(index) {
        None => {
            let found = match known.len() {
                0 => "there is none".to_owned(),
                count => format!("an index below {count}"),
            };
            cursor
                .problem(format!("expected the index of a joint before this one ({found}), found {index}"));
            None
        }
        Some(Some((key, false))) => {
            cursor.problem(format!(
                "expected the index of a hinge, slider, slot or wheel, found {index}, a {key}"
            ));
            None
        }
        Some(_) => Some(index),
    }
}

/// Reads one element of `springs`.
pub(super) fn read_spring(cursor: &Cursor<'_>, directory: &Directory<'_>) -> Option<Spring> {
    let keys = cursor.object("a spring {\"bodies\": […], \"stiffness\": …}")?;
    let bodies = directory.pair(&keys, "spring");
    let ends = bodies.and_then(|bodies| directory.ends(bodies));
    let rest_angle = keys.maybe("rest_angle", Cursor::number);
    let torsional = keys.get("rest_angle").is_some();
    let anchors = anchors(&keys, ends, if torsional { Anchors::One } else { Anchors::Two });
    let stiffness = keys.require("stiffness", "a number, 0 or more").map(|c| c.not_negative());
    let damping = keys.or("damping", 0.0, Cursor::not_negative);
    let rest_length =
        if torsional { Some(Some(0.0)) } else { keys.maybe("rest_length", Cursor::not_negative) };
    let mut borne = Spring::new([0; 2], [DVec2::ZERO; 2], Softness { stiffness: 0.0, damping: 0.0 }, 0.0);
    borne.rest_angle = torsional.then_some(0.0);
    let bears = bearing::read_spring(&keys, &mut borne);
    keys.finish();
    bears?;
    let anchors = anchors?;
    let softness = Softness { stiffness: stiffness??, damping: damping? };
    let rest_length = match rest_length? {
        Some(length) => length,
        None => placed_distance(anchors, ends?),
    };
    let mut spring = Spring::new(bodies?, anchors, softness, rest_length);
    spring.rest_angle = rest_angle?;
    (spring.breaking, spring.broken) = (borne.breaking, borne.broken);
    Some(spring)
}

fn hinge(keys: &Object<'_>, ends: Option<[&Body; 2]>) -> Option<JointKind> {
    let anchors = anchors(keys, ends, Anchors::One)?;
    Some(JointKind::Hinge(Hinge { anchors }))
}

fn weld(keys: &Object<'_>, ends: Option<[&Body; 2]>) -> Option<JointKind> {
    let anchors = anchors(keys, ends, Anchors::One);
    let reference_angle = reference_angle(keys, ends);
    Some(JointKind::Weld(Weld { anchors: anchors?, reference_angle: reference_angle? }))
}

fn slider(keys: &Object<'_>, ends: Option<[&Body; 2]>) -> Option<JointKind> {
    let anchors = anchors(keys, ends, Anchors::One);
    let reference_angle = reference_angle(keys, ends);
    let axis = axis(keys, ends);
    Some(JointKind::Slider(Slider { anchors: anchors?, axis: axis?, reference_angle: reference_angle? }))
}

fn slot(keys: &Object<'_>, ends: Option<[&Body; 2]>) -> Option<JointKind> {
    let anchors = anchors(keys, ends, Anchors::One);
    let axis = axis(keys, ends);
    Some(JointKind::Slot(Slot { anchors: anchors?, axis: axis?, suspension: None }))
}

/// A slot with a suspension: `stiffness` and `damping`, or the frequency and damping ratio of the bodies as placed.
fn wheel(keys: &Object<'_>, ends: Option<[&Body; 2]>) -> Option<JointKind> {
    let JointKind::Slot(slot) = slot(keys, ends)? else { return None };
    let own = [keys.get("stiffness"), keys.get("damping")];
    let swinging = [keys.get("frequency"), keys.get("damping_ratio")];
    let suspension = match (own, swinging) {
        ([None, None], [Some(frequency), ratio]) => {
            let frequency = frequency.positive();
            let ratio = ratio.map_or(Some(0.0), |own| own.not_negative());
            let (frequency, ratio, bodies) = (frequency?, ratio?, ends?);
            let [a, b] = bodies.map(|body| Frame::new(body.pose.coordinates(), DVec3::ZERO));
            let mass = slot.moved_mass([&a, &b], bodies.map(Body::inverse_mass));
            Softness::of(mass, frequency, ratio)
        }
        (_, [None, None]) => {
            let stiffness = keys.require("stiffness", "a number, 0 or more, or 'frequency'");
            let damping = keys.or("damping", 0.0, Cursor::not_negative);
            Softness { stiffness: stiffness.and_then(|c| c.not_negative())?, damping: damping? }
        }
        (_, [_, Some(wrong)]) | (_, [Some(wrong), _]) => {
            wrong.problem("expected either 'frequency' and 'damping_ratio', or 'stiffness' and 'damping'");
            return None;
        }
    };
    Some(JointKind::Slot(Slot { suspension: Some(suspension), ..slot }))
}

fn bead(keys: &Object<'_>, ends: Option<[&Body; 2]>) -> Option<JointKind> {
    let anchors = anchors(keys, ends, Anchors::Two);
    let curve = keys.require("curve", "a curve {\"kind\": …}").and_then(|c| curves::read(&c));
    let side = keys.or("side", Side::On, |c| c.one_of("a side", &curves::SIDES));
    let angle = match (keys.maybe("angle", Cursor::number), keys.maybe("angle_a", Cursor::number)) {
        (Some(None), Some(Some(own))) => Some(own),
        (Some(Some(_)), Some(Some(_))) => {
            keys.cursor().problem("expected either 'angle' or 'angle_a', found both");
            None
        }
        (Some(world), Some(None)) => ends.map(|[a, _]| world.unwrap_or(0.0) - a.pose.angle),
        _ => None,
    };
    Some(JointKind::Bead(Bead { anchors: anchors?, curve: curve?, angle: angle?, side: side? }))
}

fn motor(keys: &Object<'_>, ends: Option<[&Body; 2]>) -> Option<JointKind> {
    let anchors = anchors(keys, ends, Anchors::One);
    let offset = keys.or("offset", DVec2::ZERO, Cursor::vector);
    let angle = reference_angle(keys, ends);
    let frequency = keys.require("frequency", "a number of Hz, 0 or more").and_then(|c| c.not_negative());
    let damping_ratio = keys.or("damping_ratio", 1.0, Cursor::not_negative);
    let bound = |key, expected| keys.require(key, expected).and_then(|c| c.not_negative());
    let max_force = bound("max_force", "a number of N, 0 or more");
    let max_torque = bound("max_torque", "a number of N m, 0 or more");
    Some(JointKind::PoseMotor(PoseMotor {
        anchors: anchors?,
        offset: offset?,
        angle: angle?,
        frequency: frequency?,
        damping_ratio: damping_ratio?,
        max_force: max_force?,
        max_torque: max_torque?,
    }))
}

/// The axis in the frame of body a.
fn axis(keys: &Object<'_>, ends: Option<[&Body; 2]>) -> Option<DVec2> {
    match (keys.get("axis"), keys.get("axis_a")) {
        (Some(world), None) => world.direction().and_then(|axis| {
            let [a, _] = ends?;
            Some(Rotation::from_angle(a.pose.angle).inverse_apply(axis))
        }),
        (None, Some(own)) => own.direction(),
        (Some(both), Some(_)) => {
            both.problem("expected either 'axis' or 'axis_a', found both");
            None
        }
        (None, None) => keys.require("axis", "a direction [x, y]").and(None),
    }
}

fn distance(keys: &Object<'_>, ends: Option<[&Body; 2]>) -> Option<JointKind> {
    let anchors = anchors(keys, ends, Anchors::Two);
    let length = keys.maybe("length", profile::length);
    let form = keys.or("form", DistanceForm::default(), |c| c.one_of("a form", FORMS));
    let (anchors, length, form) = (anchors?, length?, form?);
    let length = match length {
        Some(length) => length,
        None => {
            let placed = placed_distance(anchors, ends?);
            if placed <= 0.0 {
                keys.cursor().problem("the anchors coincide: expected a 'length' greater than 0");
                return None;
            }
            placed
        }
    };
    Some(JointKind::Distance(Distance { anchors, length, form }))
}

fn rope(keys: &Object<'_>, ends: Option<[&Body; 2]>) -> Option<JointKind> {
    let anchors = anchors(keys, ends, Anchors::Two)?;
    Some(JointKind::Rope(Rope { anchors }))
}

/// The angle θ_b − θ_a; by default that of the bodies as placed.
fn reference_angle(keys: &Object<'_>, ends: Option<[&Body; 2]>) -> Option<f64> {
    match keys.maybe("reference_angle", Cursor::number)? {
        Some(angle) => Some(angle),
        None => ends.map(|[a, b]| b.pose.angle - a.pose.angle),
    }
}

/// Whether the world form of an anchor is one point (`anchor`) or two (`anchors`).
#[derive(Clone, Copy, PartialEq)]
enum Anchors {
    One,
    Two,
}

/// The anchors relative to the centres of mass.
fn anchors(keys: &Object<'_>, ends: Option<[&Body; 2]>, world: Anchors) -> Option<[DVec2; 2]> {
    let in_world = keys.get(if world == Anchors::One { "anchor" } else { "anchors" });
    let in_bodies = [keys.get("anchor_a"), keys.get("anchor_b")];
    let arms = [keys.get("arm_a"), keys.get("arm_b")];
    let any = |pair: &[Option<Cursor<'_>>; 2]| pair.iter().any(Option::is_some);
    match (in_world, any(&in_bodies), any(&arms)) {
        (Some(cursor), false, false) => {
            let points = match world {
                Anchors::One => cursor.vector().map(|point| [point; 2]),
                Anchors::Two => {
                    let points = cursor.exactly::<2>("two points [[x, y], [x, y]]")?;
                    let [a, b] = points.map(|point| point.vector());
                    a.zip(b).map(|(a, b)| [a, b])
                }
            };
            let ([p_a, p_b], [a, b]) = (points?, ends?);
            Some([arm(a, p_a), arm(b, p_b)])
        }
        (None, true, false) => {
            let [on_a, on_b] = both(keys, ["anchor_a", "anchor_b"])?;
            let [a, b] = ends?;
            Some([on_a - a.mass_properties().center, on_b - b.mass_properties().center])
        }
        (None, false, true) => both(keys, ["arm_a", "arm_b"]),
        (None, false, false) => match world {
            Anchors::One => keys.require("anchor", "a point [x, y], or 'anchor_a' and 'anchor_b'"),
            Anchors::Two => keys.require("anchors", "two points, or 'anchor_a' and 'anchor_b'"),
        }
        .and(None),
        _ => {
            keys.cursor().problem(match world {
                Anchors::One => "expected either 'anchor', or 'anchor_a' and 'anchor_b', found both",
                Anchors::Two => "expected either 'anchors', or 'anchor_a' and 'anchor_b', found both",
            });
            None
        }
    }
}

fn both(keys: &Object<'_>, names: [&'static str; 2]) -> Option<[DVec2; 2]> {
    let [a, b] = names.map(|name| keys.require(name, "a point [x, y]").and_then(|c| c.vector()));
    Some([a?, b?])
}

/// A world point relative to the body's centre of mass, in its frame.
fn arm(body: &Body, world: DVec2) -> DVec2 {
    Rotation::from_angle(body.pose.angle).inverse_apply(world - body.pose.position)
}

fn placed_distance([on_a, on_b]: [DVec2; 2], [a, b]: [&Body; 2]) -> f64 {
    let place = |body: &Body, arm| body.pose.position + Rotation::from_angle(body.pose.angle).apply(arm);
    place(a, on_a).distance(place(b, on_b))
}

/// Writes one element of `joints`; nothing of a joint of another crate.
pub(super) fn write(joint: &Joint, all: &[JointId], bodies: &[Body], names: &[String]) -> Option<Value> {
    if let JointKind::Gear(gear) = &joint.kind {
        let index = |id: JointId| all.binary_search(&id).ok();
        let mut keys = vec![
            ("joint", json!(GEAR)),
            ("joints", json!(gear.joints().map(index))),
            ("ratio", number(gear.ratio)),
            ("constant", number(gear.constant)),
        ];
        keys.extend(bearing::write(joint));
        return Some(object(keys));
    }
    let mut keys = vec![("joint", json!(bearing::kind_key(joint))), written_bodies(joint.bodies(), names)];
    keys.extend(written_anchors(joint.bodies(), joint.kind.anchors(), bodies));
    match &joint.kind {
        JointKind::Gear(_) | JointKind::Custom(_) => return None,
        JointKind::Hinge(_) => {}
        JointKind::Rope(_) => keys.extend(bearing::write_distances(joint)),
        JointKind::Pulley(pulley) => keys.extend(pulleys::write(joint, pulley, names)),
        JointKind::Distance(Distance { length, form, .. }) => {
            let form = FORMS.iter().find(|(_, own)| own == form).map_or("length", |(key, _)| key);
            let length = profile::written_length(*length, joint.length_profile.as_ref());
            keys.extend([length, ("form", json!(form))]);
        }
        JointKind::Weld(Weld { reference_angle, .. }) => {
            keys.push(("reference_angle", number(*reference_angle)));
        }
        JointKind::Slider(Slider { axis, reference_angle, .. }) => {
            keys.push(("axis_a", pair(*axis)));
            keys.push(("reference_angle", number(*reference_angle)));
        }
        JointKind::Slot(Slot { axis, suspension, .. }) => {
            keys.push(("axis_a", pair(*axis)));
            if let Some(Softness { stiffness, damping }) = suspension {
                keys.extend([("stiffness", number(*stiffness)), ("damping", number(*damping))]);
            }
        }
        JointKind::PoseMotor(own) => keys.extend([
            ("offset", pair(own.offset)),
            ("reference_angle", number(own.angle)),
            ("frequency", number(own.frequency)),
            ("damping_ratio", number(own.damping_ratio)),
            ("max_force", number(own.max_force)),
            ("max_torque", number(own.max_torque)),
        ]),
        JointKind::Bead(Bead { curve, angle, side, .. }) => {
            keys.extend([("curve", curves::write(curve)), ("angle_a", number(*angle))]);
            let side = curves::SIDES.iter().find(|(_, own)| own == side).map_or("on", |(key, _)| key);
            keys.push(("side", json!(side)));
        }
    }
    let ends = joint.bodies().map(|index| bodies.get(index));
    keys.extend(coordinate::write(joint, ends[0].zip(ends[1]).map(|(a, b)| [a, b])));
    keys.extend(bearing::write(joint));
    if joint.collide_connected {
        keys.push(("collide_connected", json!(true)));
    }
    Some(object(keys))
}

/// Writes one element of `springs`.
pub(super) fn write_spring(spring: &Spring, bodies: &[Body], names: &[String]) -> Value {
    let mut keys = vec![written_bodies(spring.bodies(), names)];
    keys.extend(written_anchors(spring.bodies(), spring.anchors, bodies));
    keys.push(("stiffness", number(spring.softness.stiffness)));
    keys.push(("damping", number(spring.softness.damping)));
    keys.push(match spring.rest_angle {
        Some(angle) => ("rest_angle", number(angle)),
        None => ("rest_length", number(spring.rest_length)),
    });
    keys.extend(bearing::write_spring(spring));
    object(keys)
}

fn written_bodies(bodies: [usize; 2], names: &[String]) -> (&'static str, Value) {
    ("bodies", json!(bodies.map(|index| names.get(index))))
}

fn written_anchors(ends: [usize; 2], arms: [DVec2; 2], bodies: &[Body]) -> [(&'static str, Value); 2] {
    let centers =
        ends.map(|index| bodies.get(index).map_or(DVec2::ZERO, |body| body.mass_properties().center));
    let points = [arms[0] + centers[0], arms[1] + centers[1]];
    let exact = [points[0] - centers[0], points[1] - centers[1]].map(bits) == arms.map(bits);
    if exact {
        [("anchor_a", pair(points[0])), ("anchor_b", pair(points[1]))]
    } else {
        [("arm_a", pair(arms[0])), ("arm_b", pair(arms[1]))]
    }
}

fn bits(v: DVec2) -> [u64; 2] {
    [v.x.to_bits(), v.y.to_bits()]
}
