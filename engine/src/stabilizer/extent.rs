//! The lengths by which errors of positions are judged. What moves says how large a scene is, and where it stands how its coordinates are
//! rounded; bodies that no row acts on, and those that forces do not move, say neither.
//!
//! ```text
//! L   half of the box round the centres of mass of movable bodies with rows, or their longest lever;
//!     where a row turns a body, its radius of gyration
//! E   the largest coordinate of such a centre, lever, or |θ| times the lever or L that it swings
//!
//! rounding  ½ ε E          on the manifold  max(1e-12 L, 4 ε E)
//! ```
//!
//! An error of an angle in rad counts as L times it, one in m² as 1/L of it.

use super::constraints::Constraints;
use super::motion::Motion;
use crate::constraint::Row;
use crate::math::largest;
use crate::model::joint::Unit;
use glam::{DVec2, DVec3};

/// Rounding of a gap or a joint's error, in units of ε E.
pub(super) const ROUNDED_GAP: f64 = 4.0;
/// Largest error that counts as on the manifold, as a share of L.
const MANIFOLD_TOLERANCE: f64 = 1e-12;

/// L and E, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// L.
    pub size: f64,
    /// E.
    coordinates: f64,
}

impl Extent {
    /// The error below which another iteration cannot help, m.
    pub fn rounding(&self) -> f64 {
        0.5 * f64::EPSILON * self.coordinates
    }

    /// What rounding leaves of any g, m.
    pub fn rounded_gap(&self) -> f64 {
        ROUNDED_GAP * f64::EPSILON * self.coordinates
    }

    /// `share` of L, but no less than rounding leaves, m.
    pub fn share(&self, share: f64) -> f64 {
        largest([share * self.size, self.rounded_gap()])
    }

    /// The error that counts as on the manifold, m.
    pub fn tolerance(&self) -> f64 {
        self.share(MANIFOLD_TOLERANCE)
    }

    /// Largest |g| of `rows` as a length, m.
    pub fn length_of_errors(&self, rows: &[Row]) -> f64 {
        largest(rows.iter().map(|row| match row.unit {
            Unit::Metre => row.g,
            Unit::Radian => row.g * self.size,
            Unit::SquareMetre if self.size > 0.0 => row.g / self.size,
            Unit::SquareMetre => row.g,
        }))
    }
}

/// How many metres one unit of a unilateral row's g counts: 1, or of an angle the radius of gyration of the bodies that it turns.
#[inline]
pub(super) fn metres(row: &Row, weight: &[DVec3]) -> f64 {
    if row.unit == Unit::Metre {
        return 1.0;
    }
    let (a, b) = (weight[row.a], weight[row.b]);
    let (along, turning) = (a.x + b.x, row.ja.z * row.ja.z * a.z + row.jb.z * row.jb.z * b.z);
    if turning > 0.0 { (along / turning).sqrt() } else { 1.0 }
}

/// What is gathered of the rows.
struct Gathered<'m> {
    motion: &'m Motion,
    low: DVec2,
    high: DVec2,
    /// The longest lever, and the longest times its body's angle.
    lever: f64,
    swung: f64,
    /// Of bodies that rows turn: the largest angle, and the largest square of a radius of gyration.
    angle: f64,
    gyration: f64,
}

impl Gathered<'_> {
    /// A row with the levers of its two ends.
    #[inline(always)]
    fn take(&mut self, bodies: [usize; 2], levers: [f64; 2]) {
        for (body, lever) in bodies.into_iter().zip(levers) {
            let lever = lever.abs();
            if self.motion.inverse_mass[body].x > 0.0 {
                let q = self.motion.q[body];
                (self.low, self.high) = (self.low.min(q.truncate()), self.high.max(q.truncate()));
                self.lever = self.lever.max(lever);
                self.swung = self.swung.max(lever * q.z.abs());
            } else {
                // Its point is x + r, of which the sum is rounded.
                self.swung = self.swung.max(lever);
            }
        }
    }

    fn take_turning(&mut self, row: &Row) {
        self.take([row.a, row.b], [0.0; 2]);
        for body in [row.a, row.b] {
            let w = self.motion.inverse_mass[body];
            if w.x > 0.0 {
                self.angle = self.angle.max(self.motion.q[body].z.abs());
                self.gyration = self.gyration.max(w.x / w.z);
            }
        }
    }

    fn take_row(&mut self, row: &Row) {
        match row.unit {
            Unit::Metre => self.take([row.a, row.b], [row.ja.z, row.jb.z]),
            Unit::Radian => self.take_turning(row),
            Unit::SquareMetre => self.take([row.a, row.b], [0.0; 2]),
        }
    }
}

impl Constraints {
    /// L and E of joints, contacts and limits as evaluated.
    pub fn extent(&self, motion: &Motion) -> Extent {
        let (low, high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let mut rows = Gathered { motion, low, high, lever: 0.0, swung: 0.0, angle: 0.0, gyration: 0.0 };
        match self.rows.hinges() {
            Some(hinges) => hinges.iter().for_each(|[x, y]| {
                rows.take([x.a, x.b], [x.ja.z.abs().max(y.ja.z.abs()), x.jb.z.abs().max(y.jb.z.abs())]);
            }),
            None => self.rows.joints().iter().for_each(|row| rows.take_row(row)),
        }
        self.touches.contacts().iter().for_each(|touch| rows.take_row(&touch.row));
        self.touches.limits().iter().for_each(|limit| rows.take_row(&limit.row));
        let Gathered { low, high, lever, swung, angle, gyration, .. } = rows;
        if low.x > high.x {
            return Extent { size: 0.0, coordinates: swung };
        }
        let half = 0.5 * (high - low).max_element();
        let size = half.max(lever).max(gyration.sqrt());
        let place = low.abs().max(high.abs()).max_element();
        Extent { size, coordinates: place.max(lever).max(swung).max(angle * size) }
    }
}
