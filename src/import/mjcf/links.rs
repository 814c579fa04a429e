//! Equality constraints, tendons, actuators and keyframes.

use super::attributes::Settings;
use super::bodies::{Made, MadeJoint, list, soften};
use super::tree::{Tree, place};
use crate::import::draft::Draft;
use crate::model::{BodyId, Joint, JointKind, Spring};
use glam::{DVec2, DVec3};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;

/// The two sites of a tendon, and its element.
struct Tendon {
    ends: [(BodyId, DVec2); 2],
}

/// Adds them.
pub(super) fn add<'d>(
    draft: &mut Draft,
    document: &'d Document<'d>,
    settings: &Settings<'d>,
    tree: &Tree,
    made: &Made,
) {
    let inside = |section: &'static str| {
        let found = document.root_element().children().filter(move |node| node.has_tag_name(section));
        found.flat_map(|node| node.children()).filter(Node::is_element)
    };
    let mut tendons = BTreeMap::new();
    for node in inside("tendon") {
        let found = tendon(draft, document, settings, tree, made, node);
        tendons.extend(node.attribute("name").map(str::to_owned).zip(found));
    }
    for node in inside("equality") {
        equality(draft, &place(document, node), tree, made, &tendons, node);
    }
    let controls = keyframe(draft, document, inside("keyframe").next());
    for (index, node) in inside("actuator").enumerate() {
        let control = controls.get(index).copied().unwrap_or(0.0);
        actuator(draft, &place(document, node), settings, made, node, control);
    }
}

fn tendon<'d>(
    draft: &mut Draft,
    document: &Document<'d>,
    settings: &Settings<'d>,
    tree: &Tree,
    made: &Made,
    node: Node<'d, 'd>,
) -> Option<Tendon> {
    let place = place(document, node);
    let sites: Vec<_> = node.children().filter(Node::is_element).collect();
    let straight = node.has_tag_name("spatial")
        && sites.len() == 2
        && sites.iter().all(|site| site.has_tag_name("site"));
    let end = |site: &Node<'_, '_>| {
        let (body, point) = tree.sites.get(site.attribute("site")?)?;
        Some((made.bodies.get(*body).copied().flatten()?, made.plane.point(*point)))
    };
    let ends = if straight { sites.iter().map(end).collect::<Option<Vec<_>>>() } else { None };
    let Some([a, b]) = ends.as_deref() else {
        draft.leave_out(
            place,
            "the tendon is left out: it is not straight between two sites that are there",
        );
        return None;
    };
    let number = |name| settings.number(node, None, name);
    let (stiffness, damping) = (number("stiffness").unwrap_or(0.0), number("damping").unwrap_or(0.0));
    if stiffness > 0.0 || damping > 0.0 {
        let spring = Spring::between(a.0, b.0)
            .anchors(a.1, b.1)
            .stiffness(stiffness.max(0.0))
            .damping(damping.max(0.0));
        let rest = number("springlength").filter(|length| *length >= 0.0);
        draft.spring(
            &place,
            match rest {
                Some(length) => spring.rest_length(length),
                None => spring,
            },
        );
    }
    let limited = match settings.text(node, None, "limited") {
        Some("true") => true,
        Some("false") => false,
        _ => settings.autolimits,
    };
    let range = settings.numbers(node, None, "range").filter(|_| limited);
    if let Some([shortest, longest]) = range.as_deref() {
        let rope = Joint::rope(a.0, b.0, *longest).anchors(a.1, b.1).collide_connected();
        let shortest = if *shortest > 0.0 { *shortest } else { f64::NEG_INFINITY };
        draft.joint(&place, rope.limits(shortest, *longest));
    }
    draft.leave_out_if(
        number("frictionloss").is_some_and(|loss| loss != 0.0),
        &place,
        "frictionloss is left out",
    );
    Some(Tendon { ends: [*a, *b] })
}

fn equality(
    draft: &mut Draft,
    place: &str,
    tree: &Tree,
    made: &Made,
    tendons: &BTreeMap<String, Tendon>,
    node: Node<'_, '_>,
) {
    if node.attribute("active") == Some("false") {
        draft.leave_out(place, "the equality is left out: it is not active");
        return;
    }
    let kind = node.tag_name().name();
    match kind {
        "connect" | "weld" => {
            // Between two bodies with a point of the first, or between two sites.
            let site = |name| node.attribute(name).and_then(|name| tree.sites.get(name));
            let by_sites = site("site1").zip(site("site2"));
            let ends = match by_sites {
                Some((a, b)) => [made.bodies[a.0], made.bodies[b.0]],
                None => [made.body(node.attribute("body1")), made.body(node.attribute("body2"))],
            };
            let [Some(a), Some(b)] = ends else {
                draft.leave_out(place, format!("the {kind} is left out: a body of it is not there"));
                return;
            };
            let first = made
                .names
                .get(node.attribute("body1").unwrap_or("world"))
                .and_then(|index| tree.bodies.get(*index));
            let local =
                list(node, "anchor").as_deref().and_then(super::attributes::vector).unwrap_or(DVec3::ZERO);
            let point = first.map_or(local, |body| body.position + body.rotation * local);
            let points =
                by_sites.map_or([point; 2], |(a, b)| [a.1, b.1]).map(|point| made.plane.point(point));
            if kind == "connect" {
                draft.joint(place, Joint::hinge(a, b).anchors(points[0], points[1]));
                return;
            }
            // The relative pose that the weld keeps is the one at the reference pose unless stated.
            let stated = list(node, "relpose")
                .is_some_and(|pose| pose.iter().skip(3).take(4).any(|part| *part != 0.0));
            draft.leave_out_if(
                stated,
                place,
                "relpose is left out: the weld keeps the bodies as they are placed",
            );
            draft.joint(place, Joint::weld(a, b).anchors(points[0], points[1]));
        }
        "tendon" => {
            let tendon = node.attribute("tendon1").and_then(|name| tendons.get(name));
            let alone = node.attribute("tendon2").is_none();
            match tendon.filter(|_| alone) {
                Some(Tendon { ends: [a, b] }) => {
                    let more =
                        list(node, "polycoef").and_then(|values| values.first().copied()).unwrap_or(0.0);
                    let rod = Joint::distance(a.0, b.0).anchors(a.1, b.1).length(a.1.distance(b.1) + more);
                    draft.joint(place, rod.collide_connected());
                }
                None => draft.leave_out(
                    place,
                    "the equality is left out: expected one straight tendon between two sites",
                ),
            }
        }
        "joint" => {
            let terms = list(node, "polycoef").unwrap_or_else(|| vec![0.0, 1.0]);
            let term = |at: usize| terms.get(at).copied().unwrap_or(0.0);
            let [first, second] = ["joint1", "joint2"]
                .map(|name| node.attribute(name).and_then(|name| made.joints.get(name)));
            let left_out = match (first, second) {
                _ if terms.iter().skip(2).any(|term| *term != 0.0) => {
                    Some("its polynomial is of a higher degree than 1".to_owned())
                }
                (Some(first), Some(second)) => {
                    // Both coordinates count from where they are placed: θ₁ = c₀ + c₁ θ₂.
                    let ratio = -term(1) * first.sign * second.sign;
                    let gear = draft.world.gear([first.id, second.id], ratio, None).and_then(|mut gear| {
                        if let JointKind::Gear(own) = &mut gear.kind {
                            own.constant += first.sign * term(0);
                        }
                        draft.world.insert_joint(gear)
                    });
                    gear.err().map(|error| error.to_string())
                }
                _ => Some("a joint of it is not there".to_owned()),
            };
            if let Some(what) = left_out {
                draft.leave_out(place, format!("the equality of joints is left out: {what}"));
            }
        }
        other => draft.leave_out(place, format!("the equality '{other}' is left out")),
    }
}

/// The controls of the first keyframe. Its poses are left out; a scene begins with the model's own.
fn keyframe(draft: &mut Draft, document: &Document<'_>, node: Option<Node<'_, '_>>) -> Vec<f64> {
    let Some(node) = node else { return Vec::new() };
    for name in ["qpos", "qvel", "act", "mpos", "mquat"] {
        let given = node.attribute(name).is_some();
        draft.leave_out_if(given, place(document, node), &format!("{name} of the keyframe is left out"));
    }
    list(node, "ctrl").unwrap_or_default()
}

fn actuator<'d>(
    draft: &mut Draft,
    place: &str,
    settings: &Settings<'d>,
    made: &Made,
    node: Node<'d, 'd>,
    control: f64,
) {
    let kind = node.tag_name().name();
    let joint: Option<&MadeJoint> = node.attribute("joint").and_then(|name| made.joints.get(name));
    let Some(joint) = joint else {
        draft.leave_out(place, format!("the {kind} is left out: it acts on no joint of the scene"));
        return;
    };
    let number = |name| settings.number(node, None, name);
    let gear = number("gear").unwrap_or(1.0);
    let force = settings
        .numbers(node, None, "forcerange")
        .filter(|_| settings.text(node, None, "forcelimited") != Some("false"));
    match kind {
        // kp (ctrl − γ q) − kv γ q̇, times γ.
        "position" if gear != 0.0 => {
            let (kp, kv) = (number("kp").unwrap_or(1.0), number("kv").unwrap_or(0.0));
            draft.leave_out_if(force.is_some(), place, "forcerange is left out");
            soften(draft, place, joint, [kp * gear * gear, kv * gear * gear], control / gear);
        }
        "velocity" if gear != 0.0 => {
            let kv = number("kv").unwrap_or(1.0);
            match force.as_deref() {
                Some([lower, upper]) if -lower == *upper => {
                    let (speed, most) = (joint.sign * control / gear, upper * gear.abs());
                    let driven = draft.world.edit_joint(joint.id, |own| {
                        own.motor = Some(crate::model::Motor { speed, max_force: most });
                    });
                    if let Err(error) = driven {
                        draft.leave_out(place, error.to_string());
                    }
                    draft.leave_out(place, format!("the gain {kv} is left out: the motor reaches its speed as far as its force does"));
                }
                _ if control == 0.0 => soften(draft, place, joint, [0.0, kv * gear * gear], 0.0),
                _ => draft.leave_out(
                    place,
                    "the velocity actuator is left out: expected a forcerange, alike both ways",
                ),
            }
        }
        "motor" if control == 0.0 => {
            draft.leave_out(place, "the motor is left out: without a control it makes no force")
        }
        other => draft.leave_out(place, format!("the actuator '{other}' is left out")),
    }
}
