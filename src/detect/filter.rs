//! Which bodies never collide: the two bodies of a joint, unless it allows them to; bodies that both stand still or
//! follow prescribed motions; bodies that do not collide at all; bodies of one negative group.

use crate::model::World;

/// Pairs that joints exempt, as a sorted list: reused memory, filled anew for every world.
#[derive(Debug, Default)]
pub(super) struct Filter {
    /// (lower body, higher body), sorted.
    exempt: Vec<[u32; 2]>,
    /// Pairs that some joint between them lets collide, sorted.
    allowed: Vec<[u32; 2]>,
}

impl Filter {
    pub fn read(&mut self, world: &World) {
        self.exempt.clear();
        self.allowed.clear();
        for joint in world.joints() {
            let [a, b] = joint.bodies;
            let pair = [a.min(b) as u32, a.max(b) as u32];
            if joint.collide_connected {
                self.allowed.push(pair);
            } else {
                self.exempt.push(pair);
            }
        }
        self.exempt.sort_unstable();
        self.allowed.sort_unstable();
    }

    /// Whether bodies a < b may collide.
    pub fn passes(&self, world: &World, a: u32, b: u32) -> bool {
        let (first, second) = (&world.bodies()[a as usize], &world.bodies()[b as usize]);
        a != b
            && (first.is_dynamic() || second.is_dynamic())
            && first.collides
            && second.collides
            && (first.group >= 0 || first.group != second.group)
            && (self.exempt.binary_search(&[a, b]).is_err() || self.allowed.binary_search(&[a, b]).is_ok())
    }
}
