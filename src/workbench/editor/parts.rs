//! Bodies with what connects them, on their way into a world: from the toolbox, a stamp, or the clipboard.

use super::item::{self, Item};
use crate::model::{Body, Joint, JointId, JointKind, ModelError, Nonholonomic, Spring, World};
use crate::scene::CopiedParts;
use glam::DVec2;

/// Bodies, and joints, springs and velocity constraints between these or bodies that are already there. Their ends are
/// indices in the world to which they will be added, in which the new bodies come last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    /// The new bodies.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Gears of another world, with the places of their two joints in `joints`.
    pub gears: Vec<([usize; 2], Joint)>,
    /// Springs.
    pub springs: Vec<Spring>,
    /// Velocity constraints.
    pub nonholonomic: Vec<Nonholonomic>,
}

impl Parts {
    /// Copied parts, to be added to `world`. What hangs on a body that stands still hangs on the body of that name
    /// there, if it stands still and is turned alike, at the same points of the world.
    pub fn of(copied: &CopiedParts, world: &World) -> Self {
        let CopiedParts { world: copy, hang_on } = copied;
        let mut parts = Self::default();
        let mut there = Vec::new();
        // The materials of the copy by their names in the world; the values are those of the bodies and shapes themselves.
        let renamed = |place: Option<u32>| {
            let name = &copy.materials().list.get(place? as usize)?.name;
            let place = world.materials().list.iter().position(|own| own.name == *name)?;
            Some(place as u32)
        };
        for (id, body) in copy.body_ids().iter().zip(copy.bodies()) {
            let is_it = |own: &Body| {
                own.name == body.name && !own.is_dynamic() && own.pose.angle == body.pose.angle
            };
            let own = world.bodies().iter().position(is_it).filter(|_| hang_on.contains(id));
            there.push(own.unwrap_or_else(|| {
                let mut body = body.clone();
                body.rename_materials(renamed);
                parts.bodies.push(body);
                world.bodies().len() + parts.bodies.len() - 1
            }));
        }
        let ends = |ends: [usize; 2]| ends.map(|end| there[end]);
        // From the centre of mass of the body in the copy to that of the body in the world.
        let apart = |end: usize| {
            world
                .bodies()
                .get(there[end])
                .map_or(DVec2::ZERO, |own| own.anchor_at(copy.bodies()[end].pose.position))
        };
        let moved = |anchors: &mut [DVec2; 2], ends: [usize; 2]| {
            anchors.iter_mut().zip(ends).for_each(|(anchor, end)| *anchor += apart(end));
        };
        for own in copy.joints() {
            if let JointKind::Gear(gear) = &own.kind {
                // A gear comes after the joints that it ties, none of which is one.
                let place = |id: JointId| {
                    let before =
                        copy.joints().iter().zip(copy.joint_ids()).take_while(|(_, own)| **own != id);
                    before.filter(|(own, _)| !matches!(own.kind, JointKind::Gear(_))).count()
                };
                parts.gears.push((gear.joints().map(place), own.clone()));
                continue;
            }
            let mut joint = joint_over(own, ends(own.bodies()), |body| there[body]);
            let further = own.further().unwrap_or(own.bodies());
            if let JointKind::Pulley(pulley) = &mut joint.kind {
                for side in (0..2).filter(|side| pulley.carried[*side]) {
                    pulley.wheels[side] += apart(further[side]);
                }
            }
            joint.kind.anchors_mut().into_iter().for_each(|anchors| moved(anchors, own.bodies()));
            parts.joints.push(joint);
        }
        for own in copy.springs() {
            let mut spring = spring_between(own, ends(own.bodies()));
            moved(&mut spring.anchors, own.bodies());
            parts.springs.push(spring);
        }
        for own in copy.nonholonomic() {
            parts.nonholonomic.push(Nonholonomic::new(ends(own.bodies()), own.kind.clone()));
        }
        parts
    }

    /// The bodies among `items` with all that connects them, to each other or to bodies that stand still.
    ///
    /// # Errors
    /// None that the world of the items would not have had.
    pub fn copied(world: &World, items: &[Item]) -> Result<CopiedParts, ModelError> {
        let chosen = |index: usize| items.contains(&Item::Body(world.body_ids()[index]));
        let still = |index: usize| !world.bodies()[index].is_dynamic();
        let links: Vec<(Item, [usize; 2])> = item::links(world)
            .filter_map(|link| Some((link, item::ends(world, link)?)))
            .filter(|(_, ends)| ends.iter().any(|end| chosen(*end)))
            .filter(|(link, _)| item::bodies(world, *link).iter().all(|end| chosen(*end) || still(*end)))
            .collect();
        let mut copy = World::new(world.gravity());
        copy.set_wind(world.wind())?;
        // Those of bodies stay with them.
        copy.set_fields(world.fields().iter().filter(|field| field.on.is_none()).copied().collect())?;
        copy.set_materials(world.materials().clone())?;
        let (mut places, mut hang_on) = (vec![0; world.bodies().len()], Vec::new());
        for (index, body) in world.bodies().iter().enumerate() {
            let holds = links.iter().any(|(link, _)| item::bodies(world, *link).contains(&index));
            if chosen(index) || holds {
                places[index] = copy.bodies().len();
                let id = copy.add_body(body.clone())?;
                hang_on.extend((!chosen(index)).then_some(id));
            }
        }
        let mut copies: Vec<(JointId, JointId)> = Vec::new();
        for (link, ends) in links {
            let ends = ends.map(|end| places[end]);
            match link {
                Item::Body(_) => {}
                Item::Joint(id) => match world.joint(id) {
                    Some(own @ Joint { kind: JointKind::Gear(gear), .. }) => {
                        let copied = gear.joints().map(|id| copies.iter().find(|(own, _)| *own == id));
                        if let [Some((_, a)), Some((_, b))] = copied {
                            copy.insert_joint(copy.gear_like(own, [*a, *b])?)?;
                        }
                    }
                    Some(own) => {
                        let copied = joint_over(own, ends, |body| places[body]);
                        copies.push((id, copy.insert_joint(copied)?));
                    }
                    None => {}
                },
                Item::Spring(id) => {
                    if let Some(own) = world.spring(id) {
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
        Ok(CopiedParts { world: copy, hang_on })
    }

    /// Adds everything to `world`; returns what was added, the bodies first.
    ///
    /// # Errors
    /// What the world refuses. It may then have some of the parts.
    pub fn add_to(&self, world: &mut World) -> Result<Vec<Item>, ModelError> {
        let Self { bodies, joints, gears, springs, nonholonomic } = self;
        let mut added = Vec::new();
        for body in bodies {
            let mut body = body.clone();
            body.name = fresh_name(world, &body.name);
            added.push(Item::Body(world.add_body(body)?));
        }
        let mut ids = Vec::new();
        for joint in joints {
            ids.push(world.insert_joint(joint.clone())?);
        }
        for (places, like) in gears {
            let gear = world.gear_like(like, places.map(|place| ids[place]))?;
            ids.push(world.insert_joint(gear)?);
        }
        added.extend(ids.into_iter().map(Item::Joint));
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
pub fn fresh_name(world: &World, name: &str) -> String {
    let taken = |name: &str| world.bodies().iter().any(|body| body.name == name);
    if !name.is_empty() && !taken(name) {
        return name.to_owned();
    }
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = if stem.trim().is_empty() { "body" } else { stem };
    let mut numbered = (1_u64..).map(|number| format!("{stem}{number}"));
    numbered.find(|name| !taken(name)).unwrap_or_else(|| stem.to_owned())
}

/// A copy of `own` between other bodies, without the force that it has carried; `there` is where the others of its bodies are.
pub fn joint_over(own: &Joint, ends: [usize; 2], there: impl Fn(usize) -> usize) -> Joint {
    let further = own.further().map(|further| match &own.kind {
        // Body a stands for a wheel that no body carries.
        JointKind::Pulley(pulley) => {
            [0, 1].map(|side| if pulley.carried[side] { there(further[side]) } else { ends[0] })
        }
        _ => further.map(&there),
    });
    own.between_others(ends, further)
}

/// A copy of `own` between other bodies.
pub fn spring_between(own: &Spring, ends: [usize; 2]) -> Spring {
    let mut spring = Spring::new(ends, own.anchors, own.softness, own.rest_length);
    spring.rest_angle = own.rest_angle;
    (spring.breaking, spring.broken) = (own.breaking, own.broken);
    spring
}
