//! Whether a run differs from that of its exercise in what may be changed alone.

use super::{Exercise, May};
use crate::model::World;
use crate::peers;
use crate::workbench::link::{Link, Opened};

/// Opens the run of a link, if the exercise allows all that has been changed in it.
///
/// # Errors
/// What is wrong with the link, or what has been changed.
pub(super) fn open(exercise: &Exercise, link: &Link) -> Result<Opened, String> {
    let read = |link: &Link| link.open(0).map_err(|problems| problems.join("; "));
    let (given, own) = (read(&exercise.link()?)?, read(link)?);
    let changed = changed(exercise, &given, &own);
    changed.map_or(Ok(own), |what| Err(format!("changed {what}")))
}

/// What has been changed that the exercise does not leave free.
fn changed(exercise: &Exercise, given: &Opened, own: &Opened) -> Option<String> {
    let may = |what: May| exercise.may.contains(&what);
    let world = if may(May::Friction) {
        with_friction_of(&own.scene.world, &given.scene.world)
    } else {
        given.scene.world.clone()
    };
    if world != own.scene.world || own.scene.interaction != given.scene.interaction {
        return Some("the scene".to_owned());
    }
    let ((base, base_h), (method, h)) = (&given.main, &own.main);
    if h.to_bits() != base_h.to_bits() && !may(May::TimeStep) {
        return Some("the time step".to_owned());
    }
    if peers::makes(method) {
        return Some("the engine".to_owned());
    }
    let key = method.stabilizer.info().key;
    if key != base.stabilizer.info().key && !may(May::Scheme) {
        return Some(format!("the scheme: {key}"));
    }
    let other_level = (method.level, method.integrator) != (base.level, base.integrator);
    if other_level && !may(May::Scheme) {
        return Some("level or integrator".to_owned());
    }
    if !may(May::Scheme) && !may(May::Parameters) {
        let mut plain = base.stabilizer.clone();
        plain.follow_step(*h);
        let mut pairs = method.stabilizer.values.iter().zip(plain.values.iter());
        let other = pairs.find(|((_, value), (_, plain))| value.to_bits() != plain.to_bits());
        if let Some(((parameter, _), _)) = other {
            return Some(parameter.name.to_owned());
        }
    }
    if (&method.solver, method.effort) != (&base.solver, base.effort) && !may(May::Solver) {
        return Some("the solver".to_owned());
    }
    (method.contact != base.contact).then(|| "the rules of contact".to_owned())
}

/// `given` with the friction of the bodies of `own`, where it has as many.
fn with_friction_of(own: &World, given: &World) -> World {
    let mut world = given.clone();
    for (index, body) in own.bodies().iter().enumerate() {
        let Some(id) = world.id_of(index) else { break };
        // What cannot be set differs, and is told.
        let _set = world.edit_body(id, |own| {
            (own.friction, own.static_friction) = (body.friction, body.static_friction);
        });
    }
    world
}
