//! Half planes against cores: the lowest vertices touch the boundary. The half plane against an ellipse needs no
//! search: its boundary and the curve.

use super::feature::Feature;
use super::rounded::Posed;
use glam::DVec2;

/// Emits up to two vertices of the core, the lowest above the half plane whose outward normal is `normal`.
pub(super) fn touch(normal: DVec2, core: &Posed, mut emit: impl FnMut(Feature)) {
    let (mut lowest, mut second) = ((0, f64::INFINITY), (0, f64::INFINITY));
    for (vertex, p) in core.vertices.iter().enumerate() {
        if !core.exposes_vertex(vertex, -normal) {
            continue;
        }
        let height = normal.dot(*p);
        if height < lowest.1 {
            second = lowest;
            lowest = (vertex, height);
        } else if height < second.1 {
            second = (vertex, height);
        }
    }
    for (vertex, height) in [lowest, second] {
        if height.is_finite() {
            emit(Feature::Vertex(vertex));
        }
    }
}
