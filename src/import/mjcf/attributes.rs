//! Attributes of MJCF's elements: their own, those of their default class, and the orientations of frames.

use glam::{DMat3, DQuat, DVec3};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;

/// Classes in one another at most, when a default is looked for.
const MOST_CLASSES: usize = 64;
/// The class of elements that name none.
const MAIN: &str = "main";

/// The defaults of a class.
#[derive(Default)]
struct Class<'d> {
    parent: Option<String>,
    /// By element and attribute.
    values: BTreeMap<(&'d str, &'d str), &'d str>,
}

/// How the file states angles, and what it states once for all.
pub(super) struct Settings<'d> {
    classes: BTreeMap<String, Class<'d>>,
    /// rad per unit of an angle.
    pub angle: f64,
    euler: String,
    /// Whether a range makes a limit.
    pub autolimits: bool,
    pub total_mass: Option<f64>,
}

impl<'d> Settings<'d> {
    pub fn of(document: &'d Document<'d>) -> Self {
        let root = document.root_element();
        let compiler = |name| {
            root.children()
                .filter(|node| node.has_tag_name("compiler"))
                .find_map(|node| node.attribute(name))
        };
        let mut classes = BTreeMap::new();
        let mut open: Vec<(Node<'d, 'd>, Option<String>)> =
            root.children().filter(|node| node.has_tag_name("default")).map(|node| (node, None)).collect();
        while let Some((node, parent)) = open.pop() {
            let name = node.attribute("class").unwrap_or(MAIN).to_owned();
            let class: &mut Class<'d> = classes.entry(name.clone()).or_default();
            class.parent = parent.filter(|parent| *parent != name);
            for child in node.children().filter(Node::is_element) {
                if child.has_tag_name("default") {
                    open.push((child, Some(name.clone())));
                    continue;
                }
                let tag = child.tag_name().name();
                class.values.extend(child.attributes().map(|own| ((tag, own.name()), own.value())));
            }
        }
        Self {
            classes,
            angle: if compiler("angle") == Some("radian") { 1.0 } else { std::f64::consts::PI / 180.0 },
            euler: compiler("eulerseq").unwrap_or("xyz").to_owned(),
            autolimits: compiler("autolimits") != Some("false"),
            total_mass: compiler("settotalmass")
                .and_then(|text| text.parse().ok())
                .filter(|mass: &f64| *mass > 0.0),
        }
    }

    /// An attribute of an element, or its default; `childclass` is that of the bodies around it.
    pub fn text(&self, node: Node<'d, 'd>, childclass: Option<&str>, name: &str) -> Option<&'d str> {
        if let Some(own) = node.attribute(name) {
            return Some(own);
        }
        let tag = node.tag_name().name();
        let mut class = node.attribute("class").or(childclass).unwrap_or(MAIN);
        for _ in 0..MOST_CLASSES {
            let found = self.classes.get(class)?;
            if let Some((_, value)) =
                found.values.iter().find(|((own, key), _)| *own == tag && *key == name)
            {
                return Some(value);
            }
            class = found.parent.as_deref()?;
        }
        None
    }

    pub fn numbers(&self, node: Node<'d, 'd>, childclass: Option<&str>, name: &str) -> Option<Vec<f64>> {
        numbers(self.text(node, childclass, name)?)
    }

    pub fn number(&self, node: Node<'d, 'd>, childclass: Option<&str>, name: &str) -> Option<f64> {
        self.numbers(node, childclass, name)?.first().copied()
    }

    pub fn vector(&self, node: Node<'d, 'd>, childclass: Option<&str>, name: &str) -> Option<DVec3> {
        vector(&self.numbers(node, childclass, name)?)
    }

    /// The orientation of a frame.
    pub fn rotation(&self, node: Node<'d, 'd>, childclass: Option<&str>) -> DQuat {
        let get = |name| self.numbers(node, childclass, name);
        let unit =
            |q: DQuat| if q.is_finite() && q.length() > 0.0 { q.normalize() } else { DQuat::IDENTITY };
        if let Some([w, x, y, z]) = get("quat").as_deref() {
            return unit(DQuat::from_xyzw(*x, *y, *z, *w));
        }
        if let Some([x, y, z, angle]) = get("axisangle").as_deref() {
            let axis = DVec3::new(*x, *y, *z).normalize_or(DVec3::Z);
            return unit(DQuat::from_axis_angle(axis, angle * self.angle));
        }
        if let Some(angles @ [_, _, _]) = get("euler").as_deref() {
            return self.euler.chars().zip(angles).fold(DQuat::IDENTITY, |turned, (axis, angle)| {
                let about = match axis.to_ascii_lowercase() {
                    'x' => DVec3::X,
                    'y' => DVec3::Y,
                    _ => DVec3::Z,
                };
                let turn = DQuat::from_axis_angle(about, angle * self.angle);
                // Small letters turn with the frame, capitals do not.
                if axis.is_ascii_lowercase() { turned * turn } else { turn * turned }
            });
        }
        if let Some([a, b, c, d, e, f]) = get("xyaxes").as_deref() {
            let x = DVec3::new(*a, *b, *c).normalize_or(DVec3::X);
            let y = DVec3::new(*d, *e, *f);
            let y = (y - x * x.dot(y)).normalize_or(x.any_orthonormal_vector());
            return unit(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))));
        }
        match get("zaxis").as_deref().and_then(vector) {
            Some(axis) => unit(DQuat::from_rotation_arc(DVec3::Z, axis.normalize_or(DVec3::Z))),
            None => DQuat::IDENTITY,
        }
    }
}

/// The numbers of an attribute; none if one of them is not finite.
pub(super) fn numbers(text: &str) -> Option<Vec<f64>> {
    /// Numbers of an attribute that is read.
    const MOST: usize = 65_536;
    text.split_whitespace()
        .take(MOST)
        .map(|part| part.parse().ok().filter(|x: &f64| x.is_finite()))
        .collect()
}

pub(super) fn vector(values: &[f64]) -> Option<DVec3> {
    match values {
        [x, y, z] => Some(DVec3::new(*x, *y, *z)),
        _ => None,
    }
}
