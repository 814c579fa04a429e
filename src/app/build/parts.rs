//! Bodies with what connects them, on their way into a world: from the toolbox, a stamp, or the clipboard.

use super::item::{self, Item};
use crate::model::{Body, Joint, ModelError, Nonholonomic, Spring, World};

/// Bodies, and joints, springs and velocity constraints between these or bodies that are already there. Their ends are indices in the
/// world to which they will be added, in which the new bodies come last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    /// The new bodies.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Springs.
    pub springs: Vec<Spring>,
    /// Velocity constraints.
    pub nonholonomic: Vec<Nonholonomic>,
}

impl Parts {
    /// Everything of `world`, to be added to one that has `there` bodies.
    pub fn of(world: &World, there: usize) -> Self {
        let moved = |ends: [usize; 2]| ends.map(|end| end + there);
        Self {
            bodies: world.bodies().to_vec(),
            joints: world.joints().iter().map(|own| joint_between(own, moved(own.bodies()))).collect(),
            springs: world.springs().iter().map(|own| spring_between(own, moved(own.bodies()))).collect(),
            nonholonomic: world
                .nonholonomic()
                .iter()
                .map(|own| Nonholonomic::new(moved(own.bodies()), own.kind.clone()))
                .collect(),
        }
    }

    /// The bodies among `items` with all that connects them, as a world of their own.
    ///
    /// # Errors
    /// None that the world of the items would not have had.
    pub fn copied(world: &World, items: &[Item]) -> Result<World, ModelError> {
        let mut copy = World::new(world.gravity());
        let mut places = vec![None; world.bodies().len()];
        for (index, id) in world.body_ids().iter().enumerate() {
            if items.contains(&Item::Body(*id)) {
                places[index] = Some(copy.bodies().len());
                copy.add_body(world.bodies()[index].clone())?;
            }
        }
        for link in item::links(world) {
            let ends = item::ends(world, link).map(|ends| ends.map(|end| places[end]));
            let Some([Some(a), Some(b)]) = ends else { continue };
            let ends = [a, b];
            match link {
                Item::Body(_) => {}
                Item::Joint(id) => {
                    if let Some(own) = world.joint(id) {
                        copy.insert_joint(joint_between(own, ends))?;
                    }
                }
                Item::Spring(id) => {
                    if let Some(own) = item::spring(world, id) {
                        copy.insert_spring(spring_between(own, ends))?;
                    }
                }
                Item::Velocity(id) => {
                    if let Some(own) = item::nonholonomic(world, id) {
                        copy.insert_nonholonomic(Nonholonomic::new(ends, own.kind.clone()))?;
                    }
                }
            }
        }
        Ok(copy)
    }

    /// Adds everything to `world`; returns what was added, the bodies first.
    ///
    /// # Errors
    /// What the world refuses. It may then have some of the parts.
    pub fn add_to(&self, world: &mut World) -> Result<Vec<Item>, ModelError> {
        let Self { bodies, joints, springs, nonholonomic } = self;
        let mut added = Vec::new();
        for body in bodies {
            let mut body = body.clone();
            body.name = fresh_name(world, &body.name);
            added.push(Item::Body(world.add_body(body)?));
        }
        for joint in joints {
            added.push(Item::Joint(world.insert_joint(joint.clone())?));
        }
        for spring in springs {
            added.push(Item::Spring(world.insert_spring(spring.clone())?));
        }
        for own in nonholonomic {
            added.push(Item::Velocity(world.insert_nonholonomic(own.clone())?));
        }
        Ok(added)
    }
}

/// `name`, or with the first number behind it that no body of the world has yet.
fn fresh_name(world: &World, name: &str) -> String {
    let taken = |name: &str| world.bodies().iter().any(|body| body.name == name);
    if !name.is_empty() && !taken(name) {
        return name.to_owned();
    }
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = if stem.trim().is_empty() { "body" } else { stem };
    let mut numbered = (1_u64..).map(|number| format!("{stem}{number}"));
    numbered.find(|name| !taken(name)).unwrap_or_else(|| stem.to_owned())
}

/// The same joint between other bodies, without the force that it has carried.
pub fn joint_between(own: &Joint, ends: [usize; 2]) -> Joint {
    let mut joint = Joint::new(ends, own.kind.clone());
    (joint.collide_connected, joint.limits) = (own.collide_connected, own.limits);
    (joint.zero, joint.motor) = (own.zero, own.motor);
    joint
}

/// The same spring between other bodies.
fn spring_between(own: &Spring, ends: [usize; 2]) -> Spring {
    let mut spring = Spring::new(ends, own.anchors, own.softness, own.rest_length);
    spring.rest_angle = own.rest_angle;
    spring
}
