//! Pairs that move farther within a step than the thinner of the two is thick: no look at one pose tells that they meet.
//!
//! ```text
//! |Δx_a − Δx_b| + |Δθ_a| R_a + |Δθ_b| R_b  >  min(d_a, d_b)
//! ```
//!
//! Δ is what a body moves within the step, R how far the corners of a piece are from the centre of mass, d the piece's width; a line has
//! none, and counts half of what crosses it. Whoever moves less is pushed back out on the side that he came from: half of both widths
//! together is no less than the smaller one, and a half plane pushes out of any depth.
//!
//! `meeting` follows them on their ways, before a step; `passage` looks after it which have passed through each other.

use super::contact_graph::Filter;
use super::shapes::{Leaf, Shapes, place};
use crate::model::{Frame, World};
use glam::{DVec2, DVec3};

/// Most pairs that are followed in a step; where more are as fast, a motion has long been lost.
const MOST: usize = 1 << 16;

/// The pairs of a step.
pub(super) struct Fast {
    /// Vertices and normals of all pieces, as in [`Shapes`], to be placed anew.
    pub vertices: Vec<DVec2>,
    pub normals: Vec<DVec2>,
    pub pairs: Vec<[u32; 2]>,
}

impl Shapes {
    /// Whether two pieces may be fast where the bodies move by `by`. Nobody is where that is no number.
    pub fn any_fast(&self, by: impl Fn(usize) -> DVec3) -> bool {
        let (mut first, mut second) = (0.0, 0.0);
        for leaf in &self.leaves {
            let by = by(leaf.body as usize);
            let travel = by.x.abs() + by.y.abs() + by.z.abs() * leaf.arm;
            if travel > first {
                (first, second) = (travel, first);
            } else if travel > second {
                second = travel;
            }
        }
        first + second > self.thinnest && (first + second).is_finite()
    }
}

/// The width that a pair has to move by to be fast, m.
pub(super) fn width(a: &Leaf, b: &Leaf) -> f64 {
    let least = a.width.min(b.width);
    if least > 0.0 { least } else { 0.5 * a.width.max(b.width) }
}

impl Fast {
    /// The fast pairs whose paths may cross, of bodies that are at `frames` and move by `by`.
    pub fn find(
        shapes: &Shapes,
        filter: &Filter,
        (world, frames): (&World, &[Frame]),
        by: impl Fn(usize) -> DVec3,
    ) -> Self {
        let (mut vertices, mut normals) = (shapes.vertices.clone(), shapes.normals.clone());
        // The boxes of what each piece sweeps over, by their left ends, with its index.
        let mut swept = Vec::new();
        for (index, leaf) in shapes.leaves.iter().enumerate().filter(|(_, leaf)| leaf.radius.is_finite()) {
            let (frame, by) = (&frames[leaf.body as usize], by(leaf.body as usize));
            let piece = leaf.of(world.bodies());
            let (low, high) = place(piece, frame, &mut vertices[leaf.first..], &mut normals[leaf.first..]);
            let turned = (by.z.abs() * leaf.arm).min(2.0 * leaf.arm);
            let (back, on) = (by.truncate().min(DVec2::ZERO), by.truncate().max(DVec2::ZERO));
            swept.push(([low + back - turned, high + on + turned], index as u32));
        }
        swept.sort_by(|([one, _], _), ([other, _], _)| one.x.total_cmp(&other.x));
        let mut pairs = Vec::new();
        'pieces: for (k, ([_, high], i)) in swept.iter().enumerate() {
            for ([low, top], j) in swept[k + 1..].iter().take_while(|([low, _], _)| low.x <= high.x) {
                let pair = [*i.min(j), *i.max(j)];
                let leaves = pair.map(|leaf| &shapes.leaves[leaf as usize]);
                let [a, b] = leaves.map(|leaf| by(leaf.body as usize));
                let relative =
                    (a - b).truncate().length() + a.z.abs() * leaves[0].arm + b.z.abs() * leaves[1].arm;
                let apart = low.y > high.y || top.y < swept[k].0[0].y;
                if !apart
                    && relative > width(leaves[0], leaves[1])
                    && filter.passes(world, leaves[0].body, leaves[1].body)
                {
                    if pairs.len() == MOST {
                        break 'pieces;
                    }
                    pairs.push(pair);
                }
            }
        }
        pairs.sort_unstable();
        Self { vertices, normals, pairs }
    }
}
