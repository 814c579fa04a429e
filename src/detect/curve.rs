//! Ellipses against cores, half planes and each other: which features touch.
//!
//! The separation of an ellipse and a polygon along a direction m is that of the ellipse and the polygon's farthest
//! vertex there. As m goes round, the vertex changes at the edge normals. So the largest separation is at an edge
//! normal (a contact of a face with the curve), or at a common normal of one vertex and the ellipse that lies between
//! the normals of the vertex's two edges. All of them are tried, and the largest taken: overlapping, there can be
//! several local maxima.

use super::feature::{Feature, Profile};
use super::normal;
use super::rounded::Posed;
use crate::math::cross;
use glam::DVec2;

/// The touching feature of a core and the normal m from it to the ellipse; none if only a seam faces the ellipse.
pub(super) fn with_core(core: &Posed, ellipse: &Profile, tolerance: f64) -> Option<(Feature, DVec2)> {
    let (feature, m, separation) = largest(core, ellipse, tolerance, |_, _| true)?;
    if exposes(core, feature, m) {
        return Some((feature, m));
    }
    // Apart from this piece, a neighbour is nearer. Overlapping, it must be left through its own surface.
    if separation + core.core.radius > tolerance {
        return None;
    }
    largest(core, ellipse, tolerance, |feature, m| exposes(core, feature, m))
        .map(|(feature, m, _)| (feature, m))
}

fn exposes(core: &Posed, feature: Feature, m: DVec2) -> bool {
    match feature {
        Feature::Edge(i) => core.core.exposes_edge(i),
        Feature::Vertex(j) => core.exposes_vertex(j, m),
        Feature::Curve => false,
    }
}

fn largest(
    core: &Posed,
    ellipse: &Profile,
    tolerance: f64,
    accept: impl Fn(Feature, DVec2) -> bool,
) -> Option<(Feature, DVec2, f64)> {
    let mut best: Option<(Feature, DVec2, f64)> = None;
    let mut consider = |feature: Feature, m: DVec2, separation: f64| {
        if best.is_none_or(|best| separation > best.2 + tolerance) && accept(feature, m) {
            best = Some((feature, m, separation));
        }
    };
    let radius = core.core.radius;
    for (edge, m) in core.normals.iter().enumerate() {
        let separation = m.dot(ellipse.support(-*m).point - core.vertices[edge]) - radius;
        consider(Feature::Edge(edge), *m, separation);
    }
    let directions = normal::samples(ellipse);
    for (vertex, center) in core.vertices.iter().enumerate() {
        let round = Profile::Round { center: *center, radius };
        normal::maxima(&round, ellipse, &directions, |m, separation| {
            if is_farthest(core, vertex, m) {
                consider(Feature::Vertex(vertex), m, separation);
            }
        });
    }
    best
}

/// Whether no vertex of the core lies farther in the direction m.
fn is_farthest(core: &Posed, vertex: usize, m: DVec2) -> bool {
    let n = core.vertices.len();
    let at = core.vertices[vertex];
    m.dot(core.vertices[(vertex + 1) % n] - at) <= 0.0
        && m.dot(core.vertices[(vertex + n - 1) % n] - at) <= 0.0
}

/// The normal from ellipse a to ellipse b at their largest separation.
pub(super) fn with_curve(a: &Profile, b: &Profile, tolerance: f64) -> DVec2 {
    let mut directions = [DVec2::ZERO; 2 * normal::SAMPLES];
    directions[..normal::SAMPLES].copy_from_slice(&normal::samples(a));
    directions[normal::SAMPLES..].copy_from_slice(&normal::samples(b));
    // By a number that grows with the angle, like it, from −2 to 2.
    let angle = |m: &DVec2| (1.0 - m.x / (m.x.abs() + m.y.abs())).copysign(m.y);
    directions.sort_unstable_by(|m, n| angle(m).total_cmp(&angle(n)));
    debug_assert!(directions.windows(2).all(|m| cross(m[0], m[1]) >= -1e-9));
    let mut best = (DVec2::Y, f64::NEG_INFINITY);
    normal::maxima(a, b, &directions, |n, separation| {
        if separation > best.1 + tolerance {
            best = (n, separation);
        }
    });
    best.0
}
