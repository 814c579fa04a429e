//! A core at a pose, and what others can touch of it there.

use crate::math::Rotation;
use crate::model::{Core, Seam};
use glam::DVec2;

/// A core at a pose, in world axes.
#[derive(Clone, Copy)]
pub(super) struct PlacedCore<'a> {
    pub core: &'a Core,
    pub vertices: &'a [DVec2],
    pub normals: &'a [DVec2],
    pub rotation: Rotation,
    /// Where it touches neighbouring pieces, if it does.
    pub seam: Option<&'a Seam>,
    /// The way from where the other one is back to where it has come from within the step, m; zero where nobody has moved.
    pub back: DVec2,
}

impl PlacedCore<'_> {
    /// Whether vertex `j` can be touched by something that lies in the direction `m` of it.
    pub fn exposes_vertex(&self, j: usize, m: DVec2) -> bool {
        self.seam.is_none_or(|seam| seam.exposes_vertex(j, self.rotation.inverse_apply(m)))
    }

    /// Whether edge `i` can be touched by a core with the vertices `other`, there or on its way.
    pub fn exposes_edge(&self, i: usize, other: &[DVec2]) -> bool {
        let Some(seam) = self.seam else { return true };
        seam.exposes_stretch(i, || {
            let p = self.vertices[i];
            let along = (self.vertices[self.next(i)] - p).normalize_or_zero();
            let distances = other.iter().map(|q| along.dot(*q - p));
            let way = along.dot(self.back);
            distances.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], s| {
                [low.min(s + way.min(0.0)), high.max(s + way.max(0.0))]
            })
        })
    }

    pub fn next(&self, i: usize) -> usize {
        if i + 1 < self.vertices.len() { i + 1 } else { 0 }
    }
}
