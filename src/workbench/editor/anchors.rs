//! The anchors of joints, springs and velocity constraints: moved within their bodies, and taken to other bodies.

use super::item::{self, Item};
use super::parts::{joint_over, spring_between};
use super::replaced;
use crate::internal::Rotation;
use crate::model::joint::Gear;
use crate::model::nonholonomic::{KnifeEdge, PrescribedVelocity};
use crate::model::{BodyId, Joint, JointId, JointKind, ModelError, Nonholonomic, NonholonomicKind, World};
use crate::workbench::stage::framing::wheels;
use glam::DVec2;

/// Takes the two anchors to these points of the world, m; `None` leaves one where it is in its body. A velocity
/// constraint has the second anchor alone.
pub fn place(world: &mut World, item: Item, to: [Option<DVec2>; 2]) -> Result<(), ModelError> {
    let Some(ends) = item::ends(world, item) else { return Ok(()) };
    let mut side = 0;
    let anchors = ends.map(|end| {
        side += 1;
        to[side - 1].map(|at| world.bodies()[end].anchor_at(at))
    });
    let moved = |own: &mut [DVec2; 2]| {
        own.iter_mut().zip(anchors).for_each(|(own, anchor)| *own = anchor.unwrap_or(*own));
    };
    match item {
        Item::Body(_) => Ok(()),
        Item::Joint(id) => {
            world.edit_joint(id, |joint| joint.kind.anchors_mut().into_iter().for_each(moved))
        }
        Item::Spring(id) => world.edit_spring(id, |spring| moved(&mut spring.anchors)),
        Item::Velocity(id) => world.edit_nonholonomic(id, |own| match &mut own.kind {
            NonholonomicKind::KnifeEdge(KnifeEdge { anchor, .. })
            | NonholonomicKind::PrescribedVelocity(PrescribedVelocity { anchor, .. }) => {
                *anchor = anchors[1].unwrap_or(*anchor);
            }
            NonholonomicKind::Rolling(_) => {}
        }),
    }
}

/// The length of a pulley between its ends as they are, m.
fn over_wheels(world: &World, joint: &Joint) -> Option<f64> {
    let JointKind::Pulley(pulley) = &joint.kind else { return None };
    let [c, d] = joint.further().unwrap_or(joint.bodies());
    let at = [joint.bodies()[0], joint.bodies()[1], c, d].map(|body| world.frame(body));
    let [first, second] = pulley.parts(at.each_ref());
    Some(first + pulley.ratio * second)
}

/// Gives a rod the length between its ends, and a rope at least that.
fn measure(world: &mut World, item: Item) -> Result<(), ModelError> {
    let Item::Joint(id) = item else { return Ok(()) };
    let [a, b] = *item::places(world, item) else { return Ok(()) };
    let length = a.distance(b);
    let over = world.joint(id).and_then(|joint| over_wheels(world, joint));
    world.edit_joint(id, |joint| {
        if let JointKind::Distance(rod) = &mut joint.kind {
            rod.length = length;
        }
        if let (JointKind::Rope(_), Some([shortest, longest])) = (&joint.kind, &mut joint.limits) {
            (*shortest, *longest) = (shortest.min(length), longest.max(length));
        }
        if let (JointKind::Pulley(pulley), Some(length)) = (&mut joint.kind, over) {
            pulley.length = if pulley.slack { pulley.length.max(length) } else { length };
        }
    })
}

/// Takes one end of a joint or a spring to a point of the world, m, on a body; returns what has taken its place, if
/// that is another body than before.
pub fn attach(
    world: &mut World,
    item: Item,
    end: usize,
    at: DVec2,
    on: BodyId,
) -> Result<Vec<Item>, ModelError> {
    let mut to = [None; 2];
    to[end] = Some(at);
    let on = world.index_of(on).ok_or(ModelError::NoSuchBody(on))?;
    let Some(mut ends) = item::ends(world, item) else { return Ok(Vec::new()) };
    let single = ends[0] == ends[1];
    let stays = std::mem::replace(&mut ends[end], on) == on;
    if single {
        ends = [on; 2];
    }
    let Some(own) = (if stays { Some(item) } else { between(world, item, ends)? }) else {
        return Ok(Vec::new());
    };
    place(world, own, to)?;
    measure(world, own)?;
    Ok(if stays { Vec::new() } else { vec![own] })
}

/// Puts the same joint, spring or velocity constraint between other bodies in the place of one; its anchors stay as
/// they are in their bodies.
pub fn between(world: &mut World, item: Item, ends: [usize; 2]) -> Result<Option<Item>, ModelError> {
    Ok(match item {
        Item::Body(_) => None,
        Item::Joint(id) => match world.joint(id).map(|own| joint_over(own, ends, |body| body)) {
            Some(joint) => Some(Item::Joint(exchange(world, id, joint)?)),
            None => None,
        },
        Item::Spring(id) => match world.spring(id).map(|own| spring_between(own, ends)) {
            Some(spring) => {
                world.remove_spring(id)?;
                Some(Item::Spring(world.insert_spring(spring)?))
            }
            None => None,
        },
        Item::Velocity(id) => {
            match item::nonholonomic(world, id).map(|own| Nonholonomic::new(ends, own.kind.clone())) {
                Some(own) => {
                    world.remove_nonholonomic(id)?;
                    Some(Item::Velocity(world.insert_nonholonomic(own)?))
                }
                None => None,
            }
        }
    })
}

/// Puts a joint in the place of another one; the gears that tied that one tie this one, as their coordinates are at present.
fn exchange(world: &mut World, id: JointId, joint: Joint) -> Result<JointId, ModelError> {
    let gears: Vec<Joint> = world.gears_on(id).filter_map(|gear| world.joint(gear).cloned()).collect();
    world.remove_joint(id)?;
    let own = world.insert_joint(joint)?;
    for gear in gears {
        let JointKind::Gear(tied @ Gear { ratio, .. }) = &gear.kind else { continue };
        let joints = tied.joints().map(|joint| if joint == id { own } else { joint });
        let mut new = world.gear(joints, *ratio, None)?;
        (new.breaking, new.broken) = (gear.breaking, gear.broken);
        world.insert_joint(new)?;
    }
    Ok(own)
}

/// The pulleys of which a body carries wheels, with where those are in the world, m.
pub fn wheels_on(world: &World, body: usize) -> Vec<(JointId, [Option<DVec2>; 2])> {
    let found = world.joint_ids().iter().zip(world.joints()).filter_map(|(id, joint)| {
        let (JointKind::Pulley(pulley), Some(further)) = (&joint.kind, joint.further()) else {
            return None;
        };
        let at = wheels(world, joint, pulley);
        let on =
            [0, 1].map(|side: usize| (pulley.carried[side] && further[side] == body).then_some(at[side]));
        on.iter().any(Option::is_some).then_some((*id, on))
    });
    found.collect()
}

/// Puts wheels of a pulley that bodies carry where they are to be in the world, m.
pub fn place_wheels(world: &mut World, id: JointId, at: [Option<DVec2>; 2]) -> Result<(), ModelError> {
    let Some(further) = world.joint(id).and_then(Joint::further) else { return Ok(()) };
    let arms = [0, 1].map(|side: usize| Some(world.bodies()[further[side]].anchor_at(at[side]?)));
    world.edit_joint(id, |joint| {
        if let JointKind::Pulley(pulley) = &mut joint.kind {
            pulley.wheels.iter_mut().zip(arms).for_each(|(own, arm)| *own = arm.unwrap_or(*own));
        }
    })
}

/// Takes the wheels of pulleys from one body to another, where they are in the world. One whose end would be on the body of its
/// own wheel goes, as a joint within one body does.
pub fn hand_wheels(world: &mut World, from: usize, to: usize) -> Result<(), ModelError> {
    for (id, at) in wheels_on(world, from) {
        let Some(own) = world.joint(id) else { continue };
        let ends = own.bodies();
        let new = joint_over(own, ends, |body| if body == from { to } else { body });
        let meets = (0..2).any(|side: usize| at[side].is_some() && ends[side] == to);
        world.remove_joint(id)?;
        if !meets {
            let own = world.insert_joint(new)?;
            place_wheels(world, own, at)?;
        }
    }
    Ok(())
}

/// Moves bodies, and of the joints, springs and velocity constraints among `items` those anchors that lie on other
/// bodies, by a distance, m.
pub fn shift(world: &mut World, items: &[Item], by: DVec2) -> Result<(), ModelError> {
    let chosen = |index: usize| world.id_of(index).is_some_and(|id| items.contains(&Item::Body(id)));
    let moved: Vec<(Item, [Option<DVec2>; 2])> = item::links(world)
        .filter(|link| items.contains(link))
        .filter_map(|link| {
            let (ends, places) = (item::ends(world, link)?, item::places(world, link));
            let at = [places.first().copied()?, places.last().copied()?];
            Some((link, [0, 1].map(|side: usize| (!chosen(ends[side])).then(|| at[side] + by))))
        })
        .collect();
    items.iter().try_for_each(|item| shift_wheels(world, items, *item, by))?;
    for id in items.iter().filter_map(|item| item.body()) {
        replaced::shift(world, id, by.extend(0.0))?;
    }
    moved.into_iter().try_for_each(|(link, to)| place(world, link, to))
}

/// Moves the wheels of a pulley that no body among `items` carries.
fn shift_wheels(world: &mut World, items: &[Item], pulley: Item, by: DVec2) -> Result<(), ModelError> {
    let Item::Joint(id) = pulley else { return Ok(()) };
    let Some(joint) = world.joint(id) else { return Ok(()) };
    let carriers = joint.further().unwrap_or(joint.bodies()).map(|body| {
        let chosen = world.id_of(body).is_some_and(|id| items.contains(&Item::Body(id)));
        (!chosen).then(|| Rotation::from_angle(world.bodies()[body].pose.angle).inverse_apply(by))
    });
    world.edit_joint(id, |joint| {
        let JointKind::Pulley(pulley) = &mut joint.kind else { return };
        for (side, own) in carriers.into_iter().enumerate() {
            let by = if pulley.carried[side] { own } else { Some(by) };
            pulley.wheels[side] += by.unwrap_or(DVec2::ZERO);
        }
    })
}
