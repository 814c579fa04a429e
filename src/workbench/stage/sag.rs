//! How a slack rope hangs.

use glam::DVec2;

/// Segments of the curve.
const SEGMENTS: usize = 32;
/// Halvings of the sag: beyond them it is exact to rounding.
const HALVINGS: usize = 60;

/// A curve of that length, m, from a to b that sags along `down`, a unit vector: a parabola whose vertex lies beside the middle;
/// the straight line where the ends are as far apart or farther.
pub fn sagging(a: DVec2, b: DVec2, length: f64, down: DVec2) -> Vec<DVec2> {
    let along = a.distance(b);
    if !(length.is_finite() && along.is_finite()) || length <= along {
        return vec![a, b];
    }
    let curve = |sag: f64| -> Vec<DVec2> {
        let point = |i: usize| {
            let s = i as f64 / SEGMENTS as f64;
            a.lerp(b, s) + 4.0 * s * (1.0 - s) * sag * down
        };
        (0..=SEGMENTS).map(point).collect()
    };
    // The curve is at least twice as long as its vertex is deep, less the distance of the ends.
    let (mut low, mut high) = (0.0, 0.5 * (length + along));
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if length_of(&curve(middle)) < length { low = middle } else { high = middle }
    }
    curve(high)
}

/// The length of a line through points, m.
pub fn length_of(points: &[DVec2]) -> f64 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}
