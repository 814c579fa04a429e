//! In which order rows are driven.
//!
//! Each drive satisfies one row for good, in whichever order. With friction the rows met so far may have more than
//! one solution, and the path of a drive may lead from one to the other without satisfying its own row; another order
//! meets other solutions.

use super::point::{Point, Status};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// All normal and bounded rows, which without friction have a solution for certain, then friction.
    Normals,
    /// The same, with the friction that slips most before the others.
    Slipping,
    /// Contact after contact as they are numbered, each normal row with its friction.
    Contacts,
    /// The contact whose normal row is violated most, with its friction.
    Violated,
}

impl Order {
    /// The next pending row; a friction row only after its normal row.
    pub fn next(self, point: &Point) -> Option<usize> {
        let rows = point.rows;
        let pending = |at: usize| point.status[at] == Status::Pending;
        // Of a contact the normal row, then its friction.
        let part =
            |at: usize| if pending(at) { Some(at) } else { rows.friction[at].filter(|&t| pending(t)) };
        let mut bases = (0..rows.len()).filter(|&at| rows.normal[at].is_none());
        match self {
            Self::Contacts => bases.find_map(part),
            // As the places are numbered.
            Self::Normals => (0..rows.len()).find(|&at| pending(at)),
            Self::Slipping => bases.find(|&at| pending(at)).or_else(|| {
                let mut best: Option<usize> = None;
                for at in (0..rows.len()).filter(|&at| pending(at)) {
                    if best.is_none_or(|best| point.w[at].abs() > point.w[best].abs()) {
                        best = Some(at);
                    }
                }
                best
            }),
            Self::Violated => {
                let mut best: Option<(usize, f64)> = None;
                for at in bases.filter_map(part) {
                    // Friction follows its normal row at once.
                    if rows.normal[at].is_some() {
                        return Some(at);
                    }
                    let [lower, _] = rows.bounds(at, point.lambda);
                    let w = point.w[at];
                    let violation = if point.lambda[at] <= lower { (-w).max(0.0) } else { w.abs() };
                    if best.is_none_or(|(_, most)| violation > most) {
                        best = Some((at, violation));
                    }
                }
                best.map(|(at, _)| at)
            }
        }
    }
}
