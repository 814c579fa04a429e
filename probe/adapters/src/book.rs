//! Numbers of bodies and joints, and what both recorders need of mechanics.

use std::collections::HashMap;
use std::f64::consts::PI;
use std::hash::Hash;

use driftlab_probe::scene::{Outline, Shape};

pub(crate) type Vec2 = [f64; 2];

/// The numbers that a recording gives to an engine's handles: in the order in which they are seen, none twice.
pub(crate) struct Book<H> {
    numbers: HashMap<H, usize>,
    /// By number; `None` of what is gone.
    handles: Vec<Option<H>>,
}

impl<H: Copy + Eq + Hash> Book<H> {
    pub(crate) fn new() -> Self {
        Book { numbers: HashMap::new(), handles: Vec::new() }
    }

    /// Gives the next number.
    pub(crate) fn add(&mut self, handle: H) -> usize {
        self.numbers.insert(handle, self.handles.len());
        self.handles.push(Some(handle));
        self.handles.len() - 1
    }

    pub(crate) fn number(&self, handle: H) -> Option<usize> {
        self.numbers.get(&handle).copied()
    }

    pub(crate) fn handles(&self) -> &[Option<H>] {
        &self.handles
    }

    /// Strikes out what is gone, and returns its numbers.
    pub(crate) fn strike(&mut self, is_there: impl Fn(H) -> bool) -> Vec<usize> {
        let mut gone = Vec::new();
        for (number, entry) in self.handles.iter_mut().enumerate() {
            if let Some(handle) = *entry
                && !is_there(handle)
            {
                self.numbers.remove(&handle);
                *entry = None;
                gone.push(number);
            }
        }
        gone
    }
}

/// A pose: x, y, angle.
pub(crate) type Pose = [f64; 3];

pub(crate) fn turned([x, y]: Vec2, angle: f64) -> Vec2 {
    let (sin, cos) = angle.sin_cos();
    [cos * x - sin * y, sin * x + cos * y]
}

/// A point in a body's coordinates, in the world.
pub(crate) fn placed(point: Vec2, [x, y, angle]: Pose) -> Vec2 {
    let [dx, dy] = turned(point, angle);
    [x + dx, y + dy]
}

pub(crate) fn sub(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn cross(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[allow(dead_code, reason = "only Rapier has rows that are made orthogonal")]
pub(crate) fn dot(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Where a scene has the centre of mass of a body with these shapes: in the centroid of their areas.
pub(crate) fn centroid(shapes: &[Shape]) -> Vec2 {
    let (mut area, mut sum) = (0.0, [0.0; 2]);
    for shape in shapes {
        let (a, middle) = match &shape.outline {
            Outline::Circle { radius } => (PI * radius * radius, [0.0; 2]),
            Outline::Box { size } => (size[0] * size[1], [0.0; 2]),
            Outline::Capsule { length, radius } => (PI * radius * radius + 2.0 * radius * length, [0.0; 2]),
            Outline::Polygon { vertices, radius } => polygon(vertices, *radius),
            Outline::HalfPlane { .. } | Outline::Polyline { .. } => continue,
        };
        let middle = turned(middle, shape.angle);
        let offset = shape.offset.unwrap_or_default();
        area += a;
        sum = [sum[0] + a * (offset[0] + middle[0]), sum[1] + a * (offset[1] + middle[1])];
    }
    if area > 0.0 { [sum[0] / area, sum[1] / area] } else { [0.0; 2] }
}

/// Area and centroid of a polygon with its rounding r: strips of area r L along its edges and sectors of area ½ r² φ about its
/// corners, which are turned by φ, beside it. That the middle of a strip lies outside of its edge, and that of a sector outside of
/// its corner, cancels once around.
fn polygon(vertices: &[Vec2], radius: f64) -> (f64, Vec2) {
    let (mut area, mut sum) = (0.0, [0.0; 2]);
    let mut add = |part: f64, [x, y]: Vec2| {
        area += part;
        sum = [sum[0] + part * x, sum[1] + part * y];
    };
    let n = vertices.len();
    let twice: f64 = (0..n).map(|i| cross(vertices[i], vertices[(i + 1) % n])).sum();
    for i in 0..n {
        let [a, b, c] = [vertices[i], vertices[(i + 1) % n], vertices[(i + 2) % n]];
        let [along, next] = [sub(b, a), sub(c, b)];
        add((cross(a, b) / 2.0).copysign(cross(a, b) * twice), [(a[0] + b[0]) / 3.0, (a[1] + b[1]) / 3.0]);
        add(radius * along[0].hypot(along[1]), [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0]);
        let turn = cross(along, next).atan2(along[0] * next[0] + along[1] * next[1]);
        add(0.5 * radius * radius * turn.abs(), b);
    }
    (area, [sum[0] / area, sum[1] / area])
}

/// What to say of a body whose centre of mass a scene would have elsewhere.
pub(crate) fn off_center(name: &str, center: Vec2, shapes: &[Shape]) -> Option<String> {
    let expected = centroid(shapes);
    let scale = 1e-5 * (1.0 + expected[0].abs() + expected[1].abs());
    let is_off = (center[0] - expected[0]).abs() > scale || (center[1] - expected[1]).abs() > scale;
    is_off.then(|| {
        format!(
            "the centre of mass of {name} is at {center:?}, not in the centroid {expected:?} of its shapes"
        )
    })
}
