//! What of a world can err.

use crate::model::World;

/// Whether bodies of it can touch each other.
pub fn can_touch(world: &World) -> bool {
    world.bodies().iter().filter(|body| body.collides && !body.pieces().is_empty()).count() > 1
}

/// Whether its joints can err: it has some, or nothing else that could.
pub fn is_jointed(world: &World) -> bool {
    !world.joints().is_empty() || !can_touch(world)
}
