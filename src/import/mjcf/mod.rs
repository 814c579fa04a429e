//! A planar subset of MJCF, MuJoCo's XML: bodies with slide and hinge joints that move in one plane.
//!
//! The plane is that across the first hinge's axis. A body with one hinge turns about it, one with one slide slides along it,
//! one with two slides and a hinge, or with a free joint, moves freely in the plane; one without joints is part of its
//! parent. Masses and inertias are those of the solids, shapes their outlines in the plane. Whatever would leave the plane is
//! listed.

mod attributes;
mod bodies;
mod couplings;
mod links;
mod plane;
mod tree;
mod write;

pub use write::{Exported, export};

use super::Format;
use super::draft::{Draft, Imported, Named};
use crate::model::{Materials, Mix};
use crate::scene::Problem;
use attributes::{Settings, vector};
use glam::DVec3;
use plane::Plane;
use roxmltree::{Document, Node, ParsingOptions};
use tree::Tree;

/// Elements, attributes apart, at most.
const MOST_NODES: u32 = 1_000_000;
/// MuJoCo's own.
const TIME_STEP: f64 = 0.002;

/// Converts the text.
///
/// # Errors
/// A text that is not XML or not MJCF, and what a scene may not contain.
pub(super) fn read(text: &str) -> Result<Imported, Vec<Problem>> {
    let whole = |message: String| vec![Problem { path: String::new(), message }];
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| whole(format!("expected XML: {error}")))?;
    let root = document.root_element();
    if !root.has_tag_name("mujoco") {
        return Err(whole("expected the element <mujoco> (MJCF)".to_owned()));
    }
    let mut draft = Draft::new();
    let settings = Settings::of(&document);
    let option = |name| {
        root.children().filter(|node| node.has_tag_name("option")).find_map(|node| node.attribute(name))
    };
    let gravity = option("gravity")
        .and_then(|text| vector(&attributes::numbers(text)?))
        .unwrap_or(DVec3::new(0.0, 0.0, -9.81));
    let tree = Tree::of(&document, &settings);
    let plane = Plane::of(&tree, gravity);
    let gravity = if flag(&document, "gravity") == Some("disable") { DVec3::ZERO } else { gravity };
    // Of two geoms the larger friction counts; contacts do not rebound.
    let materials = Materials { friction: Mix::Max, ..Materials::default() };
    if let Err(error) = draft.world.set_materials(materials) {
        draft.leave_out("geom", error.to_string());
    }
    if let Err(error) = draft.world.set_gravity(plane.point(gravity)) {
        draft.leave_out("option", error.to_string());
    }
    let across = gravity.dot(plane.normal);
    draft.leave_out_if(
        across.abs() > 1e-9 * gravity.length(),
        "option",
        "the part of gravity across the plane is left out",
    );
    for (place, what) in &tree.skipped {
        draft.leave_out(place, what.clone());
    }
    sections(&mut draft, &document);
    let made = bodies::add(&mut draft, &document, &settings, &tree, plane);
    links::add(&mut draft, &document, &settings, &tree, &made);
    let step =
        option("timestep").and_then(|text| text.parse().ok()).filter(|h: &f64| *h > 0.0 && h.is_finite());
    let name = root.attribute("model").unwrap_or_default().to_owned();
    draft.finish(Format::Mjcf, Named { name, description: None }, step.unwrap_or(TIME_STEP))
}

/// What an option's flag says.
fn flag<'d>(document: &'d Document<'_>, name: &str) -> Option<&'d str> {
    let option = document.root_element().children().filter(|node| node.has_tag_name("option"));
    option.flat_map(|node| node.children()).find_map(|node| node.attribute(name))
}

/// Notes the parts of the file that are not read and may act.
fn sections(draft: &mut Draft, document: &Document<'_>) {
    for name in
        ["constraint", "equality", "frictionloss", "limit", "passive", "actuation", "spring", "damper"]
    {
        let off = flag(document, name) == Some("disable");
        draft.leave_out_if(off, format!("flag {name}"), "that it is disabled is left out");
    }
    for node in document.root_element().children().filter(Node::is_element) {
        match node.tag_name().name() {
            "include" | "deformable" | "extension" => {
                let (place, name) = (tree::place(document, node), node.tag_name().name().to_owned());
                draft.leave_out(place, format!("'{name}' is left out"));
            }
            // Read elsewhere, or without effect on the motion.
            _ => {}
        }
    }
}
