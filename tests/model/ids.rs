//! Ids under random additions and removals, compared with a list kept beside the world.

use crate::physics::worlds::point_mass;
use driftlab::model::joint::Hinge;
use driftlab::model::nonholonomic::KnifeEdge;
use driftlab::model::{
    BodyId, Joint, JointId, JointKind, ModelError, NonholonomicId, NonholonomicKind, Spring, SpringId,
    World,
};
use glam::DVec2;
use proptest::prelude::*;

/// What the world should hold, by id.
#[derive(Default)]
struct Expected {
    bodies: Vec<(BodyId, String)>,
    joints: Vec<(JointId, [BodyId; 2])>,
    springs: Vec<(SpringId, [BodyId; 2])>,
    blades: Vec<(NonholonomicId, BodyId)>,
    removed: Vec<BodyId>,
    removed_joints: Vec<JointId>,
}

impl Expected {
    /// Makes the change of this `kind` to the world and to the list, on the bodies that `pick` chooses.
    fn change(&mut self, world: &mut World, kind: usize, pick: [usize; 2]) {
        let chosen = |list: &[(BodyId, String)], n: usize| list[n % list.len()].0;
        if kind == 0 || self.bodies.len() < 2 {
            let mut body = point_mass(DVec2::new(pick[0] as f64, pick[1] as f64));
            body.name = format!("{}", self.bodies.len() + self.removed.len());
            let name = body.name.clone();
            self.bodies.push((world.add_body(body).unwrap(), name));
            return;
        }
        let ends = pick.map(|n| chosen(&self.bodies, n));
        let same = ends[0] == ends[1];
        match kind {
            1 => {
                let hinge = JointKind::Hinge(Hinge { anchors: [DVec2::ZERO; 2] });
                match world.add_joint(Joint::between(ends, hinge)) {
                    Ok(id) => self.joints.push((id, ends)),
                    Err(error) => assert!(same && error == ModelError::SameBody(ends[0])),
                }
            }
            2 => match world.add_spring(Spring::between(ends[0], ends[1]).stiffness(1.0)) {
                Ok(id) => self.springs.push((id, ends)),
                Err(error) => assert!(same && error == ModelError::SameBody(ends[0])),
            },
            3 => {
                let blade = KnifeEdge { anchor: DVec2::ZERO, axis: DVec2::X };
                let blade = world.add_nonholonomic([ends[0]; 2], NonholonomicKind::KnifeEdge(blade));
                self.blades.push((blade.unwrap(), ends[0]));
            }
            4 => {
                world.remove_body(ends[0]).unwrap();
                self.bodies.retain(|(id, _)| *id != ends[0]);
                self.joints.retain(|(_, on)| !on.contains(&ends[0]));
                self.springs.retain(|(_, on)| !on.contains(&ends[0]));
                self.blades.retain(|(_, on)| *on != ends[0]);
                self.removed.push(ends[0]);
            }
            _ => {
                if !self.joints.is_empty() {
                    let (id, _) = self.joints.remove(pick[0] % self.joints.len());
                    world.remove_joint(id).unwrap();
                    self.removed_joints.push(id);
                }
            }
        }
    }

    fn check(&self, world: &mut World) {
        let ids: Vec<BodyId> = self.bodies.iter().map(|(id, _)| *id).collect();
        assert_eq!(world.body_ids(), ids);
        for (index, (id, name)) in self.bodies.iter().enumerate() {
            assert_eq!(&world[*id].name, name);
            assert_eq!((world.index_of(*id), world.id_of(index)), (Some(index), Some(*id)));
        }
        let ends = |bodies: [usize; 2]| bodies.map(|index| world.id_of(index).unwrap());
        let joints = world.joint_ids().iter().zip(world.joints());
        let joints: Vec<_> = joints.map(|(id, joint)| (*id, ends(joint.bodies()))).collect();
        assert_eq!(joints, self.joints);
        let springs = world.spring_ids().iter().zip(world.springs());
        let springs: Vec<_> = springs.map(|(id, spring)| (*id, ends(spring.bodies()))).collect();
        assert_eq!(springs, self.springs);
        let blades = world.nonholonomic_ids().iter().zip(world.nonholonomic());
        let blades: Vec<_> = blades.map(|(id, blade)| (*id, ends(blade.bodies()))).collect();
        let expected: Vec<_> = self.blades.iter().map(|(id, on)| (*id, [*on; 2])).collect();
        assert_eq!(blades, expected);
        for id in &self.removed {
            assert!(world.body(*id).is_none() && world.index_of(*id).is_none());
            assert_eq!(world.remove_body(*id).unwrap_err(), ModelError::NoSuchBody(*id));
            assert_eq!(world.edit_body(*id, |_| ()), Err(ModelError::NoSuchBody(*id)));
        }
        for id in &self.removed_joints {
            assert_eq!(world.remove_joint(*id).unwrap_err(), ModelError::NoSuchJoint(*id));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// An id stays valid for the same object until that is removed, and is invalid afterwards; joints, springs and knife edges
    /// stay on their bodies and are removed with them.
    #[test]
    fn ids_survive_whatever_else_is_removed(
        changes in prop::collection::vec((0..6_usize, [0..100_usize, 0..100_usize]), 1..80)
    ) {
        let (mut world, mut expected) = (World::new(DVec2::ZERO), Expected::default());
        for (kind, pick) in changes {
            expected.change(&mut world, kind, pick);
            expected.check(&mut world);
        }
    }
}

/// Ids have the same meaning in a clone, removing from one leaves the other unchanged, and ids of removed bodies are not reused.
#[test]
fn clones_share_ids_and_nothing_else() {
    let mut world = World::new(DVec2::ZERO);
    let ids = [0.0, 1.0, 2.0].map(|x| world.add_body(point_mass(DVec2::new(x, 0.0))).unwrap());
    let mut clone = world.clone();
    clone.remove_body(ids[0]).unwrap();
    assert_eq!(world.body_ids(), ids);
    assert_eq!(clone.body_ids(), &ids[1..]);
    assert_eq!(clone[ids[2]].pose.position, world[ids[2]].pose.position);
    // The id of the last removed body is not reused.
    clone.remove_body(ids[2]).unwrap();
    let next = clone.add_body(point_mass(DVec2::ZERO)).unwrap();
    assert!(next > ids[2] && clone.body(ids[2]).is_none());
}
