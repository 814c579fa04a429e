//! Pulleys of a world, whose wheels may be points of a third and a fourth body.

use super::error::ModelError;
use super::joint::{Joint, JointKind, Pulley};
use super::world::World;

/// A joint as its builder gave it, and if it is a pulley with its wheels on the bodies that carry them, and this length or that
/// of its parts as placed.
pub(super) fn placed(world: &World, mut joint: Joint, length: Option<f64>) -> Joint {
    let carriers = joint.further.unwrap_or(joint.bodies);
    let JointKind::Pulley(pulley) = &mut joint.kind else { return joint };
    for (side, carrier) in carriers.into_iter().enumerate().filter(|(side, _)| pulley.carried[*side]) {
        pulley.wheels[side] = world.bodies()[carrier].anchor_at(pulley.wheels[side]);
    }
    let [a, b] = joint.bodies;
    let at = [a, b, carriers[0], carriers[1]].map(|body| world.frame(body));
    let [of_a, of_b] = pulley.parts(at.each_ref());
    pulley.length = length.unwrap_or(of_a + pulley.ratio * of_b);
    joint
}

/// Checks that the third and the fourth body of a pulley are those that carry its wheels, and others than the ends.
pub(super) fn check_wheels(world: &World, joint: &Joint, pulley: &Pulley) -> Result<(), ModelError> {
    let Some(further) = joint.further else {
        return if pulley.is_carried() { Err(ModelError::Wheels) } else { Ok(()) };
    };
    for (side, body) in further.into_iter().enumerate() {
        let id = world.known(body)?;
        if pulley.carried[side] && body == joint.bodies[side] {
            return Err(ModelError::SameBody(id));
        }
        if !pulley.carried[side] && body != joint.bodies[0] {
            return Err(ModelError::Wheels);
        }
    }
    if pulley.is_carried() { Ok(()) } else { Err(ModelError::Wheels) }
}
