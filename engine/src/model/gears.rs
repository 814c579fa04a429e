//! Gears of a world, each of which is made of two of its joints.

use super::error::ModelError;
use super::joint::{Gear, Joint, JointKind};
use super::pulleys::check_wheels;
use super::table::JointId;
use super::world::World;

impl World {
    /// Ties the coordinates of two joints, x₁ + ρ x₂ = c ([`Gear`]), with c as they are at present. It is removed with either
    /// of them.
    ///
    /// # Errors
    /// A joint that does not exist, twice the same, or one without a free coordinate; a ratio that is zero or not finite.
    pub fn add_gear(&mut self, joints: [JointId; 2], ratio: f64) -> Result<JointId, ModelError> {
        self.insert_joint(self.gear(joints, ratio, None)?)
    }

    /// The gear of two joints of this world, for [`World::insert_joint`], with c or as they are at present.
    ///
    /// # Errors
    /// As [`World::add_gear`].
    pub fn gear(
        &self,
        joints: [JointId; 2],
        ratio: f64,
        constant: Option<f64>,
    ) -> Result<Joint, ModelError> {
        let found = |id: JointId| self.joint(id).ok_or(ModelError::NoSuchJoint(id));
        let [first, second] = [found(joints[0])?, found(joints[1])?];
        if joints[0] == joints[1] || first.further.is_some() || second.further.is_some() {
            return Err(ModelError::GearJoints(joints[0], joints[1]));
        }
        let coordinate = |joint: &Joint| {
            let [a, b] = joint.bodies.map(|index| self.frame(index));
            joint.kind.driven(&a, &b).map(|x| x.g).ok_or(ModelError::NoFreeCoordinate(joint.kind.key()))
        };
        let present = coordinate(first)? + ratio * coordinate(second)?;
        let constant = constant.unwrap_or(present);
        let sides = Box::new([first.kind.clone(), second.kind.clone()]);
        let kind = JointKind::Gear(Gear { joints, sides, ratio, constant });
        Ok(Joint { further: Some(second.bodies), ..Joint::new(first.bodies, kind) })
    }

    /// The gear `like` of two other joints, with its ratio and constant and what it bears, for [`World::insert_joint`].
    ///
    /// # Errors
    /// As [`World::add_gear`], and a joint that is no gear.
    pub fn gear_like(&self, like: &Joint, joints: [JointId; 2]) -> Result<Joint, ModelError> {
        let JointKind::Gear(Gear { ratio, constant, .. }) = like.kind else {
            return Err(ModelError::NotThisGear);
        };
        let Joint { breaking, broken, .. } = *like;
        Ok(Joint { breaking, broken, ..self.gear(joints, ratio, Some(constant))? })
    }

    /// Checks that a gear is one of two joints of this world, and that of other kinds only a pulley and a custom one have a third
    /// body.
    pub(super) fn check_further(&self, joint: &Joint) -> Result<(), ModelError> {
        match &joint.kind {
            JointKind::Gear(Gear { joints, sides, ratio, constant }) => {
                let Joint { bodies, further, kind, .. } = self.gear(*joints, *ratio, Some(*constant))?;
                let is_own = matches!(&kind, JointKind::Gear(own) if own.sides == *sides);
                let same = is_own && (bodies, further) == (joint.bodies, joint.further);
                if same { Ok(()) } else { Err(ModelError::NotThisGear) }
            }
            JointKind::Custom(_) => joint.all_bodies().try_for_each(|body| self.known(body).map(drop)),
            JointKind::Pulley(pulley) => check_wheels(self, joint, pulley),
            kind if joint.further.is_some() => Err(ModelError::TwoBodies(kind.key())),
            _ => Ok(()),
        }
    }

    /// The gears that tie this joint.
    pub fn gears_on(&self, id: JointId) -> impl Iterator<Item = JointId> + '_ {
        let all = self.joints().iter().zip(self.joint_ids());
        all.filter(move |(joint, _)| joint.ties(id)).map(|(_, own)| *own)
    }
}
