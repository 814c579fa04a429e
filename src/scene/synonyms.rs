//! What other formats and engines call the things of a scene file, for 'did you mean …'.
//!
//! A word means what stands beside it only where that is among the names that are expected: `ball` is a circle as a
//! shape and a hinge as a joint. Where nothing here is the same thing, a remark says what is nearest and how it differs.

use super::problems::{QUOTED, nearest};
use crate::schemes::TABLE;

/// A name of this format, and the words for it elsewhere.
const SAME: &[(&str, &[&str])] = &[
    // Joints.
    (
        "hinge",
        &["revolute", "pin", "pivot", "peg", "rotational", "rotary", "swivel", "ball", "spherical", "axle"],
    ),
    ("slider", &["prismatic", "translational", "rail", "guide", "piston", "groove"]),
    ("slot", &["line_joint", "line", "pin_slot", "pin_in_slot", "groove_joint", "point_on_line"]),
    ("motor", &["motor_joint", "pose_motor", "target_pose", "six_dof"]),
    ("wheel", &["wheel_joint", "suspension", "sprung_wheel"]),
    ("bead", &["curve", "wire", "cam", "point_on_curve", "path", "spline"]),
    ("distance", &["rod", "bar", "stick", "strut", "link"]),
    ("weld", &["fixed", "lock", "rigid", "glue"]),
    ("knife_edge", &["skate", "blade", "knife"]),
    ("rope", &["cable", "string", "cord", "tether"]),
    ("pulley", &["pulley_joint", "atwood", "block_and_tackle", "tackle", "sheave"]),
    ("rolling", &["roll"]),
    // Types of body.
    ("fixed", &["static", "immovable", "immobile", "anchored", "ground", "wall", "environment"]),
    ("dynamic", &["rigid", "free", "movable", "moving", "active"]),
    ("kinematic", &["animated", "scripted", "driven", "prescribed"]),
    // Shapes.
    ("circle", &["disk", "disc", "ball", "sphere", "round", "wheel"]),
    ("box", &["rect", "rectangle", "square", "cube", "cuboid", "aabb"]),
    ("ellipse", &["oval", "ellipsoid"]),
    ("capsule", &["pill", "stadium", "rounded_line"]),
    (
        "polygon",
        &[
            "poly",
            "convex",
            "convex_hull",
            "hull",
            "triangle",
            "rounded_polygon",
            "rounded_box",
            "mesh",
            "trimesh",
        ],
    ),
    ("half_plane", &["plane", "half_space", "halfspace", "ground", "floor", "wall"]),
    ("polyline", &["chain", "edge", "edges", "segment", "segments", "line", "heightfield", "terrain"]),
    ("grid", &["tiles", "tilemap", "cells", "voxels", "blocks"]),
    // Keys of the scene.
    (
        "bodies",
        &[
            "body",
            "objects",
            "entities",
            "rigid_bodies",
            "links",
            "body_a",
            "body_b",
            "connects",
            "between",
        ],
    ),
    ("joints", &["constraints", "joint"]),
    ("gravity", &["g"]),
    ("wind", &["wind_velocity", "wind_speed", "air_velocity"]),
    ("time_step", &["dt", "h", "timestep", "step", "step_size"]),
    ("duration", &["time", "t_end", "end_time"]),
    ("stabilizer", &["scheme", "method", "stabilization", "stabilisation"]),
    // Keys of a body.
    ("shapes", &["shape", "fixtures", "fixture", "colliders", "collider", "geometry", "geoms"]),
    ("position", &["origin", "center", "centre", "location", "translation", "xy", "x"]),
    ("angle", &["rotation", "orientation", "theta", "phi", "rot"]),
    ("velocity", &["linear_velocity", "speed"]),
    ("angular_velocity", &["omega", "spin", "rotation_speed", "angular_speed"]),
    ("mass", &["weight", "m"]),
    ("inertia", &["moment_of_inertia", "rotational_inertia", "moment", "i"]),
    ("density", &["rho"]),
    ("friction", &["friction_coefficient", "coefficient_of_friction", "mu", "roughness"]),
    ("restitution", &["elasticity", "bounce", "bounciness", "coefficient_of_restitution", "e"]),
    ("gravity_scale", &["gravity_factor", "gravity_multiplier"]),
    ("linear_damping", &["damping", "linear_damp", "lin_damping", "damp"]),
    ("angular_damping", &["rotational_damping", "angular_damp", "ang_damping"]),
    ("linear_drag", &["drag", "air_resistance", "drag_coefficient", "air_drag"]),
    ("quadratic_drag", &["air_friction", "drag2", "quadratic_damping"]),
    ("group", &["group_index", "layer", "collision_group"]),
    ("categories", &["category", "category_bits", "filter_category_bits", "collision_layer"]),
    ("mask", &["mask_bits", "collision_mask", "filter_mask_bits"]),
    ("static_friction", &["mu_s", "static_friction_coefficient"]),
    ("rolling_resistance", &["rolling_friction", "rolling", "torsional_friction"]),
    ("surface_speed", &["tangent_speed", "surface_velocity", "conveyor_speed", "belt_speed"]),
    ("fixed_rotation", &["lock_rotation", "motion_locks", "no_rotation"]),
    ("material", &["surface", "physics_material"]),
    // Keys of a shape.
    ("shape", &["type", "kind"]),
    ("size", &["width", "height", "extents", "dimensions", "w", "h"]),
    ("radius", &["r"]),
    ("semi_axes", &["radii", "axes"]),
    ("vertices", &["points", "corners"]),
    ("points", &["vertices"]),
    ("offset", &["position", "center", "centre"]),
    ("cell", &["cell_size", "tile_size", "resolution"]),
    // Keys of a joint or spring.
    ("joint", &["type", "kind"]),
    ("gear", &["gears", "cog", "cogs", "rack", "rack_and_pinion", "belt", "transmission"]),
    ("ratio", &["gear_ratio", "rho", "transmission_ratio"]),
    ("wheels", &["ground_anchors", "ground_anchor", "sheaves", "supports"]),
    ("slack", &["may_go_slack", "unilateral", "inequality"]),
    ("anchor", &["pivot", "pin", "point", "position", "world_anchor"]),
    ("anchor_a", &["local_anchor_a", "anchor_1"]),
    ("anchor_b", &["local_anchor_b", "anchor_2"]),
    ("axis", &["direction", "local_axis_a"]),
    ("length", &["distance", "rest_length"]),
    ("rest_length", &["length", "natural_length"]),
    (
        "limits",
        &[
            "limit",
            "range",
            "lower_limit",
            "upper_limit",
            "lower",
            "upper",
            "lower_angle",
            "upper_angle",
            "lower_translation",
            "upper_translation",
        ],
    ),
    ("motor", &["motor_speed", "max_motor_torque", "max_motor_force", "enable_motor"]),
    ("position", &["target", "target_position", "target_angle", "setpoint", "motor_target"]),
    ("frequency", &["hertz", "hz", "frequency_hz", "motor_hertz"]),
    ("damping_ratio", &["zeta"]),
    ("curve", &["path", "wire"]),
    ("max_torque", &["max_motor_torque", "torque"]),
    ("max_force", &["max_motor_force", "force"]),
    ("collide_connected", &["collide", "collides"]),
    ("breaks_at", &["break_force", "breaking_force", "max_load", "strength", "breakable"]),
    ("softness", &["compliance", "springiness"]),
    ("frequency", &["hertz", "hz", "frequency_hz"]),
    ("damping_ratio", &["zeta"]),
    ("stiffness", &["k", "spring_constant"]),
    ("damping", &["c", "d", "damping_coefficient"]),
    // Solvers. (A scheme brings its own.)
    ("pgs", &["gauss_seidel", "projected_gauss_seidel", "sequential_impulse", "sequential_impulses"]),
    ("ldlt", &["direct", "cholesky"]),
    // Keys of the settings' stabilizer and solver.
    ("kind", &["type", "name"]),
];

/// A name of this format that shows where the remark belongs, words for what the format does not have, and what is nearest to it.
const UNLIKE: &[(&str, &[&str], &str)] = &[
    (
        "hinge",
        &["spring", "damper", "distance_spring"],
        "a spring is an element of the scene's array 'springs'",
    ),
    ("hinge", &["friction"], "friction is the key 'friction' of a hinge, a slider, a slot or a wheel"),
    ("hinge", &["mouse", "target"], "the format has no such joint; 'motor' drives a body to a pose"),
    ("radius", &["diameter"], "'radius' is half of it"),
    (
        "size",
        &["half_extents", "half_size", "half_width", "half_height"],
        "'size' is the whole width and height, twice the half extents",
    ),
    ("angle", &["degrees", "deg", "angle_deg", "angle_degrees"], "'angle' is in radians"),
    ("polygon", &["compound", "group"], "a compound is several elements of the body's array 'shapes'"),
];

/// The end of a message about `word` where one of `names` was expected, in parentheses after a space; empty where
/// nothing is like it.
pub(super) fn suggestion(word: &str, names: &[&str]) -> String {
    match unlike(word, names) {
        Some(remark) => format!(" ({remark})"),
        None => meant(word, names).map_or_else(String::new, |meant| format!(" (did you mean '{meant}'?)")),
    }
}

/// The name among `names` that is meant by `word`: what other formats call so, or what it is most likely a misspelling of.
pub(super) fn meant<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let plain = plain(word)?;
    let is_it = |name: &&str| *name == plain || *name == stem(&plain) || is_synonym(word, name);
    names.iter().copied().find(is_it).or_else(|| nearest(word, names.iter().copied()))
}

/// Whether `word` is what other formats call `name`.
pub(super) fn is_synonym(word: &str, name: &str) -> bool {
    plain(word).is_some_and(|plain| {
        let schemes = TABLE.iter().map(|scheme| (scheme.info().key, scheme.info().synonyms));
        SAME.iter().copied().chain(schemes).any(|(own, words)| {
            own == name && (words.contains(&plain.as_str()) || words.contains(&stem(&plain)))
        })
    })
}

/// What to say of a word for something that the format does not have.
fn unlike(word: &str, names: &[&str]) -> Option<&'static str> {
    let plain = plain(word)?;
    let is_it = |words: &[&str]| words.contains(&plain.as_str()) || words.contains(&stem(&plain));
    let found = UNLIKE.iter().find(|(place, words, _)| names.contains(place) && is_it(words));
    found.map(|(_, _, remark)| *remark)
}

/// A word in the spelling of the tables: `RevoluteJoint` and `revolute-joint` are `revolute_joint`; nothing of a text
/// that is too long to be a word.
fn plain(word: &str) -> Option<String> {
    if word.chars().nth(QUOTED).is_some() {
        return None;
    }
    let mut plain = String::with_capacity(word.len());
    let mut was_small = false;
    for c in word.trim().chars() {
        if c.is_uppercase() && was_small {
            plain.push('_');
        }
        was_small = c.is_lowercase() || c.is_ascii_digit();
        match c {
            ' ' | '-' => plain.push('_'),
            c => plain.extend(c.to_lowercase()),
        }
    }
    Some(plain)
}

/// The word without what only says what kind of thing it is: `revolute` of `revolute_joint`.
fn stem(plain: &str) -> &str {
    const GENERIC: [&str; 6] = ["_joint", "_constraint", "_shape", "_collider", "_body", "_bodies"];
    GENERIC.iter().find_map(|end| plain.strip_suffix(end)).unwrap_or(plain)
}
