//! The bodies of MJCF with their joints and geoms, placed in space at the model's reference pose.

use super::attributes::{Settings, vector};
use glam::{DMat3, DQuat, DVec3};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// A body, or the world.
pub(super) struct BodyNode {
    pub name: String,
    pub place: String,
    pub parent: Option<usize>,
    pub position: DVec3,
    pub rotation: DQuat,
    pub joints: Vec<JointNode>,
    pub geoms: Vec<GeomNode>,
    /// As the file states it, in place of that of the geoms.
    pub inertial: Option<Mass>,
    /// The share of gravity that is taken away.
    pub gravcomp: f64,
    pub mocap: bool,
}

/// Mass, kg, its centre in space, m, and the inertia about that in the world's axes, kg m².
#[derive(Clone, Copy, Debug)]
pub(super) struct Mass {
    pub mass: f64,
    pub center: DVec3,
    pub inertia: DMat3,
}

pub(super) struct JointNode {
    pub name: Option<String>,
    pub place: String,
    /// `hinge`, `slide`, `ball` or `free`.
    pub kind: String,
    pub anchor: DVec3,
    pub axis: DVec3,
    /// The coordinate at the reference pose, rad or m.
    pub reference: f64,
    pub range: Option<[f64; 2]>,
    pub stiffness: f64,
    pub damping: f64,
    pub spring_reference: f64,
    pub friction_loss: f64,
    pub armature: f64,
}

pub(super) struct GeomNode {
    pub place: String,
    pub kind: String,
    pub size: Vec<f64>,
    pub position: DVec3,
    pub rotation: DQuat,
    pub mass: Option<Mass>,
    pub friction: f64,
    pub contype: u64,
    pub conaffinity: u64,
}

/// All bodies, the world first and every parent before its children; and the sites.
pub(super) struct Tree {
    pub bodies: Vec<BodyNode>,
    /// Body and point in space.
    pub sites: BTreeMap<String, (usize, DVec3)>,
    /// Elements that were not read.
    pub skipped: Vec<(String, String)>,
}

/// Where an element stands in its file, and what it is.
pub(super) fn place(document: &Document<'_>, node: Node<'_, '_>) -> String {
    let (line, tag) = (document.text_pos_at(node.range().start).row, node.tag_name().name());
    match node.attribute("name") {
        Some(name) => format!("line {line}: {tag} '{name}'"),
        None => format!("line {line}: {tag}"),
    }
}

/// A body or a frame whose elements are still to be read.
struct Open<'d> {
    node: Node<'d, 'd>,
    body: usize,
    position: DVec3,
    rotation: DQuat,
    childclass: Option<&'d str>,
}

impl Tree {
    pub fn of<'d>(document: &'d Document<'d>, settings: &Settings<'d>) -> Self {
        let mut tree = Self {
            bodies: vec![still("world".to_owned(), "worldbody".to_owned())],
            sites: BTreeMap::new(),
            skipped: Vec::new(),
        };
        let root = document.root_element();
        let mut open: Vec<Open<'d>> = Vec::new();
        for node in root.children().filter(|node| node.has_tag_name("worldbody")) {
            open.push(Open {
                node,
                body: 0,
                position: DVec3::ZERO,
                rotation: DQuat::IDENTITY,
                childclass: None,
            });
        }
        open.reverse();
        while let Some(Open { node, mut body, mut position, mut rotation, mut childclass }) = open.pop() {
            let mut inside = Vec::new();
            if node.has_tag_name("body") {
                let mut made =
                    still(node.attribute("name").unwrap_or_default().to_owned(), place(document, node));
                position += rotation * settings.vector(node, childclass, "pos").unwrap_or_default();
                rotation *= settings.rotation(node, childclass);
                (made.parent, made.position, made.rotation) = (Some(body), position, rotation);
                made.gravcomp = settings.number(node, childclass, "gravcomp").unwrap_or(0.0);
                made.mocap = node.attribute("mocap") == Some("true");
                childclass = node.attribute("childclass").or(childclass);
                tree.bodies.push(made);
                body = tree.bodies.len() - 1;
            }
            for child in node.children().filter(Node::is_element) {
                let at = |own: Option<DVec3>| position + rotation * own.unwrap_or_default();
                let own = settings.vector(child, childclass, "pos");
                match child.tag_name().name() {
                    // Entered when it is taken up, so that bodies stand in the order of the file.
                    "body" => inside.push(Open { node: child, body, position, rotation, childclass }),
                    "frame" => {
                        let rotation = rotation * settings.rotation(child, childclass);
                        let childclass = child.attribute("childclass").or(childclass);
                        inside.push(Open { node: child, body, position: at(own), rotation, childclass });
                    }
                    "joint" | "freejoint" => {
                        let joint = joint(document, settings, child, childclass, position, rotation);
                        tree.bodies[body].joints.push(joint);
                    }
                    "geom" => {
                        let geom = geom(document, settings, child, childclass, position, rotation);
                        tree.bodies[body].geoms.push(geom);
                    }
                    "inertial" => {
                        tree.bodies[body].inertial = inertial(settings, child, position, rotation)
                    }
                    "site" => {
                        let name = child.attribute("name").map(str::to_owned);
                        tree.sites.extend(name.map(|name| (name, (body, at(own)))));
                    }
                    "light" | "camera" => {}
                    other => tree.skipped.push((place(document, child), format!("'{other}' is left out"))),
                }
            }
            // In the order of the file.
            inside.reverse();
            open.extend(inside);
        }
        tree
    }
}

fn still(name: String, place: String) -> BodyNode {
    BodyNode {
        name,
        place,
        parent: None,
        position: DVec3::ZERO,
        rotation: DQuat::IDENTITY,
        joints: Vec::new(),
        geoms: Vec::new(),
        inertial: None,
        gravcomp: 0.0,
        mocap: false,
    }
}

fn joint<'d>(
    document: &Document<'d>,
    settings: &Settings<'d>,
    node: Node<'d, 'd>,
    class: Option<&str>,
    position: DVec3,
    rotation: DQuat,
) -> JointNode {
    let free = node.has_tag_name("freejoint");
    let kind = if free { "free" } else { settings.text(node, class, "type").unwrap_or("hinge") };
    let unit = if kind == "slide" { 1.0 } else { settings.angle };
    let number = |name| settings.number(node, class, name);
    let range = match settings.numbers(node, class, "range").as_deref() {
        Some([lower, upper]) => Some([lower * unit, upper * unit]),
        _ => None,
    };
    let limited = match settings.text(node, class, "limited") {
        Some("true") => true,
        Some("false") => false,
        _ => settings.autolimits,
    };
    JointNode {
        name: node.attribute("name").map(str::to_owned),
        place: place(document, node),
        kind: kind.to_owned(),
        anchor: position + rotation * settings.vector(node, class, "pos").unwrap_or_default(),
        axis: rotation * settings.vector(node, class, "axis").unwrap_or(DVec3::Z).normalize_or(DVec3::Z),
        reference: number("ref").unwrap_or(0.0) * unit,
        range: range.filter(|_| limited),
        stiffness: number("stiffness").unwrap_or(0.0),
        damping: number("damping").unwrap_or(0.0),
        spring_reference: number("springref").unwrap_or(0.0) * unit,
        friction_loss: number("frictionloss").unwrap_or(0.0),
        armature: number("armature").unwrap_or(0.0),
    }
}

fn geom<'d>(
    document: &Document<'d>,
    settings: &Settings<'d>,
    node: Node<'d, 'd>,
    class: Option<&str>,
    position: DVec3,
    rotation: DQuat,
) -> GeomNode {
    let kind = settings.text(node, class, "type").unwrap_or("sphere");
    let mut size = settings.numbers(node, class, "size").unwrap_or_default();
    let mut center = settings.vector(node, class, "pos").unwrap_or_default();
    let mut turned = settings.rotation(node, class);
    if let Some([a, b, c, d, e, f]) = settings.numbers(node, class, "fromto").as_deref() {
        // The size after the first is then the length, along z.
        let (from, to) = (DVec3::new(*a, *b, *c), DVec3::new(*d, *e, *f));
        center = (from + to) / 2.0;
        turned = DQuat::from_rotation_arc(DVec3::Z, (to - from).normalize_or(DVec3::Z));
        let half = from.distance(to) / 2.0;
        let around = size.first().copied().unwrap_or(0.0);
        size = if ["box", "ellipsoid"].contains(&kind) {
            vec![around, around, half]
        } else {
            vec![around, half]
        };
    }
    let (center, turned) = (position + rotation * center, rotation * turned);
    let number = |name| settings.number(node, class, name);
    let bits = |name| number(name).map_or(1, |value| value as i64 as u64);
    let mass = solid(kind, &size).map(|(volume, squares)| {
        let mass = number("mass").unwrap_or_else(|| number("density").unwrap_or(1000.0) * volume);
        let axes = DMat3::from_quat(turned);
        Mass { mass, center, inertia: axes * DMat3::from_diagonal(squares * mass) * axes.transpose() }
    });
    GeomNode {
        place: place(document, node),
        kind: kind.to_owned(),
        size,
        position: center,
        rotation: turned,
        mass,
        friction: number("friction").unwrap_or(1.0),
        contype: bits("contype"),
        conaffinity: bits("conaffinity"),
    }
}

/// The volume of a solid, m³, and its moments of inertia per mass, m², about its own axes.
fn solid(kind: &str, size: &[f64]) -> Option<(f64, DVec3)> {
    let get = |index: usize| size.get(index).copied();
    Some(match kind {
        "sphere" => {
            let r = get(0)?;
            (4.0 / 3.0 * PI * r.powi(3), DVec3::splat(0.4 * r * r))
        }
        "ellipsoid" => {
            let (a, b, c) = (get(0)?, get(1)?, get(2)?);
            (4.0 / 3.0 * PI * a * b * c, DVec3::new(b * b + c * c, a * a + c * c, a * a + b * b) / 5.0)
        }
        "box" => {
            let (a, b, c) = (get(0)?, get(1)?, get(2)?);
            (8.0 * a * b * c, DVec3::new(b * b + c * c, a * a + c * c, a * a + b * b) / 3.0)
        }
        "cylinder" => {
            let (r, half) = (get(0)?, get(1)?);
            let across = r * r / 4.0 + half * half / 3.0;
            (2.0 * PI * r * r * half, DVec3::new(across, across, r * r / 2.0))
        }
        "capsule" => {
            let (r, half) = (get(0)?, get(1)?);
            let (middle, ball) = (2.0 * PI * r * r * half, 4.0 / 3.0 * PI * r.powi(3));
            let volume = middle + ball;
            // A hemisphere's centre is 3r/8 from its flat side; Steiner twice.
            let across = (middle * (r * r / 4.0 + half * half / 3.0)
                + ball * (0.4 * r * r + half * half + 0.75 * half * r))
                / volume;
            (volume, DVec3::new(across, across, (middle * r * r / 2.0 + ball * 0.4 * r * r) / volume))
        }
        _ => return None,
    })
}

fn inertial<'d>(
    settings: &Settings<'d>,
    node: Node<'d, 'd>,
    position: DVec3,
    rotation: DQuat,
) -> Option<Mass> {
    let axes = DMat3::from_quat(rotation * settings.rotation(node, None));
    let own = match settings.numbers(node, None, "fullinertia").as_deref() {
        Some([xx, yy, zz, xy, xz, yz]) => DMat3::from_cols(
            DVec3::new(*xx, *xy, *xz),
            DVec3::new(*xy, *yy, *yz),
            DVec3::new(*xz, *yz, *zz),
        ),
        _ => DMat3::from_diagonal(vector(&settings.numbers(node, None, "diaginertia")?)?),
    };
    Some(Mass {
        mass: settings.number(node, None, "mass")?,
        center: position + rotation * settings.vector(node, None, "pos").unwrap_or_default(),
        inertia: axes * own * axes.transpose(),
    })
}
