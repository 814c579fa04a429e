//! How large the errors of positions are at the rows and contacts as evaluated, and below which of them nothing is left to
//! correct.

use super::constraints::{Constraints, ROUNDED_GAP, turns};
use super::motion::{Metric, Motion};
use crate::constraint::{Row, Touch};
use crate::math::{LargestPair, Pair, largest};
use crate::model::joint::Unit;
use crate::model::{Piece, World};
use glam::DVec2;

/// Largest error that counts as on the manifold, as a share of [`Constraints::extent`].
const MANIFOLD_TOLERANCE: f64 = 1e-12;

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
        self.position_error_at(motion, self.extent(motion))
    }

    /// The same where the extent is known.
    pub fn position_error_at(&self, motion: &Motion, extent: f64) -> f64 {
        let overlaps = self.contact_error();
        let limits = self.touches.limits().iter().map(|limit| Row { g: overlap(limit), ..limit.row });
        let limits = largest(limits.map(|row| length_of_errors(motion, &[row], extent)));
        let joints = match self.rows.hinges() {
            Some(hinges) => {
                let mut gaps = LargestPair::default();
                hinges.iter().for_each(|[x, y]| gaps.take(Pair::new([x.g, y.g])));
                gaps.largest()
            }
            None => length_of_errors(motion, self.rows.joints(), extent),
        };
        largest([overlaps, limits, joints])
    }

    /// The bodies between which [`Constraints::position_error`] is largest; none without constraints.
    pub fn worst(&self, motion: &Motion) -> Option<[usize; 2]> {
        let extent = self.extent(motion);
        let joints = self.rows.joints().iter().copied();
        let touches = self.touches.all().iter().map(|touch| Row { g: overlap(touch), ..touch.row });
        let errors =
            joints.chain(touches).map(|row| (length_of_errors(motion, &[row], extent), [row.a, row.b]));
        errors.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, bodies)| bodies)
    }

    /// Whether there are unilateral rows, and nothing to correct beyond rounding: a gap is the difference of two coordinates, each
    /// of which the state holds to half of ε times the extent, so that no correction can be relied on to leave less than ε times it.
    pub fn touch_without_error(&self, motion: &Motion) -> bool {
        let held = f64::EPSILON * self.extent(motion);
        !self.touches.all().is_empty() && self.position_error(motion) <= held
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

    /// The scene's size, m: the diagonal of the box of its bodies' centres and what they reach beyond them.
    pub fn size(&self, world: &World, motion: &Motion) -> f64 {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for q in &motion.q {
            (low, high) = (low.min(q.truncate()), high.max(q.truncate()));
        }
        let reach = world.bodies().iter().flat_map(|body| body.pieces()).map(Piece::bounding_radius);
        let widest = reach.filter(|radius| radius.is_finite()).fold(0.0, f64::max);
        let levers = self.rows.joints().iter().filter(|row| row.unit == Unit::Metre);
        let lever = largest(levers.map(|row| row.ja.z.abs().max(row.jb.z.abs())));
        let size = (high - low).length() + 2.0 * widest.max(lever);
        // A point alone has no size to be bounded by.
        if size > 0.0 { size } else { f64::INFINITY }
    }

    /// What rounding leaves of any g, m.
    pub fn rounded_gap(&self, motion: &Motion) -> f64 {
        ROUNDED_GAP * f64::EPSILON * self.extent(motion)
    }

    /// The error that counts as on the manifold, m.
    pub fn tolerance(&self, motion: &Motion) -> f64 {
        manifold_tolerance(self.extent(motion))
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

/// The error below which another iteration cannot help at this extent, m.
pub(super) fn rounding(extent: f64) -> f64 {
    0.5 * f64::EPSILON * extent
}

/// The error that counts as on the manifold at this extent, m.
pub(super) fn manifold_tolerance(extent: f64) -> f64 {
    MANIFOLD_TOLERANCE * extent
}

/// max(0, −φ).
pub(super) fn overlap(touch: &Touch) -> f64 {
    // NaN passes: it is no overlap of zero.
    if touch.row.g >= 0.0 { 0.0 } else { -touch.row.g }
}

/// Largest |g| of `rows` as a length, m, where the extent is `extent`: an error in rad counts as the length that it is worth
/// there, one in m² as the length whose square grows by it.
pub(super) fn length_of_errors(motion: &Motion, rows: &[Row], extent: f64) -> f64 {
    let turns = turns(motion);
    largest(rows.iter().map(|row| match row.unit {
        Unit::Metre => row.g,
        Unit::Radian => row.g * extent / turns,
        Unit::SquareMetre if extent > 0.0 => row.g / extent,
        Unit::SquareMetre => row.g,
    }))
}
