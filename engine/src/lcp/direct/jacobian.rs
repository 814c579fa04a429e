//! When a row of A = J W Jᵀ counts as dependent on others.

use crate::lcp::problem::mixed::MixedRow;
use glam::DVec3;

/// A row with a smaller pivot depends on the rows before it: at the true masses this calls for the geometric
/// rank, at unit masses it is the rank.
///
/// Rounding leaves pivots up to 1e-11 in dependent rows of large redundant grids, and constraints that are redundant but
/// for a relative drift of 1e-3 leave its square. Much below this value the factorisation amplifies such
/// remainders until it overflows. A row wrongly taken for dependent does no harm, since the proximal iteration
/// converges all the same.
pub(crate) const DEPENDENT_PIVOT: f64 = 1e-6;

/// A body's radius of gyration k counts as at least this share of the longest lever r: (k/r)² = 0.01 is well above
/// [`DEPENDENT_PIVOT`].
const LEAST_GYRATION: f64 = 0.1;

/// Writes W of unit masses, by which the rank of rows is judged: m M⁻¹ of every body. Its radius of gyration k is kept, except
/// for bodies that are nearly points at the end of a lever: the rows of a hinge that holds such a body at the distance r have a
/// pivot of (k/r)², small although the rows are independent. The rank is the same in every metric, so k is enlarged until the
/// pivot shows it. Returns whether any k was enlarged.
pub(crate) fn unit_metric<'r>(
    rows: impl Iterator<Item = &'r MixedRow>,
    weight: &[DVec3],
    unit: &mut Vec<DVec3>,
) -> bool {
    unit.clear();
    unit.extend(weight.iter().map(|w| if w.x > 0.0 { *w / w.x } else { *w }));
    let mut enlarged = false;
    for row in rows {
        for (body, j) in [(row.a, row.ja), (row.b, row.jb)] {
            let (along, turning) = (j.x * j.x + j.y * j.y, LEAST_GYRATION * LEAST_GYRATION * j.z * j.z);
            let w = &mut unit[body];
            // r² = J_z²/(J_x² + J_y²).
            if w.x > 0.0 && along > 0.0 && w.z * turning > along {
                w.z = along / turning;
                enlarged = true;
            }
        }
    }
    enlarged
}
