//! The broad phase: pieces whose bounding boxes, enlarged by their reach, overlap.
//!
//! The tree of boxes is `parry2d-f64`'s. It is built anew from the same leaves in every call, in memory that is kept,
//! so the pairs depend on nothing but the boxes; sorted, they do not depend on the tree either. Half planes have no
//! box: they meet every piece.

use super::Reach;
use crate::model::{Body, Frame, Piece};
use glam::DVec2;
use parry2d_f64::bounding_volume::Aabb;
use parry2d_f64::math::Vector;
use parry2d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

/// A piece at a pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub body: u32,
    pub piece: u32,
    /// Where its vertices start in the detector's list.
    pub first: usize,
    /// Corners of its bounding box, m; infinite for a half plane.
    pub low: DVec2,
    pub high: DVec2,
    /// Radius about the centre of mass, m.
    pub radius: f64,
}

impl Leaf {
    /// Whether the boxes come within `margin` of each other along both axes.
    pub fn near(&self, other: &Self, margin: f64) -> bool {
        let gap = (self.low - other.high).max(other.low - self.high);
        gap.max_element() <= margin
    }
}

/// The bounding box of a piece whose vertices, if it has any, are `vertices` in the world, m.
pub(super) fn bounds(piece: &Piece, vertices: &[DVec2], frame: &Frame) -> (DVec2, DVec2) {
    match piece {
        Piece::Core(core) => {
            let low = vertices.iter().copied().fold(DVec2::INFINITY, DVec2::min);
            let high = vertices.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
            (low - core.radius, high + core.radius)
        }
        Piece::Ellipse(e) => {
            let center = frame.position + frame.rotation.apply(e.center);
            let axis = frame.rotation.apply(e.axis);
            let half = DVec2::new(
                (e.semi_axes * axis).length(),
                (e.semi_axes * DVec2::new(axis.y, axis.x)).length(),
            );
            (center - half, center + half)
        }
        Piece::HalfPlane { .. } => (DVec2::NEG_INFINITY, DVec2::INFINITY),
    }
}

/// Memory of the tree.
#[derive(Default)]
pub(super) struct Broad {
    tree: Bvh,
    leaves: usize,
    workspace: BvhWorkspace,
    pairs: Vec<[u32; 2]>,
}

impl Broad {
    /// Pairs (i, j) of indices into `leaves`, i < j, sorted, that `passes` and that may come within reach.
    pub fn pairs(
        &mut self,
        leaves: &[Leaf],
        frames: &[Frame],
        bodies: &[Body],
        reach: &Reach,
        passes: impl Fn(&Leaf, &Leaf) -> bool,
    ) -> &[[u32; 2]] {
        let Self { tree, workspace, pairs, .. } = self;
        pairs.clear();
        // Half planes take an empty place in the tree, so that leaves keep their numbers.
        let boxed = |leaf: &Leaf| {
            let frame = &frames[leaf.body as usize];
            // Half of the pair's margin each: max(ε̂, s (u_a + u_b)) ≤ max(ε̂/2, s u_a) + max(ε̂/2, s u_b), with u a
            // piece's largest speed.
            let speed = frame.linear.length() + frame.angular.abs() * leaf.radius;
            let grow = if leaf.radius.is_finite() {
                (reach.distance / 2.0).max(reach.travel * speed)
            } else {
                0.0
            };
            let (low, high) = if leaf.low.is_finite() && leaf.high.is_finite() {
                (leaf.low - grow, leaf.high + grow)
            } else {
                (DVec2::ZERO, DVec2::ZERO)
            };
            Aabb::new(Vector::new(low.x, low.y), Vector::new(high.x, high.y))
        };
        if self.leaves != leaves.len() {
            *tree = Bvh::new();
            self.leaves = leaves.len();
        }
        for (index, leaf) in leaves.iter().enumerate() {
            tree.insert_or_update_partially(boxed(leaf), index as u32, 0.0);
        }
        tree.rebuild(workspace, BvhBuildStrategy::Binned);
        tree.traverse_bvtt_single_tree::<false>(workspace, &mut |i, j| {
            let (i, j) = (i.min(j), i.max(j));
            let (first, second) = (&leaves[i as usize], &leaves[j as usize]);
            let bounded = first.radius.is_finite() && second.radius.is_finite();
            if bounded && passes(first, second) {
                pairs.push([i, j]);
            }
        });
        for (i, plane) in leaves.iter().enumerate().filter(|(_, leaf)| !leaf.radius.is_finite()) {
            for (j, leaf) in leaves.iter().enumerate() {
                let moving = bodies[leaf.body as usize].is_dynamic() && leaf.radius.is_finite();
                let (first, second) = if i < j { (plane, leaf) } else { (leaf, plane) };
                if moving && passes(first, second) {
                    pairs.push([i.min(j) as u32, i.max(j) as u32]);
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }
}

impl std::fmt::Debug for Broad {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Broad").field("leaves", &self.leaves).finish_non_exhaustive()
    }
}
