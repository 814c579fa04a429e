//! Ellipses against cores, half planes and each other: which features touch.
//!
//! The separation of an ellipse and a polygon along a direction m is that of the ellipse and the polygon's farthest
//! vertex there. As m goes round, the vertex changes at the edge normals. So the largest separation is at an edge
//! normal (a contact of a face with the curve), or at a common normal of one vertex and the ellipse that lies between
//! the normals of the vertex's two edges. All of them are tried, and the largest taken: overlapping, there can be
//! several local maxima.

use super::feature::{Feature, PlacedCore, Profile};
use super::normal;
use glam::DVec2;

/// The touching feature of a core and the normal m from it to the ellipse; none if only a seam faces the ellipse.
pub(super) fn with_core(core: &PlacedCore, ellipse: &Profile, tolerance: f64) -> Option<(Feature, DVec2)> {
    let (feature, m, separation) = largest(core, ellipse, tolerance, |_, _| true)?;
    let exposes = |feature: Feature, m: DVec2| exposes(core, ellipse, feature, m);
    if exposes(feature, m) {
        return Some((feature, m));
    }
    // Where the ellipse is apart from this piece, a neighbouring piece is nearer. Where they overlap, they must be
    // separated through an exposed feature.
    if separation + core.core.radius > tolerance {
        return None;
    }
    largest(core, ellipse, tolerance, exposes).map(|(feature, m, _)| (feature, m))
}

fn exposes(core: &PlacedCore, ellipse: &Profile, feature: Feature, m: DVec2) -> bool {
    match feature {
        Feature::Edge(i) => core.exposes_edge(i, &[ellipse.support(-m).point]),
        Feature::Vertex(j) => core.exposes_vertex(j, m),
        Feature::Curve => false,
    }
}

fn largest(
    core: &PlacedCore,
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
    let samples = normal::samples(ellipse);
    for (vertex, center) in core.vertices.iter().enumerate() {
        let round = Profile::Round { center: *center, radius };
        if core.normals.is_empty() {
            let (m, separation) = normal::largest(&round, ellipse, &closed(&samples), tolerance);
            consider(Feature::Vertex(vertex), m, separation);
            continue;
        }
        let before = core.normals[(vertex + core.normals.len() - 1) % core.normals.len()];
        let mut buffer = [DVec2::ZERO; normal::SAMPLES + 2];
        let arc = between(before, core.normals[vertex], &samples, &mut buffer);
        normal::maxima(&round, ellipse, arc, |m, separation| {
            consider(Feature::Vertex(vertex), m, separation);
        });
    }
    best
}

/// The directions from `first` to `last`, at most half a turn counter-clockwise, with the samples between them.
fn between<'a>(
    first: DVec2,
    last: DVec2,
    samples: &[DVec2; normal::SAMPLES],
    buffer: &'a mut [DVec2; normal::SAMPLES + 2],
) -> &'a [DVec2] {
    let inside = |k: usize| first.perp_dot(samples[k]) > 0.0 && samples[k].perp_dot(last) > 0.0;
    let n = samples.len();
    buffer[0] = first;
    let mut count = 1;
    // The samples are in cyclic order, so that those inside are consecutive.
    if let Some(start) = (0..n).find(|k| inside(*k) && !inside((k + n - 1) % n)) {
        for k in (start..start + n).map(|k| k % n).take_while(|k| inside(*k)) {
            buffer[count] = samples[k];
            count += 1;
        }
    }
    buffer[count] = last;
    &buffer[..=count]
}

/// A full turn: the samples with the first one repeated at the end.
pub(super) fn closed(samples: &[DVec2; normal::SAMPLES]) -> [DVec2; normal::SAMPLES + 1] {
    std::array::from_fn(|k| samples[k % normal::SAMPLES])
}

/// The normal from ellipse a to ellipse b at their largest separation.
pub(super) fn with_curve(a: &Profile, b: &Profile, tolerance: f64) -> DVec2 {
    const BOTH: usize = 2 * normal::SAMPLES;
    let mut directions = [DVec2::ZERO; BOTH + 1];
    directions[..normal::SAMPLES].copy_from_slice(&normal::samples(a));
    directions[normal::SAMPLES..BOTH].copy_from_slice(&normal::samples(b));
    // Sorted by a number from −2 to 2 that increases with the angle.
    let angle = |m: &DVec2| (1.0 - m.x / (m.x.abs() + m.y.abs())).copysign(m.y);
    directions[..BOTH].sort_unstable_by(|m, n| angle(m).total_cmp(&angle(n)));
    directions[BOTH] = directions[0];
    normal::largest(a, b, &directions, tolerance).0
}
