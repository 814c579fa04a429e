//! Contacts that neighbouring pieces of one shape give twice, at the ends of their seam.

use super::gap::Gap;
use super::pair::Pair;
use glam::DVec2;

/// A contact's point and normal, and its bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeamContact {
    bodies: [u32; 2],
    point: DVec2,
    normal: DVec2,
}

impl Pair<'_> {
    /// Whether a neighbouring piece has given the same contact, of a pair with seams.
    pub(super) fn repeats(&self, gap: &Gap, places: &mut Vec<SeamContact>) -> bool {
        /// Distance, relative to the bodies, and sine of the angle up to which two contacts are one.
        const SAME: f64 = 1e-9;
        let bodies = self.leaves.map(|leaf| leaf.body);
        let radii = self.leaves.map(|leaf| leaf.radius).into_iter();
        let size = SAME * radii.filter(|r| r.is_finite()).sum::<f64>();
        let here = places.iter().rev().take_while(|place| place.bodies == bodies);
        let mut here = here.map(|place| (place.point - gap.point, place.normal.dot(gap.normal)));
        if here.any(|(d, cosine)| d.abs().max_element() <= size && cosine > 0.0 && 1.0 - cosine <= SAME) {
            return true;
        }
        places.push(SeamContact { bodies, point: gap.point, normal: gap.normal });
        false
    }
}
