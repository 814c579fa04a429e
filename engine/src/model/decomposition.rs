//! Concave polygons as convex cores: ears cut off, then merged again by Hertel and Mehlhorn's method, both from
//! `parry2d-f64`. At most four times as many pieces as needed.
//!
//! Each piece records which of its edges are cuts, and from which directions its vertices can be touched, so that
//! other bodies touch the polygon and never its cuts.

use super::convex::{Core, Seam};
use super::error::ModelError;
use glam::DVec2;
use parry2d_f64::math::Vector;
use parry2d_f64::shape::TriMesh;
use parry2d_f64::transformation::hertel_mehlhorn_idx;

/// Sine of the angle below which a vertex lies on the straight line between its neighbours.
const STRAIGHT: f64 = 1e-12;
/// Largest difference between the area of all pieces and the polygon's, relative to the latter.
const AREA_TOLERANCE: f64 = 1e-9;

/// The convex cores of a simple polygon of either orientation.
///
/// # Errors
/// [`ModelError::DegeneratePolygon`] where the cut pieces do not add up to the polygon.
pub(super) fn convex_cores(vertices: &[DVec2]) -> Result<Vec<Core>, ModelError> {
    let ring = counter_clockwise(vertices);
    let n = ring.len();
    let turns = |i: usize| turn(ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]);
    if (0..n).all(|i| turns(i) > 0.0) {
        return Ok(vec![Core::new(ring, 0.0)]);
    }
    let fail = ModelError::DegeneratePolygon("cannot be cut into convex pieces");
    let points: Vec<Vector> = ring.iter().map(|p| Vector::new(p.x, p.y)).collect();
    let mesh = TriMesh::from_polygon(points.clone()).ok_or(fail.clone())?;
    let parts = hertel_mehlhorn_idx(&points, mesh.indices());

    let direction = |i: usize| (ring[(i + 1) % n] - ring[i]).normalize_or_zero();
    let cone = |i: usize| (turns(i) > 0.0).then(|| [direction((i + n - 1) % n), direction(i)]);
    let mut cores = Vec::new();
    let mut area = 0.0;
    for part in parts {
        let part: Vec<usize> = part.into_iter().map(|i| i as usize).collect();
        let corners: Vec<DVec2> = part.iter().map(|i| ring[*i]).collect();
        area += twice_area(&corners);
        let next = |k: usize| part[(k + 1) % part.len()];
        let is_cut = |k: usize| next(k) != (part[k] + 1) % n;
        let side = |k: usize| if is_cut(k) { [].into() } else { Seam::OPEN.into() };
        let sides = (0..part.len()).map(side).collect();
        let cones = part.iter().map(|i| cone(*i)).collect();
        cores.push(Core { seam: Some(Seam { sides, cones, links: [None; 2] }), ..Core::new(corners, 0.0) });
    }
    let wanted = twice_area(&ring);
    if (area - wanted).abs() <= AREA_TOLERANCE * wanted { Ok(cores) } else { Err(fail) }
}

/// Orders the polygon counter-clockwise and drops vertices on straight lines.
fn counter_clockwise(vertices: &[DVec2]) -> Vec<DVec2> {
    let mut ring = vertices.to_vec();
    if twice_area(&ring) < 0.0 {
        ring.reverse();
    }
    let mut i = 0;
    while ring.len() > 3 && i < ring.len() {
        let n = ring.len();
        if turn(ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]).abs() <= STRAIGHT {
            ring.remove(i);
        } else {
            i += 1;
        }
    }
    ring
}

/// Sine of the angle by which the way p → q → r turns left.
fn turn(p: DVec2, q: DVec2, r: DVec2) -> f64 {
    (q - p).normalize_or_zero().perp_dot((r - q).normalize_or_zero())
}

fn twice_area(ring: &[DVec2]) -> f64 {
    let n = ring.len();
    let o = ring[0];
    (0..n).map(|i| (ring[i] - o).perp_dot(ring[(i + 1) % n] - o)).sum()
}
