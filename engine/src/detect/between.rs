//! What happens between one look and the next: contacts of those that would meet, and those that have passed through each other.

use super::fast::width;
use super::gap::Contact;
use super::passage::{Moved, has_passed};
use super::shapes::Leaf;
use super::{Detector, Use};
use crate::model::{Frame, World};
use glam::DVec3;

impl Detector {
    /// Contacts of the pairs that are farther apart than `distance`, m, move farther in a step of `h`, at the velocities of `frames`, than the
    /// thinner one is thick, and meet on the way; sorted by their identities, in a world that has been read.
    pub(crate) fn find_fast(
        &mut self,
        world: &World,
        frames: &[Frame],
        [h, distance]: [f64; 2],
    ) -> &[Contact] {
        let by = |body: usize| {
            let Frame { linear, angular, .. } = frames[body];
            h * linear.extend(angular)
        };
        let mut fast = std::mem::take(&mut self.fast);
        let mut meetings = std::mem::take(&mut self.meetings);
        fast.find(&self.shapes, &self.filter, (world, frames), by);
        let touching = self.found(Use::Dynamics).filter(|found| found.gap.phi <= distance);
        meetings.find(&mut fast, (&self.shapes, touching), (world, frames), by, distance);
        (self.fast, self.meetings) = (fast, meetings);
        &self.meetings.contacts
    }

    /// Whether the two pieces of a contact move farther within `h` s, at the velocities of `frames`, than the thinner one is thick.
    pub(crate) fn is_fast(&self, contact: &Contact, frames: &[Frame], h: f64) -> bool {
        let (bodies, pieces, shapes) = (contact.id.bodies, contact.id.pieces, &self.shapes);
        let leaf =
            |side: usize| shapes.leaves.get(shapes.starts[bodies[side] as usize] + pieces[side] as usize);
        let (Some(a), Some(b)) = (leaf(0), leaf(1)) else { return false };
        // A half plane pushes out of any depth.
        if !(a.radius.is_finite() && b.radius.is_finite()) {
            return false;
        }
        let [one, other] = bodies.map(|body| &frames[body as usize]);
        let turning = |frame: &Frame, leaf: &Leaf| frame.angular.abs() * leaf.arm;
        let speed = (one.linear - other.linear).length() + turning(one, a) + turning(other, b);
        h * speed > width(a, b)
    }

    /// Calls `passed` with the bodies of every pair of pieces that pass through each other where the bodies of `world`, which has been read,
    /// move to `poses`.
    pub(crate) fn find_passages(
        &mut self,
        world: &World,
        poses: &[DVec3],
        mut passed: impl FnMut([u32; 2]),
    ) {
        let Self { filter, shapes, fast, .. } = self;
        let bodies = world.bodies();
        let by = |body: usize| poses[body] - bodies[body].pose.coordinates();
        if !shapes.any_fast(by) {
            return;
        }
        let frames: Vec<_> = (0..bodies.len()).map(|body| world.frame(body)).collect();
        fast.find(shapes, filter, (world, &frames), by);
        for pair in &fast.pairs {
            let leaves = pair.map(|leaf| &shapes.leaves[leaf as usize]);
            let [a, b] = leaves.map(|leaf| {
                let (body, index) = (&bodies[leaf.body as usize], leaf.body as usize);
                Moved {
                    body,
                    piece: &body.pieces()[leaf.piece as usize],
                    start: &frames[index],
                    by: by(index),
                }
            });
            if has_passed(a, b) {
                passed(leaves.map(|leaf| leaf.body));
            }
        }
    }
}
