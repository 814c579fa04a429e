//! Which parameters of a scheme act on a scene: one of contacts does nothing to a chain in the air, one of joints
//! nothing to loose boxes.

use crate::model::World;
use crate::parameter::Parameter;

/// Parameters that act on joints and their limits alone, in whatever scheme has them.
const ON_JOINTS: [&str; 5] = ["angular_slop", "compliance", "damping_ratio", "hertz", "joints"];
/// Parameters that act on contacts alone.
const ON_CONTACTS: [&str; 11] = [
    "block_solver",
    "cone",
    "contact_damping_ratio",
    "contact_hertz",
    "impratio",
    "points_across",
    "push_speed",
    "recycle_distance",
    "speculative_distance",
    "split_depth",
    "warm_start",
];

/// Whether a parameter of a scheme can change a motion of `world`: it acts on joints or contacts, and the world has or
/// can come to have some.
pub fn acts(parameter: &Parameter, world: &World) -> bool {
    let jointed = !world.joints().is_empty();
    let touches =
        world.bodies().iter().filter(|body| body.collides && !body.pieces().is_empty()).count() > 1;
    jointed && !ON_CONTACTS.contains(&parameter.key) || touches && !ON_JOINTS.contains(&parameter.key)
}
