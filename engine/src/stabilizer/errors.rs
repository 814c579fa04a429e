//! How large the errors of positions are at the rows and contacts as evaluated, and below which of them nothing is left to
//! correct.

use super::constraints::Constraints;
use super::extent::{Extent, ROUNDED_GAP};
use super::motion::{Metric, Motion};
use crate::constraint::{Row, Touch};
use crate::math::largest;
use crate::model::joint::Unit;
use crate::model::{Piece, World};
use glam::DVec2;

impl Constraints {
    /// Largest |g| over the joint rows.
    pub fn joint_error(&self) -> f64 {
        largest(self.rows.joints().iter().map(|row| row.g))
    }

    /// Largest −φ over the contacts, m.
    pub fn contact_error(&self) -> f64 {
        largest(self.touches.contacts().iter().map(overlap))
    }

    /// Largest error over joints, limits and contacts, as a length, m.
    pub fn position_error(&self, motion: &Motion) -> f64 {
        self.position_error_at(&self.extent(motion))
    }

    /// The same where the extent is known.
    pub fn position_error_at(&self, extent: &Extent) -> f64 {
        let overlaps = self.contact_error();
        let limits = self.touches.limits().iter().map(|limit| Row { g: overlap(limit), ..limit.row });
        let limits = largest(limits.map(|row| extent.length_of_errors(&[row])));
        largest([overlaps, limits, extent.length_of_errors(self.rows.joints())])
    }

    /// The bodies between which [`Constraints::position_error`] is largest; none without constraints.
    pub fn worst(&self, motion: &Motion) -> Option<[usize; 2]> {
        let extent = self.extent(motion);
        let joints = self.rows.joints().iter().copied();
        let touches = self.touches.all().iter().map(|touch| Row { g: overlap(touch), ..touch.row });
        let errors = joints.chain(touches).map(|row| (extent.length_of_errors(&[row]), [row.a, row.b]));
        errors.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, bodies)| bodies)
    }

    /// Whether there are unilateral rows, and nothing to correct beyond rounding: a gap is the difference of two coordinates, each
    /// of which the state holds to its rounding, so that no correction can be relied on to leave less than twice that.
    pub fn touch_without_error(&self, motion: &Motion) -> bool {
        let extent = self.extent(motion);
        !self.touches.all().is_empty() && self.position_error_at(&extent) <= 2.0 * extent.rounding()
    }

    /// Σ g²/Aᵢᵢ over joints and overlaps.
    pub fn misfit(&self, motion: &Motion, metric: Metric) -> f64 {
        let weight = motion.weight(metric);
        let term = |row: &Row, g: f64| {
            let mobility = row.ja.dot(weight[row.a] * row.ja) + row.jb.dot(weight[row.b] * row.jb);
            if mobility > 0.0 { g * g / mobility } else { 0.0 }
        };
        let joints = self.rows.joints().iter().map(|row| term(row, row.g));
        joints.chain(self.touches.all().iter().map(|touch| term(&touch.row, overlap(touch)))).sum()
    }

    /// How far a correction may have to move a body, m: the diagonal of the box of the centres of the bodies that move, what they reach
    /// beyond them, and the largest error.
    pub fn size(&self, world: &World, motion: &Motion) -> f64 {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for (q, w) in motion.q.iter().zip(&motion.inverse_mass) {
            if w.x > 0.0 {
                (low, high) = (low.min(q.truncate()), high.max(q.truncate()));
            }
        }
        let moved = world.bodies().iter().filter(|body| body.is_dynamic());
        let reach = moved.flat_map(|body| body.pieces()).map(Piece::bounding_radius);
        let widest = reach.filter(|radius| radius.is_finite()).fold(0.0, f64::max);
        let levers = self.rows.joints().iter().filter(|row| row.unit == Unit::Metre);
        let weight = &motion.inverse_mass;
        let lever = |body: usize, lever: f64| if weight[body].x > 0.0 { lever.abs() } else { 0.0 };
        let lever = largest(levers.map(|row| lever(row.a, row.ja.z).max(lever(row.b, row.jb.z))));
        let size = (high - low).max(DVec2::ZERO).length() + 2.0 * widest.max(lever);
        // A point alone has no size to be bounded by.
        if size > 0.0 { size + self.position_error(motion) } else { f64::INFINITY }
    }

    /// What rounding leaves of any g, m.
    pub fn rounded_gap(&self, motion: &Motion) -> f64 {
        self.extent(motion).rounded_gap()
    }

    /// The error that counts as on the manifold, m.
    pub fn tolerance(&self, motion: &Motion) -> f64 {
        self.extent(motion).tolerance()
    }
}

/// g of the unilateral row of `touch`, m or rad; of a contact 0 where φ may be rounding alone. φ = n · (x_b + r_b − x_a − r_a): the state
/// holds each x to half of ε times its size, the sums and the rotated r are rounded by as much again.
#[inline]
pub(super) fn closed_gap(touch: &Touch, motion: &Motion) -> f64 {
    let row = &touch.row;
    if row.g.to_bits() == 0 || touch.tangent.is_none() {
        return row.g;
    }
    let reach = |body: usize, lever: f64| motion.q[body].truncate().abs().max_element() + lever.abs();
    let rounded = ROUNDED_GAP * f64::EPSILON * reach(row.a, row.ja.z).max(reach(row.b, row.jb.z));
    if row.g.abs() <= rounded { 0.0 } else { row.g }
}

/// max(0, −φ).
pub(super) fn overlap(touch: &Touch) -> f64 {
    // NaN passes: it is no overlap of zero.
    if touch.row.g >= 0.0 { 0.0 } else { -touch.row.g }
}
