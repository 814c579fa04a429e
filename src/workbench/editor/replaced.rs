//! Bodies put in the place of others.

use crate::model::{Body, BodyId, BodyKind, ModelError, Motion, PoseProfiles, World};
use glam::DVec3;

/// Puts another body in the place of one.
pub fn replace(
    world: &mut World,
    id: BodyId,
    change: impl FnOnce(&Body) -> Result<Body, ModelError>,
) -> Result<(), ModelError> {
    let body = change(world.body(id).ok_or(ModelError::NoSuchBody(id))?)?;
    world.edit_body(id, |own| *own = body)
}

/// Moves a body by (x, y, angle): m, m, rad.
pub fn shift(world: &mut World, id: BodyId, by: DVec3) -> Result<(), ModelError> {
    replace(world, id, |body| shifted(body, by))
}

/// A body moved by (x, y, angle) with the middle of its motion.
fn shifted(body: &Body, by: DVec3) -> Result<Body, ModelError> {
    let mut moved = match body.kind() {
        BodyKind::Kinematic(Motion::Sine { center, amplitude, frequency }) => {
            let center = center + by.truncate();
            let kind = BodyKind::Kinematic(Motion::Sine { center, amplitude, frequency });
            body.remade(kind, body.shapes().to_vec(), body.mass_spec())?
        }
        _ => body.clone(),
    };
    let PoseProfiles { x, y, angle } = &mut moved.pose_profiles;
    for (own, by) in [x, y, angle].into_iter().zip(by.to_array()) {
        *own = own.take().map(|own| own.scaled(1.0, by));
    }
    moved.pose = (body.pose.coordinates() + by).into();
    Ok(moved)
}
