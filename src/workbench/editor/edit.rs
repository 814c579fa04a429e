//! Edits: what a person changes about a world. Each is data, so that the same edit acts on every run that is compared,
//! and is carried out by the world's own checked changes.

use super::item::{self, Item};
use super::parts::Parts;
use super::replaced::{replace, shift};
use super::{anchors, materials, shapes};
use crate::experiment::reason;
use crate::internal::Rotation;
use crate::method::Method;
use crate::model::nonholonomic::VelocityLaw;
use crate::model::{
    BodyId, BodyKind, DrivenForce, Field, Joint, JointId, JointKind, Materials, ModelError, Motor,
    Nonholonomic, NonholonomicKind, PoseProfiles, Profile, Surface, Velocity, World,
};
use crate::parameter::Parameter;
use crate::scene::{ASSEMBLY, start_of_circle};
use crate::step::{Workspace, make_consistent, step};
use crate::workbench::editor::properties::{BODY, JOINT, NONHOLONOMIC, Property, SPRING};
use glam::{DVec2, DVec3};

/// A change of a world.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Parts are added.
    Add(Box<Parts>),
    /// Items are removed, and with a body what holds it.
    Remove(Vec<Item>),
    /// Bodies move by (x, y, angle): m, m, rad.
    Shift(Vec<(BodyId, DVec3)>),
    /// Items move by a distance, m: bodies, and joints, springs and velocity constraints with their anchors on other bodies.
    Move(Vec<Item>, DVec2),
    /// One end of a joint or a spring goes to a point of the world, m, on that body.
    Attach(Item, usize, DVec2, BodyId),
    /// A corner of a body's polygon or polyline, by shape and number, goes to a point of the world, m.
    Bend(BodyId, [usize; 2], DVec2),
    /// Several bodies become one.
    Join(Vec<BodyId>),
    /// Each shape of a body becomes a body.
    Split(BodyId),
    /// Items grow by a factor about a point, m.
    Scale(Vec<Item>, DVec2, f64),
    /// A number of all items that have it.
    Set(Vec<Item>, Parameter, f64),
    /// A body is renamed.
    Rename(BodyId, String),
    /// Gravity, m/s².
    Gravity(DVec2),
    /// The wind, m/s.
    Wind(DVec2),
    /// The fields of the scene.
    Fields(Vec<Field>),
    /// The materials of the scene, and of one that is removed the place that it had.
    Materials(Box<Materials>, Option<u32>),
    /// A body, or one of its shapes, is made of the material of that place, or of none.
    MadeOf(BodyId, Option<usize>, Option<u32>),
    /// What one shape of a body has of its own.
    Surface(BodyId, usize, Surface),
    /// The forces on a body that profiles drive.
    Driven(BodyId, Vec<DrivenForce>),
    /// What drives a number of a body or a joint; none: nothing does.
    Profile(Driven, Option<Profile>),
    /// A hinge or a slider is driven at a speed (rad/s or m/s), with a torque or force up to a limit (N m or N).
    Motor(JointId, f64, f64),
    /// A body flies on with a velocity of its centre of mass, m/s.
    Throw(BodyId, DVec2),
    /// Bodies move, as little as possible, to where all joints close.
    Assemble,
    /// All velocities fit the joints and velocity constraints.
    Fit,
}

/// A number that a profile may drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Driven {
    /// The speed of a joint's motor.
    Speed(JointId),
    /// The largest torque or force of a joint's motor.
    MostForce(JointId),
    /// The length of a rod, a rope or a pulley.
    Length(JointId),
    /// The place of a kinematic body along x, along y, or its angle: 0, 1, 2.
    Coordinate(BodyId, usize),
    /// The surface speeds of a body and its shapes.
    Belt(BodyId),
    /// The surface speed of a shape of a body.
    ShapeBelt(BodyId, usize),
}

impl Driven {
    /// Whose number it is.
    pub fn item(self) -> Item {
        match self {
            Self::Speed(id) | Self::MostForce(id) | Self::Length(id) => Item::Joint(id),
            Self::Coordinate(id, _) | Self::Belt(id) | Self::ShapeBelt(id, _) => Item::Body(id),
        }
    }

    fn drive(self, world: &mut World, profile: &Option<Profile>) -> Result<(), ModelError> {
        let own = profile.clone();
        match self {
            Self::Speed(id) => world.edit_joint(id, |joint| joint.speed_profile = own),
            Self::MostForce(id) => world.edit_joint(id, |joint| joint.force_profile = own),
            Self::Length(id) => world.edit_joint(id, |joint| joint.length_profile = own),
            Self::Coordinate(id, axis) => world.edit_body(id, |body| {
                let PoseProfiles { x, y, angle } = &mut body.pose_profiles;
                *[x, y, angle][axis] = own;
            }),
            Self::Belt(id) => world.edit_body(id, |body| body.surface_profile = own),
            Self::ShapeBelt(id, shape) => replace(world, id, |body| {
                let mut shapes = body.shapes().to_vec();
                shapes
                    .iter_mut()
                    .skip(shape)
                    .take(1)
                    .for_each(|placed| placed.surface_profile = own.clone());
                body.remade(body.kind(), shapes, body.mass_spec())
            }),
        }
    }
}

impl Edit {
    /// Carries it out; returns what was added.
    ///
    /// # Errors
    /// Why it is refused, as a sentence. The world may then be half changed: it is a copy.
    pub fn carry_out(&self, world: &mut World) -> Result<Vec<Item>, String> {
        self.change(world).map_err(|error| error.to_string()).and_then(|added| match self {
            Self::Join(bodies) => shapes::join(world, bodies),
            Self::Assemble => assemble(world).map(|()| added),
            Self::Fit => match make_consistent(world) {
                Ok(()) => Ok(added),
                Err(error) => Err(reason(&error, world)),
            },
            _ => Ok(added),
        })
    }

    fn change(&self, world: &mut World) -> Result<Vec<Item>, ModelError> {
        match self {
            Self::Add(parts) => return parts.add_to(world),
            Self::Remove(items) => remove(world, items)?,
            Self::Shift(bodies) => {
                bodies.iter().try_for_each(|(id, by)| shift(world, *id, *by))?;
            }
            Self::Move(items, by) => anchors::shift(world, items, *by)?,
            Self::Attach(item, end, at, on) => return anchors::attach(world, *item, *end, *at, *on),
            Self::Bend(id, corner, at) => shapes::bend(world, *id, *corner, *at)?,
            Self::Split(id) => return shapes::split(world, *id),
            Self::Scale(items, about, factor) => shapes::scale(world, items, *about, *factor)?,
            Self::Set(items, parameter, value) => {
                items.iter().try_for_each(|item| set(world, *item, parameter, *value))?;
            }
            Self::Rename(id, name) => world.edit_body(*id, |body| body.name.clone_from(name))?,
            Self::Gravity(gravity) => world.set_gravity(*gravity)?,
            Self::Wind(wind) => world.set_wind(*wind)?,
            Self::Fields(fields) => world.set_fields(fields.clone())?,
            Self::Materials(new, removed) => materials::set(world, new, *removed)?,
            Self::MadeOf(id, shape, material) => materials::make_of(world, *id, *shape, *material)?,
            Self::Surface(id, shape, surface) => materials::resurface(world, *id, *shape, surface)?,
            Self::Driven(id, driven) => world.edit_body(*id, |body| body.driven.clone_from(driven))?,
            Self::Profile(of, profile) => of.drive(world, profile)?,
            Self::Throw(id, velocity) => world.edit_body(*id, |body| body.velocity.linear = *velocity)?,
            Self::Motor(id, speed, max_force) => {
                let motor = Some(Motor { speed: *speed, max_force: *max_force });
                world.edit_joint(*id, |joint| (joint.motor, joint.speed_profile) = (motor, None))?;
            }
            Self::Join(_) | Self::Assemble | Self::Fit => {}
        }
        Ok(Vec::new())
    }

    /// What was done, for the list of changes: `moved link1`.
    pub fn label(&self, world: &World) -> String {
        let of = |items: &[Item]| match items {
            [one] => item::name(world, *one),
            more => format!("{} items", more.len()),
        };
        let bodies = |bodies: &[(BodyId, DVec3)]| {
            of(&bodies.iter().map(|(id, _)| Item::Body(*id)).collect::<Vec<_>>())
        };
        match self {
            Self::Add(parts) => added(parts),
            Self::Remove(items) => format!("removed {}", of(items)),
            Self::Shift(moved) if moved.iter().all(|(_, by)| by.truncate() == DVec2::ZERO) => {
                format!("turned {}", bodies(moved))
            }
            Self::Shift(moved) => format!("moved {}", bodies(moved)),
            Self::Move(items, _) => format!("moved {}", of(items)),
            Self::Attach(item, ..) => format!("end of {}", of(&[*item])),
            Self::Bend(id, ..) => format!("corner of {}", of(&[Item::Body(*id)])),
            Self::Join(bodies) => format!("joined {} bodies", bodies.len()),
            Self::Split(id) => format!("split {}", of(&[Item::Body(*id)])),
            Self::Scale(items, ..) => format!("scaled {}", of(items)),
            Self::Set(items, parameter, _) => format!("{} of {}", parameter.name, of(items)),
            Self::Rename(_, name) => format!("named {name}"),
            Self::Gravity(_) => "gravity".to_owned(),
            Self::Wind(_) => "wind".to_owned(),
            Self::Fields(_) => "fields".to_owned(),
            Self::Materials(..) => "materials".to_owned(),
            Self::MadeOf(id, ..) => format!("material of {}", of(&[Item::Body(*id)])),
            Self::Surface(id, ..) => format!("shape of {}", of(&[Item::Body(*id)])),
            Self::Driven(id, _) => format!("driven forces of {}", of(&[Item::Body(*id)])),
            Self::Profile(of, _) => format!("profile of {}", item::name(world, of.item())),
            Self::Throw(id, _) => format!("threw {}", of(&[Item::Body(*id)])),
            Self::Motor(id, ..) => format!("motor of {}", item::name(world, Item::Joint(*id))),
            Self::Assemble => "assembled".to_owned(),
            Self::Fit => "velocities fitted".to_owned(),
        }
    }
}

fn added(parts: &Parts) -> String {
    let Parts { bodies, joints, springs, nonholonomic, .. } = parts;
    match (bodies.as_slice(), joints.as_slice(), springs.as_slice(), nonholonomic.as_slice()) {
        ([body], ..) => format!("added {}", body.name),
        ([], [joint], ..) => format!("added {}", joint.kind.key()),
        ([], [], [_], []) => "added spring".to_owned(),
        ([], [], [], [own]) => format!("added {}", own.kind.key().replace('_', " ")),
        _ => format!("added {} bodies", bodies.len()),
    }
}

fn remove(world: &mut World, items: &[Item]) -> Result<(), ModelError> {
    // What goes with a body that is removed is no longer there to be removed by itself.
    for item in items {
        match *item {
            gone if !item::exists(world, gone) => {}
            Item::Body(_) => {}
            Item::Joint(id) => world.remove_joint(id).map(drop)?,
            Item::Spring(id) => world.remove_spring(id).map(drop)?,
            Item::Velocity(id) => world.remove_nonholonomic(id).map(drop)?,
        }
    }
    items.iter().filter_map(|item| item.body()).try_for_each(|id| world.remove_body(id).map(drop))
}

/// Gives an item another number, if it has that number.
fn set(world: &mut World, item: Item, parameter: &Parameter, value: f64) -> Result<(), ModelError> {
    match item {
        Item::Body(id) => replace(world, id, |body| {
            let mut body = body.clone();
            change(&BODY, &mut body, parameter, value)?;
            Ok(body)
        }),
        Item::Joint(id) => {
            let Some(mut joint) = world.joint(id).cloned() else { return Ok(()) };
            let had = joint.limits;
            change(&JOINT, &mut joint, parameter, value)?;
            if had.is_none() && joint.limits.is_some() {
                joint.zero = zero(world, &joint);
            }
            world.edit_joint(id, |own| *own = joint)
        }
        Item::Spring(id) => {
            let Some(mut spring) = world.spring(id).cloned() else { return Ok(()) };
            change(&SPRING, &mut spring, parameter, value)?;
            world.edit_spring(id, |own| *own = spring)
        }
        Item::Velocity(id) => {
            let Some(mut own) = item::nonholonomic(world, id).cloned() else { return Ok(()) };
            change(&NONHOLONOMIC, &mut own, parameter, value)?;
            through_anchor(world, item, &mut own);
            world.edit_nonholonomic(id, |there| *there = own)
        }
    }
}

fn change<T>(
    table: &[Property<T>],
    item: &mut T,
    parameter: &Parameter,
    value: f64,
) -> Result<(), ModelError> {
    let mut properties = table.iter().filter(|property| property.parameter == *parameter);
    match properties.find(|property| property.of(item).is_some()) {
        Some(property) => property.set(item, value),
        None => Ok(()),
    }
}

/// The value that the joint's coordinate has now, from which limits count that are switched on; a slider's count from
/// where its anchors coincide.
fn zero(world: &World, joint: &Joint) -> f64 {
    let [a, b] = joint.bodies().map(|index| world.frame(index));
    match joint.kind {
        JointKind::Hinge(_) => joint.kind.coordinate(&a, &b).map_or(0.0, |coordinate| coordinate.g),
        JointKind::Distance(_)
        | JointKind::Rope(_)
        | JointKind::Pulley(_)
        | JointKind::Weld(_)
        | JointKind::Slider(_)
        | JointKind::Slot(_)
        | JointKind::Bead(_)
        | JointKind::PoseMotor(_)
        | JointKind::Gear(_)
        | JointKind::Custom(_) => 0.0,
    }
}

/// The circle of a prescribed velocity goes through the point that moves on it.
fn through_anchor(world: &World, item: Item, own: &mut Nonholonomic) {
    let Some(now) = item::places(world, item).last().copied() else { return };
    if let NonholonomicKind::PrescribedVelocity(point) = &mut own.kind
        && let VelocityLaw::Circle { center, start, rate } = &mut point.law
    {
        *start = start_of_circle(*center, *rate, now, world.time());
    }
}

/// Step of an assembly, s: so short that nothing but the projection moves bodies.
const INSTANT: f64 = 1e-9;

/// Moves bodies to where all joints close, by the projection of a step from rest in which nothing but joints acts.
fn assemble(world: &mut World) -> Result<(), String> {
    let mut still = world.clone();
    rest(&mut still).map_err(|error| error.to_string())?;
    let method = Method::by_key(ASSEMBLY).ok_or("no scheme assembles")?;
    step(&mut still, &method, INSTANT, &mut Workspace::default()).map_err(|_| {
        "the joints cannot be closed from here; bring their ends closer together, or remove one".to_owned()
    })?;
    for (place, body) in still.bodies().iter().enumerate().filter(|(_, body)| body.is_dynamic()) {
        let id = world.body_ids()[place];
        world.edit_body(id, |own| own.pose = body.pose).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Takes everything away that moves bodies but the joints: speeds, weights, contacts, motors, springs, velocity constraints.
fn rest(world: &mut World) -> Result<(), ModelError> {
    world.set_gravity(DVec2::ZERO)?;
    world.set_wind(DVec2::ZERO)?;
    world.set_fields(Vec::new())?;
    for id in world.body_ids().to_vec() {
        replace(world, id, |body| {
            let mut body = match body.kind() {
                // What moves as prescribed stands still.
                BodyKind::Kinematic(_) => {
                    body.remade(BodyKind::Fixed, body.shapes().to_vec(), body.mass_spec())?
                }
                BodyKind::Dynamic | BodyKind::Fixed => body.clone(),
            };
            (body.velocity, body.applied, body.collides) = (Velocity::default(), None, false);
            body.driven.clear();
            Ok(body)
        })?;
    }
    let (joints, springs, others) =
        (world.joint_ids().to_vec(), world.spring_ids().to_vec(), world.nonholonomic_ids().to_vec());
    let stop = |joint: &mut Joint| (joint.motor, joint.servo, joint.friction) = (None, None, 0.0);
    joints.into_iter().try_for_each(|id| world.edit_joint(id, stop))?;
    springs.into_iter().try_for_each(|id| world.remove_spring(id).map(drop))?;
    others.into_iter().try_for_each(|id| world.remove_nonholonomic(id).map(drop))
}

/// The shifts that turn bodies by an angle (rad) about a point, m.
pub fn turned(world: &World, bodies: &[BodyId], about: DVec2, angle: f64) -> Edit {
    let rotation = Rotation::from_angle(angle);
    let shift = |id: &BodyId| {
        let arm = world.body(*id)?.pose.position - about;
        Some((*id, (rotation.apply(arm) - arm).extend(angle)))
    };
    Edit::Shift(bodies.iter().filter_map(shift).collect())
}
