//! The common normal of two smooth convex curves: where the separation along a direction is largest.
//!
//! With the supports p_a(n) and p_b(−n) in the unit direction n at the angle θ, t = perp(n),
//!
//! ```text
//! s(θ)  = n·(p_b − p_a)               separation along n: positive if a line across n parts the two
//! s'    = t·(p_b − p_a)               zero where n is normal to both curves at the two supports
//! s''   = −(s + ρ_a + ρ_b)            ρ the radii of curvature
//! ```
//!
//! Apart, max s is the distance and the only maximum with s > 0; overlapping, it is minus the smallest translation
//! that parts them [Anitescu & Hart 2004, eq. 4.38], and there may be several local maxima. A step in θ is taken as
//! n + δ t, normalised: to second order the same turn, without sine and cosine.
//!
//! The separation of an ellipse and a polygon along a direction m is that of the ellipse and the polygon's farthest
//! vertex there. As m goes round, the vertex changes at the edge normals. So the largest separation is at an edge
//! normal (a contact of a face with the curve), or at a common normal of one vertex and the ellipse that lies between
//! the normals of the vertex's two edges. All of them are tried, and the largest taken.

use super::feature::{Feature, PlacedCore, Profile};
use super::polyline::{Convex, Link};
use glam::DVec2;

/// s with its derivatives.
#[derive(Clone, Copy)]
struct Separation {
    value: f64,
    slope: f64,
    curvature: f64,
}

fn separation(a: &Profile, b: &Profile, n: DVec2) -> Separation {
    let (pa, pb) = (a.support(n), b.support(-n));
    let across = pb.point - pa.point;
    let value = n.dot(across);
    Separation { value, slope: n.perp().dot(across), curvature: -(value + pa.curvature + pb.curvature) }
}

/// n turned by about `step` radians.
fn turned(n: DVec2, step: f64) -> DVec2 {
    (n + step * n.perp()).normalize()
}

/// The unit vector from p to q; `otherwise` where they coincide.
pub(super) fn direction(p: DVec2, q: DVec2, otherwise: DVec2) -> DVec2 {
    // Scaled first: a squared length vanishes below 1e-154 m.
    let d = q - p;
    let size = d.abs().max_element();
    if size > 0.0 && size.is_finite() { (d / size).normalize() } else { otherwise }
}

/// The local maximum of s that a climb from `start` reaches: Newton's method where s is concave, halved until s does
/// not fall.
pub(super) fn climb(a: &Profile, b: &Profile, start: DVec2) -> DVec2 {
    const ROUNDS: usize = 100;
    const HALVINGS: usize = 60;
    const LARGEST_STEP: f64 = 0.5;
    let mut n = start;
    let mut here = separation(a, b, n);
    for _ in 0..ROUNDS {
        let newton = -here.slope / here.curvature;
        let mut step = if here.curvature < 0.0 && newton.is_finite() {
            newton.clamp(-LARGEST_STEP, LARGEST_STEP)
        } else {
            LARGEST_STEP * here.slope.signum()
        };
        if here.slope == 0.0 {
            break;
        }
        let mut moved = false;
        for _ in 0..HALVINGS {
            let next = turned(n, step);
            let there = separation(a, b, next);
            // Near its maximum s is constant to rounding, so that a smaller slope decides.
            if there.value > here.value
                || (there.value == here.value && there.slope.abs() < here.slope.abs())
            {
                (n, here, moved) = (next, there, true);
                break;
            }
            step /= 2.0;
            if step.abs() < f64::EPSILON {
                break;
            }
        }
        if !moved {
            // One last Newton step, where the values agree to rounding but the slope can still decrease.
            let next = turned(n, newton);
            if newton.abs() < 1e-6 && separation(a, b, next).slope.abs() < here.slope.abs() {
                n = next;
            }
            break;
        }
    }
    n
}

/// The local maximum of s between two directions, `from` where s rises and `to` (counter-clockwise of it, less than
/// half a turn) where it falls: Newton's method, bisection where that leaves the bracket.
fn bracketed(a: &Profile, b: &Profile, mut from: DVec2, mut to: DVec2) -> DVec2 {
    const ROUNDS: usize = 100;
    let mut n = (from + to).normalize();
    for _ in 0..ROUNDS {
        let here = separation(a, b, n);
        if here.slope == 0.0 {
            break;
        }
        if here.slope > 0.0 {
            from = n;
        } else {
            to = n;
        }
        let step = -here.slope / here.curvature;
        let newton = turned(n, step);
        let inside = from.perp_dot(newton) >= 0.0 && newton.perp_dot(to) >= 0.0;
        let next = if step.is_finite() && inside { newton } else { (from + to).normalize() };
        if (next - n).abs().max_element() <= 2.0 * f64::EPSILON {
            break;
        }
        n = next;
    }
    n
}

/// Number of directions in which an ellipse is sampled, evenly in its parameter ψ, so that its tips are resolved.
pub(super) const SAMPLES: usize = 16;

/// The unit normals of an ellipse at ψ = 2πk/16, counter-clockwise; of a circle or point, even directions.
pub(super) fn samples(profile: &Profile) -> [DVec2; SAMPLES] {
    /// cos and sin of 2πk/16 in the first quadrant.
    const QUARTER: [(f64, f64); 4] = [
        (1.0, 0.0),
        (0.923_879_532_511_286_7, 0.382_683_432_365_089_8),
        (std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2),
        (0.382_683_432_365_089_8, 0.923_879_532_511_286_7),
    ];
    let (axis, semi_axes) = match *profile {
        Profile::Round { .. } => (DVec2::X, DVec2::ONE),
        Profile::Ellipse { axis, semi_axes, .. } => (axis, semi_axes / semi_axes.max_element()),
    };
    std::array::from_fn(|k| {
        let (x, y) = QUARTER[k % 4];
        let (x, y) = [(x, y), (-y, x), (-x, -y), (y, -x)][k / 4];
        let local = (DVec2::new(x, y) * DVec2::new(semi_axes.y, semi_axes.x)).normalize();
        local.x * axis + local.y * axis.perp()
    })
}

/// Every local maximum of s between neighbouring `directions`, which follow each other counter-clockwise by less than
/// half a turn and lie close enough for s' to have no more than one extremum between two of them.
pub(super) fn maxima(a: &Profile, b: &Profile, directions: &[DVec2], mut found: impl FnMut(DVec2, f64)) {
    let mut top = |from: DVec2, to: DVec2| {
        let n = bracketed(a, b, from, to);
        found(n, separation(a, b, n).value);
    };
    let Some(first) = directions.first() else { return };
    let mut before = (*first, separation(a, b, *first));
    for n in &directions[1..] {
        let here = (*n, separation(a, b, *n));
        match (before.1.slope > 0.0, here.1.slope > 0.0) {
            (true, false) => top(before.0, here.0),
            // s rises at both ends, s' first falls and then grows: a maximum and a minimum may hide between.
            (true, true) if before.1.curvature < 0.0 && here.1.curvature > 0.0 => {
                if let Some(middle) = opposite_slope(a, b, before.0, here.0, 1.0) {
                    top(before.0, middle);
                }
            }
            (false, false) if before.1.curvature > 0.0 && here.1.curvature < 0.0 => {
                if let Some(middle) = opposite_slope(a, b, before.0, here.0, -1.0) {
                    top(middle, here.0);
                }
            }
            _ => {}
        }
        before = here;
    }
}

/// Given two directions at which s' has the same `sign`, a direction between them at which s' has the opposite one,
/// by bisection towards the extremum of s'; none if s' has the same sign at its extremum.
fn opposite_slope(a: &Profile, b: &Profile, mut from: DVec2, mut to: DVec2, sign: f64) -> Option<DVec2> {
    const ROUNDS: usize = 60;
    for _ in 0..ROUNDS {
        let middle = (from + to).normalize();
        let here = separation(a, b, middle);
        if sign * here.slope < 0.0 {
            return Some(middle);
        }
        if sign * here.curvature < 0.0 {
            from = middle;
        } else {
            to = middle;
        }
    }
    None
}

/// The direction of the largest s of all; among maxima that differ by no more than `tolerance`, the first.
pub(super) fn largest(a: &Profile, b: &Profile, directions: &[DVec2], tolerance: f64) -> (DVec2, f64) {
    let mut best = (DVec2::Y, f64::NEG_INFINITY);
    let mut consider = |n: DVec2, separation: f64| {
        if separation > best.1 + tolerance {
            best = (n, separation);
        }
    };
    maxima(a, b, directions, &mut consider);
    // Where s is flat to rounding (concentric circles) no slope changes its sign.
    for n in directions {
        consider(*n, separation(a, b, *n).value);
    }
    best
}

/// The touching feature of a core and the normal m from it to the ellipse; none if only a seam faces the ellipse.
/// `link` describes the core as a part of its polyline.
pub(super) fn with_core(
    (core, link): (&PlacedCore, Option<&Link>),
    ellipse: &Profile,
    tolerance: f64,
) -> Option<(Feature, DVec2)> {
    let (feature, m, separation) = largest_of_core(core, ellipse, tolerance, |_, _| true)?;
    let exposes = |feature: Feature, m: DVec2| match feature {
        Feature::Edge(i) => {
            link.is_none_or(|link| link.side == i) && core.exposes_edge(i, &[ellipse.support(-m).point])
        }
        Feature::Vertex(j) => link.is_none_or(|link| link.opens_vertex(j)) && core.exposes_vertex(j, m),
        Feature::Curve => false,
    };
    let overlap = separation + core.core.radius <= tolerance;
    let (feature, m, separation) = if exposes(feature, m) {
        (feature, m, separation)
    } else if overlap {
        // They must be separated through an exposed feature; what is deepest beyond an edge's end is below a neighbour.
        let (feature, m, separation) = largest_of_core(core, ellipse, tolerance, exposes)?;
        let beyond = |edge: usize| !core.faces(edge, ellipse.support(-m).point, tolerance);
        if matches!(feature, Feature::Edge(edge) if beyond(edge)) {
            return None;
        }
        (feature, m, separation)
    } else {
        // A neighbouring piece is nearer.
        return None;
    };
    let yields = overlap && link.is_some_and(|link| link.yields(separation, tolerance, ellipse));
    (!yields).then_some((feature, m))
}

fn largest_of_core(
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
    let samples = samples(ellipse);
    for (vertex, center) in core.vertices.iter().enumerate() {
        let round = Profile::Round { center: *center, radius };
        if core.normals.is_empty() {
            let (m, separation) = largest(&round, ellipse, &closed(&samples), tolerance);
            consider(Feature::Vertex(vertex), m, separation);
            continue;
        }
        let before = core.normals[(vertex + core.normals.len() - 1) % core.normals.len()];
        let mut buffer = [DVec2::ZERO; SAMPLES + 2];
        let arc = between(before, core.normals[vertex], &samples, &mut buffer);
        maxima(&round, ellipse, arc, |m, separation| {
            consider(Feature::Vertex(vertex), m, separation);
        });
    }
    best
}

/// The directions from `first` to `last`, at most half a turn counter-clockwise, with the samples between them.
fn between<'a>(
    first: DVec2,
    last: DVec2,
    samples: &[DVec2; SAMPLES],
    buffer: &'a mut [DVec2; SAMPLES + 2],
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
pub(super) fn closed(samples: &[DVec2; SAMPLES]) -> [DVec2; SAMPLES + 1] {
    std::array::from_fn(|k| samples[k % SAMPLES])
}

/// The normal from ellipse a to ellipse b at their largest separation.
pub(super) fn with_curve(a: &Profile, b: &Profile, tolerance: f64) -> DVec2 {
    const BOTH: usize = 2 * SAMPLES;
    let mut directions = [DVec2::ZERO; BOTH + 1];
    directions[..SAMPLES].copy_from_slice(&samples(a));
    directions[SAMPLES..BOTH].copy_from_slice(&samples(b));
    // Sorted by a number from −2 to 2 that increases with the angle.
    let angle = |m: &DVec2| (1.0 - m.x / (m.x.abs() + m.y.abs())).copysign(m.y);
    directions[..BOTH].sort_unstable_by(|m, n| angle(m).total_cmp(&angle(n)));
    directions[BOTH] = directions[0];
    largest(a, b, &directions, tolerance).0
}

impl Convex for Profile {
    fn extent(&self) -> (DVec2, f64) {
        match *self {
            Self::Round { center, radius } => (center, radius),
            Self::Ellipse { center, semi_axes, .. } => (center, semi_axes.max_element()),
        }
    }

    fn lowest(&self, n: DVec2, p: DVec2) -> f64 {
        n.dot(self.support(-n).point - p)
    }

    fn height(&self, _: DVec2, _: impl Fn(DVec2) -> bool) -> f64 {
        f64::NEG_INFINITY
    }

    fn reaches(&self, _: [DVec2; 2]) -> bool {
        true
    }
}
